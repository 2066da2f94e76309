"""A comparison as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, get_args

from rankgauge.rendering.language import Lang

if TYPE_CHECKING:
    from rankgauge.comparison.comparison import Comparison

SCHEMA = 1


def comparison_data(comparison: Comparison, *, every: bool) -> dict[str, Any]:
    """Return the comparison as plain data; None for what is not a number."""
    scores = comparison.scores
    return {
        "schema": SCHEMA,
        "baseline": comparison.baseline,
        "settings": asdict(comparison.settings),
        "convention": None if scores is None else scores.convention.to_dict(),
        "metrics": {name: _metric_data(comparison, name, every=every) for name in comparison.metrics},
    }


def _metric_data(comparison: Comparison, metric: str, *, every: bool) -> dict[str, Any]:
    return {
        "queries": comparison.statistics(metric).queries,
        "left_out": comparison.left_out(metric),
        "verdict": {lang: comparison.verdict(metric, lang) for lang in get_args(Lang)},
        "discriminative_power": comparison.discriminative_power(metric).share,
        "systems": [row.to_dict() for row in comparison.leaderboard(metric)],
        "pairs": [pair.to_dict() for pair in comparison.pairs(metric, every=every)],
    }
