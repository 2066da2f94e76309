"""Rules that reward too much, or average what is not asked for: at fault unless stated, although tools have them."""

from __future__ import annotations

from typing import Any

from rankgauge.conventions import DEFAULT
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.rule_setting import RuleSetting
from rankgauge.rendering.language import Phrase

RELEVANT_FROM = Phrase(
    "relevant from {grade}, not 1: lower grades count as 0", "从等级 {grade} 起才算相关，而不是 1：更低的等级按 0 计"
)
POSITIVE_ONLY = Phrase("ignores items with scores of 0 or below", "忽略了分数不大于 0 的物品")
RULE_FAULTS: dict[str, dict[Any, Phrase]] = {
    "ideal": {
        "returned": Phrase("the ideal uses only the returned items", "理想排序只用了返回的物品"),
        "full": Phrase(
            "the ideal has k relevant items even if there are fewer", "理想排序固定有 k 个相关物品，即使实际不足"
        ),
    },
    "ideal_cut": {
        "returned": Phrase("the ideal is cut at the number of returned items", "理想排序截断在返回的物品数处"),
        "none": Phrase("the ideal is not cut at k", "理想排序没有在 k 处截断"),
    },
    "p_over": {
        value: Phrase(
            "divided by the number of returned items, not by k, so that a short list scores higher",
            "除以返回的物品数，而不是 k，短列表因此得分更高",
        )
        for value in ("returned", "min(k,n)")
    },
    "ap_over": {
        "hits": Phrase("divided by the hits, not by all relevant items", "除以命中数，而不是全部相关物品数"),
        "k": Phrase("divided by k, even if fewer items are relevant", "除以 k，即使相关物品不足 k 个"),
        "min(R,k,n)": Phrase(
            "divided by the number of returned items where that is smaller", "返回数较小时除以返回的物品数"
        ),
    },
    "ap_at": {
        "every": Phrase(
            "precision is added up at every rank, not only at the hits", "在每个名次累加精确率，而不只在命中处"
        )
    },
    "rr_of": {
        value: Phrase(
            "averages the reciprocal ranks of several relevant items instead of taking the first",
            "对多个相关物品的倒数排名取平均，而不是只取首个",
        )
        for value in ("hits", "all")
    },
    "ties": {
        "best": Phrase(
            "ties count as wins: among equal scores the better item comes first", "并列按命中计：分数相同时好的物品在前"
        )
    },
    "tied_pairs": {
        "won": Phrase(
            "ties count as wins: a pair with equal scores counts as ordered", "并列按命中计：分数相同的一对算作排对"
        ),
        "order": Phrase(
            "the order of the rows decides pairs with equal scores, so that a constant score gives 0 or 1, not 0.5",
            "分数相同的一对由行的次序决定，因此常数分数得 0 或 1，而不是 0.5",
        ),
    },
    "unjudged": {"removed": Phrase("unjudged items are removed before scoring", "计分前去掉了未标注的物品")},
    "hit_if": {"score>0": POSITIVE_ONLY},
    "duplicates": {"again": Phrase("counts a repeated item twice", "重复返回的物品被重复计入")},
    "rel": {grade: RELEVANT_FROM.fill(grade=grade) for grade in (2, 3, 4)},
}
"""Values of rules that are at fault unless the definition is stated, with what they do."""
REPAIRED: dict[str, Any] = {
    "ties": "mean",
    "tied_pairs": "half",
    "unjudged": "nonrelevant",
    "hit_if": "returned",
    "duplicates": "first",
    "ideal": "judged",
    "ideal_cut": "k",
    "p_over": "k",
    "ap_over": "R",
    "ap_at": "relevant",
    "rr_of": "relevant",
    "rel": 1,
}
"""The value that takes the place of one at fault."""


def faulty_rules(setting: RuleSetting, metric: Metric | None = None) -> list[str]:
    """Return the rules of a setting whose values are at fault, unless the metric that is meant states them."""
    used = {*setting.metric.definition.used_rules(setting.convention)} | {"duplicates"}
    meant = None if metric is None else RuleSetting.of(metric, DEFAULT)
    return [
        rule
        for rule, values in RULE_FAULTS.items()
        if rule in used
        and setting.value(rule) in values
        and (meant is None or setting.value(rule) != meant.value(rule))
    ]


def texts(setting: RuleSetting, metric: Metric | None = None) -> list[Phrase]:
    """Return what the rules at fault do."""
    return [RULE_FAULTS[rule][setting.value(rule)] for rule in faulty_rules(setting, metric)]


def repaired(setting: RuleSetting, metric: Metric | None = None) -> RuleSetting:
    """Return the setting with every rule at fault repaired."""
    return setting.replace(**{rule: REPAIRED[rule] for rule in faulty_rules(setting, metric)})
