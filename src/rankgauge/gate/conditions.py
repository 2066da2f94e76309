"""Conditions that fail a check, and their grammar.

    condition = metric ( "<" | "<=" | ">" | ">=" ) number
              | metric ( "drops" | "rises" ) ( amount | "significantly" [ "(" alpha ")" ] )
    amount    = number [ "%" ]

``drops 0.01`` fails if the mean fell by 0.01 or more, ``drops 2%`` if it fell by 2 % of the baseline or more,
``drops significantly`` if it fell and the two-sided paired t test has p below 0.05 (or the alpha in parentheses).
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rankgauge.errors import ParameterError, shown
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Phrase
from rankgauge.stats.intervals import Interval

THRESHOLDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
ALPHA = 0.05
ROUNDING = 1e-12
"""A drop of exactly the amount counts in spite of rounding."""
NEVER_FAILS = Phrase(
    "{text} can never fail: the range of {metric} is {range}{hint}",
    "{text} 永远不会失败：{metric} 的取值范围为 {range}{hint}",
)
ALWAYS_FAILS = Phrase(
    "{text} always fails: the range of {metric} is {range}{hint}",
    "{text} 总是失败：{metric} 的取值范围为 {range}{hint}",
)
DID_YOU_MEAN = Phrase("; did you mean {nearest}?", "；是否想写 {nearest}？")
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
AMOUNT = re.compile(rf"(?:by\s+)?(?P<number>{NUMBER})\s*(?P<share>%?)")
SIGNIFICANTLY = re.compile(rf"significantly(?:\s*\(\s*(?P<alpha>{NUMBER})\s*\))?")
FORMS = Phrase(
    'write, for example, "nDCG@10 < 0.42", "nDCG@10 drops 0.01", "AP drops 2%" or "AP drops significantly"',
    "请写如 'nDCG@10 < 0.42'、'nDCG@10 drops 0.01'、'AP drops 2%' 或 'AP drops significantly'",
)


@dataclass(frozen=True)
class Condition:
    """A condition that fails a check."""

    metric: Metric
    relation: str
    """``<``, ``<=``, ``>``, ``>=``, ``drops`` or ``rises``."""
    amount: float | None = None
    relative: bool = False
    """Whether the amount is relative to the baseline."""
    alpha: float | None = None
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
        if self.alpha is not None:
            return f"{self.metric} {self.relation} significantly ({self.alpha:g})"
        amount = self.amount or 0.0
        return f"{self.metric} {self.relation} {f'{amount * 100:g}%' if self.relative else f'{amount:g}'}"

    def holds(self, value: float, baseline: float, *, significant: bool = False) -> bool:
        """Whether these means (and the test of their difference) fail the check."""
        amount = self.amount or 0.0
        if self.relation in THRESHOLDS:
            return bool(THRESHOLDS[self.relation](value, amount))
        moved = baseline - value if self.relation == "drops" else value - baseline
        if moved <= 0:
            return False
        if self.alpha is not None:
            return significant
        return moved >= self.least_change(baseline) - ROUNDING

    def least_change(self, baseline: float) -> float:
        """Return the change from which it fails, without the direction."""
        amount = self.amount or 0.0
        return amount * abs(baseline) if self.relative else amount

    def check_amount(self, means: Iterable[float], least_effect: float = 0.0) -> None:
        """Raise an error for an amount outside the range of the metric, with which the outcome is always the same.

        Not if one of the means is outside it, as under the rules of some tools and by metrics with no range declared.
        """
        low, high = self.metric.definition.bounds
        if not all(low - ROUNDING <= mean <= high + ROUNDING for mean in means):
            return
        amount, always = self.amount or least_effect, False
        if not self.compares:
            reached, always = low <= amount <= high, self.holds(low, math.nan)
        elif self.relative:
            reached = amount <= 1 or low < 0 or self.relation == "rises"
        else:
            reached = amount <= high - low
        if reached:
            return
        from rankgauge.metric_core.description import interval  # noqa: PLC0415 (only for the error)

        nearest, hint = replace(self, amount=amount / 100, relative=self.compares), Phrase("", "")
        if self.alpha is None and not self.relative and 2 <= amount <= 100 * high < math.inf:  # noqa: PLR2004 (a percentage)
            hint = DID_YOU_MEAN.fill(nearest=shown(str(nearest), 120))
        text = str(self) if self.alpha is None else f"{self}, min_effect={amount:g}"
        outcome = ALWAYS_FAILS if always else NEVER_FAILS
        values = {"text": shown(text, 120), "metric": self.metric, "range": interval(low, high), "hint": hint}
        raise ParameterError(outcome.fill(**values))

    def undecided(self, interval: Interval, limit: float) -> bool:
        """Whether an interval of the mean, or of the change, still holds a value that would fail the check.

        ``limit`` is the mean, or the size of the change, from which it fails; an interval that is not known holds any.

        >>> parse_condition("AP < 0.3").undecided(Interval(0.2, 0.6), 0.3)
        True
        >>> parse_condition("AP drops significantly").undecided(Interval(0.0, 0.1), 0.0)
        False
        """
        low, high = interval
        if math.isnan(low + high):
            return True
        if self.relation in THRESHOLDS:
            return self.holds(low if self.downward else high, math.nan)
        worst = -low if self.downward else high
        return worst > 0 and worst >= limit


def parse_condition(text: str | Condition) -> Condition:
    """Parse a condition.

    >>> parse_condition("ndcg_cut_10 drops 2%")
    Condition(metric=nDCG@10, relation='drops', amount=0.02, relative=True, alpha=None)
    >>> parse_condition("nDCG@10 < 2%")
    Traceback (most recent call last):
    ...
    rankgauge.errors.ParameterError: 'nDCG@10 < 2%' is not a condition: after < expected a value of the metric, ...
    """
    if isinstance(text, Condition):
        return text
    if not isinstance(text, str):
        allowed = Phrase("a string; {forms}", "字符串；{forms}").fill(forms=FORMS)
        raise ParameterError.of(Phrase("a condition", "条件"), text, allowed)
    name, relation, rest = _split(text)
    if not name:
        message = Phrase("the metric before {relation} is missing; {forms}", "{relation} 之前缺少指标；{forms}")
        raise _invalid(text, message, relation)
    metric = parse(name)
    if not rest:
        message = Phrase("the number after {relation} is missing; {forms}", "{relation} 之后缺少数；{forms}")
        raise _invalid(text, message, relation)
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
        message = Phrase("{given} is not recognized; {forms}", "无法识别 {given}；{forms}")
        raise _invalid(text, message, given=shown(mistake[0]))
    if not text.strip():
        raise _invalid(text, Phrase("it is empty; {forms}", "条件为空；{forms}"))
    raise _invalid(text, Phrase("it does not say when to fail; {forms}", "没有写明何时失败；{forms}"))


def _parse_threshold(text: str, metric: Metric, relation: str, rest: str) -> Condition:
    if rest.endswith("%"):
        message = Phrase(
            "after {relation} expected a value of the metric, not a percentage; 2% goes with drops",
            "{relation} 之后应为指标的值，而不是百分比；2% 用于 drops",
        )
        raise _invalid(text, message, relation)
    if not re.fullmatch(NUMBER, rest):
        message = Phrase("after {relation} expected a number, not {given}", "{relation} 之后应为数，而不是 {given}")
        raise _invalid(text, message, relation, shown(rest))
    return Condition(metric, relation, float(rest))


def _parse_change(text: str, metric: Metric, relation: str, rest: str) -> Condition:
    test = SIGNIFICANTLY.fullmatch(rest)
    if test is not None:
        alpha = ALPHA if test["alpha"] is None else float(test["alpha"])
        if not 0 < alpha < 1:
            message = Phrase(
                "the significance level must be between 0 and 1, not {given}",
                "显著性水平应在 0 与 1 之间，而不是 {given}",
            )
            raise _invalid(text, message, given=f"{alpha:g}")
        if not metric.definition.summary.is_average:
            message = Phrase(
                "{given} is not a mean over queries, so there is no paired t test; give a number",
                "{given} 不是对查询的平均，无法做配对 t 检验；请给出数",
            )
            raise _invalid(text, message, given=str(metric))
        return Condition(metric, relation, alpha=alpha)
    amount = AMOUNT.fullmatch(rest)
    if amount is None:
        message = Phrase(
            "after {relation} expected a number, a percentage such as 2% or significantly, not {given}",
            "{relation} 之后应为数、百分比（如 2%）或 significantly，而不是 {given}",
        )
        raise _invalid(text, message, relation, shown(rest))
    number = float(amount["number"])
    if not math.isfinite(number) or number < 0:
        message = Phrase(
            "the amount after {relation} must be at least 0, not {given}",
            "{relation} 之后的数应不小于 0，而不是 {given}",
        )
        raise _invalid(text, message, relation, f"{number:g}")
    return Condition(metric, relation, number / 100 if amount["share"] else number, bool(amount["share"]))


def _invalid(text: str, reason: Phrase, relation: str = "", given: str = "") -> ParameterError:
    filled = reason.fill(relation=relation, given=given, forms=FORMS)
    message = Phrase("{text} is not a condition: {reason}", "{text} 不是条件：{reason}")
    return ParameterError(message.fill(text=shown(text, 120), reason=filled))
