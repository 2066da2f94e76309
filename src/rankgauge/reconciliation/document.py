"""Documents of a reconciliation: values by tool, and steps from one tool to another."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rankgauge.reconciliation.reconciliation import Reconciliation, ToolGroup
from rankgauge.reconciliation.rule_setting import RuleSetting, meaning, shown_value, title
from rankgauge.reconciliation.tools import Tool
from rankgauge.reconciliation.transition import ToolTransition, TransitionStep
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.number_texts import decimal

WORDS = {
    "rule": Phrase("rule", "规则"),
    "value": Phrase("value", "取值"),
    "meaning": Phrase("meaning", "含义"),
    "left out": Phrase("left out", "不计入"),
    # Values by tool
    "title": Phrase("Values by tool: {metric}", "各工具给出的值：{metric}"),
    "on": Phrase(
        "{queries:# query|# queries}. {presets:# tool or definition|# tools and definitions} "
        "({tools:# variant|# variants} of the metric) give {values:# value|# different values}.",
        "{queries:,} 个查询。{presets:,} 个工具与定义（共 {tools:,} 种算法）给出 {values:,} 个不同的值。",
    ),
    "tools": Phrase("tools", "工具"),
    "comma": Phrase(", ", "、"),
    "change": Phrase("difference from the line above", "与上一行的差别"),
    "to": Phrase("{rule}: {before} → {after}", "{rule}：{before} → {after}"),
    "refused": Phrase("no value, because", "没有值的原因"),
    "lacking": Phrase("Without this metric: {names}.", "没有此指标：{names}。"),
    # From one tool to another
    "transition": Phrase("{metric}: from {first} to {second}", "{metric}：从 {first} 到 {second}"),
    "sum": Phrase(
        "{first} gives {before:.6f}, {second} gives {after:.6f}. The difference of {difference:+.6f} is the sum of the "
        "changes below.",
        "{first} 给出 {before:.6f}，{second} 给出 {after:.6f}，相差 {difference:+.6f}，即下列各步变化之和。",
    ),
    "agree": Phrase("On these data {first} and {second} agree.", "在这些数据上，{first} 与 {second} 完全一致。"),
    "order": Phrase(
        "Rules are changed in the order of the convention, each on top of the previous changes. In another order the "
        "individual changes can differ; their sum does not.",
        "各规则按约定中的顺序逐条改变，每一步都在前面各步的基础上进行。换一种顺序，单步的变化可能不同，总和不变。",
    ),
    "from": Phrase("from", "从"),
    "until": Phrase("to", "到"),
    "new value": Phrase("new value", "改变后的值"),
    "step change": Phrase("change", "变化"),
    "queries": Phrase("queries that change most", "变化最大的查询"),
}


def tools_document(result: Reconciliation, lang: str) -> Document:
    """Return the value of each tool, the rules that make them differ, and the tools without a value."""
    language = check_lang(lang)
    counts = {
        "queries": result.queries,
        "tools": len(result.tools),
        "presets": len({tool.name for tool in result.tools}),
        "values": len(result.groups),
    }
    columns = [str(result.metric), _message("tools", language), _message("change", language)]
    values = [[group.shown, tool_names(group.tools, language), _changes(group, language)] for group in result.groups]
    blocks: list[Block] = [
        Heading(_message("title", language, metric=result.metric)),
        Paragraph(_message("on", language, **counts)),
        Table(columns, values, align="rll"),
    ]
    changed = [
        (setting, rule)
        for group in result.groups
        for rule in group.rules
        for setting in (group.before, group.after)
        if setting is not None
    ]
    blocks += [meanings(changed, language)] if changed else []
    if result.refused:
        by_reason: dict[Phrase, list[Tool]] = {}
        for tool in result.refused:
            by_reason.setdefault(tool.reason, []).append(tool)
        rows = [[tool_names(tools, language), reason[language == "zh"]] for reason, tools in by_reason.items()]
        blocks.append(Table([_message("tools", language), _message("refused", language)], rows))
    if result.without_metric:
        blocks.append(
            Paragraph(_message("lacking", language, names=_message("comma", language).join(result.without_metric)))
        )
    return Document(blocks)


def tool_names(tools: Sequence[Tool], lang: Lang) -> str:
    """Return the names of tools; a variant with the tool's name for the metric."""
    names = (f"{tool.name} ({tool.metric_name})" if tool.variant else tool.name for tool in tools)
    return _message("comma", lang).join(dict.fromkeys(names))


def _changes(group: ToolGroup, lang: Lang) -> str:
    if group.before is None or group.after is None:
        return ""
    changes = ((rule, shown_value(group.before, rule), shown_value(group.after, rule)) for rule in group.rules)
    return _message("comma", lang).join(
        _message("to", lang, rule=title(rule, lang), before=b, after=a) for rule, b, a in changes
    )


def transition_document(result: ToolTransition, lang: str) -> Document:
    """Return the steps from one tool to another, and the meanings of the new values."""
    language = check_lang(lang)
    names = dict(zip(("first", "second"), (tool.name for tool in result.tools), strict=True))
    before, after = result.values
    heading = Heading(_message("transition", language, metric=result.tools[0].setting.metric, **names))
    if not result.steps:
        return Document([heading, Paragraph(_message("agree", language, **names))])
    total = _message("sum", language, before=before, after=after, difference=after - before, **names)
    width = 6 if result.queries > 1 else 5  # a single query needs no column of queries
    columns = [_message(key, language) for key in ("rule", "from", "until", "new value", "step change", "queries")]
    rows = [["", "", "", decimal(before, 6), "", ""], *(_step_row(step, language) for step in result.steps)]
    table = Table(columns[:width], [row[:width] for row in rows], align="lllrrl"[:width])
    changed = [(step.after, rule) for step in result.steps for rule in step.rules]
    order = Paragraph(_message("order", language))
    return Document([heading, Paragraph(total), table, order, meanings(changed, language)])


def _step_row(step: TransitionStep, lang: Lang) -> list[str]:
    moved = ", ".join(
        f"{query}: {number_text(old, lang, 4)} → {number_text(new, lang, 4)}" for query, old, new in step.moved
    )
    values = [", ".join(shown_value(setting, rule) for rule in step.rules) for setting in (step.before, step.after)]
    rules = " + ".join(title(rule, lang) for rule in step.rules)
    return [rules, *values, decimal(step.second, 6), decimal(step.change, 6, "+"), moved]


def number_text(value: float, lang: Lang, digits: int) -> str:
    """Format the value of a query, which may be left out of the mean."""
    return _message("left out", lang) if math.isnan(value) else decimal(value, digits)


def _message(key: str, lang: Lang, **values: object) -> str:
    return WORDS[key].render(lang, **values)


def meanings(values: Sequence[tuple[RuleSetting, str]], lang: Lang) -> Table:
    """Tabulate the meanings of rule values, each once."""
    rows = [(title(rule, lang), shown_value(setting, rule), meaning(setting, rule, lang)) for setting, rule in values]
    return Table([_message(key, lang) for key in ("rule", "value", "meaning")], [*dict.fromkeys(rows)])
