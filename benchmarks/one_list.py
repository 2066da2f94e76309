"""One list of ten grades: the cost of a single call, beside scikit-learn's ndcg_score on the same list."""

from __future__ import annotations

import platform
import timeit
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import sklearn
from sklearn.metrics import ndcg_score

import rankgauge as rg

TABLE = Path(__file__).parent / "README.md"
GRADES = [3, 2, 3, 0, 1, 2, 0, 0, 1, 3]
CALLS, ROUNDS = 2000, 7


def microseconds(call: Callable[[], object]) -> float:
    """The best of several rounds: what the call costs when nothing else runs."""
    return min(timeit.repeat(call, number=CALLS, repeat=ROUNDS)) / CALLS * 1e6


def peak_kilobytes(call: Callable[[], object]) -> float:
    """The most memory that one call holds."""
    call()
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1024


def contestants(grades: list[int]) -> dict[str, Callable[[], float]]:
    """Calls that must all give the same number."""
    labels, scores = np.array([grades]), np.arange(len(grades), 0, -1.0)[None]
    metric = rg.nDCG @ 10
    return {
        f"rankgauge {rg.__version__}, `(rg.nDCG @ 10).of(list)`": lambda: metric.of(grades),
        f"scikit-learn {sklearn.__version__}, `ndcg_score(k=10)`": lambda: ndcg_score(labels, scores, k=10),
        f"scikit-learn {sklearn.__version__}, `ndcg_score(k=10, ignore_ties=True)`": lambda: ndcg_score(
            labels, scores, k=10, ignore_ties=True
        ),
    }


def measured(grades: list[int]) -> list[str]:
    """The rows of the table for one list."""
    calls = contestants(grades)
    values = {name: call() for name, call in calls.items()}
    if np.ptp(list(values.values())) > 1e-12:
        raise SystemExit(f"the tools do not agree: {values}")
    times = {name: microseconds(call) for name, call in calls.items()}
    ours = next(iter(times.values()))
    return [
        f"| {len(grades)} | {name} | {time:.0f} | {time / ours:.1f} | {peak_kilobytes(calls[name]):.0f} |"
        for name, time in times.items()
    ]


def main() -> None:
    """Measure at 1x, 4x and 16x and write the page."""
    rows = [row for times in (1, 4, 16) for row in measured(GRADES * times)]
    others = [f"`{metric}` {microseconds(lambda m=metric: m.of(GRADES)):.0f}" for metric in
              (rg.P @ 5, rg.AP, rg.RR, rg.ERR, rg.nDCG(gain="exp2") @ 10)]  # fmt: skip
    page = [
        "# Benchmarks",
        "",
        "`make bench` installs the peers in an environment of its own, checks that all tools give the same number,",
        "measures them in one run and writes this page.",
        "",
        "## One list",
        "",
        f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}, best of {ROUNDS} rounds of {CALLS} calls.",
        "",
        "| items | tool | microseconds a call | times rankgauge | peak kB |",
        "|---:|---|---:|---:|---:|",
        *rows,
        "",
        f"Other metrics on the list of ten, in microseconds: {', '.join(others)}.",
        "",
    ]
    TABLE.write_text("\n".join(page), encoding="utf-8")
    print("\n".join(page))


if __name__ == "__main__":
    main()
