"""The console: which characters it has, how wide it is, and how messages look on it."""

from __future__ import annotations

import codecs
import os
import shutil
import sys

from rankgauge.rendering.text import neutral

FALLBACKS = {
    "─": "-", "│": "|", "┼": "+", "├": "+", "└": "+", "┌": "+", "┤": "+", "╴": "-", "╭": "+", "╰": "+", "●": "*",
    "–": "-", "—": "-", "−": "-", "·": "|", "…": "...", "×": "x", "÷": "/", "≥": ">=", "≤": "<=", "≠": "!=",
    "→": "->", "∞": "inf", "Σ": "sum", "Π": "prod", "√": "sqrt", "²": "^2", "ε": "eps", "β": "beta", "π": "pi",
    "∈": "in", "“": '"', "”": '"', "‘": "'", "’": "'", "±": "+-", "ä": "ae", "ö": "oe", "ü": "ue", "█": "#",
}  # fmt: skip
"""Plain characters that stand in for those that a console may lack; ids are escaped instead."""
COLOURS = {"error": 31, "warning": 33, "note": 2}
BRAILLE = range(0x2800, 0x2900)


def in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    """What to write for characters that the encoding lacks: their ASCII form, or an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(map(_plain, missing)), error.end


def _plain(letter: str) -> str:
    if ord(letter) in BRAILLE:
        return "*" if ord(letter) > BRAILLE.start else " "
    return FALLBACKS.get(letter) or letter.encode("ascii", "backslashreplace").decode("ascii")


def prepare_streams() -> None:
    """Make standard output and error replace what they cannot write, instead of failing."""
    codecs.register_error("rankgauge", in_plain_letters)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="rankgauge")


def width() -> int | None:
    """How wide a text may be; None where no terminal shows it."""
    if os.environ.get("COLUMNS", "").isdigit() or sys.stdout.isatty():
        return max(shutil.get_terminal_size().columns, 20)
    return None


def say(text: str) -> None:
    """Write text for people to standard output."""
    # Not click.echo: it writes UTF-8 to consoles that said they are ASCII.
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


def tell(text: str, kind: str = "") -> None:
    """Write a message to standard error, control characters made visible; ``kind`` is its first word, in colour."""
    sys.stdout.flush()
    first = f"{_coloured(kind, COLOURS.get(kind.partition(' ')[0], 2))}: " if kind else ""
    sys.stderr.write(first + "\n".join(map(neutral, text.splitlines())) + "\n")
    sys.stderr.flush()


def _coloured(word: str, colour: int) -> str:
    if not sys.stderr.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return word
    return f"\x1b[{colour}m{word}\x1b[0m"
