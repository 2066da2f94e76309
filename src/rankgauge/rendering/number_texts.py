"""Numbers as texts: values, intervals, p-values and shares; one that is rounded to zero has no sign."""

from __future__ import annotations

import math
from typing import Literal

LONGEST = 1e15
"""From here on numbers are written with an exponent: the digits of a fixed notation would no longer be exact."""
LEAST_P = 1e-300
"""A smaller p-value is shown as below this: double precision rounds it to 0, and no p-value is 0."""


def format_number(value: float, form: str) -> str:
    """Return a number in a format; one that is rounded to zero has no sign.

    >>> format_number(-0.00004, ".4f"), format_number(0.0, "+.4f"), format_number(-0.25, "+.1%")
    ('0.0000', '0.0000', '-25.0%')
    """
    text = f"{value:{form}}"
    return text if text.strip("+-0.%") else text.lstrip("+-")


def decimal(value: float, digits: int, sign: Literal["", "+"] = "") -> str:
    """Return a number with this many decimals, with an exponent if it is huge; ``+`` also marks positive numbers.

    >>> decimal(0.25, 4), decimal(1.5e300, 4), decimal(float("nan"), 4), decimal(0.25, 2, "+")
    ('0.2500', '1.5000e+300', 'nan', '+0.25')
    """
    return format_number(value, f"{sign}.{digits}{'e' if LONGEST <= abs(value) < math.inf else 'f'}")


def number(value: float, form: str) -> str:
    """Return the number, or a dash for NaN."""
    return "-" if value != value else format_number(value, form)  # noqa: PLR0124 (only NaN differs from itself)


def interval_text(ends: tuple[float, float], form: str) -> str:
    """Return an interval in brackets."""
    low, high = (number(end, form) for end in ends)
    return f"[{low}, {high}]"


def p_text(p: float) -> str:
    """Return a p-value with the digits that matter; one that double precision rounds to 0 is below a bound.

    >>> p_text(0.04321), p_text(0.00012), p_text(1.2e-9), p_text(1.0), p_text(float("nan")), p_text(0.0)
    ('0.0432', '0.00012', '1.2e-09', '1', '-', '<1e-300')
    """
    if math.isnan(p):
        return "-"
    if p < LEAST_P:
        return f"<{LEAST_P:g}"
    return f"{p:.4f}".rstrip("0").rstrip(".") if p >= 0.001 else f"{p:.2g}"  # noqa: PLR2004


def p_relation(p: float) -> str:
    """Return what follows the letter p in a sentence.

    >>> p_relation(0.04321), p_relation(0.0)
    ('= 0.0432', '< 1e-300')
    """
    text = p_text(p)
    return f"< {text[1:]}" if text.startswith("<") else f"= {text}"


def percent(share: float) -> str:
    """Return a share in percent.

    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{share * 100:.10g}%"
