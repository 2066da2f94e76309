"""Progress of long work, on a terminal only and removed when the work is done: a bar while reading, else a clock."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import monotonic

from rankgauge.rendering.language import plural
from rankgauge.rendering.text import cell_width, neutral


@dataclass(eq=False, repr=False)
class Progress:
    """Callbacks for the progress of a read."""

    on_read: Callable[[int], None] | None = None
    """Called with the number of bytes read so far."""
    on_match: Callable[[int], None] | None = None
    """Called with the number of queries matched so far."""


NO_PROGRESS = Progress()
PATIENCE = 1.0
"""Seconds after which long work shows that it goes on."""
INTERVAL = 0.1
"""Seconds between two states of a bar."""
CELLS = 30
"""Characters of a full bar."""


class Clock:
    """Shows on standard error what a command does and for how long, once it takes more than a second."""

    def __init__(self) -> None:
        self._done, self._lock = Event(), Lock()
        self._bars = 0
        self._shown = False

    def start(self, label: str) -> None:
        """Begin to count, if standard error is a terminal."""
        if sys.stderr is not None and sys.stderr.isatty():
            self._done.clear()
            Thread(target=self._run, args=(label, monotonic()), name="rankgauge-clock", daemon=True).start()

    def _run(self, label: str, start: float) -> None:
        while not self._done.wait(PATIENCE):
            with self._lock:
                if not self._bars and not self._done.is_set():
                    sys.stderr.write(f"\r{label} {monotonic() - start:.0f} s ")
                    sys.stderr.flush()
                    self._shown = True

    def stop(self) -> None:
        """Remove the line; called before anything else is written."""
        self._done.set()
        self._clear()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Show nothing while a bar is shown."""
        self._bars += 1
        self._clear()
        try:
            yield
        finally:
            self._bars -= 1

    def _clear(self) -> None:
        with self._lock:
            if self._shown:
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
                self._shown = False


CLOCK = Clock()
"""The clock of the command that runs."""


class Bar:
    """A line on standard error: how much of a file was read, the rest of the time, and the queries matched."""

    def __init__(self, name: str, total: int | None) -> None:
        self._name, self._total = neutral(name), total
        self._count = self._queries = 0
        self._start = self._drawn = monotonic()
        self._lock = Lock()

    def read(self, count: int) -> None:
        """Show the number of bytes read so far."""
        self._count = count
        self._draw()

    def matched(self, queries: int) -> None:
        """Show the number of queries matched so far."""
        self._queries = queries
        self._draw()

    def clear(self) -> None:
        """Remove the line."""
        with self._lock:
            self._drawn = math.inf
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _draw(self) -> None:
        """Draw the line, unless that was done a moment ago."""
        with self._lock:
            now = monotonic()
            if now - self._drawn >= INTERVAL:
                self._drawn = now
                from shutil import get_terminal_size  # noqa: PLC0415 (only on a terminal)

                line, room = self.line(now - self._start), get_terminal_size().columns - 1
                while cell_width(line) > room:
                    line = line[:-1]
                sys.stderr.write(f"\r{line}\x1b[K")
                sys.stderr.flush()

    def line(self, seconds: float) -> str:
        """Return what is shown after this number of seconds."""
        megabytes = f"{self._count / 1e6:.1f}"
        parts = [f"{megabytes} MB", f"{seconds:.0f} s"]
        if self._total:
            share = min(self._count / self._total, 1.0)
            parts = [f"[{'#' * round(share * CELLS):-<{CELLS}}]", f"{megabytes}/{self._total / 1e6:.1f} MB"]
            parts += [f"{seconds * (1 / share - 1):.0f} s left"] if share else []
        matched = [plural(self._queries, "# query", "# queries")] if self._queries else []
        return "  ".join([self._name, *parts, *matched])


@contextmanager
def progress_bar(name: str, total: int | None) -> Iterator[Progress]:
    """Show a progress bar while a file is read; nothing if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield Progress()
        return
    bar = Bar(name, total)
    with CLOCK.hidden():
        try:
            yield Progress(bar.read, bar.matched)
        finally:
            bar.clear()


class StepBar(Bar):
    """A line on standard error: how many steps of a long work are done, and the rest of the time."""

    def line(self, seconds: float) -> str:
        """Return what is shown after this number of seconds."""
        done, total = self._count, self._total or 1
        left = [f"{seconds * (total / done - 1):.0f} s left"] if done else []
        return "  ".join([self._name, f"[{'#' * round(done / total * CELLS):-<{CELLS}}]", f"{done:,}/{total:,}", *left])


@contextmanager
def step_bar(name: str, total: int, wanted: bool | Callable[[str, int], None]) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of finished steps: a bar on a terminal, a callback, or nothing."""
    if callable(wanted):
        yield lambda count: wanted(name, count)
        return
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    bar = StepBar(name, total)
    with CLOCK.hidden():
        try:
            yield bar.read
        finally:
            bar.clear()
