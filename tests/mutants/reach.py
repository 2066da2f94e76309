"""Which lines a test has to execute to notice a change of a line: those of its statement, or where what it defines is used."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from mutants.areas import PACKAGE

Line = tuple[str, int]
"""A file and the number of a line."""
ANY = 0
"""Stands for any line of a file."""


def lines_of_statement(path: Path, line: int) -> set[Line]:
    """The lines of the innermost statement around a line; of a compound statement, those before its body."""
    return {(str(path), number) for number in header(innermost(path, line))}


def lines_of_use(path: Path, line: int) -> list[set[Line]]:
    """Where tests notice a change that takes effect on import.

    That is the body of a function whose default changed, or the lines with a name that the statement assigns;
    failing these, any line of the file.
    """
    node = innermost(path, line)
    if isinstance(node, ast.FunctionDef):
        used = {(str(path), number) for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    else:
        used = {place for name in assigned(node) for place in places_of_names()[name]}
    return [used, {(str(path), ANY)}]


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
def places_of_names() -> dict[str, set[Line]]:
    """The lines of the library in which each name stands."""
    places: dict[str, set[Line]] = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name | ast.Attribute):
                places[node.id if isinstance(node, ast.Name) else node.attr].add((str(path), node.lineno))
    return places
