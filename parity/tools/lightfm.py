"""LightFM (the fork lightfm-next): its evaluation functions, on models whose item biases are the scores of a query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from calls import call
from lightfm import LightFM, evaluation
from scipy.sparse import csr_matrix

from worlds import Query, World, each, labels, scores


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query and metrics such as ``precision_at_k(k=5)``; none without relevant items."""
    found: dict[str, Any] = {}
    for metric in metrics:
        name, _, options = call(metric)
        function = getattr(evaluation, name)
        found[metric] = each(list(worlds), lambda query, f=function, given=options: value(query, f, given))
    return found


def value(query: Query, function: Any, options: dict[str, Any]) -> float | None:
    """Return the value of a model that gives the items of the list their scores."""
    relevant = np.array([labels(query)], dtype=np.float32)
    model = LightFM(no_components=1)
    model.fit_partial(csr_matrix(relevant), epochs=0)
    model.item_embeddings[:] = model.user_embeddings[:] = model.user_biases[:] = 0
    model.item_biases[:] = np.array(scores(query), dtype=np.float32)
    answers = np.atleast_1d(function(model, csr_matrix(relevant), preserve_rows=True, **options))
    return float(answers[0]) if relevant.any() else None
