"""The transition from the value of one tool to that of another, one rule at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankgauge.errors import RankgaugeError
from rankgauge.reconciliation.reconciliation_data import ReconciliationData
from rankgauge.reconciliation.rule_setting import RuleSetting, differing_rules, plain_value
from rankgauge.reconciliation.tools import Tool
from rankgauge.rendering.document import Document, ShownAsDocument
from rankgauge.rendering.plain import FrameResult, PlainData, finite_or_none

SHOWN_QUERIES = 3


@dataclass(frozen=True)
class TransitionStep:
    """The change of one rule, or of several where one alone gives no value."""

    rules: tuple[str, ...]
    before: RuleSetting
    after: RuleSetting
    first: float
    second: float
    moved: tuple[tuple[Any, float, float], ...]
    """The queries that change most, with their values before and after; NaN if left out of the mean."""

    @property
    def change(self) -> float:
        """Change of the mean."""
        return self.second - self.first


class ToolTransition(ShownAsDocument, FrameResult):
    """The steps from one tool to another."""

    def __init__(self, data: ReconciliationData, first: Tool, second: Tool) -> None:
        self.tools = first, second
        self._data = data

    @cached_property
    def steps(self) -> tuple[TransitionStep, ...]:
        """One step per rule that matters on the data: the cutoff first, then in the order of the convention."""
        first, second = (tool.own for tool in self.tools)
        mattering = {*differing_rules(*(tool.setting for tool in self.tools))}
        steps: list[TransitionStep] = []
        current, pending = first, []
        for rule in differing_rules(first, second):
            pending.append(rule)
            changed = current.with_rules_of(second, pending)
            try:
                step = self._step(tuple(pending), current, changed)
            except RankgaugeError:  # these rules cannot be combined: change the next one together with them
                continue
            if step.moved or step.first != step.second or mattering.intersection(pending):
                steps.append(step)
            current, pending = changed, []
        return tuple(steps)

    @property
    def queries(self) -> int:
        """Number of judged queries."""
        return len(self._data.queries)

    @property
    def values(self) -> tuple[float, float]:
        """Values of both tools."""
        first, second = (self._data.mean(tool.own) for tool in self.tools)
        return first, second

    def _step(self, rules: tuple[str, ...], before: RuleSetting, after: RuleSetting) -> TransitionStep:
        old, new = self._data.averaged_values(before), self._data.averaged_values(after)
        moved = np.abs(np.nan_to_num(new) - np.nan_to_num(old)) + (np.isnan(old) != np.isnan(new))
        most = [int(place) for place in np.argsort(-moved, kind="stable")[:SHOWN_QUERIES] if moved[place] > 0]
        queries = tuple((self._data.queries[place], float(old[place]), float(new[place])) for place in most)
        return TransitionStep(rules, before, after, self._data.mean(before), self._data.mean(after), queries)

    def to_dict(self) -> PlainData:
        """Return everything as plain data."""
        steps = [
            {
                "rules": list(step.rules),
                "from": {rule: plain_value(step.before, rule) for rule in step.rules},
                "to": {rule: plain_value(step.after, rule) for rule in step.rules},
                "value": finite_or_none(step.second),
                "change": finite_or_none(step.change),
                "moved": [
                    {"query": query, "before": finite_or_none(old), "after": finite_or_none(new)}
                    for query, old, new in step.moved
                ],
            }
            for step in self.steps
        ]
        sides = ("first", "second")
        return {
            "between": {side: tool.name for side, tool in zip(sides, self.tools, strict=True)},
            "values": {side: finite_or_none(value) for side, value in zip(sides, self.values, strict=True)},
            "steps": steps,
        }

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row for each step."""
        return {
            "rules": [
                ", ".join(f"{rule}={plain_value(step.after, rule)}" for rule in step.rules) for step in self.steps
            ],
            "before": [step.first for step in self.steps],
            "after": [step.second for step in self.steps],
            "change": [step.change for step in self.steps],
        }

    def document(self, lang: str = "en") -> Document:
        """Return the steps as a document."""
        from rankgauge.reconciliation.document import transition_document  # noqa: PLC0415 (it imports this module)

        return transition_document(self, lang)
