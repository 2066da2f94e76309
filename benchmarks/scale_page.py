"""benchmarks/scale.md, from the results of scale.py and spark.py; run it alone to write the page anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OURS, BAR = "rankgauge", 3
HELD_TO = ("RePlay", "Recommenders")
Record = dict[str, Any]


def read(name: str) -> list[tuple[int, Record]]:
    """The results by rows, the fewest first."""
    path = HERE / name
    stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return sorted((int(rows), found) for rows, found in stored.items())


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown, the first column to the left."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def growth(before: tuple[int, float] | None, rows: int, value: float) -> str:
    """How much more than at the size before, beside how much more data."""
    return "" if before is None else f"{value / before[1]:.1f} ({rows / before[0]:.3g}x data)"


def duckdb_table(results: list[tuple[int, Record]]) -> str:
    """A row for each size."""
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
    head = ["rows", "queries", "Parquet MB", "seconds", "processor seconds", "growth", "peak MB", "spilled MB", "load"]
    return table(head, lines)


def spark_table(results: list[tuple[int, Record]]) -> str:
    """A row for each size and tool, ours first."""
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
    head = ["rows", "tool", "processor seconds", "seconds", "times rankgauge (processor)", "times rankgauge (wall)"]
    return table([*head, "growth", "peak MB Java", "peak MB Python", "furthest from rankgauge"], lines)


def bars(results: list[tuple[int, Record]]) -> str:
    """Whether the bar is met, at each size at which both were run."""
    lines = []
    for rows, found in results:
        for tool in HELD_TO:
            both = [found.get(name, {}).get("processor_seconds") for name in (OURS, tool)]
            if all(both):
                times = both[1] / both[0]
                lines.append([f"{rows:,}", tool, f"≥ {BAR}x", f"{times:.2f}x", "met" if times >= BAR else "**missed**"])
    return table(["rows", "beside", "bar", "measured, in processor seconds", ""], lines)


def write_page() -> None:
    """Write the page."""
    duckdb, spark = read("scale.json"), read("spark.json")
    kinds = {tool: one["versions"] for _, found in spark for tool, one in found.items() if "versions" in one}
    versions = [
        f"{tool} ({', '.join(f'{name} {number}' for name, number in kind.items())})" for tool, kind in kinds.items()
    ]
    text = f"""# Scale

`make bench-scale` and `make bench-spark` measure and write this page from `scale.json` and `spark.json`. What the numbers mean
for larger data stands in [docs/scale.md](../docs/scale.md).

2 cores, 24 GB of memory. Processor seconds are user and system time of the process, its Java and its Python workers together.
The rows of DuckDB were measured on a machine that was **busy with other work**: the load that stands beside a time is the mean number
of processes that wanted a core, seconds on the wall are several times those of an idle machine, and processor seconds are what to read.
The tools on Spark take turns, and the better of the rounds counts.

## DuckDB under a limit of 1 GB

Lists of 1,000 items with text ids, 20 judged items a query, from Parquet; nDCG@10, AP, RR, P@10 and R@100. The peak is that of the
whole process, Python and Polars beside DuckDB; spilled is the most that lay in the temporary folder. Each result is compared with
`rg.evaluate` on 200 of its queries: the digits are the same{"." if all(one.get("sample_same_digits") for _, one in duckdb) else ", except where said."}

{duckdb_table(duckdb)}
## Spark on two cores

`local[2]`, 6 GB of Java heap, 16 shuffle partitions; 100 recommendations and 20 relevant items a user, whole numbers as ids, from Parquet; P, R,
AP over min(R, k) and nDCG at 10. All run on Spark 3.5, the newest that the peers run on; rankgauge once more on
Spark 4, as it comes and with `spark.sql.execution.arrow.maxBytesPerBatch` at its largest. Each tool runs in a fresh process whose session has already answered a small call. rankgauge also looks for repeated items
and reports what it finds; the peers do not. The peak is the sum of the resident memory of all processes of a kind; Java takes what the heap allows.
Looking at it four times a second is in the processor seconds of every tool, about 2 % of its seconds on the wall.

Versions: {"; ".join(versions)}.

{bars(spark)}
{spark_table(spark)}
Recommenders is 1e-6 away from the others in AP and nDCG, not in P and R, and no scores tie: it gathers the top ten of a user with
`collect_list`, which promises no order; we suppose that a few lists come out of order, and have not proved it.
"""
    (HERE / "scale.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_page()
