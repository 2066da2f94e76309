"""Experimental metrics of trec_eval: G, binG, and nDCG averaged over several ranks."""

from __future__ import annotations

import numpy as np

from rankgauge.conventions.discounts import DiscountFunction
from rankgauge.conventions.gains import GainFunction
from rankgauge.kernels.average import hits_up_to, ideal_sum
from rankgauge.kernels.gain import OF_THE_IDEAL
from rankgauge.kernels.precision import OF_ALL
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.laws import THRESHOLD, broken
from rankgauge.metric_core.parameters import rule
from rankgauge.metric_core.sums import Sum, total
from rankgauge.segments import Floats

__all__ = ["G", "RnDCG", "binG", "nDCGrel"]


@metric(
    zh="binG：每个相关物品按 1/log2(2 + 其前不相关物品数) 计，再对全部相关物品取平均。"
    "特殊情形：未标注物品视为不相关；没有相关物品时为 0/0。",
    trec={"binG": "binG"},
    cite="buckley2005",
    ties_mean=False,
    breaks=OF_ALL | THRESHOLD,
)
def binG(j: JudgedRankings, *, rel: float = rule()) -> Sum:
    r"""Binary G: a relevant item counts less the more non-relevant items rank above it.

    .. math:: binG = \frac{1}{R} \sum_{i} \frac{rel_i}{\log_2(2 + i - \sum_{l \le i} rel_l)}

    Edge cases: unjudged items are not relevant; 0/0 if nothing is relevant.

    >>> binG.of([1, 0, 0, 1])  # (1/log2(2) + 1/log2(4)) / 2
    0.75
    """
    hit = j.relevant(rel)
    useless = j.rank - hits_up_to(j, hit)
    return total(j, relevant=j.at(hit), nearness=1 / np.log2(2 + useless)).over("R", j.relevant_judged(rel))


@metric(
    zh="G：增益按与理想排序的差距折损，差距越大折损越多；以理想增益之和归一化。"
    "特殊情形：g* 为理想排序的等级，分母只计大于 0 的增益；每个名次的代价至少为 1，理想排序末尾之后亦然；没有"
    "物品有增益时为 0/0。",
    trec={"G": "G"},
    cite="buckley2005",
    ties_mean=False,
    ordered=False,
    breaks=OF_THE_IDEAL,
)
def G(j: JudgedRankings, *, gain: GainFunction = rule(), ideal: str = rule()) -> Sum:
    r"""Normalised gain: a gain counts less the further the list has fallen behind the ideal order.

    .. math:: G = \frac{\sum_i G(g_i) / \log_2(2 + c_i - \sum_{l \le i} G(g_l))}{\sum_i G(g^*_i)},
        \qquad c_i = \sum_{l \le i} \max(G(g^*_l), 1)

    Edge cases: g* are the grades of the ideal order, of which only gains above 0 count in the denominator; every rank
    costs at least 1, even after the end of the ideal order; 0/0 if no item has a gain.

    >>> round(G.of([0, 2, 1]), 6)  # (2/log2(2 + 3 - 2) + 1/log2(2 + 4 - 3)) / 3
    0.63093
    """

    def cost(grade: Floats) -> Floats:
        return np.maximum(gain(grade), 1.0)

    gains = j.gain(gain)
    best = j.ideal(gain, ideal)
    after_its_end = j.rank - np.minimum(j.rank, j.segments.spread(best.segments.sizes))
    behind = ideal_sum(j, cost, ideal) + after_its_end - gains - j.above(gains, given=gains)
    below = best.segments.sum(np.maximum(gain(best.grade), 0.0))
    return total(j, gain=j.at(gains), nearness=1 / np.log2(2 + np.maximum(behind, 0.0))).over("ideal gain", below)


@metric(
    zh="在每个相关物品处计算 nDCG 再取平均；未返回的按列表末的 nDCG 计。"
    "特殊情形：R 为增益大于 0 的已标注物品数，r 为其中返回的个数；R 为 0 时为 0/0。",
    trec={"ndcg_rel": "nDCGrel"},
    cite="buckley2005",
    ties_mean=False,
    mean_rank=False,
    ordered=False,
    breaks=OF_THE_IDEAL
    | broken(
        "added_relevant", "a lower rank with a better nDCG may join the mean", "平均可能纳入更靠后且 nDCG 更高的名次"
    ),
)
def nDCGrel(
    j: JudgedRankings, *, gain: GainFunction = rule(), discount: DiscountFunction = rule(), ideal: str = rule()
) -> Sum:
    r"""The mean of nDCG over the ranks of the items with a gain; items not returned count at the end of the list.

    .. math:: \frac{1}{R} \Big( \sum_{i : G(g_i) > 0} \frac{DCG@i}{IDCG@i} + (R - r) \frac{DCG}{IDCG} \Big)

    Edge cases: R is the number of judged items with a gain above 0, r the number of those returned; 0/0 if there are
    none.

    >>> round(nDCGrel.of([0, 1]), 6)  # 1/log2(3) / 1
    0.63093
    """

    def positive(grade: Floats) -> Floats:
        return np.maximum(gain(grade), 0.0)

    gains = j.gain(gain)
    here, best = gains > 0, j.ideal(positive, ideal)
    gained = j.segments.running(gains * j.of_rank(discount))
    could_gain = ideal_sum(j, positive, ideal, discount)
    ideal_dcg = best.segments.sum(positive(best.grade) * best.of_rank(discount))
    R = best.segments.sum(positive(best.grade) > 0)
    missed = np.maximum(R - j.returned_once(here), 0.0)
    at_the_end = _quotient(j.returned_sum(gains * j.of_rank(discount)), ideal_dcg)
    return (
        total(j, relevant=j.at(1.0 * here), so_far=_quotient(gained, could_gain))
        .plus("relevant not returned", missed * at_the_end)
        .over("R", R)
    )


@metric(
    zh="在理想排序的增益发生变化的各名次处计算 nDCG 再取平均。"
    "特殊情形：若 5 个物品增益为 3、4 个为 1，则 C 为 5 与 9；返回的物品至少再多两个时还包括 n；没有物品有增益"
    "时为 0/0。",
    trec={"Rndcg": "RnDCG"},
    cite="buckley2005",
    breaks=OF_THE_IDEAL
    | broken("added_relevant append tail drop", "the ranks used depend on R and n", "所取的名次随 R 与 n 变化"),
)
def RnDCG(
    j: JudgedRankings, *, gain: GainFunction = rule(), discount: DiscountFunction = rule(), ideal: str = rule()
) -> Sum:
    r"""The mean of nDCG at the ranks where the gain of the ideal order falls, and at the end of the list.

    .. math:: \frac{1}{|C|} \sum_{c \in C} \frac{DCG@c}{IDCG@c}

    Edge cases: with 5 items of gain 3 and 4 of gain 1, C is 5 and 9, and n if the list is at least two items longer;
    0/0 if no item has a gain.

    >>> round(RnDCG.of([1, 2]), 6)  # ((1/log2(2)) / (2/log2(2)) + (1 + 2/log2(3)) / (2 + 1/log2(3))) / 2
    0.679859
    """
    best = j.ideal(gain, ideal)
    worth = np.maximum(gain(best.grade), 0.0)
    R, could_gain = best.segments.sum(worth > 0), worth * best.of_rank(discount)
    falls = worth > _next(best, worth)
    at_falls = np.divide(1.0, best.segments.running(could_gain), out=np.zeros_like(worth), where=falls)
    goes_on = (R > 0) & (j.returned > R + 1)
    at_the_end = _quotient(1.0 * goes_on, best.segments.sum(could_gain))
    from_here = _at_ranks(j, best, best.segments.sum_from(at_falls)) + j.segments.spread(at_the_end)
    return total(j, gain=j.at(j.gain(gain)), discount=j.of_rank(discount), milestones=from_here).over(
        "milestones", best.segments.sum(falls) + goes_on
    )


def _next(best: JudgedRankings, worth: Floats) -> Floats:
    """Return the gain of the next item of the same query, 0 after the last."""
    following = np.append(worth, 0.0)[1:]
    following[(best.segments.offsets[1:] - 1)[best.segments.sizes > 0]] = 0.0
    return following


def _at_ranks(j: JudgedRankings, best: JudgedRankings, values: Floats) -> Floats:
    """Return the value of the ideal order at the rank of each row, 0 after its end."""
    inside = j.rank <= j.segments.spread(best.segments.sizes)
    place = np.where(inside, j.segments.spread(best.segments.offsets[:-1]) + j.rank - 1, -1).astype(np.int64)
    return np.append(values, 0.0)[place]


def _quotient(above: Floats, below: Floats) -> Floats:
    """Return the quotient, 0 where the denominator is 0."""
    return np.divide(above, below, out=np.zeros_like(below), where=below > 0)
