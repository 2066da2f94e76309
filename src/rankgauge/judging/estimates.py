"""Estimates of corrected metrics: their numbers, the verdicts they allow, and the design that they come from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from rankgauge.judging.number import Number
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.plain import finite_or_none
from rankgauge.segments import Floats, Ints
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
