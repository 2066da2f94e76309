"""Recognise the query, item and number columns of a table by the names common in search and recommendation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import input_error

# Earlier groups win: in a table with `query_id` and `query`, the first is the id and the second the text.
_QUERY = (
    ("qid", "queryid", "topicid", "userid", "uid", "groupid", "sessionid", "searchid", "srchid"),
    ("query", "topic", "user", "group", "session", "q"),
)
_ITEM = (
    ("docno", "docid", "documentid", "did", "corpusid", "pid", "passageid", "itemid", "iid", "movieid", "productid"),
    ("item", "doc", "document", "passage", "movie", "product", "asin"),
)
_GRADE = (("rel", "relevance", "grade", "label", "judgment", "judgement", "qrel"), ("rating", "score", "weight"))
_SCORE = (("score", "sim", "similarity", "prediction", "predicted", "pred"), ("rating", "weight"))
_RANK = (("rank", "position", "pos"),)
_TIME = (("timestamp", "time", "datetime", "date", "ts", "unixtime", "eventtime", "createdat", "ratedat"),)

COLUMN_NAMES: dict[Role, dict[str, tuple[tuple[str, ...], ...]]] = {
    "judgments": {"query": _QUERY, "item": _ITEM, "grade": _GRADE},
    "ranking": {"query": _QUERY, "item": _ITEM, "score": _SCORE, "rank": _RANK},
    "interactions": {"query": _QUERY, "item": _ITEM, "grade": _GRADE, "time": _TIME},
}
"""The names recognised for each column of a role, normalised, in groups from specific to general."""


def normalise_name(name: str) -> str:
    """Return a name without case, whitespace and punctuation: ``Query_ID`` and ``query-id`` are the same name.

    >>> normalise_name(" Query-ID ")
    'queryid'
    """
    return re.sub(r"[\s_.\-]+", "", name).lower()


def looks_like_header(names: Sequence[str]) -> bool:
    """Whether the fields of a line name a query column and an item column."""
    words = {normalise_name(name) for name in names}
    return all(any(words & set(group) for group in groups) for groups in (_QUERY, _ITEM))


def recognise_columns(
    names: Sequence[str], role: Role, given: Mapping[str, str] | None = None, place: str = ""
) -> dict[str, str]:
    """Map rankgauge's column names to those of a table.

    Parameters
    ----------
    names
        The column names of the table.
    role
        ``"judgments"`` needs query, item and grade; ``"ranking"`` needs query, item, and score or rank;
        ``"interactions"`` needs query and item, and may have grade and time.
    given
        Columns named by the caller, which take precedence.
    place
        The file, for error messages.

    Raises
    ------
    InputError
        A column is missing, occurs twice, or is ambiguous.

    Examples
    --------
    >>> recognise_columns(["userId", "movieId", "rating", "timestamp"], "judgments")
    {'query': 'userId', 'item': 'movieId', 'grade': 'rating'}
    """
    groups_by_column = COLUMN_NAMES[role]
    columns = _check_given(names, given or {}, tuple(groups_by_column), place)
    for ours, groups in groups_by_column.items():
        if ours in columns or (ours == "score" and "rank" in columns):
            continue
        theirs = _match(ours, groups, [name for name in names if name not in columns.values()], names, place)
        if theirs is not None:
            columns[ours] = theirs
    numbers = {"judgments": {"grade"}, "ranking": {"score", "rank"}, "interactions": columns.keys()}[role]
    missing = [ours for ours in ("query", "item") if ours not in columns]
    if not numbers & columns.keys():
        missing.append(" or ".join(sorted(numbers, reverse=True)))
    if missing:
        raise missing_column_error(missing, names, role, place)
    return {ours: columns[ours] for ours in groups_by_column if ours in columns}


def role_of_columns(names: Sequence[str], place: str) -> Role:
    """Return the role that column names suggest: a grade means judgments, a score or rank means a ranking.

    Without any of these, a rating or weight is a grade.
    """
    words = {normalise_name(name) for name in names}
    if words & {*_GRADE[0]}:
        return "judgments"
    if words & {*_SCORE[0], *_RANK[0]}:
        return "ranking"
    if words & {*_GRADE[1]}:
        return "judgments"
    raise InputError(
        f"{place}: no grade, score or rank among the columns {', '.join(names)[:200]}; specify the role of the file "
        "and its columns"
    )


def find_column(ours: str, names: Sequence[str], place: str = "") -> str | None:
    """Return the query, item or grade column among the names, or None if there is none.

    >>> find_column("item", ["movieId", "genre"])
    'movieId'
    """
    return _match(ours, COLUMN_NAMES["judgments"][ours], names, names, place)


def missing_column_error(missing: Sequence[str], names: Sequence[str], role: Role, place: str) -> InputError:
    """Return the error for columns that no name of the table matches."""
    ours = missing[0].split()[0]
    expected = ", ".join(name for group in COLUMN_NAMES[role][ours] for name in group)
    return input_error(
        "RG111",
        f"{_prefix(place)}no column for {' and '.join(missing)}; found {_list(names)}; "
        f'expected a name such as {expected}; or name it: columns={{"{ours}": "..."}}',
    )


def _check_given(names: Sequence[str], given: Mapping[str, str], allowed: Sequence[str], place: str) -> dict[str, str]:
    columns: dict[str, str] = {}
    lowered = {name.strip().lower(): name for name in reversed(names)}
    for ours, theirs in given.items():
        if ours not in allowed:
            raise ParameterError.of("columns", ours, f"a mapping from {', '.join(map(repr, allowed))}")
        name = theirs if theirs in names else lowered.get(str(theirs).strip().lower())
        if name is None:
            close = get_close_matches(str(theirs), names, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else "."
            message = f"no column {shown(theirs)} for {ours}{hint} The columns are {_list(names)}"
            raise input_error("RG111", _prefix(place) + message)
        if list(names).count(name) > 1:
            raise input_error("RG111", f"{_prefix(place)}column {shown(name)} occurs more than once in {_list(names)}")
        columns[ours] = name
    return columns


def _match(
    ours: str, groups: tuple[tuple[str, ...], ...], candidates: Sequence[str], names: Sequence[str], place: str
) -> str | None:
    """Return the only candidate in the first group that has any; several are an error."""
    for group in groups:
        matches = [name for name in candidates if normalise_name(name) in group]
        if len(matches) > 1:
            raise input_error(
                "RG111",
                f"{_prefix(place)}columns {' and '.join(map(shown, matches))} could each be the {ours}; "
                f'name one: columns={{"{ours}": {matches[0]!r}}}. The columns are {_list(names)}',
            )
        if matches:
            return matches[0]
    return None


def _prefix(place: str) -> str:
    return f"{place}: " if place else ""


def _list(names: Sequence[str], limit: int = 12) -> str:
    text = ", ".join(shown(name) for name in names[:limit])
    return f"{text}, … ({len(names)} in total)" if len(names) > limit else text
