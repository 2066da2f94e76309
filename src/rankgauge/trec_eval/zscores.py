"""Values as deviations from a mean (``-Z``): a file says mean and standard deviation for each topic and measure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from rankgauge.errors import shown
from rankgauge.trec_eval.measure import Evaluated, Floats
from rankgauge.trec_eval.quit import INPUT, QuitError

MISSING = -1_000_000.0
"""What is printed where the file says nothing."""
FIELDS = 4

Norms = Mapping[tuple[str, str], tuple[float, float]]
"""From topic and measure to mean and standard deviation."""


def read_norms(path: str) -> Norms:
    """Lines of topic, measure, mean and standard deviation."""
    norms = {}
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise QuitError(INPUT, f"{path}: cannot be read: {error}") from None
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        try:
            query, name, mean, deviation = fields
            norms[query, name] = (float(mean), float(deviation))
        except ValueError:
            raise QuitError(
                INPUT, f"{path}:{number}: not a line of topic, measure, mean and standard deviation: {shown(line)}"
            ) from None
    return norms


def as_deviations(evaluated: Evaluated, norms: Norms) -> None:
    """Replace the values of all topics by how many standard deviations they lie above the mean."""
    for name, column in evaluated.columns.items():
        if isinstance(column, list):
            continue
        found = [norms.get((query, name), (np.nan, np.nan)) for query in evaluated.queries]
        mean, deviation = np.array(found).T
        evaluated.columns[name] = _deviations(column, mean, deviation)


def _deviations(values: Floats, mean: Floats, deviation: Floats) -> Floats:
    scaled = np.divide(values - mean, deviation, out=np.full(len(values), MISSING), where=deviation > 0)
    return np.where((deviation == 0) & (values == mean), 0.0, np.where(np.isnan(scaled), MISSING, scaled))
