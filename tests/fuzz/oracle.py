"""The oracle: whether a case ends as it may, with a correct answer or a RankgaugeError, silently and in time."""

from __future__ import annotations

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import rankgauge
from fuzz.cases import BrokenError, Case
from rankgauge import DataWarning, RankgaugeError
from rankgauge.auditing import time_limit

SECONDS = 20
"""Processor time limit of a case, so that other work on the machine changes no outcome. The largest takes a second."""
WAIT = 10 * SECONDS
"""Time limit of a case that waits for something."""
PACKAGE = str(Path(rankgauge.__file__).parent)


@dataclass(frozen=True)
class Failure:
    """How a case failed; failures with the same signature are one defect."""

    signature: str
    message: str

    @classmethod
    def of(cls, error: BaseException) -> Failure:
        """Describe an exception by its type and the innermost function of the library that it passed through."""
        if isinstance(error, BrokenError):
            return cls(error.law, str(error)[:2000])
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if frame.filename.startswith(PACKAGE)] or frames
        place = f"{Path(own[-1].filename).stem}.{own[-1].name}" if own else ""
        return cls(f"{type(error).__name__} in {place}", "".join(traceback.format_exception(error))[-2000:])

    def to_dict(self) -> dict[str, str]:
        return asdict(self)


@dataclass(frozen=True)
class Verdict:
    """What became of a case: failed, refused by the library, or neither."""

    failure: Failure | None = None
    refused: bool = False


def judge(check: Callable[[Case], Any], case: Case, seconds: float = SECONDS) -> Verdict:
    """Check a case; a RankgaugeError that leaves it is a refusal of its data."""
    try:
        with time_limit.time_limit(WAIT), processor_limit(seconds), silence(), warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", DataWarning)  # findings are part of the answer
            check(case)
    except RankgaugeError:
        return Verdict(refused=True)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 (that one escapes is what is looked for)
        return Verdict(Failure.of(error))
    return Verdict()


@contextmanager
def processor_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlowError after some seconds of processor time of all threads."""

    def stop(*_: object) -> None:
        raise time_limit.TooSlowError(f"more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def silence() -> Iterator[None]:
    """Raise an error if anything is written to standard error behind Python's back; only if it is a regular file."""
    position = error_file_size()
    yield
    if position is not None and error_file_size() != position:
        with Path(f"/proc/self/fd/{sys.__stderr__.fileno()}").open("rb") as file:
            file.seek(position)
            raise BrokenError("nothing is written to standard error", file.read(2000).decode(errors="replace"))


def error_file_size() -> int | None:
    """Return the size of the file that standard error is redirected to, None if it is something else."""
    try:
        size = os.fstat(sys.__stderr__.fileno()).st_size
        return size if Path(f"/proc/self/fd/{sys.__stderr__.fileno()}").readlink().is_file() else None
    except (OSError, AttributeError):
        return None


def outcome(call: Callable[[], Any]) -> tuple[str, Any]:
    """Return the value of a call, or the type and the codes of the RankgaugeError that it raises."""
    try:
        return "value", call()
    except RankgaugeError as error:
        return type(error).__name__, sorted(getattr(error, "codes", ()))
