"""Clicks on a ranking as judgments: each counts 1 over the probability that its position was examined."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.estimation.estimate import Weights
from rankgauge.inputs.columns import normalise_name
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.frames import read_interactions
from rankgauge.segments import Floats, Ints

CLICK = {"click", "clicks", "clicked"}
POSITION = {"position", "rank", "pos"}


@dataclass(frozen=True)
class WeightedClicks:
    """Judgments whose grades are weighted clicks, the weights of the clicks, and the clicks of all rows."""

    judgments: pl.DataFrame
    weights: Weights
    clicked: Floats


def weighted_clicks(
    source: Any,
    examination: Mapping[int, float] | Callable[[int], float],
    clip: float | None,
    columns: Mapping[str, str] | None,
) -> WeightedClicks:
    """Read query, item, position and click of each shown item."""
    said = {ours: theirs for ours, theirs in (columns or {}).items() if ours != "rank"}
    if "grade" not in said and hasattr(source, "columns"):
        clicks = [str(name) for name in source.columns if normalise_name(str(name)) in CLICK]
        said |= {"grade": clicks[0]} if len(clicks) == 1 else {}
    log = read_interactions(source, said)
    names = [(columns or {}).get("rank")] if "rank" in (columns or {}) else _named(log.frame.columns)
    if len(names) != 1 or names[0] not in log.frame.columns or log.grade is None:
        raise input_error(
            "RG111",
            "clicks: the columns of position and click are needed; found "
            f'{", ".join(map(shown, log.frame.columns))}; say columns={{"rank": "...", "grade": "..."}}',
        )
    click = log.grade.fill_null(float("nan")).to_numpy()
    wrong = ~np.isin(click, (0.0, 1.0))
    if wrong.any():
        place = int(np.argmax(wrong))
        raise InputError(f"click {shown(float(click[place]))} (row {place}) is neither 0 nor 1")
    position = log.frame[str(names[0])]
    if (
        not position.dtype.is_integer()
        or position.null_count()
        or (len(position) and int(position.to_numpy().min()) < 1)
    ):
        raise InputError(f"{shown(names[0])}: positions are whole numbers from 1 on")
    weights = Weights.of((1 / _examined(examination, position.to_numpy()))[click == 1], clip)
    grade = np.zeros(len(click))
    grade[click == 1] = weights.weight
    judgments = pl.DataFrame({"query": log.query, "item": log.item, "grade": pl.Series(grade)})
    return WeightedClicks(judgments, weights, click)


def _named(columns: list[str]) -> list[str | None]:
    return [name for name in columns if normalise_name(name) in POSITION]


def _examined(examination: Mapping[int, float] | Callable[[int], float], position: Ints) -> Floats:
    places, inverse = np.unique(position, return_inverse=True)
    chances = []
    for place in places.tolist():
        if isinstance(examination, Mapping) and place not in examination:
            raise ParameterError(f"examination: position {place} is in the log, but has no probability")
        chance = examination[place] if isinstance(examination, Mapping) else examination(place)
        if not 0 < chance <= 1:
            raise ParameterError.of(f"examination of position {place}", chance, "above 0 and at most 1")
        chances.append(float(chance))
    return np.array(chances)[inverse]
