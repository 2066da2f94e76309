"""Spark: compare with RePlay, Microsoft Recommenders and RankingMetrics of Spark; one process per tool and size.

All tools run on Spark 3.5, the newest version that the other tools support; rankgauge also on Spark 4, with default settings and with
the setting recommended in docs/scale.md.

Usage: make bench-spark, or benchmarks/run-spark [--rows 3125000 12500000 50000000] [--tools rankgauge ...] [--rounds 2]

100 recommendations and 20 relevant items per user, from Parquet, on local[2]; P, R, AP over min(R, k) and nDCG at 10 as
means over users. The tools run in turn, each in a new process, and the best round counts. Differences between the values are
recorded. Results go to benchmarks/spark.json, from which benchmarks/scale.md is written.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from scale_page import write_page

HERE = Path(__file__).parent
ROOT = HERE.parent
DATA = HERE / ".data" / "spark"
K, ITEMS, RELEVANT = 10, 100, 20
AGREE = 1e-9
METRICS = {"P": "P@10", "R": "R@10", "AP": "AP(over='min(R,k)')@10", "nDCG": "nDCG@10"}
Values = dict[str, float]


def rankgauge(truth: Any, reco: Any) -> Values:
    """Evaluate all metrics in one pass."""
    import rankgauge as rg

    scores = rg.spark.evaluate(truth, reco, list(METRICS.values()))
    return {name: scores.mean(metric) for name, metric in METRICS.items()}


def ranking_metrics(truth: Any, reco: Any) -> Values:
    """Evaluate with RankingMetrics of Spark: lists of recommended and of relevant items per user."""
    from pyspark.mllib.evaluation import RankingMetrics
    from pyspark.sql import functions as F  # noqa: N812 (its usual name)

    ranked = reco.groupBy("user_id").agg(
        F.sort_array(F.collect_list(F.struct("score", "item_id")), asc=False).alias("r")
    )
    lists = ranked.select("user_id", F.col("r.item_id").alias("r"))
    wanted = truth.groupBy("user_id").agg(F.collect_list("item_id").alias("t"))
    pairs = lists.join(wanted, "user_id").select("r", "t").rdd.map(tuple).cache()
    metrics = RankingMetrics(pairs)
    return {
        "P": metrics.precisionAt(K),
        "R": metrics.recallAt(K),
        "AP": metrics.meanAveragePrecisionAt(K),
        "nDCG": metrics.ndcgAt(K),
    }


def recommenders(truth: Any, reco: Any) -> Values:
    """Evaluate with Microsoft Recommenders."""
    from recommenders.evaluation.spark_evaluation import SparkRankingEvaluation

    found = SparkRankingEvaluation(
        truth,
        reco,
        k=K,
        relevancy_method="top_k",
        col_user="user_id",
        col_item="item_id",
        col_rating="rel",
        col_prediction="score",
    )
    return {"P": found.precision_at_k(), "R": found.recall_at_k(), "AP": found.map_at_k(), "nDCG": found.ndcg_at_k()}


def replay(truth: Any, reco: Any) -> Values:
    """Evaluate with RePlay, which joins once for all metrics."""
    from replay.metrics import MAP, NDCG, OfflineMetrics, Precision, Recall

    kinds = {"P": Precision, "R": Recall, "AP": MAP, "nDCG": NDCG}
    evaluator = OfflineMetrics(
        [kind(K) for kind in kinds.values()], query_column="user_id", item_column="item_id", rating_column="score"
    )
    return dict(zip(kinds, evaluator(reco, truth).values(), strict=True))


class Tool(NamedTuple):
    """A tool and the environment and settings to run it in."""

    function: Callable[[Any, Any], Values]
    packages: tuple[str, ...]
    environment: str = ".venv-bench-spark"
    settings: tuple[tuple[str, str], ...] = ()


UNCOUNTED = ("spark.sql.execution.arrow.maxBytesPerBatch", str(2**31 - 1))
TOOLS = {
    "rankgauge": Tool(rankgauge, ("rankgauge", "pyspark")),
    "Spark RankingMetrics": Tool(ranking_metrics, ("pyspark",)),
    "Recommenders": Tool(recommenders, ("recommenders", "pyspark"), ".venv-bench-spark-peers"),
    "RePlay": Tool(replay, ("replay-rec", "pyspark"), ".venv-bench-spark-peers"),
    "rankgauge, Spark 4": Tool(rankgauge, ("rankgauge", "pyspark"), ".venv-bench-spark-4"),
    "rankgauge, Spark 4, with the setting": Tool(
        rankgauge, ("rankgauge", "pyspark"), ".venv-bench-spark-4", (UNCOUNTED,)
    ),
}


def make(folder: Path, rows: int) -> None:
    """Write recommendations and relevant items as Parquet."""
    import numpy as np
    import polars as pl

    from data import recommendations

    recommendations(folder / "frames.npz", max(10, rows // ITEMS), ITEMS, RELEVANT)
    with np.load(folder / "frames.npz") as stored:
        for name, columns in {"reco": ("user_id", "item_id", "score"), "truth": ("user_id", "item_id", "rel")}.items():
            pl.DataFrame({column: stored[f"{name}_{column}"] for column in columns}).with_columns(
                pl.col("rel").cast(pl.Float64) if name == "truth" else pl.col("score")
            ).write_parquet(folder / f"{name}.parquet", row_group_size=1 << 20)
    (folder / "frames.npz").unlink()


def processes() -> Iterator[tuple[Path, list[str]]]:
    """Yield the folder and status fields of this process, its Java and its Python workers."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if int(fields[3]) == os.getsid(0):
            yield stat.parent, fields


def processor_seconds() -> float:
    """Return the CPU time of all these processes, running and finished."""
    return sum(sum(map(int, fields[11:15])) for _, fields in processes()) / os.sysconf("SC_CLK_TCK")


class PeakMemory(threading.Thread):
    """Peak memory of all these processes, polled four times a second; shared pages count repeatedly."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.ended, self.pages = threading.Event(), {"java": 0, "python": 0, "all": 0}

    def run(self) -> None:
        """Poll until the end."""
        while not self.ended.wait(0.25):
            held = {"java": 0, "python": 0}
            for folder, fields in processes():
                with contextlib.suppress(OSError):
                    kind = "java" if (folder / "comm").read_text().strip() == "java" else "python"
                    held[kind] += int(fields[21])
            held["all"] = sum(held.values())
            self.pages = {kind: max(most, held[kind]) for kind, most in self.pages.items()}

    def megabytes(self) -> dict[str, int]:
        """Stop, and return the peaks of Java, Python and both together."""
        self.ended.set()
        return {kind: round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20) for kind, pages in self.pages.items()}


def measure(tool: str, folder: Path, memory: str) -> dict[str, Any]:
    """Measure a tool in this process, after starting and warming up the session."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    function, packages, _, settings = TOOLS[tool]
    spark = (
        SparkSession.builder.master("local[2]")
        .config(map=dict(settings))
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", memory)
        .config("spark.sql.shuffle.partitions", "16")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    truth, reco = (spark.read.parquet(str(folder / f"{name}.parquet")) for name in ("truth", "reco"))
    few = [side.where("user_id < 50") for side in (truth, reco)]
    function(*few)
    memory_held = PeakMemory()
    memory_held.start()
    started, processor = time.perf_counter(), processor_seconds()
    values = function(truth, reco)
    seconds, processor = time.perf_counter() - started, processor_seconds() - processor
    taken = {"seconds": round(seconds, 1), "processor_seconds": round(processor, 1), "peak_mb": memory_held.megabytes()}
    spark.stop()
    return {**taken, "values": values, "versions": {name: version(name) for name in packages}}


def run(tool: str, folder: Path, memory: str, longest: float) -> dict[str, Any]:
    """Measure a tool in a new process, in its environment."""
    python = ROOT / TOOLS[tool].environment / "bin" / "python"
    if not python.exists():
        return {"error": "not installed"}
    command = [str(python), "-W", "ignore", __file__, "--inside", tool, "--folder", str(folder), "--memory", memory]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=longest, start_new_session=True
        )
    except subprocess.TimeoutExpired:
        return {"error": f"took more than {longest:g} seconds"}
    if done.returncode != 0:
        return {"error": (done.stderr.strip().splitlines() or ["no message"])[-1][:200]}
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def main() -> None:
    """Measure all tools at all sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[3_125_000, 12_500_000, 50_000_000])
    parser.add_argument("--tools", nargs="+", choices=TOOLS, default=list(TOOLS))
    parser.add_argument("--rounds", type=int, default=1, help="number of runs of each tool")
    parser.add_argument("--memory", default="6g", help="memory of the driver, which is also the executor")
    parser.add_argument("--longest", type=float, default=1800, help="time limit of a tool in seconds")
    parser.add_argument("--folder", type=Path, default=DATA)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        print(json.dumps(measure(args.inside, args.folder, args.memory)))
        return
    path = HERE / "spark.json"
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for rows in args.rows:
        folder = args.folder / str(rows)
        if not (folder / "truth.parquet").exists():
            folder.mkdir(parents=True, exist_ok=True)
            make(folder, rows)
        found = results.setdefault(str(rows), {})
        for turn in range(args.rounds):
            for tool in args.tools:
                one = {**run(tool, folder, args.memory, args.longest), "load": round(os.getloadavg()[0], 1)}
                found[tool] = best(found[tool], one) if turn else one
                compare(found, tool)
                print(rows, tool, json.dumps(one), flush=True)
                path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    write_page()


def best(earlier: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    """Return the round with less CPU time, or the one that failed."""
    if "error" in earlier or "error" in later:
        return earlier if "error" in earlier else later
    return min(earlier, later, key=lambda one: one["processor_seconds"])


def compare(found: dict[str, Any], tool: str) -> None:
    """Record the largest difference between the means of a tool and those of rankgauge."""
    ours, theirs = found.get("rankgauge", {}).get("values", {}), found[tool].get("values", {})
    apart = [abs(value - ours[name]) for name, value in theirs.items() if name in ours]
    found[tool]["largest_difference"] = max(apart, default=None)
    found[tool]["agrees"] = bool(apart) and max(apart) <= AGREE


if __name__ == "__main__":
    main()
