"""The pool that was chosen, why, with what probability and what it can decide, and where its assessors disagree."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

import polars as pl

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError, shown
from rankgauge.inputs.findings import Findings, ShownWithFindings, with_ids
from rankgauge.inputs.frames import with_like_ids
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.inputs.source import is_file
from rankgauge.judging.labels import PAIR, Labels, check_scale
from rankgauge.metric_core.metric import Metric
from rankgauge.pooling.outlook import Outlook
from rankgauge.rendering.document import Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang, plural
from rankgauge.rendering.plain import FrameResult, PlainData

if TYPE_CHECKING:
    from rankgauge.inputs.texts import TextsLike
    from rankgauge.pooling.sheet import Sheet, SheetOptions


Reason: TypeAlias = Literal["depth", "rrf", "compare", "item sample", "query sample", "adjudication"]
"""Why a pair is judged."""
Strata: TypeAlias = dict[Any, int]
"""The stratum of each query."""
REASONS: dict[Reason, Phrase] = {
    "depth": Phrase("all items in the top {depth} of a list", "各列表前 {depth} 个中的全部物品"),
    "rrf": Phrase(
        "the items with the best reciprocal rank fusion, equally many for each query",
        "倒数排名融合最靠前的物品，每个查询数量相同",
    ),
    "compare": Phrase(
        "the items that move the rankings farthest apart by {metric}", "最能拉开各排序结果 {metric} 差距的物品"
    ),
    "item sample": Phrase(
        "a probability sample of items, more likely the more an item adds to {metric}",
        "物品的概率样本，对 {metric} 影响越大的物品入选概率越高",
    ),
    "query sample": Phrase(
        "all items in the top {depth} of a probability sample of {sampled:# query|# queries} in "
        "{strata:# stratum|# strata}",
        "从 {strata:,} 层中抽取的 {sampled:,} 个查询的概率样本，含各列表前 {depth} 个中的全部物品",
    ),
    "adjudication": Phrase("pairs on which assessors disagree", "评分者意见不一的物品"),
}
TEXTS = {
    "title": Phrase("Pool of {pairs:# pair|# pairs} to judge", "待标注的 {pairs:,} 对"),
    "chosen": Phrase("Chosen: {reason}.", "选取方式：{reason}。"),
    "from": Phrase(
        "From {rankings:# ranking|# rankings} and {queries:# query|# queries}; "
        "{candidates:# unjudged pair|# unjudged pairs} could be chosen.",
        "来自 {rankings:,} 个排序结果和 {queries:,} 个查询；可选的未标注对共 {candidates:,} 个。",
    ),
    "fingerprint": Phrase(
        "Fingerprint of the pool: {fingerprint} (seed {seed}).", "标注池指纹：{fingerprint}（种子 {seed}）。"
    ),
    "whole list": Phrase("whole list", "全部"),
    "more": Phrase("… and {more:,} more", "……另有 {more:,} 对"),
    "query": Phrase("query", "查询"),
    "item": Phrase("item", "物品"),
    "inclusion": Phrase("inclusion probability", "入选概率"),
    "weight": Phrase("weight", "权重"),
    "by": Phrase("returned by", "返回它的排序结果数"),
}
SHOWN = 10
NEAR = 1e-8
"""How far a probability in a file may be from that of the pool: programs print fewer digits."""


def pool_fingerprint(rows: Iterable[tuple[object, object, str, float]], max_grade: int) -> str:
    """Return the identity of a pool: its pairs of query and item, their reasons and chances, and the scale."""
    lines = sorted(json.dumps([str(q), str(i), reason, repr(float(chance))]) for q, i, reason, chance in rows)
    return hashlib.sha256("\n".join([f"0-{max_grade}", *lines]).encode()).hexdigest()[:16]


@dataclass(frozen=True, eq=False, repr=False)
class Pool(ShownWithFindings, FrameResult):
    """The pairs that were chosen for judging.

    ``frame`` has the columns query, item, reason, inclusion (probability of being chosen), weight (what the choice was
    made by, null for a depth pool) and returned_by (number of rankings).
    """

    frame: pl.DataFrame
    purpose: str
    metric: Metric
    convention: Convention
    systems: tuple[str, ...]
    depth: int | None
    budget: int | None
    seed: int
    max_grade: int
    """Highest grade of the scale; the lowest is 0."""
    outlook: Outlook
    strata: Strata = field(default_factory=dict)
    """The stratum of every query that could be drawn, for ``judges.correct(strata=...)``; empty for other pools."""
    findings: Findings = field(default_factory=Findings)

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        pairs = plural(len(self), "# pair", "# pairs")
        return f"<Pool {self.fingerprint}: {pairs} of {plural(self.frame['query'].n_unique(), '# query', '# queries')}>"

    @cached_property
    def fingerprint(self) -> str:
        """Identity of the pool: its pairs, their reasons and chances, and the scale, in any order."""
        return pool_fingerprint(self.frame.select(*PAIR, "reason", "inclusion").iter_rows(), self.max_grade)

    def pairs(self) -> list[tuple[Any, Any]]:
        """Return the pairs of query and item."""
        return [*self.frame.select(PAIR).iter_rows()]

    def sheet(
        self,
        *,
        texts: TextsLike | None = None,
        guideline: str = "",
        title: str = "",
        repeats: float = 0.05,
        lang: str = "en",
    ) -> Sheet:
        """Return the judging sheet: the pairs in random order within each query, without ranks or systems.

        Parameters
        ----------
        texts
            Texts of queries and items: ``{id: text}``, or a file (JSONL, CSV, TSV, Parquet) with an id and a text.
        guideline
            What the assessors are to keep in mind; it stays visible.
        title, lang
            Title and language of the page; readers can switch the language.
        repeats
            Share of the pairs that are asked twice, to see how far assessors agree with themselves; 0 for none.
        """
        from rankgauge.pooling.sheet import sheet_of  # noqa: PLC0415 (reads this module's names)

        return sheet_of(self, texts=texts, guideline=guideline, title=title, repeats=repeats, lang=lang)

    def labels(self, *sources: object) -> Labels:
        """Return the labels of one or more assessors, from files or frames, after checking that they are of this pool.

        Labels of another pool (RG615), edited labels (RG616) and grades outside the scale (RG607) are errors.
        """
        if not sources:
            raise ParameterError(
                ("Pool.labels: pass the labels of one or more assessors", "Pool.labels：请给出评分者的标签")
            )
        names = [str(source) if is_file(source) else f"labels {number}" for number, source in enumerate(sources, 1)]
        read = [Labels.of(source, ReadOptions(), name) for source, name in zip(sources, names, strict=True)]
        findings = Findings()
        for labels in read:
            if labels.pool and labels.pool != self.fingerprint:
                en = f"{labels.name}: pool {shown(labels.pool)}, not {shown(self.fingerprint)}"
                findings.add(
                    "RG615", (en, f"{labels.name}：标注池 {shown(labels.pool)}，而非 {shown(self.fingerprint)}")
                )
        findings.raise_errors(lenient=False)
        merged = Labels.merged(read)
        findings.merge(merged.findings)
        frame = merged.frame.with_columns(pl.col(PAIR).cast(pl.String))
        chosen = self.frame.select(
            *(pl.col(name).cast(pl.String) for name in PAIR), pl.col("inclusion").alias("chance")
        )
        joined = frame.join(chosen, on=PAIR, how="left", maintain_order="left")
        moved = (pl.col("inclusion") - pl.col("chance")).abs() > NEAR
        edited = joined.filter(pl.col("chance").is_null() | (pl.col("inclusion").is_not_null() & moved))
        if edited.height:
            query, item, chance = edited.select(*PAIR, "chance").row(0)
            texts = ("the pair is not in the pool", "该对不在标注池中")
            if chance is not None:
                texts = (f"its probability in the pool is {chance:g}", f"它在标注池中的入选概率为 {chance:g}")
            findings.add("RG616", with_ids(*texts, query, item), edited.height)
        check_scale(joined, (0, self.max_grade), "labels", findings)
        findings.raise_errors(lenient=False)
        complete = joined.with_columns(pl.col("chance").alias("inclusion")).drop("chance")
        return replace(merged, frame=complete, name="labels", pool=self.fingerprint, findings=findings)

    def adjudication(self, labels: Labels, **options: Unpack[SheetOptions]) -> Sheet:
        """Return a second sheet with the pairs to which assessors gave different grades.

        Whoever decides uses the name ``adjudicator``, so that ``combine="adjudicated"`` takes this grade. ``options``
        are those of ``sheet``.
        """
        from rankgauge.pooling.sheet import sheet_of  # noqa: PLC0415 (reads this module's names)

        chosen, open_pairs = with_like_ids(self.frame, labels.disagreements())
        part = replace(self, frame=chosen.join(open_pairs, on=PAIR, how="semi", maintain_order="left"))
        sheet = sheet_of(part, **({"repeats": 0} | options))
        return replace(sheet, fingerprint=self.fingerprint, is_part=True)

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return the pairs as columns."""
        return self.frame.to_dict(as_series=False)

    def to_dict(self) -> PlainData:
        """Return plain data."""
        return {
            "fingerprint": self.fingerprint,
            "purpose": self.purpose,
            "metric": str(self.metric),
            "convention": self.convention.to_dict(),
            "rankings": [*self.systems],
            "depth": self.depth,
            "budget": self.budget,
            "seed": self.seed,
            "max_grade": self.max_grade,
            "outlook": self.outlook.to_dict(),
            "pairs": self.frame.to_dicts(),
        }

    def document(self, lang: str = "en") -> Document:
        """Return what was chosen and what it can decide."""
        checked = check_lang(lang)
        reason = REASONS["depth"] if not len(self) else REASONS[self.frame["reason"][0]]
        chosen = reason.fill(
            depth=TEXTS["whole list"] if self.depth is None else f"{self.depth:,}",
            metric=self.metric,
            sampled=self.frame["query"].n_unique(),
            strata=max(len({*self.strata.values()}), 1),
        )
        ahead = self.outlook
        counts = {"rankings": len(self.systems), "queries": ahead.queries, "candidates": ahead.candidates}
        texts = [TEXTS["from"].render(checked, **counts), TEXTS["chosen"].render(checked, reason=chosen)]
        texts += ahead.texts(checked)
        texts += [TEXTS["fingerprint"].render(checked, fingerprint=self.fingerprint, seed=self.seed)]
        titles = [TEXTS[key].render(checked) for key in ("query", "item", "inclusion", "weight", "by")]
        columns = self.frame.select(*PAIR, "inclusion", "weight", "returned_by").head(SHOWN)
        rows = [
            [str(query), str(item), f"{chance:.4g}", "–" if weight is None else f"{weight:.4g}", str(by)]
            for query, item, chance, weight, by in columns.iter_rows()
        ]
        rest = [Paragraph(TEXTS["more"].render(checked, more=len(self) - SHOWN))] if len(self) > SHOWN else []
        heading = Heading(TEXTS["title"].render(checked, pairs=len(self)))
        return Document([heading, *map(Paragraph, texts), Table(titles, rows, align="llrrr"), *rest])


TITLE = Phrase(
    "{pairs:# pair|# pairs} on which assessors disagree, of {all:,} with a label",
    "有标签的 {all:,} 对中，评分者意见不一的有 {pairs:,} 对",
)
COLUMNS = (Phrase("query", "查询"), Phrase("item", "物品"))


@dataclass(frozen=True, eq=False, repr=False)
class Disagreements(ShownAsDocument, FrameResult):
    """The pairs to which assessors gave different grades, and the adjudicator none.

    ``frame`` has the columns query, item, grade_1, grade_2, ..., in the order of ``raters``.
    """

    frame: pl.DataFrame
    raters: tuple[str, ...]
    pairs: int
    """Number of pairs with a label."""

    @classmethod
    def of(cls, labels: Labels) -> Disagreements:
        """Return the disagreements of the raters of some labels."""
        return cls(labels.disagreements(), tuple(labels.raters), labels.frame.select(PAIR).unique().height)

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        return f"<Disagreements: {plural(len(self), '# pair', '# pairs')}>"

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return the pairs as columns."""
        return self.frame.to_dict(as_series=False)

    def to_dict(self) -> PlainData:
        """Return plain data."""
        grades = [
            {"query": query, "item": item, "grades": dict(zip(self.raters, given, strict=True))}
            for query, item, *given in self.frame.iter_rows()
        ]
        return {"pairs": self.pairs, "disagreements": grades}

    def document(self, lang: str = "en") -> Document:
        """Return a table of the pairs, with a column for each rater."""
        checked: Lang = check_lang(lang)
        heading = Heading(TITLE.render(checked, pairs=len(self), all=self.pairs))
        if not len(self):
            return Document([heading])
        titles = [*(column.render(checked) for column in COLUMNS), *self.raters]
        rows = [
            [str(query), str(item), *("–" if grade is None else f"{grade:g}" for grade in grades)]
            for query, item, *grades in self.frame.iter_rows()
        ]
        return Document([heading, Table(titles, rows, align="ll" + "r" * len(self.raters))])
