"""Metrics of the first relevant item: RR and its rank."""

from __future__ import annotations

import math

from rankgauge.match.judged import Judged
from rankgauge.metrics.declare import metric
from rankgauge.metrics.parameters import Cutoff, rule
from rankgauge.metrics.sums import Sum, total

__all__ = ["RR", "FirstRank"]


@metric(
    zh="倒数排名：首个相关物品名次的倒数；对查询取平均即 MRR。",
    aliases=("MRR", "ReciprocalRank"),
    trec={"recip_rank": "RR"},
    cite="voorhees1999",
    breaks={"strict_swap": "only the first relevant item counts"},
)
def RR(j: Judged, *, k: Cutoff = None, rel: float = rule(), of: str = rule("rr_of"), hit_if: str = rule()) -> Sum:
    r"""Reciprocal rank: one over the rank of the first relevant item.

    .. math:: RR@k = \frac{1}{\min \{ i \le k : rel_i = 1 \}}

    Edge cases: 0 when nothing relevant stands in the top k, also when nothing is relevant at all; ``of='best'``
    looks for the best grade that was judged instead.

    >>> round(RR.of([0, 0, 1, 1]), 6)  # 1/3
    0.333333
    """
    hit = j.hits(rel, hit_if)
    if of == "best":
        hit = hit * j.best(rel)
    return total(j, k, relevant=j.at(hit), first=j.reach(hit), reciprocal=1 / j.rank)


@metric(
    zh="首个相关物品的名次，越小越好。",
    aliases=("RankOfFirst",),
    cite="voorhees1999",
    bounds=(1.0, math.inf),
    higher_is_better=False,
    undefined="skip",
    breaks=dict.fromkeys(
        ("bounded", "swap", "replace", "drop", "strict_swap", "defined", "raised_grade"),
        "it is a rank: lower is better",
    ),
)
def FirstRank(j: Judged, *, rel: float = rule()) -> Sum:
    r"""The rank of the first relevant item; lower is better.

    .. math:: \min \{ i : rel_i = 1 \}

    Edge cases: when nothing relevant was returned there is no rank: NaN, left out of the mean. A number for
    0/0 would make no sense here.

    >>> FirstRank.of([0, 0, 1, 1])  # the third
    3.0
    """
    hit = j.relevant(rel)
    first = {"relevant": j.at(hit), "first": j.reach(hit)}
    return total(j, **first, position=j.rank).over("found", total(j, **first))
