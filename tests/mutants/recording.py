"""Run all tests once without a mutant, and record which lines each executes and how long it takes."""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable

import numpy as np
import pytest
from coverage import Coverage

from mutants.areas import AREAS, EXAMPLES, PACKAGE, SAVING, SLOW, WAITING
from mutants.forks import Send, limit, results, shared
from mutants.reach import ANY, number_of, places_of_files
from mutants.recorded import Recorded, Recording, digest, load, save


class Recorder:
    """Records which lines of the areas are executed, from its start on."""

    def __init__(self) -> None:
        # Few patterns, because they are compiled at every start.
        patterns = [f"{PACKAGE}/{pattern}" for area in AREAS.values() for pattern in area]
        self.coverage = Coverage(data_file=None, config_file=False, include=patterns, messages=False)
        self.coverage.set_option("run:disable_warnings", ["no-data-collected", "module-not-imported"])
        self.coverage.start()

    def executed(self) -> list[int]:
        """The lines since the start, and for each of their files the mark of any line; ends the recording."""
        self.coverage.stop()
        data = self.coverage.get_data()
        by_file = {file: data.lines(file) for file in data.measured_files() & places_of_files().keys()}
        self.coverage.erase()
        return sorted(number_of(file, line) for file, lines in by_file.items() if lines for line in {*lines, ANY})

    def record(self, items: list[pytest.Item], clear_caches: Callable[[], None]) -> Recording:
        """Run the tests, in a fork for each of their files; a test that is slow or fails without a mutant is left out.

        The tests of a file are not run again as long as neither the file nor the library has changed; what was recorded is
        saved while it runs.
        """
        on_import, recorded = self.executed(), load()
        by_file = {str(path): [*group] for path, group in itertools.groupby(items, lambda item: item.path)}
        keys = {file: digest(file) for file in {**recorded, **by_file}}

        def run(items: list[pytest.Item], send: Send) -> None:
            for item in items:
                limit(SLOW, WAITING)
                clear_caches()
                self.coverage.start()
                start = time.process_time()
                failed = fails(item)
                send((item.nodeid, failed, time.process_time() - start, self.executed()))

        def run_file(file: str, send: Send) -> None:
            items = by_file[file]
            while items:  # again without the test that ended the process
                ended = [*results(functools.partial(run, items))]
                for result in ended:
                    send((file, *result))
                items = items[len(ended) + 1 :]
            send((file, None, True, 0.0, []))

        new, saved = [file for file in by_file if file not in recorded], time.monotonic()
        recorded |= {file: {} for file in new}
        unfinished = {*new}
        for file, test, failed, seconds, lines in shared(new, run_file):
            if test is None:
                unfinished.discard(file)
            elif not failed:
                recorded[file][test] = Recorded(seconds, np.array(lines, np.int32))
            if test is None and (not unfinished or time.monotonic() > saved + SAVING):
                finished = {file: key for file, key in keys.items() if file not in unfinished}
                save({file: recorded[file] for file in finished}, finished)
                saved = time.monotonic()
        tests = {item.nodeid for item in items}
        return Recording(
            {test: kept for file in by_file for test, kept in recorded[file].items() if test in tests}, {*on_import}
        )


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
