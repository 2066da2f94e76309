"""Random worlds: small data sets of a few queries with judgments and a ranking, generated from a seed.

This module uses only the standard library, so that it works in the environment of every tool.
"""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Query = dict[str, Any]
"""``{"query": id, "judged": {item: grade}, "ranking": [[item, score], ...]}``, the ranking in input order."""
World = list[Query]

LEVELS = (0.125, 0.25, 0.375, 0.5, 0.75)
"""Scores of worlds with ties."""
NEIGHBOURS = 5
"""Exact neighbours of a query, graded by their order."""
HAIR = 2.0**-40
"""A difference between scores that vanishes in single precision."""


@dataclass(frozen=True)
class Kind:
    """A kind of worlds, as a tool accepts them."""

    grades: str = "graded"
    """``graded``: 0 to 4; ``binary``: 0 and 1; ``unit``: quarters from 0 to 1; ``neighbours``: five items by their order;
    ``esci``: 0, 0.01, 0.1 and 1; ``mixed``: also negative and fractional."""
    pool: str = "open"
    """``open``: with relevant items that are not returned and returned items that are not judged; ``closed``: without."""
    ties: bool = False
    zero: bool = True
    """Whether some queries have no relevant items."""
    missing: bool = False
    """Whether some judged queries have no ranking."""
    least: int = 1
    """Length of the shortest list."""
    most: int = 45
    """Length of the longest list."""
    signed: bool = False
    """Whether some scores are 0 or less."""
    queries: int = 4
    """Maximum number of queries of a world."""
    repeats: bool = False
    """Whether some items are returned more than once."""
    groups: bool = False
    """Whether relevant items form groups of which any member will do."""
    units: bool = False
    """Whether returned items are parts of judged units, often several of the same."""
    single: bool = False
    """Whether exactly one item of each query is relevant, and it is returned."""
    weights: bool = False
    """Whether queries have weights, whose mean in a world is 1."""

    def name(self) -> str:
        """Return the kind as part of a file name."""
        words = [self.grades, self.pool, "ties" if self.ties else "noties", "zero" if self.zero else "relevant"]
        words += [
            word
            for word in ("missing", "signed", "repeats", "groups", "units", "single", "weights")
            if getattr(self, word)
        ]
        return "-".join([*words, f"{self.least}to{self.most}", f"{self.queries}q"])


def make_worlds(kind: Kind, count: int, seed: int = 20250101) -> list[World]:
    """Generate worlds of a kind."""
    chance = random.Random(f"{seed} {kind.name()}")
    return [_world(chance, kind) for _ in range(count)]


def _world(chance: random.Random, kind: Kind) -> World:
    world = [_query(chance, kind, number) for number in range(chance.randint(1, kind.queries))]
    if kind.missing and len(world) > 1:
        for query in world[1:]:
            if chance.random() < 0.2:
                query["ranking"] = []
    if kind.weights:
        drawn = [chance.choice((1, 2, 5)) for _ in world]
        for query, weight in zip(world, drawn, strict=True):
            query["weight"] = weight * len(drawn) / sum(drawn)
    return world


def _query(chance: random.Random, kind: Kind, number: int) -> Query:
    long = chance.random() < 0.1 and kind.most > 12
    length = chance.randint(12, kind.most) if long else chance.randint(kind.least, min(12, kind.most))
    more = chance.randint(0, 6) if kind.pool == "open" else 0
    items = [f"d{place}" for place in chance.sample(range(1, 2000), length + more)]
    shown = items[:length]
    relevant = chance.choice((0.15, 0.4, 0.4, 0.7, 1.0))
    if kind.zero and chance.random() < 0.12:
        relevant = 0.0
    unjudged = 0.3 if kind.pool == "open" and chance.random() < 0.7 else 0.0
    judged = {
        item: _grade(chance, kind, relevant)
        for place, item in enumerate(items)
        if place >= length or chance.random() >= unjudged
    }
    if not judged:
        judged[shown[0]] = _grade(chance, kind, relevant)
    if not kind.zero and not any(judged.values()):
        judged[chance.choice(list(judged))] = 1
    if kind.single:
        chosen = chance.choice(shown)
        judged = {item: int(item == chosen) for item in {**judged, chosen: 1}}
    if kind.repeats:
        shown = [
            chance.choice(shown[:place]) if place and chance.random() < 0.25 else shown[place]
            for place in range(length)
        ]
    scores = _scores(chance, kind, length)
    query = {
        "query": f"q{number}",
        "judged": judged,
        "ranking": [list(pair) for pair in zip(shown, scores, strict=True)],
    }
    if kind.grades == "neighbours":
        exact = chance.sample(items + [f"e{place}" for place in range(NEIGHBOURS)], NEIGHBOURS)
        query["judged"] = {item: 1 / math.log2(rank + 1) for rank, item in enumerate(exact, 1)}
    if kind.groups:
        query["groups"] = _groups(chance, relevant_items(query))
    if kind.units:
        query["units"] = dict(zip(_parts(shown), shown, strict=True))
        query["ranking"] = [[part, score] for part, score in zip(query["units"], scores, strict=True)]
    return query


def _groups(chance: random.Random, items: list[str]) -> list[list[str]]:
    """Divide items into groups of one to three."""
    groups: list[list[str]] = []
    while items:
        size = chance.randint(1, 3)
        groups, items = [*groups, items[:size]], items[size:]
    return groups


def _parts(units: list[str]) -> list[str]:
    """Return a part of each unit, under a name of its own."""
    return [f"{unit}_{units[:place].count(unit)}" for place, unit in enumerate(units)]


def _grade(chance: random.Random, kind: Kind, relevant: float) -> float:
    if chance.random() >= relevant:
        return 0
    if kind.grades == "binary":
        return 1
    if kind.grades == "esci":
        return chance.choice((0.01, 0.1, 1))
    if kind.grades == "mixed":
        return chance.choice((-1, -0.5, 0.25, 0.5, 1, 2, 2.5))
    grade = chance.choice((1, 1, 2, 3, 4))
    return grade / 4 if kind.grades == "unit" else grade


def _scores(chance: random.Random, kind: Kind, length: int) -> list[float]:
    """Generate scores: without ties distinct in single precision; with ties often equal or nearly equal; positive unless signed."""
    if kind.signed:
        return [step / 1024 for step in chance.sample(range(-511, 512), length)]
    if not kind.ties or chance.random() < 0.2:
        return [step / 1024 for step in chance.sample(range(1, 1024), length)]
    return [chance.choice(LEVELS) + HAIR * (chance.random() < 0.15) for _ in range(length)]


def write_worlds(kind: Kind, count: int, folder: Path) -> Path:
    """Write the worlds to a JSON file, unless it exists."""
    path = folder / f"worlds-{kind.name()}-{count}.json"
    if not path.exists():
        path.write_text(json.dumps(make_worlds(kind, count)), encoding="utf-8")
    return path


def labels(query: Query) -> list[float]:
    """Return the grades of the list in input order."""
    return [query["judged"].get(item, 0) for item, _ in query["ranking"]]


def scores(query: Query) -> list[float]:
    """Return the scores of the list in input order."""
    return [score for _, score in query["ranking"]]


def ordered(query: Query) -> list[str]:
    """Return the items, best first; for worlds without ties."""
    return [item for item, _ in sorted(query["ranking"], key=lambda pair: -pair[1])]


def relevant_items(query: Query) -> list[str]:
    """Return the items with a grade above 0."""
    return [item for item, grade in query["judged"].items() if grade > 0]


def each(worlds: list[World], value: Any) -> list[list[float]]:
    """Return a value for each query of each world."""
    return [[value(query) for query in world] for world in worlds]


NUMBERS: dict[str, int] = {}
"""Items with names of another form, by the order in which they were seen."""


def number_of(item: str) -> int:
    """Return the item as a number."""
    number = item.removeprefix("d")
    return int(number) if number.isdecimal() else NUMBERS.setdefault(item, len(NUMBERS))
