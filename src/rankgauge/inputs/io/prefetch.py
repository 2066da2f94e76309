"""Compute the next results of an iterator in threads while the caller works on the current one."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from rankgauge.inputs.findings import Findings

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Step = TypeVar("Step")
WORKERS = min(os.cpu_count() or 1, 4)
"""Threads of ``parallel_map``: more would need more memory and wait for the caller."""


@contextmanager
def _threads(count: int) -> Iterator[ThreadPoolExecutor]:
    """Provide threads that are not waited for.

    An abandoned iterator may be finalised by garbage collection while another thread starts; waiting for a thread
    there never ends, since both need the same lock of ``threading``.
    """
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 (slow to load, and not needed for little data)

    threads = ThreadPoolExecutor(count, "rankgauge")
    try:
        yield threads
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def prefetch(steps: Iterator[Step]) -> Iterator[Step]:
    """Yield the same steps in the same order, computing the next one in a thread."""
    step = next(steps, None)  # in this thread, which has nothing else to do yet
    with _threads(1) as worker:
        while step is not None:
            following = worker.submit(next, steps, None)
            yield step
            step = following.result()


def parallel_map(work: Callable[..., Step], inputs: Iterator[tuple[object, ...]]) -> Iterator[Step]:
    """Yield ``work(*arguments)`` for each input in order, several at a time; a single input needs no thread."""
    arguments, following = next(inputs, None), next(inputs, None)
    if arguments is not None and following is None:
        yield work(*arguments)
        return
    with _threads(WORKERS) as workers:
        pending: deque[Future[Step]] = deque()
        while arguments is not None:
            pending.append(workers.submit(work, *arguments))
            arguments, following = following, next(inputs, None)
            if len(pending) > WORKERS:
                yield pending.popleft().result()
        yield from (future.result() for future in pending)


def with_findings(steps: Iterator[Step], findings: Findings) -> Iterator[tuple[Step, Findings]]:
    """Pair each step with the findings reported while it was computed, and remove them from ``findings``."""
    for step in steps:
        yield step, findings.drain()
