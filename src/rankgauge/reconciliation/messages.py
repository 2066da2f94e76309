"""What the pages of this stage say, and the tables that they share."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.reconciliation.rule_setting import Setting, meaning, shown_value, title
from rankgauge.rendering.document import Table
from rankgauge.rendering.language import Lang, Phrase

WORDS = {
    "rule": Phrase("rule", "规则"),
    "value": Phrase("value", "取值"),
    "meaning": Phrase("what it means", "含义"),
    # What every tool says
    "title": Phrase("What each tool says: {metric}", "各工具怎么说：{metric}"),
    "on": Phrase(
        "Queries: {queries}. {presets} tools and definitions ({tools} metrics in all) give {values} values.",
        "查询数：{queries}。{presets} 个工具与定义（共 {tools} 种算法）给出 {values} 个不同的值。",
    ),
    "tools": Phrase("who", "工具"),
    "change": Phrase("from the line above by changing", "与上一行的差别在于"),
    "to": Phrase("{rule}: {before} → {after}", "{rule}：{before} → {after}"),
    "refused": Phrase("no value, because", "没有值，原因"),
    "lacking": Phrase("Without this metric: {names}.", "没有此指标：{names}。"),
    # What explains a number
    "question": Phrase("Which rules give {metric} = {number}?", "哪些规则给出 {metric} = {number}？"),
    "one": Phrase("One value of {tried} definitions tried fits.", "试过的 {tried} 种定义中，有一个值符合。"),
    "several": Phrase(
        "{count} values of {tried} definitions tried fit; the nearest to a named tool come first.",
        "试过的 {tried} 种定义中，有 {count} 个值符合；离已知工具最近的在前。",
    ),
    "none": Phrase("None of {tried} definitions tried gives {number}.", "试过的 {tried} 种定义都得不到 {number}。"),
    "none exact": Phrase(
        "None of {tried} definitions tried gives {number} exactly; rounding on the way there does.",
        "试过的 {tried} 种定义都得不到 {number}；中间步骤的舍入可以解释它。",
    ),
    "nearest": Phrase(
        "The nearest is {value:.6f}, off by {off:.6f}: {what}.", "最接近的是 {value:.6f}，相差 {off:.6f}：{what}。"
    ),
    "definition": Phrase("definition", "定义"),
    "exactly": Phrase("exactly", "精确值"),
    "how": Phrase("how it was printed", "如何印出"),
    "as": Phrase("as {tool}", "同 {tool}"),
    "as but": Phrase("as {tool}, but {rules}", "同 {tool}，但 {rules}"),
    "set": Phrase("{rule} {value}", "{rule}为 {value}"),
    "and others": Phrase("{names} and {count} more", "{names} 等，另有 {count} 个"),
    "more": Phrase("{count} more in the data (-o json).", "另有 {count} 个，见数据（-o json）。"),
    "alike": Phrase(
        "Definitions that have the same value on these data are shown once, as the one nearest to a tool.",
        "在这些数据上取值相同的定义只列一次，取离工具最近的那个。",
    ),
    "telling": Phrase(
        'Ask for the value of query "{query}": there the explanations differ most.',
        "请询问查询“{query}”的值：各解释在此相差最大。",
    ),
    "predicted": Phrase("value of {query}", "{query} 的值"),
    "left out": Phrase("left out", "不计入"),
    "together": Phrase(
        "These explanations predict the same for every query: these data cannot tell them apart.",
        "这些解释对每个查询的预测都相同：这些数据无法区分它们。",
    ),
}


def message(key: str, lang: Lang, **values: object) -> str:
    """One of the words of these pages."""
    return WORDS[key].render(lang, **values)


def meanings(values: Sequence[tuple[Setting, str]], lang: Lang) -> Table:
    """What the values of rules mean, in words, each once."""
    rows = [(title(rule, lang), shown_value(setting, rule), meaning(setting, rule, lang)) for setting, rule in values]
    return Table([message(key, lang) for key in ("rule", "value", "meaning")], [*dict.fromkeys(rows)])
