"""Unjudged items: their share, how far they could move each mean, and which orders of systems they could reverse."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.conventions.gains import GainTable
from rankgauge.conventions.rule import Above, number_or
from rankgauge.errors import ParameterError
from rankgauge.evaluation.passes import of_spans
from rankgauge.evaluation.ranking_values import JudgedShareCheck
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_input
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Matched
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.source_types import JudgmentsLike, RankingsLike, WeightsLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import matching_rules
from rankgauge.metric_core.metric_rules import JudgedQueries, no_lengths
from rankgauge.metric_core.notation import MetricLike, metric_or_default
from rankgauge.metric_core.summary import weights_by_query
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.document import Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, JsonResult, PlainData, columns_of
from rankgauge.segments import Floats, Ints

NUMERATOR_RISES = {"nDCG", "nERR", "AP", "R", "F", "Rprec"}
"""Metrics whose value need not rise with a grade, but whose numerator and normaliser both do, so that the highest
numerator over the lowest normaliser is a bound."""
ASSUMPTIONS, BOUNDS = ("mean", "none", "all"), ("lowest", "highest")
"""The means of ``SystemBounds``; the bounds are not known for every metric."""
UNBOUNDED = (
    ("negative", "keep", "gain"),
    ("ap_at", "every", "ap_at"),
    ("rr_of", "best", "rr_of"),
    ("max_grade", "largest", "max_grade"),
)
"""Rules and values under which a metric that reads the third exceeds its range, or may fall when a grade rises."""
MESSAGES = {
    "title": Phrase("Possible effect of unjudged items on {metric}", "未标注物品对 {metric} 的可能影响"),
    "system": Phrase("system", "系统"),
    "share": Phrase("unjudged in the top {k}", "前 {k} 个中未标注比例"),
    "share of list": Phrase("unjudged in the list", "列表中未标注比例"),
    "mean": Phrase("mean", "均值"),
    "none": Phrase("none relevant", "均不相关"),
    "all": Phrase("all at grade {grade:g}", "均为等级 {grade:g}"),
    "lowest": Phrase("lowest", "最低"),
    "highest": Phrase("highest", "最高"),
    "exact": Phrase(
        "{metric} never falls when an unjudged item gets a higher grade, so these two values are its bounds.",
        "未标注物品的等级升高时 {metric} 不会下降，因此这两个值就是上下界。",
    ),
    "outer": Phrase(
        "Judging an item also changes the normaliser of {metric}, so the values with none and all relevant are not "
        "its bounds. The lowest and the highest value are bounds for all grades up to {grade:g}, but may be wider than "
        "necessary.",
        "标注物品也会改变 {metric} 的分母，所以“均不相关”与“均为等级 {grade:g}”时的值不是它的上下界；"
        "“最低”和“最高”对不超过 {grade:g} 的任何等级都成立，但可能偏宽。",
    ),
    "unknown": Phrase(
        "{metric} can rise or fall when an unjudged item is judged, so these two values are not bounds.",
        "标注一个物品可能使 {metric} 升高或降低，因此这两个值不是上下界。",
    ),
    "reversible": Phrase(
        "Unjudged items could reverse the order: {better} has the better mean ({high:.6f}; {worse}: {low:.6f}), but "
        "{worse} could reach {reach:.6f} and {better} could be {least:.6f}.",
        "未标注物品可能逆转次序：{better} 的均值更好（{high:.6f}；{worse} 为 {low:.6f}），"
        "但 {worse} 可能达到 {reach:.6f}，而 {better} 可能只有 {least:.6f}。",
    ),
    "safe": Phrase("They cannot reverse the order of any two systems.", "它们不可能逆转任何两个系统的次序。"),
    "safe by assumptions": Phrase(
        "Neither assumption reverses the order of two systems.", "两种假设都不会逆转任何两个系统的次序。"
    ),
}


@dataclass(frozen=True)
class SystemBounds:
    """The share of unjudged items of one system, and how far they could move its mean."""

    system: str
    unjudged: float
    """Share of what is returned in the top k that is unjudged, or in the whole lists if the metric has no cutoff."""
    mean: float
    """Mean under the convention used."""
    none: float
    """Mean if no unjudged item is relevant."""
    all: float
    """Mean if all unjudged items have the top grade."""
    lowest: float | None
    highest: float | None
    """Bounds under any assumption; None if they are not known."""

    @property
    def range(self) -> tuple[float, float]:
        """The bounds, or the two assumptions in ascending order if no bounds are known."""
        if self.lowest is None or self.highest is None:
            return min(self.none, self.all), max(self.none, self.all)
        return self.lowest, self.highest


@dataclass(frozen=True, repr=False)
class UnjudgedBounds(ShownAsDocument, FrameResult, JsonResult):
    """How far unjudged items could move the means of several systems."""

    metric: Metric
    grade: float
    """Highest grade of an unjudged item."""
    kind: str
    """``exact``: ``none`` and ``all`` are the bounds; ``outer``: wider bounds; ``unknown``: no bounds are known."""
    systems: tuple[SystemBounds, ...]

    def __repr__(self) -> str:
        return f"<UnjudgedBounds of {self.metric}: {', '.join(bounds.system for bounds in self.systems)}>"

    def __getitem__(self, system: str) -> SystemBounds:
        return {bounds.system: bounds for bounds in self.systems}[system]

    @property
    def reversible_pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs (better, worse) whose order unjudged items could reverse."""
        return tuple((better.system, worse.system) for better, worse, _, _ in self._reversals())

    def _reversals(self) -> Iterator[tuple[SystemBounds, SystemBounds, float, float]]:
        """Yield the better and the worse system, the worst mean of the first and the best mean of the second."""
        sign = 1 if self.metric.definition.higher_is_better else -1
        for pair in combinations(self.systems, 2):
            better, worse = sorted(pair, key=lambda bounds: -sign * bounds.mean)
            least = min(better.range, key=lambda mean: sign * mean)
            reach = max(worse.range, key=lambda mean: sign * mean)
            if better.mean != worse.mean and sign * reach > sign * least:
                yield better, worse, least, reach

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row per system, as columns."""
        return columns_of({"metric": str(self.metric)} | asdict(bounds) for bounds in self.systems)

    def to_dict(self) -> PlainData:
        """Return plain data."""
        return {
            "metric": str(self.metric),
            "grade": self.grade,
            "kind": self.kind,
            "systems": [asdict(bounds) for bounds in self.systems],
            "could_turn": [list(pair) for pair in self.reversible_pairs],
        }

    def document(self, lang: str = "en") -> Document:
        """Return a table of the bounds, and the pairs whose order is not certain."""
        checked = check_lang(lang)
        keys = ["system", "share of list" if self.metric.k is None else "share", "mean", "none", "all"]
        keys += ["lowest", "highest"] * (self.kind == "outer")
        values = {"metric": self.metric, "grade": self.grade, "k": self.metric.k}
        rows = [
            [bounds.system, f"{bounds.unjudged:.1%}", *(decimal(getattr(bounds, key), 6) for key in keys[2:])]
            for bounds in self.systems
        ]
        table = Table(
            [MESSAGES[key].render(checked, **values) for key in keys], rows, align="l" + "r" * (len(keys) - 1)
        )
        notes = [MESSAGES[self.kind].render(checked, **values), *self._warnings(checked)]
        return Document([Heading(MESSAGES["title"].render(checked, **values)), table, *map(Paragraph, notes)])

    def _warnings(self, lang: Lang) -> list[str]:
        lines = [
            MESSAGES["reversible"].render(
                lang,
                better=better.system,
                worse=worse.system,
                high=better.mean,
                low=worse.mean,
                reach=reach,
                least=least,
            )
            for better, worse, least, reach in self._reversals()
        ]
        if lines or len(self.systems) < 2:  # noqa: PLR2004 (one system has no order)
            return lines
        return [MESSAGES["safe by assumptions" if self.kind == "unknown" else "safe"].render(lang)]


def unjudged_bounds(
    judgments: JudgmentsLike,
    rankings: RankingsLike | None = None,
    metric: MetricLike | None = None,
    *,
    max_grade: float | None = None,
    convention: ConventionLike = None,
    weights: WeightsLike | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> UnjudgedBounds:
    """Bound how far unjudged items could move the mean of each system; takes what ``evaluate`` takes.

    Parameters
    ----------
    judgments
        Judgments, as ``rg.evaluate`` takes them.
    rankings
        Rankings by the names of the systems, each as ``rg.evaluate`` takes it.
    metric
        A metric, as a value or as text; None for nDCG@10.
    max_grade
        The highest grade that an unjudged item could have, by default the highest of the judgments.
    convention
        The rules: a Convention, or the name of a preset such as ``lightgbm``; None for the default.
    weights
        ``{query: weight}`` for ``averaging="weighted"``.
    read_options, **read
        How data are read; see ReadOptions.

    Examples
    --------
    >>> import rankgauge as rg
    >>> bounds = rg.unjudged_bounds(
    ...     {"q": {"a": 1, "b": 1}}, {"old": {"q": ["a", "x"]}, "new": {"q": ["y", "z"]}}, "P@2"
    ... )
    >>> bounds["old"].none, bounds["old"].all, bounds["new"].none, bounds["new"].all
    (0.5, 1.0, 0.0, 1.0)
    >>> bounds.reversible_pairs
    (('old', 'new'),)
    """
    options = ReadOptions.of(unjudged_bounds, read_options, read)
    verb_input, findings = resolve_input("unjudged_bounds", judgments, rankings, options, "named"), Findings()
    metric, convention = verb_input.metric(metric, convention)
    parsed_metric, parsed = metric_or_default(metric), Judgments.of(verb_input.judgments, options, findings)
    rules = parsed.rules(check_convention(convention))
    analysis = UnjudgedAnalysis(parsed, [parsed_metric], rules, max_grade, weights)
    for ranking in verb_input.rankings.values():
        analysis.add(ranking, findings)
    return analysis.bounds()[parsed_metric]


class UnjudgedAnalysis:
    """Bounds of several metrics and systems, from one match of each ranking."""

    def __init__(
        self,
        judgments: Judgments,
        metrics: Iterable[Metric],
        rules: Convention,
        max_grade: float | None = None,
        weights: Mapping[Any, float] | None = None,
    ) -> None:
        self._judgments = judgments
        self._rules = rules
        self._grade = _top_grade(judgments, rules) if max_grade is None else float(number_or()("max_grade", max_grade))
        self._weights = None if weights is None else weights_by_query(weights, judgments.queries, rules)
        self._systems: dict[Metric, list[SystemBounds]] = {metric: [] for metric in metrics}
        self._normaliser_moves = dict.fromkeys(self._systems, False)
        self._count_moves = dict.fromkeys(self._systems, False)
        for metric in self._systems:
            if metric.budget is not None:
                raise no_lengths(metric, metric.budget)
            if metric.definition.of_items or metric.definition.summary.under(rules).is_resampled:
                raise ParameterError(f"{metric} is not an average of values of grades, so its bounds are not known")

    def add(self, ranking: Ranking, findings: Findings) -> None:
        """Bound the metrics of one system."""
        judgments, rules, count = self._judgments, self._rules, len(self._judgments.queries)
        columns = {metric: _Columns(count) for metric in self._systems}
        answered = np.zeros(count, dtype=bool)
        needed = matching_rules(columns, rules.replace(unjudged=self._grade))
        for numbers, matched in of_spans(ranking, judgments).chunks(judgments, needed, findings):
            findings.raise_errors(judgments.options.lenient)
            answered[numbers] = True
            _fill(columns, numbers, matched, self._grade, rules)
        findings.raise_errors(judgments.options.lenient)
        missing = np.flatnonzero(~answered)
        counted = {metric: columns[metric] for metric in columns if rules.for_metric(metric.name).missing != "skip"}
        if len(missing) and counted:
            _fill(counted, missing, judgments.unanswered(missing), self._grade, rules)
        for metric, column in columns.items():
            self._normaliser_moves[metric] |= column.normaliser_moves
            self._count_moves[metric] |= column.count_moves
            self._systems[metric].append(self._system_bounds(ranking.name, metric, column, missing))

    def _system_bounds(self, name: str, metric: Metric, columns: _Columns, missing: Ints) -> SystemBounds:
        known = _rises(metric, self._rules) and not columns.count_moves
        answers = {kind: ({metric: values}, missing) for kind, values in columns.values.items()}
        scores = Scores(self._judgments.queries, answers, self._rules, Findings(), self._weights)
        mean, none, everything = (scores.mean(metric, kind) for kind in ASSUMPTIONS)
        lowest, highest = (scores.mean(metric, kind) if known else None for kind in BOUNDS)
        returned = np.nansum(columns.returned)
        unjudged = float(np.nansum(columns.unjudged) / returned) if returned else math.nan
        return SystemBounds(name, unjudged, mean, none, everything, lowest, highest)

    def bounds(self) -> dict[Metric, UnjudgedBounds]:
        """Return the bounds of each metric over the systems added so far."""
        return {
            metric: UnjudgedBounds(metric, self._grade, self._kind(metric), tuple(systems))
            for metric, systems in self._systems.items()
        }

    def _kind(self, metric: Metric) -> str:
        if not _rises(metric, self._rules) or self._count_moves[metric]:
            return "unknown"
        return "outer" if self._normaliser_moves[metric] else "exact"


def _rises(metric: Metric, rules: Convention) -> bool:
    """Return whether the sum of the metric never falls when a grade rises."""
    definition, effective = metric.definition, metric.effective_convention(rules)
    gain = effective.gain
    if effective.duplicates == "again":
        return False  # copies of an unjudged item count again, and its normaliser counts it once
    if "gain" in definition.rules:
        if callable(gain) or (isinstance(gain, GainTable) and gain.other is not None):
            return False
        gains: list[float] = [value for _, value in gain] if isinstance(gain, GainTable) else []
        if gains != sorted(gains):
            return False
    if any(getattr(effective, rule) == value and reader in definition.rules for rule, value, reader in UNBOUNDED):
        return False
    keeps = "raised_grade" not in definition.breaks and definition.higher_is_better
    return keeps or definition.name in NUMERATOR_RISES


def _top_grade(judgments: Judgments, rules: Convention) -> float:
    if judgments.array is not None:
        grades = np.asarray(judgments.array, dtype=np.float64)
    else:
        grades = judgments.unanswered(np.arange(len(judgments.queries))).pool_grade
    assumed = 0.0 if isinstance(rules.unjudged, str) else float(rules.unjudged)
    relevant = math.ceil(rules.rel) if isinstance(rules.rel, Above) else float(rules.rel)
    return max(float(grades[~np.isnan(grades)].max(initial=0.0)), relevant, assumed)


class _Columns:
    """The values of all queries of one system and one metric under each assumption."""

    def __init__(self, count: int) -> None:
        self.values = {kind: np.full(count, np.nan) for kind in (*ASSUMPTIONS, *BOUNDS)}
        self.returned, self.unjudged = np.full((2, count), np.nan)
        self.normaliser_moves = False
        self.count_moves = False
        """Whether a query that a rule leaves out of the mean would count with other grades."""


def _fill(columns: Mapping[Metric, _Columns], numbers: Ints, matched: Matched, grade: float, rules: Convention) -> None:
    """Compute the queries of these numbers from one match, with the rules applied under each assumption."""
    judged = {rules: JudgedQueries(matched, rules)}
    for metric, column in columns.items():
        nothing = rules.replace_for(metric.name, unjudged="nonrelevant")
        everything = rules.replace_for(metric.name, unjudged=grade, unjudged_in_ideal="yes")
        for assumption in (nothing, everything):
            judged.setdefault(assumption, JudgedQueries(matched, assumption))
        plain = judged[nothing].of(metric)
        low, high = metric.compute(plain, nothing), metric.compute(judged[everything].of(metric), everything)
        value = metric.values_of(low, nothing)
        top = JudgedShareCheck.top_items(judged[nothing], nothing, metric.k)
        column.returned[numbers], column.unjudged[numbers] = top
        ends = _normaliser(low), _normaliser(high)  # it falls with the grades where it depends on when a user stops
        least, most = np.minimum(*ends), np.maximum(*ends)
        lowest = np.divide(low.totals, most, out=value.copy(), where=most > 0)
        # The top of the scale where the normaliser is 0 but could be positive.
        ceiling = metric.definition.bounds[1]
        with np.errstate(over="ignore", invalid="ignore"):  # the ceiling is lower, and values_of reports overflow
            highest = np.divide(high.totals, least, out=np.where(most > 0, ceiling, value), where=least > 0)
        values = {
            "mean": metric.values(judged[rules].of(metric), rules),
            "none": value,
            "all": metric.values_of(high, everything),
            "lowest": np.minimum(lowest, value),
            "highest": np.minimum(np.maximum(highest, value), ceiling),
        }
        for kind, column_values in column.values.items():
            column_values[numbers] = values[kind]
        column.count_moves |= bool((np.isnan(value) != np.isnan(values["all"])).any())
        column.normaliser_moves |= not np.array_equal(least, most)


def _normaliser(computed: Sum) -> Floats:
    return np.ones(len(computed.totals)) if computed.normaliser is None else computed.normaliser.values
