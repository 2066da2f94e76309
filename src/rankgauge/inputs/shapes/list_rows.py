"""Rows with lists: one row per query, with its relevant items, its returned items, or both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import normalise_name
from rankgauge.inputs.list_names import TEXT_LISTS
from rankgauge.inputs.shapes.fields import at, groups_of, has_objects, hits_of, id_of, numbers_of, required
from rankgauge.inputs.shapes.list_columns import ListColumns, Lists
from rankgauge.inputs.shapes.shape import ROW_NUMBER, Entry, Fit, Hit, ShapeError

Paths = tuple[str, ...]


@dataclass(frozen=True)
class ListFields:
    """The fields of a row that hold its query and its lists; a list may have its numbers in a second field."""

    query: str | None
    """None if rows are numbered."""
    judged: str | None = None
    ranked: str | None = None
    listed: str | None = None
    grades: str | None = None
    scores: str | None = None
    system: str | None = None
    text: str | None = None
    delimiter: str = ""
    """What separates the items of a list that is written as text."""

    def entries(self, row: object) -> Iterable[Entry]:
        """Yield the entry of a row."""
        judged = self._hits(row, self.judged, self.grades, "grade")
        ranked = self._hits(row, self.ranked, self.scores, "score")
        listed = self._hits(row, self.listed, self.scores or self.grades, "number")
        query = ROW_NUMBER if self.query is None else required(row, self.query)
        text = at(row, self.text) if self.text else ""
        lists = self.judged or self.listed
        gold = None if lists is None else at(row, lists)
        if self.listed and not self.scores and not self.grades and has_objects(at(row, self.listed)):
            judged, ranked = (self._hits(row, self.listed, None, kind) for kind in ("grade", "number"))
        yield Entry(
            query if query in (None, ROW_NUMBER) else id_of(query, str(self.query)),
            judged,
            ranked,
            listed,
            str(at(row, self.system) or "") if self.system else "",
            text=text if isinstance(text, str) else "",
            groups=groups_of(gold, str(lists)) if is_list(gold) else None,
            ordered=not _is_object(at(row, self.ranked or self.listed or "")),
        )

    def _hits(self, row: object, path: str | None, numbers: str | None, kind: str) -> list[Hit] | None:
        if path is None:
            return None
        value = required(row, path)
        if value is None or (isinstance(value, str) and not value.strip()):
            return None  # missing, not empty
        if (text := text_list(value, path)) is not None and not self.delimiter:
            return [(text, None)]
        if self.delimiter and isinstance(value, str) and not is_list(value):
            value = [part for part in value.split(self.delimiter) if part]
        hits = hits_of(value, path, kind)
        at_path = None if numbers is None else at(row, numbers)
        if at_path is None:
            return hits
        values = numbers_of(at_path, str(numbers))
        if len(values) != len(hits):
            counts = f"{len(hits)}, {len(values)}"
            raise ShapeError(
                str(numbers),
                f"the lists {shown(path)} and {shown(numbers)} differ in length: {counts}",
                f"{shown(path)} 与 {shown(numbers)} 长度不同：{counts}",
            )
        return [(item, value) for (item, _), value in zip(hits, values, strict=True)]

    def fit(self) -> Fit:
        """Return the fit of rows with these fields."""
        lists = (("judgments", self.judged), ("ranking", self.ranked))
        sides: tuple[Role, ...] = tuple(side for side, path in lists if path is not None)  # type: ignore[misc]
        evidence = self.query, self.judged, self.ranked, self.listed
        paths = *evidence, self.grades, self.scores, self.system, self.text
        return Fit(
            self.entries,
            tuple(path for path in evidence if path is not None),
            sides or ("judgments", "ranking"),
            by_role=not sides,
            lists=self.lists if self.query is not None and self.system is None else None,
            list_fields=tuple(path for path in paths if path is not None),
        )

    def lists(self, columns: ListColumns, role: Role) -> tuple[pl.Series, Lists] | None:
        """Return the queries and the lists of one side of many records.

        None if ``entries`` must look at a record: at an id that is not valid, a list with numbers, objects or groups,
        or a text.
        """
        paths = (self.judged if role == "judgments" else self.ranked) or self.listed
        others = {path for path in (self.judged, self.ranked, self.listed) if path not in {None, paths}}
        numbers = {path for path in (self.grades, self.scores) if path is not None}
        if paths is None or not all(map(columns.is_missing, numbers)) or not all(map(columns.has_lists, others)):
            return None
        queries, lists = columns.ids(str(self.query)), columns.lists(paths)
        return None if queries is None or lists is None else (queries, lists)


def list_rows(
    *,
    query: Paths,
    judged: Paths = (),
    ranked: Paths = (),
    scores: Paths = (),
    grades: Paths = (),
    system: Paths = (),
    text: Paths = (),
    only_if: Callable[[Mapping[str, Any]], bool] = lambda _: True,
    numbered: bool = False,
    in_text: bool = False,
    delimiter: str = "",
) -> Callable[[Any], Fit | None]:
    """Return the ``fit`` of rows with lists; of several names, the first with a value is used.

    With ``numbered``, a row without a query is named by its number; with ``in_text``, any text is a list of ids;
    with a ``delimiter``, it is a list of texts between which it stands.

    >>> fit = list_rows(query=("user_input",), ranked=("retrieved_ids", "retrieved_contexts"))
    >>> fit({"user_input": "q", "retrieved_ids": None, "retrieved_contexts": ["a"]}).evidence
    ('user_input', 'retrieved_contexts')
    """

    def holds_items(value: object) -> bool:
        return is_list(value) or ((in_text or bool(delimiter)) and isinstance(value, str))

    def fit(row: Mapping[str, Any]) -> Fit | None:
        if not only_if(row):
            return None
        fields = {
            "query": _first(row, query, lambda value: isinstance(value, str | int | float)),
            "judged": _first(row, judged, holds_items),
            "ranked": _first(row, ranked, holds_items),
            "scores": _first(row, scores, is_list),
            "grades": _first(row, grades, is_list),
            "system": _first(row, system, lambda value: isinstance(value, str)),
            "text": _first(row, text, lambda value: isinstance(value, str)),
        }
        if (fields["query"] is None and not numbered) or (fields["judged"] is None and fields["ranked"] is None):
            return None
        return ListFields(**fields, delimiter=delimiter).fit()

    return fit


def text_list(value: object, path: str) -> str | None:
    """Return the text of a cell that is one text and no list, in a column of texts; None for any other."""
    if not isinstance(value, str) or is_list(value):
        return None
    return value if normalise_name(path.rpartition(".")[2]) in TEXT_LISTS else None


def _is_object(value: object) -> bool:
    """Whether a value goes from items to numbers, in any order."""
    return isinstance(value, Mapping) or (isinstance(value, str) and value.strip().startswith("{"))


def is_list(value: object) -> bool:
    """Whether a value holds items: a list, an object, or a list in a text cell."""
    if isinstance(value, str):
        return value.strip()[:1] in {"[", "{"}
    return isinstance(value, Sequence | Mapping)


def _first(row: Mapping[str, object], paths: Paths, accepts: Callable[[Any], bool]) -> str | None:
    """Return the first path whose value is of the right kind; case and punctuation of a name do not matter."""
    names = {normalise_name(name): name for name in row if isinstance(name, str)}
    for path in paths:
        name = path if "." in path else names.get(normalise_name(path), path)
        if accepts(at(row, name) if "." in path else row.get(name)):
            return name
    return None
