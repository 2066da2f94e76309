"""Fuzzer of relations: changes of the data whose effect on the values is known, and parts that add up to a whole."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from random import Random
from typing import Any

import rankgauge as rg
from fuzz.cases import Case, expect
from fuzz.forms import difference
from fuzz.oracle import outcome
from fuzz.random_worlds import as_dicts, random_judgments, random_metrics, random_ranking, random_rules, weights_of

NEAR = 1e-9
SAFE_RULES = {"gain", "discount", "rel", "undefined", "r_over", "seed", "negative", "missing"}
"""Rules under which an unjudged item at the end of a list changes nothing that the laws of a metric do not name."""
RELATIONS: dict[str, Callable[[Case], None]] = {}


def relation(function: Callable[[Case], None]) -> Callable[[Case], None]:
    """Register a relation under the name of its function."""
    RELATIONS[function.__name__] = function
    return function


def generate(random: Random) -> Case:
    """Return judgments, two rankings, rules and metrics, and the relation to check."""
    name = random.choice([*RELATIONS])
    judgments = random_judgments(random, 5)
    rules = random_rules(random, random.choice([0, 0.1, 0.2, 0.4]))
    if name == "unjudged_tail":
        rules = {rule: value for rule, value in rules.items() if rule in SAFE_RULES}
    return {
        "relation": name,
        "judgments": judgments,
        "ranking": random_ranking(random, judgments),
        "other": random_ranking(random, judgments),
        "rules": rules,
        "metrics": random_metrics(random, random.choice([1, 4]), rules),
        "order": [random.random() for _ in judgments],
    }


def check(case: Case) -> None:
    """Check the relation of the case."""
    RELATIONS[case["relation"]](case)


def _evaluate(case: Case, judgments: Any = None, ranking: Any = None, rules: Any = None) -> rg.Scores:
    judgments = case["judgments"] if judgments is None else judgments
    return rg.evaluate(
        judgments,
        as_dicts(case["ranking"] if ranking is None else ranking),
        case["metrics"],
        convention=rg.Convention(**(case["rules"] if rules is None else rules)),
        weights=weights_of(judgments, case["rules"]),
    )


def _per_query(scores: rg.Scores) -> dict[str, dict[Any, float]]:
    return {str(metric): scores.per_query(metric) for metric in scores.query_metrics}


def _expect_equal(case: Case, found: Any, expected: Any) -> None:
    differing = difference(found, expected)
    expect(not differing, case["relation"], differing)


def _near(first: float, second: float, scale: float = 1.0) -> bool:
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return math.isclose(first, second, rel_tol=NEAR, abs_tol=NEAR * max(1.0, scale))


@relation
def items_renamed(case: Case) -> None:
    """Ids of the same order give the same values; a shuffle by id does not keep them, nor does a match of texts."""
    if case["rules"].get("ties") == "random" or case["rules"].get("match", "id") != "id":
        return
    judgments = {
        query: {f"z{item}": grade for item, grade in grades.items()} for query, grades in case["judgments"].items()
    }
    ranking = {query: [[f"z{item}", score] for item, score in rows] for query, rows in case["ranking"].items()}
    _expect_equal(case, _per_query(_evaluate(case, judgments, ranking)), _per_query(_evaluate(case)))


@relation
def queries_renamed(case: Case) -> None:
    """Ids of queries do not matter."""
    if case["rules"].get("ties") == "random":
        return
    judgments, ranking = (
        {f"z{query}": value for query, value in case[side].items()} for side in ("judgments", "ranking")
    )
    renamed = _evaluate(case, judgments, ranking)
    expected = {
        name: {f"z{query}": value for query, value in values.items()}
        for name, values in _per_query(_evaluate(case)).items()
    }
    _expect_equal(case, _per_query(renamed), expected)


@relation
def queries_permuted(case: Case) -> None:
    """The order of queries changes neither their values nor, up to rounding, the mean."""
    judged = [query for _, query in sorted(zip(case["order"], case["judgments"], strict=False))]
    judgments = {query: case["judgments"][query] for query in judged}
    permuted = {query: case["ranking"][query] for query in [*reversed([*case["ranking"]])]}
    if case["rules"].get("averaging") == "weighted":
        return  # the weights follow the order
    first, second = _evaluate(case), _evaluate(case, judgments, permuted)
    for metric in first.query_metrics:
        values, moved = first.per_query(metric), second.per_query(metric)
        _expect_equal(case, {query: moved.get(query) for query in values}, values)
    for metric in first.metrics:
        expect(_near(first.mean(metric), second.mean(metric)), f"{case['relation']}: mean", metric)


@relation
def unjudged_query_added(case: Case) -> None:
    """A query without judgments is left out, and reported."""
    ranking = {**case["ranking"], "another": [["d1", 3.0], ["d2", 1.0]]}
    first, second = _evaluate(case), _evaluate(case, None, ranking)
    _expect_equal(case, _per_query(second), _per_query(first))
    counts = [sum(f.count for f in scores.findings if f.code == "RG403") for scores in (first, second)]
    expect(counts[1] == counts[0] + 1, f"{case['relation']}: finding", counts)


@relation
def queries_split(case: Case) -> None:
    """Queries evaluated in two calls have the values of one call."""
    queries = [*case["judgments"]]
    if len(queries) < 2:
        return
    whole = _per_query(_evaluate(case))
    found: dict[str, dict[Any, float]] = {}
    for part in (queries[::2], queries[1::2]):
        judgments = {query: case["judgments"][query] for query in part}
        ranking = {query: rows for query, rows in case["ranking"].items() if query in judgments}
        if not ranking:
            return
        for name, values in _per_query(_evaluate(case, judgments, ranking)).items():
            found.setdefault(name, {}).update(values)
    for name, values in found.items():
        _expect_equal(case, {query: values.get(query) for query in whole[name]}, whole[name])


@relation
def scores_rescaled(case: Case) -> None:
    """Only the order and the sign of scores matter; the precision in which they are compared must not."""
    if case["rules"].get("score_precision") == "float32":
        return
    levels = sorted({abs(score) for rows in case["ranking"].values() for _, score in rows} | {0.0})
    place = {level: number for number, level in enumerate(levels)}
    ranking = {
        query: [[item, math.copysign(place[abs(score)], score)] for item, score in rows]
        for query, rows in case["ranking"].items()
    }
    _expect_equal(case, _per_query(_evaluate(case, None, ranking)), _per_query(_evaluate(case)))


@relation
def unjudged_tail(case: Case) -> None:
    """An unjudged item at the end of each list changes only metrics that say so."""
    ranking = {query: [*rows, ["zz-tail", -1e301]] for query, rows in case["ranking"].items()}
    first, second = _evaluate(case), _evaluate(case, None, ranking)
    for metric in first.query_metrics:
        if "tail" not in metric.definition.breaks:
            _expect_equal(case, {str(metric): second.per_query(metric)}, {str(metric): first.per_query(metric)})


@relation
def explanation_adds_up(case: Case) -> None:
    """An explanation has the value of the query, and its rows add up to it."""
    scores = _evaluate(case)
    query = next(iter(case["judgments"]))
    for metric in scores.query_metrics:
        given = (case["judgments"], as_dicts(case["ranking"]), metric, query)
        explained = rg.explain(*given, convention=rg.Convention(**case["rules"]))
        values = scores.per_query(metric)
        if query in values:
            _expect_equal(case, {str(metric): explained.value}, {str(metric): values[query]})
        rows = math.fsum(row.contribution for row in explained.steps.rows) + (explained.steps.rest or 0.0)
        size = max([abs(row.contribution) for row in explained.steps.rows], default=1.0)
        expect(
            _near(rows, explained.steps.total, size),
            f"{case['relation']}: rows",
            f"{metric}: {rows} {explained.steps.total}",
        )
        if explained.below:
            quotient = explained.steps.total / explained.below
            expect(
                _near(quotient, explained.quotient),
                f"{case['relation']}: quotient",
                f"{metric}: {quotient} {explained.quotient}",
            )


@relation
def attribution_adds_up(case: Case) -> None:
    """The pieces of a query add up to its change, and the contributions of queries to the difference."""
    rules = rg.Convention(**case["rules"])
    for metric in case["metrics"]:
        sides = (as_dicts(case["ranking"]), as_dicts(case["other"]))
        weights = weights_of(case["judgments"], case["rules"])
        kind, found = outcome(
            lambda m=metric, s=sides, w=weights: rg.attribute(case["judgments"], *s, m, convention=rules, weights=w)
        )
        if kind != "value":
            continue
        total = math.fsum(change.contribution for change in found.queries)
        total += found.unpaired.contribution if found.unpaired else 0.0
        expect(
            _near(total, found.difference, max(map(abs, found.means))),
            "attribution of queries",
            f"{metric}: {total} {found.difference}",
        )
        for change in found.queries:
            part = found.query(change.query)
            pieces = [*(item.change for item in part.items), *(piece.change for piece in part.pieces)]
            size = max([abs(part.first), abs(part.second), *map(abs, pieces)])
            expect(
                _near(math.fsum(pieces), part.change, size), "attribution of items", f"{metric}: {pieces} {part.change}"
            )
            _expect_equal(case, [part.first, part.second], [change.first, change.second])


@relation
def attribution_reversed(case: Case) -> None:
    """The attribution from second to first is that from first to second with the opposite sign."""
    rules = rg.Convention(**case["rules"])
    sides = [as_dicts(case["ranking"]), as_dicts(case["other"])]
    weights = weights_of(case["judgments"], case["rules"])
    forward, backward = (
        rg.attribute(case["judgments"], *pair, case["metrics"][0], convention=rules, weights=weights)
        for pair in (sides, sides[::-1])
    )
    expect(
        _near(forward.difference, -backward.difference), case["relation"], f"{forward.difference} {backward.difference}"
    )
    other = {change.query: change for change in backward.queries}
    for change in forward.queries:
        expect(_near(change.contribution, -other[change.query].contribution), f"{case['relation']}: query", change)


@relation
def unjudged_bounds_hold(case: Case) -> None:
    """The mean, and that of random judgments of the unjudged items, lie within the bounds."""
    rules = rg.Convention(**case["rules"])
    weights = weights_of(case["judgments"], case["rules"])
    for metric in case["metrics"]:
        kind, bounds = outcome(
            lambda m=metric: rg.unjudged_bounds(
                case["judgments"], {"s": as_dicts(case["ranking"])}, m, convention=rules, weights=weights
            )
        )
        if kind != "value" or bounds["s"].lowest is None or bounds["s"].highest is None:
            continue
        low, high = bounds["s"].lowest, bounds["s"].highest
        size = max(abs(low), abs(high))
        if math.isnan(low) or math.isnan(high):
            continue
        # The mean is that of other lists, or of an ideal order that no judgments give.
        removed = "removed" in str(case["rules"].get("unjudged")) or case["rules"].get("unjudged_in_ideal") == "no"
        judged = _judged_at_random(case, bounds.grade)
        kind, after = outcome(lambda m=metric, j=judged: _evaluate({**case, "metrics": [m]}, j).mean(m))
        means = [] if removed else [bounds["s"].mean, *([after] if kind == "value" else [])]
        for mean in (bounds["s"].none, bounds["s"].all, *means):
            within = low - NEAR * max(1, size) <= mean <= high + NEAR * max(1, size)
            expect(within or math.isnan(mean), case["relation"], f"{metric}: {mean} not in {low} to {high} {bounds}")


def _judged_at_random(case: Case, top: float) -> dict[str, dict[str, float]]:
    """Return judgments in which every returned item of a judged query has a grade up to the top one."""
    random = Random(repr(case["order"]))
    grades = [grade for grade in (0, 1, 2, 3, top) if grade <= top]
    return {
        query: {**{item: random.choice(grades) for item, _ in case["ranking"].get(query, ())}, **known}
        for query, known in case["judgments"].items()
    }


@relation
def tie_bounds_hold(case: Case) -> None:
    """Every tie rule gives a value between those of the best and the worst order."""
    query = next((query for query in case["judgments"] if query in case["ranking"]), None)
    if query is None:
        return
    rows, grades = case["ranking"][query], case["judgments"][query]
    listed = {"scores": [score for _, score in rows], "items": [item for item, _ in rows], "ideal": [*grades.values()]}
    for name in case["metrics"]:
        metric = rg.parse(name)
        for ties in ("id", "input", "mean", "random"):
            rules = rg.Convention(**{**case["rules"], "ties": ties})
            values = [grades.get(item) for item, _ in rows]
            kind, bounds = outcome(lambda m=metric, v=values, r=rules: m.bounds(v, convention=r, **listed))
            value_kind, value = outcome(lambda m=metric, v=values, r=rules: m.of(v, convention=r, **listed))
            if kind != "value" or value_kind != "value" or math.isnan(value) or math.isnan(bounds.low + bounds.high):
                continue
            size = NEAR * max(1.0, abs(bounds.low), abs(bounds.high))
            expect(
                bounds.low - size <= value <= bounds.high + size, case["relation"], f"{metric} {ties}: {value} {bounds}"
            )


@relation
def comparison_mirrored(case: Case) -> None:
    """Comparing b with a is comparing a with b, with the opposite sign."""
    rules = rg.Convention(**case["rules"])
    systems = {"a": as_dicts(case["ranking"]), "b": as_dicts(case["other"])}
    options = {
        "convention": rules,
        "permutations": 200,
        "resamples": 200,
        "weights": weights_of(case["judgments"], case["rules"]),
    }
    compared = rg.compare(case["judgments"], systems, case["metrics"][0], **options)
    forward, backward = (compared.pair(*names).to_dict() for names in ("ab", "ba"))
    for key, sign in (("difference", -1), ("p_t", 1), ("p_randomisation", 1), ("p_wilcoxon", 1), ("p_sign", 1),
                      ("p_bootstrap", 1), ("d_z", -1), ("hedges_g", -1), ("detectable", 1), ("deviation", 1)):  # fmt: skip
        one, other = (math.nan if pair[key] is None else pair[key] for pair in (forward, backward))
        expect(_near(one, sign * other), f"{case['relation']}: {key}", f"{one} {other}")
    for low, high in (("interval_low", "interval_high"), ("bootstrap_low", "bootstrap_high")):
        one, other = (math.nan if value is None else value for value in (forward[low], backward[high]))
        expect(_near(one, -other), f"{case['relation']}: {low}", f"{one} {other}")
    expect((forward["wins"], forward["losses"]) == (backward["losses"], backward["wins"]), f"{case['relation']}: wins")


@relation
def systems_together(case: Case) -> None:
    """A system has the same values alone and among others."""
    options = {"convention": rg.Convention(**case["rules"]), "weights": weights_of(case["judgments"], case["rules"])}
    systems = {"a": as_dicts(case["ranking"]), "b": as_dicts(case["other"])}
    together = rg.evaluate(case["judgments"], systems, case["metrics"], **options)
    for name, ranking in systems.items():
        alone = rg.evaluate(case["judgments"], ranking, case["metrics"], **options)
        _expect_equal(case, _per_query(together.system(name)), _per_query(alone))
        for metric in alone.metrics:
            _expect_equal(case, together.mean(metric, name), alone.mean(metric))


@relation
def json_round_trip(case: Case) -> None:
    """JSON holds every digit; conventions and metrics are what their text says."""
    rules = rg.Convention(**case["rules"])
    scores = _evaluate(case)
    data = json.loads(scores.to_json(), parse_constant=_no_constant)
    columns = {
        name: {query: values.get(name) for query, values in data["per_query"].items()} for name in case["metrics"]
    }
    expected = {str(metric): scores.per_query(metric) for metric in scores.query_metrics}
    for name, values in expected.items():
        _expect_equal(case, {query: columns[name].get(query) for query in values}, values)
    for metric in scores.metrics:
        expect(rg.parse(str(metric)) == metric, f"{case['relation']}: metric", metric)
    expect(rg.Convention(**json.loads(json.dumps(rules.to_dict()))) == rules, f"{case['relation']}: rules", rules)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


@relation
def curve_holds_the_values(case: Case) -> None:
    """A curve at k is the metric at k."""
    query = next((query for query in case["judgments"] if query in case["ranking"]), None)
    if query is None:
        return
    rows, grades = case["ranking"][query], case["judgments"][query]
    values = [grades.get(item) for item, _ in rows]
    rules = rg.Convention(**case["rules"])
    listed = {"scores": [score for _, score in rows], "items": [item for item, _ in rows], "ideal": [*grades.values()]}
    for name in case["metrics"]:
        metric = rg.parse(name)
        if "k" not in metric.definition.parameters:
            continue
        curve = metric.curve(values, convention=rules, **listed)
        for k, value in enumerate(curve.values, start=1):
            _expect_equal(case, {k: value}, {k: (metric @ k).of(values, convention=rules, **listed)})


@relation
def gate_accepts_itself(case: Case) -> None:
    """A ranking does not regress against itself, whether the baseline is a ranking or its scores."""
    rules, ranking = rg.Convention(**case["rules"]), as_dicts(case["ranking"])
    metric = case["metrics"][0]
    weights = weights_of(case["judgments"], case["rules"])
    for baseline in (ranking, _evaluate(case)):
        result = rg.check(
            case["judgments"], ranking, [f"{metric} drops 0.001"], baseline=baseline, convention=rules, weights=weights
        )
        expect(result.passed, case["relation"], result)
