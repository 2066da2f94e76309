"""The transition from the value of one tool to that of another, one rule at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankgauge.errors import RankgaugeError
from rankgauge.reconciliation.messages import meanings
from rankgauge.reconciliation.reconciliation_data import ReconciliationData
from rankgauge.reconciliation.rule_setting import RuleSetting, differing_rules, plain_value, shown_value, title
from rankgauge.reconciliation.tools import Tool
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.plain import finite_or_none

SHOWN_QUERIES = 3
WORDS = {
    "title": Phrase("{metric}: from {first} to {second}", "{metric}：从 {first} 到 {second}"),
    "sum": Phrase(
        "{first} gives {before:.6f}, {second} gives {after:.6f}. The difference of {difference:+.6f} is the sum of the "
        "changes below.",
        "{first} 给出 {before:.6f}，{second} 给出 {after:.6f}，相差 {difference:+.6f}，即下列各步变化之和。",
    ),
    "none": Phrase("On these data {first} and {second} agree.", "在这些数据上，{first} 与 {second} 完全一致。"),
    "order": Phrase(
        "Rules are changed in the order of the convention, each on top of the previous changes. In another order the "
        "individual changes can differ; their sum does not.",
        "各规则按约定中的顺序逐条改变，每一步都在前面各步的基础上进行。换一种顺序，单步的变化可能不同，总和不变。",
    ),
    "step": Phrase("rule", "规则"),
    "from": Phrase("from", "从"),
    "to": Phrase("to", "到"),
    "value": Phrase("new value", "改变后的值"),
    "change": Phrase("change", "变化"),
    "queries": Phrase("queries that change most", "变化最大的查询"),
    "out": Phrase("left out", "不计入"),
}


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


class ToolTransition(ShownAsDocument):
    """The steps from one tool to another."""

    def __init__(self, data: ReconciliationData, first: Tool, second: Tool) -> None:
        self.tools = first, second
        self._data = data

    @cached_property
    def steps(self) -> tuple[TransitionStep, ...]:
        """One step per rule: the cutoff first, then in the order of the convention."""
        first, second = (tool.setting for tool in self.tools)
        steps: list[TransitionStep] = []
        current, pending = first, []
        for rule in differing_rules(first, second):
            pending.append(rule)
            changed = current.with_rules_of(second, pending)
            try:
                step = self._step(tuple(pending), current, changed)
            except RankgaugeError:  # these rules cannot be combined: change the next one together with them
                continue
            steps.append(step)
            current, pending = changed, []
        return tuple(steps)

    @property
    def values(self) -> tuple[float, float]:
        """Values of both tools."""
        first, second = (self._data.mean(tool.setting) for tool in self.tools)
        return first, second

    def _step(self, rules: tuple[str, ...], before: RuleSetting, after: RuleSetting) -> TransitionStep:
        old, new = self._data.averaged_values(before), self._data.averaged_values(after)
        moved = np.abs(np.nan_to_num(new) - np.nan_to_num(old)) + (np.isnan(old) != np.isnan(new))
        most = [int(place) for place in np.argsort(-moved, kind="stable")[:SHOWN_QUERIES] if moved[place] > 0]
        queries = tuple((self._data.queries[place], float(old[place]), float(new[place])) for place in most)
        return TransitionStep(rules, before, after, self._data.mean(before), self._data.mean(after), queries)

    def to_dict(self) -> dict[str, Any]:
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

    def document(self, lang: str = "en") -> Document:
        """Return the steps as a document."""
        language = check_lang(lang)
        first, second = (tool.name for tool in self.tools)
        before, after = self.values
        names = {"first": first, "second": second}
        blocks: list[Block] = [Heading(WORDS["title"].render(language, metric=self.tools[0].setting.metric, **names))]
        if not self.steps:
            return Document([*blocks, Paragraph(WORDS["none"].render(language, **names))])
        blocks.append(
            Paragraph(WORDS["sum"].render(language, before=before, after=after, difference=after - before, **names))
        )
        width = 6 if len(self._data.queries) > 1 else 5  # a single query needs no column of queries
        columns = [WORDS[key].render(language) for key in ("step", "from", "to", "value", "change", "queries")]
        rows = [["", "", "", f"{before:.6f}", "", ""], *(_row(step, language) for step in self.steps)]
        table = Table(columns[:width], [row[:width] for row in rows], align="lllrrl"[:width])
        blocks += [table, Paragraph(WORDS["order"].render(language))]
        changed = [(step.after, rule) for step in self.steps for rule in step.rules]
        return Document([*blocks, meanings(changed, language)])


def _row(step: TransitionStep, lang: Lang) -> list[str]:
    moved = ", ".join(f"{query}: {_shown(old, lang)} → {_shown(new, lang)}" for query, old, new in step.moved)
    values = [", ".join(shown_value(setting, rule) for rule in step.rules) for setting in (step.before, step.after)]
    rules = " + ".join(title(rule, lang) for rule in step.rules)
    return [rules, *values, f"{step.second:.6f}", f"{step.change:+.6f}", moved]


def _shown(value: float, lang: Lang) -> str:
    return WORDS["out"].render(lang) if np.isnan(value) else f"{value:.4f}"
