"""A process that checks cases of one fuzzer, so that one that ends the process or hangs is noticed.

It reports lines of JSON on standard output. The number of the case being checked is in a file, because a process that
is aborted cannot report anything.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
import time
from dataclasses import dataclass
from typing import Any

from fuzz import fuzzer
from fuzz.cases import Case, random_of
from fuzz.minimiser import minimise
from fuzz.oracle import Failure, judge
from rankgauge.inputs.io.panics import separate_stderr

MEMORY = 8 << 30
"""Bytes of address space: a case that needs more fails instead of the machine."""


@dataclass(frozen=True)
class Job:
    """What a worker does; it stops at the first limit it meets."""

    fuzzer: str
    seed: int
    first: int
    """Number of the first case."""
    cases: int
    seconds: float
    marker: str
    """Path of the file with the number of the case being checked."""
    minimising: float = 20
    """Seconds to minimise a failing case."""
    until: str = ""
    """Pattern of signatures: only such failures are reported, and the first one ends the work."""


def work(job: Job) -> None:
    """Check cases, and report what was found."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    separate_stderr()
    module, end = fuzzer(job.fuzzer), time.monotonic() + job.seconds
    mark = os.open(job.marker, os.O_WRONLY | os.O_CREAT)
    refused, number, known = 0, job.first, set[str]()
    found = False
    while number < job.first + job.cases and time.monotonic() < end and not found:
        os.pwrite(mark, f"{number:20d}".encode(), 0)
        case = module.generate(random_of(job.seed, job.fuzzer, number))
        verdict, number = judge(module.check, case), number + 1
        refused += verdict.refused
        if verdict.failure is None or (job.until and not re.match(job.until, verdict.failure.signature)):
            continue
        report(number=number - 1, failure=verdict.failure.to_dict())
        if verdict.failure.signature not in known:
            known.add(verdict.failure.signature)
            report(number=number - 1, minimised=minimised(module.check, case, verdict.failure, job.minimising))
        found = bool(job.until)
    report(checked=number - job.first, refused=refused)


def minimised(check: Any, case: Case, failure: Failure, seconds: float) -> Case:
    """Return the smallest case found that fails with the same signature."""

    def fails(smaller: Case) -> bool:
        found = judge(check, smaller).failure
        return found is not None and found.signature == failure.signature

    return minimise(case, fails, seconds)


def report(**data: Any) -> None:
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    work(Job(**json.loads(sys.argv[1])))
