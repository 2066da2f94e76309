"""Refuse to read tables in a forked process, in which polars would wait forever for threads that were not copied."""

from __future__ import annotations

import os

from rankgauge.errors import RankgaugeError
from rankgauge.rendering.language import Phrase

_reader: list[int] = []
"""The process that read a table first."""


def check_process() -> None:
    """Raise an error if a table was read before this process was forked."""
    process = os.getpid()
    if not _reader:
        _reader.append(process)
    elif _reader[0] != process:
        raise RankgaugeError(
            Phrase(
                "this process was forked after files or frames were read, and polars cannot be used in it; start "
                "processes with multiprocessing.get_context('spawn'), or read nothing before the fork",
                "本进程是在读取文件或表之后 fork 出来的，无法使用 polars；请用 multiprocessing.get_context('spawn') "
                "启动进程，或在 fork 之前不读取数据",
            )
        )
