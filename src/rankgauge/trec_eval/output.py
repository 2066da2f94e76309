"""Output of trec_eval: a line per topic and measure, then the summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rankgauge.rendering.text import neutral
from rankgauge.segments import Floats
from rankgauge.trec_eval.measure import Column, Evaluation, Measure, MeasureLine
from rankgauge.trec_eval.options import Options

FLOOR = 1e-5
"""Value of a topic with value 0 in a geometric mean."""


def output_lines(evaluation: Evaluation, lines: Sequence[MeasureLine], options: Options) -> Iterator[str]:
    """Yield all output lines: the topics in order, then ``all``."""
    if options.per_query:
        printed = [line for line in lines if line.measure.per_query]
        columns = [_texts(line.measure, evaluation.columns[line.name], options) for line in printed]
        labels = [_label(line, options) for line in printed]
        for place, topic in enumerate(evaluation.topics):
            middle = f"{neutral(topic)}\t"
            for label, column in zip(labels, columns, strict=True):
                yield f"{label}{middle}{column[place]}\n"
    if options.summary:
        for line in lines:
            if line.name in evaluation.overall or line.measure.summary != "none":
                yield f"{_label(line, options)}all\t{_text(line.measure, _summary(line, evaluation), options)}\n"


def _summary(line: MeasureLine, evaluation: Evaluation) -> float | str:
    """Combine the values of all topics."""
    if line.name in evaluation.overall:
        return evaluation.overall[line.name]
    values: Floats = np.asarray(evaluation.columns[line.name], dtype=np.float64)
    total = float(np.cumsum(values)[-1])  # sequential addition, as in trec_eval
    if line.measure.summary == "sum":
        return total
    if line.measure.summary == "exp":
        left_out = evaluation.averaged_over - len(values)
        return float(np.exp((total + left_out * np.log(FLOOR)) / evaluation.averaged_over))
    return total / evaluation.averaged_over


def _label(line: MeasureLine, options: Options) -> str:
    """Return the padded name, prefixed with Z if values are z-scores."""
    prefix = "Z" if options.zscores is not None and line.measure.shown != "text" else ""
    return f"{prefix}{line.name:<22}\t"


def _texts(measure: Measure, column: Column, options: Options) -> list[str]:
    if isinstance(column, list):
        return [f"'{text}'" for text in column]
    return [_text(measure, value, options) for value in column.tolist()]


def _text(measure: Measure, value: float | str, options: Options) -> str:
    if isinstance(value, str):
        return neutral(value)
    is_count = measure.shown == "count" and options.zscores is None
    return str(int(value)) if is_count else f"{value:6.4f}"
