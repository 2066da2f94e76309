"""Coverage of the intervals of tuned procedures and of the plateau, in simulated worlds whose truth is known.

    python tests/tuning_simulation.py coverage [worlds of each kind] [seed]
    python tests/tuning_simulation.py cast21 [samples]      (needs RANKGAUGE_DATA)

``coverage`` prints a row for each kind of world: how often the interval of the gain holds the expected gain of the
procedure (chosen on that many queries), how often it holds the gain of the setting that was chosen, what Student's t
over all folds, over those of one partition, and the correction of Nadeau and Bengio hold, the mean naive gain, the mean cross-validated gain, the
expected gain, and how often the plateau holds the best setting. ``cast21`` repeats the table of docs/tune.md.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np

import rankgauge as rg
from rankgauge.tuning.cross_validation import run_procedure

KINDS = ("exchangeable", "graded", "winner")
SETTINGS = (12, 63)
QUERIES = (40, 80, 160)
FOLDS, REPEATS, RESAMPLES = 5, 20, 400
TRUTH = 4_000
"""Samples from which the expected gain of the procedure is computed."""


def world(kind, queries, settings, chance):
    """Return values of settings on queries, in [0, 1] and skewed as nDCG is, and the true mean of each setting."""
    if kind == "exchangeable":
        merit = np.zeros(settings)
    elif kind == "graded":
        merit = np.roll(-np.linspace(0, 0.3, settings), settings // 2)
    else:
        merit = np.zeros(settings)
        merit[settings // 2] = 0.4
    difficulty = chance.normal(0, 1.2, (queries, 1))
    noise = chance.normal(0, 0.6, (queries, settings))
    return 1 / (1 + np.exp(-(difficulty + merit + noise))), merit


def true_means(kind, settings):
    """Return the expected value of each setting, by quadrature over the normal distribution of difficulty and noise."""
    _, merit = world(kind, 1, settings, np.random.default_rng(0))
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    spread = np.sqrt(1.2**2 + 0.6**2)
    return (1 / (1 + np.exp(-(merit[:, None] + spread * nodes)))) @ weights / weights.sum()


def expected_gain(kind, queries, settings, chance):
    """Return the expected true gain of the setting with the highest mean over this many queries."""
    means = true_means(kind, settings)
    chosen = [world(kind, queries, settings, chance)[0].mean(axis=0).argmax() for _ in range(TRUTH)]
    return float(np.mean(means[chosen]) - means[0])


def fold_gains(values, chance):
    """Return the gain of every fold of every partition, as textbooks average them."""
    gains = []
    for _ in range(REPEATS):
        order = chance.permutation(len(values))
        for fold in range(FOLDS):
            test = order[fold::FOLDS]
            train = np.setdiff1d(order, test)
            gains.append(values[test, values[train].mean(axis=0).argmax()].mean() - values[test, 0].mean())
    return np.array(gains)


def simulate(task):
    """Return a row of the table for one kind of world."""
    kind, settings, queries, worlds, seed = task
    chance = np.random.default_rng([seed, settings, queries, KINDS.index(kind)])
    means, truth = true_means(kind, settings), expected_gain(kind, queries, settings, chance)
    rows = []
    for number in range(worlds):
        values, _ = world(kind, queries, settings, chance)
        everything = {"clusters": np.arange(queries), "folds": FOLDS, "repeats": REPEATS, "resamples": RESAMPLES}
        result = run_procedure(values, 0, np.arange(settings), **everything, alpha=0.05, seed=number)
        value, low, high = result.gain
        gains = fold_gains(values, chance)
        usual, once = rg.stats.t_interval(gains), rg.stats.t_interval(gains[:FOLDS])
        corrected = rg.stats.repeated_folds_interval(gains, 1 / FOLDS)
        best = rg.stats.hsu_best(values, resamples=400, seed=number).could_be_best
        own = means[result.chosen] - means[0]
        held = best.mean() if kind == "exchangeable" else best[means.argmax()]
        naive = values[:, result.chosen].mean() - values[:, 0].mean()
        inside = [a <= truth <= b for a, b in ((low, high), usual, once, corrected)]
        rows.append((inside[0], low <= own <= high, *inside[1:], naive, value, held, high - low, best.sum()))
    return task[:3], truth, np.mean(rows, axis=0)


def coverage(worlds, seed):
    """Print the table of coverage."""
    print(
        "kind settings queries | interval chosen t(100) t(5) N-B plateau | naive honest expected | width, size of the plateau"
    )
    tasks = [(*task, worlds, seed) for task in product(KINDS, SETTINGS, QUERIES)]
    with ProcessPoolExecutor(int(os.environ.get("WORKERS", "1"))) as workers:
        for (kind, settings, queries), truth, row in workers.map(simulate, tasks):
            held, own, usual, once, corrected, naive, value, best, width, size = row
            print(
                f"{kind} {settings} {queries} | {held:.3f} {own:.3f} {usual:.3f} {once:.3f} {corrected:.3f} {best:.3f} | "
                f"{naive:+.4f} {value:+.4f} {truth:+.4f} | {width:.4f} {size:.1f}",
                flush=True,
            )


def cast21_values():
    """Return the values of 63 settings of weighted RRF on the queries of cast21 that have a relevant document."""
    import rankgauge as rg

    folder = Path(os.environ["RANKGAUGE_DATA"], "cast21")
    runs = {name: folder / f"org_manual_{name}.run" for name in ("bm25", "ance")}
    grid = {
        "k": [1, 2, 5, 10, 20, 60, 100],
        "weights": [[round(w / 10, 1), round(1 - w / 10, 1)] for w in range(1, 10)],
        "depth": [200],
    }
    return rg.tune(
        folder / "trec-cast-qrels-docs.2021.qrel",
        runs,
        "nDCG@10",
        grid=grid,
        baseline={"k": 60, "weights": [0.5, 0.5]},
        convention=rg.Convention(duplicates="close-up"),
    )


def cast21_table(values, baseline, samples, seed=0):
    """Return, for each number of tuning queries, the claimed, real and cross-validated gain and their errors."""
    chance, table = np.random.default_rng(seed), {}
    for count in (15, 26, 50, 100):
        rows = []
        for _ in range(samples):
            order = chance.permutation(len(values))
            tuned, rest = values[order[:count]], values[order[count:]]
            chosen = tuned.mean(axis=0).argmax()
            claimed = tuned[:, chosen] - tuned[:, baseline]
            real = rest[:, chosen].mean() - rest[:, baseline].mean()
            fold = np.arange(count) % FOLDS
            honest = 0.0
            for number in range(FOLDS):
                test, train = tuned[fold == number], tuned[fold != number]
                picked = train.mean(axis=0).argmax()
                honest += (test[:, picked] - test[:, baseline]).sum()
            spread = claimed.std(ddof=1)
            significant = spread > 0 and claimed.mean() > 2 * spread / np.sqrt(count)
            rows.append((claimed.mean(), real, honest / count, significant, real < 0))
        table[count] = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(samples)
    return table


def cast21(samples):
    """Print the table of cast21."""
    tuned = cast21_values()
    print(
        f"{len(tuned.queries)} queries, default {tuned.values[:, tuned.baseline_place].mean():.4f}, naive {tuned.naive:.4f}"
    )
    print("queries | claimed real cross-validated | significant worse")
    for count, (mean, error) in cast21_table(tuned.values, tuned.baseline_place, samples).items():
        claimed, real, honest = (f"{value:+.4f}±{e:.4f}" for value, e in zip(mean[:3], error[:3], strict=True))
        print(f"{count} | {claimed} {real} {honest} | {mean[3]:.2f} {mean[4]:.2f}")


if __name__ == "__main__":
    command, *numbers = sys.argv[1:] or ["coverage"]
    if command == "cast21":
        cast21(int(numbers[0]) if numbers else 2_000)
    else:
        coverage(int(numbers[0]) if numbers else 400, int(numbers[1]) if len(numbers) > 1 else 0)
