"""The laws: kept by every metric that does not declare a break, and really broken by every one that does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from laws import LAWS, TOLERANCE, Law, Values, small_worlds
from rankgauge import Convention, Metric, Scores, evaluate
from registries import LAWS as SENTENCES
from worlds import World, evaluate_world, grade_scale, graded_metrics, names, pace, rank_world, stacked, worlds

CUTOFFS = (None, 1, 2, 3, 4)
NAN = Convention(undefined="nan")
METRICS = {
    name: metric(max_grade=2) if "max_grade" in metric.definition.rules else metric  # the top of the small worlds
    for name, metric in graded_metrics().items()
}
each_metric = pytest.mark.parametrize("name", METRICS)


class Counterexample(NamedTuple):
    """A world in which a metric breaks a law."""

    metric: Metric
    before: World
    after: World
    values: tuple[float, float]

    def __str__(self) -> str:
        return f"{self.metric}: {self.before} -> {self.after} is {self.values[0]:.6g} -> {self.values[1]:.6g}"


class Trials(NamedTuple):
    """Everything that a law says about the small worlds: places of worlds in the universe, row by row."""

    before: np.ndarray
    after: np.ndarray
    rank: np.ndarray


class Universe(NamedTuple):
    """All small worlds and all that a law makes of them, to be evaluated in one go."""

    worlds: tuple[World, ...]
    judged: rg.JudgedRankings
    trials: dict[str, Trials]


@cache
def universe() -> Universe:
    places: dict[World, int] = {}

    def place(world: World) -> int:
        return places.setdefault(world, len(places))

    smallest_first = sorted(small_worlds(), key=lambda world: world.size)
    trials = {
        name: Trials(*np.array(rows).T)
        for name, law in LAWS.items()
        if (
            rows := [
                (place(world), place(after), rank) for world in smallest_first for after, rank in law.changes(world)
            ]
        )
    }
    judged = stacked([rank_world(rg.RR, world, NAN).judged for world in places])
    return Universe(tuple(places), judged, trials)


@cache
def values_of(metric: Metric) -> Values:
    return metric.values(universe().judged, NAN)


def has_cutoff(metric: Metric) -> bool:
    return "k" in metric.definition.parameters


def cut_at(metric: Metric, law: Law) -> list[tuple[Metric, Metric]]:
    """The metric before and after the change, for each cutoff at which the law is tried."""
    if law.at_next_cutoff:
        return [(metric @ k, metric @ (k + 1)) for k in CUTOFFS if k] if has_cutoff(metric) else []
    return [(metric @ k, metric @ k) for k in CUTOFFS] if has_cutoff(metric) else [(metric, metric)]


def variants(name: str) -> list[Metric]:
    """The metric on the scale of the small worlds, and on one whose top no item of them reaches."""
    return [METRICS[name], *([graded_metrics()[name]] if "max_grade" in METRICS[name].parameters else [])]


@cache
def counterexample(name: str, law_name: str) -> Counterexample | None:
    """The smallest world in which the metric breaks the law, if there is one."""
    law, (all_worlds, _, trials) = LAWS[law_name], universe()
    broken_worlds = []
    before, after, rank = trials[law_name]
    for metric, next_metric in (pair for variant in variants(name) for pair in cut_at(variant, law)):
        old, new = values_of(metric)[before], values_of(next_metric)[after]
        broken = ~law.keeps(old, new)
        if law.within_cutoff and metric.k is not None:
            broken &= rank <= metric.k
        if broken.any():
            first = int(np.argmax(broken))
            worlds_of_it = all_worlds[before[first]], all_worlds[after[first]]
            broken_worlds.append(Counterexample(metric, *worlds_of_it, (float(old[first]), float(new[first]))))
    return min(broken_worlds, key=lambda example: example.before.size, default=None)


def test_every_law_is_tried():
    assert sorted(LAWS) == sorted(SENTENCES)


def test_declared_breaks_are_laws():
    assert {law for metric in METRICS.values() for law in metric.definition.breaks} <= {*LAWS}


@each_metric
def test_laws_hold_unless_declared_broken(name):
    undeclared = [law for law in LAWS if law not in METRICS[name].definition.breaks]
    broken = [f"{law}: {SENTENCES[law].en} {world}" for law in undeclared if (world := counterexample(name, law))]
    assert not broken, f"{name} breaks laws that it does not declare in breaks=:\n" + "\n".join(broken)


@each_metric
def test_declared_breaks_have_counterexamples(name):
    kept = [law for law in METRICS[name].definition.breaks if not counterexample(name, law)]
    assert not kept, f"{name} declares to break these laws but keeps them in every small world: {', '.join(kept)}"


@each_metric
def test_values_lie_within_the_declared_bounds(name):
    low, high = METRICS[name].definition.bounds
    for metric, _ in cut_at(METRICS[name], LAWS["bounded"]):
        values = values_of(metric)
        inside = np.isnan(values) | ((values >= low - TOLERANCE) & (values <= high + TOLERANCE))
        assert inside.all(), (str(metric), str(universe().worlds[int(np.argmin(inside))]))


# What must hold for every metric


SCORED = worlds(scored=True, named=True, scale=grade_scale(), max_length=6)
CLEAR = worlds(scored=True, named=True, ties=False, scale=grade_scale(), max_length=6)
"""Worlds without ties."""
RISING: tuple[Callable[[float], float], ...] = (lambda x: 2 * x + 1, lambda x: x**3, math.exp, math.atan)
EVERY_RULE = (NAN, NAN.replace(ties="mean"))


def differing(
    first: World, second: World, k: int | None, rules: Iterable[Convention], agree: Callable[[float, float], bool]
) -> list[tuple[str, float, float]]:
    """The metrics that tell the worlds apart."""
    found = []
    for metric, rule in product(graded_metrics().values(), rules):
        if rule.ties == "mean" and metric.definition.ties_mean is False:
            continue
        cut = metric @ k if has_cutoff(metric) else metric
        values = evaluate_world(cut, first, rule), evaluate_world(cut, second, rule)
        if not agree(*values):
            found.append((f"{cut} under ties={rule.ties}", *values))
    return found


def same(first: float, second: float) -> bool:
    return first == second or (math.isnan(first) and math.isnan(second))


def near(first: float, second: float) -> bool:
    return same(first, second) or math.isclose(first, second, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


@pace(40)
@given(world=SCORED, rising=st.sampled_from(RISING), k=st.sampled_from(CUTOFFS))
def test_only_the_order_of_scores_matters(world, rising, k):
    moved = replace(world, scores=tuple(map(rising, world.scores)))
    assert not differing(world, moved, k, EVERY_RULE, same)


@pace(40)
@given(data=st.data(), k=st.sampled_from(CUTOFFS))
def test_ids_do_not_matter_without_ties(data, k):
    world = data.draw(CLEAR)
    renamed = replace(world, items=data.draw(names(len(world.grades))))
    assert not differing(world, renamed, k, EVERY_RULE, same)


@pace(40)
@given(data=st.data(), k=st.sampled_from(CUTOFFS))
def test_ids_do_not_matter_where_ties_are_averaged(data, k):
    world = data.draw(SCORED)
    renamed = replace(world, items=data.draw(names(len(world.grades))))
    assert not differing(world, renamed, k, EVERY_RULE[1:], near)


@pace(40)
@given(data=st.data(), k=st.sampled_from(CUTOFFS))
def test_the_order_of_rows_does_not_matter(data, k):
    world = data.draw(SCORED)
    rows = data.draw(st.permutations(range(len(world.grades))))
    columns = (tuple(column[row] for row in rows) for column in (world.grades, world.scores, world.items))
    grades, scores, items = columns
    moved = World(grades, tuple(data.draw(st.permutations(world.unreturned))), scores, items)
    assert not differing(world, moved, k, EVERY_RULE[:1], same)
    assert not differing(world, moved, k, EVERY_RULE[1:], near)  # a run of ties is added up in another order


@pace(30)
@given(world=worlds(scale=(0, 1, 2, 0.5), holes=False, scored=True, max_length=6))
def test_the_type_of_numbers_does_not_matter(world):
    for metric, kind in product(graded_metrics().values(), (np.float32, np.float64)):
        grades, scores = np.array(world.grades, dtype=kind), np.array(world.scores, dtype=kind)
        expected = metric.of(world.grades, scores=world.scores, convention=NAN)
        assert same(metric.of(grades, scores=scores, convention=NAN), expected), (metric, kind)


# Sets of queries


def scores_of(many: Iterable[World]) -> Scores:
    """Every metric over the worlds as queries; what is 0/0 is left out of the mean."""
    judgments: dict[str, dict[str, Any]] = {}
    ranking = {}
    for number, world in enumerate(many):
        query, returned = f"q{number}", zip(world.items, world.grades, strict=True)
        judgments[query] = {item: grade for item, grade in returned if grade is not None}
        judgments[query] |= {f"unreturned {place}": grade for place, grade in enumerate(world.unreturned)}
        ranking[query] = dict(zip(world.items, world.scores, strict=True))
    return evaluate(judgments, ranking, graded_metrics().values(), convention=Convention(undefined="skip"))


def weighed(scores: Scores, metric: Metric) -> tuple[float, int]:
    """The summary of a set on the scale on which parts can be added, and how many queries it is made of."""
    counted, summary = int((~np.isnan(scores[metric])).sum()), scores.mean(metric)
    if not counted:
        return 0.0, 0
    if metric.definition.summary.is_count:
        return summary, counted
    if metric.definition.summary.is_exponential(scores.convention):
        return math.log(summary) * counted, counted
    return summary * counted, counted


@pace(40)
@given(first=st.lists(SCORED, min_size=1, max_size=4), second=st.lists(SCORED, min_size=1, max_size=4))
def test_the_mean_over_a_union_is_the_weighted_mean_of_its_parts(first, second):
    parts, union = [scores_of(first), scores_of(second)], scores_of([*first, *second])
    for metric in graded_metrics().values():
        if metric.definition.summary.weighs_queries:
            continue  # queries weigh differently
        (one, one_count), (other, other_count) = (weighed(part, metric) for part in parts)
        whole, count = weighed(union, metric)
        assert count == one_count + other_count, metric
        assert math.isclose(whole, one + other, rel_tol=TOLERANCE, abs_tol=TOLERANCE), metric


@pace(30)
@given(many=st.lists(SCORED, min_size=1, max_size=5))
def test_the_order_of_queries_does_not_matter(many):
    forward, backward = scores_of(many), scores_of(many[::-1])
    for metric in graded_metrics().values():
        assert near(forward.mean(metric), backward.mean(metric)), metric
