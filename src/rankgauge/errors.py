"""Every exception that rankgauge raises, and how their messages are built.

    RankgaugeError
    ├── ParameterError (ValueError)      an argument has a value that is not allowed
    │   ├── UnknownNameError             a name that nothing answers to, with the closest one
    │   └── NotationError                a text that is not a metric
    ├── InputError (ValueError)          the data cannot be evaluated as they are
    │   └── MissingTableError            a metric needs to know more than judgments and rankings
    ├── MissingExtraError (ImportError)  an optional dependency is not installed
    └── UndefinedError (ArithmeticError) a metric is 0/0 and the convention says undefined="error"

A message names the place, the value, the reason and what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable


class RankgaugeError(Exception):
    """Base of all errors of rankgauge."""


class ParameterError(RankgaugeError, ValueError):
    """An argument has a value that is not allowed."""

    @classmethod
    def of(cls, name: str, value: object, allowed: str, owner: str = "") -> ParameterError:
        """Name the argument, the value and what is allowed."""
        return cls(f"{owner}{': ' if owner else ''}{name} must be {allowed}, not {shown(value)}")


class UnknownNameError(ParameterError):
    """A name that nothing answers to."""

    @classmethod
    def closest(cls, kind: str, name: str, known: Iterable[str], hint: str = "") -> UnknownNameError:
        """Say which known name was probably meant, or list them when none is close."""
        import difflib  # noqa: PLC0415 (only for a misspelt name)

        known = list(known)
        lowered = {candidate.lower(): candidate for candidate in reversed(known)}
        close = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=0.5)
        remedy = f"did you mean {lowered[close[0]]!r}?" if close else f"known: {', '.join(known)}"
        return cls(f"unknown {kind} {shown(name)}; {remedy}{hint}")


class NotationError(ParameterError):
    """A text that is not a metric."""


class InputError(RankgaugeError, ValueError):
    """The data cannot be evaluated as they are; ``codes`` names the findings that say why, where there are any."""

    def __init__(self, message: str, codes: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.codes = tuple(codes)


class MissingTableError(InputError):
    """A metric needs to know something that no table of the side information says; ``tables`` could say it."""

    def __init__(self, reason: str, how: str, tables: Iterable[str]) -> None:
        super().__init__(f"{reason}; pass side_information=rg.SideInformation(...) with {how}")
        self.reason = reason
        self.tables = tuple(tables)


class MissingExtraError(RankgaugeError, ImportError):
    """An optional dependency is not installed."""


class UndefinedError(RankgaugeError, ArithmeticError):
    """A metric is 0/0 and the convention in force says that this is an error; ``place`` is the first query of it."""

    def __init__(self, message: str, place: int = 0) -> None:
        super().__init__(message)
        self.place = place


def shown(value: object, limit: int = 60) -> str:
    """The value as a message shows it: quoted, one line, no control characters, not too long."""
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
