"""The randomisation test of one pair of systems: rankgauge beside SciPy and ranx, on the same differences.

Not named `statistics`: beside the scenarios that would hide the module of the standard library.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

TEXT = (
    "The randomisation test of two systems that barely differ, two-sided. The time of a whole call, the best of 2, and "
    "for each 1,000 permutations; p-values must agree within Monte Carlo error before anything is timed. SciPy and ranx "
    "run fewer permutations, because they are timed by the thousand."
)
SIZES = (50, 7_000)
ROUNDS = 2
FAR = 4.5
"""Standard errors; further apart is no accident."""


def values(queries: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The values of two systems whose difference has a p-value of about .1."""
    random = np.random.default_rng(queries)
    first = random.beta(2, 3, queries)
    noise = random.normal(0, 0.1, queries)
    return first, first + noise - noise.mean() + 1.65 * 0.1 / np.sqrt(queries)


def contestants(queries: int) -> dict[str, tuple[Callable[[], float], int]]:
    """Calls that must all give about the same p-value, and how many permutations each makes."""
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
    """The best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - started)
    return best


def measure() -> dict[str, Any]:
    """The rows of the table."""
    rows = []
    for queries in SIZES:
        calls = contestants(queries)
        found = {
            tool: call() for tool, (call, _) in calls.items()
        }  # also the first call, in which ranx compiles itself
        ours, most = found["rankgauge"], calls["rankgauge"][1]
        for tool, (call, count) in calls.items():
            apart = abs(found[tool] - ours) / np.sqrt(ours * (1 - ours) * (1 / count + 1 / most))
            if apart > FAR:
                raise SystemExit(f"the tools do not agree: {found}")
            rows.append(
                {"queries": queries, "tool": tool, "permutations": count, "p": found[tool], "seconds": seconds(call)}
            )
    return {"rows": rows}
