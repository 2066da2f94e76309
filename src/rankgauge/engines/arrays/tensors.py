"""From scores and labels that live on a device to Scores, without a copy of the scores.

Rules and kernels are those of every other road: they run on the device through ``DeviceArray``. Only the values of the
queries come back. Where few items of a row are judged, their ranks are counted in one pass over the scores; otherwise
the rows are sorted there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.engines.arrays.counting import counted
from rankgauge.engines.arrays.device_array import DeviceArray
from rankgauge.engines.arrays.libraries import Library, Torch
from rankgauge.engines.supported_metrics import check_asked
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.matching.apply_rules import settle
from rankgauge.matching.from_arrays import match_dense, match_flat
from rankgauge.matching.matched import Chunk, Matched
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_list import common_depth, parse_all
from rankgauge.segments import Segments

AT_A_TIME = 64_000_000
"""Items that are matched together: enough to fill a device, few enough for its memory."""
MATRIX = 2
"""Axes of scores of which a row is a query."""


class JudgedItems(NamedTuple):
    """The judged items of each row: their columns, -1 where there is none, and their grades."""

    items: Any
    grades: Any


def evaluate(
    library: Library,
    scores: Any,
    labels: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    query_ids: Any = None,
    convention: ConventionLike = None,
) -> Scores:
    """The values of every query, computed where the scores are.

    Parameters
    ----------
    library
        Whose arrays they are.
    scores
        One query a row; or, with ``query_ids``, all items of all queries in one row.
    labels
        Grades of the same shape, NaN where an item is not judged; or ``JudgedItems``, where few are.
    metrics
        One or several metrics, as values or as text.
    query_ids
        Of flat scores: the query of each item, queries in ascending order.
    convention
        The rules in force.
    """
    rules, asked, findings = check_convention(convention), parse_all(metrics), Findings()
    check_asked(asked)
    chunks, queries = _chunks(library, scores, labels, query_ids, rules, findings, common_depth(asked, rules))
    columns = [np.full(len(queries), np.nan) for _ in outcomes(asked)]
    for numbers, matched in chunks:
        findings.raise_errors(lenient=False)
        for column, found in zip(columns, computed(matched, asked, rules), strict=True):
            column[np.asarray(numbers)] = np.asarray(found)
    findings.raise_errors(lenient=False)
    return as_scores(queries, columns, asked, rules, findings)


def outcomes(metrics: Sequence[Metric]) -> list[tuple[Metric, bool]]:
    """What is computed of each query: the values of the metrics, then the weights (True) of those that give some."""
    weighted = [metric for metric in metrics if metric.definition.summary.weighs_queries]
    return [*((metric, False) for metric in metrics), *((metric, True) for metric in weighted)]


def computed(matched: Matched, metrics: Sequence[Metric], rules: Convention) -> list[Any]:
    """The outcomes of matched queries, where their arrays are."""
    judged = settle(matched, rules)
    sums = {metric: metric.compute(judged, rules) for metric in metrics}
    return [sums[one].weight if weight else one.settled(sums[one], rules) for one, weight in outcomes(metrics)]


def as_scores(
    queries: Sequence[Any],
    columns: Sequence[np.ndarray[Any, Any]],
    metrics: Sequence[Metric],
    rules: Convention,
    findings: Findings,
) -> Scores:
    """The outcomes of all queries as Scores."""
    found = dict(zip(outcomes(metrics), columns, strict=True))
    values = {metric: found[metric, False] for metric in metrics}
    wholes = {metric: CorpusValue.weighted(values[metric], found[metric, True]) for metric, weight in found if weight}
    return Scores(queries, {"": (values, np.empty(0, dtype=np.int64))}, rules, findings, wholes={"": wholes})


def _chunks(
    library: Library, scores: Any, labels: Any, query_ids: Any, rules: Convention, findings: Findings, depth: int | None
) -> tuple[Iterator[Chunk], list[Any]]:
    if isinstance(labels, JudgedItems):
        if not isinstance(library, Torch):
            raise ParameterError("JudgedItems are counted by torch only; give labels of the shape of the scores")
        if not isinstance(rules.unjudged, str):
            raise ParameterError(
                f"unjudged={rules.unjudged!r} gives every item a grade, and JudgedItems say nothing of the others; "
                "give labels of the shape of the scores"
            )
        return iter([_count(library, scores, labels, rules, findings)]), [*range(len(scores))]
    shapes = tuple(scores.shape), tuple(labels.shape)
    if shapes[0] != shapes[1]:
        raise InputError(f"labels have the shape {shapes[1]} and scores {shapes[0]}; give one score for each label")
    ours: Any = DeviceArray(labels, library)
    theirs: Any = DeviceArray(scores, library)
    if query_ids is None:
        if len(shapes[0]) != MATRIX:
            raise InputError(f"scores have the shape {shapes[0]}; a row is a query, or give query_ids")
        return match_dense(ours, theirs, rules, findings, depth, at_a_time=AT_A_TIME), [*range(shapes[0][0])]
    if not hasattr(query_ids, "shape"):
        raise InputError("query_ids: give whole numbers in an array of the library of the scores, not a list")
    ids: Any = DeviceArray(query_ids, library)
    if not len(ids):
        raise InputError("query_ids: there are none, so there is nothing to evaluate")
    if (ids[1:] < ids[:-1]).any():
        raise InputError("query_ids do not ascend; sort scores, labels and query_ids by query")
    ends = np.append(np.flatnonzero(ids[1:] != ids[:-1]) + 1, len(ids))
    groups = Segments(np.concatenate(([0], ends)))
    names = ids[groups.offsets[:-1]].tolist()
    return match_flat(ours, theirs, groups, rules, findings, at_a_time=AT_A_TIME), names


def _count(library: Library, scores: Any, labels: JudgedItems, rules: Convention, findings: Findings) -> Chunk:
    """The judged items of each row, their ranks counted."""
    import torch  # noqa: PLC0415

    if bool((labels.items >= scores.shape[1]).any()):
        raise InputError(f"items: {int(labels.items.max())} is no column of scores of the shape {tuple(scores.shape)}")
    without_rank = scores.amax(1).isnan()  # the largest is not a number where any is not
    if bool(without_rank.any()):
        row = int(without_rank.nonzero()[0])
        findings.add("RG202", f"scores[{row}] holds nan", int(without_rank.sum()))
    if rules.score_precision == "float32":
        scores = scores.float()
    there = labels.items >= 0
    own = scores.gather(1, labels.items.clamp(min=0))
    above, equal = counted(scores, own)
    query, place = there.nonzero(as_tuple=True)
    columns = {
        "query": query,
        "grade": labels.grades[query, place].double(),
        "above": above[query, place].long(),
        "tied": equal[query, place].long(),
        "before": _before(scores, labels.items[query, place], query, equal[query, place], rules),
        "returned": torch.full((len(scores),), scores.shape[1], device=scores.device),
        "pool_query": query,
        "pool_grade": labels.grades[query, place].double(),
    }
    if rules.hit_if != "returned":
        columns["positive"] = own[query, place] > 0
    on_device: dict[str, Any] = {name: DeviceArray(column, library) for name, column in columns.items()}
    return np.arange(len(scores)), Matched(**on_device)


def _before(scores: Any, item: Any, query: Any, equal: Any, rules: Convention) -> Any:
    """How many items of the same score stand before each: only rows in which one ties are looked at again."""
    import torch  # noqa: PLC0415

    before = torch.zeros_like(query)
    if rules.ties in {"mean", "best", "worst", "together"}:
        return before  # decided by the grades alone
    which = (equal > 1).nonzero().squeeze(1)
    for some in which.split(max(1, AT_A_TIME // max(scores.shape[1], 1))):
        rows = scores[query[some]]
        own = rows.gather(1, item[some, None])
        places = torch.arange(scores.shape[1], device=scores.device)
        earlier = places > item[some, None] if rules.ties == "input-reversed" else places < item[some, None]
        before[some] = ((rows == own) & earlier).sum(1)
    return before
