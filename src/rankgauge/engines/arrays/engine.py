"""From judgments and scores on a device to Scores, without a copy of the scores.

Rules and kernels are those of ``rg.evaluate``; they run on the device through ``DeviceArray``. Only the values of the
queries return to the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.engines.arrays.array_checks import check_arrays, check_sides
from rankgauge.engines.arrays.device_array import DeviceArray
from rankgauge.engines.arrays.judged_items import JudgedItems, count_ranks, match_counts, place_items
from rankgauge.engines.arrays.libraries import Library, WrongAfterAllError
from rankgauge.engines.metric_columns import column_count, parse_supported, to_scores
from rankgauge.engines.query_counts import (
    EXTREMES,
    add_finding,
    compute_counted,
    count_findings,
    data_totals,
    extremes_of,
    has_findings,
    note_counts,
    signs_of,
    value_name,
)
from rankgauge.errors import InputError
from rankgauge.evaluation.data_totals import DataTotals
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.matching.from_arrays import match_dense, match_flat
from rankgauge.matching.matched import Matched
from rankgauge.matching.score_checks import SAMPLE, note_ascending
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import matching_rules
from rankgauge.metric_core.notation import MetricsLike
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Array, Segments
from rankgauge.value_checks import check_query_ids

USAGE = "judgments=..., scores=..., metrics=..."
CHUNK_ITEMS = 64_000_000
"""Items matched together: enough to keep a device busy, few enough for its memory."""
CODES = ("RG205", "RG206", "RG207", "RG404", "RG413")
"""The findings that are counted for each query."""


class ArrayEngine:
    """Evaluation of the arrays of one library."""

    def __init__(self, library: type[Library]) -> None:
        self._library = library

    def evaluate(
        self,
        *,
        judgments: Any,
        scores: Any,
        metrics: MetricsLike | None = None,
        query_ids: Any = None,
        convention: ConventionLike = None,
    ) -> Scores:
        """Evaluate every query on the device that holds the scores.

        Parameters
        ----------
        judgments
            Grades in an array of the shape of ``scores``, NaN where an item is not judged. With torch also
            ``JudgedItems``, for few judged items per row: their ranks are counted in one pass, and nothing is sorted.
        scores
            One row per query; or, with ``query_ids``, the items of all queries in one dimension. Scores of half and
            single precision are compared without conversion; sums use double precision.
        metrics
            One or several metrics, as values or as text.
        query_ids
            The query of each item of flat arrays, as integers in ascending order: an array of the library or of NumPy,
            or a list.
        convention
            A Convention, or the name of a preset.
        """
        parsed, rules, depth = parse_supported(metrics, convention)
        needed = matching_rules(parsed, rules)
        library = self._library.holding(scores)
        query_ids = check_arrays(library, judgments, scores, query_ids)

        def evaluated(library: Library) -> Scores:
            findings = Findings()
            with library.active_device():
                chunks, queries = match_arrays(library, judgments, scores, query_ids, needed, findings, depth)
                result = ArrayValues(queries, parsed, rules)
                ascending, whole = first_ascend(library, scores, query_ids), has_whole_grades(library, judgments)
                for matched in chunks:
                    findings.raise_errors(lenient=False)
                    columns, zeros = compute_counted(matched, parsed, rules)
                    relevant = matched.relevant(rules)
                    zeros = {code: count * (relevant > 0) for code, count in zeros.items()}
                    named = {value_name(place): column for place, column in enumerate(columns)}
                    named |= {"relevant": relevant, "ascending": ascending}
                    named["returned"] = matched.returned[:1] if query_ids is None else matched.returned
                    host = _to_host(library, named | signs_of(matched, zeros, depth, whole_grades=whole))
                    if has_findings(host):  # rarely, so the device need not count them
                        host |= _to_host(library, zeros | count_findings(matched, rules, depth))
                    result.add(host)
            return result.scores(findings)

        try:
            return evaluated(library.postponing())
        except WrongAfterAllError:  # again, to say what is wrong
            return evaluated(library)


def _to_host(library: Library, named: Mapping[str, Any]) -> dict[str, Array]:
    return dict(zip(named, library.columns_to_host([*named.values()]), strict=True))


def has_whole_grades(library: Library, judgments: Any) -> bool:
    """Whether the type of the grades has whole numbers only."""
    grades = judgments.grades if isinstance(judgments, JudgedItems) else judgments
    return library.dtype_of(grades).kind in "iub"


def first_ascend(library: Library, scores: Any, query_ids: Any = None) -> Any:
    """Whether the scores of each of the first lists ascend, on the device."""
    points: Any = DeviceArray(scores, library)
    if query_ids is None:
        points = points[: -(-SAMPLE // max(1, scores.shape[1]))]
        ascend = points[:, 1:] > points[:, :-1]
    else:
        points, ids = points[:SAMPLE], DeviceArray(query_ids, library)[:SAMPLE]
        ascend = (points[1:] > points[:-1]) | (ids[1:] != ids[:-1])
    return np.logical_and.reduce(ascend, None)


class ArrayValues:
    """The values and the findings of the queries of arrays, collected on the host."""

    def __init__(self, queries: Sequence[Any], metrics: Sequence[Metric], rules: Convention) -> None:
        self._queries, self._metrics, self._rules = queries, metrics, rules
        self._columns = np.empty((column_count(metrics, rules), len(queries)))
        self._known, self._totals, self._findings = 0, DataTotals(), Findings()

    def add(self, named: Mapping[str, Array]) -> None:
        """Add what was computed for the next queries."""
        relevant, returned, none = named["relevant"], named["returned"], np.array([np.nan])
        queries = slice(self._known, self._known + len(relevant))
        for place, column in enumerate(self._columns):
            column[queries] = named[value_name(place)]
        counts = {**named, "RG404": relevant == 0}
        note_counts(self._findings, CODES, counts, self._queries[queries])
        if named.get("tied", np.zeros(1)).any():
            (tied,), (first,) = named["tied"], named["first tied"]
            add_finding(self._findings, "RG212", self._queries[queries.start + int(first)], int(tied))
        extremes = (named.get("lowest", none), named.get("highest", none), returned, returned)
        single = int((relevant == 1).sum())  # every judged item has a score, so it was returned
        self._totals += data_totals(len(relevant), single, extremes_of(dict(zip(EXTREMES, extremes, strict=True))))
        if self._known == 0 and named["ascending"].any():
            lengths = np.resize(returned, len(relevant))
            before = np.cumsum(lengths) - lengths
            seen = np.minimum(lengths, SAMPLE - before)[before < SAMPLE]
            note_ascending(seen.tolist(), Phrase("scores: ", "scores："), self._findings)
        self._known = queries.stop

    def scores(self, findings: Findings) -> Scores:
        """The values of all queries."""
        findings.merge(self._findings)
        if np.isinf([self._totals.lowest, self._totals.highest]).any():  # of judged items, which are not looked at
            findings.add("RG204", Phrase("judgments: a grade is infinite", "judgments：有无穷大的等级"))
        findings.raise_errors(lenient=False)
        return to_scores(self._queries, [*self._columns], self._metrics, self._rules, findings, totals=self._totals)


def match_arrays(
    library: Library,
    judgments: Any,
    scores: Any,
    query_ids: Any,
    rules: Convention,
    findings: Findings,
    depth: int | None,
) -> tuple[Iterable[Matched], Sequence[object]]:
    """Chunks of queries, one after another, and the ids of all queries."""
    rows = range(len(scores))
    check_sides(library, judgments.grades if isinstance(judgments, JudgedItems) else judgments, scores)
    if isinstance(judgments, JudgedItems):
        placed = place_items(library, judgments, scores.shape[1])  # asks the device before it counts
        counts = count_ranks(scores, judgments, rules)
        matched = match_counts(library, placed, counts, scores.shape[1], rules, findings)
        return [matched], rows
    labels: Any = DeviceArray(judgments, library)
    points: Any = DeviceArray(scores, library)
    if query_ids is None:
        blocks = match_dense(labels, points, rules, findings, depth, at_a_time=CHUNK_ITEMS)
        return (matched for _, matched in blocks), rows
    groups, names = _query_groups(query_ids, library)
    blocks = match_flat(labels, points, groups, rules, findings, at_a_time=CHUNK_ITEMS)
    return (matched for _, matched in blocks), names


def _query_groups(query_ids: Any, library: Library) -> tuple[Segments, list[object]]:
    """The items of each query of flat arrays, and the ids of the queries."""
    ids: Any = DeviceArray(query_ids, library)
    if not len(ids):
        raise InputError(
            Phrase("query_ids are empty, so there is nothing to evaluate", "query_ids 为空，没有可评测的内容")
        )
    check_query_ids(ids[:1].tolist())  # a mask is in no order
    if (ids[1:] < ids[:-1]).any():
        en = "query_ids are not in ascending order; sort judgments, scores and query_ids by query"
        raise InputError((en, "query_ids 不是升序；请按查询对 judgments、scores 和 query_ids 排序"))
    ends = np.append(np.flatnonzero(ids[1:] != ids[:-1]) + 1, len(ids))
    groups = Segments(np.concatenate(([0], ends)))
    names = ids[groups.offsets[:-1]].tolist()
    check_query_ids(names)
    return groups, names
