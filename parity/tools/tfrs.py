"""TensorFlow Recommenders: FactorizedTopK, with the scores of a query as embeddings of one dimension."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import tensorflow as tf
import tensorflow_recommenders as tfrs

from worlds import World, labels, scores


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the value of each world for ``top_5_categorical_accuracy``, by scores or ``(true_candidate_ids)``."""
    by_ids = [metric.endswith("(true_candidate_ids)") for metric in metrics]
    ks = [int(re.search(r"top_(\d+)_", metric)[1]) for metric in metrics]
    found: dict[str, list[float]] = {metric: [] for metric in metrics}
    for world in worlds:
        for ids in sorted(set(by_ids)):
            asked = [place for place, own in enumerate(by_ids) if own == ids]
            answers = accuracies(world, [ks[place] for place in asked], ids=ids)
            for place, answer in zip(asked, answers, strict=True):
                found[metrics[place]].append(answer)
    return found


def accuracies(world: World, ks: list[int], *, ids: bool) -> list[float]:
    """Return the accuracy at each k over all pairs of a query and a relevant item."""
    hits, count = [0.0] * len(ks), 0
    for query in world:
        points = tf.constant([[score] for score in scores(query)], dtype=tf.float32)
        places = [place for place, label in enumerate(labels(query)) if label > 0]
        if not places:
            continue
        index = tfrs.layers.factorized_top_k.BruteForce(k=max(ks)).index(points)
        metric = tfrs.metrics.FactorizedTopK(candidates=index, ks=ks)
        true = tf.constant(places)
        metric.update_state(
            tf.ones((len(places), 1)), tf.gather(points, true), true_candidate_ids=true if ids else None
        )
        hits = [total + float(own) * len(places) for total, own in zip(hits, metric.result(), strict=True)]
        count += len(places)
    return [total / count if count else 0.0 for total in hits]
