"""Match arrays of labels and scores; every item has a label, so there is nothing to join."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError
from rankgauge.inputs.findings import Findings
from rankgauge.matching.apply_rules import REORDERING
from rankgauge.matching.descending import along, descending_columns, descending_rows
from rankgauge.matching.matched import Chunk, Matched, Plain
from rankgauge.matching.score_checks import note_large_scores
from rankgauge.segments import Array, Bools, Floats, Ints, Segments, as_single

ITEMS_AT_A_TIME = 500_000
"""Items matched at a time: few enough to stay in the cache from one step to the next."""
COMPARABLE = (np.dtype(np.float32), np.dtype(np.float64))
"""Score types that are compared directly; others are converted to float64."""
WORTH_PARTITIONING = 4
"""A partition is faster than a sort if lists are at least this many times as long as the top k."""


def match_dense(
    labels: Array,
    scores: Array,
    convention: Convention,
    findings: Findings,
    depth: int | None = None,
    top: int = 0,
    at_a_time: int = ITEMS_AT_A_TIME,
) -> Iterator[Chunk]:
    """Match matrices with a row per query and a column per item; a NaN label is no judgment.

    Items that cannot reach rank ``depth`` are only counted. Of the top ``top`` of each query every item is kept, judged
    or not, with its column as its id.
    """
    if labels.shape != scores.shape:
        raise InputError(
            f"labels have the shape {labels.shape} and scores {scores.shape}; pass one score for each label"
        )
    queries, count = labels.shape
    rows = max(1, at_a_time // max(count, 1))
    for start in range(0, queries, rows):
        block = slice(start, start + rows)
        points, scored = _points(scores[block], convention, findings, start)
        grades = _grades(labels[block], findings, start)
        if scored is None:
            matched = _match_rows(grades, points, convention, findings, depth, top)
        else:
            segments = Segments.equal(len(points), count, points)
            items = grades.ravel(), points.ravel(), scored.ravel()
            matched = _match_items(*items, segments, convention, findings, top, count)
        yield np.arange(start, start + len(points)), matched


def _match_rows(
    grades: Floats, points: Floats, convention: Convention, findings: Findings, depth: int | None, top: int
) -> Matched:
    """Match rows in which every item has a score."""
    queries, count = grades.shape
    query, column = _best_columns(points, depth)
    if column.ndim == grades.ndim:
        point, grade = (along(matrix, column).ravel() for matrix in (points, grades))
    else:
        point, grade = points[query, column], grades[query, column]
    plain = None
    if column.ndim == grades.ndim and count and not top and (grades >= 0).all():  # no grade is NaN or negative
        plain = _plain(point, column.shape, count)
    pool_query = query if len(query) == queries * count else np.repeat(np.arange(queries, like=points), count)
    if plain is not None and not (plain.ties and convention.ties in REORDERING):
        pool = grades.ravel()  # sorted when a metric needs it
    else:
        pool = -np.sort(-grades, axis=1).ravel()  # NaN comes last
        if not (judged := ~np.isnan(pool)).all():
            pool, pool_query = pool[judged], pool_query[judged]
    returned = np.full(queries, count, like=points)
    return _matched(query, point, grade, returned, pool_query, pool, convention, findings, top, column, plain)


def _best_columns(points: Floats, depth: int | None) -> tuple[Ints, Ints]:
    """Return row and column by row and descending score, ties in input order, down to rank ``depth``.

    The columns are a matrix unless scores tie at rank ``depth``: then rows have more columns, and not the same number.
    """
    queries, count = points.shape
    query = np.arange(queries, like=points)
    if depth is None or depth * WORTH_PARTITIONING > count:
        return np.repeat(query, count), descending_columns(points)
    if not isinstance(points, np.ndarray):  # a device sorts as fast as it partitions
        order = descending_columns(points)
        last = along(points, order[:, depth - 1 : depth + 1])
        width = count if (last[:, 0] == last[:, 1]).any() else depth
        return np.repeat(query, width), order[:, :width]
    lowest = np.partition(points, count - depth, axis=1)[:, count - depth]
    query, column = np.nonzero(points >= lowest[:, None])
    if len(column) == queries * depth:
        best = column.reshape(queries, depth)
        return query, along(best, descending_columns(along(points, best)))
    order = descending_rows(points[query, column], Segments.of_rows(query, queries))
    return query, column[order]


def _plain(point: Floats, shape: tuple[int, ...], count: int) -> Plain:
    """Match equal-length rows whose grades need no rule."""
    queries, width = shape
    matrix = point.reshape(queries, width)
    ties = bool((matrix[:, 1:] == matrix[:, :-1]).any())
    rows = Segments.equal(queries, width, point)
    return Plain(rows, rows if width == count else Segments.equal(queries, count, point), ties)


def match_flat(
    labels: Array,
    scores: Array,
    groups: Segments,
    convention: Convention,
    findings: Findings,
    top: int = 0,
    at_a_time: int = ITEMS_AT_A_TIME,
) -> Iterator[Chunk]:
    """Match flat arrays, whose queries follow one another as ``groups`` says.

    Of the top ``top`` of each query every item is kept, judged or not, with its position in the chunk as its id.
    """
    if len(labels) != len(scores):
        raise InputError(f"expected one score for each label ({len(labels)}), found {len(scores)}")
    start = 0
    while start < groups.count:
        full = int(np.searchsorted(groups.offsets, groups.offsets[start] + at_a_time, side="right")) - 1
        stop = min(max(full, start + 1), groups.count)
        first, last = int(groups.offsets[start]), int(groups.offsets[stop])
        block = Segments(groups.offsets[start : stop + 1] - first)
        points, scored = _points(scores[first:last], convention, findings, first)
        grades = _grades(labels[first:last], findings, first)
        matched = _match_items(grades, points, scored, block, convention, findings, top, len(points))
        yield np.arange(start, stop), matched
        start = stop


def _match_items(
    grades: Floats,
    points: Floats,
    scored: Bools | None,
    groups: Segments,
    convention: Convention,
    findings: Findings,
    top: int = 0,
    columns: int = 0,
) -> Matched:
    """Match queries of any length; items without a score were not returned."""
    items = np.arange(len(points), like=points) if scored is None else np.flatnonzero(scored)
    judged = ~np.isnan(grades)
    returned = np.bincount(groups.query[items], minlength=groups.count)
    order = items[descending_rows(points[items], Segments.of_sizes(returned))]
    return _matched(
        groups.query[order],
        points[order],
        grades[order],
        returned,
        groups.query[judged],
        grades[judged],
        convention,
        findings,
        top,
        order % columns if top else order,
    )


def _points(scores: Array, convention: Convention, findings: Findings, start: int) -> tuple[Floats, Bools | None]:
    """Return the scores and which of them are numbers (None if all are); the others are reported."""
    points, scored = scores if scores.dtype in COMPARABLE else scores.astype(np.float64), None
    if not np.isfinite(points).all():
        scored = ~np.isnan(points)
        _report(~scored, "RG202", "scores", "nan", start, findings)
        _report(np.isinf(points), "RG203", "scores", "infinite", start, findings)
        scored = None if scored.all() else scored
    if isinstance(points, np.ndarray) and points.dtype != np.float32:
        note_large_scores(points.ravel(), lambda row: f"scores{_index(points, row, start)}", findings)
    single = convention.score_precision == "float32"
    return as_single(points) if single and points.dtype != np.float32 else points, scored


def _grades(labels: Array, findings: Findings, start: int) -> Floats:
    """Return the labels as grades; an infinite one is reported and is no judgment."""
    grades = labels.astype(np.float64)
    if labels.dtype.kind in "iub":
        return grades
    infinite = np.isinf(grades)
    if infinite.any():
        _report(infinite, "RG204", "labels", "infinite", start, findings)
        grades[infinite] = np.nan
    return grades


def _index(points: Array, row: int, start: int) -> list[int]:
    """Return the indices of an element of a block that starts at a row."""
    first, *others = (int(axis) for axis in np.unravel_index(row, points.shape))
    return [start + first, *others]


def _report(wrong: Bools, code: str, what: str, reason: str, start: int, findings: Findings) -> None:
    if wrong.any():
        first, *others = (int(axis[0]) for axis in np.nonzero(wrong))
        findings.add(code, f"{what}{[start + first, *others]} is {reason}", int(wrong.sum()))


def _matched(
    query: Ints,
    points: Floats,
    grade: Floats,
    returned: Ints,
    pool_query: Ints,
    pool_grade: Floats,
    convention: Convention,
    findings: Findings,
    top: int,
    item: Ints,
    plain: Plain | None = None,
) -> Matched:
    """Return the matched rows, which are ordered by query and descending score, ties in input order."""
    above, tied, before = _runs(query, points) if plain is None else _equal_runs(points, plain)
    if isinstance(points, np.ndarray) and points.dtype == np.float64:
        _note_collapsing(query, points, grade, findings)
    if convention.ties == "input-reversed":
        before = tied - 1 - before
    rows: Bools | slice = slice(None)
    if plain is None:
        judged = ~np.isnan(grade)
        kept = judged | (above < top) if top else judged
        rows = kept if isinstance(convention.unjudged, str) and not kept.all() else slice(None)
    return Matched(
        query=query[rows],
        grade=grade[rows],
        above=above[rows],
        tied=tied[rows],
        before=before[rows],
        returned=returned,
        pool_query=pool_query,
        pool_grade=pool_grade,
        positive=None if convention.hit_if == "returned" else points[rows] > 0,
        item=item.ravel()[rows] if top else None,
        score=points[rows].astype(np.float64) if top else None,
        plain=plain,
    )


def _note_collapsing(query: Ints, points: Floats, grade: Floats, findings: Findings) -> None:
    """Report judged items whose scores differ from their neighbour's in double, but not in single precision."""
    single = as_single(points)
    same = np.flatnonzero(single[1:] == single[:-1])
    pairs = same[(points[same] != points[same + 1]) & (query[same] == query[same + 1])]
    if len(pairs):
        rows = np.unique(np.concatenate((pairs, pairs + 1)))
        judged = rows[~np.isnan(grade[rows])]
        if len(judged):
            findings.add("RG211", f"scores: such as {float(points[judged[0]])!r}", len(judged))


def _runs(query: Ints, points: Floats) -> tuple[Ints, Ints, Ints]:
    """Return the number of items above each row, tied with it, and tied before it."""
    new_query = np.ones(len(query) + 1, dtype=bool, like=query)
    new_query[1:-1] = query[1:] != query[:-1]
    begins = new_query.copy()
    begins[1:-1] |= points[1:] != points[:-1]
    place = np.arange(len(query), like=query)
    firsts = np.flatnonzero(new_query)
    first_of_query = np.repeat(firsts[:-1], firsts[1:] - firsts[:-1])
    if begins.all():
        run_start, tied = place, np.ones(len(query), dtype=np.int64, like=query)
    else:
        starts = np.flatnonzero(begins)
        sizes = starts[1:] - starts[:-1]
        run_start, tied = np.repeat(starts[:-1], sizes), np.repeat(sizes, sizes)
    return run_start - first_of_query, tied, place - run_start


def _equal_runs(points: Floats, plain: Plain) -> tuple[Ints, Ints, Ints]:
    """Return the same for queries with the same number of rows, without searching for their borders."""
    rows = plain.rows
    place = rows.in_each(np.arange(rows.rows // rows.count, like=rows.offsets))
    if not plain.ties:
        return (
            place,
            np.broadcast_to(np.ones_like(place, shape=1), place.shape),
            np.broadcast_to(place[:1], place.shape),
        )
    new = np.ones_like(place, dtype=bool)
    new[1:] = points[1:] != points[:-1]
    begins = new | (place == 0)
    start = np.maximum.accumulate(np.where(begins, place, 0).reshape(rows.count, -1), axis=1).ravel()
    run = np.cumsum(begins) - 1
    return start, np.bincount(run, minlength=rows.rows)[run], place - start
