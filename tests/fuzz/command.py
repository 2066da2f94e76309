"""Run a command line in this process, in a folder, and check what every command must satisfy."""

from __future__ import annotations

import os
import re
from contextlib import chdir

from command_line import Result, here
from fuzz.cases import BrokenError

SHOWN = 1000
SIGNS = [
    re.compile(pattern)
    for pattern in (
        "Traceback.*",
        ".*this is a bug in rankgauge",
        r"\w+Warning:.*",
        ".*panicked at.*",
        "[Oo]ut of memory",
    )
]
"""What no command may write to standard error."""


def run_command(arguments: list[str], folder: str) -> Result:
    """Run a command; it must not write a traceback, call its own behaviour a bug, or warn."""
    os.environ.pop("RANKGAUGE_DEBUG", None)
    with chdir(folder):
        result = here(*arguments, errors="backslashreplace")
    for sign in SIGNS:
        if found := sign.search(result.err):
            raise BrokenError(f"no {sign.pattern!r}: {re.sub(r'[^A-Za-z ]+', '', found[0])[:60]}", result.err[-SHOWN:])
    return result
