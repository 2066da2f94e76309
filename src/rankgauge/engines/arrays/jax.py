"""``rg.jax``: evaluate JAX arrays where they are; switch double precision on first (``jax_enable_x64``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankgauge.conventions import ConventionLike
from rankgauge.engines.arrays import tensors
from rankgauge.engines.arrays.libraries import Jax
from rankgauge.errors import ParameterError
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.metric import Metric


def evaluate(
    scores: Any,
    labels: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    query_ids: Any = None,
    convention: ConventionLike = None,
) -> Scores:
    """The values of every query of JAX arrays: one query a row, or flat with ``query_ids``; NaN labels: not judged."""
    import jax  # noqa: PLC0415

    if not jax.config.jax_enable_x64:
        raise ParameterError(
            'sums are made in double precision, which JAX has switched off: jax.config.update("jax_enable_x64", True)'
        )
    return tensors.evaluate(Jax(), scores, labels, metrics, query_ids=query_ids, convention=convention)
