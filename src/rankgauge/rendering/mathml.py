"""Formulas of the metrics as MathML, which every browser draws without help.

It reads the part of LaTeX that the docstrings of the metrics use; anything else stands there as it was written.
"""

from __future__ import annotations

import re

from rankgauge.rendering.svg import Element

SIGN_PATTERN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]+|\d+(?:\.\d+)?|\s+|.")
LARGE = {r"\sum": "∑", r"\prod": "∏", r"\bigcup": "⋃"}
NAMED = {r"\max": "max", r"\min": "min", r"\ln": "ln", r"\exp": "exp", r"\log": "log"}
LETTERS = {r"\beta": "β", r"\epsilon": "ε", r"\pi": "π", r"\alpha": "α", r"\phi": "φ", r"\Phi": "Φ"}
SIGNS = {
    r"\le": "≤", r"\ge": "≥", r"\in": "∈", r"\dots": "…", r"\{": "{", r"\}": "}", r"\#": "#", r"\cdot": "·",
    r"\times": "×", r"\lfloor": "⌊", r"\rfloor": "⌋", r"\lceil": "⌈", r"\rceil": "⌉", "-": "−",
    r"\cap": "∩", r"\setminus": "∖", r"\notin": "∉",
}  # fmt: skip
SPACES = {r"\,": "0.17em", r"\qquad": "2em", r"\quad": "1em", r"\;": "0.28em"}
BUILT = {r"\frac", r"\sqrt", r"\bar"}
IGNORED = {r"\Big", r"\big", r"\left", r"\right"}


def mathml(latex: str) -> Element:
    """A formula to be drawn on a line of its own.

    >>> mathml("R_i").markup()
    '<math display="block"><msub><mi>R</mi><mi>i</mi></msub></math>'
    """
    return Element("math", *_Reader(latex).row(), display="block")


class _Reader:
    def __init__(self, latex: str) -> None:
        self._parts = [sign for sign in SIGN_PATTERN.findall(latex) if not sign.isspace() and sign not in IGNORED]
        self._at = 0

    def row(self, end: str = "") -> list[Element]:
        """What stands up to the end of the group."""
        made = []
        while self._at < len(self._parts) and self._parts[self._at] != end:
            made.append(self._with_scripts())
        self._at += 1
        return made

    def _with_scripts(self) -> Element:
        sign = self._parts[self._at]
        base, scripts = self._atom(), {}
        while self._at < len(self._parts) and self._parts[self._at] in "_^":
            mark = self._parts[self._at]
            self._at += 1
            scripts[mark] = self._atom()
        if not scripts:
            return base
        limits = sign in LARGE or sign in NAMED
        tags = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
        tag = tags[2] if len(scripts) == 2 else tags[0] if "_" in scripts else tags[1]  # noqa: PLR2004
        return Element(tag, base, *(scripts[mark] for mark in "_^" if mark in scripts))

    def _built(self, sign: str) -> Element:
        """What is made of the atoms that follow."""
        first = self._atom()
        if sign == r"\frac":
            return Element("mfrac", first, self._atom())
        if sign == r"\sqrt":
            return Element("msqrt", first)
        return Element("mover", first, Element("mo", "¯"), accent="true")

    def _atom(self) -> Element:
        sign = self._parts[self._at]
        self._at += 1
        if sign == "{":
            return Element("mrow", *self.row("}"))
        if sign in BUILT:
            return self._built(sign)
        if sign == r"\text":
            self._at += 1
            inner = self.row("}")
            return Element("mtext", " ".join(["", *("".join(map(str, one.children)) for one in inner), ""]))
        if sign in SPACES:
            return Element("mspace", width=SPACES[sign])
        if sign in LARGE:
            return Element("mo", LARGE[sign])
        if sign in NAMED or sign.isalpha():
            return Element("mi", NAMED.get(sign, sign))
        if sign in LETTERS:
            return Element("mi", LETTERS[sign])
        if sign[0].isdigit():
            return Element("mn", sign)
        tight = "0" if sign == "@" else None
        return Element("mo", SIGNS.get(sign, sign), lspace=tight, rspace=tight)
