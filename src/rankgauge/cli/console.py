"""The console: its characters, its width, and how results, messages and findings are written to it."""

from __future__ import annotations

import codecs
import errno
import io
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import click

from rankgauge.cli.localization import language
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.progress import CLOCK
from rankgauge.rendering.text import neutral

FALLBACKS = {
    "─": "-", "│": "|", "┼": "+", "├": "+", "└": "+", "┌": "+", "┤": "+", "╴": "-", "╭": "+", "╰": "+", "●": "*",
    "–": "-", "—": "-", "−": "-", "·": "|", "…": "...", "×": "x", "÷": "/", "≥": ">=", "≤": "<=", "≠": "!=",
    "→": "->", "∞": "inf", "Σ": "sum", "Π": "prod", "√": "sqrt", "²": "^2", "ε": "eps", "β": "beta", "π": "pi",
    "∈": "in", "“": '"', "”": '"', "‘": "'", "’": "'", "±": "+-", "ä": "ae", "ö": "oe", "ü": "ue", "█": "#",
}  # fmt: skip
"""Plain characters in place of those that a console may lack; ids are escaped instead."""
WINDOWS = os.name == "nt"
COLOURS = {"error": 31, "warning": 33, "note": 2}
LABELS = {"error": Phrase("error", "错误"), "warning": Phrase("warning", "警告"), "note": Phrase("note", "提示")}
SAVED = Phrase("wrote {path} ({size})", "已写入 {path}（{size}）")
SAVED_FILES = Phrase(
    "wrote {files:# file|# files} to {path} ({size} in all)", "已将 {files} 个文件写入 {path}（共 {size}）"
)
BRAILLE = range(0x2800, 0x2900)


def replace_missing_characters(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that the encoding lacks by their ASCII form or an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(map(_plain, missing)), error.end


def _plain(letter: str) -> str:
    if ord(letter) in BRAILLE:
        return "*" if ord(letter) > BRAILLE.start else " "
    return FALLBACKS.get(letter) or letter.encode("ascii", "backslashreplace").decode("ascii")


class ClosedOutput(io.RawIOBase):
    """Standard output of a program that was started without one."""

    name = "<stdout>"

    def writable(self) -> bool:
        """Return True, because a command may have nothing to write."""
        return True

    def write(self, _: object) -> int:
        """Raise the error of the system."""
        raise OSError(errno.EBADF, "it is closed")


def nowhere() -> TextIO:
    """Return a stream that discards what is written to it."""
    return Path(os.devnull).open("w", encoding="utf-8")


def prepare_streams() -> None:
    """Make standard output and error replace what they cannot write, instead of failing; they may be closed."""
    codecs.register_error("rankgauge", replace_missing_characters)
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # no other file may get this number
            with suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(ClosedOutput()), encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = nowhere()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="rankgauge")


def styled(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours and bold type; old consoles of Windows print the codes."""
    terminal = os.environ.get("TERM") or os.environ.get("WT_SESSION") or ("dumb" if WINDOWS else "")
    return stream.isatty() and not os.environ.get("NO_COLOR") and terminal != "dumb"


def terminal_width() -> int | None:
    """Return the width of the terminal, None where standard output is not one."""
    if os.environ.get("COLUMNS", "").isdigit() or sys.stdout.isatty():
        return max(shutil.get_terminal_size().columns, 20)
    return None


def write(text: str) -> None:
    """Write text for people to standard output."""
    CLOCK.stop()
    # Not click.echo: it writes UTF-8 to consoles that declare ASCII.
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


def write_message(text: str, kind: str = "", code: str = "") -> None:
    """Write a message to standard error, control characters made visible; ``kind`` is its coloured label."""
    CLOCK.stop()
    with suppress(OSError):  # reported at the end of the command
        sys.stdout.flush()
    label = ""
    if kind:
        label = " ".join(filter(None, [LABELS[kind].render(language()), code]))
        if styled(sys.stderr):
            label = f"\x1b[{COLOURS[kind]}m{label}\x1b[0m"
        label += "：" if language() == "zh" else ": "
    sys.stderr.write(label + "\n".join(map(neutral, text.splitlines())) + "\n")
    sys.stderr.flush()


def write_saved(path: object, size: int, files: int = 0) -> None:
    """Say on standard error which file was written, or how many into a folder, and how large that is; not if quiet."""
    context = click.get_current_context(silent=True)
    if context is not None and any(getattr(record, "quiet", False) for record in context.params.values()):
        return
    message = SAVED_FILES if files else SAVED
    write_message(message.render(language(), path=path, files=files, size=file_size(size)))


def file_size(size: int) -> str:
    """Return a number of bytes for people.

    >>> file_size(999), file_size(14_300_000)
    ('999 B', '14.3 MB')
    """
    for unit, bytes_ in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= bytes_:
            return f"{size / bytes_:.3g} {unit}"
    return f"{size} B"


def is_closed_pipe(error: OSError) -> bool:
    """Return whether the reader of standard output has ended; Windows calls that an invalid argument."""
    return isinstance(error, BrokenPipeError) or (WINDOWS and error.errno == errno.EINVAL and error.filename is None)


def discard_output() -> None:
    """Forget what could not be written, so that Python does not try again when it ends."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    sys.stdout = nowhere()


def write_findings(findings: Any, *, quiet: bool = False, notes_only: bool = False) -> None:
    """Write each finding as one line to standard error; ``quiet`` leaves out notes, ``notes_only`` all others."""
    for finding in findings:
        # RG106, the guess of a format, is not worth a line.
        is_note = finding.severity == "note"
        if finding.code == "RG106" or (quiet and is_note) or (notes_only and not is_note):
            continue
        write_message(findings.line(finding, language()), finding.severity, finding.code)
