"""Metrics of cumulated gain: CG, DCG, the ideal DCG, nDCG, and the fidelity of a set of items."""

from __future__ import annotations

import math

import numpy as np

from rankgauge.conventions.discounts import DiscountFunction
from rankgauge.conventions.gains import GainFunction
from rankgauge.kernels.precision import uncut
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.laws import JUDGMENTS_ALONE, UNORDERED, broken
from rankgauge.metric_core.parameters import Cutoff, Number, rule
from rankgauge.metric_core.sums import Cut, Sum, total
from rankgauge.segments import Floats

__all__ = ["CG", "DCG", "IDCG", "Fidelity", "nDCG"]

NO_TOP = broken("bounded", "a sum of gains has no upper bound", "增益之和没有上界") | broken(
    "ideal_is_one", "it is not normalised", "未归一化"
)
OF_THE_IDEAL = (
    broken("localised", "a relevant item that was not returned raises the ideal", "未返回的相关物品会提高理想值")
    | broken("raised_grade", "a better grade raises the ideal as well", "等级提高时理想值也随之提高")
    | broken("defined", "0/0 if no item has a gain", "没有物品有增益时为 0/0")
)
MOVING_IDEAL = OF_THE_IDEAL | broken("grows_with_k", "the ideal grows with k as well", "理想值也随 k 增大")


@metric(
    zh="前 k 个物品的增益之和，不考虑名次。特殊情形：未标注物品的增益为 0；空结果的 CG 为 0。",
    aliases=("CumulativeGain",),
    cite="jarvelin2002",
    bounds=(0.0, math.inf),
    breaks=NO_TOP | UNORDERED,
)
def CG(j: JudgedRankings, *, k: Cutoff = None, gain: GainFunction = rule()) -> Sum:
    r"""Cumulated gain: the sum of the gains in the top k, in any order.

    .. math:: CG@k = \sum_{i=1}^{k} G(g_i)

    Edge cases: an unjudged item has gain 0; CG of an empty list is 0.

    >>> (CG @ 2).of([3, 2, 0, 1])  # 3 + 2
    5.0
    """
    return total(j, k, gain=j.at(j.gain(gain)))


@metric(
    zh="折损累计增益：越靠后的增益折损越大。"
    "特殊情形：D(i) 默认为 1/log2(i+1)，可由约定更改；未标注物品的增益为 0；空结果的 DCG 为 0。",
    aliases=("DiscountedCumulativeGain",),
    trec={"dcg": "DCG"},
    cite="jarvelin2002",
    bounds=(0.0, math.inf),
    breaks=NO_TOP,
)
def DCG(
    j: JudgedRankings, *, k: Cutoff = None, gain: GainFunction = rule(), discount: DiscountFunction = rule()
) -> Sum:
    r"""Discounted cumulated gain: gains count less at lower ranks.

    .. math:: DCG@k = \sum_{i=1}^{k} G(g_i) \, D(i)

    Edge cases: D(i) is 1/log2(i+1) unless the convention sets another discount; an unjudged item has gain 0; DCG of an
    empty list is 0.

    >>> round((DCG @ 4).of([3, 2, 3, 0]), 6)  # 3/log2(2) + 2/log2(3) + 3/log2(4) + 0
    5.76186
    """
    return total(j, k, gain=j.at(j.gain(gain)), discount=j.of_rank(discount))


@metric(
    zh="理想 DCG：把所有已标注物品按最佳顺序排列时的 DCG。特殊情形：没有物品有增益时为 0。",
    aliases=("iDCG", "IdealDCG"),
    trec={"ideal_dcg": "IDCG"},
    cite="jarvelin2002",
    bounds=(0.0, math.inf),
    breaks=NO_TOP | JUDGMENTS_ALONE | broken("strict_swap", "it does not depend on the ranking", "与排序无关"),
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

    Edge cases: 0 if no item has a gain.

    >>> round((IDCG @ 5).of([3, 2, 3, 0, 1]), 6)  # 3/log2(2) + 3/log2(3) + 2/log2(4) + 1/log2(5) + 0
    6.323466
    """
    end = ideal_end(j, k, ideal_cut)
    best = j.ideal(gain, ideal, end)
    return total(best, end, gain=gain(best.grade), discount=best.of_rank(discount))


@metric(
    zh="归一化折损累计增益：DCG 除以理想 DCG，完美排序为 1。"
    "特殊情形：没有已标注物品有增益时为 0/0；保留负增益时理想值可能不大于 0，此时取值没有意义；理想集合只含返"
    "回的物品、或由外部给出而缺少其中一些时，取值可能失真或超过 1。",
    aliases=("NDCG", "NormalizedDCG"),
    trec={"ndcg": "nDCG", "ndcg_cut": "nDCG@{}"},
    cite="jarvelin2002",
    mean_rank=uncut,
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
    r"""Normalised discounted cumulated gain: DCG divided by the best possible DCG.

    .. math:: nDCG@k = \frac{DCG@k}{IDCG@k}, \qquad DCG@k = \sum_{i=1}^{k} G(g_i) \, D(i), \qquad
        IDCG@k = \max_{\pi} \sum_{i=1}^{k} G(g_{\pi(i)}) \, D(i)

    Edge cases: 0/0 if no judged item has a gain. If negative gains are kept, the ideal can be 0 or negative and the
    value is meaningless. If the ideal is taken from the returned items, or is given and lacks some of them, the
    value can be misleading or exceed 1.

    >>> round((nDCG @ 5).of([3, 2, 3, 0, 1]), 6)  # 6.148712 / 6.323466
    0.972364
    >>> round((nDCG(gain="exp2") @ 5).of([5, 3, 2, 1, 2], ideal=[5, 3, 2, 1, 2, 4, 0]), 6)  # 38.507743 / 46.416534
    0.829613
    """
    gained = DCG.kernel(j, k=k, gain=gain, discount=discount)
    best = IDCG.kernel(j, k=k, gain=gain, discount=discount, ideal=ideal, ideal_cut=ideal_cut)
    return gained.over("IDCG", best)


@metric(
    zh="保真度：返回的物品的权重之和除以全部已标注物品的权重之和，权重随等级指数增长，不看顺序。"
    "特殊情形：只有等级高于 ``lowest`` 的物品有权重 2^(g+1) - 1；没有这样的物品时为 0/0。",
    cite="Azure AI Evaluation, DocumentRetrievalEvaluator",
    breaks=UNORDERED
    | OF_THE_IDEAL
    | broken(
        "ideal_is_one",
        "with a cutoff, not all judged items fit into the top k",
        "有截断时，前 k 个容纳不下所有已标注物品",
    ),
)
def Fidelity(j: JudgedRankings, *, k: Cutoff = None, lowest: Number = 0) -> Sum:
    r"""Fidelity: the share of the weight of all judged items that was returned, in any order.

    .. math:: Fidelity@k = \frac{\sum_{i=1}^{k} w(g_i)}{\sum_{g \, judged} w(g)}, \qquad w(g) = 2^{g+1} - 1

    Edge cases: items whose grade is not above ``lowest`` have weight 0; 0/0 if no judged item has a weight.

    >>> round(Fidelity.of([2, 0, 4], ideal=[4, 3, 2, 0]), 6)  # (7 + 31) / (31 + 15 + 7)
    0.716981
    """

    def weight(grade: Floats) -> Floats:
        return np.where(grade > lowest, 2.0 ** (grade + 1) - 1, 0.0)

    return total(j, k, weight=j.at(j.gain(weight))).over("weight of all judged items", j.judged_sum(weight))


def ideal_end(j: JudgedRankings, k: int | None, ideal_cut: str) -> Cut:
    """Return the rank at which the ideal order ends."""
    if ideal_cut == "none":
        return None
    if ideal_cut == "returned" or (ideal_cut == "k or n" and k is None):
        return j.shown(k)
    return k
