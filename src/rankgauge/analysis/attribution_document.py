"""An attribution as a document: the largest contributions of queries, and the changes of their items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankgauge.analysis.item_attribution import QueryBreakdown
from rankgauge.metric_core.words import WORDS as NAMES
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.number_texts import decimal

if TYPE_CHECKING:
    from rankgauge.analysis.attribution import Attribution

SHARE = 0.8
LISTED = 5
"""Number of queries that a sentence names."""
MESSAGES = {
    "title": Phrase("Where the difference in {metric} comes from", "{metric} 的差异从何而来"),
    "means": Phrase(
        "{second} − {first} = {after:.6f} − {before:.6f} = {difference:+.6f}, over {count:# query|# queries}.",
        "{second} − {first} = {after:.6f} − {before:.6f} = {difference:+.6f}，共 {count:,} 个查询。",
    ),
    "changes": Phrase(
        "The value rose for {won:# query|# queries} ({gained:+.6f} in total) and fell for {lost:,} ({given:+.6f}); "
        "{same:,} did not change.",
        "{won:,} 个查询上升，合计 {gained:+.6f}；{lost:,} 个下降，合计 {given:+.6f}；{same:,} 个不变。",
    ),
    "fewest": Phrase(
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
    "contribution": Phrase("contribution", "对差异的贡献"),
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
    "rules": Phrase("rules for short lists, rounding and nothing relevant", "短列表、舍入与无相关物品的规则"),
}
NOT_RETURNED = Phrase("not returned", "未返回")


def attribution_document(
    attribution: Attribution, lang: str, breakdowns: Sequence[QueryBreakdown], limit: int
) -> Document:
    """Return the document, with at most ``limit`` queries, and ``limit`` items of each breakdown."""
    checked = check_lang(lang)
    title = MESSAGES["title"].render(checked, metric=attribution.metric)
    blocks: list[Block] = [Heading(title), *map(Paragraph, _summary(attribution, checked))]
    rows = [
        [
            str(query),
            decimal(first, 6),
            decimal(second, 6),
            decimal(second - first, 6, "+"),
            decimal(contribution, 6, "+"),
        ]
        for query, first, second, contribution in attribution.queries
        if second != first
    ]
    if rows:
        query, change, contribution = (MESSAGES[key].render(checked) for key in ("query", "change", "contribution"))
        blocks.append(Table([query, *attribution.systems, change, contribution], rows[:limit], align="lrrrr"))
    for part in breakdowns:
        blocks += _breakdown_blocks(part, attribution.systems, checked, limit)
    rules = attribution.metric.short_line(attribution.convention, checked)
    return Document([*blocks, Paragraph(MESSAGES["rules"].render(checked, rules=rules))])


def _summary(attribution: Attribution, lang: Lang) -> list[str]:
    first, second = attribution.systems
    before, after = attribution.means
    count, difference = len(attribution.queries), attribution.difference
    values = {"first": first, "second": second, "before": before, "after": after, "difference": difference}
    lines = [MESSAGES["means"].render(lang, count=count, **values)]
    added = [change.contribution for change in attribution.queries]
    won, lost = [value for value in added if value > 0], [value for value in added if value < 0]
    if won or lost:
        same = count - len(won) - len(lost)
        sums = {"gained": math.fsum(won), "given": math.fsum(lost)}
        lines.append(MESSAGES["changes"].render(lang, won=len(won), lost=len(lost), same=same, **sums))
    else:
        lines.append(MESSAGES["nothing"].render(lang))
    if fewest := attribution.fewest_queries(SHARE):
        queries = ", ".join(str(change.query) for change in fewest[:LISTED])
        if len(fewest) > LISTED:
            queries += f" {MESSAGES['more'].render(lang, count=len(fewest) - LISTED)}"
        lines.append(MESSAGES["fewest"].render(lang, count=len(fewest), all=count, share=SHARE, queries=queries))
    if attribution.unpaired is not None:
        names, change = attribution.unpaired
        lines.append(MESSAGES["unpaired"].render(lang, count=len(names), first=names[0], change=change))
    return lines


def _breakdown_blocks(part: QueryBreakdown, systems: tuple[str, str], lang: Lang, limit: int) -> list[Block]:
    """Return the table of one query: a row for each item, and for each part of the difference without an item."""
    values = {"query": part.query, "before": part.first, "after": part.second, "change": part.change}
    rows = []
    for item in part.items[:limit]:
        phrase = STAYED if item.kind == "stayed" and item.change else KINDS[item.kind]
        before, after = (
            NOT_RETURNED.render(lang) if rank is None else f"{rank:g}" for rank in (item.first_rank, item.second_rank)
        )
        grade = "–" if item.grade is None else f"{item.grade:g}"
        what = phrase.render(lang, before=before, after=after)
        rows.append([str(item.item), grade, what, *_numbers(item.first, item.second, item.change)])
    if more := part.items[limit:]:
        sums = [math.fsum(column) for column in zip(*((i.first, i.second, i.change) for i in more), strict=True)]
        rows.append(["…", "", MESSAGES["more items"].render(lang, count=len(more)), *_numbers(*sums)])
    for kind, name, change in part.pieces:
        text = PIECES[kind].render(lang, name=NAMES.get(name, name))
        rows.append(["", "", text, "", "", decimal(change, 6, "+")])
    titles = [MESSAGES[key].render(lang) for key in ("item", "grade", "what", "change")]
    table = Table([*titles[:3], *systems, titles[3]], rows, align="lrlrrr")
    return [Heading(MESSAGES["one query"].render(lang, **values), 2), table]


def _numbers(first: float, second: float, change: float) -> list[str]:
    return [decimal(first, 6), decimal(second, 6), decimal(change, 6, "+")]
