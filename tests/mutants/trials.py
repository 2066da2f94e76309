"""Try mutants: run the tests that execute the changed line, the quickest first, in a fork for every mutant."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.machinery
import itertools
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np  # noqa: F401  loaded once, before the forks
import polars as pl  # noqa: F401
import pytest

from mutants.areas import PACKAGE, ROOT, SLACK, SUBJECTS, TIMES
from mutants.forks import CLOCK, KILLED, SURVIVED, Note, Send, exit_code, limit, results, shared
from mutants.live import LiveFunctions, changed_functions, unchanged_functions
from mutants.mutations import Mutant
from mutants.reach import FILES, lines_of_file, lines_of_statement, lines_of_use
from mutants.recorded import by_files
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

    killers = Killers()

    def work(trial: tuple[int, dict[str, float]], send: Send) -> None:
        number, seconds = trial
        path = mutants[number].path
        tests = [*itertools.chain(*by_files(killers.first(path, seconds)).values())]
        code, last = exit_code(
            lambda note: try_on_import(mutants[number], {test: seconds[test] for test in tests}, note, control)
        )
        killers.note(path, tests, code, last)
        send((number, code))

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
            [lines_of_file(mutant.path)] if changed else lines_of_use(mutant.path, mutant.line)
            for mutant, changed in zip(mutants, self.changes, strict=True)
        ]
        if control:
            self.changes = [changed and unchanged_functions(changed) for changed in self.changes]
        self.recorder = Recorder()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutants: send the number, the tests and the exit code of each, None for a change that acts on import."""
        items = by_name(session)
        if any(name.read_text().startswith("polars-0") for name in Path("/proc/self/task").glob("*/comm")):
            self.send((None, [], None))
            return True
        for file in FILES:
            with contextlib.suppress(ImportError):  # of an optional library
                importlib.import_module(".".join(Path(file).relative_to(PACKAGE.parent).with_suffix("").parts))
        functions = LiveFunctions()
        gc.freeze()
        recording = self.recorder.record([*items.values()], functions.clear_caches)

        killers = Killers()

        def run(changed: dict[Any, CodeType], tests: list[str], note: Note) -> int:
            functions.apply(changed)
            return first_failure({items[test]: recording.seconds[test] for test in tests}, note)

        def work(number: int, send: Send) -> None:
            changed, lines, path = self.changes[number], self.statements[number], self.mutants[number].path
            if changed:
                tests = recording.tests(lines, killers.tests[path])
                code, last = exit_code(lambda note: run(changed, tests, note)) if tests else (SURVIVED, 0)
                killers.note(path, tests, code, last)
                if code != SURVIVED or recording.on_import.isdisjoint(lines):
                    send((number, {}, code))
                    return
            subjects = (names for part, names in SUBJECTS.items() if part in path.as_posix())
            tests = recording.tests_by_file([lines, *self.uses[number]], next(subjects, ()))
            send((number, {test: recording.seconds[test] for test in tests}, None))

        for result in shared(range(len(self.mutants)), work):
            self.send(result)
        return True


class Killers:
    """The tests that killed mutants, by the changed file: they are the first for other mutants of the file."""

    def __init__(self) -> None:
        self.tests: dict[Path, dict[str, None]] = defaultdict(dict)

    def first(self, path: Path, tests: Iterable[str]) -> list[str]:
        """Tests in an order that starts with those that killed mutants of the file."""
        return [*dict.fromkeys([*filter({*tests}.__contains__, self.tests[path]), *tests])]

    def note(self, path: Path, tests: list[str], code: int, last: int) -> None:
        """Remember the last test that was run if it killed the mutant."""
        if code != SURVIVED and last < len(tests):
            self.tests[path] = {tests[last]: None, **self.tests[path]}


def first_failure(tests: dict[pytest.Item, float], note: Note) -> int:
    """Run tests with the seconds that they take, until one fails or takes several times as long."""
    for number, (item, seconds) in enumerate(tests.items()):
        note(number)
        limit(SLACK + seconds * TIMES, CLOCK)
        if fails(item):
            return KILLED
    limit(0, CLOCK)
    return SURVIVED


class ImportTrial:
    """A plugin of pytest: run some tests in the given order until one fails."""

    def __init__(self, seconds: dict[str, float], before: int, note: Note) -> None:
        self.seconds, self.before, self.note = seconds, before, note
        self.code = KILLED

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests; a mutant that prevents collection is killed."""
        items = by_name(session)
        if not session.testsfailed:
            tests = {items[test]: seconds for test, seconds in self.seconds.items() if test in items}
            self.code = first_failure(tests, lambda number: self.note(self.before + number))
        return True


def try_on_import(mutant: Mutant, tests: dict[str, float], note: Note, control: bool) -> int:
    """Import the library with a mutant and run tests, one file after another, in a process that has not imported the library."""
    original = importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
        if loader.path == str(mutant.path) and not control:
            return compile(mutant.source, loader.path, "exec")
        return original(loader, name)

    importlib.machinery.SourceFileLoader.get_code = get_code
    before = 0
    for file, names in by_files(tests).items():
        note(before)
        trial = ImportTrial({name: tests[name] for name in names}, before, note)
        if run_pytest([file], trial) or trial.code:
            return KILLED
        before += len(names)
    return SURVIVED


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
