"""A fusion and a fused score as documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankgauge.fusion.aligned_lists import AlignedLists
from rankgauge.fusion.methods import MISSING
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase

if TYPE_CHECKING:
    from rankgauge.fusion.fuse import Fusion

SHOWN_QUERIES = 5
SHOWN_ITEMS = 5
MESSAGES = {
    "title": Phrase("{count:# ranking|# rankings} fused", "融合 {count:,} 个排序结果"),
    "counts": Phrase(
        "{names}: {queries:# query|# queries}, {items:# item|# items} in all.",
        "{names}：{queries:,} 个查询，共 {items:,} 个物品。",
    ),
    "method": Phrase("{title}: {formula}", "{title}：{formula}"),
    "with norm": Phrase("{title}: {formula}, v = {norm}", "{title}：{formula}，v = {norm}"),
    "rules": Phrase("Definition used: {rules} · ties={ties}", "所用定义：{rules} · 并列={ties}"),
    "symbols": Phrase(
        "r: rank in a list; s: score; v: value; w: weight; n: lists that count; L: length of the list; N: items of all "
        "lists.",
        "r：列表中的名次；s：分数；v：值；w：权重；n：计入的列表数；L：列表长度；N：所有列表的物品数。",
    ),
    "missing": Phrase("An item that a list lacks: {rule}.", "列表缺少的物品：{rule}。"),
    "query": Phrase("query", "查询"),
    "first items": Phrase("first items", "前几个物品"),
    "ranking": Phrase("ranking", "排序结果"),
    "rank": Phrase("rank", "名次"),
    "score": Phrase("score", "分数"),
    "value": Phrase("value v", "值 v"),
    "weight": Phrase("weight w", "权重 w"),
    "contribution": Phrase("contribution", "贡献"),
    "fused": Phrase("fused", "融合"),
    "explained": Phrase(
        'Item "{item}" of query "{query}": fused score {score}, rank {rank} of {count:,}',
        "查询“{query}”的物品“{item}”：融合分数 {score}，在 {count:,} 个中排第 {rank}",
    ),
    "lacks": Phrase("not in the list", "不在列表中"),
}


def fusion_document(fusion: Fusion, frame: pl.DataFrame, lang: Lang) -> Document:
    """Return what was fused, how, and the first items of the first queries."""
    heads = frame.group_by("query", maintain_order=True).head(SHOWN_ITEMS)
    by_query = heads.group_by("query", maintain_order=True).agg("item").head(SHOWN_QUERIES)
    rows = [[str(query), ", ".join(map(str, items))] for query, items in by_query.iter_rows()]
    counts = {"names": ", ".join(fusion.names), "queries": frame["query"].n_unique(), "items": frame.height}
    return Document(
        [
            Heading(MESSAGES["title"].render(lang, count=len(fusion.names))),
            Paragraph(MESSAGES["counts"].render(lang, **counts)),
            Table([MESSAGES[key].render(lang) for key in ("query", "first items")], rows, align="ll"),
            *_rules(fusion, lang),
        ]
    )


def _rules(fusion: Fusion, lang: Lang) -> list[Paragraph]:
    setting, declared = fusion.setting, fusion.setting.declared
    norm = setting.norm_declared
    form = MESSAGES["method" if norm is None else "with norm"]
    formula = {"title": declared.title, "formula": declared.formula, "norm": "" if norm is None else norm.formula}
    return [
        Paragraph(form.render(lang, **formula)),
        Paragraph(MESSAGES["symbols"].render(lang)),
        Paragraph(MESSAGES["missing"].render(lang, rule=MISSING[setting.missing])),
        Paragraph(definition_used(fusion, lang)),
    ]


def definition_used(fusion: Fusion, lang: Lang) -> str:
    """Return the rules of a fusion in one line."""
    return MESSAGES["rules"].render(lang, rules=fusion.setting.rules(lang), ties=fusion.convention.ties)


def explanation_document(fusion: Fusion, lists: AlignedLists, row: int, place: int, lang: Lang) -> Document:
    """Return how the fused score of one item is made up."""
    setting = fusion.setting
    values, scores = setting.values(lists)[row], setting.scores(lists)
    columns = ["ranking", "rank", "score", "value", "weight", *(["contribution"] if setting.declared.adds else [])]
    rows = []
    for number, name in enumerate(fusion.names):
        numbers = [lists.ranks[row, number], lists.scores[row, number], values[number], setting.weights[number]]
        weighted = values[number] * (setting.weights[number] if setting.method != "qdrant-rrf" else 1)
        numbers += [weighted] if setting.declared.adds else []
        rows.append([name, *map(_number, numbers)])
    rows.append([MESSAGES["fused"].render(lang), *[""] * (len(columns) - 2), _number(scores[row])])
    about = {"item": lists.items[row], "query": lists.queries[int(lists.query[row])], "rank": place}
    about |= {"score": _number(scores[row]), "count": len(scores)}
    return Document(
        [
            Heading(MESSAGES["explained"].render(lang, **about)),
            Table([MESSAGES[key].render(lang) for key in columns], rows, align="l" + "r" * (len(columns) - 1)),
            *_rules(fusion, lang),
        ]
    )


def _number(value: Any) -> str:
    return "–" if np.isnan(value) else f"{value:.10g}"
