"""The command line that this process runs, for the provenance of results."""

from __future__ import annotations

from contextvars import ContextVar

COMMAND: ContextVar[str | None] = ContextVar("command", default=None)
"""The command as it would be typed; None where the library is called from a program."""
