"""Locks of files, which the system releases when a process ends, however it ends."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import Any

WAIT = 0.01
"""Seconds between attempts where the system cannot wait itself."""


def lock(file: int, *, wait: bool = True) -> bool:
    """Lock an open file until it is closed, and return whether that was possible; without ``wait`` it may not be."""
    try:
        import fcntl  # noqa: PLC0415 (not on Windows)
    except ImportError:
        import msvcrt  # noqa: PLC0415 (on Windows only)

        windows: Any = msvcrt
        os.lseek(file, 0, os.SEEK_SET)
        while True:
            with suppress(OSError):
                windows.locking(file, windows.LK_NBLCK, 1)
                return True
            if not wait:
                return False
            time.sleep(WAIT)
    if wait:
        fcntl.flock(file, fcntl.LOCK_EX)
        return True
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False
