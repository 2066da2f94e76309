"""Groups of users: how far their means are apart, and which group fares worst."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse


@dataclass(frozen=True)
class GroupGaps:
    """The mean of a metric for each group of users, and how far apart these are."""

    metric: Metric
    means: Mapping[Any, float]
    users: Mapping[Any, int]
    """How many users of each group count."""

    @property
    def worst(self) -> Any:
        """The group that fares worst."""
        pick = min if self.metric.definition.higher_is_better else max
        return pick(self.means, key=lambda group: self.means[group])

    @property
    def gap(self) -> float:
        """The largest difference between the means of two groups."""
        return max(self.means.values()) - min(self.means.values())

    @property
    def mad(self) -> float:
        """The mean absolute difference between the means of two groups; 0 for one group."""
        pairs = [*combinations(self.means.values(), 2)]
        return float(np.mean([abs(one - other) for one, other in pairs])) if pairs else 0.0


def group_gaps(scores: Scores, metric: str | Metric, groups: Mapping[Any, Any], system: str | None = None) -> GroupGaps:
    """The means of groups of users, for a metric with a value for each user.

    ``groups`` is ``{user: group}``; every user of the scores needs one. What is 0/0 and left out does not count.

    >>> import rankgauge as rg
    >>> judgments = {"u": {"a": 1}, "v": {"a": 1}, "w": {"a": 1}}
    >>> scores = rg.evaluate(judgments, {"u": ["a"], "v": ["b", "a"], "w": ["a"]}, "RR")
    >>> gaps = group_gaps(scores, "RR", {"u": "new", "v": "new", "w": "old"})
    >>> gaps.means, gaps.worst, gaps.mad
    ({'new': 0.75, 'old': 1.0}, 'new', 0.25)
    """
    found: dict[Any, list[float]] = {}
    values = scores.per_query(metric, system)
    if not values:
        raise InputError(f"{parse(metric)} has no value for each user, so groups of users cannot be compared by it")
    for user, value in values.items():
        if user not in groups:
            raise InputError(f"groups: user {shown(user)} has no group")
        found.setdefault(groups[user], [])
        if not np.isnan(value):
            found[groups[user]].append(value)
    means = {group: float(np.mean(some)) if some else float("nan") for group, some in found.items()}
    known = {group: mean for group, mean in means.items() if not np.isnan(mean)}
    if not known:
        raise InputError(f"{parse(metric)} has no value for any user")
    return GroupGaps(parse(metric), known, {group: len(some) for group, some in found.items()})
