"""``rankgauge diff``: what changed between two rankings, without judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rankgauge.cli import options
from rankgauge.cli.groups import Reading, output_options, reading_options
from rankgauge.cli.options import Example
from rankgauge.cli.output import Output

if TYPE_CHECKING:
    from rankgauge.analysis.diff import RankingDifference

FORMATS = ("table", "json", "csv", "md", "latex")


@options.command(
    "diff",
    [
        Example("rankgauge diff keywords.csv embeddings.csv -k 5", "how much of the top 5 changed"),
        Example("rankgauge diff keywords.csv embeddings.csv -o csv", "a row for each query"),
    ],
)
@click.argument("first")
@click.argument("second")
@click.option("-k", type=click.IntRange(1), default=10, show_default=True, help="The depth of the top.")
@click.option("-p", type=float, default=0.9, show_default=True, help="The persistence of rank-biased overlap.")
@click.option("-q", "--per-query", is_flag=True, help="List all queries, not only those that changed most.")
@output_options(FORMATS)
@reading_options
def command(first: str, second: str, k: int, p: float, per_query: bool, output: Output, reading: Reading) -> None:
    """Say what changed from ranking FIRST to ranking SECOND: overlap, order, items that came and went."""
    from rankgauge.analysis.diff import diff

    options.check_one_stdin(first, second)
    output.check()
    changed = diff(first, second, k=k, p=p, **reading.arguments())
    if output.to == "json":
        content = changed.to_json(indent=1) + "\n"
    elif output.to == "csv":
        content = _csv(changed)
    else:
        content = output.page(changed.document(options.language(), every=per_query))
    output.put(content)


def _csv(changed: RankingDifference) -> str:
    from rankgauge.evaluation.score_formats import table_text

    rows = changed.rows()
    flat = ([" ".join(map(str, cell)) if isinstance(cell, list) else cell for cell in row.values()] for row in rows)
    return table_text(rows[0], flat, ",")
