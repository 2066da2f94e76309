"""Metrics for incomplete judgments: bpref, infAP, and the shares of judged and unjudged items."""

from __future__ import annotations

import math

import numpy as np

from rankgauge.kernels.precision import OF_ALL, uncut
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.laws import LOGARITHM, THRESHOLD, broken
from rankgauge.metric_core.parameters import Cutoff, Positive, rule
from rankgauge.metric_core.sums import Sum, ranks_up_to, total

__all__ = ["GMbpref", "Judged", "Unjudged", "bpref", "infAP"]

EPSILON = 1e-5


@metric(
    zh="bpref：每个相关物品之前有多少已判为不相关的物品；忽略未标注物品。"
    "特殊情形：n_r 为 r 之前判为不相关的物品数，N 为其总数；忽略未标注物品；N 为 0 时，括号内的分母取 1，因而其前没有"
    "不相关物品者计 1；没有相关物品时为 0/0。",
    trec={"bpref": "bpref"},
    cite="buckley2004",
    breaks=OF_ALL
    | broken("strict_swap", "unjudged items are ignored", "忽略未标注物品")
    | broken("added_relevant", "R caps the count of non-relevant items above", "其前不相关物品数以 R 为上限")
    | broken(
        "unreturned_nonrelevant",
        "the number of judged non-relevant items caps the count as well",
        "已判为不相关的物品数也是上限",
    ),
)
def bpref(j: JudgedRankings, *, rel: float = rule()) -> Sum:
    r"""Binary preference: how rarely items judged not relevant rank above relevant ones.

    .. math:: bpref = \frac{1}{R} \sum_{r} \Big( 1 - \frac{\min(n_r, R)}{\min(N, R)} \Big)

    Edge cases: n_r is the number of judged non-relevant items above r, N the number of all of them; unjudged items are
    ignored; if N is 0, 1 is divided by instead, so that an item with none above it adds 1; 0/0 if nothing is relevant.

    >>> bpref.of([1, 0, None, 1])  # (1 + (1 - 1/1)) / 2
    0.5
    """
    hit, miss = j.relevant(rel), j.nonrelevant(rel)
    R, N = j.relevant_judged(rel), j.nonrelevant_judged(rel)
    beaten = j.above(miss, given=hit, cap=R) / j.segments.spread(np.maximum(np.minimum(N, R), 1))
    return total(j, relevant=j.at(hit), not_beaten=1 - beaten).over("R", R)


@metric(
    zh="bpref 几何平均的单查询部分：ln(max(bpref, floor))；对查询取平均再取指数。"
    "特殊情形：floor 避免单个 bpref 为 0 的查询使总体为 0。",
    aliases=("logbpref",),
    trec={"gm_bpref": "GMbpref"},
    cite="robertson2006",
    bounds=(-math.inf, 0.0),
    ties_mean=False,
    summary="exp",
    breaks={**bpref.definition.breaks, **LOGARITHM},
)
def GMbpref(j: JudgedRankings, *, rel: float = rule(), floor: Positive = 1e-5) -> Sum:
    r"""Per-query part of the geometric mean of bpref: its logarithm, which gives hard queries more weight.

    .. math:: \ln \max(bpref, \epsilon)

    Edge cases: the floor prevents a single query with bpref 0 from making the mean 0.

    >>> round(GMbpref.of([1, 0, 1]), 6)  # ln((1 + (1 - 1/1)) / 2)
    -0.693147
    """
    return bpref.kernel(j, rel=rel).then(f"ln max(bpref, {floor:g})", lambda value: np.log(np.maximum(value, floor)))


@metric(
    zh="推断 AP：在标注不全时，用已标注部分估计每个相关物品处的期望精确率。"
    "特殊情形：p_r 为 r 之前在标注池中的物品数（已标注或负等级），rel_r 与 non_r 为其中判为相关与不相关的个数"
    "；epsilon 为 0.00001；没有相关物品时为 0/0。",
    aliases=("InferredAP",),
    trec={"infAP": "infAP"},
    cite="aslam2006",
    ties_mean=False,
    breaks=OF_ALL | THRESHOLD | broken("ideal_is_one", "smoothing keeps it slightly below 1", "平滑使其略低于 1"),
)
def infAP(j: JudgedRankings, *, rel: float = rule()) -> Sum:
    r"""Inferred AP: average precision, with the precision above each relevant item estimated from the judged items.

    .. math:: infAP = \frac{1}{R} \sum_{r} \frac{1}{i_r} \Big( 1 + p_r \,
        \frac{rel_r + \epsilon}{rel_r + non_r + 2\epsilon} \Big)

    Edge cases: p_r is the number of items above r that are in the pool (judged, or with a negative grade), rel_r and
    non_r those judged relevant and not relevant; epsilon is 0.00001; 0/0 if nothing is relevant.

    >>> round(infAP.of([1, None, 1]), 6)  # (1 + (1 + 1 * 1.00001/1.00002) / 3) / 2
    0.833332
    """
    hit, miss = j.relevant(rel), j.nonrelevant(rel)
    pooled = np.ones_like(hit)
    relevant, nonrelevant, in_pool = (j.above(column, given=hit) for column in (hit, miss, pooled))
    estimate = in_pool * (relevant + EPSILON) / (relevant + nonrelevant + 2 * EPSILON)
    return total(j, relevant=j.at(hit), expected=(1 + estimate) / j.rank).over("R", j.relevant_judged(rel))


@metric(
    zh="前 k 个中有标注的物品比例。特殊情形：空结果为 0/0。",
    aliases=("JudgedRate",),
    cite="sakai2007",
    mean_rank=uncut,
    best_first="judged",
    breaks=broken(
        "strict_swap equal_swap tail drop grows_with_k defined",
        "it counts judged items, relevant or not",
        "它计的是有标注的物品，无论是否相关",
    ),
)
def Judged(j: JudgedRankings, *, k: Cutoff = None) -> Sum:
    r"""The share of the top k that was judged.

    .. math:: Judged@k = \frac{1}{\min(k, n)} \sum_{i=1}^{k} judged_i

    Edge cases: 0/0 for an empty list.

    >>> (Judged @ 4).of([1, None, 0, None])  # 2/4
    0.5
    """
    return total(j, k, judged=j.at(1.0 * j.known)).over("min(k, n)", j.shown(k))


@metric(
    zh="前 k 个名次中返回了但没有标注的物品所占比例，越低越好。"
    "特殊情形：末尾之后的名次不算未标注；没有截断时 k 取返回的物品数，空结果为 0/0。",
    aliases=("UnjudgedRate",),
    trec={"unj": "Unjudged@{}"},
    cite="buckley2005",
    higher_is_better=False,
    mean_rank=uncut,
    best_first="judged",
    breaks=broken(
        "ideal_is_one strict_swap swap equal_swap replace append tail drop grows_with_k defined",
        "it counts unjudged items",
        "它计的是未标注的物品",
    ),
)
def Unjudged(j: JudgedRankings, *, k: Cutoff = None) -> Sum:
    r"""The share of the top k that was not judged; lower is better.

    .. math:: Unjudged@k = \frac{1}{k} \Big( \min(k, n) - \sum_{i=1}^{k} judged_i \Big)

    Edge cases: ranks after the end of the list do not count as unjudged; without a cutoff, k is the number of returned
    items, and an empty list is 0/0.

    >>> (Unjudged @ 4).of([1, None, 0, None])  # (4 - 2) / 4
    0.5
    """
    return total(j, k, minus=-j.at(1.0 * j.known)).plus("in the top k", j.shown(k)).over(*ranks_up_to(j, k))
