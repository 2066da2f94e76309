"""Large random worlds for engines: many small queries with all that can be odd, as dicts and as rows."""

from __future__ import annotations

import random
from typing import Any

import rankgauge as rg
from devices import RULES

ODD = [
    "a",
    "B",
    "物品",
    "é",
    "e\u0301",
    "10",
    "9",
    "x" * 60,
    "'; DROP TABLE judgments; --",
    '"`{}\\',
    " ",
    "𝔘",
    "\uffff",
]
GRADES = [-2, -1, 0, 0, 0, 1, 1, 2, 3, 0.5, 2.25]
SCORES = [0.5, 0.25, 1.0, -3.0, 0.1, 0.0, -0.0, 1e30, 1 + 1e-9, 1 + 2e-9]

CONVENTIONS = {
    **RULES,
    "random": rg.Convention(ties="random", seed=3, score_precision="float32"),
    "random, assumed": rg.Convention(ties="random", unjudged=1),
    "removed, mean": rg.Convention(unjudged="removed", ties="mean", undefined=1),
    "ascending": rg.Convention(ties="id-ascending", hit_if="score>0", no_relevant="skip"),
}


def crowd(queries: int, seed: int, most: int = 12) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Judgments and a ranking: ties, holes, missing and unjudged queries, hostile ids; the same for a seed."""
    rng = random.Random(seed)
    items = [*ODD, *(f"d{number}" for number in range(7, 15))]
    judgments, ranking = {}, {}
    for number in range(queries):
        query = rng.choice(["q", "查询", "'", "Q "]) + str(number)
        judgments[query] = {item: rng.choice(GRADES) for item in rng.sample(items, rng.randint(1, most))}
        if rng.random() < 0.9:
            ranking[query] = {item: rng.choice(SCORES[:8]) for item in rng.sample(items, rng.randint(1, most))}
            for item in [*ranking[query]][:: rng.choice([2, 50])]:
                ranking[query][item] = rng.choice([rng.random(), *SCORES[8:]])
    ranking["of nobody"] = {"a": 1.0, "b": 1.0}
    return judgments, ranking


def flat(table: dict[str, dict[str, float]], rng: random.Random) -> list[tuple[str, str, float]]:
    """The rows of a table in no order."""
    rows = [(query, item, float(number)) for query, numbers in table.items() for item, number in numbers.items()]
    rng.shuffle(rows)
    return rows


def digits(scores: Any, metrics: list[rg.Metric]) -> dict[str, dict[str, str]]:
    """Every value to the last bit, by metric and query."""
    return {
        str(metric): {query: value.hex() for query, value in sorted(scores.per_query(metric).items())}
        for metric in metrics
    }
