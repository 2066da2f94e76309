"""Match frames block by block: only judged items are joined, and scores are sorted only if necessary.

A block has the columns query, item and score. Blocks come from a streamed file or are slices of a frame in memory; a
query is matched as soon as all of its rows are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import starmap
from typing import Any

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.conventions.order import DECIDED_BY_GRADES
from rankgauge.errors import Texts, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io.prefetch import parallel_map
from rankgauge.inputs.query_blocks import whole_queries
from rankgauge.inputs.records import judged_again
from rankgauge.matching.common_ids import SAMPLE, UnmatchedIds
from rankgauge.matching.copies import BESIDE, FIRST, LATER, note_copies
from rankgauge.matching.item_keys import any_equal, item_keys, maybe_among
from rankgauge.matching.matched import Chunk, Matched
from rankgauge.matching.score_checks import collapses, note_large_scores
from rankgauge.matching.tie_order import tie_places
from rankgauge.segments import Bools, Floats, Ints, Segments, as_single

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
        code = np.repeat(self.codes_of(values).astype(np.int32), lengths.to_numpy().astype(np.int64))
        if (code[1:] < code[:-1]).any():
            order = np.argsort(code, kind="stable")
            frame, code = frame[order], code[order]
        key = item_keys(frame["item"], code)
        self._offsets = np.searchsorted(code, np.arange(len(self.queries) + 1))
        if any_equal(key, self._offsets):
            frame, code = _without_repetition(frame, code, findings)
            key = item_keys(frame["item"], code)
            self._offsets = np.searchsorted(code, np.arange(len(self.queries) + 1))
        self.code, self.key = code, key
        self.item = frame["item"]
        self.grade = frame["grade"].to_numpy()

    def as_text(self, name: str) -> None:
        """Convert the ids of queries or items to text."""
        if name == "query":
            self.queries = self.queries.cast(pl.String)
            self.codes_of = _codes(self.queries)
        else:
            self.item = self.item.cast(pl.String)
            self.key = item_keys(self.item, self.code)

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
        place = np.minimum(np.searchsorted(ordered, numbers), len(ordered) - 1)
        return np.where(ordered[place] == numbers, order[place], -1)

    return bisect


def match_frames(
    table: JudgedTable,
    blocks: Iterable[pl.DataFrame],
    convention: Convention,
    findings: Findings,
    depth: int | None = None,
    top: int = 0,
    *,
    in_memory: bool = False,
    unjudged: list[Any] | None = None,
) -> Iterator[Chunk]:
    """Match block after block; rows that cannot reach rank ``depth`` are only counted.

    Of the top ``top`` of each query every item is kept, judged or not, with its id. Blocks ``in_memory`` are matched in
    parallel; those of a file are not, because parsing keeps the other core busy. ``unjudged`` collects queries without
    judgments.

    Raises
    ------
    NotContiguousError
        The rows of a query are not contiguous.
    """

    def matched(block: pl.DataFrame, runs: Segments, code: Ints) -> tuple[Chunk, Findings]:
        own = findings.empty()
        return (code, _match_block(block, runs, code, table, convention, own, depth, top)), own

    judged = _judged_blocks(table, blocks, findings, [] if unjudged is None else unjudged)
    for chunk, own in parallel_map(matched, judged) if in_memory else starmap(matched, judged):
        findings.merge(own)
        yield chunk


def _judged_blocks(
    table: JudgedTable, blocks: Iterable[pl.DataFrame], findings: Findings, unjudged: list[Any]
) -> Iterator[tuple[pl.DataFrame, Segments, Ints]]:
    """Yield blocks of complete, judged queries, with their segments and numbers."""
    seen, answered = np.zeros(len(table.queries), dtype=bool), 0
    for block, lengths in whole_queries(blocks):
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


def slices(frame: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Return a frame in memory as blocks with contiguous queries."""
    runs = frame["query"].rle().struct.field("value")
    contiguous = frame if runs.n_unique() == len(runs) else frame.sort("query", maintain_order=True)
    return contiguous.iter_slices(BLOCK_ROWS)


def _match_block(
    block: pl.DataFrame,
    runs: Segments,
    code: Ints,
    table: JudgedTable,
    convention: Convention,
    findings: Findings,
    depth: int | None,
    top: int,
) -> Matched:
    """Match a block of complete, judged queries."""
    key = item_keys(block["item"], code, runs.sizes)
    copy = _copies(block, key, code, runs, convention, findings)
    ranks = _Ranks(block, runs, convention)
    judged = table.rows_of(code)
    if copy is not None:  # items may move up
        depth, top = None, block.height if top else 0
    rows, grade = _judged_rows(block, key, code, table, judged, convention, ranks, depth)
    if top:
        rows, grade = _with_rows(rows, grade, ranks.rows_within(top), block.height)
    elif copy is not None:
        rows, grade = _with_rows(rows, grade, np.flatnonzero(copy), block.height)
    above, tied = ranks.of(rows)
    collapsing = rows[ranks.collapsing(rows)]
    if len(collapsing):
        query = shown(block["query"][int(collapsing[0])])
        findings.add("RG211", (f"ranking: such as for query {query}", f"排序结果：例如查询 {query}"), len(collapsing))

    def place(row: int) -> Texts:
        query = shown(block["query"][ranks.row_at(row)])
        return f"ranking: query {query}", f"排序结果：查询 {query}"

    note_large_scores(ranks.scores, place, findings)
    return Matched(
        query=runs.query[rows],
        grade=grade,
        above=above,
        tied=tied,
        before=ranks.before(rows, tied, convention),
        returned=runs.sizes,
        pool_query=np.repeat(np.arange(len(code)), table.sizes_of(code)),
        pool_grade=table.grade[judged],
        positive=None if convention.hit_if == "returned" else block["score"].to_numpy()[rows] > 0,
        copy=None if copy is None else copy[rows],
        item=block["item"][rows] if top else None,
        score=ranks.score_of(rows) if top else None,
        collapsing=np.bincount(runs.query[collapsing], minlength=len(code)) if len(collapsing) else None,
        unmatched=None if len(rows) and not np.isnan(grade).all() else _unmatched(block, key, runs, table, code),
    )


def _unmatched(block: pl.DataFrame, key: Ints, runs: Segments, table: JudgedTable, code: Ints) -> UnmatchedIds | None:
    """Return some ids of a query if no item of the block is judged at all, whatever its rank."""
    if np.isin(table.key[table.rows_of(code)], key).any() or not len(judged := table.rows_of(code[:1])):
        return None
    return UnmatchedIds.of(table.item[judged], block["item"][: int(runs.sizes[0])])


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
    ranks: _Ranks,
    depth: int | None,
) -> tuple[Ints, Floats]:
    """Return the rows of the block that matter, and their grades (NaN if unjudged)."""
    candidates = None if depth is None else ranks.rows_within(depth)
    rows = maybe_among(key if candidates is None else key[candidates], table.key[judged])
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


class _Ranks:
    """The order of the rows of a block by score within their queries."""

    def __init__(self, block: pl.DataFrame, runs: Segments, convention: Convention) -> None:
        self.block = block
        self.runs = runs
        scores = block["score"].to_numpy()
        if convention.score_precision == "float32":
            scores = as_single(scores).astype(np.float64)
        begins = np.zeros(len(scores) + 1, dtype=bool)  # the end counts as a start
        begins[runs.offsets] = True
        in_order = begins[1:-1] | (scores[1:] <= scores[:-1])
        self.order = None if in_order.all() else np.lexsort((-scores, runs.query))
        if self.order is not None:
            scores = scores[self.order]
        begins[1:-1] |= scores[1:] != scores[:-1]
        self.scores = scores
        self.nothing_ties = bool(begins.all())
        self.score_starts = np.arange(0) if self.nothing_ties else np.flatnonzero(begins)

    def _places(self, rows: Ints) -> Ints:
        if self.order is None:
            return rows
        place = np.empty(len(self.order), dtype=np.int64)
        place[self.order] = np.arange(len(self.order))
        return place[rows]

    def score_of(self, rows: Ints) -> Floats:
        """Return the score of each row, in the precision in which scores are compared."""
        return self.scores[self._places(rows)]

    def of(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return the number of items above each row, and tied with it, itself included."""
        first, last = self._score_run(rows)
        return first - self.runs.offsets[self.runs.query[rows]], last - first

    def row_at(self, place: int) -> int:
        """Return the row at a place of the order by score."""
        return place if self.order is None else int(self.order[place])

    def collapsing(self, rows: Ints) -> Bools:
        """Return which of these rows differ from a neighbour in double, but not in single precision."""
        query = self.runs.query[rows]
        return collapses(self.scores, *self._score_run(rows), self.runs.offsets[query], self.runs.offsets[query + 1])

    def _score_run(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return where the run of tied scores around each row starts and ends."""
        if self.nothing_ties:
            places = self._places(rows)
            return places, places + 1
        run = np.searchsorted(self.score_starts, self._places(rows), side="right") - 1
        return self.score_starts[run], self.score_starts[run + 1]

    def rows_within(self, depth: int) -> Ints:
        """Return the rows with fewer than ``depth`` items above them."""
        starts = self.runs.offsets[:-1]
        ends = np.minimum(starts + depth, self.runs.offsets[1:])
        if not self.nothing_ties:  # rows tied with the last one have no more above them
            ends = self.score_starts[np.searchsorted(self.score_starts, ends)]
        inside = Segments.of_sizes(ends - starts)
        places = np.arange(inside.rows) + inside.spread(starts - inside.offsets[:-1])
        return places if self.order is None else self.order[places]

    def before(self, rows: Ints, tied: Ints, convention: Convention) -> Ints:
        """Return the number of tied items before each row, where the rule fixes their order."""
        before = np.zeros(len(rows), dtype=np.int64)
        which = np.flatnonzero(tied > 1)
        if convention.ties in DECIDED_BY_GRADES or not len(which):
            return before
        first, _ = self._score_run(rows[which])
        starts, run = np.unique(first, return_inverse=True)
        members = Segments.of_sizes(self.score_starts[np.searchsorted(self.score_starts, starts) + 1] - starts)
        places = np.arange(members.rows) + members.spread(starts - members.offsets[:-1])
        ids = self.block["item"][places if self.order is None else self.order[places]].cast(pl.String)
        place_in_run = tie_places(ids, members.query, convention)
        before[which] = place_in_run[members.offsets[run] + self._places(rows[which]) - first]
        return before


def _copies(
    block: pl.DataFrame, key: Ints, code: Ints, runs: Segments, convention: Convention, findings: Findings
) -> Ints | None:
    """Return which rows are later copies of an item of their query, as ``Matched.copy``; None if there are none."""
    if not any_equal(key, runs.offsets):
        return None
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


def _report_unjudged(queries: list[Any], known: list[Any], findings: Findings) -> None:
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
