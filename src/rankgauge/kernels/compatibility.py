"""Compatibility: how similar a list is to the best list that the judgments allow."""

from __future__ import annotations

import math

import numpy as np

from rankgauge.kernels.precision import OF_ALL
from rankgauge.kernels.user_models import ABOVE_ZERO, depth_of
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.laws import broken
from rankgauge.metric_core.parameters import Flag, Probability, rule
from rankgauge.metric_core.sums import Sum, total
from rankgauge.segments import Floats, Ints, Segments

__all__ = ["Compat"]

MOST_DEPTHS = 10_000_000
"""Depths that are tabulated at most; only a user with p above 0.999995 goes further."""


@metric(
    zh="相容度：列表与标注所允许的最佳列表的秩偏重叠（RBO），p 为继续往下看的概率。"
    "特殊情形：最佳列表含全部等级大于 0 的物品，等级高者在前，同等级者按列表中的顺序，未返回者在最后；"
    "``normalize=True`` 除以最佳列表与自身的重叠；没有等级大于 0 的物品时为 0/0。",
    aliases=("Compatibility",),
    cite="clarke2021",
    ties_mean=False,
    breaks={law: reason for law, reason in OF_ALL.items() if law != "raised_grade"}
    | broken("strict_swap", "only the agreement with the best list counts", "只看与最佳列表的一致程度")
    | broken(
        "raised_grade", "a better grade moves other items down in the best list", "等级提高会使其他物品在最佳列表中后移"
    ),
)
def Compat(j: JudgedRankings, *, p: Probability = 0.95, normalize: Flag = True, user_depth: str | int = rule()) -> Sum:
    r"""Compatibility: the rank-biased overlap of a list with the best list that the judgments allow.

    .. math:: Compat = \frac{\sum_d p^{d-1} \frac{1}{d} |L^d \cap I^d|}{\sum_d p^{d-1} \frac{1}{d} |I^d|}

    Edge cases: the best list I has all items with a grade above 0, better grades first, equal grades in the order of
    the list and those not returned last; ``normalize=False`` divides by the sum of the weights instead, which a short
    best list cannot reach; 0/0 if no grade is above 0.

    >>> round(Compat(p=0.5, normalize=False).of([0, 1]), 6)  # 0.5 * (1/2 * 1/2 + 1/4 * 1/3 + 1/8 * 1/4 + ...)
    0.193147
    >>> round(Compat(p=0.5).of([0, 1]), 6)  # (2 ln 2 - 1) / (2 ln 2)
    0.278652
    """
    R, depth = j.relevant_judged(ABOVE_ZERO), depth_of(j, user_depth)
    tail = _tails(p, j, R, depth)
    beyond = _look_up(tail, depth + 1)
    agreed = np.maximum(j.rank, _place_in_ideal(j))
    overlap = np.maximum(_look_up(tail, agreed) - j.segments.spread(beyond), 0.0)
    relevant, outside = j.relevant(ABOVE_ZERO), j.rare.uncounted
    computed = total(j, relevant=j.at(relevant if outside is None else relevant * ~outside), overlap=overlap)
    weights = (1 - p ** np.where(np.isinf(depth), np.inf, depth)) / (1 - p)
    if not normalize:
        return computed.over("sum of the weights", np.where(R > 0, weights, 0.0))
    listed = np.minimum(R, depth)
    itself = (1 - p**listed) / (1 - p) + listed * (_look_up(tail, listed + 1) - beyond)
    return computed.over("overlap of the best list with itself", np.where(R > 0, itself, 0.0))


def _place_in_ideal(j: JudgedRankings) -> Floats:
    """Return the rank of each item in the best list: after better grades and equal grades above it in the list."""
    outside = np.zeros_like(j.rank, dtype=bool) if j.rare.uncounted is None else j.rare.uncounted
    order = np.lexsort((j.rank, outside, -j.grade, j.segments.query))
    first_of_grade = np.empty_like(j.rank, dtype=np.int64)
    of_one_grade = Segments.of_runs(j.segments.query[order], j.grade[order])
    first_of_grade[order] = (of_one_grade.place() - 1.0).astype(np.int64)
    return _better_in_pool(j) + first_of_grade + 1.0


def _better_in_pool(j: JudgedRankings) -> Ints:
    """Return the number of judged items with a better grade than each item, by bisection of its query's pool."""
    grades, low = j.pool_grade, j.segments.spread(j.pool.offsets[:-1])
    start, high = low, j.segments.spread(j.pool.offsets[1:])
    for _ in range(int(np.max(j.pool.sizes, initial=0)).bit_length()):
        middle = np.minimum((low + high) // 2, max(len(grades) - 1, 0))
        better = (grades[middle] > j.grade) & (low < high)
        low, high = np.where(better, middle + 1, low), np.where(better, high, np.minimum(middle, high))
    more = j.rare.unlisted
    unlisted = 0 if more is None else more.number * (more.grade > j.grade)
    return low - start + unlisted


def _tails(p: float, j: JudgedRankings, R: Floats, depth: Floats) -> Floats:
    """Return the sums of p^(d-1)/d over all depths d from 0, 1, 2, ... on, as far as they are needed and not 0."""
    finite = depth[np.isfinite(depth)]
    deepest = max(float(np.max(column, initial=0)) for column in (j.rank, R, finite))
    count = int(min(deepest + 2, math.log(1e-20) / math.log(p) + 2, MOST_DEPTHS))
    depths = np.arange(1.0, count)
    summed = np.cumsum(np.concatenate(([0.0], p ** (depths - 1) / depths)))
    tail = np.zeros(count + 1, like=j.rank)
    tail[1:] = np.maximum(-math.log1p(-p) / p - summed, 0.0)
    return tail


def _look_up(tail: Floats, depth: Floats) -> Floats:
    """Return the tail at each depth, 0 beyond the table."""
    last = len(tail) - 1
    return np.where(depth <= last, tail[np.minimum(depth, last).astype(np.int64)], 0.0)
