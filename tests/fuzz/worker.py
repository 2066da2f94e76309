"""A process that checks cases of one fuzzer, so that one that ends the process or hangs is noticed.

It reports lines of JSON on standard output. The number of the case being checked is in a file, because a process that
is aborted cannot report anything.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from typing import Any

from fuzz import fuzzer
from fuzz.cases import Case, random_of
from fuzz.minimiser import minimise
from fuzz.oracle import Failure, judge

MEMORY = 8 << 30
"""Bytes of address space: a case that needs more fails instead of the machine."""


def work(name: str, seed: int, first: int, cases: int, seconds: float, marker: str) -> None:
    """Check up to ``cases`` cases for up to ``seconds``, and report what was found."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    module, end = fuzzer(name), time.monotonic() + seconds
    mark = os.open(marker, os.O_WRONLY | os.O_CREAT)
    refused, number, known = 0, first, set[str]()
    while number < first + cases and time.monotonic() < end:
        os.pwrite(mark, f"{number:20d}".encode(), 0)
        case = module.generate(random_of(seed, name, number))
        verdict = judge(module.check, case)
        refused += verdict.refused
        if verdict.failure is not None:
            report(number=number, repeated=verdict.failure.signature in known, failure=verdict.failure.to_dict())
            if verdict.failure.signature not in known:
                known.add(verdict.failure.signature)
                smallest = minimised(module.check, case, verdict.failure)
                report(number=number, minimised=smallest)
        number += 1
    report(checked=number - first, refused=refused)


def minimised(check: Any, case: Case, failure: Failure) -> Case:
    """Return the smallest case found that fails with the same signature."""

    def fails(smaller: Case) -> bool:
        found = judge(check, smaller).failure
        return found is not None and found.signature == failure.signature

    return minimise(case, fails)


def report(**data: Any) -> None:
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    name, seed, first, cases, seconds, marker = sys.argv[1:]
    work(name, int(seed), int(first), int(cases), float(seconds), marker)
