"""Estimates of corrected metrics: their design and numbers, the verdicts they allow, and those from labels of items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.judging.labels import PAIR
from rankgauge.judging.number import Number
from rankgauge.judging.query_values import QueryValues, RankedSystems
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import finite_or_none
from rankgauge.segments import Floats, Ints
from rankgauge.stats.intervals import student_interval
from rankgauge.stats.two_phase import MeanEstimate, TwoPhaseSample, ppi_plus_mean, regression_mean

Target: TypeAlias = Literal["these queries", "queries like these"]
"""What is estimated: what people would say on these very queries, or on all queries of their kind."""
Estimator: TypeAlias = Literal["regression", "ppi++"]


@dataclass(frozen=True)
class Estimate(Number):
    """An estimate with its interval, and what the labels behind it are worth."""

    labels_worth: float
    """Number of labels that people alone would need for the same variance; NaN for the judge alone."""
    labels: int
    """Number of labels: of queries, or of items if single items were labelled."""
    variance: float = float("nan")

    def to_dict(self) -> dict[str, float | None]:
        """Return plain data."""
        return {**super().to_dict(), "labels_worth": finite_or_none(self.labels_worth), "labels": self.labels}


class Verdict(NamedTuple):
    """Which of two systems is better by the judge alone, corrected, and by people alone."""

    first: str
    second: str
    metric: Metric
    model: Number
    corrected: Estimate
    people: Estimate

    @property
    def change(self) -> str:
        """``"same"``; ``"lost"``: not significant once corrected; ``"gained"``; ``"reversed"``."""
        return self.change_from(_direction(self.model))

    def change_from(self, before: int) -> str:
        """Return the change of a verdict in this direction: 1 or -1 for a significant difference, else 0."""
        after = _direction(self.corrected)
        if before == after:
            return "same"
        return "lost" if not after else "gained" if not before else "reversed"

    @property
    def flips(self) -> bool:
        """Whether the correction changes sign or significance."""
        return self.change != "same"


class LeaderboardAgreement(NamedTuple):
    """How far the order of systems by the judge agrees with another."""

    tau: float
    tau_ap: float
    rbo: float


def _direction(number: Number) -> int:
    return int(np.sign(number.value)) * number.excludes_zero


@dataclass(frozen=True, eq=False)
class Design:
    """How the labelled queries were chosen, and what is estimated."""

    target: Target
    estimator: Estimator
    alpha: float
    strata: Ints | None = None
    clusters: Ints | None = None
    inclusion: Floats | None = None
    """Probability of each query to be labelled."""

    @property
    def level(self) -> float:
        """Confidence level of the intervals."""
        return 1 - self.alpha

    @property
    def finite(self) -> bool:
        """Whether the target is these queries."""
        return self.target == "these queries"

    def at(self, rows: Ints) -> Design:
        """Return the design of some of the queries."""
        strata, clusters = (None if codes is None else codes[rows] for codes in (self.strata, self.clusters))
        return replace(
            self, strata=strata, clusters=clusters, inclusion=None if self.inclusion is None else self.inclusion[rows]
        )

    def sample(self, labels: Floats, proxies: Floats) -> TwoPhaseSample:
        """Return values by people and by the judge as a sample."""
        return TwoPhaseSample(labels, proxies, self.finite, self.strata, self.clusters, self.inclusion)

    def estimate(self, sample: TwoPhaseSample) -> MeanEstimate:
        """Return the corrected estimate."""
        return (regression_mean if self.estimator == "regression" else ppi_plus_mean)(sample, self.level)


def without_interval(sample: TwoPhaseSample) -> Estimate:
    """Return the mean of fewer than two labels."""
    known = sample.labels[sample.labelled]
    return Estimate(float(known.mean()) if len(known) else np.nan, np.nan, np.nan, np.nan, len(known))


def with_worth(found: MeanEstimate, alone: float, sample: TwoPhaseSample) -> Estimate:
    """Return an estimate with the number of labels that people alone would need for its variance."""
    labels, size = int(sample.labelled.sum()), len(sample.labels)
    if np.isnan(found.variance) or np.isnan(alone):
        worth = np.nan
    elif alone <= 0:
        worth = float(labels)
    elif sample.finite:
        worth = 1 / (found.variance / alone * (1 / labels - 1 / size) + 1 / size) if labels < size else float(size)
    else:
        worth = labels * alone / found.variance if found.variance > 0 else np.inf
    return Estimate(found.value, found.low, found.high, worth, labels, found.variance)


ADDITIVE = ("P", "DCG", "CG", "NumRelRet")
"""Metrics whose value is a sum over items, each of which depends on no other."""
NOT_ADDITIVE = Phrase(
    "{metric} cannot be estimated from labels of single items: it is not a sum over items that do not depend on each "
    "other, since its ideal ranking, its number of relevant items or its other items change with every label. Use P, "
    "DCG, CG or NumRelRet, or label whole queries",
    "{metric} 无法由单个物品的标签估计：它不是互不依赖的各物品之和，每个标签都会改变理想排序、相关物品数或其他物品的"
    "作用。请使用 P、DCG、CG 或 NumRelRet，或对整个查询给出标签",
)
BREAKING_RULE = Phrase(
    "{metric} cannot be estimated from labels of single items with {rule}={value}: it is no sum over items that do not "
    "depend on each other; use another rule, or label whole queries",
    "{rule}={value} 时，{metric} 无法由单个物品的标签估计：它不是互不依赖的各物品之和；"
    "请改用其他规则，或对整个查询给出标签",
)
OTHER_MEANS = ("geometric", "median", "pooled", "weighted")


def check_additive(metric: Metric, rules: Convention) -> None:
    """Raise an error if the value of a metric under these rules does not add up over items."""
    if metric.name not in ADDITIVE:
        raise ParameterError(NOT_ADDITIVE.fill(metric=metric))
    own = metric.effective_convention(rules)
    breaking = {
        "unjudged": own.unjudged != "nonrelevant" or metric.judged_only,
        "p_over": metric.name == "P" and own.p_over == "min(k,R)",
        "ties": own.ties in {"best", "worst"},
        "rounding": own.rounding != "none",
        "no_relevant": own.no_relevant != "computed",
        "averaging": metric.name != "NumRelRet" and own.averaging in OTHER_MEANS,
    }
    for rule, breaks in breaking.items():
        if breaks:
            raise ParameterError(BREAKING_RULE.fill(metric=metric, rule=rule, value=getattr(own, rule)))


@dataclass(frozen=True, eq=False)
class ItemEstimates:
    """One metric, estimated from labels of single items by the difference estimator."""

    model: Mapping[str, Floats]
    """Value of each query by the judge, for each system."""
    coefficients: Mapping[str, Floats]
    """What one unit of gain of each labelled item adds to its query, for each system."""
    query: Ints
    """The query of each labelled item."""
    people_gain: Floats
    model_gain: Floats
    """Gain of each labelled item by its label and by the judge, 0 if the judge did not judge it."""
    inclusion: Floats
    finite: bool
    level: float
    scale: float
    """What the mean over queries is multiplied by: the number of queries, if values are added up."""

    def at(self, rows: Ints) -> ItemEstimates:
        """Return the estimates on some of the queries."""
        size = len(next(iter(self.model.values())))
        places = np.full(size, -1)
        places[rows] = np.arange(len(rows))
        query = places[self.query]
        kept = query >= 0
        return replace(
            self,
            model={name: column[rows] for name, column in self.model.items()},
            coefficients={name: column[kept] for name, column in self.coefficients.items()},
            query=query[kept],
            people_gain=self.people_gain[kept],
            model_gain=self.model_gain[kept],
            inclusion=self.inclusion[kept],
            scale=self.scale * len(rows) / size if self.scale > 1 else self.scale,
        )

    def estimate(self, system: str | tuple[str, str]) -> Estimate:
        """Return the values by the judge, with the differences of the labelled items divided by their chances."""
        return self._estimate(system, self._of(self.model, system), self.people_gain - self.model_gain)

    def people_only(self, system: str | tuple[str, str]) -> Estimate:
        """Return the estimate from the labels alone: their gains divided by their chances."""
        return self._estimate(system, np.zeros(len(next(iter(self.model.values())))), self.people_gain)

    def _of(self, columns: Mapping[str, Floats], system: str | tuple[str, str]) -> Floats:
        return columns[system] if isinstance(system, str) else columns[system[1]] - columns[system[0]]

    def _estimate(self, system: str | tuple[str, str], base: Floats, gain: Floats) -> Estimate:
        coefficient = self._of(self.coefficients, system)
        values, variance, freedom = self._total(base, coefficient * gain)
        _, alone, _ = self._total(np.zeros(len(base)), coefficient * self.people_gain)
        value, labels = float(values.mean()) * self.scale, len(self.query)
        low, high = student_interval(value, self.scale * np.sqrt(variance), 1, self.level, freedom=freedom)
        worth = labels * alone / variance if variance > 0 else np.inf if alone > 0 else float(labels)
        return Estimate(value, low, high, float(worth), labels, variance * self.scale**2)

    def _total(self, base: Floats, terms: Floats) -> tuple[Floats, float, int]:
        """Return the value of each query, the variance of their mean and its degrees of freedom.

        Items are chosen independently; each adds its term, divided by its chance.
        """
        shares = terms / self.inclusion
        values = base + np.bincount(self.query, shares, len(base))
        if not self.finite:
            return values, float(values.var(ddof=1)) / len(values) if len(values) > 1 else np.nan, len(values) - 1
        return values, float(((1 - self.inclusion) * shares**2).sum()) / len(values) ** 2, len(terms) - 1


def item_estimates(
    metric: Metric,
    systems: RankedSystems,
    model: Mapping[tuple[Metric, str], QueryValues],
    pairs: pl.DataFrame,
    queries: list[object],
    finite: bool,
    level: float,
) -> ItemEstimates:
    """Return the estimates of a metric; ``pairs`` has the grade of people, that of the model and the inclusion."""
    rules = systems.rules
    check_additive(metric, rules)
    unit = metric @ None

    def gains(grades: pl.Series) -> Floats:
        """Return what an item of each grade alone at rank 1 adds, in units of the highest."""
        known = {grade: unit.of([grade], convention=rules) for grade in grades.drop_nulls().unique().to_list()}
        return np.array([known.get(grade, 0.0) for grade in grades.to_list()], dtype=np.float64)

    of_people, of_model = gains(pairs["grade"]), gains(pairs["model_grade"])
    every = pl.concat([pairs["grade"], pairs["model_grade"].drop_nulls()])
    best = max(every.unique().to_list(), key=lambda grade: abs(unit.of([grade], convention=rules)))
    size = unit.of([best], convention=rules)
    place = {query: number for number, query in enumerate(queries)}
    query = np.array([place[name] for name in pairs["query"].to_list()], dtype=np.int64)
    round_of = pairs.select(pl.int_range(pl.len()).over("query")).to_series().to_numpy()
    coefficients = {system: np.zeros(pairs.height) for system in systems.systems}
    for turn in range(int(round_of.max(initial=-1)) + 1 if size else 0):  # one item of each query at a time
        rows = np.flatnonzero(round_of == turn)
        alone = pairs[rows].select(*PAIR, pl.lit(float(best)).alias("grade"))
        scores = systems.scores(alone, [metric])
        for system, column in coefficients.items():
            by_query = scores.per_query(metric, system)
            column[rows] = [by_query.get(name, 0.0) / size for name in alone["query"].to_list()]
    values = {system: np.nan_to_num(model[metric, system].value) for system in systems.systems}
    scale = float(len(queries)) if metric.definition.summary.adds_up(rules) else 1.0
    inclusion = pairs["inclusion"].to_numpy().astype(np.float64)
    return ItemEstimates(values, coefficients, query, of_people, of_model, inclusion, finite, level, scale)
