"""Budgets instead of k: lists cut where so many characters are used up, and what becomes of the item that crosses."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from optional import needs
from span_reference import random_world
from test_spans import CHUNKS, GOLD


def cut_by_hand(chunks, chars, end):
    """Cut the chunks of each query where the budget ends, one after another."""
    left, kept = {}, []
    for row in chunks:
        rest = left.setdefault(row["query"], chars)
        length = row["end"] - row["start"]
        if rest > 0 and (rest >= length or end != "left-out"):
            cut = {**row, "end": row["start"] + rest} if rest < length and end == "cut" else row
            kept += [cut] * (cut not in kept)
        left[row["query"]] = rest - length
    return kept


@pytest.mark.parametrize("end", ["cut", "left-out", "kept"])
@pytest.mark.parametrize("match", ["overlaps", "contains", "covers>=0.5 joint"])
def test_a_budget_cuts_the_list_and_the_chunk_that_crosses_it(match, end):
    random = np.random.default_rng(3)
    names = ("query", "document", "start", "end")
    for _ in range(30):
        gold, chunks = random_world(random)
        rows = [dict(zip(names, key, strict=True), grade=grade) for key, grade in gold.items()]
        returned = [dict(zip(names, key, strict=True)) for key in chunks]
        if not {key[0] for key in gold} & {key[0] for key in chunks}:
            continue
        chars, rule = int(random.integers(1, 30)), rg.Convention(match=match, budget_end=end)
        metrics, left = ["R", "nDCG", "P"], cut_by_hand(returned, chars, end)
        scores = rg.evaluate(rows, returned, [f"{metric}@{chars}chars" for metric in metrics], convention=rule)
        is_empty = not {row["query"] for row in left} & {*scores.queries}
        by_hand = None if is_empty else rg.evaluate(rows, left, metrics, convention=rule)
        for metric, cut in zip(metrics, scores.metrics, strict=True):
            expected = dict.fromkeys(scores.queries, 0.0) if by_hand is None else by_hand.per_query(metric)
            assert scores.per_query(cut) == expected, (chars, gold, chunks)


@pytest.mark.parametrize("by", ["spans", "lengths"])
def test_a_list_of_which_a_budget_leaves_nothing_is_empty_and_not_missing(by):
    gold = [{"query": query, "document": "d", "start": 0, "end": 5} for query in ("q", "r", "s")]
    chunks = [
        {"query": "q", "document": "d", "start": 0, "end": 40},
        {"query": "r", "document": "d", "start": 0, "end": 9},
    ]
    if by == "lengths":
        gold = {query: {"a": 1} for query in ("q", "r", "s")}
        chunks = [{"query": row["query"], "item": "a", "score": 1, "chars": row["end"]} for row in chunks]
    metrics = ["R@20chars", "AP@20chars", "R@5chars"] + ["SpanRecall@20chars", "SpannDCG@5chars"] * (by == "spans")
    rules = rg.Convention(budget_end="left-out", missing="skip")
    scores = rg.evaluate(gold, chunks, metrics, convention=rules)
    expected = [{"q": 0.0, "r": float("@20" in metric)} for metric in metrics]
    assert [scores.per_query(metric) for metric in metrics] == expected
    for metric in metrics:
        assert rg.explain(gold, chunks, metric, "q", convention=rules).value == 0.0
    assert metrics[-1] in rg.report(gold, {"chunks": chunks}, metrics, convention=rules).to_html()


def test_jointly_found_gold_has_the_same_recall_for_the_same_text_in_small_and_large_chunks():
    random = np.random.default_rng(4)
    starts = sorted(random.choice(7600, 40, replace=False).tolist())
    gold = [
        {"query": f"q{s % 5}", "document": "d", "start": s, "end": s + int(random.integers(1, 400))} for s in starts
    ]
    systems = {
        str(size): [
            {"query": f"q{q}", "document": "d", "start": s, "end": s + size}
            for q in range(5)
            for s in range(0, 8000, size)
        ]
        for size in (200, 800)
    }
    metrics = [f"R@{chars}chars" for chars in (1, 777, 800, 3210, 4000, 8000)]
    scores = rg.evaluate(gold, systems, metrics)
    for metric in metrics:
        assert scores.per_query(metric, "200") == scores.per_query(metric, "800")
    assert len({scores.mean(metric, "200") for metric in metrics}) > 3


def test_budgets_are_written_and_parsed_as_metrics_and_refused_where_items_have_no_length():
    metric = rg.parse("nDCG(gain='exp2')@4000chars")
    assert str(metric) == "nDCG(gain='exp2')@4000chars"
    assert rg.R @ "50chars" == rg.parse("R@50chars") != rg.R @ 50
    assert (metric.k, metric.budget) == (None, (4000, "chars"))
    for call in (
        lambda: rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "R@50chars"),
        lambda: (rg.R @ "50chars").of([1, 0]),
        lambda: rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "Entropy@50chars"),
    ):
        with pytest.raises(rg.ParameterError, match=r"number of characters|budgets are for"):
            call()
    with pytest.raises(rg.ParameterError, match="give a column tokens in the ranking, or in Python pass tokens="):
        rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "R@50tokens")
    for wrong in ("0chars", "4000words", "-5chars", "1.5chars", "1e3tokens", "chars"):
        with pytest.raises(rg.NotationError, match=f"@1000tokens, found '{wrong}'"):
            rg.parse(f"R@{wrong}")


def test_two_chunkers_are_compared_by_budget_on_the_command_line(tmp_path):
    for name, rows in {"gold": GOLD, "small": CHUNKS, "large": CHUNKS[1:]}.items():
        pl.DataFrame(rows).write_ndjson(tmp_path / f"{name}.jsonl")
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("gold", "small", "large")]
    result = here("compare", *paths, "-m", "R@60chars")
    assert result.code == 0, result.err
    assert "R@60chars" in result.out
    assert "match=covers>=0.5 joint" in " ".join(result.out.split())


@pytest.mark.parametrize("metric", ["R@2", "R@100chars"])
def test_duckdb_refuses_spans_and_budgets(metric):
    duckdb = needs("duckdb")
    con = duckdb.connect()
    con.execute("CREATE TABLE judgments AS FROM (VALUES ('q', 'd[0:10]', 1)) t(query, item, grade)")
    con.execute("CREATE TABLE ranking AS FROM (VALUES ('q', 'd[0:12]', 0.9)) t(query, item, score)")

    with pytest.raises(rg.ParameterError, match=r"places in documents|number of characters"):
        rg.duckdb.evaluate(con, "judgments", "ranking", metric)


def test_a_report_draws_a_metric_with_a_budget_over_the_budget():
    """At equal k, the chunker with more text in a chunk was ahead in the picture of R@100chars."""
    systems = {"chunks": CHUNKS, "others": CHUNKS[1:]}
    for lang in ("en", "zh"):
        report = rg.report(GOLD, systems, ["R@80chars", "P@2"], lang=lang)
        picture = report.picture("curve", "R@80chars")
        assert picture.columns == ("system", "chars", "mean", "low", "high")
        assert [row[1] for row in picture.rows if row[0] == "chunks"] == [*range(10, 90, 10)]
        means = {(name, chars): mean for name, chars, mean, *_ in picture.rows}
        for (name, chars), mean in means.items():
            assert mean == rg.evaluate(GOLD, systems[name], f"R@{chars}chars").mean()
        assert report.picture("curve", "P@2").columns[1] == "k"
        assert "80chars" in str(picture.caption)
