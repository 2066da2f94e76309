"""Metadata of TREC runs: ir_metadata at the top of the file, as of repro_eval, or tirex-tracker's file beside it."""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import closing
from hashlib import blake2b
from os import path

from rankgauge.errors import RankgaugeError
from rankgauge.inputs.io.compression import open_bytes

START, END = "ir_metadata.start", "ir_metadata.end"
BESIDE = ("ir-metadata.yml", "ir_metadata.yml")
"""Names of the file of tirex-tracker in the folder of a run."""
LONGEST = 1 << 18
"""Bytes of a file in which metadata are looked for."""
MOST, LONG_LIST, LONG_TEXT = 200, 20, 300
"""Entries that are kept, entries of a list that are kept one by one, and characters of an entry."""
DESCRIBING = ("tag", "actor", "research goal", "method", "data", "implementation")
"""Parts that say what was run; those of the platform and the resources differ between any two runs."""
ITEM = re.compile(r"(.*)\.\d+")


def run_header(file: object) -> dict[str, str]:
    """Return the metadata of a run by their path; empty if there are none.

    Parameters
    ----------
    file
        The path of the run, compressed or not.
    """
    if not isinstance(file, str) or not path.isfile(file):  # noqa: PTH113 (as it was given)
        return {}
    lines = [line[1:] for line in _beginning(file).splitlines() if line.startswith("#")]
    marks = [line.strip() for line in lines]
    if START in marks and END in marks:
        return entries(lines[marks.index(START) + 1 : marks.index(END)])
    beside = [path.join(path.dirname(file), name) for name in BESIDE]  # noqa: PTH118, PTH120
    text = next((_beginning(name) for name in beside if path.isfile(name)), "")  # noqa: PTH113
    return entries([line for line in text.splitlines() if line.strip() not in {START, END}])


def _beginning(file: str) -> str:
    """Return the beginning of a file; nothing if it cannot be read."""
    try:
        with closing(open_bytes(file)) as stream:
            return stream.peek(LONGEST).decode("utf-8", "replace")
    except (OSError, RankgaugeError):
        return ""


def entries(lines: list[str]) -> dict[str, str]:
    """Return the values of nested keys by their path, as far as they are plain; items of lists are numbered.

    A long list becomes its length and the beginning of a hash, so that a change is seen.

    >>> entries([" method:", "   retrieval:", "     - name: bm25", "       k1: 0.9", " tag: 'run 1'"])
    {'method.retrieval.0.name': 'bm25', 'method.retrieval.0.k1': '0.9', 'tag': 'run 1'}
    >>> entries(["cmd:", "- python", "- run.py", "features: sse", "  avx"])
    {'cmd.0': 'python', 'cmd.1': 'run.py', 'features': 'sse avx'}
    """
    found: dict[str, str] = {}
    levels: list[tuple[int, str]] = []
    counts: dict[str, int] = {}
    for line in lines:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if not text or text.startswith("#"):
            continue
        is_item = text.startswith("- ")
        while levels and (
            levels[-1][0] > indent or (levels[-1][0] == indent and not (is_item and _holds_items(levels)))
        ):
            levels.pop()
        while text.startswith("- "):
            parent = levels[-1][1] if levels else ""
            number = counts[parent] = counts.get(parent, -1) + 1
            levels.append((indent, f"{parent}.{number}".lstrip(".")))
            indent += len(text) - len(text[2:].lstrip())
            text = text[2:].strip()
        key, colon, value = text.partition(":")
        place = levels[-1][1] if levels else ""
        if colon and (not value or value.startswith(" ")):
            place = f"{place}.{key.strip()}".lstrip(".")
            levels.append((indent, place))
            text = value.strip()
        if text:
            joined = f"{found[place]} {text}" if place in found else text
            found[place] = joined.strip("\"'")[:LONG_TEXT]
    return _shortened(found)


def _holds_items(levels: list[tuple[int, str]]) -> bool:
    """Return whether the last level is a key, whose items may be indented as it is, and not an item."""
    return ITEM.fullmatch(levels[-1][1]) is None


def _shortened(found: dict[str, str]) -> dict[str, str]:
    lists: dict[str, list[str]] = defaultdict(list)
    for name, value in found.items():
        if match := ITEM.fullmatch(name):
            lists[match[1]].append(value)
    shortened: dict[str, str] = {}
    for name, value in found.items():
        match = ITEM.fullmatch(name)
        if match is None or len(lists[match[1]]) <= LONG_LIST:
            shortened[name] = value
        else:
            items = lists[match[1]]
            digest = blake2b("\n".join(items).encode(), digest_size=4).hexdigest()
            shortened[match[1]] = f"{len(items)} entries, {digest}"
    return dict([*shortened.items()][:MOST])


def describing(header: dict[str, str]) -> dict[str, str]:
    """Return the entries that say what was run."""
    return {name: value for name, value in header.items() if name.split(".")[0] in DESCRIBING}
