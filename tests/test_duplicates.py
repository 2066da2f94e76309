"""Repeated items in one list: the rule duplicates, against slow references and by every input form."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from registries import RULES as ALL_RULES
from registries import takes_ties
from worlds import graded_metrics, plain_metrics

RULES = ("first", "close-up", "again", "set")
TABLE_OF_TOOLS = {
    "AP(over='hits')": {"again": 1.0},
    "AP": {"again": 1.0, "first": 0.555556, "close-up": 0.666667},
    "nDCG": {"again": 1.0, "first": 0.703918, "close-up": 0.765361},
    "R": {"again": 1.0, "set": 0.666667},
    "P(over='returned')": {"again": 0.75, "set": 0.666667, "first": 0.5},
}
"""Returned A, A, B, C with A, B and D relevant, as the tools with that rule print it."""
Row = tuple[str, float]
Rows = dict[str, list[Row]]
World = tuple[dict[str, dict[str, float]], Rows]


@cache
def world(seed: int) -> World:
    """Judgments and rows of a few queries, in which items repeat with equal and with other scores."""
    chance = random.Random(seed)
    items = [f"i{2 * number:02}" for number in range(8)]
    judgments, rows = {}, {}
    for query in ("p", "q", "r"):
        judgments[query] = {item: chance.choice((-1, 0, 1, 2)) for item in chance.sample(items, 5)}
        returned = chance.choices(items, k=chance.randint(1, 9))
        rows[query] = [(item, chance.choice((3.0, 2.5, 2.0, 1.0, -1.0, 0.0))) for item in returned]
    return judgments, rows


WORLDS = range(8)


def in_order(rows: list[Row], ties: str) -> list[Row]:
    """Rows best first; copies with equal scores in input order."""
    match ties:
        case "id":
            by_tie = sorted(rows, key=lambda row: row[0], reverse=True)
            by_tie = [row for item in dict.fromkeys(row[0] for row in by_tie) for row in rows if row[0] == item]
        case "id-ascending":
            by_tie = sorted(rows, key=lambda row: row[0])
        case "input-reversed":
            by_tie = rows[::-1]
        case _:
            by_tie = rows
    return sorted(by_tie, key=lambda row: -row[1])


def without_copies(rows: list[Row], ties: str) -> list[Row]:
    seen: dict[str, Row] = {}
    for row in in_order(rows, ties):
        seen.setdefault(row[0], row)
    return [*seen.values()]


def with_other_names(rows: list[Row], ties: str) -> list[Row]:
    """The same places, each copy under the name of an item that nobody knows."""
    seen: set[str] = set()
    renamed = []
    for place, (item, score) in enumerate(in_order(rows, ties)):
        renamed.append((f"copy {place}" if item in seen else item, score))
        seen.add(item)
    return renamed


def evaluated(judgments: Any, ranking: Any, metrics: Any, **rules: Any) -> dict[rg.Metric, dict[Any, float]]:
    scores = rg.evaluate(judgments, ranking, metrics, convention=rg.Convention(**rules))
    return {metric: scores.per_query(metric) for metric in scores.metrics}


def tuples(rows: Rows) -> list[tuple[str, str, float]]:
    return [(query, item, score) for query, listed in rows.items() for item, score in listed]


def assert_same(found: Any, expected: Any) -> None:
    for metric, values in expected.items():
        assert found[metric] == pytest.approx(values, abs=1e-12, nan_ok=True), metric


EVERY = [
    cut
    for metric in plain_metrics().values()
    for cut in ([metric, metric @ 2, metric @ 4] if "k" in metric.definition.parameters else [metric])
]


@pytest.mark.parametrize("ties", ["id", "id-ascending", "input", "input-reversed"])
@pytest.mark.parametrize("unjudged", ["nonrelevant", "removed", 1])
def test_closing_up_equals_the_list_without_the_copies(ties, unjudged):
    for seed in WORLDS:
        judgments, rows = world(seed)
        once = {query: without_copies(listed, ties) for query, listed in rows.items()}
        rules = {"ties": ties, "unjudged": unjudged}
        assert_same(
            evaluated(judgments, tuples(rows), EVERY, **rules, duplicates="close-up"),
            evaluated(judgments, tuples(once), EVERY, ties="input", unjudged=unjudged),
        )


@pytest.mark.parametrize("ties", ["mean", "best", "worst", "together", "mean-rank"])
def test_closing_up_comes_before_ties_that_grades_decide(ties):
    metrics = [metric for metric in EVERY if ties != "mean" or metric.definition.ties_mean is True]
    metrics = [metric for metric in metrics if takes_ties(metric, rg.Convention(ties=ties))]
    for seed in WORLDS:
        judgments, rows = world(seed)
        once = {query: without_copies(listed, "input") for query, listed in rows.items()}
        assert_same(
            evaluated(judgments, tuples(rows), metrics, ties=ties, duplicates="close-up"),
            evaluated(judgments, tuples(once), metrics, ties=ties),
        )


@pytest.mark.parametrize("ties", ["id", "id-ascending", "input", "input-reversed"])
def test_the_first_rank_counts_and_later_copies_are_unjudged(ties):
    for seed in WORLDS:
        judgments, rows = world(seed)
        places = {query: with_other_names(listed, ties) for query, listed in rows.items()}
        assert_same(
            evaluated(judgments, tuples(rows), EVERY, ties=ties, duplicates="first"),
            evaluated(judgments, tuples(places), EVERY, ties="input"),
        )


def test_the_grade_of_unjudged_items_is_not_that_of_copies():
    for seed in WORLDS:
        judgments, rows = world(seed)
        places = {query: with_other_names(listed, "id") for query, listed in rows.items()}
        known = {query: {item: 1.0 for item, _ in rows[query]} | grades for query, grades in judgments.items()}
        metrics = ["P@3", "AP", "nDCG@3", "R@2", "RR", "HR@1"]
        assert_same(
            evaluated(judgments, tuples(rows), metrics, unjudged=1, negative="zero", duplicates="first"),
            evaluated(known, tuples(places), metrics, ties="input", negative="zero"),
        )


def test_copies_of_judged_items_keep_their_ranks_when_unjudged_items_are_removed():
    judgments = {"q": {"a": 1, "b": 0, "c": 1}}
    ranking = {"q": ["x", "a", "x", "b", "a", "y", "c", "c"]}  # a, b, a again, c, c again
    scores = rg.evaluate(
        judgments,
        ranking,
        ["RR", "P@4", "NumRet", "AP"],
        convention=rg.Convention(unjudged="removed", duplicates="first"),
    )
    assert [scores.mean(metric) for metric in scores.metrics] == [1, 2 / 4, 5, (1 + 2 / 4) / 2]


def slow(judgments: dict[str, float], listed: list[Row], k: int, rule: str) -> dict[str, float]:
    """Some metrics of one list under ``again`` and ``set``, by their formulas."""
    order = [item for item, _ in in_order(listed, "id")]
    relevant = {item for item, grade in judgments.items() if grade >= 1}
    top, R = order[:k], len(relevant)
    counts = [item in relevant and (rule == "again" or item not in order[:place]) for place, item in enumerate(order)]
    n = len(order) if rule == "again" else len(set(order))
    shown = len(top) if rule == "again" else len(set(top))
    hits = sum(counts[:k])
    gains = [
        max(judgments.get(item, 0), 0) * (count or judgments.get(item, 0) < 1)
        for item, count in zip(order, counts, strict=True)
    ]
    dcg = sum(gain / math.log2(place + 2) for place, gain in enumerate(gains[:k]))
    best = sorted((grade for grade in judgments.values() if grade > 0), reverse=True)[:k]
    ideal = sum(grade / math.log2(place + 2) for place, grade in enumerate(best))
    precisions = sum(sum(counts[: place + 1]) / (place + 1) for place, hit in enumerate(counts) if hit)
    return {
        "P": hits / k,
        "P(over='min(k,n)')": hits / shown,
        "P(over='returned')": hits / n,
        "R": hits / R if R else 0,
        "NumRet": n,
        "NumRelRet": hits,
        "AP": precisions / R if R else 0,
        "AP(over='hits')": precisions / sum(counts) if any(counts) else 0,
        "nDCG": dcg / ideal if ideal else 0,
        "DCG": dcg,
        "RR": 1 / (counts.index(True) + 1) if any(counts) else 0,
    }


@pytest.mark.parametrize("rule", ["again", "set"])
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_copies_that_count_again_or_as_a_set_by_the_formulas(rule, k):
    for seed in WORLDS:
        judgments, rows = world(seed)
        expected = {query: slow(judgments[query], rows[query], k, rule) for query in rows}
        at_k = {"P", "P(over='min(k,n)')", "P(over='returned')", "R", "nDCG", "DCG", "NumRelRet"}
        names = {name: f"{name}@{k}" if name in at_k else name for name in expected["p"]}
        scores = rg.evaluate(judgments, tuples(rows), [*names.values()], convention=rg.Convention(duplicates=rule))
        for name, text in names.items():
            assert scores.per_query(text) == pytest.approx({query: values[name] for query, values in expected.items()})


def test_rule_set_differs_from_rule_first_only_by_the_number_of_returned_items():
    for seed in WORLDS:
        judgments, rows = world(seed)
        metrics = ["P@3", "R@3", "AP", "nDCG@3", "RR", "ERR", "RBP", "HR@2", "Q", "bpref", "infAP", "Rprec"]
        first, as_set = (evaluated(judgments, tuples(rows), metrics, duplicates=rule) for rule in ("first", "set"))
        assert first == as_set
        pairs = ["AUC", "Fallout", "PAUC", "LAUC"]  # of items: copies are none
        closed = evaluated(judgments, tuples(rows), pairs, duplicates="close-up")
        assert_same(evaluated(judgments, tuples(rows), pairs, duplicates="set"), closed)


@pytest.mark.parametrize(("metric", "values"), TABLE_OF_TOOLS.items())
def test_values_equal_those_of_tools(metric, values):
    for rule, value in values.items():
        found = rg.evaluate(
            {"q": ["A", "B", "D"]}, {"q": ["A", "A", "B", "C"]}, metric, convention=rg.Convention(duplicates=rule)
        )
        assert found.mean(metric) == pytest.approx(value, abs=1e-6)


def test_one_relevant_item_returned_twice_exceeds_1_when_copies_count_again():
    rules = rg.Convention(duplicates="again")
    scores = rg.evaluate({"q": ["a"]}, {"q": ["a", "a"]}, ["nDCG", "AP", "R", "HR"], convention=rules)
    assert [round(scores.mean(metric), 6) for metric in scores.metrics] == [1.63093, 2.0, 2.0, 1.0]
    (finding,) = [finding for finding in scores.findings if finding.code == "RG305"]
    assert finding.count == 1
    assert "values can exceed 1" in finding.examples[0]
    assert "repeated items=again" in rg.AP.line(rules)


def test_copies_with_other_scores_count_where_they_rank_first():
    frame = pl.DataFrame({"query": ["q"] * 4, "item": ["a", "b", "c", "a"], "score": [1.0, 3.0, 2.0, 4.0]})
    for rule, value in {"first": 1.0, "close-up": 1.0, "again": 1.0, "set": 1.0}.items():
        assert rg.evaluate({"q": ["a"]}, frame, "RR", convention=rg.Convention(duplicates=rule)).mean("RR") == value
    precise = pl.DataFrame({"query": ["q"] * 2, "item": ["a", "a"], "score": [1.00000001, 1.00000002]})
    for precision in ("float32", "float64"):
        rules = rg.Convention(duplicates="first", score_precision=precision, ties="input")
        assert rg.explain({"q": ["a"]}, precise, "RR", convention=rules).value == 1


# Every input form


def forms(rows: Rows, folder: Any) -> dict[str, Any]:
    listed = tuples(rows)
    frame = pl.DataFrame(listed, schema=["query", "item", "score"], orient="row")
    frame.write_csv(folder / "run.csv")
    frame.write_csv(folder / "run.tsv", separator="\t")
    frame.write_parquet(folder / "run.parquet")
    frame.write_ipc(folder / "run.arrow")
    lines = [{"query": query, "item": item, "score": score} for query, item, score in listed]
    (folder / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    trec = "".join(f"{query} Q0 {item} 0 {score} tag\n" for query, item, score in listed)
    (folder / "run.txt").write_text(trec)
    scattered = "".join(sorted(trec.splitlines(keepends=True), key=lambda line: line.split()[2]))
    (folder / "scattered.txt").write_text(scattered)
    files = {path.name: str(path) for path in folder.iterdir()}
    return files | {
        "rows": listed,
        "polars": frame,
        "pandas": pd.DataFrame(listed, columns=["query", "item", "score"]),
        "arrow": frame.to_arrow(),
    }


NAMES = ["AP", "nDCG@3", "P(over='min(k,n)')@3", "R@2", "NumRet", "Judged@4", "AUC", "ERR", "RBP"]
CONVENTIONS = [
    {"ties": "id"},
    {"ties": "random", "seed": 3},
    {"ties": "together"},
    {"unjudged": "removed"},
    {"unjudged": 2, "negative": "zero"},
    {"score_precision": "float32", "hit_if": "score>0"},
]


@pytest.mark.parametrize("rule", RULES)
def test_every_input_form_gives_the_same_digits(rule, tmp_path):
    for seed in range(2):
        judgments, rows = world(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        for rules in CONVENTIONS:
            found = {
                name: evaluated(judgments, ranking, NAMES, **rules, duplicates=rule)
                for name, ranking in forms(rows, folder).items()
            }
            for name, values in found.items():
                assert values == found["rows"], (name, rules)


@pytest.mark.parametrize("rule", RULES)
def test_lists_arrays_and_single_calls_give_the_same_digits(rule):
    judgments = {"q": {0: 2, 1: 0, 2: 1, 5: 1}}
    listed = [2, 0, 2, 7, 0, 1]
    rules = rg.Convention(duplicates=rule)
    expected = rg.evaluate(judgments, {"q": listed}, NAMES, convention=rules)
    scored = rg.evaluate(
        judgments, [("q", item, -float(place)) for place, item in enumerate(listed)], NAMES, convention=rules
    )
    array = rg.evaluate({0: judgments["q"]}, np.array([listed]), NAMES, convention=rules)
    grades = [judgments["q"].get(item) for item in listed]
    for metric in expected.metrics:
        single = metric.of(grades, items=listed, ideal=[*judgments["q"].values()], convention=rules)
        explained = rg.explain(judgments, {"q": listed}, metric, convention=rules).value
        values = [expected.mean(metric), scored.mean(metric), array.mean(metric), explained, single]
        assert len({*values}) == 1, (metric, values)


@pytest.mark.parametrize("rule", RULES)
def test_explanations_have_the_value_of_the_evaluation(rule):
    metrics = [metric for metric in EVERY if metric.k != 4 and (metric.name != "YAAP" or rule != "again")]
    for seed in range(2):
        judgments, rows = world(seed)
        for rules in ({"ties": "id"}, {"unjudged": "removed"}, {"unjudged": 1}, {"ties": "together"}):
            convention = rg.Convention(**rules, duplicates=rule)
            defined = [metric for metric in metrics if takes_ties(metric, convention)]
            scores = rg.evaluate(judgments, tuples(rows), defined, convention=convention)
            for metric in defined:
                explained = rg.explain(judgments, tuples(rows), metric, "q", convention=convention).value
                assert explained == pytest.approx(scores.per_query(metric)["q"], nan_ok=True, abs=1e-12), metric


def test_arrays_of_grades_have_no_copies():
    labels, points = np.array([[1, 0, 1]]), np.array([[0.5, 0.5, 0.1]])
    for rule in RULES:
        scores = rg.evaluate(labels, points, ["AP", "P@2"], convention=rg.Convention(duplicates=rule))
        assert scores.per_query("AP") == rg.evaluate(labels, points, "AP").per_query("AP")
        assert "RG305" not in {finding.code for finding in scores.findings}
        assert rg.AP.of([1, 1], convention=rg.Convention(duplicates=rule)) == 1


# Refusals


def test_log_odds_have_no_value_where_copies_add_up_to_more():
    with pytest.raises(rg.ParameterError, match="another value of duplicates"):
        rg.evaluate({"q": ["a"]}, {"q": ["a", "a"]}, "YAAP", convention=rg.Convention(duplicates="again"))


def test_repeated_items_are_refused_and_the_remedy_names_the_rule(tmp_path):
    _, rows = {"q": {"a": 1}}, {"q": [("a", 2.0), ("b", 1.0), ("a", 0.5)]}
    for name, ranking in ({"lists": {"q": ["a", "b", "a"]}} | forms(rows, tmp_path)).items():
        with pytest.raises(rg.InputError, match="RG301") as refused:
            rg.evaluate({"q": {"a": 1}}, ranking, "AP")
        for word in ("duplicates", "first", "close-up", "again", "set"):
            assert word in str(refused.value), name
        lenient = rg.evaluate({"q": {"a": 1}}, ranking, ["AP", "NumRet"], lenient=True)
        assert (lenient.mean("AP"), lenient.mean("NumRet")) == (1, 2)
    with pytest.raises(rg.InputError, match="rule duplicates"):
        rg.AP.of([1, 1], items=["a", "a"])
    with pytest.raises(rg.InputError, match="same grade"):
        rg.AP.of([1, 0], items=["a", "a"], convention=rg.Convention(duplicates="first"))


@pytest.mark.parametrize("rule", ["first", "set"])
@pytest.mark.parametrize("ties", ["mean", "best", "worst"])
def test_copies_with_equal_scores_have_no_first_when_grades_decide_ties(rule, ties):
    convention = rg.Convention(duplicates=rule, ties=ties)
    with pytest.raises(rg.ParameterError, match="no order"):
        rg.evaluate({"q": ["a"]}, [("q", "a", 1.0), ("q", "a", 1.0)], "P@1", convention=convention)
    apart = [("q", "a", 2.0), ("q", "a", 1.0), ("q", "b", 2.0)]
    value = rg.evaluate({"q": ["a"]}, apart, "P@1", convention=convention).mean("P@1")
    assert value == {"mean": 0.5, "best": 1, "worst": 0}[ties]


def test_no_mean_over_ties_where_copies_tie_and_k_counts_items():
    convention = rg.Convention(duplicates="set", ties="mean")
    with pytest.raises(rg.ParameterError, match="no closed form"):
        rg.evaluate({"q": ["a"]}, [("q", "a", 2.0), ("q", "a", 1.0), ("q", "b", 1.0)], "P@2", convention=convention)


def test_the_mean_over_ties_counts_every_copy_again():
    ranking = [("q", "a", 1.0), ("q", "a", 1.0), ("q", "b", 1.0)]
    convention = rg.Convention(duplicates="again", ties="mean")
    scores = rg.evaluate({"q": ["a"]}, ranking, ["P@1", "DCG@1", "RR"], convention=convention)
    assert [scores.mean(metric) for metric in scores.metrics] == pytest.approx([2 / 3, 2 / 3, (1 + 1 + 1 / 2) / 3])


def test_repeated_judgments_are_reported_under_every_rule():
    for rule in RULES:
        rules = rg.Convention(duplicates=rule)
        twice = rg.evaluate([("q", "a", 1), ("q", "a", 1)], {"q": ["a"]}, "AP", convention=rules)
        assert {finding.code for finding in twice.findings} >= {"RG303"}
        with pytest.raises(rg.InputError, match="RG302"):
            rg.evaluate([("q", "a", 1), ("q", "a", 2)], {"q": ["a"]}, "AP", convention=rules)


def test_metric_laws_hold_where_an_item_counts_once():
    for seed in WORLDS:
        judgments, rows = world(seed)
        for rule in ("first", "close-up", "set"):
            scores = rg.evaluate(
                judgments,
                tuples(rows),
                [*graded_metrics().values()],
                convention=rg.Convention(duplicates=rule, negative="zero"),
            )
            for metric in scores.metrics:
                low, high = metric.definition.bounds
                for value in scores.per_query(metric).values():
                    assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12, (metric, rule)


@pytest.mark.parametrize("k_counts", ["returned", "different"])
def test_values_keep_their_bounds_whatever_k_counts(k_counts):
    metrics = [metric @ 2 for metric in graded_metrics().values() if "k" in metric.definition.parameters]
    for seed in WORLDS:
        judgments, rows = world(seed)
        for rule in ("first", "close-up", "set"):
            rules = rg.Convention(duplicates=rule, negative="zero", k_counts=k_counts)
            scores = rg.evaluate(judgments, tuples(rows), metrics, convention=rules)
            for metric in scores.metrics:
                low, high = metric.definition.bounds
                for value in scores.per_query(metric).values():
                    assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12, (metric, rule)


@pytest.mark.parametrize("rule", ["first", "close-up", "set", "again"])
def test_a_copy_at_the_end_is_the_tail_of_the_list_unless_it_counts_again(rule):
    """The law of the tail for copies: nothing is gained by returning an item once more."""
    metrics = [metric for metric in graded_metrics().values() if "tail" not in metric.definition.breaks]
    higher = set()
    for seed in WORLDS:
        judgments, rows = world(seed)
        longer = {query: [*listed, (listed[0][0], -9.0)] for query, listed in rows.items()}
        rules = {"duplicates": rule, "negative": "zero", "ties": "input"}
        before, after = (evaluated(judgments, tuples(one), metrics, **rules) for one in (rows, longer))
        if rule != "again":
            assert_same(after, before)
        higher |= {metric.name for metric in before for query in rows if after[metric][query] > before[metric][query]}
    assert ("AP" in higher) == ("nDCG" in higher) == (rule == "again")
    assert "repeated items=again" in rg.AP.line(rg.Convention(duplicates="again"))


def test_repeated_items_do_not_stop_reconcile():
    """A user with repeated items got RG301 and no answer at all."""
    data = {"q": ["A", "B", "D"]}, {"q": ["A", "A", "B", "C"]}
    tools = rg.reconcile(*data, "nDCG")
    values = {group.shown for group in tools.groups for tool in group.tools if tool.name == "default"}
    assert values == {"1.0000", "0.7654", "0.7039"}
    assert {"trec_eval-9", "trec_eval-10"} <= {tool.name for tool in tools.refused}
    assert "an item more than once" in tools.document().to_text()
    assert "RG305" in {finding.code for finding in tools.findings}
    for number, rule in {"0.7654": "close-up", "0.7039": "first"}.items():
        (match, *_) = tools.explain(number).matches
        assert match.setting.convention.duplicates == rule
    graded = {"q": {"a": 3, "b": 1, "c": 2}}, {"q": ["b", "a", "b", "c"]}
    scores = rg.evaluate(*graded, "nDCG@4", convention=rg.Convention(gain="exp2", duplicates="again"))
    matches = rg.reconcile(*graded, "nDCG@4").explain(f"{scores.mean('nDCG@4'):.6f}").matches
    settings = [setting for match in matches for setting in (match.setting, *match.equivalent)]
    assert ("exp2", "again") in {(setting.convention.gain, setting.convention.duplicates) for setting in settings}
    judgments, rows = world(1)
    assert len(rg.reconcile(judgments, tuples(rows), "AP").groups) > 1


def test_without_repeated_items_reconcile_does_not_try_the_rule():
    matches = rg.reconcile({"q": {"a": 1, "b": 2}}, {"q": ["a", "b"]}, "nDCG").explain("0.8597").matches
    assert all(match.setting.convention.duplicates == "error" for match in matches)


# Rules of single metrics, and presets


@pytest.mark.parametrize("form", ["lists", "rows"])
def test_a_metric_may_have_its_own_rule_for_repeated_items(form):
    """Precision and recall of LlamaIndex are those of sets, while AP and nDCG count copies again."""
    lists = {"q": ["A", "A", "B", "C"]}
    ranking = lists if form == "lists" else [("q", item, 9.0 - place) for place, item in enumerate(lists["q"])]
    rules = rg.Convention(
        duplicates="again", p_over="returned", per_metric={"P": {"duplicates": "set"}, "RR": {"duplicates": "close-up"}}
    )
    scores = rg.evaluate({"q": ["A", "B", "D"]}, ranking, ["P", "R", "AP", "RR", "NumRet"], convention=rules)
    expected = [2 / 3, 1, 1, 1, 4]
    assert [scores.mean(metric) for metric in scores.metrics] == expected
    for metric, value in zip(scores.metrics, expected, strict=True):
        explained = rg.explain({"q": ["A", "B", "D"]}, ranking, metric, convention=rules)
        assert explained.value == value
        grades, items = [1, 1, 1, None], lists["q"]
        assert metric.of(grades, items=items, ideal=[1, 1, 1], convention=rules) == value
    assert "repeated items=set" in rg.P.line(rules)
    rules = rg.Convention(per_metric={"ItemCoverage": {"duplicates": "first"}})
    information = rg.SideInformation(training={"q": ["a"]})
    with pytest.raises(rg.ParameterError, match="another list"):
        rg.evaluate({"q": ["a"]}, lists, "ItemCoverage", convention=rules, side_information=information)


def test_judged_only_metrics_keep_the_ranks_of_copies():
    ranking = {"q": ["x", "a", "x", "b", "a", "y", "c"]}  # a, b, a again, c
    for rule in RULES:
        removed = rg.Convention(duplicates=rule, unjudged="removed")
        own = rg.evaluate(
            {"q": {"a": 1, "b": 0, "c": 1}}, ranking, "AP(judged_only=True)", convention=rg.Convention(duplicates=rule)
        )
        all_metrics = rg.evaluate({"q": {"a": 1, "b": 0, "c": 1}}, ranking, "AP", convention=removed)
        assert own.mean("AP(judged_only=True)") == all_metrics.mean("AP")


PRESETS = {
    ("llama-index", "AP"): (1.0, 2.0),
    ("llama-index", "nDCG"): (1.0, 1.63093),
    ("llama-index", "P"): (2 / 3, 1.0),
    ("llama-index", "R"): (2 / 3, 1.0),
    ("ml_metrics", "AP@10"): (0.555556, 1.0),
    ("spark", "R@10"): (1.0, 2.0),
    ("rs_metrics", "P@10"): (0.75, 1.0),
    ("rs_metrics", "R@10"): (2 / 3, 1.0),
    ("sentence-transformers", "R@10"): (1.0, 2.0),
    ("pyvespa", "R@10"): (1.0, 2.0),
    ("ms-marco", "RR@10"): (1.0, 1.0),
}
"""A, A, B, C returned with A, B and D relevant; and A, A with A alone."""


@pytest.mark.parametrize(("key", "values"), PRESETS.items())
def test_presets_treat_repeated_items_as_the_tools_do(key, values):
    preset, metric = key
    for relevant, listed, value in (("ABD", "AABC", values[0]), ("A", "AA", values[1])):
        scores = rg.evaluate({"q": [*relevant]}, {"q": [*listed]}, metric, convention=preset)
        assert scores.mean(metric) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("preset", ["trec_eval-9", "trec_eval-10"])
def test_presets_of_tools_that_refuse_repeated_items_do_so(preset):
    with pytest.raises(rg.InputError, match="RG301"):
        rg.evaluate({"q": ["a"]}, {"q": ["a", "a"]}, "P@1", convention=preset)


# What else reads rankings


def test_explanations_mark_the_copies_and_say_what_the_rule_did():
    data = {"q": ["A", "B", "D"]}, {"q": ["A", "A", "B", "C"]}
    for rule, copies in {"first": [2], "set": [2], "again": [2], "close-up": []}.items():
        explanation = rg.explain(*data, "nDCG", convention=rg.Convention(duplicates=rule))
        assert [row.rank for row in explanation.steps.rows if row.copy] == copies
        assert explanation.repeated == explanation.to_dict()["repeated"] == 1
        text = explanation.to_text()
        assert ("A (copy)" in text) == bool(copies)
        assert f"1 later copy; duplicates={rule}: " in text
        assert "副本" in explanation.to_text(lang="zh")
    lenient = rg.explain(*data, "nDCG", lenient=True)
    assert "duplicates=close-up" in lenient.to_text()
    assert rg.explain({"q": ["A"]}, {"q": ["A", "B"]}, "nDCG").repeated == 0


@pytest.mark.parametrize("rule", RULES)
def test_attributions_add_up(rule):
    for seed in range(4):
        judgments, rows = world(seed)
        _, others = world(seed + 1)
        for metric in ("nDCG@4", "AP", "P@3", "R@3"):
            convention = rg.Convention(duplicates=rule)
            parts = rg.attribute(judgments, tuples(rows), tuples(others), metric, convention=convention)
            for change in parts.queries:
                breakdown = parts.query(change.query)
                total = sum(item.change for item in breakdown.items) + sum(piece.change for piece in breakdown.pieces)
                assert total == pytest.approx(breakdown.change, abs=1e-12)


@pytest.mark.parametrize("rule", RULES)
def test_comparisons_slices_bounds_curves_checks_and_reports_read_repeated_items(rule, tmp_path):
    judgments, rows = world(2)
    _, others = world(3)
    convention = rg.Convention(duplicates=rule)
    rankings = {"old": tuples(rows), "new": tuples(others)}
    expected = {
        name: rg.evaluate(judgments, ranking, "AP", convention=convention).mean("AP")
        for name, ranking in rankings.items()
    }
    comparison = rg.compare(judgments, rankings, "AP", convention=convention)
    assert {name: comparison.scores.mean("AP", name) for name in rankings} == expected
    bounds = rg.unjudged_bounds(judgments, rankings, "AP", convention=convention)
    for name, mean in expected.items():
        assert bounds[name].mean == pytest.approx(mean)
        assert bounds[name].range[0] - 1e-12 <= mean <= bounds[name].range[1] + 1e-12
    attributes = {"p": {"kind": "x"}, "q": {"kind": "x"}, "r": {"kind": "y"}}
    assert "x" in rg.slices(comparison.scores, "AP", "kind", attributes=attributes).document().to_text()
    result = rg.check(judgments, rankings["new"], ["AP < 0"], convention=convention)
    assert result.passed
    rg.report(judgments, rankings, ["AP", "nDCG@2"], convention=convention).save(tmp_path / "report.html")
    assert "repeated items" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_diff_compares_the_places_where_items_rank_first_if_lenient():
    first, second = {"q": ["a", "b", "a", "c"]}, {"q": ["a", "b", "c"]}
    with pytest.raises(rg.InputError, match="read leniently"):
        rg.diff(first, second)
    assert rg.diff(first, second, lenient=True).changed == 0
    frame = pl.DataFrame({"query": ["q"] * 3, "item": ["a", "b", "a"], "score": [1.0, 2.0, 3.0]})
    assert rg.diff(frame, {"q": ["a", "b"]}, lenient=True).changed == 0


# Engines and the command line


def tables(seed: int) -> Any:
    duckdb = pytest.importorskip("duckdb")
    judgments, rows = world(seed)
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    columns = "(query VARCHAR, item VARCHAR, {} DOUBLE)"
    judged = [(query, item, grade) for query, grades in judgments.items() for item, grade in grades.items()]
    for name, number, listed in (("judgments", "grade", judged), ("ranking", "score", tuples(rows))):
        connection.execute(f"CREATE TABLE {name} {columns.format(number)}")
        connection.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", listed)
    return connection


@pytest.mark.parametrize("rule", RULES)
def test_tables_in_duckdb_give_the_same_digits(rule):
    connection = tables(1)
    judgments, rows = world(1)
    for rules in CONVENTIONS:
        convention = rg.Convention(**rules, duplicates=rule)
        expected = rg.evaluate(judgments, tuples(rows), NAMES, convention=convention)
        found = rg.duckdb.evaluate(connection, "judgments", "ranking", NAMES, convention=convention)
        text = rg.duckdb.matching_sql(connection, "judgments", "ranking", NAMES, convention=convention)
        matched = rg.duckdb.evaluate_matched(connection.sql(text).to_arrow_table(), NAMES, convention=convention)
        for scores in (found, matched):
            for metric in expected.metrics:
                assert scores.per_query(metric) == expected.per_query(metric), (rules, metric)
            counts = {finding.code: finding.count for finding in scores.findings}
            assert counts["RG305"] == sum(len(listed) - len({item for item, _ in listed}) for listed in rows.values())


def test_tables_in_duckdb_take_rules_of_single_metrics_and_a_depth():
    connection = tables(4)
    judgments, rows = world(4)
    convention = rg.Convention(duplicates="close-up", per_metric={"P": {"duplicates": "again"}})
    for metrics in (["P@2", "RR@2"], ["P@3", "R@1"]):
        expected = rg.evaluate(judgments, tuples(rows), metrics, convention=convention)
        text = rg.duckdb.matching_sql(connection, "judgments", "ranking", metrics, convention=convention)
        matched = rg.duckdb.evaluate_matched(connection.sql(text).to_arrow_table(), metrics, convention=convention)
        found = rg.duckdb.evaluate(connection, "judgments", "ranking", metrics, convention=convention)
        for metric in expected.metrics:
            assert expected.per_query(metric) == found.per_query(metric) == matched.per_query(metric)
    with pytest.raises(rg.InputError, match="RG301"):
        rg.duckdb.evaluate(connection, "judgments", "ranking", "P@1")
    with pytest.raises(rg.InputError, match="matched for"):
        rg.duckdb.evaluate_matched(connection.sql(text).to_arrow_table(), metrics)


@pytest.mark.parametrize("rule", RULES)
def test_rows_that_a_cluster_brings_together_give_the_same_digits(rule):
    pa = pytest.importorskip("pyarrow")
    row_blocks = pytest.importorskip("rankgauge.engines.tables.row_blocks")
    judgments, rows = world(5)
    judged = [
        (query, item, float(grade), True) for query, grades in judgments.items() for item, grade in grades.items()
    ]
    both = sorted([*judged, *((*row, False) for row in tuples(rows))], key=lambda row: row[0])
    columns = dict(zip(("query", "item", "number", "is_judgment"), map(list, zip(*both, strict=True)), strict=True))
    for rules in CONVENTIONS:
        convention = rg.Convention(**rules, duplicates=rule)
        expected = rg.evaluate(judgments, tuples(rows), NAMES, convention=convention)
        blocks = row_blocks.blocks_of_rows(pa.table(columns).to_batches(max_chunksize=5))
        (batch,) = row_blocks.evaluate_blocks(blocks, expected.metrics, convention, None)
        for place, metric in enumerate(expected.metrics):
            values = dict(zip(*(batch.column(name).to_pylist() for name in ("query", f"value_{place}")), strict=True))
            assert values == expected.per_query(metric), (rules, metric)


def test_batches_of_arrays_have_no_copies_to_count():
    streaming = rg.StreamingScores(["AP"], convention=rg.Convention(duplicates="again"))
    streaming.update(judgments=np.array([[1, 0, 1]]), scores=np.array([[0.5, 0.5, 0.1]]))
    assert streaming.compute().mean("AP") == rg.AP.of([1, 0, 1], scores=[0.5, 0.5, 0.1])


@pytest.mark.parametrize("rule", RULES)
def test_the_command_line_takes_the_rule(rule, tmp_path):
    (tmp_path / "qrels.txt").write_text("q 0 A 1\nq 0 B 1\nq 0 D 1\n")
    (tmp_path / "run.txt").write_text("".join(f"q Q0 {item} 0 {9 - place} t\n" for place, item in enumerate("AABC")))
    files = [str(tmp_path / "qrels.txt"), str(tmp_path / "run.txt")]
    expected = rg.evaluate(*files, "nDCG", convention=rg.Convention(duplicates=rule)).mean("nDCG")
    for command in ("eval", "explain"):
        result = here(command, *files, "-m", "nDCG", "--rule", f"duplicates={rule}")
        assert result.code == 0
        assert f"{expected:.6f}"[:5] in result.out
        assert f"repeated items={rule}" in result.out


def test_rows_without_repeats_are_grouped_without_a_second_pass(monkeypatch):
    """Rows of three are recognised by their types, and only repeated items need the list of their rows."""
    rows = [("q", "a", 3.0), ("r", "a", 2.0), ("q", "b", 1.0)]
    judged = {"q": {"b": 1}, "r": {"a": 1}}
    monkeypatch.setattr("rankgauge.inputs.records._is_row", None)
    monkeypatch.setattr("rankgauge.inputs.records.RepeatedItems", None)
    assert rg.evaluate(judged, rows, "RR").per_query("RR") == {"q": 1 / 2, "r": 1}
    monkeypatch.undo()
    for rule, value in {"close-up": 1 / 2, "first": 1 / 3}.items():
        repeated = rg.evaluate(judged, [*rows, ("q", "a", 9.0)], "RR", convention=rg.Convention(duplicates=rule))
        assert repeated.per_query("RR") == {"q": value, "r": 1}


def test_a_copy_of_a_convention_checks_only_what_changes(monkeypatch):
    """Reconcile copies conventions ten thousands of times."""
    base = rg.Convention(gain="exp2")
    monkeypatch.setitem(ALL_RULES, "rel", replace(ALL_RULES["rel"], check=None))
    copy = base.replace(ties="mean")
    monkeypatch.undo()
    assert (copy, hash(copy)) == (
        rg.Convention(gain="exp2", ties="mean"),
        hash(rg.Convention(gain="exp2", ties="mean")),
    )
    with pytest.raises(rg.ParameterError, match="ties"):
        base.replace(ties="none")
    with pytest.raises(rg.RankgaugeError, match="rule"):
        base.replace(tie="mean")


CWL_VALUES = {
    "SDCG(max_grade=1)@3": 0.7653606369886219,
    "INSQ(max_grade=1)": 0.5607876485095342,
    "INST(max_grade=1)": 0.8859069549501853,
    "NERR8(max_grade=1)@3": 1.0,
    "BPM(max_grade=1)@3": 1.0,
    "RBP(p=0.8)": 0.36,
    "P@3": 2 / 3,
    "AP(over='hits')": 1.0,
}
"""Values of cwl_eval 1.0.12, called by ir_measures 0.4.3, for a list that returns its only relevant item twice."""


@pytest.mark.parametrize("metric", CWL_VALUES)
@pytest.mark.parametrize("preset", ["cwl_eval", "ir_measures-cwl"])
def test_cwl_eval_counts_repeated_items_again(preset, metric):
    rows = [("q", "a", 3.0), ("q", "a", 2.0), ("q", "b", 1.0)]
    scores = rg.evaluate({"q": {"a": 1, "b": 0, "c": 1}}, rows, metric, convention=preset)

    assert scores.mean(metric) == pytest.approx(CWL_VALUES[metric], abs=1e-12)


@pytest.mark.parametrize(("duplicates", "value"), [("first", 3 / 4), ("again", 4 / 4), ("close-up", 3 / 4)])
def test_copies_of_unjudged_items_with_an_assumed_grade(duplicates, value):
    """a, x, x and b: the later copy of x counts only if copies count again."""
    rules = rg.Convention(unjudged=1, duplicates=duplicates)
    scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "x", "x", "b"]}, ["P@4"], convention=rules)
    assert scores.mean("P@4") == value


@pytest.mark.parametrize(("duplicates", "values"), [("first", (5, 5, 6 / 2)), ("close-up", (5, 6 / 2, 6 / 2))])
def test_top_items_of_lists_with_copies(duplicates, values):
    """a, a and b: the later copy of a keeps its place, or the list is closed up."""
    information = rg.SideInformation(popularity={"a": 5, "b": 1})
    chosen = ["ARP@1", "ARP@2", "ARP@3"]
    scores = rg.evaluate(
        {"u": {"a": 1}},
        {"u": ["a", "a", "b"]},
        chosen,
        convention=rg.Convention(duplicates=duplicates),
        side_information=information,
    )
    assert [scores.mean(metric) for metric in chosen] == list(values)


def test_copies_that_count_again_find_an_item_once():
    """a is returned twice: two of two items are relevant, but one of two relevant items is found."""
    rules = rg.Convention(duplicates="again")
    scores = rg.evaluate({"q": {"a": 1, "b": 1}}, {"q": ["a", "a"]}, ["P@2", "Utility(miss=-1)"], convention=rules)
    assert (scores.mean("P@2"), scores.mean("Utility(miss=-1)")) == (1, 2 - 1)


@pytest.mark.parametrize("copies", [2, 3])
def test_YAAP_of_copies_that_count_again_is_refused_where_it_is_undefined(copies):
    with pytest.raises(rg.ParameterError, match="YAAP is undefined"):
        rg.evaluate({"q": {"a": 1}}, {"q": ["a"] * copies}, ["YAAP"], convention=rg.Convention(duplicates="again"))
