"""Spans of documents: a row for each gold span or returned chunk, with its document and offsets in characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import SPAN_NAMES, SPAN_UNITS, normalise_name
from rankgauge.inputs.shapes.fields import id_of, number_of, offset_of, required
from rankgauge.inputs.shapes.shape import Entry, Fit, Hit, ShapeError
from rankgauge.inputs.spans import CHARACTERS, Span, reversed_span, unit_type
from rankgauge.rendering.language import plural

QUERIES = (
    "queryid",
    "qid",
    "questionid",
    "topicid",
    "query",
    "question",
    "topic",
    "q",
    "查询id",
    "查询",
    "查询词",
    "问题",
)
GRADES = ("grade", "relevance", "rel", "label", "等级", "相关性")
SCORES = ("score", "similarity", "sim", "分数", "得分")


def fit(row: Mapping[str, Any]) -> Fit | None:
    """Return the fit of a row with a document, a start and an end."""
    keys = {normalise_name(key): key for key in reversed([*row]) if isinstance(key, str)}
    known = {**SPAN_NAMES, "query": QUERIES, "grade": GRADES, "score": SCORES}
    unit = next((unit for unit, names in SPAN_UNITS.items() if keys.keys() & {*names["start"]}), "chars")
    known |= SPAN_UNITS[unit]
    named = {kind: next((keys[name] for name in names if name in keys), None) for kind, names in known.items()}
    fields = {kind: name for kind, name in named.items() if name is not None}
    if not {"query", "document", "start", "end"} <= fields.keys():
        return None
    if row[fields["start"]] is None and row[fields["end"]] is None:
        return None
    rows = _SpanRows(fields, unit)
    evidence = tuple(fields[kind] for kind in ("query", "document", "start", "end"))
    return Fit(rows.entries, evidence, rows.sides, by_role=rows.is_open, whole_lists=False, in_columns=rows.in_columns)


class _SpanRows:
    """The rows of one table, by the names of its columns; what has no score is ranked in the order of the rows."""

    def __init__(self, fields: Mapping[str, str], unit: str) -> None:
        self.fields = fields
        self.unit = unit
        self.is_open = not {"grade", "group", "score", "rank"} & fields.keys()
        """Whether only the caller knows if the spans are gold or were returned."""
        judged, ranked = {"grade", "group"} & fields.keys(), {"score", "rank"} & fields.keys()
        both: tuple[Role, ...] = ("judgments", "ranking")
        self.sides: tuple[Role, ...] = (
            both if bool(judged) == bool(ranked) else ("judgments",) if judged else ("ranking",)
        )
        self._seen: Counter[object] = Counter()
        self._groups: dict[tuple[object, object], int] = {}

    def entries(self, row: Mapping[str, Any]) -> Iterable[Entry]:
        """Yield the entry of a row."""
        query = id_of(required(row, self.fields["query"]), self.fields["query"])
        item = str(self._span(row))
        self._seen[query] += 1
        judged: list[Hit] = [(item, grade) for grade in self._numbers_of(row, "grade", "RG204", None)]
        ranked: list[Hit] = [(item, score) for score in self._numbers_of(row, "score", "RG201", None)]
        if "score" not in self.fields:
            ranks = self._numbers_of(row, "rank", "RG201", self._seen[query])
            ranked = [(item, -rank) for rank in ranks if rank is not None]
        number = self._group(query, row.get(self.fields.get("group", "")))
        groups = None if number is None or not judged else [number]
        yield Entry(query, judged, ranked, groups=groups)

    def _group(self, query: object, group: object) -> int | None:
        """Return the number of a group of a query, None where a span has none."""
        return None if group in (None, "") else self._groups.setdefault((query, group), len(self._groups) + 1)

    def _numbers_of(
        self, row: Mapping[str, Any], kind: str, code: str, default: float | None
    ) -> Sequence[float | None]:
        """Return the number of a row, the default without such a column, and none for a row of the other side."""
        if kind not in self.fields:
            return [default]
        name = self.fields[kind]
        value = row.get(name)
        number = None if value == "" else number_of(value, name)
        if number is None and len(self.sides) == 1:
            raise ShapeError(name, "the value is missing", "缺少数值", code)
        return [] if number is None else [number]

    def _span(self, row: Mapping[str, Any]) -> Span:
        document = id_of(required(row, self.fields["document"]), self.fields["document"])
        start, end = (offset_of(required(row, name), name) for name in (self.fields["start"], self.fields["end"]))
        if start >= end:
            raise ShapeError(f"{self.fields['start']}, {self.fields['end']}", *reversed_span(start, end), "RG217")
        text = row.get(self.fields.get("text", ""))
        if (
            self.unit == CHARACTERS
            and isinstance(text, str)
            and len(text) != end - start == len(text.encode("utf-8", "surrogatepass"))
        ):
            place = f"{self.fields['start']}, {self.fields['end']}"
            size = plural(len(text), "# character", "# characters")
            en = f"the text has {size}, and the span is as long as the text in bytes, {end - start}"
            zh = f"文本有 {len(text)} 个字符、{end - start} 个字节，而片段长度等于字节数"
            raise ShapeError(place, en, zh, "RG219")
        return Span(str(document), start, end, self.unit)

    def in_columns(self, frame: pl.DataFrame, role: Role) -> pl.DataFrame | None:
        """Return the rows of a frame at once, without ids of items; None if one of them needs a closer look."""
        fields = self.fields
        if not all(frame.schema[fields[kind]].is_integer() for kind in ("start", "end")):
            return None
        queries = frame[fields["query"]].rle().struct.field("value")  # many rows are of one query
        if not _holds_ids(queries) or not _holds_ids(frame[fields["document"]]):
            return None
        start, end = (pl.col(fields[kind]) for kind in ("start", "end"))
        valid = (start >= 0) & (end > start)
        if "text" in fields and self.unit == CHARACTERS:
            if frame.schema[fields["text"]] != pl.String:
                return None
            text, length = pl.col(fields["text"]), end - start
            in_bytes = (text.str.len_chars() != length) & (text.str.len_bytes() == length)
            valid &= ~in_bytes.fill_null(value=False)
        document = pl.col(fields["document"]).cast(pl.String)
        rows = frame.select(
            self._numbers(role),
            query=pl.col(fields["query"]),
            document=document,
            start=start.cast(pl.Int64),
            end=end.cast(pl.Int64),
            unit=pl.lit(self.unit, unit_type()),
            valid=valid,
        )
        if role == "judgments" and "group" in fields:
            pairs = zip(frame[fields["query"]].to_list(), frame[fields["group"]].to_list(), strict=True)
            rows = rows.with_columns(group=pl.Series([self._group(*pair) for pair in pairs], dtype=pl.Int64))
        usable = rows["valid"].fill_null(value=False).all() and rows["number"].is_finite().fill_null(value=False).all()
        if not usable:
            return None
        if self.is_open:  # the next rows of the source go on from here
            self._seen.update(dict(rows["query"].value_counts().iter_rows()))
        return rows.drop("valid")

    def _numbers(self, role: Role) -> pl.Expr:
        """Return the grade or the score, 1 and minus the place where there is none."""
        fields = self.fields
        if role == "judgments":
            number = pl.col(fields["grade"]) if "grade" in fields else pl.lit(1.0)
        elif "score" in fields or "rank" in fields:
            number = pl.col(fields["score"]) if "score" in fields else -pl.col(fields["rank"]).cast(pl.Float64)
        else:
            before = pl.col(fields["query"]).replace_strict(dict(self._seen), default=0, return_dtype=pl.Int64)
            number = -(pl.int_range(1, pl.len() + 1).over(fields["query"]) + (before if self._seen else 0))
        return number.cast(pl.Float64, strict=False).alias("number")


def _holds_ids(column: pl.Series) -> bool:
    if column.null_count():
        return False
    return column.dtype.is_integer() or (column.dtype == pl.String and not (column == "").any())
