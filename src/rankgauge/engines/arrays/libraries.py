"""torch, JAX and CuPy: the handful of things in which they differ."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

ELEMENTWISE = {"true_divide": "divide", "power": "pow", "absolute": "abs"}
"""NumPy's names of functions that the array API calls otherwise."""
OF_TORCH = {"equal": "eq", "power": "pow", "invert": "bitwise_not"}
"""NumPy's names of functions that torch calls otherwise."""
OF_FLOATS = {
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
"""Functions that NumPy takes of whole numbers as well."""
COUNTING = {"add", "subtract", "multiply", "minimum", "maximum", "negative"}
"""Functions for which NumPy takes true and false as 1 and 0."""


class Library:
    """One library of arrays: how it names and does what rules and kernels need."""

    def __init__(self, namespace: Any, device: Any) -> None:
        self.namespace = namespace
        self.device = device

    # To and fro

    def own(self, value: Any) -> Any:
        """A value as an array of this library on the device, or as a number."""
        if hasattr(value, "library"):
            return value.array
        if isinstance(value, np.ndarray | list | tuple):
            return self.from_host(np.asarray(value))
        if isinstance(value, float):  # also of a kind of its own, as of a threshold
            return float(value)
        return value.item() if isinstance(value, np.generic) else value

    def from_host(self, array: np.ndarray[Any, Any]) -> Any:
        """A copy on the device."""
        return self.namespace.asarray(np.ascontiguousarray(array), device=self.device)

    def to_host(self, array: Any) -> np.ndarray[Any, Any]:
        """A copy on the host."""
        return np.asarray(array)

    def kind(self, dtype: np.dtype[Any]) -> Any:
        """The name that the library has for a kind of number."""
        return getattr(self.namespace, dtype.name)

    def dtype_of(self, array: Any) -> np.dtype[Any]:
        """NumPy's name of the kind of number of an array."""
        return np.dtype(array.dtype)

    def astype(self, array: Any, dtype: np.dtype[Any]) -> Any:
        """As another kind of number."""
        return self.namespace.astype(array, self.kind(dtype), copy=False)

    def full(self, shape: Any, value: Any, dtype: np.dtype[Any]) -> Any:
        """The same value everywhere."""
        return self.namespace.full(shape, value, dtype=self.kind(dtype), device=self.device)

    def number(self, value: Any, dtype: np.dtype[Any]) -> Any:
        """A plain number as an operand."""
        return self.full((), value, dtype)

    def arange(self, ends: Sequence[Any], dtype: np.dtype[Any]) -> Any:
        """Numbers at equal steps."""
        return self.namespace.arange(*ends, dtype=self.kind(dtype), device=self.device)

    def copy(self, array: Any) -> Any:
        """The same values in an array of their own."""
        return self.namespace.asarray(array, copy=True)

    # Functions

    def elementwise(self, name: str, inputs: Sequence[Any]) -> Any:
        """A function of NumPy by its name, with its rules for booleans and plain numbers."""
        arrays = [self._arithmetic(name, value) for value in inputs]
        if name in {"invert", "bitwise_and", "bitwise_or", "bitwise_xor"}:
            return self._bits(name, arrays)
        if name == "positive":
            return arrays[0]
        if len(arrays) > 1:
            arrays = self._promoted(arrays)
        return getattr(self.namespace, ELEMENTWISE.get(name, name))(*arrays)

    def _bits(self, name: str, arrays: Sequence[Any]) -> Any:
        boolean = all(self._is_boolean(value) for value in arrays)
        prefix = "logical" if boolean else "bitwise"
        short = {"invert": "not" if boolean else "invert"}.get(name, name.removeprefix("bitwise_"))
        own = [self.number(value, np.dtype(bool)) if isinstance(value, bool) else value for value in arrays]
        return getattr(self.namespace, f"{prefix}_{short}")(*own)

    def _is_boolean(self, value: Any) -> bool:
        return isinstance(value, bool) or (hasattr(value, "dtype") and self.dtype_of(value).kind == "b")

    def _arithmetic(self, name: str, value: Any) -> Any:
        """NumPy counts with booleans, and takes the logarithm of whole numbers; others are stricter."""
        if not hasattr(value, "dtype"):
            return value
        kind = self.dtype_of(value).kind
        if name in OF_FLOATS and kind in "iub":
            return self.astype(value, np.dtype(np.float64))
        if name in COUNTING and kind == "b":
            return self.astype(value, np.dtype(np.int64))
        return value

    def _promoted(self, arrays: Sequence[Any]) -> list[Any]:
        """Both sides as arrays of one kind."""
        kinds = [self.dtype_of(value) for value in arrays if hasattr(value, "dtype")]
        plain = [value for value in arrays if not hasattr(value, "dtype")]
        widest = np.result_type(*kinds)
        if any(isinstance(value, float) for value in plain) and widest.kind in "iub":
            widest = np.dtype(np.float64)
        elif any(not isinstance(value, bool) for value in plain) and widest.kind == "b":
            widest = np.dtype(np.int64)
        return [
            self.astype(value, widest) if hasattr(value, "dtype") else self.number(value, widest) for value in arrays
        ]

    def where(self, condition: Any, first: Any, second: Any) -> Any:
        """One of two values, element by element."""
        if not hasattr(first, "dtype") and not hasattr(second, "dtype"):
            first = self.number(first, np.result_type(first, second))
        return self.namespace.where(condition, *self._promoted([first, second]))

    def concatenate(self, arrays: Sequence[Any], axis: int) -> Any:
        """One after the other."""
        return self.namespace.concat(self._promoted(arrays), axis=axis)

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """The running sum, product or maximum."""
        function = {"add": "cumsum", "multiply": "cumprod"}[name]
        return getattr(self.namespace, function)(array, axis=axis)

    def bincount(self, places: Any, weights: Any, length: int) -> Any:
        """How often each place occurs, or the sum of the weights there."""
        return self.namespace.bincount(places, weights=weights, minlength=length)

    def take_along_axis(self, array: Any, places: Any, axis: int) -> Any:
        """The elements at places along one axis."""
        return self.namespace.take_along_axis(array, places, axis=axis)

    def repeat(self, array: Any, times: Any) -> Any:
        """Each element so many times."""
        return self.namespace.repeat(array, times)

    # Places

    def index(self, key: Any) -> Any:
        """A key as the library takes it."""
        if isinstance(key, slice):
            return slice(*(None if end is None else int(end) for end in (key.start, key.stop, key.step)))
        return self.own(key)

    def take(self, array: Any, key: Any) -> Any:
        """The elements at the key."""
        return array[key]

    def put(self, array: Any, key: Any, value: Any) -> Any:
        """The array with other elements at the key."""
        array[key] = value
        return array


class NumPy(Library):
    """NumPy itself, as any other library: what the tests need no device for."""

    def __init__(self) -> None:
        from array_api_compat import numpy as namespace  # noqa: PLC0415

        super().__init__(namespace, "cpu")

    def elementwise(self, name: str, inputs: Sequence[Any]) -> Any:
        """As others do: what is masked later is computed first, without a warning."""
        with np.errstate(all="ignore"):
            return super().elementwise(name, inputs)

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """The running sum, product or maximum."""
        return getattr(np, name).accumulate(array, axis=axis)


class Torch(Library):
    """PyTorch, on any of its devices."""

    def __init__(self, device: Any = "cpu") -> None:
        from array_api_compat import torch as namespace  # noqa: PLC0415

        super().__init__(namespace, device)

    def to_host(self, array: Any) -> np.ndarray[Any, Any]:
        """A copy on the host."""
        host: np.ndarray[Any, Any] = array.detach().cpu().numpy()
        return host

    def from_host(self, array: np.ndarray[Any, Any]) -> Any:
        """A copy on the device."""
        import torch  # noqa: PLC0415

        return torch.from_numpy(np.array(array)).to(self.device)

    def dtype_of(self, array: Any) -> np.dtype[Any]:
        """NumPy's name of the kind of number of an array."""
        return _kind_of_torch(array.dtype)

    def kind(self, dtype: np.dtype[Any]) -> Any:
        """The name that the library has for a kind of number."""
        return _kind_in_torch(dtype)

    def astype(self, array: Any, dtype: np.dtype[Any]) -> Any:
        """As another kind of number; the array itself where it is of that kind."""
        return array.to(_kind_in_torch(dtype))

    def number(self, value: Any, dtype: np.dtype[Any]) -> Any:
        """A plain number as an operand: one on the host goes along with arrays on any device."""
        return _number_of_torch(value, dtype)

    def elementwise(self, name: str, inputs: Sequence[Any]) -> Any:
        """A function of NumPy by its name: torch mixes truth values, whole numbers and fractions as NumPy does."""
        arrays = [self._arithmetic(name, value) for value in inputs]
        if len(arrays) > 1 and not all(getattr(value, "dtype", None) in _mixing_kinds() for value in arrays):
            arrays = self._promoted(arrays)
        if name == "isfinite":  # in two steps, where torch takes five
            return arrays[0] - arrays[0] == 0
        return _function_of_torch(name)(*arrays)

    def bincount(self, places: Any, weights: Any, length: int) -> Any:
        """How often each place occurs, or the sum of the weights there; no place lies beyond the length."""
        import torch  # noqa: PLC0415

        if not length:
            return torch.bincount(places, weights)
        worth = torch.ones_like(places) if weights is None else weights
        return torch.zeros(length, dtype=worth.dtype, device=worth.device).scatter_add_(0, places, worth)

    def copy(self, array: Any) -> Any:
        """The same values in an array of their own."""
        return array.clone()

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """The running sum, product or maximum."""
        import torch  # noqa: PLC0415

        if name == "maximum":
            return torch.cummax(array, axis).values
        return {"add": torch.cumsum, "multiply": torch.cumprod}[name](array, axis)

    def take_along_axis(self, array: Any, places: Any, axis: int) -> Any:
        """The elements at places along one axis."""
        return array.gather(axis, places)

    def repeat(self, array: Any, times: Any) -> Any:
        """Each element so many times: looked up for each copy at once, where torch goes through the copies of one."""
        import torch  # noqa: PLC0415

        if isinstance(times, int):
            return array[:, None].expand(-1, times).reshape(-1)
        ends = torch.cumsum(times, 0)
        copies = torch.arange(int(ends[-1]) if len(ends) else 0, device=array.device)
        return array[torch.searchsorted(ends, copies, right=True)]

    def take(self, array: Any, key: Any) -> Any:
        """The elements at the key; torch does not step backwards."""
        if isinstance(key, slice) and key.step == -1:
            return array.flip(0)
        return array[key]

    def put(self, array: Any, key: Any, value: Any) -> Any:
        """The array with other elements at the key."""
        array[key] = value.to(array.dtype) if hasattr(value, "to") else value
        return array


@cache
def _mixing_kinds() -> set[Any]:
    import torch  # noqa: PLC0415

    return {torch.bool, torch.int64, torch.float64}


@cache
def _kind_of_torch(dtype: Any) -> np.dtype[Any]:
    name = str(dtype).removeprefix("torch.")
    return np.dtype(np.float16 if name == "bfloat16" else name)  # NumPy has no name for it; half as well


@cache
def _kind_in_torch(dtype: np.dtype[Any]) -> Any:
    import torch  # noqa: PLC0415

    return getattr(torch, dtype.name)


@lru_cache(1024)
def _number_of_torch(value: Any, dtype: np.dtype[Any]) -> Any:
    import torch  # noqa: PLC0415

    return torch.tensor(value, dtype=_kind_in_torch(dtype))


@cache
def _function_of_torch(name: str) -> Any:
    import torch  # noqa: PLC0415

    return getattr(torch, OF_TORCH.get(name, name))


class Jax(Library):
    """JAX, with its arrays in double precision."""

    def __init__(self, device: Any = None) -> None:
        import jax.numpy as namespace  # noqa: PLC0415

        super().__init__(namespace, device)

    def from_host(self, array: np.ndarray[Any, Any]) -> Any:
        """A copy on the device."""
        return self.namespace.asarray(array)

    def full(self, shape: Any, value: Any, dtype: np.dtype[Any]) -> Any:
        """The same value everywhere."""
        return self.namespace.full(shape, value, dtype=dtype)

    def arange(self, ends: Sequence[Any], dtype: np.dtype[Any]) -> Any:
        """Numbers at equal steps."""
        return self.namespace.arange(*ends, dtype=dtype)

    def astype(self, array: Any, dtype: np.dtype[Any]) -> Any:
        """As another kind of number."""
        return array.astype(dtype)

    def copy(self, array: Any) -> Any:
        """JAX never changes an array."""
        return array

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """The running sum, product or maximum."""
        import jax  # noqa: PLC0415

        if name == "maximum":
            return jax.lax.cummax(array, axis % array.ndim)
        return super().accumulate(name, array, axis)

    def bincount(self, places: Any, weights: Any, length: int) -> Any:
        """How often each place occurs, or the sum of the weights there."""
        found = self.namespace.bincount(places, weights=weights, length=max(length, 1))[:length]
        return found if weights is not None else found.astype(np.int64)

    def put(self, array: Any, key: Any, value: Any) -> Any:
        """The array with other elements at the key."""
        return array.at[key].set(value.astype(array.dtype) if hasattr(value, "astype") else value)


class CuPy(Library):
    """CuPy, which speaks NumPy's own language."""

    def __init__(self, device: Any = None) -> None:
        from array_api_compat import cupy as namespace  # noqa: PLC0415

        super().__init__(namespace, device)

    def to_host(self, array: Any) -> np.ndarray[Any, Any]:
        """A copy on the host."""
        host: np.ndarray[Any, Any] = array.get()
        return host

    def accumulate(self, name: str, array: Any, axis: int) -> Any:
        """The running sum, product or maximum; CuPy has no running maximum, so spans that double are joined."""
        if name != "maximum":
            return super().accumulate(name, array, axis)
        found = self.copy(array)
        along, span = self.namespace.moveaxis(found, axis, 0), 1
        while span < len(along):
            along[span:] = self.namespace.maximum(along[span:], along[:-span])
            span *= 2
        return found

    def repeat(self, array: Any, times: Any) -> Any:
        """Each element so many times; before 14.1 CuPy took no array of times."""
        if not hasattr(times, "dtype"):
            return super().repeat(array, times)
        ends = self.namespace.cumsum(times)
        places = self.arange([int(ends[-1]) if len(ends) else 0], np.dtype(np.int64))
        return array[self.namespace.searchsorted(ends, places, side="right")]
