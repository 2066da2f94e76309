"""Rules as text such as ``gain=exp2``, for command lines and configuration files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rankgauge.conventions.convention import RULES, Convention, check_convention
from rankgauge.conventions.gains import OTHER
from rankgauge.conventions.rule import plain_number
from rankgauge.errors import ParameterError, UnknownNameError, shown
from rankgauge.rendering.language import Phrase

_BY_TITLE = {title: name for name, rule in RULES.items() for title in rule.title}
"""The names under which definitions print rules, in English and Chinese."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def convention_of(name: str | None = None, rules: Iterable[str] = ()) -> Convention:
    """Return the convention of a name (``default`` or a preset), with rules changed by text.

    >>> convention_of("trec_eval-9", ["gain=exp2", "rel=2"]).rel
    2
    >>> convention_of(rules=["gain={0: 0, 1: 1, 2: 5}"]).to_dict()["gain"][2]
    5.0
    >>> convention_of(rules=["gain={1: 3, other: linear}"]).gain
    {1: 3, other: linear}
    >>> convention_of(rules=["relevant from=2", "增益=exp2"]).short_line(["rel", "gain"])
    'relevant from=2 · gain=exp2 · other rules=default'
    >>> convention_of(rules=["per_metric={AP: {undefined: 1, ties: mean}}"]).per_metric
    {AP: {undefined: 1, ties: mean}}
    """
    base = check_convention(name)
    changed: dict[str, Any] = {}
    for text in rules:
        rule, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise ParameterError.of(
                Phrase("a rule", "规则"),
                text,
                Phrase("written as name=value, such as gain=exp2", "“名称=取值”的形式，如 gain=exp2"),
            )
        rule = _BY_TITLE.get(rule, rule)
        if rule not in RULES:
            raise UnknownNameError.closest("rule", rule, {**RULES, **_BY_TITLE})
        if rule in changed:
            raise ParameterError(Phrase(f"rule {rule} is given twice", f"规则 {rule} 给出了两次"))
        changed[rule] = _rules_of_metrics(value) if rule == "per_metric" else _value(value)
    return base.replace(**changed)


def _value(text: str) -> Any:
    if _NUMBER.fullmatch(text):
        return int(text) if re.fullmatch(r"[+-]?\d{1,30}", text) else plain_number(text)
    return _table(text) if text.startswith("{") and text.endswith("}") else text


def _rules_of_metrics(text: str) -> Any:
    """Return the table of ``{metric: {rule: value}}``, or the text itself, which the rule refuses."""
    tables = {name: _pairs(rules) for name, rules in (_pairs(text) or {}).items()}
    if None in tables.values() or (not tables and text != "{}"):
        return text
    return {name: {rule: _value(value) for rule, value in (rules or {}).items()} for name, rules in tables.items()}


def _pairs(text: str) -> dict[str, str] | None:
    """Return the keys and values of ``{key: value, ...}`` as text, where values may be such tables; None for others."""
    parts, depth = [""], 0
    for sign in text[1:-1]:
        depth += (sign == "{") - (sign == "}")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    pairs = [part.partition(":")[::2] for part in parts if part.strip()]
    complete = not depth and all(part.strip() for pair in pairs for part in pair)
    is_table = complete and text.startswith("{") and text.endswith("}")
    return {key.strip(): value.strip() for key, value in pairs} if is_table else None


def _table(text: str) -> dict[Any, Any]:
    table: dict[object, object] = {}
    for pair in filter(str.strip, text[1:-1].split(",")):
        grade, colon, gain = (part.strip() for part in pair.partition(":"))
        of_others = grade == OTHER
        if not colon or not (of_others or _NUMBER.fullmatch(grade)) or not (of_others or _NUMBER.fullmatch(gain)):
            raise ParameterError.of(
                "a table of gains", text, f"written as {{grade: gain, ...}} ({shown(pair.strip())})"
            )
        table[grade if of_others else plain_number(grade)] = plain_number(gain) if _NUMBER.fullmatch(gain) else gain
    return table
