"""Frames and Series of pandas and polars: which of them came in, and results of the same kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankgauge.extras import extra


def is_pandas(source: object) -> bool:
    """Whether the source is a pandas frame; does not import pandas."""
    return type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns")


def is_series(source: object) -> bool:
    """Whether the source is a pandas Series; does not import pandas."""
    return type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "index") and hasattr(source, "name")


def frame_of(columns: Mapping[str, Sequence[object]], *, pandas: bool) -> Any:
    """Return the columns as a pandas or a polars frame."""
    if pandas:
        with extra("pandas", "a pandas frame"):
            import pandas as pd  # noqa: PLC0415

        return pd.DataFrame(columns)
    import polars as pl  # noqa: PLC0415

    return pl.DataFrame(columns, strict=False)
