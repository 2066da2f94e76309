"""StreamingScores: metrics over batches in constant memory, for training and validation loops.

>>> import numpy as np
>>> import rankgauge as rg
>>> streaming = rg.StreamingScores(["RR", "nDCG@10"])
>>> streaming.update(judgments=np.array([[1, 0, 0], [1, 0, 0]]), scores=np.array([[0.9, 0.5, 0.1], [0.2, 0.4, 0.3]]))
>>> streaming.update(judgments=np.array([1, 0]), scores=np.array([0.7, 0.8]), query_ids=np.array([7, 7]))
>>> averages = streaming.compute()
>>> round(averages.mean("RR"), 6), averages.count("RR")  # (1 + 1/3 + 1/2) / 3
(0.611111, 3)
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.engines.arrays.array_checks import COMPLETE_ROWS, check_arrays, check_dimensions
from rankgauge.engines.arrays.call_checks import array_call
from rankgauge.engines.arrays.engine import ArrayEngine
from rankgauge.engines.arrays.judged_items import JudgedItems
from rankgauge.engines.arrays.libraries import Jax, Library, is_from
from rankgauge.engines.arrays.torch_library import Torch
from rankgauge.engines.metric_columns import check_item_rules
from rankgauge.engines.streaming.averages import Averages, Moments, values_to_average
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.evaluation.data_totals import OF_ALL_QUERIES, DataTotals
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.frame_kinds import column_array
from rankgauge.matching.source_types import ArrayLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import metric_plan
from rankgauge.metric_core.notation import MetricsLike, parse_all
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import unmasked

NEEDED_BY_AVERAGING = {
    "median": Phrase("the value of every query", "每个查询的值"),
    "weighted": Phrase("the weights of the queries", "各查询的权重"),
    "pooled": Phrase("the denominators of the queries", "各查询的分母"),
}
"""What averages other than a mean of the values need."""


class StreamingScores:
    """Metrics over the queries of all batches so far, as three numbers per metric.

    Parameters
    ----------
    metrics
        One or several metrics, as values or as text. Each must be a mean (or sum) over queries.
    convention
        A Convention, or the name of a preset such as ``"lightgbm"``.
    """

    def __init__(self, metrics: MetricsLike | None = None, *, convention: ConventionLike = None) -> None:
        self.metrics, self.convention = parse_streamable(metrics, convention)
        self.reset()

    def reset(self) -> None:
        """Discard all batches."""
        self._moments = [Moments()] * len(self.metrics)
        self._last_query: object = None
        self._findings = Findings()
        self._totals = DataTotals()

    @array_call("rg.StreamingScores.update", "judgments=..., scores=...")
    def update(
        self,
        *,
        judgments: ArrayLike,
        scores: ArrayLike,
        query_ids: ArrayLike | Sequence[object] | None = None,
        mask: ArrayLike | None = None,
    ) -> None:
        """Add a batch of complete queries, as arrays of NumPy, torch (on any device) or JAX, or columns of a frame.

        Parameters
        ----------
        judgments, scores
            One row per query, NaN judgments where an item is not judged; or flat, with ``query_ids``. For few judged
            items per row, judgments can be ``rg.torch.JudgedItems``.
        query_ids
            The query of each item of a flat batch, as an array of the same library or of NumPy, or as a list. A query
            that ends one batch and begins the next is refused; one that returns later cannot be detected and counts as
            another query.
        mask
            For padded rows: true where there is an item. A row without items is not a query.
        """
        judgments, scores, query_ids, mask = map(column_array, (judgments, scores, query_ids, mask))
        if isinstance(query_ids, list | tuple):
            with suppress(ValueError):  # lists of different lengths, which are refused below
                query_ids = np.asarray(query_ids)
        last_query = self._last_query if query_ids is None else check_last_query(query_ids, self._last_query)
        scores_of_batch = evaluate_batch(self.metrics, self.convention, judgments, scores, query_ids, mask)
        self._last_query = last_query
        if scores_of_batch is not None:
            batch = moments_of(scores_of_batch)
            self._moments = [mine + added for mine, added in zip(self._moments, batch, strict=True)]
            self._findings.merge(scores_of_batch.findings.without(OF_ALL_QUERIES))
            self._totals += scores_of_batch.totals or DataTotals()

    def merge(self, other: StreamingScores) -> None:
        """Add the queries of another instance, such as that of another process."""
        if (self.metrics, self.convention) != (other.metrics, other.convention):
            en = f"merge needs the same metrics under the same convention on both sides, not {self!r} and {other!r}"
            raise ParameterError((en, f"merge 要求两边的指标和约定都相同，而不是 {self!r} 与 {other!r}"))
        self._moments = [mine + added for mine, added in zip(self._moments, other._moments, strict=True)]
        self._findings.merge(other._findings)
        self._totals += other._totals

    @property
    def findings(self) -> Findings:
        """The findings of all batches."""
        findings = self._totals.findings(metric_plan(self.metrics, self.convention))
        findings.merge(self._findings)
        return findings

    def compute(self) -> Averages:
        """Mean, number of queries and interval of each metric so far; later updates do not change them."""
        return Averages(self.metrics, self.convention, self._moments)

    def __repr__(self) -> str:
        return f"<StreamingScores: {', '.join(map(str, self.metrics))}>"


def parse_streamable(metrics: MetricsLike | None, convention: ConventionLike) -> tuple[tuple[Metric, ...], Convention]:
    """The metrics and the convention; refuse those that cannot be computed from batches, with the reason."""
    parsed, rules = tuple(parse_all(metrics)), check_convention(convention)
    for metric in parsed:
        definition = metric.definition
        if definition.summary.is_resampled:
            reason = Phrase(
                "a number of all queries together, not a mean over queries", "由全部查询共同得出的数，不是各查询的平均"
            )
        elif definition.of_items:
            reason = Phrase(
                "a metric of the items themselves, which batches of judgments and scores do not identify",
                "关于物品本身的指标，而成批的标注与分数不标明物品",
            )
        else:
            continue
        raise ParameterError(
            Phrase(
                f"{metric} is {reason.en}, so it cannot be computed from batches; keep the rankings and use "
                "rg.evaluate",
                f"{metric} 是{reason.zh}，无法分批计算；请保留排序结果并使用 rg.evaluate",
            )
        )
    check_item_rules(rules)
    needs = NEEDED_BY_AVERAGING.get(rules.averaging)
    if needs is not None:
        raise ParameterError(
            Phrase(
                f"averaging={rules.averaging!r} needs {needs.en}, which constant memory does not hold; use 'mean' or "
                "'geometric', or rg.evaluate on all queries",
                f"averaging={rules.averaging!r} 需要{needs.zh}，固定的内存无法保存；请用 'mean' 或 'geometric'，"
                "或对全部查询使用 rg.evaluate",
            )
        )
    return parsed, rules


def batch_moments(
    metrics: Sequence[Metric],
    convention: Convention,
    judgments: Any,
    scores: Any,
    query_ids: Any = None,
    mask: Any = None,
) -> list[Moments]:
    """Moments of each metric over the queries of one batch, computed on the device of its arrays."""
    result = evaluate_batch(metrics, convention, judgments, scores, query_ids, mask)
    return [Moments()] * len(metrics) if result is None else moments_of(result)


def moments_of(scores: Scores) -> list[Moments]:
    """Moments of each metric over the queries of a batch."""
    return [Moments.of(values_to_average(scores[metric], metric, scores.convention)) for metric in scores.metrics]


def evaluate_batch(
    metrics: Sequence[Metric],
    convention: Convention,
    judgments: Any,
    scores: Any,
    query_ids: Any = None,
    mask: Any = None,
) -> Scores | None:
    """The values of one batch, computed on the device of its arrays; None if it has no queries."""
    library, grades = _library(scores), judgments.grades if isinstance(judgments, JudgedItems) else judgments
    others = {_library(array) for array in (grades, mask) if array is not None}
    if others != {library} or not (query_ids is None or _library(query_ids) in {library, None}):
        en = "judgments, scores, query_ids and mask of a batch must be arrays of one library"
        raise InputError((en, "一批的 judgments、scores、query_ids 和 mask 应为同一个库的数组"))
    if grades is not judgments and not (query_ids is None and mask is None):
        raise ParameterError(COMPLETE_ROWS)
    check_dimensions(grades, scores)
    if mask is not None and len(scores):
        judgments, scores, query_ids = _remove_padding(judgments, scores, query_ids, mask)
        grades = judgments
    if not len(scores) and not len(grades):
        return None
    return _evaluate(library, judgments, scores, query_ids, metrics, convention)


def _evaluate(
    library: type[Library] | None,
    judgments: Any,
    scores: Any,
    query_ids: Any,
    metrics: Sequence[Metric],
    rules: Convention,
) -> Scores:
    if library is None:
        return evaluate(judgments, scores, metrics, convention=rules, query_ids=query_ids)
    if query_ids is not None:
        query_ids = check_arrays(library.holding(scores), judgments, scores, query_ids)
        judgments, scores, query_ids = _sort_by_query(judgments, scores, query_ids)
    if library is Torch:
        scores = scores.detach()  # no metric has a gradient
    return ArrayEngine(library).evaluate(
        judgments=judgments, scores=scores, metrics=metrics, convention=rules, query_ids=query_ids
    )


def _library(array: object) -> type[Library] | None:
    """The library of an array; None for NumPy."""
    if isinstance(array, np.ndarray):
        return None
    for library in (Torch, Jax):
        if is_from(array, *library.packages):
            return library
    kind = shown(type(array))
    en = f"a batch takes arrays of NumPy, torch or JAX, not {kind}"
    raise InputError((en, f"一批数据应为 NumPy、torch 或 JAX 的数组，而不是 {kind}"))


def _remove_padding(judgments: Any, scores: Any, query_ids: Any, mask: Any) -> tuple[Any, Any, Any]:
    """The items of padded rows as flat arrays, with their row number as the query."""
    if query_ids is not None:
        en = "mask is for padded rows and query_ids for flat batches; pass only one of them"
        raise ParameterError((en, "mask 用于补齐的行，query_ids 用于一维的批；请只给出其一"))
    shapes = {tuple(array.shape) for array in (judgments, scores, mask)}
    if len(shapes) != 1 or len(scores.shape) != 2:  # noqa: PLR2004 (rows of queries)
        en = f"judgments, scores and mask must have one shape, a row per query, not {sorted(shapes)}"
        raise InputError((en, f"judgments、scores 和 mask 的形状应相同，每个查询一行，而不是 {sorted(shapes)}"))
    items = unmasked(mask, "mask") != 0
    rows = items.nonzero()[:, 0] if _library(mask) is Torch else items.nonzero()[0]
    return judgments[items], scores[items], rows


def _sort_by_query(judgments: Any, scores: Any, query_ids: Any) -> tuple[object, object, object]:
    """The items in ascending order of their queries; within a query the order of the batch is kept."""
    if bool((query_ids[1:] >= query_ids[:-1]).all()):
        return judgments, scores, query_ids
    order = query_ids.argsort(stable=True)
    return judgments[order], scores[order], query_ids[order]


def check_last_query(query_ids: Any, last: Any) -> object:
    """Return the last query of a batch; refuse a batch that begins with the last query of the batch before."""
    if not hasattr(query_ids, "tolist") or getattr(query_ids, "ndim", None) != 1:
        raise ParameterError.of(
            "query_ids", query_ids, ("an array with the query of each item", "列出每个物品所属查询的数组")
        )
    if not len(query_ids):
        return last
    first, end = query_ids[:1].tolist()[0], query_ids[-1:].tolist()[0]
    if first == last:
        raise InputError(
            Phrase(
                f"query_ids: {shown(first)} ends one batch and begins the next, and a split query cannot be ranked; "
                "put complete queries into each batch (if these are different queries, give them different ids)",
                f"query_ids：{shown(first)} 既是上一批的末尾又是下一批的开头，被拆开的查询无法排序；"
                "请让每一批包含完整的查询（若是不同的查询，请用不同的标识）",
            )
        )
    return end
