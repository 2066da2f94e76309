"""Array libraries other than NumPy: the operations in which they differ, for JAX and CuPy."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partialmethod
from typing import Any, Self

import numpy as np

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.extras import extra

ARRAY_API_NAMES = {"true_divide": "divide", "power": "pow", "absolute": "abs"}
"""NumPy's function names: names in the array API where they differ."""
FLOAT_FUNCTIONS = {
    "log",
    "log2",
    "exp",
    "exp2",
    "true_divide",
    "divide",
    "isnan",
    "isfinite",
    "isinf",
    "sqrt",
    "floor",
    "ceil",
}
"""Functions of floats that NumPy also applies to integers."""
ARITHMETIC = {"add", "subtract", "multiply", "minimum", "maximum", "negative"}
"""Functions in which NumPy treats booleans as 1 and 0."""


def is_from(array: Any, *packages: str) -> bool:
    """Whether the class of an array, or a base class of it, belongs to one of the packages."""
    return any(base.__module__.partition(".")[0] in packages for base in type(array).__mro__)


class Library:
    """An array library on one device, with the operations that rules and kernels use."""

    packages: tuple[str, ...]
    """The packages that define its arrays."""

    def __init__(self, device: Any = None) -> None:
        self.namespace = self.load_namespace()
        self.device = device

    @staticmethod
    def load_namespace() -> Any:
        """Import the module with the functions of the array API."""
        raise NotImplementedError

    @classmethod
    def holding(cls, array: Any) -> Self:
        """The library on the device of an array."""
        library = cls(getattr(array, "device", None))
        if not is_from(array, *cls.packages):
            raise InputError(f"scores: expected an array of {cls.packages[0]}, found {shown(type(array))}")
        return library

    def active_device(self) -> AbstractContextManager[Any]:
        """A context in which new arrays are created on the device."""
        return nullcontext()

    # Conversion

    def native(self, value: Any) -> Any:
        """A value as an array of this library on the device, or as a Python number."""
        if hasattr(value, "library"):
            return value.array
        if isinstance(value, np.ndarray | list | tuple):
            return self.from_host(np.asarray(value))
        if isinstance(value, float):  # also a subclass, such as a threshold
            return float(value)
        return value.item() if isinstance(value, np.generic) else value

    def from_host(self, array: np.ndarray[Any, Any]) -> Any:
        """Copy to the device."""
        return self.namespace.asarray(np.ascontiguousarray(array), device=self.device)

    def to_host(self, array: Any) -> np.ndarray[Any, Any]:
        """Copy to the host."""
        return np.asarray(array)

    def native_dtype(self, dtype: np.dtype[Any]) -> Any:
        """The dtype of the library for a dtype of NumPy."""
        return getattr(self.namespace, dtype.name)

    def dtype_of(self, array: Any) -> np.dtype[Any]:
        """The dtype of NumPy for an array."""
        return np.dtype(array.dtype)

    def astype(self, array: Any, dtype: np.dtype[Any]) -> Any:
        """Convert to a dtype."""
        return self.namespace.astype(array, self.native_dtype(dtype), copy=False)

    def scalar(self, value: Any, dtype: np.dtype[Any]) -> Any:
        """A Python number as an operand."""
        return self.full((), value, dtype)

    def copy(self, array: Any) -> Any:
        """Copy an array."""
        return self.namespace.asarray(array, copy=True)

    # NumPy functions of native arrays

    def elementwise(self, name: str, inputs: Sequence[Any]) -> Any:
        """Apply a NumPy function by name, with NumPy's rules for booleans and Python numbers."""
        arrays = [self._operand(name, value) for value in inputs]
        if name in {"invert", "bitwise_and", "bitwise_or", "bitwise_xor"}:
            return self._bitwise(name, arrays)
        if name == "positive":
            return arrays[0]
        if len(arrays) > 1:
            arrays = self._promote(arrays)
        return getattr(self.namespace, ARRAY_API_NAMES.get(name, name))(*arrays)

    def _bitwise(self, name: str, arrays: Sequence[Any]) -> Any:
        boolean = all(self._is_boolean(value) for value in arrays)
        prefix = "logical" if boolean else "bitwise"
        short = {"invert": "not" if boolean else "invert"}.get(name, name.removeprefix("bitwise_"))
        operands = [self.scalar(value, np.dtype(bool)) if isinstance(value, bool) else value for value in arrays]
        return getattr(self.namespace, f"{prefix}_{short}")(*operands)

    def _is_boolean(self, value: Any) -> bool:
        return isinstance(value, bool) or (hasattr(value, "dtype") and self.dtype_of(value).kind == "b")

    def _operand(self, name: str, value: Any) -> Any:
        """Convert booleans and integers where NumPy accepts them and other libraries do not."""
        if not hasattr(value, "dtype"):
            return value
        kind = self.dtype_of(value).kind
        if name in FLOAT_FUNCTIONS and kind in "iub":
            return self.astype(value, np.dtype(np.float64))
        if name in ARITHMETIC and kind == "b":
            return self.astype(value, np.dtype(np.int64))
        return value

    def _promote(self, arrays: Sequence[Any]) -> list[Any]:
        """Convert operands to arrays of one dtype."""
        dtypes = [self.dtype_of(value) for value in arrays if hasattr(value, "dtype")]
        numbers = [value for value in arrays if not hasattr(value, "dtype")]
        widest = np.result_type(*dtypes)
        if any(isinstance(value, float) for value in numbers) and widest.kind in "iub":
            widest = np.dtype(np.float64)
        elif any(not isinstance(value, bool) for value in numbers) and widest.kind == "b":
            widest = np.dtype(np.int64)
        return [
            self.astype(value, widest) if hasattr(value, "dtype") else self.scalar(value, widest) for value in arrays
        ]

    def where(self, condition: Any, first: Any, second: Any) -> Any:
        """Choose between two values, element by element."""
        if not hasattr(first, "dtype") and not hasattr(second, "dtype"):
            first = self.scalar(first, np.result_type(first, second))
        return self.namespace.where(condition, *self._promote([first, second]))

    def concatenate(self, arrays: Sequence[Any], axis: int = 0) -> Any:
        """Concatenate arrays."""
        return self.namespace.concat(self._promote(arrays), axis=axis)

    def append(self, array: Any, values: Any) -> Any:
        """Append an array or a number to a flat array."""
        tail = values if hasattr(values, "dtype") else self.full((1,), values, self.dtype_of(array))
        return self.concatenate([array, tail])

    def cumsum(self, array: Any, axis: int = 0, dtype: Any = None) -> Any:
        """Running sum; booleans are counted."""
        if dtype is not None or self.dtype_of(array).kind == "b":
            array = self.astype(array, np.dtype(np.int64 if dtype is None else dtype))
        return self.accumulate("add", array, axis)

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """Running sum, product or maximum."""
        function = {"add": "cumsum", "multiply": "cumprod"}[name]
        return getattr(self.namespace, function)(array, axis=axis)

    def bincount(self, places: Any, weights: Any = None, minlength: int = 0) -> Any:
        """Number of occurrences of each place, or the sum of their weights."""
        summed = None if weights is None else self.astype(weights, np.dtype(np.float64))
        return self.count_places(places, summed, minlength)

    def count_places(self, places: Any, weights: Any, length: int) -> Any:
        """``bincount`` with weights in double precision."""
        return self.namespace.bincount(places, weights=weights, minlength=length)

    def argsort(self, array: Any, axis: int = -1, kind: Any = None) -> Any:  # noqa: ARG002 (always stable)
        """The stable order of the elements."""
        return self.namespace.argsort(array, axis=axis, stable=True)

    def lexsort(self, keys: Sequence[Any]) -> Any:
        """The order by several keys: stable sorts, from the first key to the last, which dominates."""
        order: Any = None
        for key in keys:
            step = self.argsort(key if order is None else self.take(key, order))
            order = step if order is None else self.take(order, step)
        return order

    def partition(self, array: Any, place: int, axis: int = -1) -> Any:  # noqa: ARG002
        """A full sort, which satisfies the contract of a partition."""
        return self.namespace.sort(array, axis=axis)

    def clip(self, array: Any, low: Any, high: Any) -> Any:
        """Limit the elements to a range."""
        return self.elementwise("minimum", [self.elementwise("maximum", [array, low]), high])

    def flatnonzero(self, array: Any) -> Any:
        """The places of the nonzero elements of a flat array."""
        return self.namespace.nonzero(array)[0]

    # NumPy functions that create arrays

    def arange(self, *ends: Any, dtype: Any = None) -> Any:
        """Create evenly spaced numbers."""
        has_floats = any(isinstance(end, float) for end in ends)
        kind = np.dtype(dtype if dtype is not None else np.float64 if has_floats else np.int64)
        numbers = [end if isinstance(end, float) else int(end) for end in ends]
        return self.namespace.arange(*numbers, dtype=self.native_dtype(kind), device=self.device)

    def full(self, shape: Any, value: Any, dtype: Any = None) -> Any:
        """Create an array of one value."""
        kind = np.asarray(value).dtype if dtype is None else np.dtype(dtype)
        lengths = shape if isinstance(shape, tuple) else (int(shape),)
        return self.namespace.full(lengths, value, dtype=self.native_dtype(kind), device=self.device)

    def full_like(self, array: Any, value: Any, dtype: Any = None, shape: Any = None) -> Any:
        """Create an array of one value, by default with the shape and dtype of another."""
        return self.full(
            tuple(array.shape) if shape is None else shape, value, self.dtype_of(array) if dtype is None else dtype
        )

    def _filled(self, value: float, shape: Any, dtype: Any = None) -> Any:
        return self.full(shape, value, np.float64 if dtype is None else dtype)

    def _filled_like(self, value: float, array: Any, dtype: Any = None, shape: Any = None) -> Any:
        return self.full_like(array, value, dtype, shape)

    ones, zeros, empty = partialmethod(_filled, 1), partialmethod(_filled, 0), partialmethod(_filled, 0)
    ones_like, zeros_like = partialmethod(_filled_like, 1), partialmethod(_filled_like, 0)
    empty_like = zeros_like

    # Indexing

    def index(self, key: Any) -> Any:
        """Convert an index."""
        if isinstance(key, slice):
            return slice(*(None if end is None else int(end) for end in (key.start, key.stop, key.step)))
        return self.native(key)

    def take(self, array: Any, key: Any) -> Any:
        """Take the elements at an index."""
        return array[key]

    def put(self, array: Any, key: Any, value: Any) -> Any:
        """Set the elements at an index, and return the array."""
        array[key] = value
        return array


class Jax(Library):
    """JAX, with double precision enabled."""

    packages = ("jax", "jaxlib")

    @staticmethod
    def load_namespace() -> Any:
        """Import the module with the functions of the array API."""
        with extra("jax"):
            import jax  # noqa: PLC0415
        if not jax.config.jax_enable_x64:
            raise ParameterError(
                'rg.jax needs double precision, which JAX disables: jax.config.update("jax_enable_x64", True)'
            )
        return jax.numpy

    def __init__(self, device: Any = None) -> None:  # noqa: ARG002 (JAX moves new arrays to the others itself)
        super().__init__()

    def native_dtype(self, dtype: np.dtype[Any]) -> Any:
        """JAX takes the dtypes of NumPy."""
        return dtype

    def copy(self, array: Any) -> Any:
        """Return the array: JAX never modifies one in place."""
        return array

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """Running sum, product or maximum."""
        import jax  # noqa: PLC0415

        if name == "maximum":
            return jax.lax.cummax(array, axis % array.ndim)
        return super().accumulate(name, array, axis)

    def count_places(self, places: Any, weights: Any, length: int) -> Any:
        """``bincount`` with weights in double precision."""
        counts = self.namespace.bincount(places, weights=weights, length=max(length, 1))[:length]
        return counts if weights is not None else counts.astype(np.int64)

    def put(self, array: Any, key: Any, value: Any) -> Any:
        """Set the elements at an index, and return the array."""
        return array.at[key].set(value.astype(array.dtype) if hasattr(value, "astype") else value)


class CuPy(Library):
    """CuPy, whose functions are those of NumPy."""

    packages = ("cupy",)

    @staticmethod
    def load_namespace() -> Any:
        """Import the module with the functions of the array API."""
        with extra("cupy"):
            from array_api_compat import cupy  # noqa: PLC0415
        return cupy

    def active_device(self) -> AbstractContextManager[Any]:
        """The context of the device."""
        context: AbstractContextManager[Any] = self.device
        return context

    def to_host(self, array: Any) -> np.ndarray[Any, Any]:
        """Copy to the host."""
        host: np.ndarray[Any, Any] = array.get()
        return host

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """Running sum, product or maximum; CuPy lacks the maximum, which is merged over spans of doubling length."""
        if name != "maximum":
            return super().accumulate(name, array, axis)
        result = self.copy(array)
        along, span = self.namespace.moveaxis(result, axis, 0), 1
        while span < len(along):
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
