"""Metrics of cumulated gain: CG, DCG, the ideal DCG, nDCG."""

from __future__ import annotations

import math

import numpy as np

from rankgauge.conventions.discounts import DiscountFunction
from rankgauge.conventions.gains import GainFunction
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.parameters import Cutoff, rule
from rankgauge.metric_core.sums import Cut, Sum, total

__all__ = ["CG", "DCG", "IDCG", "nDCG"]

NO_TOP = {"bounded": "a sum of gains has no upper bound", "ideal_is_one": "it is not normalised"}
MOVING_IDEAL = {
    "grows_with_k": "the ideal grows with k too",
    "localised": "a relevant item that was not returned raises the ideal",
    "raised_grade": "a better grade raises the ideal as well",
    "defined": "without a gain to be had it is 0/0",
}


@metric(
    zh="前 k 个物品的增益之和，不考虑名次。",
    aliases=("CumulativeGain",),
    cite="jarvelin2002",
    bounds=(0.0, math.inf),
    breaks=NO_TOP | {"strict_swap": "it does not see the order within the top k"},
)
def CG(j: JudgedRankings, *, k: Cutoff = None, gain: GainFunction = rule()) -> Sum:
    r"""Cumulated gain: the sum of the gains in the top k, whatever their order.

    .. math:: CG@k = \sum_{i=1}^{k} G(g_i)

    Edge cases: an unjudged item gains nothing; an empty list has CG 0.

    >>> (CG @ 2).of([3, 2, 0, 1])  # 3 + 2
    5.0
    """
    return total(j, k, gain=j.at(j.gain(gain)))


@metric(
    zh="折损累计增益：越靠后的增益折损越大。",
    aliases=("DiscountedCumulativeGain",),
    trec={"dcg": "DCG"},
    cite="jarvelin2002",
    bounds=(0.0, math.inf),
    breaks=NO_TOP,
)
def DCG(
    j: JudgedRankings, *, k: Cutoff = None, gain: GainFunction = rule(), discount: DiscountFunction = rule()
) -> Sum:
    r"""Discounted cumulated gain: gains count less the further down they stand.

    .. math:: DCG@k = \sum_{i=1}^{k} G(g_i) \, D(i)

    Edge cases: D(i) is 1/log2(i+1) unless the convention says otherwise; an unjudged item gains nothing; an
    empty list has DCG 0.

    >>> round((DCG @ 4).of([3, 2, 3, 0]), 6)  # 3/log2(2) + 2/log2(3) + 3/log2(4) + 0
    5.76186
    """
    return total(j, k, gain=j.at(j.gain(gain)), discount=j.of_rank(discount))


@metric(
    zh="理想 DCG：把所有已标注物品按最佳顺序排列时的 DCG。",
    aliases=("iDCG", "IdealDCG"),
    trec={"ideal_dcg": "IDCG"},
    cite="jarvelin2002",
    bounds=(0.0, math.inf),
    breaks=NO_TOP
    | dict.fromkeys(("localised", "added_relevant"), "it is a property of the judgments")
    | {"strict_swap": "it does not depend on the ranking"},
)
def IDCG(
    j: JudgedRankings,
    *,
    k: Cutoff = None,
    gain: GainFunction = rule(),
    discount: DiscountFunction = rule(),
    ideal: str = rule(),
    ideal_cut: str = rule(),
) -> Sum:
    r"""Ideal DCG: the DCG of the judged items in their best order.

    .. math:: IDCG@k = \max_{\pi} \sum_{i=1}^{k} G(g_{\pi(i)}) \, D(i)

    Edge cases: 0 when nothing has a gain.

    >>> round((IDCG @ 5).of([3, 2, 3, 0, 1]), 6)  # 3/log2(2) + 3/log2(3) + 2/log2(4) + 1/log2(5) + 0
    6.323466
    """
    end = ideal_end(j, k, ideal_cut)
    best = j.ideal(gain, ideal, end)
    return total(best, end, gain=gain(best.grade), discount=best.of_rank(discount))


@metric(
    zh="归一化折损累计增益：DCG 除以理想 DCG，完美排序为 1。",
    aliases=("NDCG", "NormalizedDCG"),
    trec={"ndcg": "nDCG", "ndcg_cut": "nDCG@{}"},
    cite="jarvelin2002",
    breaks=MOVING_IDEAL,
)
def nDCG(
    j: JudgedRankings,
    *,
    k: Cutoff = None,
    gain: GainFunction = rule(),
    discount: DiscountFunction = rule(),
    ideal: str = rule(),
    ideal_cut: str = rule(),
) -> Sum:
    r"""Normalised discounted cumulated gain: the DCG as a share of the best DCG there could be.

    .. math:: nDCG@k = \frac{DCG@k}{IDCG@k}

    Edge cases: 0/0 when nothing judged has a gain; negative gains that are kept can make the ideal 0 or negative,
    and then it says nothing; with an ideal from the returned items, or one given from
    outside that lacks some of them, it says less or can exceed 1.

    >>> round((nDCG @ 5).of([3, 2, 3, 0, 1]), 6)  # 6.148712 / 6.323466
    0.972364
    >>> round((nDCG(gain="exp2") @ 5).of([5, 3, 2, 1, 2], ideal=[5, 3, 2, 1, 2, 4, 0]), 6)  # 38.507743 / 46.416534
    0.829613
    """
    found = DCG.kernel(j, k=k, gain=gain, discount=discount)
    best = IDCG.kernel(j, k=k, gain=gain, discount=discount, ideal=ideal, ideal_cut=ideal_cut)
    return found.over("IDCG", best)


def ideal_end(j: JudgedRankings, k: int | None, ideal_cut: str) -> Cut:
    """The rank at which the ideal order ends."""
    if ideal_cut == "none":
        return None
    if ideal_cut == "returned":
        return np.minimum(j.returned, math.inf if k is None else k).astype(np.float64)
    return k
