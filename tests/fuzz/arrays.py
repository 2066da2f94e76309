"""Fuzzer of arrays: types, masks, strides and dimensions give the values of plain Python numbers, or a refusal."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

import rankgauge as rg
from fuzz.cases import Case, expect
from fuzz.forms import difference
from fuzz.oracle import outcome
from fuzz.random_worlds import random_metrics, random_rules


class _Subclass(np.ndarray):
    pass


def _read_only(array: Any) -> Any:
    array = array.copy()
    array.flags.writeable = False
    return array


NUMBER_TYPES = ("f8", "f4", "f2", ">f8", ">f4", "i8", "i4", "i2", "i1", "u8", "u4", "u1", "?", ">i4", "g")
OTHER_TYPES = ("O", "U3", "S3", "c16", "M8[s]", "m8[s]", "V8")
LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "plain": lambda array: array,
    "fortran": np.asfortranarray,
    "reversed": lambda array: array[::-1][::-1],
    "strided": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "offset": lambda array: np.concatenate([array[:1], array])[1:],
    "read-only": _read_only,
    "transposed": lambda array: np.ascontiguousarray(array.T).T,
    "subclass": lambda array: array.view(_Subclass),
}
SHAPES = ("rows", "rows", "groups", "offsets", "query_ids", "streaming", "streaming flat")
ODD = ("0-d", "1-d without groups", "3-d", "empty", "no columns", "unequal", "jagged", "list", "scalar")
IDLESS_TIES = ("id", "id-ascending", "random")
"""Tie rules that need item ids, which arrays do not have."""


def generate(random: Random) -> Case:
    """Return labels and scores with their types, layouts and masks."""
    rows, columns = random.randint(1, 4), random.randint(1, 6)
    rules = {
        **random_rules(random, without=("ties", "averaging")),
        "ties": random.choice(["input", "mean", "best", "together"]),
    }
    kinds = [random.choice(NUMBER_TYPES if random.random() < 0.9 else OTHER_TYPES) for _ in range(2)]
    if random.random() < 0.5:
        kinds = ["f8", "f8"]
    scores = [
        [random.choice([0.5, 1, 2, 3, -1, 0.25, 7, random.gauss(0, 3)]) for _ in range(columns)] for _ in range(rows)
    ]
    if random.random() < 0.1:
        scores[0][0] = random.choice(["nan", "inf", "-inf"])
    grades = [0, 1, 2, 3, 0, 1, "nan"] if "f" in kinds[0] else [0, 1, 2, 3]
    labels = [[random.choice(grades) for _ in range(columns)] for _ in range(rows)]
    mask = (
        [[int(random.random() < 0.3) for _ in range(columns)] for _ in range(rows)] if random.random() < 0.3 else None
    )
    return {
        "labels": labels,
        "scores": scores,
        "types": kinds,
        "layouts": [random.choice([*LAYOUTS]) for _ in range(2)],
        "mask": mask,
        "masked": random.choice(["labels", "scores", "both"]) if mask else None,
        "shape": random.choice(SHAPES) if random.random() < 0.9 else random.choice(ODD),
        "rules": rules,
        "metrics": random_metrics(random, 2, rules),
    }


def check(case: Case) -> None:
    """Compare arrays with dicts of the same numbers."""
    with np.errstate(all="ignore"):
        plain = [np.array([[float(cell) for cell in row] for row in case[side]]) for side in ("labels", "scores")]
        arrays = [
            LAYOUTS[layout](_typed(array, kind))
            for array, kind, layout in zip(plain, case["types"], case["layouts"], strict=True)
        ]
    if case["mask"] is not None:
        mask = np.array(case["mask"], dtype=bool)
        for number, side in enumerate(("labels", "scores")):
            if case["masked"] in {side, "both"}:
                arrays[number] = np.ma.array(arrays[number], mask=mask)
    if case["shape"] in ODD or {*case["types"]} & {*OTHER_TYPES}:
        outcome(lambda: _odd(case, arrays))
        return
    found = outcome(lambda: _values(case, arrays))
    if found[0] != "value" and (case["mask"] is not None or found[0] == "ParameterError"):
        return  # refused: masks, and metrics that cannot be computed from batches
    expected = outcome(lambda: _reference(case, arrays))
    if "value" not in {found[0], expected[0]} and case["shape"].startswith("streaming"):
        return  # both are refused, but the first batch may give another reason
    law = "masked arrays" if case["mask"] is not None else f"arrays by {case['shape']}"
    expect(found[0] == expected[0], law, f"{found} instead of {expected}")
    differing = difference(found[1], expected[1])
    expect(not differing, law, differing)


def _typed(array: Any, kind: str) -> Any:
    if kind == "V8":
        return np.zeros(array.shape, dtype="V8")
    return (
        np.where(np.isfinite(array), array, 0).astype(kind) if np.dtype(kind).kind not in "fO" else array.astype(kind)
    )


def _values(case: Case, arrays: list[Any]) -> dict[str, Any]:
    """Return the values that the library gives for the arrays."""
    labels, scores = arrays
    rules, count = rg.Convention(**case["rules"]), labels.shape[1]
    if case["shape"].startswith("streaming"):
        stream = rg.StreamingScores(case["metrics"], convention=rules)
        for row in range(len(labels)):
            batch = {"judgments": labels[row : row + 1], "scores": scores[row : row + 1]}
            if case["shape"] == "streaming flat":
                batch = {name: array.reshape(-1) for name, array in batch.items()} | {"query_ids": np.full(count, row)}
            stream.update(**batch)
        means = stream.compute()
        return {metric: _rounded(means.mean(metric)) for metric in case["metrics"]}
    options: dict[str, Any] = {
        "rows": {},
        "groups": {"groups": [count] * len(labels)},
        "offsets": {"offsets": [count * row for row in range(len(labels) + 1)]},
        "query_ids": {"query_ids": np.repeat(np.arange(len(labels)), count)},
    }[case["shape"]]
    if case["shape"] != "rows":
        labels, scores = labels.reshape(-1), scores.reshape(-1)
    result = rg.evaluate(labels, scores, case["metrics"], convention=rules, **options)
    return {metric: [*result.per_query(metric).values()] for metric in map(str, result.query_metrics)}


def _reference(case: Case, arrays: list[Any]) -> dict[str, Any]:
    """Return the values of dicts with the numbers that the arrays hold; a masked or NaN label is no judgment."""
    with np.errstate(all="ignore"):
        labels, scores = (np.ma.filled(np.ma.array(array).astype(np.float64), np.nan) for array in arrays)
    judgments = {
        row: {column: grade for column, grade in enumerate(grades) if math.isfinite(grade)}
        for row, grades in enumerate(labels.tolist())
    }
    ranking = {row: dict(enumerate(points)) for row, points in enumerate(scores.tolist())}
    rules = rg.Convention(**case["rules"])
    result = rg.evaluate(judgments, ranking, case["metrics"], convention=rules)
    if case["shape"].startswith("streaming"):
        return {metric: _rounded(result.mean(metric)) for metric in case["metrics"]}
    return {metric: [*result.per_query(metric).values()] for metric in map(str, result.query_metrics)}


def _rounded(value: float) -> float:
    return round(value, 10)


def _odd(case: Case, arrays: list[Any]) -> Any:
    """Call the library with shapes and types that it refuses; any RankgaugeError will do."""
    labels, scores = arrays
    shapes: dict[str, Callable[[], tuple[Any, Any]]] = {
        "0-d": lambda: (labels.reshape(-1)[0], np.asarray(scores).reshape(-1)[0]),
        "scalar": lambda: (np.array(1.0), np.array(2.0)),
        "1-d without groups": lambda: (labels.reshape(-1), scores.reshape(-1)),
        "3-d": lambda: (labels[None], scores[None]),
        "empty": lambda: (labels[:0], scores[:0]),
        "no columns": lambda: (labels[:, :0], scores[:, :0]),
        "unequal": lambda: (labels, scores[:, 1:]),
        "jagged": lambda: ([*map(list, labels[:-1]), []], [*map(list, scores)]),
        "list": lambda: (labels.tolist(), scores),
    }
    labels, scores = shapes.get(case["shape"], lambda: (labels, scores))()
    return rg.evaluate(labels, scores, case["metrics"], convention=rg.Convention(**case["rules"]))
