"""What callers say of columns: of both sides at once, or of the judgments and the ranking apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.inputs.codes import Role

Columns: TypeAlias = Mapping[str, str | Mapping[str, str]]
"""Our names of columns to theirs; under ``"judgments"`` or ``"ranking"`` those of one side."""
SIDES: dict[Role, tuple[str, ...]] = {
    "judgments": ("query", "item", "grade"),
    "ranking": ("query", "item", "score", "rank"),
}
"""The columns that each side has."""


def check_columns(columns: Columns | None, known: Collection[str]) -> None:
    """An error where a caller names a column that there is not."""
    for name, said in (columns or {}).items():
        if name not in (*known, *SIDES):
            raise UnknownNameError.closest("key of columns", name, (*known, *SIDES))
        if isinstance(said, Mapping) != (name in SIDES):
            wanted = "a mapping from our names of columns to theirs" if name in SIDES else "the name of a column"
            raise ParameterError.of(f"columns[{name!r}]", said, wanted)
        for ours in said if isinstance(said, Mapping) else ():
            if ours not in known:
                raise UnknownNameError.closest(f"key of columns of the {name}", ours, known)


def columns_of(columns: Columns | None, side: Role, others: Collection[str] = ()) -> dict[str, str]:
    """What was said of the columns of one side, and of others that it may have.

    >>> columns_of({"query": "session", "score": "p", "ranking": {"query": "sid"}}, "judgments")
    {'query': 'session'}
    >>> columns_of({"query": "session", "score": "p", "ranking": {"query": "sid"}}, "ranking")
    {'query': 'sid', 'score': 'p'}
    """
    said = columns or {}
    own, names = said.get(side, {}), (*SIDES[side], *others)
    both = {ours: theirs for ours, theirs in said.items() if ours in names and not isinstance(theirs, Mapping)}
    return both | dict(own if isinstance(own, Mapping) else {})


def as_option(said: Any) -> str:
    """Columns or formats as they are typed in a command.

    >>> as_option({"score": "p", "ranking": {"query": "session"}}), as_option({"ranking": "csv"}), as_option("csv")
    ('score=p,ranking.query=session', 'ranking=csv', 'csv')
    """
    if not isinstance(said, Mapping):
        return str(said)
    pairs = ([(f"{name}.{ours}", theirs) for ours, theirs in one.items()] if isinstance(one, Mapping) else [(name, one)]
             for name, one in said.items())  # fmt: skip
    return ",".join(f"{ours}={theirs}" for some in pairs for ours, theirs in some)
