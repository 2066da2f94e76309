"""Arrays of other libraries in the clothes of NumPy's, so that rules and kernels run on them unchanged.

NumPy hands its functions over to arrays that ask for it (``__array_ufunc__`` and ``__array_function__``). A
``DeviceArray`` asks: ``np.log2`` of one is the logarithm of torch, JAX or CuPy, computed where the array lives. Rules
and kernels are written for NumPy once and cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from rankgauge.engines.arrays.libraries import Library

FUNCTIONS: dict[Any, Callable[..., Any]] = {}
"""What is done for a function of NumPy that is called with such an array."""


def implements(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register what is done for functions of NumPy."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update(dict.fromkeys(functions, function))
        return function

    return register


class DeviceArray(NDArrayOperatorsMixin):
    """An array of another library that NumPy's functions and operators work on, where it lives."""

    __slots__ = ("array", "library")

    def __init__(self, array: Any, library: Library) -> None:
        self.array = array
        self.library = library

    def _like(self, array: Any) -> DeviceArray:
        return DeviceArray(array, self.library)

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        library = self.library
        plain = [library.own(value) for value in inputs]
        if method == "accumulate":
            return self._like(library.accumulate(ufunc.__name__, plain[0], options.get("axis", 0)))
        if method != "__call__":
            return NotImplemented
        where, out = options.get("where", True), options.get("out")
        result = library.elementwise(ufunc.__name__, plain)
        if where is not True:  # elsewhere the value of out stands
            result = library.namespace.where(library.own(where), result, library.own(out[0] if out else result))
        if out and isinstance(out[0], DeviceArray):
            out[0].array = result
            return out[0]
        return self._like(result)

    def __array_function__(self, function: Any, _: Any, args: Sequence[Any], options: dict[str, Any]) -> Any:
        if function not in FUNCTIONS:
            return NotImplemented
        return FUNCTIONS[function](self.library, *args, **options)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """On the host: the one way back."""
        host = self.library.to_host(self.array)
        return host if dtype is None else host.astype(dtype)

    # What code does with arrays beside calling functions

    @property
    def dtype(self) -> np.dtype[Any]:
        """The kind of number, in NumPy's words."""
        return self.library.dtype_of(self.array)

    @property
    def shape(self) -> tuple[int, ...]:
        """The length along each axis."""
        return tuple(self.array.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape))

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> DeviceArray:
        return self._like(self.library.take(self.array, self._key(key)))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.array = self.library.put(self.array, self._key(key), self.library.own(value))

    def _key(self, key: Any) -> Any:
        return tuple(map(self.library.index, key)) if isinstance(key, tuple) else self.library.index(key)

    def astype(self, dtype: Any, copy: bool = True) -> DeviceArray:
        """As another kind of number."""
        converted = self.library.astype(self.array, np.dtype(dtype))
        return self._like(self.library.copy(converted) if copy and converted is self.array else converted)

    def copy(self) -> DeviceArray:
        """The same values in an array of their own."""
        return self._like(self.library.copy(self.array))

    def reshape(self, *shape: int) -> DeviceArray:
        """The elements in another shape."""
        return self._like(self.library.namespace.reshape(self.array, shape))

    def ravel(self) -> DeviceArray:
        """The elements in one row."""
        return self._like(self.library.namespace.reshape(self.array, (-1,)))

    def all(self, axis: int | None = None) -> Any:
        """Whether all are true; over the whole array it waits for the device."""
        found = self.library.namespace.all(self.array, axis=axis)
        return bool(self.library.to_host(found)) if axis is None else self._like(found)

    def any(self, axis: int | None = None) -> Any:
        """Whether any is true; over the whole array it waits for the device."""
        found = self.library.namespace.any(self.array, axis=axis)
        return bool(self.library.to_host(found)) if axis is None else self._like(found)

    def sum(self, axis: int | None = None) -> Any:
        """The sum."""
        total = self.library.namespace.sum(self.array, axis=axis)
        return self._like(total)

    def max(self, initial: float | None = None) -> Any:
        """The largest; waits for the device."""
        return self._extreme(self.library.namespace.max, max, initial)

    def min(self, initial: float | None = None) -> Any:
        """The smallest; waits for the device."""
        return self._extreme(self.library.namespace.min, min, initial)

    def _extreme(self, function: Callable[..., Any], either: Callable[..., Any], initial: float | None) -> Any:
        if self.size == 0 and initial is not None:
            return initial
        found = self.library.to_host(function(self.array)).item()
        return found if initial is None else either(found, initial)

    def sort(self, axis: int = -1) -> None:
        """Sort in place."""
        self.array = self.library.namespace.sort(self.array, axis=axis)

    def tolist(self) -> list[Any]:
        """As Python numbers, on the host."""
        listed: list[Any] = self.__array__().tolist()
        return listed

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


def wrapped(library: Library, array: Any) -> DeviceArray:
    """An array of the library in NumPy's clothes."""
    return DeviceArray(array, library)


@implements(np.where)
def _where(library: Library, condition: Any, *choices: Any) -> DeviceArray:
    first, second = (library.own(one) for one in choices)
    return wrapped(library, library.where(library.own(condition), first, second))


@implements(np.concatenate)
def _concatenate(library: Library, arrays: Sequence[Any], axis: int = 0) -> DeviceArray:
    return wrapped(library, library.concatenate([library.own(one) for one in arrays], axis))


@implements(np.append)
def _append(library: Library, array: Any, values: Any, axis: int = 0) -> DeviceArray:
    own = library.own(array)
    tail = values.array if isinstance(values, DeviceArray) else library.full((1,), values, library.dtype_of(own))
    return wrapped(library, library.concatenate([own, tail], axis))


@implements(np.cumsum)
def _cumsum(library: Library, array: Any, axis: int = 0, dtype: Any = None) -> DeviceArray:
    own = library.own(array)
    if dtype is not None:
        own = library.astype(own, np.dtype(dtype))
    elif library.dtype_of(own).kind == "b":
        own = library.astype(own, np.dtype(np.int64))
    return wrapped(library, library.accumulate("add", own, axis))


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
    own = library.own(array)
    kind = np.dtype(dtype) if dtype is not None else library.dtype_of(own)
    return wrapped(library, library.full(tuple(own.shape) if shape is None else shape, value, kind))


@implements(np.bincount)
def _bincount(library: Library, array: Any, weights: Any = None, minlength: int = 0) -> DeviceArray:
    own = None if weights is None else library.astype(library.own(weights), np.dtype(np.float64))
    return wrapped(library, library.bincount(library.own(array), own, minlength))


@implements(np.repeat)
def _repeat(library: Library, array: Any, repeats: Any) -> DeviceArray:
    return wrapped(library, library.repeat(library.own(array), library.own(repeats)))


@implements(np.flatnonzero)
def _flatnonzero(library: Library, array: Any) -> DeviceArray:
    return wrapped(library, library.namespace.nonzero(library.own(array))[0])


@implements(np.searchsorted)
def _searchsorted(library: Library, array: Any, values: Any, side: str = "left") -> DeviceArray:
    return wrapped(library, library.namespace.searchsorted(library.own(array), library.own(values), side=side))


@implements(np.sort)
def _sort(library: Library, array: Any, axis: int = -1) -> DeviceArray:
    return wrapped(library, library.namespace.sort(library.own(array), axis=axis))


@implements(np.argsort)
def _argsort(library: Library, array: Any, axis: int = -1, kind: Any = None) -> DeviceArray:  # noqa: ARG001
    return wrapped(library, library.namespace.argsort(library.own(array), axis=axis, stable=True))


@implements(np.lexsort)
def _lexsort(library: Library, keys: Sequence[Any]) -> DeviceArray:
    """By the last key first: stable sorts from the first key on."""
    order: Any = None
    for key in keys:
        own = library.own(key)
        step = library.namespace.argsort(own if order is None else library.take(own, order), axis=-1, stable=True)
        order = step if order is None else library.take(order, step)
    return wrapped(library, order)


@implements(np.clip)
def _clip(library: Library, array: Any, low: Any, high: Any) -> DeviceArray:
    return wrapped(
        library,
        library.elementwise(
            "minimum", [library.elementwise("maximum", [library.own(array), library.own(low)]), library.own(high)]
        ),
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
    whole = [end if isinstance(end, float) else int(end) for end in ends]
    return wrapped(library, library.arange(whole, kind))


@implements(np.full)
def _full(library: Library, shape: Any, value: Any, dtype: Any = None, **_: Any) -> DeviceArray:
    kind = np.dtype(dtype) if dtype is not None else np.asarray(value).dtype
    return wrapped(library, library.full(shape if isinstance(shape, tuple) else (int(shape),), value, kind))


@implements(np.ones)
def _ones(library: Library, shape: Any, dtype: Any = None, **_: Any) -> DeviceArray:
    return _full(library, shape, 1, dtype or np.float64)


@implements(np.zeros, np.empty)
def _zeros(library: Library, shape: Any, dtype: Any = None, **_: Any) -> DeviceArray:
    return _full(library, shape, 0, dtype or np.float64)


@implements(np.take_along_axis)
def _take_along_axis(library: Library, array: Any, indices: Any, axis: int = -1) -> DeviceArray:
    return wrapped(library, library.take_along_axis(library.own(array), library.own(indices), axis))


@implements(np.broadcast_to)
def _broadcast_to(library: Library, array: Any, shape: tuple[int, ...]) -> DeviceArray:
    return wrapped(library, library.namespace.broadcast_to(library.own(array), shape))


@implements(np.nonzero)
def _nonzero(library: Library, array: Any) -> tuple[DeviceArray, ...]:
    return tuple(wrapped(library, axis) for axis in library.namespace.nonzero(library.own(array)))


@implements(np.partition)
def _partition(library: Library, array: Any, place: int, axis: int = -1) -> DeviceArray:  # noqa: ARG001
    return _sort(library, array, axis)  # what is at the place is the same, and all before it is lower


@implements(np.any)
def _any(library: Library, array: Any, axis: int | None = None) -> Any:
    return wrapped(library, library.namespace.any(library.own(array), axis=axis))


@implements(np.unique)
def _unique(library: Library, array: Any) -> Any:
    return np.unique(library.to_host(library.own(array)))
