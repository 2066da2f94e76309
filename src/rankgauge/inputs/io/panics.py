"""Hide the messages that polars prints to standard error when it panics at a damaged file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

STDERR = 2
_kept: list[int] = []
"""A copy of the descriptor of standard error, if ``sys.stderr`` has one of its own."""


def separate_stderr() -> None:
    """Give ``sys.stderr`` a descriptor of its own; for a process that is ours, not for a library in another's."""
    with suppress(OSError, ValueError, AttributeError):  # closed, or not a file
        if not _kept and sys.stderr.fileno() == STDERR:
            terminal = os.dup(STDERR)
            sys.stderr = open(terminal, "w", encoding=sys.stderr.encoding, errors=sys.stderr.errors, buffering=1)  # noqa: SIM115, PTH123
            _kept.append(terminal)


@contextmanager
def hidden_panics() -> Iterator[None]:
    """Discard what native code writes to standard error, if that cannot hide anything else."""
    if not _kept:
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, STDERR)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(_kept[0], STDERR)
