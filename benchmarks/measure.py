"""Measure tools: data folders, one process per measurement, agreement before timing."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import fmean
from typing import Any

from contest import OURS, Contest, Scenario, Tool

HERE = Path(__file__).parent
ROOT = HERE.parent
DATA = HERE / ".data"
FOLDERS = {"main": ".venv-bench"} | {name: f".venv-bench-{name}" for name in ("rectools", "replay", "recommenders")}
TOLERANCE = 1e-9
LONGEST_SECONDS = 3600
ENOUGH_SECONDS = 90
"""Total time of a tool after which it is not run again."""
SPARE = 0.8
"""Share of the free memory or disk that a measurement may use."""
Record = dict[str, Any]


def folder_of(scenario: Scenario, factor: float) -> Path:
    """Return the folder of the data of a size."""
    return DATA / f"{scenario.data}-{factor:.6g}"


def drop_data(scenario: Scenario, factor: float) -> None:
    """Delete the data of a size."""
    shutil.rmtree(folder_of(scenario, factor), ignore_errors=True)


def data_folder(scenario: Scenario, factor: float) -> Path:
    """Return the folder with the data of a size, generated on first use."""
    folder = folder_of(scenario, factor)
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        scenario.make(folder, factor)
        (folder / "complete").touch()
    return folder


def check_folders(scenario: Scenario) -> dict[str, Path]:
    """Generate the small data used for comparing values and for warming up."""
    folder = DATA / f"{scenario.data}-checks"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return scenario.make_checks(folder)


def work(scenario: Scenario, name: str, contest: Contest, folder: Path, warm: Path, *, per_query: bool) -> Record:
    """Run one measurement in a new process, in the environment of the tool."""
    tool = scenario.tools[name]
    python = ROOT / FOLDERS[tool.environment] / "bin" / "python"
    if not python.exists():
        return {"error": "not installed: no environment"}
    job = {
        "scenario": scenario.name, "tool": name, "options": contest.options,
        "folder": str(folder), "warm": str(warm), "per_query": per_query,
    }  # fmt: skip
    try:
        done = subprocess.run(
            [str(python), "-W", "ignore", str(HERE / "worker.py"), json.dumps(job)],
            cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"error": f"took more than {LONGEST_SECONDS} seconds"}
    if done.returncode != 0 or not done.stdout.strip():
        print(done.stderr[-2000:], file=sys.stderr)
        return {"error": f"ended with status {done.returncode}"}
    result: Record = json.loads(done.stdout.strip().splitlines()[-1])
    if "error" in result:
        print(done.stderr[-2000:], file=sys.stderr)
        result["error"] = result["error"].replace(f"{ROOT}/", "")
    return result


def agree(scenario: Scenario, checks: dict[str, Path]) -> list[Record]:
    """Compare every value of every query between all tools and record the differences."""
    records = []
    for case, contest in {contest.case: contest for contest in reversed(scenario.contests)}.items():
        names = [name for name in contest.tools if scenario.tools[name].compares]
        for label, folder in checks.items():
            comparable = [name for name in names if label != "tied" or scenario.tools[name].orders_ties]
            if len(comparable) < 2:
                continue
            results = {name: work(scenario, name, contest, folder, folder, per_query=True) for name in comparable}
            records += _compare(scenario.name, case, label, results)
    return records


def _compare(scenario: str, case: str, label: str, results: dict[str, Record]) -> list[Record]:
    records: list[Record] = []
    base: str | None = None
    for name, result in results.items():
        record: Record = {"scenario": scenario, "case": case, "data": label, "tool": name}
        if "error" in result:
            record["error"] = result["error"]
        elif base is None:
            base = name
            continue
        else:
            record |= {"with": base, **difference(results[base]["values"], result["values"])}
        records.append(record)
    return records


def difference(ours: dict[str, Any], theirs: dict[str, Any]) -> Record:
    """Return the number of values compared and their largest difference, infinite if a query is missing."""
    count, largest = 0, 0.0
    for metric in ours.keys() & theirs.keys():
        left, right = ours[metric], theirs[metric]
        if not (isinstance(left, dict) and isinstance(right, dict)):  # one of them has only the mean
            left, right = ({"mean": fmean(one.values()) if isinstance(one, dict) else one} for one in (left, right))
        count += len(left)
        apart = [abs(left[query] - right[query]) for query in left] if left.keys() == right.keys() else [math.inf]
        largest = max(largest, *apart)
    return {"values": count, "largest_difference": largest if count else math.inf}


def disagreements(records: list[Record]) -> list[str]:
    """Describe the tools that do not agree."""
    return [
        f"{one['scenario']}, {one['case']}, {one['data']} data: {one['tool']} and {one['with']} differ by {one['largest_difference']:g}"
        for one in records
        if "error" not in one and not one["largest_difference"] <= TOLERANCE
    ]


def timed(
    scenario: Scenario, contest: Contest, scale: float, rounds: int, warm: Path, earlier: list[Record]
) -> list[Record]:
    """Time the tools of a contest in turn, for several rounds, so that other load affects them equally."""
    factor = contest.factor * scale
    needed = _disk_bytes(scenario, factor)
    if needed > SPARE * shutil.disk_usage(HERE).free:
        return [
            _record(scenario, contest, name, [{"error": "not run: not enough disk space"}]) for name in contest.tools
        ]
    folder = data_folder(scenario, factor)
    results: dict[str, list[Record]] = {name: [] for name in contest.tools}
    for _ in range(rounds):
        for name, so_far in results.items():
            if any("error" in one for one in so_far) or sum(one["seconds"] for one in so_far) > ENOUGH_SECONDS:
                continue
            short = _short_of_memory(name, contest, earlier)
            so_far.append({"error": short} if short else work(scenario, name, contest, folder, warm, per_query=False))
            print(f"  {contest.case}, {contest.size}, {name}: {_summary(so_far[-1])}", flush=True)
    return [_record(scenario, contest, name, so_far) for name, so_far in results.items()]


def _summary(result: Record) -> str:
    return result.get("error") or f"{result['seconds']:.3f} s, peak {result['peak_mb']:.0f} MB"


def _record(scenario: Scenario, contest: Contest, name: str, results: list[Record]) -> Record:
    tool: Tool = scenario.tools[name]
    record: Record = {"scenario": scenario.name, "case": contest.case, "size": contest.size, "factor": contest.factor}
    record |= {"tool": name, "environment": tool.environment}
    for result in results:
        if "error" in result:
            return record | {"error": result["error"]}
    best = min(results, key=lambda one: one["seconds"])
    return record | {
        "seconds": best["seconds"],
        "rounds": [one["seconds"] for one in results],
        "calls": best["calls"],
        "processor_seconds": best["processor_seconds"],
        "first_call": min(one["first_call"] for one in results),
        "before_mb": max(one["before_mb"] for one in results),
        "peak_mb": max(one["peak_mb"] for one in results),
        "values": best["values"],
        "versions": best["versions"],
    }


def _disk_bytes(scenario: Scenario, factor: float) -> float:
    return factor * 400e6 if scenario.data == "trec" else factor * 500e6


def _short_of_memory(name: str, contest: Contest, earlier: list[Record]) -> str | None:
    """Return why a tool is not run, if its memory at a smaller size suggests that memory does not suffice."""
    smaller = [
        one for one in earlier
        if one["tool"] == name and one["case"] == contest.case and one["factor"] < contest.factor and "peak_mb" in one
    ]  # fmt: skip
    if not smaller or name == OURS:
        return None
    last = max(smaller, key=lambda one: one["factor"])
    expected = last["peak_mb"] * contest.factor / last["factor"]
    free = available_megabytes()
    return f"not run: expected to need {expected / 1024:.0f} GB" if expected > SPARE * free else None


def available_megabytes() -> float:
    """Return the available memory."""
    line = next(line for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemAvailable"))
    return int(line.split()[1]) / 1024
