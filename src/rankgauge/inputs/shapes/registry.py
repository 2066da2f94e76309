"""The shapes that records and JSON documents can have: one row here and one module of this folder each.

To add a shape, add a row and a module of the same name with a function ``fit``, which returns a ``Fit`` for a record or
document of the shape and None for any other. ``list_rows`` builds it for rows that hold lists under known names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.inputs.shapes.shape import Fit


@dataclass(frozen=True)
class RecordShape:
    """A shape, described without importing the module that reads it."""

    name: str
    title: str
    recognised_by: Phrase
    is_document: bool = False
    """Whether the shape is that of a whole JSON document; otherwise of one record: a line, a row, an element."""
    several_systems: bool = False
    """Whether one source may hold the rankings of several systems."""
    is_general: bool = False
    """Whether it is used only if no other shape fits."""

    @property
    def fit(self) -> Callable[[Any], Fit | None]:
        """The function that recognises a record or document."""
        function: Callable[[Any], Fit | None] = import_module(f"rankgauge.inputs.shapes.{self.name}").fit
        return function


SHAPES = (
    RecordShape(
        "ragas",
        "ragas",
        Phrase(
            "`user_input` (before 0.2 `question`) with `retrieved_context_ids`, `retrieved_contexts`, `contexts`, "
            "`reference_context_ids` or `reference_contexts`",
            "`user_input`（0.2 之前为 `question`），以及 `retrieved_context_ids`、`retrieved_contexts`、`contexts`、"
            "`reference_context_ids` 或 `reference_contexts`",
        ),
    ),
    RecordShape(
        "lists",
        "lists in columns",
        Phrase(
            "a query column, and columns whose cells hold lists of ids, texts, pairs or objects",
            "查询列，以及单元格为列表（标识、文本、二元组或对象）的列",
        ),
        is_general=True,
    ),
    RecordShape(
        "by_query",
        "items by query",
        Phrase(
            "`{query: {item: number}}`, or `{query: [items or hits]}`", "`{查询: {物品: 数}}` 或 `{查询: [物品或命中]}`"
        ),
        is_document=True,
        is_general=True,
    ),
)
"""Records and documents in the order in which the documentation lists them."""


def shape_named(name: str | None) -> RecordShape | None:
    """Return the shape of a name, None if there is none."""
    return next((shape for shape in SHAPES if shape.name == name), None)
