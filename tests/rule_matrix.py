"""Every value of every rule with every metric, and pairs of rules, against the loops of ``slow_rules.py``.

``make rules`` runs all of it and prints how many pairs and values were compared; ``test_rule_matrix.py`` a sample.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import rankgauge as rg
from reference import REFERENCES
from registries import RULES, Stage
from shared_ranks import LOOPS, SHARE
from slow_rules import Entry, possible_values, slow_values

GAIN_TABLE = {-1: -2, 0: 0.25, 0.5: 1, 1: 1, 1.5: 2, 2: 3, 3: 5, 4: 9}
VALUES: dict[str, tuple[Any, ...]] = {
    "gain": ("linear", "exp2", "binary", "exp2-rel", "binary-rel", GAIN_TABLE),
    "discount": ("log2(i+1)", "log2(i)", "1/i", "none", "jk(2)", "jk(3)"),
    "rel": (1, 2, 0, 0.5, ">1"),
    "max_grade": (4, 5, "largest"),
    "denominator_plus": (0, 0.5),
    "user_depth": ("endless", "lists", 2),
    "undefined": (0, 1, 0.5, "nan", "skip"),
    "rounding": ("none", 0, 2),
    "no_queries": ("nan", 0),
    "unjudged": ("nonrelevant", "removed", "removed-after-cut", 0, 1, 3),
    "seed": (0, 1),
}
"""Values of rules that take more than named ones."""
ELSEWHERE = {
    "per_metric": "made of the others; every rule of a single metric is tried both ways",
    "units": "test_units_and_gold.py: items are renamed before any rule of the matrix acts",
    "match": "test_units_and_gold.py and, for spans and budgets, test_spans.py: items are matched before any rule acts",
    "intent_over": "test_beyond.py: metrics of subtopics",
}
"""Rules that need other data, and where they are tried."""
NO_NUMBER = {"error", "given"}
"""Values that give no number, or need more than judgments and rankings."""
EXCEPTIONS = {frozenset({"undefined=nan", "no_relevant=skip"}): "once queries are left out, all without a value are"}
"""Combinations whose means differ from the texts, with the reason; their values of queries are compared."""
TOLERANCE = 1e-9
PARAMETERS = {"Compat": {"p": 0.5}}
"""Other parameters than the defaults, where the loop would be long."""
LISTS = (Stage.MATCHING, Stage.GRADES, Stage.ORDER)
"""The stages that form the list; their rules act on the same items, so that they are paired with each other."""


class World(NamedTuple):
    """Judgments and rows of a ranking, with what the rules need."""

    judgments: dict[str, dict[str, float]]
    rows: list[tuple[str, str, float]]
    weights: dict[str, float]


@cache
def world(seed: int, grades: str = "any", *, copies: bool = False, beside: bool = False) -> World:
    """Queries with ties, holes, negative and fractional grades, short lists, nothing relevant and nothing returned.

    With ``beside``, the copies of an item have equal scores.
    """
    chance = random.Random(f"{seed} {grades}")
    scale = {"any": (-1, 0, 0, 0.5, 1, 1, 1.5, 2, 3), "chances": (0, 0.25, 0.5, 1)}[grades]
    judgments, rows = {}, []
    for number in range(5):
        query, items = f"q{number}", [f"d{place}" for place in chance.sample(range(5, 15), 9)]
        judged = chance.sample(items, chance.randrange(2, 8))
        judgments[query] = {
            item: chance.choice((0, 0, -1) if number == 3 and grades == "any" else scale) for item in judged
        }
        returned = chance.sample(items, 1 if number == 2 else chance.randrange(3, 6))
        if copies and number != 2:
            returned += chance.sample(returned, chance.randrange(1, 3))
        scores = [round(place / 2 * chance.choice((0.5, 0.7, 1)), 1) - 0.7 for place in range(len(returned))]
        scores = [scores[returned.index(item)] for item in returned] if beside else scores
        tied = Counter(scores) if not beside or number % 2 else {}
        rows += [
            (query, item, score + (1e-9 * place if tied.get(score, 0) > 2 else 0))
            for place, (item, score) in enumerate(zip(returned, scores, strict=True))
        ]
    judgments["missing"] = {"d1": 1, "d2": 0}
    return World(judgments, rows, {query: chance.choice((0.5, 1, 2)) for query in judgments})


@cache
def metrics() -> tuple[rg.Metric, ...]:
    """Every metric of grades, with and without a cutoff."""
    known = [metric(**PARAMETERS.get(name, {})) for name, metric in rg.metrics().items() if name in REFERENCES]
    return tuple(
        cut for metric in known for cut in ([metric, metric @ 3] if "k" in metric.definition.parameters else [metric])
    )


def values_of(rule: str) -> list[Any]:
    """The values of a rule other than the default that give a number."""
    values = VALUES.get(rule) or tuple(RULES[rule].values)
    default = getattr(rg.Convention(), rule)
    return [value for value in values if value != default and not (isinstance(value, str) and value in NO_NUMBER)]


def rules_tried() -> list[str]:
    return [rule for rule in RULES if rule not in ELSEWHERE]


def singles() -> Iterator[dict[str, Any]]:
    """Each value of each rule alone, with what it needs to act."""
    for rule in rules_tried():
        for value in values_of(rule):
            yield {rule: value}


def pairs() -> Iterator[dict[str, Any]]:
    """Pairs of values of two rules that act at the same stage, or both on the list."""
    for first, second in itertools.combinations(rules_tried(), 2):
        stages = RULES[first].stage, RULES[second].stage
        if stages[0] == stages[1] or {*stages} <= {*LISTS}:
            for one, other in itertools.product(values_of(first), values_of(second)):
                yield {first: one, second: other}


def triples() -> Iterator[dict[str, Any]]:
    """Values of the three rules that say what is tied, in which order, and which copies count."""
    rules = ("ties", "duplicates", "score_precision")
    for values in itertools.product(*map(values_of, rules)):
        yield dict(zip(rules, values, strict=True))


def completed(rules: Mapping[str, Any]) -> dict[str, Any]:
    """The rules, with those that others need to act or to be defined."""
    needed: dict[str, Any] = {}
    if "unjudged_in_ideal" in rules:
        needed["unjudged"] = 1
    if "seed" in rules:
        needed["ties"] = "random"
    if "k_counts" in rules:
        needed["duplicates"] = "close-up" if rules["k_counts"] == "returned" else "first"
    if "no_queries" in rules:
        needed["no_relevant"] = "skip"
    return needed | dict(rules)


@dataclass
class Tally:
    """What was compared."""

    pairs: set[tuple[str, ...]] = field(default_factory=set)
    """Values of rules with metrics: each by its text."""
    refused: set[tuple[str, ...]] = field(default_factory=set)
    values: int = 0
    differences: list[str] = field(default_factory=list)

    def compare(
        self, rules: Mapping[str, Any], data: World, chosen: Sequence[rg.Metric], *, alone: bool = False
    ) -> None:
        """Compare the metrics under these rules, or with these rules for each metric ``alone``, with their loops."""
        convention = rg.Convention(**rules)
        called = rg.Convention(per_metric={metric.name: dict(rules) for metric in chosen}) if alone else convention
        weights = {"weights": data.weights} if convention.averaging == "weighted" else {}
        for metric, scores in evaluated(data, chosen, called, weights):
            name = (str(metric), *["alone"] * alone, *(f"{rule}={value}" for rule, value in rules.items()))
            if scores is None:
                self.refused.add(name)
                continue
            self.pairs.add(name)
            self._compare(metric, scores, data, convention, name)

    def _compare(
        self, metric: rg.Metric, scores: rg.Scores, data: World, convention: rg.Convention, name: tuple[str, ...]
    ) -> None:
        got = scores.per_query(metric)
        if convention.ties == "random":
            self._compare_possible(metric, got, data, convention, name)
            return
        expected, mean = slow_values(metric, data.judgments, data.rows, convention, data.weights)
        if {*got} != {*expected}:
            self.differences.append(f"{name}: queries {sorted(got)} instead of {sorted(expected)}")
            return
        wrong = {q: (got[q], expected[q]) for q in got if not agree(got[q], expected[q])}
        own = scores.mean(metric)
        weighs = metric.definition.summary.weighs_queries  # test_auc.py has the means of GAUC
        if not agree(own, mean) and not weighs and not any(pair <= {*name} for pair in EXCEPTIONS):
            wrong["all"] = own, mean
        self.values += len(got) + 1
        if wrong:
            self.differences.append(f"{name}: {wrong}")

    def _compare_possible(
        self, metric: rg.Metric, got: Mapping[Any, float], data: World, convention: rg.Convention, name: tuple[str, ...]
    ) -> None:
        """A shuffle gives one of the orders of the tied items."""
        for query, value in got.items():
            entries = [Entry(item, score, place) for place, (q, item, score) in enumerate(data.rows) if q == query]
            expected = possible_values(metric, entries, data.judgments[query], convention)
            self.values += 1
            if not any(agree(value, one) for one in expected):
                self.differences.append(f"{name}: {query} {value} is none of {expected}")


def agree(got: float, expected: float) -> bool:
    if math.isnan(got) or math.isnan(expected):
        return math.isnan(got) and math.isnan(expected)
    return math.isclose(got, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def evaluated(
    data: World, chosen: Sequence[rg.Metric], convention: rg.Convention, weights: Mapping[str, Any]
) -> Iterator[tuple[rg.Metric, rg.Scores | None]]:
    """Each metric with the scores that hold it; None if the rules are refused for it."""
    try:
        scores = rg.evaluate(data.judgments, data.rows, [*chosen], convention=convention, **weights)
    except rg.RankgaugeError:
        for metric in chosen:
            if len(chosen) == 1:
                yield metric, None
            else:
                yield from evaluated(data, [metric], convention, weights)
        return
    for metric in chosen:
        yield metric, scores


def reading(rules: Mapping[str, Any]) -> list[rg.Metric]:
    """The metrics whose number all of these rules can change."""
    looped = [metric for metric in metrics() if rules.get("ties") not in SHARE or metric.name in LOOPS]
    return [metric for metric in looped if all(rule in metric.definition.applicable_rules for rule in rules)]


def compare(tally: Tally, rules: Mapping[str, Any], seeds: Sequence[int]) -> None:
    """Compare these rules on some worlds, also as rules of single metrics."""
    full, chosen = completed(rules), reading(rules)
    if not chosen:
        return
    copies = any(rule in full for rule in ("duplicates", "k_counts"))
    grades = "chances" if full.get("stop") == "grade" else "any"
    for seed in seeds:
        data = world(seed, grades, copies=copies)
        tally.compare(full, data, chosen)
        if copies:
            tally.compare(full, world(seed, grades, copies=True, beside=True), chosen)
        if all(RULES[rule].is_per_metric for rule in full) and can_be_alone(full):
            usual = [m for m in chosen if "undefined" not in full or m.definition.undefined is None]
            tally.compare(full, data, usual, alone=True)


def can_be_alone(rules: Mapping[str, Any]) -> bool:
    """Whether a single metric can have these rules: an order of tied items by ids or input is that of all metrics."""
    try:
        rg.Convention(per_metric={"P": dict(rules)})
    except rg.RankgaugeError:
        return False
    return True


def main() -> int:
    """Run the whole matrix, print the counts and the differences; the exit code is 1 if there are any."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--worlds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", type=float, default=1.0)
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.worlds)
    chance, failed = random.Random(given.seed), False
    for title, combinations in (
        ("values of rules x metrics", singles()),
        ("pairs of values x metrics", pairs()),
        ("triples of values x metrics", triples()),
    ):
        tally, tried = Tally(), 0
        for rules in combinations:
            if (given.only and given.only not in str(rules)) or chance.random() > given.sample:
                continue
            tried += 1
            compare(tally, rules, seeds)
        print(  # noqa: T201
            f"{title}: {tried} settings, {len(tally.pairs):,} compared ({tally.values:,} values), "
            f"{len(tally.refused - tally.pairs):,} refused, {len(tally.differences)} differ"
        )
        print("\n".join(tally.differences))  # noqa: T201
        failed |= bool(tally.differences)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
