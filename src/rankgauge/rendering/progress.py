"""A progress bar for long reads: on a terminal only, and gone when the work is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Steps:
    """What to call as the work goes on."""

    read: Callable[[int], None] | None = None
    """With the number of bytes read so far."""
    matched: Callable[[int], None] = lambda _: None
    """With the number of queries done so far."""


@contextmanager
def reading_bar(what: str, total: int | None) -> Iterator[Steps]:
    """Show how far the reading of a file has come; nothing where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield Steps()
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield Steps(
            lambda count: bar.update(task, completed=count),
            lambda queries: bar.update(task, description=f"{what}, {queries:,} queries"),
        )
