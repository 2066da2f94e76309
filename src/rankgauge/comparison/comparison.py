"""Comparison: per-query values of several systems on the same queries, with the statistics derived from them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, get_args

from rankgauge.comparison.caveats import caveats
from rankgauge.comparison.document import comparison_document, decisive_caveats, overall_verdict
from rankgauge.comparison.metric_comparison import (
    Compared,
    DiscriminativePower,
    LeaderboardRow,
    MetricComparison,
    QueryComparison,
    Values,
)
from rankgauge.comparison.pair import SystemPair
from rankgauge.comparison.settings import DEFAULT, SettingKeywords, Settings
from rankgauge.comparison.system_values import SystemValues, statistics_by_metric
from rankgauge.errors import ParameterError, UnknownNameError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.source_types import AttributesLike, JudgmentsLike
from rankgauge.matching.systems import check_names
from rankgauge.metric_core.definition import parameters_data
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, parse
from rankgauge.metric_core.summary import no_query_values
from rankgauge.rendering.document import Document, ShownAsDocument
from rankgauge.rendering.language import Lang, Phrase, RowName, check_lang, naming_rows
from rankgauge.rendering.plain import FrameResult, PlainData, columns_of
from rankgauge.stats.rank_agreement import kendall_tau, rbo, tau_ap

if TYPE_CHECKING:
    from rankgauge.analysis.attribution import Attribution
    from rankgauge.analysis.slices import Slices
    from rankgauge.analysis.unjudged import UnjudgedBounds
    from rankgauge.inputs.io.drawing import Drawing
    from rankgauge.judging.corrected import Corrected

SCHEMA = 1


class ComparedInput(NamedTuple):
    """The parsed judgments and the rankings that were compared."""

    judgments: Judgments
    rankings: Mapping[str, Ranking]
    weights: Mapping[Any, float] | None


class Agreement(NamedTuple):
    """Agreement of two orders; 1 if they are the same."""

    tau_b: float
    tau_ap: float
    rbo: float


class Comparison(ShownAsDocument, FrameResult):
    """Several systems on the same queries; differences are taken from the baseline.

    ``statistics(metric)`` holds the statistics of one metric; the methods of this class choose the metric by name (the
    first one by default) and the systems by theirs.

    >>> both = Comparison.of({"A": {"q1": 0.5, "q2": 0.25}, "B": {"q1": 0.75, "q2": 0.5, "q3": 1.0}})
    >>> both.systems, both.metrics, both.baseline
    (('A', 'B'), ('value',), 'A')
    >>> both.values("value").queries  # A has no value for q3
    ('q1', 'q2')
    """

    def __init__(
        self,
        values: Scores | SystemValues,
        *,
        baseline: str | None = None,
        settings: Settings | None = None,
        compared_input: ComparedInput | None = None,
        corrected: Corrected | None = None,
    ) -> None:
        self.check_systems(values.systems)
        self.systems = values.systems
        self.settings = settings or DEFAULT
        self.baseline = self.systems[0 if baseline is None else self._place(baseline)]
        self.scores = values if isinstance(values, Scores) else None
        """The scores that are compared; None if the values come from elsewhere."""
        self._rows: RowName = "queries" if self.scores is None else self.scores.findings.rows
        self.parsed_metrics = {} if self.scores is None else {str(metric): metric for metric in self.scores.metrics}
        """The metrics of the scores by name."""
        self.compared_input = compared_input
        """The judgments and rankings that are compared; None if scores or values were passed."""
        self.loaded_ranking = lru_cache(maxsize=2)(self._loaded_ranking)
        """The ranking of a system in memory, for caveats: the two of a pair are read once for all metrics and rules."""
        self.caveats_of = lru_cache(maxsize=None)(self._find_caveats)
        """What could change the verdict on a pair, found once for all formats and languages."""
        self.corrected = corrected
        """What labels of people say where the judgments are those of a model; None without labels."""
        compared = Compared(self.systems, self._place(self.baseline), self.settings, baseline is not None)
        self._statistics = statistics_by_metric(values, compared)

    @classmethod
    def of(
        cls,
        values: Mapping[str, Mapping[Any, float]],
        metric: str = "value",
        *,
        higher_is_better: bool = True,
        baseline: str | None = None,
        **settings: Unpack[SettingKeywords],
    ) -> Comparison:
        """Compare values computed elsewhere, ``{system: {query: value}}``, with the settings of ``compare``.

        NaN is a missing value.
        """
        if not isinstance(values, Mapping) or not all(isinstance(column, Mapping) for column in values.values()):
            raise ParameterError.of(
                "values", values, ("{system: {query: value}}", "{系统: {查询: 值}}"), "Comparison.of"
            )
        if not isinstance(metric, str | Metric):
            raise ParameterError.of("metric", metric, ("the name of the metric", "指标的名称"), "Comparison.of")
        check_names(values)
        system_values = SystemValues(metric, higher_is_better, tuple(map(str, values)), values)
        return cls(system_values, baseline=baseline, settings=Settings(**settings))

    @staticmethod
    def check_systems(systems: Sequence[str]) -> None:
        """Raise an error for fewer than two systems."""
        if len(systems) < 2:  # noqa: PLR2004 (a pair)
            message = Phrase(
                "compare: a comparison needs two systems or more, not {count}",
                "compare：比较至少需要两个系统，而这里有 {count} 个",
            )
            raise ParameterError(message.fill(count=len(systems)))

    def covers_all_pairs(self, all_pairs: bool = False) -> bool:
        """Return whether p-values are corrected among all pairs, not only those with a baseline that was named."""
        return all_pairs or not self.statistics().compared.against_baseline or len(self.systems) == 2  # noqa: PLR2004

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, in the order given."""
        return tuple(self._statistics)

    def statistics(self, metric: MetricLike | None = None) -> MetricComparison:
        """Return the statistics of one metric, the first by default."""
        if metric is None:
            return next(iter(self._statistics.values()))
        name = str(metric)
        if name not in self._statistics and self.scores is not None:
            name = str(parse(metric))
        if name not in self._statistics:
            raise UnknownNameError.closest("metric of this comparison", str(metric), self.metrics)
        return self._statistics[name]

    def _place(self, system: str) -> int:
        if system not in self.systems:
            raise UnknownNameError.closest("system", str(system), self.systems)
        return self.systems.index(system)

    def values(self, metric: MetricLike | None = None) -> Values:
        """Return the queries for which every system has a value, and the matrix of queries x systems.

        A query without a value for some system (``missing="skip"``, or the metric is 0/0) is left out for all
        systems, so that every mean and every difference is over the same queries.
        """
        statistics = self.statistics(metric)
        if not isinstance(statistics, QueryComparison):
            raise no_query_values(statistics.name, "it has no values by query")
        return statistics.values

    def left_out(self, metric: MetricLike | None = None) -> dict[str, int]:
        """Return the number of queries without a value, by system; those queries are left out for all systems."""
        return self.statistics(metric).left_out

    # Statistics

    def leaderboard(self, metric: MetricLike | None = None) -> tuple[LeaderboardRow, ...]:
        """Return the systems, best first, with intervals and groups of systems that do not differ significantly.

        >>> both = Comparison.of({"A": {1: 0.1, 2: 0.3, 3: 0.2}, "B": {1: 0.2, 2: 0.5, 3: 0.1}})
        >>> [(row.system, row.rank, row.ranks, row.group) for row in both.leaderboard()]
        [('B', 1, (1, 2), 'a'), ('A', 2, (1, 2), 'a')]
        """
        return self.statistics(metric).leaderboard

    def pair(self, first: str, second: str, metric: MetricLike | None = None) -> SystemPair:
        """Return the difference of the second system from the first.

        Its p-value is corrected among the pairs with the baseline if one was named and is among the two, and among all
        pairs otherwise.
        """
        a, b = self._place(first), self._place(second)
        if a == b:
            raise ParameterError(f"compare: {shown(first)} cannot be compared with itself")
        return self.statistics(metric).pair(a, b)

    def pairs(self, metric: MetricLike | None = None, *, all_pairs: bool = False) -> tuple[SystemPair, ...]:
        """Return each system against the baseline, or all pairs of systems with ``all_pairs``.

        P-values are corrected among the pairs with the baseline if it was named, and among all pairs otherwise.
        """
        statistics = self.statistics(metric)
        return statistics.all_pairs if all_pairs else statistics.baseline_pairs

    def discriminative_power(self, metric: MetricLike | None = None) -> DiscriminativePower:
        """Return the share of pairs that the metric distinguishes, by the paired t test, uncorrected (Sakai 2006).

        >>> both = Comparison.of({"A": {1: 0.1, 2: 0.3, 3: 0.2}, "B": {1: 0.2, 2: 0.5, 3: 0.1}})
        >>> both.discriminative_power().share
        0.0
        """
        return self.statistics(metric).discriminative_power()

    def agreement(self, first: MetricLike, second: MetricLike) -> Agreement:
        """Return how much two metrics agree on the order of the systems; the second is the reference of tau-AP."""
        compared = self.statistics(first), self.statistics(second)
        means = [metric.means if metric.higher_is_better else -metric.means for metric in compared]
        x, y = ({system: float(mean) for system, mean in zip(self.systems, side, strict=True)} for side in means)
        return Agreement(kendall_tau(*means), tau_ap(*means), rbo(x, y))

    # Analysis

    def attribution(self, first: str, second: str, metric: MetricLike | None = None) -> Attribution:
        """Return the difference of two systems as a sum over queries, and within a query over items."""
        from rankgauge.analysis.attribution import attribute  # noqa: PLC0415 (not needed to compare)

        judgments, rankings, weights = self._input()
        scores = self._evaluated().system(first), self._evaluated().system(second)
        pair = rankings[first], rankings[second]
        rules, name = scores[0].convention, self.statistics(metric).name
        systems = first, second
        return attribute(judgments, *pair, name, systems=systems, convention=rules, weights=weights, scores=scores)

    def slices(
        self,
        by: str,
        metric: MetricLike | None = None,
        *,
        attributes: AttributesLike | None = None,
        judgments: JudgmentsLike | None = None,
        baseline: str | None = None,
        bins: int = 4,
        alpha: float = 0.05,
        read_options: ReadOptions | None = None,
        **read: Unpack[ReadKeywords],
    ) -> Slices:
        """Return the comparison by groups of queries: an attribute, ``"judgments"`` or ``"difficulty"``.

        Takes the arguments of ``rankgauge.slices``.
        """
        from rankgauge.analysis.slices import slices  # noqa: PLC0415 (not needed to compare)

        if by == "judgments" and attributes is None and judgments is None:
            judgments = self._input().judgments
        return slices(
            self._evaluated(),
            self.statistics(metric).name,
            by,
            attributes=attributes,
            judgments=judgments,
            baseline=baseline or self.baseline,
            bins=bins,
            alpha=alpha,
            read_options=read_options,
            **read,
        )

    def unjudged(self, metric: MetricLike | None = None, max_grade: float | None = None) -> UnjudgedBounds:
        """Return how far unjudged items could move each mean, and whether they could reverse an order."""
        from rankgauge.analysis.unjudged import unjudged_bounds  # noqa: PLC0415 (not needed to compare)

        judgments, rankings, weights = self._input()
        rules, name = self._evaluated().convention, self.statistics(metric).name
        return unjudged_bounds(judgments, rankings, name, max_grade=max_grade, convention=rules, weights=weights)

    def _input(self) -> ComparedInput:
        if self.compared_input is None:
            raise ParameterError("compare: this needs judgments and rankings; compare those, not their scores")
        return self.compared_input

    def _loaded_ranking(self, system: str) -> Ranking:
        return self._input().rankings[system].loaded(Findings())

    def _evaluated(self) -> Scores:
        if self.scores is None:
            raise ParameterError("compare: this needs scores by query; compare rankings, or Scores, not values")
        return self.scores

    # Output

    def verdict(self, metric: MetricLike | None = None, lang: str = "en") -> str:
        """Return the conclusion in a sentence: on the pair, or on the best of several systems."""
        with naming_rows(self._rows):
            return overall_verdict(self, self.statistics(metric).name, lang)

    def caveats(self, first: str, second: str, metric: MetricLike | None = None, lang: str = "en") -> list[str]:
        """Return what could change the verdict on a pair, each with the number it would be otherwise.

        Queries without results, a few queries that carry the difference, tied scores and unjudged items.

        >>> differences = [0.9, *[0.01, -0.01] * 15, *[0.3] * 2]
        >>> both = Comparison.of({"A": dict.fromkeys(range(33), 0.0), "B": dict(enumerate(differences))})
        >>> both.caveats("A", "B")
        []
        """
        with naming_rows(self._rows):
            return [caveat.render(check_lang(lang)) for caveat in self.caveats_of(self.pair(first, second, metric))]

    def document(self, lang: str = "en", *, all_pairs: bool = False) -> Document:
        """Return the verdict, the leaderboard, the pairs and the definition used, metric by metric."""
        with naming_rows(self._rows):
            return comparison_document(self, check_lang(lang), all_pairs=all_pairs)

    def printed_document(self) -> Document:
        """Return the document and the warnings about the data."""
        return self.document() if self.scores is None else self.scores.findings.with_warnings(self.document())

    def table(self, lang: str = "en", *, all_pairs: bool = False) -> str:
        """Return the document as text."""
        return self.document(lang, all_pairs=all_pairs).to_text()

    def to_markdown(self, lang: str = "en", *, all_pairs: bool = False) -> str:
        """Return the document as Markdown."""
        return self.document(lang, all_pairs=all_pairs).to_markdown()

    def paper_table(self, lang: str = "en") -> Document:
        """Return systems x metrics: the best value in bold, superscripts for significance, a caption that says how."""
        from rankgauge.comparison.paper_table import paper_document  # noqa: PLC0415 (only for this table)

        with naming_rows(self._rows):
            return paper_document(self, check_lang(lang))

    def to_latex(self, lang: str = "en", *, all_pairs: bool = False, compact: bool = False) -> str:
        """Return the document as LaTeX with booktabs tables; ``compact`` gives the paper table alone."""
        document = self.paper_table(lang) if compact else self.document(lang, all_pairs=all_pairs)
        return document.to_latex()

    def to_dict(self, *, all_pairs: bool = False) -> PlainData:
        """Return everything as plain data; None for what is not a number, and for groups beside a named baseline."""
        no_groups: PlainData = {} if self.covers_all_pairs(all_pairs) else {"group": None}
        return {
            "schema": SCHEMA,
            "baseline": self.baseline,
            "settings": asdict(self.settings),
            "convention": None if self.scores is None or self.scores.from_values else self.scores.convention.to_dict(),
            **({} if self.scores is None else parameters_data(self.scores.metrics)),
            **({} if self.scores is None else {"provenance": self.scores.provenance}),
            "metrics": {
                name: {
                    "queries": statistics.queries,
                    "left_out": statistics.left_out,
                    "verdict": {lang: self.verdict(name, lang) for lang in get_args(Lang)},
                    "caveats": {lang: self._caveats(name, lang, all_pairs) for lang in get_args(Lang)},
                    "discriminative_power": statistics.discriminative_power().share,
                    "systems": [row.to_dict() | no_groups for row in statistics.leaderboard],
                    "pairs": [pair.to_dict() for pair in self.pairs(name, all_pairs=all_pairs)],
                }
                for name, statistics in self._statistics.items()
            },
            **({} if self.corrected is None else {"people": self.corrected.to_dict()}),
        }

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row per metric and pair of a system with the baseline, as columns."""
        return columns_of({"metric": name} | pair.to_dict() for name in self.metrics for pair in self.pairs(name))

    def plot(self, name: str | None = None, metric: MetricLike | None = None, second: str | None = None) -> Drawing:
        """Return a picture of the report: by default the differences of two systems, the intervals of more.

        ``intervals``, ``distribution``, ``topics``, ``differences`` and ``scatter``; the last two compare the system
        ``second`` with the baseline. A notebook shows it; ``save`` writes SVG, PNG or PDF.
        """
        import rankgauge  # noqa: PLC0415 (the verb report is made of comparisons)

        name = name or ("intervals" if len(self.systems) > 2 else "differences")  # noqa: PLR2004 (a pair)
        settings = {field: getattr(self.settings, field) for field in asdict(self.settings)}
        baseline = self.baseline if self.statistics().compared.against_baseline else None
        report = rankgauge.report(self._evaluated(), baseline=baseline, date=None, **settings)
        return report.picture(name, metric, second)

    def _find_caveats(self, pair: SystemPair) -> list[Phrase]:
        with naming_rows(self._rows):
            return caveats(self, pair)

    def _caveats(self, metric: str, lang: Lang, all_pairs: bool) -> list[str]:
        pairs = self.pairs(metric, all_pairs=all_pairs)
        return [caveat.render(lang) for caveat in decisive_caveats(self, metric, pairs)]

    def to_json(self, indent: int | None = None, *, all_pairs: bool = False) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(all_pairs=all_pairs), ensure_ascii=False, indent=indent)

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.systems)}: {', '.join(self.metrics)}>"
