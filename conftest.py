"""Tests of what is not installed are skipped, and a run says how many were left out and why."""

import os
import re
from collections import Counter
from importlib.util import find_spec

import pytest

OPTIONAL = (
    "duckdb", "h5py", "jax", "keras", "lightgbm", "lightning", "mlflow", "pyspark", "sentence_transformers", "sklearn",
    "torch", "torchmetrics", "xgboost",
)  # fmt: skip
IMPORTED = re.compile(rf"(?:^|\s)(?:import|from)\s+({'|'.join(OPTIONAL)})\b|\brg\.({'|'.join(OPTIONAL)})\.")
NOT_INSTALLED = re.compile(r"could not import '(\w+)|(\w+) is not installed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip examples of the documentation that import a library that is not installed; `make test` installs them all."""
    if os.environ.get("RANKGAUGE_COMPLETE"):
        return
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            source = "".join(example.source for example in item.dtest.examples)
            names = {one or other for one, other in IMPORTED.findall(source)}
            missing = sorted(name for name in names if find_spec(name) is None)
            if missing:
                item.add_marker(pytest.mark.skip(reason=f"{missing[0]} is not installed"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out; a file that was skipped as a whole counts as one."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        named = NOT_INSTALLED.search(reason)
        reasons[next(filter(None, named.groups())) if named else reason.removeprefix("Skipped: ")] += 1
    deselected = len(terminalreporter.stats.get("deselected", []))
    if deselected:
        reasons["deselected by -m or -k"] += deselected
    if reasons:
        terminalreporter.write_line(f"left out: {reasons.total()} tests or files")
        for reason, count in reasons.most_common():
            terminalreporter.write_line(f"{count:6}  {reason}")
