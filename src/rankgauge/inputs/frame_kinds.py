"""Frames and Series of pandas: whether a source is one, without importing pandas."""

from __future__ import annotations


def is_pandas(source: object) -> bool:
    """Whether the source is a pandas frame; does not import pandas."""
    return type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "columns")


def is_series(source: object) -> bool:
    """Whether the source is a pandas Series; does not import pandas."""
    return (
        type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "index") and hasattr(source, "name")
    )
