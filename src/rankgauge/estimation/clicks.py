"""Clicks as judgments: each click is weighted by 1 over the probability that its position was examined."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.estimation.off_policy_estimate import Weights
from rankgauge.inputs.columns import normalise_name
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.frames import read_interactions
from rankgauge.segments import Floats, Ints

CLICK = {"click", "clicks", "clicked"}
POSITION = {"position", "rank", "pos"}


@dataclass(frozen=True)
class WeightedClicks:
    """Judgments whose grades are weighted clicks, with the weights of the clicks and the clicks of all rows."""

    judgments: pl.DataFrame
    weights: Weights
    clicked: Floats


def weighted_clicks(
    source: Any,
    examination: Mapping[int, float] | Callable[[int], float],
    clip: float | None,
    columns: Mapping[str, str] | None,
) -> WeightedClicks:
    """Read the query, item, position and click of each shown item."""
    named = {ours: theirs for ours, theirs in (columns or {}).items() if ours != "rank"}
    if "grade" not in named and hasattr(source, "columns"):
        clicks = [str(name) for name in source.columns if normalise_name(str(name)) in CLICK]
        named |= {"grade": clicks[0]} if len(clicks) == 1 else {}
    log = read_interactions(source, named)
    given = (columns or {}).get("rank")
    names = [name for name in log.frame.columns if (name == given if given else normalise_name(name) in POSITION)]
    if len(names) != 1 or log.grade is None:
        raise input_error(
            "RG111",
            "clicks: expected columns of position and click, found "
            f'{", ".join(map(shown, log.frame.columns))}; pass columns={{"rank": "...", "grade": "..."}}',
        )
    click = log.grade.fill_null(float("nan")).to_numpy()
    invalid = ~np.isin(click, (0.0, 1.0))
    if invalid.any():
        place = int(np.argmax(invalid))
        raise InputError(f"click {shown(float(click[place]))} (row {place}) is neither 0 nor 1")
    position = log.frame[names[0]]
    if (
        not position.dtype.is_integer()
        or position.null_count()
        or (len(position) and int(position.to_numpy().min()) < 1)
    ):
        raise InputError(f"{shown(names[0])}: positions must be integers of at least 1")
    weights = Weights.of((1 / _examination_probabilities(examination, position.to_numpy()))[click == 1], clip)
    grade = np.zeros(len(click))
    grade[click == 1] = weights.weight
    judgments = pl.DataFrame({"query": log.query, "item": log.item, "grade": pl.Series(grade)})
    return WeightedClicks(judgments, weights, click)


def _examination_probabilities(examination: Mapping[int, float] | Callable[[int], float], position: Ints) -> Floats:
    places, inverse = np.unique(position, return_inverse=True)
    probabilities = []
    for place in places.tolist():
        if isinstance(examination, Mapping) and place not in examination:
            raise ParameterError(f"examination: position {place} is in the log but has no probability")
        probability = examination[place] if isinstance(examination, Mapping) else examination(place)
        if not 0 < probability <= 1:
            raise ParameterError.of(f"examination of position {place}", probability, "above 0 and at most 1")
        probabilities.append(float(probability))
    return np.array(probabilities)[inverse]
