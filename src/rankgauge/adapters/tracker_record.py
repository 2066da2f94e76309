"""What experiment trackers get: the mean of every metric by name, and the provenance."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import product
from typing import NamedTuple

from rankgauge.conventions import DEFAULT
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.plain import PlainData


class TrackerRecord(NamedTuple):
    """Means by name, and what they were computed from."""

    means: dict[str, float]
    provenance: PlainData

    @property
    def identity(self) -> dict[str, str]:
        """What makes means comparable, as short texts: the version, the rules and the fingerprints."""
        defaults = DEFAULT.to_dict()
        rules = {name: value for name, value in self.provenance["convention"].items() if value != defaults[name]}
        names = ("version", "judgments", "queries", "ranking", "weights")
        texts = {name: value for name in names if isinstance(value := self.provenance.get(name), str)}
        return {"convention": ", ".join(f"{name}={value}" for name, value in rules.items()) or "default", **texts}


def record_of(
    scores: Scores,
    prefix: str = "",
    names: Callable[[str, Metric], Iterable[str]] = lambda system, metric: (system, str(metric)),
    owner: str = "",
) -> TrackerRecord:
    """Return the record of scores; the name of a system comes before the metric, and a mean that is NaN is an error.

    >>> import rankgauge as rg
    >>> record = record_of(rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR"), "test")
    >>> record.means, len(record.provenance["judgments"])
    ({'test/RR': 1.0}, 32)
    """
    if not isinstance(scores, Scores):
        raise ParameterError.of("scores", scores, "the result of rg.evaluate", owner)
    means: dict[str, float] = {}
    for system, metric in product(scores.systems, scores.metrics):
        name = "/".join(part for part in (prefix, *names(system, metric)) if part)
        if name in means:
            raise ParameterError(f"{metric} has the name {name} of another metric; log one of them")
        means[name] = scores.mean(metric, system)
        if not math.isfinite(means[name]):
            raise InputError(f"{name}: the mean is {means[name]}, which is nothing to log")
    return TrackerRecord(means, scores.provenance)
