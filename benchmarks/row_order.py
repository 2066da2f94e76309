"""Measure `rankgauge eval` on one ranking in three orders beside trec_eval in C, and on compressed files.

Usage: [TREC_EVAL=path] benchmarks/row_order.py

Without TREC_EVAL the C code of pytrec-eval-terrier is the peer (benchmarks/trec_eval_c.py), if that package is installed.
Writes benchmarks/row_order.json and benchmarks/row_order.md. 6,980 queries x 1,000 items, about 55 judged per query.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from commands import PEER, Row, measured
from measure import DATA, HERE

from data import trec_files
from rankgauge.inputs.io.compression import COMPRESSIONS

QUERIES, ITEMS, ROUNDS = 6_980, 1_000, 3
ORDERS = {"in order": "run.txt", "shuffled inside queries": "inside.txt", "fully shuffled": "shuffled.txt"}
COMPRESSED = {"in order, gz, zlib": "run.txt.gz", "in order, gz, isal": "run.txt.gz", "in order, zst": "run.txt.zst"}
WITHOUT_ISAL = "import sys; sys.modules['isal'] = None; from rankgauge.cli import main; main()"
GOALS = {
    "shuffled inside queries": "≥ 5x",
    "fully shuffled": "≥ 4x, ≤ 600 MB",
    "in order, gz, zlib": "≤ 1.5x the plain file",
    "in order, gz, isal": "≤ 1.2x the plain file",
    "in order, zst": "≤ 1.2x the plain file",
}


def make() -> Path:
    """Write the files, once."""
    folder = DATA / "row-order"
    if (folder / "complete").exists():
        return folder
    trec_files(folder, QUERIES, ITEMS, gz=True)
    lines = np.array((folder / "run.txt").read_bytes().splitlines(keepends=True), dtype=object)
    rng = np.random.default_rng(5)
    inside = np.argsort(rng.random((QUERIES, ITEMS)), axis=1) + np.arange(QUERIES)[:, None] * ITEMS
    (folder / "inside.txt").write_bytes(b"".join(lines[inside.ravel()].tolist()))
    (folder / "shuffled.txt").write_bytes(b"".join(lines[rng.permutation(len(lines))].tolist()))
    zstd = next(row for row in COMPRESSIONS if row.name == "zstd")
    with (
        (folder / "run.txt").open("rb") as plain,
        (folder / "run.txt.zst").open("wb") as file,
        zstd.compressor(file) as compressed,
    ):
        shutil.copyfileobj(plain, compressed, 1 << 20)
    (folder / "complete").touch()
    return folder


def peer() -> list[str]:
    """Return the command of trec_eval in C, empty if there is none."""
    if program := os.environ.get("TREC_EVAL"):
        return [program]
    return [sys.executable, str(HERE / "trec_eval_c.py")] if find_spec("pytrec_eval_ext") else []


def best(words: list[str], environment: dict[str, str]) -> Row:
    """Return the fastest of several rounds."""
    return min((measured([words], environment) for _ in range(ROUNDS)), key=lambda row: row["wall_s"])


def table(results: dict[str, dict[str, Row]]) -> str:
    """Render the measurements as a Markdown page."""
    lines = [
        "# Rows in any order",
        "",
        "Written by `make bench-order`: nDCG@10, AP and RR of 6,980 queries with 1,000 items and about 55 judged items,",
        "as whole commands, from the start of the process to its end; the fastest of three rounds counts. trec_eval is the C",
        "program, or its C code of version 9.0.8 in pytrec-eval-terrier (`benchmarks/trec_eval_c.py`).",
        "",
        "| rows | tool | elapsed | CPU | peak memory | times rankgauge | times the plain file in order | goal |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for order, tools in results.items():
        for tool, row in tools.items():
            times = row["wall_s"] / tools["rankgauge"]["wall_s"]
            plain = row["wall_s"] / results["in order"][tool]["wall_s"]
            numbers = f"{row['wall_s']} s | {row['cpu_s']} s | {row['peak_mb']:,.0f} MB | {times:.1f} | {plain:.2f}"
            lines.append(f"| {order} | {tool} | {numbers} | {GOALS.get(order, '')} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure all orders and write the results."""
    folder, program = make(), peer()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent / "src"), *sys.path])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled
    qrels = str(folder / "graded.qrels")
    results: dict[str, dict[str, Row]] = {}
    for order, name in (ORDERS | COMPRESSED).items():
        call = ["-c", WITHOUT_ISAL] if order.endswith("zlib") else ["-m", "rankgauge"]
        ours = [sys.executable, *call, "eval", qrels, str(folder / name), "-m", "nDCG@10,AP,RR"]
        results[order] = {"rankgauge": best(ours, environment)}
        if program and order in ORDERS:
            options = [word for metric in PEER for word in ("-m", metric)]
            results[order]["trec_eval"] = best([*program, *options, qrels, str(folder / name)], environment)
        print(order, results[order], flush=True)
    (HERE / "row_order.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (HERE / "row_order.md").write_text(table(results), encoding="utf-8")


if __name__ == "__main__":
    main()
