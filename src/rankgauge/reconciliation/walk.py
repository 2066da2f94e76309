"""Walk: from the value of one tool to that of another, one rule at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankgauge.errors import RankgaugeError
from rankgauge.reconciliation.data import Data
from rankgauge.reconciliation.messages import meanings
from rankgauge.reconciliation.rule_setting import Setting, differing, number_or_none, plain_value, shown_value, title
from rankgauge.reconciliation.tools import Tool
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang

MOVED_MOST = 3
WORDS = {
    "title": Phrase("{metric}: from {first} to {second}", "{metric}：从 {first} 到 {second}"),
    "sum": Phrase(
        "{first} says {before:.6f}, {second} says {after:.6f}: a difference of {difference:+.6f}, which is the sum of "
        "the changes below.",
        "{first} 为 {before:.6f}，{second} 为 {after:.6f}：相差 {difference:+.6f}，即下列各步变化之和。",
    ),
    "none": Phrase("On these data {first} and {second} do the same.", "在这些数据上，{first} 与 {second} 完全相同。"),
    "order": Phrase(
        "The rules are changed in the order in which a convention lists them, each on top of those before it. In "
        "another order the single changes can differ; their sum does not.",
        "各规则按约定中的顺序逐条改变，每一步都在前面各步的基础上进行。换一种顺序，单步的变化可能不同，总和不变。",
    ),
    "step": Phrase("rule", "规则"),
    "from": Phrase("from", "从"),
    "to": Phrase("to", "到"),
    "value": Phrase("value then", "此后的值"),
    "change": Phrase("change", "变化"),
    "queries": Phrase("moves most", "变化最大的查询"),
    "out": Phrase("left out", "不计入"),
}


@dataclass(frozen=True)
class Step:
    """One rule changed (several where one alone gives no value)."""

    rules: tuple[str, ...]
    before: Setting
    after: Setting
    first: float
    second: float
    moved: tuple[tuple[Any, float, float], ...]
    """The queries that it moves most, with their values before and after; NaN where they are left out of the mean."""

    @property
    def change(self) -> float:
        """What the step does to the mean."""
        return self.second - self.first


class Walk:
    """The steps from one tool to another."""

    def __init__(self, data: Data, first: Tool, second: Tool) -> None:
        self.tools = first, second
        self._data = data

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """One rule after another, in the order of the convention, the cutoff first."""
        first, second = (tool.setting for tool in self.tools)
        steps: list[Step] = []
        here, waiting = first, []
        for rule in differing(first, second):
            waiting.append(rule)
            there = here.toward(second, waiting)
            try:
                step = self._step(tuple(waiting), here, there)
            except RankgaugeError:  # these rules do not go together: change the next one with them
                continue
            steps.append(step)
            here, waiting = there, []
        return tuple(steps)

    @property
    def values(self) -> tuple[float, float]:
        """The values of both tools."""
        first, second = (self._data.mean(tool.setting) for tool in self.tools)
        return first, second

    def _step(self, rules: tuple[str, ...], before: Setting, after: Setting) -> Step:
        old, new = self._data.counted(before), self._data.counted(after)
        moved = np.abs(np.nan_to_num(new) - np.nan_to_num(old)) + (np.isnan(old) != np.isnan(new))
        most = [int(place) for place in np.argsort(-moved, kind="stable")[:MOVED_MOST] if moved[place] > 0]
        queries = tuple((self._data.queries[place], float(old[place]), float(new[place])) for place in most)
        return Step(rules, before, after, self._data.mean(before), self._data.mean(after), queries)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        first, second = self.values
        steps = [
            {
                "rules": list(step.rules),
                "from": {rule: plain_value(step.before, rule) for rule in step.rules},
                "to": {rule: plain_value(step.after, rule) for rule in step.rules},
                "value": number_or_none(step.second),
                "change": number_or_none(step.change),
                "moved": [
                    {"query": query, "before": number_or_none(old), "after": number_or_none(new)}
                    for query, old, new in step.moved
                ],
            }
            for step in self.steps
        ]
        names = {key: tool.name for key, tool in zip(("first", "second"), self.tools, strict=True)}
        return {
            "between": names,
            "values": {"first": number_or_none(first), "second": number_or_none(second)},
            "steps": steps,
        }

    def document(self, lang: str = "en") -> Document:
        """The steps to read."""
        spoken = check_lang(lang)
        first, second = (tool.name for tool in self.tools)
        before, after = self.values
        names = {"first": first, "second": second}
        blocks: list[Block] = [Heading(WORDS["title"].render(spoken, metric=self.tools[0].setting.metric, **names))]
        if not self.steps:
            return Document([*blocks, Paragraph(WORDS["none"].render(spoken, **names))])
        blocks.append(
            Paragraph(WORDS["sum"].render(spoken, before=before, after=after, difference=after - before, **names))
        )
        columns = [WORDS[key].render(spoken) for key in ("step", "from", "to", "value", "change", "queries")]
        rows = [["", "", "", f"{before:.6f}", "", ""], *(_row(step, spoken) for step in self.steps)]
        blocks += [Table(columns, rows, align="lllrrl"), Paragraph(WORDS["order"].render(spoken))]
        return Document([*blocks, meanings([(step.after, rule) for step in self.steps for rule in step.rules], spoken)])

    def __str__(self) -> str:
        return self.document().to_text()


def _row(step: Step, lang: Lang) -> list[str]:
    moved = ", ".join(f"{query}: {_shown(old, lang)} → {_shown(new, lang)}" for query, old, new in step.moved)
    values = [", ".join(shown_value(one, rule) for rule in step.rules) for one in (step.before, step.after)]
    rules = " + ".join(title(rule, lang) for rule in step.rules)
    return [rules, *values, f"{step.second:.6f}", f"{step.change:+.6f}", moved]


def _shown(value: float, lang: Lang) -> str:
    return WORDS["out"].render(lang) if np.isnan(value) else f"{value:.4f}"
