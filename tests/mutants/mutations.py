"""All mutants of a file: the positions where an operator of Cosmic Ray applies, without those that cannot change a number."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

from mutants.areas import OPERATORS, PACKAGE, TEXT_CALLS, TEXT_METHODS

Span = tuple[tuple[int, int], tuple[int, int]]


class Mutant(NamedTuple):
    """One change of one file."""

    path: Path
    operator: str
    occurrence: int
    line: int

    def source(self) -> str | None:
        """The text of the changed file; None if it is no Python or the same code."""
        text = self.path.read_text(encoding="utf-8")
        changed = mutate_code(text, get_operator(self.operator)(), self.occurrence)
        try:
            same = changed is None or ast.dump(ast.parse(changed)) == ast.dump(ast.parse(text))
        except SyntaxError:
            return None
        return None if same else changed

    def __str__(self) -> str:
        """The place, the operator, and the line before and after."""
        before = self.path.read_text(encoding="utf-8").splitlines()
        after = (self.source() or "").splitlines()
        lines = [f"-{old.strip()}  +{new.strip()}" for old, new in zip(before, after, strict=False) if old != new]
        change = self.operator.removeprefix("core/Replace")
        return f"{self.path.relative_to(PACKAGE)}:{self.line} {change} {' | '.join(lines)}"


def mutants(path: Path) -> Iterator[Mutant]:
    """The mutants of a file that can change a number."""
    text = path.read_text(encoding="utf-8")
    spans, lines = list(left_out(text)), text.splitlines()
    nodes = list(ast_nodes(get_ast(text)))
    for name in OPERATORS:
        operator = get_operator(name)()
        starts = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, start in enumerate(starts):
            if lines[start[0] - 1].startswith("*,", start[1]):  # keyword-only arguments, no product
                continue
            if not any(first <= start < last for first, last in spans):
                yield Mutant(path, name, occurrence, start[0])


def left_out(text: str) -> Iterator[Span]:
    """Annotations, type aliases, decorators, texts for people, and what is raised."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        for part in text_or_type(node):
            yield (
                (part.lineno, column(lines[part.lineno - 1], part.col_offset)),
                (part.end_lineno, column(lines[part.end_lineno - 1], part.end_col_offset)),
            )


def text_or_type(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that no mutant changes."""
    match node:
        case ast.FunctionDef():
            yield from node.decorator_list
            if node.returns is not None:
                yield node.returns
            if node.name in TEXT_METHODS or (node.returns and ast.unparse(node.returns) in {"str", "Phrase"}):
                yield node
        case ast.ClassDef():
            yield from node.decorator_list
        case ast.arg(annotation=ast.AST()):
            yield node.annotation
        case ast.AnnAssign():
            yield node if "TypeAlias" in ast.unparse(node.annotation) else node.annotation
        case ast.Raise() | ast.Assert() | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            yield node
        case ast.Call(func=ast.Name(id=name)) if name in TEXT_CALLS or name.endswith("Error"):
            yield node
        case ast.Module():
            yield from (line for line in node.body if isinstance(line, ast.Assign) and is_union(line.value))


def is_union(node: ast.AST) -> bool:
    """Whether an expression only joins names, as types and sets of laws do."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)


def column(line: str, offset: int) -> int:
    """From an offset in bytes to one in characters."""
    return len(line.encode()[:offset].decode())
