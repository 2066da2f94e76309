"""Metrics of the ranks of relevant items: RR, the rank of the first relevant item, MPR."""

from __future__ import annotations

import math

import numpy as np

from rankgauge.kernels.average import unless_hits
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.laws import broken
from rankgauge.metric_core.parameters import Cutoff, rule
from rankgauge.metric_core.sums import Sum, total

__all__ = ["MPR", "RR", "FirstRank"]


@metric(
    zh="倒数排名：首个相关物品名次的倒数；对查询取平均即 MRR。"
    "特殊情形：前 k 个中没有相关物品时为 0，即使根本没有相关物品；``of='best'`` 改取首个等级最高的物品；"
    "``of='hits'`` 与 ``of='all'`` 取各相关物品名次倒数的平均，前者只计前 k 个中的，后者把未找到的计为 0。",
    aliases=("MRR", "ReciprocalRank"),
    trec={"recip_rank": "RR"},
    cite="voorhees1999",
    ties_mean=unless_hits("of"),
    ordered=unless_hits("of"),
    breaks=broken("strict_swap", "only the first relevant item counts", "只看首个相关物品"),
)
def RR(
    j: JudgedRankings, *, k: Cutoff = None, rel: float = rule(), of: str = rule("rr_of"), hit_if: str = rule()
) -> Sum:
    r"""Reciprocal rank: 1 divided by the rank of the first relevant item.

    .. math:: RR@k = \frac{1}{\min \{ i \le k : rel_i = 1 \}}

    Edge cases: 0 if no relevant item is in the top k, even if nothing is relevant at all; ``of='best'`` uses the first
    item of the best judged grade instead. ``of='hits'`` and ``of='all'`` take the mean of 1/rank over the relevant
    items: those in the top k, or all of them, of which those not found add 0.

    >>> round(RR.of([0, 0, 1, 1]), 6)  # 1/3
    0.333333
    """
    hit = j.hits(rel, hit_if)
    if of == "hits":
        hits = total(j, k, relevant=j.at(hit)).totals
        return total(j, k, relevant=j.at(hit), reciprocal=1 / j.rank).over("hits, at least 1", np.maximum(hits, 1))
    if of == "all":
        found_items = j.at(j.found(rel, hit_if))
        return total(j, k, relevant=found_items, reciprocal=1 / j.rank).over(
            "R, at least 1", np.maximum(j.relevant_judged(rel), 1)
        )
    if of == "best":
        hit = hit * j.best(rel)
    return total(j, k, relevant=j.at(hit), first=j.reach(hit), reciprocal=1 / j.rank)


@metric(
    zh="首个相关物品的名次，越小越好。特殊情形：没有返回相关物品时为 NaN，不计入均值；此处为 0/0 指定一个数没有意义。",
    aliases=("RankOfFirst",),
    cite="voorhees1999",
    bounds=(1.0, math.inf),
    higher_is_better=False,
    undefined="skip",
    breaks=broken(
        "bounded swap replace drop strict_swap defined raised_grade",
        "it is a rank: lower is better",
        "它是名次，越小越好",
    ),
)
def FirstRank(j: JudgedRankings, *, rel: float = rule()) -> Sum:
    r"""The rank of the first relevant item; lower is better.

    .. math:: \min \{ i : rel_i = 1 \}

    Edge cases: NaN, and excluded from the mean, if no relevant item was returned: a number for 0/0 would make no sense
    here.

    >>> FirstRank.of([0, 0, 1, 1])  # the third
    3.0
    """
    hit = j.relevant(rel)
    first = {"relevant": j.at(hit), "first": j.reach(hit)}
    return total(j, **first, position=j.rank).over("found", total(j, **first))


@metric(
    zh="平均百分位名次：相关物品的名次在列表中的相对位置的平均，0 为最前，1 为最后，越低越好。"
    "特殊情形：未返回的相关物品按最后一位计；只有一个物品时它排第一；没有相关物品时为 0/0。",
    aliases=("MeanPercentileRank", "PercentileRanking"),
    cite="hu2008",
    higher_is_better=False,
    breaks=broken(
        "ideal_is_one swap strict_swap replace append drop localised added_relevant tail defined raised_grade",
        "it is a mean relative rank: lower is better",
        "它是相对名次的平均，越小越好",
    ),
)
def MPR(j: JudgedRankings, *, rel: float = rule()) -> Sum:
    r"""Mean percentile rank: the mean relative position of the relevant items, from 0 (first) to 1 (last).

    .. math:: MPR = \frac{1}{R} \left( \sum_{i=1}^{n} rel_i \, \frac{i - 1}{n - 1} + R - \sum_{i=1}^{n} rel_i \right)

    Edge cases: a relevant item that was not returned counts as last; in a list of one item, that item is first; 0/0 if
    nothing is relevant.

    >>> MPR.of([0, 1, 0, 0, 1])  # (1/4 + 4/4) / 2
    0.625
    """
    hit, R = j.relevant(rel), j.relevant_judged(rel)
    percentile = (j.item_rank() - 1) / j.segments.spread(np.maximum(j.shown(None) - 1.0, 1.0))
    return (
        total(j, relevant=j.at(hit), percentile=percentile)
        .plus("relevant not returned", R - j.returned_once(hit))
        .over("R", R)
    )
