"""Files of data sets and of tools for recommendation: the same data in each give the same digits."""

import io
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from optional import needs
from serving import reported
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
    "esci examples.csv": "".join(
        ",".join(map(str, row)) + "\n" for row in ([*ESCI[0]], *(row.values() for row in ESCI))
    ),
    "esci examples.parquet": ESCI,
}
RANKINGS = {
    "msmarco run.tsv": lines((q, i, rank) for q in LISTS for rank, i in enumerate(LISTS[q], 1)),
    "msmarco run.txt": lines(((q, i, rank) for q in LISTS for rank, i in enumerate(LISTS[q], 1)), " "),
}
SAVED = io.BytesIO()
np.save(SAVED, np.array([score for query in GOLD for score in scores_of(query)]))
PAIRED = {
    "npy": ("letor test.txt", SAVED.getvalue()),
    "ranklib": (
        "letor test.txt",
        "".join(f"{q}\t{n}\t{float(score)}\n" for q in GOLD for n, score in enumerate(scores_of(q))),
    ),
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
    elif isinstance(content, bytes):
        path.write_bytes(content)
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


def done_by_the_page(folder, *paths):
    """Whether the local page makes a report of these files."""
    return reported(folder, paths)["stage"] == "done"


@pytest.mark.parametrize("form", PAIRED)
def test_rankings_by_position_are_read_with_their_judgments(form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the local page changes it
    name, content = PAIRED[form]
    judgments, ranking = write(tmp_path, name, JUDGMENTS[name]), write(tmp_path, "ranked.txt", content)

    assert digits(rg.evaluate(judgments, ranking, METRICS)) == digits(FULL)
    assert rg.check(judgments, ranking, "RR drops 0.1", baseline=ranking).passed
    assert rg.compare(judgments, {"a": ranking, "b": LISTS}, "AP").systems == ("a", "b")
    assert by_command(judgments, ranking) == FULL.per_query("AP")
    assert here("explain", judgments, ranking, "-m", "AP", "--query", "q1").code == 0
    assert done_by_the_page(tmp_path, judgments, ranking)
    with pytest.raises(rg.InputError, match="refer to the rows of judgments by position; pass that file"):
        rg.evaluate(GOLD, ranking, "RR")


def test_movielens_u_data_is_not_taken_for_trec_judgments(tmp_path):
    """It has four columns, of which the last is a number: a time, not a grade."""
    users = {query: str(number) for number, query in enumerate(GOLD, 196)}
    path = write(tmp_path, "u.data", lines((users[q], ITEMS[i], g, 881250949) for q, i, g in ROWS))

    assert rg.read(path).format == "movielens"
    ranking = {users[query]: items for query, items in NUMBERED_LISTS.items()}
    scores = rg.evaluate(path, ranking, METRICS)
    assert digits(scores) == digits(EXPECTED)
    assert scores.findings.rows == "users"


def test_ids_of_ms_marco_are_any_text(tmp_path):
    path = write(tmp_path, "run.tsv", 'how to "do" it\ta b\t1\nhow to "do" it\t"c\t2\nq2\td\t1\n')

    assert rg.evaluate({'how to "do" it': {'"c': 1}, "q2": {"d": 1}}, path, "RR").per_query("RR") == {
        'how to "do" it': 0.5,
        "q2": 1.0,
    }
    assert rg.read(write(tmp_path, "one.tsv", "q\ta\t1\nr\ta\t1\n"), role="ranking").format == "msmarco"
    assert rg.read(write(tmp_path, "two.txt", "q a 1 0.5 x\n"), role="ranking").format == "trec"


@pytest.mark.parametrize("ending", [".group", ".query"])
def test_group_sizes_beside_a_file_define_the_queries(ending, tmp_path):
    rows = write(tmp_path, "train.txt", "".join(f"{g} 1:0.5\n" for _, _, g in ROWS))
    sizes = write(tmp_path, f"train.txt{ending}", lines([len(POOL[query])] for query in GOLD))
    scores = write(tmp_path, "scores.txt", PAIRED["scores"][1])

    assert digits(rg.evaluate(rows, scores, METRICS)) == digits(FULL)
    assert by_command(rows, scores) == dict(zip("123", FULL.per_query("AP").values(), strict=True))
    labels, points = [g for _, _, g in ROWS], [point for query in GOLD for point in scores_of(query)]
    arrays = (pl.Series(labels).to_numpy(), pl.Series(points).to_numpy())
    assert digits(rg.evaluate(*arrays, METRICS, groups=sizes)) == digits(FULL)


def test_groups_without_rows_are_warned_of(tmp_path):
    """A size of 0 counts as a query without items in arrays, and LightGBM refuses it."""
    labels, points = np.array([1.0, 0, 2]), np.array([0.1, 0.2, 0.3])
    for groups in ({"groups": [3, 0]}, {"offsets": [0, 3, 3]}):
        with pytest.warns(rg.DataWarning, match="RG126"):
            scores = rg.evaluate(labels, points, "RR", **groups)
        finding = next(finding for finding in scores.findings if finding.code == "RG126")
        assert (finding.count, "(query 1)" in finding.example("en")) == (1, True)
        assert scores.per_query("RR") == {0: 1, 1: 0}
    rows = write(tmp_path, "train.txt", "1 1:0.5\n0 1:0.1\n")
    write(tmp_path, "train.txt.group", "1\n0\n1\n")
    findings = rg.evaluate(rows, {"1": ["1"]}, "RR").findings
    assert [finding.count for finding in findings if finding.code == "RG126"] == [1]
    assert "RG126" not in {finding.code for finding in rg.evaluate(labels, points, "RR", groups=[2, 1]).findings}


def test_letters_of_esci_are_gains():
    rows = [
        {"query_id": 1, "product_id": letter, "esci_label": letter, "score": 4 - n} for n, letter in enumerate("ESCI")
    ]
    data = rg.read(rows)
    scores = rg.evaluate(data, metrics="DCG")

    assert data.judgments.frame()["grade"].to_list() == [1, 0.1, 0.01, 0]
    assert scores.mean("DCG") == rg.DCG.of([1, 0.1, 0.01, 0])
    assert "RG117" in {finding.code for finding in scores.findings}
    assert rg.evaluate(data, metrics="nDCG", convention="esci").mean("nDCG") == 1
    numbers = [row | {"esci_label": 4 - n} for n, row in enumerate(rows)]
    with pytest.raises(rg.InputError, match="grade"):
        rg.evaluate(rg.read(numbers), metrics="nDCG", convention="esci")


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


BEIR = {
    "corpus.jsonl": "".join(json.dumps({"_id": i, "title": "", "text": f"text of {i}"}) + "\n" for i in "abcdxyz"),
    "queries.jsonl": "".join(json.dumps({"_id": q, "text": f"question {q}"}) + "\n" for q in GOLD),
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\n" + lines(row for row in ROWS if row[2]),
}
QRELS = pl.DataFrame([row for row in ROWS if row[2] > 0], schema=["query-id", "corpus-id", "score"], orient="row")
SNAPSHOT = {
    "corpus/corpus-00000-of-00001.parquet": pl.DataFrame(
        {"_id": [*"abcdxyz"], "text": [f"text of {i}" for i in "abcdxyz"]}
    ),
    "queries/queries-00000-of-00001.parquet": pl.DataFrame({"_id": [*GOLD], "text": [f"question {q}" for q in GOLD]}),
    "data/test-00000-of-00002.parquet": QRELS[:3],
    "data/test-00001-of-00002.parquet": QRELS[3:],
    "README.md": "# a data set",
    "dataset_infos.json": "{}",
}


def fill(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content)
        else:
            content.write_parquet(path)
    return folder


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(LISTS))
    return path


@pytest.mark.parametrize("files", [BEIR, SNAPSHOT], ids=["BEIR", "Hugging Face"])
def test_folders_of_test_collections(files, tmp_path, run):
    folder = fill(tmp_path / "set", files)
    data = rg.read(folder)

    assert data.judgments is not None
    assert not data.rankings
    assert digits(rg.evaluate(folder, run, METRICS)) == digits(rg.evaluate(data, run, METRICS)) == digits(EXPECTED)
    assert by_command(folder, run) == EXPECTED.per_query("AP")
    for report in (rg.report(folder, {"run": run}, "AP"), rg.report(data, {"run": run}, "AP")):
        assert report.data()["texts"][0] == "question q1"
        assert next(report.chunks())[0]["texts"][0] == "text of x"
    assert here("doctor", folder).code == 0
    with pytest.raises(rg.InputError, match="holds judgments, not a ranking"):
        rg.evaluate(GOLD, folder, "AP")


def test_a_query_and_an_item_may_have_one_id(tmp_path):
    files = {
        "corpus.jsonl": '{"_id": "1", "text": "the item"}\n',
        "queries.jsonl": '{"_id": "1", "text": "the query"}\n',
    }
    folder = fill(tmp_path / "set", files | {"qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\t1\t1\n"})
    report = rg.report(folder, {"run": {"1": ["1"]}}, "AP")

    assert report.data()["texts"] == ["the query"]
    assert next(report.chunks())[0]["texts"] == ["the item"]


def test_judgments_beside_runs_are_found_by_their_name(tmp_path):
    files = {
        "qrels.set-1.0.test.txt": lines(((q, 0, i, g) for q, i, g in ROWS if g), " "),
        "run.bm25.txt": "q1 Q0 a 1 2 t\n",
    }

    assert digits(rg.evaluate(fill(tmp_path / "set", files), LISTS, METRICS)) == digits(EXPECTED)


def test_a_missing_split_is_requested(tmp_path, run):
    folder = fill(tmp_path / "set", BEIR | {"qrels/dev.tsv": "query-id\tcorpus-id\tscore\nq1\tx\t1\n"})

    with pytest.raises(
        rg.InputError, match=r"set: has several splits: 'dev', 'test'; choose one: split='test' \(--split"
    ):
        rg.evaluate(folder, run, METRICS)
    with pytest.raises(rg.InputError, match="split 'train' is not in it; it has 'dev', 'test'"):
        rg.evaluate(folder, run, METRICS, split="train")
    assert digits(rg.evaluate(folder, run, METRICS, split="test")) == digits(EXPECTED)
    assert by_command(folder, run, "--split", "dev") == {"q1": 1.0}
    assert digits(rg.evaluate(rg.read(folder, split="test"), run, METRICS)) == digits(EXPECTED)
    fill(folder, {"de-qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\ta\t1\n"})
    with pytest.raises(
        rg.InputError, match="split 'test' is ambiguous; it has 'de-qrels/test', 'qrels/dev', 'qrels/test'"
    ):
        rg.evaluate(folder, run, METRICS, split="test")
    assert digits(rg.evaluate(folder, run, METRICS, split="qrels/test")) == digits(EXPECTED)


def test_a_split_of_esci_is_in_its_rows(tmp_path):
    path = write(tmp_path, "esci.parquet", [*ESCI, ESCI[0] | {"query_id": "other", "split": "train"}])

    assert digits(rg.evaluate(path, LISTS, METRICS, split="test")) == digits(EXPECTED)
    assert len(rg.evaluate(path, LISTS, METRICS).queries) == len(GOLD) + 1
    for source in (rg.read(path, split="test"), pl.read_parquet(path)):  # the split of read was forgotten
        assert digits(rg.evaluate(source, LISTS, METRICS, split="test")) == digits(EXPECTED)
    assert digits(rg.evaluate(rg.read(path, split="test"), LISTS, METRICS)) == digits(EXPECTED)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("sides", [["judgments"], ["judgments", "ranking"]])
def test_doctor_and_convert_read_the_split_of_esci(tmp_path, monkeypatch, ending, sides):
    """They ignored it, and read the rows of all splits."""
    monkeypatch.chdir(tmp_path)
    score = {"score": 0.5} if "ranking" in sides else {}
    other = ESCI[0] | {"query_id": "other", "split": "train"}
    if ending == "parquet":
        path = write(tmp_path, "esci.parquet", [row | score for row in (*ESCI, other)])
    else:
        frame, path = pl.DataFrame([row | score for row in (*ESCI, other)]), tmp_path / f"esci.{ending}"
        frame.write_csv(path) if ending == "csv" else frame.write_ndjson(path)

    files = json.loads(here("doctor", path, "--split", "test", "-t", "json").out)["files"]
    assert [(file["role"], file["rows"]) for file in files] == [(side, len(ESCI)) for side in sides]
    for side in sides:
        assert here("convert", path, "-o", "out.tsv", "--role", side, "--split", "train", "--force").code == 0
        assert [line.split("\t")[0] for line in Path("out.tsv").read_text().splitlines()] == ["query", "other"]
        result = here("convert", path, "-o", "out.tsv", "--role", side, "--split", "dev", "--force")
        assert (result.code, "split 'dev' is not in it; it has 'test', 'train' [RG114]" in result.err) == (3, True)
    with pytest.raises(rg.InputError, match="split 'dev' is not in it; it has 'test', 'train'"):
        rg.evaluate(path, LISTS, "AP", split="dev")
    with pytest.raises(rg.InputError, match="split 'dev' is not in it; it has 'test', 'train'"):
        rg.evaluate(pl.DataFrame([*ESCI, other]), LISTS, "AP", split="dev")


@pytest.mark.parametrize("command", [["doctor"], ["doctor", "run.txt"], ["convert", "-o", "out.tsv"]])
def test_a_split_that_no_file_has_is_refused_by_every_command(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("q1 0 a 1\n")
    Path("run.txt").write_text("q1 Q0 a 1 2.5 t\n")
    for source in ("qrels.txt", "run.txt"):
        result = here(command[0], source, *command[1:], "--split", "test")
        assert result.code == 3
        assert "split 'test' was asked for, but the data name no splits [RG114]" in result.err
        assert "remedy: leave split out" in result.err


def test_a_split_of_data_without_splits_is_refused(tmp_path):
    """It was ignored for plain files, frames and dicts, so that all rows counted."""
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 a 1\n")
    frame = pl.DataFrame({"query": ["q1"], "item": ["a"], "grade": [1]})

    for source in (path, frame, GOLD):
        with pytest.raises(rg.InputError, match="split 'test' was asked for, but the data name no splits"):
            rg.evaluate(source, LISTS, "AP", split="test")
    assert here("eval", path, path, "--split", "test").code != 0


def test_invalid_labels_of_esci_are_reported_with_their_row(tmp_path):
    """A label or id that is none of the known ones is still reported with its row."""
    rows = [ESCI[0] | {"query_id": number, "score": 0.5} for number in range(3)]
    frame = pl.DataFrame(rows)

    assert rg.read(frame).judgments.frame().rows() == [(n, str(ESCI[0]["product_id"]), 1.0) for n in range(3)]
    with pytest.raises(rg.InputError, match="row 2: esci_label: 'X' is none of E, S, C, I"):
        rg.evaluate(write(tmp_path, "esci.parquet", [rows[0], rows[1] | {"esci_label": "X"}]), LISTS, "AP")


def test_folders_and_globs_of_parts(tmp_path):
    ranked = pl.DataFrame(
        [(q, i, -rank) for q in LISTS for rank, i in enumerate(LISTS[q])],
        schema=["qid", "docid", "score"],
        orient="row",
    )
    folder = fill(tmp_path / "run", {"part-0.parquet": ranked[:5], "part-1.parquet": ranked[5:], "_SUCCESS": ""})
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps({key: [*items] for key, items in GOLD.items()}))

    for source in (folder, str(folder / "part-*.parquet"), rg.read(folder)):
        assert digits(rg.evaluate(GOLD, source, METRICS)) == digits(EXPECTED)
    assert by_command(gold, folder) == by_command(gold, folder / "*.parquet") == EXPECTED.per_query("AP")
    with pytest.raises(rg.InputError, match="no file matches this pattern"):
        rg.evaluate(GOLD, folder / "*.csv", METRICS)
    (folder / "part-0.parquet").write_bytes(b"PAR1")
    with pytest.raises(rg.InputError, match=r"part-0\.parquet"):
        rg.evaluate(GOLD, folder, METRICS)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"README.md": ""}, "the folder has no data; expected files that end in"),
        ({"corpus.jsonl": "{}"}, "has a corpus or queries, but no judgments"),
        (
            {"a.txt": "q1 0 a 1\n", "b.txt": "q1 Q0 a 1 0.5 t\n"},
            r"different things: a\.txt \(judgments, trec\); b\.txt",
        ),
        ({"qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\ta\n"}, "test.tsv:2: expected 3 columns, found 2"),
    ],
)
def test_incomplete_folders_are_explained(files, message, tmp_path):
    with pytest.raises(rg.InputError, match=message):
        rg.evaluate(fill(tmp_path / "set", files), LISTS, "AP")


def neighbours(path, ids, **more):
    h5py = needs("h5py")
    with h5py.File(path, "w") as file:
        for name, value in {"neighbors": ids, **more}.items():
            file[name] = value
    return path


def test_ann_benchmarks(tmp_path):
    exact = neighbours(tmp_path / "glove.hdf5", [[1, 2, 3], [4, 5, 6]], test=[[0.1], [0.2]], train=[[0.1]])
    returned = neighbours(tmp_path / "result.hdf5", [[2, 9, 1], [7, 4, -1]], times=[0.1, 0.2])
    truth, run = {0: [1, 2, 3], 1: [4, 5, 6]}, {0: [2, 9, 1], 1: [7, 4]}

    assert rg.read(exact).judgments.frame().rows()[:2] == [("0", "1", 1.0), ("0", "2", 1.0)]
    assert rg.read(returned).ranking.frame()["query"].to_list() == ["0", "0", "0", "1", "1"]
    assert digits(rg.evaluate(exact, returned, METRICS)) == digits(rg.evaluate(truth, run, METRICS))
    assert by_command(exact, returned) == {"0": rg.evaluate(truth, run, "AP").per_query("AP")[0], "1": 1 / 6}


def test_malformed_hdf5_is_explained(tmp_path):
    path = neighbours(tmp_path / "file.hdf5", [1, 2], distances=[[0.5]])

    with pytest.raises(rg.InputError, match=r"file\.hdf5: neighbors: expected a row of whole numbers for each query"):
        rg.evaluate(path, LISTS, "AP")
    neighbours(path, [[0.5]])
    with pytest.raises(rg.InputError, match="whole numbers for each query, found float64"):
        rg.read(path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(rg.InputError, match=r"file\.hdf5: not a valid HDF5 file"):
        rg.read(path)
    h5py = needs("h5py")
    h5py.File(path, "w").close()
    with pytest.raises(rg.InputError, match="no data set 'neighbors' of ann-benchmarks"):
        rg.read(path)
