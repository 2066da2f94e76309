"""DeviceArray: a NumPy-compatible wrapper of an array of another library.

It implements NumPy's protocols ``__array_ufunc__`` and ``__array_function__``: ``np.log2`` of a ``DeviceArray`` calls
torch, JAX or CuPy on the device of the array. Rules and kernels, written for NumPy, run on it unchanged.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from functools import partialmethod
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from rankgauge.engines.arrays.libraries import Library
from rankgauge.segments import Array


class DeviceArray(NDArrayOperatorsMixin):
    """An array of another library to which NumPy's functions and operators apply."""

    __slots__ = ("array", "library")

    def __init__(self, array: Any, library: Library) -> None:
        self.array = array
        self.library = library

    def _like(self, array: object) -> DeviceArray:
        return DeviceArray(array, self.library)

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        library = self.library
        operands = [value.array if isinstance(value, DeviceArray) else library.native(value) for value in inputs]
        if method == "accumulate":
            return self._like(library.accumulate(ufunc.__name__, operands[0], options.get("axis", 0)))
        if method == "reduce":
            return self._like(library.reduce(ufunc.__name__, operands[0], options.get("axis", 0)))
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
        if function in HOST_FUNCTIONS:
            return HOST_FUNCTIONS[function](*args, **options)
        name, library = function.__name__, self.library
        implementation = getattr(library, name, None) or getattr(library.namespace, name, None)
        if implementation is None:
            return NotImplemented
        operands = {key: self._operand(value) for key, value in options.items() if key not in {"order", "device"}}
        result = implementation(*map(self._operand, args), **operands)
        return tuple(map(self._like, result)) if isinstance(result, tuple) else self._like(result)

    def _operand(self, value: object) -> Any:
        """An argument as the library takes it: a list of arrays element by element, a shape unchanged."""
        if isinstance(value, list | tuple):
            has_arrays = any(isinstance(each, DeviceArray) for each in value)
            return [*map(self.library.native, value)] if has_arrays else value
        return self.library.native(value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """Copy to the host."""
        host = self.library.to_host(self.array)
        return host if dtype is None else host.astype(dtype)

    # Attributes and methods of arrays

    @property
    def dtype(self) -> np.dtype[np.generic]:
        return self.library.dtype_of(self.array)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.array.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> DeviceArray:
        return self._like(self.library.take(self.array, self._key(key)))

    def __setitem__(self, key: object, value: object) -> None:
        self.array = self.library.put(self.array, self._key(key), self.library.native(value))

    def _key(self, key: object) -> object:
        return tuple(map(self.library.index, key)) if isinstance(key, tuple) else self.library.index(key)

    def astype(self, dtype: Any, copy: bool = True) -> DeviceArray:
        converted = self.library.astype(self.array, np.dtype(dtype))
        return self._like(self.library.copy(converted) if copy and converted is self.array else converted)

    def copy(self) -> DeviceArray:
        return self._like(self.library.copy(self.array))

    def reshape(self, *shape: int) -> DeviceArray:
        return self._like(self.library.namespace.reshape(self.array, shape))

    def ravel(self) -> DeviceArray:
        return self.reshape(-1)

    def sum(self, axis: int | None = None) -> Any:
        return self._like(self.library.namespace.sum(self.array, axis=axis))

    def sort(self, axis: int = -1) -> None:
        self.array = self.library.sort(self.array, axis=axis)

    def _truth(self, name: str, axis: int | None = None) -> Any:
        """Whether all or any elements are true; without an axis this waits for the device."""
        if axis is None:
            return bool(self._like(self.library.truth(name, self.array)))
        return self._like(getattr(self.library.namespace, name)(self.array, axis=axis))

    def all_right(self) -> bool:
        return self.library.all_right(self.array)

    def _extreme(self, name: str, initial: float | None = None) -> object:
        """Largest or smallest element; waits for the device."""
        if self.size == 0 and initial is not None:
            return initial
        extreme = self.library.to_host(getattr(self.library.namespace, name)(self.array)).item()
        return extreme if initial is None else getattr(builtins, name)(extreme, initial)

    all, any = partialmethod(_truth, "all"), partialmethod(_truth, "any")
    max, min = partialmethod(_extreme, "max"), partialmethod(_extreme, "min")

    def tolist(self) -> list[Any]:
        return self.__array__().tolist()

    def __iter__(self) -> Any:
        return iter(self.tolist())

    def __int__(self) -> int:
        return int(self.library.to_host(self.array))

    __index__ = __int__

    def __float__(self) -> float:
        return float(self.library.to_host(self.array))

    def __format__(self, spec: str) -> str:
        return format(self.__array__()[()], spec)

    def __bool__(self) -> bool:
        return bool(self.library.to_host(self.array))


HOST_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.max: DeviceArray.max,
    np.ndim: lambda array: array.ndim,
    np.unique: lambda array: np.unique(np.asarray(array)),
}
"""NumPy functions whose result the host needs."""
