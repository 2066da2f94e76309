"""Numbers as comparisons write them: values, intervals, p-values and shares."""

from __future__ import annotations

import numpy as np

from rankgauge.rendering.plain import format_number

LEAST_P = 1e-300
"""A smaller p-value is shown as below this: double precision rounds it to 0, and no p-value is 0."""


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
    if np.isnan(p):
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
