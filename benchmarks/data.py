"""Generate data from a seed, the same on every machine: TREC files, recommendations, dense arrays.

Ids are ``(offset + step * place) mod prime``: scattered, and distinct within a query without a check.
"""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path
from typing import IO, Any

import numpy as np
import polars as pl

SEED = 20_240_229
DOCUMENTS = 8_841_823  # the number of MS MARCO passages, a prime
QUERIES = 1_000_003
PRODUCTS = 19_997
BLOCK = 500
RUN = ["query", "q0", "document", "rank", "score", "tag"]
Array = np.ndarray[Any, Any]


def trec_files(folder: Path, queries: int, items: int = 1000, tied: float = 0.03, *, gz: bool = False) -> None:
    """Write ``run.txt`` and the judgments ``one.qrels``, ``few.qrels`` and ``graded.qrels``, block by block."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        (folder / "run.txt").open("wb") as run,
        (folder / "one.qrels").open("wb") as one,
        (folder / "few.qrels").open("wb") as few,
        (folder / "graded.qrels").open("wb") as graded,
    ):
        for start in range(0, queries, BLOCK):
            rng = np.random.default_rng([SEED, start])
            count = min(BLOCK, queries - start)
            query = 1 + (start + np.arange(count)) * 7919 % QUERIES
            document = Ids(rng, count, DOCUMENTS)
            _write_run(run, query, document, scores(rng, count, items, tied))
            _write_judgments(one, query, document, one_place(rng, count, items), np.ones((count, 1), dtype=np.int64))
            _write_judgments(graded, query, document, *graded_places(rng, count, items, 30, 80))
            rng = np.random.default_rng([SEED, start, 1])
            _write_judgments(few, query, document, *graded_places(rng, count, items, 6, 16))
    if gz:
        with (folder / "run.txt").open("rb") as plain, gzip.open(folder / "run.txt.gz", "wb", 6) as compressed:
            shutil.copyfileobj(plain, compressed, 1 << 20)


class Ids:
    """The ids at places 0, 1, ... of each query."""

    def __init__(self, rng: np.random.Generator, count: int, prime: int) -> None:
        self.prime = prime
        self.offset = rng.integers(0, prime, (count, 1))
        self.step = rng.integers(1, prime, (count, 1))

    def at(self, place: Array) -> Array:
        """Return the ids at these places, one row per query."""
        return (self.offset + self.step * place) % self.prime


def scores(rng: np.random.Generator, count: int, items: int, tied: float) -> Array:
    """Generate descending scores like those of BM25, exact in single precision, with a share of ties."""
    gaps = 1 + (rng.exponential(5000, (count, items)) / np.arange(1, items + 1) ** 0.7).astype(np.int64)
    gaps[rng.random((count, items)) < tied] = 0
    return (rng.integers(300_000, 500_000, (count, 1)) - np.cumsum(gaps, axis=1)) / 10_000


def one_place(rng: np.random.Generator, count: int, items: int) -> Array:
    """Generate the place of the relevant item: mostly near the top, and not returned in 15 % of the queries."""
    place = np.exp(rng.random((count, 1)) * np.log(items)).astype(np.int64) - 1
    return np.where(rng.random((count, 1)) < 0.15, items, place)


def graded_places(rng: np.random.Generator, count: int, items: int, least: int, most: int) -> tuple[Array, Array]:
    """Generate places and grades 0-3 of ``least`` to ``most`` judged items per query; -1 pads shorter rows."""
    how_many = rng.integers(least, most + 1, (count, 1))
    place = weighted_places(rng, count, items, outside=200, most=most)
    lure = rng.normal(1.3, 1.0, place.shape) - 0.3 * np.log1p(place)
    grade = np.digitize(lure, [0.2, 1.0, 1.8])
    return np.where(np.arange(most) < how_many, place, -1), grade


def weighted_places(rng: np.random.Generator, count: int, items: int, outside: int, most: int) -> Array:
    """Sample distinct places, higher ranks more likely (Gumbel trick); places from ``items`` on are not returned."""
    place = np.arange(items + outside)
    weight = np.log(np.where(place < items, 1 / (place + 5), 1 / (items / 3 + 5)))
    return np.argsort(-(weight + rng.gumbel(size=(count, len(place)))), axis=1)[:, :most]


def _write_run(file: IO[bytes], query: Array, document: Ids, score: Array) -> None:
    count, items = score.shape
    pl.DataFrame(
        {
            "query": np.repeat(query, items),
            "q0": pl.repeat("Q0", count * items, eager=True),
            "document": document.at(np.arange(items)[None]).ravel(),
            "rank": np.tile(np.arange(1, items + 1), count),
            "score": score.ravel(),
            "tag": pl.repeat("bench", count * items, eager=True),
        }
    ).write_csv(file, separator=" ", include_header=False, float_precision=4)


def _write_judgments(file: IO[bytes], query: Array, document: Ids, place: Array, grade: Array) -> None:
    kept = (place >= 0).ravel()
    pl.DataFrame(
        {
            "query": np.repeat(query, place.shape[1])[kept],
            "iteration": np.zeros(kept.sum(), dtype=np.int64),
            "document": document.at(place).ravel()[kept],
            "grade": grade.ravel()[kept],
        }
    ).write_csv(file, separator=" ", include_header=False)


def read_trec(path: Path) -> dict[str, dict[str, Any]]:
    """Read a TREC file as a dict of dicts: grades if it has four columns, scores if it has six."""
    with path.open(encoding="utf-8") as file:
        judged = len(file.readline().split()) == 4
    names = ["query", "iteration", "document", "grade"] if judged else RUN
    value = names[3 if judged else 4]
    types = dict.fromkeys(names, pl.String) | {value: pl.Int64 if judged else pl.Float64}
    table = pl.read_csv(path, separator=" ", has_header=False, schema=types)
    return {
        query: dict(zip(rows["document"].to_list(), rows[value].to_list(), strict=True))
        for (query,), rows in table.group_by("query", maintain_order=True)
    }


def recommendations(path: Path, users: int, items: int = 100, relevant: int = 20) -> None:
    """Write the columns of recommendations (``reco_*``) and of relevant items (``truth_*``)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([SEED, 1])
    product = Ids(rng, users, PRODUCTS)
    place = np.concatenate(
        [
            weighted_places(rng, min(5000, users - start), items, outside=60, most=relevant)
            for start in range(0, users, 5000)
        ]
    )
    np.savez(
        path,
        reco_user_id=np.repeat(np.arange(users), items),
        reco_item_id=product.at(np.arange(items)[None]).ravel(),
        reco_rank=np.tile(np.arange(1, items + 1), users),
        reco_score=scores(rng, users, items, 0.0).ravel(),
        truth_user_id=np.repeat(np.arange(users), relevant),
        truth_item_id=product.at(place).ravel(),
        truth_rel=np.ones(users * relevant, dtype=np.int64),
    )


def dense(path: Path, rows: int, columns: int = 1000) -> None:
    """Write grades 0-4 of every item and scores that correlate with them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([SEED, 2])
    labels = rng.choice(5, (rows, columns), p=[0.7, 0.15, 0.08, 0.05, 0.02])
    np.savez(path, labels=labels, scores=rng.normal(size=(rows, columns)) + 0.5 * labels)
