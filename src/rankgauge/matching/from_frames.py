"""Match frames block by block: only judged items are joined, and scores are sorted only if necessary.

A block has the columns query, item and score, and ends where a query ends. Blocks come from a streamed file or are
slices of a frame in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import starmap
from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.errors import Texts, shown
from rankgauge.inputs.findings import SIDE_NAMES, Findings
from rankgauge.inputs.io.prefetch import parallel_map
from rankgauge.inputs.table_rows import Lengths, run_lengths
from rankgauge.matching.common_ids import FIRST_ITEMS, FIRST_LISTS, SAMPLE, NearMatch, UnmatchedIds, first_near_match
from rankgauge.matching.copies import BESIDE, FIRST, LATER, note_copies
from rankgauge.matching.item_keys import any_equal, hash_prefilter, item_keys
from rankgauge.matching.item_places import padded
from rankgauge.matching.judged_table import JudgedTable
from rankgauge.matching.matched import Chunk, Matched
from rankgauge.matching.scattered_rows import gathered
from rankgauge.matching.score_checks import EXACT, note_large_scores
from rankgauge.matching.score_order import ScoreOrder
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, Ints, Segments

BLOCK_ROWS = 1_000_000
"""Rows of a frame in memory that are matched at a time."""
FIRST_ROWS = 1 << 16
"""Rows in which a query that is not together is looked for first; in a shuffled frame there is one."""


class NotContiguousError(Exception):
    """The rows of a query are not contiguous."""


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

    def matched(earlier: int, block: pl.DataFrame, runs: Segments, code: Ints) -> tuple[Chunk, Findings]:
        block_findings = findings.empty()
        ranks = ScoreOrder(block, runs, convention)
        if grades:
            rows = _graded_rows(block, code, table, convention, ranks, block_findings, depth, top)
            if earlier < FIRST_LISTS and rows.unmatched is None:
                rows = rows._replace(near=_near(block, runs, table, code, FIRST_LISTS - earlier))
        else:
            rows = _top_rows(block, code, convention, ranks, block_findings, top)
        return (code, with_ranks(block, rows, ranks, convention, block_findings)), block_findings

    judged = _judged_blocks(table, blocks, findings, [] if unjudged is None else unjudged)
    for chunk, block_findings in parallel_map(matched, judged) if in_memory else starmap(matched, judged):
        findings.merge(block_findings)
        yield chunk


def _judged_blocks(
    table: JudgedTable, blocks: Iterable[tuple[pl.DataFrame, Lengths]], findings: Findings, unjudged: list[object]
) -> Iterator[tuple[int, pl.DataFrame, Segments, Ints]]:
    """Yield blocks of complete, judged queries, with the number of earlier queries, their segments and numbers."""
    seen, answered = np.zeros(len(table.queries), dtype=bool), 0
    for block, lengths in blocks:
        runs = Segments.of_sizes(lengths)
        code = table.codes_of(block["query"][runs.offsets[:-1]])
        judged_runs = code >= 0
        if not judged_runs.all():
            report_unjudged(block["query"][runs.offsets[:-1][~judged_runs]].to_list(), unjudged, findings)
            block = block.filter(runs.spread(judged_runs))  # noqa: PLW2901
            runs, code = Segments.of_sizes(lengths[judged_runs]), code[judged_runs]
        answered += len(code)
        seen[code] = True
        if np.count_nonzero(seen) != answered:  # a query was seen before, or twice in this block
            raise NotContiguousError
        if len(code):
            yield answered - len(code), block, runs, code


def slices(
    table: JudgedTable, frame: pl.DataFrame, on_scattered: Callable[[], None] | None = None
) -> Iterator[tuple[pl.DataFrame, Lengths]]:
    """Return a frame in memory as blocks of whole queries, with the number of rows of each query.

    ``on_scattered`` is called if the rows of a query are not together.
    """
    lengths = None if _whole_runs(frame["query"][:FIRST_ROWS]) is None else _whole_runs(frame["query"])
    if lengths is None:
        if on_scattered is not None:
            on_scattered()
        yield from gathered(table, [frame]).blocks()
        return
    ends = np.cumsum(lengths)
    start = first = 0
    while first < len(ends):
        last = max(int(np.searchsorted(ends, start + BLOCK_ROWS, side="right")), first + 1)
        yield frame[start : int(ends[last - 1])], lengths[first:last]
        start, first = int(ends[last - 1]), last


def _whole_runs(query: pl.Series) -> Lengths | None:
    """Return the number of rows of each query, None if the rows of one are not together."""
    lengths = run_lengths(query)
    return lengths if query[np.cumsum(lengths) - 1].n_unique() == len(lengths) else None


class MatchedRows(NamedTuple):
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
) -> MatchedRows:
    """Return the top rows of each query without grades; if an item repeats among them, all rows."""
    rows, inside = ranks.rows_within(top)
    item, copy = block["item"][rows], None
    if any_equal(item_keys(item, code, inside.sizes), inside.offsets):
        copy = _copies(block, code, ranks.runs, convention, findings)
        rows, inside, item = np.arange(block.height), ranks.runs, block["item"]  # items may move up
    pool = np.empty(0, dtype=np.int64), np.empty(0)
    return MatchedRows(rows, inside.query, np.full(len(rows), np.nan), *pool, item, None, copy)


def _graded_rows(
    block: pl.DataFrame,
    code: Ints,
    table: JudgedTable,
    convention: Convention,
    ranks: ScoreOrder,
    findings: Findings,
    depth: int | None,
    top: int,
) -> MatchedRows:
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
    return MatchedRows(rows, runs.query[rows], grade, pool_query, table.grade[judged], item, score, copy, unmatched)


def with_ranks(
    block: pl.DataFrame, rows: MatchedRows, ranks: ScoreOrder, convention: Convention, findings: Findings
) -> Matched:
    """Return these rows with their ranks."""
    row, query, grade, pool_query, pool_grade, item, score, copy, unmatched, near = rows
    above, tied = ranks.of(row, query)
    collapsing = ranks.collapsing(row, query)
    if collapsing.any():
        name = block["query"][int(row[np.argmax(collapsing)])]
        where = findings.place("ranking", name)
        example = Phrase(f"{where.en}: such as for query {shown(name)}", f"{where.zh}：例如查询 {shown(name)}")
        findings.add("RG211", example, int(collapsing.sum()))

    def place(row: int) -> Texts:
        query = shown(block["query"][ranks.row_at(row)])
        return f"ranking: query {query}", f"排序结果：查询 {query}"

    ends = ranks.scores[np.concatenate((ranks.runs.offsets[:-1], ranks.runs.offsets[1:] - 1))]
    if np.abs(ends).max(initial=0.0) >= EXACT:  # the largest score is at the start or the end of a query
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
        positive=None if convention.hit_if == "returned" else ranks.score_of(row) > 0,
        copy=None if copy is None else copy[row],
        further=padded(block["further"][row].to_list()) if "further" in block.columns else None,
        item=item,
        score=score,
        collapsing=np.bincount(query[collapsing], minlength=ranks.runs.count) if collapsing.any() else None,
        unmatched=unmatched,
        near=near,
    )


def _unmatched(block: pl.DataFrame, key: Ints, runs: Segments, table: JudgedTable, code: Ints) -> UnmatchedIds | None:
    """Return some ids of a query if no item of the block is judged at all, whatever its rank."""
    if np.isin(table.key[table.rows_of(code)], key).any() or not len(judged := table.items_of(int(code[0]))):
        return None
    return UnmatchedIds.of(judged, block["item"][: int(runs.sizes[0])])


def _near(block: pl.DataFrame, runs: Segments, table: JudgedTable, code: Ints, most: int) -> NearMatch | None:
    """Return ids that only writing keeps apart, in the first queries of the block, at most ``most``."""
    if block.schema["item"] != pl.String or table.item.dtype != pl.String:
        return None
    lists: list[tuple[set[str], set[str]]] = []
    for number in range(min(len(code), most)):
        items = block["item"][int(runs.offsets[number]) : int(runs.offsets[number + 1])]
        judged = table.items_of(int(code[number]))
        missing = {*judged.head(FIRST_ITEMS).to_list()} - {*items.to_list()}
        others = {*items.head(FIRST_ITEMS).to_list()} - {*judged.to_list()} if missing else set()
        lists.append((missing, others))
    return first_near_match(lists) if any(others for _, others in lists) else None


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


def report_unjudged(queries: list[object], known: list[object], findings: Findings) -> None:
    """Report queries without judgments, the first of them with its place; ``known`` collects some of them."""
    place = SIDE_NAMES["ranking"] if known else findings.place("ranking", queries[0])
    query = shown(queries[0])
    example = Phrase(f"{place.en}: query {query} has no judgments", f"{place.zh}：查询 {query} 没有标注")
    findings.add("RG403", example, queries=queries)
    known += queries[: SAMPLE - len(known)]
