"""Corrected: metrics by the judge on all queries, corrected by what people said about some of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.inputs.findings import Findings, ShownWithFindings
from rankgauge.judging.estimates import Design, Estimate, LeaderboardAgreement, Verdict, with_worth, without_interval
from rankgauge.judging.number import Number
from rankgauge.judging.query_values import QueryValues
from rankgauge.matching.source_types import AttributesLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, parse
from rankgauge.rendering.document import Document
from rankgauge.rendering.language import check_lang, plural
from rankgauge.rendering.plain import FrameResult, JsonResult, PlainData, columns_of, finite_or_none
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.stats.intervals import student_interval, t_interval
from rankgauge.stats.rank_agreement import kendall_tau, rbo, tau_ap
from rankgauge.stats.samples import check_whole
from rankgauge.stats.two_phase import FEWEST, TwoPhaseSample, people_mean

if TYPE_CHECKING:
    from rankgauge.judging.estimates import ItemEstimates
    from rankgauge.judging.number import Bias

STEPS = 60
"""Most steps to a ratio; each divides the error by much more than 2."""
CLOSE = 1e-14


@dataclass(frozen=True, eq=False, repr=False)
class Corrected(ShownWithFindings, FrameResult, JsonResult):
    """Metrics by the judge on all queries, corrected by the labels of people on some.

    Methods take ``system="name"`` where several rankings were given. ``queries`` are all queries that the judge judged.
    """

    queries: Sequence[Any]
    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    model: Mapping[tuple[Metric, str], QueryValues]
    people: Mapping[tuple[Metric, str], QueryValues]
    """Values of labelled queries, NaN for others."""
    labelled: Mapping[Metric, Bools]
    design: Design
    rules: Convention
    items: Mapping[Metric, ItemEstimates] = field(default_factory=dict)
    """Estimates from labels of single items, for metrics that add up over items."""
    expected: bool = False
    """Whether the judge gave probabilities, so that its values are expectations."""
    findings: Findings = field(default_factory=Findings)
    labelled_in_part: Mapping[Metric, int] = field(default_factory=dict)
    """Number of labelled queries whose value could change if people labelled what only the judge judged; without 0."""

    # Numbers

    def estimate(self, metric: MetricLike | None = None, system: str | None = None) -> Estimate:
        """Return the corrected value of a metric, by default the first."""
        return self._estimate(self._parsed(metric), self._system(system))

    def people_only(self, metric: MetricLike | None = None, system: str | None = None) -> Estimate:
        """Return the estimate from the labels of people alone, for the same target."""
        return self._estimate(self._parsed(metric), self._system(system), people_alone=True)

    def model_only(self, metric: MetricLike | None = None, system: str | None = None) -> Estimate:
        """Return the value by the judge on all queries; its interval knows nothing of the judge's errors."""
        parsed, name = self._parsed(metric), self._system(system)
        _, proxies = self._linearised(parsed, name)
        return self._within_bounds(parsed, name, self._model(proxies))

    def difference(self, first: str, second: str, metric: MetricLike | None = None) -> Estimate:
        """Return the second system minus the first, corrected as one paired difference."""
        return self._estimate(self._parsed(metric), (self._system(first), self._system(second)))

    def people_difference(self, first: str, second: str, metric: MetricLike | None = None) -> Estimate:
        """Return the second system minus the first by the labels of people alone."""
        return self._estimate(self._parsed(metric), (self._system(first), self._system(second)), people_alone=True)

    def slices(self, by: str, *, attributes: AttributesLike, bins: int = 4) -> dict[str, Corrected]:
        """Return the result on groups of queries, by an attribute of the queries.

        ``attributes`` is ``{query: {attribute: value}}``, or a frame or file with a query column. Numbers are divided
        into ``bins``. An estimate with fewer than two labelled queries has no interval.
        """
        from rankgauge.analysis.slices import groups_by_value  # noqa: PLC0415
        from rankgauge.inputs.attributes import attribute_values  # noqa: PLC0415

        check_whole("bins", bins, 2, "slices")
        groups = groups_by_value(attribute_values(attributes, by, self.queries), bins)
        return {label: self._at(rows) for label, rows in groups.items()}

    def _at(self, rows: Ints) -> Corrected:
        """Return the result on some of the queries."""
        model, people = ({key: own.at(rows) for key, own in side.items()} for side in (self.model, self.people))
        return replace(
            self,
            queries=[self.queries[row] for row in rows],
            model=model,
            people=people,
            labelled={metric: own[rows] for metric, own in self.labelled.items()},
            design=self.design.at(rows),
            items={metric: own.at(rows) for metric, own in self.items.items()},
        )

    def sample(self, metric: MetricLike | None = None, system: str | tuple[str, str] = "") -> TwoPhaseSample:
        """Return the values behind an estimate of a system, or of the difference of two."""
        return self.design.sample(*self._linearised(self._parsed(metric), system))

    def _within_bounds(self, metric: Metric, system: str | tuple[str, str], estimate: Estimate) -> Estimate:
        """Return an estimate cut at the bounds of the metric, which takes nothing from the coverage of its interval."""
        least, most = metric.definition.bounds
        if not isinstance(system, str):
            least, most = least - most, most - least
        scale = len(self.queries) if metric.definition.summary.under(self.rules).adds_up(self.rules) else 1
        value, low, high = np.clip((estimate.value, estimate.low, estimate.high), least * scale, most * scale).tolist()
        return replace(estimate, value=value, low=low, high=high)

    def _estimate(self, metric: Metric, system: str | tuple[str, str], *, people_alone: bool = False) -> Estimate:
        if metric in self.items:
            items = self.items[metric]
            estimate = items.people_only(system) if people_alone else items.estimate(system)
        elif (sample := self.sample(metric, system)).labelled.sum() < FEWEST:
            estimate = without_interval(sample)
        else:
            alone = people_mean(sample, self.design.level)
            estimate = with_worth(alone if people_alone else self.design.estimate(sample), alone.variance, sample)
        return self._within_bounds(metric, system, estimate)

    def _model(self, proxies: Floats) -> Estimate:
        value, size = float(proxies.mean()), len(proxies)
        spread = 0.0 if self.design.finite else float(proxies.std(ddof=1)) if size > 1 else np.nan
        low, high = student_interval(value, spread, size, self.design.level)
        return Estimate(value, low, high, np.nan, 0, spread**2 / size)

    def _linearised(self, metric: Metric, system: str | tuple[str, str]) -> tuple[Floats, Floats]:
        """Return values whose corrected mean is the value: labels, NaN where there is none, and proxies.

        A mean without undefined queries, a weighted mean and a geometric mean are ratios or functions of means; to
        first order their error is that of a mean of these values.
        """
        names = (system,) if isinstance(system, str) else system
        model, people = ([side[metric, name] for name in names] for side in (self.model, self.people))
        if len(names) > 1:  # a query counts if it has a value for both systems
            model, people = (
                [own.where(~np.isnan(side[0].value + side[1].value)) for own in side] for side in (model, people)
            )
        parts = [self._linear(metric, theirs, own) for theirs, own in zip(people, model, strict=True)]
        labels, proxies = parts[0] if len(parts) == 1 else (last - first for first, last in zip(*parts, strict=True))
        return labels, proxies

    def _linear(self, metric: Metric, people: QueryValues, model: QueryValues) -> tuple[Floats, Floats]:
        summary, known = metric.definition.summary.under(self.rules), self.labelled[metric]
        value, weight = np.nan_to_num(model.value), model.weight
        if not weight.any():
            return np.full(len(known), np.nan), np.full(len(known), np.nan)
        center = float(weight @ value / weight.sum())
        proxies = center + weight * (value - center) / weight.mean()
        above, below = np.where(known, np.nan_to_num(people.value) * people.weight, np.nan), people.weight
        labels = above
        if known.any() and not (below[known] == 1).all():
            labels = self._ratio(above, np.where(known, below, np.nan), proxies)
        if summary.is_exponential(self.rules) and known.any():
            middle = self.design.estimate(self.design.sample(labels, proxies)).value
            labels, proxies = np.exp(middle) * (1 + labels - middle), np.exp(center) * (1 + proxies - center)
        scale = len(known) if summary.adds_up(self.rules) else 1
        return labels * scale, proxies * scale

    def _ratio(self, above: Floats, below: Floats, proxies: Floats) -> Floats:
        """Return labels whose corrected mean is the ratio of two corrected means."""
        size = float(np.nanmean(below))
        if not size > 0:
            return np.full(len(above), np.nan)
        ratio = float(np.nansum(above) / np.nansum(below))
        labels = ratio + (above - ratio * below) / size
        for _ in range(STEPS):
            sample = self.design.sample(labels, proxies)
            if sample.labelled.sum() < FEWEST:
                break
            step = self.design.estimate(sample).value - ratio
            ratio += step
            labels = ratio + (above - ratio * below) / size
            if abs(step) <= CLOSE * max(1.0, abs(ratio)):
                break
        return labels

    # Systems

    def verdicts(self, metric: MetricLike | None = None, baseline: str | None = None) -> tuple[Verdict, ...]:
        """Return for each pair of systems what the judge alone, the correction and people alone say.

        With a baseline, only its pairs. A difference is significant if its interval for queries like these excludes 0,
        whatever the target: that is the question of a test.
        """
        metrics = self.metrics if metric is None else (self._parsed(metric),)
        return tuple(self.verdict(*pair, parsed) for parsed in metrics for pair in self._pairs(baseline))

    def _pairs(self, baseline: str | None) -> Iterator[tuple[str, str]]:
        if baseline is None:
            return combinations(self.systems, 2)
        self._system(baseline)
        return ((baseline, other) for other in self.systems if other != baseline)

    def verdict(self, first: str, second: str, metric: MetricLike | None = None) -> Verdict:
        """Return what the judge alone, the correction and people alone say of the second system minus the first."""
        metric = self._parsed(metric)
        items = {name: replace(own, finite=False) for name, own in self.items.items()}
        wide = replace(self, design=replace(self.design, target="queries like these"), items=items)
        _, proxies = self._linearised(metric, (first, second))
        model = Number(float(proxies.mean()), *t_interval(proxies, self.design.level))
        corrected, people = wide.difference(first, second, metric), wide.people_difference(first, second, metric)
        return Verdict(first, second, metric, model, corrected, people)

    def leaderboard_agreement(self, metric: MetricLike | None = None) -> LeaderboardAgreement:
        """Return how far the order of the systems by the judge agrees with the corrected one."""
        parsed = self._parsed(metric)
        sign = 1 if parsed.definition.higher_is_better else -1
        by_model = [sign * self.model_only(parsed, name).value for name in self.systems]
        by_both = [sign * self.estimate(parsed, name).value for name in self.systems]
        first, second = (dict(zip(self.systems, values, strict=True)) for values in (by_model, by_both))
        return LeaderboardAgreement(kendall_tau(by_model, by_both), tau_ap(by_model, by_both), rbo(first, second))

    def bias_by_system(self, metric: MetricLike | None = None) -> tuple[Bias, ...]:
        """Return how much more the judge favours each system than the others, on the labelled queries.

        The bias of a system is its value by the judge minus that by people; p-values are corrected by Holm's method.
        """
        from rankgauge.judging.number import clustered_mean, with_holm  # noqa: PLC0415

        parsed = self._parsed(metric)
        rows = self.labelled[parsed]
        excess = {
            name: (self.model[parsed, name].value - self.people[parsed, name].value)[rows] for name in self.systems
        }
        biases = []
        for name in self.systems:
            others = [excess[other] for other in self.systems if other != name]
            difference = excess[name] - (np.mean(others, axis=0) if others else 0.0)
            valid = ~np.isnan(difference)
            mean = clustered_mean(difference[valid], np.flatnonzero(valid), self.design.level)
            biases.append((name, int(valid.sum()), *mean))
        return with_holm(biases)

    # Output

    def _parsed(self, metric: MetricLike | None) -> Metric:
        parsed = self.metrics[0] if metric is None else parse(metric)
        if parsed not in self.metrics:
            raise UnknownNameError.closest(
                ("metric of this result", "此结果的指标"), str(metric), map(str, self.metrics)
            )
        return parsed

    def _system(self, system: str | None) -> str:
        if system is None:
            if len(self.systems) > 1:
                names = ", ".join(self.systems)
                en, zh = (
                    f"there are several systems; pass system= one of {names}",
                    f"有多个系统；请用 system= 指明：{names}",
                )
                raise ParameterError((en, zh))
            return self.systems[0]
        if system not in self.systems:
            raise UnknownNameError.closest("system", system, self.systems)
        return system

    @cached_property
    def label_counts(self) -> dict[Metric, int]:
        """Number of labelled queries of each metric."""
        return {metric: int(rows.sum()) for metric, rows in self.labelled.items()}

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each metric and system: corrected, by people alone and by the judge alone."""
        rows = []
        for metric in self.metrics:
            for system in self.systems:
                row: dict[str, Any] = {"metric": str(metric)} | ({"system": system} if self.systems != ("",) else {})
                corrected, people = self.estimate(metric, system), self.people_only(metric, system)
                row |= corrected.to_dict()
                row |= {f"people_{name}": getattr(people, name) for name in ("value", "low", "high")}
                rows.append(row | {"model_value": self.model_only(metric, system).value})
        return [finite_or_none(row) for row in rows]

    def to_frame(self) -> Any:
        """Return ``rows`` as a polars frame."""
        return self.to_polars()

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return ``rows`` as columns."""
        return columns_of(self.rows())

    def to_dict(self) -> PlainData:
        """Return everything as plain data."""
        from rankgauge.judging.corrected_document import corrected_data  # noqa: PLC0415

        data: dict[str, object] = finite_or_none(corrected_data(self))
        return data

    def document(self, lang: str = "en", digits: int = 4) -> Document:
        """Return the estimates, the differences and the verdicts that flip."""
        from rankgauge.judging.corrected_document import corrected_document  # noqa: PLC0415

        return corrected_document(self, check_lang(lang), digits)

    def __repr__(self) -> str:
        return f"<Corrected {', '.join(map(str, self.metrics))}: {plural(len(self.queries), '# query', '# queries')}>"
