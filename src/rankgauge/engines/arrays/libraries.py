"""Array libraries other than NumPy: the operations in which they differ, for JAX and CuPy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partialmethod
from importlib import import_module
from typing import Any, Self, TypeAlias

import numpy as np

from rankgauge.errors import InputError, ParameterError, extra, shown
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Array

Native: TypeAlias = Any
"""An array of one of the libraries, whose types are known only where it is installed."""
FLOAT_FUNCTIONS = {"log", "log2", "exp", "exp2", "divide", "isnan", "isfinite", "isinf", "sqrt", "floor", "ceil"}
"""Functions of floats that NumPy also applies to integers."""
ARITHMETIC = {"add", "subtract", "multiply", "minimum", "maximum", "negative"}
"""Functions in which NumPy treats booleans as 1 and 0."""


def is_from(array: object, *packages: str) -> bool:
    """Whether the class of an array, or a base class of it, belongs to one of the packages."""
    return any(base.__module__.partition(".")[0] in packages for base in type(array).__mro__)


def operand_dtype(name: str, dtype: np.dtype[np.generic]) -> np.dtype[np.generic]:
    """The dtype in which an operand of a NumPy function is passed to libraries that promote less."""
    if name in FLOAT_FUNCTIONS and dtype.kind in "iub":
        return np.dtype(np.float64)
    return np.dtype(np.int64) if name in ARITHMETIC and dtype.kind == "b" else dtype


def common_dtype(kinds: Iterable[Any]) -> np.dtype[np.generic]:
    """The dtype to which NumPy promotes operands: dtypes of arrays, and types of Python numbers."""
    kinds = [*kinds]
    widest = np.result_type(*(kind for kind in kinds if isinstance(kind, np.dtype)))
    numbers = {kind for kind in kinds if not isinstance(kind, np.dtype)}
    if float in numbers and widest.kind in "iub":
        return np.dtype(np.float64)
    return np.dtype(np.int64) if numbers - {bool} and widest.kind == "b" else widest


class WrongAfterAllError(Exception):
    """A postponed question has the answer that something is wrong."""


class Library:
    """An array library on one device, with the functions of NumPy that rules and kernels use, for its own arrays."""

    packages: tuple[str, ...]
    """The packages that define its arrays; the extra that installs them has the name of the first."""
    namespace_name: str
    """The module with the functions of the array API."""

    def __init__(self, device: Any = None) -> None:
        with extra(self.packages[0]):
            self.namespace = import_module(self.namespace_name)
        self.device = device

    @classmethod
    def holding(cls, array: object) -> Self:
        """The library on the device of an array."""
        library = cls(getattr(array, "device", None))
        library.check("scores", array)
        return library

    def check(self, name: str, array: object) -> None:
        """Refuse anything but an array of this library."""
        if not is_from(array, *self.packages):
            wanted, found_type = self.packages[0], shown(type(array))
            en = f"{name}: expected an array of {wanted}, found {found_type}; convert it, or pass NumPy to rg.evaluate"
            zh = f"{name}：应为 {wanted} 的数组，实为 {found_type}；请先转换，或将 NumPy 数组传给 rg.evaluate"
            raise InputError((en, zh))

    def active_device(self) -> AbstractContextManager[object]:
        """A context in which new arrays are created on the device."""
        return nullcontext()

    # Conversion

    def native(self, value: Any) -> object:
        """A value as an array of this library on the device, or as a Python number."""
        if hasattr(value, "library"):
            return value.array
        if isinstance(value, np.ndarray | list | tuple):
            return self.from_host(np.asarray(value))
        if isinstance(value, float):  # also a subclass, such as a threshold
            return float(value)
        return value.item() if isinstance(value, np.generic) else value

    def from_host(self, array: Array) -> object:
        return self.namespace.asarray(np.ascontiguousarray(array), device=self.device)

    def to_host(self, array: object) -> Array:
        return np.asarray(array)

    def native_dtype(self, dtype: np.dtype[np.generic]) -> object:
        """The dtype of the library for a dtype of NumPy."""
        return getattr(self.namespace, dtype.name)

    def dtype_of(self, array: Any) -> np.dtype[np.generic]:
        """The dtype of NumPy for an array."""
        return np.dtype(array.dtype)

    def astype(self, array: Any, dtype: np.dtype[np.generic]) -> Any:
        return self.namespace.astype(array, self.native_dtype(dtype), copy=False)

    def scalar(self, value: Any, dtype: np.dtype[np.generic]) -> object:
        """A Python number as an operand."""
        return self.full((), value, dtype)

    def copy(self, array: object) -> Any:
        return self.namespace.asarray(array, copy=True)

    # NumPy functions of native arrays

    def elementwise(self, name: str, inputs: Sequence[object]) -> Any:
        """Apply a NumPy function by name, with NumPy's rules for booleans and Python numbers."""
        arrays = [self._operand(name, value) for value in inputs]
        return getattr(self.namespace, name)(*(self._promote(arrays) if len(arrays) > 1 else arrays))

    def _operand(self, name: str, value: object) -> Any:
        """Convert booleans and integers where NumPy accepts them and other libraries do not."""
        if not hasattr(value, "dtype"):
            return value
        dtype = self.dtype_of(value)
        wanted = operand_dtype(name, dtype)
        return value if wanted == dtype else self.astype(value, wanted)

    def _promote(self, arrays: Sequence[object]) -> list[Any]:
        """Convert operands to arrays of one dtype."""
        widest = common_dtype(self.dtype_of(value) if hasattr(value, "dtype") else type(value) for value in arrays)
        return [
            self.astype(value, widest) if hasattr(value, "dtype") else self.scalar(value, widest) for value in arrays
        ]

    def where(self, condition: Any, first: Any, second: Any) -> Any:
        if not hasattr(first, "dtype") and not hasattr(second, "dtype"):
            first = self.scalar(first, np.result_type(first, second))
        return self.namespace.where(condition, *map(self._on_device, self._promote([first, second])))

    def _on_device(self, array: object) -> object:
        """An operand of ``where``, which a library may have created on the host."""
        return array

    def concatenate(self, arrays: Sequence[Any], axis: int = 0) -> Any:
        return self.namespace.concat(self._promote(arrays), axis=axis)

    def append(self, array: object, values: object) -> Any:
        tail = values if hasattr(values, "dtype") else self.full((1,), values, self.dtype_of(array))
        return self.concatenate([array, tail])

    def cumsum(self, array: Any, axis: int = 0, dtype: Any = None) -> Any:
        if dtype is not None or self.dtype_of(array).kind == "b":
            array = self.astype(array, np.dtype(np.int64 if dtype is None else dtype))
        return self.accumulate("add", array, axis)

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """Running sum, product or maximum."""
        function = {"add": "cumsum", "multiply": "cumprod"}[name]
        return getattr(self.namespace, function)(array, axis=axis)

    def reduce(self, name: str, array: Any, axis: int | None) -> Any:
        """Sum, smallest or largest element, or whether all are true; it stays on the device."""
        function = {"add": "sum", "minimum": "min", "maximum": "max", "logical_and": "all"}[name]
        return getattr(self.namespace, function)(array, axis=axis)

    def bincount(self, places: Any, weights: Any = None, minlength: int = 0) -> Any:
        summed = None if weights is None else self.astype(weights, np.dtype(np.float64))
        return self.count_places(places, summed, minlength)

    def count_places(self, places: object, weights: object, length: int) -> object:
        """``bincount`` with weights in double precision."""
        return self.namespace.bincount(places, weights=weights, minlength=length)

    def sort(self, array: object, axis: int = -1) -> Any:
        return self.namespace.sort(array, axis=axis, stable=False)

    def argsort(self, array: object, axis: int = -1, kind: object = None) -> Any:
        return self.namespace.argsort(array, axis=axis, stable=kind == "stable")

    def lexsort(self, keys: Sequence[Any]) -> Any:
        """The order by several keys: stable sorts, from the first key to the last, which dominates."""
        order: Any = None
        for key in keys:
            step = self.argsort(key if order is None else self.take(key, order), kind="stable")
            order = step if order is None else self.take(order, step)
        return order

    def clip(self, array: object, low: object, high: object) -> Any:
        return self.elementwise("minimum", [self.elementwise("maximum", [array, low]), high])

    def flatnonzero(self, array: Any) -> Any:
        return self.namespace.nonzero(array)[0]

    # NumPy functions that create arrays

    def arange(self, *ends: Any, dtype: Any = None) -> Any:
        has_floats = any(isinstance(end, float) for end in ends)
        kind = np.dtype(dtype if dtype is not None else np.float64 if has_floats else np.int64)
        numbers = [end if isinstance(end, float) else int(end) for end in ends]
        return self.namespace.arange(*numbers, dtype=self.native_dtype(kind), device=self.device)

    def full(self, shape: Any, value: Any, dtype: Any = None) -> Any:
        kind = np.asarray(value).dtype if dtype is None else np.dtype(dtype)
        lengths = shape if isinstance(shape, tuple) else (int(shape),)
        return self.namespace.full(lengths, value, dtype=self.native_dtype(kind), device=self.device)

    def full_like(self, array: Any, value: Any, dtype: Any = None, shape: Any = None) -> Any:
        lengths = tuple(array.shape) if shape is None else shape
        return self.full(lengths, value, self.dtype_of(array) if dtype is None else dtype)

    def _filled(self, value: float, shape: object, dtype: object = None) -> object:
        return self.full(shape, value, np.float64 if dtype is None else dtype)

    def _filled_like(self, value: float, array: object, dtype: object = None, shape: object = None) -> object:
        return self.full_like(array, value, dtype, shape)

    ones, zeros, empty = partialmethod(_filled, 1), partialmethod(_filled, 0), partialmethod(_filled, 0)
    ones_like, zeros_like = partialmethod(_filled_like, 1), partialmethod(_filled_like, 0)
    empty_like = zeros_like

    # Indexing

    def index(self, key: object) -> Any:
        if isinstance(key, slice):
            return slice(*(None if end is None else int(end) for end in (key.start, key.stop, key.step)))
        return self.native(key)

    def take(self, array: Any, key: Any) -> Any:
        return array[key]

    def truth(self, name: str, array: Any) -> Any:
        """Whether ``all`` or ``any`` elements are true, as an array without dimensions."""
        return getattr(self.namespace, name)(array)

    def all_right(self, array: Any) -> bool:
        """Whether everything is right, where anything else is an error."""
        return bool(self.to_host(self.truth("all", array)))

    def postponing(self) -> Library:
        """The library that is told what is wrong when values are read, if waiting for the answers takes long."""
        return self

    def columns_to_host(self, columns: Sequence[Any]) -> list[Array]:
        """Values of queries, or single numbers."""
        return [np.asarray(column, dtype=np.float64).reshape(-1) for column in columns]

    def put(self, array: Any, key: Any, value: Any) -> object:
        """Set the elements at an index, and return the array."""
        array[key] = value
        return array


class Jax(Library):
    """JAX, with double precision enabled."""

    packages = ("jax", "jaxlib")
    namespace_name = "jax.numpy"

    def __init__(self, device: Any = None) -> None:  # noqa: ARG002 (JAX moves new arrays to the others itself)
        super().__init__()
        if not import_module("jax").config.jax_enable_x64:
            raise ParameterError(
                Phrase(
                    'rg.jax needs double precision, which JAX disables: jax.config.update("jax_enable_x64", True)',
                    'rg.jax 需要双精度，而 JAX 默认关闭：请执行 jax.config.update("jax_enable_x64", True)',
                )
            )

    def native_dtype(self, dtype: np.dtype[np.generic]) -> object:
        return dtype

    def scalar(self, value: Any, dtype: np.dtype[np.generic]) -> object:
        """A Python number as an operand; XLA takes numbers below the normal range for 0, as in ``grade >= 5e-324``."""
        smallest = float(np.finfo(np.float64).tiny)
        return super().scalar(math.copysign(smallest, value) if 0 < abs(value) < smallest else value, dtype)

    def copy(self, array: object) -> Any:
        return array  # JAX never modifies an array in place

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        if name == "maximum":
            return import_module("jax").lax.cummax(array, axis % array.ndim)
        return super().accumulate(name, array, axis)

    def count_places(self, places: object, weights: object, length: int) -> object:
        counts = self.namespace.bincount(places, weights=weights, length=max(length, 1))[:length]
        return counts if weights is not None else counts.astype(np.int64)

    def put(self, array: Any, key: Any, value: Any) -> object:
        return array.at[key].set(value.astype(array.dtype) if hasattr(value, "astype") else value)


class CuPy(Library):
    """CuPy, whose functions are those of NumPy."""

    packages = ("cupy",)
    namespace_name = "array_api_compat.cupy"

    def active_device(self) -> AbstractContextManager[object]:
        return self.device

    def to_host(self, array: Any) -> Array:
        return array.get()

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        if name != "maximum":
            return super().accumulate(name, array, axis)
        result = self.copy(array)
        along, span = self.namespace.moveaxis(result, axis, 0), 1
        while span < len(along):  # CuPy lacks the running maximum: merge spans of doubling length
            along[span:] = self.namespace.maximum(along[span:], along[:-span])
            span *= 2
        return result

    def repeat(self, array: Any, times: Any) -> Any:
        """Repeat each element; CuPy before 14.1 takes no array of counts."""
        if not hasattr(times, "dtype"):
            return self.namespace.repeat(array, times)
        ends = self.namespace.cumsum(times)
        places = self.arange(int(ends[-1]) if len(ends) else 0)
        return array[self.namespace.searchsorted(ends, places, side="right")]
