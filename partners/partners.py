"""Run the partners with and without rankgauge, compare the values, and write results.json, the page and the tests' data.

Usage: partners/run [PARTNER ...]

Every partner is installed in its newest release, in an environment of its own. ``tools/<name>.py`` has the package and
two functions that return values by name: ``theirs``, and ``ours``, in which rankgauge computes them.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.append(str(ROOT / "parity"))

import environments  # noqa: E402 (of the parity runs)
import page  # noqa: E402
from worker import MARK  # noqa: E402

RESULTS = HERE / "results.json"
TESTS = ROOT / "tests" / "data" / "partners"
LIMIT = 1800
"""Seconds that one side may take."""
OURS = ["polars>=1.44", "scipy", "click", "rich"]
"""What rankgauge needs; it is imported from src."""


def answer(name: str, environment: str, side: str) -> dict[str, Any]:
    """Run one side of a partner; return its answer, or the error."""
    command = ["nice", str(environments.python_of(environment)), str(HERE / "worker.py"), name, side]
    paths = os.pathsep.join([str(ROOT / "src"), str(HERE)])
    settings = os.environ | {"PYTHONPATH": paths, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT, env=settings)
    _, mark, values = done.stdout.partition(MARK)
    if done.returncode or not mark:
        lines = done.stderr.strip().splitlines()
        return {"error": f"{side}: {lines[-1] if lines else f'exit {done.returncode}'}"}
    return json.loads(values)


def compared(theirs: dict[str, float | None], ours: dict[str, float | None], tolerance: float) -> dict[str, Any]:
    """Return how many values there are on both sides, the largest difference, and what differs by design or not."""
    largest, different, not_a_number = 0.0, [], 0
    for name, value in theirs.items():
        other = ours.get(name, math.inf)
        if _is_nan(value):
            not_a_number += not _is_nan(other)
        elif _is_nan(other) or not abs(value - other) <= tolerance:
            different.append(name)
        else:
            largest = max(largest, abs(value - other))
    return {
        "values": len(theirs),
        "largest_difference": largest,
        "different": different[:20],
        "differences": len(different),
        "nan_in_theirs_only": not_a_number,
        "only_ours": len(ours.keys() - theirs.keys()),
    }


def _is_nan(value: float | None) -> bool:
    return value is None or math.isnan(value)


def main() -> int:
    """Run the chosen partners; return 1 if one disagrees or cannot be run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("partners", nargs="*")
    given = parser.parse_args()
    settings = tomllib.loads((HERE / "partners.toml").read_text(encoding="utf-8"))
    groups = {name: [*packages, *OURS] for name, packages in settings.pop("environments").items()}
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    failed = False
    for name in given.partners or settings:
        partner = settings[name]
        missing = environments.make(partner["environment"], groups)
        answers = {side: answer(name, partner["environment"], side) for side in ("theirs", "ours")}
        errors = [found["error"] for found in answers.values() if "error" in found]
        if errors:
            failed = True
            print(f"{name}: {'; '.join([*errors, *missing.values()])}", file=sys.stderr)
            continue
        result = compared(answers["theirs"]["values"], answers["ours"]["values"], partner["tolerance"])
        results[name] = {"version": answers["theirs"]["version"], **result}
        failed |= result["differences"] > partner.get("by_design", 0)
        print(f"{name}: {results[name]}", file=sys.stderr)
        if stored := answers["theirs"].get("stored"):
            TESTS.mkdir(exist_ok=True)
            (TESTS / f"{name}.json").write_text(json.dumps(stored) + "\n", encoding="utf-8")
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    page.write(settings, results)
    return failed


if __name__ == "__main__":
    sys.exit(main())
