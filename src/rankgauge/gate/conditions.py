"""Conditions that fail a check, and their grammar.

    condition = metric ( "<" | "<=" | ">" | ">=" ) number
              | metric ( "drops" | "rises" ) ( amount | "significantly" [ "(" level ")" ] )
    amount    = number [ "%" ]

``drops 0.01`` fails if the mean fell by 0.01 or more, ``drops 2%`` if it fell by 2 % of the baseline or more,
``drops significantly`` if it fell and the two-sided paired t test has p below 0.05 (or the level in parentheses).
"""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass

from rankgauge.errors import ParameterError, shown
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse

THRESHOLDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
LEVEL = 0.05
ROUNDING = 1e-12
"""A drop of exactly the amount counts in spite of rounding."""
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
AMOUNT = re.compile(rf"(?:by\s+)?(?P<number>{NUMBER})\s*(?P<share>%?)")
SIGNIFICANTLY = re.compile(rf"significantly(?:\s*\(\s*(?P<level>{NUMBER})\s*\))?")
FORMS = 'write, for example, "nDCG@10 < 0.42", "nDCG@10 drops 0.01", "AP drops 2%" or "AP drops significantly"'


@dataclass(frozen=True)
class Condition:
    """A condition that fails a check."""

    metric: Metric
    relation: str
    """``<``, ``<=``, ``>``, ``>=``, ``drops`` or ``rises``."""
    amount: float | None = None
    relative: bool = False
    """Whether the amount is relative to the baseline."""
    level: float | None = None
    """Significance level, for ``significantly``."""

    @property
    def compares(self) -> bool:
        """Whether a baseline is needed."""
        return self.relation not in THRESHOLDS

    @property
    def downward(self) -> bool:
        """Whether it fails on low values."""
        return self.relation in {"drops", "<", "<="}

    def __str__(self) -> str:
        if self.level is not None:
            return f"{self.metric} {self.relation} significantly ({self.level:g})"
        amount = self.amount or 0.0
        return f"{self.metric} {self.relation} {f'{amount * 100:g}%' if self.relative else f'{amount:g}'}"

    def holds(self, value: float, baseline: float, p: float) -> bool:
        """Whether these means (and the p-value of the test) fail the check."""
        amount = self.amount or 0.0
        if self.relation in THRESHOLDS:
            return bool(THRESHOLDS[self.relation](value, amount))
        moved = baseline - value if self.relation == "drops" else value - baseline
        if moved <= 0:
            return False
        if self.level is not None:
            return p < self.level
        return moved >= (amount * abs(baseline) if self.relative else amount) - ROUNDING


def parse_condition(text: str | Condition) -> Condition:
    """Parse a condition.

    >>> parse_condition("ndcg_cut_10 drops 2%")
    Condition(metric=nDCG@10, relation='drops', amount=0.02, relative=True, level=None)
    >>> parse_condition("nDCG@10 < 2%")
    Traceback (most recent call last):
    ...
    rankgauge.errors.ParameterError: 'nDCG@10 < 2%' is not a condition: after < expected a value of the metric, ...
    """
    if isinstance(text, Condition):
        return text
    if not isinstance(text, str):
        raise ParameterError.of("a condition", text, f"a string; {FORMS}")
    name, relation, rest = _split(text)
    if not name:
        raise _invalid(text, f"the metric before {relation} is missing; {FORMS}")
    metric = parse(name)
    if not rest:
        raise _invalid(text, f"the number after {relation} is missing; {FORMS}")
    parse_rest = _parse_threshold if relation in THRESHOLDS else _parse_change
    return parse_rest(text, metric, relation, rest)


def _split(text: str) -> tuple[str, str, str]:
    """Split into the metric, the relation and the rest."""
    relation = re.search(r"<=|>=|<|>|(?<![\w(='])(?:drops|rises)(?!\w)", text)
    if relation is not None:
        return text[: relation.start()].strip(), relation[0], text[relation.end() :].strip()
    mistake = re.search(
        r"(?<!\w)(drop|dropped|falls|fall|fell|decreases|rise|rose|increases|grows|==|=(?=\s))(?!\w)", text
    )
    if mistake is not None:
        raise _invalid(text, f"{shown(mistake[0])} is not recognized; {FORMS}")
    raise _invalid(text, f"{'it is empty' if not text.strip() else 'it does not say when to fail'}; {FORMS}")


def _parse_threshold(text: str, metric: Metric, relation: str, rest: str) -> Condition:
    if rest.endswith("%"):
        raise _invalid(text, f"after {relation} expected a value of the metric, not a percentage; 2% goes with drops")
    if not re.fullmatch(NUMBER, rest):
        raise _invalid(text, f"after {relation} expected a number, not {shown(rest)}")
    return Condition(metric, relation, float(rest))


def _parse_change(text: str, metric: Metric, relation: str, rest: str) -> Condition:
    test = SIGNIFICANTLY.fullmatch(rest)
    if test is not None:
        level = LEVEL if test["level"] is None else float(test["level"])
        if not 0 < level < 1:
            raise _invalid(text, f"the significance level must be between 0 and 1, not {level:g}")
        if not metric.definition.summary.is_average:
            raise _invalid(text, f"{metric} is not a mean over queries, so there is no paired t test; give a number")
        return Condition(metric, relation, level=level)
    amount = AMOUNT.fullmatch(rest)
    if amount is None:
        raise _invalid(
            text, f"after {relation} expected a number, a percentage such as 2% or significantly, not {shown(rest)}"
        )
    number = float(amount["number"])
    if not math.isfinite(number) or number < 0:
        raise _invalid(text, f"the amount after {relation} must be at least 0, not {number:g}")
    return Condition(metric, relation, number / 100 if amount["share"] else number, bool(amount["share"]))


def _invalid(text: str, reason: str) -> ParameterError:
    return ParameterError(f"{shown(text, 120)} is not a condition: {reason}")
