"""Run all tests once without a mutant, and record which lines each executes and how long it takes."""

from __future__ import annotations

import functools
import itertools
import time
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

import pytest
from coverage import Coverage

from mutants.areas import BUDGET, EXAMPLES, SLOW, WAITING
from mutants.forks import Send, limit, results, shared
from mutants.reach import ANY, Line


class Recording(NamedTuple):
    """The lines that each test executes and the seconds that it takes, and the lines that are executed on import."""

    lines: dict[str, set[Line]]
    seconds: dict[str, float]
    on_import: set[Line]

    def tests(self, groups: list[set[Line]]) -> list[str]:
        """The tests that execute a line of the first group, then those of the next: the quickest first, within the budget."""
        executing = [[test for test, lines in self.lines.items() if not lines.isdisjoint(group)] for group in groups]
        ordered = dict.fromkeys(test for tests in executing for test in sorted(tests, key=self.seconds.__getitem__))
        spent = itertools.accumulate(self.seconds[test] for test in ordered)
        return [test for test, seconds in zip(ordered, spent, strict=True) if seconds <= BUDGET]


class Recorder:
    """Records which of some lines are executed, from its start on."""

    def __init__(self, lines: set[Line]) -> None:
        self.lines: dict[str, set[int]] = defaultdict(set)
        for file, line in lines:
            self.lines[file].add(line)
        self.coverage = Coverage(data_file=None, config_file=False, include=[*self.lines], messages=False)
        self.coverage.set_option("run:disable_warnings", ["no-data-collected", "module-not-imported"])
        self.coverage.start()

    def executed(self) -> set[Line]:
        """The lines since the start, and for each of their files the mark of any line; ends the recording."""
        self.coverage.stop()
        data = self.coverage.get_data()
        by_file = {file: {*(data.lines(file) or ())} for file in self.lines}
        self.coverage.erase()
        return {(file, line) for file, lines in by_file.items() if lines for line in (ANY, *lines & self.lines[file])}

    def record(self, items: list[pytest.Item], clear_caches: Callable[[], None]) -> Recording:
        """Run the tests, in a fork for each of their files; a test that is slow or fails without a mutant is left out."""
        recording = Recording({}, {}, self.executed())

        def run(items: list[pytest.Item], send: Send) -> None:
            for item in items:
                limit(SLOW, WAITING)
                clear_caches()
                self.coverage.start()
                start = time.process_time()
                failed = fails(item)
                send((item.nodeid, failed, time.process_time() - start, sorted(self.executed())))

        def run_file(items: list[pytest.Item], send: Send) -> None:
            while items:  # again without the test that ended the process
                ended = [*results(functools.partial(run, items))]
                for result in ended:
                    send(result)
                items = items[len(ended) + 1 :]

        files = [[*group] for _, group in itertools.groupby(items, lambda item: item.path)]
        for test, failed, seconds, lines in shared(files, run_file):
            if not failed:
                recording.seconds[test], recording.lines[test] = seconds, {*map(tuple, lines)}
        return recording


def fails(item: pytest.Item) -> bool:
    """Whether a test fails."""
    from _pytest.runner import runtestprotocol

    return any(report.failed for report in runtestprotocol(item, nextitem=None, log=False))


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
