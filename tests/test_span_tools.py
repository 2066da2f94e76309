"""Chunks of other tools as spans, counters of tokens, and budgets in every command."""

from __future__ import annotations

import io
import json

import polars as pl
import pytest

import rankgauge as rg
from command_line import here

GOLD = [
    {"query": "q", "document": "d", "start": 10, "end": 30, "grade": 2},
    {"query": "q", "document": "d", "start": 50, "end": 60, "grade": 1},
    {"query": "q", "document": "e", "start": 0, "end": 8, "grade": 1},
]
CHUNKS = [
    {"query": "q", "document": "d", "start": 0, "end": 20},
    {"query": "q", "document": "d", "start": 20, "end": 70},
    {"query": "q", "document": "x", "start": 0, "end": 8},
    {"query": "q", "document": "e", "start": 0, "end": 8},
]


TEXT = "x" * 100
METADATA = {"source": "d", "start_index": 0}
DOTTED = "retrieval.documents.0.document."
OTLP = [
    {"key": "input.value", "value": {"stringValue": "q"}},
    {"key": "openinference.span.kind", "value": {"stringValue": "RETRIEVER"}},
    {"key": f"{DOTTED}content", "value": {"stringValue": TEXT}},
    {"key": f"{DOTTED}metadata", "value": {"stringValue": json.dumps(METADATA)}},
    {"key": f"{DOTTED}score", "value": {"doubleValue": 0.5}},
]
TOOLS = {
    "LangChain": {"q": [{"page_content": TEXT, "metadata": METADATA}]},
    "LlamaIndex": {"q": [{"node": {"text": TEXT, "start_char_idx": 0, "end_char_idx": 100, "metadata": {"file_name": "d"}}}]},
    "LlamaIndex without a name": {"q": [{"node": {"text": TEXT, "start_char_idx": 0, "end_char_idx": 100,
                                                  "relationships": {"1": {"node_id": "d"}}}, "score": 0.5}]},
    "Haystack": {"q": [{"content": TEXT, "meta": {"source_id": "d", "split_idx_start": 0}, "score": 0.5}]},
    "Docling": {"q": [{"text": TEXT, "meta": {"doc_items": [{"self_ref": "#/texts/3", "prov": [{"charspan": [0, 100]}]}],
                                              "origin": {"filename": "d"}}}]},
    "OpenInference": [{"trace_id": "t", "attributes": {"input.value": "q", "openinference.span.kind": "RETRIEVER",
                       f"{DOTTED}content": TEXT, f"{DOTTED}metadata": json.dumps(METADATA)}}],
    "OpenInference, nested": [{"trace_id": "t", "attributes": {"input": {"value": "q"}, "retrieval": {"documents": [
                               {"document": {"content": TEXT, "metadata": METADATA}}]}}}],
    "OpenInference, OTLP": [{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "t", "attributes": OTLP}]}]}]}],
}  # fmt: skip


@pytest.mark.parametrize("tool", [*TOOLS])
def test_chunks_of_other_tools_are_spans_in_memory_and_in_files(tool, tmp_path):
    document = "d#/texts/3" if tool == "Docling" else "d"
    gold = [{"query": "q", "document": document, "start": start, "end": start + 50} for start in (0, 80, 200)]
    path = tmp_path / "chunks.jsonl"
    hits = TOOLS[tool]
    rows = hits if isinstance(hits, list) else [{"query": "q", "results": hits["q"]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    rule = rg.Convention(match="overlaps")
    for source in (hits, str(path)):
        is_trace = tool.startswith("OpenInference") and source is not hits  # such a file may hold several systems
        metrics = ["R", "R@60chars", "SpanRecall"]
        values = rg.evaluate(gold, source, metrics, convention=rule, spans=is_trace).means()
        assert values == {"R": 2 / 3, "R@60chars": 1 / 3, "SpanRecall": 70 / 150}


def test_tokens_are_a_column_a_mapping_or_a_function_and_invalid_ones_are_reported():
    judged, ids = {"q": {"b": 1}}, [{"query": "q", "item": item, "score": -place} for place, item in enumerate("abc")]
    sizes = {"a": 300, "b": 100, "c": 5}
    column = [{**row, "n_tokens": sizes[row["item"]]} for row in ids]
    metrics, expected = ["R@399tokens", "R@400tokens"], {"R@399tokens": 0.0, "R@400tokens": 1.0}
    for ranking, options in (
        (column, {}),
        (pl.DataFrame(column), {}),
        (ids, {"tokens": sizes}),
        (ids, {"tokens": lambda text: sizes.get(text, 1000)}),
    ):
        assert rg.evaluate(judged, ranking, metrics, **options).means() == expected
    for wrong in ({"a": 300}, {**sizes, "a": -1}, lambda text: 1.5):
        with pytest.raises(rg.InputError, match="RG221"):
            rg.evaluate(judged, ids, metrics, tokens=wrong)


def test_commands_take_a_budget(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    queries = [f"q{number}" for number in range(8)]
    for name, rows in {"gold": GOLD, "small": CHUNKS, "large": CHUNKS[1:]}.items():
        pl.DataFrame([row | {"query": query} for query in queries for row in rows]).write_ndjson(f"{name}.jsonl")
    for system in ("small", "large"):
        path = tmp_path / "results" / system / "handbook.json"
        path.parent.mkdir(parents=True)
        path.write_text(rg.evaluate("gold.jsonl", f"{system}.jsonl", "R@60chars").to_json())
    data, metric = ("gold.jsonl", "small.jsonl", "large.jsonl"), ("-m", "R@60chars")
    for command in (
        ("check", *data[:2], "--baseline", data[2], "--fail-if", "R@60chars < 0.1"),
        ("compare", *data, *metric),
        ("curve", *data, "-m", "R", "-k", "20:60:20chars"),
        ("explain", *data[:2], *metric, "--query", "q0"),
        ("tune", *data, *metric),
        ("history", "log", *data[:2], *metric, "--store", "store.jsonl"),
        ("history", "list", "--store", "store.jsonl"),
        ("leaderboard", "results", *metric),
    ):
        result = here(*command)
        assert result.code in {0, 1}, (command, result.err)
        expected = "small" if command[0] == "leaderboard" else "chars"  # it does not name its metric
        assert expected in result.out + result.err, (command, result.out)


TEXTS = {
    "handbook": "Refunds take 🙂 five days. Returns are free. Shipping costs 4 euros.\r\nReturns are free.",
    "faq": "Call us.",
}
FLAT_GOLD = [
    {"query": "q1", "document": "handbook", "start": 0, "end": 25},
    {"query": "q1", "document": "handbook", "start": 44, "end": 67},
    {"query": "q2", "document": "faq", "start": 0, "end": 8},
]
FLAT = [
    {"query": "q1", "document": "handbook", "text": "Returns are free.", "rank": 1},
    {"query": "q1", "document": "handbook", "text": "Refunds take 🙂 five days.", "rank": 2},
    {"query": "q2", "document": "faq", "text": "Call us.", "rank": 1},
]
FLAT_VALUES = {"R@2": 0.75, "RR": 0.75, "R@26chars": 0.5}  # after 17 characters, 9 are left for the first span
"""Half of q1's spans at rank 2 and all of q2's at rank 1."""


def in_form(rows, form, folder):
    """Return rows as records, as a frame, or as a file of a format."""
    frame, path = pl.DataFrame(rows), folder / f"rows.{form}"
    writers = {
        "csv": lambda: frame.write_csv(path),
        "tsv": lambda: frame.write_csv(path, separator="\t"),
        "jsonl": lambda: frame.write_ndjson(path),
        "json": lambda: path.write_text(json.dumps(rows)),
        "parquet": lambda: frame.write_parquet(path),
        "arrow": lambda: frame.write_ipc(path),
    }
    objects = {"records": rows, "iterator": iter(rows), "polars": frame, "arrow table": frame.to_arrow()}
    if form == "stream":
        return io.BytesIO(frame.write_csv().encode())
    if form in objects:
        return objects[form]
    writers[form]()
    return path


FLAT_FORMS = [
    "records",
    "iterator",
    "polars",
    "arrow table",
    "csv",
    "tsv",
    "jsonl",
    "json",
    "parquet",
    "arrow",
    "stream",
]


@pytest.mark.parametrize("form", FLAT_FORMS)
def test_rows_of_texts_are_found_in_their_documents(form, tmp_path):
    with pytest.warns(
        rg.DataWarning, match=r"row 1: 'Returns are free\.' occurs more than once, first at handbook\[26:43\]"
    ):
        scores = rg.evaluate(FLAT_GOLD, in_form(FLAT, form, tmp_path), [*FLAT_VALUES], documents=TEXTS)
    assert scores.means() == FLAT_VALUES
    assert [(each.code, each.count) for each in scores.findings if each.severity == "warning"] == [("RG223", 1)]


@pytest.mark.parametrize("form", ["records", "polars", "csv", "jsonl"])
def test_gold_of_texts_and_rows_without_a_document_or_a_rank(form, tmp_path):
    words = [row["text"] for row in FLAT[1:]] + ["Shipping costs 4 euros."]
    gold = [{"query": query, "text": text} for query, text in zip(["q1", "q2", "q1"], words, strict=True)]
    shipping = FLAT_GOLD[1]["start"]
    assert TEXTS["handbook"][shipping:].startswith(words[2])
    gold_file = in_form(gold, form, tmp_path)
    (tmp_path / "ranking").mkdir()
    ranking = in_form([{"query": row["query"], "text": row["text"]} for row in FLAT], form, tmp_path / "ranking")
    with pytest.warns(rg.DataWarning, match="RG223"):
        scores = rg.evaluate(gold_file, ranking, [*FLAT_VALUES], documents=TEXTS, spans=True)
    assert scores.means() == FLAT_VALUES
    assert rg.explain(gold_file, ranking, "R", "q2", documents=TEXTS, spans=True).value == 1


def test_columns_of_texts_can_be_named_and_lengths_stay(tmp_path):
    rows = [
        {"sid": row["query"], "document": row["document"], "text": row["text"], "place": row["rank"], "size": 300}
        for row in FLAT
    ]
    columns = {"ranking": {"query": "sid", "rank": "place"}, "tokens": "size"}
    for ranking in (rows, pl.DataFrame(rows), in_form(rows, "csv", tmp_path)):
        with pytest.warns(rg.DataWarning, match="RG223"):
            scores = rg.evaluate(FLAT_GOLD, ranking, ["R@599tokens", "R@600tokens"], documents=TEXTS, columns=columns)
        assert scores.means() == {"R@599tokens": 0.5, "R@600tokens": 0.75}


def test_texts_that_are_not_found_are_errors_and_left_out_leniently(tmp_path):
    rows = [*FLAT[1:], {"query": "q2", "document": "faq", "text": "Mail us.", "rank": 2}]
    for form in ("records", "polars", "csv"):
        with pytest.raises(rg.InputError, match=r"row 3: document 'faq' does not contain 'Mail us\.' \[RG224\]"):
            rg.evaluate(FLAT_GOLD, in_form(rows, form, tmp_path), "R", documents=TEXTS)
        scores = rg.evaluate(FLAT_GOLD, in_form(rows, form, tmp_path), "R", documents=TEXTS, lenient=True)
        assert scores.means() == {"R": 0.75}
        assert ("RG224", 1) in [(each.code, each.count) for each in scores.findings]
    with pytest.raises(rg.InputError, match=r"no document contains 'Mail us\.' \[RG224\]"):
        rg.evaluate(FLAT_GOLD, [{"query": "q2", "text": "Mail us."}], "R", documents=TEXTS)
    with pytest.raises(rg.InputError, match=r"document 'other' has no text \[RG220\]"):
        rg.evaluate(FLAT_GOLD, [{"query": "q2", "document": "other", "text": "Mail us."}], "R", documents=TEXTS)


def test_rows_that_have_offsets_or_ids_of_spans_or_units_are_not_searched():
    spans = [{"query": "q2", "item": "faq[0:8]", "text": "not there", "score": 1}]
    offsets = [{"query": "q2", "document": "faq", "start": 0, "end": 8, "text": "not it."}]
    gold = FLAT_GOLD[2:]
    for ranking in (spans, offsets):
        assert rg.evaluate(gold, ranking, "R", documents=TEXTS).means() == {"R": 1}
    chunks = [{"query": "q2", "docid": "c7", "text": "not there", "score": 1}]
    rules = rg.Convention(units="rolled-up")
    assert rg.evaluate(gold, chunks, "R", documents=TEXTS, units={"c7": "faq[0:8]"}, convention=rules).means() == {
        "R": 1
    }


def test_chunks_of_tools_are_spans_in_every_verb(tmp_path):
    gold = [{"query": query, "document": "d", "start": 0, "end": 50} for query in ("q1", "q2")]
    first = {query: [{"page_content": TEXT, "metadata": METADATA}] for query in ("q1", "q2")}
    second = {query: [{"page_content": "x", "metadata": METADATA | {"start_index": 70}}] for query in ("q1", "q2")}
    (bounds,) = rg.unjudged_bounds(gold, {"first": first}, "R").to_dict()["systems"]
    assert bounds["system"] == "first"
    assert rg.attribute(gold, first, second, "R").difference == -1
    paths = [tmp_path / name for name in ("gold.jsonl", "chunks.jsonl")]
    pl.DataFrame(gold).write_ndjson(paths[0])
    paths[1].write_text("".join(json.dumps({"query": query, "results": hits}) + "\n" for query, hits in first.items()))
    assert "[0:50], 50/50" in here("explain", *paths, "-m", "R", "--query", "q1").out
