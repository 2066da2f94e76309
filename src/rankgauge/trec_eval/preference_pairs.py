"""What a judgment group prefers, as pairs of items, against one ranking.

Items are known by their *place*: the returned ones among the judged are 0, 1, 2, ... in the order of the ranking, and
those that were not returned follow in the order of their ids. So of two places the smaller one was ranked higher,
and an item was returned when its place is below the number of judged items that were.

A group with one subgroup is a list of levels: an item is preferred to all on lower levels. A group with several is a
partial order: the preferences of all subgroups together, and what follows from them (a before b and b before c, so a
before c).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.trec_eval.grouped_files import Subgroup

Places = Mapping[str, int]


class Counts(NamedTuple):
    """How many preferences are fulfilled, and how many there are."""

    fulfilled: int
    possible: int


@dataclass(frozen=True)
class Pairs:
    """Preferences, one in each row: the place of the item that is better, and of the one that is worse."""

    better: Ints
    worse: Ints

    def counts(self, returned: int) -> list[Counts]:
        """The counts of all preferences, of those with at least one item returned, and of those with both."""
        shown = self.shown(returned)
        possible = np.bincount(shown, minlength=3)
        fulfilled = np.bincount(shown[self.fulfilled(returned)], minlength=3)
        return [Counts(int(fulfilled[least:].sum()), int(possible[least:].sum())) for least in range(3)]

    def fulfilled(self, returned: int) -> Bools:
        """Which preferences hold: the better item was returned, and the worse one stands below it or was not."""
        return (self.better < self.worse) & (self.better < returned)

    def shown(self, returned: int) -> Ints:
        """How many items of each pair were returned: 0, 1 or 2."""
        return (self.better < returned).astype(np.int8) + (self.worse < returned)

    def without(self, places: Ints) -> Pairs:
        """Those in which none of these items takes part."""
        kept = ~(np.isin(self.better, places) | np.isin(self.worse, places))
        return Pairs(self.better[kept], self.worse[kept])

    def and_also(self, other: Pairs) -> Pairs:
        """These pairs and the others."""
        return Pairs(np.concatenate((self.better, other.better)), np.concatenate((self.worse, other.worse)))


@dataclass(frozen=True)
class Group:
    """One judgment group against one ranking."""

    pairs: Pairs
    relevant: Ints
    """The places of the items above level 0."""
    nonrelevant: Ints
    """The places of the others, best first."""
    lines: Ints | None
    """The places of all items, higher levels first, where the group is one list; None for a partial order."""
    lowest: int = 0
    """Where in ``lines`` the lowest level begins."""

    @property
    def states_each_pair_once(self) -> bool:
        """Whether no two preferences speak of the same pair; only a line that stands in a list twice brings that."""
        return self.lines is None or len(np.unique(self.lines)) == len(self.lines)

    @classmethod
    def of(cls, subgroups: Mapping[str, Subgroup], places: Places, whose: str) -> Group:
        """The preferences of a group; ``whose`` says in messages which group it is."""
        for name, subgroup in subgroups.items():
            _check_one_level_each(subgroup, f"{whose}, subgroup {shown(name)}")
        if len(subgroups) == 1:
            return cls._of_levels(next(iter(subgroups.values())), places)
        return cls._of_parts([subgroups[name] for name in sorted(subgroups)], places, whose)

    @classmethod
    def _of_levels(cls, subgroup: Subgroup, places: Places) -> Group:
        line, level = _sorted_lines(subgroup, places)
        return cls(
            pairs=_pairs_of_levels(line, level),
            relevant=np.sort(line[level > 0]),
            nonrelevant=np.sort(line[level <= 0]),
            lines=line,
            lowest=int(np.searchsorted(-level, -level[-1])),
        )

    @classmethod
    def _of_parts(cls, subgroups: Iterable[Subgroup], places: Places, whose: str) -> Group:
        parts = [_sorted_lines(subgroup, places) for subgroup in subgroups]
        items = np.unique(np.concatenate([line for line, _ in parts]))
        level_of = np.full(len(items), np.nan)
        prefers = np.zeros((len(items), len(items)), dtype=bool)
        for line, level in parts:
            own = np.searchsorted(items, line)
            _check_relevance(level_of[own], level, line, places, whose)
            level_of[own] = level
            some = _pairs_of_levels(own, level)
            prefers[some.better, some.worse] = True
        for middle in range(len(items)):  # what is preferred to the middle is preferred to all that it is preferred to
            prefers[prefers[:, middle]] |= prefers[middle]
        _check_no_circle(prefers, items, places, whose)
        better, worse = np.nonzero(prefers)
        pairs = Pairs(items[better], items[worse])
        return cls(pairs, items[level_of > 0], items[level_of == 0], lines=None)

    def with_nonrelevant(self, count: int) -> Pairs:
        """The preferences with only so many non-relevant items, the highest ranked, as trec_eval counts them.

        In a partial order the other non-relevant items are left out. In a list of levels trec_eval pairs *every*
        item with those that are kept, also the non-relevant ones themselves: such a pair counts as possible, and
        as fulfilled where the first of the two is ranked higher.
        """
        if self.lines is None:
            return self.pairs.without(self.nonrelevant[len(self.relevant) :])
        low = self.lines[self.lowest :]
        kept = low[:count]
        to_kept = Pairs(np.repeat(self.lines, len(kept)), np.tile(kept, len(self.lines)))
        return self.pairs.without(low).and_also(to_kept)


def _sorted_lines(subgroup: Subgroup, places: Places) -> tuple[Ints, Floats]:
    """The place and level of each line, higher levels first and higher ranked items first."""
    place = np.array([places[item] for item, _ in subgroup], dtype=np.int32)
    level = np.array([level for _, level in subgroup], dtype=np.float64)
    order = np.lexsort((place, -level))
    return place[order], level[order]


def _pairs_of_levels(line: Ints, level: Floats) -> Pairs:
    """Every line before every line of a lower level; the lines are in descending order of their levels."""
    lower_from = np.searchsorted(-level, -level, side="right")
    count = len(line) - lower_from
    within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return Pairs(np.repeat(line, count), line[np.repeat(lower_from, count) + within])


def _check_one_level_each(subgroup: Subgroup, whose: str) -> None:
    levels: dict[str, float] = {}
    for item, level in subgroup:
        if levels.setdefault(item, level) != level:
            raise InputError(
                f"{whose}: item {shown(item)} has the levels {levels[item]:g} and {level:g}; keep one of them"
            )


def _check_relevance(before: Floats, level: Floats, line: Ints, places: Places, whose: str) -> None:
    contrary = ((before > 0) & (level == 0)) | ((before == 0) & (level > 0))
    if contrary.any():
        item = _item_at(int(line[np.argmax(contrary)]), places)
        raise InputError(
            f"{whose}: item {shown(item)} has level 0 in one subgroup and a higher level in another; "
            "0 says that it is not relevant, so give it 0 in all subgroups of the group or in none"
        )


def _check_no_circle(prefers: Bools, items: Ints, places: Places, whose: str) -> None:
    both = prefers & prefers.T
    np.fill_diagonal(both, val=False)
    if both.any():
        first, second = (_item_at(int(items[at]), places) for at in np.argwhere(both)[0])
        told = f"{shown(first)} is preferred to {shown(second)} and the other way round"
        raise InputError(f"{whose}: {told}, directly or through others; contrary opinions belong in different groups")


def _item_at(place: int, places: Places) -> str:
    return next(item for item, one in places.items() if one == place)
