"""Recognise the shape of a record or a JSON document, and refuse what fits several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rankgauge.errors import InputError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import MOST_FIELDS, find_column
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.item_rows import NUMBERS, is_item_row
from rankgauge.inputs.shapes.registry import SHAPES, RecordShape, shape_named
from rankgauge.inputs.shapes.shape import Fit
from rankgauge.rendering.language import Phrase


@dataclass(frozen=True)
class Recognised:
    """The shape of a source, and how it reads the records."""

    shape: RecordShape
    fit: Fit

    @property
    def reason(self) -> Phrase:
        """Why the source was taken for this shape."""
        fields = ", ".join(self.fit.evidence)
        return Phrase(f"recognised by {fields}", f"依据：{fields}")

    def of_records(self) -> Recognised:
        """Return the shape for one of several records, whose queries the file does not name."""
        return replace(self, fit=self.fit.numbered()) if self.shape.in_lines else self

    def _check_refusal(self, name: str) -> None:
        """Raise an error if the source says only why it has no data."""
        if self.fit.refusal is not None:
            code, reason = self.fit.refusal
            raise input_error(code, Phrase(f"{name}: {reason.en}", f"{name}：{reason.zh}"))

    def check_role(self, role: Role, name: str) -> None:
        """Raise an error if the source has no data of this side."""
        if self.fit.by_role or role in self.fit.sides:
            return
        self._check_refusal(name)
        held, missing = _side(self.fit.sides[0]), _side(role)
        fields = ", ".join(map(shown, self.fit.evidence))
        en = f"holds {held.en}, not {missing.en} (recognised as {self.shape.name} by {fields})"
        zh = f"内容是{held.zh}，没有{missing.zh}（依据 {fields} 识别为 {self.shape.name}）"
        remedy = Phrase(
            f"pass another file for {missing.en}, or name its shape with format=...",
            f"请另给{missing.zh}文件，或用 format=... 指明形式",
        )
        raise InputError((f"{name}: {en}; {remedy.en}", f"{name}：{zh}；{remedy.zh}"), ["RG111"])

    def only_role(self, name: str) -> tuple[Role, ...]:
        """Return the sides of the source; raise an error if only the caller can tell what its items are."""
        self._check_refusal(name)
        if self.fit.by_role and len(self.fit.sides) > 1:
            fields = ", ".join(map(shown, self.fit.evidence))
            taken = f"{self.shape.title} ({fields})"
            message = Phrase(
                f"{name}: {taken} could be judgments (the items are relevant) or a ranking (the items are in order)",
                f"{name}：{taken} 可能是标注（物品都相关），也可能是排序结果（物品有先后）",
            )
            raise input_error("RG114", message)
        return self.fit.sides


def _side(role: Role) -> Phrase:
    return Phrase("judgments", "标注") if role == "judgments" else Phrase("a ranking", "排序结果")


def recognise_record(
    record: object,
    name: str,
    shape_name: str | None = None,
    columns: Mapping[str, str] | None = None,
    general: tuple[bool, ...] = (False, True),
) -> Recognised | None:
    """Return the shape of a record, None if it is a row with one item.

    ``given`` is the name of a shape, ``columns`` are the columns that the caller named, ``general`` says whether shapes
    of a tool and general ones are tried.
    """
    if (shape := shape_named(shape_name)) is not None:
        return _as_given(shape, record, name).of_records()
    if columns:
        return _by_columns(record, columns)
    if not isinstance(record, Mapping) or len(record) > MOST_FIELDS or is_item_row(record):
        return None
    return _recognise(record, name, general, is_document=False)


def recognise_document(
    document: object, name: str, shape_name: str | None = None, general: tuple[bool, ...] = (False, True)
) -> Recognised | None:
    """Return the shape of a JSON document, None if it has none; the arguments are those of ``recognise_record``."""
    shape = shape_named(shape_name)
    if shape is not None:
        return _as_given(shape, document, name) if shape.is_document and shape.is_general in general else None
    return _recognise(document, name, general, is_document=True)


def _recognise(value: object, name: str, general: tuple[bool, ...], *, is_document: bool) -> Recognised | None:
    for kind in general:
        rows = [row for row in SHAPES if row.is_general == kind and row.may_be(is_document=is_document)]
        fits = [Recognised(row, fit) for row in rows if (fit := row.fit(value)) is not None]
        if len(fits) > 1:
            candidates = ", ".join(f"{entry.shape.name} ({', '.join(entry.fit.evidence)})" for entry in fits)
            message = Phrase(f"{name}: fits several shapes: {candidates}", f"{name}：符合多种形式：{candidates}")
            raise input_error("RG114", message)
        if fits:
            return fits[0] if is_document else fits[0].of_records()
    return None


def _as_given(shape: RecordShape, value: object, name: str) -> Recognised:
    fit = shape.fit(value)
    if fit is None:
        shown_value = ", ".join(map(shown, [*value][:12])) if isinstance(value, Mapping) else shown(value)
        message = Phrase(
            f"{name}: does not have the shape {shape.name}: {shape.recognised_by.en}; found {shown_value}",
            f"{name}：不是 {shape.name} 的形式：{shape.recognised_by.zh}；实有 {shown_value}",
        )
        remedy = Phrase("pass another format=..., or leave it out", "改用其他 format=...，或不指定")
        raise input_error("RG111", message, remedy)
    return Recognised(shape, fit)


def _by_columns(record: Any, columns: Mapping[str, str]) -> Recognised | None:
    """Return the shape of rows with lists in the item column, which the caller named or which has a known name."""
    if not isinstance(record, Mapping):
        return None
    cell = record.get(columns.get("item"))
    may_be_text = "item" not in columns or isinstance(cell, str)
    if not isinstance(cell, list | tuple | Mapping) and not (may_be_text and not _has_number(record, columns)):
        return None
    from rankgauge.inputs.shapes.lists import fit_columns  # noqa: PLC0415 (only for such rows)

    fit, shape = fit_columns(record, columns), shape_named("lists")
    return None if fit is None or shape is None else Recognised(shape, fit)


def _has_number(record: Mapping[str, Any], columns: Mapping[str, str]) -> bool:
    names = [name for name in record if name not in columns.values()]
    return any(kind in columns or find_column(kind, names, "", role) for role, kind in NUMBERS)
