"""Merlin Models: the top-k metrics of its TensorFlow part, loaded without the rest of the framework."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import files
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import tensorflow as tf
from calls import call

from worlds import World, labels, scores

REPLACED = (
    "merlin.core",
    "merlin.core.compat",
    "merlin.core.dispatch",
    "merlin.io",
    "merlin.io.dataset",
    "merlin.schema",
    "merlin.models.tf.core.base",
)
PACKAGES = (
    "merlin",
    "merlin.models",
    "merlin.models.tf",
    "merlin.models.tf.core",
    "merlin.models.tf.utils",
    "merlin.models.utils",
)


def load() -> ModuleType:
    """Import the module of the metrics; packages that would import the framework are empty, its data classes are mocks."""
    root = next(
        path.locate() for path in files("merlin-models") or () if str(path).endswith("merlin/models/__init__.py")
    )
    for name in PACKAGES:
        module = sys.modules[name] = ModuleType(name)
        module.__path__ = [str(root.parent.parent.joinpath(*name.split(".")[1:]))]  # type: ignore[attr-defined]
    for name in REPLACED:
        sys.modules[name] = MagicMock()
    return import_module("merlin.models.tf.metrics.topk")


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``NDCGAt(5)``; lists of equal length are one batch."""
    topk, found = load(), {}
    queries = [query for world in worlds for query in world]
    for metric in metrics:
        name, (k,), _ = call(metric)
        made, column = getattr(topk, name)(k), [0.0] * len(queries)
        for length in {len(query["ranking"]) for query in queries}:
            places = [place for place, query in enumerate(queries) if len(query["ranking"]) == length]
            truth = tf.constant([labels(queries[place]) for place in places], tf.float32)
            given = tf.constant([scores(queries[place]) for place in places], tf.float32)
            given, truth, counts = made._maybe_sort_top_k(given, truth)  # noqa: SLF001 (as update_state does)
            computed = made._fn(truth, given, label_relevant_counts=counts, k=k)  # noqa: SLF001
            for place, value in zip(places, computed.numpy().tolist(), strict=True):
                column[place] = value
        each = iter(column)
        found[metric] = [[next(each) for _ in world] for world in worlds]
    return found
