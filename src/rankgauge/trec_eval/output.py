"""Output of trec_eval: a line per topic and measure, then the summary; values may be z-scores (``-Z``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from rankgauge.errors import shown
from rankgauge.rendering.text import neutral
from rankgauge.segments import Floats
from rankgauge.trec_eval.measure import Column, Evaluation, Measure, MeasureLine
from rankgauge.trec_eval.options import INPUT, ExitError, Options

FLOOR = 1e-5
"""Value of a topic with value 0 in a geometric mean."""
MISSING = -1_000_000.0
"""Printed if the file of means and standard deviations has no entry."""
Norms = Mapping[tuple[str, str], tuple[float, float]]
"""Mean and standard deviation by topic and measure."""


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


def read_norms(path: str) -> Norms:
    """Read lines of topic, measure, mean and standard deviation."""
    norms = {}
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ExitError(INPUT, f"{path}: cannot be read: {error}") from None
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        try:
            topic, name, mean, deviation = fields
            norms[topic, name] = (float(mean), float(deviation))
        except ValueError:
            raise ExitError(
                INPUT, f"{path}:{number}: expected topic, measure, mean and standard deviation, found {shown(line)}"
            ) from None
    return norms


def to_zscores(evaluation: Evaluation, norms: Norms) -> Evaluation:
    """Return the evaluation with all numbers replaced by z-scores."""

    def zscores(name: str, column: Column) -> Column:
        if isinstance(column, list):
            return column
        known = np.array([(topic, name) in norms for topic in evaluation.topics])
        mean, deviation = np.array([norms.get((topic, name), (0.0, 0.0)) for topic in evaluation.topics]).T
        scaled = np.divide(column - mean, deviation, out=np.full(len(column), MISSING), where=deviation != 0)
        return np.where(known, np.where((deviation == 0) & (column == mean), 0.0, scaled), MISSING)

    return replace(evaluation, columns={name: zscores(name, column) for name, column in evaluation.columns.items()})
