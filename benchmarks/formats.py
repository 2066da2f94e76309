"""Measure `rankgauge eval` on one large file that holds both sides, in several formats.

Usage: benchmarks/formats.py [--megabytes N ...] [--only FORMAT ...]

The data are generated into benchmarks/.data and deleted again. Results go to benchmarks/formats.json and formats.md; every
size and format keeps its last row.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl
from bench import machine
from commands import measured
from measure import DATA, HERE

RETRIEVED, RELEVANT = 100, 5
FORMATS = ("jsonl", "json", "parquet")
GOALS = {("jsonl", 1_000): "≤ 300 MB, ≥ 2x ijson", ("parquet", 1_000): "≤ 400 MB"}
PEER = """
import ijson, math, sys
total = count = 0.0
ap = 0.0
with open(sys.argv[1], "rb") as file:
    for record in ijson.items(file, "", multiple_values=True):
        relevant = {*record["relevant_ids"]}
        found, precisions, gain = 0, 0.0, 0.0
        for rank, item in enumerate(record["retrieved_ids"], 1):
            if item in relevant:
                found += 1
                precisions += found / rank
                gain += 1 / math.log2(rank + 1) if rank <= 10 else 0
        ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), 10) + 1))
        total, ap, count = total + gain / ideal, ap + precisions / len(relevant), count + 1
print(total / count, ap / count)
"""
"""ijson and Python, as one would write it: no check of anything."""
BLOCK = 5_000
"""Records that are generated at a time."""


def records(first: int) -> list[dict[str, Any]]:
    """Return records with the ids of retrieved and relevant items and an answer of 1,000 characters."""
    return [
        {
            "query": f"question {query}",
            "retrieved_ids": [f"document-{(query * 7919 + rank * 31) % 1_000_003}" for rank in range(RETRIEVED)],
            "relevant_ids": [f"document-{(query * 7919 + rank * 62) % 1_000_003}" for rank in range(RELEVANT)],
            "response": f"{query} " * (1_000 // len(f"{query} ")),
        }
        for query in range(first, first + BLOCK)
    ]


def blocks(limit: int, path: Path) -> Iterator[list[dict[str, Any]]]:
    """Yield records until the file has as many bytes as the limit."""
    first = 0
    while path.stat().st_size < limit:
        yield records(first)
        first += BLOCK


def write(path: Path, form: str, limit: int) -> None:
    """Write a file of about as many bytes as the limit; Parquet holds the records of JSONL of that size."""
    if form == "parquet":
        lines = path.with_suffix(".jsonl")
        write(lines, "jsonl", limit)
        pl.scan_ndjson(lines).sink_parquet(path, row_group_size=BLOCK)
        lines.unlink()
        return
    path.touch()
    with path.open("w", encoding="utf-8") as file:
        start, between, end = ("[", ",\n", "]") if form == "json" else ("", "\n", "\n")
        file.write(start)
        for number, block in enumerate(blocks(limit, path)):
            file.write((between if number else "") + between.join(map(json.dumps, block)))
            file.flush()
        file.write(end)


def measure(form: str, megabytes: int) -> dict[str, Any]:
    """Run the command once, in a process of its own."""
    DATA.mkdir(exist_ok=True)
    path = DATA / f"answers.{form}"
    path.unlink(missing_ok=True)
    write(path, form, megabytes * 1_000_000)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent / "src"), *sys.path])}
    row = measured([[sys.executable, "-m", "rankgauge", "eval", str(path), "-m", "nDCG@10", "-m", "AP"]], environment)
    if form == "jsonl" and find_spec("ijson"):
        row["peer"] = measured([[sys.executable, "-c", PEER, str(path)]], environment)
    row |= {"bytes": path.stat().st_size, "date": f"{datetime.now(UTC):%Y-%m-%d}"}
    path.unlink()
    return row


def table(results: dict[str, Any]) -> str:
    """Render all measurements as a Markdown page."""
    it = results["machine"]
    lines = [
        "# Large files",
        "",
        "Written by `benchmarks/formats.py`: `rankgauge eval` on one file with the relevant and the retrieved ids of each query and the text of an",
        "answer, 2 metrics, one run of each, in a process of its own. Judgments (5 items a query) stay in memory, rankings (100 items) are streamed.",
        "ijson reads the same records and a loop in Python computes the two metrics, without any check.",
        "",
        f"- Machine: {it['cpu']}, {it['cores']} cores, {it['memory_gb']} GB of memory, {it['system']}, Python {it['python']}.",
        "",
        "| format | file | tool | elapsed | CPU | peak memory | goal | measured on |",
        "| --- | ---: | --- | ---: | ---: | ---: | --- | --- |",
    ]
    for form in FORMATS:
        for megabytes, row in sorted(results["rows"].get(form, {}).items(), key=lambda item: item[1]["bytes"]):
            tools = {"rankgauge": row} | ({"ijson and Python": row["peer"]} if "peer" in row else {})
            for tool, of in tools.items():
                size, goal = f"{row['bytes'] / 1e6:,.0f} MB", GOALS.get((form, int(megabytes)), "")
                numbers = f"{of['wall_s']} s | {of['cpu_s']} s | {of['peak_mb']:,.0f} MB"
                lines.append(f"| {form} | {size} | {tool} | {numbers} | {goal} | {row['date']} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure the chosen sizes and formats and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[250, 1_000])
    parser.add_argument("--only", choices=FORMATS, nargs="+", default=FORMATS)
    arguments = parser.parse_args()
    stored = HERE / "formats.json"
    results = json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {"rows": {}}
    results["machine"] = machine()
    for form in arguments.only:
        for megabytes in arguments.megabytes:
            row = measure(form, megabytes)
            results["rows"].setdefault(form, {})[str(megabytes)] = row
            print(form, row)
            stored.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
            (HERE / "formats.md").write_text(table(results), encoding="utf-8")


if __name__ == "__main__":
    main()
