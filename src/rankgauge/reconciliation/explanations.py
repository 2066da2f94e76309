"""Explanations: which settings give a number that somebody printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge.reconciliation.data import Data
from rankgauge.reconciliation.printed_number import Fit, Printed
from rankgauge.reconciliation.rule_setting import Setting, differing, number_or_none, plain, plain_value
from rankgauge.reconciliation.search_space import Point, Space
from rankgauge.reconciliation.separation import same
from rankgauge.reconciliation.tools import Tool
from rankgauge.rendering.document import Document

TOLD_APART = 5
"""So many explanations are told apart by a query."""


@dataclass(frozen=True)
class Explanation:
    """A setting that gives the number: a tool, and the rules in which one must deviate from it."""

    tool: Tool
    setting: Setting
    rules: tuple[str, ...]
    """The rules that are not as the tool has them."""
    value: float
    fit: Fit
    alike: tuple[Setting, ...] = ()
    """Other settings that give the very same value."""

    @property
    def deviations(self) -> int:
        """How far from the tool: rules that differ, and unusual things done to the value."""
        return len(self.rules) + self.fit.extra


@dataclass(frozen=True)
class TellingQuery:
    """The query on which the explanations differ most, with the value that each of them predicts."""

    query: Any
    values: tuple[float, ...]


class Explanations:
    """All that explains one printed number, the nearest to a named tool first."""

    def __init__(self, printed: Printed, data: Data, space: Space, points: Sequence[Point], tools: list[Tool]) -> None:
        self.printed = printed
        self.metric = space.start.metric
        self.tried = len(points)
        """How many settings that differ on these data were tried."""
        self._data = data
        self._tools = [tool for tool in tools if not tool.refusal]
        own = [(tool.setting, data.mean(tool.setting)) for tool in self._tools]
        means = np.array([*(mean for _, mean in own), *(point.mean for point in points)])
        self._means = means
        self._own, self._space, self._points = own, space, points
        near = np.flatnonzero(np.abs(means - printed.value) <= np.maximum(printed.unit, 1e-5) * 1.01)
        fitting = [(place, fit) for place in near.tolist() if (fit := printed.fit(float(means[place]))) is not None]
        found = [self._explained(self._setting_at(place), float(means[place]), fit) for place, fit in fitting]
        early = [(tool, fit) for tool in self._tools if (fit := printed.fit_early(data.sum(tool.setting))) is not None]
        found += [
            Explanation(tool, tool.setting, (), data.mean(tool.setting), fit)
            for tool, fit in early
            if printed.fit(data.mean(tool.setting)) is None
        ]
        self.found = _grouped(found)

    def _setting_at(self, place: int) -> Setting:
        """The setting of a mean: those of the tools come first, then those of the space."""
        of_tools = len(self._own)
        return self._own[place][0] if place < of_tools else self._space.setting(self._points[place - of_tools])

    def _explained(self, setting: Setting, value: float, fit: Fit) -> Explanation:
        """The tool that is nearest to a setting."""
        tool = min(self._tools, key=lambda tool: len(differing(tool.setting, setting)))
        return Explanation(tool, setting, tuple(differing(tool.setting, setting)), value, fit)

    @property
    def nearest(self) -> Explanation | None:
        """The setting whose value comes nearest to the number; None where there is no value at all."""
        if not len(self._means) or np.isnan(self._means).all():
            return None
        off = np.abs(self._means - self.printed.value)
        place = int(np.nanargmin(off))
        return self._explained(self._setting_at(place), float(self._means[place]), Fit("rounded"))

    @property
    def telling(self) -> TellingQuery | None:
        """The query that tells the first explanations apart; None where there is one, or they agree on all."""
        if len(self.found) < 2 or len(self._data.queries) < 2:  # noqa: PLR2004 (two of them)
            return None
        columns = np.array([self._data.counted(one.setting) for one in self.found[:TOLD_APART]])
        whole = np.where(np.isnan(columns), -1.0, columns)  # left out is unlike every value
        spread = whole.max(axis=0) - whole.min(axis=0)
        place = int(np.argmax(spread))
        if spread[place] <= 0:
            return None
        return TellingQuery(self._data.queries[place], tuple(columns[:, place].tolist()))

    @property
    def queries(self) -> int:
        """How many queries are judged."""
        return len(self._data.queries)

    def same_tools(self, one: Explanation) -> list[Tool]:
        """The tools that do on these data what the tool of an explanation does."""
        return [one.tool, *(tool for tool in self._tools if tool.setting == one.tool.setting)]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        telling, nearest = self.telling, self.nearest
        return {
            "printed": self.printed.text,
            "tried": self.tried,
            "explanations": [_plain(one) for one in self.found],
            "telling": None
            if telling is None
            else {"query": telling.query, "values": [*map(number_or_none, telling.values)]},
            "nearest": None if nearest is None else _plain(nearest),
        }

    def document(self, lang: str = "en") -> Document:
        """The explanations to read."""
        from rankgauge.reconciliation.document import explanations_page  # noqa: PLC0415 (the page is made of this)

        return explanations_page(self, lang)

    def __str__(self) -> str:
        return self.document().to_text()

    def _repr_html_(self) -> str:
        return self.document().to_html()


def _grouped(found: list[Explanation]) -> tuple[Explanation, ...]:
    """One explanation for each value, the nearest to a tool; the others of the value with it."""
    groups: list[list[Explanation]] = []
    order = sorted(found, key=lambda one: (one.fit.how, one.fit.digits, one.value))
    for one in order:
        last = groups[-1][0] if groups else None
        if last is not None and last.fit == one.fit and same(last.value, one.value):
            groups[-1].append(one)
        else:
            groups.append([one])
    whole = []
    for group in groups:
        first = min(group, key=lambda one: one.deviations)
        alike = tuple(dict.fromkeys(one.setting for one in group if one.setting != first.setting))
        whole.append(Explanation(first.tool, first.setting, first.rules, first.value, first.fit, alike))
    return tuple(sorted(whole, key=lambda one: one.deviations))


def _plain(one: Explanation) -> dict[str, Any]:
    return {
        "tool": one.tool.name,
        "theirs": one.tool.theirs,
        "value": number_or_none(one.value),
        "but": {rule: plain_value(one.setting, rule) for rule in one.rules},
        "fit": one.fit.how,
        "setting": plain(one.setting),
        "alike": len(one.alike),
    }
