"""Run the command line in tests, in this process or as a new one."""

import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unicodedata import combining, east_asian_width

import rankgauge
from rankgauge.cli import run
from rankgauge.cli.console import prepare_streams

SOURCE = Path(rankgauge.__file__).parents[1]


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


def here(*arguments, encoding="utf-8", errors="strict"):
    """Run a command line in this process; ``errors`` says what to do with bytes that cannot be decoded."""
    out, err = (TextIOWrapper(BytesIO(), encoding=encoding, newline="\n") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        prepare_streams()
        code = run([*map(str, arguments)])
        out.flush()
        err.flush()
    return Result(code, *(stream.buffer.getvalue().decode(encoding, errors) for stream in (out, err)))


def trec_eval_lines(*arguments):
    """Run the trec_eval clone in this process and return the lines that it prints."""
    result = here("trec_eval", *arguments)
    assert (result.code, result.err) == (0, "")
    return result.out.splitlines(keepends=True)


def trec_eval_failure(*arguments):
    """Run the trec_eval clone on arguments that it refuses, and return its exit status and message."""
    result = here("trec_eval", *arguments)
    assert result.code != 0
    assert result.out == ""
    return result.code, result.err.removeprefix("rankgauge trec_eval: ").rstrip("\n")


def display_width(text):
    """Number of columns that a text takes on a terminal."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text if not combining(letter))


def raw(*arguments):
    """Run a command line in this process and return the bytes on standard output."""
    out = TextIOWrapper(BytesIO(), encoding="utf-8", newline="\n")
    with redirect_stdout(out):
        assert run([*map(str, arguments)]) == 0
    return out.buffer.getvalue()


def environment(**changes):
    """Return this environment in English, without the variables of a terminal."""
    plain = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LC_ALL", "LC_MESSAGES"}}
    plain["PYTHONPATH"] = os.pathsep.join([str(SOURCE), *filter(None, [plain.get("PYTHONPATH")])])
    return {**plain, "LANG": "en_US.UTF-8", "PYTHONIOENCODING": "utf-8", **changes}


def process(*arguments, cwd=None, stdin=None, **changes):
    """Run a command line as a process and wait for it."""
    return subprocess.run(
        [sys.executable, "-m", "rankgauge", *map(str, arguments)],
        capture_output=True,
        check=False,
        cwd=cwd,
        input=stdin,
        env=environment(**changes),
    )
