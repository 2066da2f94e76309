"""Run all tests once without a mutant, and record what each calls and how long it takes."""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from mutants.areas import BUDGET, EXAMPLES, PACKAGE, ROOT, SLOW
from mutants.forks import exit_code, results
from mutants.live import Place, place
from mutants.mutations import Mutant


class Recording(NamedTuple):
    """The functions that each test calls and the seconds that it takes, and the functions that are called on import."""

    calls: dict[str, set[Place]]
    seconds: dict[str, float]
    on_import: set[Place]

    def runs_on_import(self, places: set[Place]) -> bool:
        """Whether changed code runs on import: it is in no function, or in one that is called then."""
        return not places or bool(places & self.on_import)

    def tests(self, mutant: Mutant, places: set[Place]) -> list[str]:
        """The tests that call changed functions, the quickest first, as many as the budget allows.

        If the change runs on import, then all others follow, first those that call functions of the same file.
        """
        chosen = [test for test, calls in self.calls.items() if not calls.isdisjoint(places)]
        groups = [chosen]
        if self.runs_on_import(places):
            same_file = {place for place in set().union(*self.calls.values()) if place[0] == str(mutant.path)}
            near = [test for test, calls in self.calls.items() if not calls.isdisjoint(same_file)]
            groups += [near, [*self.calls]]
        ordered = dict.fromkeys(test for group in groups for test in sorted(group, key=self.seconds.__getitem__))
        spent = itertools.accumulate(self.seconds[test] for test in ordered)
        return [test for test, seconds in zip(ordered, spent, strict=True) if seconds <= BUDGET]


def record(paths: list[str]) -> Recording:
    """Run all tests in a fork; a test that fails without a mutant or is slow is left out."""
    recording = Recording({}, {}, set())
    for test, seconds, calls in results(lambda send: run_pytest(paths, Recorder(send))):
        places = {(file, name, line) for file, name, line in calls}
        if not test:
            recording.on_import.update(places)
        elif seconds is None:
            sys.stdout.write(f"left out, since it fails without a mutant or is slow: {test}\n")
        else:
            recording.calls[test], recording.seconds[test] = places, seconds
    return recording


class Recorder:
    """A plugin of pytest: send the name, the seconds and the called functions of every test, and first those on import."""

    def __init__(self, send: Callable[[Any], None]) -> None:
        self.send = send
        self.prefix = str(PACKAGE)
        self.called: set[Place] = set()
        self.trace()

    def trace(self) -> None:
        """Note the calls of functions from now on."""
        threading.settrace(self.on_event)
        sys.settrace(self.on_event)

    def on_event(self, frame: Any, event: str, _: Any) -> None:
        """Note the call of a function of the library."""
        if event == "call" and frame.f_code.co_filename.startswith(self.prefix):
            self.called.add(place(frame.f_code))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every test in a fork, so that none ends the others or leaves a cache filled."""
        sys.settrace(None)
        self.send(("", 0, sorted(self.called)))
        for item in session.items:
            shorten(item)
            if exit_code(lambda test=item: self.run(test), SLOW):
                self.send((item.nodeid, None, []))
        return True

    def run(self, item: pytest.Item) -> int:
        """Send the calls of a test; return 1 if it fails."""
        self.called.clear()
        self.trace()
        failed = fails(item)
        if not failed:
            self.send((item.nodeid, time.process_time(), sorted(self.called)))
        return int(failed)


def run_pytest(paths: list[str], plugin: object) -> int:
    """Run pytest in this process, with a plugin that replaces its loop over the tests."""
    os.chdir(ROOT)
    options = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--assert=plain", "--rootdir", str(ROOT)]
    return int(pytest.main([*options, "-c", str(ROOT / "pyproject.toml"), *paths], plugins=[plugin]))


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
