"""Arrays: 10,000 queries of 1,000 items, every item with a grade of 0-4 and a score."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from contest import OURS, Contest, Options, Scenario, Tool, Values, times

ROWS = 10_000


def arrays(folder: Path) -> tuple[Any, Any]:
    """Load labels and scores."""
    import numpy as np

    with np.load(folder / "dense.npz") as stored:
        return stored["labels"], stored["scores"]


def by_row(values: Any) -> dict[str, float]:
    """Return values by row number."""
    return {str(row): float(value) for row, value in enumerate(values)}


def rankgauge(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate two arrays."""
    import rankgauge as rg

    labels, scores = arrays(folder)
    metric = options["metric"]

    def call() -> Values:
        result = rg.evaluate(labels, scores, metric)
        return {metric: by_row(result[metric]) if per_query else result.mean(metric)}

    return call


def ndcg_score(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Call ``ndcg_score`` of scikit-learn on all rows."""
    from sklearn.metrics import ndcg_score as score

    labels, scores = arrays(folder)
    metric = options["metric"]
    k = int(metric.partition("@")[2]) if "@" in metric else None

    def call() -> Values:
        if per_query:
            rows = zip(labels, scores, strict=True)
            return {metric: by_row(score(label[None], own[None], k=k) for label, own in rows)}
        return {metric: float(score(labels, scores, k=k))}

    return call


def average_precision(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Call ``average_precision_score`` of scikit-learn row by row."""
    from sklearn.metrics import average_precision_score as score

    labels, scores = arrays(folder)

    def call() -> Values:
        rows = [score(label, own) for label, own in zip(labels >= 1, scores, strict=True)]
        return {options["metric"]: by_row(rows) if per_query else sum(map(float, rows)) / len(rows)}

    return call


def ranking_average_precision(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Call ``label_ranking_average_precision_score`` of scikit-learn on all rows: the same value without ties."""
    from sklearn.metrics import label_ranking_average_precision_score as score

    labels, scores = arrays(folder)

    def call() -> Values:
        relevant = labels >= 1
        if per_query:
            rows = zip(relevant, scores, strict=True)
            return {options["metric"]: by_row(score(label[None], own[None]) for label, own in rows)}
        return {options["metric"]: float(score(relevant, scores))}

    return call


SKLEARN = ("scikit-learn", "numpy")
TOOLS = {
    OURS: Tool(rankgauge, ("rankgauge", "numpy", "polars")),
    "sklearn ndcg_score": Tool(ndcg_score, SKLEARN),
    "sklearn average_precision_score": Tool(average_precision, SKLEARN),
    "sklearn label_ranking_average_precision_score": Tool(ranking_average_precision, SKLEARN),
}
SIZES = {"625 rows": 1 / 16, "2,500 rows": 1 / 4, "10,000 rows": 1}
CASES = {
    "nDCG@10": ("sklearn ndcg_score",),
    "nDCG": ("sklearn ndcg_score",),
    "AP": ("sklearn average_precision_score", "sklearn label_ranking_average_precision_score"),
}


def make(folder: Path, factor: float) -> None:
    """Write both arrays."""
    from data import dense

    dense(folder / "dense.npz", max(10, round(ROWS * factor)))


def make_checks(folder: Path) -> dict[str, Path]:
    """Write fifty rows."""
    make(folder, 50 / ROWS)
    return {"plain": folder}


SCENARIO = Scenario(
    name="dense",
    title="From arrays",
    text="Rows of 1,000 items with grades 0-4 and float64 scores. The memory of all tools includes the arrays.",
    tools=TOOLS,
    contests=tuple(
        Contest(metric, size, factor, (OURS, *peers), {"metric": metric})
        for metric, peers in CASES.items()
        for size, factor in SIZES.items()
    ),
    goals=(
        times("sklearn ndcg_score", "nDCG@10", "10,000 rows", 20, tools=TOOLS),
        times("sklearn ndcg_score", "nDCG", "10,000 rows", 5, tools=TOOLS),
        times("sklearn average_precision_score", "AP", "10,000 rows", 5, tools=TOOLS),
    ),
    data="dense",
    make=make,
    make_checks=make_checks,
)
