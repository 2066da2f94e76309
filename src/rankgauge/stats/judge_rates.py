"""Rates of a yes-or-no judge, corrected for its errors (Rogan and Gladen 1978)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.errors import ParameterError
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats
from rankgauge.stats.samples import check_number, check_share, check_whole

NO_INFORMATION = Phrase(
    "sensitivity {sensitivity:.4f} and specificity {specificity:.4f} add up to 1 or less: the judge is no better than "
    "chance, so its rate says nothing about that of people",
    "灵敏度 {sensitivity:.4f} 与特异度 {specificity:.4f} 之和不超过 1：该评判者不优于随机，其比率无法说明人的判断",
)


class CorrectedRate(NamedTuple):
    """A rate corrected for the errors of the judge, with its interval by the delta method."""

    value: float
    low: float
    high: float
    sensitivity: float
    specificity: float


def corrected_rates(observed: Floats, sensitivity: Floats, specificity: Floats) -> Floats:
    """Return corrected rates, within 0 and 1; NaN where the judge is no better than chance.

    >>> corrected_rates(np.array([0.5, 0.9]), np.array([0.8, 0.5]), np.array([0.7, 0.5])).round(6).tolist()
    [0.4, nan]
    """
    information = sensitivity + specificity - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = np.clip((observed + specificity - 1) / information, 0, 1)
    return np.where(information > 0, rates, np.nan)


def rogan_gladen(
    positive: int, total: int, true_positive: int, actual_positive: int, true_negative: int, actual_negative: int,
    level: float = 0.95,
) -> CorrectedRate:  # fmt: skip
    """Correct the share of items that a judge calls relevant by its sensitivity and specificity on labelled items.

    Items are taken to be independent; ``rg.judges.rate`` resamples queries instead.

    Parameters
    ----------
    positive, total
        How many of how many items the judge calls relevant.
    true_positive, actual_positive
        How many of the items that people call relevant the judge calls relevant.
    true_negative, actual_negative
        How many of the items that people call not relevant the judge calls not relevant.
    level
        Confidence level of the interval.

    Examples
    --------
    >>> rate = rogan_gladen(500, 1000, 80, 100, 70, 100)
    >>> [round(number, 4) for number in rate[:3]]
    [0.4, 0.2607, 0.5393]
    """
    counts = {"positive": (positive, total), "true_positive": (true_positive, actual_positive)}
    counts["true_negative"] = true_negative, actual_negative
    for name, (part, whole) in counts.items():
        check_whole(name, part, 0, "rogan_gladen")
        check_whole(f"the total of {name}", whole, 1, "rogan_gladen")
        check_number(f"the total of {name}", whole, part, "rogan_gladen")
    observed, sensitivity, specificity = (part / whole for part, whole in counts.values())
    information = sensitivity + specificity - 1
    if information <= 0:
        raise ParameterError(NO_INFORMATION.fill(sensitivity=sensitivity, specificity=specificity))
    rate = float(np.clip((observed + specificity - 1) / information, 0, 1))
    variance = (
        observed * (1 - observed) / total
        + rate**2 * sensitivity * (1 - sensitivity) / actual_positive
        + (1 - rate) ** 2 * specificity * (1 - specificity) / actual_negative
    ) / information**2
    from scipy.special import ndtri  # noqa: PLC0415

    reach = float(ndtri((1 + check_share("level", level)) / 2) * np.sqrt(variance))
    return CorrectedRate(rate, max(rate - reach, 0.0), min(rate + reach, 1.0), sensitivity, specificity)
