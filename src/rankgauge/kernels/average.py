"""Metrics that average precision: AP, its logarithms, interpolated precision, Q-measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rankgauge.conventions.discounts import DiscountFunction
from rankgauge.conventions.gains import GainFunction
from rankgauge.errors import ParameterError
from rankgauge.kernels.precision import OF_ALL, TOO_MANY, uncut
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.laws import LOGARITHM, THRESHOLD, broken
from rankgauge.metric_core.parameters import Cutoff, NonNegative, Positive, Share, rule
from rankgauge.metric_core.sums import Sum, total
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, Ints

__all__ = ["AP", "GMAP", "IAP", "YAAP", "IPrec", "Q"]

ELEVEN = tuple(point / 10 for point in range(11))
TABULATED = 1 << 16
"""Up to this rank, or the end of the longest list, 1 + 1/2 + 1/3 + ... is added up; further on, it is expanded."""
EULER_GAMMA = 0.5772156649015329
BEYOND_R = Phrase(
    "YAAP is undefined where the precisions add up to 1 + R or more, because items count that are not in R; use "
    "another value of duplicates than 'again', or unjudged_in_ideal='yes'",
    "有不计入 R 的物品时，精确率之和可能达到 1 + R，YAAP 没有定义；请勿用 duplicates='again'，或用"
    " unjudged_in_ideal='yes'",
)


def unless_hits(parameter: str) -> Callable[[Mapping[str, Any]], bool]:
    """Return the condition that the denominator is the same for every order, as the hits in the top k are not."""
    return lambda arguments: arguments[parameter] != "hits" or arguments["k"] is None


def at_its_ranks(arguments: Mapping[str, Any]) -> bool:
    """Return whether precisions are taken at the ranks of items, and the denominator counts no places."""
    return arguments["at"] == "relevant" and (arguments["over"] in {"R", "hits"} or uncut(arguments))


@metric(
    zh="平均精确率：在每个相关物品处的精确率的平均，漏掉的按 0 计；对查询取平均即 MAP。"
    "特殊情形：未返回的相关物品计 0；没有相关物品时为 0/0；设 ``over='hits'`` 时，多找到一个相关物品反而可能降"
    "低取值；``at='every'`` 对前 k 个名次的 P@i 求和。",
    aliases=("MAP", "AveragePrecision"),
    trec={"map": "AP", "map_cut": "AP@{}"},
    cite="buckley2005",
    ties_mean=unless_hits("over"),
    mean_rank=at_its_ranks,
    ordered=unless_hits("over"),
    breaks=OF_ALL | THRESHOLD | TOO_MANY,
)
def AP(
    j: JudgedRankings,
    *,
    k: Cutoff = None,
    rel: float = rule(),
    over: str = rule("ap_over"),
    at: str = rule("ap_at"),
    hit_if: str = rule(),
) -> Sum:
    r"""Average precision: the mean of the precision at the ranks of the relevant items.

    .. math:: AP@k = \frac{1}{R} \sum_{i=1}^{k} rel_i \, P@i, \qquad P@i = \frac{1}{i} \sum_{l=1}^{i} rel_l

    Edge cases: a relevant item that was not returned adds 0; 0/0 if nothing is relevant. With ``over='hits'``, finding
    one more relevant item can lower the value. ``at='every'`` adds up P@i over every rank i up to k.

    >>> round(AP.of([1, 0, 1, 0], relevant=5), 6)  # (1/1 + 2/3) / 5
    0.333333
    """
    hit = j.hits(rel, hit_if)
    relevant = j.at(hit)
    if at == "every":
        summed = total(j, k, relevant=relevant, later_precisions=_in_precisions(j, k))
    else:
        summed = total(j, k, relevant=relevant, precision=hits_up_to(j, hit) / j.rank)
    return summed.over(*average_base(j, k, rel, over, hit))


@metric(
    zh="GMAP 的单查询部分：ln(max(AP, floor))；对查询取平均再取指数即 GMAP。"
    "特殊情形：floor 避免单个 AP 为 0 的查询使总体为 0。",
    aliases=("logAP",),
    trec={"gm_map": "GMAP"},
    cite="robertson2006",
    bounds=(-math.inf, 0.0),
    ties_mean=False,
    mean_rank=at_its_ranks,
    ordered=unless_hits("over"),
    summary="exp",
    breaks={**AP.definition.breaks, **LOGARITHM},
)
def GMAP(
    j: JudgedRankings,
    *,
    k: Cutoff = None,
    rel: float = rule(),
    over: str = rule("ap_over"),
    at: str = rule("ap_at"),
    hit_if: str = rule(),
    floor: Positive = 1e-5,
) -> Sum:
    r"""Per-query part of GMAP: the logarithm of AP, which gives hard queries more weight.

    .. math:: \ln \max(AP@k, \epsilon), \qquad GMAP = \exp\Big(\frac{1}{|Q|} \sum_q \ln \max(AP_q, \epsilon)\Big)

    Edge cases: the floor prevents a single query with AP 0 from making the mean 0.

    >>> round(GMAP.of([0, 1]), 6)  # ln(1/2)
    -0.693147
    """
    average = AP.kernel(j, k=k, rel=rel, over=over, at=at, hit_if=hit_if)
    return average.then(f"ln max(AP, {floor:g})", lambda value: np.log(np.maximum(value, floor)))


@metric(
    zh="YAAP：ln((1 + s) / (1 + R - s))，s 为各相关物品处精确率之和；比 AP 更适合取平均。"
    "特殊情形：没有相关物品时为 0；没有返回相关物品时为 -ln(1 + R)。",
    trec={"yaap": "YAAP"},
    cite="robertson2012",
    bounds=(-math.inf, math.inf),
    ties_mean=False,
    breaks={law: reason for law, reason in (OF_ALL | THRESHOLD).items() if law != "defined"}
    | broken("bounded ideal_is_one", "it is a log odds ratio", "它是对数几率"),
)
def YAAP(j: JudgedRankings, *, rel: float = rule()) -> Sum:
    r"""Yet another average precision: the smoothed log odds of AP, easier to average over different queries.

    .. math:: YAAP = \ln \frac{1 + s}{1 + R - s}, \qquad s = \sum_{i} rel_i \, P@i

    Edge cases: 0 if nothing is relevant; -ln(1 + R) if no relevant item was returned.

    >>> round(YAAP.of([1, 0, 1]), 6)  # ln((1 + 5/3) / (1 + 2 - 5/3))
    0.693147
    """
    hit, R = j.relevant(rel), j.relevant_judged(rel)
    factors = {"relevant": j.at(hit), "precision": hits_up_to(j, hit) / j.rank}
    left = 1 + R - total(j, **factors).totals
    if j.rare.uncounted is not None and (left <= 0).any():
        raise ParameterError(BEYOND_R)
    return total(j, **factors).plus("one", np.ones_like(R)).over("1 + R - s", left).then("ln", np.log)


@metric(
    zh="召回率达到给定值处的插值精确率：其后任一名次上最高的精确率。"
    "特殊情形：始终达不到该召回率时为 0；没有相关物品时为 0/0。",
    aliases=("iP", "InterpolatedPrecision"),
    trec={"iprec_at_recall": "IPrec(recall={})"},
    cite="manning2008",
    at="recall",
    ties_mean=False,
    shared_ranks=False,
    breaks=OF_ALL | broken("strict_swap", "only the highest precision counts", "只取最高的精确率"),
)
def IPrec(j: JudgedRankings, *, recall: Share = 0.5, rel: float = rule(), recall_point: str = rule()) -> Sum:
    r"""Interpolated precision: the highest precision at any rank where the recall is reached.

    .. math:: IPrec(r) = \max \{ P@i : R@i \ge r \}

    Edge cases: 0 if the recall is never reached; 0/0 if nothing is relevant.

    >>> round(IPrec(recall=0.5).of([0, 1, 1, 0]), 6)  # recall 1/2 at rank 2, and the best P from there on is 2/3
    0.666667
    """
    R = j.relevant_judged(rel)
    count, interpolated = _interpolated(j, rel)
    reached = count == j.segments.spread(_needed(recall, R, recall_point))
    return total(j, reached=j.relevant(rel) * reached, interpolated=interpolated).over("[R > 0]", (R > 0) * 1.0)


@metric(
    zh="11 点插值平均精确率：召回率 0、0.1、…、1 处插值精确率的平均。"
    "特殊情形：达不到的召回点计 0；没有相关物品时为 0/0。",
    aliases=("P11", "ElevenPoint"),
    trec={"11pt_avg": "IAP"},
    cite="manning2008",
    ties_mean=False,
    shared_ranks=False,
    breaks=OF_ALL
    | broken(
        "strict_swap", "only the highest precision from each recall point on counts", "每个召回点之后只取最高的精确率"
    ),
)
def IAP(j: JudgedRankings, *, rel: float = rule(), recall_point: str = rule()) -> Sum:
    r"""Eleven-point average: the mean of the interpolated precisions at recall 0, 0.1, ..., 1.

    .. math:: IAP = \frac{1}{11} \sum_{r \in \{0, 0.1, \dots, 1\}} IPrec(r)

    Edge cases: recall points that are never reached add 0; 0/0 if nothing is relevant.

    >>> round(IAP.of([1, 0, 1]), 6)  # 6 points (recall 0 to 0.5) at precision 1, 5 points at 2/3, over 11
    0.848485
    """
    R = j.relevant_judged(rel)
    count, interpolated = _interpolated(j, rel)
    points = sum(1.0 * (count == j.segments.spread(_needed(point, R, recall_point))) for point in ELEVEN)
    return total(j, points=j.relevant(rel) * points, interpolated=interpolated).over("11", (R > 0) * 11.0)


@metric(
    zh="Q 测度：把 AP 推广到分级相关性，用 beta 混合精确率与累计增益之比。"
    "特殊情形：C(i) 为前 i 个中的相关物品数；cg 与 cg* 为排序结果与理想排序中相关物品的累计增益；beta 为 0 即"
    " AP；没有相关物品时为 0/0。",
    aliases=("Qmeasure",),
    cite="sakai2004",
    ties_mean=unless_hits("over"),
    mean_rank=False,
    ordered=unless_hits("over"),
    breaks=OF_ALL | TOO_MANY,
)
def Q(
    j: JudgedRankings,
    *,
    k: Cutoff = None,
    beta: NonNegative = 1,
    rel: float = rule(),
    gain: GainFunction = rule(),
    ideal: str = rule(),
    over: str = rule("ap_over"),
) -> Sum:
    r"""Q-measure: average precision for graded relevance, blending precision with cumulated gain.

    .. math:: Q@k = \frac{1}{R} \sum_{i=1}^{k} rel_i \, \frac{C(i) + \beta \, cg(i)}{i + \beta \, cg^*(i)}

    Edge cases: C(i) is the number of relevant items up to rank i; cg and cg* are the cumulated gains of relevant items
    in the list and in the ideal order; beta 0 gives AP; 0/0 if nothing is relevant.

    >>> round(Q.of([0, 2, 1]), 6)  # ((1 + 2) / (2 + 3) + (2 + 3) / (3 + 3)) / 2
    0.716667
    """
    hit = j.relevant(rel)

    def worth(grade: Floats) -> Floats:
        return gain(grade) * (grade >= rel)

    gains = j.gain(worth)
    here = _mean_of_relevant(j, gains, hit)
    gained = here + j.above(gains, given=hit)
    blended = (hits_up_to(j, hit) + beta * gained) / (j.rank + beta * ideal_sum(j, worth, ideal))
    return total(j, k, relevant=j.at(hit), blended=blended).over(*average_base(j, k, rel, over, hit))


def average_base(j: JudgedRankings, k: int | None, rel: float, over: str, hit: Ints) -> tuple[str, Floats]:
    """Return the denominator of the sum of precisions with its name."""
    R = j.relevant_judged(rel)
    match over:
        case "hits":
            return "hits", total(j, k, relevant=j.at(hit)).totals
        case "min(R,k)" if k is not None:
            return "min(R, k)", np.minimum(R, k)
        case "k":
            return ("n", 1.0 * j.shown(k)) if k is None else ("k", 0.0 * R + k)
        case "min(R,k,n)":
            return "min(R, k, n)", np.minimum(R, j.shown(k))
        case _:
            return "R", R


def hits_up_to(j: JudgedRankings, hit: Ints) -> Floats:
    """Return the number of relevant items up to each row, given that the row holds a relevant item if it can."""
    return (j.at(hit) > 0) + j.above(hit, given=hit)


def _in_precisions(j: JudgedRankings, k: Floats | int | None) -> Floats:
    """Return how much an item at rank r adds to the sum of P@i over i up to k: 1/r + 1/(r+1) + ... + 1/k."""
    rank = j.rank.astype(np.int64)
    deepest = int(max(j.returned.max(initial=0), rank.max(initial=0)))
    if k is not None:
        deepest = max(deepest, min(k, TABULATED) if isinstance(k, int) else int(k.max()))
    table = np.arange(1, deepest + 1)
    harmonic = np.concatenate(([0.0], np.cumsum(1.0 / table)))
    if not isinstance(k, int):  # ties may have enlarged it, to a rank of the list
        up_to_end = j.segments.spread(harmonic[j.returned if k is None else k.astype(np.int64)])
        return np.maximum(up_to_end - harmonic[rank - 1], 0.0)
    up_to_k = harmonic[k] if k < len(harmonic) else math.log(k) + EULER_GAMMA + 1 / (2 * k) - 1 / (12 * k * k)
    return np.maximum(up_to_k - harmonic[rank - 1], 0.0)


def _interpolated(j: JudgedRankings, rel: float) -> tuple[Floats, Floats]:
    """Return the number of relevant items up to each row and the highest precision from there on."""
    hit = j.relevant(rel)
    count = hits_up_to(j, hit)
    return count, j.segments.max_from(hit * count / j.rank)


def _needed(recall: float, R: Floats, recall_point: str) -> Floats:
    """Return how many of R relevant items make up the recall; at least one, as there is no precision before."""
    match recall_point:
        case "trec_eval-9":
            needed = np.floor(recall * R + 0.9)
        case "round":
            needed = np.floor(recall * R + 0.5)
        case _:
            needed = np.ceil(recall * R - 1e-9)  # 0.3 * 10 is slightly above 3 in floating point
    return np.maximum(needed, 1.0)


def _mean_of_relevant(j: JudgedRankings, items: Floats, hit: Ints) -> Floats:
    """Return the mean of ``items`` over the relevant items that each row can hold."""
    chance = j.at(hit)
    return np.divide(j.at(items * hit), chance, out=np.zeros_like(j.rank), where=chance > 0)


def ideal_sum(j: JudgedRankings, worth: GainFunction, ideal: str, discount: DiscountFunction = np.ones_like) -> Floats:
    """Return the cumulated (and discounted) gain of the ideal order at the rank of each row."""
    best = j.ideal(worth, ideal, None if j.rare.unlisted is None else float(j.returned[0]))
    cumulated = np.append(best.segments.running(worth(best.grade) * best.of_rank(discount)), 0.0)
    depth = np.minimum(j.rank, j.segments.spread(best.segments.sizes))
    last = np.where(depth > 0, j.segments.spread(best.segments.offsets[:-1]) + depth - 1, -1).astype(np.int64)
    return cumulated[last]
