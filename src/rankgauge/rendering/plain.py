"""Values as JSON can hold them, numbers as tables show them, and results that can be had as data or as a frame."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from rankgauge.errors import extra

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

PlainData: TypeAlias = dict[str, Any]
"""Plain data by their names: texts, numbers, None, and lists and dicts of these, as JSON can hold them."""


def finite_or_none(value: object) -> Any:
    """Replace NaN and infinity by None, also inside mappings, lists and tuples (which become lists).

    >>> finite_or_none({"mean": float("nan"), "ends": (0.5, float("inf"))})
    {'mean': None, 'ends': [0.5, None]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite_or_none(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite_or_none(inner) for inner in value]
    return value


class JsonResult:
    """Base class of results that can be had as plain data and as JSON."""

    def to_dict(self) -> PlainData:
        """Return everything as plain data."""
        raise NotImplementedError

    def to_json(self, indent: int | None = None) -> str:
        """Return ``to_dict`` as JSON."""
        import json  # noqa: PLC0415 (not needed to import rankgauge)

        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent, default=str)


def to_json(data: object) -> str:
    """Return compact JSON; NaN and infinity are refused."""
    import json  # noqa: PLC0415 (not needed to import rankgauge)

    return json.dumps(data, separators=(",", ":"), allow_nan=False)


def today() -> str:
    """Return the date as 2026-01-31; ``SOURCE_DATE_EPOCH`` makes files reproducible."""
    import datetime as dt  # noqa: PLC0415 (slow to load)

    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = dt.datetime.fromtimestamp(int(epoch), dt.UTC) if epoch.isdecimal() else dt.datetime.now().astimezone()
    return moment.date().isoformat()


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
