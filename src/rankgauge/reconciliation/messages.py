"""Texts of the reconciliation documents, and the table of rule meanings that they share."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.reconciliation.rule_setting import RuleSetting, meaning, shown_value, title
from rankgauge.rendering.document import Table
from rankgauge.rendering.language import Lang, Phrase

WORDS = {
    "rule": Phrase("rule", "规则"),
    "value": Phrase("value", "取值"),
    "meaning": Phrase("meaning", "含义"),
    # Values by tool
    "title": Phrase("Values by tool: {metric}", "各工具给出的值：{metric}"),
    "on": Phrase(
        "{queries:# query|# queries}. {presets:# tool or definition|# tools and definitions} "
        "({tools:# variant|# variants} of the metric) give {values:# value|# different values}.",
        "{queries:,} 个查询。{presets:,} 个工具与定义（共 {tools:,} 种算法）给出 {values:,} 个不同的值。",
    ),
    "tools": Phrase("tools", "工具"),
    "change": Phrase("difference from the line above", "与上一行的差别"),
    "to": Phrase("{rule}: {before} → {after}", "{rule}：{before} → {after}"),
    "refused": Phrase("no value, because", "没有值的原因"),
    "lacking": Phrase("Without this metric: {names}.", "没有此指标：{names}。"),
    # Settings that give a number
    "question": Phrase("Which rules give {metric} = {number}?", "哪些规则给出 {metric} = {number}？"),
    "one": Phrase(
        "Of {tried:# definition|# definitions} tried, one value matches.", "试过的 {tried:,} 种定义中，有一个值相符。"
    ),
    "several": Phrase(
        "Of {tried:# definition|# definitions} tried, {count:# value matches|# values match}; those nearest to a "
        "known tool come first.",
        "试过的 {tried:,} 种定义中，有 {count:,} 个值相符；最接近已知工具的排在前面。",
    ),
    "none": Phrase(
        "None of {tried:# definition|# definitions} tried gives {number}.", "试过的 {tried:,} 种定义都得不到 {number}。"
    ),
    "none exact": Phrase(
        "None of {tried:# definition|# definitions} tried gives {number} exactly; rounding intermediate results does.",
        "试过的 {tried:,} 种定义都得不到 {number}；对中间结果四舍五入则可以得到。",
    ),
    "nearest": Phrase(
        "The nearest value is {value:.6f}, off by {off:.6f}: {what}.",
        "最接近的值是 {value:.6f}，相差 {off:.6f}：{what}。",
    ),
    "definition": Phrase("definition", "定义"),
    "exactly": Phrase("exact value", "精确值"),
    "how": Phrase("how it was rounded", "舍入方式"),
    "same": Phrase("same as {tools}", "与 {tools}相同"),
    "same except": Phrase("same as {tools}, except {rules}", "与 {tools}相同，只是{rules}"),
    "set": Phrase("{rule} = {value}", "{rule}取 {value}"),
    "few tools": Phrase("{names}", "{names} "),
    "some tools": Phrase("{names} and {more:# more tool|# more tools}", "{names} 等 {count} 个工具"),
    "comma": Phrase(", ", "、"),
    "more": Phrase("{count} more with -t json.", "另有 {count} 个，见 -t json 的输出。"),
    "alike": Phrase(
        "Definitions with the same value on these data are listed once, as the one nearest to a tool.",
        "在这些数据上取值相同的定义只列一次，取最接近某个工具的那个。",
    ),
    "deciding": Phrase(
        'Ask for the value of query "{query}", where the definitions differ most.',
        "请对方给出查询“{query}”的值：各定义在此相差最大。",
    ),
    "predicted": Phrase("value of {query}", "{query} 的值"),
    "left out": Phrase("left out", "不计入"),
    "together": Phrase(
        "These definitions give the same value for every query: these data cannot distinguish them.",
        "这些定义在每个查询上给出的值都相同：仅凭这些数据无法区分。",
    ),
}


def message(key: str, lang: Lang, **values: object) -> str:
    """Return a text of these documents."""
    return WORDS[key].render(lang, **values)


def meanings(values: Sequence[tuple[RuleSetting, str]], lang: Lang) -> Table:
    """Return a table of the meanings of rule values, each once."""
    rows = [(title(rule, lang), shown_value(setting, rule), meaning(setting, rule, lang)) for setting, rule in values]
    return Table([message(key, lang) for key in ("rule", "value", "meaning")], [*dict.fromkeys(rows)])
