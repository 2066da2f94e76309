"""How often reconcile calls a number likely that no tool gave: anywhere, near the tools' values, of other rankings.

``python tests/reconcile_rates.py`` prints the rates that docs/presets.md states.
"""

from __future__ import annotations

import argparse
import math
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import rankgauge as rg

DECIMALS = (2, 3, 4)
SETS = (
    (1, False, "nDCG@5"),
    (2, True, "AP@5"),
    (5, False, "nDCG@10"),
    (5, True, "P@10"),
    (10, False, "AP"),
    (20, True, "nDCG@10"),
    (20, False, "RR@10"),
    (1, False, "P(rel=2)@10"),
    (2, False, "RR@10"),
    (5, False, "HR@10"),
    (5, False, "R@10"),
)
"""Queries, whether scores tie, and the metric."""
NEAR = 0.05
"""A number near the tools' values is that of a tool, moved by at most this much."""


class Rates(NamedTuple):
    """Shares of numbers with a match, and with one that is called likely."""

    any: float
    likely: float


OtherRanking = Callable[[random.Random], float]
"""Draws the value of the metric for another ranking of the same items."""


def data_sets() -> Iterator[tuple[rg.Reconciliation, OtherRanking]]:
    """One list, and 1 to 20 queries with and without ties, for nDCG, AP, P, R, RR and HR."""
    ideal = [5, 4, 3, 2, 2, 1, 0]
    yield (
        rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=ideal),
        lambda chance: (rg.nDCG @ 5).of(chance.sample([5, 3, 2, 1, 2], 5), ideal=ideal),
    )
    for place, (queries, tied, metric) in enumerate(SETS):
        chance = random.Random(place)
        judgments, ranking = {}, {}
        for query in range(queries):
            items = [f"d{number}" for number in range(15)]
            judgments[f"q{query}"] = {item: chance.choice((0, 0, 1, 1, 2, 3)) for item in chance.sample(items, 9)}
            scores = [chance.choice((1, 2, 3, 4)) if tied else chance.random() for _ in range(12)]
            ranking[f"q{query}"] = dict(zip(chance.sample(items, 12), scores, strict=True))

        def other(chance: random.Random, data: Any = (judgments, ranking), metric: str = metric) -> float:
            shuffled = {
                query: dict(zip(chance.sample([*items], len(items)), items.values(), strict=True))
                for query, items in data[1].items()
            }
            return rg.evaluate(data[0], shuffled, metric).mean()

        yield rg.reconcile(judgments, ranking, metric), other


def rates(numbers: int, seed: int = 0) -> dict[tuple[str, int], Rates]:
    """The rates of numbers anywhere, near the tools' values, and of other rankings, by their decimals."""
    found: dict[tuple[str, int], list[tuple[bool, bool]]] = {}
    for place, (result, other) in enumerate(data_sets()):
        chance = random.Random(f"{seed} {place}")
        values = sorted({value for value in result.values if not math.isnan(value)})
        for decimals in DECIMALS:
            for _ in range(numbers):
                drawn = {
                    "anywhere": chance.random(),
                    "near": min(max(chance.choice(values) + chance.uniform(-NEAR, NEAR), 0), 1),
                    "other ranking": other(chance),
                }
                for kind, number in drawn.items():
                    matches = result.explain(f"{number:.{decimals}f}")
                    found.setdefault((kind, decimals), []).append(
                        (bool(matches.matches), matches.confidence == "likely")
                    )
    return {
        key: Rates(*(sum(column) / len(column) for column in zip(*rows, strict=True))) for key, rows in found.items()
    }


def main() -> None:
    """Print the rates."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--numbers", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    warnings.simplefilter("ignore", rg.DataWarning)
    for (kind, decimals), (matched, likely) in sorted(rates(given.numbers, given.seed).items()):
        print(f"{kind}, {decimals} decimals: {matched:.1%} matched, {likely:.1%} likely")  # noqa: T201


if __name__ == "__main__":
    main()
