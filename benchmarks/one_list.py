"""One list: the cost of a single call, compared with ndcg_score of scikit-learn."""

from __future__ import annotations

import timeit
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

GRADES = [3, 2, 3, 0, 1, 2, 0, 0, 1, 3]
CALLS, ROUNDS = 2000, 7


def microseconds(call: Callable[[], object]) -> float:
    """Return the time of a call, the best of several rounds."""
    return min(timeit.repeat(call, number=CALLS, repeat=ROUNDS)) / CALLS * 1e6


def peak_kilobytes(call: Callable[[], object]) -> float:
    """Return the peak memory of a call."""
    call()
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1024


def contestants(grades: list[int]) -> dict[str, Callable[[], float]]:
    """Return calls that must give the same value."""
    from sklearn.metrics import ndcg_score

    import rankgauge as rg

    labels, scores = np.array([grades]), np.arange(len(grades), 0, -1.0)[None]
    metric = rg.nDCG @ 10
    return {
        "rankgauge `(rg.nDCG @ 10).of(list)`": lambda: metric.of(grades),
        "scikit-learn `ndcg_score(k=10)`": lambda: ndcg_score(labels, scores, k=10),
        "scikit-learn `ndcg_score(k=10, ignore_ties=True)`": lambda: ndcg_score(labels, scores, k=10, ignore_ties=True),
    }


def measured(grades: list[int]) -> list[dict[str, Any]]:
    """Return the rows of the table for one list."""
    calls = contestants(grades)
    values = {name: call() for name, call in calls.items()}
    if np.ptp(list(values.values())) > 1e-12:
        raise SystemExit(f"the tools do not agree: {values}")
    return [
        {"items": len(grades), "tool": name, "microseconds": microseconds(call), "peak_kb": peak_kilobytes(call)}
        for name, call in calls.items()
    ]


def measure() -> dict[str, Any]:
    """Measure lists of 10, 40 and 160 items, and other metrics on the shortest."""
    import rankgauge as rg

    others = (rg.P @ 5, rg.AP, rg.RR, rg.ERR, rg.nDCG(gain="exp2") @ 10)
    return {
        "rows": [row for times in (1, 4, 16) for row in measured(GRADES * times)],
        "others": {str(metric): microseconds(lambda m=metric: m.of(GRADES)) for metric in others},
    }
