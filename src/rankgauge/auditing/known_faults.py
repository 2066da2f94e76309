"""Known faults of metrics as definitions of their own: slips in the code.

Each is compared with the function on all worlds, so that what is wrong is told in a sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rankgauge.auditing import fault_values, fault_worlds
from rankgauge.auditing.definitions import Candidate, Reference
from rankgauge.auditing.laws import CLOSE
from rankgauge.auditing.rule_faults import POSITIVE_ONLY, RELEVANT_FROM
from rankgauge.auditing.worlds import World
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.rule_setting import RuleSetting
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats

NO_CUTOFF = 1000
"""A cutoff beyond every list."""
CONSTANT = Phrase("constant: the value is {value:.6g} for every input", "常数：对任何输入都是 {value:.6g}")
OTHER_METRIC = Phrase("computes {metric}", "计算的是 {metric}")
VALUE_OF_NOTHING = Phrase(
    "0/0 gives {value:g}; the definition has another value there, or none",
    "0/0 时取 {value:g}；按定义此时取值不同，或无值",
)
FACTOR = Phrase("the values are {factor:.6g} times those of the definition", "数值是定义的 {factor:.6g} 倍")


OTHER_LOGARITHM = Phrase(
    "the discount has {logarithm}, not that to base 2: DCG is larger by a factor of {factor:.4f}, nDCG unaffected",
    "折损用了{logarithm}，而不是以 2 为底：DCG 因此变为 {factor:.4f} 倍，nDCG 不受影响",
)
LOGARITHMS = {
    1 / math.log(2): Phrase("the natural logarithm", "自然对数"),
    math.log2(10): Phrase("the logarithm to base 10", "以 10 为底的对数"),
}
"""Usual logarithms by the factor by which they make a discount larger than that to base 2."""
COARSE = Phrase(
    "rounded to 1 decimal, so that lists of different quality have the same value",
    "只保留 1 位小数，因此优劣不同的列表取值相同",
)


def _unchanged(world: World) -> World:
    return world


class KnownFault(NamedTuple):
    """A fault that no rule has: what it does to the worlds, the rules or the values before they are compared."""

    text: Phrase
    world: Callable[[World], World | None] = _unchanged
    """None if the fault says nothing about the world."""
    rules: Callable[[RuleSetting], RuleSetting] = lambda setting: setting
    value: Callable[[Reference, RuleSetting], Floats] = lambda reference, setting: reference.values(setting)
    metrics: tuple[str, ...] = ()
    """The metrics to which it applies; all if empty."""
    scores: bool | None = None
    """Whether it applies to functions of scores, or only to those of lists."""

    def applies(self, metric: Metric, *, scores: bool) -> bool:
        """Return whether the fault is possible for a metric and a form of call."""
        return self.scores in (None, scores) and (not self.metrics or metric.name in self.metrics)

    def values(self, reference: Reference, known: Sequence[Candidate]) -> list[tuple[Candidate, Floats]]:
        """Return the values of each definition with the fault; NaN where the fault says nothing."""
        count, places = len(reference.worlds), [*range(len(reference.worlds))]
        if self.world is not _unchanged:
            changed = [self.world(world) for world in reference.worlds]
            places = [place for place, world in enumerate(changed) if world is not None]
            reference = Reference([world for world in changed if world is not None])
        evaluated = []
        for each in known:
            values = np.full(count, np.nan)
            values[places] = self.value(reference, self.rules(each.setting))
            evaluated.append((each, values))
        return evaluated


def hidden_cutoff(n: int) -> list[KnownFault]:
    """Return the faults that only the first n items are read, whatever the cutoff: of the list, or of the ideal too."""
    text = Phrase("a hidden cutoff: only the first {k:# item is|# items are} read", "暗藏的截断：只读前 {k} 个物品")
    of_list = KnownFault(text.fill(k=n), lambda world: world.returning(*world.items[:n]), metrics=(*WITHIN_K, "P", "F"))
    of_metric = KnownFault(
        text.fill(k=n),
        lambda world: world if world.k is None else world._replace(k=min(world.k, n)),
        lambda setting: setting.replace(k=n) if setting.metric.k is None else setting,
        metrics=WITHIN_K,
    )
    return [of_list, of_metric]


def fixed_cutoff(n: int) -> KnownFault:
    """Return the fault that the cutoff is n, whatever is asked for."""
    text = Phrase("the cutoff that is passed is ignored: it is always {k}", "忽略了传入的截断：始终是 {k}")
    return KnownFault(text.fill(k=n), fault_worlds.with_cutoff(lambda _: n), metrics=(*WITHIN_K, "P", "F"))


def logarithm(metric: Metric, factor: float) -> tuple[Phrase, ...]:
    """Return the fault that the discount of DCG has another logarithm, if the values are larger by its factor."""
    close = (name for known, name in LOGARITHMS.items() if math.isclose(factor, known, rel_tol=CLOSE))
    return tuple(OTHER_LOGARITHM.fill(logarithm=name, factor=factor) for name in close if metric.name == "DCG")


POWERS = {grade: 2.0**grade for grade in range(6)}


def _power_of_two(setting: RuleSetting) -> RuleSetting:
    return setting.replace(gain=POWERS, unjudged=0, unjudged_in_ideal="no")


def _regraded(text: Phrase, change: Callable[[float, int], float], limit: int) -> KnownFault:
    def changed(world: World) -> World:
        return world._replace(gold=tuple((item, change(grade, limit)) for item, grade in world.gold))

    return KnownFault(text.fill(grade=limit), changed)


COUNTS_ONLY_1 = Phrase("counts only grade 1: higher grades count as 0", "只计等级 1：更高的等级按 0 计")
COUNTS_UP_TO = Phrase("grades above {grade} count as 0", "高于 {grade} 的等级按 0 计")
STOPS_AT = Phrase("the gain stops at grade {grade}", "增益到等级 {grade} 为止，不再增大")
RIGHT_UP_TO = Phrase("right for grades up to {grade} only", "只在等级不超过 {grade} 时正确")
RIGHT_BELOW = Phrase(
    "right for short lists only: the value of a list with {count:# item|# items} is wrong",
    "只对较短的列表正确：有 {count} 个物品时取值有误",
)
GRADE_FAULTS = (
    _regraded(COUNTS_ONLY_1, lambda grade, limit: grade * (grade <= limit), 1),
    KnownFault(
        Phrase("items with a grade above 1 are left out", "略去了等级高于 1 的物品"), fault_worlds.without_higher
    ),
    *(_regraded(COUNTS_UP_TO, lambda grade, limit: grade * (grade <= limit), n) for n in (2, 3, 4)),
    *(_regraded(STOPS_AT, min, n) for n in (2, 3, 4)),
)
"""Faults of functions that are right for the lower grades."""
THRESHOLDS = tuple(_regraded(RELEVANT_FROM, lambda grade, limit: grade * (grade >= limit), n) for n in (2, 3, 4))
UNJUDGED_COUNTS = Phrase("an unjudged item counts as relevant, with grade 1", "未标注的物品按相关计（等级 1）")
OTHER_DISCOUNT = Phrase("the ideal has another discount than the list", "理想排序与列表的折损不同")
FIRST_SKIPPED = Phrase("the first rank is skipped", "跳过了第一名")
GAINS = ("nDCG",)
RANKS = ("RR", "AP", "nDCG", "DCG")
WITHIN_K = ("R", "AP", "nDCG", "DCG", "RR", "HR")
ADDS_EVERY = KnownFault(
    Phrase("adds every relevant item, not only the first", "累加了每个相关物品，而不只是第一个"),
    value=fault_values.sum_of_reciprocal_ranks,
    metrics=("RR",),
)
"""A fault that is also the value of another metric, whose name would say less."""
INTERPOLATED = Phrase(
    "precision is interpolated, the highest at this recall or beyond counts: {where}",
    "精确率经过插值，取该召回率及以上的最高值：{where}",
)
INTERPOLATIONS: tuple[tuple[Phrase, Callable[[int], Sequence[float]]], ...] = (
    (Phrase("at 11 recall points", "在 11 个召回点上"), lambda _: [point / 10 for point in range(11)]),
    (
        Phrase("at every relevant item", "在每个相关物品处"),
        lambda relevant: [n / relevant for n in range(1, relevant + 1)],
    ),
)
"""Recall levels at which precision is interpolated, by the number of relevant items."""
KNOWN_FAULTS = (
    KnownFault(
        Phrase("sorted ascending: the lowest score counts as the best", "升序排序：把最低分当作最好"),
        fault_worlds.reversed_order,
        scores=True,
    ),
    KnownFault(Phrase("the list is read from its end", "从列表末尾读起"), fault_worlds.reversed_order, scores=False),
    KnownFault(
        Phrase("the scores are ignored: the order of the input counts", "忽略了分数：按输入的次序计算"),
        fault_worlds.as_passed,
        scores=True,
    ),
    *(
        KnownFault(text, world, scores=True)
        for text, world in (
            (POSITIVE_ONLY, fault_worlds.with_scores(lambda score: score > 0)),
            (Phrase("ignores items with a score of 0", "忽略了分数为 0 的物品"), fault_worlds.with_scores(bool)),
            (Phrase("sorts by the absolute values of the scores", "按分数的绝对值排序"), fault_worlds.sorted_by(abs)),
            (
                Phrase("rounds scores, so that close ones tie", "对分数取整，相近的分数因此并列"),
                fault_worlds.sorted_by(lambda score: round(score, 3)),
            ),
            (
                Phrase("compares scores as text, so that 9 ranks above 10", "把分数当作文本比较，9 因此排在 10 之前"),
                fault_worlds.sorted_by(str),
            ),
        )
    ),
    KnownFault(Phrase("cut at k before sorting", "排序之前就截断到 k"), fault_worlds.cut_first, scores=True),
    KnownFault(
        Phrase("the ideal uses only the returned top k", "理想排序只用了返回的前 k 个"),
        fault_worlds.own_top,
        metrics=GAINS,
    ),
    KnownFault(
        Phrase("the ideal uses only the returned items", "理想排序只用了返回的物品"),
        fault_worlds.own_list,
        metrics=GAINS,
    ),
    KnownFault(
        Phrase("relevant items that were not returned are left out", "漏掉了未返回的相关物品"),
        fault_worlds.own_list,
        metrics=("R", "F", "Rprec", "HR"),
    ),
    KnownFault(
        Phrase("relevant items below the top k are left out", "漏掉了前 k 个以外的相关物品"),
        fault_worlds.own_top,
        metrics=("R", "F"),
    ),
    KnownFault(
        Phrase("the ideal is in the order of the judgments, not sorted", "理想排序沿用标注的次序，没有排序"),
        value=fault_values.unsorted_ideal,
        metrics=GAINS,
    ),
    *(
        KnownFault(
            Phrase("the ideal has another gain than the list", "理想排序与列表的增益不同"),
            value=fault_values.ideal_with(gain=gain),
            metrics=GAINS,
        )
        for gain in ("linear", "exp2", "binary", POWERS)
    ),
    *(
        KnownFault(OTHER_DISCOUNT, value=fault_values.ideal_with(discount=discount), metrics=GAINS)
        for discount in ("log2(i+1)", "log2(i)", "none", fault_values.late)
    ),
    KnownFault(
        OTHER_DISCOUNT,
        rules=fault_values.shifted_discount,
        value=fault_values.ideal_with(discount="log2(i+1)"),
        metrics=GAINS,
    ),
    KnownFault(
        Phrase("the top of the scale is the highest grade of the returned items", "以返回物品的最高等级为量表上限"),
        value=fault_values.scale_of_returned,
        metrics=("ERR",),
    ),
    KnownFault(
        Phrase("the mean of precision and recall, not their harmonic mean", "精确率与召回率的算术平均，而非调和平均"),
        value=fault_values.mean_of_precision_and_recall,
        metrics=("F",),
    ),
    KnownFault(
        Phrase(
            "divided by the number of relevant items where that is more than k",
            "相关物品多于 k 个时除以相关物品数，而不是 k",
        ),
        value=fault_values.over_the_more,
        metrics=("P",),
    ),
    KnownFault(
        Phrase("the intersection is divided by the union of both sets", "交集除以两个集合的并集"),
        value=fault_values.over_the_union,
        metrics=("F", "P", "R"),
    ),
    KnownFault(
        Phrase("the gain is 2^grade, so an item that is not relevant counts 1", "增益为 2^等级，不相关的物品也计 1"),
        rules=_power_of_two,
        metrics=("nDCG", "DCG"),
    ),
    KnownFault(
        Phrase("the discount starts one rank too late: log2(i+2)", "折损晚了一位：log2(i+2)"),
        rules=fault_values.shifted_discount,
        metrics=("nDCG", "DCG"),
    ),
    KnownFault(
        Phrase("the discount is 1/sqrt(rank), not 1/log2(rank + 1)", "折损为 1/sqrt(名次)，而不是 1/log2(名次 + 1)"),
        rules=fault_values.root_discount,
        metrics=("nDCG", "DCG"),
    ),
    KnownFault(
        Phrase(
            "the area under the line through the points of precision and recall, not the sum of precisions at the hits",
            "按精确率—召回率各点的连线计算面积，而不是累加命中处的精确率",
        ),
        value=fault_values.under_trapezoids,
        metrics=("AP",),
    ),
    KnownFault(
        Phrase("the first hit counts 1/log2(rank + 1), not 1/rank", "首个命中计 1/log2(名次 + 1)，而不是 1/名次"),
        value=fault_values.first_hit_of_dcg,
        metrics=("RR",),
    ),
    *(
        KnownFault(INTERPOLATED.fill(where=where), value=fault_values.interpolated(levels), metrics=("AP",))
        for where, levels in INTERPOLATIONS
    ),
    KnownFault(
        Phrase(
            "precision is averaged over every rank, not only the hits, so that a perfect list may score less than 1",
            "在每个名次取精确率的平均，而不只在命中处，因此最佳列表可能低于 1",
        ),
        value=fault_values.precision_at_every_rank,
        metrics=("AP",),
    ),
    KnownFault(Phrase("ranks are one too high", "名次多算了一"), fault_worlds.one_rank_lower, metrics=RANKS),
    KnownFault(
        Phrase(
            "counts ranks from 0, so that the second rank has the value of the first",
            "名次从 0 数起，因此第二名与第一名取值相同",
        ),
        fault_worlds.ranks_from_zero,
        metrics=("RR",),
    ),
    KnownFault(
        Phrase(
            "an item that was not found counts as if it came right after the list",
            "没有找到时，按相关物品紧接在列表之后计",
        ),
        fault_worlds.missed_comes_next,
        metrics=("RR",),
    ),
    KnownFault(
        Phrase("the first item is left out", "漏掉了第一个物品"),
        fault_worlds.without_first,
        metrics=(*RANKS, "HR", "P", "R"),
    ),
    *(
        KnownFault(FIRST_SKIPPED, world, metrics=(*RANKS, "HR", "P", "R"))
        for world in (fault_worlds.first_skipped, fault_worlds.first_cut_off)
    ),
    KnownFault(FIRST_SKIPPED, value=fault_values.both_skip_first, metrics=GAINS),
    KnownFault(
        Phrase("the cutoff is k + 1", "截断成了 k + 1"), fault_worlds.with_cutoff(lambda k: k + 1), metrics=WITHIN_K
    ),
    KnownFault(
        Phrase("the cutoff is k - 1", "截断成了 k - 1"), fault_worlds.with_cutoff(lambda k: k - 1), metrics=WITHIN_K
    ),
    KnownFault(
        Phrase("the cutoff is ignored", "忽略了截断"), fault_worlds.with_cutoff(lambda _: NO_CUTOFF), metrics=WITHIN_K
    ),
    KnownFault(
        Phrase("the last relevant item counts, not the first", "取了最后一个相关物品，而不是第一个"),
        fault_worlds.last_hit,
        metrics=("RR",),
    ),
    KnownFault(
        Phrase("only the first of the relevant items is looked for", "只查找相关物品中的第一个"),
        fault_worlds.first_gold,
    ),
    KnownFault(
        Phrase(
            "the first of the relevant items that is found counts, not the first hit in the list",
            "按相关物品的次序取第一个找到的，而不是列表中的第一个命中",
        ),
        fault_worlds.first_found_gold,
        metrics=("RR",),
    ),
    KnownFault(
        Phrase("every judged item counts as relevant, also with grade 0", "有标注的物品都按相关计，等级 0 也不例外"),
        fault_worlds.zero_is_relevant,
    ),
    KnownFault(UNJUDGED_COUNTS, value=fault_values.unjudged_gains, metrics=GAINS),
    KnownFault(UNJUDGED_COUNTS, value=fault_values.unjudged_hits, metrics=("R", "AP")),
    KnownFault(UNJUDGED_COUNTS, fault_worlds.unjudged_is_relevant),
    *(
        KnownFault(
            Phrase("the order of the list is lost: the items are sorted by name", "丢失了列表的次序：按名称排序"), world
        )
        for world in (fault_worlds.by_name, fault_worlds.by_name_descending)
    ),
    *(
        KnownFault(Phrase("the order of the list is lost: a set has none", "丢失了列表的次序：集合没有次序"), world)
        for world in (fault_worlds.in_order_of_a_set, fault_worlds.cut_from_a_set)
    ),
    KnownFault(
        Phrase("inverted: 1 minus the value", "取反：1 减去该值"),
        value=lambda reference, setting: 1 - reference.values(setting),
    ),
)
"""The faults to try, in order."""
