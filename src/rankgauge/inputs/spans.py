"""Spans: stretches of documents as ids, ``document[start:end]``, half-open and in characters of the stored text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from rankgauge.errors import shown

if TYPE_CHECKING:
    import polars as pl

COLUMN = r"(?s)^(.+)\[([0-9]{1,18}):([0-9]{1,18})(?: (bytes|tokens))?\]$"
SPAN = re.compile(COLUMN)
PLAIN = r"^[0-9]{1,18}:[0-9]{1,18}\]$"
"""What follows the last bracket in the id of a span of characters."""
SPAN_COLUMNS = ("document", "start", "end", "unit")
CHARACTERS = "chars"
"""The unit of offsets that name none."""


class Span(NamedTuple):
    """A stretch of a document, from the character at ``start`` up to, but without, the one at ``end``.

    >>> Span.of("report.txt[120:480]")
    Span(document='report.txt', start=120, end=480, unit='chars')
    >>> str(Span("a", 0, 5, "tokens"))
    'a[0:5 tokens]'
    >>> str(Span("a[1:2]", 0, 5)), Span.of("a[1:2][0:5]").document
    ('a[1:2][0:5]', 'a[1:2]')
    """

    document: str
    start: int
    end: int
    unit: str = CHARACTERS
    """What the offsets count: ``chars``, ``bytes`` or ``tokens``."""

    @classmethod
    def of(cls, item: object) -> Span | None:
        """Return the span that an id names, None if it names none."""
        matched = SPAN.fullmatch(item) if isinstance(item, str) else None
        return None if matched is None else cls(matched[1], int(matched[2]), int(matched[3]), matched[4] or CHARACTERS)

    def __str__(self) -> str:
        unit = "" if self.unit == CHARACTERS else f" {self.unit}"
        return f"{self.document}[{self.start}:{self.end}{unit}]"

    @property
    def length(self) -> int:
        """Number of characters."""
        return self.end - self.start

    def shared(self, other: Span) -> Span | None:
        """Return what two spans have in common, None if nothing."""
        start, end = max(self.start, other.start), min(self.end, other.end)
        same = (self.document, self.unit) == (other.document, other.unit)
        return self._replace(start=start, end=end) if same and start < end else None


def are_spans(items: Iterable[object]) -> bool:
    """Whether ids, of which there are some, all name spans."""
    checked = [Span.of(item) is not None for item in items]
    return bool(checked) and all(checked)


def unit_type() -> pl.Enum:
    """Return the type of a column of units."""
    import polars as pl  # noqa: PLC0415 (slow to import)

    return pl.Enum([CHARACTERS, "bytes", "tokens"])


def span_items() -> pl.Expr:
    """Return the ids of spans in columns."""
    import polars as pl  # noqa: PLC0415 (slow to import)

    unit = pl.when(pl.col("unit") == CHARACTERS).then(pl.lit("]")).otherwise(pl.format(" {}]", "unit"))
    return pl.format("{}[{}:{}{}", "document", "start", "end", unit).alias("item")


def span_columns(items: pl.Series) -> pl.DataFrame:
    """Return document, start, end and unit of each id as columns, null for an id that names no span."""
    import polars as pl  # noqa: PLC0415 (slow to import)

    whole = pl.DataFrame([items.cast(pl.String).alias("id")])
    whole = whole.with_columns(place=pl.col("id").str.split("[").list.last())
    length = pl.col("id").str.len_chars().cast(pl.Int64) - pl.col("place").str.len_chars().cast(pl.Int64) - 1
    plain = pl.col("place").str.contains(PLAIN) & (length > 0)
    if whole.select(plain.fill_null(value=False).all()).item():  # quicker than groups of an expression
        offsets = pl.col("place").str.strip_suffix("]").str.split_exact(":", 1).struct
        return whole.select(
            document=pl.col("id").str.head(length),
            start=offsets.field("field_0").cast(pl.Int64),
            end=offsets.field("field_1").cast(pl.Int64),
            unit=pl.lit(CHARACTERS, unit_type()),
        )
    fields = items.cast(pl.String).str.extract_groups(COLUMN).struct.unnest()
    fields.columns = [*SPAN_COLUMNS]
    return fields.with_columns(
        pl.col("start", "end").cast(pl.Int64), pl.col("unit").fill_null(CHARACTERS).cast(unit_type())
    )


def reversed_span(start: object, end: object) -> tuple[str, str]:
    """Return the texts of the finding about a span without characters."""
    return (
        f"the span from {shown(start)} to {shown(end)} has no characters; a span ends after it starts",
        f"从 {shown(start)} 到 {shown(end)} 的片段不含字符；结束位置应大于起始位置",
    )
