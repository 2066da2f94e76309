"""Simulations of corrected metrics with known truth: coverage and width of intervals, and refusals of samples.

``python tests/judges_simulation.py`` writes the rates to ``data/judges_simulation.json`` and the tables of
docs/judges.md; ``test_judges_simulation.py`` repeats a small part. The values of a large population of queries are
computed once with the library; samples are drawn from it with replacement. The estimator is computed for all samples
at once, and compared with the library's for some of them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy import stats as scipy_stats

import rankgauge as rg
from rankgauge.inputs.findings import Findings
from rankgauge.judging.sampling import check_random, item_patterns, query_patterns
from rankgauge.stats.samples import NO_SPREAD

Floats = np.ndarray[Any, Any]
METRICS = ("nDCG@10", "P@5", "AP")
JUDGES = {"useless": None, "weak": 1.6, "fair": 0.9, "good": 0.4, "perfect": 0.0}
"""Judges and the standard deviation of their error in grades; a useless one guesses."""
NEARLY_PERFECT: dict[str, float | None] = {"very good": 0.3, "nearly perfect": 0.2}
"""Judges whose few errors a small sample of labels may not contain at all."""
LABELLED = (20, 30, 100, 300)
TARGETS = ("these queries", "queries like these")
QUERIES = 500
ITEMS = 15
SAMPLES = 10_000
BLOCK = 1_000
RESULTS = Path(__file__).parent / "data" / "judges_simulation.json"
PARTS = {
    "coverage": "simulation",
    "hard": "simulation without relevant items",
    "nearly_perfect": "simulation of rare errors",
}
"""Results with a table in the pages, and the comments around it."""
DOCS = Path(__file__).parents[1] / "docs"


def population(queries: int, seed: int = 0, least: int = 1) -> tuple[Floats, Floats]:
    """Return grades of people by query and item, and two rankings of the items of each query.

    Every query has at least this number of relevant items; how many it has differs much.
    """
    random = np.random.default_rng(seed)
    truth = np.zeros((queries, ITEMS), dtype=np.int64)
    few = np.ones(queries, dtype=bool)
    while few.any():
        shape = int(few.sum()), ITEMS
        relevant = random.random(shape) < random.beta(1.2, 3.0, (len(truth[few]), 1))
        truth[few] = np.where(relevant, random.integers(1, 4, shape), 0)
        few = (truth > 0).sum(axis=1) < least
    noise = random.standard_normal((2, queries, ITEMS)) * np.array([2.5, 2.0])[:, None, None]
    return truth.astype(np.float64), truth + noise


def judged(truth: Floats, error: float | None, seed: int) -> Floats:
    """Return the grades of a judge; it errs more on some queries than on others."""
    random = np.random.default_rng(seed)
    if error is None:
        return random.integers(0, 4, truth.shape).astype(np.float64)
    lean = random.standard_normal((len(truth), 1)) * error / 2
    return np.clip(np.round(truth + lean + error * random.standard_normal(truth.shape)), 0, 3)


def values(labels: Floats, scores: Floats) -> dict[str, Floats]:
    """Return the value of each query by metric and system, and the differences of the systems."""
    rows = {}
    for metric in METRICS:
        first, second = (rg.evaluate(labels, system, metric).values(metric) for system in scores)
        rows |= {metric: first, f"{metric} difference": second - first}
    return rows


def regression(y: Floats, f: Floats, all_f: Floats, finite: bool) -> tuple[Floats, Floats]:
    """Return the value and the half width of two-phase regression for each row of samples."""
    n, size = y.shape[1], all_f.shape[1]
    mean_y, mean_f = y.mean(axis=1, keepdims=True), f.mean(axis=1, keepdims=True)
    spread = ((f - mean_f) ** 2).sum(axis=1)
    slope = ((f - mean_f) * (y - mean_y)).sum(axis=1) / spread
    rest = y - mean_y - slope[:, None] * (f - mean_f)
    rest[np.abs(rest) <= NO_SPREAD] = 0.0
    residual = (rest**2).sum(axis=1) / (n - 2)
    shift = all_f.mean(axis=1) - mean_f[:, 0]
    unexplained = np.where(residual > 0, (n * residual + y.var(axis=1, ddof=1)) / (n + 1), 0.0)
    variance = unexplained * (1 / n - finite / size + shift**2 / spread)
    variance += 0 if finite else slope**2 * all_f.var(axis=1, ddof=1) / size
    return mean_y[:, 0] + slope * shift, scipy_stats.t.ppf(0.975, n - 2) * np.sqrt(variance)


def people_alone(y: Floats, size: int, finite: bool) -> Floats:
    """Return the half width of people alone for each row of samples."""
    n = y.shape[1]
    return scipy_stats.t.ppf(0.975, n - 1) * y.std(axis=1, ddof=1) * np.sqrt(1 / n - finite / size)


def check(y: Floats, all_f: Floats, finite: bool, value: Floats, reach: Floats, alone: Floats) -> None:
    """Raise an error if the library gives another number for the first samples."""
    n = y.shape[1]
    for row in range(3):
        labels = np.full(all_f.shape[1], np.nan)
        labels[:n] = y[row]
        found = rg.stats.two_phase_mean(labels, all_f[row], finite=finite)
        people = rg.stats.two_phase_mean(labels, np.ones(len(labels)), finite=finite)  # learns nothing from a constant
        ours = [found.value, found.high - found.value, people.high - people.value]
        np.testing.assert_allclose(ours, [value[row], reach[row], alone[row]], atol=1e-9)


def coverage(
    samples: int = SAMPLES,
    queries: int = 40_000,
    labelled: tuple[int, ...] = LABELLED,
    least: int = 1,
    judges: dict[str, float | None] | None = None,
) -> list[dict[str, Any]]:
    """Return how often the intervals contain the truth, and how wide they are, for each judge, metric and size."""
    truth, scores = population(queries, least=least)
    by_people = values(truth, scores)
    rows = []
    for number, (judge, error) in enumerate((judges or JUDGES).items()):
        by_judge = values(judged(truth, error, number + 1), scores)
        for n in labelled:
            random = np.random.default_rng([n, number])
            sums: dict[tuple[str, str], list[float]] = {}
            for start in range(0, samples, BLOCK):
                drawn = random.integers(0, queries, (min(BLOCK, samples - start), QUERIES))
                for name, column in by_people.items():
                    all_y, all_f = column[drawn], by_judge[name][drawn]
                    y, f = all_y[:, :n], all_f[:, :n]
                    for target in TARGETS:
                        finite = target == TARGETS[0]
                        aim = all_y.mean(axis=1) if finite else column.mean()
                        value, reach = regression(y, f, all_f, finite)
                        alone = people_alone(y, QUERIES, finite)
                        if not start:
                            check(y, all_f, finite, value, reach, alone)
                        inside = np.abs(value - aim) <= reach + 1e-12
                        parts = [inside.sum(), (reach / alone).sum(), reach.sum(), len(drawn)]
                        total = sums.setdefault((name, target), [0.0] * 4)
                        sums[name, target] = [before + float(part) for before, part in zip(total, parts, strict=True)]
            for (name, target), (inside, wider, reach, count) in sums.items():
                rows.append(
                    {
                        "judge": judge,
                        "metric": name,
                        "target": target,
                        "labelled": n,
                        "coverage": inside / count,
                        "width": wider / count,
                        "half_width": reach / count,
                    }
                )
    return rows


def refusals(samples: int = SAMPLES, queries: int = QUERIES) -> dict[str, float]:
    """Return the share of samples that are refused or warned about, random ones and others."""
    truth, scores = population(queries, seed=9)
    grades = judged(truth, 0.9, 8)
    by_judge = values(grades, scores)
    names = [name for name in by_judge if "difference" not in name]
    random, rates = np.random.default_rng(7), dict.fromkeys(("queries refused", "queries warned", "items refused"), 0.0)
    table = pl.DataFrame({"query": np.repeat(np.arange(queries), ITEMS), "grade": grades.ravel()})
    for _ in range(samples):
        labelled = np.zeros(queries, dtype=bool)
        labelled[random.choice(queries, random.integers(10, 200), replace=False)] = True
        outcome = _outcome(query_patterns({name: (by_judge[name], labelled) for name in names}))
        rates["queries refused"] += outcome == "refused"
        rates["queries warned"] += outcome == "warned"
        chosen = np.zeros(queries * ITEMS, dtype=bool)
        chosen[random.choice(queries * ITEMS, random.integers(30, 600), replace=False)] = True
        share = chosen.reshape(queries, ITEMS).mean(axis=1).repeat(ITEMS)
        partly = (share > 0) & (share < 1)
        items = table.with_columns(labelled=pl.Series(chosen)).filter(pl.Series(partly))
        rates["items refused"] += _outcome(item_patterns(items)) == "refused"
    rates = {name: count / samples for name, count in rates.items()}
    chosen = (grades.ravel() >= 2) & (random.random(queries * ITEMS) < 0.5)
    rates["only 2 or more refused"] = float(
        _outcome(item_patterns(table.with_columns(labelled=pl.Series(chosen)))) == "refused"
    )
    return rates


def _outcome(patterns: Any) -> str:
    findings = Findings()
    try:
        check_random(patterns, findings)
    except rg.InputError:
        return "refused"
    return "warned" if len(findings) else "taken"


def tables(rows: list[dict[str, Any]], lang: str) -> str:
    """Return the tables of the page: lowest and highest coverage, and the width against people alone."""
    words = {
        "en": ("judge", "labelled queries", "coverage, these queries", "coverage, queries like these", "width"),
        "zh": ("评判模型", "有标签的查询", "覆盖率（这些查询）", "覆盖率（此类查询）", "宽度"),
    }[lang]
    names = {"useless": "无用", "weak": "较差", "fair": "一般", "good": "良好", "perfect": "完美"}
    names |= {"very good": "很好", "nearly perfect": "近乎完美"}
    lines = [f"| {' | '.join(words)} |", "|---|---:|---:|---:|---:|"]
    for judge in dict.fromkeys(row["judge"] for row in rows):
        for n in sorted({row["labelled"] for row in rows}):
            own = [row for row in rows if row["judge"] == judge and row["labelled"] == n]
            ranges = []
            for target in TARGETS:
                rates = [row["coverage"] for row in own if row["target"] == target]
                ranges.append(f"{min(rates):.3f}–{max(rates):.3f}")
            width = np.mean([row["width"] for row in own if row["target"] == TARGETS[0]])
            label = judge if lang == "en" else names[judge]
            lines.append(f"| {label} | {n} | {ranges[0]} | {ranges[1]} | {width:.3f} |")
    return "\n".join(lines)


def write(results: dict[str, Any]) -> None:
    """Write the results, and the tables into the pages."""
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for lang, ending in (("en", ".md"), ("zh", ".zh-CN.md")):
        page = DOCS / f"judges{ending}"
        if page.exists():
            text = page.read_text(encoding="utf-8")
            for part, title in PARTS.items():
                start, end = f"<!-- {title} -->\n", f"<!-- end of {title} -->"
                before, after = text.split(start)[0], text.split(end)[1]
                text = f"{before}{start}{tables(results[part], lang)}\n{end}{after}"
            page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES
    write(
        {
            "samples": samples,
            "coverage": coverage(samples),
            "hard": coverage(samples, least=0),
            "nearly_perfect": coverage(samples, least=0, judges=NEARLY_PERFECT),
            "refusals": refusals(samples),
        }
    )
