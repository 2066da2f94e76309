"""Frames, columns and arrays: whether a source is one, and the values as an array, without importing its library."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np

from rankgauge.errors import InputError


def is_pandas(source: object) -> bool:
    """Whether the source is a pandas frame; does not import pandas."""
    return type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "columns")


def is_series(source: object) -> bool:
    """Whether the source is a pandas Series; does not import pandas."""
    return (
        type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "index") and hasattr(source, "name")
    )


def is_column(source: object) -> bool:
    """Whether the source is a column of pandas, polars or Arrow: values in order, without a frame around them."""
    libraries = {base.__module__.partition(".")[0] for base in type(source).__mro__}
    is_frame = hasattr(type(source), "columns")
    return bool(libraries & {"pandas", "polars", "pyarrow"}) and hasattr(source, "to_numpy") and not is_frame


def is_array(source: object) -> TypeGuard[Any]:
    """Whether the source is an array of NumPy, torch, JAX or CuPy."""
    return hasattr(source, "__dlpack__") and hasattr(source, "ndim")


def host_array(source: Any) -> Any:
    """Return an array or a column as an array of NumPy, and anything else as it is."""
    if isinstance(source, np.ndarray) or not is_array(source):
        return column_array(source)
    try:
        return np.asarray(source)
    except (RuntimeError, TypeError) as error:  # on another device, part of a graph of gradients, or of another type
        library = type(source).__module__.partition(".")[0]
        en = f"an array of {library} cannot be read: {error}; use rg.{library}.evaluate, or copy it to the host"
        zh = f"无法读取 {library} 的数组：{error}；请用 rg.{library}.evaluate，或先复制到主机"
        how = "：x.detach().cpu().float()" if library == "torch" else ""
        raise InputError((en + how.replace("：", ": "), zh + how)) from None


def column_array(column: Any) -> Any:
    """Return the values of a column by position as an array, in which a missing number is NaN; anything else as it is.

    >>> import polars as pl
    >>> column_array(pl.Series([1, None])), column_array([1])
    (array([ 1., nan]), [1])
    """
    if not is_column(column):
        return column
    if type(column).__module__.partition(".")[0] == "pyarrow":
        return np.asarray(column)
    values = column.to_numpy()
    if values.dtype == object and getattr(column.dtype, "kind", "O") in "iufb":  # a nullable one of pandas
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    return values
