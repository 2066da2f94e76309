"""A complete ranking in order: every item of every query, with the range of ranks that ties allow."""

from __future__ import annotations

import numpy as np
import polars as pl

from rankgauge.conventions import DEFAULT
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings, input_error, with_ids
from rankgauge.inputs.frames import id_series
from rankgauge.inputs.records import ranking_records
from rankgauge.matching.copies import item_of
from rankgauge.matching.dict_checks import only_numbers
from rankgauge.matching.from_dicts import scores_of
from rankgauge.matching.item_keys import SPREADING
from rankgauge.matching.ranking import Ranking
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Ints, Segments
from rankgauge.value_checks import fits_double


class FullRanking:
    """The rows of all queries, best first; equal scores by item id, descending.

    >>> from rankgauge.inputs.read_options import ReadOptions
    >>> source = Ranking({"q": {"a": 0.5, "b": 0.9, "c": 0.5}}, ReadOptions())
    >>> ranking = FullRanking.read(source, 10, Findings())
    >>> ranking.item.to_list(), ranking.top.tolist(), ranking.bottom.tolist()
    (['b', 'c', 'a'], [1, 2, 2], [1, 3, 3])
    """

    def __init__(self, frame: pl.DataFrame, k: int) -> None:
        """Sort a frame with the columns query, item and score; ties are ordered by id where they reach the top k."""
        if frame["query"].rle().len() != frame["query"].n_unique():
            frame = frame.sort("query", maintain_order=True)
        runs = frame["query"].rle()
        self.queries: pl.Series = runs.struct.field("value")
        self.runs = Segments.of_sizes(runs.struct.field("len").to_numpy().astype(np.int64))
        score = frame["score"].to_numpy()
        continues = np.ones(len(score), dtype=bool)
        continues[self.runs.offsets[:-1]] = False
        if (np.diff(score, prepend=np.inf) > 0)[continues].any():
            order = np.lexsort((-score, self.runs.query))
            frame, score = frame[order], score[order]
        ties = Segments.of_runs(self.runs.query, score)
        self.place: Ints = self.runs.place().astype(np.int64)
        starts = ties.offsets[:-1]
        self.top: Ints = ties.spread(self.place[starts])
        self.item: pl.Series = frame["item"]
        if ties.count < len(score):
            self.item = _by_id(self.item, ties, np.flatnonzero((self.top <= k) & ties.spread(ties.sizes > 1)))
        self.bottom: Ints = ties.spread(self.place[starts] + ties.sizes - 1)
        self.hash = self.item.hash(0).to_numpy()

    def keys(self, rows: Ints, queries: Ints) -> object:
        """Return a hash of the item and the query of each row; collisions are very rare."""
        return self.hash[rows] ^ (queries.astype(np.uint64) * SPREADING)

    @classmethod
    def read(cls, ranking: Ranking, k: int, findings: Findings) -> FullRanking:
        """Read a ranking of any form."""
        frame = rows_by_score(ranking, findings)
        return cls(_without_copies(frame, findings, ranking.options.lenient), k)


def rows_by_score(ranking: Ranking, findings: Findings) -> pl.DataFrame:
    """Return the rows of a ranking of any form as the columns query, item and score."""
    rows = ranking.loaded(findings).source.value
    findings.where["ranking"] = ranking.where
    frame = rows if isinstance(rows, pl.DataFrame) else _frame_of(rows, findings)
    findings.raise_errors(ranking.options.lenient)
    if frame.height == 0:
        raise InputError(("ranking: it is empty", "排序结果为空"))
    return frame


def _by_id(items: pl.Series, ties: Segments, tied: Ints) -> pl.Series:
    """Return the items with the tied rows in descending order of their ids, run by run."""
    frame = pl.DataFrame({"run": ties.query[tied], "item": items.gather(tied).cast(pl.String), "row": tied})
    rows = np.arange(ties.rows)
    rows[tied] = frame.sort("run", "item", descending=[False, True])["row"].to_numpy()
    return items.gather(rows)


def _without_copies(frame: pl.DataFrame, findings: Findings, lenient: bool) -> pl.DataFrame:
    """Return the first place of each item; repeated items are an error unless lenient."""
    repeated = frame.select("query", "item").is_duplicated()
    if not repeated.any():
        return frame
    first, once = (
        frame.row(repeated.arg_true()[0], named=True),
        frame.sort("score", descending=True, maintain_order=True),
    )
    once = once.unique(["query", "item"], keep="first", maintain_order=True)
    place = findings.place("ranking", first["query"], first["item"], 2)
    item = shown(first["item"])
    repeated_item = with_ids(
        f"{place.en}: item {item} is returned more than once", f"{place.zh}：物品 {item} 返回了多次", first["query"]
    )
    if not lenient:
        remedy = Phrase(
            "remove the duplicate, or read leniently to compare the places where items rank first",
            "删除重复的行，或以宽松方式读取，只比较各物品首次出现的名次",
        )
        raise input_error("RG301", repeated_item, remedy)
    findings.add("RG301", repeated_item, frame.height - once.height)
    return once


def _frame_of(source: object, findings: Findings) -> pl.DataFrame:
    """Return dicts and lists as columns; ids of mixed types become text."""
    queries: list[object] = []
    items: list[object] = []
    scores: list[float] = []
    for query, returned in ranking_records(source, findings).items():
        numbers = scores_of(query, returned, DEFAULT, Findings())  # copies are reported later
        if not all(map(fits_double, numbers.values())):
            numbers = only_numbers(query, numbers, findings)
        queries += [query] * len(numbers)
        items += map(item_of, numbers)
        scores += map(float, numbers.values())
    return pl.DataFrame(
        {"query": id_series(queries), "item": id_series(items), "score": pl.Series(scores, dtype=pl.Float64)}
    )
