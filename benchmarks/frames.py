"""Frames: 100,000 users with 100 recommendations and 20 relevant items each, five metrics at 10."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from contest import OURS, Contest, Goal, Options, Scenario, Tool, Values, times

USERS = 100_000
OVER_R, OVER_MIN = "AP@10", "AP(over='min(R,k)')@10"
METRICS = ["P@10", "R@10", OVER_R, "nDCG@10", "RR@10"]


def columns(folder: Path, options: Options, table: str, *others: str) -> dict[str, Any]:
    """Load users and items of a table, and the other columns that a tool reads, in the order of the case."""
    import numpy as np

    with np.load(folder / "frames.npz") as stored:
        loaded = {name: stored[f"{table}_{name}"] for name in ("user_id", "item_id", *others)}
    if not options.get("shuffled"):
        return loaded
    order = np.random.default_rng(7).permutation(len(loaded["user_id"]))
    return {name: column[order] for name, column in loaded.items()}


def rankgauge(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate Polars frames with the column names of RecTools."""
    import polars as pl

    import rankgauge as rg

    reco, truth = (
        pl.DataFrame(columns(folder, options, "reco", "score")),
        pl.DataFrame(columns(folder, options, "truth", "rel")),
    )
    metrics = [*METRICS, OVER_MIN] if per_query else METRICS

    def call() -> Values:
        scores = rg.evaluate(truth, reco, metrics)
        if per_query:
            return {
                metric: {str(user): value for user, value in scores.per_query(metric).items()} for metric in metrics
            }
        return {metric: scores.mean(metric) for metric in metrics}

    return call


def rectools(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate pandas frames with a rank column; ``calc_metrics`` joins once for all metrics."""
    import pandas as pd
    from rectools.metrics import MAP, MRR, NDCG, Precision, Recall, calc_metrics

    reco, truth = (
        pd.DataFrame(columns(folder, options, "reco", "rank")),
        pd.DataFrame(columns(folder, options, "truth")),
    )
    metrics = {
        "P@10": Precision(k=10),
        "R@10": Recall(k=10),
        OVER_R: MAP(k=10),
        "nDCG@10": NDCG(k=10, divide_by_achievable=True),
        "RR@10": MRR(k=10),
    }

    def call() -> Values:
        if per_query:
            found = {name: metric.calc_per_user(reco, truth) for name, metric in metrics.items()}
            return {name: {str(user): float(v) for user, v in of.items()} for name, of in found.items()}
        return {name: float(value) for name, value in calc_metrics(metrics, reco, truth).items()}

    return call


def replay(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate Polars frames; ``OfflineMetrics`` joins once for all metrics."""
    import polars as pl
    from replay.metrics import MAP, MRR, NDCG, OfflineMetrics, PerUser, Precision, Recall

    reco, truth = (
        pl.DataFrame(columns(folder, options, "reco", "score")),
        pl.DataFrame(columns(folder, options, "truth")),
    )
    mode = {"mode": PerUser()} if per_query else {}
    kinds = {"P@10": Precision, "R@10": Recall, OVER_MIN: MAP, "nDCG@10": NDCG, "RR@10": MRR}
    metrics = [kind(10, **mode) for kind in kinds.values()]

    def call() -> Values:
        found = OfflineMetrics(metrics, query_column="user_id", item_column="item_id", rating_column="score")(
            reco, truth
        )
        if not per_query:
            return dict(zip(kinds, found.values(), strict=True))
        return {
            name: {str(user): value for user, value in of.items()}
            for name, of in zip(kinds, found.values(), strict=True)
        }

    return call


TOOLS = {
    OURS: Tool(rankgauge, ("rankgauge", "numpy", "polars")),
    "RecTools": Tool(rectools, ("RecTools", "pandas", "numpy"), environment="rectools"),
    "RePlay": Tool(replay, ("replay-rec", "polars", "numpy"), environment="replay"),
}
FULL = "100,000 users"
ANY_ORDER = "five metrics, any order"
SIZES = {"6,250 users": 1 / 16, "25,000 users": 1 / 4, FULL: 1}


def make(folder: Path, factor: float) -> None:
    """Write the columns of both tables."""
    from data import recommendations

    recommendations(folder / "frames.npz", max(10, round(USERS * factor)))


def make_checks(folder: Path) -> dict[str, Path]:
    """Write a hundred users."""
    make(folder, 100 / USERS)
    return {"plain": folder}


SCENARIO = Scenario(
    name="frames",
    title="From frames",
    text=(
        "P, R, AP, nDCG and RR at 10 from Polars frames (RecTools: pandas frames) with 100 recommendations and "
        "20 relevant items per user, sorted by user and score or in any order. The memory of all tools includes the frames. "
        "RecTools computes nDCG with `divide_by_achievable=True`; MAP of RePlay divides by min(R, k), "
        "which is `AP(over='min(R,k)')@10` in rankgauge."
    ),
    tools=TOOLS,
    contests=(
        *(Contest("five metrics", size, factor, tuple(TOOLS)) for size, factor in SIZES.items()),
        *(Contest(ANY_ORDER, size, factor, tuple(TOOLS), {"shuffled": True}) for size, factor in SIZES.items()),
    ),
    goals=(
        times("RecTools", "five metrics", FULL, 10, tools=TOOLS),
        times("RePlay", "five metrics", FULL, 15, tools=TOOLS),
        Goal(
            "in any order at most twice the CPU time of sorted rows",
            (ANY_ORDER, FULL, OURS),
            2,
            ("five metrics", FULL, OURS),
            what="processor_seconds",
        ),
    ),
    data="frames",
    make=make,
    make_checks=make_checks,
)
