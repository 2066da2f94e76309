"""TREC files of many worlds, with numbers as topics, for programs that are called once for all worlds."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import count
from pathlib import Path

from worlds import World


def printed_for(worlds: Sequence[World], *command: str, last: str | None = None) -> str:
    """Return what a program prints for the files of the worlds; ``last`` is an argument that follows the files."""
    return _printed(command, *_texts(worlds), () if last is None else (last,))


@lru_cache(maxsize=10_000)
def _printed(command: tuple[str, ...], judgments: str, run: str, last: tuple[str, ...]) -> str:
    """Call a program once for the same files, because it prints several metrics that are asked for one by one."""
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder, "qrels"), Path(folder, "run")
        for path, text in zip(paths, (judgments, run), strict=True):
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([*command, *map(str, paths), *last], capture_output=True, text=True, check=True)
    return done.stdout


def _texts(worlds: Sequence[World]) -> tuple[str, str]:
    """Return the judgments and the run."""
    queries = list(enumerate((query for world in worlds for query in world), 1))
    judged = [f"{topic} 0 {item} {grade}" for topic, query in queries for item, grade in query["judged"].items()]
    ranked = [f"{topic} Q0 {item} 1 {score!r} it" for topic, query in queries for item, score in query["ranking"]]
    return "\n".join(judged) + "\n", "\n".join(ranked) + "\n"


def each_query(worlds: Sequence[World], answer: Mapping[int, float]) -> list[list[float | None]]:
    """Return the value of each query of each world from the values of topics; None for topics without one."""
    topics = count(1)
    return [[answer.get(next(topics)) for _ in world] for world in worlds]
