"""Metrics based on a model of the user: ERR, nERR, RBP and its residual, xDCG."""

from __future__ import annotations

import numpy as np

from rankgauge.errors import InputError
from rankgauge.kernels.gain import MOVING_IDEAL, ideal_end
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.laws import THRESHOLD, broken
from rankgauge.metric_core.parameters import Cutoff, Flag, Probability, rule
from rankgauge.metric_core.sums import Sum, ranks_up_to, total
from rankgauge.segments import Floats

__all__ = ["ERR", "RBP", "RBPresidual", "nERR", "xDCG"]

ABOVE_ZERO = float(np.nextafter(0.0, 1.0))
"""The level at which every grade above 0 counts."""


@metric(
    zh="期望倒数排名：用户逐个浏览，遇到越相关的物品越可能停下；停下名次倒数的期望。"
    "特殊情形：没有相关物品时为 0；等级超过最高等级时报错。",
    aliases=("ExpectedReciprocalRank",),
    cite="chapelle2009",
    breaks=broken(
        "ideal_is_one",
        "even at the top grade the user continues with probability 1/2^top",
        "即使遇到最高等级，用户仍以 1/2^最高等级 的概率继续",
    ),
)
def ERR(j: JudgedRankings, *, k: Cutoff = None, max_grade: float | str | Floats = rule(), stop: str = rule()) -> Sum:
    r"""Expected reciprocal rank: the expected 1/rank at which a user, who stops at good items, stops.

    .. math:: ERR@k = \sum_{i=1}^{k} \frac{1}{i} \, s_i \prod_{l<i} (1 - s_l),
        \qquad s_i = \frac{2^{g_i} - 1}{2^{g_{max}}}

    Edge cases: 0 if nothing is relevant; a grade above the top grade is an error.

    >>> round(ERR(max_grade=2).of([1, 2]), 6)  # 1/4 + 1/2 * 3/4 * 3/4
    0.53125
    """
    if stop == "grade":
        stop_probability(j.judged_grades, 1.0, stop)  # checks them
    top = 1.0 if stop == "grade" else top_of_scale(j, max_grade, 0.0)
    probability = stop_probability(j.grade, top, stop)
    return total(j, k, stop=j.at(probability), reach=j.reach(probability), reciprocal=1 / j.rank)


@metric(
    zh="归一化 ERR：ERR 除以理想排序的 ERR。特殊情形：没有相关物品时为 0/0；等级超过最高等级时报错。",
    aliases=("NERR",),
    cite="chapelle2009",
    breaks=MOVING_IDEAL,
)
def nERR(
    j: JudgedRankings,
    *,
    k: Cutoff = None,
    max_grade: float | str = rule(),
    ideal: str = rule(),
    ideal_cut: str = rule(),
    stop: str = rule(),
) -> Sum:
    r"""Normalised ERR: ERR divided by the best possible ERR.

    .. math:: nERR@k = \frac{ERR@k}{ERR^*@k}, \qquad ERR@k = \sum_{i=1}^{k} \frac{1}{i} \, s_i \prod_{l<i} (1 - s_l)

    Edge cases: 0/0 if nothing is relevant; a grade above the top grade is an error.

    >>> round(nERR(max_grade=2).of([1, 2]), 6)  # (1/4 + 1/2 * 3/4 * 3/4) / (3/4 + 1/2 * 1/4 * 1/4)
    0.68
    """
    end = ideal_end(j, k, ideal_cut)
    top = j.largest_grade() if max_grade == "largest" else max_grade
    best_sum = ERR.kernel(j.ideal(np.positive, ideal, end), k=end, max_grade=top, stop=stop)
    return ERR.kernel(j, k=k, max_grade=top, stop=stop).over("ideal ERR", best_sum)


@metric(
    zh="排名偏置精确率：用户以概率 p 继续看下一个，期望看到的相关比例。"
    "特殊情形：没有相关物品时为 0；``graded=True`` 以 等级 / 最高等级 代替 rel；规则 ``user_depth`` 使列表止"
    "于第 d 名时再除以 1 - p^d；未标注物品与末尾之后的名次可能"
    "带来的部分见 ``RBPresidual``。",
    aliases=("RankBiasedPrecision",),
    trec={"rbp": "RBP(p=0.9, graded=True, max_grade='largest')"},
    cite="moffat2008",
    breaks=THRESHOLD
    | broken("ideal_is_one", "ranks after the end of the list keep their weight", "结果末尾之后的名次仍占权重"),
)
def RBP(
    j: JudgedRankings,
    *,
    k: Cutoff = None,
    p: Probability = 0.8,
    rel: float = rule(),
    graded: Flag = False,
    max_grade: float | str = rule(),
    user_depth: str | int = rule(),
) -> Sum:
    r"""Rank-biased precision: the expected relevance per item seen by a user who continues with probability p.

    .. math:: RBP@k = (1-p) \sum_{i=1}^{k} rel_i \, p^{i-1}

    Edge cases: 0 if nothing is relevant; ``graded=True`` uses grade / top grade instead of rel; if the rule
    ``user_depth`` ends the list at rank d, the value is divided by 1 - p^d. ``RBPresidual`` gives what unjudged items
    and ranks after the end of the list could add.

    >>> round(RBP(p=0.5).of([1, 0, 1]), 6)  # 0.5 * (1 + 0.25)
    0.625
    """
    top = top_of_scale(j, max_grade) if graded else 1.0
    seen = j.gain(lambda grade: on_scale(grade, top, -np.inf) / top) if graded else j.relevant(rel)
    factors = {"gain" if graded else "relevant": j.at(seen), "weight": (1 - p) * p ** (j.rank - 1)}
    if user_depth != "endless":
        depth = depth_of(j, user_depth, ABOVE_ZERO if graded else rel)
        return total(j, np.minimum(depth, np.inf if k is None else k), **factors).over("1 - p^depth", 1 - p**depth)
    return total(j, k, **factors).made_of({"residual": RBPresidual.kernel(j, k=k, p=p)})


@metric(
    zh="RBP 的残差：未标注物品与列表之后的名次最多还能带来的 RBP，越低说明结论越确定。"
    "特殊情形：空结果为 1，因为一无所知。",
    cite="moffat2008",
    higher_is_better=False,
    best_first="judged",
    breaks=broken(
        "ideal_is_one tail strict_swap append replace grows_with_k swap drop equal_swap",
        "it measures what is unknown",
        "它衡量未知的部分",
    ),
)
def RBPresidual(j: JudgedRankings, *, k: Cutoff = None, p: Probability = 0.8) -> Sum:
    r"""The residual of RBP: how much unjudged items and the ranks after the end of the list could add.

    .. math:: 1 - (1-p) \sum_{i=1}^{k} judged_i \, p^{i-1}

    Edge cases: 1 for an empty list, because nothing is known.

    >>> RBPresidual(p=0.5).of([1, None, 1])  # 1 - 0.5 * (1 + 0.25)
    0.375
    """
    weight = (1 - p) * p ** (j.rank - 1)
    return total(j, k, judged=-1.0 * j.at(1.0 * j.known), weight=weight).plus(
        "all weight", np.ones_like(j.returned, dtype=np.float64)
    )


@metric(
    zh="xDCG：按名次几何折损的等级的加权平均，以 0 到 100 表示。"
    "特殊情形：p 为每降一名的折损；返回不足 k 个时，空缺计 0，权重仍计入分母；"
    "没有截断时 k 取返回的物品数，空结果为 0/0；等级超过最高等级时报错。",
    cite="Azure AI Evaluation, DocumentRetrievalEvaluator",
    bounds=(0.0, 100.0),
    breaks=broken("bounded", "it is a percentage: up to 100", "它是百分数，最大为 100")
    | broken("ideal_is_one", "a perfect list of top grades scores 100", "全为最高等级的列表得 100")
    | broken("grows_with_k", "a larger k has a larger denominator", "k 越大，分母越大")
    | broken("tail", "without a cutoff, a longer list has a larger denominator", "没有截断时，返回越多分母越大")
    | broken("append", "without a cutoff, a longer list has a larger denominator", "没有截断时，返回越多分母越大")
    | broken("defined", "without a cutoff, an empty list is 0/0", "没有截断时，空结果为 0/0"),
)
def xDCG(j: JudgedRankings, *, k: Cutoff = None, p: Probability = 0.6, max_grade: float | str = rule()) -> Sum:
    r"""xDCG: the mean grade of the top k, with weights that fall geometrically with the rank, as a percentage.

    .. math:: xDCG@k = \frac{\sum_{i=1}^{k} 100 \, g_i / g_{max} \, p^{i-1}}{\sum_{i=1}^{k} p^{i-1}}

    Edge cases: ranks after the end of the list add 0, and their weights count in the denominator; without a cutoff, k
    is the number of returned items, and an empty list is 0/0; a grade above the top grade is an error.

    >>> round((xDCG @ 3).of([2, 0, 4]), 6)  # (50 + 0 + 100 * 0.36) / (1 + 0.6 + 0.36)
    43.877551
    """
    top = top_of_scale(j, max_grade)
    percent = j.gain(lambda grade: 100.0 * on_scale(grade, top, -np.inf) / top)
    weights = (1 - p ** ranks_up_to(j, k)[1]) / (1 - p)
    return total(j, k, gain=j.at(percent), discount=p ** (j.rank - 1)).over("sum of discounts", weights)


def top_of_scale(j: JudgedRankings, max_grade: float | str | Floats, lowest: float = -np.inf) -> Floats | float:
    """Return the top of the scale: one number, or that of the query of each item.

    A grade that is not on it is an error wherever its item is: not every form of input has rows below the cutoff.
    """
    if isinstance(max_grade, int | float):
        on_scale(j.judged_grades, max_grade, lowest)
        return max_grade
    of_query = j.largest_grade() if isinstance(max_grade, str) else max_grade
    return of_query[j.item_query()]


def stop_probability(grade: Floats, max_grade: Floats | float, stop: str) -> Floats:
    """Return the probability that an item of this grade satisfies the user."""
    if stop == "grade":
        if (outside := (grade < 0) | (grade > 1)).any():
            value = grade[outside][0]
            en = f"grade {value:g} is not a probability from 0 to 1; use stop='exp2'"
            raise InputError((en, f"等级 {value:g} 不是 0 到 1 之间的概率；请用 stop='exp2'"))
        return grade
    return (np.exp2(on_scale(grade, max_grade)) - 1.0) / 2.0**max_grade


def on_scale(grade: Floats, max_grade: Floats | float, lowest: float = 0.0) -> Floats:
    """Return the grades, or raise an error if one is not on the scale."""
    outside = (grade > max_grade) | (grade < lowest)
    if outside.any():
        value, needed = grade[outside][0], f"max_grade={max(grade.max(), 1):g}"
        low, top = f"{lowest:g}", f"{np.max(max_grade):g}"
        en = f"grade {value:g} is not on the scale from {low} to {top}; set the top of the scale, as in {needed}"
        raise InputError((en, f"等级 {value:g} 不在 {low} 到 {top} 之间；请用 {needed} 设定最高等级"))
    return grade


def depth_of(j: JudgedRankings, user_depth: str | int, rel: float = ABOVE_ZERO) -> Floats:
    """Return the last rank that the user can reach in each query; infinite if there is none."""
    if user_depth == "lists":
        return 1.0 * np.maximum(j.returned, j.relevant_judged(rel))
    return np.full_like(j.returned, np.inf if isinstance(user_depth, str) else user_depth, dtype=np.float64)
