"""FusedRanking: the result of a fusion, a ranking for every verb, and how its scores are made up."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from os import PathLike
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.fusion.aligned_lists import AlignedLists
from rankgauge.fusion.methods import MISSING
from rankgauge.inputs.findings import Findings, ShownWithFindings
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang, plural
from rankgauge.rendering.plain import FrameResult, JsonResult, PlainData

if TYPE_CHECKING:
    from rankgauge.fusion.fuse import Fusion
    from rankgauge.fusion.fusion_setting import FusionSetting


SCHEMA = 1


class FusedRanking(ShownWithFindings, FrameResult, JsonResult):
    """A fused ranking with its scores, best first; pass it to any verb, or write it as a file.

    ``explain`` shows how the score of an item is made up.
    """

    def __init__(self, frame: pl.DataFrame, fusion: Fusion) -> None:
        self._frame = frame
        self._fusion = fusion

    @property
    def setting(self) -> FusionSetting:
        """The method and all its parameters."""
        return self._fusion.setting

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rankings that were fused."""
        return tuple(self._fusion.names)

    @property
    def findings(self) -> Findings:
        """What was noticed in the rankings."""
        return self._fusion.findings

    @property
    def queries(self) -> list[Any]:
        """The queries, in order."""
        return self._frame["query"].unique(maintain_order=True).to_list()

    def items(self, query: Hashable) -> list[Any]:
        """Return the items of a query, best first."""
        return self._rows(query)["item"].to_list()

    def score(self, query: Hashable, item: Hashable) -> float:
        """Return the fused score of an item."""
        rows = self._rows(query)
        scores = rows.filter(pl.col("item").cast(pl.String) == str(item))["score"]
        if not len(scores):
            en = f"no ranking returned item {shown(item)} for query {shown(query)} within the depth"
            raise InputError((en, f"没有排序结果在深度以内为查询 {shown(query)} 返回物品 {shown(item)}"))
        return float(scores[0])

    def _rows(self, query: object) -> pl.DataFrame:
        return self._frame.filter(pl.col("query").cast(pl.String) == str(query))

    def explain(self, query: Hashable, item: Hashable = None, lang: str = "en") -> Document:
        """Return how the fused score of an item is computed; by default that of the first item."""
        checked = check_lang(lang)
        lists = self._fusion.lists_of(query)
        rows = lists.fused(self.setting.scores(lists), self._fusion.convention)
        item = rows["item"][0] if item is None else item
        row = (lists.items.cast(pl.String) == str(item)).arg_true()
        if not len(row):
            self.score(query, item)
        place = (rows["item"].cast(pl.String) == str(item)).arg_true()[0] + 1
        return explanation_document(self._fusion, lists, int(row[0]), int(place), checked)

    def document(self, lang: str = "en") -> Document:
        """Return what was fused, how, and the first items of some queries."""
        return fusion_document(self._fusion, self._frame, check_lang(lang))

    def to_polars(self) -> pl.DataFrame:
        """Return the columns query, item and score as a polars frame."""
        return self._frame

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return the columns query, item and score."""
        return self._frame.to_dict(as_series=False)

    def to_dict(self) -> PlainData:
        """Return the rules and ``{query: {item: score}}`` as plain data."""
        by_query = self._frame.group_by("query", maintain_order=True).agg("item", "score")
        ranking = {query: dict(zip(items, scores, strict=True)) for query, items, scores in by_query.iter_rows()}
        return {"schema": SCHEMA, "rankings": [*self.names], "fusion": self.setting.to_dict(), "ranking": ranking}

    def to_csv(self) -> str:
        """Return query, item and score as CSV, with ids that are safe for spreadsheets."""
        from rankgauge.evaluation.score_formats import table_text  # noqa: PLC0415

        return table_text(self._frame.columns, self._frame.iter_rows(), ",")

    def write(
        self,
        target: str | PathLike[str] | IO[bytes],
        *,
        to: str | None = None,
        tag: str = "rankgauge",
        force: bool = False,
    ) -> None:
        """Write the ranking to a file, atomically, in any format that ``rankgauge convert`` writes.

        The ending of the path determines the format and the compression unless ``to`` names a format. ``tag`` is the
        name of the system in a TREC file; with ``force`` an existing file is replaced.
        """
        write_fused(iter([self._frame]), target, to=to, tag=tag, force=force)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows through the Arrow interface, by which verbs and other libraries take them as a frame."""
        return self._frame.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return self._frame.height

    def __repr__(self) -> str:
        names, queries = ", ".join(self.names), plural(self._frame["query"].n_unique(), "# query", "# queries")
        return f"<FusedRanking of {names}: {self.setting.method}, {queries}>"


def write_fused(
    frames: Iterator[pl.DataFrame], target: str | PathLike[str] | IO[bytes], *, to: str | None, tag: str, force: bool
) -> None:
    """Write fused rows to a file."""
    from rankgauge.inputs.formats.codec import WriteOptions  # noqa: PLC0415
    from rankgauge.matching.convert import write_blocks  # noqa: PLC0415 (all formats)

    write_blocks(frames, target, WriteOptions("ranking", "fuse", tag), to=to, force=force)


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
