"""The retrieval evaluator of MTEB on pytrec_eval and on the drop-in."""

from __future__ import annotations

from data import world

PACKAGE = "mteb"
CUTOFFS = [1, 3, 5, 10, 100]


def theirs() -> dict[str, float]:
    """Return every number that MTEB derives from a ranking, its abstention metrics included."""
    from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores

    values = {}
    for seed in range(100):
        judgments, run = world(seed, missing=False)
        result = calculate_retrieval_scores(run, judgments, CUTOFFS)
        for name in ("ndcg", "map", "recall", "precision", "mrr", "hit_rate", "naucs", "naucs_mrr"):
            values |= {f"{seed} {name} {key}": float(value) for key, value in getattr(result, name).items()}
        for query, row in result.all_scores.items():
            values |= {f"{seed} {query} {name}": value for name, value in row.items()}
    return values


def ours() -> dict[str, float]:
    """Return the same with ``import pytrec_eval`` replaced."""
    import rankgauge.compat.pytrec_eval

    rankgauge.compat.pytrec_eval.install()
    return theirs()
