"""Preferences of a judgment group as pairs of items, evaluated against one ranking.

Judged items are identified by their *place*: returned items are 0, 1, 2, ... in ranking order, and items that were
not returned follow, sorted by id. A smaller place is therefore ranked higher, and an item was returned if its place is
below the number of returned judged items.

A group with one subgroup is a list of levels: an item is preferred to all items on lower levels. A group with several
subgroups is a partial order: the preferences of all subgroups and their transitive closure (a before b and b before c
implies a before c).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.trec_eval.grouped_judgments import Subgroup

Places = Mapping[str, int]


class PreferenceCounts(NamedTuple):
    """Number of fulfilled preferences and of all preferences."""

    fulfilled: int
    possible: int


@dataclass(frozen=True)
class PreferencePairs:
    """Preferences as arrays of places: of the preferred item and of the other one."""

    better: Ints
    worse: Ints

    def counts(self, returned: int) -> list[PreferenceCounts]:
        """Count all preferences, those with at least one item returned, and those with both returned."""
        items = self.returned_items(returned)
        possible = np.bincount(items, minlength=3)
        fulfilled = np.bincount(items[self.fulfilled(returned)], minlength=3)
        return [PreferenceCounts(int(fulfilled[least:].sum()), int(possible[least:].sum())) for least in range(3)]

    def fulfilled(self, returned: int) -> Bools:
        """Whether each preference holds: the better item was returned, and the worse one is below it or missing."""
        return (self.better < self.worse) & (self.better < returned)

    def returned_items(self, returned: int) -> Ints:
        """Number of items of each pair that were returned: 0, 1 or 2."""
        return (self.better < returned).astype(np.int8) + (self.worse < returned)

    def without(self, places: Ints) -> PreferencePairs:
        """Return the pairs that contain none of these items."""
        kept = ~(np.isin(self.better, places) | np.isin(self.worse, places))
        return PreferencePairs(self.better[kept], self.worse[kept])

    @classmethod
    def concatenate(cls, parts: Sequence[PreferencePairs]) -> PreferencePairs:
        """Return the pairs of all parts."""
        return cls(np.concatenate([part.better for part in parts]), np.concatenate([part.worse for part in parts]))


@dataclass(frozen=True)
class JudgmentGroup:
    """Preferences of one assessor for one query, against one ranking."""

    pairs: PreferencePairs
    relevant: Ints
    """Places of the items above level 0."""
    nonrelevant: Ints
    """Places of the other items, best first."""
    lines: Ints | None
    """Places of all items, higher levels first, if the group is one list; None for a partial order."""
    lowest: int = 0
    """Index in ``lines`` at which the lowest level begins."""

    @property
    def states_each_pair_once(self) -> bool:
        """Whether no pair of items occurs twice; only a repeated line in a list of levels can repeat one."""
        return self.lines is None or len(np.unique(self.lines)) == len(self.lines)

    @classmethod
    def of(cls, subgroups: Mapping[str, Subgroup], places: Places, label: str) -> JudgmentGroup:
        """Derive the preferences of a group; ``label`` names the group in messages."""
        for name, subgroup in subgroups.items():
            _check_one_level_each(subgroup, f"{label}, subgroup {shown(name)}")
        if len(subgroups) == 1:
            return cls._of_levels(next(iter(subgroups.values())), places)
        return cls._of_parts([subgroups[name] for name in sorted(subgroups)], places, label)

    @classmethod
    def _of_levels(cls, subgroup: Subgroup, places: Places) -> JudgmentGroup:
        line, level = _sorted_lines(subgroup, places)
        return cls(
            pairs=_pairs_of_levels(line, level),
            relevant=np.sort(line[level > 0]),
            nonrelevant=np.sort(line[level <= 0]),
            lines=line,
            lowest=int(np.searchsorted(-level, -level[-1])),
        )

    @classmethod
    def _of_parts(cls, subgroups: Iterable[Subgroup], places: Places, label: str) -> JudgmentGroup:
        parts = [_sorted_lines(subgroup, places) for subgroup in subgroups]
        items = np.unique(np.concatenate([line for line, _ in parts]))
        level_of = np.full(len(items), np.nan)
        prefers = np.zeros((len(items), len(items)), dtype=bool)
        for line, level in parts:
            positions = np.searchsorted(items, line)
            _check_relevance(level_of[positions], level, line, places, label)
            level_of[positions] = level
            stated = _pairs_of_levels(positions, level)
            prefers[stated.better, stated.worse] = True
        for middle in range(len(items)):  # transitive closure
            prefers[prefers[:, middle]] |= prefers[middle]
        _check_acyclic(prefers, items, places, label)
        better, worse = np.nonzero(prefers)
        pairs = PreferencePairs(items[better], items[worse])
        return cls(pairs, items[level_of > 0], items[level_of == 0], lines=None)

    def with_nonrelevant(self, count: int) -> PreferencePairs:
        """Return the preferences with only the ``count`` highest-ranked non-relevant items, as trec_eval counts them.

        In a partial order the other non-relevant items are dropped. In a list of levels trec_eval pairs *every* item,
        including non-relevant ones, with the items that are kept: such a pair counts as possible, and as fulfilled if
        the first item is ranked higher.
        """
        if self.lines is None:
            return self.pairs.without(self.nonrelevant[len(self.relevant) :])
        low = self.lines[self.lowest :]
        kept = low[:count]
        to_kept = PreferencePairs(np.repeat(self.lines, len(kept)), np.tile(kept, len(self.lines)))
        return PreferencePairs.concatenate([self.pairs.without(low), to_kept])


def _sorted_lines(subgroup: Subgroup, places: Places) -> tuple[Ints, Floats]:
    """Return the place and level of each line, sorted by descending level and ascending place."""
    place = np.array([places[item] for item, _ in subgroup], dtype=np.int32)
    level = np.array([level for _, level in subgroup], dtype=np.float64)
    order = np.lexsort((place, -level))
    return place[order], level[order]


def _pairs_of_levels(line: Ints, level: Floats) -> PreferencePairs:
    """Pair every line with every line of a lower level; the lines are sorted by descending level."""
    lower_from = np.searchsorted(-level, -level, side="right")
    count = len(line) - lower_from
    within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return PreferencePairs(np.repeat(line, count), line[np.repeat(lower_from, count) + within])


def _check_one_level_each(subgroup: Subgroup, label: str) -> None:
    levels: dict[str, float] = {}
    for item, level in subgroup:
        if levels.setdefault(item, level) != level:
            raise InputError(
                f"{label}: item {shown(item)} has the levels {levels[item]:g} and {level:g}; keep one of them"
            )


def _check_relevance(before: Floats, level: Floats, line: Ints, places: Places, label: str) -> None:
    contrary = ((before > 0) & (level == 0)) | ((before == 0) & (level > 0))
    if contrary.any():
        item = _item_at(int(line[np.argmax(contrary)]), places)
        raise InputError(
            f"{label}: item {shown(item)} has level 0 in one subgroup and a higher level in another; "
            "level 0 means not relevant, so use it in all subgroups of the group or in none"
        )


def _check_acyclic(prefers: Bools, items: Ints, places: Places, label: str) -> None:
    both = prefers & prefers.T
    np.fill_diagonal(both, val=False)
    if both.any():
        first, second = (_item_at(int(items[at]), places) for at in np.argwhere(both)[0])
        raise InputError(
            f"{label}: the preferences contain a cycle: {shown(first)} is preferred to {shown(second)} and vice versa, "
            "directly or indirectly; put contradictory judgments into different groups"
        )


def _item_at(place: int, places: Places) -> str:
    return next(item for item, item_place in places.items() if item_place == place)
