"""The output of trec_eval: a line for each measure and topic, then the summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rankgauge.rendering.text import neutral
from rankgauge.trec_eval.measure import Column, Evaluated, Floats, Measure, Setting
from rankgauge.trec_eval.options import Options

FLOOR = 1e-5
"""What a topic of value 0 counts as in a geometric mean."""


def lines(evaluated: Evaluated, wanted: Sequence[tuple[Measure, Setting]], options: Options) -> Iterator[str]:
    """All lines, topic after topic and then ``all``."""
    if options.per_query:
        printed = [(measure, setting.name) for measure, setting in wanted if measure.per_query]
        columns = [_texts(measure, evaluated.columns[name], options) for measure, name in printed]
        heads = [_head(measure, name, options) for measure, name in printed]
        for place, query in enumerate(evaluated.queries):
            middle = f"{neutral(query)}\t"
            for head, column in zip(heads, columns, strict=True):
                yield f"{head}{middle}{column[place]}\n"
    if options.summary:
        for measure, setting in wanted:
            if setting.name in evaluated.overall or measure.summary != "none":
                value = _shown(measure, summarised(measure, setting, evaluated), options)
                yield f"{_head(measure, setting.name, options)}all\t{value}\n"


def summarised(measure: Measure, setting: Setting, evaluated: Evaluated) -> float | str:
    """The values of all topics as one."""
    if setting.name in evaluated.overall:
        return evaluated.overall[setting.name]
    values: Floats = np.asarray(evaluated.columns[setting.name], dtype=np.float64)
    total = float(np.cumsum(values)[-1])  # one after the other, as trec_eval adds
    if measure.summary == "sum":
        return total
    if measure.summary == "exp":
        left_out = evaluated.averaged_over - len(values)
        return float(np.exp((total + left_out * np.log(FLOOR)) / evaluated.averaged_over))
    return total / evaluated.averaged_over


def _head(measure: Measure, name: str, options: Options) -> str:
    """The name, marked where values are given as deviations."""
    mark = "Z" if options.zscores is not None and measure.shown != "text" else ""
    return f"{mark}{name:<22}\t"


def _texts(measure: Measure, column: Column, options: Options) -> list[str]:
    if isinstance(column, list):
        return [f"'{text}'" for text in column]
    return [_shown(measure, value, options) for value in column.tolist()]


def _shown(measure: Measure, value: float | str, options: Options) -> str:
    if isinstance(value, str):
        return neutral(value)
    whole = measure.shown == "count" and options.zscores is None
    return str(int(value)) if whole else f"{value:6.4f}"
