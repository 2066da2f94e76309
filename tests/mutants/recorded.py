"""What was recorded of every test, which tests a mutant needs, and the file in which recordings are kept for later runs."""

from __future__ import annotations

import functools
import hashlib
import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mutants.areas import BUDGET, MOST_FILES, PACKAGE, ROOT
from mutants.reach import MOST_LINES

KEPT = ROOT / ".mutants.npz"


class Recorded(NamedTuple):
    """The seconds that a test takes, and the numbers of the lines that it executes."""

    seconds: float
    lines: np.ndarray[Any, np.dtype[np.int32]]


class Recording:
    """What was recorded of all tests, and the lines that are executed on import."""

    def __init__(self, recorded: dict[str, Recorded], on_import: set[int]) -> None:
        self.names, self.on_import = [*recorded], on_import
        self.seconds = {test: kept.seconds for test, kept in recorded.items()}
        lines = np.concatenate([np.empty(0, np.int32), *(kept.lines for kept in recorded.values())])
        order = np.argsort(lines, kind="stable")
        self._lines = lines[order]
        self._tests = np.repeat(np.arange(len(recorded)), [len(kept.lines) for kept in recorded.values()])[order]

    def tests(self, lines: Collection[int], first: Iterable[str]) -> list[str]:
        """The tests that execute one of the lines, within the budget.

        Those given as first precede. Of the others, the quickest of every file come before the second quickest, and in
        turn with them those of which the file of the lines is the largest part of what they execute.
        """
        executing = self.executing(lines)
        share = self.shares(lines)
        by_share = sorted(executing, key=share.__getitem__, reverse=True)
        in_turn = filter(None, itertools.chain(*itertools.zip_longest(*by_files(executing).values())))
        both = itertools.chain(*zip(in_turn, by_share, strict=True))
        return self.within(BUDGET, dict.fromkeys([*filter({*executing}.__contains__, first), *both]))

    def shares(self, lines: Collection[int]) -> dict[str, float]:
        """The share of the file of some lines among the lines that each test executes."""
        first = min(lines) // MOST_LINES * MOST_LINES
        start, end = np.searchsorted(self._lines, (first, first + MOST_LINES))
        in_file = np.bincount(self._tests[start:end], minlength=len(self.names))
        return dict(zip(self.names, in_file / np.bincount(self._tests, minlength=len(self.names)).clip(1), strict=True))

    def tests_by_file(self, groups: list[Collection[int]], subjects: tuple[str, ...] = ()) -> list[str]:
        """The tests that execute a line of the first group, then those of the next, file by file, within the budget.

        First come files of the subject with all their tests, then those with most tests that execute a line: every file
        has to be imported.
        """
        quickest = sorted(self.names, key=self.seconds.__getitem__)
        of_subject = by_files(test for test in quickest if test.partition("::")[0].endswith(subjects))
        chosen = {file: self.within(BUDGET / 2, tests) for file, tests in of_subject.items()}
        for group in groups:
            files = by_files(self.executing(group))
            for file in sorted(files, key=lambda file: -len(files[file])):
                chosen.setdefault(file, self.within(BUDGET / MOST_FILES, files[file]))
        return [test for file in itertools.islice(chosen, MOST_FILES) for test in chosen[file]]

    def executing(self, lines: Collection[int]) -> list[str]:
        """The tests that execute one of the lines, the quickest first."""
        numbers = np.array(sorted(lines), self._lines.dtype)
        ends = zip(np.searchsorted(self._lines, numbers), np.searchsorted(self._lines, numbers, "right"), strict=True)
        tests = {*itertools.chain(*(self._tests[start:end].tolist() for start, end in ends))}
        return sorted((self.names[test] for test in tests), key=self.seconds.__getitem__)

    def within(self, budget: float, tests: Iterable[str]) -> list[str]:
        """The first tests that take no longer together."""
        spent = itertools.accumulate(self.seconds[test] for test in tests)
        return [test for test, seconds in zip(tests, spent, strict=True) if seconds <= budget]


def by_files(tests: Iterable[str]) -> dict[str, list[str]]:
    """Tests by their file, the files in the order of their first test."""
    files: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        files[test.partition("::")[0]].append(test)
    return files


def load() -> dict[str, dict[str, Recorded]]:
    """The kept recordings of the files of tests that have not changed, if the library has not."""
    if not KEPT.exists():
        return {}
    kept = np.load(KEPT)
    ends = np.cumsum(kept["lengths"])
    recorded: dict[str, dict[str, Recorded]] = {
        file: {} for file, key in zip(kept["files"].tolist(), kept["keys"].tolist(), strict=True) if key == digest(file)
    }
    columns = (kept[name].tolist() for name in ("tests", "owners", "seconds"))
    for test, file, seconds, lines in zip(*columns, np.split(kept["lines"], ends[:-1]), strict=True):
        if file in recorded:
            recorded[file][test] = Recorded(seconds, lines)
    return recorded


def save(recorded: dict[str, dict[str, Recorded]], keys: dict[str, str]) -> None:
    """Keep the recordings for later runs."""
    every = [(file, test, kept) for file, tests in recorded.items() for test, kept in tests.items()]
    np.savez_compressed(
        KEPT,
        files=np.array([*keys]),
        keys=np.array([*keys.values()]),
        owners=np.array([file for file, _, _ in every]),
        tests=np.array([test for _, test, _ in every]),
        seconds=np.array([kept.seconds for _, _, kept in every]),
        lengths=np.array([len(kept.lines) for _, _, kept in every]),
        lines=np.concatenate([np.empty(0, np.int32), *(kept.lines for _, _, kept in every)]),
    )


def digest(file: str) -> str:
    """What identifies the content of a file of tests, of the modules that tests import, and of the library."""
    content = surroundings().copy()
    content.update(Path(file).read_bytes())
    return content.hexdigest()


@functools.cache
def surroundings() -> Any:
    """The digest of the library and of the modules that tests import."""
    helpers = (path for path in ROOT.glob("tests/*.py") if not path.name.startswith("test_"))
    content = hashlib.sha256()
    for path in sorted([*PACKAGE.rglob("*.py"), *helpers]):
        content.update(path.read_bytes())
    return content
