"""A time limit for foreign code: by an alarm signal, or by an exception that another thread sends."""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TooSlowError(BaseException):
    """A call took too long. A BaseException, so that the code that is stopped does not turn it into something else."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlowError after some seconds.

    On Windows, and outside the main thread, there are no alarms: code in Python is stopped all the same, a call that
    waits in native code only when it returns.
    """
    has_alarms = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    with (_alarm if has_alarms else _exception_from_thread)(seconds):
        yield


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooSlowError(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _exception_from_thread(seconds: float) -> Iterator[None]:
    send, thread = ctypes.pythonapi.PyThreadState_SetAsyncExc, ctypes.c_ulong(threading.get_ident())
    timer = threading.Timer(seconds, send, (thread, ctypes.py_object(TooSlowError)))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # if it has fired, it has sent
        send(thread, None)  # and what has not arrived is withdrawn
