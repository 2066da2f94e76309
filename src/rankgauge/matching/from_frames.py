"""Match frames block by block: only judged items are joined, and scores are sorted only if necessary.

A block has the columns query, item and score, and ends where a query ends. Blocks come from a streamed file or are
slices of a frame in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import starmap
from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.errors import Texts, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io.prefetch import parallel_map
from rankgauge.inputs.query_blocks import Lengths, run_lengths
from rankgauge.inputs.records import judged_again
from rankgauge.matching.common_ids import FIRST_ITEMS, FIRST_LISTS, SAMPLE, NearMatch, UnmatchedIds, near_match
from rankgauge.matching.copies import BESIDE, FIRST, LATER, note_copies
from rankgauge.matching.item_keys import any_equal, ascend, hash_prefilter, item_keys
from rankgauge.matching.matched import Chunk, Matched
from rankgauge.matching.score_checks import EXACT, note_large_scores
from rankgauge.matching.score_order import ScoreOrder
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, Ints, Segments

BLOCK_ROWS = 1_000_000
"""Rows of a frame in memory that are matched at a time."""


class NotContiguousError(Exception):
    """The rows of a query are not contiguous."""


class JudgedTable:
    """The judgments of all queries, ready to be joined with blocks of any number of rankings."""

    def __init__(self, frame: pl.DataFrame, findings: Findings, queries: pl.Series | None = None) -> None:
        """Take the judgments; ``queries`` lists all queries in order, if some have none."""
        lengths, values = frame["query"].rle().struct.unnest().select("len", "value")
        self.queries = (values if queries is None else queries).unique(maintain_order=True)
        self.codes_of = _codes(self.queries)
        together = queries is None and len(values) == len(self.queries)
        runs = np.arange(len(values)) if together else self.codes_of(values)
        sizes = lengths.to_numpy().astype(np.int64)
        if (runs[1:] < runs[:-1]).any():
            frame = frame[np.argsort(np.repeat(runs, sizes), kind="stable")]
        self._take(frame, np.bincount(runs, sizes, len(self.queries)).astype(np.int64))
        ascending = self.item.dtype.is_integer() and ascend(self.item.to_numpy(), self._offsets)
        if not ascending and any_equal(self.key, self._offsets):
            frame, code = _without_repetition(frame, self.code, findings)
            self._take(frame, np.bincount(code, minlength=len(self.queries)))

    def _take(self, frame: pl.DataFrame, sizes: Ints) -> None:
        """Take the rows, ordered by query, with the number of rows of each query."""
        self.item = frame["item"]
        self.grade = frame["grade"].to_numpy()
        self._offsets = Segments.of_sizes(sizes).offsets
        for name in ("code", "key"):
            self.__dict__.pop(name, None)

    @cached_property
    def code(self) -> Ints:
        """The number of the query of each row."""
        return np.repeat(np.arange(len(self.queries), dtype=np.int32), np.diff(self._offsets))

    @cached_property
    def key(self) -> Ints:
        """The key of each query and item."""
        return item_keys(self.item, self.code)

    def as_text(self, name: str) -> None:
        """Convert the ids of queries or items to text."""
        if name == "query":
            self.queries = self.queries.cast(pl.String)
            self.codes_of = _codes(self.queries)
        else:
            self.item = self.item.cast(pl.String)
            self.__dict__.pop("key", None)

    def sizes_of(self, codes: Ints) -> Ints:
        """Return the number of judgments of these queries."""
        return self._offsets[codes + 1] - self._offsets[codes]

    def rows_of(self, codes: Ints) -> Ints:
        """Return the judgments of these queries, in their order."""
        runs = Segments.of_sizes(self.sizes_of(codes))
        return np.arange(runs.rows) + runs.spread(self._offsets[codes] - runs.offsets[:-1])

    def unanswered(self, codes: Ints) -> Matched:
        """Return these queries without results."""
        return Matched.empty(self.sizes_of(codes), self.grade[self.rows_of(codes)])


def _codes(queries: pl.Series) -> Callable[[pl.Series], Ints]:
    """Return a function from queries to their numbers, -1 if not judged."""
    if not queries.dtype.is_integer():
        code = {query: number for number, query in enumerate(queries.to_list())}
        return lambda wanted: np.array([code.get(query, -1) for query in wanted.to_list()], dtype=np.int64)
    order = np.argsort(queries.to_numpy())
    ordered = queries.to_numpy()[order]

    def bisect(wanted: pl.Series) -> Ints:
        numbers = wanted.to_numpy()
        start = int(np.searchsorted(ordered, numbers[0])) if len(numbers) else 0
        if np.array_equal(ordered[start : start + len(numbers)], numbers):  # in the same order
            return order[start : start + len(numbers)]
        place = np.minimum(np.searchsorted(ordered, numbers), len(ordered) - 1)
        return np.where(ordered[place] == numbers, order[place], -1)

    return bisect


def match_frames(
    table: JudgedTable,
    blocks: Iterable[tuple[pl.DataFrame, Lengths]],
    convention: Convention,
    findings: Findings,
    depth: int | None = None,
    top: int = 0,
    *,
    grades: bool = True,
    in_memory: bool = False,
    unjudged: list[object] | None = None,
) -> Iterator[Chunk]:
    """Match block after block; rows that cannot reach rank ``depth`` are only counted.

    Of the top ``top`` of each query every item is kept, judged or not, with its id. Without ``grades`` these items are
    not joined with the judgments, and nothing below them is read. Blocks ``in_memory`` are matched in parallel; those
    of a file are not, because parsing keeps the other core busy. ``unjudged`` collects queries without judgments.

    Raises
    ------
    NotContiguousError
        The rows of a query are not contiguous.
    """

    def matched(block: pl.DataFrame, runs: Segments, code: Ints) -> tuple[Chunk, Findings]:
        own = findings.empty()
        ranks = ScoreOrder(block, runs, convention)
        if grades:
            rows = _graded_rows(block, code, table, convention, ranks, own, depth, top)
        else:
            rows = _top_rows(block, code, convention, ranks, own, top)
        return (code, _with_ranks(block, rows, ranks, convention, own)), own

    judged = _judged_blocks(table, blocks, findings, [] if unjudged is None else unjudged)
    for chunk, own in parallel_map(matched, judged) if in_memory else starmap(matched, judged):
        findings.merge(own)
        yield chunk


def _judged_blocks(
    table: JudgedTable, blocks: Iterable[tuple[pl.DataFrame, Lengths]], findings: Findings, unjudged: list[object]
) -> Iterator[tuple[pl.DataFrame, Segments, Ints]]:
    """Yield blocks of complete, judged queries, with their segments and numbers."""
    seen, answered = np.zeros(len(table.queries), dtype=bool), 0
    for block, lengths in blocks:
        runs = Segments.of_sizes(lengths)
        code = table.codes_of(block["query"][runs.offsets[:-1]])
        judged_runs = code >= 0
        if not judged_runs.all():
            _report_unjudged(block["query"][runs.offsets[:-1][~judged_runs]].to_list(), unjudged, findings)
            block = block.filter(runs.spread(judged_runs))  # noqa: PLW2901
            runs, code = Segments.of_sizes(lengths[judged_runs]), code[judged_runs]
        answered += len(code)
        seen[code] = True
        if np.count_nonzero(seen) != answered:  # a query was seen before, or twice in this block
            raise NotContiguousError
        if len(code):
            yield block, runs, code


def slices(frame: pl.DataFrame) -> Iterator[tuple[pl.DataFrame, Lengths]]:
    """Return a frame in memory as blocks of whole queries, with the number of rows of each query."""
    lengths = run_lengths(frame["query"])
    ends = np.cumsum(lengths)
    if frame["query"][ends - 1].n_unique() != len(ends):
        yield from slices(frame.sort("query", maintain_order=True))
        return
    start = first = 0
    while first < len(ends):
        last = max(int(np.searchsorted(ends, start + BLOCK_ROWS, side="right")), first + 1)
        yield frame[start : int(ends[last - 1])], lengths[first:last]
        start, first = int(ends[last - 1]), last


class _Rows(NamedTuple):
    """The rows of a block that matter, by query."""

    row: Ints
    query: Ints
    grade: Floats
    """NaN if unjudged."""
    pool_query: Ints
    pool_grade: Floats
    """As in ``Matched``."""
    item: pl.Series | None
    """The items, if top items are kept."""
    score: Floats | None
    """The scores, if top items are kept with their grades."""
    copy: Ints | None
    """As ``Matched.copy``, but of all rows of the block."""
    unmatched: UnmatchedIds | None = None
    near: NearMatch | None = None


def _top_rows(
    block: pl.DataFrame, code: Ints, convention: Convention, ranks: ScoreOrder, findings: Findings, top: int
) -> _Rows:
    """Return the top rows of each query without grades; if an item repeats among them, all rows."""
    rows, inside = ranks.rows_within(top)
    item, copy = block["item"][rows], None
    if any_equal(item_keys(item, code, inside.sizes), inside.offsets):
        copy = _copies(block, code, ranks.runs, convention, findings)
        rows, inside, item = np.arange(block.height), ranks.runs, block["item"]  # items may move up
    pool = np.empty(0, dtype=np.int64), np.empty(0)
    return _Rows(rows, inside.query, np.full(len(rows), np.nan), *pool, item, None, copy)


def _graded_rows(
    block: pl.DataFrame,
    code: Ints,
    table: JudgedTable,
    convention: Convention,
    ranks: ScoreOrder,
    findings: Findings,
    depth: int | None,
    top: int,
) -> _Rows:
    """Return the judged rows down to rank ``depth``, the top rows, and every later copy."""
    runs = ranks.runs
    key = item_keys(block["item"], code, runs.sizes)
    copy = _copies(block, code, runs, convention, findings) if any_equal(key, runs.offsets) else None
    if copy is not None:  # items may move up
        depth, top = None, block.height if top else 0
    judged = table.rows_of(code)
    rows, grade = _judged_rows(block, key, code, table, judged, convention, ranks, depth)
    if top:
        rows, grade = _with_rows(rows, grade, ranks.rows_within(top)[0], block.height)
    elif copy is not None:
        rows, grade = _with_rows(rows, grade, np.flatnonzero(copy), block.height)
    pool_query = np.repeat(np.arange(len(code)), table.sizes_of(code))
    unmatched = None if len(rows) and not np.isnan(grade).all() else _unmatched(block, key, runs, table, code)
    item, score = (block["item"][rows], ranks.score_of(rows)) if top else (None, None)
    near = None if unmatched is not None else _near(block, runs, table, code)
    return _Rows(rows, runs.query[rows], grade, pool_query, table.grade[judged], item, score, copy, unmatched, near)


def _with_ranks(
    block: pl.DataFrame, rows: _Rows, ranks: ScoreOrder, convention: Convention, findings: Findings
) -> Matched:
    """Return these rows with their ranks."""
    row, query, grade, pool_query, pool_grade, item, score, copy, unmatched, near = rows
    above, tied = ranks.of(row, query)
    collapsing = ranks.collapsing(row, query)
    if collapsing.any():
        name = shown(block["query"][int(row[np.argmax(collapsing)])])
        example = Phrase(f"ranking: such as for query {name}", f"排序结果：例如查询 {name}")
        findings.add("RG211", example, int(collapsing.sum()))

    def place(row: int) -> Texts:
        query = shown(block["query"][ranks.row_at(row)])
        return f"ranking: query {query}", f"排序结果：查询 {query}"

    if ranks.largest >= EXACT:
        note_large_scores(ranks.scores, place, findings)
    return Matched(
        query=query,
        grade=grade,
        above=above,
        tied=tied,
        before=ranks.before(row, tied, convention),
        returned=ranks.runs.sizes,
        pool_query=pool_query,
        pool_grade=pool_grade,
        positive=None if convention.hit_if == "returned" else block["score"].to_numpy()[row] > 0,
        copy=None if copy is None else copy[row],
        item=item,
        score=score,
        collapsing=np.bincount(query[collapsing], minlength=ranks.runs.count) if collapsing.any() else None,
        unmatched=unmatched,
        near=near,
    )


def _unmatched(block: pl.DataFrame, key: Ints, runs: Segments, table: JudgedTable, code: Ints) -> UnmatchedIds | None:
    """Return some ids of a query if no item of the block is judged at all, whatever its rank."""
    if np.isin(table.key[table.rows_of(code)], key).any() or not len(judged := table.rows_of(code[:1])):
        return None
    return UnmatchedIds.of(table.item[judged], block["item"][: int(runs.sizes[0])])


def _near(block: pl.DataFrame, runs: Segments, table: JudgedTable, code: Ints) -> NearMatch | None:
    """Return ids that only writing keeps apart, in the first queries of the block and their first items."""
    if block.schema["item"] != pl.String or table.item.dtype != pl.String:
        return None
    for number in range(min(len(code), FIRST_LISTS)):
        items = block["item"][int(runs.offsets[number]) : int(runs.offsets[number + 1])]
        judged = table.item[table.rows_of(code[number : number + 1])]
        missing = {*judged.head(FIRST_ITEMS).to_list()} - {*items.to_list()}
        others = {*items.head(FIRST_ITEMS).to_list()} - {*judged.to_list()} if missing else ()
        near = near_match(missing, others) if others else None
        if near is not None:
            return near._replace(query=number)
    return None


def _with_rows(rows: Ints, grade: Floats, others: Ints, height: int) -> tuple[Ints, Floats]:
    """Return these and other rows, in the order of the block, with their grades (NaN if they had none)."""
    there = np.zeros(height, dtype=bool)
    there[rows] = there[others] = True
    both = np.flatnonzero(there)
    graded = np.full(len(both), np.nan)
    graded[np.searchsorted(both, rows)] = grade
    return both, graded


def _judged_rows(
    block: pl.DataFrame,
    key: Ints,
    code: Ints,
    table: JudgedTable,
    judged: Ints,
    convention: Convention,
    ranks: ScoreOrder,
    depth: int | None,
) -> tuple[Ints, Floats]:
    """Return the rows of the block that matter, and their grades (NaN if unjudged)."""
    candidates = None if depth is None else ranks.rows_within(depth)[0]
    rows = hash_prefilter(key if candidates is None else key[candidates], table.key[judged])
    rows = rows if candidates is None else candidates[rows]
    right = pl.DataFrame({"key": table.key[judged], "judged": judged})
    joined = pl.DataFrame({"key": key[rows], "row": rows}).join(right, on="key", how="inner")
    rows, judgment = joined["row"].to_numpy(), joined["judged"].to_numpy()
    # Keys are hashes: joined rows must also have the same query and item.
    same = (block["item"][rows] == table.item[judgment]).to_numpy()
    same &= code[ranks.runs.query[rows]] == table.code[judgment]
    rows, judgment = rows[same], judgment[same]
    if isinstance(convention.unjudged, str):
        return rows, table.grade[judgment]
    grade = np.full(block.height, np.nan)
    grade[rows] = table.grade[judgment]
    return np.arange(block.height), grade


def _copies(block: pl.DataFrame, code: Ints, runs: Segments, convention: Convention, findings: Findings) -> Ints | None:
    """Return which rows are later copies of an item of their query, as ``Matched.copy``; None if there are none."""
    score = pl.col("score").cast(pl.Float32) if convention.score_precision == "float32" else pl.col("score")
    frame = block.select("item", score=score).with_columns(code=pl.Series(runs.spread(code))).with_row_index("row")
    if convention.ties == "input-reversed":
        frame = frame.reverse()
    place = pl.col("score").rank("ordinal", descending=True).over("code", "item")
    highest = pl.col("score").max().over("code", "item")
    kind = pl.when(place == 1).then(FIRST).when(pl.col("score") == highest).then(BESIDE).otherwise(LATER)
    later = frame.select("row", kind=kind.cast(pl.Int8)).filter(pl.col("kind") != FIRST).sort("row")
    if later.height == 0:
        return None
    row = int(later["row"][0])
    note_copies(findings, convention, block["item"][row], block["query"][row], later.height)
    copy = np.zeros(block.height, dtype=np.int8)
    copy[later["row"].to_numpy()] = later["kind"].to_numpy()
    return copy


def _report_unjudged(queries: list[object], known: list[object], findings: Findings) -> None:
    """Report queries without judgments, the first of them with its place; ``known`` collects some of them."""
    place = "ranking" if known else findings.place("ranking", queries[0])
    query = shown(queries[0])
    findings.add("RG403", (f"{place}: query {query} has no judgments", f"{place}：查询 {query} 没有标注"), len(queries))
    known += queries[: SAMPLE - len(known)]


def _without_repetition(frame: pl.DataFrame, code: Ints, findings: Findings) -> tuple[pl.DataFrame, Ints]:
    """Return the judgments with the first grade of each query and item; repetitions are reported."""
    grades = frame.group_by("query", "item", maintain_order=True).agg(kinds=pl.col("grade").n_unique(), times=pl.len())
    for finding, condition in (
        ("RG302", pl.col("kinds") > 1),
        ("RG303", (pl.col("kinds") == 1) & (pl.col("times") > 1)),
    ):
        repeated = grades.filter(condition)
        if repeated.height:
            pair = repeated.row(0, named=True)
            place = findings.place("judgments", pair["query"], pair["item"], 2)
            findings.add(finding, judged_again(place, pair["query"], pair["item"]), repeated.height)
    first = frame.select(pl.struct("query", "item").is_first_distinct()).to_series()
    return frame.filter(first), code[first.to_numpy()]
