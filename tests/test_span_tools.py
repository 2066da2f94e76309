"""Chunks of other tools as spans, counters of tokens, and budgets in every command."""

from __future__ import annotations

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
