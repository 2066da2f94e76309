"""Reconciliation: what each tool says on the same data, and the rules that part them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rankgauge.errors import UnknownNameError
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.data import Data
from rankgauge.reconciliation.explanations import Explanations
from rankgauge.reconciliation.printed_number import Printed, decimals
from rankgauge.reconciliation.rule_setting import Setting, differing, number_or_none, plain, plain_value
from rankgauge.reconciliation.search_space import Point, Space
from rankgauge.reconciliation.separation import separating
from rankgauge.reconciliation.tools import Tool, named
from rankgauge.reconciliation.walk import Walk
from rankgauge.rendering.document import Document

SCHEMA = "rankgauge/reconciliation/1"


@dataclass(frozen=True)
class Group:
    """Tools that say the same, at the digits shown."""

    value: float
    shown: str
    tools: tuple[Tool, ...]
    before: Setting | None = None
    after: Setting | None = None
    rules: tuple[str, ...] = ()
    """The fewest rules to change, from ``before`` of the group above, to get to this one: to what ``after`` has."""


class Reconciliation:
    """What each tool says on the same data; ``explain`` a number, or go ``between`` two tools."""

    def __init__(
        self, metric: Metric, data: Data, tools: list[Tool], lacking: list[str], findings: Findings, digits: int | None
    ) -> None:
        self.metric = metric
        self.lacking = tuple(lacking)
        """The presets whose tool does not have the metric."""
        self.findings = findings
        self._data = data
        self._all = tools
        self._digits = digits

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that give a value, in the order of the presets, the default first."""
        return tuple(tool for tool in self._all if not tool.refusal)

    @property
    def refused(self) -> tuple[Tool, ...]:
        """The tools that have the metric but give no value for these data, each with the reason."""
        return tuple(tool for tool in self._all if tool.refusal)

    @property
    def queries(self) -> int:
        """How many queries are judged."""
        return len(self._data.queries)

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The value of each tool, in their order."""
        return tuple(self._data.mean(tool.setting) for tool in self.tools)

    def value(self, tool: str) -> float:
        """The value of one tool.

        >>> import rankgauge as rg
        >>> films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
        >>> round(films.value("lightgbm"), 4), round(films.value("trec_eval-9"), 4)
        (0.8296, 0.8535)
        """
        return self._data.mean(named(self._all, tool).setting)

    @property
    def digits(self) -> int:
        """The digits shown: as many as were asked for, or as tell the values apart, four at least."""
        return decimals(list(self.values)) if self._digits is None else self._digits

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The tools by value, the highest first, with the rules that lead from each group to the next."""
        by_value: dict[str, list[tuple[float, Tool]]] = {}
        for value, tool in zip(self.values, self.tools, strict=True):
            by_value.setdefault(f"{value:.{self.digits}f}", []).append((value, tool))
        groups: list[Group] = []
        for shown, members in sorted(by_value.items(), key=lambda item: -item[1][0][0]):
            value, tools = members[0][0], tuple(tool for _, tool in members)
            if not groups:
                groups.append(Group(value, shown, tools))
                continue
            before, after = _nearest(groups[-1].tools, tools)
            rules = separating(self._data, before, after)
            groups.append(Group(value, shown, tools, before, after, rules))
        return tuple(groups)

    def explain(self, value: str | float) -> Explanations:
        """Which rules give a number; as text, its digits say how exactly it is known.

        >>> import rankgauge as rg
        >>> films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
        >>> first = films.explain("0.8329").found[0]
        >>> first.tool.name, first.rules, round(first.value, 6)
        ('jarvelin-kekalainen-2002', (), 0.832923)
        """
        low, high = self.metric.definition.bounds
        number = Printed.of(value, share=(low, high) == (0.0, 1.0))
        space, points = self._searched
        return Explanations(number, self._data, space, points, list(self._all))

    @cached_property
    def _searched(self) -> tuple[Space, list[Point]]:
        space = Space(self.metric, self._data, [tool.setting for tool in self.tools])
        return space, [*space.points()]

    def between(self, first: str, second: str) -> Walk:
        """From the value of one tool to that of another, one rule at a time.

        >>> import rankgauge as rg
        >>> films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
        >>> [(step.rules, round(step.change, 4)) for step in films.between("trec_eval-9", "letor").steps]
        [(('gain',), -0.0239), (('discount',), -0.0462)]
        """
        for name in (first, second):
            if name not in {tool.name for tool in self._all}:
                raise UnknownNameError.closest("preset with this metric", name, {tool.name: 0 for tool in self._all})
        return Walk(self._data, named(self._all, first), named(self._all, second))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        groups = [
            {
                "value": number_or_none(group.value),
                "shown": group.shown,
                "tools": [
                    {"preset": tool.name, "metric": tool.theirs, "setting": plain(tool.setting)} for tool in group.tools
                ],
                "separated_by": [
                    {"rule": rule, "from": plain_value(group.before, rule), "to": plain_value(group.after, rule)}
                    for rule in group.rules
                    if group.before is not None and group.after is not None
                ],
            }
            for group in self.groups
        ]
        refused = [{"preset": tool.name, "metric": tool.theirs, "reason": tool.refusal} for tool in self.refused]
        return {
            "schema": SCHEMA,
            "metric": str(self.metric),
            "queries": self.queries,
            "groups": groups,
            "refused": refused,
            "lacking": list(self.lacking),
        }

    def document(self, lang: str = "en") -> Document:
        """The table to read."""
        from rankgauge.reconciliation.document import tools_page  # noqa: PLC0415 (the page is made of this)

        return tools_page(self, lang)

    def __str__(self) -> str:
        return self.document().to_text()

    def __repr__(self) -> str:
        return f"<Reconciliation of {self.metric}: {len(self.tools)} tools, {len(self.groups)} values>"

    def _repr_html_(self) -> str:
        return self.document().to_html()


def _nearest(first: tuple[Tool, ...], second: tuple[Tool, ...]) -> tuple[Setting, Setting]:
    """A setting of each group, with as few rules between them as there can be."""
    firsts, seconds = (list(dict.fromkeys(tool.setting for tool in tools)) for tools in (first, second))
    pairs = [(one, other) for one in firsts for other in seconds]
    return min(pairs, key=lambda pair: len(differing(*pair)))
