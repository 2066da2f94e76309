"""What spans cost, against ids: `benchmarks/spans.py` writes spans.md.

Processor time of 10,000 queries with 100 chunks each, by the command and in process; the best of several rounds.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import polars as pl

import rankgauge as rg

ROOT = Path(__file__).parent.parent
QUERIES, CHUNKS, JUDGED, ROUNDS = 10_000, 100, 5, 5
PLACES, STEP = 200, 1931
"""Chunks of a document, and the distance of two returned ones: no query gets one twice."""
CASES = {
    "ids: nDCG@10, R@100, AP": ("ids", ["nDCG@10", "R@100", "AP"]),
    "spans: nDCG@10, R@100, AP": ("spans", ["nDCG@10", "R@100", "AP"]),
    "spans: R@4000chars": ("spans", ["R@4000chars"]),
    "spans: SpanRecall@10": ("spans", ["SpanRecall@10"]),
}


def data() -> dict[str, tuple[pl.DataFrame, pl.DataFrame]]:
    """Return judgments and a ranking of the same chunks, by id and by span."""
    numbers = np.random.default_rng(1)
    first = np.repeat(numbers.integers(0, 1000 * PLACES, QUERIES), CHUNKS)
    chunk = (first + np.tile(np.arange(CHUNKS) * STEP, QUERIES)) % (1000 * PLACES)
    start = chunk % PLACES * 400
    ranking = pl.DataFrame(
        {
            "query": np.repeat(np.arange(QUERIES), CHUNKS),
            "document": chunk // PLACES,
            "start": start,
            "end": start + 500,
            "score": numbers.random(len(chunk)),
        }
    ).with_columns(pl.format("q{}", "query").alias("query"), pl.format("doc{}", "document").alias("document"))
    rows = (np.repeat(np.arange(QUERIES), JUDGED) * CHUNKS) + numbers.integers(0, CHUNKS, QUERIES * JUDGED)
    judged = ranking[np.unique(rows)].select("query", "document", pl.col("start") + 100, pl.col("end") - 200)
    item = pl.format("{}_{}", "document", pl.col("start") // 400).alias("item")
    ids = judged.select("query", item, grade=pl.lit(1)), ranking.select("query", item, "score")
    return {"ids": ids, "spans": (judged, ranking)}


def of_command(paths: list[str], metrics: list[str]) -> float:
    """Return the processor time of `rankgauge eval`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "rankgauge", "eval", *paths, "-m", ",".join(metrics), "--quiet"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def of_call(frames: tuple[pl.DataFrame, pl.DataFrame], metrics: list[str]) -> float:
    """Return the processor time of `rg.evaluate` on frames."""
    start = process_time()
    rg.evaluate(*frames, metrics)
    return process_time() - start


def page(times: dict[str, tuple[float, float]]) -> str:
    """Return the page: a row for each case."""
    (command, call), lines = times[next(iter(times))], []
    for name, (by_command, by_call) in times.items():
        lines.append(
            f"| {name} | {by_command:.2f} | {by_command / command:.2f}x | {by_call:.3f} | {by_call / call:.2f}x |"
        )
    return "\n".join(
        [
            "# Spans against ids",
            "",
            f"Seconds of processor time for {QUERIES:,} queries with {CHUNKS} chunks each, the best of {ROUNDS} rounds.",
            "Written by benchmarks/spans.py.",
            "",
            "| metrics | `eval` from Parquet | against ids | in process, from frames | against ids |",
            "| --- | ---: | ---: | ---: | ---: |",
            *lines,
            "",
        ]
    )


def main() -> None:
    """Measure all cases in turn, and write the page."""
    times = dict.fromkeys(CASES, (np.inf, np.inf))
    frames = data()
    with tempfile.TemporaryDirectory() as folder:
        paths = {kind: [str(Path(folder, f"{kind}{side}.parquet")) for side in (0, 1)] for kind in frames}
        for kind, both in frames.items():
            for frame, path in zip(both, paths[kind], strict=True):
                frame.write_parquet(path)
        for _ in range(ROUNDS):
            for name, (kind, metrics) in CASES.items():
                measured = of_command(paths[kind], metrics), of_call(frames[kind], metrics)
                times[name] = min(times[name][0], measured[0]), min(times[name][1], measured[1])
    (ROOT / "benchmarks" / "spans.md").write_text(page(times), encoding="utf-8")


if __name__ == "__main__":
    main()
