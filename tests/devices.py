"""Every array library on every device of this machine, compared with NumPy.

It needs neither pytest nor polars, so that a bare GPU machine can run it: ``python tests/devices.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np

import rankgauge as rg
from rankgauge.engines.arrays import libraries
from rankgauge.engines.arrays.engine import ArrayEngine
from rankgauge.engines.arrays.torch_library import Torch
from registries import takes_ties

QUERIES, ITEMS = 20, 10
CLOSE = 1e-12


def _square() -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores with ties, unjudged items, all kinds of grades, infinite scores, and a row without relevant items."""
    rng = np.random.default_rng(5)
    labels = rng.choice([0, 0, 0, 1, 1, 2, 3, 0.5, 2.25, -1], (QUERIES, ITEMS))
    labels[:, 1:][rng.random((QUERIES, ITEMS - 1)) < 0.4] = np.nan
    labels[3] = 0
    labels[4] = 2
    scores = np.round(rng.normal(size=labels.shape), 1)
    scores[5, ::3] = -np.inf
    scores[6, 2] = np.inf
    scores[7] = 0.25
    scores[8] = 1 + 1e-9 * rng.permutation(ITEMS)
    labels.flags.writeable = scores.flags.writeable = False
    return labels, scores


def _whole(decimals: int) -> tuple[np.ndarray, np.ndarray]:
    """Every item judged, no negative grade and no infinite score; few decimals of the scores make ties."""
    rng = np.random.default_rng(6)
    labels = rng.choice([0, 0, 0, 1, 1, 2, 3, 0.5, 2.25], (QUERIES, 2 * ITEMS))
    labels[3] = 0
    labels[4] = 2
    scores = np.round(rng.normal(size=labels.shape), decimals)
    labels.flags.writeable = scores.flags.writeable = False
    return labels, scores


LABELS, SCORES = _square()
WORLDS = {"square": (LABELS, SCORES), "whole": _whole(9), "whole, tied": _whole(1)}
NAMES = [f"item {99 - column}" for column in range(2 * ITEMS)]
"""In descending byte order, so that the columns are ordered by id."""
RULES = {
    "default": rg.Convention(),
    "mean": rg.Convention(ties="mean", undefined="nan"),
    "reversed": rg.Convention(ties="input-reversed", rel=2, gain="binary-rel", max_grade="largest"),
    "best": rg.Convention(ties="best", negative="zero"),
    "worst": rg.Convention(ties="worst", missing="skip", fractions="cut"),
    "kept": rg.Convention(ties="worst", negative="keep", tied_at_k="all"),
    "removed": rg.Convention(unjudged="removed", undefined="skip"),
    "together": rg.Convention(ties="together", rel=">0.5", rr_of="best"),
    "assumed": rg.Convention(unjudged=1, ties="id", gain="exp2"),
    "after cut": rg.Convention(unjudged="removed-after-cut", ties="together", p_over="min(k,n)"),
    "outside": rg.Convention(unjudged=2, unjudged_in_ideal="no", ties="best", rounding=3, short_list="zero"),
    "single": rg.Convention(ties="input", score_precision="float32", hit_if="score>0", no_relevant="skip"),
}
"""Conventions that need no ids."""


def of_grades() -> list[rg.Metric]:
    """The metrics that engines compute."""
    return [metric for metric in rg.metrics().values() if not metric.definition.of_items]


def metrics_for(convention: rg.Convention) -> list[rg.Metric]:
    """All metrics that engines compute, with and without a cutoff; under ``ties="mean"`` those that have a mean."""
    every = of_grades()
    if convention.negative == "keep":  # negative grades have no place on a scale
        every = [metric for metric in every if "max_grade" not in metric.definition.parameters]
    if convention.unjudged_in_ideal == "no":  # it refuses items that count and are not in R
        every = [metric for metric in every if metric.name != "YAAP"]
    cut = [metric @ 3 for metric in every if "k" in metric.definition.parameters]
    return [metric for metric in [*every, *cut] if takes_ties(metric, convention)]


class NumPy(libraries.Library):
    """NumPy through the wrapper of the other libraries."""

    packages = ("numpy",)
    namespace_name = "array_api_compat.numpy"

    def elementwise(self, name, inputs):
        """Without warnings, as in other libraries: values that are masked later are computed first."""
        with np.errstate(all="ignore"):
            return super().elementwise(name, inputs)

    def accumulate(self, name, array, axis):
        return getattr(np, name).accumulate(array, axis=axis)


def library(place: str) -> tuple[Callable[..., Any], libraries.Library]:
    """The evaluate function and the library for a place such as ``"torch cuda"``."""
    name, _, device = place.partition(" ")
    if name == "torch":
        return rg.torch.evaluate, Torch(device or "cpu")
    if name == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        return rg.jax.evaluate, libraries.Jax()
    if name == "cupy":
        return rg.cupy.evaluate, libraries.CuPy()
    return ArrayEngine(NumPy).evaluate, NumPy("cpu")


def places() -> Iterator[str]:
    """The libraries and devices of this machine; JAX uses its GPU if it has one."""
    yield "numpy"
    if find_spec("torch"):
        import torch

        yield "torch"
        if torch.cuda.is_available():
            yield "torch cuda"
    if find_spec("jax"):
        yield "jax"
    if find_spec("cupy"):
        import cupy

        if cupy.cuda.is_available():
            yield "cupy"


def largest_difference(
    place: str, rules: rg.Convention, kind: str = "float64", world: str = "square", part: slice = slice(None)
) -> tuple[float, str]:
    """The largest difference from NumPy over all metrics or a part of them, for dense and flat arrays; and its metric."""
    evaluate, where = library(place)
    grades, points = WORLDS[world]
    metrics, points = metrics_for(rules)[part], points.astype(kind)
    expected = rg.evaluate(grades, points.astype(np.float64), metrics, convention=rules)
    scores, labels = where.from_host(points), where.from_host(grades)
    numbers = np.arange(QUERIES) * 2
    results = [
        evaluate(judgments=labels, scores=scores, metrics=metrics, convention=rules),
        evaluate(
            judgments=where.from_host(grades.ravel()),
            scores=where.from_host(points.ravel()),
            metrics=metrics,
            query_ids=where.from_host(np.repeat(numbers, grades.shape[1])),
            convention=rules,
        ),
    ]
    if results[1].queries != tuple(numbers.tolist()):
        raise AssertionError(f"{place}: the queries of flat arrays are {results[1].queries}")
    if place.startswith("torch"):
        results += replay(labels, scores, metrics, rules)
        if isinstance(rules.unjudged, str) and rules.tied_at_k == "cut":
            few = judged_items(where, grades)
            results.append(evaluate(judgments=few, scores=scores, metrics=metrics, convention=rules))
    if (where.to_host(scores) != points).any():
        raise AssertionError(f"{place}: the scores were modified")
    return max(
        (
            max(_difference(result[metric], expected[metric]), _difference(result.mean(metric), expected.mean(metric))),
            str(metric),
        )
        for result in results
        for metric in metrics
    )


def replay(labels: Any, scores: Any, metrics: list[rg.Metric], rules: rg.Convention) -> list[rg.Scores]:
    """The values from the recording of another batch, and from that of the batch itself."""
    evaluator = rg.torch.BatchEvaluator(metrics, convention=rules)
    evaluator(judgments=labels.flip(0), scores=scores.flip(0))
    return [evaluator(judgments=labels, scores=scores) for _ in range(2)]


def _difference(values: Any, expected: Any) -> float:
    """The largest difference; infinite if only one of two values is NaN."""
    if np.any(np.isnan(values) != np.isnan(expected)):
        return float("inf")
    return float(np.nan_to_num(np.abs(values - expected)).max())


def judged_items(where: libraries.Library, labels: np.ndarray = LABELS) -> rg.torch.JudgedItems:
    """The judged items of each row, padded to the longest row."""
    judged = ~np.isnan(labels)
    most = int(judged.sum(1).max())
    items, grades = np.full((QUERIES, most), -1), np.zeros((QUERIES, most))
    for row in range(QUERIES):
        columns = np.flatnonzero(judged[row])
        items[row, : len(columns)], grades[row, : len(columns)] = columns, labels[row, columns]
    return rg.torch.JudgedItems(where.from_host(items), where.from_host(grades))


def main() -> int:
    """Print the largest difference from NumPy of every place, dtype, convention and data set."""
    failed = 0
    for place in places():
        for kind, (name, rules), world in product(("float64", "float32"), RULES.items(), WORLDS):
            difference, metric = largest_difference(place, rules, kind, world)
            failed += difference > CLOSE
            print(f"{place:12}{kind:10}{name:16}{world:16}{difference:.1e}  {metric if difference else ''}", flush=True)  # noqa: T201
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
