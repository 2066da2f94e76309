"""Values of fields: ids, numbers, and lists of items in all the forms that tools write them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rankgauge.errors import shown
from rankgauge.inputs.columns import MOST_FIELDS, normalise_name
from rankgauge.inputs.list_names import names_of
from rankgauge.inputs.shapes.list_cells import split_cell
from rankgauge.inputs.shapes.shape import LIST_OF_LISTS, MISSING, Hit, Id, ShapeError
from rankgauge.value_checks import EXACT_FLOATS, fits_double, inexact_id

_IDS = (
    names_of(
        "docid documentid docno chunkid nodeid passageid contextid corpusid itemid productid pid aid articleid "
        "objectid sessionid entityid segmentid asin sku"
    ),
    ("id",),
    ("docuri", "uri", "url", "source", "filename"),
)
_TEXTS = ("pagecontent", "text", "content", "contents", "chunk", "passage", "document")
_INNER = ("node", "document", "kwargs", "metadata", "hit", "source", "fields")
"""Objects inside a hit that may hold its id."""
_SCORES = ("score", "relevancescore", "similarity", "sim", "retrievalscore", "rerankscore")
_GRADES = ("queryrelevancelabel", "expectscore", "rating", "grade", "relevance", "rel", "label", "gain", "judgment")
_WEIGHTS = ("relevant", "isrelevant", "weight")
_FLAGS = names_of("gold correct positive supporting selected isgold iscorrect ispositive issupporting isselected")
"""Names that give a grade if their value is true or false."""
_RANKS = ("rank", "position", "pos")
_NUMBERS = {"score": _SCORES, "grade": _GRADES + _WEIGHTS + _SCORES, "number": _SCORES + _GRADES}
_MOST_SCOPES = 8
PAIR = 2


def key_of(record: Mapping[str, object], *names: str) -> str | None:
    """Return the first key with one of the names and a value; case and punctuation do not matter.

    >>> key_of({"Doc_ID": 1, "text": None}, "text", "docid")
    'Doc_ID'
    """
    if len(record) > MOST_FIELDS:
        return next((name for name in names if record.get(name) is not None), None)
    given = ((key, value) for key, value in reversed([*record.items()]) if isinstance(key, str) and value is not None)
    keys = {normalise_name(key): key for key, _ in given}
    return next((keys[name] for name in names if name in keys), None)


def at(record: Any, path: str) -> Any:
    """Return the value at a path such as ``outputs.documents``, None if there is none."""
    for part in path.split("."):
        if not isinstance(record, Mapping):
            return None
        record = record.get(part)
    return record


def required(record: object, path: str, place: str = "") -> Any:
    """Return the value at a path, or raise an error that names the first part that is missing."""
    value = record
    for depth, part in enumerate(path.split(".")):
        if not isinstance(value, Mapping) or part not in value:
            parent = ".".join(path.split(".")[:depth])
            en, zh = (f" in {shown(parent)}", f"{shown(parent)} 中") if parent else ("", "")
            raise ShapeError(place, f"field {shown(part)} is missing{en}", f"{zh}缺少字段 {shown(part)}")
        value = value[part]
    return value


def objects(value: object, place: str) -> list[Mapping[str, Any]]:
    """Return a list of objects; None is an empty list."""
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise ShapeError(
            place, f"expected a list of objects, found {shown(value)}", f"应为对象列表，实为 {shown(value)}"
        )
    for number, entry in enumerate(value):
        if not isinstance(entry, Mapping):
            where = f"{place}[{number}]"
            raise ShapeError(where, f"expected an object, found {shown(entry)}", f"应为对象，实为 {shown(entry)}")
    return [*value]


def id_of(value: object, place: str) -> Id:
    """Return an id: text or a whole number.

    >>> id_of(301.0, "qid"), id_of("007", "qid")
    (301, '007')
    """
    if isinstance(value, float) and value.is_integer():
        if abs(value) >= EXACT_FLOATS:
            raise ShapeError(place, *inexact_id(value), "RG215")
        return int(value)
    if value == "":
        raise ShapeError(place, "the id is empty", "标识为空", "RG208")
    if isinstance(value, bool) or not isinstance(value, str | int):
        wrong = shown(value)
        raise ShapeError(
            place,
            f"{wrong} is not an id; ids must be text or numbers",
            f"{wrong} 不是标识；标识应为文本或数字",
            "RG216",
        )
    return value


def number_of(value: Any, place: str) -> float | None:
    """Return a number, which may be written as text; None if there is none.

    >>> number_of("3.000", "rating")
    3.0
    """
    if value is None:
        return None
    try:
        number: Any = float(value) if isinstance(value, str) else value
    except ValueError:
        number = None
    if isinstance(number, bool) or not fits_double(number):
        raise ShapeError(place, f"{shown(value)} is not a number", f"{shown(value)} 不是数字")
    return float(number)


def stated_number(value: Any, place: str) -> float:
    """Return the number of a field that is there, ``MISSING`` if it is empty."""
    number = number_of(value, place)
    return MISSING if number is None else number


def numbers_of(value: object, place: str) -> list[float]:
    """Return a list of numbers, which may be written in a text cell."""
    value = split_cell(value, place) if isinstance(value, str) else value
    if not isinstance(value, list | tuple):
        raise ShapeError(
            place, f"expected a list of numbers, found {shown(value)}", f"应为数字列表，实为 {shown(value)}"
        )
    return [stated_number(entry, f"{place}[{number}]") for number, entry in enumerate(value)]


def hits_of(value: object, place: str, kind: str) -> list[Hit]:
    """Return the items of a list with their numbers; ``kind`` is "score", "grade" or "number".

    The number of an object with a rank, but no score, is minus the rank, unless it is a grade.

    A list may hold ids or texts, pairs of id and number, or objects with an id or a text; if it is judged, also lists
    of these, whose members are returned one after another (see ``groups_of``). It may be written in a text cell, or be
    an object from item to number.

    >>> hits_of([{"doc_id": "a", "score": 0.5}, {"doc_id": "b"}], "hits", "score")
    [('a', 0.5), ('b', None)]
    >>> hits_of("a b c", "prediction", "score")
    [('a', None), ('b', None), ('c', None)]
    """
    if value is None:
        return []
    if isinstance(value, str | set):
        value = _listed(value, place, kind)
    if (plain := _plain_hits(value)) is not None:
        return plain
    if isinstance(value, Mapping):
        return [(id_of(item, place), stated_number(grade, f"{place}[{shown(item)}]")) for item, grade in value.items()]
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        raise ShapeError(place, f"expected a list of items, found {shown(value)}", f"应为物品列表，实为 {shown(value)}")
    pairs, value = are_pairs(value), _by_rank(value, place) if kind != "grade" else value
    hits: list[Hit] = []
    for number, entry in enumerate(value):
        where = f"{place}[{number}]"
        if isinstance(entry, Mapping):
            hits.append(hit_of(entry, where, kind))
        elif pairs:
            hits.append((id_of(entry[0], where), number_of(entry[1], where)))
        elif isinstance(entry, list | tuple):
            hits += _members(entry, where, kind)
        else:
            hits.append((id_of(entry, where), None))
    return hits


def _members(group: Sequence[object], place: str, kind: str) -> list[Hit]:
    """Return the items of a list inside a list, which has no place in a ranking."""
    if kind == "score":
        raise ShapeError(place, *LIST_OF_LISTS)
    return hits_of(group, place, kind)


def _listed(value: str | set[object], place: str, kind: str) -> object:
    """Return the list in a text cell; a set may be judged, but not ranked."""
    listed = split_cell(value, place) if isinstance(value, str) else value
    if not isinstance(listed, set):
        return listed
    if kind != "grade":
        raise ShapeError(place, f"a set has no order: {shown(value)}", f"集合没有先后：{shown(value)}")
    return sorted(listed, key=str)


def _by_rank(value: Sequence[Any], place: str) -> Sequence[Any]:
    """Return objects in the order of their ranks, if all have one."""
    if not value or not isinstance(value[0], Mapping) or key_of(value[0], *_RANKS) is None:
        return value
    keys = [key_of(hit, *_RANKS) if isinstance(hit, Mapping) else None for hit in value]
    ranks = [None if key is None else number_of(hit[key], place) for hit, key in zip(value, keys, strict=True)]
    if any(rank is None for rank in ranks):
        return value
    return [value[place] for place in sorted(range(len(value)), key=lambda place: ranks[place] or 0.0)]


def has_objects(value: object) -> bool:
    """Whether a list holds objects, whose fields say whether an item is relevant and which rank it has."""
    return isinstance(value, list | tuple) and any(isinstance(hit, Mapping) for hit in value)


def _plain_hits(value: object) -> list[Hit] | None:
    """Return the items of a list of texts or an object from texts to numbers, which need no check of each item."""
    if not isinstance(value, list | Mapping) or {*map(type, value)} != {str} or "" in value:
        return None
    if isinstance(value, list):
        return [(item, None) for item in value]
    numbers = value.values()
    return [*zip(value, map(float, numbers), strict=True)] if {*map(type, numbers)} == {float} else None


def are_pairs(value: Sequence[object]) -> bool:
    """Whether a list holds pairs of an id and a number, not groups of ids."""
    return bool(value) and all(
        isinstance(entry, list | tuple)
        and len(entry) == PAIR
        and isinstance(entry[1], int | float)
        and not isinstance(entry[1], bool)
        and (isinstance(entry[0], str) or isinstance(entry[1], float))
        for entry in value
    )


def groups_of(value: object, place: str) -> list[int | None] | None:
    """Return the number of the group of each item of a list, None for an item of its own; None without lists inside.

    >>> groups_of([["a", "b"], "c", ["d"]], "gold"), groups_of(["a", "b"], "gold")
    ([1, 1, None, None], None)
    """
    if isinstance(value, str):
        value = split_cell(value, place)
    if not isinstance(value, list | tuple) or not {list, tuple} & {*map(type, value)} or are_pairs(value):
        return None
    if all(isinstance(entry, list | tuple) and [*map(type, entry)] == [int, int] for entry in value):
        wrong = shown(value[0])
        raise ShapeError(
            place,
            f"{wrong} could be an item and its grade, or a group of two items; give {{item: grade}}, or ids as text",
            f"{wrong} 可能是物品及其等级，也可能是两个物品的一组；请给出 {{物品: 等级}}，或用文本写标识",
        )
    sizes = [len(hits_of(entry, place, "grade")) if isinstance(entry, list | tuple) else 1 for entry in value]
    return [number if size > 1 else None for number, size in enumerate(sizes, 1) for _ in range(size)]


def hit_of(entry: Mapping[str, object], place: str, kind: str) -> Hit:
    """Return the item and the number of an object; a text is the id if there is no other."""
    item = _item_of(entry)
    if item is None:
        names = ", ".join(map(shown, entry))
        if not names:
            raise ShapeError(place, "an empty object has no id", "空对象没有标识")
        raise ShapeError(place, f"no id or text in the fields {names}", f"字段 {names} 中没有标识或文本")
    key = key_of(entry, *(_NUMBERS[kind] if kind == "grade" else _SCORES))
    if key is None and kind != "grade" and (rank := key_of(entry, *_RANKS)) is not None:
        position = number_of(entry[rank], f"{place}.{rank}")
        return id_of(item, place), None if position is None else -position
    key = key or key_of(entry, *_NUMBERS[kind])
    if key is None and kind == "grade":
        key = key_of({name: value for name, value in entry.items() if isinstance(value, bool)}, *_FLAGS)
    if key is None:
        is_empty = kind == "grade" and not {*_NUMBERS[kind], *_FLAGS}.isdisjoint(map(normalise_name, entry))
        return id_of(item, place), MISSING if is_empty else None
    value = entry[key]
    return id_of(item, place), float(value) if isinstance(value, bool) else number_of(value, f"{place}.{key}")


def _item_of(entry: Mapping[str, object]) -> object:
    """Return the id of a hit, its own or that of an object inside it, or else its text."""
    scopes = [entry]
    for scope in scopes:  # grows while it is gone through
        inner = (scope[key] for key in (key_of(scope, name) for name in _INNER) if key is not None)
        scopes += [value for value in inner if isinstance(value, Mapping) and len(scopes) < _MOST_SCOPES]
    for names in (*_IDS, _TEXTS):
        for scope in scopes:
            key = key_of(scope, *names)
            if key is not None and isinstance(scope[key], str | int | float) and scope[key] != "":
                return scope[key]
    return None


def offset_of(value: object, place: str) -> int:
    """Return where a span starts or ends: a whole number from 0, which may be written as text.

    >>> offset_of("120", "start"), offset_of(7.0, "end")
    (120, 7)
    """
    number = number_of(value, place) if value not in (None, "") else None
    if number is None or math.isnan(number):
        raise ShapeError(place, "the value is missing", "缺少数值")
    if not 0 <= number < EXACT_FLOATS or number != int(number):
        wrong = shown(value)
        raise ShapeError(
            place,
            f"{wrong} is not an offset; expected a whole number of at least 0",
            f"{wrong} 不是偏移量；应为不小于 0 的整数",
        )
    return int(number)
