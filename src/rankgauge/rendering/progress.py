"""A progress bar for long reads: on a terminal only, and removed when the work is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rankgauge.rendering.language import plural


@dataclass
class Progress:
    """Callbacks for the progress of a read."""

    on_read: Callable[[int], None] | None = None
    """Called with the number of bytes read so far."""
    on_match: Callable[[int], None] | None = None
    """Called with the number of queries matched so far."""


NO_PROGRESS = Progress()


@contextmanager
def progress_bar(name: str, total: int | None) -> Iterator[Progress]:
    """Show a progress bar while a file is read; nothing if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield Progress()
        return
    from rich import progress as rich  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    columns = [rich.BarColumn(), rich.DownloadColumn(), rich.TimeRemainingColumn()]
    with rich.Progress(
        rich.TextColumn("{task.description}"), *columns, console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task(name, total=total)
        yield Progress(
            lambda count: bar.update(task, completed=count),
            lambda queries: bar.update(task, description=f"{name}, {plural(queries, '# query', '# queries')}"),
        )
