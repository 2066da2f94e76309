"""Exceptions and their messages.

    RankgaugeError
    ├── ParameterError (ValueError)      an argument has a value that is not allowed
    │   ├── UnknownNameError             an unknown name, with the closest known one
    │   └── NotationError                an invalid notation of a metric
    ├── InputError (ValueError)          invalid data
    │   └── MissingTableError            a metric needs side information
    ├── MissingExtraError (ImportError)  an optional dependency is not installed
    └── UndefinedError (ArithmeticError) a metric is 0/0 and the convention says undefined="error"

A message names the place, the value, the reason and what is expected.
"""

from __future__ import annotations

from collections.abc import Iterable


class RankgaugeError(Exception):
    """Base class of all errors."""


class ParameterError(RankgaugeError, ValueError):
    """An argument has a value that is not allowed."""

    @classmethod
    def of(cls, name: str, value: object, allowed: str, owner: str = "") -> ParameterError:
        """Build the message from the argument, its value and what is allowed."""
        return cls(f"{owner}{': ' if owner else ''}{name} must be {allowed}, not {shown(value)}")


class UnknownNameError(ParameterError):
    """An unknown name."""

    @classmethod
    def closest(cls, kind: str, name: str, known: Iterable[str], hint: str = "") -> UnknownNameError:
        """Suggest the closest known name, or list all if none is close."""
        import difflib  # noqa: PLC0415 (only for a misspelt name)

        known = [candidate for candidate in map(str, known) if candidate != name]
        lowered = {candidate.lower(): candidate for candidate in reversed(known)}
        close = difflib.get_close_matches(str(name).lower(), lowered, n=1, cutoff=0.5)
        remedy = f"did you mean {lowered[close[0]]!r}?" if close else f"known: {', '.join(known)}"
        return cls(f"unknown {kind} {shown(name)}; {remedy}{hint}")


class NotationError(ParameterError):
    """An invalid notation of a metric."""


class InputError(RankgaugeError, ValueError):
    """Invalid data; ``codes`` are the codes of the findings that explain why, if any."""

    def __init__(self, message: str, codes: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.codes = tuple(codes)


class MissingTableError(InputError):
    """A metric needs side information that is missing; one of ``tables`` would provide it."""

    def __init__(self, reason: str, how: str, tables: Iterable[str]) -> None:
        super().__init__(f"{reason}; pass side_information=rg.SideInformation(...) with {how}")
        self.reason = reason
        self.tables = tuple(tables)


class MissingExtraError(RankgaugeError, ImportError):
    """An optional dependency is not installed."""


class UndefinedError(RankgaugeError, ArithmeticError):
    """A metric is 0/0 under ``undefined="error"``; ``place`` is the number of the first such query."""

    def __init__(self, message: str, place: int = 0) -> None:
        super().__init__(message)
        self.place = place


def shown(value: object, limit: int = 60) -> str:
    """Format a value for a message: quoted, on one line, without control characters, shortened."""
    try:
        text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    except ValueError:  # Python writes integers of at most 4,300 digits
        text = f"an integer of {value.bit_length():,} bits" if isinstance(value, int) else type(value).__name__
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
