"""What experiment trackers get: the mean of every metric by name, and the provenance."""

from __future__ import annotations

import math
from typing import NamedTuple

from rankgauge.conventions import DEFAULT
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.scores import Scores
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


def record_of(scores: Scores, prefix: str = "") -> TrackerRecord:
    """Return the record of scores; the name of a system comes before the metric, and a mean that is NaN is an error.

    >>> import rankgauge as rg
    >>> record = record_of(rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR"), "test")
    >>> record.means, len(record.provenance["judgments"])
    ({'test/RR': 1.0}, 32)
    """
    if not isinstance(scores, Scores):
        raise ParameterError.of("scores", scores, "the result of rg.evaluate")
    means = {
        "/".join(part for part in (prefix, system, str(metric)) if part): scores.mean(metric, system)
        for system in scores.systems
        for metric in scores.metrics
    }
    for name, mean in means.items():
        if not math.isfinite(mean):
            raise InputError(f"{name}: the mean is {mean}, which is nothing to log")
    return TrackerRecord(means, scores.provenance)
