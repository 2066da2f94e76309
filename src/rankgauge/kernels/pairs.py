"""Metrics of pairs: AUC of the whole list or its top, its weighted mean over users, and the true positive rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from rankgauge.kernels.precision import OF_ALL, nonrelevant_known, unreturned_nonrelevant
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.ties import averaged
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.laws import THRESHOLD, broken
from rankgauge.metric_core.parameters import Cutoff, choice, number, rule
from rankgauge.metric_core.sums import Sum, total
from rankgauge.segments import Numbers

__all__ = ["AUC", "GAUC", "LAUC", "PAUC", "TPR", "Accuracy"]

Weight = Annotated[str, choice("positives", "impressions", "samples", "equal")]
Others = Annotated[str, choice("tied", "left out")]
Scale = Annotated[str, choice("mcclish", "share", "none")]
FalsePositives = Annotated[
    float, number("a number above 0 and at most 1", "大于 0 且不大于 1 的数", lambda value: 0 < value <= 1)
]
Number = Annotated[
    int,
    number(
        "a whole number of at least 1 and below 2^53",
        "不小于 1 且小于 2^53 的整数",
        lambda value: 1 <= value < 2**53 and value.is_integer(),
    ),
]
OF_PAIRS = (
    OF_ALL
    | THRESHOLD
    | broken("tail unreturned_nonrelevant", "another non-relevant item adds a pair", "多一个不相关物品就多一个物品对")
    | broken(
        "replace",
        "replacing an unjudged item changes the number of known non-relevant items",
        "替换未标注物品会改变已知不相关物品数",
    )
    | broken(
        "drop", "a non-relevant item below relevant ones is a pair won", "排在相关物品之后的不相关物品是得分的物品对"
    )
)
WON = {"half": 0.5, "lost": 0.0, "won": 1.0, "order": 0.5}
"""The share of a tied pair that counts as won; two items that were not returned have no order."""


def like_the_mean(arguments: Mapping[str, object]) -> bool:
    """Return whether the mean over all orders has a closed form under the rule for tied pairs."""
    return arguments["tied"] in {"half", "order"}


def others_are_tied(arguments: Mapping[str, object]) -> bool:
    """Return whether the denominator is the same for every order of the list."""
    return bool(arguments["others"] == "tied")


@metric(
    zh="AUC：任取一对相关与不相关物品，相关者排在前面的概率，并列计一半。"
    "特殊情形：在任何确定顺序的规则下，分数并列的物品对计一半，除非设置 ``tied``；``ties='worst'`` 时不计；有"
    "标注而未返回的物品排在末尾之后并相互并列；返回的未标注物品视为不相关；全部相关或全部不相关时为 0/0。",
    aliases=("ROCAUC",),
    cite="fawcett2006",
    ties_mean=like_the_mean,
    breaks=OF_PAIRS,
)
def AUC(j: JudgedRankings, *, rel: float = rule(), tied: str = rule("tied_pairs")) -> Sum:
    r"""Area under the ROC curve: the probability that a relevant item ranks above a non-relevant one.

    .. math:: AUC = \frac{1}{R \, N} \sum_{r \text{ relevant}} \big( \#\{ s \text{ non-relevant} : s \text{ below } r \}
        + \tau \, \#\{ s \text{ non-relevant} : s \text{ tied with } r \} \big)

    Edge cases: tied scores count half under every rule that fixes an order, unless ``tied`` is set, and are lost with
    ``ties='worst'``; judged items that were not returned rank below the list, tied with each other; returned
    unjudged items count as non-relevant; 0/0 if nothing, or everything, is relevant.

    >>> AUC.of([1, 0, 1, 0])  # (2 + 1) / (2 * 2)
    0.75
    >>> AUC.of([1, 0], scores=[0.5, 0.5])  # one pair, tied
    0.5
    >>> AUC(tied="lost").of([1, 0], scores=[0.5, 0.5])  # 0 / 1
    0.0
    """
    j = averaged(j) if tied != "order" else j
    hit = j.relevant(rel)
    R, N = j.relevant_judged(rel), nonrelevant_known(j, rel)
    above, tied_with = j.others(hit)
    below = j.segments.spread(N) - above - (1 - WON[tied]) * tied_with
    relevant = j.at(hit)
    below = below - (relevant == 0) * (1 - (1 - WON[tied]) * (tied_with > 0))  # an item is not below itself
    unreturned = (R - j.returned_once(hit)) * unreturned_nonrelevant(j, rel)
    return total(j, relevant=relevant, below=below).plus("not returned", WON[tied] * unreturned).over("R × N", R * N)


@metric(
    zh="GAUC：各用户 AUC 的加权平均，按正样本数、曝光数、样本数加权或等权；只有一类样本的用户不计入。"
    "特殊情形：用户的权重为 ``impressions``（已知相关与不相关的物品数）、``positives``（相关数）、``samples``（"
    "有标注的物品数，无论是否返回）或 1（``equal``）；只有一类物品的用户不计入，无论 0/0 的规则如何（``error`` 除外），"
    "除非 ``per_metric`` 为本指标单独指定；并列的处理同 AUC。",
    aliases=("GroupAUC", "UserAUC", "uAUC", "wuAUC"),
    cite="zhou2018",
    ties_mean=like_the_mean,
    breaks=OF_PAIRS,
    summary="weighted",
    undefined="skip",
)
def GAUC(
    j: JudgedRankings, *, weight: Weight = "impressions", rel: float = rule(), tied: str = rule("tied_pairs")
) -> Sum:
    r"""Group AUC: the mean of the users' AUC, weighted per user.

    .. math:: GAUC = \frac{\sum_u w_u \, AUC_u}{\sum_u w_u}, \qquad
        AUC_u = \frac{1}{R_u \, N_u} \sum_{r \text{ relevant}} \big( \#\{ s \text{ non-relevant} : s \text{ below } r \}
        + \tau \, \#\{ s \text{ non-relevant} : s \text{ tied with } r \} \big)

    Edge cases: the weight of a user is the number of ``impressions`` (all items known to be relevant or not),
    ``positives`` or ``samples`` (judged items, returned or not), or 1 (``equal``). Users with items of one kind
    only are excluded under every rule for 0/0 but ``error``, unless ``per_metric`` sets one for this metric; ties are
    treated as in AUC.

    >>> import rankgauge as rg
    >>> judgments = {"u": {"a": 1, "b": 0}, "v": {"a": 1, "b": 0, "c": 0}}
    >>> lists = {"u": ["a", "b"], "v": ["b", "a", "c"]}
    >>> rg.evaluate(judgments, lists, "GAUC").mean("GAUC")  # (2 * 1 + 3 * 1/2) / (2 + 3)
    0.7
    """
    R, N = j.relevant_judged(rel), nonrelevant_known(j, rel)
    weights = {"positives": R, "impressions": R + N, "samples": R + j.nonrelevant_judged(rel), "equal": np.ones(len(R))}
    return AUC.kernel(j, rel=rel, tied=tied).weighing(weights[weight])


@metric(
    zh="部分 AUC：只取 ROC 曲线上假阳性率不超过给定值（或前若干个不相关物品）的一段，并换算到统一尺度。"
    "特殊情形：a 为 r 之前的不相关物品数，m 即 ``max_fpr``，取 1 即 AUC；设 ``negatives`` 时 M 为该数，已知的"
    "不足时其余视为排在末尾之后；``scale='mcclish'`` 把随机排序换算为 1/2、最佳换算为 1，``'share'`` 给出 s，"
    "``'none'`` 给出面积 s m；同分的一段在曲线上为直线；全部不相关，或全部相关且未设 ``negatives`` 时为 0/0。",
    aliases=("PartialAUC", "pAUC"),
    cite="mcclish1989",
    ties_mean=False,
    breaks=OF_PAIRS,
)
def PAUC(
    j: JudgedRankings,
    *,
    max_fpr: FalsePositives = 1,
    negatives: Cutoff = None,
    scale: Scale = "mcclish",
    rel: float = rule(),
    tied: str = rule("tied_pairs"),
) -> Sum:
    r"""Partial AUC: the area under the ROC curve up to a false positive rate, or up to the first non-relevant items.

    .. math:: PAUC = \frac{s + 1 - m}{2 - m}, \qquad s = \frac{1}{R \, M} \sum_{r} (M - a_r)^+, \qquad M = m N

    Edge cases: a is the number of non-relevant items above r, and m is ``max_fpr``, so that 1 gives AUC; with
    ``negatives``, M is that number, and if fewer are known the others are assumed to follow the list;
    ``scale='mcclish'`` maps chance to 1/2 and the best value to 1, ``'share'`` gives s, ``'none'`` the area s m; a
    run of equal scores is a straight line of the curve; 0/0 if nothing is relevant, or everything is and ``negatives``
    is not set.

    >>> PAUC(max_fpr=0.5, scale="share").of([1, 0, 1, 0])  # M = 1: (1 + 0) / (2 * 1)
    0.5
    >>> round(PAUC(max_fpr=0.5).of([1, 0, 1, 0]), 6)  # (1/2 + 1 - 1/2) / (2 - 1/2)
    0.666667
    >>> PAUC(negatives=3, scale="share").of([1, 0, 1, 0])  # (3 + 2) / (2 * 3)
    0.8333333333333334
    """
    j = averaged(j) if tied != "order" else j
    hit = j.relevant(rel)
    R, known = j.relevant_judged(rel), nonrelevant_known(j, rel)
    N = known if negatives is None else np.maximum(known, negatives)
    M = max_fpr * known if negatives is None else np.full_like(N, float(negatives))
    above, tied_with = j.others(hit)
    unreturned = unreturned_nonrelevant(j, rel)
    within = total(j, relevant=j.at(hit), area=_area(j.segments.spread(M) - above, tied_with, tied))
    missed = (R - j.returned_once(hit)) * _area(M - (N - unreturned), unreturned, _among_unreturned(tied))
    if scale == "mcclish":
        m = np.divide(M, N, out=np.zeros_like(M), where=N > 0)
        chance = R * M * (1 - m)
        return within.plus("not returned, and the scale", missed + chance).over("R × M × (2 - m)", R * M * (2 - m))
    rest = within.plus("not returned", missed)
    return rest.over("R × M", R * M) if scale == "share" else rest.over("R × N", R * N)


@metric(
    zh="真正例率：排在第 K 个不相关物品之前的相关物品的比例，即链接预测的 Hits@K。"
    "特殊情形：a_r 为 r 之前的不相关物品数，K 即 ``negatives``；不相关物品不足 K 个时为 1；与 t 个不相关物品同分者按"
    "各种顺序的平均计，``tied='lost'`` 时 t 个都算在其前，``'won'`` 时都不算；有标注而未返回的物品排在末尾之后并"
    "相互并列；没有相关物品时为 0/0。",
    aliases=("TruePositiveRate", "HitsAboveNegatives"),
    cite="hu2020",
    ties_mean=False,
    breaks=OF_ALL
    | THRESHOLD
    | broken(
        "tail unreturned_nonrelevant", "another non-relevant item can be the K-th", "新增的不相关物品可能成为第 K 个"
    )
    | broken("strict_swap", "only the first K non-relevant items matter", "只看前 K 个不相关物品"),
)
def TPR(j: JudgedRankings, *, negatives: Number = 1, rel: float = rule(), tied: str = rule("tied_pairs")) -> Sum:
    r"""True positive rate: the share of relevant items above the K-th non-relevant one, Hits@K of link prediction.

    .. math:: TPR = \frac{1}{R} \, \#\{ r \text{ relevant} : a_r < K \}

    Edge cases: a is the number of non-relevant items above r, and K is ``negatives``; 1 if fewer than K items are
    non-relevant; an item that is tied with t non-relevant ones counts by its mean over their orders, with
    ``tied='lost'`` all t are above it, with ``'won'`` none; judged items that were not returned rank below the list,
    tied with each other; 0/0 if nothing is relevant.

    >>> TPR(negatives=2).of([1, 0, 1, 0, 1])  # the last one has two non-relevant items above it
    0.6666666666666666
    >>> TPR(negatives=1).of([1, 0], scores=[0.5, 0.5])  # above the other in one of two orders
    0.5
    >>> TPR(negatives=1, tied="lost").of([1, 0], scores=[0.5, 0.5])
    0.0
    """
    j = averaged(j) if tied != "order" else j
    hit = j.relevant(rel)
    R, unreturned = j.relevant_judged(rel), unreturned_nonrelevant(j, rel)
    above, tied_with = j.others(hit)
    last = negatives - (nonrelevant_known(j, rel) - unreturned)
    missed = (R - j.returned_once(hit)) * _before_the_last(last, unreturned, _among_unreturned(tied))
    before = _before_the_last(negatives - above, tied_with, tied)
    return total(j, relevant=j.at(hit), before_the_last=before).plus("not returned", missed).over("R", R)


@metric(
    zh="有限 AUC：只知道前 k 个的顺序，其余物品视为在其后并列。"
    "特殊情形：返回的物品不足 k 个时 k 取返回数；(R + N + k + 1) / 2 为 k 之后各物品的平均名次；N 为已知不相关"
    "的物品数，给出 ``items``（物品总数）时为全部不相关物品数；``others='left out'`` 只计前 k 个内部的 AUC；全"
    "部相关或全部不相关时为 0/0。",
    aliases=("LimitedAUC",),
    cite="schroeder2011",
    ties_mean=others_are_tied,
    shared_ranks=False,
    ordered=others_are_tied,
    top_only=False,
    breaks=OF_PAIRS
    | broken(
        "ideal_is_one",
        "with more than k relevant items, some tie with non-relevant ones",
        "相关物品超过 k 个时，部分与不相关物品并列",
    )
    | broken(
        "grows_with_k",
        "the item at rank k + 1 may be non-relevant and no longer ties",
        "第 k + 1 位可能不相关，且不再并列",
    ),
)
def LAUC(
    j: JudgedRankings, *, k: Cutoff = None, items: Cutoff = None, others: Others = "tied", rel: float = rule()
) -> Sum:
    r"""Limited AUC: the AUC of a list of which only the top k is ordered; all other items follow, tied.

    .. math:: LAUC@k = \frac{1}{R \, N} \left( \sum_{i=1}^{k} rel_i \left( \frac{R + N + k + 1}{2} - i \right)
        + \frac{R (N - k)}{2} \right)

    Edge cases: k is the number of returned items if that is smaller; (R + N + k + 1) / 2 is the mean rank of the items
    after k; N is the number of items known to be non-relevant or, with ``items`` (the size of the catalogue), the
    number of all non-relevant items; ``others='left out'`` gives the AUC within the top k alone; 0/0 if nothing, or
    everything, is relevant.

    >>> (LAUC @ 2).of([1, 0, 1, 0])  # of 4 pairs, 2 are won and 1 is tied
    0.625
    >>> (LAUC(items=6) @ 2).of([1, 0], relevant=2)  # of 8 pairs, 4 are won and 3 are tied
    0.6875
    >>> (LAUC(others="left out") @ 3).of([1, 0, 1, 0])  # (1 + 0) / (2 * 1)
    0.5
    """
    hit = j.relevant(rel)
    R, N = j.relevant_judged(rel), nonrelevant_known(j, rel)
    if items is not None:
        N = np.maximum(N, items - R)
    top = j.shown(k)
    if others == "left out":
        hits = j.segments.sum(j.at(hit) * (1 if k is None else j.within(k)))
        above, _ = j.others(hit)
        below = j.segments.spread(top - hits) - above
        return total(j, k, relevant=j.at(hit), below=below).over("pairs", hits * (top - hits))
    middle = (R + N + top + 1) / 2
    ahead = j.segments.spread(middle) - j.item_rank()
    return total(j, k, relevant=j.at(hit), ahead_of_the_rest=ahead).plus("rest", R * (N - top) / 2).over("R × N", R * N)


@metric(
    zh="准确率：前 k 个中任取一对相关与不相关物品，相关者排在前面的概率。"
    "特殊情形：只看返回的物品，未标注者视为不相关；前 k 个全部相关或全部不相关时为 NaN，不计入均值；"
    "即 ``LAUC(others='left out')``。",
    cite="ir_measures, measure Accuracy",
    ties_mean=False,
    shared_ranks=False,
    ordered=False,
    undefined="skip",
    breaks=THRESHOLD
    | broken(
        "swap replace append tail drop grows_with_k raised_grade",
        "it depends on which pairs the top k happens to hold",
        "取决于前 k 个中恰好有哪些物品对",
    )
    | broken(
        "defined", "0/0 if nothing, or everything, in the top k is relevant", "前 k 个全部相关或全部不相关时为 0/0"
    ),
)
def Accuracy(j: JudgedRankings, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""Accuracy of pairs: the share of pairs in the top k whose relevant item is above the non-relevant one.

    .. math::
        Accuracy@k = \frac{\#\{ (r, s) : r \text{ relevant}, s \text{ non-relevant}, r \text{ above } s \}}{R_k \, N_k}

    Edge cases: only returned items count, and unjudged ones are not relevant; NaN, and excluded from the mean, if all
    of the top k or none of it is relevant. It is ``LAUC(others='left out')``.

    >>> (Accuracy @ 4).of([1, 0, 1, 0, 0])  # (2 + 1) / (2 * 2)
    0.75
    """
    return LAUC.kernel(j, k=k, items=None, others="left out", rel=rel)


def _among_unreturned(tied: str) -> str:
    """Return the rule for ties among items that were not returned, which have no order."""
    return "half" if tied == "order" else tied


def _before_the_last(left: Numbers, tied_with: Numbers, tied: str) -> Numbers:
    """Return the share of orders in which fewer than ``left`` of the tied non-relevant items come first."""
    if tied == "lost":
        return 1.0 * (left > tied_with)
    if tied != "half":
        return 1.0 * (left > 0)
    return np.clip(left, 0.0, tied_with + 1.0) / (tied_with + 1.0)


def _area(left: Numbers, tied_with: Numbers, tied: str) -> Numbers:
    """Return the area that a relevant item adds, given the share of the axis left after the items above it.

    Tied items all come before it (lost), all after it (won), or the curve passes them in a straight line (half).
    """
    if tied == "lost":
        return np.maximum(left - tied_with, 0.0)
    if tied != "half":
        return np.maximum(left, 0.0)
    rising = np.clip(left, 0.0, tied_with)
    slope = np.divide(rising * rising, 2 * tied_with, out=np.zeros_like(rising), where=tied_with > 0)
    return np.maximum(left - tied_with, 0.0) + slope
