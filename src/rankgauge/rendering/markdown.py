"""Documents as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rankgauge.rendering.document import Block, Formula, Heading, Paragraph, ShellCommand, Table, Value
from rankgauge.rendering.text import neutral

SPECIAL = re.compile(r"([\\`*_\[\]<>|~$])")
_SENTENCE = re.compile(r"(?<=\.) .*|(?<=。).*", re.DOTALL)
"""All sentences of a caption but the first."""
RULE = {"l": ":---", "r": "---:"}


def render(block: Block, level: int) -> str:
    """Return a block; ``level`` is the depth of the top heading."""
    match block:
        case Heading(text, depth):
            return f"{'#' * (level + depth - 1)} {escaped(text)}"
        case ShellCommand(text):
            return f"```sh\n{neutral(text)}\n```"
        case Paragraph(text):
            return escaped(text)
        case Formula(latex, label):
            return f"{escaped(label)}\n\n" * bool(label) + f"```math\n{latex}\n```"
        case Table():
            lines = [_row(map(escaped, block.columns)), _row(RULE[align] for align in block.alignment)]
            lines += [_row(map(_cell, row)) for row in block.rows]
            first = _SENTENCE.sub("", block.caption, count=1)
            caption = f"**{escaped(first)}**{escaped(block.caption[len(first) :])}\n\n" if first else ""
            return caption + "\n".join(lines)


def _cell(text: str) -> str:
    if not isinstance(text, Value):
        return escaped(text)
    marks = f"<sup>{escaped(text.marks)}</sup>" if text.marks else ""
    return (f"**{escaped(text)}**" if text.best else escaped(text)) + marks


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def escaped(text: str) -> str:
    r"""Return the text with the characters escaped that Markdown would interpret.

    >>> print(escaped("<b>a_b|c"))
    \<b\>a\_b\|c
    """
    return SPECIAL.sub(r"\\\1", neutral(text))
