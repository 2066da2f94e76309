"""How much a rank takes away: the discount functions and their names.

A discount is a function from ranks (1-based) to the factor that multiplies the gain there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np

from rankgauge.conventions.gains import Floats, GainFunction, checked_function
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.rendering.language import Phrase

DiscountFunction = GainFunction


def jarvelin(base: float) -> DiscountFunction:
    """Ranks below the base count in full, the others are divided by log_base(rank)."""
    return lambda rank: np.log(base) / np.log(np.maximum(rank, base))


NAMED_DISCOUNTS: dict[str, tuple[DiscountFunction, Phrase]] = {
    "log2(i+1)": (
        lambda rank: 1.0 / np.log2(rank + 1.0),
        Phrase("the gain at rank i is divided by log2(i+1)", "第 i 位的增益除以 log2(i+1)"),
    ),
    "log2(i)": (
        lambda rank: 1.0 / np.log2(np.maximum(rank, 2.0)),
        Phrase("1 at rank 1, then the gain is divided by log2(i)", "第 1 位不打折，其后增益除以 log2(i)"),
    ),
    "1/i": (lambda rank: 1.0 / rank, Phrase("the gain at rank i is divided by i", "第 i 位的增益除以 i")),
    "none": (np.ones_like, Phrase("no discount: every rank counts the same", "不打折：各位置权重相同")),
}
JK_PHRASE = Phrase(
    "Järvelin and Kekäläinen with base b: ranks below b count in full, the others are divided by log_b(i)",
    "Järvelin–Kekäläinen，底为 b：名次小于 b 不打折，其余除以 log_b(i)",
)
WORTH_A_TABLE = 4096
"""Ranks from which on a table is tried."""
SHORT_NAMES = {"log2": "log2(i+1)", "i": "1/i"}
JK = re.compile(r"jk\(\s*(\d+(?:\.\d+)?)\s*\)")


def check_discount(value: Any) -> Any:
    """The discount in its canonical form: a name, ``jk(b)`` or a function."""
    if callable(value):
        return value
    if not isinstance(value, str):
        raise ParameterError.of("discount", value, f"one of {', '.join(NAMED_DISCOUNTS)}, jk(b) or a function")
    name = SHORT_NAMES.get(value, value)
    if base := JK.fullmatch(name):
        if float(base[1]) <= 1:
            raise ParameterError.of("the base b of discount jk(b)", float(base[1]), "greater than 1")
        return f"jk({float(base[1]):g})"
    if name not in NAMED_DISCOUNTS:
        raise UnknownNameError.closest("discount", value, [*NAMED_DISCOUNTS, "jk(b)"], "; or pass a function")
    return name


@lru_cache(maxsize=256)
def discount_function(value: Any) -> DiscountFunction:
    """The function behind a discount in canonical form."""
    if not isinstance(value, str):
        return checked_function(value, "discount")
    base = JK.fullmatch(value)
    return _tabled(jarvelin(float(base[1])) if base else NAMED_DISCOUNTS[value][0])


def _tabled(function: DiscountFunction) -> DiscountFunction:
    """The same function, computed once for each rank where ranks repeat many times: a logarithm is slow."""

    def discount(rank: Floats) -> Floats:
        if rank.size < WORTH_A_TABLE or (top := int(rank.max())) * 2 > rank.size:
            return function(rank)
        return function(np.arange(1.0, top + 1.0, like=rank))[rank.astype(np.int64) - 1]

    return discount


__all__ = ["NAMED_DISCOUNTS", "DiscountFunction", "Floats", "check_discount", "discount_function"]
