"""The laws of ranking metrics, each as a change to a small world and what the change may do to the value.

A metric keeps every law that it does not declare to break (``breaks``). Values are compared where both are
defined; that they are is a law of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from worlds import World

LEVEL = 1
"""The relevance level of the default convention, at which all laws are tried."""
GRADES = (0, 1, 2)
TOLERANCE = 1e-12

Values = npt.NDArray[np.float64]
Verdicts = npt.NDArray[np.bool_]


class Change(NamedTuple):
    """A world after the change, and the highest rank that it touched (1 where that does not matter)."""

    after: World
    rank: int = 1


@dataclass(frozen=True)
class Law:
    """How a law is tried; what it says stands in ``rankgauge.metric_core.laws``."""

    changes: Callable[[World], Iterator[Change]]
    """What the law does to a world; nothing for a world of which it does not speak."""
    keeps: Callable[[Values, Values], Verdicts]
    """Whether the law is kept, from the values before and after."""
    at_next_cutoff: bool = False
    """Whether the value after is that of the next cutoff."""
    within_cutoff: bool = False
    """Whether the law speaks only of changes at ranks down to the cutoff."""


def small_worlds() -> Iterator[World]:
    """All lists of up to four items, unjudged or of grade 0, 1, 2, with up to two unreturned judged items."""
    for length, missed in product(range(5), range(3)):
        for grades in product((None, *GRADES), repeat=length):
            for unreturned in combinations_with_replacement(GRADES, missed):
                yield World(grades, unreturned)


# What a law does to a world


def worth(grade: float | None) -> float:
    """An unjudged item counts as one of grade 0."""
    return grade or 0


def is_relevant(grade: float | None) -> bool:
    return worth(grade) >= LEVEL


def itself(world: World) -> Iterator[Change]:
    yield Change(world)


def itself_without_relevant(world: World) -> Iterator[Change]:
    if not any(map(is_relevant, (*world.grades, *world.unreturned))):
        yield Change(world)


def ideal_order(world: World) -> Iterator[Change]:
    judged = [grade for grade in (*world.grades, *world.unreturned) if grade is not None]
    if any(map(is_relevant, judged)):
        yield Change(World(tuple(sorted(judged, reverse=True))))


def better_moved_up(world: World) -> Iterator[Change]:
    for place, (upper, lower) in enumerate(zip(world.grades, world.grades[1:], strict=False)):
        if worth(lower) > worth(upper):
            yield Change(_swapped(world, place), rank=place + 1)


def equals_swapped(world: World) -> Iterator[Change]:
    for place, (upper, lower) in enumerate(zip(world.grades, world.grades[1:], strict=False)):
        if worth(lower) == worth(upper) and lower != upper:  # the very same grade: the very same list
            yield Change(_swapped(world, place), rank=place + 1)


def nonrelevant_replaced(world: World) -> Iterator[Change]:
    for place, out in enumerate(world.grades):
        for grade in {*filter(is_relevant, world.unreturned)}:
            if not is_relevant(out):
                kept = _without(world.unreturned, grade) + _if_judged(out)
                yield Change(_world(_with(world.grades, place, grade), kept), rank=place + 1)


def relevant_appended(world: World) -> Iterator[Change]:
    for grade in {*filter(is_relevant, world.unreturned)}:
        yield Change(_world((*world.grades, grade), _without(world.unreturned, grade)))


def useless_appended(world: World) -> Iterator[Change]:
    yield Change(_world((*world.grades, None), world.unreturned))
    if 0 in world.unreturned:
        yield Change(_world((*world.grades, 0), _without(world.unreturned, 0)))


def nonrelevant_dropped(world: World) -> Iterator[Change]:
    for place, out in enumerate(world.grades):
        if not is_relevant(out):
            shorter = world.grades[:place] + world.grades[place + 1 :]
            yield Change(_world(shorter, world.unreturned + _if_judged(out)), rank=place + 1)


def unreturned_relevant_added(world: World) -> Iterator[Change]:
    for grade in filter(is_relevant, GRADES):
        yield Change(_world(world.grades, (*world.unreturned, grade)))


def unreturned_nonrelevant_added(world: World) -> Iterator[Change]:
    yield Change(_world(world.grades, (*world.unreturned, 0)))


def grade_raised(world: World) -> Iterator[Change]:
    for place, grade in enumerate(world.grades):
        for higher in GRADES:
            if grade is not None and higher > grade:
                yield Change(_world(_with(world.grades, place, higher), world.unreturned), rank=place + 1)


def _world(grades: tuple[float | None, ...], unreturned: tuple[float, ...]) -> World:
    return World(grades, tuple(sorted(unreturned)))  # one order, so that the same world is met again


def _swapped(world: World, place: int) -> World:
    upper, lower = world.grades[place : place + 2]
    return replace(world, grades=(*world.grades[:place], lower, upper, *world.grades[place + 2 :]))


def _with(grades: tuple[float | None, ...], place: int, grade: float) -> tuple[float | None, ...]:
    return (*grades[:place], grade, *grades[place + 1 :])


def _without(grades: tuple[float, ...], grade: float) -> tuple[float, ...]:
    place = grades.index(grade)
    return grades[:place] + grades[place + 1 :]


def _if_judged(grade: float | None) -> tuple[float, ...]:
    return () if grade is None else (grade,)


# What it may do to the value


def undefined(before: Values, after: Values) -> Verdicts:
    return np.isnan(before) | np.isnan(after)


def in_unit_interval(_: Values, after: Values) -> Verdicts:
    return np.isnan(after) | ((after >= -TOLERANCE) & (after <= 1 + TOLERANCE))


def one(_: Values, after: Values) -> Verdicts:
    return np.isnan(after) | (np.abs(after - 1) <= TOLERANCE)


def defined(_: Values, after: Values) -> Verdicts:
    return ~np.isnan(after)


def never_lower(before: Values, after: Values) -> Verdicts:
    return undefined(before, after) | (after >= before - TOLERANCE)


def never_higher(before: Values, after: Values) -> Verdicts:
    return undefined(before, after) | (after <= before + TOLERANCE)


def higher(before: Values, after: Values) -> Verdicts:
    return undefined(before, after) | (after > before + TOLERANCE)


def unchanged(before: Values, after: Values) -> Verdicts:
    return undefined(before, after) | (np.abs(after - before) <= TOLERANCE)


LAWS: dict[str, Law] = {
    "bounded": Law(itself, in_unit_interval),
    "ideal_is_one": Law(ideal_order, one),
    "swap": Law(better_moved_up, never_lower),
    "strict_swap": Law(better_moved_up, higher, within_cutoff=True),
    "equal_swap": Law(equals_swapped, unchanged),
    "replace": Law(nonrelevant_replaced, never_lower),
    "append": Law(relevant_appended, never_lower),
    "tail": Law(useless_appended, unchanged),
    "drop": Law(nonrelevant_dropped, never_lower),
    "grows_with_k": Law(itself, never_lower, at_next_cutoff=True),
    "localised": Law(unreturned_relevant_added, unchanged),
    "added_relevant": Law(unreturned_relevant_added, never_higher),
    "raised_grade": Law(grade_raised, never_lower),
    "unreturned_nonrelevant": Law(unreturned_nonrelevant_added, unchanged),
    "defined": Law(itself_without_relevant, defined),
}
"""Every law by the name under which a metric declares to break it."""
