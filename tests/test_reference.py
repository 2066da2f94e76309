"""Every metric against its slow loop, over worlds, parameters and conventions; many queries against one."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rankgauge import Convention, Metric, evaluate, metrics
from reference import DCG, DISCOUNTS, ERR, GAINS, REFERENCES, apply_rules, is_judged, orders, table
from registries import takes_ties
from worlds import World, evaluate_world, grade_scale, graded_metrics, pace, rank_world, stacked, worlds

METRICS = {name: metric for name, metric in metrics().items() if name in REFERENCES}
TOLERANCE = 1e-12

# The gain does not grow with the grade here, so an ideal order by grade would be wrong.
CROOKED_TABLE = {0.5: 2, 1: 1, 1.5: 4, 2: 3, 2.25: 6, 3: 8, 4: 5}
# A judged item of grade 0 gains something here, an unjudged one nothing.
TABLE_FROM_ZERO = {-1: -2, 0: 0.25, 0.5: 1, 1: 1, 1.5: 2, 2: 3, 2.25: 3, 3: 5, 4: 9}


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
    "rel": [*plain(1, 0, 0.5, 2, 3), Choice(">1", 1.0000001)],
    "gain": [
        *map(Choice, GAINS, GAINS.values()),
        Choice(CROOKED_TABLE, table(CROOKED_TABLE)),
        Choice(TABLE_FROM_ZERO, table(TABLE_FROM_ZERO)),
        Choice(square, square),
    ],
    "discount": [*map(Choice, DISCOUNTS, DISCOUNTS.values()), Choice(one_over_next, one_over_next)],
    "ideal": plain("judged", "returned", "full"),
    "ideal_cut": plain("k", "none", "returned", "k or n"),
    "p_over": plain("k", "min(k,n)", "returned", "min(k,R)"),
    "r_over": plain("R", "min(k,R)"),
    "ap_over": plain("R", "min(R,k)", "hits", "k", "min(R,k,n)"),
    "ap_at": plain("relevant", "every"),
    "rr_of": plain("relevant", "best", "hits", "all"),
    "hit_if": plain("returned"),  # tests/test_conventions.py has the other value, and that of stop
    "stop": plain("exp2"),
    "tied_pairs": plain("half", "lost", "won", "order"),
    "recall_point": plain("ceil", "trec_eval-9", "round"),
    "user_depth": plain("endless", "lists", 2, 1000),
    "intent_over": plain("definition"),  # tests/test_beyond.py has the other value
    "max_grade": plain(4, 5, 4.5, "largest"),
}
OWN: dict[str, list[Choice]] = {
    "k": plain(None, 1, 2, 3, 4, 5, 6, 7, 9, 12),
    "rel": plain(None, 0, 1, 2),  # of NumRet, for which it is no rule
    "beta": plain(1, 0, 0.5, 2, 3.5),
    "p": plain(0.8, 0.5, 0.95, 0.1),
    "T": plain(1, 0.5, 2, 3.5),
    "min_grade": plain(0, 0.5, 1),
    "normalize": plain(True, False),
    "recall": plain(0.5, 0, 0.1, 0.25, 0.3, 0.6, 0.7, 0.9, 1),
    "graded": plain(False, True),
    "floor": plain(1e-5, 0.01),
    "multiple": plain(1, 0.2, 0.5, 1.4, 2),
    **{name: plain(0, 1, -1, 2.5) for name in ("hit", "noise", "miss", "rest")},
    "collection": plain(0, 10),
    "least": plain(1, 2, 4),
    "lowest": plain(0, 1, 2, -1),
    "weight": plain("impressions", "positives", "samples", "equal"),
    "max_fpr": plain(1, 0.5, 0.1, 0.3, 0.75),
    "negatives": plain(None, 1, 2, 3, 10),
    "TPR.negatives": plain(1, 2, 3, 10),
    "scale": plain("mcclish", "share", "none"),
    "items": plain(None, 1, 6, 30),
    "others": plain("tied", "left out"),
    "judged_only": plain(False, False, True),
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

    @property
    def unjudged(self) -> Any:
        """The rule for unjudged items, which ``judged_only`` of the metric replaces."""
        return "removed" if self.metric.judged_only else self.convention.unjudged

    def loop(self, world: World, order: Sequence[int] | None = None) -> float:
        """The value by the loop, the items in the order in which they stand or in another one."""
        grades = world.grades if order is None else [world.grades[place] for place in order]
        rules = {"unjudged": self.unjudged, "negative": self.convention.negative}
        return REFERENCES[self.metric.name](*apply_rules(grades, world.unreturned, **rules), **self.parameters)

    def loop_over_pairs(self, world: World) -> float:
        """The value by the loop of a metric of pairs, told which items tie."""
        rules = {"negative": self.convention.negative}
        everything, _ = apply_rules(world.grades, (), unjudged="nonrelevant", **rules)
        removed = self.unjudged == "removed"
        kept = [place for place, grade in enumerate(everything) if not removed or is_judged(grade)]
        ranking, unreturned = apply_rules(world.grades, world.unreturned, unjudged=self.unjudged, **rules)
        places = [-world.scores[place] for place in kept]
        return REFERENCES[self.metric.name](ranking, unreturned, **self.parameters, places=places)

    def loop_in_every_order(self, world: World) -> list[float]:
        """The values of all orders that the scores of the world leave open."""
        return [self.loop(world, order) for order in orders(world.scores)]

    def kernel(self, world: World, *, extreme: bool = False, **rules: Any) -> float:
        """The value by the library."""
        return evaluate_world(self.metric, world, self.convention.replace(**rules), extreme=extreme)

    def allows(self, condition: Any) -> bool:
        """Whether a declared condition holds for these parameters."""
        return self.metric.definition.holds(condition, self.metric.resolve(self.convention).arguments)


OF_RULES, OF_METRICS = ({name: st.sampled_from(choices) for name, choices in known.items()} for known in (RULES, OWN))
RULES_OF_ALL = {"unjudged": st.sampled_from(UNJUDGED), "negative": st.sampled_from(NEGATIVE)}
ON_THE_METRIC = st.booleans()


@st.composite
def cases(draw: st.DrawFn, name: str) -> Case:
    """A metric with all its parameters set, each on the metric or in the convention."""
    own, rules, loop = {}, {rule: draw(values) for rule, values in RULES_OF_ALL.items()}, {}
    for parameter in METRICS[name].definition.parameters.values():
        choices = (
            OF_RULES[parameter.rule]
            if parameter.rule
            else OF_METRICS.get(f"{name}.{parameter.name}", OF_METRICS[parameter.name])
        )
        library, loop[parameter.name] = draw(choices)
        if parameter.rule is None or draw(ON_THE_METRIC):
            own[parameter.name] = library
        else:
            rules[parameter.rule] = library
    if loop.pop("judged_only") and not isinstance(rules["unjudged"], str):
        rules["unjudged"] = "nonrelevant"  # the two would contradict each other
    if name in SCALE_FROM_ZERO and rules["negative"] == "keep":
        rules["negative"] = "zero"
    return Case(METRICS[name](**own), Convention(undefined="nan", **rules), loop)


ALL_GRADES = grade_scale(negative=True)
UNSCORED = worlds(scale=ALL_GRADES)
SCORED = worlds(scale=ALL_GRADES, scored=True)
FEW_ORDERS = worlds(scale=ALL_GRADES, scored=True, max_length=5)
NAMED = worlds(scale=ALL_GRADES, scored=True, named=True, max_length=5)


SEVERAL = st.lists(UNSCORED | SCORED, min_size=1, max_size=10)
CASES = {name: cases(name) for name in METRICS}


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
each_ordered = pytest.mark.parametrize("name", [n for n, m in METRICS.items() if m.definition.ordered])
each_averaged = pytest.mark.parametrize("name", [n for n, m in METRICS.items() if m.definition.ties_mean])


def test_every_metric_has_a_reference():
    missing = sorted({*graded_metrics()} - {*REFERENCES})
    assert not missing, f"write these metrics as loops in tests/reference.py: {', '.join(missing)}"


def test_every_reference_belongs_to_a_metric():
    assert sorted({*REFERENCES} - {*metrics()}) == []


def test_every_parameter_is_tried():
    parameters = [p for metric in METRICS.values() for p in metric.definition.parameters.values()]
    untried = {p.name for p in parameters if p.rule is None} - {*OWN}
    assert not untried | ({p.rule for p in parameters if p.rule} - {*RULES})


@each_metric
@pace(50)
@given(st.data())
def test_kernel_equals_loop(name, data):
    case, world = data.draw(CASES[name]), data.draw(UNSCORED)
    assert agree(case.kernel(world), case.loop(world)), (case, str(world))


@pace(60)
@given(world=UNSCORED)
def test_kernel_equals_loop_as_declared(world):
    """The defaults on both sides, so that a default that moves on one side is seen."""
    for name, metric in METRICS.items():
        expected = REFERENCES[name](*apply_rules(world.grades, world.unreturned))
        assert agree(evaluate_world(metric, world, Convention(undefined="nan")), expected), name


@pace(30)
@given(world=worlds(max_length=3, max_unreturned=1, scale=(0, 1)))
def test_undefined_becomes_the_number_of_the_convention(world):
    for name, metric in METRICS.items():
        expected = REFERENCES[name](world.grades, world.unreturned)
        if math.isnan(expected) and metric.definition.undefined is None:
            expected = {"GMAP": math.log(0.5), "GMbpref": math.log(0.5), "AllHit": 0.0}.get(name, 0.5)
        assert agree(evaluate_world(metric, world, Convention(undefined=0.5)), expected), name


@pytest.mark.parametrize(("name", "loop"), [("nDCG", DCG), ("nERR", ERR)])
@pace(40)
@given(world=worlds(), given_grades=st.lists(st.sampled_from(grade_scale()), max_size=6), k=st.sampled_from((None, 2)))
def test_an_ideal_from_outside_replaces_the_judged_items(name, loop, world, given_grades, k):
    ideal = [*given_grades, *(grade for grade in world.grades if grade is not None)]  # it has all returned ones
    best = loop(sorted(ideal, reverse=True), [], k=k)
    got = (METRICS[name] @ k).of(world.grades, ideal=ideal, convention=Convention(undefined="nan"))
    assert agree(got, loop(world.grades, [], k=k) / best if best else math.nan)


@pytest.mark.parametrize("name", ["R", "AP", "nDCG", "bpref", "Fallout"])
def test_a_grade_for_unjudged_items_applies_to_returned_items(name):
    """A negative grade is no judgment, and what was not returned is not judged by the rule for returned items."""
    world, convention = World((1, 0), (-1,)), Convention(undefined="nan", unjudged=1, negative="unjudged")
    assert agree(evaluate_world(METRICS[name], world, convention), evaluate_world(METRICS[name], World((1, 0))))


@pytest.mark.parametrize("name", ["CG", "DCG", "nDCG", "Q"])
def test_a_pooled_item_gains_no_more_than_an_unjudged_one(name):
    """Neither was judged, so neither gains anything, also where a judged item of grade 0 would."""
    rules = Convention(gain={0: 1, 1: 2}, rel=0)
    unjudged, pooled = (evaluate_world(METRICS[name], World((grade, 1)), rules) for grade in (None, -1))
    assert agree(pooled, unjudged)


# Ties


@each_averaged
@pace(20)
@given(st.data())
def test_mean_of_ties_is_the_mean_over_all_orders(name, data):
    case, world = data.draw(CASES[name]), data.draw(FEW_ORDERS)
    assume(case.allows(case.metric.definition.ties_mean))
    assert agree(case.kernel(world, ties="mean"), mean(case.loop_in_every_order(world))), (case, str(world))


@each_ordered
@pace(20)
@given(st.data())
def test_best_and_worst_ties_are_the_extremes_of_all_orders(name, data):
    case, world = data.draw(CASES[name]), data.draw(FEW_ORDERS)
    assume(case.allows(case.metric.definition.ordered))
    ends = sorted(case.kernel(world, ties=rule, extreme=True) for rule in ("worst", "best"))
    values = case.loop_in_every_order(world)
    assert agree(ends[0], min(values)), (case, str(world))
    assert agree(ends[1], max(values)), (case, str(world))


@each_metric
@pace(15)
@given(st.data())
def test_ties_are_ordered_by_id_or_input_order(name, data):
    case, world = data.draw(CASES[name]), data.draw(NAMED)
    places = range(len(world.grades))
    as_they_came = sorted(places, key=lambda place: -world.scores[place])
    by_id = sorted(places, key=lambda place: (world.scores[place], world.items[place].encode()), reverse=True)
    backwards = sorted(places, key=lambda place: (-world.scores[place], -place))
    ascending = sorted(places, key=lambda place: (-world.scores[place], world.items[place].encode()))
    rules = {"input": as_they_came, "id": by_id, "input-reversed": backwards, "id-ascending": ascending}
    for rule, order in rules.items():
        # Where a tied pair has a worth of its own, the order makes no difference.
        of_pairs = case.parameters.get("tied", "order") != "order"
        expected = case.loop_over_pairs(world) if of_pairs else case.loop(world, order)
        assert agree(case.kernel(world, ties=rule), expected), (rule, case, str(world))


@pytest.mark.parametrize("name", ["AUC", "GAUC", "PAUC", "TPR"])
@pace(30)
@given(st.data())
def test_tied_pairs_count_the_same_under_every_order(name, data):
    case, world = data.draw(CASES[name]), data.draw(SCORED)
    assume(case.parameters["tied"] != "order")
    for rule in ("mean", "together", "mean-rank", "id"):
        assert agree(case.kernel(world, ties=rule), case.loop_over_pairs(world)), (rule, case, str(world))


@pytest.mark.parametrize(
    ("metric", "tied"),
    [
        (METRICS["Q"](gain="binary", rel=2), (1, 2)),  # both gain 1, and one of them is relevant
        (METRICS["Q"](gain={1: 0, 2: 3}), (0, 1)),  # neither gains anything, and one of them is relevant
        (METRICS["P"](rel=0, k=1), (None, 0)),  # no grade is not a grade of 0
    ],
    ids=str,
)
def test_the_relevant_item_is_the_better_one(metric, tied):
    in_order = [evaluate_world(metric, World(order)) for order in (tied, tied[::-1])]
    for order in (tied, tied[::-1]):
        world = World(order, scores=(1.0, 1.0))
        found = [evaluate_world(metric, world, Convention(ties=rule), extreme=True) for rule in ("worst", "best")]
        assert found == [min(in_order), max(in_order)]


# Many queries


@each_metric
@pytest.mark.parametrize(
    "ties", ["id", "input", "best", "worst", "random", "id-ascending", "input-reversed", "together", "mean-rank"]
)
def test_evaluate_gives_the_value_of_one_list(name, ties):
    """Also with a gain that does not follow the grade: ``best`` is the better grade first, whatever the metric."""
    metric, rules = METRICS[name], Convention(undefined="nan", ties=ties, gain={1: 5, 2: 1})
    metric = metric @ 1 if "k" in metric.definition.parameters else metric
    if not takes_ties(metric, rules):
        return
    for grades in ((None, 0), (1, 2), (2, 1)):
        world = World(grades, (1,), (0.5, 0.5), ("a", "b"))
        judgments = {"a": grades[0], "b": grades[1], "c": 1}
        known = {item: grade for item, grade in judgments.items() if grade is not None}
        scores = evaluate({"q": known}, {"q": {"a": 0.5, "b": 0.5}}, metric, convention=rules)
        assert same(scores[metric].item(), evaluate_world(metric, world, rules)), grades


def values_together(metric: Metric, many: Sequence[World], convention: Convention) -> list[float]:
    together = stacked([rank_world(metric, world, convention).judged for world in many])
    return metric.values(together, convention).tolist()


def values_one_by_one(metric: Metric, many: Sequence[World], convention: Convention) -> list[float]:
    return [evaluate_world(metric, world, convention) for world in many]


def differing(metric: Metric, many: Sequence[World], convention: Convention) -> Iterator[tuple[str, float, float]]:
    """The queries that have other digits among the others than alone."""
    together, alone = values_together(metric, many, convention), values_one_by_one(metric, many, convention)
    for world, among_others, by_itself in zip(many, together, alone, strict=True):
        if not same(among_others, by_itself):
            yield str(world), among_others, by_itself


@each_metric
@pace(12)
@given(st.data())
def test_many_queries_give_the_same_digits_as_one_at_a_time(name, data):
    case, many = data.draw(CASES[name]), data.draw(SEVERAL)
    averaging = ["mean"] if case.allows(case.metric.definition.ties_mean) else []
    for rule in ("input", "best", *averaging):
        assert not [*differing(case.metric, many, case.convention.replace(ties=rule))]


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
def test_many_long_queries_give_the_same_digits_as_one_at_a_time(name, ties):
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
