"""Random judgments and runs with ties, negative grades, unjudged items and queries that only one side has."""

from __future__ import annotations

import random

Judgments = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def world(seed: int, *, ties: bool = True, negative: bool = True, missing: bool = True) -> tuple[Judgments, Run]:
    """Return one data set; without ``missing`` both sides have the same queries."""
    rng = random.Random(seed)
    grades = [-1, 0, 0, 1, 1, 2, 3] if negative else [0, 0, 1, 1, 2, 3]
    queries = [f"{number}" for number in range(1, rng.randint(2, 6))]
    judgments = {
        query: {"d0": rng.choice([0, 1])} | {f"d{item}": rng.choice(grades) for item in _some(rng, 30, 14)}
        for query in queries
    }
    run = {}
    for query in [*rng.sample(queries, rng.randint(1, len(queries))), "99"] if missing else queries:
        scores = [0.5, round(rng.random(), 1), 1 + rng.random() * 1e-9] if ties else []
        run[query] = {f"d{item}": rng.choice([*scores, rng.random()]) for item in _some(rng, 40, 30)}
    return judgments, run


def _some(rng: random.Random, population: int, most: int) -> list[int]:
    return rng.sample(range(population), rng.randint(1, most))
