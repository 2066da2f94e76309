"""Try mutants: run the tests that call the changed function, the quickest first, in a fork for every mutant."""

from __future__ import annotations

import importlib.machinery
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import numpy as np  # noqa: F401  loaded once, before the forks
import polars as pl  # noqa: F401
import pytest

from mutants.forks import KILLED, SURVIVED, exit_code, results
from mutants.live import LiveFunctions, changed_functions
from mutants.mutations import Mutant
from mutants.recording import fails, record, run_pytest, shorten


def try_all(mutants: list[Mutant], paths: list[str]) -> Iterator[tuple[Mutant, str]]:
    """Yield what became of every mutant: killed or survived."""
    if not mutants:
        return
    recording = record(paths)
    changes = {mutant: changed_functions(mutant.path, mutant.source) or {} for mutant in mutants}
    tests = {mutant: recording.tests(mutant, {*changes[mutant]}) for mutant in mutants}
    on_import = {mutant for mutant in mutants if recording.runs_on_import({*changes[mutant]})}
    live = [mutant for mutant in mutants if mutant not in on_import]
    trials = [(changes[mutant], tests[mutant]) for mutant in live]
    for number, code in results(lambda send: run_pytest(paths, LiveTrials(trials, send))):
        yield live[number], outcome(code)
    for mutant in on_import:
        yield mutant, outcome(exit_code(lambda m=mutant: try_on_import(m, tests[m], paths)))


def outcome(code: int) -> str:
    """What an exit code means; a process that crashed or took too long counts as killed."""
    return "survived" if code == SURVIVED else "killed"


class LiveTrials:
    """A plugin of pytest: collect once, and in a fork for every mutant change functions and run tests."""

    def __init__(self, trials: list[tuple[dict[Any, CodeType], list[str]]], send: Callable[[Any], None]) -> None:
        self.trials, self.send = trials, send

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutants and send the number and the exit code of each."""
        items = by_name(session)
        functions = LiveFunctions()

        def work(changed: dict[Any, CodeType], tests: list[str]) -> int:
            functions.apply(changed)
            return KILLED if any(fails(items[test]) for test in tests) else SURVIVED

        for number, (changed, tests) in enumerate(self.trials):
            self.send((number, exit_code(lambda c=changed, t=tests: work(c, t))))
        return True


class ImportTrial:
    """A plugin of pytest: run some tests in the given order until one fails."""

    def __init__(self, tests: list[str]) -> None:
        self.tests = tests
        self.code = KILLED

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests; a mutant that prevents collection is killed."""
        items = by_name(session)
        if not session.testsfailed:
            self.code = KILLED if any(fails(items[test]) for test in self.tests if test in items) else SURVIVED
        return True


def try_on_import(mutant: Mutant, tests: list[str], paths: list[str]) -> int:
    """Import the library with a mutant and run tests, in a process that has not imported the library."""
    original = importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
        if loader.path == str(mutant.path):
            return compile(mutant.source, loader.path, "exec")
        return original(loader, name)

    importlib.machinery.SourceFileLoader.get_code = get_code
    trial = ImportTrial(tests)
    return run_pytest(paths, trial) or trial.code


def by_name(session: pytest.Session) -> dict[str, pytest.Item]:
    """The collected tests by their names, with fewer examples."""
    for item in session.items:
        shorten(item)
    return {item.nodeid: item for item in session.items}
