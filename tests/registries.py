"""What the library registers, for tests that go through all of it: rules, presets, codes, formats, shapes, commands."""

import rankgauge as rg
from rankgauge.cli import COMMANDS, commands
from rankgauge.comparison.settings import SETTINGS
from rankgauge.conventions import PRESETS, RULES
from rankgauge.conventions.rule import Stage
from rankgauge.evaluation.score_formats import FORMATS as SCORE_FORMATS
from rankgauge.inputs.codes import CODES
from rankgauge.inputs.formats.registry import FORMATS
from rankgauge.inputs.shapes.registry import SHAPES
from rankgauge.metric_core.laws import LAWS
from rankgauge.metric_core.requirements import NEEDS

__all__ = [
    "CODES", "COMMANDS", "FORMATS", "LAWS", "NEEDS", "PRESETS", "RULES", "SCORE_FORMATS", "SETTINGS", "SHAPES",
    "Stage", "commands",
]  # fmt: skip


def takes_ties(metric: rg.Metric, convention: rg.Convention) -> bool:
    """Whether a metric is defined under the rule of a convention for ties."""
    definition = metric.definition
    conditions = {
        "mean": [definition.ties_mean],
        "together": [definition.shared_ranks],
        "mean-rank": [definition.shared_ranks, definition.mean_rank],
    }.get(convention.ties, [])
    arguments = metric.resolve(convention).arguments
    return all(definition.holds(condition, arguments) for condition in conditions)
