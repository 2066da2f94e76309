"""Results that can be had as a frame of pandas or polars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankgauge.extras import extra

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class FrameResult:
    """Base class of results with rows: the numbers in full precision, one row for each thing that was computed."""

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the rows as columns."""
        raise NotImplementedError

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a pandas frame."""
        frame: pd.DataFrame = frame_of(self.frame_columns(), pandas=True)
        return frame

    def to_polars(self) -> pl.DataFrame:
        """Return the rows as a polars frame."""
        frame: pl.DataFrame = frame_of(self.frame_columns(), pandas=False)
        return frame


def columns_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return rows as columns, in the order in which names first occur; None where a row lacks one.

    >>> columns_of([{"a": 1}, {"a": 2, "b": 3}])
    {'a': [1, 2], 'b': [None, 3]}
    """
    listed = [*rows]
    names = dict.fromkeys(name for row in listed for name in row)
    return {name: [row.get(name) for row in listed] for name in names}


def frame_of(columns: Mapping[str, Sequence[object]], *, pandas: bool) -> Any:
    """Return the columns as a pandas or a polars frame."""
    if pandas:
        with extra("pandas", "a pandas frame"):
            import pandas as pd  # noqa: PLC0415

        return pd.DataFrame(columns)
    import polars as pl  # noqa: PLC0415

    return pl.DataFrame(columns, strict=False)
