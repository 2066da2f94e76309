"""Evaluate with a huge cutoff in a process whose memory is limited, and print the values as JSON.

``python tests/huge_cutoffs.py metrics`` evaluates every metric that has a cutoff; ``engines`` some in every engine.
"""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import rankgauge as rg
from beyond_cases import SMALL
from span_reference import CHUNKS, GOLD

SPANS = ({"q": [*map(str, GOLD)]}, {"q": [*map(str, CHUNKS)]})
ALL = 5
"""The number of items in the small world: no list is longer."""
HUGE = 10**9
SPARE = 1 << 30
"""Bytes that may be allocated: an array of one number for each of ``HUGE`` ranks has eight times as many."""
CONVENTIONS = {
    "default": rg.Convention(),
    "every rank": rg.Convention(ap_at="every", ap_over="R", ideal_cut="none"),
    "returned": rg.Convention(ideal="returned", ideal_cut="returned", p_over="min(k,n)", r_over="min(k,R)"),
    "full, returned": rg.Convention(ideal="full", ideal_cut="returned"),
    "best": rg.Convention(ties="best", unjudged="removed", ap_over="hits"),
    "together": rg.Convention(ties="together", unjudged=1, rr_of="best"),
}
GRADES = np.array([[3.0, 0.0, 1.0], [0.0, 2.0, 1.0]])
SCORES = np.array([[0.5, 0.25, 0.125], [0.75, 0.25, 0.25]])
METRICS = ("nDCG", "AP", "P", "RR", "ERR")


def limit_memory() -> None:
    """Let this process allocate only a little more than it has."""
    import resource

    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + SPARE
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def of_metrics() -> dict[str, Any]:
    """The values of every metric under every convention, at the huge cutoff and at the number of items."""
    cut = [metric for metric in rg.metrics().values() if "k" in metric.definition.parameters]
    rg.evaluate(SMALL.judgments, SMALL.lists, "P@1", side_information=SMALL.side_information)
    rg.evaluate(*SPANS, "SpanRecall@1")
    limit_memory()
    values: dict[str, Any] = {}
    for name, convention in CONVENTIONS.items():
        for metric in cut:
            if metric.definition.of_spans and convention.ties != "id":
                continue  # refused: which chunk finds a span would depend on what it finds
            asked = [metric @ ALL, metric @ HUGE]
            judgments, lists = SPANS if metric.definition.of_spans else (SMALL.judgments, SMALL.lists)
            scores = rg.evaluate(
                judgments, lists, asked, convention=convention, side_information=SMALL.side_information
            )
            values[f"{metric.name} {name}"] = [scores.mean(metric) for metric in asked]
    return values


def of_engines() -> dict[str, Any]:
    """The values of some metrics in every engine that is installed."""
    convention = CONVENTIONS["every rank"]

    def asked(k: int) -> list[str]:
        return [f"{name}@{k}" for name in METRICS]

    def streamed(k: int) -> Any:
        scores = rg.StreamingScores(asked(k), convention=convention)
        scores.update(judgments=GRADES, scores=SCORES)
        return scores.compute()

    def in_duckdb(k: int) -> Any:
        import duckdb

        con = duckdb.connect(config={"threads": "1"})
        rows = "(VALUES ('a', 'x', 3), ('a', 'z', 1), ('b', 'y', 2))"
        con.execute(f"CREATE TABLE judgments AS FROM {rows} t(query, item, grade)")
        con.execute("CREATE TABLE ranking AS SELECT query, item, grade AS score FROM judgments")
        return rg.duckdb.evaluate(con, "judgments", "ranking", asked(k), convention=convention)

    def on_device(library: str, array: Any) -> Any:
        arrays = {"judgments": array(GRADES), "scores": array(SCORES)}
        return lambda k: getattr(rg, library).evaluate(**arrays, metrics=asked(k), convention=convention)

    engines: dict[str, Any] = {
        "numpy": lambda k: rg.evaluate(GRADES, SCORES, asked(k), convention=convention),
        "streaming": streamed,
        "duckdb": in_duckdb,
    }
    if find_spec("torch"):
        import torch

        engines["torch"] = on_device("torch", torch.tensor)
    if find_spec("jax"):
        import jax

        jax.config.update("jax_enable_x64", True)
        engines["jax"] = on_device("jax", jax.numpy.array)
    for evaluate in engines.values():
        evaluate(ALL)
    limit_memory()
    return {
        f"{name} {engine}": [result.mean(f"{name}@{k}") for k, result in ((ALL, few), (HUGE, many))]
        for engine, evaluate in engines.items()
        for few, many in [(evaluate(ALL), evaluate(HUGE))]
        for name in METRICS
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(of_metrics() if sys.argv[1] == "metrics" else of_engines()))
