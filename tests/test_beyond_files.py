"""The tables of side information from files, in Python and on the command line."""

import gzip
import inspect
import io

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import here

ITEMS, USERS = ["007", "a b", "c,d", "é"], ["u1", "u2"]
TABLES = [*inspect.signature(rg.SideInformation).parameters]
JUDGMENTS = {"u1": {"007": 1, "é": 1}, "u2": {"a b": 2}}
LISTS = {"u1": ["007", "c,d", "é"], "u2": ["a b", "007"]}
TRAINING = [("u1", "a b"), ("u2", "é"), ("u3", "é"), ("u3", "007")]
KNOWN = {
    "items": ITEMS,
    "training": TRAINING,
    "popularity": {"007": 3, "a b": 1, "c,d": 2, "é": 5},
    "features": {"007": [1, 0], "a b": [0, 2], "c,d": [1, 1], "é": [3, 1]},
    "categories": {"007": ["x"], "a b": ["x", "y"], "c,d": ["z"], "é": []},
    "item_groups": {"007": "m", "a b": "f", "c,d": "m", "é": "f"},
    "subtopics": {"u1": {"007": {"s": 1}, "é": {"s": 1, "t": 2}}, "u2": {"a b": {"s": 1}}},
    "baseline": {"u1": ["007"], "u2": ["é", "a b"]},
}
METRICS = {
    "items": "ItemCoverage@2", "training": "MIUF@2", "popularity": "ARP@2", "features": "ILD@3",
    "categories": "CategoryCoverage@2", "item_groups": "EEL@2", "subtopics": "alphanDCG@2", "baseline": "Unexpectedness@2",
}  # fmt: skip
"""A metric that each table moves."""


def frames():
    """The tables as frames."""
    said = {
        table: pl.DataFrame({"item": ITEMS, table: [*KNOWN[table].values()]}) for table in ("popularity", "categories")
    }
    return said | {
        "items": pl.DataFrame({"item": ITEMS}),
        "training": pl.DataFrame(TRAINING, schema=["user", "item"], orient="row"),
        "features": pl.DataFrame({"item": ITEMS, **dict(zip("xy", zip(*KNOWN["features"].values(), strict=True), strict=True))}),
        "item_groups": pl.DataFrame({"item": ITEMS, "title": "t", "group": [*KNOWN["item_groups"].values()]}),
        "subtopics": pl.DataFrame(
            [(q, s, i, g) for q, some in KNOWN["subtopics"].items() for i, by in some.items() for s, g in by.items()],
            schema=["query", "subtopic", "item", "grade"], orient="row",
        ),
        "baseline": pl.DataFrame(
            [(u, i, -n) for u, some in KNOWN["baseline"].items() for n, i in enumerate(some)],
            schema=["user", "item", "score"], orient="row",
        ),
    }  # fmt: skip


def flat(frame):
    """With the categories of an item in one cell, as text files have them."""
    return frame.with_columns(pl.col(pl.List(pl.String)).list.join("|"))


WRITERS = {
    "csv": lambda frame: flat(frame).write_csv().encode(),
    "tsv": lambda frame: flat(frame).write_csv(separator="\t").encode(),
    "jsonl": lambda frame: frame.write_ndjson().encode(),
    "parquet": lambda frame: [sheet := io.BytesIO(), frame.write_parquet(sheet)][0].getvalue(),
    "csv.gz": lambda frame: gzip.compress(flat(frame).write_csv().encode()),
}


def value(table, source):
    return rg.evaluate(JUDGMENTS, LISTS, METRICS[table], side_information=rg.SideInformation(**{table: source})).mean(
        METRICS[table]
    )


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("table", TABLES)
def test_tables_are_read_from_files(table, ending, tmp_path):
    path = tmp_path / f"table.{ending}"
    path.write_bytes(WRITERS[ending](frames()[table]))
    expected = value(table, KNOWN[table])

    assert expected > 0
    for source in (path, str(path), frames()[table], frames()[table].to_pandas()):
        assert value(table, source) == expected, (table, source)


def test_tables_are_read_from_numpy_files(tmp_path):
    matrix = np.array([*KNOWN["features"].values()], dtype=float)
    np.savez(tmp_path / "v.npz", items=np.array(ITEMS), features=matrix)
    assert value("features", tmp_path / "v.npz") == value("features", KNOWN["features"])

    np.save(tmp_path / "v.npy", matrix)
    lists = {user: [ITEMS.index(item) for item in items] for user, items in LISTS.items()}
    scores = rg.evaluate(
        {"u1": {0: 1}, "u2": {1: 1}}, lists, "ILD@3", side_information=rg.SideInformation(features=tmp_path / "v.npy")
    )
    assert scores.mean("ILD@3") == value("features", KNOWN["features"])

    np.savez(tmp_path / "w.npz", other=matrix)
    with pytest.raises(rg.InputError, match=r"w\.npz has 'other'; expected one array named features or vectors"):
        value("features", tmp_path / "w.npz")
    np.savez(tmp_path / "o.npz", features=np.array([{}], dtype=object))
    with pytest.raises(rg.InputError, match="cannot be read as a NumPy file"):
        value("features", tmp_path / "o.npz")


@pytest.mark.parametrize(
    ("text", "expected"), [("item\n007\na b\n", 1), ("007\na b\né\nx\n", 3 / 4), ("\ufeff007\n\na b\n", 1)]
)
def test_a_catalogue_of_lines(text, expected, tmp_path):
    path = tmp_path / "items.txt"
    path.write_text(text, encoding="utf-8")
    known = rg.SideInformation(items=path)

    assert rg.evaluate(JUDGMENTS, LISTS, "ItemCoverage", side_information=known).mean("ItemCoverage") == expected


@pytest.mark.parametrize(
    ("table", "content", "words"),
    [
        ("popularity", "item,users\na,1\na,2\n", "popularity: item 'a' has '1' and '2'; keep one"),
        ("popularity", "item,users\na,many\n", "popularity: item 'a' has 'many'; it must be a number"),
        ("popularity", "item,x,y\na,1,2\n", "expected one column besides 'item', or one named popularity or users"),
        ("item_groups", "item\na\n", "expected one column besides 'item', or one named group .*; found none"),
        ("features", "item,x\na,1\na,2\n", "features: item 'a' has two vectors; keep one"),
        ("features", "item,x,title\na,1,A\n", "features: column 'title' is not numeric"),
        ("features", "item,x\n007,\na b,1\n", "features: the vector of item '007' has a value that is not finite"),
        ("training", "user,thing\na,1\n", "training: no column for the item among 'user', 'thing'; rename it"),
        ("training", "user,item\nu1,\n", "training: 'item' is missing"),
        ("subtopics", "query,item,grade\nu1,a,1\n", "subtopics: one column must be named subtopic"),
        ("subtopics", "u1 s a 1\nu1 s a 2\n", "item 'a' has two grades for subtopic 's' of query 'u1', 1 and 2"),
        ("subtopics", "u1 s a 1\nu1 s a\n", "subtopics: row 2 is"),
        ("categories", "", "categories: .*table: the file has no data"),
    ],
)
def test_files_with_wrong_columns_are_refused(table, content, words, tmp_path):
    path = tmp_path / "table"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(rg.InputError, match=words):
        value(table, path)


def test_an_empty_cell_is_not_a_category():
    known = rg.SideInformation(categories={"a": None, "b": "", "c": ["x", None]})
    scores = rg.evaluate({"u": {"a": 1}}, {"u": ["a", "b", "c"]}, "CategoryCoverage@3", side_information=known)

    assert scores.mean("CategoryCoverage@3") == 1 / 3


def test_novelty_counts_the_users_of_the_training_log():
    """A table of popularity from elsewhere would give shares of users above 1."""
    alone, both = (
        rg.evaluate(
            JUDGMENTS, LISTS, ["MIUF@2", "EPC@2"], side_information=rg.SideInformation(training=TRAINING, **more)
        )
        for more in ({}, {"popularity": {"007": 1000}})
    )
    assert [alone.mean(one) for one in alone.metrics] == [both.mean(one) for one in both.metrics]


# The command line


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "j.csv").write_text(
        "user,item,grade\n" + "".join(f'{u},"{i}",{g}\n' for u, some in JUDGMENTS.items() for i, g in some.items()),
        encoding="utf-8",
    )
    (tmp_path / "r.csv").write_text(
        "user,item,score\n" + "".join(f'{u},"{i}",{-n}\n' for u, some in LISTS.items() for n, i in enumerate(some)),
        encoding="utf-8",
    )
    for table, frame in frames().items():
        (tmp_path / f"{table}.csv").write_bytes(WRITERS["csv"](frame))
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("table", TABLES)
def test_eval_takes_tables(table):
    result = here(
        "eval", "j.csv", "r.csv", "-m", METRICS[table], "--side-information", f"{table}={table}.csv", "-t", "tsv"
    )

    assert result.code == 0, result.err
    assert float(result.out.splitlines()[1].split("\t")[3]) == value(table, KNOWN[table])


@pytest.mark.usefixtures("folder")
def test_a_catalogue_may_be_a_number():
    result = here("eval", "j.csv", "r.csv", "-m", "ItemCoverage", "--side-information", "items=8", "-t", "tsv")

    assert result.out.splitlines()[1].split("\t")[3] == "0.5"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["-m", "ARP@2"], 3, "pass --side-information popularity=FILE or --side-information training=FILE"),
        (["-m", "Gini"], 3, "pass --side-information items=FILE (or their number) or --side-information training=FILE"),
        (["-m", "ILD"], 3, "pass --side-information features=FILE or --side-information categories=FILE"),
        (["-m", "ARP", "--side-information", "popularty=x"], 2, "did you mean 'popularity'?"),
        (["-m", "ARP", "--side-information", "x.csv"], 2, "'x.csv' is not written as NAME=VALUE"),
        (["-m", "ARP", "--side-information", "items=1", "--side-information", "items=2"], 2, "items is given twice"),
        (["-m", "ARP", "--side-information", "training=-"], 2, "pass a file, not standard input"),
        (["-m", "ARP", "--side-information", "training=nowhere.csv"], 3, "training: nowhere.csv: cannot be read"),
    ],
)
def test_wrong_options_on_the_command_line_are_refused(arguments, code, words):
    result = here("eval", "j.csv", "r.csv", *arguments)

    assert (result.code, words in result.err) == (code, True), result.err
    assert "rg.SideInformation" not in result.err


@pytest.mark.usefixtures("folder")
def test_columns_can_be_named_on_the_command_line(folder):
    (folder / "odd.csv").write_text("visitor,item,grade\nu1,a,1\n", encoding="utf-8")
    result = here("eval", "odd.csv", "r.csv", "-m", "P@1")

    assert result.code == 3
    assert "remedy: name it: --columns judgments.query=..., or use a name such as qid/" in result.err
    assert result.err.count("--columns") == 1  # the reason and the remedy both said so
    assert "columns={" not in result.err
    result = here("eval", "odd.csv", "r.csv", "-m", "P@1", "--columns", "query=visitor")
    assert "; if only the judgments have 'visitor': --columns judgments.query=visitor" in result.err
    assert here("eval", "odd.csv", "r.csv", "-m", "P@1", "--columns", "judgments.query=visitor").code == 0


@pytest.mark.usefixtures("folder")
def test_other_commands_take_tables():
    known = ["--side-information", "features=features.csv"]
    explained = here("explain", "j.csv", "r.csv", "--query", "u1", "-m", "ILD@3", *known)
    assert (explained.code, "ILD@3 = " in explained.out) == (0, True), explained.err
    curve = here("curve", "j.csv", "r.csv", "-m", "ILD", "--k", "2,3", *known)
    assert (curve.code, "ILD@k" in curve.out) == (0, True), curve.err
    failed = here("check", "j.csv", "r.csv", "--fail-if", "ILD@3 < 0.9", *known)
    assert (failed.code, "Failed: 1 of 1" in failed.out) == (1, True), failed.err
    whole = here("explain", "j.csv", "r.csv", "--query", "u1", "-m", "Entropy")
    assert (whole.code, "corpus-level metric" in whole.err) == (2, True)
    graded = here("explain", "1,0", "-m", "P@1", *known)
    assert (graded.code, "explain: --side-information is for files" in graded.err) == (2, True)


@pytest.mark.usefixtures("folder")
def test_a_gate_names_the_command_that_explains_a_value():
    known = rg.SideInformation(features="features.csv", items=9)
    result = rg.check("j.csv", "r.csv", "ILD@3 < 0.9", side_information=known)
    command = result.explain_command(rg.ILD @ 3, "u1")

    assert command.endswith("--query u1 --side-information=items=9 --side-information=features=features.csv")
    assert here(*command.split()[1:]).code == 0
    assert (
        rg.check("j.csv", "r.csv", "ILD@3 < 0.9", side_information=rg.SideInformation(**KNOWN)).explain_command(
            rg.ILD @ 3, "u1"
        )
        is None
    )


def test_the_list_of_metrics_names_the_tables():
    assert "features or categories" in here("metrics", "intra-list").out
    listed = here("metrics", "novelty").out
    assert "popularity or training" in listed
    assert "side information" in listed
    one = here("--lang", "zh", "metrics", "RSP").out
    assert "每个物品所属的组（item_groups）" in one
    assert "--side-information 表=文件" in one


# Explanations


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_mixtures_are_explained(lang):
    known = rg.SideInformation(training=TRAINING, categories=KNOWN["categories"], item_groups=KNOWN["item_groups"])
    text = rg.explain(JUDGMENTS, LISTS, "Miscalibration@2", "u1", side_information=known).to_text(lang)
    assert "p(x) = 0.500000 / 1" in text
    assert "q(z) = 1 / 2" in text
    assert "é" not in text  # it stands below the cutoff

    exposure = rg.explain(JUDGMENTS, LISTS, "EEL@2", "u1", side_information=known)
    got, deserved = (
        {part.name: part.value for part in exposure.parts if part.name.startswith(what)} for what in ("e(", "e*(")
    )
    assert sum((one - other) ** 2 for one, other in zip(got.values(), deserved.values(), strict=True)) == exposure.value
    assert got == {"e(m)": 1 + 1 / np.log2(3), "e(f)": 0}


def test_explanations_add_up_in_both_languages():
    known = rg.SideInformation(**KNOWN)
    for metric in rg.metrics().values():
        definition = metric.definition
        if not definition.of_items or definition.of_spans or not definition.summary.has_query_values:
            continue
        cut = metric @ 2 if "k" in metric.definition.parameters else metric
        for user in USERS:
            found = rg.explain(JUDGMENTS, LISTS, cut, user, side_information=known)
            value = rg.evaluate(JUDGMENTS, LISTS, cut, side_information=known).per_query(cut)[user]
            assert found.value == value or np.isnan([found.value, value]).all()
            added = sum(row.contribution for row in found.steps.rows) + (found.steps.rest or 0)
            assert added == pytest.approx(found.steps.total)
            assert len(found.steps.rows) <= 2
            if found.below:
                assert found.steps.total / found.below == pytest.approx(value)
            chinese = found.to_text("zh")
            named = [*found.steps.factors, found.steps.rest_name, found.below_name]
            assert [name for name in named if len(name) > 2 and name in chinese and " " in name] == []


def test_a_matrix_is_explained():
    labels, scores = np.array([[1, 0, np.nan], [0, 2, 1]]), np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    known = rg.SideInformation(features=np.eye(3), training={0: [1]}, items=3, item_groups={0: "x", 1: "y", 2: "y"})
    for metric in ("ILD@2", "Unseen@2", "EEL@2", "ListFill@2"):
        values = rg.evaluate(labels, scores, metric, side_information=known).per_query(metric)
        for row in (0, 1):
            assert rg.explain(labels, scores, metric, row, side_information=known).value == values[row]
    both = {"one": scores, "other": -scores}
    assert rg.report(labels, both, ["ILD@2", "ItemCoverage@2"], side_information=known, permutations=50).to_html()
    with pytest.raises(rg.ParameterError, match="flat arrays need"):
        rg.explain(labels[1], scores[1], "ListFill@2", 0)


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl", "run"])
def test_rankings_from_files_give_the_same_digits(ending, tmp_path):
    """Accuracy and beyond, from files of every format, equal those from dicts."""
    metrics = [
        metric @ 2
        for metric in rg.metrics().values()
        if metric.definition.of_items and not metric.definition.of_spans and "k" in metric.definition.parameters
    ]
    known = rg.SideInformation(**{table: KNOWN[table] for table in TABLES})
    lists = {user: [item for item in items if " " not in item] for user, items in LISTS.items()}
    ranking = pl.DataFrame(
        [(user, item, float(-n)) for user, items in lists.items() for n, item in enumerate(items)],
        schema=["query", "item", "score"], orient="row",
    )  # fmt: skip
    path = tmp_path / f"ranking.{ending}"
    if ending == "run":
        path.write_text("".join(f"{q} Q0 {i} 0 {s} t\n" for q, i, s in ranking.rows()), encoding="utf-8")
    else:
        path.write_bytes(WRITERS[ending](ranking))
    expected, found = (rg.evaluate(JUDGMENTS, one, metrics, side_information=known) for one in (lists, path))
    for metric in metrics:
        assert str(found.mean(metric)) == str(expected.mean(metric)), metric
        assert str(found.per_query(metric)) == str(expected.per_query(metric)), metric


@pytest.mark.parametrize("line", ["b", "b,x,y"])
def test_a_line_that_is_too_short_or_too_long_is_named(line, tmp_path):
    path = tmp_path / "kinds.csv"
    path.write_text(f"item,category\na,x\n{line}\nc,y\n", encoding="utf-8")
    with pytest.raises(rg.InputError, match=r"categories: .*kinds\.csv:3: expected 2 columns, found \d: .*; write"):
        rg.evaluate(
            {"q": {"a": 1}},
            {"q": ["a"]},
            "CategoryCoverage@1",
            side_information=rg.SideInformation(categories=str(path)),
        )


def test_a_feature_that_is_not_a_number_is_named(tmp_path):
    path = tmp_path / "features.csv"
    path.write_text("item,first\na,1\nb,oops\n", encoding="utf-8")
    with pytest.raises(rg.InputError, match=r"column 'first' is not numeric: item 'b' has 'oops'"):
        rg.evaluate(
            {"q": {"a": 1}}, {"q": ["a", "b"]}, "ILD@2", side_information=rg.SideInformation(features=str(path))
        )


FOREIGN = {
    "training": ([("x", "X1"), ("y", "X2")], ["MIUF@2", "ARP@2", "Unseen@2", "ItemCoverage@2"], ["item", "user"]),
    "popularity": ({"X1": 3, "X2": 1}, ["ARP@2", "APLT@2"], ["item"]),
    "items": (["X1", "X2"], ["ItemCoverage@2"], ["item"]),
    "subtopics": ({"x": {"X1": {"s": 1}}}, ["alphanDCG@2"], ["query", "item"]),
    "baseline": ({"x": ["X1"]}, ["Unexpectedness@2"], ["item", "user"]),
}


@pytest.mark.parametrize("table", FOREIGN)
def test_a_table_about_other_data_is_warned_of(table):
    content, metrics, kinds = FOREIGN[table]
    lists, judged = {"ann": ["a", "b"], "bob": ["b", "c"]}, {"ann": {"a": 1}, "bob": {"b": 1}}
    side = rg.SideInformation(**{table: content})
    with pytest.warns(rg.DataWarning, match="RG412"):
        scores = rg.evaluate(judged, lists, metrics, side_information=side)
    (finding,) = (finding for finding in scores.findings if finding.code == "RG412")
    counts = {"item": "3 of 3 ranked items", "user": "2 of 2 users", "query": "2 of 2 queries"}
    starts = sorted(f"{table} lacks {counts[kind]}; {kind} 'x" for kind in kinds)
    examples = sorted(finding.examples)
    assert len(examples) == len(starts)
    assert all(map(str.startswith, map(str.lower, examples), starts))


def test_training_with_half_of_the_items_is_usual_and_a_prefix_is_named():
    lists, judged = {"ann": ["a", "b"], "bob": ["c", "d"]}, {"ann": {"a": 1}, "bob": {"c": 1}}
    codes = []
    for training in ([("ann", "a"), ("x", "b")], [("ann", "a")], [("ann", f"item-{item}") for item in "abcd"]):
        side = rg.SideInformation(training=training)
        findings = rg.evaluate(judged, lists, ["MIUF@2"], side_information=side).findings
        codes.append([finding.examples for finding in findings if finding.code == "RG412"])
    reason = "item 'item-a' in training, 'a' in the ranking; the ids of training have the prefix 'item-'"
    assert codes == [
        [],
        [("training lacks 3 of 4 ranked items",)],
        [(f"training lacks 4 of 4 ranked items; {reason}",)],
    ]
