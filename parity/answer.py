"""Answer queries one by one with a tool, inside the environment of the tool.

Usage: python answer.py TOOL PACKAGE. The first line of output is the version. Each line of input is a JSON list of a number,
a metric and a query, and each line of output a JSON list of that number and ``{"value": number}``, with null for a query that the
tool leaves out, or ``{"error": [type, message]}``.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from importlib import import_module, metadata
from typing import Any

LIBRARIES = {"numpy", "pandas", "polars", "scipy", "torch", "tensorflow", "jax", "numba", "pyspark"}
"""Packages whose exceptions a tool did not foresee."""


def answer(adapter: Any, metric: str, query: dict[str, Any]) -> dict[str, Any]:
    """Return the value of a query, or the error that the tool raised."""
    try:
        [value] = adapter.values([[query]], [metric])[metric]
        value = value[0] if isinstance(value, list | tuple) else value
        return {"value": None if value is None else float(value)}
    except Exception as error:  # noqa: BLE001 (a tool may raise anything)
        foreign = type(error).__module__.partition(".")[0] in LIBRARIES
        return {"error": ["RuntimeError" if foreign else type(error).__name__, str(error)]}


def main() -> None:
    """Answer until the input ends; what the tool prints goes to standard error."""
    tool, package = sys.argv[1:]
    with os.fdopen(os.dup(1), "w", buffering=1) as output:
        os.dup2(2, 1)
        warnings.simplefilter("ignore")
        adapter = import_module(f"tools.{tool}")
        print(getattr(adapter, "version", lambda: metadata.version(package))(), file=output)
        for line in sys.stdin:
            number, metric, query = json.loads(line)
            print(json.dumps([number, answer(adapter, metric, query)]), file=output)


if __name__ == "__main__":
    main()
