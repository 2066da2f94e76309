"""Progress of long work, on a terminal only and removed when the work is done: a bar while reading, else a clock."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import monotonic

from rankgauge.rendering.language import plural


@dataclass
class Progress:
    """Callbacks for the progress of a read."""

    on_read: Callable[[int], None] | None = None
    """Called with the number of bytes read so far."""
    on_match: Callable[[int], None] | None = None
    """Called with the number of queries matched so far."""


NO_PROGRESS = Progress()
PATIENCE = 1.0
"""Seconds after which long work shows that it goes on."""


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


@contextmanager
def progress_bar(name: str, total: int | None) -> Iterator[Progress]:
    """Show a progress bar while a file is read; nothing if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield Progress()
        return
    from rich import progress as rich  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    columns = [rich.BarColumn(), rich.DownloadColumn(), rich.TimeRemainingColumn()]
    text = rich.TextColumn("{task.description}")
    with CLOCK.hidden(), rich.Progress(text, *columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=total)
        yield Progress(
            lambda count: bar.update(task, completed=count),
            lambda queries: bar.update(task, description=f"{name}, {plural(queries, '# query', '# queries')}"),
        )
