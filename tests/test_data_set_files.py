"""Files of data sets and of tools for recommendation: the same data in each give the same digits."""

import json

import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from test_shapes import EXPECTED, GOLD, LISTS, METRICS, digits

ITEMS = {item: str(number) for number, item in enumerate("abcdxyz", 11)}
"""Items as numbers, for formats whose ids are."""
POOL = {key: [*dict.fromkeys([*LISTS[key], *GOLD[key]])] for key in GOLD}
"""Every item of a query, returned or not."""
ROWS = [(query, item, GOLD[query].get(item, 0)) for query in GOLD for item in POOL[query]]
NUMBERED = {query: {ITEMS[item]: 1 for item in items} for query, items in GOLD.items()}
NUMBERED_LISTS = {query: [ITEMS[item] for item in items] for query, items in LISTS.items()}


def lines(rows, separator="\t"):
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def scores_of(query):
    """The pool of a query with scores by which what was not returned is last."""
    return [float(-rank) for rank, _ in enumerate(POOL[query], 1)]


FULL = rg.evaluate(GOLD, POOL, METRICS)

ESCI = [
    {"example_id": 1, "query": "text", "query_id": query, "product_id": item, "esci_label": "E", "split": "test"}
    for query, item, grade in ROWS
    if grade
]
JUDGMENTS = {
    "movielens ratings.dat": lines(((q, i, g, 978300760) for q, i, g in ROWS), "::"),
    "recbole data.inter": "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"
    + lines((q, i, g, 9) for q, i, g in ROWS),
    "recbole implicit.inter": "user_id:token\titem_id:token\ttimestamp:float\n"
    + lines((q, i, 9) for q, i, g in ROWS if g),
    "mind behaviors.tsv": lines(
        (q, "U1", "11/15/2019 8:55:22 AM", "N9 N8", " ".join(f"{i}-{GOLD[q].get(i, 0)}" for i in POOL[q])) for q in GOLD
    ),
    "letor test.txt": "".join(f"{g} qid:{q} 1:0.5 # docid = {i}\n" for q, i, g in ROWS),
    "esci examples.jsonl": "".join(json.dumps(row) + "\n" for row in ESCI),
    "esci examples.csv": pl.DataFrame(ESCI).write_csv(),
    "esci examples.parquet": ESCI,
}
RANKINGS = {
    "msmarco run.tsv": lines((q, i, rank) for q in LISTS for rank, i in enumerate(LISTS[q], 1)),
    "msmarco run.txt": lines(((q, i, rank) for q in LISTS for rank, i in enumerate(LISTS[q], 1)), " "),
}
PAIRED = {
    "scores": ("letor test.txt", "".join(f"{score}\n" for query in GOLD for score in scores_of(query))),
    "mind_prediction": (
        "mind behaviors.tsv",
        "".join(f"{q} [{','.join(str(rank) for rank, _ in enumerate(POOL[q], 1))}]\n" for q in GOLD),
    ),
}


def write(folder, name, content):
    path = folder / name.split()[-1]
    if isinstance(content, str):
        path.write_text(content)
    else:
        pl.DataFrame(content).write_parquet(path)
    return path


def by_command(*files):
    result = here("eval", *files, "-m", "nDCG@10,AP,RR", "-q", "-t", "jsonl")
    assert result.code == 0, result.err
    values = [json.loads(line) for line in result.out.splitlines()]
    return {row["query"]: row["value"] for row in values if row["metric"] == "AP" and row["query"] != "all"}


@pytest.mark.parametrize("name", [*JUDGMENTS, *RANKINGS])
def test_every_format_gives_the_same_digits(name, tmp_path):
    path = write(tmp_path, name, (JUDGMENTS | RANKINGS)[name])
    data, judged = rg.read(path), name in JUDGMENTS
    other = tmp_path / "other.json"
    other.write_text(json.dumps(LISTS if judged else {key: [*items] for key, items in GOLD.items()}))

    assert name.split()[0] in {data.format, data.shape}
    assert (data.judgments is not None, bool(data.rankings)) == (judged, not judged)
    assert digits(rg.evaluate(*((path, LISTS) if judged else (GOLD, path)), METRICS)) == digits(EXPECTED)
    assert by_command(*((path, other) if judged else (other, path))) == EXPECTED.per_query("AP")


@pytest.mark.parametrize("form", PAIRED)
def test_rankings_by_position_are_read_with_their_judgments(form, tmp_path):
    name, content = PAIRED[form]
    judgments, ranking = write(tmp_path, name, JUDGMENTS[name]), write(tmp_path, "ranked.txt", content)

    assert digits(rg.evaluate(judgments, ranking, METRICS)) == digits(FULL)
    assert rg.check(judgments, ranking, "RR drops 0.1", baseline=ranking).passed
    assert rg.compare(judgments, {"a": ranking, "b": LISTS}, "AP").systems == ("a", "b")
    assert by_command(judgments, ranking) == FULL.per_query("AP")
    with pytest.raises(rg.InputError, match="refer to the rows of judgments by position; pass that file"):
        rg.evaluate(GOLD, ranking, "RR")


def test_u_data_is_not_a_file_of_judgments_of_trec(tmp_path):
    """It has four columns, of which the last is a number: a time, not a grade."""
    users = {query: str(number) for number, query in enumerate(GOLD, 196)}
    path = write(tmp_path, "u.data", lines((users[q], ITEMS[i], g, 881250949) for q, i, g in ROWS))

    assert rg.read(path).format == "movielens"
    ranking = {users[query]: items for query, items in NUMBERED_LISTS.items()}
    scores = rg.evaluate(path, ranking, METRICS)
    assert digits(scores) == digits(EXPECTED)
    assert scores.findings.of_users


def test_ids_of_ms_marco_are_any_text(tmp_path):
    path = write(tmp_path, "run.tsv", 'how to "do" it\ta b\t1\nhow to "do" it\t"c\t2\nq2\td\t1\n')

    assert rg.evaluate({'how to "do" it': {'"c': 1}, "q2": {"d": 1}}, path, "RR").per_query("RR") == {
        'how to "do" it': 0.5,
        "q2": 1.0,
    }
    assert rg.read(write(tmp_path, "one.tsv", "q\ta\t1\nr\ta\t1\n"), role="ranking").format == "msmarco"
    assert rg.read(write(tmp_path, "two.txt", "q a 1 0.5 x\n"), role="ranking").format == "trec"


@pytest.mark.parametrize("ending", [".group", ".query"])
def test_group_sizes_beside_a_file_tell_the_queries(ending, tmp_path):
    rows = write(tmp_path, "train.txt", "".join(f"{g} 1:0.5\n" for _, _, g in ROWS))
    sizes = write(tmp_path, f"train.txt{ending}", lines([len(POOL[query])] for query in GOLD))
    scores = write(tmp_path, "scores.txt", PAIRED["scores"][1])

    assert digits(rg.evaluate(rows, scores, METRICS)) == digits(FULL)
    assert by_command(rows, scores) == dict(zip("123", FULL.per_query("AP").values(), strict=True))
    labels, points = [g for _, _, g in ROWS], [point for query in GOLD for point in scores_of(query)]
    arrays = (pl.Series(labels).to_numpy(), pl.Series(points).to_numpy())
    assert digits(rg.evaluate(*arrays, METRICS, groups=sizes)) == digits(FULL)


def test_letters_of_esci_are_gains():
    rows = [
        {"query_id": 1, "product_id": letter, "esci_label": letter, "score": 4 - n} for n, letter in enumerate("ESCI")
    ]
    data = rg.read(rows)
    scores = rg.evaluate(data, metrics="DCG")

    assert data.judgments.frame()["grade"].to_list() == [1, 0.1, 0.01, 0]
    assert scores.mean("DCG") == rg.DCG.of([1, 0.1, 0.01, 0])
    assert "RG117" in {finding.code for finding in scores.findings}
    numbers = [row | {"esci_label": 4 - n} for n, row in enumerate(rows)]
    assert rg.evaluate(rg.read(numbers), metrics="nDCG", convention="esci").mean("nDCG") == 1


MALFORMED = {
    "msmarco": ("q\ta\t1\nq\tb\t2\nq\tc\n", r"file:3: expected 3 columns, found 2"),
    "msmarco rank": ("q\ta\t1\nq\tb\t2\n" * 9000 + "q\tc\tx\n", r"file:18001: score 'x' is not a number"),
    "movielens": ("1::2::5::978300760\n1::3::x::978300760\n", r"file:2: grade 'x' is not a number"),
    "movielens short": ("1::2::5::978300760\n1::3\n", r"file:2: expected 4 columns, found 2"),
    "recbole": ("user_id:token\titem_id:token\trating:float\n1\t2\n", r"file:2: expected 3 columns, found 2"),
    "recbole item": ("user_id:token\trating:float\n1\t2\n", r"file:1: .*item"),
    "mind": ("1\tU\tt\th\tN1-0\n2\tU\tt\th\tN1\n", r"file:2: 'N1' is not an item with a label"),
    "mind short": ("1\tU\tt\th\tN1-0\n2\tU\n", r"file:2: expected impression, user, time, history and items"),
    "letor": ("1 qid:1 1:2\n1 1:2\n", r"file:2: no qid: after the grade, and no file of group sizes"),
    "esci": (
        '{"query_id": 1, "product_id": "a", "esci_label": "X"}\n',
        r"file:1: esci_label: 'X' is none of E, S, C, I",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_files_are_explained(name, tmp_path):
    content, message = MALFORMED[name]
    path = write(tmp_path, "file", content)
    sides = ({"q": {"a": 1}}, path) if "msmarco" in name else (path, {"q": ["a"]})

    with pytest.raises(rg.InputError, match=message):
        rg.evaluate(*sides, "RR")


PAIRS = {
    "too few scores": ("1 qid:1 1:2\n0 qid:1 1:3\n", "0.5\n", "has 1 scores?, but .*judged has 2 rows"),
    "not a score": (
        "1 qid:1 1:2\n0 qid:1 1:3\n",
        "0.5\n" * 40000 + "x\n",
        r"ranked:40001: expected one score, found 'x'",
    ),
    "unknown impression": ("1\tU\tt\th\tN1-0\n", "1 [1]\n2 [1]\n", "ranked:2: impression '2' is not in .*judged"),
    "too few ranks": ("1\tU\tt\th\tN1-0 N2-1\n", "1 [1]\n", "ranked:1: impression '1' has 2 items .* not 1 to 2"),
    "no ranks": ("1\tU\tt\th\tN1-0\n", "1 [1]\n1 x\n", r"ranked:2: expected an impression and ranks such as"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_malformed_pairs_are_explained(name, tmp_path):
    judged, ranked, message = PAIRS[name]
    with pytest.raises(rg.InputError, match=message):
        rg.evaluate(write(tmp_path, "judged", judged), write(tmp_path, "ranked", ranked), "RR")


@pytest.mark.parametrize(
    ("sizes", "message"), [("1\n", "add up to 1 rows?, the file has more"), ("1\n2\n", "has 2"), ("x", "group:1:")]
)
def test_wrong_group_sizes_are_explained(sizes, message, tmp_path):
    path = write(tmp_path, "train.txt", "1 1:2\n0 1:3\n")
    write(tmp_path, "train.txt.group", sizes)

    with pytest.raises(rg.InputError, match=message):
        rg.evaluate(path, {"1": ["1"]}, "RR")
