"""Scores: a value for each query and metric, and the rules that made them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.rule import plain_number
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.evaluation.definition_line import definition_in_force
from rankgauge.evaluation.trec_line import trec_line
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.metric_core.summary import no_query_values
from rankgauge.preparation.grading import Grading
from rankgauge.rendering.document import Document, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.stats.intervals import Interval, check_level, student_interval

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

SCHEMA = 1
WORDS = {
    "queries": Phrase("{count} queries", "{count} 个查询"),
    "missing": Phrase(
        "{count} judged queries have no ranking ({rule}), first {first}",
        "{count} 个有标注的查询没有返回结果（{rule}），首个为 {first}",
    ),
    "left out": Phrase("{metric}: {count} queries left out (0/0)", "{metric}：{count} 个查询未计入（0/0）"),
    "skipped": Phrase(
        "{metric}: {count} queries left out (nothing relevant, or 0/0)",
        "{metric}：{count} 个查询未计入（没有相关物品，或 0/0）",
    ),
    "without relevant": Phrase(
        "{count} queries have no relevant item ({rule}), first {first}",
        "{count} 个查询没有相关物品（{rule}），首个为 {first}",
    ),
    "grades": Phrase("Grades: {rule}", "等级：{rule}"),
    "query": Phrase("query", "查询"),
    "system": Phrase("system", "系统"),
    "all": Phrase("all", "总体"),
}

Answered = tuple[Mapping[Metric, Floats], Ints]
"""The values of one system, and the numbers of the queries that it did not answer."""


class Scores:
    """A value for each query, metric and system, in the order of the judgments, with the convention in force.

    Where several systems were evaluated, ``scores.system("name")`` has the values of one, and the calls that give
    one number take ``system="name"``.
    """

    def __init__(
        self,
        queries: Sequence[Any],
        answered: Mapping[str, Answered],
        convention: Convention,
        findings: Findings,
        weights: Floats | None = None,
        grades: Grading | None = None,
        wholes: Mapping[str, Mapping[Metric, CorpusValue]] | None = None,
        without_relevant: Iterable[Any] = (),
    ) -> None:
        self.queries = tuple(queries)
        self.convention = convention
        self.findings = findings
        self.grades = grades
        self.without_relevant = tuple(without_relevant)
        """The judged queries for which no item is relevant, from the grade that the convention says."""
        self._answered = dict(answered)
        self._weights = weights
        self._wholes = dict(wholes or {})

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems; one empty name where a single ranking was evaluated."""
        return tuple(self._answered)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order in which they were asked for."""
        values, _ = next(iter(self._answered.values()))
        return tuple(values)

    def system(self, name: str) -> Scores:
        """The scores of one system."""
        return self._but({name: self._of(name)}, {name: self._wholes.get(name, {})})

    def only(self, metrics: Iterable[str | Metric]) -> Scores:
        """The scores of some of the metrics.

        >>> import rankgauge as rg
        >>> rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["RR", "AP"]).only(["AP"]).metrics
        (AP,)
        """
        asked = [parse(metric) for metric in metrics]
        answered = {
            name: ({metric: self._known(metric, name) for metric in asked}, missing)
            for name, (_, missing) in self._answered.items()
        }
        return self._but(answered, self._wholes)

    def _but(self, answered: Mapping[str, Answered], wholes: Mapping[str, Mapping[Metric, CorpusValue]]) -> Scores:
        known = self.convention, self.findings, self._weights, self.grades
        return Scores(self.queries, answered, *known, wholes, self.without_relevant)

    def _of(self, system: str | None) -> Answered:
        if system is None:
            if len(self._answered) > 1:
                raise ParameterError(f"there are several systems; say system= one of {', '.join(self.systems)}")
            return next(iter(self._answered.values()))
        if system not in self._answered:
            raise UnknownNameError.closest("system", system, self.systems)
        return self._answered[system]

    def _known(self, metric: str | Metric, system: str | None) -> Floats:
        values, found = self._of(system)[0], parse(metric)
        if found not in values:
            raise UnknownNameError.closest("metric of these scores", str(metric), map(str, self.metrics))
        return values[found]

    def _column(self, metric: str | Metric, system: str | None) -> Floats:
        values = self._known(metric, system)
        if _is_whole(found := parse(metric)):
            raise no_query_values(found, "use mean() and interval()")
        return values

    def corpus_value(self, metric: str | Metric, system: str | None = None) -> CorpusValue:
        """What is known of a metric that is of all queries together, or weighs them."""
        self._of(system)
        known = self._wholes[self.systems[0] if system is None else system]
        if (found := parse(metric)) not in known:
            raise UnknownNameError.closest("metric of these scores", str(metric), map(str, self.metrics))
        return known[found]

    def _by_query(self) -> list[Metric]:
        """The metrics that have a value for each query."""
        return [metric for metric in self.metrics if not _is_whole(metric)]

    @property
    def missing(self) -> tuple[Any, ...]:
        """The judged queries for which a system returned nothing."""
        numbers = np.unique(np.concatenate([missing for _, missing in self._answered.values()]))
        return tuple(self.queries[number] for number in numbers)

    def __getitem__(self, metric: str | Metric) -> Floats:
        """The values of all queries in their order; NaN for a query that was skipped."""
        return self._column(metric, None).copy()

    def per_query(self, metric: str | Metric, system: str | None = None) -> dict[Any, float]:
        """The value of each query that counts; none for a metric of all queries together.

        >>> import rankgauge as rg
        >>> rg.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, "RR").per_query("RR")
        {'q': 0.5}
        """
        if _is_whole(parse(metric)):
            return {}
        skipped = self._skipped(parse(metric), system)
        pairs = zip(self.queries, self._column(metric, system).tolist(), skipped, strict=True)
        return {query: value for query, value, left_out in pairs if not left_out}

    def mean(self, metric: str | Metric, system: str | None = None) -> float:
        """The values of all queries as one, as the convention averages; what was left out does not count.

        Counts are added up and GMAP is the exponential of its mean, under every convention. Where a metric is of all
        queries together, such as the coverage of a catalogue, this is its value.
        """
        found = parse(metric)
        if found.definition.summary.is_resampled:
            return self.corpus_value(found, system).value
        values, weights = self._kept(found, system)
        return found.definition.summary.combine(values, self.convention, weights)

    def interval(self, metric: str | Metric, system: str | None = None, level: float = 0.95) -> Interval:
        """The confidence interval of the arithmetic mean over queries, by Student's t.

        Where a metric is of all queries together or weighs them, by drawing queries anew (bootstrap).

        >>> import rankgauge as rg
        >>> scores = rg.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"], "r": ["b", "a"]}, "RR")
        >>> [round(end, 3) for end in scores.interval("RR")]
        [-2.427, 3.927]
        """
        found = parse(metric)
        check_level(level)
        if found.definition.summary.is_resampled:
            return self.corpus_value(found, system).interval(level, self.convention.seed)
        if not found.definition.summary.is_mean(self.convention):
            raise ParameterError(f"{found}: an interval is given for an arithmetic mean over queries only")
        values, _ = self._kept(found, system)
        deviation = values.std(ddof=1) if len(values) > 1 else np.nan
        return student_interval(values.mean() if len(values) else np.nan, deviation, len(values), level)

    def _kept(self, metric: Metric, system: str | None) -> tuple[Floats, Floats | None]:
        kept = ~(self._left_out(metric, system) | self._skipped(metric, system))
        weights = None if self._weights is None else self._weights[kept]
        return self._column(metric, system)[kept], weights

    def _skipped(self, metric: Metric, system: str | None) -> Bools:
        """The queries that the rule for missing queries leaves out."""
        skipped = np.zeros(len(self.queries), dtype=bool)
        if self.convention.for_metric(metric.name).missing == "skip":
            skipped[self._of(system)[1]] = True
        return skipped

    def _left_out(self, metric: Metric, system: str | None) -> Bools:
        """The queries that the rules for 0/0 and for queries without relevant items leave out."""
        undefined = np.isnan(self._column(metric, system)) & ~self._skipped(metric, system)
        return undefined if leaves_out_undefined(metric, self.convention) else np.zeros(len(undefined), dtype=bool)

    # As data

    def to_frame(self) -> pl.DataFrame:
        """Long rows of query, metric and value (and system, where they have names) as a polars frame."""
        import polars as pl  # noqa: PLC0415

        return pl.DataFrame(self._long_rows(), strict=False)

    def to_pandas(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        import pandas as pd  # noqa: PLC0415

        return pd.DataFrame(self._long_rows())

    def _long_rows(self) -> dict[str, list[Any]]:
        rows: dict[str, list[Any]] = {"system": [], "query": [], "metric": [], "value": []}
        for system in self.systems:
            for metric in self.metrics:
                values = self.per_query(metric, system)
                rows["system"] += [system] * len(values)
                rows["query"] += values.keys()
                rows["metric"] += [str(metric)] * len(values)
                rows["value"] += values.values()
        if not self._named:
            del rows["system"]
        if len({*map(type, rows["query"])}) > 1:
            rows["query"] = [*map(str, rows["query"])]
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; what is not a number is None."""
        found = [
            {"code": f.code, "severity": f.severity, "what": f.title.en, "count": f.count, "examples": list(f.examples)}
            for f in self.findings
        ]
        systems = {name: self._plain_data(name) for name in self.systems}
        values = {"systems": systems} if self._named else systems[""]
        grades = {} if self.grades is None else {"grades": repr(self.grades)}
        lacking = {"without_relevant": [*self.without_relevant]}
        return {
            "schema": SCHEMA,
            "convention": self.convention.to_dict(),
            **grades,
            "findings": found,
            **lacking,
            **values,
        }

    def _plain_data(self, system: str) -> dict[str, Any]:
        columns = {str(metric): self._column(metric, system).tolist() for metric in self._by_query()}
        return {
            "mean": {str(metric): _plain(self.mean(metric, system)) for metric in self.metrics},
            "missing": [self.queries[number] for number in self._answered[system][1]],
            "per_query": {
                str(query): {name: _plain(values[place]) for name, values in columns.items()}
                for place, query in enumerate(self.queries)
            },
        }

    def to_json(self, indent: int | None = None) -> str:
        """Everything as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent, default=str)

    def to_trec(self, *, per_query: bool = True, system: str | None = None) -> str:
        """In the layout of trec_eval: name, query (or ``all``) and value, its names where it has one."""
        columns = {metric: self._column(metric, system).tolist() for metric in self._by_query()}
        lines = [
            trec_line(metric, str(query), values[place])
            for place, query in enumerate(self.queries if per_query else ())
            for metric, values in columns.items()
        ]
        lines += [trec_line(metric, "all", self.mean(metric, system)) for metric in self.metrics]
        return "\n".join(lines) + "\n"

    # For people

    def document(self, lang: str = "en", *, per_query: bool = True, digits: int = 6) -> Document:
        """The table to read, with the definition used under it."""
        spoken = check_lang(lang)
        titles = [WORDS["system"].render(spoken)] * self._named
        titles += [WORDS["query"].render(spoken)] * (per_query or not self._named)
        rows = [row for system in self.systems for row in self._rows(system, spoken, per_query, digits)]
        table = Table([*titles, *map(str, self.metrics)], rows, align="l" * len(titles) + "r" * len(self.metrics))
        return Document(
            [table, *map(Paragraph, self._notes(spoken)), definition_in_force(self.metrics, self.convention, spoken)]
        )

    @property
    def _named(self) -> bool:
        """Whether the systems have names to be told apart by."""
        return self.systems != ("",)

    def _rows(self, system: str, lang: Lang, per_query: bool, digits: int) -> list[list[str]]:
        first = [system] * self._named
        rows = []
        if per_query:
            values = [self.per_query(metric, system) for metric in self.metrics]
            shown = [query for query in self.queries if any(query in column for column in values)]
            cells = [
                [_cell(metric, column.get(query), digits) for query in shown]
                for metric, column in zip(self.metrics, values, strict=True)
            ]
            rows = [[*first, str(query), *row] for query, *row in zip(shown, *cells, strict=True)]
        means = [_cell(metric, self.mean(metric, system), digits) for metric in self.metrics]
        return [*rows, [*first, *[WORDS["all"].render(lang)] * (per_query or not self._named), *means]]

    def _notes(self, lang: Lang) -> list[str]:
        notes = [WORDS["queries"].render(lang, count=len(self.queries))]
        if self.grades is not None:
            notes.append(WORDS["grades"].render(lang, rule=self.grades.render(lang)))
        if self.missing:
            rule, first = self.convention.meaning("missing", lang), self.missing[0]
            notes.append(WORDS["missing"].render(lang, count=len(self.missing), rule=rule, first=first))
        if self.without_relevant:
            rule, first = self.convention.meaning("no_relevant", lang), self.without_relevant[0]
            count = len(self.without_relevant)
            notes.append(WORDS["without relevant"].render(lang, count=count, rule=rule, first=first))
        left_out = WORDS["skipped" if self.convention.no_relevant == "skip" else "left out"]
        notes += [
            left_out.render(lang, metric=metric, count=count)
            for system in self.systems
            for metric in self._by_query()
            if (count := int(self._left_out(metric, system).sum()))
        ]
        return notes

    def to_markdown(self, lang: str = "en", *, per_query: bool = False) -> str:
        """The table as Markdown."""
        return self.document(lang, per_query=per_query).to_markdown()

    def __str__(self) -> str:
        return self.document().to_text()

    def __repr__(self) -> str:
        return f"<Scores of {len(self.queries)} queries: {', '.join(map(str, self.metrics))}>"

    def _repr_html_(self) -> str:
        return self.document(per_query=False).to_html()


def _cell(metric: Metric, value: float | None, digits: int) -> str:
    """A value as a table shows it: counts are whole; a dash where the rules of this metric leave the query out."""
    if value is None:
        return "–"
    return str(plain_number(value)) if metric.definition.summary.is_count else f"{value:.{digits}f}"


def leaves_out_undefined(metric: Metric, convention: Convention) -> bool:
    """Whether a query for which the metric has no value does not count in its mean."""
    rules = convention.for_metric(metric.name)
    return "skip" in {rules.undefined, rules.no_relevant, metric.definition.undefined}


def _is_whole(metric: Metric) -> bool:
    """Whether there is only a value of all queries together."""
    return not metric.definition.summary.has_query_values


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else value
