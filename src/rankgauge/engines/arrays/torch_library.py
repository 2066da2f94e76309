"""PyTorch as an array library: many operations have a faster form than that of the array API."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from rankgauge.engines.arrays.libraries import Library
from rankgauge.extras import extra

TORCH_NAMES = {"equal": "eq", "power": "pow", "invert": "bitwise_not"}
"""NumPy's function names: names in torch where they differ."""


class Torch(Library):
    """PyTorch, on any of its devices."""

    packages = ("torch",)

    @staticmethod
    def load_namespace() -> Any:
        """Import the module with the functions of the array API."""
        with extra("torch"):
            from array_api_compat import torch  # noqa: PLC0415
        return torch

    def to_host(self, array: Any) -> np.ndarray[Any, Any]:
        """Copy to the host."""
        host: np.ndarray[Any, Any] = array.detach().cpu().numpy()
        return host

    def from_host(self, array: np.ndarray[Any, Any]) -> Any:
        """Copy to the device."""
        import torch  # noqa: PLC0415

        return torch.from_numpy(np.array(array)).to(self.device)

    def dtype_of(self, array: Any) -> np.dtype[Any]:
        """The dtype of NumPy for an array."""
        return _numpy_dtype(array.dtype)

    def native_dtype(self, dtype: np.dtype[Any]) -> Any:
        """The dtype of the library for a dtype of NumPy."""
        return _torch_dtype(dtype)

    def astype(self, array: Any, dtype: np.dtype[Any]) -> Any:
        """Convert to a dtype; return the array itself if it has that dtype."""
        return array.to(_torch_dtype(dtype))

    def scalar(self, value: Any, dtype: np.dtype[Any]) -> Any:
        """A Python number as an operand: torch combines host scalars with arrays on any device."""
        return _torch_scalar(value, dtype)

    def elementwise(self, name: str, inputs: Sequence[Any]) -> Any:
        """Apply a NumPy function by name; torch promotes booleans, integers and floats as NumPy does."""
        arrays = [self._operand(name, value) for value in inputs]
        if len(arrays) > 1 and not all(getattr(value, "dtype", None) in _promoted_dtypes() for value in arrays):
            arrays = self._promote(arrays)
        if name == "isfinite":  # two operations instead of the five of torch
            return arrays[0] - arrays[0] == 0
        return _torch_function(name)(*arrays)

    def count_places(self, places: Any, weights: Any, length: int) -> Any:
        """``bincount`` with weights in double precision; no place is ``length`` or larger."""
        import torch  # noqa: PLC0415

        if not length:
            return torch.bincount(places, weights)
        weights = torch.ones_like(places) if weights is None else weights
        return torch.zeros(length, dtype=weights.dtype, device=weights.device).scatter_add_(0, places, weights)

    def copy(self, array: Any) -> Any:
        """Copy an array."""
        return array.clone()

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """Running sum, product or maximum."""
        import torch  # noqa: PLC0415

        if name == "maximum":
            return torch.cummax(array, axis).values
        return {"add": torch.cumsum, "multiply": torch.cumprod}[name](array, axis)

    def take_along_axis(self, array: Any, places: Any, axis: int) -> Any:
        """Take elements along an axis."""
        return array.gather(axis, places)

    def repeat(self, array: Any, times: Any) -> Any:
        """Repeat each element, by a lookup per copy: torch's own loops over the copies of one element."""
        import torch  # noqa: PLC0415

        if isinstance(times, int):
            return array[:, None].expand(-1, times).reshape(-1)
        ends = torch.cumsum(times, 0)
        copies = torch.arange(int(ends[-1]) if len(ends) else 0, device=array.device)
        return array[torch.searchsorted(ends, copies, right=True)]

    def take(self, array: Any, key: Any) -> Any:
        """Take the elements at an index; torch has no negative steps."""
        if isinstance(key, slice) and key.step == -1:
            return array.flip(0)
        return array[key]

    def put(self, array: Any, key: Any, value: Any) -> Any:
        """Set the elements at an index, and return the array."""
        array[key] = value.to(array.dtype) if hasattr(value, "to") else value
        return array


@cache
def _promoted_dtypes() -> set[Any]:
    import torch  # noqa: PLC0415

    return {torch.bool, torch.int64, torch.float64}


@cache
def _numpy_dtype(dtype: Any) -> np.dtype[Any]:
    name = str(dtype).removeprefix("torch.")
    return np.dtype(np.float16 if name == "bfloat16" else name)  # NumPy has no bfloat16; both have 16 bits


@cache
def _torch_dtype(dtype: np.dtype[Any]) -> Any:
    import torch  # noqa: PLC0415

    return getattr(torch, dtype.name)


@lru_cache(1024)
def _torch_scalar(value: Any, dtype: np.dtype[Any]) -> Any:
    import torch  # noqa: PLC0415

    return torch.tensor(value, dtype=_torch_dtype(dtype))


@cache
def _torch_function(name: str) -> Any:
    import torch  # noqa: PLC0415

    return getattr(torch, TORCH_NAMES.get(name, name))
