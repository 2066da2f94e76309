"""Check that all tools agree, measure them, and write results.json and README.md.

Usage: benchmarks/run [--only NAME ...] [--scale 0.05] [--growth] [--rounds 3]

With a scale other than 1 all output goes to benchmarks/.data instead.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import render
import summary
from measure import DATA, HERE, agree, check_folders, disagreements, drop_data, timed

SCENARIOS = ("trec", "dicts", "frames", "dense", "beyond")
OTHERS = ("small", "one_list", "significance")


def machine() -> dict[str, Any]:
    """Describe the machine without identifying it: processor, cores, memory, system."""
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "cpu": model,
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(memory),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def run_scenario(name: str, args: argparse.Namespace, earlier: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Check agreement, then time the tools; keep earlier records of large sizes unless they are measured again."""
    scenario = import_module(name).SCENARIO
    large = {(contest.case, contest.size) for contest in scenario.contests if contest.growth and not args.growth}
    kept = [
        record | {"kept": True} for record in earlier.get("records", ()) if (record["case"], record["size"]) in large
    ]
    load = os.getloadavg()[0]
    checks = check_folders(scenario)
    agreement = agree(scenario, checks)
    failures = disagreements(agreement)
    records: list[dict[str, Any]] = []
    if not failures:
        contests = [contest for contest in scenario.contests if args.growth or not contest.growth]
        for contest, following in zip(contests, [*contests[1:], None], strict=True):
            records += timed(scenario, contest, args.scale, args.rounds, checks["plain"], records)
            if contest.growth and (following is None or following.factor != contest.factor):
                drop_data(scenario, contest.factor * args.scale)
    settings = {"scale": args.scale, "rounds": args.rounds, "growth": args.growth, "load": round(load, 1)}
    return {"settings": settings, "agreement": agreement, "records": records + kept}, failures


def main() -> None:
    """Run the selected scenarios; keep earlier results of the others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=(*SCENARIOS, *OTHERS), default=(*SCENARIOS, *OTHERS), metavar="NAME",
                        help=f"scenarios: {', '.join((*SCENARIOS, *OTHERS))}")  # fmt: skip
    parser.add_argument("--scale", type=float, default=1.0, help="size of the data, for a quick run")
    parser.add_argument("--growth", action="store_true", help="also run TREC files of 4x and 16x; needs 6 GB of disk")
    parser.add_argument("--rounds", type=int, default=3, help="number of runs of each tool, each in a new process")
    args = parser.parse_args()

    folder = HERE if args.scale == 1 else DATA
    folder.mkdir(exist_ok=True)
    path = folder / "results.json"
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    results["machine"] = machine()
    failures: list[str] = []
    for name in args.only:
        print(name, flush=True)
        if name in OTHERS:
            results[name] = import_module(name).measure()
        else:
            results[name], failed = run_scenario(name, args, results.get(name, {}))
            failures += failed
        path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    page = render.page(results)
    (folder / "README.md").write_text(page, encoding="utf-8")
    if folder == HERE:
        summary.write()
    print(page)
    if failures:
        sys.exit("the tools do not agree:\n" + "\n".join(failures))


if __name__ == "__main__":
    main()
