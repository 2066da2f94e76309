"""The answers of a function by what they show: the formula, 0/0, ties, repeated items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge.auditing.definitions import LEAST_SCALE, Reference, agreement
from rankgauge.auditing.worlds import World
from rankgauge.reconciliation.rule_setting import RuleSetting
from rankgauge.segments import Bools, Floats


@dataclass(frozen=True)
class AnswerSample:
    """Worlds with the value that the function gave to each, and the values of definitions on them."""

    worlds: list[World]
    given: Floats
    reference: Reference
    close: float

    @classmethod
    def of(cls, pairs: Sequence[tuple[World, float]], close: float) -> AnswerSample:
        """Return a sample of the answers."""
        worlds = [world for world, _ in pairs]
        return cls(worlds, np.array([value for _, value in pairs]), Reference(worlds), close)

    def agrees(self, setting: RuleSetting) -> int:
        """Return on how many worlds the function gave the value of a definition."""
        return int(self.same(self.reference.values(setting)).sum())

    def same(self, values: Floats) -> Bools:
        """Return where the function gave these values."""
        return agreement(values, self.given, self.close)

    def equals(self, setting: RuleSetting) -> bool:
        """Return whether the function gave the value of a definition on every world; its scale may end at a grade."""
        values = self.reference.values(setting)
        beyond = np.isnan(values) & np.array([world.highest > LEAST_SCALE for world in self.worlds], dtype=bool)
        return bool((self.same(values) | beyond).all())

    def allows_some_order(self, setting: RuleSetting) -> bool:
        """Return whether every value is one that a definition can have for some order of tied items."""
        low, high = (self.reference.values(setting.replace(ties=ties)) for ties in ("worst", "best"))
        between = (self.given >= low - self.close) & (self.given <= high + self.close)
        return bool((between | np.isnan(low) | np.isnan(high)).all())

    def allows(self, setting: RuleSetting) -> bool:
        """Return whether the function gave the value of a definition wherever that has one."""
        values = self.reference.values(setting)
        return bool((np.isnan(values) | self.same(values)).all())


class Samples:
    """The answers of a function by what they show: the formula, 0/0, ties, repeated items."""

    def __init__(self, pairs: Sequence[tuple[World, float]], close: float) -> None:
        self._pairs = pairs
        judged = [pair for pair in pairs if pair[0].gold]
        single = [pair for pair in judged if not pair[0].repeats]
        untied = [pair for pair in single if not pair[0].ties]
        formula = [pair for pair in untied if pair[0].has_relevant and pair[0].ranking]
        self.formula = AnswerSample.of(formula, close)
        undefined = [pair for pair in untied if not (pair[0].has_relevant and pair[0].ranking)]
        self.undefined = AnswerSample.of(undefined, close)
        self.nothing = AnswerSample.of([pair for pair in untied if pair[0].ranking and not pair[0].has_relevant], close)
        self.tied = AnswerSample.of([pair for pair in single if pair[0].ties and pair[0].has_relevant], close)
        self.repeated = AnswerSample.of([pair for pair in judged if pair[0].repeats], close)
        self.close = close

    def up_to(self, grade: int) -> Samples:
        """Return the answers to worlds without higher grades."""
        return Samples([pair for pair in self._pairs if pair[0].highest <= grade], self.close)

    def shorter_than(self, size: int) -> Samples:
        """Return the answers to worlds with fewer items."""
        return Samples([pair for pair in self._pairs if pair[0].size < size], self.close)

    @property
    def compared(self) -> int:
        """Number of answers that were compared."""
        return sum(len(sample.worlds) for sample in (self.formula, self.undefined, self.tied, self.repeated))
