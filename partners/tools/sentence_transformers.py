"""The retrieval evaluator of sentence-transformers and ours, on a small model that is built here; nothing is downloaded."""

from __future__ import annotations

import random
from typing import Any

PACKAGE = "sentence-transformers"
SEEDS = range(12)


def model() -> Any:
    """Return a bag of words whose vectors are the words themselves."""
    from sentence_transformers import SentenceTransformer

    try:
        from sentence_transformers.sentence_transformer.modules import BoW
    except ImportError:
        from sentence_transformers.models import BoW

    return SentenceTransformer(modules=[BoW(vocab=[f"w{number}" for number in range(30)])], device="cpu")


def texts(seed: int) -> tuple[dict[str, str], dict[str, str], dict[str, set[str]]]:
    """Return queries, a corpus and relevant items; equal texts give ties."""
    rng = random.Random(seed)

    def words() -> str:
        return " ".join(f"w{number}" for number in rng.sample(range(30), rng.randint(2, 6)))

    queries = {f"q{number}": words() for number in range(8)}
    corpus = {f"d{number}": words() for number in range(60)} | {f"e{number}": "w1 w2" for number in range(5)}
    return queries, corpus, {query: {*rng.sample([*corpus], rng.randint(1, 6))} for query in queries}


def theirs() -> dict[str, float]:
    """Return every number of the evaluator of sentence-transformers."""
    from sentence_transformers.evaluation import InformationRetrievalEvaluator

    found, encoder = {}, model()
    for seed in SEEDS:
        evaluator = InformationRetrievalEvaluator(*texts(seed), name=f"set{seed}", write_csv=False)
        found |= evaluator(encoder) | {f"{seed} primary": float(evaluator(encoder)[evaluator.primary_metric])}
    return found


def ours() -> dict[str, float]:
    """Return those of our evaluator, which has further metrics."""
    import rankgauge as rg

    found, encoder = {}, model()
    for seed in SEEDS:
        evaluator = rg.sentence_transformers.evaluator(
            *texts(seed), ["ERR@10", "bpref"], name=f"set{seed}", write_csv=False
        )
        found |= evaluator(encoder) | {f"{seed} primary": float(evaluator(encoder)[evaluator.primary_metric])}
    return found
