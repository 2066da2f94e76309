"""Bias: how much higher one rater grades than another, in groups of items or queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rankgauge.judging.number import Number
from rankgauge.segments import Floats, Ints
from rankgauge.stats.corrections import holm

CLUSTERS = 2
"""Clusters without which there is no spread."""


class Bias(NamedTuple):
    """How much higher the second rater grades than the first, in one group of items or queries."""

    group: str
    size: int
    """Number of pairs or queries."""
    difference: Number
    p: float
    """p-value of no difference, corrected by Holm's method over all groups."""


def clustered_mean(values: Floats, clusters: Ints, level: float) -> tuple[Number, float]:
    """Return the mean of values whose errors depend on each other within clusters, and the p-value of 0."""
    from scipy.special import stdtr, stdtrit  # noqa: PLC0415

    mean, codes = float(values.mean()) if len(values) else np.nan, np.unique(clusters, return_inverse=True)[1]
    count = int(codes.max(initial=-1)) + 1
    if count < CLUSTERS:
        return Number(mean, np.nan, np.nan), np.nan
    sums = np.bincount(codes, values - mean)
    error = float(np.sqrt(sums @ sums * count / (count - 1))) / len(values)
    reach = float(stdtrit(count - 1, (1 + level) / 2)) * error
    p = 2 * float(stdtr(count - 1, -abs(mean) / error)) if error > 0 else float(mean == 0)
    return Number(mean, mean - reach, mean + reach), p


def with_holm(biases: Iterable[tuple[str, int, Number, float]]) -> tuple[Bias, ...]:
    """Return biases with p-values corrected by Holm's method."""
    rows = [*biases]
    known = [place for place, row in enumerate(rows) if not np.isnan(row[-1])]
    corrected = dict(zip(known, holm([rows[place][-1] for place in known]).tolist(), strict=True)) if known else {}
    return tuple(Bias(*row[:3], corrected.get(place, float("nan"))) for place, row in enumerate(rows))
