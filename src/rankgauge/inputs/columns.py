"""Which column of a table is the query, the item and the number, in the words of three communities."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import problem

# Earlier groups win: a table with both has the id in `query_id` and the text in `query`.
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

_WORDS: dict[Role, dict[str, tuple[tuple[str, ...], ...]]] = {
    "judgments": {"query": _QUERY, "item": _ITEM, "grade": _GRADE},
    "ranking": {"query": _QUERY, "item": _ITEM, "score": _SCORE, "rank": _RANK},
    "interactions": {"query": _QUERY, "item": _ITEM, "grade": _GRADE, "time": _TIME},
}


def words_for(ours: str) -> tuple[tuple[str, ...], ...]:
    """The names that a column of ours may have, those that say it most clearly first."""
    return next(words[ours] for words in _WORDS.values() if ours in words)


def plain(name: str) -> str:
    """A name without case, blanks and joints: ``query-id``, ``Query_ID`` and ``queryId`` are one.

    >>> plain(" Query-ID ")
    'queryid'
    """
    return re.sub(r"[\s_.\-]+", "", name).lower()


def looks_like_header(names: Sequence[str]) -> bool:
    """Whether these fields of a line are names of columns: one of a query and one of an item."""
    words = {plain(name) for name in names}
    return all(any(words & set(group) for group in groups) for groups in (_QUERY, _ITEM))


def recognise(
    names: Sequence[str], role: Role, given: Mapping[str, str] | None = None, place: str = ""
) -> dict[str, str]:
    """Match our names of columns to those of a table.

    Parameters
    ----------
    names
        The names in the table.
    role
        ``"judgments"`` needs query, item and grade; ``"ranking"`` needs query, item, and score or rank;
        ``"interactions"`` needs query and item, and may have grade and time.
    given
        What the caller says: our name to theirs. It wins.
    place
        The file, for messages.

    Returns
    -------
    dict
        Our name to theirs.

    Raises
    ------
    InputError
        A column is missing, stands twice, or several could be meant.

    Examples
    --------
    >>> recognise(["userId", "movieId", "rating", "timestamp"], "judgments")
    {'query': 'userId', 'item': 'movieId', 'grade': 'rating'}
    """
    words = _WORDS[role]
    found = _given(names, given or {}, tuple(words), place)
    for ours, groups in words.items():
        if ours in found or (ours == "score" and "rank" in found):
            continue
        theirs = _only(ours, groups, [name for name in names if name not in found.values()], names, place)
        if theirs is not None:
            found[ours] = theirs
    numbers = {"judgments": {"grade"}, "ranking": {"score", "rank"}, "interactions": found.keys()}[role]
    lacking = [ours for ours in ("query", "item") if ours not in found]
    if not numbers & found.keys():
        lacking.append(" or ".join(sorted(numbers, reverse=True)))
    if lacking:
        raise _unrecognised(
            f"no column for {' and '.join(lacking)}", names, lacking[0].split()[0], groups_of=words, place=place
        )
    return {ours: found[ours] for ours in words if ours in found}


def query_column(names: Sequence[str], place: str) -> str:
    """The column of a table that has the queries.

    >>> query_column(["lang", "Query-ID"], "attributes")
    'Query-ID'
    """
    found = _only("query", _QUERY, names, names, place)
    if found is None:
        raise _unrecognised("no column for query", names, "query", groups_of=_WORDS["judgments"], place=place)
    return found


def column_of(ours: str, names: Sequence[str], place: str = "") -> str | None:
    """The column of queries, items or grades among these names; None where there is none.

    >>> column_of("item", ["movieId", "genre"])
    'movieId'
    """
    return _only(ours, _WORDS["judgments"][ours], names, names, place)


def _given(names: Sequence[str], given: Mapping[str, str], ours_allowed: Sequence[str], place: str) -> dict[str, str]:
    found: dict[str, str] = {}
    lowered = {name.strip().lower(): name for name in reversed(names)}
    for ours, theirs in given.items():
        if ours not in ours_allowed:
            raise ParameterError.of("columns", ours, f"a mapping from {', '.join(map(repr, ours_allowed))}")
        name = theirs if theirs in names else lowered.get(str(theirs).strip().lower())
        if name is None:
            close = get_close_matches(str(theirs), names, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise problem(
                "RG111",
                f"{_prefix(place)}no column {shown(theirs)} for {ours}{hint or '.'} The columns are {_list(names)}",
            )
        if list(names).count(name) > 1:
            raise problem("RG111", f"{_prefix(place)}column {shown(name)} stands more than once in {_list(names)}")
        found[ours] = name
    return found


def _only(
    ours: str, groups: tuple[tuple[str, ...], ...], free: Sequence[str], names: Sequence[str], place: str
) -> str | None:
    """The one column of the first group that has any; an error where it has several."""
    for group in groups:
        fitting = [name for name in free if plain(name) in group]
        if len(fitting) > 1:
            raise problem(
                "RG111",
                f"{_prefix(place)}columns {' and '.join(map(shown, fitting))} could each be the {ours}; "
                f'say which: columns={{"{ours}": {fitting[0]!r}}}. The columns are {_list(names)}',
            )
        if fitting:
            return fitting[0]
    return None


def _unrecognised(
    what: str, names: Sequence[str], ours: str, *, groups_of: dict[str, tuple[tuple[str, ...], ...]], place: str
) -> InputError:
    expected = ", ".join(word for group in groups_of[ours] for word in group)
    return problem(
        "RG111",
        f"{_prefix(place)}{what}; found {_list(names)}; expected a name such as {expected}; "
        f'or say it: columns={{"{ours}": "..."}}',
    )


def _prefix(place: str) -> str:
    return f"{place}: " if place else ""


def _list(names: Sequence[str], limit: int = 12) -> str:
    text = ", ".join(shown(name) for name in names[:limit])
    return f"{text}, … ({len(names)} in all)" if len(names) > limit else text
