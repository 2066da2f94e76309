"""TREC files of many worlds, with numbers as topics, for programs that are called once for all worlds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

from worlds import World


def write_files(worlds: Sequence[World], folder: Path) -> tuple[str, str]:
    """Write the judgments and the run; return both paths."""
    queries = list(enumerate((query for world in worlds for query in world), 1))
    judged = [f"{topic} 0 {item} {grade}" for topic, query in queries for item, grade in query["judged"].items()]
    ranked = [f"{topic} Q0 {item} 1 {score!r} it" for topic, query in queries for item, score in query["ranking"]]
    paths = folder / "qrels", folder / "run"
    for path, lines in zip(paths, (judged, ranked), strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(paths[0]), str(paths[1])


def each_query(worlds: Sequence[World], answer: Mapping[int, float]) -> list[list[float | None]]:
    """Return the value of each query of each world from the values of topics; None for topics without one."""
    topics = count(1)
    return [[answer.get(next(topics)) for _ in world] for world in worlds]
