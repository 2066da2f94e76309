"""``rg.sentence_transformers``: its retrieval evaluator with grades and any metric, in training and model cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.presets import preset
from rankgauge.errors import ParameterError, extra
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricsLike, parse, parse_all
from rankgauge.rendering.language import plural

__all__ = ["evaluator", "standard_values"]

STANDARD = {
    "accuracy": ("HR", "accuracy_at_k"),
    "precision": ("P", "precision_recall_at_k"),
    "recall": ("R", "precision_recall_at_k"),
    "ndcg": ("nDCG", "ndcg_at_k"),
    "mrr": ("RR", "mrr_at_k"),
    "map": ("AP", "map_at_k"),
}
"""The metrics of the evaluator of sentence-transformers: the metric here, and the argument that has its cutoffs."""


def evaluator(
    queries: Mapping[str, object],
    corpus: Mapping[str, object],
    relevant_docs: Mapping[str, object],
    metrics: MetricsLike | None = None,
    *,
    convention: ConventionLike = None,
    **options: object,
) -> Any:
    """Return an ``InformationRetrievalEvaluator`` whose numbers are computed here; call it with a model.

    Parameters
    ----------
    queries, corpus
        Texts by id.
    relevant_docs
        The relevant items of each query, ``{query: {items}}``, or judgments with grades, ``{query: {item: grade}}``.
    metrics
        Further metrics, none by default; their values are returned as ``cosine_ERR@10``. They see the items that are
        retrieved, as many as the largest cutoff of the options.
    convention
        The rules of the further metrics. Those that sentence-transformers reports itself keep its rules and values.
    **options
        Options of ``InformationRetrievalEvaluator``: ``name``, ``ndcg_at_k``, ``batch_size``, ``query_prompt``, ...

    After a call, ``scores`` of the evaluator has the ``Scores`` of the further metrics for each similarity function.
    """
    with extra("sentence-transformers", "rg.sentence_transformers"):
        from sentence_transformers.evaluation import InformationRetrievalEvaluator  # noqa: PLC0415

    further = [] if metrics is None else parse_all(metrics)
    return _evaluator_class(InformationRetrievalEvaluator)(
        further, convention, queries=dict(queries), corpus=dict(corpus), relevant_docs=dict(relevant_docs), **options
    )


def standard_values(
    judgments: Mapping[str, Any], ranking: Mapping[str, Sequence[str]], cutoffs: Mapping[str, Sequence[int]]
) -> dict[str, dict[int, float]]:
    """Return ``{"ndcg@k": {10: value}}`` by the names and rules of sentence-transformers; cutoffs are by argument.

    Parameters
    ----------
    judgments, ranking
        Judgments and a ranking, as ``rg.evaluate`` takes them.
    cutoffs
        ``{name of an argument: cutoffs}``, such as ``{"ndcg_at_k": [10]}``.
    """
    metrics = {
        (name, k): parse(f"{notation}@{k}") for name, (notation, owner) in STANDARD.items() for k in cutoffs[owner]
    }
    rules = preset("sentence-transformers")
    scores = Evaluator(judgments, [*dict.fromkeys(metrics.values())], convention=rules)(ranking)
    values: dict[str, dict[int, float]] = {f"{name}@k": {} for name in STANDARD}
    for (name, k), metric in metrics.items():
        values[f"{name}@k"][k] = scores.mean(metric)
    return values


@cache
def _evaluator_class(base: Any) -> Any:
    class GradedRetrievalEvaluator(base):  # type: ignore[misc]
        """The evaluator of sentence-transformers, which retrieves, with our metrics."""

        def __init__(self, further: Sequence[Metric], convention: ConventionLike, **options: Any) -> None:
            super().__init__(**options)
            self._cutoffs = {owner: getattr(self, owner) for _, owner in STANDARD.values()}
            retrieved = max(max(cutoffs) for cutoffs in self._cutoffs.values())
            for metric in further:
                if metric.k is not None and metric.k > retrieved:
                    only = plural(retrieved, "only # item is", "only # items are")
                    raise ParameterError(f"{metric}: {only} retrieved; pass map_at_k=[{metric.k}]")
            self._further, self._convention = further, convention
            self.scores: list[Scores] = []

        def compute_all_metrics(self, *arguments: object, **options: object) -> Any:
            """Retrieve and compute; forget the scores of the last model."""
            self.scores = []
            return super().compute_all_metrics(*arguments, **options)

        def compute_metrics(self, queries_result_list: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
            """Return the metrics of one similarity function."""
            ranking = {
                query: [hit["corpus_id"] for hit in sorted(hits, key=lambda hit: (-hit["score"], hit["corpus_id"]))]
                for query, hits in zip(self.queries_ids, queries_result_list, strict=True)
            }
            judgments = {query: self.relevant_docs[query] for query in self.queries_ids}
            values: dict[str, Any] = standard_values(judgments, ranking, self._cutoffs)
            if self._further:
                scores = Evaluator(judgments, self._further, convention=self._convention)(ranking)
                self.scores.append(scores)
                values |= {str(metric): {0: scores.mean(metric)} for metric in self._further}
            return values

    return GradedRetrievalEvaluator
