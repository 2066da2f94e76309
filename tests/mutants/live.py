"""Apply a mutant to the functions of a running process, which saves importing and collecting for every mutant."""

from __future__ import annotations

import functools
import gc
from collections import defaultdict
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
    before = original_code(path)
    after = compile(source, str(path), "exec")
    changed = list(pairs(before, after))
    if any(code.co_name == "<module>" or not code.co_flags & 2 for code in changed):
        return None
    return {place(code): code for code in changed}


def unchanged_functions(changed: dict[Place, CodeType]) -> dict[Place, CodeType]:
    """The same functions, compiled from the files as they are."""
    return {
        place(code): code
        for path, *_ in changed
        for code in functions_in(original_code(Path(path)))
        if place(code) in changed
    }


def functions_in(code: CodeType) -> Iterator[CodeType]:
    """The code objects within one, at every depth."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from functions_in(constant)


@functools.cache
def original_code(path: Path) -> CodeType:
    """The code of a file without a mutant."""
    return compile(path.read_text(encoding="utf-8"), str(path), "exec")


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


class LiveFunctions:
    """The functions and caches of the library in this process."""

    def __init__(self) -> None:
        self.functions: dict[Place, list[FunctionType]] = defaultdict(list)
        self.caches: list[functools._lru_cache_wrapper] = []
        for thing in gc.get_objects():
            if type(thing) is FunctionType:  # isinstance asks proxies for their class, which may warn
                self.functions[place(thing.__code__)].append(thing)
            elif type(thing) is functools._lru_cache_wrapper and thing.__module__.startswith("rankgauge"):
                self.caches.append(thing)

    def clear_caches(self) -> None:
        """Empty all caches."""
        for cache in self.caches:
            cache.cache_clear()

    def apply(self, changed: dict[Place, CodeType]) -> None:
        """Replace the code of functions, and empty all caches."""
        self.clear_caches()
        for where, code in changed.items():
            for function in self.functions[where]:
                function.__code__ = code
