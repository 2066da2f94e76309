"""``rankgauge metrics``: which metrics there are, and all about one."""

from __future__ import annotations

import json

import click

from rankgauge.cli import options
from rankgauge.cli.groups import output_options
from rankgauge.cli.options import Example
from rankgauge.cli.output import Output


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
@output_options(("table", "md", "json"))
def command(name: str, output: Output) -> None:
    """List the metrics, or tell all about one.

    NAME is that of a metric, or a word to look for.
    """
    from rankgauge.metric_core.description import Overview, document, summary
    from rankgauge.metric_core.notation import parse

    lang = options.language()
    found = Overview(name).found()
    called = [one for one in found.values() if name in {one.name, *one.aliases, *one.trec}]
    definition = called[0] if called else next(iter(found.values())) if len(found) == 1 else None
    if not found:
        definition = parse(name).definition  # says which name was probably meant
    if output.to == "json":
        data = Overview(name).to_list(lang) if definition is None else summary(definition, lang)
        output.put(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return
    page = Overview(name).document(lang) if definition is None else document(definition, lang)
    output.put(output.page(page))
