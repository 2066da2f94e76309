"""A plugin of pytest: collect once, see which tests call which function, and run those in a fork for every mutant."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mutants.areas import EXAMPLES, PACKAGE, ROOT
from mutants.live import Place, apply, changed_functions, place
from mutants.mutations import Mutant

KILLED, SURVIVED = 1, 0
SECONDS = 120
"""A mutant that takes more processor time than this counts as killed."""
MEMORY = 12 << 30


class Session:
    """One area: its mutants are tried one after the other, ``jobs`` at a time."""

    def __init__(self, mutants: list[Mutant], tests: list[str], jobs: int, budget: float, log: Path) -> None:
        self.mutants, self.tests, self.jobs, self.budget, self.log = mutants, tests, jobs, budget, log
        self.times: list[float] = []
        self.outcomes: list[tuple[Mutant, str]] = []
        self.callers: dict[Place, list[int]] = defaultdict(list)
        self.items: list[pytest.Item] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutants instead of running the tests once."""
        self.items = session.items
        for item in self.items:
            shorten(item)
        self.record()
        running: dict[int, tuple[Mutant, float]] = {}
        queue = sorted(
            self.mutants, key=self.is_live
        )  # from the end: the slow ones, of code that runs on import, are last
        while queue or running:
            while queue and len(running) < self.jobs:
                mutant = queue.pop()
                source = mutant.source()
                if source is not None:
                    running[forked(lambda m=mutant, s=source: self.try_mutant(m, s))] = mutant, time.time()
            if running:
                child, status = os.wait()
                mutant, start = running.pop(child)
                self.report(mutant, os.waitstatus_to_exitcode(status), time.time() - start)
        return True

    def record(self) -> None:
        """Run all tests once without a mutant, and note the functions that each one calls and the time it takes."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "calls.json"
            start = time.time()
            _, status = os.waitpid(forked(lambda: self.write_calls(file), seconds=1200), 0)
            if status:
                sys.exit(f"the tests ended with status {status} without a mutant")
            times = json.loads(file.read_text())
        self.times = [seconds for seconds, _, _ in times]
        for number in sorted(range(len(self.items)), key=self.times.__getitem__):
            for where in times[number][1]:
                self.callers[tuple(where)].append(number)
        say(f"{len(self.items)} tests without a mutant: {time.time() - start:.0f} s")
        for nodeid in filter(None, (failed for _, _, failed in times)):
            say(f"left out, since it fails without a mutant: {nodeid}")

    def write_calls(self, file: Path) -> int:
        """Write the time and the called functions of every test."""
        prefix, calls = str(PACKAGE), []
        for item in self.items:
            called: set[Place] = set()

            def on_call(frame: Any, event: str, _: Any, called: set[Place] = called) -> None:
                if event == "call" and frame.f_code.co_filename.startswith(prefix):
                    called.add(place(frame.f_code))

            start = time.process_time()
            sys.settrace(on_call)
            failed = fails(item)
            sys.settrace(None)
            # A test that fails without a mutant shows nothing.
            calls.append((time.process_time() - start, [] if failed else sorted(called), item.nodeid if failed else ""))
        file.write_text(json.dumps(calls))
        return 0

    def is_live(self, mutant: Mutant) -> bool:
        """Whether a mutant only changes functions that tests call."""
        source = mutant.source()
        changed = changed_functions(mutant.path, source) if source else None
        return any(where in self.callers for where in changed or ())

    def try_mutant(self, mutant: Mutant, source: str) -> int:
        """Whether a test fails, in a process of its own."""
        changed = changed_functions(mutant.path, source)
        callers = {number for where in changed or () for number in self.callers.get(where, ())}
        if not changed or not callers:
            return self.import_mutant(mutant, source)
        apply(changed)
        spent = 0.0
        for number in sorted(callers, key=self.times.__getitem__):
            spent += self.times[number]
            if spent > self.budget:
                break
            if fails(self.items[number]):
                return KILLED
        return SURVIVED

    def import_mutant(self, mutant: Mutant, source: str) -> int:
        """Whether a test fails in a new process, for a mutant of what runs on import."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(PACKAGE, Path(folder) / "rankgauge", ignore=shutil.ignore_patterns("__pycache__"))
            changed = Path(folder) / "rankgauge" / mutant.path.relative_to(PACKAGE)
            changed.write_text(source, encoding="utf-8")
            own = [str(changed)] if ">>>" in source else []
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "mutants.shorter"]
            command += ["-p", "no:xdist", "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml")]
            path = os.pathsep.join((folder, str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")))
            result = subprocess.run(
                [*command, *self.tests, *own], env=os.environ | {"PYTHONPATH": path}, cwd=ROOT, check=False
            )
        return {0: SURVIVED}.get(result.returncode, KILLED)

    def report(self, mutant: Mutant, code: int, seconds: float) -> None:
        """Note what became of a mutant."""
        outcome = "survived" if code == SURVIVED else "killed"
        self.outcomes.append((mutant, outcome))
        line = f"{outcome} {seconds:.1f}s code {code} {mutant}"
        with self.log.open("a", encoding="utf-8") as log:
            log.write(line + "\n")
        if code == SURVIVED:
            say(line)


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def forked(work: Callable[[], int], seconds: int = SECONDS) -> int:
    """Run a function in a fork, silently; return the id of the process."""
    child = os.fork()
    if child:
        return child
    code = KILLED
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        resource.setrlimit(
            resource.RLIMIT_CPU, (seconds, seconds)
        )  # not by the clock: other work must not kill mutants
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        code = work()
    finally:
        os._exit(code)


def fails(item: pytest.Item) -> bool:
    """Whether a test fails."""
    reports = pytest_reports(item)
    return any(report.failed for report in reports)


def pytest_reports(item: pytest.Item) -> list[pytest.TestReport]:
    """Run a test with its fixtures."""
    from _pytest.runner import runtestprotocol

    return runtestprotocol(item, nextitem=None, log=False)


def shorten(item: pytest.Item) -> None:
    """Run fewer examples of a Hypothesis test."""
    from hypothesis import Phase, settings  # not on import: pytest wants to see it first

    function = getattr(item, "obj", None)
    kept = getattr(function, "_hypothesis_internal_use_settings", None)
    if kept is not None:
        function = getattr(function, "__func__", function)
        function._hypothesis_internal_use_settings = settings(
            kept, max_examples=min(EXAMPLES, kept.max_examples), phases=(Phase.explicit, Phase.generate)
        )
