"""Metrics that count relevant items in the top k: P, R, F, HR, AllHit, R-precision, SetAP, fall-out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankgauge.errors import ParameterError
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.laws import EMPTY_LIST, UNORDERED, broken
from rankgauge.metric_core.parameters import Cutoff, NonNegative, Positive, rule
from rankgauge.metric_core.sums import Sum, ranks_up_to, total
from rankgauge.segments import Floats

__all__ = ["HR", "AllHit", "CappedRecall", "F", "Fallout", "P", "R", "Rprec", "SetAP"]

OF_ALL = (
    broken("localised", "a relevant item that was not returned raises R", "未返回的相关物品会使 R 增大")
    | broken("raised_grade", "an item that becomes relevant raises R as well", "物品变为相关时 R 也增大")
    | broken("defined", "0/0 if nothing is relevant", "没有相关物品时为 0/0")
)
TOO_MANY = broken(
    "ideal_is_one",
    "with more than k relevant items, not all fit into the top k",
    "相关物品超过 k 个时，前 k 个容纳不下",
)


def uncut(arguments: Mapping[str, Any]) -> bool:
    """Return whether there is no cutoff, so that no more items than places can be in the top."""
    return arguments["k"] is None


@metric(
    zh="精确率（查准率）：前 k 个中相关物品的比例。"
    "特殊情形：返回不足 k 个时，空缺视为不相关，除非设置 ``over``；没有截断时 k 取返回的物品数，空结果为 0/0。",
    aliases=("Precision", "Prec"),
    trec={"P": "P@{}", "set_P": "P", "relative_P": "P(over='min(k,R)')@{}", "set_relative_P": "P(over='min(k,R)')"},
    cite="manning2008",
    mean_rank=uncut,
    breaks=UNORDERED
    | EMPTY_LIST
    | broken(
        "ideal_is_one",
        "with fewer than k relevant items, even the best list has others in the top k",
        "相关物品不足 k 个时，最佳排序的前 k 个也含不相关物品",
    )
    | broken("grows_with_k", "there may be nothing relevant further down", "更靠后的名次可能没有相关物品")
    | broken("tail", "without a cutoff, a longer list has a larger denominator", "没有截断时，返回越多分母越大"),
)
def P(
    j: JudgedRankings, *, k: Cutoff = None, rel: float = rule(), over: str = rule("p_over"), hit_if: str = rule()
) -> Sum:
    r"""Precision: the share of relevant items in the top k.

    .. math:: P@k = \frac{1}{k} \sum_{i=1}^{k} rel_i

    Edge cases: a list shorter than k is padded with non-relevant items unless ``over`` is set; without a cutoff, k is
    the number of returned items, and an empty list is 0/0.

    >>> round((P @ 3).of([1, 1, 0, 1, 0]), 6)  # (1 + 1 + 0) / 3
    0.666667
    >>> (P(rel=3) @ 5).of([4, 5, 2, 3, 1])  # (1 + 1 + 0 + 1 + 0) / 5
    0.6
    """
    return total(j, k, relevant=j.at(j.hits(rel, hit_if))).over(*precision_base(j, k, rel, over))


@metric(
    zh="召回率（查全率）：相关物品中出现在前 k 个的比例。"
    "特殊情形：没有相关物品时为 0/0；设 ``over='min(k,R)'`` 时，前 k 个全部相关即为 1。",
    aliases=("Recall",),
    trec={"recall": "R@{}", "set_recall": "R"},
    cite="manning2008",
    mean_rank=lambda arguments: arguments["over"] == "R" or uncut(arguments),
    breaks=UNORDERED | OF_ALL | TOO_MANY,
)
def R(
    j: JudgedRankings, *, k: Cutoff = None, rel: float = rule(), over: str = rule("r_over"), hit_if: str = rule()
) -> Sum:
    r"""Recall: the share of the relevant items that are in the top k.

    .. math:: R@k = \frac{1}{R} \sum_{i=1}^{k} rel_i

    Edge cases: 0/0 if nothing is relevant; with ``over='min(k,R)'`` a top k of relevant items scores 1.

    >>> (R @ 3).of([1, 0, 1, 1], relevant=5)  # (1 + 0 + 1) / 5
    0.4
    """
    return total(j, k, relevant=j.at(j.found(rel, hit_if))).over(*recall_base(j, k, rel, over))


@metric(
    zh="封顶召回率：前 k 个中的相关物品数除以 k 与相关物品数 R 中较小者。"
    "特殊情形：等同于设 ``over='min(k,R)'`` 的 R，前 k 个全部相关即为 1；没有相关物品时为 0/0；没有截断时即召回率。",
    aliases=("CalibratedRecall", "TruncatedRecall", "RecallCapped"),
    cite="RecPack, metric CalibratedRecallK",
    mean_rank=uncut,
    breaks=UNORDERED
    | OF_ALL
    | broken("grows_with_k", "the denominator grows with k up to R", "k 小于 R 时，分母随 k 增大"),
)
def CappedRecall(j: JudgedRankings, *, k: Cutoff = None, rel: float = rule(), hit_if: str = rule()) -> Sum:
    r"""Capped recall: the number of relevant items in the top k, divided by the largest number possible.

    .. math:: CappedRecall@k = \frac{1}{\min(k, R)} \sum_{i=1}^{k} rel_i

    Edge cases: same as R with ``over='min(k,R)'``, so a top k of relevant items scores 1; 0/0 if nothing is relevant;
    without a cutoff it is recall.

    >>> (CappedRecall @ 3).of([1, 0, 1, 1], relevant=5)  # (1 + 0 + 1) / min(3, 5)
    0.6666666666666666
    """
    return R.kernel(j, k=k, rel=rel, over="min(k,R)", hit_if=hit_if)


@metric(
    zh="F 值：精确率与召回率的加权调和平均，beta 越大越看重召回率。"
    "特殊情形：没有返回相关物品时为 0；两个分母都为 0 时（如没有截断、结果为空且没有相关物品）为 0/0；"
    "设 ``averaging='pooled'`` 时即合并后的 P 与 R 的 F（micro-F）。",
    aliases=("F1", "Fbeta"),
    trec={"set_F": "F"},
    cite="vanrijsbergen1979",
    mean_rank=uncut,
    breaks=UNORDERED
    | OF_ALL
    | broken(
        "ideal_is_one",
        "precision or recall of the best list is below 1 unless R = k",
        "除非 R = k，最佳排序的精确率或召回率也低于 1",
    )
    | broken("grows_with_k", "precision falls with larger k", "k 变大时精确率下降")
    | broken("tail", "without a cutoff, a longer list lowers precision", "没有截断时，返回越多精确率越低"),
)
def F(
    j: JudgedRankings,
    *,
    k: Cutoff = None,
    beta: NonNegative = 1,
    rel: float = rule(),
    p_over: str = rule(),
    r_over: str = rule(),
    hit_if: str = rule(),
) -> Sum:
    r"""F: the weighted harmonic mean of precision and recall; recall weighs beta times as much.

    .. math:: F_\beta@k = \frac{(1+\beta^2) \, P@k \, R@k}{\beta^2 P@k + R@k}

    Edge cases: 0 if no relevant item was returned; 0/0 if both denominators are 0, as for an empty list without a
    cutoff where nothing is relevant. With ``averaging='pooled'`` it is the F of the pooled P and R (micro-F).

    >>> round((F @ 3).of([1, 0, 1, 1], relevant=5), 6)  # 2 * 2/3 * 2/5 / (2/3 + 2/5)
    0.5
    """
    if j.rare.further is not None:
        en = "F is not defined where one returned item stands for several judged ones; use P and R"
        raise ParameterError((en, "一个返回物品对应多个已标注物品时，F 没有定义；请使用 P 与 R"))
    precision = P.kernel(j, k=k, rel=rel, over=p_over, hit_if=hit_if)
    recall = R.kernel(j, k=k, rel=rel, over=r_over, hit_if=hit_if)
    # With P = h/a and R = h/b the formula is h over (a + beta^2 b) / (1 + beta^2).
    a, b = precision_base(j, k, rel, p_over)[1], recall_base(j, k, rel, r_over)[1]
    below = (a + beta**2 * b) / (1 + beta**2)
    at = f"@{k}" if isinstance(k, int) else ""  # ties may have enlarged it
    return (
        total(j, k, relevant=j.at(j.hits(rel, hit_if)))
        .over("(P's + beta^2 × R's denominator) / (1 + beta^2)", below)
        .made_of({f"P{at}": precision, f"R{at}": recall})
    )


@metric(
    zh="命中率：前 k 个中至少有一个相关物品则为 1，否则为 0。"
    "特殊情形：没有相关物品时为 0；对查询取平均即有命中的查询比例。",
    aliases=("HitRate", "hit_rate", "Hit", "HitRatio", "Success"),
    trec={"success": "HR@{}"},
    cite="manning2008",
    breaks=UNORDERED,
)
def HR(j: JudgedRankings, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""Hit rate (success): 1 if the top k has a relevant item, else 0.

    .. math:: HR@k = \max_{i \le k} rel_i

    Edge cases: 0 if nothing is relevant. The mean over queries is the share of queries with a hit.

    >>> (HR @ 3).of([0, 0, 1, 1]), (HR @ 2).of([0, 0, 1, 1])  # the first relevant item is at rank 3
    (1.0, 0.0)
    """
    hit = j.relevant(rel)
    return total(j, k, relevant=j.at(hit), first=j.reach(hit))


@metric(
    zh="全部命中：前 k 个包含所有相关物品则为 1，否则为 0。"
    "特殊情形：没有相关物品时为 0/0，其取值同样向下取整；重复出现的物品只计一次；对查询取平均即找全的查询比例。",
    aliases=("AllHits", "FullRecall"),
    cite="LongMemEval, recall_all",
    ties_mean=False,
    breaks=UNORDERED | OF_ALL | TOO_MANY,
)
def AllHit(j: JudgedRankings, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""All hit: 1 if every relevant item is in the top k, else 0.

    .. math:: AllHit@k = \Big\lfloor \frac{1}{R} \sum_{i=1}^{k} rel_i \Big\rfloor

    Edge cases: 0/0 if nothing is relevant, whose number is rounded down, too; an item that is returned again counts
    once. The mean over queries is the share of queries for which everything was found.

    >>> (AllHit @ 3).of([1, 0, 1, 0]), (AllHit @ 2).of([1, 0, 1, 0])  # both relevant items are in the top 3
    (1.0, 0.0)
    """
    hit = j.found(rel) if j.rare.uncounted is None else j.found(rel) * ~j.rare.uncounted
    return total(j, k, relevant=j.at(hit)).over("R", j.relevant_judged(rel)).then("rounded down", np.floor)


@metric(
    zh="R-precision：前 R 个（或 R 的给定倍数个）中相关物品的比例，R 为相关物品总数。"
    "特殊情形：m 即 ``multiple``，默认为 1，此时 c 为 R；c 为 0 时为 0/0；返回不足 c 个时，空缺视为不相关。",
    aliases=("RPrecision", "RPrec"),
    trec={"Rprec": "Rprec", "Rprec_mult": "Rprec(multiple={})"},
    cite="buckley2005",
    breaks=UNORDERED
    | OF_ALL
    | broken(
        "added_relevant",
        "a larger R moves the cutoff down, where another relevant item may be",
        "R 增大使截断后移，可能纳入新的相关物品",
    ),
)
def Rprec(j: JudgedRankings, *, multiple: Positive = 1, rel: float = rule()) -> Sum:
    r"""R-precision: precision at rank R, the number of relevant items, or at a multiple of R.

    .. math:: Rprec = \frac{1}{c} \sum_{i=1}^{c} rel_i, \qquad c = \lfloor m R + 0.9 \rfloor

    Edge cases: m is ``multiple``, by default 1, so that c is R; 0/0 if c is 0; a list shorter than c is padded with
    non-relevant items.

    >>> round(Rprec.of([1, 0, 1, 1], relevant=3), 6)  # (1 + 0 + 1) / 3
    0.666667
    >>> Rprec(multiple=2).of([1, 0, 1, 0, 1])  # (1 + 0 + 1 + 0 + 1) / 6
    0.5
    """
    R = j.relevant_judged(rel)
    cut = R if multiple == 1 else np.floor(multiple * R + 0.9)
    return total(j, cut, relevant=j.at(j.relevant(rel))).over("R" if multiple == 1 else f"{multiple:g} R", cut)


@metric(
    zh="整个列表的精确率与召回率之积，不看顺序。特殊情形：h 为返回的相关物品数；没有相关物品或没有返回物品时为 0/0。",
    aliases=("SetAveragePrecision",),
    trec={"set_map": "SetAP"},
    cite="buckley2005",
    breaks=UNORDERED
    | {law: reason for law, reason in OF_ALL.items() if law != "raised_grade"}
    | broken("ideal_is_one", "items judged not relevant lower precision", "判为不相关的物品会降低精确率")
    | broken("tail", "a longer list lowers precision", "返回越多精确率越低"),
)
def SetAP(j: JudgedRankings, *, rel: float = rule()) -> Sum:
    r"""Precision times recall of the whole list, in any order: the average precision of a set.

    .. math:: SetAP = P \cdot R = \frac{1}{n R} \sum_{i=1}^{n} rel_i \, h

    Edge cases: h is the number of relevant items returned; 0/0 if nothing is relevant or nothing was returned.

    >>> SetAP.of([1, 0, 1, 0], relevant=4)  # 2/4 * 2/4
    0.25
    """
    hit = j.relevant(rel)
    hits = j.segments.spread(j.returned_sum(hit))
    return total(j, relevant=j.at(hit), hits=hits).over("n R", j.shown(None) * j.relevant_judged(rel))


@metric(
    zh="误检率：不相关物品中出现在前 k 个的比例，越低越好。"
    "特殊情形：N 为判为不相关的物品数加上返回的未标注物品数；为 0 时即 0/0。",
    aliases=("FallOut", "FPR"),
    cite="manning2008",
    higher_is_better=False,
    shared_ranks=uncut,
    top_only=False,
    breaks=broken(
        "ideal_is_one swap strict_swap replace tail drop defined raised_grade unreturned_nonrelevant",
        "it counts non-relevant items",
        "它计的是不相关物品",
    ),
)
def Fallout(j: JudgedRankings, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""Fall-out: the share of the non-relevant items that are in the top k; lower is better.

    .. math:: Fallout@k = \frac{\min(k, n) - \sum_{i \le k} rel_i}{N}

    Edge cases: N counts the judged non-relevant items and the unjudged items that were returned; 0/0 if there are none.

    >>> (Fallout @ 3).of([1, 0, 0, 1, 0, 0])  # (3 - 1) / 4
    0.5
    """
    hit = j.relevant(rel)
    return total(j, k, minus=-j.at(hit)).plus("in the top k", j.shown(k)).over("N", nonrelevant_known(j, rel))


def precision_base(j: JudgedRankings, k: int | None, rel: float, over: str) -> tuple[str, Floats]:
    """Return the denominator of precision with its name."""
    if over == "min(k,R)":
        name, ranks = ranks_up_to(j, k)
        return f"min({name}, R)", np.minimum(ranks, j.relevant_judged(rel))
    if over == "min(k,n)" and k is not None:
        return "min(k, n)", j.shown(k)
    return ranks_up_to(j, None if over == "returned" else k)


def recall_base(j: JudgedRankings, k: int | None, rel: float, over: str) -> tuple[str, Floats]:
    """Return the denominator of recall with its name."""
    R = j.relevant_judged(rel)
    return ("min(k, R)", np.minimum(k, R)) if over == "min(k,R)" and k is not None else ("R", R)


def nonrelevant_known(j: JudgedRankings, rel: float) -> Floats:
    """Return N, the number of items known to be non-relevant: judged so, or returned without a judgment."""
    return j.shown(None) - j.returned_sum(j.relevant(rel)) + unreturned_nonrelevant(j, rel)


def unreturned_nonrelevant(j: JudgedRankings, rel: float) -> Floats:
    """Return the number of items that were judged not relevant and not returned."""
    return j.nonrelevant_judged(rel) - j.returned_once(j.nonrelevant(rel))
