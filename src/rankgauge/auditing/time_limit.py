"""A time limit for foreign code, by an alarm signal."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TooSlowError(BaseException):
    """A call took too long. A BaseException, so that the code that is stopped does not turn it into something else."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlowError after some seconds where signals can: in the main thread of a system that has alarms."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TooSlowError(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
