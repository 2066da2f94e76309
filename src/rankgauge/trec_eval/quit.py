"""How the clone ends early: a message and the exit status that scripts of trec_eval know."""

from __future__ import annotations

USAGE = 1
"""Wrong arguments, or a measure that does not exist."""
INPUT = 2
"""A file or a parameter that cannot be read."""
CALCULATION = 4
"""Data that cannot be evaluated: repeated items, or, in version 10 without ``-c``, a topic that is missing."""
NO_OVERLAP = 7
"""The run and the judgments have no topic in common."""


class QuitError(Exception):
    """An end with a message and an exit status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
