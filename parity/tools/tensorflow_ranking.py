"""TensorFlow Ranking: the computation behind its Keras metrics, for all lists at once, padded with labels below 0."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import tensorflow as tf
import tensorflow_ranking as tfr
from calls import call

from worlds import World, labels, scores


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``NDCGMetric(topn=5)``."""
    queries = [query for world in worlds for query in world]
    longest = max(len(query["ranking"]) for query in queries)
    truth = tf.constant([padded(labels(query), longest, -1) for query in queries], tf.float32)
    given = tf.constant([padded(scores(query), longest, 0) for query in queries], tf.float32)
    found = {}
    for metric in metrics:
        name, _, options = call(metric)
        computed, _ = getattr(tfr.keras.metrics, name)(**options)._metric.compute(truth, given)  # noqa: SLF001 (one value for each list)
        column = iter(tf.reshape(computed, [-1]).numpy().tolist())
        found[metric] = [[next(column) for _ in world] for world in worlds]
    return found


def padded(row: list[Any], length: int, filler: int) -> list[Any]:
    """Return the row with the filler up to a length."""
    return row + [filler] * (length - len(row))
