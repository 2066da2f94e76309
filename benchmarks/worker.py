"""Measure one tool in one process: warm up on small data, make the call, print time and memory as JSON.

This module imports only the standard library, so that time and memory are those of the tool.
"""

from __future__ import annotations

import gc
import importlib
import json
import resource
import sys
import time
import traceback
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ENOUGH_SECONDS, MOST_CALLS = 0.5, 50
STATUS = Path("/proc/self/status")


def megabytes(field: str) -> float:
    """Return VmRSS (current memory) or VmHWM (peak since the last reset) of this process."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(field + ":"))
    return int(line.split()[1]) / 1024


def reset_peak() -> None:
    """Reset VmHWM to the current memory, so that loading the data does not count."""
    Path("/proc/self/clear_refs").write_text("5")


def processor_seconds() -> float:
    """Return the CPU time of this process and of the programs it ran."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def versions(packages: tuple[str, ...]) -> dict[str, str]:
    """Return the versions of the installed packages."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def measured(job: dict[str, Any]) -> dict[str, Any]:
    """Return the times of the call, memory before it and at the peak, and the values."""
    scenario = importlib.import_module(job["scenario"]).SCENARIO
    tool = scenario.tools[job["tool"]]
    if job["per_query"]:
        return {"values": tool.prepare(Path(job["folder"]), job["options"], True)()}
    warm = tool.prepare(Path(job["warm"]), job["options"], False)
    started = time.perf_counter()
    warm()
    first_call = time.perf_counter() - started
    del warm
    call = tool.prepare(Path(job["folder"]), job["options"], False)
    gc.collect()
    reset_peak()
    before, seconds, values = megabytes("VmRSS"), [], {}
    processor = processor_seconds()
    while len(seconds) < scenario.calls or (sum(seconds) < ENOUGH_SECONDS and len(seconds) < MOST_CALLS):
        started = time.perf_counter()
        values = call()
        seconds.append(time.perf_counter() - started)
    return {
        "seconds": sorted(seconds)[len(seconds) // 2],
        "calls": len(seconds),
        "processor_seconds": (processor_seconds() - processor) / len(seconds),
        "first_call": first_call,
        "before_mb": before,
        "peak_mb": max(megabytes("VmHWM"), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024),
        "values": values,
        "versions": versions(tool.packages),
    }


def main() -> None:
    """Read the job from the command line and print the measurement as the last line."""
    try:
        result = measured(json.loads(sys.argv[1]))
    except ImportError as error:
        result = {"error": f"not installed: {error}"}
    except Exception as error:  # noqa: BLE001 (errors of a tool are shown in the table)
        traceback.print_exc()
        result = {"error": f"{type(error).__name__}: {error}"[:300]}
    print("\n" + json.dumps(result))


if __name__ == "__main__":
    main()
