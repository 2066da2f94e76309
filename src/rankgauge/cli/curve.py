"""``rankgauge curve``: metrics over their cutoff, as numbers and as a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.background import background_option, the_background
from rankgauge.cli.options import Example

WIDEST = 100


@options.command(
    "curve",
    [
        Example("rankgauge curve judgments.csv keywords.csv embeddings.csv -m nDCG --k 1:5", "numbers"),
        Example("rankgauge curve judgments.csv keywords.csv embeddings.csv --k 1:5 --plot", "in the terminal"),
        Example("rankgauge curve judgments.csv keywords.csv -m P -m R --k 1:5 -o svg --output curve.svg", "in a file"),
    ],
)
@click.argument("judgments", type=options.FILE)
@click.argument("rankings", nargs=-1, required=True, metavar="RANKING...", type=options.FILE)
@options.metrics_option
@click.option("--k", "cutoffs", default="1:20", show_default=True, help="The cutoffs: 1:20, 10:100:10 or 1,5,10.")
@click.option("--plot", is_flag=True, help="Draw the curves in the terminal instead of a table.")
@options.rules_options
@options.output_options(("table", "tsv", "csv", "json", "md", "latex", "svg"))
@background_option
@options.reading_options
@click.option("--digits", type=click.IntRange(0, 17), default=4, show_default=True, help="Digits in tables.")
@click.option("--progress/--no-progress", default=True, help="Show on a terminal how far the reading has come.")
@click.option("--quiet", is_flag=True, help="Tell warnings on standard error, but no notes.")
def command(
    judgments: str,
    rankings: tuple[str, ...],
    metrics: tuple[str, ...],
    cutoffs: str,
    plot: bool,
    convention: str | None,
    rules: tuple[str, ...],
    background: tuple[str, ...],
    to: str,
    output: Path | None,
    force: bool,
    format_: Any,
    columns: str | None,
    lenient: bool,
    digits: int,
    progress: bool,
    quiet: bool,
) -> None:
    """Show metrics over their cutoff k. Without -m: nDCG."""
    from rankgauge.cli.console import width
    from rankgauge.cli.output import check_output, page_text, put
    from rankgauge.render.document import Document, Paragraph
    from rankgauge.render.plot import to_svg, to_text
    from rankgauge.results.curves import COLUMNS, curves, cutoffs_of
    from rankgauge.results.formats import table_text

    named = options.the_rankings(rankings)
    options.check_one_stdin(judgments, *named.values())
    check_output(output, force=force)
    lang = options.language()
    found = curves(
        judgments,
        named,
        metrics or ("nDCG",),
        cutoffs_of(cutoffs),
        convention=options.the_convention(convention, rules),
        background=the_background(background),
        columns=options.the_columns(columns),
        format=format_,
        lenient=lenient,
        progress=progress and options.is_long_read(named.values()),
    )
    options.tell_findings(found.findings, quiet=quiet)
    if to in {"csv", "tsv"}:
        content = table_text(COLUMNS, found.rows(), "," if to == "csv" else "\t")
    elif to == "json":
        content = json.dumps(found.to_dict(), ensure_ascii=False, indent=2, default=str) + "\n"
    elif to == "svg":
        content = to_svg(found.chart(lang)) + "\n"
    elif plot and to == "table":
        below = Document([*map(Paragraph, found.rules(lang))])
        room = min(width() or WIDEST, WIDEST)
        content = f"{to_text(found.chart(lang), room)}\n\n{page_text(below, to, output)}"
    else:
        content = page_text(found.document(lang, digits), to, output)
    put(content, to, output, force=force)
