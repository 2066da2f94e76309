"""Array libraries other than NumPy: the operations in which they differ, for JAX and CuPy."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
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

    def full(self, shape: Any, value: Any, dtype: np.dtype[Any]) -> Any:
        """Create an array of one value."""
        return self.namespace.full(shape, value, dtype=self.native_dtype(dtype), device=self.device)

    def scalar(self, value: Any, dtype: np.dtype[Any]) -> Any:
        """A Python number as an operand."""
        return self.full((), value, dtype)

    def arange(self, ends: Sequence[Any], dtype: np.dtype[Any]) -> Any:
        """Create evenly spaced numbers."""
        return self.namespace.arange(*ends, dtype=self.native_dtype(dtype), device=self.device)

    def copy(self, array: Any) -> Any:
        """Copy an array."""
        return self.namespace.asarray(array, copy=True)

    # Functions

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

    def concatenate(self, arrays: Sequence[Any], axis: int) -> Any:
        """Concatenate arrays."""
        return self.namespace.concat(self._promote(arrays), axis=axis)

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """Running sum, product or maximum."""
        function = {"add": "cumsum", "multiply": "cumprod"}[name]
        return getattr(self.namespace, function)(array, axis=axis)

    def bincount(self, places: Any, weights: Any, length: int) -> Any:
        """Number of occurrences of each place, or the sum of their weights."""
        return self.namespace.bincount(places, weights=weights, minlength=length)

    def take_along_axis(self, array: Any, places: Any, axis: int) -> Any:
        """Take elements along an axis."""
        return self.namespace.take_along_axis(array, places, axis=axis)

    def repeat(self, array: Any, times: Any) -> Any:
        """Repeat each element."""
        return self.namespace.repeat(array, times)

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

    def from_host(self, array: np.ndarray[Any, Any]) -> Any:
        """Copy to the device."""
        return self.namespace.asarray(array)

    def full(self, shape: Any, value: Any, dtype: np.dtype[Any]) -> Any:
        """Create an array of one value."""
        return self.namespace.full(shape, value, dtype=dtype)

    def arange(self, ends: Sequence[Any], dtype: np.dtype[Any]) -> Any:
        """Create evenly spaced numbers."""
        return self.namespace.arange(*ends, dtype=dtype)

    def astype(self, array: Any, dtype: np.dtype[Any]) -> Any:
        """Convert to a dtype."""
        return array.astype(dtype)

    def copy(self, array: Any) -> Any:
        """Return the array: JAX never modifies one in place."""
        return array

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """Running sum, product or maximum."""
        import jax  # noqa: PLC0415

        if name == "maximum":
            return jax.lax.cummax(array, axis % array.ndim)
        return super().accumulate(name, array, axis)

    def bincount(self, places: Any, weights: Any, length: int) -> Any:
        """Number of occurrences of each place, or the sum of their weights."""
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
            return super().repeat(array, times)
        ends = self.namespace.cumsum(times)
        places = self.arange([int(ends[-1]) if len(ends) else 0], np.dtype(np.int64))
        return array[self.namespace.searchsorted(ends, places, side="right")]
