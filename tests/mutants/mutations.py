"""All mutants of a file: the positions where an operator of Cosmic Ray applies, without those that cannot change a number."""

from __future__ import annotations

import ast
import copy
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.plugins import get_operator

from mutants.areas import OPERATORS, PACKAGE, TEXT_CALLS, TEXT_METHODS, TEXT_NAMES

Span = tuple[tuple[int, int], tuple[int, int]]


class Mutant(NamedTuple):
    """One change of one file."""

    path: Path
    line: int
    operator: str
    source: str
    """The text of the changed file."""

    @property
    def key(self) -> tuple[str, str, str]:
        """The file, the changed line and what it becomes."""
        before = self.path.read_text(encoding="utf-8").splitlines()
        changed = [pair for pair in zip(before, self.source.splitlines(), strict=False) if pair[0] != pair[1]]
        old, new = (" ".join(" ".join(side).split()) for side in zip(*changed, strict=True))
        return str(self.path.relative_to(PACKAGE)), old, new

    def __str__(self) -> str:
        """The place and the line before and after."""
        file, old, new = self.key
        return f"{file}:{self.line} {self.operator.removeprefix('core/')}  - {old}  + {new}"

    def is_code(self) -> bool:
        """Whether the change can be compiled, and is one."""
        try:
            return ast.dump(ast.parse(self.source)) != syntax_tree(self.path)
        except SyntaxError:
            return False


@functools.cache
def syntax_tree(path: Path) -> str:
    """The syntax tree of a file, as text."""
    return ast.dump(ast.parse(path.read_text(encoding="utf-8")))


def mutants(path: Path) -> Iterator[Mutant]:
    """The mutants of a file that can change a number."""
    text = path.read_text(encoding="utf-8")
    spans, lines = list(left_out(text)), text.splitlines(keepends=True)
    nodes = list(ast_nodes(get_ast(text)))
    for name in OPERATORS:
        operator = get_operator(name)()
        for node in nodes:
            for index, (start, _) in enumerate(operator.mutation_positions(node)):
                if lines[start[0] - 1].startswith("*,", start[1]):  # keyword-only arguments, no product
                    continue
                if not any(first <= start < last for first, last in spans):
                    changed = operator.mutate(copy.deepcopy(node, {id(node.parent): node.parent}), index).get_code()
                    first = up_to(lines, node.get_start_pos_of_prefix())
                    yield Mutant(path, start[0], name, first + changed + text[len(up_to(lines, node.end_pos)) :])


def up_to(lines: list[str], position: tuple[int, int]) -> str:
    """The text before a position: a line from 1 and a column from 0."""
    line, column = position
    return "".join(lines[: line - 1]) + lines[line - 1][:column] if line <= len(lines) else "".join(lines)


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
        case ast.FunctionDef() | ast.ClassDef():
            yield from node.decorator_list
            returns = getattr(node, "returns", None)
            yield from filter(None, [returns])
            if node.name in TEXT_METHODS or (returns and ast.unparse(returns) in {"str", "Phrase"}):
                yield node
        case ast.arg(annotation=ast.AST()):
            yield node.annotation
        case ast.Assign(targets=[target]) if {*names(target)} <= TEXT_NAMES:
            yield node
        case ast.AnnAssign():
            yield node if "TypeAlias" in ast.unparse(node.annotation) else node.annotation
        case ast.Raise() | ast.Assert() | ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.keyword(arg="strict"):
            yield node
        case ast.Call(func=ast.Name(id=name)) if name in TEXT_CALLS or name.endswith("Error"):
            yield node
        case ast.Module():
            yield from (line for line in node.body if isinstance(line, ast.Assign) and is_union(line.value))


def names(target: ast.expr) -> Iterator[str]:
    """The names, or the ends of names with dots, to which a value is assigned."""
    for part in target.elts if isinstance(target, ast.Tuple) else [target]:
        yield ast.unparse(part)


def is_union(node: ast.AST) -> bool:
    """Whether an expression only joins names, as types and sets of laws do."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)


def column(line: str, offset: int) -> int:
    """From an offset in bytes to one in characters."""
    return len(line.encode()[:offset].decode())
