"""Names of functions that users pass as rules: two functions that may differ never have the same name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

DIGITS = 8
"""Hexadecimal digits of the digest."""
MAX_DEPTH = 8
"""Depth to which values that a function uses are followed."""


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function for messages."""
    return getattr(function, "__name__", type(function).__name__).strip("<>")


def distinct_name(function: Callable[..., Any]) -> str:
    """Return the name of a function with a digest of its code and of the values that it uses.

    The code is that of this version of Python; another version may give another digest for the same source.

    >>> doubled, tripled = (lambda grade, by=by: by * grade for by in (2, 3))
    >>> name_of(doubled), distinct_name(doubled) == distinct_name(tripled)
    ('lambda', False)
    """
    from hashlib import sha256  # noqa: PLC0415 (few definitions have functions)

    digest = sha256()
    for part in _parts(function, MAX_DEPTH):
        digest.update(len(part).to_bytes(8, "little") + part)
    return f"{name_of(function)}#{digest.hexdigest()[:DIGITS]}"


def _parts(value: object, depth: int) -> Iterator[bytes]:
    """Yield bytes that distinguish a value: the code of functions, their constants and what they refer to."""
    yield type(value).__qualname__.encode()
    held = _held(value) if depth else None
    if held is not None:
        yield str(len(held)).encode()
        for inner in held:
            yield from _parts(inner, depth - 1)
    elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
        yield f"{value.dtype} {value.shape}".encode() + value.tobytes()
    elif isinstance(value, FunctionType | ModuleType | bytes):
        yield value if isinstance(value, bytes) else value.__name__.encode()
    else:
        yield repr(value).encode()  # numbers and texts; an object without a repr of its own differs from every other


def _held(value: object) -> Sequence[object] | None:
    """Return the values that a value consists of; None if it has no parts."""
    match value:
        case FunctionType():
            names = [(name, value.__globals__.get(name)) for name in sorted({*_names(value.__code__)})]
            cells = [cell.cell_contents for cell in value.__closure__ or () if _is_filled(cell)]
            return value.__code__, value.__defaults__, value.__kwdefaults__, cells, names
        case CodeType():
            return value.co_code, value.co_consts, value.co_names, value.co_varnames
        case MethodType():
            return value.__func__, value.__self__
        case partial():
            return value.func, value.args, value.keywords
        case set() | frozenset():
            return sorted(map(repr, value))
        case Mapping():
            return [*value.items()]
        case list() | tuple():
            return value
    return None


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names that a function and the functions inside it refer to."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_filled(cell: Any) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:  # a variable that has no value yet
        return False
    return True
