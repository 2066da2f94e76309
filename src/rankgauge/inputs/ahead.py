"""One step ahead: while the caller works on one, the next is made on a second thread."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from rankgauge.inputs.findings import Findings

Step = TypeVar("Step")


def ahead(steps: Iterator[Step]) -> Iterator[Step]:
    """The same steps in the same order, made ahead."""
    with ThreadPoolExecutor(1, "rankgauge") as worker:
        coming = worker.submit(next, steps, None)
        while (step := coming.result()) is not None:
            coming = worker.submit(next, steps, None)
            yield step


def with_findings(steps: Iterator[Step], findings: Findings) -> Iterator[tuple[Step, Findings]]:
    """Each step with what was put into ``findings`` for it alone, however far the work ahead has come."""
    for step in steps:
        yield step, findings.taken()
