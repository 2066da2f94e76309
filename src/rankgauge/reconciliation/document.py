"""Documents of a reconciliation: values by tool, settings that give a number, steps from one tool to another."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rankgauge.reconciliation.number_matches import COMPARED, NumberMatch, NumberMatches
from rankgauge.reconciliation.reconciliation import Reconciliation, ToolGroup
from rankgauge.reconciliation.rule_setting import CUTOFF, RuleSetting, meaning, shown_value, title
from rankgauge.reconciliation.tools import Tool
from rankgauge.reconciliation.transition import ToolTransition, TransitionStep
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang

SHOWN = 8
"""Maximal number of matches shown."""
NAMES = 3
"""Maximal number of tools named for one definition."""
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
    "together": Phrase(
        "These definitions give the same value for every query: these data cannot distinguish them.",
        "这些定义在每个查询上给出的值都相同：仅凭这些数据无法区分。",
    ),
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
    values = [[group.shown, _tool_names(group.tools), _changes(group, language)] for group in result.groups]
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
    blocks += [_meanings(changed, language)] if changed else []
    if result.refused:
        rows = [[tool.name, tool.refusal] for tool in result.refused]
        blocks.append(Table([_message("tools", language), _message("refused", language)], rows))
    if result.without_metric:
        blocks.append(Paragraph(_message("lacking", language, names=", ".join(result.without_metric))))
    return Document(blocks)


def _tool_names(tools: Sequence[Tool]) -> str:
    """Return the names of tools; a variant with the tool's name for the metric."""
    names = (f"{tool.name} ({tool.metric_name})" if tool.variant else tool.name for tool in tools)
    return ", ".join(dict.fromkeys(names))


def _changes(group: ToolGroup, lang: Lang) -> str:
    if group.before is None or group.after is None:
        return ""
    changes = ((rule, shown_value(group.before, rule), shown_value(group.after, rule)) for rule in group.rules)
    return ", ".join(_message("to", lang, rule=title(rule, lang), before=b, after=a) for rule, b, a in changes)


def matches_document(result: NumberMatches, lang: str) -> Document:
    """Return the settings that give a number, the query that distinguishes them, or the nearest value."""
    language = check_lang(lang)
    number = result.printed.text
    blocks: list[Block] = [Heading(_message("question", language, metric=result.metric, number=number))]
    exact = [match for match in result.matches if match.rounding.how in {"rounded", "single", "truncated"}]
    key = "several" if len(exact) > 1 else "one" if exact else "none exact" if result.matches else "none"
    blocks.append(Paragraph(_message(key, language, tried=result.tried, count=len(exact), number=number)))
    nearest = result.nearest
    if not exact and nearest is not None:
        off = abs(nearest.value - result.printed.value)
        what = _definition(nearest, result, language)
        blocks.append(Paragraph(_message("nearest", language, value=nearest.value, off=off, what=what)))
    if not result.matches:
        return Document(blocks)
    shown, more = result.matches[:SHOWN], len(result.matches) - SHOWN
    rows = [
        [_definition(match, result, language), f"{match.value:.6f}", match.rounding.render(language)] for match in shown
    ]
    blocks.append(Table([_message(column, language) for column in ("definition", "exactly", "how")], rows, align="lrl"))
    blocks += [Paragraph(_message("more", language, count=more))] if more > 0 else []
    if any(match.equivalent for match in shown):
        blocks.append(Paragraph(_message("alike", language)))
    blocks += _deciding_query(result, language)
    rules = [(match.setting, rule) for match in shown for rule in (match.rules or _own_rules(match.setting))]
    return Document([*blocks, _meanings(rules, language)] if rules else blocks)


def _own_rules(setting: RuleSetting) -> list[str]:
    return [rule for rule, value in setting.rules().items() if value is not None]


def _deciding_query(result: NumberMatches, lang: Lang) -> list[Block]:
    """Name the query to ask for if there are several matches."""
    if len(result.matches) == 1 or result.queries == 1:
        return []
    deciding = result.deciding_query
    if deciding is None:
        return [Paragraph(_message("together", lang))]
    rows = [
        [_definition(match, result, lang), _value(value, lang, 6)]
        for match, value in zip(result.matches[:COMPARED], deciding.values, strict=True)
    ]
    columns = [_message("definition", lang), _message("predicted", lang, query=deciding.query)]
    return [Paragraph(_message("deciding", lang, query=deciding.query)), Table(columns, rows, align="lr")]


def _definition(match: NumberMatch, result: NumberMatches, lang: Lang) -> str:
    """Describe a setting by the tools that have it and the rules that differ."""
    names = [*dict.fromkeys(tool.name for tool in result.same_tools(match))]
    key = "few tools" if len(names) <= NAMES else "some tools"
    listed = _message("comma", lang).join(names[:NAMES])
    tools = _message(key, lang, names=listed, more=len(names) - NAMES, count=len(names))
    if not match.rules:
        return _message("same", lang, tools=tools)
    rules = _message("comma", lang).join(
        _message("set", lang, rule=_short_title(rule, lang), value=shown_value(match.setting, rule))
        for rule in match.rules
    )
    return _message("same except", lang, tools=tools, rules=rules)


def _short_title(rule: str, lang: Lang) -> str:
    return {"en": CUTOFF, "zh": f" {CUTOFF} "}[lang] if rule == CUTOFF else title(rule, lang)


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
    rows = [["", "", "", f"{before:.6f}", "", ""], *(_step_row(step, language) for step in result.steps)]
    table = Table(columns[:width], [row[:width] for row in rows], align="lllrrl"[:width])
    changed = [(step.after, rule) for step in result.steps for rule in step.rules]
    order = Paragraph(_message("order", language))
    return Document([heading, Paragraph(total), table, order, _meanings(changed, language)])


def _step_row(step: TransitionStep, lang: Lang) -> list[str]:
    moved = ", ".join(f"{query}: {_value(old, lang, 4)} → {_value(new, lang, 4)}" for query, old, new in step.moved)
    values = [", ".join(shown_value(setting, rule) for rule in step.rules) for setting in (step.before, step.after)]
    rules = " + ".join(title(rule, lang) for rule in step.rules)
    return [rules, *values, f"{step.second:.6f}", f"{step.change:+.6f}", moved]


def _value(value: float, lang: Lang, digits: int) -> str:
    return _message("left out", lang) if math.isnan(value) else f"{value:.{digits}f}"


def _message(key: str, lang: Lang, **values: object) -> str:
    return WORDS[key].render(lang, **values)


def _meanings(values: Sequence[tuple[RuleSetting, str]], lang: Lang) -> Table:
    """Tabulate the meanings of rule values, each once."""
    rows = [(title(rule, lang), shown_value(setting, rule), meaning(setting, rule, lang)) for setting, rule in values]
    return Table([_message(key, lang) for key in ("rule", "value", "meaning")], [*dict.fromkeys(rows)])
