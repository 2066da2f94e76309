"""Agreement and corrected means by other tools, stored for the tests: run in an environment with the tools.

    python parity/judges.py > tests/data/judges.json

It needs ppi_python, krippendorff, scikit-learn and irrCAC; and glide-py, for which Python 3.12 is declared, but whose
wheel can be unpacked into a folder of PYTHONPATH. The data are random, with a fixed seed, and are stored as well.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
from glide.estimators import StratifiedClassicalMeanEstimator, StratifiedPPIMeanEstimator
from irrCAC.raw import CAC
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from sklearn.metrics import cohen_kappa_score

Random = np.random.Generator
LEVELS = ("nominal", "ordinal", "interval", "ratio")


def _plain(values: Iterable[float]) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def two_raters(random: Random) -> Iterator[dict[str, Any]]:
    """Yield grades of two raters, and their kappas."""
    for size in (12, 40, 200):
        first = random.integers(0, 5, size)
        first[:5] = range(5)  # all grades occur, so that distances of grades and of positions are the same
        second = np.clip(first + random.integers(-2, 3, size), 0, 4)
        kappas = [cohen_kappa_score(first, second, weights=weights) for weights in (None, "linear", "quadratic")]
        yield {"first": first.tolist(), "second": second.tolist(), "kappas": kappas}


def many_raters(random: Random) -> Iterator[dict[str, Any]]:
    """Yield ratings of several raters with gaps, and alpha at each level; without gaps, also AC1 and Conger's kappa."""
    for raters, items, gaps in ((3, 15, 0.2), (4, 60, 0.3), (3, 25, 0.0), (5, 40, 0.0)):
        grade = random.integers(0, 4, items)
        ratings = np.clip(grade[:, None] + random.integers(-1, 2, (items, raters)), 0, 3).astype(float)
        ratings[random.random(ratings.shape) < gaps] = np.nan
        alphas = {level: krippendorff.alpha(reliability_data=ratings.T, level_of_measurement=level) for level in LEVELS}
        case = {"ratings": [_plain(row) for row in ratings], "alphas": alphas}
        if not gaps:
            table = CAC(pd.DataFrame(ratings), digits=12)
            case["ac1"] = table.gwet()["est"]["coefficient_value"]
            case["conger"] = table.conger()["est"]["coefficient_value"]
            weighted = CAC(pd.DataFrame(ratings), weights="quadratic", digits=12)
            case["ac2"] = weighted.gwet()["est"]["coefficient_value"]
        yield case


def two_phases(random: Random) -> Iterator[dict[str, Any]]:
    """Yield labels of some queries with the proxy of all, and PPI++ by ppi_py; in strata, by GLIDE."""
    for size, labelled, slope in ((60, 12, 0.8), (300, 30, 0.4), (300, 100, 0.0), (80, 20, -0.5), (100, 40, 3.0)):
        proxies = random.random(size)
        values = 0.2 + slope * proxies + 0.2 * random.standard_normal(size)
        strata = np.arange(size) % 3
        labels = np.where(np.arange(size) < labelled, values, np.nan)
        known = ~np.isnan(labels)
        sides = labels[known], proxies[known], proxies[~known]
        low, high = ppi_mean_ci(*sides, alpha=0.05)
        point = ppi_mean_pointestimate(*sides)
        glide = StratifiedPPIMeanEstimator().estimate(labels, proxies, strata).confidence_interval
        shares = np.unique(strata, return_counts=True)[1] / size
        classical = StratifiedClassicalMeanEstimator().estimate(labels, strata, stratum_weights=shares)
        yield {
            "labels": _plain(labels),
            "proxies": proxies.tolist(),
            "strata": strata.tolist(),
            "ppi_py": [float(np.ravel(end)[0]) for end in (point, low, high)],
            "glide": [glide.mean, glide.lower_bound, glide.upper_bound],
            "glide_people": [classical.confidence_interval.mean, classical.confidence_interval.var],
        }


def main() -> None:
    """Write the values of all tools as JSON."""
    random = np.random.default_rng(35)
    made = {"two_raters": two_raters(random), "many_raters": many_raters(random), "two_phases": two_phases(random)}
    json.dump({name: [*cases] for name, cases in made.items()}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
