"""How long metrics beyond accuracy take beside those of accuracy, on lists of 100,000 users in memory.

Usage: python benchmarks/beyond.py [--users 100000] [--rounds 2]

Each line is the best of the rounds, as a multiple of six accuracy metrics on the same lists. Reading the training (20
interactions a user) is part of the time of the metrics that need it.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import polars as pl

import rankgauge as rg

LENGTH, ITEMS, DIMENSIONS = 100, 20_000, 64
ACCURACY = ["nDCG@10", "R@10", "P@10", "AP@10", "RR@10", "HR@10"]
SETS = {
    "coverage, concentration": ["ItemCoverage@10", "Gini@10", "Entropy@10", "Personalisation@10"],
    "popularity, novelty (training)": ["ARP@10", "APLT@10", "MIUF@10", "EPC@10", "Unseen@10"],
    "diversity, cosine of 64 numbers": ["ILD@10"],
    "diversity, euclidean": ["ILD(distance='euclidean')@10"],
    "categories": ["CategoryCoverage@10"],
    "calibration (training)": ["Miscalibration@10"],
    "fairness": ["ExposureParity@10", "EEL@10", "REO@10"],
}


def data(users: int) -> tuple[pl.DataFrame, pl.DataFrame, rg.Background]:
    """Judgments, lists and a background, from a seed."""
    chance = np.random.default_rng(0)
    starts, steps = chance.integers(0, ITEMS, users)[:, None], chance.integers(1, ITEMS // LENGTH, users)[:, None]
    items = (starts + np.arange(LENGTH)[None, :] * steps) % ITEMS
    scores = np.tile(np.arange(LENGTH, 0, -1) / LENGTH, users)
    ranking = pl.DataFrame({"user": np.repeat(np.arange(users), LENGTH), "item": items.ravel(), "score": scores})
    judged = np.take_along_axis(items, chance.integers(0, LENGTH, (users, 10)), axis=1).ravel()
    grades = chance.integers(0, 3, users * 10).astype(float)
    judgments = pl.DataFrame({"user": np.repeat(np.arange(users), 10), "item": judged, "grade": grades})
    count = users * 20
    known = rg.Background(
        items=range(ITEMS),
        training=pl.DataFrame({"user": chance.integers(0, users, count), "item": chance.zipf(1.3, count) % ITEMS}),
        features=chance.normal(size=(ITEMS, DIMENSIONS)),
        categories={item: [item % 20, item % 7 + 20] for item in range(ITEMS)},
        item_groups={item: item % 3 for item in range(ITEMS)},
    )
    return judgments.unique(["user", "item"], maintain_order=True), ranking, known


def seconds(rounds: int, *given: Any, **named: Any) -> float:
    """The best time of some calls of ``evaluate``."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        rg.evaluate(*given, **named)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    judgments, ranking, known = data(args.users)
    base = seconds(args.rounds, judgments, ranking, ACCURACY)
    print(f"{'accuracy, six metrics':<36}{base:8.2f} s")
    for name, metrics in SETS.items():
        took = seconds(args.rounds, judgments, ranking, metrics, background=known)
        print(f"{name:<36}{took:8.2f} s{took / base:8.2f} x")


if __name__ == "__main__":
    main()
