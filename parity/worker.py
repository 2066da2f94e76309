"""Runs inside the environment of a tool: worlds in, the tool's values out.

Usage: python worker.py TOOL PACKAGE JOBS, where JOBS is a JSON file of ``[{"worlds": path, "metrics": [...]}, ...]``.
The answer, on standard output after a line of its own, is ``{"version": ..., "values": [{metric: [...]}, ...]}``: for each
world the mean over its queries, or a list with the value of each query; null where the tool gives none.
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
    """Numbers as JSON has them: NaN and what is missing as null."""
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
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
    print(json.dumps({"version": metadata.version(package), "values": answers}))


if __name__ == "__main__":
    main()
