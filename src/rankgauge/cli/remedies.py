"""What helps against an error, for somebody who types commands: options instead of arguments of Python."""

from __future__ import annotations

import re

from rankgauge.errors import MissingTableError

COLUMNS = re.compile(r"\bcolumns=\{([^{}]*)\}")
PAIR = re.compile(r"""["'](\w+)["']: ?(["'])(.*?)\2""")


def typed(error: Exception) -> str:
    """The message of an error with the options of the command line in it.

    >>> typed(ValueError('no column for item; say it: columns={"item": "..."}'))
    'no column for item; say it: --columns item=...'
    """
    if isinstance(error, MissingTableError):
        return f"{error.reason}; give {' or '.join(map(_table, error.tables))}"
    return as_options(str(error))


def as_options(text: str) -> str:
    """A text that names arguments of Python with the options in their place."""
    return COLUMNS.sub(_columns, text).replace("format=...", "--format ...")


def _columns(found: re.Match[str]) -> str:
    pairs = [f"{ours}={theirs}" for ours, _, theirs in PAIR.findall(found[1])]
    return "--columns " + ",".join(pairs + ["..."] * found[1].endswith(", ..."))


def _table(name: str) -> str:
    return f"--side-information {name}={'FILE (or their number)' if name == 'items' else 'FILE'}"
