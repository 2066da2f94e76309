"""Corrections of p-values for multiple comparisons: Bonferroni, Holm, Benjamini and Hochberg."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt

from rankgauge.errors import ParameterError
from rankgauge.segments import Floats
from rankgauge.stats.samples import check_sample

Correction = Literal["holm", "bh", "bonferroni", "tukey", "randomised_tukey", "none"]
"""How the p-values of several pairs of systems are corrected."""


def bonferroni(p: npt.ArrayLike) -> Floats:
    """Multiply each p-value by their number; controls the family-wise error rate.

    >>> bonferroni([0.01, 0.03, 0.04]).round(6).tolist()
    [0.03, 0.09, 0.12]
    """
    values = _check_p(p, "bonferroni")
    return np.minimum(values * len(values), 1.0)


def holm(p: npt.ArrayLike) -> Floats:
    """Holm's step-down correction of p-values: the same error rate as Bonferroni with more power.

    >>> holm([0.01, 0.04, 0.03]).round(6).tolist()  # 3 x .01, 2 x .03, and never less than the one before
    [0.03, 0.06, 0.06]
    """
    values = _check_p(p, "holm")
    order = np.argsort(values, kind="stable")
    stepped = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    return np.minimum(stepped, 1.0)[np.argsort(order)]


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Benjamini and Hochberg's step-up correction of p-values: controls the false discovery rate.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(6).tolist()  # 3/1 x .01, 3/2 x .03 but at most .04
    [0.03, 0.04, 0.04]
    """
    values = _check_p(p, "benjamini_hochberg")
    order = np.argsort(values, kind="stable")
    scaled = values[order] * len(values) / np.arange(1, len(values) + 1)
    stepped = np.minimum.accumulate(scaled[::-1])[::-1]
    return np.minimum(stepped, 1.0)[np.argsort(order)]


def _check_p(p: npt.ArrayLike, owner: str) -> Floats:
    values = check_sample(p, owner)
    if (values < 0).any() or (values > 1).any():
        raise ParameterError(f"{owner}: p-values lie between 0 and 1")
    return values


P_CORRECTIONS: Mapping[str, Callable[[Floats], Floats]] = {
    "none": lambda p: p,
    "bonferroni": bonferroni,
    "holm": holm,
    "bh": benjamini_hochberg,
}
"""The corrections that need the p-values only."""
