"""The rule settings that give a printed number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgauge.reconciliation.printed_number import PrintedNumber, Rounding, nearly_equal
from rankgauge.reconciliation.reconciliation_data import ReconciliationData
from rankgauge.reconciliation.rule_setting import RuleSetting, differing_rules, plain_setting, plain_value
from rankgauge.reconciliation.search_space import SearchPoint, SearchSpace
from rankgauge.reconciliation.tools import Tool
from rankgauge.rendering.document import Document, ShownAsDocument
from rankgauge.rendering.plain import finite_or_none

COMPARED = 5
"""Number of matches that a query has to distinguish."""


@dataclass(frozen=True)
class NumberMatch:
    """A setting that gives the number, as a tool and the rules that differ from it."""

    tool: Tool
    setting: RuleSetting
    rules: tuple[str, ...]
    """Rules that differ from those of the tool."""
    value: float
    rounding: Rounding
    equivalent: tuple[RuleSetting, ...] = ()
    """Other settings that give the same value."""

    @property
    def deviations(self) -> int:
        """Number of differing rules and of unusual operations on the value."""
        return len(self.rules) + self.rounding.extra

    def to_dict(self) -> dict[str, Any]:
        """Return the match as plain data."""
        return {
            "tool": self.tool.name,
            "theirs": self.tool.metric_name,
            "value": finite_or_none(self.value),
            "but": {rule: plain_value(self.setting, rule) for rule in self.rules},
            "fit": self.rounding.how,
            "setting": plain_setting(self.setting),
            "alike": len(self.equivalent),
        }


@dataclass(frozen=True)
class DecidingQuery:
    """The query on which the matches differ most, with the value that each of them predicts."""

    query: Any
    values: tuple[float, ...]


class NumberMatches(ShownAsDocument):
    """All settings that give a printed number, those nearest to a tool first."""

    def __init__(
        self,
        printed: PrintedNumber,
        data: ReconciliationData,
        space: SearchSpace,
        points: Sequence[SearchPoint],
        tools: Sequence[Tool],
    ) -> None:
        self.printed = printed
        self.metric = space.start.metric
        self.tried = len(points)
        """Number of settings tried that differ on these data."""
        self._data, self._space, self._points, self._tools = data, space, points, tools
        self._means = np.array([*(data.mean(tool.setting) for tool in self._tools), *(point.mean for point in points)])
        """Means of the tools, then of the points of the search space."""
        self.matches = _one_per_value([*self._rounded(), *self._rounded_early()])

    def _rounded(self) -> list[NumberMatch]:
        """Return the settings whose value is rounded to the number."""
        near = np.abs(self._means - self.printed.value) <= np.maximum(self.printed.unit, 1e-5) * 1.01
        return [
            self._match(place, rounding)
            for place in np.flatnonzero(near).tolist()
            if (rounding := self.printed.rounding_of(float(self._means[place]))) is not None
        ]

    def _rounded_early(self) -> list[NumberMatch]:
        """Return the tools whose sums, rounded before dividing, give the number."""
        values = [(tool, float(mean)) for tool, mean in zip(self._tools, self._means, strict=False)]
        return [
            NumberMatch(tool, tool.setting, (), value, rounding)
            for tool, value in values
            if tool.setting.convention.rounding == "none"
            and (rounding := self.printed.early_rounding_of(self._data.sum(tool.setting))) is not None
            and self.printed.rounding_of(value) is None
        ]

    def _match(self, place: int, rounding: Rounding) -> NumberMatch:
        """Describe the setting of a mean by the nearest tool."""
        count = len(self._tools)
        setting = self._tools[place].setting if place < count else self._space.setting(self._points[place - count])
        tool = min(self._tools, key=lambda tool: len(differing_rules(tool.setting, setting)))
        rules = tuple(differing_rules(tool.setting, setting))
        return NumberMatch(tool, setting, rules, float(self._means[place]), rounding)

    @property
    def nearest(self) -> NumberMatch | None:
        """The setting whose value is nearest to the number; None if there is no value at all."""
        if not len(self._means) or np.isnan(self._means).all():
            return None
        return self._match(int(np.nanargmin(np.abs(self._means - self.printed.value))), Rounding("rounded"))

    @property
    def deciding_query(self) -> DecidingQuery | None:
        """The query that best distinguishes the first matches; None if none does."""
        if len(self.matches) < 2 or len(self._data.queries) < 2:  # noqa: PLR2004 (two of them)
            return None
        columns = np.array([self._data.averaged_values(match.setting) for match in self.matches[:COMPARED]])
        filled = np.where(np.isnan(columns), -1.0, columns)  # a query that is left out differs from every value
        spread = filled.max(axis=0) - filled.min(axis=0)
        place = int(np.argmax(spread))
        if spread[place] <= 0:
            return None
        return DecidingQuery(self._data.queries[place], tuple(columns[:, place].tolist()))

    @property
    def queries(self) -> int:
        """Number of judged queries."""
        return len(self._data.queries)

    def same_tools(self, match: NumberMatch) -> list[Tool]:
        """Return the tools that agree on these data with the tool of a match."""
        return [match.tool, *(tool for tool in self._tools if tool.setting == match.tool.setting)]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        deciding, nearest = self.deciding_query, self.nearest
        return {
            "printed": self.printed.text,
            "tried": self.tried,
            "explanations": [match.to_dict() for match in self.matches],
            "telling": None
            if deciding is None
            else {"query": deciding.query, "values": finite_or_none(deciding.values)},
            "nearest": None if nearest is None else nearest.to_dict(),
        }

    def document(self, lang: str = "en") -> Document:
        """Return the matches as a document."""
        from rankgauge.reconciliation.document import matches_document  # noqa: PLC0415 (it imports this module)

        return matches_document(self, lang)


def _one_per_value(matches: list[NumberMatch]) -> tuple[NumberMatch, ...]:
    """Keep the match nearest to a tool for each value, and list the others of that value with it."""
    groups: list[list[NumberMatch]] = []
    for match in sorted(matches, key=lambda match: (match.rounding.how, match.rounding.digits, match.value)):
        last = groups[-1][0] if groups else None
        if last is not None and last.rounding == match.rounding and nearly_equal(last.value, match.value):
            groups[-1].append(match)
        else:
            groups.append([match])
    kept = []
    for group in groups:
        first = min(group, key=lambda match: match.deviations)
        others = tuple(dict.fromkeys(match.setting for match in group if match.setting != first.setting))
        kept.append(replace(first, equivalent=others))
    return tuple(sorted(kept, key=lambda match: match.deviations))
