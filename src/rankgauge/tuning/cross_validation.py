"""Cross-validation of a choice among settings, and a bootstrap of the whole procedure.

The procedure takes queries and chooses the setting with the highest mean. Each fold of queries is judged by the setting
that was chosen on the others. In a bootstrap sample the copies of a query stay in one fold: otherwise a setting would
be chosen by the very queries that judge it, and the interval would be too short.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.segments import Floats, Ints

CELLS = 4_000_000
"""Maximum number of values, of many samples, held in memory at a time."""
EQUAL = 1e-9
"""Means of settings that differ by less are equal, up to rounding: the first setting is chosen."""


@dataclass(frozen=True)
class CrossValidated:
    """A value with its confidence interval."""

    value: float
    low: float
    high: float

    def __iter__(self):  # type: ignore[no-untyped-def]  # noqa: ANN204 (value, low, high)
        return iter((self.value, self.low, self.high))


@dataclass(frozen=True)
class Procedure:
    """The outcome of choosing a setting, on all queries, across folds and in bootstrap samples."""

    chosen: int
    """The setting with the highest mean over all queries."""
    honest: CrossValidated
    """The cross-validated value of the procedure."""
    gain: CrossValidated
    """The cross-validated difference to the baseline."""
    stability: Floats
    """The share of bootstrap samples in which each setting is chosen."""
    means: Floats
    """Means of all settings in the bootstrap samples: samples x settings."""


@dataclass(frozen=True)
class QuerySample:
    """The values of settings on queries, summed up by cluster: what is drawn and what folds are made of."""

    sums: Floats
    """Clusters x settings."""
    sizes: Floats
    """The number of queries of each cluster."""

    @classmethod
    def of(cls, values: Floats, clusters: Ints) -> QuerySample:
        """Add up the values (queries x settings) of each cluster, numbered from 0."""
        sums = np.zeros((int(clusters.max()) + 1, values.shape[1]))
        np.add.at(sums, clusters, values)
        return cls(sums, np.bincount(clusters).astype(np.float64))


def first_best(means: Floats, allowed: Ints) -> Ints:
    """Return the allowed setting with the highest mean, the first if several are equal up to rounding.

    >>> first_best(np.array([[0.3, 0.1 + 0.2, 0.9]]), np.array([0, 1])).tolist()
    [0]
    """
    among = means[..., allowed]
    best: Ints = allowed[(among >= among.max(axis=-1, keepdims=True) - EQUAL).argmax(axis=-1)]
    return best


def run_procedure(
    values: Floats,
    baseline: int,
    allowed: Ints,
    *,
    clusters: Ints,
    folds: int,
    repeats: int,
    resamples: int,
    alpha: float,
    seed: int,
) -> Procedure:
    """Choose a setting by its mean over queries (rows of ``values``), and estimate what the choice is worth.

    Intervals are those of Student's t with the standard error of the bootstrap; a sample is cross-validated once, so
    they include the chance of one split and are rather too wide than too short.
    """
    random = np.random.Generator(np.random.Philox(key=seed))
    sample, count = QuerySample.of(values, clusters), int(clusters.max()) + 1
    once = np.ones((repeats, count))
    honest, gain, _, _ = _cross_validated(sample, once, baseline, allowed, folds, random)
    from scipy.special import stdtrit  # noqa: PLC0415 (slow to load)

    drawn = random.multinomial(count, np.full(count, 1 / count), size=resamples).astype(np.float64)
    too_few = (drawn > 0).sum(axis=1) < folds
    drawn[too_few] = 1.0
    of_samples = _cross_validated(sample, drawn, baseline, allowed, folds, random)
    half = stdtrit(count - 1, 1 - alpha / 2) * np.sqrt(count / (count - 1))
    stability = np.bincount(of_samples[2], minlength=values.shape[1]) / resamples
    return Procedure(
        int(first_best(values.mean(axis=0), allowed)),
        _estimate(honest.mean(), half * of_samples[0].std(ddof=1)),
        _estimate(gain.mean(), half * of_samples[1].std(ddof=1)),
        stability,
        of_samples[3],
    )


def _estimate(value: Floats, half: Floats) -> CrossValidated:
    return CrossValidated(float(value), float(value - half), float(value + half))


def _cross_validated(
    sample: QuerySample, drawn: Floats, baseline: int, allowed: Ints, folds: int, random: np.random.Generator
) -> tuple[Floats, Floats, Ints, Floats]:
    """Return the cross-validated value and gain of each sample, the setting chosen on all of it, and all means.

    ``drawn`` says how often each cluster is in each sample.
    """
    parts = []
    block = max(1, CELLS // (folds * max(drawn.shape[1], sample.sums.shape[1])))
    for start in range(0, len(drawn), block):
        part = drawn[start : start + block]
        weights = _folds(part, folds, random) * part[:, None, :]
        sums = (weights.reshape(-1, part.shape[1]) @ sample.sums).reshape(len(part), folds, -1)
        total, queries = sums.sum(axis=1), part @ sample.sizes
        trained = np.maximum(queries[:, None] - weights @ sample.sizes, 1.0)
        chosen = first_best((total[:, None, :] - sums) / trained[:, :, None], allowed)
        tested = np.take_along_axis(sums, chosen[:, :, None], axis=2)[:, :, 0].sum(axis=1)
        means = total / queries[:, None]
        parts.append((tested / queries, (tested - total[:, baseline]) / queries, first_best(means, allowed), means))
    honest, gain, chosen_on_all, means = (np.concatenate(column) for column in zip(*parts, strict=True))
    return honest, gain, chosen_on_all, means


def _folds(drawn: Floats, folds: int, random: np.random.Generator) -> Floats:
    """Return a random partition of the clusters of each sample into folds of equal size: samples x folds x clusters."""
    keys = np.where(drawn == 0, np.inf, random.random(drawn.shape))
    order = np.argsort(keys, axis=1)
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.broadcast_to(np.arange(drawn.shape[1]), drawn.shape), axis=1)
    return (place[:, None, :] % folds == np.arange(folds)[None, :, None]).astype(np.float64)
