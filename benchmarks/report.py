"""Measure the command `rankgauge report`: elapsed time, CPU time, peak memory, size of the page.

Usage: benchmarks/report.py LABEL [--source SRC] [--only NAME]

LABEL names a column of benchmarks/report.json and of the table in benchmarks/report.md. SRC is the `src` folder of the
checkout to measure, by default this one, so that an older commit can be measured on the same data.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measure import DATA, HERE

SEED = 20_261_116
GRADES = (3, 2, 2, 1, 1, 1, 1, 0, 0, 0)


class Case(NamedTuple):
    """Rankings of one size, with ten judged items per query."""

    title: str
    systems: int
    queries: int
    items: int
    metrics: tuple[str, ...] = ("nDCG@10", "AP")


CASES = {
    "systems": Case("10 systems x 7,000 queries x 100 items", 10, 7_000, 100),
    "rows": Case("1 system x 100,000 queries x 100 items (10 million rows)", 1, 100_000, 100),
    "runs": Case("126 systems x 50 queries x 1,000 items", 126, 50, 1_000, ("nDCG@10", "AP", "RR", "P@10", "R@100")),
}


def make(name: str, case: Case) -> tuple[Path, list[Path]]:
    """Write the judgments and rankings of a case, once."""
    folder = DATA / f"report-{name}"
    runs = [folder / f"system{number:03}.txt" for number in range(case.systems)]
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng(SEED)
        judged = {query: rng.choice(case.items * 3, 10, replace=False) for query in range(case.queries)}
        with (folder / "qrels.txt").open("w", encoding="utf-8") as file:
            for query, items in judged.items():
                file.writelines(f"q{query} 0 d{item} {grade}\n" for item, grade in zip(items, GRADES, strict=True))
        scores = [f"{1 - rank / (case.items + 1):.6f}" for rank in range(case.items)]
        for number, run in enumerate(runs):
            with run.open("w", encoding="utf-8") as file:
                for query in range(case.queries):
                    items = rng.permutation(case.items * 3)[: case.items]
                    file.writelines(
                        f"q{query} Q0 d{item} {rank + 1} {scores[rank]} s{number}\n" for rank, item in enumerate(items)
                    )
        (folder / "complete").touch()
    return folder / "qrels.txt", runs


def measure(name: str, source: Path) -> dict[str, float]:
    """Run the command once, in a process of its own."""
    case = CASES[name]
    qrels, runs = make(name, case)
    page = DATA / "report.html"
    page.unlink(missing_ok=True)
    metrics = [word for metric in case.metrics for word in ("-m", metric)]
    command = [sys.executable, "-m", "rankgauge", "report", str(qrels), *map(str, runs), *metrics, "-o", str(page)]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    begin = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    if status:
        sys.exit(f"the command failed: {' '.join(command)}")
    return {
        "wall_s": round(seconds, 2),
        "cpu_s": round(usage.ru_utime + usage.ru_stime, 2),
        "peak_mb": round(usage.ru_maxrss / 1024),
        "page_mb": round(page.stat().st_size / 1e6, 1),
    }


def table(results: dict[str, dict[str, dict[str, float]]]) -> str:
    """Render all measurements as a Markdown page."""
    lines = [
        "# `rankgauge report`, the whole command",
        "",
        "Written by `benchmarks/report.py`; one run of each, nothing else running on the machine.",
        "",
        "| data | code | elapsed | CPU | peak memory | page |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for name, case in CASES.items():
        for label, row in results.get(name, {}).items():
            numbers = f"{row['wall_s']} s | {row['cpu_s']} s | {row['peak_mb']:,.0f} MB | {row['page_mb']} MB"
            lines.append(f"| {case.title}, {len(case.metrics)} metrics | {label} | {numbers} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure the chosen cases and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("label")
    parser.add_argument("--source", type=Path, default=HERE.parent / "src")
    parser.add_argument("--only", choices=CASES, action="append")
    arguments = parser.parse_args()
    stored = HERE / "report.json"
    results = json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {}
    for name in arguments.only or CASES:
        row = measure(name, arguments.source.resolve())
        results.setdefault(name, {})[arguments.label] = row
        print(CASES[name].title, arguments.label, row)
        stored.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        (HERE / "report.md").write_text(table(results), encoding="utf-8")


if __name__ == "__main__":
    main()
