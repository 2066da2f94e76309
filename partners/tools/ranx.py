"""ranx: every metric with cutoffs and relevance levels, values of queries and means, and the tests of compare."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from data import world

PACKAGE = "ranx"
WORLDS = 60
METRICS = [
    "hits", "hits@5", "hit_rate", "hit_rate@3", "precision", "precision@5", "recall", "recall@5", "f1", "f1@5", "r-precision",
    "mrr", "mrr@5", "map", "map@5", "dcg", "dcg@5", "dcg_burges@5", "ndcg", "ndcg@5", "ndcg_burges", "ndcg_burges@5", "bpref",
    "rbp.80", "rbp.95", "map-l2", "precision@5-l2", "recall@5-l3", "mrr-l2", "ndcg@5-l2", "ndcg_burges@5-l3", "hits@5-l2", "rbp.80-l2",
]  # fmt: skip


def data(seed: int) -> tuple[Any, list[Any]]:
    """Return judgments and two runs without ties, whose order ranx does not define."""
    judgments, run = world(seed, ties=False, negative=False, missing=False)
    for grades in judgments.values():
        grades |= {"d0": 1, "d1": 0}  # bpref divides by 0 without a relevant and a nonrelevant item
    queries = {*judgments}
    _, other = world(seed + 1000, ties=False, negative=False, missing=False)
    scores = [*other.values()]
    return judgments, [run, {query: scores[place % len(scores)] for place, query in enumerate(sorted(queries))}]


def values(module: ModuleType) -> dict[str, float]:
    """Return the values of queries, their means, standard deviations and p-values."""
    found = {}
    for seed in range(WORLDS):
        judgments, runs = data(seed)
        qrels, built = module.Qrels(judgments), [module.Run(run, name=f"run {place}") for place, run in enumerate(runs)]
        means = module.evaluate(qrels, built[0], METRICS, return_std=True)
        for name in METRICS:
            found |= {f"{seed} {name} {key}": float(value) for key, value in means[name].items()}
            found |= {f"{seed} {query} {name}": float(value) for query, value in built[0].scores[name].items()}
        report = module.compare(qrels, built, METRICS[:8], stat_test="student").to_dict()
        for one, other in (("run 0", "run 1"), ("run 1", "run 0")):
            found |= {f"{seed} {one} p {name}": float(p) for name, p in report[one]["comparisons"][other].items()}
            for name, counts in report[one]["win_tie_loss"][other].items():
                found |= {f"{seed} {one} {name} {key}": float(count) for key, count in counts.items()}
    return found


def theirs() -> dict[str, float]:
    """Return the values of ranx."""
    import ranx

    return values(ranx)


def ours() -> dict[str, float]:
    """Return those of the drop-in."""
    import rankgauge.compat.ranx

    return values(rankgauge.compat.ranx)


def stored() -> list[dict[str, Any]]:
    """Return some data sets with the values of ranx, for the tests."""
    import ranx

    kept = []
    for seed in range(5):
        judgments, runs = data(seed)
        run = ranx.Run(runs[0])
        ranx.evaluate(ranx.Qrels(judgments), run, METRICS)
        by_query = {name: {str(query): float(value) for query, value in run.scores[name].items()} for name in METRICS}
        kept.append({"judgments": judgments, "run": runs[0], "values": by_query})
    return kept
