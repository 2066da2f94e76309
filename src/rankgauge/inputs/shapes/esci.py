"""ESCI (Amazon shopping queries): a row for each query and product, with a letter as label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.shapes.fields import id_of, key_of, number_of, required, stated_number
from rankgauge.inputs.shapes.shape import Entry, Fit, ShapeError
from rankgauge.rendering.language import Phrase

GAINS = {"E": 1.0, "S": 0.1, "C": 0.01, "I": 0.0}
"""Exact, substitute, complement and irrelevant."""
LETTERS_READ = Phrase("read as E 1, S 0.1, C 0.01, I 0", "读作 E 1、S 0.1、C 0.01、I 0")
QUERIES = ("queryid", "query")
ITEMS = ("productid", "item", "docid")


def fit(row: Mapping[str, object]) -> Fit | None:
    """Return the fit of a row with a label."""
    if not (label := key_of(row, "escilabel")):
        return None
    query, item, score = key_of(row, *QUERIES), key_of(row, *ITEMS), key_of(row, "score", "prediction")
    if query is None or item is None:
        return None
    sides: tuple[Role, ...] = ("judgments",) if score is None else ("judgments", "ranking")
    fields = query, item, label, *([] if score is None else [score])
    note = ("RG117", LETTERS_READ) if isinstance(row[label], str) else None
    return Fit(
        partial(_entries, fields),
        fields,
        sides,
        whole_lists=False,
        split=key_of(row, "split") or "",
        in_columns=partial(_in_columns, fields),
        note=note,
    )


def _entries(fields: tuple[str, ...], row: Mapping[str, object]) -> Iterable[Entry]:
    query, item, letter, *scores = (required(row, name) for name in fields)
    gain = GAINS.get(letter) if isinstance(letter, str) else number_of(letter, fields[2])
    if gain is None:
        place, letters = fields[2], ", ".join(GAINS)
        raise ShapeError(place, f"{shown(letter)} is none of {letters}", f"{shown(letter)} 不是 {letters} 之一")
    product = id_of(item, fields[1])
    ranked = [(product, stated_number(score, fields[3])) for score in scores]
    yield Entry(id_of(query, fields[0]), judged=[(product, gain)], ranked=ranked or None)


def _in_columns(fields: tuple[str, ...], frame: pl.DataFrame, role: Role) -> pl.DataFrame | None:
    """Return the rows of a frame; None if an id or a number needs a closer look."""
    query, item, label, *scores = fields
    name = label if role == "judgments" else scores[0]
    is_letter = frame.schema[name] == pl.String
    if (is_letter and role == "ranking") or not all(_holds_ids(frame[column]) for column in (query, item)):
        return None
    gains = pl.col(name).replace_strict(GAINS, default=None, return_dtype=pl.Float64) if is_letter else pl.col(name)
    rows = frame.select(
        pl.col(query).alias("query"), pl.col(item).alias("item"), gains.cast(pl.Float64, strict=False).alias("number")
    )
    return rows if rows["number"].is_finite().fill_null(value=False).all() else None


def _holds_ids(column: pl.Series) -> bool:
    if column.null_count():
        return False
    return column.dtype.is_integer() or (
        column.dtype == pl.String and not column.str.contains("\0", literal=True).any() and not (column == "").any()
    )
