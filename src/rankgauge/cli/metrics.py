"""``rankgauge metrics``: which metrics there are, and all about one."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rankgauge.cli import options
from rankgauge.cli.options import Example


@options.command(
    "metrics",
    [
        Example("rankgauge metrics", "all metrics by family"),
        Example("rankgauge metrics precision", "those with a word in their name or meaning"),
        Example("rankgauge metrics nDCG", "formula, parameters, rules, laws and reference of one"),
        Example("rankgauge metrics --lang zh -o json", "as data"),
    ],
)
@click.argument("name", default="", shell_complete=options.metric_names)
@options.output_options(("table", "md", "json"))
def command(name: str, to: str, output: Path | None, force: bool) -> None:
    """List the metrics, or tell all about one.

    NAME is that of a metric, or a word to look for.
    """
    from rankgauge.cli.output import page_text, put
    from rankgauge.metrics.described import Overview, document, summary
    from rankgauge.metrics.notation import parse

    lang = options.language()
    found = Overview(name).found()
    called = [one for one in found.values() if name in {one.name, *one.aliases, *one.trec}]
    definition = called[0] if called else next(iter(found.values())) if len(found) == 1 else None
    if not found:
        definition = parse(name).definition  # says which name was probably meant
    if to == "json":
        data = Overview(name).to_list(lang) if definition is None else summary(definition, lang)
        put(json.dumps(data, ensure_ascii=False, indent=2) + "\n", to, output, force=force)
        return
    page = Overview(name).document(lang) if definition is None else document(definition, lang)
    put(page_text(page, to, output), to, output, force=force)
