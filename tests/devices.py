"""Arrays of every library on every device that is there, beside NumPy.

It needs neither pytest nor polars, so that a machine with a GPU and little else can run it: ``python tests/devices.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np

import rankgauge as rg
from rankgauge.engines.arrays import libraries, tensors

QUERIES, ITEMS = 20, 10
CLOSE = 1e-12


def _square() -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores: ties, unjudged items, grades of every kind, infinite scores; nothing relevant in a row."""
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
    """Every item judged, no grade negative and no score infinite; so many decimals of a score, few make ties."""
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
"""In descending order of bytes, so that the order of the columns is the order by id."""
RULES = {
    "default": rg.Convention(),
    "mean": rg.Convention(ties="mean", undefined="nan"),
    "reversed": rg.Convention(ties="input-reversed", rel=2),
    "best": rg.Convention(ties="best", negative="zero"),
    "worst": rg.Convention(ties="worst", missing="skip"),
    "kept": rg.Convention(ties="worst", negative="keep"),
    "removed": rg.Convention(unjudged="removed", undefined="skip"),
    "together": rg.Convention(ties="together", rel=">0.5", rr_of="best"),
    "assumed": rg.Convention(unjudged=1, ties="id", gain="exp2"),
    "single": rg.Convention(ties="input", score_precision="float32", hit_if="score>0", no_relevant="skip"),
}
"""Conventions under which columns need no ids."""


def of_grades() -> list[rg.Metric]:
    """The metrics that engines compute."""
    return [metric for metric in rg.metrics().values() if not metric.definition.of_items]


def metrics_for(convention: rg.Convention) -> list[rg.Metric]:
    """All metrics that engines compute, cut and uncut; of averaged ties those that have a mean."""
    every = of_grades()
    if convention.negative == "keep":  # no place on a scale of grades
        every = [metric for metric in every if "max_grade" not in metric.definition.parameters]
    cut = [metric @ 3 for metric in every if "k" in metric.definition.parameters]
    return [
        metric
        for metric in [*every, *cut]
        if convention.ties != "mean"
        or metric.definition.holds(metric.definition.ties_mean, metric._arguments(convention))
    ]


def library(place: str) -> tuple[Callable[..., Any], libraries.Library]:
    """How arrays are evaluated at a place such as ``"torch cuda"``, and how they get there."""
    name, _, device = place.partition(" ")
    if name == "torch":
        return rg.torch.evaluate, libraries.Torch(device or "cpu")
    if name == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        return rg.jax.evaluate, libraries.Jax()
    if name == "cupy":
        return rg.cupy.evaluate, libraries.CuPy()
    where = libraries.NumPy()
    return lambda *arrays, **options: tensors.evaluate(where, *arrays, **options), where


def places() -> Iterator[str]:
    """Where arrays can be on this machine; JAX puts them on its GPU where it finds one."""
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


def furthest(place: str, rules: rg.Convention, kind: str = "float64", world: str = "square") -> tuple[float, str]:
    """The largest difference from NumPy over all metrics, and the metric, for dense and flat arrays of this place."""
    evaluate, where = library(place)
    grades, points = WORLDS[world]
    asked, points = metrics_for(rules), points.astype(kind)
    expected = rg.evaluate(grades, points.astype(np.float64), asked, convention=rules)
    scores, labels = where.from_host(points), where.from_host(grades)
    numbers = np.arange(QUERIES) * 2
    found = [
        evaluate(scores, labels, asked, convention=rules),
        evaluate(
            where.from_host(points.ravel()),
            where.from_host(grades.ravel()),
            asked,
            query_ids=where.from_host(np.repeat(numbers, grades.shape[1])),
            convention=rules,
        ),
    ]
    if found[1].queries != tuple(numbers.tolist()):
        raise AssertionError(f"{place}: the queries of flat arrays are {found[1].queries}")
    if place.startswith("torch"):
        found += replayed(scores, labels, asked, rules)
        if isinstance(rules.unjudged, str):
            found.append(evaluate(scores, judged_items(where, grades), asked, convention=rules))
    if (where.to_host(scores) != points).any():
        raise AssertionError(f"{place}: the scores were written to")
    return max(
        (max(_apart(one[metric], expected[metric]), _apart(one.mean(metric), expected.mean(metric))), str(metric))
        for one in found
        for metric in asked
    )


def replayed(scores: Any, labels: Any, asked: list[rg.Metric], rules: rg.Convention) -> list[rg.Scores]:
    """The same by what was recorded of another batch, and by what was recorded of itself."""
    repeated = rg.torch.Repeated(asked, convention=rules)
    repeated(scores.flip(0), labels.flip(0))
    return [repeated(scores, labels), repeated(scores, labels)]


def _apart(found: Any, expected: Any) -> float:
    """The largest difference; infinite where only one is not a number."""
    if np.any(np.isnan(found) != np.isnan(expected)):
        return float("inf")
    return float(np.nan_to_num(np.abs(found - expected)).max())


def judged_items(where: libraries.Library, labels: np.ndarray = LABELS) -> tensors.JudgedItems:
    """The judged items of each row, as many places as the row with most of them needs."""
    judged = ~np.isnan(labels)
    most = int(judged.sum(1).max())
    items, grades = np.full((QUERIES, most), -1), np.zeros((QUERIES, most))
    for row in range(QUERIES):
        found = np.flatnonzero(judged[row])
        items[row, : len(found)], grades[row, : len(found)] = found, labels[row, found]
    return tensors.JudgedItems(where.from_host(items), where.from_host(grades))


def main() -> int:
    """Check everything that is here and say how far each place is from NumPy."""
    failed = 0
    for place in places():
        for kind, (name, rules), world in product(("float64", "float32"), RULES.items(), WORLDS):
            apart, metric = furthest(place, rules, kind, world)
            failed += apart > CLOSE
            print(f"{place:12}{kind:10}{name:16}{world:16}{apart:.1e}  {metric if apart else ''}", flush=True)  # noqa: T201
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
