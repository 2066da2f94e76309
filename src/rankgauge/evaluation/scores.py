"""Scores: a value for each query, metric and system, with the convention that produced it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.evaluation.provenance import ScoresOrigin
from rankgauge.evaluation.score_document import MESSAGES, SHOWN_ORDER, scores_document
from rankgauge.evaluation.score_formats import FORMATS, long_columns, scores_data, scores_trec, wide_columns
from rankgauge.inputs.findings import Findings, ShownWithFindings
from rankgauge.inputs.grading import Grading
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.matching.fingerprints import weights_fingerprint
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_values import MetricValues
from rankgauge.metric_core.notation import MetricLike, parse
from rankgauge.metric_core.registry import is_known
from rankgauge.metric_core.summary import POOLED, leaves_out_undefined, no_query_values
from rankgauge.rendering.document import Document
from rankgauge.rendering.language import Phrase, check_lang, naming_rows, plural
from rankgauge.rendering.plain import FrameResult, PlainData, frame_of
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.stats.samples import check_share

if TYPE_CHECKING:
    from rankgauge.evaluation.data_totals import DataTotals
    from rankgauge.inputs.io.drawing import Drawing
    from rankgauge.stats.intervals import Interval

SystemScores = tuple[Mapping[Metric, Floats], Ints]
"""Values of one system by metric, and the positions of the queries that it does not have."""


@dataclass(eq=False, repr=False)
class Scores(ShownWithFindings, FrameResult):
    """A value for each query, metric and system, in the order of the judgments.

    With several systems, ``scores.system("name")`` has the values of one, and methods that return the values of one
    system take ``system="name"``.
    """

    queries: Sequence[Any]
    by_system: Mapping[str, SystemScores]
    convention: Convention
    findings: Findings
    weights: Floats | None = None
    """Weight of each query, for a weighted average."""
    grades: Grading | None = None
    corpus_values: Mapping[str, Mapping[Metric, CorpusValue]] = field(default_factory=dict)
    without_relevant: Sequence[Any] = ()
    """Judged queries without a relevant item."""
    from_pandas: bool = False
    """Whether a pandas frame was evaluated."""
    unjudged_top: Mapping[str, float] = field(default_factory=dict)
    """Share of unjudged items in the top ``unjudged_k`` of each system; 0 where only relevant items are judged."""
    unjudged_k: int = 10  # or the largest cutoff of the metrics if all have smaller ones
    from_values: bool = False
    """Whether the values were computed elsewhere, so that rules, ties and unjudged items are unknown."""
    definitions: Mapping[Metric, str] = field(default_factory=dict)
    """The printed definition of each metric of such values; empty where it is unknown."""
    emptied: Mapping[str, Ints] = field(default_factory=dict)
    """The positions of the queries for which each system has an empty list, which counts whatever the rules."""
    origin: ScoresOrigin | None = None
    totals: DataTotals | None = None
    """What findings about all queries follow from, if one ranking was evaluated."""
    longest: int = 0
    """Number of items of the longest list."""
    catalogue: Phrase | None = None
    """How many items the catalogue has that a metric of items read, and where they come from."""
    means_only: bool = False
    """Whether only means are known, each in the place of the value of a query."""

    def __post_init__(self) -> None:
        if not isinstance(self.queries, range):  # the rows of arrays: a tuple of 65,536 numbers takes a millisecond
            self.queries = tuple(self.queries)
        self.without_relevant = tuple(self.without_relevant)

    @classmethod
    def of_values(
        cls,
        values: Mapping[str, Mapping[Any, Mapping[Any, float]]],
        *,
        metrics: Sequence[Metric] | None = None,
        findings: Findings | None = None,
    ) -> Scores:
        """Return scores of values that were computed elsewhere: ``{system: {metric: {query: value}}}``.

        Queries without a value count for no system; the metrics are those of every system unless given.

        >>> Scores.of_values({"old": {"RR": {"q1": 0.5, "q2": 1.0}}, "new": {"RR": {"q1": 1.0, "q2": 1.0}}}).means()
        {'old': {'RR': 0.75}, 'new': {'RR': 1.0}}
        """
        columns = {system: {parse(name): column for name, column in cells.items()} for system, cells in values.items()}
        first = next(iter(columns.values()), {})
        shared = [metric for metric in first if all(metric in cells for cells in columns.values())]
        for metric, (system, cells) in ((metric, pair) for metric in metrics or () for pair in columns.items()):
            if metric not in cells:
                raise UnknownNameError.closest(f"metric of {system or 'the values'}", str(metric), map(str, cells))
        if not (metrics or shared):
            known = "; ".join(f"{system}: {', '.join(map(str, cells)) or '-'}" for system, cells in columns.items())
            raise InputError(f"no metric has values of every system ({known}); pass values of the same metrics")
        kept = metrics or shared
        queries = [*dict.fromkeys(query for cells in columns.values() for metric in kept for query in cells[metric])]
        none = np.empty(0, dtype=np.int64)
        by_system: dict[str, SystemScores] = {
            system: ({metric: np.array([cells[metric].get(q, np.nan) for q in queries]) for metric in kept}, none)
            for system, cells in columns.items()
        }
        rules = Convention(undefined="skip")
        return cls(queries, by_system, rules, Findings() if findings is None else findings, from_values=True)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems; one empty name if a single ranking was evaluated."""
        return tuple(self.by_system)

    @property
    def named(self) -> bool:
        """Whether the systems have names."""
        return self.systems != ("",)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order given."""
        values, _ = next(iter(self.by_system.values()))
        return tuple(values)

    @property
    def query_metrics(self) -> tuple[Metric, ...]:
        """The metrics with a value per query: all but the corpus-level ones."""
        return tuple(metric for metric in self.metrics if metric.definition.summary.has_query_values)

    def system(self, name: str) -> Scores:
        """Return the scores of one system."""
        by_system, corpus = {name: self._system(name)}, {name: self.corpus_values.get(name, {})}
        unjudged, origin = {name: self.unjudged_top.get(name, 0.0)}, self.origin and self.origin.of_system(name)
        emptied = {name: self.emptied[name]} if name in self.emptied else {}
        return replace(
            self, by_system=by_system, corpus_values=corpus, emptied=emptied, unjudged_top=unjudged, origin=origin
        )

    def only(self, metrics: Iterable[MetricLike]) -> Scores:
        """Return the scores of some of the metrics.

        >>> import rankgauge as rg
        >>> rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["RR", "AP"]).only(["AP"]).metrics
        (AP,)
        """
        kept = [parse(metric) for metric in metrics]
        by_system = {
            name: ({metric: self._column(metric, name) for metric in kept}, missing)
            for name, (_, missing) in self.by_system.items()
        }
        return replace(self, by_system=by_system)

    def _system(self, system: str | None) -> SystemScores:
        if system is None:
            if len(self.by_system) > 1:
                raise ParameterError(f"there are several systems; pass system= one of {', '.join(self.systems)}")
            return next(iter(self.by_system.values()))
        if system not in self.by_system:
            raise UnknownNameError.closest("system", system, self.systems)
        return self.by_system[system]

    def _metric(self, metric: MetricLike | None) -> Metric:
        """Return the metric of a call, the first of these scores if none is given."""
        if metric is None or isinstance(metric, Metric):
            return metric or self.metrics[0]
        if isinstance(metric, str) and metric in self.by_system and not is_known(metric):
            raise UnknownNameError(MESSAGES["a system"].fill(name=shown(metric)))
        return parse(metric)

    def _column(self, metric: Metric, system: str | None) -> Floats:
        values = self._system(system)[0]
        if metric not in values:
            raise self._unknown_metric(metric)
        return values[metric]

    def _unknown_metric(self, metric: MetricLike) -> UnknownNameError:
        return UnknownNameError.closest("metric of these scores", str(metric), map(str, self.metrics))

    def values(self, metric: MetricLike | None = None, system: str | None = None) -> Floats:
        """Return the values of all queries in their order; NaN for a query that was skipped."""
        parsed = self._metric(metric)
        column = self._column(parsed, system)
        if not parsed.definition.summary.has_query_values:
            raise no_query_values(parsed, "use mean() and interval()")
        return column.copy()

    def __getitem__(self, metric: MetricLike) -> Floats:
        return self.values(metric)

    def per_query(self, metric: MetricLike | None = None, system: str | None = None) -> dict[Any, float]:
        """Return the value of each query that counts; nothing for a corpus-level metric.

        >>> import rankgauge as rg
        >>> rg.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, "RR").per_query("RR")
        {'q': 0.5}
        """
        parsed = self._metric(metric)
        if self.means_only or not parsed.definition.summary.has_query_values:
            return {}
        skipped = self.skipped(parsed, system)
        rows = zip(self.queries, self.values(parsed, system).tolist(), skipped, strict=True)
        return {query: value for query, value, is_skipped in rows if not is_skipped}

    def corpus_value(self, metric: MetricLike | None = None, system: str | None = None) -> CorpusValue:
        """Return the value of a corpus-level metric, or of one that weighs queries, in a form that can be resampled."""
        self._system(system)
        values = self.corpus_values[self.systems[0] if system is None else system]
        if (parsed := self._metric(metric)) not in values:
            raise self._unknown_metric(parsed)
        return values[parsed]

    @property
    def missing(self) -> tuple[Any, ...]:
        """Judged queries for which a system returned nothing."""
        places = np.unique(
            np.concatenate([*(missing for _, missing in self.by_system.values()), *self.emptied.values()])
        )
        return tuple(self.queries[place] for place in places)

    def missing_in(self, system: str | None = None) -> tuple[object, ...]:
        """Judged queries for which this system returned nothing: it does not have them, or their lists are empty."""
        return self.system(self.systems[0] if system is None else system).missing

    @property
    def triggered_rules(self) -> set[str]:
        """What these data trigger, so that definitions tell it: quiet rules, and the order of hits of a search."""
        codes = {finding.code for finding in self.findings}
        triggered = {
            "missing": self.missing,
            "no_relevant": self.without_relevant,
            "score_precision": "RG211" in codes,
            "duplicates": "RG301" in codes or "RG305" in codes,
            SHOWN_ORDER: "RG121" in codes,
        }
        return {rule for rule, applies in triggered.items() if applies}

    @property
    def provenance(self) -> PlainData:
        """What the values were computed from: version, time, convention, inputs, and fingerprints of their content.

        Fingerprints are the same in every input form, format and order of rows. That of the ranking is there if it was
        asked for (``fingerprint=True``); of several systems, one for each.

        >>> import rankgauge as rg
        >>> rows, dicts = [("q", "a", 1.0)], {"q": {"a": 1}}
        >>> scores, same = (rg.evaluate(judged, {"q": ["a"]}, "RR", fingerprint=True) for judged in (rows, dicts))
        >>> all(scores.provenance[name] == same.provenance[name] for name in ("judgments", "queries", "ranking"))
        True
        """
        origin = ScoresOrigin(ReadOptions()) if self.origin is None else self.origin
        provenance = origin.provenance(self.convention, self.systems, self.queries)
        if self.weights is not None and origin.stored is None:
            provenance["weights"] = weights_fingerprint(self.queries, self.weights)
        return provenance

    def mean(self, metric: MetricLike | None = None, system: str | None = None) -> float:
        """Return the values of all queries as one number, averaged as the convention says.

        Queries that are left out do not count. Counts are added up and GMAP is the exponential of its mean under every
        convention. For a corpus-level metric, such as the coverage of a catalogue, this is its value.
        """
        parsed = self._metric(metric)
        if self.means_only:
            return float(self._column(parsed, system)[0])
        summary = parsed.definition.summary.under(self.convention)
        if summary.is_resampled:
            if summary is POOLED and not self._counted(parsed, system).any():
                return float(self.convention.no_queries)
            return self.corpus_value(parsed, system).value
        counted = self._counted(parsed, system)
        weights = None if self.weights is None else self.weights[counted]
        return summary.combine(self.values(parsed, system)[counted], self.convention, weights)

    def interval(self, metric: MetricLike | None = None, system: str | None = None, alpha: float = 0.05) -> Interval:
        """Return the confidence interval of the arithmetic mean over queries, of the level 1 - alpha.

        It stays between the bounds of the metric (``rg.stats.bounded_interval``). For a corpus-level metric, for
        weighted queries and pooled averaging it is a bootstrap interval over queries.

        >>> import rankgauge as rg
        >>> scores = rg.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"], "r": ["b", "a"]}, "RR")
        >>> [round(end, 3) for end in scores.interval("RR")]
        [0.01, 0.999]
        """
        level, parsed = 1 - check_share("alpha", alpha), self._metric(metric)
        bounds, summary = parsed.definition.bounds, parsed.definition.summary.under(self.convention)
        if summary.is_resampled:
            return self.corpus_value(parsed, system).interval(level, self.convention.seed, bounds=bounds)
        if not summary.is_mean(self.convention):
            raise ParameterError(f"{parsed}: an interval is given for an arithmetic mean over queries only")
        values = self.values(parsed, system)[self._counted(parsed, system)]
        spread = float(values.std(ddof=1)) if len(values) > 1 else np.nan
        from rankgauge.stats.intervals import bounded_interval  # noqa: PLC0415 (rarely needed)

        return bounded_interval(float(values.mean()) if len(values) else np.nan, spread, len(values), level, bounds)

    def _counted(self, metric: Metric, system: str | None) -> Bools:
        counted = ~self.skipped(metric, system)
        if leaves_out_undefined(metric, self.convention):
            counted &= ~np.isnan(self.values(metric, system))
        return counted

    def skipped(self, metric: Metric, system: str | None) -> Bools:
        """Return which queries the rule for missing queries skips."""
        skipped = np.zeros(len(self.queries), dtype=bool)
        if self.convention.for_metric(metric.name).missing == "skip":
            skipped[self._system(system)[1]] = True
        return skipped

    def left_out(self, metric: Metric, system: str | None = None) -> Bools:
        """Return the queries that the rules for 0/0 and for queries without relevant items leave out of the mean."""
        return ~(self._counted(metric, system) | self.skipped(metric, system))

    def means(self) -> dict[str, Any]:
        """Return the value over all queries of each metric, by system if they have names.

        Every spelling of a metric finds its value:

        >>> import rankgauge as rg
        >>> means = rg.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, ["mrr", "P@1"]).means()
        >>> means, means["mrr"]
        ({'RR': 0.5, 'P@1': 0.0}, 0.5)
        """
        metrics, systems = self.metrics, self.systems
        rows = {name: MetricValues({str(metric): self.mean(metric, name) for metric in metrics}) for name in systems}
        return rows if self.named else rows[""]

    def to_frame(self) -> Any:
        """Return rows of query, metric and value (and system, if they have names).

        The frame is of the kind that was evaluated: a pandas frame if the judgments or a ranking were one, else polars.
        """
        return frame_of(long_columns(self), pandas=self.from_pandas)

    def wide(self) -> Any:
        """Return a row per query (and system, if they have names) and a column per metric, as ``to_frame`` does.

        >>> import rankgauge as rg
        >>> rg.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, ["RR", "P@1"]).wide().columns
        ['query', 'RR', 'P@1']
        """
        return frame_of(wide_columns(self), pandas=self.from_pandas)

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return the rows of ``to_frame`` as columns."""
        return long_columns(self)

    def plot(self, name: str = "intervals", metric: MetricLike | None = None, second: str | None = None) -> Drawing:
        """Return a picture of the report of these scores, of the first metric by default.

        ``intervals`` and ``distribution``; of several systems also ``topics``, ``differences`` and ``scatter``, which
        compare the system ``second`` with the first. A notebook shows it; ``save`` writes SVG, PNG or PDF.

        >>> import rankgauge as rg
        >>> rg.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"], "r": ["b", "a"]}, "RR").plot()
        <Picture intervals: Mean and 95% interval>
        """
        import rankgauge  # noqa: PLC0415 (the verb report is made of scores)

        return rankgauge.report(self, date=None).picture(name, metric, second)

    def to_dict(self, *, queries: bool = True) -> PlainData:
        """Return everything as plain data, with or without the values of queries; None for what is not a number."""
        return scores_data(self, queries=queries)

    def to_json(self, indent: int | None = None, *, queries: bool = True) -> str:
        """Return everything as JSON, with or without the values of queries."""
        import json  # noqa: PLC0415 (only for output)

        return json.dumps(scores_data(self, queries=queries), ensure_ascii=False, indent=indent, default=str)

    def save(
        self, path: str | PathLike[str], *, queries: bool = True, parquet: bool = False, force: bool = False
    ) -> None:
        """Write ``to_json`` to a file, with values of queries, without, or with them in a Parquet file beside it.

        ``read_scores`` and the baseline of ``check`` take either. ``force`` replaces files that exist.
        """
        from rankgauge.evaluation.saved_scores import save_scores  # noqa: PLC0415 (only to write files)

        save_scores(self, path, queries=queries, parquet=parquet, force=force)

    def to_csv(self, *, per_query: bool = True) -> str:
        """Return the CSV of ``rankgauge eval``: a row for each system, query (or ``all``) and metric, with the rules.

        >>> import rankgauge as rg
        >>> rg.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, "RR").to_csv().splitlines()[1].split(",")[:4]
        ['', 'q', 'RR', '0.5']
        """
        return FORMATS["csv"](self, per_query).decode()

    def to_trec(self, *, per_query: bool = True, system: str | None = None) -> str:
        """Return the output of trec_eval: name, query (or ``all``) and value, with its names where it has one."""
        return scores_trec(self, per_query, system)

    def document(self, lang: str = "en", *, per_query: bool = False, digits: int = 6) -> Document:
        """Return a table with a line per system, or per query, with notes and the definition used."""
        with naming_rows(self.findings.rows):
            return scores_document(self, check_lang(lang), per_query, digits)

    def to_markdown(self, lang: str = "en", *, per_query: bool = False) -> str:
        """Return the table as Markdown."""
        return self.document(lang, per_query=per_query).to_markdown()

    def __repr__(self) -> str:
        return f"<Scores of {plural(len(self.queries), '# query', '# queries')}: {', '.join(map(str, self.metrics))}>"
