"""PyTorch as an array library: many operations have a faster form than that of the array API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from rankgauge.engines.arrays.libraries import Library, WrongAfterAllError, common_dtype, operand_dtype
from rankgauge.segments import Array

TORCH_NAMES = {"equal": "eq", "power": "pow", "invert": "bitwise_not"}
"""NumPy's function names: names in torch where they differ."""
PROMOTED = {np.dtype(name) for name in ("bool", "int64", "float64")}
"""Types of arrays that torch promotes as NumPy does."""
MATRIX = 2
SHORT_ROW = 64
"""Rows up to this length are accumulated as columns of the transposed matrix: CUDA scans a row with a whole block."""


class Torch(Library):
    """PyTorch, on any of its devices."""

    packages = ("torch",)
    namespace_name = "array_api_compat.torch"

    def to_host(self, array: Any) -> Array:
        return array.detach().cpu().numpy()

    def from_host(self, array: Array) -> object:
        return self.namespace.from_numpy(np.array(array)).to(self.device)

    def dtype_of(self, array: Any) -> np.dtype[np.generic]:
        return _numpy_dtype(array.dtype)

    def native_dtype(self, dtype: np.dtype[np.generic]) -> object:
        return _torch_dtype(dtype)

    def astype(self, array: Any, dtype: np.dtype[np.generic]) -> Any:
        return array.to(_torch_dtype(dtype))

    def scalar(self, value: Any, dtype: np.dtype[np.generic]) -> object:
        return _torch_scalar(value, _torch_dtype(dtype))  # torch combines host scalars with arrays on any device

    def elementwise(self, name: str, inputs: Sequence[Any]) -> Any:
        """Apply a NumPy function by name, with NumPy's rules for booleans and Python numbers."""
        function, dtypes = _call(name, tuple([getattr(value, "dtype", type(value)) for value in inputs]))
        if dtypes:
            inputs = [*map(_converted, inputs, dtypes)]
        return function(*inputs)

    def count_places(self, places: Any, weights: Any, length: int) -> object:
        """``bincount`` with weights in double precision; no place is ``length`` or larger."""
        if not length:
            return places.bincount(weights)
        weights = places.new_ones(len(places)) if weights is None else weights
        return weights.new_zeros(length).scatter_add_(0, places, weights)

    def copy(self, array: Any) -> Any:
        return array.clone()

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        if array.ndim == MATRIX and axis and array.shape[axis] <= SHORT_ROW:
            return self.accumulate(name, array.t().contiguous(), 0).t()
        if name == "maximum":
            return array.cummax(axis).values
        return {"add": array.cumsum, "multiply": array.cumprod}[name](axis)

    def take_along_axis(self, array: Any, places: Any, axis: int) -> object:
        return array.gather(axis, places)

    def repeat(self, array: Any, times: Any) -> Any:
        """Repeat each element, by a lookup per copy: torch's own loops over the copies of one element."""
        if isinstance(times, int):
            return array[:, None].expand(-1, times).reshape(-1)
        ends = times.cumsum(0)
        copies = self.arange(int(self.to_host(ends[-1])) if len(ends) else 0)
        return self.take(array, self.namespace.searchsorted(ends, copies, side="right"))

    def take(self, array: Any, key: Any) -> Any:
        if isinstance(key, slice) and key.step == -1:  # torch has no negative steps
            return array.flip(0)
        return array[key]

    def put(self, array: Any, key: Any, value: Any) -> object:
        value = value.to(array.dtype) if hasattr(value, "to") else array.new_full((), value)
        return super().put(array, key, value)

    def postponing(self) -> Library:
        return PostponingTorch(self.device)

    def _on_device(self, array: Any) -> object:
        """A number that the device creates: a CUDA graph cannot hold copies from the host."""
        if array.ndim or array.device == self.device:
            return array
        return array.new_full((), array.item(), device=self.device)


class PostponingTorch(Torch):
    """Torch that takes it that nothing is wrong, so that work is launched while the device is still busy."""

    def __init__(self, device: Any = None) -> None:
        super().__init__(device)
        self._right: list[Any] = []

    def all_right(self, array: Any) -> bool:
        self._right.append(self.truth("all", array))
        return True

    def columns_to_host(self, columns: Sequence[Any]) -> list[Array]:
        """Values and answers in one copy; raise ``WrongAfterAllError`` if something is wrong."""
        right = self.namespace.stack(self._right or [self.full((), True)])
        arrays = [right, *(column.array.reshape(-1) for column in columns)]
        host = self.to_host(self.namespace.cat([array.double() for array in arrays]))
        answers, *split = np.split(host, np.cumsum([len(array) for array in arrays])[:-1])
        if not answers.all():
            raise WrongAfterAllError
        return split


@cache
def _numpy_dtype(dtype: object) -> np.dtype[np.generic]:
    name = str(dtype).removeprefix("torch.")
    return np.dtype(np.float16 if name == "bfloat16" else name)  # NumPy has no bfloat16; both have 16 bits


@cache
def _torch_dtype(dtype: np.dtype[np.generic]) -> object:
    return getattr(import_module("torch"), dtype.name)


@lru_cache(1024)
def _torch_scalar(value: Any, dtype: object) -> object:
    return import_module("torch").tensor(value, dtype=dtype)


@lru_cache(1024)
def _call(name: str, kinds: tuple[Any, ...]) -> tuple[Callable[..., Any], list[object]]:
    """The function of torch for operands of these types, and the dtypes to convert them to: None for one that stays."""
    torch = import_module("torch")
    function = _is_finite if name == "isfinite" else getattr(torch, TORCH_NAMES.get(name, name))
    dtypes = [_numpy_dtype(kind) if isinstance(kind, torch.dtype) else kind for kind in kinds]
    if name == "multiply" and len({*dtypes}) > 1 and PROMOTED.issuperset(dtypes):  # as a factor a boolean is 1 or 0
        return function, []
    wanted = [operand_dtype(name, kind) if isinstance(kind, np.dtype) else kind for kind in dtypes]
    if len(wanted) > 1 and not PROMOTED.issuperset(wanted):
        wanted = [common_dtype(wanted)] * len(wanted)
    stay = [isinstance(old, np.dtype) and old == new for old, new in zip(dtypes, wanted, strict=True)]
    return function, [] if all(stay) else [
        None if same else _torch_dtype(new) for same, new in zip(stay, wanted, strict=True)
    ]


def _converted(value: Any, dtype: object) -> object:
    """An operand in a dtype; torch combines numbers on the host with arrays on any device."""
    if dtype is None:
        return value
    return value.to(dtype) if hasattr(value, "to") else _torch_scalar(value, dtype)


def _is_finite(array: Any) -> Any:
    return array - array == 0  # two operations instead of the five of torch
