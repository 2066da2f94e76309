"""The interface between a shape and the code that recognises and reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from rankgauge.inputs.codes import Role
from rankgauge.rendering.language import Phrase

Id: TypeAlias = str | int
Hit: TypeAlias = tuple[Id, float | None]
"""An item with its grade or score, None if its source has no field for one."""
MISSING = float("nan")
"""The number of an item whose field for it is empty, which is no number, also where an item without a field has one."""


LIST_OF_LISTS = Phrase(
    "a ranking cannot be a list of lists; give one list of items, best first",
    "排序结果不能是列表的列表；请给出一个从优到劣的物品列表",
)

ROW_NUMBER, FILE_NAME = object(), object()
"""What names a query that has no id: the number of its record from 1, or the file."""


class Label(NamedTuple):
    """The grade that a rater gave an item; None where the rater could not tell."""

    item: Id
    rater: str | None
    grade: float | None
    probability: float | None = None
    """Probability of this grade, where a judge gives one for each."""
    time: str | None = None
    prompt_version: str | None = None


@dataclass(frozen=True)
class Entry:
    """What a record says about one query: its judged items, its ranked items, or both."""

    query: Id | object | None
    """Its id, ``ROW_NUMBER`` or ``FILE_NAME``."""
    judged: Sequence[Hit] | None = None
    ranked: Sequence[Hit] | None = None
    """Best first."""
    listed: Sequence[Hit] | None = None
    """Items that are judged or ranked, depending on the role in which the source is read."""
    system: str = ""
    """The name of the system that ranked the items, if the source names it."""
    place: str = ""
    """Where in the record or document the entry is."""
    text: str = ""
    """The text of the query, if it is not the id."""
    groups: Sequence[int | None] | None = None
    """The group of each judged item, if there are lists inside the list: any member is enough; None for no group."""
    ordered: bool = True
    """Whether the order of the items says something; that of an object from item to number does not."""
    as_shown: bool = False
    """Whether the order of the items is that in which they were shown, also among equal scores."""
    labels: Sequence[Label] | None = None
    """The grades of each rater, of which ``judged`` has one for each item."""
    problems: Sequence[tuple[str, Phrase]] = ()
    """The code and the text of each finding about the search that ranked the items; one that failed has no hits."""

    def hits(self, role: Role) -> Sequence[Hit] | None:
        """Return the items of one side."""
        hits = self.judged if role == "judgments" else self.ranked
        return self.listed if hits is None else hits


@dataclass(frozen=True)
class Fit:
    """A shape that fits a record or document."""

    entries: Callable[[Any], Iterable[Entry]]
    """Yields the entries of each record, and of the ones after it; raises ``ShapeError``."""
    evidence: tuple[str, ...]
    """The fields that it was recognised by."""
    sides: tuple[Role, ...]
    """What the records hold, as far as their content tells."""
    by_role: bool = False
    """Whether the role in which they are read decides what the items are (``Entry.listed``)."""
    whole_lists: bool = True
    """Whether an entry has all items of its query, so that a query that occurs again is a mistake."""
    split: str = ""
    """The field that names the split of a record."""
    in_columns: Callable[[Any, Role], Any] | None = None
    """Returns a polars frame of records as query, item and number at once; None if some record must be looked at."""
    lists: Callable[[Any, Role], Any] | None = None
    """Returns queries and lists (``Lists``) of many records (``ListColumns``); None if one must be looked at."""
    list_fields: tuple[str, ...] = ()
    """The only fields that are read, if they are known."""
    at_once: Callable[[Any, Role], tuple[list[Any], list[Any], list[Any]] | None] | None = None
    """Returns queries, items and numbers of a record with many queries; None if some must be looked at."""
    refusal: tuple[str, Phrase] | None = None
    """The code of an error and its reason, if the record is one and no data."""
    note: tuple[str, Phrase] | None = None
    """The code and the text of a finding about the judgments, reported once."""
    metrics: tuple[str, ...] = ()
    """The metrics that a document names, and the convention under which it means them."""
    convention: Any = None
    texts: Mapping[str, str] = field(default_factory=dict)
    """Texts of queries and items that a document holds, by id."""
    has_labels: bool = False
    """Whether the entries have the grades of each rater."""

    def numbered(self) -> Fit:
        """Return the fit with queries that have no name numbered by record, not named after the file."""

        def entries(record: Any) -> Iterator[Entry]:
            for entry in self.entries(record):
                yield replace(entry, query=ROW_NUMBER) if entry.query is FILE_NAME else entry

        return replace(self, entries=entries)


class ShapeError(Exception):
    """A field is missing or has a value that it cannot have."""

    def __init__(self, place: str, en: str, zh: str, code: str = "RG110") -> None:
        self.code = code
        self.reason = Phrase(f"{place}: {en}", f"{place}：{zh}") if place else Phrase(en, zh)
        super().__init__(self.reason.en)
