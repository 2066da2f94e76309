"""Run a command line in this process, in a folder, and check what every command must satisfy."""

from __future__ import annotations

import os
import re
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper

from fuzz.cases import BrokenError
from rankgauge.cli import run
from rankgauge.cli.console import prepare_streams

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


@dataclass(frozen=True)
class Result:
    """The exit code of a command, and what it wrote."""

    code: int
    out: str
    err: str


def run_command(arguments: list[str], folder: str) -> Result:
    """Run a command; it must not write a traceback, call its own behaviour a bug, or warn."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    os.environ.pop("RANKGAUGE_DEBUG", None)
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        prepare_streams()
        code = run(arguments)
        out.flush()
        err.flush()
    texts = [stream.buffer.getvalue().decode("utf-8", "backslashreplace") for stream in (out, err)]
    result = Result(code, *texts)
    for sign in SIGNS:
        if found := sign.search(result.err):
            raise BrokenError(f"no {sign.pattern!r}: {re.sub(r'[^A-Za-z ]+', '', found[0])[:60]}", result.err[-SHOWN:])
    return result
