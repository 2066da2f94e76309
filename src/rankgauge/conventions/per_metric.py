"""Rules that apply to single metrics only, as a hashable table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgauge.conventions.order import DECIDED_BY_GRADES
from rankgauge.conventions.rule import rule_field, rule_group
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.rendering.language import Phrase

FOR_ALL = Phrase(
    "per_metric: {rule} changes {stage}, for all metrics at once, so it is not a rule of a single metric; set it for "
    "all of them",
    "per_metric：{rule} 影响{stage}，对所有指标一并生效，不能只对单个指标设定；请对所有指标设定",
)


class PerMetric(tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]):
    """A hashable table from metric to its own rules that prints like a dict.

    >>> PerMetric.of({"AP": {"undefined": 0}})
    {AP: {undefined: 0}}
    """

    __slots__ = ()

    @classmethod
    def of(cls, table: Mapping[Any, Any]) -> PerMetric:
        """Build from ``{metric: {rule: value}}``."""
        from rankgauge.conventions.convention import RULES  # noqa: PLC0415 (convention imports this module)

        checked = []
        for metric, rules in table.items():
            if not isinstance(metric, str) or not isinstance(rules, Mapping):
                raise ParameterError.of(
                    "per_metric", table, ("a table {metric: {rule: value}}", "表 {指标: {规则: 取值}}")
                )
            for rule in rules:
                if (stage := RULES[rule].stage if rule in RULES else None) is None:
                    allowed = [name for name, other in RULES.items() if other.is_per_metric]
                    raise UnknownNameError.closest("rule of a single metric", rule, allowed)
                if not RULES[rule].is_per_metric:
                    raise ParameterError(FOR_ALL.fill(rule=rule, stage=stage.value))
            values = {rule: RULES[rule].check(rule, value) for rule, value in rules.items()}
            if values.get("ties", "mean") not in DECIDED_BY_GRADES:
                names = ", ".join(map(repr, DECIDED_BY_GRADES))
                raise ParameterError(
                    f"per_metric: ties={values['ties']!r} orders the items of every metric alike; set it for all "
                    f"metrics, and for a single one {names}"
                )
            checked.append((metric, tuple(values.items())))
        return cls(checked)

    def __repr__(self) -> str:
        inner = (f"{name}: {{{', '.join(f'{rule}: {value}' for rule, value in rules)}}}" for name, rules in self)
        return "{" + ", ".join(inner) + "}"

    __str__ = __repr__


def check_per_metric(_: str, value: object) -> PerMetric:
    """Return the table in canonical form."""
    if isinstance(value, PerMetric):
        return value
    if not isinstance(value, Mapping):
        raise ParameterError.of("per_metric", value, ("a table {metric: {rule: value}}", "表 {指标: {规则: 取值}}"))
    return PerMetric.of(value)


@rule_group
class PerMetricRules:
    """The rule for rules of single metrics."""

    per_metric: Mapping[str, Mapping[str, Any]] = rule_field(
        PerMetric(),
        Phrase("per metric", "个别指标"),
        Phrase("Which metrics follow other rules?", "哪些指标遵循其他规则？"),
        {
            "{}": Phrase("none", "没有"),
            "{metric: {rule: value}}": Phrase(
                "these metrics follow the rules given here", "这些指标遵循此处给出的规则"
            ),
        },
        Phrase(
            "One rule for all metrics is easiest to remember; some tools treat 0/0 or missing queries differently "
            "depending on the metric.",
            "所有指标同一规则最易记；有些工具对不同指标的 0/0 或缺失查询处理不同。",
        ),
        check=check_per_metric,
        quiet=True,
        stage=None,
        unsearched=Phrase("its rules are tried one by one", "其中的规则逐一尝试"),
    )
