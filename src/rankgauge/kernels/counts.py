"""Counts of returned and relevant items, and utility."""

from __future__ import annotations

import math

import numpy as np

from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.laws import EVERY_ITEM, JUDGMENTS_ALONE, broken
from rankgauge.metric_core.parameters import Cutoff, Level, NonNegative, Number, rule
from rankgauge.metric_core.sums import Sum, total

__all__ = ["NumNonrelRet", "NumQ", "NumRel", "NumRelRet", "NumRet", "Utility"]

COUNT = broken("bounded ideal_is_one strict_swap", "it is a count", "它是计数")


@metric(
    zh="查询数：每个计入的查询为 1，对查询求和。特殊情形：没有结果的已标注查询也计入，除非规则 ``missing`` 把它跳过。",
    trec={"num_q": "NumQ"},
    cite="buckley2005",
    bounds=(1.0, 1.0),
    summary="sum",
    breaks=broken("strict_swap", "every query counts 1", "每个查询都计 1"),
)
def NumQ(j: JudgedRankings) -> Sum:
    r"""The number of queries: 1 for each of them, added up.

    .. math:: 1

    Edge cases: a judged query without results counts as well, unless the rule ``missing`` skips it.

    >>> NumQ.of([0, 1])  # one
    1.0
    """
    return total(j).plus("query", np.ones_like(j.returned, dtype=np.float64))


@metric(
    zh="返回的物品数；给出 ``rel`` 时只计等级达到它的物品。特殊情形：设 ``unjudged='removed'`` 时只计有标注的物品。",
    trec={"num_ret": "NumRet"},
    cite="buckley2005",
    bounds=(0.0, math.inf),
    summary="sum",
    breaks=COUNT | EVERY_ITEM,
)
def NumRet(j: JudgedRankings, *, rel: Level = None) -> Sum:
    r"""The number of items returned; with ``rel``, of those with at least that grade.

    .. math:: n

    Edge cases: with ``unjudged="removed"`` only judged items count; ``NumRet(rel=1)`` is NumRelRet.

    >>> NumRet.of([1, 0, None])  # three
    3.0
    >>> NumRet(rel=1).of([1, 0, None])  # one
    1.0
    """
    if rel is not None:
        return NumRelRet.kernel(j, k=None, rel=rel)
    return total(j).plus("returned", j.shown(None))


@metric(
    zh="相关物品总数，无论是否被返回。特殊情形：没有相关物品时为 0。",
    trec={"num_rel": "NumRel"},
    cite="buckley2005",
    bounds=(0.0, math.inf),
    summary="sum",
    breaks=COUNT | JUDGMENTS_ALONE,
)
def NumRel(j: JudgedRankings, *, rel: float = rule()) -> Sum:
    r"""R, the number of relevant items, returned or not.

    .. math:: R

    Edge cases: 0 if nothing is relevant.

    >>> NumRel.of([1, 0], relevant=4)  # four, three of them not returned
    4.0
    """
    return total(j).plus("relevant in all", j.relevant_judged(rel))


@metric(
    zh="前 k 个中相关物品的个数（命中数）。特殊情形：没有相关物品时为 0。",
    aliases=("Hits", "HitCount"),
    trec={"num_rel_ret": "NumRelRet"},
    cite="buckley2005",
    bounds=(0.0, math.inf),
    summary="sum",
    breaks=COUNT,
)
def NumRelRet(j: JudgedRankings, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""The number of relevant items in the top k.

    .. math:: \sum_{i=1}^{k} rel_i

    Edge cases: 0 if nothing is relevant.

    >>> (NumRelRet @ 3).of([1, 0, 2, 1])  # 1 + 0 + 1
    2.0
    """
    return total(j, k, relevant=j.at(j.relevant(rel)))


@metric(
    zh="前 k 个中被判为不相关的物品的个数；未标注的不算。特殊情形：返回的物品都没有标注时为 0。",
    trec={"num_nonrel_judged_ret": "NumNonrelRet"},
    cite="buckley2005",
    bounds=(0.0, math.inf),
    higher_is_better=False,
    best_first="unjudged",
    summary="sum",
    breaks=broken(
        "bounded ideal_is_one swap strict_swap equal_swap replace tail drop raised_grade",
        "it counts non-relevant items",
        "它计的是不相关物品",
    ),
)
def NumNonrelRet(j: JudgedRankings, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""The number of items in the top k that were judged not relevant; unjudged items do not count.

    .. math:: \sum_{i=1}^{k} non_i

    Edge cases: 0 if no returned item was judged.

    >>> (NumNonrelRet @ 3).of([1, 0, None, 0])  # 0 + 1 + 0
    1.0
    """
    return total(j, k, nonrelevant=j.at(j.nonrelevant(rel)))


@metric(
    zh="集合效用：返回的相关与不相关物品、漏掉的相关物品、其余物品各有一个价值，求其总和。"
    "特殊情形：h 为返回的相关物品数，N 为集合中的物品数；未标注物品视为不相关；空结果为 0，除非未返回的物品也"
    "有效用。",
    trec={"utility": "Utility"},
    cite="buckley2005",
    bounds=(-math.inf, math.inf),
    breaks=COUNT | broken("tail", "every non-relevant item has a cost", "每个不相关物品都有代价"),
)
def Utility(
    j: JudgedRankings,
    *,
    hit: Number = 1,
    noise: Number = -1,
    miss: Number = 0,
    rest: Number = 0,
    collection: NonNegative = 0,
    rel: float = rule(),
) -> Sum:
    r"""Utility of the returned set: each cell of the contingency table has a value per item.

    .. math:: u_{hit} \, h + u_{noise} (n - h) + u_{miss} (R - h) + u_{rest} (N - n - R + h)

    Edge cases: h is the number of relevant items returned, N the number of items in the collection; unjudged items are
    not relevant; 0 for an empty list unless items that were not returned have a value.

    >>> Utility.of([1, 0, None, 1])  # 2 * 1 + 2 * -1
    0.0
    >>> Utility(hit=2, miss=-1).of([1, 0, 1], relevant=5)  # 2 * 2 + 1 * -1 + 3 * -1
    0.0
    """
    relevant, R = j.relevant(rel), j.relevant_judged(rel)
    n, missed = j.shown(None), R - j.returned_once(relevant)
    others = noise * (n - j.returned_sum(relevant)) + miss * missed + rest * (collection - n - missed)
    return total(j, relevant=j.at(relevant), worth=np.full_like(j.rank, float(hit))).plus("others", others)
