"""The rules of a convention as slow loops over the items of a query, written from the printed texts of the rules.

``slow_values`` takes judgments and a ranking, and returns the value of each query and of all queries together: the
items in order, with the grades and places that the rules give them, go to the loops of ``reference.py``.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, permutations, product
from statistics import median
from typing import Any, NamedTuple

import rankgauge as rg
from reference import (
    COPY,
    DISCOUNTS,
    GAINS,
    LAST,
    PLUS,
    POOLED,
    REFERENCES,
    Grade,
    Marked,
    is_judged,
    relevant_in_all,
    table,
)
from shared_ranks import LOOPS, SHARE, shared

PAIRS = {"AUC", "GAUC", "PAUC", "TPR"}
"""Metrics that count tied pairs themselves, unless the rule for ties says which of them wins."""
LOWEST = 0.00001
"""Lower values count as this in a geometric mean."""


class Entry(NamedTuple):
    """One place of a list as returned."""

    item: str
    score: float
    place: int
    """In the order of the input."""


@dataclass
class SlowList:
    """A list after the rules for grades and order, with the cutoff that the metric gets."""

    ranking: list[Grade]
    unreturned: list[float]
    k: int | None
    is_short: bool
    """Whether fewer than k items were returned, as the rules count them."""
    scores: list[float]
    """The score of each place."""


# The order of the items


def single(score: float) -> float:
    return struct.unpack("f", struct.pack("f", score))[0]


def in_order(entries: Sequence[Entry], grades: Mapping[str, float], rules: rg.Convention) -> Iterator[list[Entry]]:
    """The list in the order that the rule for ties gives, or in every order that it leaves open."""

    def key(entry: Entry) -> float:
        return -(single(entry.score) if rules.score_precision == "float32" else entry.score)

    runs = [[*run] for _, run in groupby(sorted(entries, key=key), key)]  # in input order where scores are equal
    match rules.ties:
        case "id":
            orders = [[sorted(run, key=lambda entry: entry.item.encode(), reverse=True)] for run in runs]
            orders = [[stable_copies(run) for run in choices] for choices in orders]
        case "id-ascending":
            orders = [[sorted(run, key=lambda entry: entry.item.encode())] for run in runs]
        case "input" | "together" | "mean-rank":
            orders = [[run] for run in runs]
        case "input-reversed":
            orders = [[run[::-1]] for run in runs]
        case "best" | "worst":
            sign, later = -1 if rules.ties == "best" else 1, later_copies(runs)
            orders = [
                [sorted(run, key=lambda entry: (sign * worth(entry, grades, rules), entry.place in later))]
                for run in runs
            ]
        case "mean" if rules.duplicates == "close-up":
            orders = [[*map(list, permutations(without_copies(run)))] for run in runs]
        case _:
            orders = [[*map(list, permutations(run))] for run in runs]
    for chosen in product(*orders):
        yield [entry for run in chosen for entry in run]


def stable_copies(run: list[Entry]) -> list[Entry]:
    """Copies of an item in input order."""
    return [
        entry for _, copies in groupby(run, lambda entry: entry.item) for entry in sorted(copies, key=lambda c: c.place)
    ]


def later_copies(runs: Sequence[Sequence[Entry]]) -> set[int]:
    """The places of all copies but the first of each item."""
    entries = [entry for run in runs for entry in run]
    first = {entry.item: entry.place for entry in reversed(entries)}
    return {entry.place for entry in entries if entry.place != first[entry.item]}


def without_copies(run: list[Entry]) -> list[Entry]:
    """The first of the copies with equal scores of each item."""
    return [*{entry.item: entry for entry in reversed(run)}.values()]


def worth(entry: Entry, grades: Mapping[str, float], rules: rg.Convention) -> float:
    """The grade by which tied items are ordered; an unjudged item has 0, and a judged one is better than that."""
    grade = graded(grades.get(entry.item), rules)
    if is_judged(grade):
        return 1000.0 * float(grade) + 1
    return 1000.0 * (0.0 if isinstance(rules.unjudged, str) else rules.unjudged)


# The grades of the items


def graded(grade: float | None, rules: rg.Convention) -> Grade:
    """A grade of the judgments under the rules for fractions and negative grades."""
    if grade is None:
        return None
    grade = float(math.trunc(grade)) if rules.fractions == "cut" else grade
    if grade >= 0:
        return grade
    return {"unjudged": POOLED, "zero": 0.0, "keep": grade}[rules.negative]


def slow_list(order: Sequence[Entry], grades: Mapping[str, float], k: int | None, rules: rg.Convention) -> SlowList:
    """The list that a metric sees, of items in this order."""
    seen: set[str] = set()
    later = [entry.item in seen or seen.add(entry.item) is not None for entry in order]
    short = k is not None and is_short(order, k, rules)
    if rules.duplicates == "close-up":
        if k is not None and rules.k_counts == "returned":
            k -= sum(later[:k])
        order = [entry for entry, copy in zip(order, later, strict=True) if not copy]
        later = [False] * len(order)
    elif k is not None and rules.k_counts == "different":
        k = grown(k, later)
    places: list[tuple[Grade, float]] = []
    for entry, copy in zip(order, later, strict=True):
        place = placed_grade(entry, copy, grades, rules)
        if place != "removed":
            places.append((place, entry.score if rules.score_precision == "float64" else single(entry.score)))
    if k is not None and rules.tied_at_k == "all":
        while 0 < k < len(places) and places[k - 1][1] == places[k][1]:
            k += 1
    names = {entry.item for entry in order}
    if rules.unjudged == "removed-after-cut":
        places = [(grade, score) for grade, score in (places if k is None else places[:k]) if is_judged(grade)]
        names = {entry.item for entry in (order if k is None else order[:k])}
    ranking, scores = [grade for grade, _ in places], [score for _, score in places]
    rest = [graded(grade, rules) for item, grade in grades.items() if item not in names]
    if rules.k_counts == "places":
        short = k is not None and sum(grade != COPY for grade in ranking) < k
    return SlowList(ranking, [grade for grade in rest if grade != POOLED], k, short, scores)


def is_short(order: Sequence[Entry], k: int, rules: rg.Convention) -> bool:
    """Whether the list is shorter than k places as returned, or has fewer than k different items."""
    return (len(order) if rules.k_counts == "returned" else len({entry.item for entry in order})) < k


def grown(k: int, later: Sequence[bool]) -> int:
    """The cutoff k, larger by each copy above it."""
    for place, copy in enumerate(later, start=1):
        if copy and place <= k:
            k += 1
    return k


def placed_grade(entry: Entry, copy: bool, grades: Mapping[str, float], rules: rg.Convention) -> Grade:
    """What stands at the place of an item, or ``removed``."""
    own = graded(grades.get(entry.item), rules)
    if copy and rules.duplicates in {"first", "set"}:
        if rules.unjudged == "removed" and not is_judged(own):
            return "removed"
        return COPY if rules.duplicates == "set" else None
    if is_judged(own):
        return Marked.of(own, counted=not copy, positive=entry.score > 0)
    if rules.unjudged == "removed":
        return "removed"
    if isinstance(rules.unjudged, str):
        return own
    return Marked.of(rules.unjudged, counted=not copy and rules.unjudged_in_ideal == "yes", positive=entry.score > 0)


# The value of a query


@cache
def loop_parameters(metric: rg.Metric, rules: rg.Convention) -> dict[str, Any]:
    """What the loop of the metric is told."""
    told = {}
    for name, parameter in metric.definition.parameters.items():
        if name in {"k", "judged_only"}:
            continue
        value = metric.parameters.get(name, parameter.default)
        if parameter.rule is not None and value is None:
            value = getattr(rules, parameter.rule)
        if parameter.rule == "gain":
            value = slow_gain(value, rules)
        elif parameter.rule == "discount":
            value = DISCOUNTS[value]
        told[name] = value
    return told


def slow_gain(gain: Any, rules: rg.Convention) -> Any:
    """A gain by its name, with those that read the relevance level."""
    if isinstance(gain, str) and gain.endswith("-rel"):
        if gain == "binary-rel":
            return lambda grade: 1.0 if grade >= rules.rel else 0.0
        return lambda grade: 2 ** (grade - rules.rel + 1) - 1 if grade >= rules.rel else 0.0
    return GAINS[gain] if isinstance(gain, str) else table(dict(gain))


class SlowValue(NamedTuple):
    """The value of one query, or what keeps it out of the mean."""

    value: float
    above: float = math.nan
    below: float = math.nan
    skipped: bool = False


def slow_value(
    metric: rg.Metric, entries: Sequence[Entry], grades: Mapping[str, float], rules: rg.Convention
) -> SlowValue:
    """The value of one query: of its order, or the mean over all orders that are open."""
    values = [*values_in_order(metric, entries, grades, rules)]
    value, above, below = (
        math.fsum(column) / len(values) for column in zip(*(found for found, _ in values), strict=True)
    )
    return after_rules(value, above, below, values[0][1], metric, rules)


def possible_values(
    metric: rg.Metric, entries: Sequence[Entry], grades: Mapping[str, float], rules: rg.Convention
) -> list[float]:
    """The value of one query in each of the orders that are open."""
    found = values_in_order(metric, entries, grades, rules)
    return [after_rules(*value, own, metric, rules).value for value, own in found]


def values_in_order(
    metric: rg.Metric, entries: Sequence[Entry], grades: Mapping[str, float], rules: rg.Convention
) -> Iterator[tuple[tuple[float, float, float], SlowList]]:
    """Value, numerator and denominator of the formula, and the list, in each order."""
    parameters = loop_parameters(metric, rules)
    loop = REFERENCES[metric.name]
    takes_k = "k" in metric.definition.parameters
    for order in in_order(entries, grades, rules):
        own = slow_list(order, grades, metric.k, rules)
        more = {}
        if metric.name in PAIRS and parameters["tied"] != "order" and rules.ties not in {"best", "worst"}:
            more["places"] = tied_places(order, grades, rules)
        PLUS[0], LAST[0] = rules.denominator_plus, (math.nan, math.nan)
        cut = {"k": own.k} if takes_k else {}
        try:
            if rules.ties in SHARE:
                lists = shared(own.ranking, own.scores, SHARE[rules.ties]), own.ranking, own.unreturned
                value = LOOPS[metric.name](lists, **cut, **parameters, **more)
            else:
                value = loop(own.ranking, own.unreturned, **cut, **parameters, **more)
        finally:
            PLUS[0] = 0.0
        yield (value, *LAST[0]), own
        if more:
            break


def tied_places(order: Sequence[Entry], grades: Mapping[str, float], rules: rg.Convention) -> list[float]:
    """A place for each item of the list, the same for equal scores."""
    seen: set[str] = set()
    places = []
    for entry in order:
        copy = entry.item in seen
        seen.add(entry.item)
        if copy and rules.duplicates == "close-up":
            continue
        grade = placed_grade(entry, copy, grades, rules)
        if grade == "removed" or (rules.unjudged == "removed-after-cut" and not is_judged(grade)):
            continue
        places.append(-(single(entry.score) if rules.score_precision == "float32" else entry.score))
    return places


def after_rules(
    value: float, above: float, below: float, own: SlowList, metric: rg.Metric, rules: rg.Convention
) -> SlowValue:
    """The rules after the formula: 0/0, short lists, rounding, nothing relevant."""
    skipped = False
    if math.isnan(value):
        undefined = rules.undefined
        if metric.definition.undefined is not None and undefined != "error":
            undefined = metric.definition.undefined
        skipped = undefined == "skip"
        value = undefined_value(metric, undefined)
    if rules.short_list == "zero" and own.is_short:
        value, skipped = 0.0, False
    if rules.rounding != "none" and not math.isnan(value):
        value = math.floor(value * 10**rules.rounding + 0.5) / 10**rules.rounding
    if rules.no_relevant != "computed" and not relevant_in_all(own.ranking, own.unreturned, float(rules.rel)):
        value, skipped = (math.nan, True) if rules.no_relevant == "skip" else (0.0, False)
    return SlowValue(value, above, below, skipped)


def undefined_value(metric: rg.Metric, undefined: float | str) -> float:
    if isinstance(undefined, str):
        return math.nan
    match metric.name:
        case "GMAP" | "GMbpref":
            return math.log(max(undefined, metric.parameters.get("floor", 1e-5)))
        case "AllHit":
            return float(math.floor(undefined))
    return float(undefined)


# All queries


def slow_values(
    metric: rg.Metric,
    judgments: Mapping[str, Mapping[str, float]],
    rows: Sequence[tuple[str, str, float]],
    rules: rg.Convention,
    weights: Mapping[str, float],
) -> tuple[dict[str, float], float]:
    """The value of each query, and of all of them together."""
    values: dict[str, SlowValue] = {}
    for query, grades in judgments.items():
        entries = [Entry(item, score, place) for place, (own, item, score) in enumerate(rows) if own == query]
        if not entries and rules.missing == "skip":
            continue
        values[query] = slow_value(metric, entries, grades, rules)
    counted = {query: found for query, found in values.items() if not found.skipped}
    return {query: found.value for query, found in values.items()}, slow_summary(metric, counted, rules, weights)


def slow_summary(
    metric: rg.Metric, counted: Mapping[str, SlowValue], rules: rg.Convention, weights: Mapping[str, float]
) -> float:
    """The values of all queries, combined."""
    values, summary = [found.value for found in counted.values()], metric.definition.summary
    if not values:
        return float(rules.no_queries)
    if summary.is_count and rules.counts == "sum":
        return math.fsum(values)
    if summary.of_logarithms:
        return math.exp(math.fsum(values) / len(values))
    match rules.averaging:
        case "geometric":
            return math.exp(math.fsum(math.log(max(value, LOWEST)) for value in values) / len(values))
        case "median":
            return median(values)
        case "weighted":
            total = math.fsum(weights[query] for query in counted)
            return math.fsum(weights[query] * found.value for query, found in counted.items()) / total
        case "pooled" if not summary.is_count:
            below = math.fsum(found.below for found in counted.values())
            return math.fsum(found.above for found in counted.values()) / below if below else math.nan
    return math.fsum(values) / len(values)
