"""Which road the data take: arrays, dicts or frames, by what the user holds."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import ranking_records
from rankgauge.matching.from_arrays import match_dense, match_flat
from rankgauge.matching.from_dicts import match_dicts, scores_of
from rankgauge.matching.id_types import as_judged, with_like_ids, with_like_items
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Chunk
from rankgauge.matching.read_options import groups_of, is_file, is_table, listed, ranking_frames, read_table

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.matching.from_frames import JudgedTable


KEPT_BYTES = (32 << 20) - (8 << 10)
"""Just below what glibc takes for too large to keep."""


def match(
    judgments: Judgments,
    ranking: Any,
    convention: Convention,
    findings: Findings,
    depth: int | None,
    read: Callable[[int], None] | None = None,
    heads: int = 0,
) -> Iterator[Chunk]:
    """The chunks of a ranking, by whichever road its form asks for; ``read`` hears how many bytes were read.

    Of the top ``heads`` of each query every item is kept, judged or not, with its id.
    """
    _keep_freed_memory()
    if isinstance(ranking, np.ndarray) and judgments.array is not None:
        yield from _match_arrays(judgments, ranking, convention, findings, depth, heads)
    elif is_file(ranking) or is_table(ranking):
        yield from _match_tables(judgments, ranking, convention, findings, depth, read, heads)
    else:
        yield from _match_dicts(judgments, ranking, convention, findings, heads)


def _keep_freed_memory() -> None:
    """Let the memory of one step serve the next.

    glibc gives freed memory back to the system at once until a large block was freed, and takes that for a sign to keep
    more. Without it arrays spend half of their time on fetching the same pages anew for every step.
    """
    np.empty(KEPT_BYTES, dtype=np.uint8)


def rankings_of(
    judgments: Judgments, ranking: Any, queries: Iterable[Any], findings: Findings
) -> dict[Any, Mapping[Any, Any]]:
    """The scores of some queries, by item, in one reading; by place where the items come without scores."""
    if not (is_file(ranking) or is_table(ranking)):
        judged, rankings = with_like_items(judgments.dicts, ranking_records(ranking, findings), findings)
        rankings = with_like_ids(judged, rankings, findings)
        found = {query: scores_of(query, rankings.get(query, ()), findings) for query in queries}
        return found if judged is judgments.dicts else as_judged(judgments.dicts, found)
    import polars as pl  # noqa: PLC0415

    frames = [read_table(ranking, "ranking", judgments.reading, findings)] if is_table(ranking) else None
    blocks = frames or ranking_frames(ranking, judgments.reading, findings)
    asked = {str(query): query for query in queries}
    text = pl.col("query").cast(pl.String)
    rows = pl.concat([block.filter(text.is_in([*asked])) for block in blocks])
    found = {query: {} for query in asked.values()}
    for part in rows.partition_by("query", maintain_order=True):
        query = asked[str(part["query"][0])]
        best = part.sort("score", descending=True, maintain_order=True)
        once = best.unique("item", keep="first", maintain_order=True)
        if once.height < part.height:
            findings.add("RG301", f"ranking: an item is returned more than once (query {shown(query)})")
        by_item = part if once.height == part.height else once
        found[query] = dict(by_item.select("item", "score").iter_rows())
    return as_judged(judgments.dicts, found)


def _match_arrays(
    judgments: Judgments,
    scores: np.ndarray[Any, Any],
    convention: Convention,
    findings: Findings,
    depth: int | None,
    heads: int,
) -> Iterator[Chunk]:
    labels = np.asarray(judgments.array)
    for name, array in (("labels", labels), ("scores", scores)):
        if array.dtype.kind not in "iufb":
            raise InputError(f"{name} must be an array of numbers, not of {array.dtype}")
        if array.ndim not in {1, 2}:
            raise InputError(f"{name} must have one or two dimensions, not {array.ndim}")
    if labels.ndim == 2:  # noqa: PLR2004 (a matrix)
        yield from match_dense(labels, scores, convention, findings, depth, heads)
        return
    groups, ids = groups_of(labels, judgments.reading)
    if ids is not None:
        code = {query: number for number, query in enumerate(ids)}
        order = np.argsort([code[query] for query in listed(judgments.reading.query_ids)], kind="stable")
        labels, scores = labels[order], scores[order]
    yield from match_flat(labels, scores, groups, convention, findings, heads)


def _match_dicts(
    judgments: Judgments, ranking: Any, convention: Convention, findings: Findings, heads: int
) -> Iterator[Chunk]:
    rankings = ranking_records(ranking, findings)
    judged, rankings = with_like_items(judgments.dicts, rankings, findings)
    rankings = with_like_ids(judged, rankings, findings)
    unjudged = [query for query in rankings if query not in judged]
    if unjudged:
        findings.add("RG403", f"ranking: query {shown(unjudged[0])} has no judgments", len(unjudged))
    answered = [number for number, query in enumerate(judgments.queries) if query in rankings]
    queries = [judgments.queries[number] for number in answered]
    numbers = np.array(answered, dtype=np.int64)
    for some, matched in match_dicts(judged, rankings, queries, convention, findings, heads):
        yield numbers[some], matched


def _match_tables(
    judgments: Judgments,
    ranking: Any,
    convention: Convention,
    findings: Findings,
    depth: int | None,
    read: Callable[[int], None] | None,
    heads: int,
) -> Iterator[Chunk]:
    from rankgauge.matching.from_frames import NotContiguousError, match_frames, slices  # noqa: PLC0415

    table, reading = judgments.table(findings), judgments.reading
    if is_table(ranking):
        frame = _alike(read_table(ranking, "ranking", reading, findings), table, findings)
        yield from match_frames(table, slices(frame), convention, findings, depth, heads, in_memory=True)
        return
    again = not isinstance(ranking, io.IOBase) and ranking != "-"
    apart = Findings()
    try:
        blocks = (_alike(block, table, apart) for block in ranking_frames(ranking, reading, apart, read))
        yield from match_frames(table, blocks, convention, apart, depth, heads)
        findings.merge(apart)
    except NotContiguousError:
        if not again:
            raise InputError(
                "ranking: the lines of a query do not stand together, and a stream cannot be read twice; "
                "sort it by query, or give a file"
            ) from None
        import polars as pl  # noqa: PLC0415

        findings.add("RG304", f"{ranking}: read whole instead of query by query")
        frame = pl.concat([*ranking_frames(ranking, reading, findings, read)])
        whole = slices(_alike(frame, table, findings))
        yield from match_frames(table, whole, convention, findings, depth, heads, in_memory=True)


def _alike(frame: pl.DataFrame, table: JudgedTable, findings: Findings) -> pl.DataFrame:
    """The ranking with ids of the kinds that the judgments have; both become text where they differ."""
    import polars as pl  # noqa: PLC0415

    for name, kind in (("query", table.queries.dtype), ("item", table.item.dtype)):
        if frame.schema[name] != kind:
            findings.add("RG406", f"{name} ids are {kind} in the judgments and {frame.schema[name]} in the ranking")
            table.as_text(name)
            frame = frame.with_columns(pl.col(name).cast(pl.String))
    return frame
