"""The definition used is complete: two results with different numbers never carry the same definition."""

from __future__ import annotations

import csv
import json
import math
import random
import re
from functools import cache
from typing import Any, NamedTuple

import pytest

import rankgauge as rg
from beyond_reference import random_world
from registries import RULES, SCORE_FORMATS, Stage, takes_ties

OTHERS: dict[str, tuple[Any, ...]] = {
    "gain": ("exp2", {0: 0, 1: 5, 2: 6}),
    "discount": ("1/i",),
    "ideal": ("returned", "full"),
    "rel": (2,),
    "max_grade": (8, "largest"),
    "ties": ("id-ascending", "best", "worst", "together", "mean-rank", "random"),
    "undefined": (1, "skip"),
    "rounding": (1,),
    "denominator_plus": (0.5,),
    "match": ("contained",),
    "units": (),  # needs a mapping
    "unjudged": ("removed", 1),
    "negative": ("zero",),  # ERR rejects negative grades
    "stop": (),  # the grades of these worlds are not probabilities
    "seed": (1, 2),
    "missing": ("skip",),
    "averaging": ("geometric", "median"),
    "no_queries": (0,),
}
"""The values that a rule is changed to; by default all its other values."""
AROUND = (
    {},
    {"unjudged": "removed"},
    {"ties": "random", "counts": "mean", "no_relevant": "skip"},
    {"gain": "exp2-rel", "score_precision": "float32"},
    {"unjudged": 1},
)
"""Rules that are set while another is changed; some have an effect only in combination."""
ONLY_AROUND = {"unjudged_in_ideal": (4,)}
"""Rules that are tried with some of these alone; all others with the first four."""
EVERY = [
    cut
    for metric in rg.metrics().values()
    for cut in ([metric, metric @ 2] if "k" in metric.definition.parameters else [metric])
]
METRICS = {"every": EVERY, "whole": [metric for metric in EVERY if not metric.definition.summary.has_query_values]}
WHOLE = {metric.name: metric for metric in METRICS["whole"]}
Values = dict[rg.Metric, tuple[float, ...]]
COMMON_RULES = [name for name, rule in RULES.items() if rule.is_common]
RULES_TRIED = [rule for rule in RULES if rule != "per_metric"]  # of which the rules of single metrics are made


class Crowd(NamedTuple):
    """Users of several small worlds, with equal scores, negative grades, unjudged items and nothing relevant."""

    judgments: dict[str, dict[str, float]]
    ranking: dict[str, dict[str, float]]
    side_information: rg.SideInformation


def crowd(seed: int) -> Crowd:
    world, chance = random_world(seed), random.Random(seed)
    grades = [(-1, 0, 0, 1, 2), (-1, 0, 0), (1, 2)]
    judgments = {
        user: {item: chance.choice(grades[(seed + place) % 3]) for item in world.items if chance.random() < 0.6}
        or {"x": 0}
        for place, user in enumerate(world.lists)
    }
    scores = (-1.0, 0.0, 1.0, 1.00000001)  # the last two are equal in single precision
    ranking = {user: {item: chance.choice(scores) for item in items} for user, items in world.lists.items()}
    judgments["missing"] = {"i0": 1}
    return Crowd(judgments, ranking, world.side_information)


CROWDS = [crowd(seed) for seed in range(20)]
FRACTIONAL = [
    data._replace(
        judgments={
            user: {item: max(grade, -0.5) for item, grade in own.items()} for user, own in data.judgments.items()
        }
    )
    for data in CROWDS
]
"""The same with -0.5 instead of -1: judged not relevant once fractions are cut."""
ONE_KIND = Crowd({"u1": {"i0": 1}, "u2": {"i0": 1}}, {"u1": {"i0": 0.5}, "u2": {"i0": 0.5}}, CROWDS[0].side_information)
"""Nothing that is not relevant: 0/0 for whatever looks at pairs."""


@cache
def values(which: str, place: int, around: int, rule: str | None = None, value: int = 0) -> Values:
    """Metrics of a crowd, the rule changed to one of its other values."""
    data = (ONE_KIND, *CROWDS, *FRACTIONAL)[place]
    metrics, rules, ranking = METRICS[which], convention(around, rule, value), data.ranking
    if rule in {"tied_at_k", "k_counts", "match"}:  # refused by metrics of items
        metrics = [metric for metric in metrics if not metric.definition.of_items]
    if not metrics:
        return {}
    if rule in {"duplicates", "unjudged_in_ideal"}:  # YAAP refuses items that count and are not in R
        metrics = [metric for metric in metrics if metric.name != "YAAP"]
    metrics = [
        metric for metric in metrics if takes_ties(metric, rules) and "spans" not in (metric.definition.needs or ())
    ]
    if rule == "duplicates":
        ranking = with_copies(ranking)
    scores = rg.evaluate(data.judgments, ranking, metrics, side_information=data.side_information, convention=rules)
    return {metric: (*scores.per_query(metric).values(), scores.mean(metric)) for metric in metrics}


def with_copies(ranking: dict[str, dict[str, float]]) -> list[tuple[str, str, float]]:
    """The ranking as rows, every second item twice: with its own score, or another."""
    rows = [(user, item, score) for user, scores in ranking.items() for item, score in scores.items()]
    return [*rows, *((user, item, score - place % 3) for place, (user, item, score) in enumerate(rows) if place % 2)]


@cache
def convention(around: int, rule: str | None = None, value: int = 0) -> rg.Convention:
    return rg.Convention(**AROUND[around] | ({} if rule is None else {rule: others(rule)[value]}))


def others(rule: str) -> tuple[Any, ...]:
    known = (name for name in RULES[rule].values if name != getattr(rg.Convention(), rule))
    return OTHERS[rule] if rule in OTHERS else tuple(known)


def moved(rule: str, which: str, crowds: int) -> set[tuple[rg.Metric, int, int]]:
    """The metrics that the rule moves in one of the crowds, with the rules around it and its new value."""
    start = len(CROWDS) if rule == "fractions" else 0
    return {
        (metric, around, value)
        for place in range(start, start + crowds)
        for around in ONLY_AROUND.get(rule, range(4))
        for value in range(len(others(rule)))
        for metric, found in values(which, place, around, rule, value).items()
        if not same(found, values(which, place, around, *(["duplicates"] * (rule == "duplicates")))[metric])
    }


def same(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    pairs = zip(first, second, strict=False)
    return len(first) == len(second) and all(
        one == other or (math.isnan(one) and math.isnan(other)) for one, other in pairs
    )


@pytest.mark.parametrize("rule", RULES_TRIED)
def test_a_rule_that_changes_a_number_is_printed(rule):
    for metric, around, value in moved(rule, "every", 4 if rule in COMMON_RULES else 3):
        before, after = convention(around), convention(around, rule, value)
        for written in (rg.Metric.line, rg.Metric.short_line):
            assert written(metric, before) != written(metric, after)


@pytest.mark.parametrize(
    "rule", [rule for rule in COMMON_RULES if RULES[rule].stage not in {Stage.READING, Stage.SUMMARY}]
)
def test_a_rule_that_applies_changes_corpus_level_metrics(rule):
    found = {metric.name for metric, *_ in moved(rule, "whole", len(CROWDS) + 1)}
    assert found == {name for name, metric in WHOLE.items() if rule in metric.definition.applicable_rules}


def test_corpus_level_metrics_have_no_rule_for_single_queries():
    for metric in WHOLE.values():
        assert not {"undefined", "no_relevant"} & {*metric.definition.applicable_rules}
    assert "0/0" not in rg.ItemCoverage.line()
    assert rg.PooledAUC.line() == (
        "unreturned=last · relevant from=1 · tied pairs=half · score precision=float64 · units=items · "
        "repeated items=error · unjudged items=nonrelevant · fractional grades=keep · negative grades=unjudged · match=id · missing queries=zero"
    )


@pytest.mark.parametrize("undefined", [0, 1, "nan", "skip", "error"])
def test_pooled_auc_of_one_class_is_undefined_under_every_rule(undefined):
    scores = rg.evaluate(
        ONE_KIND.judgments, ONE_KIND.ranking, "PooledAUC", convention=rg.Convention(undefined=undefined)
    )
    assert math.isnan(scores.mean("PooledAUC"))


def test_tables_name_the_rules_that_apply():
    """A rule that all metrics share stands in the last row, also where it is changed."""
    shared = {
        "score_precision": "float32", "units": "rolled-up", "duplicates": "first", "unjudged": "removed",
        "fractions": "cut", "negative": "zero", "missing": "skip",
    }  # fmt: skip

    def definitions(**rules):
        metrics, side = ["P@2", "PooledAUC", "ItemCoverage@2"], rg.SideInformation(items=["a", "b"])
        options = {"convention": rg.Convention(**rules), "units": {"a": "a"} if "units" in rules else None}
        scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, metrics, side_information=side, **options)
        table = str(scores).split("definition used\n")[1]
        return dict(re.split(" {2,}", line.rstrip(), maxsplit=1) for line in table.splitlines()[1:])

    assert definitions() == {
        "P@2": "relevant from=1 · P over=k · ties=id · 0/0=0",
        "PooledAUC": "unreturned=last · relevant from=1 · tied pairs=half",
        "ItemCoverage@2": "ties=id",
        "every metric": "unjudged items=nonrelevant · negative grades=unjudged · other rules=default",
    }
    for rule, value in shared.items():
        printed = f"{RULES[rule].title.en}={value}"
        rows = definitions(**{rule: value})
        assert printed in rows.pop("every metric"), rule
        assert not any(printed in row for row in rows.values()), rule


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "table"])
def test_results_with_different_numbers_carry_different_definitions(form):
    """One of two queries is missing, and the scores of the other are equal in single precision."""
    judgments = {"q": {"a": 1, "b": 0}, "p": {"a": 1}}
    ranking = {"q": {"a": 1.00000002, "b": 1.00000001}}
    expected = {
        "zero": (rg.Convention(), 0.5),
        "skip": (rg.Convention(missing="skip"), 1.0),
        "geometric": (rg.Convention(averaging="geometric"), 0.00316227766),
        "float32": (rg.Convention(score_precision="float32"), 0.25),
    }
    definitions = set()
    for rules, value in expected.values():
        scores = rg.evaluate(judgments, ranking, "RR", convention=rules)
        assert scores.mean("RR") == pytest.approx(value)
        definitions.add(definition_of(scores, form))
    assert len(definitions) == len(expected)


def definition_of(scores: rg.Scores, form: str) -> str:
    if form == "table":
        text = str(scores)
        return text[text.index("definition used") :]
    if form == "parquet":
        import polars as pl

        return pl.read_parquet(SCORE_FORMATS["parquet"](scores, False))["convention"][0]
    text = SCORE_FORMATS[form](scores, False).decode()
    return json.loads(text)["convention"] if form == "jsonl" else next(csv.DictReader(text.splitlines()))["convention"]


def test_tables_name_rules_that_the_data_trigger():
    text = str(rg.evaluate({"q": {"a": 1}, "p": {"a": 0}, "r": {"a": 1}}, {"q": ["a"], "p": ["a"]}, "RR"))
    assert "missing queries=zero" in text
    assert "nothing relevant=computed" in text
    assert "missing queries" not in str(rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR"))


def test_reports_name_the_rules_that_apply():
    data = CROWDS[0]
    metrics = ["P@2", "ItemCoverage@2"]
    page = rg.report(data.judgments, {"a": data.ranking}, metrics, side_information=data.side_information).to_html()
    of_all = page[page.index("Rules of every metric") : page.index('id="health"')]
    of_p = page[page.index("Rules of P@2") : page.index("Rules of every metric")]
    assert "0/0" not in of_all
    assert "averaging" not in of_all
    assert "0/0" in of_p
    assert "averaging" in of_p
