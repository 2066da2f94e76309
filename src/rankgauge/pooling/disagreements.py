"""The pairs on which assessors disagree, for whoever decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from rankgauge.judging.labels import PAIR, Labels
from rankgauge.rendering.document import Document, Heading, ShownAsDocument, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang, plural
from rankgauge.rendering.plain import FrameResult, PlainData

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
