"""Counts: how much was returned, how much is relevant."""

from __future__ import annotations

import math

from rankgauge.match.judged import Judged
from rankgauge.metrics.declare import metric
from rankgauge.metrics.parameters import Cutoff, rule
from rankgauge.metrics.sums import Sum, total

__all__ = ["NumRel", "NumRelRet", "NumRet"]

COUNT = {"bounded": "it is a count", "ideal_is_one": "it is a count", "strict_swap": "it is a count"}


@metric(
    zh="返回的物品数。",
    trec={"num_ret": "NumRet"},
    cite="buckley2005",
    bounds=(0.0, math.inf),
    summary="sum",
    breaks=COUNT | {"tail": "it counts every item", "drop": "it counts every item"},
)
def NumRet(j: Judged) -> Sum:
    r"""The number of items returned.

    .. math:: n

    Edge cases: under ``unjudged="removed"`` only judged items count.

    >>> NumRet.of([1, 0, None])  # three
    3.0
    """
    return total(j).plus("returned", 1.0 * j.returned)


@metric(
    zh="相关物品总数，无论是否被返回。",
    trec={"num_rel": "NumRel"},
    cite="buckley2005",
    bounds=(0.0, math.inf),
    summary="sum",
    breaks=COUNT | dict.fromkeys(("localised", "added_relevant"), "it is a property of the judgments"),
)
def NumRel(j: Judged, *, rel: float = rule()) -> Sum:
    r"""R, the number of relevant items, returned or not.

    .. math:: R

    Edge cases: 0 when nothing is relevant.

    >>> NumRel.of([1, 0], relevant=4)  # four, three of them not returned
    4.0
    """
    return total(j).plus("relevant in all", j.relevant_judged(rel))


@metric(
    zh="前 k 个中相关物品的个数（命中数）。",
    aliases=("Hits",),
    trec={"num_rel_ret": "NumRelRet"},
    cite="buckley2005",
    bounds=(0.0, math.inf),
    summary="sum",
    breaks=COUNT,
)
def NumRelRet(j: Judged, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""The number of relevant items in the top k.

    .. math:: \sum_{i=1}^{k} rel_i

    Edge cases: 0 when nothing is relevant.

    >>> (NumRelRet @ 3).of([1, 0, 2, 1])  # 1 + 0 + 1
    2.0
    """
    return total(j, k, relevant=j.at(j.relevant(rel)))
