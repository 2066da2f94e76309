"""Every metric against its slow loop, over worlds, parameters and conventions; many queries against one."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rankgauge import Convention, Metric, metrics
from rankgauge.match.judged import Judged
from reference import DCG, DISCOUNTS, ERR, GAINS, REFERENCES, orders, settle, table
from worlds import World, evaluate_world, grade_scale, pace, rank_world, worlds

METRICS = {name: metric for name, metric in metrics().items() if name in REFERENCES}
TOLERANCE = 1e-12

# The gain does not grow with the grade here, so an ideal order by grade would be wrong.
CROOKED_TABLE = {0.5: 2, 1: 1, 1.5: 4, 2: 3, 2.25: 6, 3: 8, 4: 5}


def square(grade: Any) -> Any:
    return grade * grade


def one_over_next(rank: Any) -> Any:
    return 1 / (rank + 1)


class Choice(NamedTuple):
    """One value of a parameter: as the library is told, and as the loop is."""

    library: Any
    loop: Any


def plain(*values: Any) -> list[Choice]:
    return [Choice(value, value) for value in values]


RULES: dict[str, list[Choice]] = {
    "rel": plain(1, 0.5, 2, 3),
    "gain": [*map(Choice, GAINS, GAINS.values()), Choice(CROOKED_TABLE, table(CROOKED_TABLE)), Choice(square, square)],
    "discount": [*map(Choice, DISCOUNTS, DISCOUNTS.values()), Choice(one_over_next, one_over_next)],
    "ideal": plain("judged", "returned"),
    "ideal_cut": plain("k", "none", "returned"),
    "p_over": plain("k", "min(k,n)", "returned", "min(k,R)"),
    "r_over": plain("R", "min(k,R)"),
    "ap_over": plain("R", "min(R,k)", "hits", "k"),
    "recall_point": plain("ceil", "trec_eval-9", "round"),
    "max_grade": plain(4, 5, 4.5),
}
OWN: dict[str, list[Choice]] = {
    "k": plain(None, 1, 2, 3, 4, 5, 6, 7, 9, 12),
    "beta": plain(1, 0, 0.5, 2, 3.5),
    "p": plain(0.8, 0.5, 0.95, 0.1),
    "recall": plain(0.5, 0, 0.1, 0.25, 0.3, 0.6, 0.7, 0.9, 1),
    "graded": plain(False, True),
    "floor": plain(1e-5, 0.01),
}
UNJUDGED = ("nonrelevant", "removed", 0, 1, 1.5, 3)
NEGATIVE = ("unjudged", "zero", "keep")
SCALE_FROM_ZERO = {"ERR", "nERR"}
"""Metrics for which a grade below 0 is an error."""


class Case(NamedTuple):
    """A metric with parameters under a convention, and what its loop is told."""

    metric: Metric
    convention: Convention
    parameters: dict[str, Any]

    def worlds(self, **limits: Any) -> st.SearchStrategy[World]:
        """Worlds with every kind of grade that the convention has a rule for."""
        return worlds(scale=grade_scale(negative=self.negative_grades), **limits)

    @property
    def negative_grades(self) -> bool:
        # What a number for unjudged items makes of pooled items that were not returned has a test of its own.
        return self.convention.negative != "unjudged" or isinstance(self.convention.unjudged, str)

    def loop(self, world: World, order: Sequence[int] | None = None) -> float:
        """The value by the loop, the items in the order in which they stand or in another one."""
        grades = world.grades if order is None else [world.grades[place] for place in order]
        rules = {"unjudged": self.convention.unjudged, "negative": self.convention.negative}
        return REFERENCES[self.metric.name](*settle(grades, world.unreturned, **rules), **self.parameters)

    def loop_in_every_order(self, world: World) -> list[float]:
        """The values of all orders that the scores of the world leave open."""
        return [self.loop(world, order) for order in orders(world.scores)]

    def kernel(self, world: World, **rules: Any) -> float:
        """The value by the library."""
        return evaluate_world(self.metric, world, self.convention.but(**rules))

    def allows(self, condition: Any) -> bool:
        """Whether a declared condition holds for these parameters."""
        return self.metric.definition.holds(condition, self.metric._arguments(self.convention))


@st.composite
def cases(draw: st.DrawFn, name: str, **fixed: Any) -> Case:
    """A metric with some of its parameters set, each on the metric or in the convention."""
    metric, rules, loop = METRICS[name], dict(fixed), {}
    for parameter in metric.definition.parameters.values():
        choices = OWN[parameter.name] if parameter.rule is None else RULES[parameter.rule]
        library, loop[parameter.name] = draw(st.sampled_from(choices))
        if parameter.rule is None or draw(st.booleans()):
            metric = metric(**{parameter.name: library})
        else:
            rules[parameter.rule] = library
    rules.setdefault("unjudged", draw(st.sampled_from(UNJUDGED)))
    rules.setdefault("negative", draw(st.sampled_from(NEGATIVE[:2] if name in SCALE_FROM_ZERO else NEGATIVE)))
    return Case(metric, Convention(undefined="nan", **rules), loop)


def agree(got: float, expected: float) -> bool:
    if math.isnan(got) or math.isnan(expected):
        return math.isnan(got) and math.isnan(expected)
    return math.isclose(got, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def same(got: float, expected: float) -> bool:
    """Equal to the last bit."""
    return got == expected or (math.isnan(got) and math.isnan(expected))


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


each_metric = pytest.mark.parametrize("name", METRICS)
each_averaged = pytest.mark.parametrize("name", [n for n, m in METRICS.items() if m.definition.ties_mean])


def test_every_metric_has_a_reference():
    missing = sorted({*metrics()} - {*REFERENCES})
    assert not missing, f"write these metrics as loops in tests/reference.py: {', '.join(missing)}"


def test_every_reference_belongs_to_a_metric():
    assert sorted({*REFERENCES} - {*metrics()}) == []


def test_every_parameter_is_tried():
    parameters = [p for metric in METRICS.values() for p in metric.definition.parameters.values()]
    untried = {p.name for p in parameters if p.rule is None} - {*OWN}
    assert not untried | ({p.rule for p in parameters if p.rule} - {*RULES})


@each_metric
@pace(70)
@given(st.data())
def test_kernel_equals_loop(name, data):
    case = data.draw(cases(name))
    world = data.draw(case.worlds())
    assert agree(case.kernel(world), case.loop(world)), (case, str(world))


@pace(60)
@given(world=worlds(scale=grade_scale(negative=True)))
def test_kernel_equals_loop_as_declared(world):
    """The defaults on both sides, so that a default that moves on one side is seen."""
    for name, metric in METRICS.items():
        expected = REFERENCES[name](*settle(world.grades, world.unreturned))
        assert agree(evaluate_world(metric, world, Convention(undefined="nan")), expected), name


@pace(30)
@given(world=worlds(max_length=3, max_unreturned=1, scale=(0, 1)))
def test_undefined_becomes_the_number_of_the_convention(world):
    for name, metric in METRICS.items():
        expected = REFERENCES[name](world.grades, world.unreturned)
        if math.isnan(expected) and metric.definition.undefined is None:
            expected = math.log(0.5) if name == "GMAP" else 0.5
        assert agree(evaluate_world(metric, world, Convention(undefined=0.5)), expected), name


@pytest.mark.parametrize(("name", "loop"), [("nDCG", DCG), ("nERR", ERR)])
@pace(40)
@given(world=worlds(), given_grades=st.lists(st.sampled_from(grade_scale()), max_size=6), k=st.sampled_from((None, 2)))
def test_an_ideal_from_outside_replaces_the_judged_items(name, loop, world, given_grades, k):
    best = loop(sorted(given_grades, reverse=True), [], k=k)
    got = (METRICS[name] @ k).of(world.grades, ideal=given_grades, convention=Convention(undefined="nan"))
    assert agree(got, loop(world.grades, [], k=k) / best if best else math.nan)


@pytest.mark.parametrize("name", ["R", "AP", "nDCG", "bpref", "Fallout"])
def test_a_grade_for_unjudged_items_is_for_returned_ones(name):
    """A negative grade is no judgment, and what was not returned is not judged by the rule for returned items."""
    world, convention = World((1, 0), (-1,)), Convention(undefined="nan", unjudged=1, negative="unjudged")
    assert agree(evaluate_world(METRICS[name], world, convention), evaluate_world(METRICS[name], World((1, 0))))


# Ties


@each_averaged
@pace(40)
@given(st.data())
def test_mean_of_ties_is_the_mean_over_all_orders(name, data):
    case = data.draw(cases(name))
    world = data.draw(case.worlds(scored=True, max_length=5))
    assume(case.allows(case.metric.definition.ties_mean))
    assert agree(case.kernel(world, ties="mean"), mean(case.loop_in_every_order(world))), (case, str(world))


@each_metric
@pace(40)
@given(st.data())
def test_best_and_worst_ties_are_the_extremes_of_all_orders(name, data):
    case = data.draw(cases(name))
    world = data.draw(case.worlds(scored=True, max_length=5))
    assume(case.allows(case.metric.definition.ordered))
    ends = sorted(case.kernel(world, ties=rule) for rule in ("worst", "best"))
    values = case.loop_in_every_order(world)
    assert agree(ends[0], min(values)), (case, str(world))
    assert agree(ends[1], max(values)), (case, str(world))


@each_metric
@pace(30)
@given(st.data())
def test_ties_stand_by_id_or_as_they_came(name, data):
    case = data.draw(cases(name))
    world = data.draw(worlds(scored=True, named=True, max_length=5))
    places = range(len(world.grades))
    as_they_came = sorted(places, key=lambda place: -world.scores[place])
    by_id = sorted(places, key=lambda place: (world.scores[place], world.items[place].encode()), reverse=True)
    for rule, order in (("input", as_they_came), ("id", by_id)):
        # AUC counts a tied pair half, whatever the order, which is its mean over all orders.
        expected = mean(case.loop_in_every_order(world)) if name == "AUC" else case.loop(world, order)
        assert agree(case.kernel(world, ties=rule), expected), (rule, case, str(world))


# Many queries


def values_together(metric: Metric, many: Sequence[World], convention: Convention) -> list[float]:
    stacked = Judged.stack([rank_world(metric, world, convention).judged for world in many])
    return metric.values(stacked, convention).tolist()


def values_one_by_one(metric: Metric, many: Sequence[World], convention: Convention) -> list[float]:
    return [evaluate_world(metric, world, convention) for world in many]


def differing(metric: Metric, many: Sequence[World], convention: Convention) -> Iterator[tuple[str, float, float]]:
    """The queries that have other digits among the others than alone."""
    together, alone = values_together(metric, many, convention), values_one_by_one(metric, many, convention)
    for world, among_others, by_itself in zip(many, together, alone, strict=True):
        if not same(among_others, by_itself):
            yield str(world), among_others, by_itself


@each_metric
@pace(25)
@given(st.data())
def test_many_queries_have_the_digits_of_one(name, data):
    case = data.draw(cases(name))
    many = data.draw(st.lists(case.worlds() | case.worlds(scored=True), min_size=1, max_size=10))
    averaging = ["mean"] if case.allows(case.metric.definition.ties_mean) else []
    for rule in ("input", "best", *averaging):
        assert not [*differing(case.metric, many, case.convention.but(ties=rule))]


def long_world(chance: random.Random) -> World:
    length = chance.choice((0, 1, chance.randrange(2, 12), chance.randrange(12, 90)))
    return World(
        tuple(chance.choice((None, None, 0, 0, 1, 2, 3, 4, 1.5)) for _ in range(length)),
        tuple(chance.choice((0, 1, 2, 4)) for _ in range(chance.randrange(6))),
        tuple(chance.randrange(length) / 7 for _ in range(length)) if chance.random() < 0.8 else None,
    )


LONG_WORLDS = [long_world(random.Random(seed)) for seed in range(120)]


@each_metric
@pytest.mark.parametrize("ties", ["input", "mean"])
def test_many_long_queries_have_the_digits_of_one(name, ties):
    metric = METRICS[name]
    if ties == "mean" and metric.definition.ties_mean is False:
        ties = "worst"
    convention = Convention(undefined="nan", ties=ties, gain="exp2")
    cut = [metric, metric @ 10] if "k" in metric.definition.parameters else [metric]
    assert not [lost for one in cut for lost in differing(one, LONG_WORLDS, convention)]


@each_metric
def test_long_queries_equal_the_loop(name):
    convention, loop = Convention(undefined="nan", gain="exp2"), REFERENCES[name]
    gain = {"gain": GAINS["exp2"]} if "gain" in METRICS[name].definition.parameters else {}
    unscored = [World(world.grades, world.unreturned) for world in LONG_WORLDS[:60]]
    for world in unscored:
        got = evaluate_world(METRICS[name], world, convention)
        assert agree(got, loop(world.grades, world.unreturned, **gain)), str(world)
