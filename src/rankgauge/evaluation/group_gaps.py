"""Gaps between the means of groups of users."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, parse
from rankgauge.rendering.document import Document, Heading, ShownAsDocument, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult

WORDS = {
    "title": Phrase("{metric} by group: largest gap {gap:.6f}, worst {worst}",
                    "{metric}，按组：最大差距 {gap:.6f}，最差的组 {worst}"),
    "group": Phrase("group", "组"),
    "mean": Phrase("mean", "均值"),
    "users": Phrase("users", "用户数"),
}  # fmt: skip


@dataclass(frozen=True)
class GroupGaps(ShownAsDocument, FrameResult):
    """Mean of a metric for each group of users, and the gaps between them."""

    metric: Metric
    means: Mapping[Any, float]
    users: Mapping[Any, int]
    """Number of users of each group that count."""

    @property
    def worst(self) -> Any:
        """The group with the worst mean."""
        pick = min if self.metric.definition.higher_is_better else max
        return pick(self.means, key=lambda group: self.means[group])

    @property
    def gap(self) -> float:
        """Largest difference between the means of two groups."""
        return max(self.means.values()) - min(self.means.values())

    @property
    def mad(self) -> float:
        """Mean absolute difference between the means of two groups; 0 for one group."""
        pairs = [*combinations(self.means.values(), 2)]
        return float(np.mean([abs(first - second) for first, second in pairs])) if pairs else 0.0

    def document(self, lang: str = "en") -> Document:
        """Return the gap and a table of the groups."""
        checked = check_lang(lang)
        title = WORDS["title"].render(checked, metric=self.metric, gap=self.gap, worst=self.worst)
        rows = [[str(group), decimal(mean, 6), f"{self.users[group]:,}"] for group, mean in self.means.items()]
        columns = [WORDS[name].render(checked) for name in ("group", "mean", "users")]
        return Document([Heading(title), Table(columns, rows, align="lrr")])

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row for each group."""
        users = [self.users[group] for group in self.means]
        return {"group": [*self.means], "mean": [*self.means.values()], "users": users}


def check_scores(value: object, verb: str) -> None:
    """Raise an error unless a value is Scores."""
    if not isinstance(value, Scores):
        allowed = Phrase(
            "Scores, such as those of rg.evaluate or of Comparison.scores",
            "Scores，如 rg.evaluate 的结果或 Comparison.scores",
        )
        raise ParameterError.of("scores", value, allowed, verb)


def group_gaps(
    scores: Scores, metric: MetricLike | None, groups: Mapping[object, object], system: str | None = None
) -> GroupGaps:
    """Return the means of groups of users, for a metric with a value per user.

    ``groups`` is ``{user: group}`` and needs every user of the scores. Users who are left out (0/0) do not count.
    ``metric`` is one of the scores, the first if None; ``system`` is needed if the scores have several.

    >>> import rankgauge as rg
    >>> judgments = {"u": {"a": 1}, "v": {"a": 1}, "w": {"a": 1}}
    >>> scores = rg.evaluate(judgments, {"u": ["a"], "v": ["b", "a"], "w": ["a"]}, "RR")
    >>> gaps = group_gaps(scores, "RR", {"u": "new", "v": "new", "w": "old"})
    >>> gaps.means, gaps.worst, gaps.mad
    ({'new': 0.75, 'old': 1.0}, 'new', 0.25)
    """
    check_scores(scores, "group_gaps")
    if not isinstance(groups, Mapping):
        raise ParameterError.of("groups", groups, ("{user: group}", "{用户: 组}"))
    by_group: dict[object, list[float]] = {}
    parsed = scores.metrics[0] if metric is None else parse(metric)
    values = scores.per_query(parsed, system)
    if not values:
        raise InputError(f"{parsed} has no value for each user, so groups of users cannot be compared by it")
    for user, value in values.items():
        if user not in groups:
            raise InputError(f"groups: user {shown(user)} has no group")
        if not isinstance(groups[user], Hashable):
            raise InputError(f"groups: the group of user {shown(user)} is {shown(groups[user])}; give a name")
        members = by_group.setdefault(groups[user], [])
        if not np.isnan(value):
            members.append(value)
    means = {group: float(np.mean(members)) for group, members in by_group.items() if members}
    if not means:
        raise InputError(f"{parsed} has no value for any user")
    return GroupGaps(parsed, means, {group: len(members) for group, members in by_group.items()})
