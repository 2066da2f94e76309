"""Norms: the scores of each ranking and query brought to one scale, as papers and products do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rankgauge.fusion.aligned_lists import AlignedLists
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats

NormFunction: TypeAlias = Callable[[AlignedLists, int], Floats]
"""Returns the normalised scores of one ranking; NaN for items that it lacks."""
CLOSE = 1e-6
"""Elasticsearch takes scores that are closer than this for constant."""
SMALLEST = 1e-3
"""OpenSearch gives this in place of 0, so that a returned item is not taken for a missing one."""


@dataclass(frozen=True)
class Norm:
    """A norm: its formula, and the function that computes it."""

    formula: str
    function: NormFunction
    constant: float | None = None
    """What every item gets if all scores of the list are equal; None if that is nothing special."""


def unchanged(lists: AlignedLists, ranking: int) -> Floats:
    """Return the scores as they are."""
    return lists.scores[:, ranking]


def min_max(constant: float, close: float = 0.0) -> NormFunction:
    """Return the norm (s - min) / (max - min), with a value for scores that are all equal."""

    def normalise(lists: AlignedLists, ranking: int) -> Floats:
        score = lists.scores[:, ranking]
        low, high = lists.lowest(score), lists.highest(score)
        return _divided(lists, score - lists.rows.spread(low), high - low, constant, close)

    return normalise


def min_max_inverted(lists: AlignedLists, ranking: int) -> Floats:
    """Return (max - s) / (max - min), for distances; 0 if all are equal."""
    score = lists.scores[:, ranking]
    low, high = lists.lowest(score), lists.highest(score)
    return _divided(lists, lists.rows.spread(high) - score, high - low, 0.0)


def by_max(lists: AlignedLists, ranking: int) -> Floats:
    """Return s / max."""
    score = lists.scores[:, ranking]
    return _divided(lists, score, lists.highest(score), 0.0)


def by_sum(lists: AlignedLists, ranking: int) -> Floats:
    """Return (s - min) / sum of (s - min)."""
    score = lists.scores[:, ranking]
    above = score - lists.rows.spread(lists.lowest(score))
    return _divided(lists, above, lists.total(above), 0.0)


def l2(lists: AlignedLists, ranking: int) -> Floats:
    """Return s / sqrt(sum of s^2); 0 if all scores are 0."""
    score = lists.scores[:, ranking]
    return _divided(lists, score, np.sqrt(lists.total(score * score)), 0.0)


def l2_or_unchanged(lists: AlignedLists, ranking: int) -> Floats:
    """Return s / sqrt(sum of s^2), and scores as they are if the root is below 1e-6: Elasticsearch."""
    score = lists.scores[:, ranking]
    length = np.sqrt(lists.total(score * score))
    return score / lists.rows.spread(np.where(length < CLOSE, 1.0, length))


def z(lists: AlignedLists, ranking: int) -> Floats:
    """Return (s - mean) / standard deviation of the list; 0 if all scores are equal."""
    score = lists.scores[:, ranking]
    mean, deviation = _moments(lists, ranking, freedom=0)
    return _divided(lists, score - lists.rows.spread(mean), deviation, 0.0)


def three_sigma(lists: AlignedLists, ranking: int) -> Floats:
    """Return (s - (mean - 3 sd)) / (6 sd), with the sample's standard deviation; 0.5 if there is none: DBSF."""
    score = lists.scores[:, ranking]
    mean, deviation = _moments(lists, ranking, freedom=1)
    return _divided(lists, score - lists.rows.spread(mean - 3 * deviation), 6 * deviation, 0.5)


def z_opensearch(lists: AlignedLists, ranking: int) -> Floats:
    """Return z, 0.001 if it is not above 0, and the highest score for one that equals the mean: OpenSearch."""
    score = lists.scores[:, ranking]
    mean, deviation = _moments(lists, ranking, freedom=1)
    at_mean = np.float32(score) == np.float32(lists.rows.spread(mean))
    ratio = _divided(lists, score - lists.rows.spread(mean), deviation, 0.0)
    value = np.where(ratio <= 0, SMALLEST, ratio)
    return np.where(at_mean, lists.rows.spread(lists.highest(score)), value)


def min_max_opensearch(lists: AlignedLists, ranking: int) -> Floats:
    """Return (s - min) / (max - min), 1 if all scores are equal, and 0.001 in place of 0: OpenSearch."""
    value = min_max(1.0)(lists, ranking)
    return np.where(value == 0, SMALLEST, value)


def by_rank(lists: AlignedLists, ranking: int) -> Floats:
    """Return 1 - (rank - 1) / number of returned items."""
    sizes = lists.rows.spread(lists.returned[:, ranking])
    return 1 - (lists.ranks[:, ranking] - 1) / np.maximum(sizes, 1)


def by_borda(lists: AlignedLists, ranking: int) -> Floats:
    """Return 1 - (rank - 1) / number of items of all rankings."""
    return 1 - (lists.ranks[:, ranking] - 1) / lists.rows.spread(lists.rows.sizes)


def _moments(lists: AlignedLists, ranking: int, freedom: int) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of the scores of each query; exactly 0 if they are all equal."""
    score, count = lists.scores[:, ranking], lists.returned[:, ranking]
    mean = lists.total(score) / np.maximum(count, 1)
    squares = lists.total((score - lists.rows.spread(mean)) ** 2)
    deviation = np.sqrt(squares / np.maximum(count - freedom, 1))
    return mean, np.where(lists.highest(score) > lists.lowest(score), deviation, 0.0)


def _divided(lists: AlignedLists, above: Floats, below: Floats, constant: float, close: float = 0.0) -> Floats:
    """Return quotients, and the given constant for each returned item where the divisor is 0 or close to it."""
    flat = ~(np.abs(below) > close) if close == 0 else ~(np.abs(below) >= close)
    quotient = above / lists.rows.spread(np.where(flat, 1.0, below))
    return np.where(lists.rows.spread(flat) & ~np.isnan(above), constant, quotient)


NORMS: Mapping[str, Norm] = {
    "none": Norm("s", unchanged),
    "min-max": Norm("(s - min) / (max - min)", min_max(0.0), 0.0),
    "min-max-inverted": Norm("(max - s) / (max - min)", min_max_inverted, 0.0),
    "max": Norm("s / max", by_max),
    "sum": Norm("(s - min) / Σ (s - min)", by_sum, 0.0),
    "z": Norm("(s - mean) / sd", z, 0.0),
    "l2": Norm("s / √Σ s²", l2),
    "dbsf": Norm("(s - (mean - 3 sd)) / (6 sd)", three_sigma, 0.5),
    "rank": Norm("1 - (r - 1) / L", by_rank),
    "borda": Norm("1 - (r - 1) / N", by_borda),
}
ALIASES = {"zmuv": "z", "z_score": "z", "min_max": "min-max", "minmax": "min-max", "l2_norm": "l2"}
"""Names of norms in ranx, OpenSearch and Elasticsearch."""
NEEDS_POSITIVE = ("max",)
"""Norms that divide by the highest score, which must be above 0."""
OF_RANKS = ("rank", "borda")
"""Norms that do not read scores."""
CONSTANT = Phrase("equal scores={value:g}", "分数全部相同={value:g}")
