"""Write benchmarks/scale.md from the results of scale.py and spark.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OURS, GOAL = "rankgauge", 3
HELD_TO = ("RePlay", "Recommenders")
Record = dict[str, Any]


def read(name: str) -> list[tuple[int, Record]]:
    """Return the results by number of rows, ascending."""
    path = HERE / name
    stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return sorted((int(rows), found) for rows, found in stored.items())


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table with the first column left-aligned."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def growth(before: tuple[int, float] | None, rows: int, value: float) -> str:
    """Return the growth from the previous size, and that of the data."""
    return "" if before is None else f"{value / before[1]:.1f} ({rows / before[0]:.3g}x data)"


def duckdb_table(results: list[tuple[int, Record]]) -> str:
    """Return the table of sizes."""
    lines, before = [], None
    for rows, one in results:
        if "error" in one:
            lines.append([f"{rows:,}", one["error"].splitlines()[-1][:80], *[""] * 7])
            continue
        grown = growth(before, rows, one["processor_seconds"])
        before = rows, one["processor_seconds"]
        spilled = f"{one['spilled_mb']:,}" if "spilled_mb" in one else ""
        numbers = [f"{one[name]:,}" for name in ("queries", "parquet_mb", "seconds", "processor_seconds")]
        lines.append([f"{rows:,}", *numbers, grown, f"{one['peak_mb']:,}", spilled, f"{one.get('load', '')}"])
    head = ["rows", "queries", "Parquet MB", "seconds", "CPU seconds", "growth", "peak MB", "spilled MB", "load"]
    return table(head, lines)


def spark_table(results: list[tuple[int, Record]]) -> str:
    """Return the table of sizes and tools, rankgauge first."""
    lines = []
    earlier: dict[str, tuple[int, float]] = {}
    for rows, found in results:
        ours = found.get(OURS, {})
        for tool in sorted(found, key=lambda name: (name != OURS, name)):
            one = found[tool]
            if "error" in one:
                lines.append([f"{rows:,}", tool, one["error"], *[""] * 7])
                continue
            times = [f"{one[name] / ours[name]:.1f}" if ours else "" for name in ("processor_seconds", "seconds")]
            grown = growth(earlier.get(tool), rows, one["processor_seconds"])
            earlier[tool] = rows, one["processor_seconds"]
            peak = one.get("peak_mb", {})
            memory = [f"{peak[kind]:,}" if peak else "" for kind in ("java", "python")]
            seconds = [f"{one[name]:,}" for name in ("processor_seconds", "seconds")]
            apart = f"{one['largest_difference']:.0e}" if one.get("largest_difference") is not None else ""
            lines.append([f"{rows:,}", tool, *seconds, *times, grown, *memory, apart])
    head = ["rows", "tool", "CPU seconds", "seconds", "times rankgauge (CPU)", "times rankgauge (elapsed)"]
    return table([*head, "growth", "peak MB Java", "peak MB Python", "largest difference from rankgauge"], lines)


def goals(results: list[tuple[int, Record]]) -> str:
    """Return the table of goals, for sizes at which both tools were run."""
    lines = []
    for rows, found in results:
        for tool in HELD_TO:
            both = [found.get(name, {}).get("processor_seconds") for name in (OURS, tool)]
            if all(both):
                times = both[1] / both[0]
                lines.append(
                    [f"{rows:,}", tool, f"≥ {GOAL}x", f"{times:.2f}x", "met" if times >= GOAL else "**missed**"]
                )
    return table(["rows", "compared with", "goal", "measured (CPU seconds)", ""], lines)


def write_page() -> None:
    """Write the page."""
    duckdb, spark = read("scale.json"), read("spark.json")
    kinds = {tool: one["versions"] for _, found in spark for tool, one in found.items() if "versions" in one}
    versions = [
        f"{tool} ({', '.join(f'{name} {number}' for name, number in kind.items())})" for tool, kind in kinds.items()
    ]
    text = f"""# Scale

`make bench-scale` and `make bench-spark` measure and write this page from `scale.json` and `spark.json`. [docs/scale.md](../docs/scale.md)
discusses the results and extrapolates them to larger data.

2 cores, 24 GB of memory. CPU seconds are user and system time of the process with its Java and Python workers.
Nothing else ran on the machine. The tools on Spark run in turn, and the best round counts.

## DuckDB with a memory limit of 1 GB

Lists of 1,000 items with text ids, 20 judged items per query, from Parquet; nDCG@10, AP, RR, P@10 and R@100. Peak memory is that of the
process, including Python and Polars; spilled is the peak size of the temporary directory. Each result is compared with
`rg.evaluate` on 200 queries: the digits are the same{"." if all(one.get("sample_same_digits") for _, one in duckdb) else ", with exceptions."}

{duckdb_table(duckdb)}
## Spark on two cores

`local[2]`, 6 GB of Java heap, 16 shuffle partitions; 100 recommendations and 20 relevant items per user, integer ids, from Parquet; P, R,
AP over min(R, k) and nDCG at 10. All tools run on Spark 3.5, the newest version that the other tools support; rankgauge also runs on Spark 4, with default settings and with the maximum of
`spark.sql.execution.arrow.maxBytesPerBatch`. Each tool runs in a new process whose session has completed a small call. rankgauge also checks for repeated items
and reports findings; the other tools do not. Peak memory is the sum of the resident memory of all Java or Python processes; Java uses as much as the heap allows.
Polling it four times a second adds about 2 % of the elapsed time to the CPU seconds of every tool.

Versions: {"; ".join(versions)}.

{goals(spark)}
{spark_table(spark)}
Recommenders differs from the other tools by 1e-6 in AP and nDCG, but not in P and R, and there are no ties. It collects the top ten of a user with
`collect_list`, which does not guarantee the order; probably a few lists are out of order, but this is not proved.
"""
    (HERE / "scale.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_page()
