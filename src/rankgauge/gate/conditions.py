"""When a check fails, as text: one small grammar for the command line, tests and continuous integration.

    condition = metric ( "<" | "<=" | ">" | ">=" ) number
              | metric ( "drops" | "rises" ) ( amount | "significantly" [ "(" level ")" ] )
    amount    = number [ "%" ]

``drops 0.01`` fails when the mean fell by 0.01 or more, ``drops 2%`` when it fell by 2 % of the baseline or more,
``drops significantly`` when it fell and the paired t test, two-sided, has p below 0.05 (or the level in brackets).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from rankgauge.errors import ParameterError, shown
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse

LEVEL = 0.05
ROUNDING = 1e-12
"""A drop of exactly the amount counts, whatever the last binary digit says."""
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
AMOUNT = re.compile(rf"(?:by\s+)?(?P<number>{NUMBER})\s*(?P<share>%?)")
SURELY = re.compile(rf"significantly(?:\s*\(\s*(?P<level>{NUMBER})\s*\))?")
FORMS = 'write for instance "nDCG@10 < 0.42", "nDCG@10 drops 0.01", "AP drops 2%" or "AP drops significantly"'


@dataclass(frozen=True)
class Condition:
    """What makes a check fail."""

    metric: Metric
    relation: str
    """``<``, ``<=``, ``>``, ``>=``, ``drops`` or ``rises``."""
    amount: float | None = None
    relative: bool = False
    """Whether the amount is a share of the baseline."""
    level: float | None = None
    """Of the test, for ``significantly``."""

    @property
    def compares(self) -> bool:
        """Whether a baseline is needed."""
        return self.relation in {"drops", "rises"}

    @property
    def downward(self) -> bool:
        """Whether low values are what it guards against."""
        return self.relation in {"drops", "<", "<="}

    def __str__(self) -> str:
        if self.level is not None:
            return f"{self.metric} {self.relation} significantly ({self.level:g})"
        amount = self.amount or 0.0
        return f"{self.metric} {self.relation} {f'{amount * 100:g}%' if self.relative else f'{amount:g}'}"

    def holds(self, value: float, baseline: float, p: float) -> bool:
        """Whether these means (and the p-value of the test) make the check fail."""
        amount = self.amount or 0.0
        match self.relation:
            case "<":
                return value < amount
            case "<=":
                return value <= amount
            case ">":
                return value > amount
            case ">=":
                return value >= amount
        moved = baseline - value if self.relation == "drops" else value - baseline
        if moved <= 0:
            return False
        if self.level is not None:
            return p < self.level
        return moved >= (amount * abs(baseline) if self.relative else amount) - ROUNDING


def parse_condition(text: str | Condition) -> Condition:
    """The condition that a text stands for.

    >>> parse_condition("ndcg_cut_10 drops 2%")
    Condition(metric=nDCG@10, relation='drops', amount=0.02, relative=True, level=None)
    >>> parse_condition("nDCG@10 < 2%")
    Traceback (most recent call last):
    ...
    rankgauge.errors.ParameterError: 'nDCG@10 < 2%' is not a condition: after < a value of the metric was expected, ...
    """
    if isinstance(text, Condition):
        return text
    if not isinstance(text, str):
        raise ParameterError.of("a condition", text, f"a text; {FORMS}")
    found = _split(text)
    if found is None:
        raise _wrong(text, f"{'it is empty' if not text.strip() else 'it does not say when to fail'}; {FORMS}")
    name, relation, rest = found
    if not name:
        raise _wrong(text, f"the metric before {relation} is missing; {FORMS}")
    metric = parse(name)
    if relation in {"drops", "rises"}:
        return _moving(text, metric, relation, rest)
    return Condition(metric, relation, _threshold(text, relation, rest))


def _split(text: str) -> tuple[str, str, str] | None:
    """The metric, the relation and what follows it; None where there is no relation."""
    found = re.search(r"<=|>=|<|>|(?<![\w(='])(?:drops|rises)(?!\w)", text)
    if found is not None:
        return text[: found.start()].strip(), found[0], text[found.end() :].strip()
    near = re.search(
        r"(?<!\w)(drop|dropped|falls|fall|fell|decreases|rise|rose|increases|grows|==|=(?=\s))(?!\w)", text
    )
    if near is not None:
        raise _wrong(text, f"{shown(near[0])} is not understood; {FORMS}")
    return None


def _threshold(text: str, relation: str, rest: str) -> float:
    if not rest:
        raise _wrong(text, f"the number after {relation} is missing")
    if rest.endswith("%"):
        raise _wrong(text, f"after {relation} a value of the metric was expected, not a share; 2% goes with drops")
    if not re.fullmatch(NUMBER, rest):
        raise _wrong(text, f"after {relation} a number was expected, not {shown(rest)}")
    return float(rest)


def _moving(text: str, metric: Metric, relation: str, rest: str) -> Condition:
    if not rest:
        raise _wrong(text, f"the number after {relation} is missing; {FORMS}")
    surely = SURELY.fullmatch(rest)
    if surely is not None:
        level = LEVEL if surely["level"] is None else float(surely["level"])
        if not 0 < level < 1:
            raise _wrong(text, f"the level of a test lies between 0 and 1, not at {level:g}")
        if not metric.definition.summary.is_average:
            raise _wrong(text, f"{metric} is not a mean over queries, so there is no paired t test; give a number")
        return Condition(metric, relation, level=level)
    amount = AMOUNT.fullmatch(rest)
    if amount is None:
        raise _wrong(
            text, f"after {relation} a number, a share such as 2% or significantly was expected, not {shown(rest)}"
        )
    number = float(amount["number"])
    if not math.isfinite(number) or number < 0:
        raise _wrong(text, f"the amount after {relation} must be at least 0, not {number:g}")
    return Condition(metric, relation, number / 100 if amount["share"] else number, bool(amount["share"]))


def _wrong(text: str, reason: str) -> ParameterError:
    return ParameterError(f"{shown(text, 120)} is not a condition: {reason}")
