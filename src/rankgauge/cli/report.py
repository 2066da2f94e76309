"""``rankgauge report``: one page to open, mail or attach."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.groups import Data, Rules, data_options, rules_options, tests_options
from rankgauge.cli.options import Example
from rankgauge.cli.output import Output

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
@options.baseline_option
@tests_options
@rules_options
@data_options
@options.quiet_option
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
    title: str,
    baseline: str | None,
    tests: dict[str, Any],
    rules: Rules,
    data: Data,
) -> None:
    """Write a report on one RANKING or more: verdict, leaderboard, pictures, every query, every rule.

    The page is one file that needs no network. Without -m: nDCG@10 and AP.
    """
    from rankgauge.reports.report import report

    named = options.the_rankings(rankings)
    if "-" in {judgments, *named.values()}:
        raise click.UsageError("a report reads its files more than once; give files instead of standard input (-)")
    if by and attributes is None:
        raise click.UsageError("--by needs --attributes FILE")
    target = output or Path("report.html")
    if target.suffix.lower() not in {".html", ".htm", ".md", ".tex"}:
        raise click.BadParameter(f"{target}: the ending must be .html, .md or .tex", param_hint="-o")
    written = Output(target.suffix, target, force)
    written.check()
    made = report(
        judgments,
        named,
        metrics or METRICS,
        convention=rules.settled(),
        texts=texts,
        attributes=attributes,
        by=by,
        title=title,
        baseline=baseline,
        lang=options.language(),
        **tests,
        **data.with_side_information(),
    )
    options.tell_findings(made.found.scores.findings)
    written.put(made.written(target.suffix))
    if pictures is not None:
        _draw(made, pictures, force=force)


def _draw(made: Any, folder: Path, *, force: bool) -> None:
    from rankgauge.cli.console import tell
    from rankgauge.reports.picture_files import RENDERERS, write_pictures

    _, renderer = write_pictures(made, folder, options.language(), force=force)
    if renderer is None:
        tell(f"no PNG: none of {', '.join(RENDERERS)} is installed; the SVG files are in {folder}", "note")
