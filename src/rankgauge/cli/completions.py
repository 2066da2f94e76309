"""Completions of values for the shell."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def metric_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """Return the metrics whose name starts with the text."""
    from rankgauge.metric_core.registry import metrics
    from rankgauge.rendering.text import neutral

    return [
        CompletionItem(name, help=neutral(metric.definition.meaning.en))
        for name, metric in metrics().items()
        if name.lower().startswith(incomplete.lower())
    ]


def preset_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """Return the conventions whose name starts with the text."""
    from rankgauge.conventions.presets import PRESETS

    return [name for name in ("default", *PRESETS) if name.startswith(incomplete)]


def rule_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """Return the rules, or after an equals sign the values of one."""
    from rankgauge.conventions import RULES

    name, equals, value = incomplete.partition("=")
    if not equals:
        return [f"{rule}=" for rule in RULES if rule.startswith(name)]
    return [f"{name}={known}" for known in RULES[name].values if known.startswith(value)] if name in RULES else []


def table_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """Return the tables of side information; after an equals sign, files."""
    from rankgauge.cli.side_information import TABLES

    name, equals, path = incomplete.partition("=")
    if equals:
        return [CompletionItem(path, type="file")]
    return [CompletionItem(f"{table}=") for table in TABLES if table.startswith(name)]
