"""Lengths of returned items in characters or tokens, and how an item is cut: spans, texts, or columns of lengths."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from rankgauge.conventions import Convention
from rankgauge.conventions.budget import UNITS
from rankgauge.errors import ParameterError, shown
from rankgauge.inputs.columns import find_length
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.raw_tables import raw_table, with_items
from rankgauge.inputs.spans import span_columns, span_items
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_integer

if TYPE_CHECKING:
    from rankgauge.conventions.budget import Budget
    from rankgauge.matching.ranking import Ranking

Cut = Callable[[pl.DataFrame], pl.DataFrame]
"""From rows to rows whose items have at most the length ``left``, without those of which nothing is left."""


class ItemLengths(NamedTuple):
    """Returned items with the column length, and what is left of one if it is cut."""

    rows: pl.DataFrame
    cut: Cut | None
    """None if only lengths are known."""


def lengths_of(ranking: Ranking, rows: pl.DataFrame, budget: Budget, convention: Convention) -> ItemLengths:
    """Return rows with lengths: from a column, a counter, or the spans or texts that the items are."""
    unit, options = budget.unit, ranking.options
    are_spans = "item" not in rows.columns
    if not are_spans:
        rows = rows.with_columns(pl.col("item").cast(pl.String))
        spans = span_columns(rows["item"])
        are_spans = spans["document"].null_count() == 0
        rows = rows.drop("item").with_columns(spans) if are_spans else rows
    if are_spans and (rows["unit"] == unit).all():
        end = pl.min_horizontal("end", pl.col("start") + pl.col("left"))
        return ItemLengths(
            rows.with_columns(length=pl.col("end") - pl.col("start")), lambda rows: rows.with_columns(end=end)
        )
    if unit == "tokens" and options.tokens is not None:
        return _counted(ranking, rows, are_spans=are_spans)
    if (column := _column(ranking, rows, unit)) is not None:
        return ItemLengths(rows.with_columns(length=column), None)
    if unit == "chars" and not are_spans and (convention.match != "id" or _are_texts(rows["item"])):
        text = pl.col("item").str
        rows = rows.with_columns(length=text.len_chars().cast(pl.Int64))
        return ItemLengths(rows, lambda rows: rows.with_columns(item=text.head(pl.col("left"))))
    name = UNITS[unit]
    how = Phrase(
        "in Python pass tokens=, a function that counts those of a text"
        if unit == "tokens"
        else "give spans of documents with start and end, or texts",
        "在 Python 中传入 tokens=（数出一段文本的词元的函数）"
        if unit == "tokens"
        else "给出带 start、end 的文档片段，或文本",
    )
    raise ParameterError(
        Phrase(
            f"ranking: a budget of {budget} needs the number of {name.en} of each item: give a column {unit} in the "
            f"ranking, or {how.en}",
            f"排序结果：预算 {budget} 需要每个物品的{name.zh}数：请在排序结果中给出 {unit} 列，或{how.zh}",
        )
    )


def _are_texts(items: pl.Series) -> bool:
    """Whether all items have several words, as no id has."""
    return len(items) > 0 and bool(items.str.contains(r"\S\s+\S").all())


def _counted(ranking: Ranking, rows: pl.DataFrame, *, are_spans: bool) -> ItemLengths:
    """Return the lengths that the caller's counter gives, each text counted once."""
    counter, documents = ranking.options.tokens, ranking.options.documents
    items = rows.select(span_items() if are_spans else "item").to_series().to_list()
    if isinstance(counter, Mapping):
        known = {str(item): number for item, number in counter.items()}
        lengths = pl.Series([_whole(known.get(item), item) for item in items], dtype=pl.Int64)
        return ItemLengths(rows.with_columns(length=lengths), None)
    if are_spans and documents is None:
        raise ParameterError(
            Phrase(
                "tokens= counts texts, and the ranking has spans; pass documents=, {id: text} or a file, as well",
                "tokens= 数的是文本，而排序结果给出的是片段；请同时传入 documents=，即 {标识: 文本} 或文件",
            )
        )
    text_of: Callable[[str], str] = documents.text if are_spans else str
    counts: dict[str, int] = {}

    def count(text: str) -> int:
        if text not in counts:
            counts[text] = _whole(counter(text), text)
        return counts[text]

    def beginning(text: str, left: int) -> str:
        """Return the longest beginning of a text with at most ``left`` tokens."""
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if count(text[:middle]) <= left else (low, middle - 1)
        return text[:low]

    def cut(last: pl.DataFrame) -> pl.DataFrame:
        names = last.select(span_items() if are_spans else "item").to_series().to_list()
        texts = [beginning(text_of(item), left) for item, left in zip(names, last["left"], strict=True)]
        if are_spans:
            last = last.with_columns(end=pl.col("start") + pl.Series([*map(len, texts)], dtype=pl.Int64))
        else:
            last = last.with_columns(item=pl.Series(texts, dtype=pl.String))
        return last.filter(pl.Series([text != "" for text in texts], dtype=pl.Boolean))

    lengths = pl.Series([count(text_of(item)) for item in items], dtype=pl.Int64)
    return ItemLengths(rows.with_columns(length=lengths), cut)


def _whole(number: Any, item: str) -> int:
    """Return a length, or raise an error that names the item."""
    if not is_integer(number) or number < 0:
        en = f"the length of item {shown(item)} is {shown(number)}; expected a whole number of at least 0"
        raise input_error("RG221", (en, f"物品 {shown(item)} 的长度为 {shown(number)}；应为不小于 0 的整数"))
    return int(number)


def _column(ranking: Ranking, rows: pl.DataFrame, unit: str) -> pl.Series | None:
    """Return the column of lengths of a table, in the order of the rows; None if it has none."""
    given = ranking.original.options.columns_of("ranking", unit) or {}
    table = raw_table(ranking.original)
    if table is None or (name := given.get(unit) or find_length(unit, table.columns)) is None:
        return None
    table = with_items(table, given)
    if table is None:
        return None
    rows = rows if "item" in rows.columns else rows.with_columns(span_items())
    known = table.select(pl.col("query").cast(pl.String), pl.col("item").cast(pl.String), length=pl.col(name))
    keys = rows.select(pl.col("query").cast(pl.String), pl.col("item").cast(pl.String))
    lengths = keys.join(
        known.unique(["query", "item"], keep="first"), on=["query", "item"], how="left", maintain_order="left"
    )
    values = [_whole(number, item) for item, number in zip(lengths["item"], lengths["length"], strict=True)]
    return pl.Series(values, dtype=pl.Int64)
