"""BEIR's ``EvaluateRetrieval`` on pytrec_eval and on the drop-in."""

from __future__ import annotations

from data import world

PACKAGE = "beir"
CUTOFFS = [1, 3, 5, 10, 100]


def theirs() -> dict[str, float]:
    """Return the metrics of BEIR."""
    from beir.retrieval.evaluation import EvaluateRetrieval

    values = {}
    for seed in range(100):
        judgments, run = world(seed)
        for table in EvaluateRetrieval.evaluate(judgments, run, CUTOFFS):
            values |= {f"{seed} {name}": value for name, value in table.items()}
    return values


def ours() -> dict[str, float]:
    """Return the same with ``import pytrec_eval`` replaced."""
    import rankgauge.compat.pytrec_eval

    rankgauge.compat.pytrec_eval.install()
    return theirs()
