"""JUnit XML: results as test cases for continuous integration; control characters in ids are escaped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rankgauge.rendering.text import neutral


class JUnitCase(NamedTuple):
    """A test case: what it checks, a line about its result, details if it failed, and whether it has no outcome."""

    name: str
    line: str
    failed: bool
    details: str = ""
    skipped: bool = False


def junit(suite: str, kind: str, cases: Sequence[JUnitCase], notes: str = "") -> str:
    """Return a test suite as XML; ``kind`` names the type of its failures, ``notes`` are about all cases."""
    from xml.etree import ElementTree as ET  # noqa: PLC0415 (slow to load)

    counts = {"tests": str(len(cases)), "failures": str(sum(case.failed for case in cases)), "errors": "0"}
    skipped = str(sum(case.skipped for case in cases))
    root = ET.Element("testsuites", {"name": "rankgauge", **counts})
    element = ET.SubElement(root, "testsuite", {"name": neutral(suite), **counts, "skipped": skipped})
    for case in cases:
        entry = ET.SubElement(element, "testcase", {"classname": "rankgauge", "name": neutral(case.name)})
        if case.failed:
            failure = ET.SubElement(entry, "failure", {"type": kind, "message": neutral(case.line)})
            failure.text = case.details or None
        elif case.skipped:
            ET.SubElement(entry, "skipped", {"message": neutral(case.line)})
        else:
            ET.SubElement(entry, "system-out").text = neutral(case.line)
    if notes:
        ET.SubElement(element, "system-out").text = "\n".join(map(neutral, notes.splitlines()))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'
