"""``rankgauge diff``: what changed between two rankings, without judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rankgauge.cli.arguments import FILE
from rankgauge.cli.command import Argument, Example, Option, define_command
from rankgauge.cli.localization import language
from rankgauge.cli.options import PER_QUERY, READING, Reading
from rankgauge.cli.output import DOCUMENTS, Output, output_options

if TYPE_CHECKING:
    from rankgauge.analysis.diff import RankingDifference


@define_command(
    "diff",
    """Show what changed between two rankings.

        Overlap, order, and the items that entered and left the top. Without -q the table lists the queries that
        changed most.""",
    """显示两个排序结果之间的变化。

        包括重合程度、次序，以及进入与退出前列的物品。不写 -q 时只列出变化最大的查询。""",
    Argument("first", "FIRST", "第一个", type=FILE),
    Argument("second", "SECOND", "第二个", type=FILE),
    Option("-k", "Number of top items to compare.", "比较前多少个物品。", type=click.IntRange(1), default=10),
    Option("-p", "Persistence of rank-biased overlap.", "RBO 的持续概率。", type=float, default=0.9),
    PER_QUERY,
    output_options((*DOCUMENTS, "json", "csv")),
    READING,
    examples=[
        Example(
            "rankgauge diff keywords.csv embeddings.csv -k 5", "how much of the top 5 changed", "前 5 个物品变化了多少"
        ),
        Example("rankgauge diff keywords.csv embeddings.csv -t csv", "one row per query", "每个查询一行"),
    ],
)
def command(first: str, second: str, k: int, p: float, per_query: bool, output: Output, reading: Reading) -> None:
    """Write the differences between two rankings."""
    from rankgauge.analysis.diff import diff

    difference = diff(first, second, k=k, p=p, read_options=reading.read_options(first, second))
    if output.to == "json":
        output.write(difference.to_json(indent=1) + "\n")
    elif output.to == "csv":
        output.write(_csv(difference))
    else:
        output.write(output.render(difference.document(language(), every=per_query)))


def _csv(difference: RankingDifference) -> str:
    from rankgauge.evaluation.score_formats import table_text

    rows = difference.rows()
    cells = ([" ".join(map(str, cell)) if isinstance(cell, list) else cell for cell in row.values()] for row in rows)
    return table_text(rows[0], cells, ",")
