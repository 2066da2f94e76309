"""Discount functions: from ranks (1-based) to the factor that multiplies the gain at that rank."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np

from rankgauge.conventions.gains import Floats, GainFunction, checked_function
from rankgauge.conventions.rule import OF_TOOLS_ONLY, Stage, latex_name, rule_field, rule_group
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.rendering.language import Phrase

DiscountFunction = GainFunction
DiscountName: TypeAlias = Literal["log2(i+1)", "log2(i)", "1/i", "none", "log2", "i"]
Discount: TypeAlias = DiscountName | str | DiscountFunction
"""A name, ``jk(b)`` with a base, or a function of an array of ranks."""


def jarvelin(base: float) -> DiscountFunction:
    """Return the discount of Järvelin and Kekäläinen: none below the base, then 1 / log_base(rank)."""
    return lambda rank: np.log(base) / np.log(np.maximum(rank, base))


NAMED_DISCOUNTS: dict[str, tuple[DiscountFunction, Phrase, str]] = {
    "log2(i+1)": (
        lambda rank: 1.0 / np.log2(rank + 1.0),
        Phrase("the gain at rank i is divided by log2(i+1)", "第 i 位的增益除以 log2(i+1)"),
        r"1 / \log_2(i + 1)",
    ),
    "log2(i)": (
        lambda rank: 1.0 / np.log2(np.maximum(rank, 2.0)),
        Phrase("none at rank 1, then the gain is divided by log2(i)", "第 1 位不折损，其后增益除以 log2(i)"),
        r"1 / \log_2(\max(i, 2))",
    ),
    "1/i": (lambda rank: 1.0 / rank, Phrase("the gain at rank i is divided by i", "第 i 位的增益除以 i"), "1 / i"),
    "none": (np.ones_like, Phrase("no discount: every rank counts the same", "不折损：各位置权重相同"), "1"),
}
"""Discounts as functions, with their meaning and their formula in LaTeX."""
JK_PHRASE = Phrase(
    "Järvelin and Kekäläinen with base b: ranks below b are not discounted, the others are divided by log_b(i)",
    "Järvelin–Kekäläinen，底为 b：名次小于 b 不折损，其余除以 log_b(i)",
)
TABLE_FROM = 4096
"""Number of ranks from which a lookup table is considered."""
SHORT_NAMES = {"log2": "log2(i+1)", "i": "1/i"}
JK = re.compile(r"jk\(\s*(\d+(?:\.\d+)?)\s*\)")


def check_discount(value: object) -> object:
    """Return the discount in canonical form: a name, ``jk(b)`` or a function."""
    if callable(value):
        return value
    if not isinstance(value, str):
        allowed = Phrase(
            f"one of {', '.join(NAMED_DISCOUNTS)}, jk(b) or a function",
            f"{'、'.join(NAMED_DISCOUNTS)} 之一，或 jk(b)、一个函数",
        )
        raise ParameterError.of("discount", value, allowed)
    name = SHORT_NAMES.get(value, value)
    if base := JK.fullmatch(name):
        if float(base[1]) <= 1:
            raise ParameterError.of("the base b of discount jk(b)", float(base[1]), ("greater than 1", "大于 1"))
        return f"jk({float(base[1]):g})"
    if name not in NAMED_DISCOUNTS:
        raise UnknownNameError.closest("discount", value, [*NAMED_DISCOUNTS, "jk(b)"], "; or pass a function")
    return name


def discount_formula(value: Any) -> str:
    """Return a discount in canonical form as LaTeX."""
    if not isinstance(value, str):
        return f"{latex_name(value)}(i)"
    base = JK.fullmatch(value)
    return rf"1 / \log_{{{base[1]}}}(\max(i, {base[1]}))" if base else NAMED_DISCOUNTS[value][2]


@lru_cache(maxsize=256)
def discount_function(value: Any) -> DiscountFunction:
    """Return the function of a discount in canonical form."""
    if not isinstance(value, str):
        return checked_function(value, "discount")
    base = JK.fullmatch(value)
    return _with_table(jarvelin(float(base[1])) if base else NAMED_DISCOUNTS[value][0])


def _with_table(function: DiscountFunction) -> DiscountFunction:
    """Return the function, evaluated once per distinct rank when ranks repeat often: logarithms are slow on the CPU."""

    def discount(rank: Floats) -> Floats:
        if not isinstance(rank, np.ndarray) or rank.size < TABLE_FROM or (top := int(rank.max())) * 2 > rank.size:
            return function(rank)
        return function(np.arange(1.0, top + 1.0, like=rank))[rank.astype(np.int64) - 1]

    return discount


@rule_group
class DiscountRules:
    """The rule for discounts."""

    discount: Discount = rule_field(
        "log2(i+1)",
        Phrase("discount", "折损"),
        Phrase("How much less does an item at rank i count?", "第 i 位的物品折损多少？"),
        {name: phrase for name, (_, phrase, _) in NAMED_DISCOUNTS.items()}
        | {
            "jk(b)": JK_PHRASE,
            "function": Phrase("your own function of an array of ranks", "自定义函数：名次数组 → 折损系数数组"),
        },
        Phrase(
            "Nearly every tool divides by log2(i+1); unlike log2(i) it distinguishes rank 1 from rank 2.",
            "几乎所有工具都除以 log2(i+1)；与 log2(i) 不同，它能区分第 1 位和第 2 位。",
        ),
        check=lambda _, value: check_discount(value),
        symbol="D(i)",
        formula=discount_formula,
        stage=Stage.FORMULA,
        tried=("jk(10)",),
        untried={"function": OF_TOOLS_ONLY},
    )
