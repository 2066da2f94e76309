"""The value that each tool gives on the same data, and the rules that make them differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, product
from typing import Any

import numpy as np

from rankgauge.errors import InputError, RankgaugeError
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.attainable import spacing
from rankgauge.reconciliation.candidates import Candidates
from rankgauge.reconciliation.number_matches import NumberMatches
from rankgauge.reconciliation.printed_number import PrintedNumber, decimals, nearly_equal
from rankgauge.reconciliation.reconciliation_data import ReconciliationData
from rankgauge.reconciliation.rule_setting import RuleSetting, differing_rules, plain_setting, plain_value
from rankgauge.reconciliation.search_space import SearchSpace
from rankgauge.reconciliation.tools import Tool, by_plausibility, tool_named
from rankgauge.reconciliation.transition import ToolTransition
from rankgauge.rendering.document import Document, ShownAsDocument
from rankgauge.rendering.plain import FrameResult, PlainData, finite_or_none

SCHEMA = "rankgauge/reconciliation/1"


@dataclass(frozen=True)
class ToolGroup:
    """Tools that give the same value at the digits shown."""

    value: float
    shown: str
    tools: tuple[Tool, ...]
    before: RuleSetting | None = None
    after: RuleSetting | None = None
    rules: tuple[str, ...] = ()
    """The fewest rules that make the group differ from the one above: those of ``after`` instead of ``before``.

    Both are definitions of tools, with the rules of their presets.
    """


class Reconciliation(ShownAsDocument, FrameResult):
    """The value of each tool on the same data; ``explain`` a number, or go ``between`` two tools."""

    def __init__(
        self,
        metric: Metric,
        data: ReconciliationData,
        tools: list[Tool],
        without_metric: list[str],
        findings: Findings,
        digits: int | None,
        typed: str = "",
    ) -> None:
        self.metric = metric
        self.without_metric = tuple(without_metric)
        """Presets whose tool does not have the metric."""
        self.findings = findings
        self.tools = tuple(tool for tool in tools if not tool.refusal)
        """Tools that give a value, in the order of the presets, the default first."""
        self.refused = tuple(tool for tool in tools if tool.refusal)
        """Tools that have the metric but give no value for these data, with the reason."""
        self._data, self._tools, self._digits, self._typed = data, tools, digits, typed

    @property
    def queries(self) -> int:
        """Number of judged queries."""
        return len(self._data.queries)

    @cached_property
    def values(self) -> tuple[float, ...]:
        """Value of each tool, in the order of ``tools``."""
        return tuple(self._data.mean(tool.setting) for tool in self.tools)

    def value(self, tool: str) -> float:
        """Return the value of one tool.

        >>> import rankgauge as rg
        >>> films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
        >>> round(films.value("lightgbm"), 4), round(films.value("trec_eval-9"), 4)
        (0.8296, 0.8535)
        """
        return self._data.mean(tool_named(self._tools, tool).setting)

    @property
    def digits(self) -> int:
        """Number of digits shown: as requested, or as many as distinguish the values, at least four."""
        return decimals(list(self.values)) if self._digits is None else self._digits

    @cached_property
    def groups(self) -> tuple[ToolGroup, ...]:
        """Tools by value, the highest first, with the rules that make each group differ from the previous one."""
        by_value: dict[str, list[tuple[float, Tool]]] = {}
        for value, tool in zip(self.values, self.tools, strict=True):
            by_value.setdefault(f"{value:.{self.digits}f}", []).append((value, tool))
        groups: list[ToolGroup] = []
        for shown, members in sorted(by_value.items(), key=lambda item: -item[1][0][0]):
            group = ToolGroup(members[0][0], shown, tuple(tool for _, tool in members))
            if groups:
                before, after = _nearest(groups[-1].tools, group.tools)
                rules = _smallest_difference(self._data, before, after)
                group = replace(group, before=before.own, after=after.own, rules=rules)
            groups.append(group)
        return tuple(groups)

    def explain(self, value: str | float) -> NumberMatches:
        """Find the rules that give a number; pass it as text with the digits that were printed.

        >>> import rankgauge as rg
        >>> films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
        >>> first = films.explain("0.8329").matches[0]
        >>> first.tool.name, first.rules, round(first.value, 6)
        ('jarvelin-kekalainen-2002', (), 0.832923)
        """
        if np.isnan(self._candidates.values).all():
            raise InputError(f"{self.metric}: no definition has a value for these data, so no number can be explained")
        low, high = self.metric.definition.bounds
        number = PrintedNumber.of(value, share=(low, high) == (0.0, 1.0))
        return NumberMatches(number, self.metric, self._data, self._candidates)

    @cached_property
    def _candidates(self) -> Candidates:
        """Every definition tried; they are the same for every number."""
        tools = by_plausibility(self._tools, self._data, self._typed)
        values = [math.nan if tool.refusal else self._data.mean(tool.setting) for tool in tools]
        points = [*self._space.points()]
        same_cutoff = [point.setting for point in points if point.setting.metric.k == self.metric.k]
        apart = spacing(self._data, [*(tool.setting for tool in tools if not tool.refusal), *same_cutoff])
        return Candidates(tools, values, points, apart)

    @cached_property
    def _space(self) -> SearchSpace:
        """The definitions to try, also around those of tools that refuse the data: a rule may have been changed."""
        return SearchSpace(self.metric, self._data, [tool.setting for tool in self._tools])

    def between(self, first: str, second: str) -> ToolTransition:
        """Go from the value of one tool to that of another, one rule at a time.

        >>> import rankgauge as rg
        >>> films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
        >>> [(step.rules, round(step.change, 4)) for step in films.between("trec_eval-9", "letor").steps]
        [(('gain',), -0.0239), (('discount',), -0.0462)]
        """
        return ToolTransition(self._data, tool_named(self._tools, first), tool_named(self._tools, second))

    def to_dict(self) -> PlainData:
        """Return everything as plain data."""
        groups = [
            {
                "value": finite_or_none(group.value),
                "shown": group.shown,
                "tools": [
                    {"preset": tool.name, "metric": tool.metric_name, "setting": plain_setting(tool.own)}
                    for tool in group.tools
                ],
                "separated_by": [
                    {"rule": rule, "from": plain_value(group.before, rule), "to": plain_value(group.after, rule)}
                    for rule in group.rules
                    if group.before is not None and group.after is not None
                ],
            }
            for group in self.groups
        ]
        refused = [{"preset": tool.name, "metric": tool.metric_name, "reason": tool.refusal} for tool in self.refused]
        return {
            "schema": SCHEMA,
            "metric": str(self.metric),
            "queries": self.queries,
            "groups": groups,
            "refused": refused,
            "lacking": list(self.without_metric),
        }

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row for each tool that gives a value."""
        return {
            "tool": [tool.name for tool in self.tools],
            "metric": [tool.metric_name for tool in self.tools],
            "value": self.values,
        }

    def document(self, lang: str = "en") -> Document:
        """Return the table as a document."""
        from rankgauge.reconciliation.document import tools_document  # noqa: PLC0415 (it imports this module)

        return tools_document(self, lang)

    def __repr__(self) -> str:
        return f"<Reconciliation of {self.metric}: tools={len(self.tools)}, values={len(self.groups)}>"


def _nearest(first: tuple[Tool, ...], second: tuple[Tool, ...]) -> tuple[Tool, Tool]:
    """Return the tools of two groups that differ in the fewest rules that matter on the data."""
    firsts, seconds = ({tool.setting: tool for tool in reversed(tools)} for tools in (first, second))
    pairs = product(reversed(firsts.values()), reversed(seconds.values()))
    return min(pairs, key=lambda pair: len(differing_rules(pair[0].setting, pair[1].setting)))


def _smallest_difference(data: ReconciliationData, first: Tool, second: Tool) -> tuple[str, ...]:
    """Return the fewest rules that, taken from the second tool, give the first one the value of the second.

    Among sets of equal size, the one whose rules come first in the convention. Rules that matter on the data suffice,
    unless what they do depends on one that does not matter.
    """
    every, goal = differing_rules(first.own, second.own), data.mean(second.own)
    mattering = {*differing_rules(first.setting, second.setting)}
    for rules in ([rule for rule in every if rule in mattering], every):
        for subset in chain.from_iterable(combinations(rules, size) for size in range(len(rules) + 1)):
            try:
                if nearly_equal(data.mean(first.own.with_rules_of(second.own, subset)), goal):
                    return subset
            except RankgaugeError:  # these rules cannot be combined
                continue
    return tuple(every)
