"""Names of systems derived from file names."""

from __future__ import annotations

from collections.abc import Container

from rankgauge.inputs.formats.registry import format_of_ending
from rankgauge.inputs.io.compression import split_compression


def strip_endings(name: str) -> str:
    """Return a file name without the endings of formats and compressions; other dots belong to the name.

    >>> strip_endings("bm25.k1.2.run.gz")
    'bm25.k1.2'
    """
    uncompressed, _ = split_compression(name)
    stem, _, ending = uncompressed.rpartition(".")
    return stem if stem and format_of_ending(ending) else uncompressed


def unique_name(name: str, existing: Container[str]) -> str:
    """Return the name, with a number appended if it exists already.

    >>> unique_name("run", ["run", "run-2"])
    'run-3'
    """
    number, candidate = 1, name
    while candidate in existing:
        number += 1
        candidate = f"{name}-{number}"
    return candidate
