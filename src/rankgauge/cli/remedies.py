"""Error messages with command-line options in place of Python arguments."""

from __future__ import annotations

import re

from rankgauge.errors import MissingTableError

COLUMNS = re.compile(r"\bcolumns=\{([^{}]*)\}")
PAIR = re.compile(r"""["'](\w+)["']: ?(["'])(.*?)\2""")


def command_line_message(error: Exception) -> str:
    """Return the message of an error with options in place of arguments.

    >>> command_line_message(ValueError('no column for item; pass columns={"item": "..."}'))
    'no column for item; pass --columns item=...'
    """
    if isinstance(error, MissingTableError):
        return f"{error.reason}; pass {' or '.join(map(_table, error.tables))}"
    return COLUMNS.sub(_columns, str(error)).replace("format=...", "--format ...")


def _columns(match: re.Match[str]) -> str:
    pairs = [f"{name}={column}" for name, _, column in PAIR.findall(match[1])]
    return "--columns " + ",".join(pairs + ["..."] * match[1].endswith(", ..."))


def _table(name: str) -> str:
    return f"--side-information {name}={'FILE (or their number)' if name == 'items' else 'FILE'}"
