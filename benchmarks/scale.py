"""Data larger than memory: rankgauge on DuckDB, which spills to disk; one process per size.

Usage: make bench-scale [ROWS="3125000 12500000 50000000 200000000"]

The data of each size are generated, evaluated in a new process, compared with `rg.evaluate` on a sample, and deleted.
Results go to benchmarks/scale.json, from which benchmarks/scale.md is written.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from scale_page import write_page

HERE = Path(__file__).parent
METRICS = ["nDCG@10", "AP", "RR", "P@10", "R@100"]
ITEMS, JUDGED, SAMPLE = 1000, 20, 200
RANKING = """SELECT 'q' || (i // {items}) AS query, 'd' || ((i * 7919) % 8841823) AS item,
    round(40 - 20 * sqrt((i % {items}) / {items}) + (hash(i) % 1000) / 1000, 3) AS score FROM range({rows}) t(i)"""
JUDGMENTS = """SELECT 'q' || (i // {judged}) AS query,
    'd' || (((i // {judged} * {items} + hash(i) % {reach}) * 7919) % 8841823) AS item, max(hash(i + 1) % 4) AS grade
    FROM range({rows}::BIGINT * {judged} // {items}) t(i) GROUP BY ALL"""


def connect(folder: Path, memory: str, threads: int) -> Any:
    """Return a connection with a memory limit that spills into the folder."""
    import duckdb

    con = duckdb.connect()
    con.execute(f"SET memory_limit = '{memory}'; SET threads = {threads}; SET preserve_insertion_order = false")
    con.execute(f"SET temp_directory = '{folder / 'spill'}'")
    return con


def make(folder: Path, rows: int, threads: int) -> None:
    """Generate lists of 1,000 items with rounded scores, so that some tie, and about 20 judged items, some not returned."""
    con = connect(folder, "4GB", threads)
    sizes = {"rows": rows, "items": ITEMS, "judged": JUDGED, "reach": ITEMS * 6 // 5}
    for name, query in (("ranking", RANKING), ("judgments", JUDGMENTS)):
        con.execute(f"COPY ({query.format(**sizes)}) TO '{folder / name}.parquet'")


class Spilled(threading.Thread):
    """Peak size of the spill folder, polled five times a second."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder, self.ended, self.most = folder, threading.Event(), 0

    def run(self) -> None:
        """Poll until the end."""
        while not self.ended.wait(0.2):
            with contextlib.suppress(OSError):  # a file was deleted meanwhile
                self.most = max(self.most, sum(file.stat().st_blocks * 512 for file in self.folder.rglob("*")))

    def megabytes(self) -> int:
        """Stop, and return the peak."""
        self.ended.set()
        return round(self.most / 2**20)


def evaluate(folder: Path, memory: str, threads: int) -> dict[str, Any]:
    """Evaluate in this process; return times, peak memory, means, and whether a sample has the same digits."""
    import rankgauge as rg

    con = connect(folder, memory, threads)
    sides = [f"{folder}/{name}.parquet" for name in ("judgments", "ranking")]
    spilled = Spilled(folder / "spill")
    spilled.start()
    started, processor = time.perf_counter(), time.process_time()
    scores = rg.duckdb.evaluate(con, *sides, METRICS)
    seconds, processor = time.perf_counter() - started, time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sample = [con.sql(f"FROM '{side}' WHERE query IN (SELECT 'q' || range FROM range({SAMPLE}))") for side in sides]
    local = rg.evaluate(*sample, METRICS)
    found = {metric: scores.per_query(metric) for metric in METRICS}
    same = all(found[metric][query] == value for metric in METRICS for query, value in local.per_query(metric).items())
    return {
        "seconds": round(seconds, 1),
        "processor_seconds": round(processor, 1),
        "peak_mb": round(peak),
        "spilled_mb": spilled.megabytes(),
        "queries": len(scores.queries),
        "means": {metric: scores.mean(metric) for metric in METRICS},
        "sample_same_digits": same,
    }


def main() -> None:
    """Measure the selected sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[3_125_000, 12_500_000, 50_000_000, 200_000_000])
    parser.add_argument("--memory", default="1GB", help="memory limit of DuckDB")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=HERE / ".data" / "scale")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        print(json.dumps(evaluate(args.folder, args.memory, args.threads)))
        return
    path = HERE / "scale.json"
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for rows in args.rows:
        shutil.rmtree(args.folder, ignore_errors=True)
        args.folder.mkdir(parents=True)
        make(args.folder, rows, args.threads)
        size = sum(file.stat().st_size for file in args.folder.glob("*.parquet")) / 2**20
        command = [sys.executable, __file__, "--inside", "--memory", args.memory, "--threads", str(args.threads)]
        done = subprocess.run([*command, "--folder", str(args.folder)], capture_output=True, text=True, check=False)
        measured = json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr[-500:]}
        results[str(rows)] = {"rows": rows, "parquet_mb": round(size), "memory_limit": args.memory, **measured}
        results[str(rows)]["load"] = round(os.getloadavg()[0], 1)
        print(json.dumps(results[str(rows)]), flush=True)
        shutil.rmtree(args.folder)
        path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    write_page()


if __name__ == "__main__":
    main()
