"""Documents of a reconciliation: the values by tool, and the settings that give a number."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rankgauge.reconciliation.messages import meanings, message
from rankgauge.reconciliation.number_matches import COMPARED, NumberMatch, NumberMatches
from rankgauge.reconciliation.reconciliation import Reconciliation, ToolGroup
from rankgauge.reconciliation.rule_setting import CUTOFF, RuleSetting, shown_value, title
from rankgauge.reconciliation.tools import Tool
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, check_lang

SHOWN = 8
"""Maximal number of matches shown."""
NAMES = 3
"""Maximal number of tools named for one definition."""


def tools_document(result: Reconciliation, lang: str) -> Document:
    """Return the value of each tool, the rules that make them differ, and the tools without a value."""
    language = check_lang(lang)
    counts = {
        "queries": result.queries,
        "tools": len(result.tools),
        "presets": len({tool.name for tool in result.tools}),
        "values": len(result.groups),
    }
    blocks: list[Block] = [
        Heading(message("title", language, metric=result.metric)),
        Paragraph(message("on", language, **counts)),
        Table(
            [str(result.metric), message("tools", language), message("change", language)],
            [[group.shown, _tool_names(group.tools), _changes(group, language)] for group in result.groups],
            align="rll",
        ),
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
        rows = [[tool.name, tool.refusal] for tool in result.refused]
        blocks.append(Table([message("tools", language), message("refused", language)], rows))
    if result.without_metric:
        blocks.append(Paragraph(message("lacking", language, names=", ".join(result.without_metric))))
    return Document(blocks)


def _tool_names(tools: Sequence[Tool]) -> str:
    """Return the names of tools; a variant with the tool's name for the metric."""
    names = (f"{tool.name} ({tool.metric_name})" if tool.variant else tool.name for tool in tools)
    return ", ".join(dict.fromkeys(names))


def _changes(group: ToolGroup, lang: Lang) -> str:
    if group.before is None or group.after is None:
        return ""
    return ", ".join(
        message(
            "to",
            lang,
            rule=title(rule, lang),
            before=shown_value(group.before, rule),
            after=shown_value(group.after, rule),
        )
        for rule in group.rules
    )


def matches_document(result: NumberMatches, lang: str) -> Document:
    """Return the settings that give a number, the query that distinguishes them, or the nearest value."""
    language = check_lang(lang)
    number = result.printed.text
    blocks: list[Block] = [Heading(message("question", language, metric=result.metric, number=number))]
    exact = [match for match in result.matches if match.rounding.how in {"rounded", "single", "truncated"}]
    key = "several" if len(exact) > 1 else "one" if exact else "none exact" if result.matches else "none"
    blocks.append(Paragraph(message(key, language, tried=result.tried, count=len(exact), number=number)))
    nearest = result.nearest
    if not exact and nearest is not None:
        off = abs(nearest.value - result.printed.value)
        what = _definition(nearest, result, language)
        blocks.append(Paragraph(message("nearest", language, value=nearest.value, off=off, what=what)))
    if not result.matches:
        return Document(blocks)
    shown, more = result.matches[:SHOWN], len(result.matches) - SHOWN
    rows = [
        [_definition(match, result, language), f"{match.value:.6f}", match.rounding.render(language)] for match in shown
    ]
    blocks.append(Table([message(column, language) for column in ("definition", "exactly", "how")], rows, align="lrl"))
    blocks += [Paragraph(message("more", language, count=more))] if more > 0 else []
    if any(match.equivalent for match in shown):
        blocks.append(Paragraph(message("alike", language)))
    blocks += _deciding_query(result, language)
    rules = [(match.setting, rule) for match in shown for rule in (match.rules or _own_rules(match.setting))]
    return Document([*blocks, meanings(rules, language)] if rules else blocks)


def _own_rules(setting: RuleSetting) -> list[str]:
    return [rule for rule in setting.rules() if setting.value(rule) is not None]


def _deciding_query(result: NumberMatches, lang: Lang) -> list[Block]:
    """Name the query to ask for if there are several matches."""
    if len(result.matches) == 1 or result.queries == 1:
        return []
    deciding = result.deciding_query
    if deciding is None:
        return [Paragraph(message("together", lang))]
    rows = [
        [_definition(match, result, lang), message("left out", lang) if math.isnan(value) else f"{value:.6f}"]
        for match, value in zip(result.matches[:COMPARED], deciding.values, strict=True)
    ]
    columns = [message("definition", lang), message("predicted", lang, query=deciding.query)]
    return [Paragraph(message("deciding", lang, query=deciding.query)), Table(columns, rows, align="lr")]


def _definition(match: NumberMatch, result: NumberMatches, lang: Lang) -> str:
    """Describe a setting by the tools that have it and the rules that differ."""
    names = [*dict.fromkeys(tool.name for tool in result.same_tools(match))]
    key = "few tools" if len(names) <= NAMES else "some tools"
    listed = message("comma", lang).join(names[:NAMES])
    tools = message(key, lang, names=listed, more=len(names) - NAMES, count=len(names))
    if not match.rules:
        return message("same", lang, tools=tools)
    rules = message("comma", lang).join(
        message("set", lang, rule=_short_title(rule, lang), value=shown_value(match.setting, rule))
        for rule in match.rules
    )
    return message("same except", lang, tools=tools, rules=rules)


def _short_title(rule: str, lang: Lang) -> str:
    return {"en": CUTOFF, "zh": f" {CUTOFF} "}[lang] if rule == CUTOFF else title(rule, lang)
