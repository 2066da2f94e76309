"""Processes for trials: forks that are silent and limited in time and memory."""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Callable, Iterator
from typing import Any

KILLED, SURVIVED = 1, 0
CPU_SECONDS = 120
"""A mutant that needs more processor time counts as killed; other work on the machine does not kill it."""
CLOCK_SECONDS = 1800
"""A mutant that waits forever counts as killed after this time."""
MEMORY = 12 << 30
"""Bytes that a mutant may allocate."""


def exit_code(work: Callable[[], int], seconds: int = CPU_SECONDS) -> int:
    """Run a function in a fork, silently and with limits; return its result, or the negative signal that ended it."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = KILLED
    try:
        silence()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        signal.alarm(CLOCK_SECONDS)
        code = work()
    finally:
        os._exit(code)


def results(work: Callable[[Callable[[Any], None]], object]) -> Iterator[Any]:
    """Run a function in a fork, silently, and yield what it sends, as JSON."""
    incoming, outgoing = os.pipe()
    child = os.fork()
    if not child:
        try:
            silence()
            os.close(incoming)
            with os.fdopen(outgoing, "w", encoding="utf-8") as stream:
                work(lambda result: print(json.dumps(result), file=stream, flush=True))
        finally:
            os._exit(0)
    os.close(outgoing)
    with os.fdopen(incoming, encoding="utf-8") as stream:
        yield from map(json.loads, stream)
    os.waitpid(child, 0)


def silence() -> None:
    """Discard what this process prints."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
