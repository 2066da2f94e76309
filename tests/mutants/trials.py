"""Try mutants: run the tests that execute the changed line, the quickest first, in a fork for every mutant."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.machinery
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np  # noqa: F401  loaded once, before the forks
import polars as pl  # noqa: F401
import pytest

from mutants.areas import PACKAGE, ROOT
from mutants.forks import KILLED, SURVIVED, Send, exit_code, results, shared
from mutants.live import LiveFunctions, changed_functions, unchanged_functions
from mutants.mutations import Mutant
from mutants.reach import ANY, lines_of_statement, lines_of_use
from mutants.recording import Recorder, fails, shorten


def try_all(mutants: list[Mutant], paths: list[str], control: bool = False) -> Iterator[tuple[Mutant, str]]:
    """Yield what became of every mutant: killed or survived; a control runs the same tests on the unchanged code."""
    on_import, answers = [], 0
    for number, tests, code in results(lambda send: run_pytest(paths, Trials(mutants, send, control))):
        if number is None:
            sys.exit(
                "collecting the tests starts threads of polars, which forks lack: no test module may read a table on import"
            )
        answers += 1
        if code is None:
            on_import.append((number, tests))
        else:
            yield mutants[number], outcome(code)
    if answers < len(mutants):
        sys.exit(f"{len(mutants) - answers} mutants were not tried: a process ended, or pytest --collect-only fails")

    def work(trial: tuple[int, list[str]], send: Send) -> None:
        number, tests = trial
        send((number, exit_code(lambda: try_on_import(mutants[number], tests, control))))

    for number, code in shared(on_import, work):
        yield mutants[number], outcome(code)


def outcome(code: int) -> str:
    """What an exit code means; a process that crashed or took too long counts as killed."""
    return "survived" if code == SURVIVED else "killed"


class Trials:
    """A plugin of pytest: record all tests, and in a fork for every mutant change functions and run tests."""

    def __init__(self, mutants: list[Mutant], send: Callable[[Any], None], control: bool) -> None:
        self.mutants, self.send = mutants, send
        self.statements = [lines_of_statement(mutant.path, mutant.line) for mutant in mutants]
        self.changes = [changed_functions(mutant.path, mutant.source) for mutant in mutants]
        self.uses = [
            [{(str(mutant.path), ANY)}] if changed else lines_of_use(mutant.path, mutant.line)
            for mutant, changed in zip(mutants, self.changes, strict=True)
        ]
        if control:
            self.changes = [changed and unchanged_functions(changed) for changed in self.changes]
        self.recorder = Recorder(set().union(*self.statements, *(lines for groups in self.uses for lines in groups)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutants: send the number, the tests and the exit code of each, None for a change that acts on import."""
        items = by_name(session)
        if any(name.read_text().startswith("polars-0") for name in Path("/proc/self/task").glob("*/comm")):
            self.send((None, [], None))
            return True
        for path in {mutant.path for mutant in self.mutants}:
            with contextlib.suppress(ImportError):  # of an optional library
                importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
        functions = LiveFunctions()
        gc.freeze()
        recording = self.recorder.record([*items.values()], functions.clear_caches)

        def run(changed: dict[Any, CodeType], tests: list[str]) -> int:
            functions.apply(changed)
            return KILLED if any(fails(items[test]) for test in tests) else SURVIVED

        def work(number: int, send: Send) -> None:
            changed, lines = self.changes[number], self.statements[number]
            if changed and recording.on_import.isdisjoint(lines):
                tests = recording.tests([lines])
                send((number, tests, exit_code(lambda: run(changed, tests)) if tests else SURVIVED))
            else:
                send((number, recording.tests([lines, *self.uses[number]]), None))

        for result in shared(range(len(self.mutants)), work):
            self.send(result)
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


def try_on_import(mutant: Mutant, tests: list[str], control: bool) -> int:
    """Import the library with a mutant and run tests, in a process that has not imported the library."""
    original = importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
        if loader.path == str(mutant.path) and not control:
            return compile(mutant.source, loader.path, "exec")
        return original(loader, name)

    importlib.machinery.SourceFileLoader.get_code = get_code
    trial = ImportTrial(tests)
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    return (run_pytest([*files], trial) or trial.code) if tests else SURVIVED


def run_pytest(paths: list[str], plugin: object) -> int:
    """Run pytest in this process, with a plugin that replaces its loop over the tests."""
    os.chdir(ROOT)
    os.environ["RANKGAUGE_QUICK"] = "1"  # without tests/slow.txt
    options = ["-q", "-s", "-p", "no:cacheprovider", "--assert=plain", "--rootdir", str(ROOT)]
    return int(pytest.main([*options, "-c", str(ROOT / "pyproject.toml"), *paths], plugins=[plugin]))


def by_name(session: pytest.Session) -> dict[str, pytest.Item]:
    """The collected tests by their names, with fewer examples."""
    for item in session.items:
        shorten(item)
    return {item.nodeid: item for item in session.items}
