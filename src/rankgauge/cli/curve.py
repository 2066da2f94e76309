"""``rankgauge curve``: metrics over their cutoff, as numbers and as a picture."""

from __future__ import annotations

import json

import click

from rankgauge.cli import options
from rankgauge.cli.groups import Data, Rules, data_options, output_options, rules_options
from rankgauge.cli.options import Example
from rankgauge.cli.output import Output

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
@rules_options
@output_options(("table", "tsv", "csv", "json", "md", "latex", "svg"))
@data_options
@options.digits_option
@options.progress_option
@options.quiet_option
def command(
    judgments: str,
    rankings: tuple[str, ...],
    metrics: tuple[str, ...],
    cutoffs: str,
    plot: bool,
    rules: Rules,
    output: Output,
    data: Data,
    digits: int,
) -> None:
    """Show metrics over their cutoff k. Without -m: nDCG."""
    from rankgauge.cli.console import width
    from rankgauge.evaluation.curves import COLUMNS, curves, cutoffs_of
    from rankgauge.evaluation.score_formats import table_text
    from rankgauge.rendering.chart import to_svg, to_text
    from rankgauge.rendering.document import Document, Paragraph

    named = options.the_rankings(rankings)
    options.check_one_stdin(judgments, *named.values())
    output.check()
    lang = options.language()
    found = curves(
        judgments,
        named,
        metrics or ("nDCG",),
        cutoffs_of(cutoffs),
        convention=rules.settled(),
        **data.with_side_information(),
        progress=options.shows_progress(named.values()),
    )
    options.tell_findings(found.findings)
    if output.to in {"csv", "tsv"}:
        content = table_text(COLUMNS, found.rows(), "," if output.to == "csv" else "\t")
    elif output.to == "json":
        content = json.dumps(found.to_dict(), ensure_ascii=False, indent=2, default=str) + "\n"
    elif output.to == "svg":
        content = to_svg(found.chart(lang)) + "\n"
    elif plot and output.to == "table":
        below = Document([*map(Paragraph, found.rules(lang))])
        room = min(width() or WIDEST, WIDEST)
        content = f"{to_text(found.chart(lang), room)}\n\n{output.page(below)}"
    else:
        content = output.page(found.document(lang, digits))
    output.put(content)
