"""Measure whole commands as people wait for them: elapsed time, CPU time and peak memory, from start to end.

Usage: benchmarks/commands.py LABEL [--source SRC] [--only NAME]

LABEL names a row of each case in benchmarks/commands.json and benchmarks/commands.md. SRC is the `src` folder of the
checkout to measure, by default this one, so that an older commit can be measured on the same data. If TREC_EVAL is the
path of the C program, it is measured where it is a peer.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measure import DATA, HERE

SEED = 20_261_116
GRADES = (3, 2, 2, 1, 1, 1, 1, 0, 0, 0)
FIVE = ("nDCG@10", "AP", "RR", "P@10", "R@100")
PEER = ("ndcg_cut.10", "map", "recip_rank")
Row = dict[str, float]


class Rankings(NamedTuple):
    """Rankings of one size, and the number of judged items of each query."""

    systems: int
    queries: int
    items: int
    judged: int = len(GRADES)


class Case(NamedTuple):
    """A command, the data it is called with (None for the example of `rankgauge demo`) and what is expected of it."""

    title: str
    command: str
    rankings: Rankings | None
    metrics: tuple[str, ...] = ("nDCG@10", "AP")
    """Without any, the command gets no other argument."""
    seconds: float | None = None
    peak_mb: float | None = None
    rounds: int = 1
    has_peer: bool = False
    options: tuple[str, ...] = ()


CASES = {
    "help": Case("`--help`", "--help", None, (), 0.15, rounds=9),
    "eval": Case("`eval`, built-in example", "eval", None, seconds=0.3, rounds=9),
    "compare": Case("`compare`, built-in example", "compare", None, seconds=0.4, rounds=9),
    "report": Case("`report`, built-in example", "report", None, seconds=0.4, rounds=9),
    "reconcile": Case(
        "`reconcile`, 1 system x 50 queries x 1,000 items", "reconcile", Rankings(1, 50, 1_000), ("AP",), 1.0, rounds=5
    ),
    "reconcile-value": Case(
        "`reconcile --value 0.4321`, 1 system x 50 queries x 1,000 items",
        "reconcile",
        Rankings(1, 50, 1_000),
        ("nDCG@10",),
        rounds=3,
        options=("--value", "0.4321"),
    ),
    "eval-runs": Case(
        "`eval`, 126 systems x 50 queries x 1,000 items, 1,300 judged",
        "eval",
        Rankings(126, 50, 1_000, 1_300),
        ("nDCG@10", "AP", "RR"),
        2.5,
        rounds=3,
        has_peer=True,
    ),
    "runs": Case("`report`, 126 systems x 50 queries x 1,000 items", "report", Rankings(126, 50, 1_000), FIVE, 10, 500),
    "rows": Case(
        "`report`, 1 system x 100,000 queries x 100 items (10 million rows)",
        "report",
        Rankings(1, 100_000, 100),
        seconds=20,
    ),
    "systems": Case("`report`, 10 systems x 7,000 queries x 100 items", "report", Rankings(10, 7_000, 100)),
    "1x": Case("`report`, 4 systems x 500 queries x 100 items (1x)", "report", Rankings(4, 500, 100)),
    "4x": Case("`report`, 4 systems x 2,000 queries x 100 items (4x)", "report", Rankings(4, 2_000, 100)),
    "16x": Case("`report`, 4 systems x 8,000 queries x 100 items (16x)", "report", Rankings(4, 8_000, 100)),
}


def make(size: Rankings) -> tuple[Path, list[Path]]:
    """Write judgments and rankings of a size, once."""
    folder = DATA / "commands-{}-{}-{}-{}".format(*size)
    qrels, runs = folder / "qrels.txt", [folder / f"system{number:03}.txt" for number in range(size.systems)]
    if (folder / "complete").exists():
        return qrels, runs
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(SEED)
    grades = [GRADES[place % len(GRADES)] for place in range(size.judged)]
    with qrels.open("w", encoding="utf-8") as file:
        for query in range(size.queries):
            judged = rng.choice(size.items * 3, size.judged, replace=False)
            file.writelines(f"q{query} 0 d{item} {grade}\n" for item, grade in zip(judged, grades, strict=True))
    scores = [f"{1 - rank / (size.items + 1):.6f}" for rank in range(size.items)]
    for number, run in enumerate(runs):
        with run.open("w", encoding="utf-8") as file:
            for query in range(size.queries):
                items = rng.permutation(size.items * 3)[: size.items]
                lines = (
                    f"q{query} Q0 d{item} {rank + 1} {scores[rank]} s{number}\n" for rank, item in enumerate(items)
                )
                file.writelines(lines)
    (folder / "complete").touch()
    return qrels, runs


def example(environment: dict[str, str]) -> tuple[Path, list[Path]]:
    """Write the built-in example."""
    folder = DATA / "commands-example"
    words = [sys.executable, "-m", "rankgauge", "demo", "--write", str(folder), "--force"]
    subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return folder / "judgments.csv", [folder / "keywords.csv", folder / "embeddings.csv"]


LAUNCHER = """
import json, os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(json.dumps([status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]), file=sys.stderr)
"""
"""Runs a command from a small process: the kernel counts the memory of the process that starts another as its peak."""


def measured(commands: Sequence[Sequence[str]], environment: dict[str, str]) -> Row:
    """Run commands, each beginning with the path of a program, one after the other, each in a process of its own."""
    seconds, cpu, peak = 0.0, 0.0, 0
    for words in commands:
        launcher = [sys.executable, "-S", "-c", LAUNCHER, *words]
        begin = time.perf_counter()
        done = subprocess.run(
            launcher, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True
        )
        seconds += time.perf_counter() - begin
        status, used, resident = json.loads(done.stderr.splitlines()[-1])
        if status:
            sys.exit(f"the command failed: {' '.join(words)}\n{done.stderr}")
        cpu, peak = cpu + used, max(peak, resident)
    return {"wall_s": round(seconds, 2), "cpu_s": round(cpu, 2), "peak_mb": round(peak / 1024)}


def measure(case: Case, source: Path) -> dict[str, Row]:
    """Measure a command, and its peer if there is one; the fastest of several rounds counts."""
    environment = {**os.environ, "PYTHONPATH": str(source)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled
    qrels, runs = example(environment) if case.rankings is None else make(case.rankings)
    output = DATA / ("report.html" if case.command == "report" else "output.txt")
    command = [sys.executable, "-m", "rankgauge", case.command]
    if case.metrics:
        command += [
            str(qrels),
            *map(str, runs),
            "-m",
            ",".join(case.metrics),
            "-o",
            str(output),
            "--force",
            *case.options,
        ]
    if case.rounds > 1:
        measured([command], environment)
    rows = {
        "rankgauge": min((measured([command], environment) for _ in range(case.rounds)), key=lambda row: row["wall_s"])
    }
    if case.metrics:
        rows["rankgauge"]["output_mb"] = round(output.stat().st_size / 1e6, 1)
    if case.has_peer and (program := os.environ.get("TREC_EVAL")):
        options = [word for name in PEER for word in ("-m", name)]
        calls = [[program, *options, str(qrels), str(run)] for run in runs]
        rows["trec_eval"] = measured(calls, environment)
    return rows


def table(results: dict[str, dict[str, Row]]) -> str:
    """Render all measurements as a Markdown page."""
    lines = [
        "# Whole commands",
        "",
        "Written by `benchmarks/commands.py`: from the start of the process to its end, nothing else running on the",
        "machine. Of the short commands the fastest of several runs counts. trec_eval is the C program, called once for",
        "each ranking.",
        "",
        "| command | code | elapsed | CPU | peak memory | output | goal |",
        "| --- | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for name, case in CASES.items():
        for label, row in results.get(name, {}).items():
            output = f"{row['output_mb']} MB" if "output_mb" in row else ""
            numbers = f"{row['wall_s']} s | {row['cpu_s']} s | {row['peak_mb']:,.0f} MB | {output} | {goal(case)}"
            metrics = f", {len(case.metrics)} metric{'s' * (len(case.metrics) > 1)}" if case.metrics else ""
            lines.append(f"| {case.title}{metrics} | {label} | {numbers} |")
    return "\n".join(lines) + "\n"


def goal(case: Case) -> str:
    """Return the limits of a case as text."""
    limits = [(case.seconds, "s"), (case.peak_mb, "MB")]
    return ", ".join(f"≤ {limit:g} {unit}" for limit, unit in limits if limit is not None)


def main() -> None:
    """Measure the chosen cases and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("label")
    parser.add_argument("--source", type=Path, default=HERE.parent / "src")
    parser.add_argument("--only", choices=CASES, action="append")
    arguments = parser.parse_args()
    stored = HERE / "commands.json"
    results = json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {}
    for name in arguments.only or CASES:
        for tool, row in measure(CASES[name], arguments.source.resolve()).items():
            label = arguments.label if tool == "rankgauge" else tool
            results.setdefault(name, {})[label] = row
            print(CASES[name].title, label, row, flush=True)
        stored.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        (HERE / "commands.md").write_text(table(results), encoding="utf-8")


if __name__ == "__main__":
    main()
