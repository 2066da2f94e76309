"""Formulas in one line of text, for terminals that cannot draw them."""

from __future__ import annotations

import re

SIGNS = {
    r"\,": "", r"\qquad": " ", r"\Big": "", r"\{": "{", r"\}": "}", r"\#": "#", r"\le": "≤", r"\ge": "≥",
    r"\dots": "…", r"\in": "∈", r"\epsilon": "ε", r"\beta": "β", r"\pi": "π", r"\sum": "Σ", r"\prod": "Π",
    r"\text": "", r"\ln": "ln", r"\exp": "exp", r"\min": "min", r"\max": "max", r"\log": "log", r"\cdot": "·",
    r"\times": "×", r"\infty": "∞", r"\sqrt": "√", r"\left": "", r"\right": "", r"\quad": " ", r"\lambda": "λ",
    r"\alpha": "α", r"\gamma": "γ", r"\tau": "τ", r"\rho": "ρ", r"\neq": "≠", r"\mid": "|", r"\mathrm": "",
    r"\lfloor": "⌊", r"\rfloor": "⌋", r"\theta": "θ", r"\sigma": "σ", r"\delta": "δ", r"\to": "→", r"\notin": "∉",
}  # fmt: skip
RANGES = {r"\sum", r"\prod", r"\max", r"\min"}
_SIGN = re.compile(r"\\[A-Za-z]+|\\.|[{}_^]|[^\\{}_^]")
_SIMPLE = re.compile(r"[\w@*.|]+(\([^()]*\))?|\([^()]*\)")


def in_one_line(latex: str) -> str:
    r"""The formula with ordinary signs, sums as ``Σ[from..to]`` and fractions with a stroke.

    >>> in_one_line(r"P@k = \frac{1}{k} \sum_{i=1}^{k} rel_i")
    'P@k = 1/k Σ[i=1..k] rel_i'
    >>> in_one_line(r"\frac{a + b}{2^{i-1}}")
    '(a + b)/(2^(i-1))'
    """
    text, _ = _row(_SIGN.findall(latex), 0)
    return re.sub(r"(?<=\() +| +(?=\))", "", re.sub(" +", " ", text)).strip()


def _row(tokens: list[str], at: int) -> tuple[str, int]:
    """The text of tokens up to the brace that closes them."""
    parts: list[str] = []
    while at < len(tokens) and tokens[at] != "}":
        sign, at = tokens[at], at + 1
        if sign == r"\frac":
            above, at = _argument(tokens, at)
            below, at = _argument(tokens, at)
            parts.append(f"{_wrapped(above)}/{_wrapped(below)}")
        elif sign in RANGES:
            text, at = _range(sign, tokens, at)
            parts.append(text)
        elif sign == "{":
            text, at = _row(tokens, at)
            at += 1
            parts.append(text)
        elif sign in {"_", "^"}:
            text, at = _argument(tokens, at)
            parts.append(text if sign == "^" and text == "*" else sign + _wrapped(text))
        else:
            parts.append(SIGNS.get(sign, sign.removeprefix("\\")))
    return "".join(parts), at


def _range(sign: str, tokens: list[str], at: int) -> tuple[str, int]:
    """A sum, product or extreme with what it runs over."""
    low = high = ""
    while at < len(tokens) and tokens[at] in {"_", "^"}:
        below = tokens[at] == "_"
        bound, at = _argument(tokens, at + 1)
        low, high = (bound, high) if below else (low, bound)
    over = f"[{low}..{high}]" if high else f"[{low}]" if low else ""
    return SIGNS[sign] + over.replace(" ", ""), at


def _argument(tokens: list[str], at: int) -> tuple[str, int]:
    """What a sign is applied to: a group in braces, or the next sign."""
    while at < len(tokens) and tokens[at] == " ":
        at += 1
    if at < len(tokens) and tokens[at] == "{":
        text, at = _row(tokens, at + 1)
        return text.strip(), at + 1
    sign = tokens[at] if at < len(tokens) else ""
    return SIGNS.get(sign, sign), at + 1


def _wrapped(text: str) -> str:
    return text if _SIMPLE.fullmatch(text) else f"({text})"
