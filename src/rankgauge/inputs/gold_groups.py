"""Gold groups: several items of which any one will do, as one thing to be found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankgauge.errors import InputError, shown


class GoldGroup:
    """A judged item that any of its members stands for; as text, its members.

    >>> str(GoldGroup(["a", "b", "a"]))
    'a | b'
    """

    __slots__ = ("members",)

    def __init__(self, members: Iterable[Any]) -> None:
        self.members = tuple(dict.fromkeys(members))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GoldGroup) and self.members == other.members

    def __hash__(self) -> int:
        return hash(self.members)

    def __str__(self) -> str:
        return " | ".join(map(str, self.members))

    def __repr__(self) -> str:
        return repr(str(self))


def members_of(gold: object) -> tuple[object, ...]:
    """Return the items that stand for a judged item: the members of a group, or the item itself."""
    return gold.members if isinstance(gold, GoldGroup) else (gold,)


def are_groups(items: Iterable[object]) -> bool:
    """Whether a list of judged items holds lists or sets of texts, each a group."""
    listed = [*items]
    return bool(listed) and all(
        isinstance(group, list | set | frozenset) and group and all(isinstance(member, str) for member in group)
        for group in listed
    )


def grouped(groups: Iterable[Iterable[object]]) -> dict[Any, int]:
    """Return groups as judged items of grade 1; a group of one is its member."""
    listed = [sorted(group) if isinstance(group, set | frozenset) else [*group] for group in groups]
    return {group[0] if len(group) == 1 else GoldGroup(group): 1 for group in listed}


def grouped_rows(rows: Iterable[tuple[object, object, object, object]]) -> dict[object, dict[object, object]]:
    """Return ``{query: {item: grade}}`` for rows of query, item, grade and group; one without a group is an item.

    A row without an item is a query without relevant items.

    >>> grouped_rows([("q", "a", 1, 1), ("q", "b", 1, 1), ("q", "c", 2, None)])
    {'q': {'a | b': 1, 'c': 2}}
    """
    members: dict[tuple[object, object], tuple[list[object], object]] = {}
    judgments: dict[object, dict[object, object]] = {}
    for query, item, grade, group in rows:
        judgments.setdefault(query, {})
        if item is None:
            continue
        key = query, ("item", item) if group is None or group == "" else ("group", group)
        items, known = members.setdefault(key, ([], grade))
        if known != grade:
            raise InputError(
                f"judgments: group {shown(group)} of query {shown(query)} has the grades {known} and {grade}"
            )
        items.append(item)
    for (query, _), (items, grade) in members.items():
        judgments[query][items[0] if len(items) == 1 else GoldGroup(items)] = grade
    return judgments
