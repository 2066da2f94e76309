"""Random worlds: a few queries each, with judgments and a ranking, made from a seed.

Only the standard library is used, so that every tool's environment can read them.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Query = dict[str, Any]
"""``{"query": id, "judged": {item: grade}, "ranking": [[item, score], ...]}``, the ranking in the order of the input."""
World = list[Query]

LEVELS = (0.125, 0.25, 0.375, 0.5, 0.75)
"""The scores of worlds with ties."""
HAIR = 2.0**-40
"""What tells two scores apart in double precision and not in single precision."""


@dataclass(frozen=True)
class Kind:
    """What the worlds of a tool may hold."""

    grades: str = "graded"
    """``graded``: 0 to 4; ``binary``: 0 and 1."""
    pool: str = "open"
    """``open``: relevant items are missing from the list, and items of the list from the judgments; ``closed``: neither."""
    ties: bool = False
    zero: bool = True
    """Whether some queries have nothing relevant."""
    missing: bool = False
    """Whether some judged queries have no ranking."""
    least: int = 1
    """The length of the shortest list."""
    most: int = 45
    """The length of the longest list."""
    signed: bool = False
    """Whether some scores are 0 or less."""
    queries: int = 4
    """How many queries a world has at most."""

    def name(self) -> str:
        """The kind as a file name."""
        words = [self.grades, self.pool, "ties" if self.ties else "noties", "zero" if self.zero else "relevant"]
        words += [word for word in ("missing", "signed") if getattr(self, word)]
        return "-".join([*words, f"{self.least}to{self.most}", f"{self.queries}q"])


def make_worlds(kind: Kind, count: int, seed: int = 20250101) -> list[World]:
    """So many worlds of a kind."""
    chance = random.Random(f"{seed} {kind.name()}")
    return [_world(chance, kind) for _ in range(count)]


def _world(chance: random.Random, kind: Kind) -> World:
    world = [_query(chance, kind, number) for number in range(chance.randint(1, kind.queries))]
    if kind.missing and len(world) > 1:
        for query in world[1:]:
            if chance.random() < 0.2:
                query["ranking"] = []
    return world


def _query(chance: random.Random, kind: Kind, number: int) -> Query:
    long = chance.random() < 0.1 and kind.most > 12
    length = chance.randint(12, kind.most) if long else chance.randint(kind.least, min(12, kind.most))
    more = chance.randint(0, 6) if kind.pool == "open" else 0
    items = [f"d{one}" for one in chance.sample(range(1, 2000), length + more)]
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
    scores = _scores(chance, kind, length)
    return {
        "query": f"q{number}",
        "judged": judged,
        "ranking": [list(pair) for pair in zip(shown, scores, strict=True)],
    }


def _grade(chance: random.Random, kind: Kind, relevant: float) -> int:
    if chance.random() >= relevant:
        return 0
    return chance.choice((1, 1, 2, 3, 4)) if kind.grades == "graded" else 1


def _scores(chance: random.Random, kind: Kind, length: int) -> list[float]:
    """Without ties all apart in single precision; with ties often equal, or apart by a hair; above 0 unless signed."""
    if kind.signed:
        return [step / 1024 for step in chance.sample(range(-511, 512), length)]
    if not kind.ties or chance.random() < 0.2:
        return [step / 1024 for step in chance.sample(range(1, 1024), length)]
    return [chance.choice(LEVELS) + HAIR * (chance.random() < 0.15) for _ in range(length)]


def write_worlds(kind: Kind, count: int, folder: Path) -> Path:
    """The worlds as a file that every environment reads."""
    path = folder / f"worlds-{kind.name()}-{count}.json"
    if not path.exists():
        path.write_text(json.dumps(make_worlds(kind, count)), encoding="utf-8")
    return path


def labels(query: Query) -> list[int]:
    """The grades of the list in the order of the input, for tools that take a label for each score."""
    return [query["judged"].get(item, 0) for item, _ in query["ranking"]]


def scores(query: Query) -> list[float]:
    """The scores of the list in the order of the input."""
    return [score for _, score in query["ranking"]]


def ordered(query: Query) -> list[str]:
    """The items, best first, for tools that take lists; such worlds have no ties."""
    return [item for item, _ in sorted(query["ranking"], key=lambda pair: -pair[1])]


def relevant_items(query: Query) -> list[str]:
    """The items with a grade above 0."""
    return [item for item, grade in query["judged"].items() if grade > 0]


def each(worlds: list[World], value: Any) -> list[list[float]]:
    """A value for each query of each world."""
    return [[value(query) for query in world] for world in worlds]


def number_of(item: str) -> int:
    """The item as a number, for tools that want numbers."""
    return int(item.removeprefix("d"))
