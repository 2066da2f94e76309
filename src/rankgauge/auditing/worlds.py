"""Worlds: small judgments with a ranking, on which a metric is tried, the smallest first."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
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
TIES = {2: ((1.0, 1.0),), 3: ((1.0, 1.0, 1.0), (2.0, 2.0, 1.0), (2.0, 1.0, 1.0))}
"""Scores of short lists with equal ones."""
DEPTHS = (*range(4, 22), 25, 26, 30, 31, 50, 51, 100, 101)
"""Ranks at which the only relevant item is put: on both sides of usual cutoffs, so that a hidden one is seen."""
FEW_DEPTHS = (6, 11, 21, 101)
"""The same for a program, which takes much longer than a function."""
LONG, RELEVANT = 150, 30
"""Items of the longest lists, and how many of them are relevant."""
HIGHER = (2.0, 3.0, 4.0, 5.0)
"""Grades above those of other worlds, which show a threshold, a limit of the gain and a comparison with 1."""
SEED = 0
CUTOFF = Phrase(", k = {k}", "，k = {k}")
AND_OTHERS = Phrase(", and {count} others", "，另有 {count} 个")
SHOWN = 20
"""Items of a list that are shown."""
OF_QUERY = Phrase("q{number}: {world}", "q{number}：{world}")
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
    def in_order(self) -> bool:
        """Whether the items are passed best first."""
        scores = [score for _, score in self.ranking]
        return scores == sorted(scores, reverse=True)

    @property
    def has_relevant(self) -> bool:
        """Whether a judged item is relevant."""
        return any(grade > 0 for _, grade in self.gold)

    @property
    def highest(self) -> float:
        """The highest grade; 0 if nothing is judged."""
        return max((grade for _, grade in self.gold), default=0.0)

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

    def rescored(self) -> Iterator[World]:
        """Yield the list with other scores in the same order: negative, around 0, near 0, near 1, and large."""
        scores = sorted(score for _, score in self.ranking)
        middle, highest = scores[len(scores) // 2], scores[-1]
        for factor, shift in ((1.0, -highest - 1), (1.0, -middle), (1e-5, 0.0), (1e-5, 1.0), (1e6, 0.0)):
            yield self._replace(ranking=tuple((item, factor * score + shift) for item, score in self.ranking))

    def to_dict(self) -> PlainData:
        """Return the world as plain data."""
        return {"judgments": self.grades, "ranking": self.source, "k": self.k}

    def render(self, lang: Lang = "en") -> str:
        """Return the world in one line, with scores where the order alone does not say them."""
        gold = _joined([f"{item}: {grade:g}" for item, grade in self.gold], lang)
        scored = [f"{item} {score:g}" for item, score in self.ranking]
        ranking = _joined(self.items if self.ranking == listed(self.items) else scored, lang)
        cutoff = "" if self.k is None else CUTOFF.render(lang, k=self.k)
        return IN_ONE_LINE.render(lang, gold=f"{{{gold}}}", ranking=f"[{ranking}]", cutoff=cutoff)

    def __str__(self) -> str:
        return self.render()


def _joined(texts: Sequence[str], lang: Lang) -> str:
    """Return texts in one line; of many the first, and how many others there are."""
    others = len(texts) - SHOWN
    return ", ".join(texts) if others <= 1 else ", ".join(texts[:SHOWN]) + AND_OTHERS.render(lang, count=others)


class Queries(NamedTuple):
    """Several queries that a function receives in one call."""

    worlds: tuple[World, ...]

    @property
    def size(self) -> int:
        """Number of items of the largest query."""
        return max(world.size for world in self.worlds)

    def to_dict(self) -> PlainData:
        """Return the queries as plain data: judgments and rankings by query."""
        named = [(f"q{number}", world) for number, world in enumerate(self.worlds, 1)]
        judgments, rankings = {q: world.grades for q, world in named}, {q: world.source for q, world in named}
        return {"judgments": judgments, "ranking": rankings, "k": self.worlds[0].k}

    def render(self, lang: Lang = "en") -> str:
        """Return the queries in one line."""
        queries = enumerate((world.render(lang) for world in self.worlds), 1)
        parts = (OF_QUERY.render(lang, number=number, world=world) for number, world in queries)
        return Phrase("; ", "；").render(lang).join(parts)

    def __str__(self) -> str:
        return self.render()


def listed(items: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """Return items with descending scores.

    >>> listed(("a", "b"))
    (('a', 2.0), ('b', 1.0))
    """
    return tuple((item, float(len(items) - place)) for place, item in enumerate(items))


def plain_first(world: World) -> tuple[bool, bool, bool, int, int]:
    """Return the place of a world among counterexamples: plain ones first, the smallest first."""
    return not world.has_relevant, world.ties, world.repeats, world.size, len(world.ranking)


def small_worlds() -> Iterator[World]:
    """Yield all worlds with short lists, without ties or repeats, by size."""
    worlds = [
        _world(grades, missed)
        for length in range(SMALL + 1)
        for grades in product(GRADES, repeat=length)
        for missed in range(MAX_MISSED + 1)
        if missed or any(grade is not None for grade in grades)
    ]
    return iter(sorted(worlds, key=_by_size))


def _by_size(world: World) -> tuple[int, int]:
    return world.size, len(world.ranking)


def _world(grades: tuple[int | None, ...], missed: int) -> World:
    returned = ascii_lowercase[: len(grades)]
    others = ascii_lowercase[len(grades) : len(grades) + missed]
    gold = {item: float(grade) for item, grade in zip(returned, grades, strict=True) if grade is not None}
    return World(tuple((gold | dict.fromkeys(others, 1.0)).items()), listed(tuple(returned)))


def _shuffled(world: World, draw: random.Random) -> World:
    """Return the same world with its judgments in another order."""
    return world._replace(gold=tuple(draw.sample(world.gold, len(world.gold))))


def scored_worlds() -> Iterator[World]:
    """Yield short lists that only scores can express: passed worst first, or with equal scores; by size."""
    worlds = []
    for world in small_worlds():
        if len(world.ranking) > 1:
            worlds.append(world._replace(ranking=world.ranking[::-1]))
            complete = not {*world.grades} - {*world.items}
            for scores in TIES[len(world.ranking)] if complete else ():
                worlds += [world._replace(ranking=tuple(zip(world.items, scores, strict=True)))]
    return iter(sorted(worlds, key=_by_size))


def unsorted(world: World) -> Iterator[World]:
    """Yield the list worst first if its items are judged, with grades 0 and 1, and no others are."""
    if not world.repeats and {*world.grades} == {*world.items} and {*world.grades.values()} == {0.0, 1.0}:
        yield world._replace(ranking=world.ranking[::-1])


def rescored_worlds(k: int | None, *, few: bool) -> Iterator[World]:
    """Yield short lists with negative, close and large scores."""
    for world in small_worlds():
        if not few or world.size < SMALL:
            yield from (each._replace(k=k) for base in unsorted(world) for each in base.rescored())


def large_worlds(count: int = 40, longest: int = 14) -> Iterator[World]:
    """Yield random worlds in which cutoffs matter, some with ties, some with repeated items, some out of order."""
    draw = random.Random(SEED)  # noqa: S311 (not for security)
    for number in range(count):
        length = draw.randint(4, longest)
        grades = tuple(draw.choice((*GRADES, 0, 1)) for _ in range(length))
        world = _shuffled(_world(grades, draw.randint(0, MAX_MISSED) if number % 3 else 0), draw)
        order = draw.sample(world.items, length)
        if number % 4 == 1:
            scores = [float(draw.randint(1, 4)) for _ in order]
            yield world._replace(ranking=tuple(zip(order, scores, strict=True)))
        elif number % 4 == 3:  # noqa: PLR2004
            for _ in range(2):
                order.insert(draw.randint(1, length), draw.choice(order))
            yield world.returning(*order)
        else:
            best = world.returning(*order)
            yield best if number % 8 else best._replace(ranking=tuple(draw.sample(best.ranking, length)))


def closed_worlds(count: int = 36, longest: int = 14) -> Iterator[World]:
    """Yield random worlds in which the judged items are the returned ones: in order, in another order, with ties."""
    draw = random.Random(SEED + 1)  # noqa: S311 (not for security)
    for number in range(count):
        length = draw.randint(4, longest)
        world = _world(tuple(draw.choice((0, 0, 1, 2)) for _ in range(length)), 0)
        orders = (range(length, 0, -1), draw.sample(range(1, length + 1), length), draw.choices(range(1, 5), k=length))
        yield world._replace(ranking=tuple(zip(world.items, map(float, orders[number % 3]), strict=True)))


def deep_worlds(k: int | None, *, few: bool) -> Iterator[World]:
    """Yield lists whose only relevant item is the last, at each depth, at rank k and at the first beyond it."""
    draw = random.Random(SEED + 2)  # noqa: S311 (not for security)
    for depth in sorted({*(FEW_DEPTHS if few else DEPTHS), *(() if k is None else (k, k + 1))}):
        items = [f"d{number}" for number in range(depth)]
        draw.shuffle(items)
        grades = dict.fromkeys(items, 0.0) | {items[-1]: 1.0}
        yield _shuffled(World(tuple(grades.items()), listed(items), k), draw)


def long_worlds(k: int | None, *, few: bool) -> Iterator[World]:
    """Yield long lists with many relevant items: in another order than that of the scores, best first, and missed."""
    draw = random.Random(SEED + 4)  # noqa: S311 (not for security)
    items = [f"d{number:03}" for number in range(LONG)]  # none is a part of another
    for number in range(1 if few else 4):
        relevant, order = {*draw.sample(items, RELEVANT)}, draw.sample(items, LONG)
        world = World(tuple((item, float(item in relevant)) for item in items), listed(order), k)
        if number % 2 == 0:
            yield world._replace(ranking=tuple(draw.sample(world.ranking, LONG)))
        yield world if number else world.returning(*order[: LONG // 2])


def graded_worlds(k: int | None, *, few: bool) -> Iterator[World]:
    """Yield lists with higher grades than those of other worlds: each grade above and below 0 and 1, and missed."""
    for grade in HIGHER[: 2 if few else None]:
        lists = (
            ({"a": grade}, "a"),
            ({"a": 0, "b": grade}, "ab"),
            ({"a": grade, "b": 0}, "ab"),
            ({"a": 1, "b": grade}, "ab"),
            ({"a": 1, "b": grade}, "a"),
            ({"a": grade, "b": 1}, "a"),
            ({"a": 1, "b": 0, "c": grade}, "abc"),
            ({"a": 0, "b": grade, "c": 1}, "abc"),
        )
        for gold, items in lists:
            yield World(tuple((item, float(each)) for item, each in gold.items()), listed(tuple(items)), k)
    draw = random.Random(SEED + 3)  # noqa: S311 (not for security)
    for _ in range(0 if few else 8):
        length = draw.randint(4, 8)
        yield _world(tuple(draw.choice((0, 0, 1, 2, 3, 4, 5)) for _ in range(length)), 0)._replace(k=k)
