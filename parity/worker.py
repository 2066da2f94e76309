"""Evaluate random data sets with a tool, inside the environment of the tool.

Usage: python worker.py TOOL PACKAGE JOBS, where JOBS is a JSON file of ``[{"worlds": path, "metrics": [...]}, ...]``.
The output, after a marker line, is ``{"version": ..., "values": [{metric: [...]}, ...]}``: for each data set the mean over its
queries, or a list with the value of each query; null for missing values.
"""

from __future__ import annotations

import json
import math
import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MARK = "=== values ==="


def plain(value: Any) -> Any:
    """Convert values for JSON, with null for NaN and missing values."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if value is None or math.isnan(float(value)):
        return None
    return float(value)


def main() -> None:
    """Run the jobs of one tool."""
    tool, package, jobs = sys.argv[1:]
    adapter = import_module(f"tools.{tool}")
    answers = []
    for job in json.loads(Path(jobs).read_text(encoding="utf-8")):
        worlds = json.loads(Path(job["worlds"]).read_text(encoding="utf-8"))
        values = adapter.values(worlds, job["metrics"])
        answers.append({metric: plain(column) for metric, column in values.items()})
    print()
    print(MARK)
    version = getattr(adapter, "version", lambda: metadata.version(package))()
    print(json.dumps({"version": version, "values": answers}))


if __name__ == "__main__":
    main()
