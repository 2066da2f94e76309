"""Processes for trials: forks that are silent and limited in time and memory."""

from __future__ import annotations

import functools
import json
import mmap
import os
import resource
import select
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any

KILLED, SURVIVED = 1, 0
JOBS = os.cpu_count() or 1
"""How many processes work at once."""
PROCESSOR = 300
"""Seconds of processor time for one mutant, many times those of its tests: other work on the machine does not use them up."""
CLOCK = 180
"""Seconds for one mutant that waits forever."""
MEMORY = 12 << 30
"""Bytes that a fork may allocate."""

Send = Callable[[Any], None]
Note = Callable[[int], None]


def exit_code(work: Callable[[Note], int]) -> tuple[int, int]:
    """Run a function in a fork, silently and with limits.

    Returns its result, or the negative signal that ended it, and the last number that it noted.
    """
    noted = mmap.mmap(-1, 8)
    child = os.fork()
    if child:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return code, int.from_bytes(noted[:], "little")
    code = KILLED
    try:
        silence()
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        signal.alarm(CLOCK)
        code = work(lambda number: noted.__setitem__(slice(None), number.to_bytes(8, "little")))
    finally:
        os._exit(code)


def limit(processor: float, clock: int) -> None:
    """End this process after so many seconds from now on, unless the limits are set again."""
    signal.setitimer(signal.ITIMER_PROF, processor)
    signal.alarm(clock)


def results(*works: Callable[[Send], object]) -> Iterator[Any]:
    """Run each function in a fork, silently and at once, and yield what they send, as JSON."""
    buffers: dict[int, bytes] = {}
    children = []
    for work in works:
        incoming, outgoing = os.pipe()
        child = os.fork()
        if not child:
            try:
                silence()
                with os.fdopen(outgoing, "w", encoding="utf-8") as stream:
                    work(lambda result: print(json.dumps(result), file=stream, flush=True))
            finally:
                os._exit(0)
        os.close(outgoing)
        children.append(child)
        buffers[incoming] = b""
    while buffers:
        for stream in select.select([*buffers], [], [])[0]:
            received = os.read(stream, 1 << 16)
            *lines, buffers[stream] = (buffers[stream] + received).split(b"\n")
            yield from map(json.loads, lines)
            if not received:
                del buffers[stream]
                os.close(stream)
    for child in children:
        os.waitpid(child, 0)


def shared(things: Sequence[Any], work: Callable[[Any, Send], object]) -> Iterator[Any]:
    """Call a function with each thing, divided among some forks, and yield what it sends."""

    def take(start: int, send: Send) -> None:
        for thing in things[start::JOBS]:
            work(thing, send)

    return results(*(functools.partial(take, start) for start in range(JOBS)))


def silence() -> None:
    """Discard what this process prints."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
