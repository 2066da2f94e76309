"""Dicts of dicts in memory: nDCG@10, AP and RR on the data of the TREC files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import trec
from contest import OURS, Contest, Options, Scenario, Tool, Values, mean, times


def loaded(folder: Path, options: Options) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """Load judgments and ranking as ``{query: {item: number}}``."""
    from data import read_trec

    return read_trec(folder / options["qrels"]), read_trec(folder / "run.txt")


def rankgauge(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate the dicts."""
    import rankgauge as rg

    qrels, run = loaded(folder, options)

    def call() -> Values:
        scores = rg.evaluate(qrels, run, trec.METRICS)
        return {metric: scores.per_query(metric) if per_query else scores.mean(metric) for metric in trec.METRICS}

    return call


def pytrec_eval(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Create the evaluator and evaluate."""
    import pytrec_eval as pt

    return relevance_evaluator(pt, folder, options, per_query)


def drop_in(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Do the same with the drop-in."""
    import rankgauge.compat.pytrec_eval as pt

    return relevance_evaluator(pt, folder, options, per_query)


def relevance_evaluator(pt: ModuleType, folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Return the call to time, of a module with the interface of pytrec_eval."""
    qrels, run = loaded(folder, options)
    names = {"ndcg_cut_10": "nDCG@10", "map": "AP", "recip_rank": "RR"}

    def call() -> Values:
        found = pt.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map", "recip_rank"}).evaluate(run)
        values = {name: {query: row[key] for query, row in found.items()} for key, name in names.items()}
        return values if per_query else {name: mean(of) for name, of in values.items()}

    return call


def ranx(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Build Qrels and Run from the dicts and evaluate."""
    from ranx import Qrels, Run, evaluate

    qrels, run = loaded(folder, options)
    names = {"ndcg@10": "nDCG@10", "map": "AP", "mrr": "RR"}

    def call() -> Values:
        built = Run(run)
        found = evaluate(Qrels(qrels), built, list(names))
        if per_query:
            return {name: {str(q): float(v) for q, v in built.scores[key].items()} for key, name in names.items()}
        return {name: float(found[key]) for key, name in names.items()}

    return call


def numpy_copy(folder: Path, options: Options, _: bool) -> Callable[[], Values]:
    """Copy every score into one array."""
    import numpy as np

    _, run = loaded(folder, options)

    def call() -> Values:
        scores = np.empty(sum(map(len, run.values())))
        start = 0
        for items in run.values():
            scores[start : start + len(items)] = np.fromiter(items.values(), np.float64, len(items))
            start += len(items)
        return {"sum": float(scores.sum())}

    return call


DROP_IN = "rankgauge.compat.pytrec_eval"
TOOLS = {
    OURS: Tool(rankgauge, ("rankgauge", "numpy", "polars")),
    DROP_IN: Tool(drop_in, ("rankgauge", "numpy", "polars")),
    "pytrec_eval": Tool(pytrec_eval, ("pytrec-eval-terrier",)),
    "ranx": Tool(ranx, ("ranx", "numba"), orders_ties=False),
    "numpy copy": Tool(numpy_copy, ("numpy",), compares=False),
}
SIZES = {"436 queries": 1 / 16, "1,745 queries": 1 / 4, "6,980 queries": 1}

SCENARIO = Scenario(
    name="dicts",
    title="From dicts",
    text=(
        "nDCG@10, AP and RR from `{query: {item: number}}` in memory, on the data of the TREC files: one judged item per query, "
        "11 or 55 graded ones on average. "
        "The time includes data structures that a tool builds from the dicts; `numpy copy` only copies the scores into an array. The memory of all tools includes the dicts."
    ),
    tools=TOOLS,
    contests=tuple(
        Contest(case, size, factor, tuple(TOOLS), options)
        for case, options in (("one judged", trec.ONE), ("11 graded", trec.FEW), ("graded", trec.GRADED))
        for size, factor in SIZES.items()
    ),
    goals=tuple(
        times(peer, case, "6,980 queries", limit, tools=TOOLS)
        for peer, case, limit in (
            ("pytrec_eval", "one judged", 10),
            ("pytrec_eval", "11 graded", 10),
            ("pytrec_eval", "graded", 6),
            ("ranx", "one judged", 50),
            ("ranx", "graded", 50),
        )
    )
    + tuple(
        times("pytrec_eval", case, "6,980 queries", limit, tools=TOOLS, ours=DROP_IN)
        for case, limit in (("one judged", 7), ("graded", 3))
    ),
    data="trec",
    make=trec.make,
    make_checks=trec.make_checks,
    calls=3,
)
