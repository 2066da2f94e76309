"""Formulas: the LaTeX of the metrics, parsed once and written as one line of text or as MathML."""

from __future__ import annotations

import re
from typing import NamedTuple

from rankgauge.rendering.element import Element
from rankgauge.rendering.formula_words import CHINESE, chinese
from rankgauge.rendering.language import Phrase

LARGE = {r"\sum": "∑", r"\prod": "∏", r"\bigcup": "⋃"}
FUNCTIONS = {r"\max": "max", r"\min": "min", r"\ln": "ln", r"\exp": "exp", r"\log": "log"}
LETTERS = {
    r"\alpha": "α", r"\beta": "β", r"\gamma": "γ", r"\delta": "δ", r"\epsilon": "ε", r"\theta": "θ", r"\lambda": "λ",
    r"\pi": "π", r"\rho": "ρ", r"\sigma": "σ", r"\tau": "τ", r"\phi": "φ", r"\Phi": "Φ",
}  # fmt: skip
OPERATORS = {
    r"\le": "≤", r"\ge": "≥", r"\neq": "≠", r"\in": "∈", r"\notin": "∉", r"\cap": "∩", r"\cup": "∪", r"\setminus": "∖",
    r"\dots": "…", r"\cdot": "·", r"\times": "×", r"\to": "→", r"\infty": "∞", r"\mid": "|", r"\{": "{", r"\}": "}",
    r"\#": "#", r"\_": "_", r"\lfloor": "⌊", r"\rfloor": "⌋", r"\lceil": "⌈", r"\rceil": "⌉",
}  # fmt: skip
SPACES = {r"\,": "0.17em", r"\;": "0.28em", r"\quad": "1em", r"\qquad": "2em"}
SYMBOLS = LARGE | FUNCTIONS | LETTERS | OPERATORS
SIZES = {r"\Big", r"\big", r"\left", r"\right"}
BRACKETS = {*"()[]|", r"\{", r"\}", r"\mid", r"\lfloor", r"\rfloor", r"\lceil", r"\rceil"}
"""What grows to the height of its row in MathML unless it is told not to, and in LaTeX only after a size."""
PLAIN = {"∑": "Σ", "∏": "Π", "⋃": "∪"}
"""Letters that every terminal has, in place of the large signs."""
APPLIED = {r"\frac": ("{}/{}", "mfrac"), r"\sqrt": ("√{}", "msqrt"), r"\bar": ("mean {}", "mover")}
"""Commands with arguments: the text, and the tag of MathML."""
RANGES = {*LARGE, r"\max", r"\min"}
"""What in a line of text is followed by the range in brackets."""
_TOKEN = re.compile(r"\\text\{[^}]*\}|\\[A-Za-z]+|\\.|[A-Za-z]+|\d+(?:\.\d+)?|\s+|.")
BETWEEN_SIGNS = re.compile("(?<![a-z\u4e00-\u9fff ]) +| +(?![a-z\u4e00-\u9fff ])| (?= )")
"""Spaces other than those between two words."""
_SIMPLE = re.compile(r"[\w@*.|]+(\([^()]*\))?|\([^()]*\)")


class Symbol(NamedTuple):
    """A letter, word, number, operator, command or space, as it is written in LaTeX."""

    sign: str
    grows: bool = False
    """Whether it is a bracket after a command such as ``\\left``."""


class Text(NamedTuple):
    """Words inside a formula."""

    words: str


class Row(NamedTuple):
    """Nodes next to each other."""

    nodes: tuple[Node, ...]


class Applied(NamedTuple):
    r"""A command with its arguments: ``\frac``, ``\sqrt`` or ``\bar``."""

    command: str
    arguments: tuple[Node, ...]


class Scripted(NamedTuple):
    """A node with a subscript, a superscript or both."""

    base: Node
    below: Node | None
    above: Node | None


Node = Symbol | Text | Row | Applied | Scripted


def parse(latex: str) -> Row:
    r"""Return the tree of a formula; commands that are not known stay symbols.

    >>> parse(r"x_i")
    Row(nodes=(Scripted(base=Symbol(sign='x', grows=False), below=Symbol(sign='i', grows=False), above=None),))
    """
    return _parse_row(_TOKEN.findall(latex)[::-1])


def _parse_row(signs: list[str]) -> Row:
    """Take signs from the end of the reversed list, up to the brace that closes the row."""
    nodes: list[Node] = []
    while signs and signs[-1] != "}":
        nodes.append(_parse_node(signs))
    if signs:
        signs.pop()
    return Row(tuple(nodes))


def _parse_node(signs: list[str]) -> Node:
    base, scripts = _parse_atom(signs), dict[str, Node]()
    while signs and signs[-1] in {"_", "^"}:
        mark = signs.pop()
        scripts[mark] = _parse_argument(signs)
    return Scripted(base, scripts.get("_"), scripts.get("^")) if scripts else base


def _parse_atom(signs: list[str]) -> Node:
    sign = signs.pop()
    if sign in SIZES and signs:
        return Symbol(signs.pop(), grows=True)
    if sign == "{":
        return _parse_row(signs)
    if sign.startswith(r"\text{"):
        return Text(sign.removeprefix(r"\text{").removesuffix("}"))
    if sign in APPLIED:
        return Applied(sign, tuple(_parse_argument(signs) for _ in range(APPLIED[sign][0].count("{}"))))
    return Symbol(sign)


def _parse_argument(signs: list[str]) -> Node:
    while signs and signs[-1].isspace():
        signs.pop()
    return _parse_atom(signs) if signs else Row(())


def to_text(latex: str) -> str:
    r"""Return the formula in one line, with sums as ``Σ[from..to]`` and fractions with a stroke.

    >>> to_text(r"P@k = \frac{1}{k} \sum_{i=1}^{k} rel_i")
    'P@k = 1/k Σ[i=1..k] rel_i'
    >>> to_text(r"\frac{a + b}{2^{i-1}}")
    '(a + b)/(2^(i-1))'
    """
    text = re.sub(" +", " ", _text(parse(latex)))
    return re.sub(r"(?<=\() +| +(?=\))", "", text).strip()


def _text(node: Node) -> str:
    match node:
        case Text(words):
            return words
        case Row(nodes):
            return "".join(map(_text, nodes))
        case Applied(command, arguments):
            return APPLIED[command][0].format(*map(_wrapped, arguments))
        case Scripted(Symbol(sign), below, above) if sign in RANGES:
            low, high = ("" if script is None else BETWEEN_SIGNS.sub("", _text(script)) for script in (below, above))
            return _text(Symbol(sign)) + (f"[{low}..{high}]" if high else f"[{low}]")
        case Scripted(base, below, above):
            low = "" if below is None else f"_{_wrapped(below)}"
            high = "" if above is None else _wrapped(above)
            return _text(base) + low + (high if high in {"", "*"} else f"^{high}")
        case Symbol(sign):
            symbol = SYMBOLS.get(sign, " " * (sign in SPACES) or sign)
            return PLAIN.get(symbol, symbol.removeprefix("\\"))


def _wrapped(node: Node) -> str:
    text = _text(node).strip()
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def to_mathml(latex: str) -> Element:
    """Return the formula as MathML, to be shown on a line of its own.

    >>> to_mathml("R_i").markup()
    '<math display="block"><msub><mi>R</mi><mi>i</mi></msub></math>'
    """
    return Element("math", *map(_mathml, _visible(parse(latex))), display="block")


def _visible(row: Row) -> list[Node]:
    return [node for node in row.nodes if not (isinstance(node, Symbol) and node.sign.isspace())]


def _mathml(node: Node) -> Element:
    match node:
        case Text(words):
            before, after = (Element("mspace", width="0.33em") if words[end] == " " else None for end in (0, -1))
            found = words.strip()  # spaces at the ends collapse
            text = Phrase(found, chinese(found)) if found in CHINESE else found
            return Element("mrow", before, Element("mtext", text), after)
        case Row():
            return Element("mrow", *map(_mathml, _visible(node)))
        case Applied(r"\bar", arguments):
            return Element("mover", *map(_mathml, arguments), Element("mo", "¯"), accent="true")
        case Applied(command, arguments):
            return Element(APPLIED[command][1], *map(_mathml, arguments))
        case Scripted(base, below, above):
            limits = isinstance(base, Symbol) and (base.sign in LARGE or base.sign in FUNCTIONS)
            under, over = ("under", "over") if limits else ("sub", "sup")
            tag = f"m{under if below is not None else ''}{over if above is not None else ''}"
            return Element(tag, *(_mathml(part) for part in (base, below, above) if part is not None))
        case Symbol(sign, grows):
            return _mathml_symbol(sign, grows=grows)


def _mathml_symbol(sign: str, *, grows: bool) -> Element:
    if sign in SPACES:
        return Element("mspace", width=SPACES[sign])
    symbol = SYMBOLS.get(sign, sign)
    if sign in FUNCTIONS or sign in LETTERS or sign.isalpha():
        return Element("mi", symbol)
    if sign[0].isdigit():
        return Element("mn", sign)
    tight = "0" if sign == "@" else None
    stretchy = "false" if sign in BRACKETS and not grows else None
    return Element("mo", "−" if sign == "-" else symbol, stretchy=stretchy, lspace=tight, rspace=tight)
