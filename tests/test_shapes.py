"""Shapes of records and documents: the same data in every shape give the same digits, by Python and command line."""

import io
import json

import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from rankgauge.inputs.shapes.fields import hits_of, split_cell

GOLD = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"a": 1, "d": 1}}
LISTS = {"q1": ["x", "a", "y", "b"], "q2": ["c", "z"], "q3": ["y", "x", "d"]}
METRICS = ("nDCG@10", "AP", "RR")
EXPECTED = rg.evaluate(GOLD, LISTS, METRICS)


def rows(query, gold=None, ranked=None, **more):
    """Rows of a tool: each query with its lists under the names of the tool."""
    return [
        {query: key}
        | ({gold: [*GOLD[key]]} if gold else {})
        | ({ranked: LISTS[key]} if ranked else {})
        | {name: value(key) if callable(value) else value for name, value in more.items()}
        for key in GOLD
    ]


BOTH = {
    "ragas texts": ("jsonl", rows("user_input", "reference_contexts", "retrieved_contexts", response="r")),
    "ragas ids": (
        "jsonl",
        rows("user_input", "reference_context_ids", "retrieved_context_ids", retrieved_contexts=["t"], reference=None),
    ),
    "lists": ("jsonl", rows("query", "relevant_ids", "retrieved_ids")),
    "list of records": ("json", rows("query", "gold", "predictions")),
    "wrapped records": ("json", {"version": 1, "data": rows("query", "gold", "predictions")}),
}
"""Files with both sides: the format and the content."""


def write(folder, name, form, content):
    path = folder / f"{name.replace(' ', '_')}.{form}"
    if form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in content))
    elif form == "json":
        path.write_text(json.dumps(content, indent=1))
    elif form == "parquet":
        pl.DataFrame(content).write_parquet(path)
    else:
        pl.DataFrame(content).write_csv(path)
    return path


def digits(scores):
    return {metric: [*scores.per_query(metric).values()] for metric in METRICS}


@pytest.mark.parametrize("name", BOTH)
def test_one_file_with_both_sides_gives_the_same_digits(name, tmp_path):
    path = write(tmp_path, name, *BOTH[name])
    data = rg.read(path)

    assert digits(rg.evaluate(data, metrics=METRICS)) == digits(EXPECTED)
    assert digits(rg.evaluate(path, metrics=METRICS)) == digits(EXPECTED)
    assert digits(rg.evaluate(data.judgments, data.rankings, METRICS)) == digits(EXPECTED)
    result = here("eval", str(path), "-m", "nDCG@10,AP,RR", "-q", "-t", "json")
    assert result.code == 0, result.err
    assert json.loads(result.out) == json.loads(rg.evaluate(data.judgments, data.rankings, METRICS).to_json())


def test_every_verb_takes_data():
    data = rg.read(rows("query", "gold", "retrieved"))
    both = {"a": data.rankings["list"], "b": LISTS}

    assert rg.explain(data, "RR", "q1").value == rg.explain(data, metric="RR", query="q1").value == 0.5
    assert rg.check(data, "RR < 0.9").checks[0].failed
    assert rg.check(data.judgments, LISTS, "RR drops 0.1", baseline=data).passed
    assert rg.compare(data.judgments, both, "RR").systems == ("a", "b")
    assert rg.report(data, ["RR"]).contents.scores.mean("RR") == EXPECTED.mean("RR")
    assert rg.reconcile(data, "RR").metric == rg.RR
    assert rg.diff(data, LISTS).queries[0].overlap == 1
    assert rg.attribute(data.judgments, data, LISTS, "RR").queries[0].contribution == 0
    assert rg.unjudged_bounds(data, "RR")["list"].none == EXPECTED.mean("RR")


def test_data_say_what_they_were_taken_for(tmp_path):
    path = write(tmp_path, "answers", *BOTH["ragas texts"])
    data = rg.read(path)

    assert (data.format, data.shape) == ("jsonl", "ragas")
    assert data.reason == "recognised by user_input, reference_contexts, retrieved_contexts"
    assert data.judgments.frame().rows()[0] == ("q1", "a", 1.0)
    assert [*data.rankings] == ["answers"]
    files = json.loads(here("doctor", str(path), "-t", "json").out)["files"]
    assert [(file["role"], file["shape"]) for file in files] == [("judgments", "ragas"), ("ranking", "ragas")]


def test_the_position_decides_what_a_list_is(tmp_path):
    gold = write(tmp_path, "gold", "json", {query: [*items] for query, items in GOLD.items()})
    ranked = write(tmp_path, "ranked", "json", LISTS)

    assert digits(rg.evaluate(gold, ranked, METRICS)) == digits(EXPECTED)
    assert rg.read(gold, role="judgments").rankings == {}
    with pytest.raises(rg.InputError, match=r"could be judgments .* or a ranking .*\[RG114\]"):
        rg.read(gold)
    assert "--role" in here("doctor", str(gold)).err


def test_a_file_with_one_side_needs_another():
    data = rg.read([{"query": "q", "retrieved_ids": ["a"]}])

    with pytest.raises(rg.InputError, match="has no judgments"):
        rg.evaluate(data, metrics="RR")
    with pytest.raises(rg.InputError, match=r"holds a ranking, not judgments \(recognised as lists by"):
        rg.evaluate([{"query": "q", "retrieved_ids": ["a"]}], {"q": ["a"]}, "RR")


def test_two_shapes_at_once_are_refused():
    row = {"user_input": "q", "retrieved_contexts": ["a"], "query": "q", "retrieved_ids": ["a"], "predictions": ["b"]}

    assert rg.read([row]).shape == "ragas"  # the tool is more specific than any list
    row.pop("user_input")
    with pytest.raises(rg.InputError, match="'retrieved_ids' and 'predictions' could each be"):
        rg.read([row])


MALFORMED = {
    "missing field": (1, '{"query": "q2", "retrieved": ["a"]}', ":2: field 'gold' is missing"),
    "wrong type": (1, '{"query": "q2", "gold": 5, "retrieved": []}', ":2: gold: expected a list of items, found 5"),
    "not an id": (1, '{"query": "q2", "gold": [true], "retrieved": []}', r":2: gold\[0\]: True is not an id"),
    "no id": (
        1,
        '{"query": "q2", "gold": [{"x": 1}], "retrieved": []}',
        r":2: gold\[0\]: no id or text among the fields 'x'",
    ),
    "truncated": (1, '{"query": "q2", "gold": ["a"', ":2: not JSON"),
    "no query": (1, '{"query": null, "gold": ["a"], "retrieved": []}', ":2: the query id is empty"),
    "not an object": (1, "[1]", ":2: not a JSON object"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_records_are_explained(name, tmp_path):
    _, line, message = MALFORMED[name]
    path = tmp_path / "answers.jsonl"
    path.write_text('{"query": "q1", "gold": ["a"], "retrieved": ["a"]}\n' + line + "\n")

    with pytest.raises(rg.InputError, match=f"answers.jsonl{message}") as error:
        rg.evaluate(path, metrics="RR")
    assert "remedy: " in str(error.value)
    assert rg.evaluate(path, metrics="RR", lenient=True).per_query("RR")["q1"] == 1


def test_a_query_with_two_lists_is_refused():
    """RG306: two lists of one query cannot both be its ranking."""
    records = [{"query": "q", "retrieved": ["a"]}, {"query": "q", "retrieved": ["b"]}]

    with pytest.raises(rg.InputError, match=r"record 2: the query has a list at record 1 already .*\[RG306\]"):
        rg.evaluate({"q": {"a": 1}}, records, "RR")


def test_groups_of_relevant_items_are_read_as_their_members():
    """RG115: AutoRAG writes lists inside a list; one item of each may be enough."""
    scores = rg.evaluate([{"qid": "q", "retrieval_gt": [["a", "b"], ["c"]]}], {"q": ["b", "c"]}, "R")

    assert scores.mean("R") == 2 / 3
    assert "RG115" in {finding.code for finding in scores.findings}


def test_lists_in_text_cells():
    assert split_cell("0706016001 0706016002") == ["0706016001", "0706016002"]
    assert split_cell("a,b , c") == ["a", "b", "c"]
    assert split_cell('["a b", "c"]') == ["a b", "c"]
    assert split_cell("['a b', 'c']") == ["a b", "c"]
    assert split_cell("['a' 'b']") == ["a", "b"]
    assert hits_of([["a", 0.5], ["b", 1]], "hits", "score") == [("a", 0.5), ("b", 1)]


@pytest.mark.parametrize("form", ["csv", "parquet", "polars", "pandas", "arrow"])
def test_tables_with_lists(form, tmp_path):
    gold = [{"customer_id": query, "actual": " ".join(items)} for query, items in GOLD.items()]
    ranked = [{"customer_id": query, "prediction": items} for query, items in LISTS.items()]
    if form == "csv":
        ranked = [row | {"prediction": " ".join(row["prediction"])} for row in ranked]
        sides = [write(tmp_path, "gold", "csv", gold), write(tmp_path, "ranked", "csv", ranked)]
    elif form == "parquet":
        sides = [write(tmp_path, "gold", "parquet", gold), write(tmp_path, "ranked", "parquet", ranked)]
    else:
        convert = {"polars": lambda x: x, "pandas": pl.DataFrame.to_pandas, "arrow": pl.DataFrame.to_arrow}[form]
        sides = [convert(pl.DataFrame(gold)), convert(pl.DataFrame(ranked))]

    assert digits(rg.evaluate(*sides, METRICS)) == digits(EXPECTED)


def test_named_columns_may_hold_lists():
    frame = pl.DataFrame({"who": [1, 2], "what": [["a", "b"], ["c"]]})
    columns = {"ranking": {"query": "who", "item": "what"}}

    assert rg.evaluate({1: {"b"}, 2: {"c"}}, frame, "RR", columns=columns).per_query("RR") == {1: 0.5, 2: 1.0}


def test_a_stream_with_both_sides_is_read_once():
    text = "".join(json.dumps(row) + "\n" for row in BOTH["lists"][1]).encode()

    assert digits(rg.evaluate(rg.read(io.BytesIO(text)), metrics=METRICS)) == digits(EXPECTED)


def test_a_large_object_is_read_member_by_member(tmp_path, monkeypatch):
    monkeypatch.setattr("rankgauge.inputs.formats.json.GATHERED", 10)
    path = tmp_path / "run.json"
    path.write_text(
        json.dumps({query: {item: -rank + 0.5 for rank, item in enumerate(items)} for query, items in LISTS.items()})
    )

    assert digits(rg.evaluate(GOLD, path, METRICS)) == digits(EXPECTED)


def test_a_value_longer_than_the_limit_is_refused(tmp_path, monkeypatch):
    """One line of 1 GB must not exhaust the memory."""
    monkeypatch.setattr("rankgauge.inputs.formats.json_values.LONGEST_LINE", 1 << 18)
    monkeypatch.setattr("rankgauge.inputs.io.lines.LONGEST_LINE", 1 << 18)
    text = '{"query": "q", "retrieved": ["' + "x" * (1 << 23) + '"]}'
    for name in ("run.json", "run.jsonl"):
        (tmp_path / name).write_text(text)
        with pytest.raises(rg.InputError, match="longer than"):
            rg.evaluate(GOLD, tmp_path / name, "RR")
