"""``rankgauge diff``: what changed between two rankings, without judgments."""

from __future__ import annotations

from rankgauge.cli.command import Argument, Option, define_command
from rankgauge.cli.item_options import FILE
from rankgauge.cli.localization import language
from rankgauge.cli.options import PER_QUERY, READING, K, Reading, digits_option
from rankgauge.cli.output import DOCUMENTS, Output, output_options, to_csv
from rankgauge.cli.summaries import COMMANDS


@define_command(
    COMMANDS["diff"],
    """Overlap, order, and the items that entered and left the top. Without -q the table lists the queries that changed
    most.""",
    """包括重合程度、次序，以及进入与退出前列的物品。不写 -q 时只列出变化最大的查询。""",
    Argument("first", type=FILE),
    Argument("second", type=FILE),
    Option(K, "Number of top items to compare.", "比较前多少个物品。", least=1, default=10),
    Option("-p", "Persistence of rank-biased overlap.", "RBO 的持续概率。", type=float, default=0.9),
    PER_QUERY,
    output_options((*DOCUMENTS, "json", "csv")),
    READING,
    digits_option(4),
    examples="""
    # how much of the top 5 changed | 前 5 个物品变化了多少
    rankgauge diff keywords.csv embeddings.csv -k 5
    # one row per query | 每个查询一行
    rankgauge diff keywords.csv embeddings.csv -t csv
    """,
)
def command(
    first: str, second: str, k: int, p: float, per_query: bool, output: Output, reading: Reading, digits: int
) -> None:
    """Write the differences between two rankings."""
    from rankgauge.analysis.diff import diff

    difference = diff(first, second, k=k, p=p, read_options=reading.read_options(first, second))
    output.show(
        lambda: difference.document(language(), per_query=per_query, digits=digits),
        json=lambda: difference.to_json(indent=1),
        csv=lambda: to_csv(difference.rows()),
    )
