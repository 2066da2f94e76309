"""Names of systems taken from the names of their files."""

from __future__ import annotations

from collections.abc import Container

from rankgauge.inputs.formats.sniff import _ENDINGS, _PACKED, _TREC_ENDINGS


def strip_endings(name: str) -> str:
    """Return a file name without the endings of formats and compressions; other dots belong to the name.

    >>> strip_endings("bm25.k1.2.run.gz")
    'bm25.k1.2'
    """
    uncompressed = _PACKED.sub("", name)
    stem, _, ending = uncompressed.rpartition(".")
    return stem if stem and ending.lower() in _ENDINGS.keys() | _TREC_ENDINGS else uncompressed


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
