"""Notes on metrics that a preset does not cover."""

from __future__ import annotations

from collections.abc import Iterable

from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Phrase


def note_not_covered(findings: Findings, name: str, metrics: Iterable[Metric]) -> None:
    """Report metrics that the preset of this name does not cover, with the presets of the tool that do."""
    from rankgauge.conventions.presets import not_covered  # noqa: PLC0415 (only for a preset)

    texts = {metric: not_covered(name, str(metric), is_quality=metric.definition.is_quality) for metric in metrics}
    lacking = {metric: text for metric, text in texts.items() if text is not None}
    if lacking:
        by_name = {metric.name: text for metric, text in reversed(lacking.items())}
        findings.add("RG414", Phrase("; ", "；").join(reversed(by_name.values())), len(lacking))
