"""Values as z-scores (``-Z``), from a file with the mean and standard deviation of each topic and measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from rankgauge.errors import shown
from rankgauge.segments import Floats
from rankgauge.trec_eval.exit_status import INPUT, ExitError
from rankgauge.trec_eval.measure import Column, Evaluation

MISSING = -1_000_000.0
"""Printed where the file has no entry."""

Norms = Mapping[tuple[str, str], tuple[float, float]]
"""Mean and standard deviation by topic and measure."""


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
        mean, deviation = np.array([norms.get((topic, name), (np.nan, np.nan)) for topic in evaluation.topics]).T
        return _zscores(column, mean, deviation)

    return replace(evaluation, columns={name: zscores(name, column) for name, column in evaluation.columns.items()})


def _zscores(values: Floats, mean: Floats, deviation: Floats) -> Floats:
    scaled = np.divide(values - mean, deviation, out=np.full(len(values), MISSING), where=deviation > 0)
    return np.where((deviation == 0) & (values == mean), 0.0, np.where(np.isnan(scaled), MISSING, scaled))
