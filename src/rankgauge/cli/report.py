"""``rankgauge report``: one page to open, mail or attach."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.background import background_option, the_background
from rankgauge.cli.options import Example
from rankgauge.compare.settings import CORRECTIONS

METRICS = ("nDCG@10", "AP")
"""What is told where nothing was asked for: the top, and the whole list."""


@options.command(
    "report",
    [
        Example(
            "rankgauge report judgments.csv keywords.csv embeddings.csv -m nDCG@5 -o report.html", "a page to mail"
        ),
        Example("rankgauge report judgments.csv keywords.csv embeddings.csv -m nDCG@5 -o table.tex", "for a paper"),
        Example("rankgauge report judgments.csv keywords.csv -m nDCG@5 -o one.html", "one system, query by query"),
    ],
)
@click.argument("judgments")
@click.argument("rankings", nargs=-1, required=True, metavar="RANKING...")
@options.metrics_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to; the ending says what: .html (a page), .md or .tex (tables).  [default: report.html]",
)
@click.option("--force", is_flag=True, help="Replace files that exist.")
@click.option(
    "--pictures",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Also write every picture as SVG, and as PNG where a program that draws SVG is installed.",
)
@click.option("--texts", metavar="FILE", help="Texts of queries and items: JSONL, CSV or TSV with an id and a text.")
@click.option("--attributes", metavar="FILE", help="Attributes of queries, for --by: a table with a column of queries.")
@click.option("--by", multiple=True, metavar="NAME", help="Slice the differences by an attribute. Repeatable.")
@click.option("--title", default="", help="The title of the page.")
@click.option("--baseline", metavar="NAME", help="The system that the others are compared with; the first otherwise.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The rate of false alarms that is accepted.")
@click.option(
    "--correction",
    type=click.Choice(CORRECTIONS),
    default=CORRECTIONS[0],
    show_default=True,
    help="How the p-values of several pairs are corrected.",
)
@click.option("--permutations", type=click.IntRange(1), default=100_000, show_default=True, help="Random sign flips.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The seed of all random numbers.")
@options.rules_options
@background_option
@options.reading_options
@click.option("--quiet", is_flag=True, help="Tell warnings on standard error, but no notes.")
def command(
    judgments: str,
    rankings: tuple[str, ...],
    metrics: tuple[str, ...],
    output: Path | None,
    force: bool,
    pictures: Path | None,
    texts: str | None,
    attributes: str | None,
    by: tuple[str, ...],
    convention: str | None,
    rules: tuple[str, ...],
    background: tuple[str, ...],
    format_: Any,
    columns: str | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """Write a report on one RANKING or more: verdict, leaderboard, pictures, every query, every rule.

    The page is one file that needs no network. Without -m: nDCG@10 and AP.
    """
    from rankgauge.cli.output import check_output, put
    from rankgauge.report.entry import report

    named = options.the_rankings(rankings)
    if "-" in {judgments, *named.values()}:
        raise click.UsageError("a report reads its files more than once; give files instead of standard input (-)")
    if by and attributes is None:
        raise click.UsageError("--by needs --attributes FILE")
    target = output or Path("report.html")
    if target.suffix.lower() not in {".html", ".htm", ".md", ".tex"}:
        raise click.BadParameter(f"{target}: the ending must be .html, .md or .tex", param_hint="-o")
    check_output(target, force=force)
    made = report(
        judgments,
        named,
        metrics or METRICS,
        convention=options.the_convention(convention, rules),
        background=the_background(background),
        texts=texts,
        attributes=attributes,
        by=by,
        lang=options.language(),
        columns=options.the_columns(columns),
        format=format_,
        **settings,
    )
    options.tell_findings(made.found.scores.findings, quiet=quiet)
    put(made.written(target.suffix), target.suffix, target, force=force)
    if pictures is not None:
        _draw(made, pictures, force=force)


def _draw(made: Any, folder: Path, *, force: bool) -> None:
    from rankgauge.cli.console import tell
    from rankgauge.report.files import RENDERERS, write_pictures

    _, renderer = write_pictures(made, folder, options.language(), force=force)
    if renderer is None:
        tell(f"no PNG: none of {', '.join(RENDERERS)} is installed; the SVG files are in {folder}", "note")
