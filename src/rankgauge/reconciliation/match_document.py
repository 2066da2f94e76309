"""Document of the definitions that give a number: tools, one changed rule, slips, and what chance alone would give."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

from rankgauge.reconciliation.candidates import Confidence
from rankgauge.reconciliation.document import meanings, number_text, tool_names
from rankgauge.reconciliation.number_matches import COMPARED, NumberMatch, NumberMatches, SlipMatch
from rankgauge.reconciliation.rule_setting import CUTOFF, RuleSetting, shown_value, title
from rankgauge.reconciliation.slips import PLACES
from rankgauge.reconciliation.tools import Tool
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.number_texts import decimal

SHOWN = 8
"""Maximal number of matches shown."""
SHOWN_SLIPS = 3
"""Maximal number of slips shown."""
SHOWN_COINCIDENCES = 3
"""Maximal number of coincidences shown."""
SHOWN_GRADES = 20
"""Maximal number of grades of a list shown."""
LEAST_EXPECTED = 0.001
"""Smaller expected numbers of matches are not printed."""
NAMES = 3
"""Maximal number of tools named for one definition in a table."""
CONFIDENCE: dict[Confidence, Phrase] = {
    "likely": Phrase("likely", "可信"),
    "uncertain": Phrase("uncertain: could be chance", "不确定：可能是偶然"),
    "coincidence": Phrase("coincidence", "巧合"),
}
WORDS = {
    "question": Phrase("Which rules give {metric} = {number}?", "哪些规则给出 {metric} = {number}？"),
    "tools": Phrase(
        "{names} {count:gives|give} {number}, with no rule changed.", "{names}给出 {number}，无须改变任何规则。"
    ),
    "changed": Phrase("With one rule changed, or rounded in another way:", "改变一条规则或舍入方式后得到此数："),
    "tool": Phrase("tools", "工具"),
    "other metric": Phrase(
        "Only {metric} was tried; if the number may be of another metric, name it: -m AP, in Python metric='AP'.",
        "只尝试了 {metric}；若该数可能属于其他指标，请指明：-m AP，在 Python 中为 metric='AP'。",
    ),
    "no tool": Phrase(
        "No known tool gives {number}; the nearest value is {value:.6f}, off by {off:.6f}: {what}.",
        "没有已知工具给出 {number}；最接近的值是 {value:.6f}，相差 {off:.6f}：{what}。",
    ),
    "nearest": Phrase(
        "The nearest of all is {value:.6f}, off by {off:.6f}: {what}.",
        "全部定义中最接近的是 {value:.6f}，相差 {off:.6f}：{what}。",
    ),
    "none": Phrase(
        "No definition gives {number} with other rules either: {tried:# was|# were} tried, with "
        "{distinct:# distinct value|# distinct values}.",
        "换用其他规则也没有定义给出 {number}：试过 {tried:,} 种定义，共 {distinct:,} 个不同的值。",
    ),
    "only coincidences": Phrase(
        "No definition gives {number} with other rules either, coincidences aside: {tried:# was|# were} tried, with "
        "{distinct:# distinct value|# distinct values}.",
        "换用其他规则，除巧合外也没有定义给出 {number}：试过 {tried:,} 种定义，共 {distinct:,} 个不同的值。",
    ),
    "not returned": Phrase(
        "Possible: {count:# more judged item|# more judged items} of {several:grade|grades} {grades} that "
        "{count:was|were} not returned; with {count:it|them}, {tool} gives {value:.6f}. If judged items were not "
        "returned, pass the grades of all as the ideal: --ideal {given},… (in Python ideal=[{listed}, ...]).",
        "可能：另有 {count} 个等级为 {grades} 的已标注物品未被返回；计入后 {tool} 的值为 {value:.6f}。"
        "若确有已标注的物品未被返回，请给出所有已标注物品的等级：--ideal {given},…"
        "（Python 中为 ideal=[{listed}, ...]）。",
    ),
    "of returned": Phrase(
        "{names} {count:gives|give} {number} if only the returned items are passed to {count:it|them}, so that "
        "relevant items that were not returned do not count.",
        "若只传入返回的物品，{names}给出 {number}：未返回的相关物品此时不计入。",
    ),
    "chance": Phrase(
        "By chance alone, a random number with {decimals:# decimal|# decimals} in this range would match {tools} "
        "of the {n_tools:# distinct value|# distinct values} of tools, {near} of the {n_near} with at most one rule "
        "changed, and {every} of all {n_every} tried.",
        "仅凭偶然，该范围内一个 {decimals} 位小数的随机数会与工具的 {n_tools:,} 个不同值中的{tools} 个相符，"
        "与至多改变一条规则的 {n_near:,} 个值中的{near} 个相符，与试过的全部 {n_every:,} 个值中的{every} 个相符。",
    ),
    "nearby": Phrase(
        '"Expected by chance" in the table counts the same near {number}, where values can be denser.',
        "表中的“偶然预期个数”按同样方式在 {number} 附近计数：那里的值可能比整个范围更密。",
    ),
    "about": Phrase("about {count}", "约 {count}"),
    "less than": Phrase("less than {count}", "不到 {count}"),
    "more decimals": Phrase(
        "Chance cannot be ruled out: compare more decimals, or the value of single queries.",
        "无法排除偶然：请比较更多位小数，或比较单个查询的值。",
    ),
    "few values": Phrase(
        "On these data {metric} takes few values, about {spacing:.2g} apart, which other rankings and definitions "
        "have, too: more decimals do not rule out chance. Compare the values of single queries, or another metric.",
        "在这些数据上 {metric} 只取为数不多的值，间隔约 {spacing:.2g}，其他排序和定义也会取到：位数再多也无法排除偶然。"
        "请比较单个查询的值，或换一个指标。",
    ),
    "one value": Phrase(
        "On these data {metric} is the same for every order of the items: more decimals do not rule out chance. "
        "Compare the values of single queries, or another metric.",
        "在这些数据上无论物品如何排序，{metric} 都相同：位数再多也无法排除偶然。请比较单个查询的值，或换一个指标。",
    ),
    "definition": Phrase("definition", "定义"),
    "exactly": Phrase("exact value", "精确值"),
    "how": Phrase("how it was rounded", "舍入方式"),
    "by chance": Phrase("expected by chance", "偶然预期个数"),
    "verdict": Phrase("verdict", "判断"),
    "same": Phrase("same as {tools}", "与 {tools}相同"),
    "same except": Phrase("same as {tools}, except {rules}", "与 {tools}相同，只是{rules}"),
    "set": Phrase("{rule} = {value}", "{rule}取 {value}"),
    "few tools": Phrase("{names}", "{names} "),
    "some tools": Phrase("{names} and {more:# more tool|# more tools}", "{names} 等 {count} 个工具"),
    "comma": Phrase(", ", "、"),
    "more": Phrase("{count} more with -t json.", "另有 {count} 个，见 -t json 的输出。"),
    "alike": Phrase(
        "Definitions with the same value on these data are listed once, as the one nearest to a tool; a changed rule "
        "stands for all that are the same on these data.",
        "在这些数据上取值相同的定义只列一次，取最接近某个工具的那个；改变的规则代表在这些数据上与之相同的所有规则。",
    ),
    "coincidences": Phrase(
        "Coincidences: {count:# definition gives|# definitions give} it with two or more rules changed, or no more of "
        "them than chance would give ({expected}).",
        "巧合：{count:,} 种定义也得到此数，但改变了两条以上的规则，或不多于偶然预期的个数（{expected} 个）。",
    ),
    "coincident slips": Phrase(
        "Coincidences: {count:# slip|# slips} in one term of a calculation by hand would give it; by chance, "
        "{expected} would.",
        "巧合：手工计算时某一项的 {count:,} 种差错会得到它；仅凭偶然，{expected} 种会得到它。",
    ),
    "slips": Phrase(
        "A slip in one term of a calculation by hand would give it; by chance, {expected} such slips would.",
        "手工计算时某一项出错也会得到它；仅凭偶然，{expected} 种这样的差错会得到它。",
    ),
    "no slip": Phrase("No known slip in one term gives it either.", "某一项的常见差错也得不到它。"),
    "right": Phrase("right value", "正确值"),
    "slip": Phrase("slip", "差错"),
    "needed": Phrase(
        "If a single term is wrong, it must have been one of these, compared with the definition of {tools}; otherwise "
        "several are.",
        "若只有一项出错，必为下列之一（对照 {tools} 的定义）；否则不止一项出错。",
    ),
    "term": Phrase("term", "项"),
    "term of": Phrase("rank {rank} {place}", "{place}第 {rank} 位"),
    "right term": Phrase("right", "正确"),
    "needed term": Phrase("would have to be", "须为"),
    "deciding": Phrase(
        'Ask for the value of query "{query}", where the definitions differ most.',
        "请对方给出查询“{query}”的值：各定义在此相差最大。",
    ),
    "predicted": Phrase("value of {query}", "{query} 的值"),
    "together": Phrase(
        "These definitions give the same value for every query: these data cannot distinguish them.",
        "这些定义在每个查询上给出的值都相同：仅凭这些数据无法区分。",
    ),
}


def matches_document(result: NumberMatches, lang: str) -> Document:
    """Return what gives a number, from tools without a change to coincidences, or the nearest values."""
    language = check_lang(lang)
    matches, coincidences = _split(result.matches)
    slips, chance_slips = _split(result.slips)
    blocks: list[Block] = [
        Heading(_message("question", language, metric=result.metric, number=result.printed.text)),
        *([Paragraph(result.printed.reading.render(language))] if result.printed.reading else []),
        *_answer(result, language),
        *_of_returned(result, language),
        *([] if result.explained else _missed(result, language)),
    ]
    unchanged, changed = [[match for match in matches if (match.deviations == 0) is kind] for kind in (True, False)]
    blocks += [_tools_table(unchanged, language)] if unchanged else []
    blocks += [Paragraph(_message("changed", language)), *_matches_table(changed, language)] if changed else []
    if matches and all(match.confidence == "uncertain" for match in matches):
        few = "one value" if math.isinf(result.spacing) else "few values"
        key = few if result.spacing else "more decimals"
        blocks.append(Paragraph(_message(key, language, metric=result.metric, spacing=result.spacing)))
    blocks += _slips(slips, language)
    blocks += _deciding_query(result, language)
    rules = [value for match in matches[:SHOWN] for value in _rules_of(match)]
    blocks += [meanings(rules, language)] if rules else []
    unexplained = result.confidence in {None, "coincidence"}
    blocks += _needed(result, language) if unexplained and not chance_slips else []
    if coincidences:
        expected = about(result.expected_by_chance[-1], language)
        blocks.append(Paragraph(_message("coincidences", language, count=len(coincidences), expected=expected)))
        blocks.append(_table(coincidences[:SHOWN_COINCIDENCES], language, judged=False))
    blocks += _slips(chance_slips, language, judged=False) if unexplained else []
    nearby = Paragraph(_message("nearby", language, number=result.printed.text))
    return Document([*blocks, _chance(result, language), *([nearby] if changed else [])])


Match = TypeVar("Match", NumberMatch, SlipMatch)


def _split(matches: Iterable[Match]) -> tuple[list[Match], list[Match]]:
    """Separate coincidences from other matches."""
    same_tool: list[Match] = []
    coincidences: list[Match] = []
    for match in matches:
        (coincidences if match.confidence == "coincidence" else same_tool).append(match)
    return same_tool, coincidences


def _answer(result: NumberMatches, lang: Lang) -> list[Block]:
    """Name the tools that give the number, or the nearest one."""
    number, unchanged = result.printed.text, [match for match in result.matches if not match.deviations]
    if unchanged:
        tools = [tool for match in unchanged for tool in match.tools]
        names, count = _short_names(tools, lang), len({tool.name for tool in tools})
        return [Paragraph(_message("tools", lang, names=names, count=count, number=number))]
    blocks = _nearest("no tool", result.nearest_tool, result, lang)
    if result.confidence in {None, "coincidence"}:
        key = "none" if result.confidence is None else "only coincidences"
        counts = {"tried": result.tried, "distinct": result.distinct[-1]}
        blocks.append(Paragraph(_message(key, lang, number=number, **counts)))
    if result.confidence is None:
        blocks.append(Paragraph(_message("other metric", lang, metric=result.metric)))
    if result.confidence is None and result.nearest is not None and result.nearest.rules:
        blocks += _nearest("nearest", result.nearest, result, lang)
    return blocks


def _of_returned(result: NumberMatches, lang: Lang) -> list[Block]:
    """Name the tools that give the number if only the returned items are passed."""
    tools = result.of_returned
    if not tools:
        return []
    count = len({tool.name for tool in tools})
    return [
        Paragraph(_message("of returned", lang, names=tool_names(tools, lang), count=count, number=result.printed.text))
    ]


def _missed(result: NumberMatches, lang: Lang) -> list[Block]:
    """Say which judged items that were not returned would give the number, and how to pass them."""
    if result.missed is None:
        return []
    tool, missed, value = result.missed
    levels, returned = sorted({*missed}, reverse=True), [f"{grade:g}" for grade in result.list_grades[:SHOWN_GRADES]]
    text = _message(
        "not returned",
        lang,
        count=len(missed),
        several=len(levels),
        grades=_message("comma", lang).join(f"{grade:g}" for grade in levels),
        tool=tool.name,
        value=value,
        given=",".join(returned),
        listed=", ".join(returned),
    )
    return [Paragraph(text)]


def _nearest(key: str, match: NumberMatch | None, result: NumberMatches, lang: Lang) -> list[Block]:
    if match is None:
        return []
    off, what = abs(match.value - result.printed.value), _definition(match, lang)
    return [Paragraph(_message(key, lang, number=result.printed.text, value=match.value, off=off, what=what))]


def _chance(result: NumberMatches, lang: Lang) -> Paragraph:
    names = ("tools", "near", "every")
    expected = {name: about(count, lang) for name, count in zip(names, result.expected_by_chance, strict=True)}
    counts = {f"n_{name}": count for name, count in zip(names, result.distinct, strict=True)}
    return Paragraph(_message("chance", lang, decimals=result.printed.decimals, **expected, **counts))


def about(count: float, lang: Lang) -> str:
    """Format an expected number of matches.

    >>> [about(count, "en") for count in (0.0004, 0.0312, 2.44, 131.7)]
    ['less than 0.001', 'about 0.031', 'about 2.4', 'about 132']
    """
    if count < LEAST_EXPECTED:
        return _message("less than", lang, count=LEAST_EXPECTED)
    return _message("about", lang, count=f"{count:.2g}" if count < 10 else decimal(count, 0))  # noqa: PLR2004 (digits)


def _matches_table(matches: Sequence[NumberMatch], lang: Lang) -> list[Block]:
    blocks: list[Block] = [_table(matches[:SHOWN], lang), *_more(len(matches) - SHOWN, lang)]
    if any(match.equivalent or match.rules for match in matches[:SHOWN]):
        blocks.append(Paragraph(_message("alike", lang)))
    return blocks


def _tools_table(matches: Sequence[NumberMatch], lang: Lang) -> Table:
    """Return every tool that gives the number with no rule changed, and the value it gives exactly."""
    rows = [[decimal(match.value, 6), *_judgment(match, lang)[:1], tool_names(match.tools, lang)] for match in matches]
    return Table([_message(column, lang) for column in ("exactly", "verdict", "tool")], rows, align="rll")


def _table(matches: Sequence[NumberMatch], lang: Lang, *, judged: bool = True) -> Table:
    rows = [
        [
            _definition(match, lang),
            decimal(match.value, 6),
            match.rounding.render(lang),
            *(_judgment(match, lang) if judged else ()),
        ]
        for match in matches
    ]
    columns = ["definition", "exactly", "how", *(["verdict", "by chance"] if judged else [])]
    return Table([_message(column, lang) for column in columns], rows, align="lrlll"[: len(columns)])


def _judgment(match: NumberMatch | SlipMatch, lang: Lang) -> tuple[str, str]:
    """Return how far a match can be trusted, and how many of its kind chance would give."""
    return CONFIDENCE[match.confidence].render(lang), about(match.by_chance, lang)


def _slips(matches: Sequence[SlipMatch], lang: Lang, *, judged: bool = True) -> list[Block]:
    if not matches:
        return []
    rows = [
        [
            _same_as([match.tool], lang),
            decimal(match.right, 6),
            match.slip.render(lang),
            decimal(match.slip.value, 6),
            *(_judgment(match, lang)[:1] if judged else ()),
        ]
        for match in matches[:SHOWN_SLIPS]
    ]
    keys = ["definition", "right", "slip", "exactly", *(["verdict"] if judged else [])]
    columns, lead = [_message(key, lang) for key in keys], "slips" if judged else "coincident slips"
    return [
        Paragraph(_message(lead, lang, count=len(matches), expected=about(matches[0].by_chance, lang))),
        Table(columns, rows, align="lrlrl"[: len(columns)]),
        *_more(len(matches) - SHOWN_SLIPS, lang),
    ]


def _more(count: int, lang: Lang) -> list[Block]:
    return [Paragraph(_message("more", lang, count=count))] if count > 0 else []


def _needed(result: NumberMatches, lang: Lang) -> list[Block]:
    """Say what each term would have to be if it alone were wrong."""
    terms = result.needed_terms
    if not terms:
        return []
    rows = [
        [
            _message("term of", lang, rank=term.rank, place=PLACES[term.place].render(lang)),
            decimal(term.term, 4),
            decimal(term.needed, 4),
        ]
        for term in terms
    ]
    columns = [_message(key, lang) for key in ("term", "right term", "needed term")]
    return [
        Paragraph(_message("no slip", lang)),
        Paragraph(_message("needed", lang, tools=result.shared_definitions[0].name)),
        Table(columns, rows, align="lrr"),
    ]


def _rules_of(match: NumberMatch) -> list[tuple[RuleSetting, str]]:
    """Return the changed rules, or those that matter of each tool that needs no change."""
    if match.rules:
        return [(match.setting, rule) for rule in match.rules]
    return [
        (tool.own, rule)
        for rule, value in match.setting.rules().items()
        for tool in match.tools
        if value is not None and tool.setting.value(rule) == value
    ]


def _deciding_query(result: NumberMatches, lang: Lang) -> list[Block]:
    """Name the query to ask for if there are several matches."""
    if len(result.matches) <= 1 or result.queries == 1:
        return []
    deciding = result.deciding_query
    if deciding is None:
        return [Paragraph(_message("together", lang))]
    rows = [
        [_definition(match, lang), number_text(value, lang, 6)]
        for match, value in zip(result.matches[:COMPARED], deciding.values, strict=True)
    ]
    columns = [_message("definition", lang), _message("predicted", lang, query=deciding.query)]
    return [Paragraph(_message("deciding", lang, query=deciding.query)), Table(columns, rows, align="lr")]


def _definition(match: NumberMatch, lang: Lang) -> str:
    """Describe a setting by the tools that have it and the rules that differ."""
    if not match.rules:
        return _same_as(match.tools, lang)
    rules = _message("comma", lang).join(
        _message("set", lang, rule=_short_title(rule, lang), value=shown_value(match.setting, rule))
        for rule in match.rules
    )
    return _message("same except", lang, tools=_short_names(match.tools, lang), rules=rules)


def _same_as(tools: Sequence[Tool], lang: Lang) -> str:
    return _message("same", lang, tools=_short_names(tools, lang))


def _short_names(tools: Sequence[Tool], lang: Lang) -> str:
    names = [*dict.fromkeys(tool.name for tool in tools)]
    key = "few tools" if len(names) <= NAMES else "some tools"
    listed = _message("comma", lang).join(names[:NAMES])
    return _message(key, lang, names=listed, more=len(names) - NAMES, count=len(names))


def _short_title(rule: str, lang: Lang) -> str:
    return {"en": CUTOFF, "zh": f" {CUTOFF} "}[lang] if rule == CUTOFF else title(rule, lang)


def _message(key: str, lang: Lang, **values: object) -> str:
    return WORDS[key].render(lang, **values)
