"""An attribution for people: the queries that matter most, and what happened to their items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rankgauge.analysis.item_attribution import ItemChange, Piece, QueryBreakdown
from rankgauge.metric_core.words import WORDS as STEPS
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang

if TYPE_CHECKING:
    from rankgauge.analysis.attribution import Attribution

SHARE = 0.8
NONE = "–"
WORDS = {
    "title": Phrase("Where the difference in {metric} comes from", "{metric} 的差异从何而来"),
    "means": Phrase(
        "{second} − {first} = {after:.6f} − {before:.6f} = {difference:+.6f}, over {count:# query|# queries}.",
        "{second} − {first} = {after:.6f} − {before:.6f} = {difference:+.6f}，共 {count:,} 个查询。",
    ),
    "won and lost": Phrase(
        "The value rose for {won:# query|# queries} ({gained:+.6f} in total) and fell for {lost:,} ({given:+.6f}); "
        "{same:,} did not change.",
        "{won:,} 个查询上升，合计 {gained:+.6f}；{lost:,} 个下降，合计 {given:+.6f}；{same:,} 个不变。",
    ),
    "explaining": Phrase(
        "{count:,} of {all:# query|# queries} {count:accounts|account} for {share:.0%} of the difference: {queries}.",
        "{all:,} 个查询中的 {count:,} 个就解释了差异的 {share:.0%}：{queries}。",
    ),
    "unpaired": Phrase(
        "{count:# query has|# queries have} a value for one system only (first: {first}), contributing {change:+.6f}.",
        "{count:,} 个查询只有一个系统有值（首个：{first}），合计 {change:+.6f}。",
    ),
    "more": Phrase("and {count} more", "等，另有 {count} 个"),
    "query": Phrase("query", "查询"),
    "change": Phrase("change", "变化"),
    "to the mean": Phrase("contribution", "对差异的贡献"),
    "one query": Phrase(
        'Query "{query}": {before:.6f} → {after:.6f}, {change:+.6f}',
        "查询“{query}”：{before:.6f} → {after:.6f}，{change:+.6f}",
    ),
    "item": Phrase("item", "物品"),
    "grade": Phrase("grade", "等级"),
    "what": Phrase("what happened", "发生了什么"),
    "more items": Phrase("{count:# more item|# more items}", "另有 {count:,} 个物品"),
    "rules": Phrase("Definition used: {rules}", "所用定义：{rules}"),
    "nothing": Phrase("The systems do not differ on any query.", "两个系统在所有查询上都没有差异。"),
}
KINDS = {
    "up": Phrase("moved up from rank {before} to {after}", "从第 {before} 名升到第 {after} 名"),
    "down": Phrase("moved down from rank {before} to {after}", "从第 {before} 名降到第 {after} 名"),
    "entered": Phrase("entered at rank {after} (before: {before})", "进入第 {after} 名（之前：{before}）"),
    "left": Phrase("left rank {before} (now: {after})", "离开第 {before} 名（现在：{after}）"),
    "stayed": Phrase("stayed at rank {after}", "仍在第 {after} 名"),
}
STAYED = Phrase("stayed at rank {after}; other items moved", "仍在第 {after} 名，其他物品有变动")
PIECES = {
    "rest": Phrase("not an item: {name}", "不属于任何物品：{name}"),
    "ideal": Phrase("the ideal order", "理想排序"),
    "normaliser": Phrase("the normaliser {name} differs", "分母 {name} 不同"),
    "0/0": Phrase("the value for 0/0", "0/0 的取值"),
}
NOT_RETURNED = Phrase("not returned", "未返回")


def page(attribution: Attribution, lang: str, breakdowns: Sequence[QueryBreakdown], limit: int) -> Document:
    """The attribution to read; of the queries and of the items of each, so many."""
    spoken = check_lang(lang)
    blocks: list[Block] = [
        Heading(WORDS["title"].render(spoken, metric=attribution.metric)),
        *map(Paragraph, _summary(attribution, spoken)),
    ]
    moved = [one for one in attribution.queries if one.change]
    if moved:
        first, second = attribution.systems
        rows = [
            [str(one.query), _number(one.first), _number(one.second), f"{one.change:+.6f}", f"{one.contribution:+.6f}"]
            for one in moved[:limit]
        ]
        titles = [WORDS["query"].render(spoken), first, second, WORDS["change"].render(spoken)]
        blocks.append(Table([*titles, WORDS["to the mean"].render(spoken)], rows, align="lrrrr"))
    for one in breakdowns:
        blocks += breakdown_blocks(one, attribution.systems, spoken, limit)
    rules = attribution.metric.line(attribution.convention, spoken)
    return Document([*blocks, Paragraph(WORDS["rules"].render(spoken, rules=rules))])


def _summary(attribution: Attribution, lang: Lang) -> list[str]:
    first, second = attribution.systems
    before, after = attribution.means
    count, difference = len(attribution.queries), attribution.difference
    lines = [
        WORDS["means"].render(
            lang, first=first, second=second, before=before, after=after, difference=difference, count=count
        )
    ]
    added = [one.contribution for one in attribution.queries]
    won, lost = [one for one in added if one > 0], [one for one in added if one < 0]
    if not won and not lost:
        lines.append(WORDS["nothing"].render(lang))
    else:
        same = count - len(won) - len(lost)
        sums = {"gained": math.fsum(won), "given": math.fsum(lost)}
        lines.append(WORDS["won and lost"].render(lang, won=len(won), lost=len(lost), same=same, **sums))
    if explaining := attribution.explaining(SHARE):
        named = _few([one.query for one in explaining], lang)
        lines.append(WORDS["explaining"].render(lang, count=len(explaining), all=count, share=SHARE, queries=named))
    if attribution.unpaired is not None:
        queries, change = attribution.unpaired
        lines.append(WORDS["unpaired"].render(lang, count=len(queries), first=queries[0], change=change))
    return lines


def _few(queries: Sequence[Any], lang: Lang, count: int = 5) -> str:
    listed = ", ".join(map(str, queries[:count]))
    more = len(queries) - count
    return f"{listed} {WORDS['more'].render(lang, count=more)}" if more > 0 else listed


def breakdown_blocks(one: QueryBreakdown, systems: tuple[str, str], lang: Lang, limit: int) -> list[Block]:
    """One query: a line for each item, and for what belongs to none."""
    heading = WORDS["one query"].render(lang, query=one.query, before=one.first, after=one.second, change=one.change)
    rows = [
        [
            str(item.item),
            NONE if item.grade is None else f"{item.grade:g}",
            _happened(item, lang),
            _number(item.first),
            _number(item.second),
            f"{item.change:+.6f}",
        ]
        for item in one.items[:limit]
    ]
    if more := one.items[limit:]:
        sums = [math.fsum(values) for values in zip(*((i.first, i.second, i.change) for i in more), strict=True)]
        words = WORDS["more items"].render(lang, count=len(more))
        rows.append(["…", "", words, _number(sums[0]), _number(sums[1]), f"{sums[2]:+.6f}"])
    rows += [["", "", _besides(piece, lang), "", "", f"{piece.change:+.6f}"] for piece in one.pieces]
    names = [*(WORDS[name].render(lang) for name in ("item", "grade", "what")), *systems, WORDS["change"].render(lang)]
    return [Heading(heading, 2), Table(names, rows, align="lrlrrr")]


def _happened(item: ItemChange, lang: Lang) -> str:
    phrase = STAYED if item.kind == "stayed" and item.change else KINDS[item.kind]
    return phrase.render(lang, before=_rank(item.first_rank, lang), after=_rank(item.second_rank, lang))


def _besides(piece: Piece, lang: Lang) -> str:
    name = STEPS[piece.name].render(lang) if piece.name in STEPS else piece.name
    return PIECES[piece.kind].render(lang, name=name)


def _rank(rank: float | None, lang: Lang) -> str:
    return NOT_RETURNED.render(lang) if rank is None else f"{rank:g}"


def _number(value: float) -> str:
    return f"{value:.6f}"
