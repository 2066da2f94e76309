"""Randomisation test of two systems: rankgauge, SciPy and ranx on the same values.

The name `statistics` would hide the module of the standard library.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

TEXT = (
    "Two-sided randomisation test of two systems with a small difference. Time of a call, the best of 2, and time per 1,000 "
    "permutations; before timing, the p-values must agree within Monte Carlo error. SciPy and ranx run fewer permutations to "
    "save time."
)
SIZES = (50, 7_000)
ROUNDS = 2
FAR = 4.5
"""Largest accepted difference, in standard errors."""


def values(queries: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Generate the values of two systems whose difference has a p-value of about .1."""
    random = np.random.default_rng(queries)
    first = random.beta(2, 3, queries)
    noise = random.normal(0, 0.1, queries)
    return first, first + noise - noise.mean() + 1.65 * 0.1 / np.sqrt(queries)


def contestants(queries: int) -> dict[str, tuple[Callable[[], float], int]]:
    """Return calls that must give about the same p-value, with their number of permutations."""
    from ranx.statistical_tests.fisher_randomization_test import fisher_randomization_test
    from scipy.stats import permutation_test

    from rankgauge.stats import randomisation

    first, second = values(queries)
    fewer = 10_000 if queries < 1_000 else 2_000

    def by_scipy() -> float:
        found = permutation_test(
            (second, first), lambda a, b, axis: (a - b).mean(axis=axis), permutation_type="samples", vectorized=True,
            n_resamples=fewer, batch=100, rng=np.random.default_rng(0),
        )  # fmt: skip
        return float(found.pvalue)

    return {
        "rankgauge": (lambda: randomisation(first, second).p, 100_000),
        "SciPy `permutation_test`": (by_scipy, fewer),
        "ranx `fisher_randomization_test`": (
            lambda: float(fisher_randomization_test(first, second, n_permutations=fewer)[0]), fewer,
        ),
    }  # fmt: skip


def seconds(call: Callable[[], float]) -> float:
    """Return the time of a call, the best of several rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - started)
    return best


def measure() -> dict[str, Any]:
    """Return the rows of the table."""
    rows = []
    for queries in SIZES:
        calls = contestants(queries)
        found = {
            tool: call() for tool, (call, _) in calls.items()
        }  # also the first call, in which ranx compiles its code
        ours, most = found["rankgauge"], calls["rankgauge"][1]
        for tool, (call, count) in calls.items():
            apart = abs(found[tool] - ours) / np.sqrt(ours * (1 - ours) * (1 / count + 1 / most))
            if apart > FAR:
                raise SystemExit(f"the tools do not agree: {found}")
            rows.append(
                {"queries": queries, "tool": tool, "permutations": count, "p": found[tool], "seconds": seconds(call)}
            )
    return {"rows": rows}
