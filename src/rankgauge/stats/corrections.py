"""The p-values of several pairs, corrected: Bonferroni, Holm, Benjamini and Hochberg, or Tukey for all at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankgauge.comparison.settings import Settings
from rankgauge.segments import Floats
from rankgauge.stats.paired import t_test
from rankgauge.stats.randomisation import randomisation
from rankgauge.stats.tukey import TUKEY_PERMUTATIONS, randomised_tukey, tukey


def bonferroni(p: Floats) -> Floats:
    """Each p-value times their number; keeps the chance of any false alarm.

    >>> bonferroni(np.array([0.01, 0.03, 0.04])).round(6).tolist()
    [0.03, 0.09, 0.12]
    """
    return np.minimum(p * len(p), 1.0)


def holm(p: Floats) -> Floats:
    """Holm's step-down: keeps the same chance as Bonferroni and finds more.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(6).tolist()  # 3 x .01, 2 x .03, and never less than before
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _back(np.minimum(stepped, 1.0), order)


def benjamini_hochberg(p: Floats) -> Floats:
    """Benjamini and Hochberg's step-up: keeps the expected share of false alarms among what is found.

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).round(6).tolist()  # 3/1 x .01, 3/2 x .03 but at most .04
    [0.03, 0.04, 0.04]
    """
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    stepped = np.minimum.accumulate(scaled[::-1])[::-1]
    return _back(np.minimum(stepped, 1.0), order)


def _back(values: Floats, order: Floats) -> Floats:
    result = np.empty(len(values))
    result[order] = values
    return result


BY_NAME = {"none": lambda p: p, "bonferroni": bonferroni, "holm": holm, "bh": benjamini_hochberg}
"""The corrections that need nothing but the p-values."""


def p_values(matrix: Floats, places: Sequence[tuple[int, int]], settings: Settings) -> Floats:
    """The p-value of each pair of columns: of the t test, or of the randomisation test where that says nothing."""
    differences = [matrix[:, b] - matrix[:, a] for a, b in places]
    p = np.array([t_test(column).p for column in differences])
    for place in np.flatnonzero(np.isnan(p)):
        p[place] = randomisation(differences[place], settings.permutations, settings.seed)[0]
    return p


def corrected(matrix: Floats, places: Sequence[tuple[int, int]], settings: Settings) -> Floats:
    """The p-value of each pair of columns, corrected as the settings say.

    Tukey's are for all pairs of systems, whichever were asked for; NaN becomes 1 where there is nothing to tell.
    """
    if settings.correction in BY_NAME:
        return BY_NAME[settings.correction](p_values(matrix, places, settings))
    if settings.correction == "tukey":
        together = tukey(matrix)
    else:
        together = randomised_tukey(matrix, min(settings.permutations, TUKEY_PERMUTATIONS), settings.seed)
    found = np.array([together[a, b] for a, b in places])
    return np.where(np.isnan(found), 1.0, found)
