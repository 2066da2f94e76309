"""Which lines a test has to execute to notice a change of a line: those of its statement, or where what it defines is used."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from mutants.areas import AREAS, files

FILES = sorted({str(path) for area in AREAS for path in files(area)})
"""The files whose lines are recorded."""
MOST_LINES = 1_000
"""No file has as many lines."""
ANY = 0
"""Stands for any line of a file."""


def number_of(file: str, line: int) -> int:
    """A number for a line of one of the files."""
    return places_of_files()[file] * MOST_LINES + line


@functools.cache
def places_of_files() -> dict[str, int]:
    """The place of every file among those that are recorded."""
    return {file: place for place, file in enumerate(FILES)}


def lines_of_statement(path: Path, line: int) -> set[int]:
    """The lines of the innermost statement around a line; of a compound statement, those before its body."""
    return {number_of(str(path), number) for number in header(innermost(path, line))}


def lines_of_file(path: Path) -> set[int]:
    """The mark of any line of a file."""
    return {number_of(str(path), ANY)}


def lines_of_use(path: Path, line: int) -> list[set[int]]:
    """Where tests notice a change that takes effect on import.

    That is the body of a function whose default changed, or the lines with a name that the statement assigns;
    failing these, any line of the file.
    """
    node = innermost(path, line)
    if isinstance(node, ast.FunctionDef):
        used = {number_of(str(path), number) for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    else:
        used = {place for name in assigned(node) for place in places_of_names()[name]}
    return [used, lines_of_file(path)]


@functools.cache
def statements(path: Path) -> list[ast.stmt]:
    """The statements of a file, outer ones first."""
    return [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.stmt)]


def innermost(path: Path, line: int) -> ast.stmt:
    """The smallest statement that contains a line."""
    around = [node for node in statements(path) if node.lineno <= line <= (node.end_lineno or node.lineno)]
    return min(around, key=lambda node: (node.end_lineno or node.lineno) - node.lineno)


def header(node: ast.stmt) -> range:
    """The lines of a statement without those of its body."""
    body = [*getattr(node, "body", []), *getattr(node, "cases", [])]
    first = min((getattr(part, "lineno", None) or part.pattern.lineno for part in body), default=None)
    return range(node.lineno, max(first, node.lineno + 1) if first else (node.end_lineno or node.lineno) + 1)


def assigned(node: ast.stmt) -> Iterator[str]:
    """The names that a statement assigns."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return (part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))


@functools.cache
def places_of_names() -> dict[str, set[int]]:
    """The lines in which each name stands."""
    places: dict[str, set[int]] = defaultdict(set)
    for file in FILES:
        for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name | ast.Attribute):
                places[node.id if isinstance(node, ast.Name) else node.attr].add(number_of(file, node.lineno))
    return places
