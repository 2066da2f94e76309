"""Simulations of the statistics: coverage of intervals, error rates of tests under the null, errors of families.

``make simulate`` writes the rates to ``data/simulation.json`` and the tables of docs/compare.md; ``test_simulation.py``
repeats a small part. The functions simulated are those of ``rg.stats``; the bootstrap samples are shared by all
simulated data sets of one size, which makes thousands of them affordable.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import rankgauge as rg
from rankgauge import stats
from rankgauge.stats import intervals
from rankgauge.stats.paired_tests import randomisation_p

Floats = np.ndarray[Any, Any]
QUERIES = (5, 10, 20, 50, 200)
ALPHA = 0.05
SYSTEMS = 5
ROUNDING = 1e-12
RESULTS = Path(__file__).parent / "data" / "simulation.json"
DOCS = Path(__file__).parents[1] / "docs"
RANK = 0.35
"""Probability that the next item is relevant, in the simulated reciprocal ranks."""


class Kind(NamedTuple):
    """A kind of values per query: how they are drawn, and their mean."""

    draw: Callable[[np.random.Generator, tuple[int, int]], Floats]
    mean: float
    en: str
    zh: str


def reciprocal_ranks(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    ranks = random.geometric(RANK, shape)
    return np.where(ranks > 10, 0.0, 1 / ranks)


def mean_reciprocal_rank() -> float:
    ranks = np.arange(1, 11)
    return float((RANK * (1 - RANK) ** (ranks - 1) / ranks).sum())


def differences_of_ranks(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Differences of two systems that return the same list for half of the queries."""
    first, second = reciprocal_ranks(random, shape), reciprocal_ranks(random, shape)
    return np.where(random.random(shape) < 0.5, 0.0, second - first)


def hits(share: float) -> Callable[[np.random.Generator, tuple[int, int]], Floats]:
    return lambda random, shape: (random.random(shape) < share).astype(np.float64)


KINDS = {
    "normal": Kind(lambda random, shape: random.normal(0, 1, shape), 0.0, "normal", "正态分布"),
    "skewed": Kind(lambda random, shape: random.beta(0.6, 1.4, shape), 0.3, "skewed (AP, nDCG)", "偏态（AP、nDCG）"),
    "long_tail": Kind(
        lambda random, shape: random.lognormal(0, 1, shape), float(np.exp(0.5)), "log-normal", "对数正态"
    ),
    "ranks": Kind(reciprocal_ranks, mean_reciprocal_rank(), "RR", "RR"),
    "rank_differences": Kind(differences_of_ranks, 0.0, "differences of RR, half 0", "RR 之差，一半为 0"),
    "hits": Kind(hits(0.5), 0.5, "0/1, half 1", "0/1，一半为 1"),
    "many_hits": Kind(hits(0.9), 0.9, "0/1, nine of ten 1", "0/1，九成为 1"),
}
BOUNDED = ("skewed", "ranks", "hits", "many_hits")
"""Kinds of values between 0 and 1."""
SYMMETRIC = ("normal", "rank_differences")
"""Kinds of differences that satisfy the null hypothesis of every test."""


def data_sets(kind: str, queries: int, count: int, seed: int) -> Floats:
    """Return simulated data sets, one per column."""
    return KINDS[kind].draw(np.random.default_rng([seed, queries, [*KINDS].index(kind)]), (queries, count))


def coverage(kind: str, queries: int, count: int, resamples: int, seed: int = 0) -> dict[str, float]:
    """Return the share of data sets whose interval of the level 0.95 contains the true mean."""
    mean, values = KINDS[kind].mean, data_sets(kind, queries, count, seed)
    contained: dict[str, list[bool]] = {}

    def add(name: str, interval: rg.stats.Interval) -> None:
        contained.setdefault(name, []).append(interval.low - ROUNDING <= mean <= interval.high + ROUNDING)

    for block in np.array_split(values, max(1, count // 500), axis=1):
        means = intervals.resampled_means(block, resamples, seed)
        centred, errors = intervals.resampled_moments(block, resamples, seed)
        for column, sample in enumerate(block.T):
            add("t", stats.t_interval(sample))
            if kind in BOUNDED:
                add("bounded", stats.bounded_interval(float(sample.mean()), float(sample.std(ddof=1)), queries))
            add("bca", intervals.bca_of_means(sample, means[:, column]))
            add("bootstrap_t", intervals.bootstrap_t_of_means(sample, centred[:, column], errors[:, column]))
            add("percentile", rg.stats.Interval(*np.quantile(means[:, column], [ALPHA / 2, 1 - ALPHA / 2])))
            if kind in {"hits", "many_hits"}:
                add("wilson", stats.wilson_interval(sample))
    return {name: float(np.mean(inside)) for name, inside in contained.items()}


def error_rates(kind: str, queries: int, count: int, samples: int, seed: int = 0) -> dict[str, float]:
    """Return how often each test has p <= 0.05 for two systems that do not differ."""
    differences = data_sets(kind, queries, count, seed)
    nothing = np.zeros(queries)
    means = intervals.resampled_means(differences, samples, seed)
    p = {
        "t": [stats.paired_t(nothing, sample).p for sample in differences.T],
        "randomisation": randomisation_p(differences, samples, seed),
        "bootstrap": [
            intervals.shifted_p(float(s.mean()), column) for s, column in zip(differences.T, means.T, strict=True)
        ],
        "wilcoxon": [stats.wilcoxon(nothing, sample).p for sample in differences.T],
        "sign": [stats.sign(nothing, sample).p for sample in differences.T],
    }
    return {test: float(np.mean(np.nan_to_num(np.array(values), nan=1.0) <= ALPHA)) for test, values in p.items()}


def family_errors(queries: int, count: int, permutations: int, seed: int = 0) -> dict[str, float]:
    """Return how often any of the ten pairs of five equal systems is significant, and the false discovery rate.

    For the rate of Benjamini and Hochberg two of the five systems are better by one standard deviation of the noise.
    """
    random, upper = np.random.default_rng([seed, queries]), np.triu_indices(SYSTEMS, 1)
    better = np.array([0.0, 0.0, 0.0, 1.0, 1.0])
    equal = better[upper[0]] == better[upper[1]]
    wrong: dict[str, list[float]] = {}
    for _ in range(count):
        noise = random.normal(0, 1, (queries, SYSTEMS)) + random.normal(0, 1, (queries, 1))
        p = _pair_p(noise, upper)
        families = {
            "none": p,
            "bonferroni": stats.bonferroni(p),
            "holm": stats.holm(p),
            "tukey": stats.tukey_hsd(noise).p[upper],
            "randomised_tukey": stats.randomised_tukey_hsd(noise, permutations=permutations, seed=seed).p[upper],
        }
        for name, corrected in families.items():
            wrong.setdefault(name, []).append(float((corrected <= ALPHA).any()))
        found = stats.benjamini_hochberg(_pair_p(noise + better, upper)) <= ALPHA
        wrong.setdefault("bh", []).append(float((found & equal).sum() / max(found.sum(), 1)))
    return {name: float(np.mean(rates)) for name, rates in wrong.items()}


def _pair_p(matrix: Floats, pairs: tuple[Floats, Floats]) -> Floats:
    return np.array([stats.paired_t(matrix[:, a], matrix[:, b]).p for a, b in zip(*pairs, strict=True)])


def simulate(count: int = 8_000, samples: int = 2_000) -> dict[str, Any]:
    """Return all rates, with the number of simulated data sets."""
    return {
        "data_sets": count,
        "samples": samples,
        "coverage": {
            kind: {str(queries): _said(kind, queries, coverage(kind, queries, count, samples)) for queries in QUERIES}
            for kind in KINDS
        },
        "error_rates": {
            kind: {
                str(queries): _said(kind, queries, error_rates(kind, queries, count, samples)) for queries in QUERIES
            }
            for kind in SYMMETRIC
        },
        "families": {
            str(queries): _said("families", queries, family_errors(queries, count // 2, 500)) for queries in (10, 50)
        },
    }


def _said(kind: str, queries: int, rates: dict[str, float]) -> dict[str, float]:
    rounded = {name: round(rate, 4) for name, rate in rates.items()}
    sys.stdout.write(f"{kind}, {queries} queries: {rounded}\n")
    sys.stdout.flush()
    return rounded


# The tables of the documentation

COLUMNS = ("t", "bounded", "bca", "bootstrap_t", "wilson")
TESTS = ("t", "randomisation", "bootstrap", "wilcoxon", "sign")


def coverage_table(results: dict[str, Any], lang: str) -> str:
    """Return the table of coverage: a row per kind of values and number of queries, a column per interval."""
    head = ["values", "interval"] if lang == "en" else ["数值", "区间"]
    names = {
        "t": "t",
        "bounded": "bounded" if lang == "en" else "有界",
        "bca": "BCa",
        "bootstrap_t": "bootstrap-t",
        "wilson": "Wilson",
    }
    rows = [
        [getattr(KINDS[kind], lang), names[name], *(_rate(by_queries[str(queries)][name]) for queries in QUERIES)]
        for kind, by_queries in results["coverage"].items()
        for name in COLUMNS
        if name in by_queries[str(QUERIES[0])]
    ]
    return _table([*head, *map(str, QUERIES)], rows, 2)


def error_table(results: dict[str, Any], lang: str) -> str:
    """Return the table of type I error rates: a row per kind of differences and test, a column per number of queries."""
    head = ["differences", "test"] if lang == "en" else ["差异", "检验"]
    zh = {"t": "t", "randomisation": "随机化", "bootstrap": "自助", "wilcoxon": "Wilcoxon", "sign": "符号"}
    rows = [
        [getattr(KINDS[kind], lang), test if lang == "en" else zh[test], *(_rate(by[str(n)][test]) for n in QUERIES)]
        for kind, by in results["error_rates"].items()
        for test in TESTS
    ]
    return _table([*head, *map(str, QUERIES)], rows, 2)


def _rate(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def _table(head: Iterable[str], rows: Iterable[Iterable[str]], text_columns: int) -> str:
    lines = [[*head], *map(list, rows)]
    rule = ["---"] * text_columns + ["---:"] * (len(lines[0]) - text_columns)
    return "\n".join(
        f"| {' | '.join(line)} |" if line is not rule else f"|{'|'.join(rule)}|"
        for line in [lines[0], rule, *lines[1:]]
    )


def documented(text: str, results: dict[str, Any], lang: str) -> str:
    """Return a page of the documentation with its tables replaced by those of the results."""
    for name, table in (("coverage", coverage_table), ("error rates", error_table)):
        block = f"<!-- simulated {name}: written by make simulate -->\n{table(results, lang)}\n<!-- end -->"
        text = re.sub(rf"<!-- simulated {name}: .*?<!-- end -->", lambda _, block=block: block, text, flags=re.DOTALL)
    return text


def main() -> None:
    """Simulate, and write the results and the tables."""
    results = simulate(*map(int, sys.argv[1:]))
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for lang, name in (("en", "compare.md"), ("zh", "compare.zh-CN.md")):
        page = DOCS / name
        page.write_text(documented(page.read_text(encoding="utf-8"), results, lang), encoding="utf-8")


if __name__ == "__main__":
    main()
