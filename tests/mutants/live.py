"""Apply a mutant to the functions of a running process, which saves importing and collecting for every mutant."""

from __future__ import annotations

import functools
import gc
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

Place = tuple[str, str, int]
"""File, qualified name and first line of a function."""


def place(code: CodeType) -> Place:
    """Where a code object was defined."""
    return code.co_filename, code.co_qualname, code.co_firstlineno


def changed_functions(path: Path, source: str) -> dict[Place, CodeType] | None:
    """The functions that a mutant changes; None if it changes what runs on import."""
    before = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    after = compile(source, str(path), "exec")
    changed = list(pairs(before, after))
    if any(code.co_name == "<module>" or not code.co_flags & 2 for code in changed):
        return None
    return {place(code): code for code in changed}


def pairs(before: CodeType, after: CodeType) -> Iterator[CodeType]:
    """The changed code objects, at every depth; those around them only if they changed in themselves or are functions."""
    inner = [constant for constant in after.co_consts if isinstance(constant, CodeType)]
    outer = [constant for constant in before.co_consts if isinstance(constant, CodeType)]
    is_function = bool(after.co_flags & 2)  # CO_NEWLOCALS
    alike = before.co_code == after.co_code and plain(before) == plain(after) and before.co_names == after.co_names
    if not alike or len(inner) != len(outer) or (is_function and before != after):
        yield after
    for old, new in zip(outer, inner, strict=False):
        if old != new:
            yield from pairs(old, new)


def plain(code: CodeType) -> list[str]:
    """The constants of a code object that are no code objects, with their types."""
    return [repr(constant) for constant in code.co_consts if not isinstance(constant, CodeType)]


def apply(changed: dict[Place, CodeType]) -> int:
    """Replace the code of the living functions, and empty all caches; return how many functions were changed."""
    number = 0
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and (new := changed.get(place(thing.__code__))):
            thing.__code__ = new
            number += 1
        elif isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()
    return number
