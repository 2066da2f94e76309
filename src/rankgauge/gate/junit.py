"""Results of a gate as JUnit XML, for continuous integration."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from rankgauge.gate.result import Check, GateResult
from rankgauge.rendering.text import neutral


def junit(result: GateResult, name: str = "rankgauge check") -> str:
    """Return a test case for each condition; control characters in ids are escaped."""
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
    for worst in check.worst:
        before = "" if worst.before is None else f"{worst.before:.6f} → "
        lines.append(f"{worst.query}: {before}{worst.after:.6f}")
        command = result.explain_command(check.condition.metric, worst.query)
        lines += [f"  {command}"] if command else []
    return "\n".join(map(neutral, lines))
