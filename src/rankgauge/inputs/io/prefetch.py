"""More than one thing at a time: the next step while the caller works on one, or some steps side by side."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from rankgauge.inputs.findings import Findings

Step = TypeVar("Step")
WORKERS = min(os.cpu_count() or 1, 4)
"""Steps that are worked on at once: more hold more memory, and the caller becomes the one to wait for."""


def prefetch(steps: Iterator[Step]) -> Iterator[Step]:
    """The same steps in the same order, made ahead."""
    step = next(steps, None)  # here, where nobody has anything else to do yet
    with ThreadPoolExecutor(1, "rankgauge") as worker:
        while step is not None:
            coming = worker.submit(next, steps, None)
            yield step
            step = coming.result()


def parallel_map(work: Callable[..., Step], inputs: Iterator[tuple[Any, ...]]) -> Iterator[Step]:
    """What is made of each input, in the order of the inputs; a single one is worked on here."""
    one, following = next(inputs, None), next(inputs, None)
    if one is not None and following is None:
        yield work(*one)
        return
    with ThreadPoolExecutor(WORKERS, "rankgauge") as workers:
        coming: deque[Future[Step]] = deque()
        while one is not None:
            coming.append(workers.submit(work, *one))
            one, following = following, next(inputs, None)
            if len(coming) > WORKERS:
                yield coming.popleft().result()
        yield from (step.result() for step in coming)


def with_findings(steps: Iterator[Step], findings: Findings) -> Iterator[tuple[Step, Findings]]:
    """Each step with what was put into ``findings`` for it alone, however far the work ahead has come."""
    for step in steps:
        yield step, findings.taken()
