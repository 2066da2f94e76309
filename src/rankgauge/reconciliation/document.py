"""Reconciliations and explanations for people."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rankgauge.reconciliation.explanations import TOLD_APART, Explanation, Explanations
from rankgauge.reconciliation.messages import meanings, message
from rankgauge.reconciliation.reconciliation import Group, Reconciliation
from rankgauge.reconciliation.rule_setting import Setting, shown_value, title
from rankgauge.reconciliation.tools import Tool
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, check_lang

SHOWN = 8
"""So many explanations are shown."""
NAMES = 3
"""So many tools are named for one definition."""


def tools_page(found: Reconciliation, lang: str) -> Document:
    """What each tool says: a line for each value, the rules between the lines, and who says nothing."""
    spoken = check_lang(lang)
    counts = {
        "queries": found.queries,
        "tools": len(found.tools),
        "presets": len({tool.name for tool in found.tools}),
        "values": len(found.groups),
    }
    blocks: list[Block] = [
        Heading(message("title", spoken, metric=found.metric)),
        Paragraph(message("on", spoken, **counts)),
        Table(
            [str(found.metric), message("tools", spoken), message("change", spoken)],
            [[group.shown, _who(group.tools), _changes(group, spoken)] for group in found.groups],
            align="rll",
        ),
    ]
    words = [
        (setting, rule)
        for group in found.groups
        for rule in group.rules
        for setting in (group.before, group.after)
        if setting is not None
    ]
    blocks += [meanings(words, spoken)] if words else []
    if found.refused:
        rows = [[tool.name, tool.refusal] for tool in found.refused]
        blocks.append(Table([message("tools", spoken), message("refused", spoken)], rows))
    if found.lacking:
        blocks.append(Paragraph(message("lacking", spoken, names=", ".join(found.lacking))))
    return Document(blocks)


def _who(tools: Sequence[Tool]) -> str:
    """The tools of a group; a variant with the name that the tool has for it."""
    return ", ".join(dict.fromkeys(f"{one.name} ({one.theirs})" if one.variant else one.name for one in tools))


def _changes(group: Group, lang: Lang) -> str:
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


def explanations_page(found: Explanations, lang: str) -> Document:
    """Which rules give a number: the explanations, what tells them apart, or how far the nearest is."""
    spoken = check_lang(lang)
    number = found.printed.text
    blocks: list[Block] = [Heading(message("question", spoken, metric=found.metric, number=number))]
    exact = [one for one in found.found if one.fit.how in {"rounded", "single", "truncated"}]
    key = "several" if len(exact) > 1 else "one" if exact else "none exact" if found.found else "none"
    blocks.append(Paragraph(message(key, spoken, tried=found.tried, count=len(exact), number=number)))
    if not exact and found.nearest is not None:
        near = found.nearest
        what = {"what": definition(near, found.same_tools(near), spoken)}
        blocks.append(
            Paragraph(message("nearest", spoken, value=near.value, off=abs(near.value - found.printed.value), **what))
        )
    if not found.found:
        return Document(blocks)
    shown, more = found.found[:SHOWN], len(found.found) - SHOWN
    rows = [
        [definition(one, found.same_tools(one), spoken), f"{one.value:.6f}", one.fit.render(spoken)] for one in shown
    ]
    blocks.append(Table([message(column, spoken) for column in ("definition", "exactly", "how")], rows, align="lrl"))
    blocks += [Paragraph(message("more", spoken, count=more))] if more > 0 else []
    if any(one.alike for one in shown):
        blocks.append(Paragraph(message("alike", spoken)))
    blocks += _telling(found, spoken)
    words = [(one.setting, rule) for one in shown for rule in (one.rules or _own_rules(one.setting))]
    return Document([*blocks, meanings(words, spoken)] if words else blocks)


def _own_rules(setting: Setting) -> list[str]:
    return [rule for rule in setting.rules() if setting.value(rule) is not None]


def _telling(found: Explanations, lang: Lang) -> list[Block]:
    """The query to ask for, where there are several explanations."""
    if len(found.found) == 1 or found.queries == 1:
        return []
    telling = found.telling
    if telling is None:
        return [Paragraph(message("together", lang))]
    rows = [
        [
            definition(one, found.same_tools(one), lang),
            message("left out", lang) if math.isnan(value) else f"{value:.6f}",
        ]
        for one, value in zip(found.found[:TOLD_APART], telling.values, strict=True)
    ]
    columns = [message("definition", lang), message("predicted", lang, query=telling.query)]
    return [Paragraph(message("telling", lang, query=telling.query)), Table(columns, rows, align="lr")]


def definition(one: Explanation, tools: Sequence[Tool], lang: Lang) -> str:
    """A setting as a tool and what differs from it."""
    names = [*dict.fromkeys(tool.name for tool in tools)]
    few = ", ".join(names[:NAMES])
    who = few if len(names) <= NAMES else message("and others", lang, names=few, count=len(names) - NAMES)
    if not one.rules:
        return message("as", lang, tool=who)
    rules = ", ".join(
        message("set", lang, rule=title(rule, lang), value=shown_value(one.setting, rule)) for rule in one.rules
    )
    return message("as but", lang, tool=who, rules=rules)
