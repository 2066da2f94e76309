"""The result of a gate as JUnit XML, which continuous integration shows as tests."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from rankgauge.gate.check import Check, GateResult
from rankgauge.rendering.text import neutral


def junit(result: GateResult, name: str = "rankgauge check") -> str:
    """One test case for each condition; control characters of ids are made visible."""
    counts = {"tests": str(len(result.checks)), "failures": str(len(result.failures)), "errors": "0"}
    root = ET.Element("testsuites", {"name": "rankgauge", **counts})
    suite = ET.SubElement(root, "testsuite", {"name": neutral(name), **counts, "skipped": "0"})
    for check in result.checks:
        case = ET.SubElement(suite, "testcase", {"classname": "rankgauge", "name": neutral(str(check.condition))})
        if check.failed:
            failure = ET.SubElement(case, "failure", {"type": "regression", "message": neutral(check.line())})
            failure.text = _details(result, check)
        else:
            ET.SubElement(case, "system-out").text = neutral(check.line())
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _details(result: GateResult, check: Check) -> str:
    lines = [check.line()]
    for one in check.worst:
        before = "" if one.before is None else f"{one.before:.6f} → "
        lines.append(f"{one.query}: {before}{one.after:.6f}")
        command = result.explain_command(check.condition.metric, one.query)
        lines += [f"  {command}"] if command else []
    return "\n".join(map(neutral, lines))
