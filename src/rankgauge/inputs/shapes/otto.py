"""OTTO: a query for each session and type of event, with its labels or with predictions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rankgauge.errors import shown
from rankgauge.inputs.shapes.fields import hits_of, id_of, required
from rankgauge.inputs.shapes.list_rows import list_rows
from rankgauge.inputs.shapes.shape import Entry, Fit, ShapeError

TYPES = ("clicks", "carts", "orders")
_fit_submission = list_rows(query=("session_type",), ranked=("labels",), in_text=True)


def fit(row: Mapping[str, object]) -> Fit | None:
    """Return the fit of a submission or of labels."""
    if "labels" not in row:
        return None
    if "session_type" in row:
        return _fit_submission(row)
    labels = row["labels"]
    if "session" not in row or not isinstance(labels, Mapping) or not {*labels} & {*TYPES}:
        return None
    return Fit(_entries, ("session", "labels"), ("judgments",))


def _entries(row: Mapping[str, object]) -> Iterable[Entry]:
    session = id_of(required(row, "session"), "session")
    labels = required(row, "labels")
    if not isinstance(labels, Mapping):
        found = shown(labels)
        raise ShapeError(
            "labels", f"expected an object of event types, found {found}", f"应为各事件类型的对象，实为 {found}"
        )
    for kind, items in labels.items():
        listed = items if isinstance(items, list) else [] if items is None else [items]
        yield Entry(f"{session}_{kind}", judged=hits_of(listed, f"labels.{kind}", "grade"))
