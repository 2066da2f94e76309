"""Run the tools, compare them with their presets, and write results.json, the pages and the data of the tests.

Usage: parity/run [TOOL ...] [--worlds 1000] [--keep]

A world is a random data set. With fewer than 1,000 worlds all output goes to parity/.data instead. Results are written after
each tool, so that a run that ended early continues with the names of the remaining tools. A tool that cannot be installed
is reported and keeps the results of its last run.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
import tomllib
import warnings
from pathlib import Path
from typing import Any

import beyond
import environments
import render
from compare import compared, ours
from worker import MARK

import rankgauge as rg
from rankgauge.conventions import PRESETS, preset
from rankgauge.errors import RankgaugeError, UnknownNameError
from worlds import Kind, write_worlds

HERE = Path(__file__).parent
DATA = HERE / ".data"
TESTS = HERE.parent / "tests" / "data" / "parity"
ENOUGH = 1000
LIMIT = 3600
"""Seconds that a tool may take."""
KEPT = 20
"""Number of data sets stored for the tests, which run without the tools."""


def kind_of(run: dict[str, Any]) -> Kind:
    """Return the kind of data sets for a run."""
    return Kind(**run.get("worlds", {}))


def named(metric: str, run: dict[str, Any], rules: str) -> str:
    """Return the notation of a tool's metric in rankgauge, from tools.toml or from the preset."""
    if isinstance(run["metrics"], dict):
        return run["metrics"][metric]
    for theirs, here in PRESETS[rules].metrics.items() if rules in PRESETS else ():
        cut = re.fullmatch(re.escape(theirs).replace(r"\{k\}", r"(\d+)"), metric)
        if cut:
            return here.replace("{k}", cut[1] if cut.groups() else "")
    raise UnknownNameError(f"the preset {rules!r} has no metric {metric!r}; add it there or in tools.toml")


def tool_values(name: str, tool: dict[str, Any], count: int, missing: dict[str, str]) -> dict[str, Any]:
    """Run a tool in its environment; return its version and values for each run, or why there are none."""
    jobs = [
        {"worlds": str(write_worlds(kind_of(run), count, DATA)), "metrics": list(run["metrics"])}
        for run in tool["runs"]
    ]
    path = DATA / f"jobs-{name}.json"
    path.write_text(json.dumps(jobs), encoding="utf-8")
    python = environments.python_of(tool["environment"])
    command = [str(python), str(HERE / "worker.py"), tool.get("adapter", name), tool["package"], str(path)]
    try:
        done = subprocess.run(["nice", *command], capture_output=True, text=True, check=False, timeout=LIMIT)  # noqa: S607 (found on the PATH)
    except subprocess.TimeoutExpired:
        return {"error": f"no answer in {LIMIT} seconds"}
    _, mark, answer = done.stdout.partition(MARK)
    if not done.returncode and mark:
        return json.loads(answer)
    if missing:
        return {"not_installed": "; ".join(f"{package}: {why}" for package, why in missing.items())}
    lines = done.stderr.strip().splitlines()
    print("\n".join(lines[-12:]), file=sys.stderr)
    return {"error": lines[-1] if lines else f"exit {done.returncode}"}


def kept_values(cache: Path, tool: dict[str, Any]) -> dict[str, Any]:
    """Return the values of the last run, or an error if the metrics have changed since."""
    got = json.loads(cache.read_text(encoding="utf-8")) if cache.exists() else {"values": []}
    if [list(one) for one in got["values"]] != [list(run["metrics"]) for run in tool["runs"]]:
        return {"error": "no stored values for these metrics: run the tool"}
    return got


def records(name: str, tool: dict[str, Any], got: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Compare a tool with rankgauge; return one record per metric."""
    found = []
    for run, theirs in zip(tool["runs"], got["values"], strict=True):
        rules = run.get("preset", tool["preset"])
        base = {"tool": name, "version": got["version"], "preset": rules, "kind": kind_of(run).name()}
        base["tolerance"] = run.get("tolerance", tool["tolerance"])
        worlds = json.loads(write_worlds(kind_of(run), count, DATA).read_text(encoding="utf-8"))
        means = not any(isinstance(one, list) for one in next(iter(theirs.values())))
        try:
            notation = {metric: named(metric, run, rules) for metric in run["metrics"]}
            convention = preset(rules).replace(**run.get("rules", {}))
            here = ours(worlds, list(dict.fromkeys(notation.values())), convention, means=means)
        except RankgaugeError as error:
            found += [
                base | {"metric": one, "worlds": count, "error": str(error), "agree": False} for one in run["metrics"]
            ]
            continue
        for metric, mine in notation.items():
            record = base | {"metric": metric, "ours": mine} | compared(theirs[metric], here[mine])
            given = run.get("refuses", False) or not record["not_given"]
            found.append(record | {"agree": given and record["largest"] <= record["tolerance"]})
    return found


def store(name: str, tool: dict[str, Any], got: dict[str, Any], found: list[dict[str, Any]], count: int) -> None:
    """Store the first data sets and the values of the tool that agree, for the tests."""
    TESTS.mkdir(parents=True, exist_ok=True)
    agreeing = {(one["preset"], one["metric"]): one for one in found if one["agree"]}
    runs = []
    for run, theirs in zip(tool["runs"], got["values"], strict=True):
        rules, kind = run.get("preset", tool["preset"]), kind_of(run)
        kept = {
            metric: {key: agreeing[rules, metric][key] for key in ("ours", "tolerance")}
            | {"values": theirs[metric][:KEPT]}
            for metric in run["metrics"]
            if (rules, metric) in agreeing
        }
        if kept:
            worlds = json.loads(write_worlds(kind, count, DATA).read_text(encoding="utf-8"))[:KEPT]
            write_lines(TESTS / f"worlds-{kind.name()}.json", worlds)
            others = {"rules": run["rules"]} if "rules" in run else {}
            runs.append({"preset": rules, "worlds": f"worlds-{kind.name()}.json", **others, "metrics": kept})
    path = TESTS / f"{name}.json"
    if runs:
        text = json.dumps({"tool": tool["name"], "version": got["version"], "runs": runs}, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")
    else:
        path.unlink(missing_ok=True)


def write_lines(path: Path, rows: list[Any]) -> None:
    """Write a JSON list with one entry per line."""
    path.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")


def run_beyond(worlds: int, groups: dict[str, list[str]]) -> list[str]:
    """Compare the metrics beyond accuracy; return the disagreements."""
    environments.make(beyond.ENVIRONMENT, groups)
    enough = worlds >= ENOUGH
    found = beyond.run(min(worlds, beyond.WORLDS), DATA, environments.python_of(beyond.ENVIRONMENT), store=enough)
    if enough:
        (HERE / "beyond.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return [f"{one['tool']} {one['theirs']}" for one in found["records"] if not one["agree"]] + [*found["errors"]]


def run_tool(name: str, tool: dict[str, Any], worlds: int, missing: dict[str, str] | None) -> dict[str, Any]:
    """Run a tool, or take the values of its last run if missing packages are None; return its results."""
    cache = DATA / f"values-{name}-{worlds}.json"
    got = kept_values(cache, tool) if missing is None else tool_values(name, tool, worlds, missing)
    if "values" not in got:
        return {"records": []} | got
    cache.write_text(json.dumps(got), encoding="utf-8")
    found = records(name, tool, got, worlds)
    if worlds >= ENOUGH:
        store(name, tool, got, found, worlds)
    return {"records": found}


def stored_results(path: Path) -> dict[str, Any]:
    """Return the results so far; another run may have written some since."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def main() -> None:
    """Run the selected tools; keep earlier results of the others."""
    warnings.simplefilter("ignore", rg.DataWarning)  # random data sets lack queries on purpose
    tools = tomllib.loads((HERE / "tools.toml").read_text(encoding="utf-8"))
    groups = tools.pop("environments")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "tools",
        nargs="*",
        metavar="TOOL",
        help=f"tools to run, all by default: {', '.join(tools)}; beyond: all tools with metrics beyond accuracy",
    )
    parser.add_argument("--worlds", type=int, default=ENOUGH, help="number of random data sets per tool and metric")
    parser.add_argument("--keep", action="store_true", help="run no tool; compare the stored values of the last run")
    args = parser.parse_args()
    selected = args.tools or [*tools, "beyond"]
    if unknown := {*selected} - {*tools, "beyond"}:
        parser.error(f"unknown tool {', '.join(sorted(unknown))}; known: {', '.join(tools)}, beyond")

    DATA.mkdir(exist_ok=True)
    path = (HERE if args.worlds >= ENOUGH else DATA) / "results.json"
    not_run: list[str] = []
    failed: list[str] = []
    missing: dict[str, dict[str, str]] = {}
    for name in (name for name in tools if name in selected):
        start, group = time.perf_counter(), tools[name]["environment"]
        if not args.keep and group not in missing:
            missing[group] = environments.make(group, groups)
        result = run_tool(name, tools[name], args.worlds, None if args.keep else missing[group])
        print(render.line(name, result), f"({time.perf_counter() - start:.0f} s)", flush=True)
        if "not_installed" in result:
            not_run.append(name)
            continue
        failed += [f"{name}: {result['error']}"] if "error" in result else []
        failed += [render.disagreement(one) for one in result["records"] if not one["agree"]]
        if result["records"]:
            text = json.dumps(stored_results(path) | {name: result}, indent=1, ensure_ascii=False)
            path.write_text(text + "\n", encoding="utf-8")
    if "beyond" in selected and not args.keep:
        failed += run_beyond(args.worlds, groups)
    if args.worlds >= ENOUGH:
        render.write_pages(tools, stored_results(path))
    if not_run:
        print(f"not installed, earlier results kept: {', '.join(not_run)}")
    if failed:
        sys.exit("failures and disagreements:\n" + "\n".join(failed))


if __name__ == "__main__":
    main()
