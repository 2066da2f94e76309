"""DeviceArray: a NumPy-compatible wrapper of an array of another library.

It implements NumPy's protocols ``__array_ufunc__`` and ``__array_function__``: ``np.log2`` of a ``DeviceArray`` calls
torch, JAX or CuPy on the device of the array. Rules and kernels, written for NumPy, run on it unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from rankgauge.engines.arrays.libraries import Library

FUNCTIONS: dict[Any, Callable[..., Any]] = {}
"""NumPy functions: their implementation for a ``DeviceArray``."""


def implements(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the implementation of NumPy functions."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update(dict.fromkeys(functions, function))
        return function

    return register


class DeviceArray(NDArrayOperatorsMixin):
    """An array of another library to which NumPy's functions and operators apply."""

    __slots__ = ("array", "library")

    def __init__(self, array: Any, library: Library) -> None:
        self.array = array
        self.library = library

    def _like(self, array: Any) -> DeviceArray:
        return DeviceArray(array, self.library)

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        library = self.library
        operands = [library.native(value) for value in inputs]
        if method == "accumulate":
            return self._like(library.accumulate(ufunc.__name__, operands[0], options.get("axis", 0)))
        if method != "__call__":
            return NotImplemented
        where, out = options.get("where", True), options.get("out")
        result = library.elementwise(ufunc.__name__, operands)
        if where is not True:  # elsewhere the value of out remains
            result = library.namespace.where(library.native(where), result, library.native(out[0] if out else result))
        if out and isinstance(out[0], DeviceArray):
            out[0].array = result
            return out[0]
        return self._like(result)

    def __array_function__(self, function: Any, _: Any, args: Sequence[Any], options: dict[str, Any]) -> Any:
        if function not in FUNCTIONS:
            return NotImplemented
        return FUNCTIONS[function](self.library, *args, **options)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """Copy to the host."""
        host = self.library.to_host(self.array)
        return host if dtype is None else host.astype(dtype)

    # Attributes and methods of arrays

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype, as NumPy's."""
        return self.library.dtype_of(self.array)

    @property
    def shape(self) -> tuple[int, ...]:
        """Length along each axis."""
        return tuple(self.array.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape))

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> DeviceArray:
        return self._like(self.library.take(self.array, self._key(key)))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.array = self.library.put(self.array, self._key(key), self.library.native(value))

    def _key(self, key: Any) -> Any:
        return tuple(map(self.library.index, key)) if isinstance(key, tuple) else self.library.index(key)

    def astype(self, dtype: Any, copy: bool = True) -> DeviceArray:
        """Convert to a dtype."""
        converted = self.library.astype(self.array, np.dtype(dtype))
        return self._like(self.library.copy(converted) if copy and converted is self.array else converted)

    def copy(self) -> DeviceArray:
        """Copy the array."""
        return self._like(self.library.copy(self.array))

    def reshape(self, *shape: int) -> DeviceArray:
        """Change the shape."""
        return self._like(self.library.namespace.reshape(self.array, shape))

    def ravel(self) -> DeviceArray:
        """Flatten to one dimension."""
        return self._like(self.library.namespace.reshape(self.array, (-1,)))

    def all(self, axis: int | None = None) -> Any:
        """Whether all elements are true; without an axis this waits for the device."""
        result = self.library.namespace.all(self.array, axis=axis)
        return bool(self.library.to_host(result)) if axis is None else self._like(result)

    def any(self, axis: int | None = None) -> Any:
        """Whether any element is true; without an axis this waits for the device."""
        result = self.library.namespace.any(self.array, axis=axis)
        return bool(self.library.to_host(result)) if axis is None else self._like(result)

    def sum(self, axis: int | None = None) -> Any:
        """Sum of the elements."""
        return self._like(self.library.namespace.sum(self.array, axis=axis))

    def max(self, initial: float | None = None) -> Any:
        """Largest element; waits for the device."""
        return self._extreme(self.library.namespace.max, max, initial)

    def min(self, initial: float | None = None) -> Any:
        """Smallest element; waits for the device."""
        return self._extreme(self.library.namespace.min, min, initial)

    def _extreme(self, function: Callable[..., Any], choose: Callable[..., Any], initial: float | None) -> Any:
        if self.size == 0 and initial is not None:
            return initial
        extreme = self.library.to_host(function(self.array)).item()
        return extreme if initial is None else choose(extreme, initial)

    def sort(self, axis: int = -1) -> None:
        """Sort in place."""
        self.array = self.library.namespace.sort(self.array, axis=axis)

    def tolist(self) -> list[Any]:
        """Convert to Python numbers on the host."""
        numbers: list[Any] = self.__array__().tolist()
        return numbers

    def __iter__(self) -> Any:
        return iter(self.tolist())

    def __index__(self) -> int:
        return int(self.library.to_host(self.array))

    def __int__(self) -> int:
        return int(self.library.to_host(self.array))

    def __float__(self) -> float:
        return float(self.library.to_host(self.array))

    def __bool__(self) -> bool:
        return bool(self.library.to_host(self.array))


@implements(np.where)
def _where(library: Library, condition: Any, *choices: Any) -> DeviceArray:
    first, second = map(library.native, choices)
    return DeviceArray(library.where(library.native(condition), first, second), library)


@implements(np.concatenate)
def _concatenate(library: Library, arrays: Sequence[Any], axis: int = 0) -> DeviceArray:
    return DeviceArray(library.concatenate([*map(library.native, arrays)], axis), library)


@implements(np.append)
def _append(library: Library, array: Any, values: Any, axis: int = 0) -> DeviceArray:
    native = library.native(array)
    tail = values.array if isinstance(values, DeviceArray) else library.full((1,), values, library.dtype_of(native))
    return DeviceArray(library.concatenate([native, tail], axis), library)


@implements(np.cumsum)
def _cumsum(library: Library, array: Any, axis: int = 0, dtype: Any = None) -> DeviceArray:
    native = library.native(array)
    if dtype is not None:
        native = library.astype(native, np.dtype(dtype))
    elif library.dtype_of(native).kind == "b":
        native = library.astype(native, np.dtype(np.int64))
    return DeviceArray(library.accumulate("add", native, axis), library)


@implements(np.zeros_like)
def _zeros_like(library: Library, array: Any, dtype: Any = None, shape: Any = None) -> DeviceArray:
    return _full_like(library, array, 0, dtype, shape)


@implements(np.ones_like)
def _ones_like(library: Library, array: Any, dtype: Any = None, shape: Any = None) -> DeviceArray:
    return _full_like(library, array, 1, dtype, shape)


@implements(np.empty_like)
def _empty_like(library: Library, array: Any, dtype: Any = None, shape: Any = None) -> DeviceArray:
    return _full_like(library, array, 0, dtype, shape)


@implements(np.full_like)
def _full_like(library: Library, array: Any, value: Any, dtype: Any = None, shape: Any = None) -> DeviceArray:
    native = library.native(array)
    kept = np.dtype(dtype) if dtype is not None else library.dtype_of(native)
    return DeviceArray(library.full(tuple(native.shape) if shape is None else shape, value, kept), library)


@implements(np.bincount)
def _bincount(library: Library, array: Any, weights: Any = None, minlength: int = 0) -> DeviceArray:
    summed = None if weights is None else library.astype(library.native(weights), np.dtype(np.float64))
    return DeviceArray(library.bincount(library.native(array), summed, minlength), library)


@implements(np.repeat)
def _repeat(library: Library, array: Any, repeats: Any) -> DeviceArray:
    return DeviceArray(library.repeat(library.native(array), library.native(repeats)), library)


@implements(np.flatnonzero)
def _flatnonzero(library: Library, array: Any) -> DeviceArray:
    return DeviceArray(library.namespace.nonzero(library.native(array))[0], library)


@implements(np.searchsorted)
def _searchsorted(library: Library, array: Any, values: Any, side: str = "left") -> DeviceArray:
    return DeviceArray(
        library.namespace.searchsorted(library.native(array), library.native(values), side=side), library
    )


@implements(np.sort)
def _sort(library: Library, array: Any, axis: int = -1) -> DeviceArray:
    return DeviceArray(library.namespace.sort(library.native(array), axis=axis), library)


@implements(np.argsort)
def _argsort(library: Library, array: Any, axis: int = -1, kind: Any = None) -> DeviceArray:  # noqa: ARG001
    return DeviceArray(library.namespace.argsort(library.native(array), axis=axis, stable=True), library)


@implements(np.lexsort)
def _lexsort(library: Library, keys: Sequence[Any]) -> DeviceArray:
    """Stable sorts, from the first key to the last, which dominates."""
    order: Any = None
    for key in keys:
        column = library.native(key) if order is None else library.take(library.native(key), order)
        step = library.namespace.argsort(column, axis=-1, stable=True)
        order = step if order is None else library.take(order, step)
    return DeviceArray(order, library)


@implements(np.clip)
def _clip(library: Library, array: Any, low: Any, high: Any) -> DeviceArray:
    return DeviceArray(
        library.elementwise(
            "minimum",
            [library.elementwise("maximum", [library.native(array), library.native(low)]), library.native(high)],
        ),
        library,
    )


@implements(np.ndim)
def _ndim(_: Library, array: Any) -> int:
    return int(array.ndim)


@implements(np.max)
def _max(_: Library, array: Any, initial: float | None = None) -> Any:
    return array.max(initial=initial)


@implements(np.arange)
def _arange(library: Library, *ends: Any, dtype: Any = None, **_: Any) -> DeviceArray:
    floating = any(isinstance(end, float) for end in ends)
    kind = np.dtype(dtype) if dtype is not None else np.dtype(np.float64 if floating else np.int64)
    numbers = [end if isinstance(end, float) else int(end) for end in ends]
    return DeviceArray(library.arange(numbers, kind), library)


@implements(np.full)
def _full(library: Library, shape: Any, value: Any, dtype: Any = None, **_: Any) -> DeviceArray:
    kind = np.dtype(dtype) if dtype is not None else np.asarray(value).dtype
    return DeviceArray(library.full(shape if isinstance(shape, tuple) else (int(shape),), value, kind), library)


@implements(np.ones)
def _ones(library: Library, shape: Any, dtype: Any = None, **_: Any) -> DeviceArray:
    return _full(library, shape, 1, dtype or np.float64)


@implements(np.zeros, np.empty)
def _zeros(library: Library, shape: Any, dtype: Any = None, **_: Any) -> DeviceArray:
    return _full(library, shape, 0, dtype or np.float64)


@implements(np.take_along_axis)
def _take_along_axis(library: Library, array: Any, indices: Any, axis: int = -1) -> DeviceArray:
    return DeviceArray(library.take_along_axis(library.native(array), library.native(indices), axis), library)


@implements(np.broadcast_to)
def _broadcast_to(library: Library, array: Any, shape: tuple[int, ...]) -> DeviceArray:
    return DeviceArray(library.namespace.broadcast_to(library.native(array), shape), library)


@implements(np.nonzero)
def _nonzero(library: Library, array: Any) -> tuple[DeviceArray, ...]:
    return tuple(DeviceArray(axis, library) for axis in library.namespace.nonzero(library.native(array)))


@implements(np.partition)
def _partition(library: Library, array: Any, place: int, axis: int = -1) -> DeviceArray:  # noqa: ARG001
    return _sort(library, array, axis)  # a full sort satisfies the contract of a partition


@implements(np.any)
def _any(library: Library, array: Any, axis: int | None = None) -> Any:
    return DeviceArray(library.namespace.any(library.native(array), axis=axis), library)


@implements(np.unique)
def _unique(library: Library, array: Any) -> Any:
    return np.unique(library.to_host(library.native(array)))
