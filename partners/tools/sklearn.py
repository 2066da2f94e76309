"""The ranking scores of scikit-learn, with ties, weights, cutoffs and bases."""

from __future__ import annotations

from types import ModuleType

PACKAGE = "scikit-learn"
WORLDS = 200


def values(module: ModuleType) -> dict[str, float]:
    """Return the scores of random labels and scores."""
    import numpy as np

    found = {}
    for seed in range(WORLDS):
        rng = np.random.default_rng(seed)
        shape = int(rng.integers(1, 6)), int(rng.integers(2, 12))
        labels, scores, weights = rng.integers(0, 4, shape), rng.random(shape), rng.random(shape[0])
        scores = scores.round(1) if seed % 2 else scores
        for weight in (None, weights):
            for k in (None, 1, 5):
                name = f"{seed} k={k} {'weighted' if weight is not None else ''}"
                found[f"{name} ndcg"] = module.ndcg_score(labels, scores, k=k, sample_weight=weight)
                found[f"{name} dcg"] = module.dcg_score(
                    labels, scores, k=k, sample_weight=weight, log_base=2 + seed % 3
                )
                if not seed % 2:
                    found[f"{name} ignoring ties"] = module.ndcg_score(labels, scores, k=k, ignore_ties=True)
            average = module.label_ranking_average_precision_score(labels > 1, scores, sample_weight=weight)
            found[f"{seed} {'weighted' if weight is not None else ''} label ranking"] = average
    return found


def theirs() -> dict[str, float]:
    """Return the values of scikit-learn."""
    import sklearn.metrics

    return values(sklearn.metrics)


def ours() -> dict[str, float]:
    """Return those of ``rg.sklearn``."""
    import rankgauge as rg

    return values(rg.sklearn)
