"""A provider of ir_measures: its measures and functions, computed here; ``register()`` puts it before the others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import NotationError, ParameterError, extra
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.side_information.side_information import SideInformation

NAME = "rankgauge"
OF_USERS = {"RBP", "BPM", "SDCG", "NERR8", "NERR9", "NERR10", "NERR11", "INST", "INSQ", "Accuracy"}
"""Measures that ir_measures has from cwl_eval or computes like it: equal scores stay in input order."""
ASCENDING = {"Judged", "Compat"}
"""Measures of its own providers that order equal scores by ascending id; RR with a cutoff is another."""
OF_SUBTOPICS = {
    "ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall",
}  # fmt: skip
"""Measures of judgments by subtopic, which are the iterations of the judgments."""


def register(convention: ConventionLike = None) -> Any:
    """Register the provider, put it before the others in the default pipeline, and return it.

    Without a convention every measure has the rules of the provider that ir_measures takes it from, and the same
    values. With one, all measures share its rules.
    """
    with extra("ir_measures", "rankgauge.compat.ir_measures"):
        import ir_measures  # noqa: PLC0415

    provider = _provider_class()(convention)
    ir_measures.providers.register(provider)
    pipeline = ir_measures.DefaultPipeline.providers
    pipeline[:] = [other for other in pipeline if getattr(other, "NAME", None) != NAME]
    after_runtime = sum(other.NAME == "runtime" for other in pipeline[:1])  # measures that a program defines itself
    pipeline.insert(after_runtime, provider)
    return provider


def metric_of(measure: object) -> Metric | None:
    """Return the metric of a measure, None if there is none, such as for a measure that a program defines itself."""
    try:
        return parse(str(measure))
    except (NotationError, ParameterError):
        return None


def rules_of(measure: Any) -> str:
    """Return the preset that has the rules by which ir_measures computes a measure."""
    parameters = measure.params
    if measure.NAME in OF_SUBTOPICS:
        return "ndeval"
    if measure.NAME in OF_USERS:
        return "ir_measures-cwl"
    if measure.NAME in ASCENDING or (
        measure.NAME == "RR" and "cutoff" in parameters and not parameters.get("judged_only")
    ):
        return "ir_measures-msmarco"
    own_gains = parameters.get("dcg") == "exp-log2" and "gains" not in parameters and not parameters.get("judged_only")
    return "gdeval" if measure.NAME == "ERR" or own_gains else "ir_measures"


class PreparedMeasures:
    """Measures bound to judgments: a prepared evaluator for each set of rules.

    ``rows`` are judgments with the attributes query_id, doc_id, relevance and, for measures of subtopics, iteration.
    """

    def __init__(self, measures: Iterable[Any], rows: Sequence[Any], convention: ConventionLike = None) -> None:
        self.judgments: dict[str, dict[str, Any]] = {}
        for row in rows:
            self.judgments.setdefault(row.query_id, {})[row.doc_id] = row.relevance
        groups: dict[str, dict[Any, Metric]] = {}
        for measure in measures if self.judgments else ():
            groups.setdefault(rules_of(measure), {})[measure] = parse(str(measure))
        self._groups: list[tuple[dict[Any, Metric], Evaluator]] = []
        for rules, metrics in groups.items():
            side = SideInformation(subtopics=_subtopics(rows)) if rules == "ndeval" else None
            chosen, distinct = rules if convention is None else convention, [*dict.fromkeys(metrics.values())]
            evaluator = Evaluator(self.judgments, distinct, convention=chosen, side_information=side)
            self._groups.append((metrics, evaluator))

    def values(self, run: Mapping[str, Mapping[str, float]]) -> Iterator[tuple[str, Any, float]]:
        """Yield the query, the measure and the value, for queries of the run that the rules do not leave out."""
        answered = {query: items for query, items in run.items() if query in self.judgments}
        for metrics, evaluator in self._groups if answered else ():
            scores = evaluator(answered)
            for measure, metric in metrics.items():
                values = scores.per_query(metric)
                yield from ((query, measure, values[query]) for query in answered if not math.isnan(values[query]))


@cache
def _provider_class() -> Any:
    """Return the class of the provider, which needs those of ir_measures."""
    from ir_measures import Metric as Value  # noqa: PLC0415
    from ir_measures import providers, util  # noqa: PLC0415

    class RankgaugeEvaluator(providers.Evaluator):  # type: ignore[misc]
        """Prepared measures in the form that ir_measures calls."""

        def __init__(self, measures: Sequence[Any], qrels: Any, convention: ConventionLike) -> None:
            rows = [*util.QrelsConverter(qrels).as_namedtuple_iter()]
            self._prepared = PreparedMeasures(measures, rows, convention)
            super().__init__(measures, {*self._prepared.judgments})

        def iter_calc(self, run: object) -> Iterator[Any]:
            """Yield all values; queries without one have the default of the measure, except for Accuracy."""
            missing = set(product(self.measures, self.qrel_qids))
            for query, measure, value in self._prepared.values(util.RunConverter(run).as_dict_of_dict()):
                missing.discard((measure, query))
                yield Value(query_id=query, measure=measure, value=value)
            for measure, query in sorted(missing, key=lambda pair: (str(pair[0]), pair[1])):
                if measure.NAME != "Accuracy":
                    yield Value(query_id=query, measure=measure, value=measure.DEFAULT)

    class RankgaugeProvider(providers.Provider):  # type: ignore[misc]
        """Every measure of ir_measures, with the rules of its own providers or under one convention."""

        def __init__(self, convention: ConventionLike = None) -> None:
            super().__init__()
            self.convention = None if convention is None else check_convention(convention)

        def supports(self, measure: Any) -> bool:
            """Return whether there is a metric for the measure."""
            measure.validate_params()
            return metric_of(measure) is not None

        def _evaluator(self, measures: Iterable[object], qrels: object) -> Any:
            return RankgaugeEvaluator([*measures], qrels, self.convention)

    RankgaugeProvider.NAME = NAME
    return RankgaugeProvider


def _subtopics(rows: Iterable[Any]) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Return ``{query: {item: {subtopic: grade}}}``."""
    judgments: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        grades = judgments.setdefault(row.query_id, {}).setdefault(row.doc_id, {})
        grades[getattr(row, "iteration", "0")] = row.relevance
    return judgments
