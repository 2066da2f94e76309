"""StreamingScores: scores of batches as they come, in constant memory, for training and validation loops.

>>> import numpy as np
>>> import rankgauge as rg
>>> state = rg.StreamingScores(["RR", "nDCG@10"])
>>> state.update(np.array([[0.9, 0.5, 0.1], [0.2, 0.4, 0.3]]), np.array([[1, 0, 0], [1, 0, 0]]))
>>> state.update(np.array([0.7, 0.8]), np.array([1, 0]), np.array([7, 7]))  # flat: one query, its id is 7
>>> found = state.compute()
>>> round(found.mean("RR"), 6), found.count("RR")  # (1 + 1/3 + 1/2) / 3
(0.611111, 3)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.engines.arrays import jax, torch
from rankgauge.engines.arrays.tensors import JudgedItems
from rankgauge.engines.streaming.averages import Averages, as_averaged
from rankgauge.engines.streaming.moments import Moments
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_list import parse_all


class StreamingScores:
    """What is known of the queries of all batches so far: a few numbers for each metric, however many there were.

    Parameters
    ----------
    metrics
        One or several metrics, as values or as text. Each must be a mean (or sum) over queries.
    convention
        The rules in force: a Convention, or the name of a preset such as ``"lightgbm"``.
    """

    def __init__(self, metrics: str | Metric | Iterable[str | Metric], *, convention: ConventionLike = None) -> None:
        self.metrics = tuple(parse_all(metrics))
        self.convention = check_convention(convention)
        check_streamable(self.metrics, self.convention)
        self.reset()

    def reset(self) -> None:
        """Forget all batches."""
        self._moments = [Moments()] * len(self.metrics)
        self._last_query: Any = None
        self.findings = Findings()
        """What was noticed in the batches."""

    def update(self, scores: Any, labels: Any, query_ids: Any = None, *, mask: Any = None) -> None:
        """Take in the whole queries of one batch: arrays of NumPy, torch (on any device) or JAX.

        Parameters
        ----------
        scores, labels
            One query a row, NaN labels: not judged; or flat, with ``query_ids``. Where few items of a row are judged,
            ``rg.torch.JudgedItems`` says which, and their ranks are counted instead of sorted.
        query_ids
            Of flat batches: the query of each item. A batch must hold whole queries. A query that ends one batch and
            begins the next is refused; one that comes again later cannot be noticed and would count as another query.
        mask
            Of rows that were padded to one length: true where there is an item. A row without any is no query.
        """
        if query_ids is not None:
            self._last_query = last_query(query_ids, self._last_query)
        batch = batch_moments(self.metrics, self.convention, scores, labels, query_ids, mask, self.findings)
        self._moments = [ours + theirs for ours, theirs in zip(self._moments, batch, strict=True)]

    def merge(self, other: StreamingScores) -> None:
        """Take in what another state has seen: of another process, another part of the queries."""
        if (self.metrics, self.convention) != (other.metrics, other.convention):
            raise ParameterError(
                f"only states of the same metrics under the same convention can be merged, not {self!r} and {other!r}"
            )
        self._moments = [ours + theirs for ours, theirs in zip(self._moments, other._moments, strict=True)]
        self.findings.merge(other.findings)

    def compute(self) -> Averages:
        """Mean, number of queries and interval of each metric so far; the state goes on."""
        return Averages(self.metrics, self.convention, self._moments)

    def __repr__(self) -> str:
        return f"<StreamingScores: {', '.join(map(str, self.metrics))}>"


def check_streamable(metrics: Sequence[Metric], convention: Convention) -> None:
    """Refuse what cannot be put together from batches, and say why."""
    for metric in metrics:
        definition = metric.definition
        if definition.summary.is_resampled:
            why = "a number of all queries together, not a mean over queries"
        elif definition.of_items:
            why = "made of the items themselves, which batches of scores and labels do not name"
        else:
            continue
        raise ParameterError(
            f"{metric} is {why}, so it cannot be put together from batches; keep the rankings and use rg.evaluate"
        )
    if convention.averaging in {"median", "weighted"}:
        needs = "the value of every query" if convention.averaging == "median" else "the weights of the queries"
        raise ParameterError(
            f"averaging={convention.averaging!r} needs {needs}, which batches in constant memory do not keep; "
            "use 'mean' or 'geometric', or rg.evaluate on all queries"
        )


def batch_moments(
    metrics: Sequence[Metric],
    convention: Convention,
    scores: Any,
    labels: Any,
    query_ids: Any = None,
    mask: Any = None,
    findings: Findings | None = None,
) -> list[Moments]:
    """The moments of each metric over the queries of one batch, computed where its arrays are."""
    library, grades = _library(scores), labels.grades if isinstance(labels, JudgedItems) else labels
    if {_library(one) for one in (grades, query_ids, mask) if one is not None} != {library}:
        raise InputError("scores, labels, query_ids and mask of one batch must be arrays of one library")
    if grades is not labels and not (query_ids is None and mask is None):
        raise ParameterError("JudgedItems are of whole rows, so they go with neither query_ids nor mask")
    if not len(scores) and not len(grades):
        return [Moments()] * len(metrics)
    if mask is not None:
        scores, labels, query_ids = _unpadded(scores, labels, query_ids, mask)
        if not len(scores):
            return [Moments()] * len(metrics)
    found = _evaluated(library, scores, labels, query_ids, metrics, convention)
    if findings is not None:
        findings.merge(found.findings)
    return [Moments.of(as_averaged(found[metric], metric, convention)) for metric in metrics]


def _evaluated(
    library: str, scores: Any, labels: Any, query_ids: Any, metrics: Sequence[Metric], convention: Convention
) -> Scores:
    if library == "numpy":
        return evaluate(labels, scores, metrics, convention=convention, query_ids=query_ids)
    if query_ids is not None:
        scores, labels, query_ids = _by_query(scores, labels, query_ids)
    if library == "torch":
        scores = scores.detach()  # no metric has a gradient
    engine = torch if library == "torch" else jax
    return engine.evaluate(scores, labels, metrics, convention=convention, query_ids=query_ids)


def _library(array: Any) -> str:
    if isinstance(array, np.ndarray):
        return "numpy"
    name = type(array).__module__.partition(".")[0]
    if name == "torch":
        return name
    if name in {"jax", "jaxlib"}:
        return "jax"
    raise InputError(f"a batch holds arrays of NumPy, torch or JAX, not {shown(type(array))}")


def _unpadded(scores: Any, labels: Any, query_ids: Any, mask: Any) -> tuple[Any, Any, Any]:
    """The items of padded rows one after the other, with the number of their row."""
    if query_ids is not None:
        raise ParameterError("mask is for rows that were padded, query_ids for flat batches; give one of them")
    shapes = {tuple(array.shape) for array in (scores, labels, mask)}
    if len(shapes) != 1 or len(scores.shape) != 2:  # noqa: PLR2004 (a row is a query)
        raise InputError(f"scores, labels and mask must be of one shape, a row for each query, not {sorted(shapes)}")
    items = mask != 0
    return scores[items], labels[items], items.nonzero()[:, 0] if _library(mask) == "torch" else items.nonzero()[0]


def _by_query(scores: Any, labels: Any, query_ids: Any) -> tuple[Any, Any, Any]:
    """The items in ascending order of their queries, those of a query in the order of the batch."""
    if bool((query_ids[1:] >= query_ids[:-1]).all()):
        return scores, labels, query_ids
    order = query_ids.argsort(stable=True)
    return scores[order], labels[order], query_ids[order]


def last_query(query_ids: Any, last: Any) -> Any:
    """The last query of a batch, whose first must not be the last of the batch before."""
    if not len(query_ids):
        return last
    first, end = query_ids[:1].tolist()[0], query_ids[-1:].tolist()[0]
    if first == last:
        raise InputError(
            f"query_ids: {shown(first)} ends one batch and begins the next, and a query that is split cannot be "
            "ranked; let each batch hold whole queries (where these are different queries, number them through)"
        )
    return end
