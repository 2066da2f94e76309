"""Worlds: small judgments with a ranking, on which a metric is tried, the smallest first."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product
from string import ascii_lowercase
from typing import NamedTuple

from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import PlainData

GRADES = (1, None, 0, 2)
"""Grades of a returned item; None is an unjudged one."""
MAX_MISSED = 2
"""Relevant items that were not returned."""
SMALL = 3
"""Lists up to this length are tried in all variants."""
SEED = 0
CUTOFF = Phrase(", k = {k}", "，k = {k}")
IN_ONE_LINE = Phrase("judged {gold}, returned {ranking}{cutoff}", "标注 {gold}，返回 {ranking}{cutoff}")


class World(NamedTuple):
    """Judged items, and what a system returned for one query, in the order in which the function receives it."""

    gold: tuple[tuple[str, float], ...]
    ranking: tuple[tuple[str, float], ...]
    """Items and scores."""
    k: int | None = None

    @property
    def grades(self) -> dict[str, float]:
        """The grade of each judged item."""
        return dict(self.gold)

    @property
    def items(self) -> list[str]:
        """The returned items, best first; tied ones in the order given."""
        return [item for item, _ in sorted(self.ranking, key=lambda pair: -pair[1])]

    @property
    def repeats(self) -> bool:
        """Whether an item is returned more than once."""
        return len({item for item, _ in self.ranking}) < len(self.ranking)

    @property
    def ties(self) -> bool:
        """Whether two scores are equal."""
        return len({score for _, score in self.ranking}) < len(self.ranking)

    @property
    def size(self) -> int:
        """Number of items, judged or returned."""
        return len({*self.grades, *self.items})

    @property
    def source(self) -> Mapping[str, float] | list[str]:
        """The ranking in a form that ``rg.evaluate`` takes."""
        return self.items if self.repeats else dict(self.ranking)

    def returning(self, *items: str) -> World:
        """Return the same judgments with another list."""
        return self._replace(ranking=listed(items))

    def judging(self, **grades: float) -> World:
        """Return the same list with these grades added or replaced."""
        return self._replace(gold=tuple((self.grades | grades).items()))

    def to_dict(self) -> PlainData:
        """Return the world as plain data."""
        return {"judgments": self.grades, "ranking": self.source, "k": self.k}

    def render(self, lang: Lang = "en") -> str:
        """Return the world in one line."""
        gold = ", ".join(f"{item}: {grade:g}" for item, grade in self.gold)
        scored = (f"{item} {score:g}" for item, score in self.ranking)
        ranking = ", ".join(scored if self.ties else self.items)
        cutoff = "" if self.k is None else CUTOFF.render(lang, k=self.k)
        return IN_ONE_LINE.render(lang, gold=f"{{{gold}}}", ranking=f"[{ranking}]", cutoff=cutoff)

    def __str__(self) -> str:
        return self.render()


def listed(items: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    """Return items with descending scores.

    >>> listed(("a", "b"))
    (('a', 2.0), ('b', 1.0))
    """
    return tuple((item, float(len(items) - place)) for place, item in enumerate(items))


def small_worlds() -> Iterator[World]:
    """Yield all worlds with short lists, without ties or repeats, by size."""
    worlds = [
        _world(grades, missed)
        for length in range(SMALL + 1)
        for grades in product(GRADES, repeat=length)
        for missed in range(MAX_MISSED + 1)
        if missed or any(grade is not None for grade in grades)
    ]
    return iter(sorted(worlds, key=lambda world: (world.size, len(world.ranking))))


def _world(grades: tuple[int | None, ...], missed: int) -> World:
    returned = ascii_lowercase[: len(grades)]
    others = ascii_lowercase[len(grades) : len(grades) + missed]
    gold = {item: float(grade) for item, grade in zip(returned, grades, strict=True) if grade is not None}
    return World(tuple((gold | dict.fromkeys(others, 1.0)).items()), listed(tuple(returned)))


def large_worlds(count: int = 40, longest: int = 14) -> Iterator[World]:
    """Yield random worlds in which cutoffs matter, some with ties, some with repeated items."""
    draw = random.Random(SEED)  # noqa: S311 (not for security)
    for number in range(count):
        length = draw.randint(4, longest)
        grades = tuple(draw.choice((*GRADES, 0, 1)) for _ in range(length))
        world = _world(grades, draw.randint(0, MAX_MISSED))
        order = draw.sample(world.items, length)
        if number % 4 == 1:
            scores = sorted((draw.randint(1, 4) for _ in order), reverse=True)
            yield world._replace(ranking=tuple(zip(order, map(float, scores), strict=True)))
        elif number % 4 == 3:  # noqa: PLR2004
            for _ in range(2):
                order.insert(draw.randint(1, length), draw.choice(order))
            yield world.returning(*order)
        else:
            yield world.returning(*order)
