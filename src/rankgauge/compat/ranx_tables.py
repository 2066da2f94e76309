"""Qrels and Run in the interface of ranx: numbers of items by query."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.codec import WriteOptions
from rankgauge.inputs.formats.registry import format_named
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.inputs.io.compression import open_bytes
from rankgauge.inputs.read_options import READ_AS_IS, ReadOptions
from rankgauge.inputs.source import Source
from rankgauge.rendering.plain import frame_of

Numbers = Mapping[str, Mapping[str, float]]
KINDS = {"txt": "trec", "parq": "parquet"}
"""File endings with another name than their format."""


class NumberTable:
    """``{query: {item: number}}``; ``sort`` orders it by query and descending number, as ``evaluate`` does."""

    side: Role
    number: Callable[[Any], Any]

    def __init__(self, numbers: Numbers | None = None, name: str | None = None) -> None:
        self.name = name
        self.sorted = False
        self._queries: dict[str, dict[str, Any]] = {}
        if numbers is None:
            return
        for query, items in numbers.items():
            if not isinstance(items, Mapping):
                raise InputError(f"query {shown(query)}: {shown(items)} is not {{item: number}}")
            self._queries[query] = {item: type(self).number(number) for item, number in items.items()}
        self.sort()

    @property
    def size(self) -> int:
        """Number of queries."""
        return len(self._queries)

    def sort(self) -> None:
        """Sort the queries by id and their items by descending number; equal numbers stay in their order."""
        self._queries = {
            query: dict(sorted(items.items(), key=lambda pair: -pair[1]))
            for query, items in sorted(self._queries.items())
        }
        self.sorted = True

    def add_score(self, q_id: str, doc_id: str, score: float) -> None:
        """Add an item to a query, or change its number."""
        self._queries.setdefault(q_id, {})[doc_id] = type(self).number(score)
        self.sorted = False

    def add(self, q_id: str, doc_ids: Sequence[str], scores: Sequence[float]) -> None:
        """Add a query with its items, or replace it."""
        self.add_multi([q_id], [doc_ids], [scores])

    def add_multi(
        self, q_ids: Sequence[str], doc_ids: Sequence[Sequence[str]], scores: Sequence[Sequence[float]]
    ) -> None:
        """Add several queries."""
        for query, items, numbers in zip(q_ids, doc_ids, scores, strict=True):
            self._queries[query] = dict(zip(items, map(type(self).number, numbers), strict=True))
        self.sort()

    def keys(self) -> Iterable[str]:
        """Return the queries."""
        return self._queries.keys()

    def get_query_ids(self) -> list[str]:
        """Return the queries in their order."""
        return [*self._queries]

    def get_doc_ids_and_scores(self) -> list[dict[str, Any]]:
        """Return the items of each query with their numbers."""
        return [dict(items) for items in self._queries.values()]

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return the numbers as dicts."""
        return {query: dict(items) for query, items in self._queries.items()}

    def to_typed_list(self) -> list[np.ndarray]:
        """Return an array with a row ``[item, number]`` for each item, one array per query; a list, without numba."""
        if not self.sorted:
            self.sort()
        return [np.array([*items.items()], dtype=object).reshape(-1, 2) for items in self._queries.values()]

    def to_dataframe(self) -> Any:
        """Return a pandas frame with the columns q_id, doc_id and score."""
        return frame_of(self._columns(("q_id", "doc_id", "score")), pandas=True)

    def _columns(self, names: Sequence[str]) -> dict[str, list[Any]]:
        rows = [(query, item, number) for query, items in self._queries.items() for item, number in items.items()]
        return {name: [row[place] for row in rows] for place, name in enumerate(names)}

    def save(self, path: str, kind: str | None = None) -> None:
        """Write a file: JSON, TREC or Parquet, by the ending of its name unless ``kind`` is given."""
        if not self.sorted:
            self.sort()
        ending = kind or Path(path).suffix.removeprefix(".")
        chosen = KINDS.get(ending, ending)
        if chosen not in {"json", "trec", "parquet"}:
            raise ParameterError.of("kind", chosen, "'json', 'trec' or 'parquet'")
        with atomic_write(path, force=True) as file:
            if chosen == "json":
                file.write(json.dumps(self._queries, indent=2, ensure_ascii=False).encode())
                return
            number = "grade" if self.side == "judgments" else "score"
            if chosen == "parquet":  # the columns that from_parquet expects, here and in ranx
                pl.DataFrame(self._columns(("q_id", "doc_id", "score"))).write_parquet(file)
                return
            rows = pl.DataFrame(self._columns(("query", "item", number)))
            options = WriteOptions(self.side, path, "_".join(str(self.name).split()))
            format_named("trec", "kind").codec.write(iter([rows]), file, options)

    @classmethod
    def from_dict(cls, d: Numbers, name: str | None = None) -> Self:
        """Build from dicts."""
        return cls(d, name)

    @classmethod
    def from_file(cls, path: str, kind: str | None = None, name: str | None = None) -> Self:
        """Read a JSON file of dicts, or whatever file ``rg.evaluate`` reads, compressed or not."""
        if kind == "json" or (kind is None and Path(path).suffix == ".json"):
            return cls(json.loads(Path(path).read_text(encoding="utf-8")), name)
        return cls._from_table(path, ReadOptions(), name)

    @classmethod
    def from_df(
        cls,
        df: object,
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        name: str | None = None,
    ) -> Self:
        """Build from a frame of pandas, polars, Arrow or DuckDB."""
        number = "grade" if cls.side == "judgments" else "score"
        columns = {"query": q_id_col, "item": doc_id_col, number: score_col}
        return cls._from_table(df, ReadOptions(columns=columns), name)

    from_parquet = from_df

    @classmethod
    def sorted_from(cls, source: Any) -> Self:
        """Return a sorted table: the given one, or one built from dicts or arrays."""
        if isinstance(source, cls):
            table = source
        else:
            table = cls(source) if isinstance(source, Mapping) else cls.from_arrays(source)
        if not table.sorted:
            table.sort()
        return table

    @classmethod
    def from_arrays(cls, arrays: Iterable[Any]) -> Self:
        """Build from one array of rows ``[item, number]`` per query, as ``evaluate`` of ranx takes them."""
        return cls({f"{place:09}": cls._items(array, place) for place, array in enumerate(arrays)})

    @classmethod
    def _items(cls, array: object, place: int) -> dict[str, Any]:
        rows = np.asarray(array)
        if rows.size and rows.shape != (len(rows), 2):
            raise InputError(f"query {place}: expected rows [item, number], found an array of shape {rows.shape}")
        items: dict[str, object] = {}
        for item, number in rows.reshape(-1, 2).tolist():
            items.setdefault(_id(item), number)
        return items

    @classmethod
    def _from_table(cls, source: object, options: ReadOptions, name: str | None) -> Self:
        findings = Findings()
        frame = Source.of(source, cls.side, options).rows(findings)
        findings.raise_errors(lenient=False)
        numbers: dict[str, dict[str, float]] = defaultdict(dict)
        for query, item, number in frame.iter_rows():
            numbers[str(query)][str(item)] = number
        return cls(numbers, name)

    def __getitem__(self, q_id: str) -> dict[str, Any]:
        return dict(self._queries[q_id])

    def __iter__(self) -> Iterator[str]:
        return iter(self._queries)

    def __len__(self) -> int:
        return len(self._queries)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._queries!r})"


class Qrels(NumberTable):
    """Judgments: ``Qrels({"q1": {"d1": 1}})``; grades are whole numbers, fractions are cut."""

    side = "judgments"
    number = int

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        """The grades of items by query."""
        return self._queries

    def set_relevance_level(self, rel_lvl: int = 1) -> None:
        """Subtract from all grades, so that ``rel_lvl`` becomes 1."""
        self._queries = {
            query: {item: grade - (rel_lvl - 1) for item, grade in items.items()}
            for query, items in self._queries.items()
        }


class Run(NumberTable):
    """The results of a system: ``Run({"q1": {"d1": 0.9}}, name="bm25")``; ``evaluate`` keeps the values in it."""

    side = "ranking"
    number = float

    def __init__(self, run: Numbers | None = None, name: str | None = None) -> None:
        super().__init__(run, name)
        self.metadata: dict[str, Any] = {}
        self.scores: dict[str, dict[str, float]] = defaultdict(dict)
        self.mean_scores: dict[str, Any] = {}
        self.std_scores: dict[str, Any] = {}

    @property
    def run(self) -> dict[str, dict[str, float]]:
        """The scores of items by query."""
        return self._queries

    def make_comparable(self, qrels: Qrels) -> Run:
        """Add judged queries without results, and remove queries without judgments."""
        self._queries = {query: self._queries.get(query, {}) for query in qrels}
        self.sort()
        return self

    @classmethod
    def from_file(cls, path: str, kind: str | None = None, name: str | None = None) -> Self:
        """Read a JSON file of dicts, or whatever file ``rg.evaluate`` reads; the name is that in a TREC file."""
        run = super().from_file(path, kind, name)
        if (
            name is None
            and kind != "json"
            and Path(path).suffix != ".json"
            and Source.of(path, "ranking", READ_AS_IS).format == "trec"
        ):
            with open_bytes(path) as lines:
                fields = lines.readline().decode("utf-8", "replace").split()
            run.name = next(iter(fields[5:]), None)
        return run

    @classmethod
    def _items(cls, array: object, place: int) -> dict[str, Any]:
        """Return the items with scores in the order of the rows, which is the ranking; repeated items are left out."""
        return {item: -rank for rank, item in enumerate(super()._items(array, place))}


def _id(value: object) -> str:
    """Return the id of an item: 3 and 3.0 are the same."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
