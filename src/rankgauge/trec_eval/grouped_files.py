"""Judgments of several people: ``-R prefs``, ``-R qrels_prefs`` and ``-R qrels_jg``, line by line.

A judgment group is what one person thought of one query. Where that person compared only some items at a time, each
such comparison is a subgroup.

    query group subgroup item level      prefs
    query group item level               qrels_prefs (the items of a group are one subgroup)
    query group item grade               qrels_jg
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing

from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.formats.reader import BLOCK_BYTES
from rankgauge.inputs.io.compression import Source, open_bytes
from rankgauge.inputs.io.lines import NUMBER, FileContext, clean_text, line_blocks

Subgroup = list[tuple[str, float]]
"""Items with their levels; of two items the one with the higher level is preferred."""

Preferences = dict[str, dict[str, dict[str, Subgroup]]]
"""By query, group and subgroup."""

GroupedGrades = dict[str, dict[str, dict[str, float]]]
"""The grade of each item, by query and group."""

ONLY_SUBGROUP = "0"


def read_preferences(source: Source) -> Preferences:
    r"""Read ``query group subgroup item level``.

    >>> import io
    >>> read_preferences(io.StringIO("1 ann morning a 2\n1 ann morning b 0\n"))
    {'1': {'ann': {'morning': [('a', 2.0), ('b', 0.0)]}}}
    """
    read: Preferences = {}
    for _, (query, group, subgroup, item, _), level in _rows(source, ("query", "group", "subgroup", "item", "level")):
        read.setdefault(query, {}).setdefault(group, {}).setdefault(subgroup, []).append((item, level))
    return read


def read_qrels_as_preferences(source: Source) -> Preferences:
    r"""Read ``query group item level``, ordinary qrels: an item is preferred to all with a lower grade.

    >>> import io
    >>> read_qrels_as_preferences(io.StringIO("1 0 a 2\n1 0 b 0\n"))
    {'1': {'0': {'0': [('a', 2.0), ('b', 0.0)]}}}
    """
    read: Preferences = {}
    for _, (query, group, item, _), level in _rows(source, ("query", "group", "item", "level")):
        read.setdefault(query, {}).setdefault(group, {}).setdefault(ONLY_SUBGROUP, []).append((item, level))
    return read


def read_grouped_grades(source: Source) -> GroupedGrades:
    r"""Read ``query group item grade``: qrels of several people. Of a fractional grade the whole part counts.

    >>> import io
    >>> read_grouped_grades(io.StringIO("1 ann a 2\n1 bob a 0\n"))
    {'1': {'ann': {'a': 2.0}, 'bob': {'a': 0.0}}}
    """
    read: GroupedGrades = {}
    for place, (query, group, item, _), grade in _rows(source, ("query", "group", "item", "grade")):
        grades = read.setdefault(query, {}).setdefault(group, {})
        if item in grades:
            raise InputError(
                f"{place}: item {shown(item)} was judged before (query {shown(query)}, group {shown(group)}); "
                "keep one judgment for each query, group and item"
            )
        grades[item] = float(math.trunc(grade))
    return read


def _rows(source: Source, columns: tuple[str, ...]) -> Iterator[tuple[str, list[str], float]]:
    """Where each line stands, its columns, and the last of them as a number; comments and blank lines are left out."""
    findings = Findings()
    stream, name = open_bytes(source)
    reading = FileContext(name, "judgments", findings, lenient=False)
    with closing(stream):
        for raw in line_blocks(stream, BLOCK_BYTES):
            block = clean_text(raw, reading)
            findings.raise_errors(lenient=False)
            for line, text in enumerate(block.text.split(b"\n"), block.line):
                fields = text.split()  # bytes split at ASCII blanks only: NBSP and U+3000 belong to ids
                if not fields or fields[0].startswith(b"#"):
                    continue
                reading.rows_begun = True
                yield (place := f"{name}:{line}"), *_fields(place, fields, columns)
    if not reading.rows_begun:
        raise input_error("RG101", f"{name}: nothing in it: no line with data")


def _fields(place: str, fields: list[bytes], columns: tuple[str, ...]) -> tuple[list[str], float]:
    texts = [field.decode() for field in fields]
    if len(fields) != len(columns):
        count = f"{len(fields)} column{'s' * (len(fields) > 1)}"
        raise InputError(
            f"{place}: {count} where {len(columns)} belong: {shown(' '.join(texts))}; "
            f"a line has {', '.join(columns[:-1])} and {columns[-1]}"
        )
    if NUMBER.fullmatch(fields[-1]) is None or not math.isfinite(number := float(fields[-1])):
        raise InputError(
            f"{place}: {columns[-1]} {shown(texts[-1])} is not a finite number "
            f"(query {shown(texts[0])}, item {shown(texts[-2])}); write it like 1 or 0.5"
        )
    return texts, number
