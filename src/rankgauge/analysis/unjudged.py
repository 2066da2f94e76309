"""Unjudged items: how many there are, how far they could move each mean, and whether the order is safe from them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.conventions.gains import GainTable
from rankgauge.errors import ParameterError
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.kernels.incomplete import Judged
from rankgauge.matching.apply_rules import apply_rules
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Matched
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.read_options import ReadKeywords, ReadOptions
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.segments import Floats, Ints

NUMERATOR_RISES = {"nDCG", "nERR", "AP", "R", "F", "Rprec"}
"""Metrics whose value need not rise with a grade, but whose numerator and normaliser both do, so that the highest
numerator over the lowest normaliser is a bound."""
WORDS = {
    "title": Phrase("What unjudged items could do to {metric}", "未标注物品对 {metric} 的可能影响"),
    "system": Phrase("system", "系统"),
    "share": Phrase("unjudged in the {top}", "{top}未标注比例"),
    "top": Phrase("top {k}", "前 {k} 个中"),
    "list": Phrase("list", "列表中"),
    "mean": Phrase("mean", "均值"),
    "none": Phrase("none relevant", "均不相关"),
    "all": Phrase("all at grade {grade:g}", "均为等级 {grade:g}"),
    "lowest": Phrase("lowest", "最低"),
    "highest": Phrase("highest", "最高"),
    "exact": Phrase(
        "{metric} never falls when an unjudged item turns out better, so these two are the bounds.",
        "未标注物品变好时 {metric} 不会下降，因此这两个值就是上下界。",
    ),
    "outer": Phrase(
        "Judging an item also moves the normaliser of {metric}, so all or none relevant are not its bounds; lowest and "
        "highest hold whatever each item is worth up to grade {grade:g}, and may be wider than need be.",
        "标注物品也会改变 {metric} 的分母，所以“均相关”与“均不相关”不是它的上下界；"
        "“最低”和“最高”在每个物品等级不超过 {grade:g} 时必然成立，但可能偏宽。",
    ),
    "unknown": Phrase(
        "{metric} can rise or fall when an unjudged item is judged, so these two values are not bounds: others can lie "
        "outside them.",
        "标注一个物品可能使 {metric} 升高或降低，因此这两个值不是上下界：其他情形可能落在其外。",
    ),
    "could turn": Phrase(
        "Unjudged items could turn the order round: {better} has the better mean ({high:.6f}, {low:.6f} for {worse}), "
        "but {worse} could reach {reach:.6f} and {better} could be {least:.6f}.",
        "未标注物品可能逆转次序：{better} 的均值更好（{high:.6f}，{worse} 为 {low:.6f}），"
        "但 {worse} 可能达到 {reach:.6f}，而 {better} 可能只有 {least:.6f}。",
    ),
    "cannot": Phrase("They cannot turn the order of any two systems round.", "它们不可能逆转任何两个系统的次序。"),
    "perhaps not": Phrase(
        "Neither assumption turns the order of two systems round.", "两种假设都不会逆转任何两个系统的次序。"
    ),
}


@dataclass(frozen=True)
class SystemBounds:
    """One system: how much is unjudged, and how far that could move its mean."""

    system: str
    unjudged: float
    """The mean share of unjudged items in the top k (of the list, where the metric has no cutoff)."""
    mean: float
    """Under the convention in force."""
    none: float
    all: float
    """With none of the unjudged items relevant, and with all of them at the top grade."""
    lowest: float | None
    highest: float | None
    """What no assumption can go beyond; None where that is not known."""

    @property
    def range(self) -> tuple[float, float]:
        """The bounds; where they are not known, the two assumptions, the lower one first."""
        if self.lowest is None or self.highest is None:
            return min(self.none, self.all), max(self.none, self.all)
        return self.lowest, self.highest


@dataclass(frozen=True)
class UnjudgedBounds:
    """How far unjudged items could move the means of some systems."""

    metric: Metric
    grade: float
    """What an unjudged item is worth at most."""
    kind: str
    """``exact``: all and none are the bounds; ``outer``: wider ones that hold; ``unknown``: no bounds are known."""
    systems: tuple[SystemBounds, ...]

    def __getitem__(self, system: str) -> SystemBounds:
        return {one.system: one for one in self.systems}[system]

    @property
    def could_turn(self) -> tuple[tuple[str, str], ...]:
        """The pairs (better, worse) whose order unjudged items could turn round."""
        sign = 1 if self.metric.definition.higher_is_better else -1
        pairs = []
        for pair in combinations(self.systems, 2):
            better, worse = sorted(pair, key=lambda one: -sign * one.mean)
            if better.mean == worse.mean:
                continue
            least, reach = (better.range[0], worse.range[1]) if sign > 0 else (-better.range[1], -worse.range[0])
            if reach > least:
                pairs.append((better.system, worse.system))
        return tuple(pairs)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "metric": str(self.metric),
            "grade": self.grade,
            "kind": self.kind,
            "systems": [asdict(one) for one in self.systems],
            "could_turn": [list(pair) for pair in self.could_turn],
        }

    def to_json(self, indent: int | None = None) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def document(self, lang: str = "en") -> Document:
        """The table to read, with the warning where the order is not safe."""
        spoken = check_lang(lang)
        k = self.metric.k
        top = WORDS["list"].render(spoken) if k is None else WORDS["top"].render(spoken, k=k)
        titles = [
            WORDS["system"].render(spoken),
            WORDS["share"].render(spoken, top=top),
            WORDS["mean"].render(spoken),
            WORDS["none"].render(spoken),
            WORDS["all"].render(spoken, grade=self.grade),
        ]
        rows = [
            [one.system, f"{one.unjudged:.1%}", *(f"{value:.6f}" for value in (one.mean, one.none, one.all))]
            for one in self.systems
        ]
        if self.kind == "outer":
            titles += [WORDS["lowest"].render(spoken), WORDS["highest"].render(spoken)]
            rows = [[*row, *(f"{end:.6f}" for end in one.range)] for row, one in zip(rows, self.systems, strict=True)]
        notes = [WORDS[self.kind].render(spoken, metric=self.metric, grade=self.grade), *self._warnings(spoken)]
        table = Table(titles, rows, align="l" + "r" * (len(titles) - 1))
        return Document([Heading(WORDS["title"].render(spoken, metric=self.metric)), table, *map(Paragraph, notes)])

    def _warnings(self, lang: Lang) -> list[str]:
        upward = self.metric.definition.higher_is_better
        lines = []
        for names in self.could_turn:
            better, worse = (self[name] for name in names)
            lines.append(
                WORDS["could turn"].render(
                    lang,
                    better=better.system,
                    worse=worse.system,
                    high=better.mean,
                    low=worse.mean,
                    reach=worse.range[1 if upward else 0],
                    least=better.range[0 if upward else 1],
                )
            )
        if lines or len(self.systems) < 2:  # noqa: PLR2004 (one system has no order)
            return lines
        return [WORDS["perhaps not" if self.kind == "unknown" else "cannot"].render(lang)]

    def __str__(self) -> str:
        return self.document().to_text()

    def _repr_html_(self) -> str:
        return self.document().to_html()


def unjudged_bounds(
    judgments: Any,
    rankings: Mapping[str, Any],
    metric: str | Metric,
    *,
    max_grade: float | None = None,
    convention: ConventionLike = None,
    weights: Mapping[Any, float] | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> UnjudgedBounds:
    """Bound how far unjudged items could move the mean of each system; takes what ``evaluate`` takes.

    ``max_grade`` is the highest grade that an unjudged item could have; without it, the top grade of the judgments.

    >>> import rankgauge as rg
    >>> bounds = rg.unjudged_bounds(
    ...     {"q": {"a": 1, "b": 1}}, {"old": {"q": ["a", "x"]}, "new": {"q": ["y", "z"]}}, "P@2"
    ... )
    >>> bounds["old"].none, bounds["old"].all, bounds["new"].none, bounds["new"].all
    (0.5, 1.0, 0.0, 1.0)
    >>> bounds.could_turn
    (('old', 'new'),)
    """
    options = ReadOptions.of(unjudged_bounds, read_options, read)
    parsed_metric = parse(metric)
    if not isinstance(rankings, Mapping) or not rankings:
        raise ParameterError.of("rankings", rankings, "{name: ranking}, one or more", "unjudged_bounds")
    findings = Findings()
    parsed = Judgments.of(judgments, options, findings)
    analysis = UnjudgedAnalysis(parsed, [parsed_metric], check_convention(convention), max_grade, weights)
    for name, ranking in rankings.items():
        analysis.add(Ranking.of(ranking, options, str(name)), findings)
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
        self._metrics = tuple(metrics)
        for metric in self._metrics:
            if metric.definition.of_items:
                raise ParameterError(f"{metric} is not made of grades alone, so its bounds are not known")
        self._rules = rules
        self._grade = _top_grade(judgments, rules) if max_grade is None else float(max_grade)
        self._weights = weights
        self._systems: dict[Metric, list[SystemBounds]] = {metric: [] for metric in self._metrics}
        self._normaliser_moves = dict.fromkeys(self._metrics, False)

    def add(self, ranking: Ranking, findings: Findings) -> None:
        """Bound the metrics of one system."""
        judgments, rules, count = self._judgments, self._rules, len(self._judgments.queries)
        columns = {metric: _Columns(count) for metric in self._metrics}
        answered = np.zeros(count, dtype=bool)
        for numbers, matched in ranking.chunks(judgments, rules.replace(unjudged=self._grade), findings):
            findings.raise_errors(judgments.options.lenient)
            answered[numbers] = True
            _fill(columns, numbers, matched, self._grade, rules)
        findings.raise_errors(judgments.options.lenient)
        missing = np.flatnonzero(~answered)
        counted = {metric: columns[metric] for metric in columns if rules.for_metric(metric.name).missing != "skip"}
        if len(missing) and counted:
            _fill(counted, missing, judgments.unanswered(missing), self._grade, rules)
        for metric in self._metrics:
            self._normaliser_moves[metric] |= columns[metric].normaliser_moves
            self._systems[metric].append(
                _bounds(
                    ranking.name, columns[metric], missing, _rises(metric, rules), metric, rules, judgments.queries,
                    self._weights,
                )
            )  # fmt: skip

    def bounds(self) -> dict[Metric, UnjudgedBounds]:
        """Return the bounds of each metric over the systems added so far."""
        return {
            metric: UnjudgedBounds(metric, self._grade, self._kind(metric), tuple(self._systems[metric]))
            for metric in self._metrics
        }

    def _kind(self, metric: Metric) -> str:
        if not _rises(metric, self._rules):
            return "unknown"
        return "outer" if self._normaliser_moves[metric] else "exact"


def _rises(metric: Metric, rules: Convention) -> bool:
    """Whether the sum of the metric never falls when a grade rises."""
    definition, gain = metric.definition, metric.effective_convention(rules).gain
    if "gain" in definition.rules:
        if callable(gain):
            return False
        gains: list[float] = [value for _, value in gain] if isinstance(gain, GainTable) else []
        if gains != sorted(gains):
            return False
    keeps = "raised_grade" not in definition.breaks and definition.higher_is_better
    return keeps or definition.name in NUMERATOR_RISES


def _top_grade(judgments: Judgments, rules: Convention) -> float:
    if judgments.array is not None:
        grades = np.asarray(judgments.array, dtype=np.float64)
    else:
        grades = judgments.unanswered(np.arange(len(judgments.queries))).pool_grade
    known = grades[~np.isnan(grades)]
    return max(float(known.max(initial=0.0)), float(rules.rel))


class _Columns:
    """The values of all queries of one system and one metric under each assumption."""

    def __init__(self, count: int) -> None:
        self.mean, self.none, self.all, self.lowest, self.highest, self.judged = (
            np.full(count, np.nan) for _ in range(6)
        )
        self.normaliser_moves = False


def _fill(columns: Mapping[Metric, _Columns], numbers: Ints, matched: Matched, grade: float, rules: Convention) -> None:
    """Compute some queries: the same match with the rules applied under each assumption."""
    nothing, everything = rules.replace(unjudged="nonrelevant"), rules.replace(unjudged=grade)
    plain, full, judged = apply_rules(matched, nothing), apply_rules(matched, everything), apply_rules(matched, rules)
    for metric, column in columns.items():
        column.mean[numbers] = metric.values(judged, rules)
        low, high = metric.compute(plain, nothing), metric.compute(full, everything)
        column.none[numbers], column.all[numbers] = metric.values_of(low, nothing), metric.values_of(high, everything)
        column.judged[numbers] = (Judged @ metric.k).values(plain, nothing.replace(undefined="nan"))
        column.lowest[numbers] = _at_least(low, high, column.none[numbers])
        column.highest[numbers] = _at_most(low, high, column.none[numbers], metric.definition.bounds[1])
        column.normaliser_moves |= not np.array_equal(_below(low), _below(high))


def _bounds(
    name: str,
    columns: _Columns,
    missing: Ints,
    known: bool,
    metric: Metric,
    rules: Convention,
    queries: Sequence[Any],
    weights: Mapping[Any, float] | None,
) -> SystemBounds:
    weighing = None if weights is None else np.array([float(weights[query]) for query in queries])

    def mean(values: Floats) -> float:
        return Scores(queries, {name: ({metric: values}, missing)}, rules, Findings(), weighing).mean(metric)

    shares = columns.judged[~np.isnan(columns.judged)]
    return SystemBounds(
        name,
        float(1 - shares.mean()) if len(shares) else math.nan,
        mean(columns.mean),
        mean(columns.none),
        mean(columns.all),
        mean(columns.lowest) if known else None,
        mean(columns.highest) if known else None,
    )


def _at_least(low: Sum, high: Sum, value: Floats) -> Floats:
    """The lowest sum over the highest normaliser; where all are 0/0, the value by the rule."""
    below = _below(high)
    return np.minimum(np.divide(low.totals, below, out=value.copy(), where=below > 0), value)


def _at_most(low: Sum, high: Sum, value: Floats, top: float) -> Floats:
    """The highest sum over the lowest normaliser; the top of the scale where that is 0 but need not be."""
    below, could = _below(low), _below(high) > 0
    found = np.divide(high.totals, below, out=np.where(could, top, value), where=below > 0)
    return np.minimum(np.maximum(found, value), top)


def _below(computed: Sum) -> Floats:
    return np.ones(len(computed.totals)) if computed.normaliser is None else computed.normaliser.values
