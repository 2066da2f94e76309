"""Audit the functions of the tools under their own presets, and write audits.json and the page: `parity/run --audit [TOOL ...]`.

Every metric of tools.toml is a black box that answers one query at a time. Its form of arguments follows from the worlds that the
tool accepts: labels and scores, judgments and a ranking, or relevant items and a list, which may have repeated items.
"""

from __future__ import annotations

import builtins
import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import fmean
from typing import Any

import environments
import parity
import render

import rankgauge as rg
from rankgauge.auditing.result import Audit
from rankgauge.conventions import PRESETS
from worlds import Kind, Query

HERE = Path(__file__).parent
RESULTS = HERE / "audits.json"
LEFT_OUT = "the tool leaves this query out"
BINARY = "the tool takes grades 0 and 1 only"
ONE_QUERY = "tools are asked about one query at a time, so that none can lack a ranking or judgments"
NO_RELEVANT = "the function is compared on lists with relevant items only"
CORPUS = {"PooledAUC"}
"""Metrics of all queries together, which have no value for a query."""
QUARTERS = 4
"""Grades 0 to 4 are passed as quarters to tools that take grades from 0 to 1."""
EXAMPLES = 3
"""Number of tools named beside the own preset."""


FIRST = {"query": "q0", "judged": {"d10": 1, "d20": 0}, "ranking": [["d10", 1.0], ["d20", 0.5]]}
"""A query that is asked before the time is measured, because some tools compile at the first call."""


class ToolError(Exception):
    """An exception that the package of a tool defines."""


class Tool:
    """A tool that runs in its own environment and answers one query after another."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process, self._asked = process, 0
        self.version = self._line().strip()

    def value(self, metric: str, query: Query) -> float:
        """Return the tool's value of one query; errors of the tool are raised here."""
        self._asked += 1
        self._process.stdin.write(json.dumps([self._asked, metric, query]) + "\n")
        self._process.stdin.flush()
        number, answer = 0, {}
        while number != self._asked:  # an earlier answer that came too late
            number, answer = json.loads(self._line())
        if "error" in answer:
            kind, message = answer["error"]
            raise getattr(builtins, kind, type(kind, (ToolError,), {"__module__": __name__}))(message)
        if answer["value"] is None:
            raise ValueError(LEFT_OUT)
        return answer["value"]

    def _line(self) -> str:
        line = self._process.stdout.readline()
        if not line:
            raise ToolError(f"ended with {self._process.wait()}: {self._process.stderr.read()[-300:]}")
        return line


@contextmanager
def started(name: str, tool: dict[str, Any]) -> Iterator[Tool]:
    """Start a tool in its environment, and end it."""
    command = [environments.python_of(tool["environment"]), HERE / "answer.py", tool.get("adapter", name)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    alone = os.environ | {"OMP_NUM_THREADS": "1"}  # lists are short: threads would only wait for each other
    with subprocess.Popen([*map(str, command), tool["package"]], env=alone, **pipes) as process:
        try:
            yield Tool(process)
        finally:
            process.stdin.close()
            process.terminate()


def form_of(run: dict[str, Any]) -> str:
    """Return the form of arguments of a run: as stated, or that in which its worlds can be passed."""
    kind = Kind(**run.get("worlds", {}))
    if "call" in run:
        return run["call"]
    if kind.pool == "closed":
        return "labels, scores"
    if kind.grades == "binary" and not kind.ties:
        return "relevant, ranked"
    return "grades by item, ranked" if kind.repeats else "judgments, ranking"


def stated(preset: str, run: dict[str, Any]) -> rg.Convention:
    """Return the definition of a preset for the grades of an audit, of which a tool of grades from 0 to 1 gets quarters."""
    rules = PRESETS[preset].convention
    unit = Kind(**run.get("worlds", {})).grades == "unit" and rules.max_grade == 1
    return rules.replace(max_grade=QUARTERS) if unit else rules


def black_box(tool: Tool, metric: str, run: dict[str, Any]) -> Any:
    """Return a metric of a tool as a function of grades, or of two arguments."""
    kind = Kind(**run.get("worlds", {}))

    def value(judged: dict[str, float], ranking: Sequence[tuple[str, float]]) -> float:
        if kind.grades == "binary" and any(grade not in (0, 1) for grade in judged.values()):
            raise ValueError(BINARY)
        if run.get("needs_relevant") and not any(judged.values()):
            raise ValueError(NO_RELEVANT)
        top = 1 / QUARTERS if kind.grades == "unit" else 1
        grades = {named(item): int(grade) if top == 1 else grade * top for item, grade in judged.items()}
        pairs = [[named(item), score] for item, score in ranking]
        return tool.value(metric, {"query": "q0", "judged": grades, "ranking": pairs})

    def by_grades(grades: Any) -> float:
        return by_scores(grades, [1 - place / 1024 for place in range(len(grades))])

    def listed(items: Sequence[str]) -> list[tuple[str, float]]:
        return [(item, 1 - place / 1024) for place, item in enumerate(items)]

    def by_scores(labels: Any, scores: Any) -> float:
        items = [f"d{place}" for place in range(1, len(labels) + 1)]
        pairs = [(item, float(score)) for item, score in zip(items, scores, strict=True)]
        return value({item: float(label) for item, label in zip(items, labels, strict=True)}, pairs)

    def by_query(qrels: Any, run: Any) -> float:
        if qrels.keys() != run.keys():
            raise ValueError(ONE_QUERY)
        return fmean(value(judged, [*run.get(query, {}).items()]) for query, judged in qrels.items())

    functions = {
        "grades": by_grades,
        "labels, scores": by_scores,
        "judgments, ranking": by_query,
        "relevant, ranked": lambda relevant, ranked: value(dict.fromkeys(relevant, 1), listed(ranked)),
        "grades by item, ranked": lambda grades, ranked: value(grades, listed(ranked)),
    }
    function = functions[form_of(run)]
    function.__qualname__, function.__module__ = metric, __name__
    return function


def named(item: str) -> str:
    """Return names of the same length, since some tools compile code for each length."""
    return item if item[0] == "d" and item[1:].isdecimal() else f"{item:_<3}"


def record(result: Audit, preset: str, seconds: float) -> dict[str, Any]:
    """Return what is kept of an audit."""
    found = result.nearest if result.nearest is not None and result.nearest.exact else None
    tools = [] if found is None else [*found.tools]
    return {
        "function": result.name,
        "metric": str(result.metric),
        "preset": preset,
        "call": result.call,
        "inputs": result.calls.tried,
        "ok": not result.broken,
        "verdict": result.verdict,
        "named": preset in tools or (found is not None and all(each.law != "definition" for each in result.broken)),
        "others": [name for name in tools if name != preset][:EXAMPLES],
        "definition": None if found is None else str(found),
        "broken": [each.to_dict() for each in result.broken],
        "excused": [law.name for law in result.excused],
        "seconds": round(seconds, 1),
    }


def audited(name: str, tool: dict[str, Any]) -> dict[str, Any]:
    """Audit every metric of a tool under its preset."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    with started(name, tool) as running:
        for run in tool["runs"]:
            preset, form = run.get("preset", tool["preset"]), form_of(run)
            for metric in run["metrics"]:
                notation = parity.named(metric, run, preset)
                key = (metric, preset, form)
                if key in found or not run.get("audited", True) or rg.parse(notation).name in CORPUS:
                    continue
                with suppress(Exception):
                    running.value(metric, FIRST)
                start = time.perf_counter()
                function = black_box(running, metric, run)
                result = rg.audit(
                    function, notation, convention=stated(preset, run), call=form, timeout=60.0, total_timeout=900.0
                )
                found[key] = record(result, preset, time.perf_counter() - start)
                laws = ", ".join(each["law"] for each in found[key]["broken"]) or "ok"
                print(f"{name} {metric} ({preset}): {found[key]['definition']}: {laws}", flush=True)
        return {"version": running.version, "audits": [*found.values()]}


def run(name: str, tools: dict[str, Any]) -> None:
    """Audit a tool whose environment exists, and store the result beside those of earlier runs."""
    if not any(each.get("audited", True) for each in tools[name]["runs"]):
        return
    result = audited(name, tools[name])
    stored = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    ordered = {each: (stored | {name: result})[each] for each in tools if each in {*stored, name}}
    RESULTS.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Audit the tools that are named and can be installed, by default all; earlier results of the others are kept."""
    tools = tomllib.loads((HERE / "tools.toml").read_text(encoding="utf-8"))
    groups = tools.pop("environments")
    for name in sys.argv[1:] or tools:
        if missing := environments.make(tools[name]["environment"], groups):
            print(f"{name}: not installed: {missing}")
        else:
            run(name, tools)
    render.write_pages(tools, parity.stored_results(HERE / "results.json"))


if __name__ == "__main__":
    main()
