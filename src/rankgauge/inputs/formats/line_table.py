"""Parsing shared by text tables with named columns: CSV, TSV and JSONL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import recognise_columns
from rankgauge.inputs.formats.codec import OpenFile, Parser
from rankgauge.inputs.io.lines import NUMBER, Block


def number_column(columns: Mapping[str, str], role: Role) -> tuple[str, bool]:
    """Return the column of the grade or score, and whether it is a rank, of which lower is better."""
    if role == "judgments":
        return columns["grade"], False
    return (columns["score"], False) if "score" in columns else (columns["rank"], True)


class LineTableParser(Parser):
    """Finds the columns in the first record, and checks rows one by one where needed."""

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        self.given = file.columns or {}
        self.by_rank = False

    def recognise(self, names: Sequence[str], line: int) -> tuple[str, str, str]:
        """Return the names of the query, item and number columns."""
        columns = recognise_columns(names, self.context.role, self.given, f"{self.context.name}:{line}")
        number, self.by_rank = number_column(columns, self.context.role)
        return columns["query"], columns["item"], number

    def parse(self, block: Block) -> pl.DataFrame:
        """Return query, item and number of the records of a block; a rank becomes a negative score."""
        if not block.text.strip():
            return self.context.frame()
        self.context.rows_begun = True
        frame = super().parse(block)
        return frame.with_columns(-pl.col("score")) if self.by_rank else frame

    def is_complete(self, frame: pl.DataFrame) -> bool:
        """Whether polars read every value: none is missing, no id is empty, every number is finite."""
        number = self.context.number
        if any(frame[name].null_count() for name in ("query", "item", number)):
            return False
        if not np.isfinite(frame[number].to_numpy()).all():
            return False
        return not any(bool((frame[name] == "").any()) for name in ("query", "item"))

    def check_row(self, place: str | int, query: str, item: str, text: str) -> tuple[str, str, float] | None:
        """Return a row, or report what is wrong with it and return None."""
        context = self.context
        if not query or not item:
            context.report("RG208", place, f"the {'item' if query else 'query'} id is empty", query, item)
            return None
        if "\0" in query + item or not _is_unicode(query + item):
            context.report("RG103", place, "an id contains a NUL or half of a surrogate pair", query, item)
            return None
        text = text.strip()
        if not NUMBER.fullmatch(text.encode("utf-8", "replace")):
            context.report_bad_number(place, text, query, item)
            return None
        number = float(text)
        return (query, item, number) if context.accepts(number, place, text, query, item) else None


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)
