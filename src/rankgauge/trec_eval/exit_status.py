"""Exit statuses of trec_eval, and the error that carries one."""

from __future__ import annotations

USAGE = 1
"""Invalid arguments or an unknown measure."""
INPUT = 2
"""A file or parameter that cannot be read."""
CALCULATION = 4
"""Data that cannot be evaluated: duplicate items or, in version 10 without ``-c``, a missing topic."""
NO_OVERLAP = 7
"""The run and the judgments have no topic in common."""


class ExitError(Exception):
    """Stop with a message and an exit status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
