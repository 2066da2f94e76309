"""``rankgauge eval``: rankings against judgments."""

from __future__ import annotations

import click

from rankgauge.cli import options
from rankgauge.cli.groups import Data, Rules, data_options, output_options, rules_options
from rankgauge.cli.options import Example
from rankgauge.cli.output import Output

METRICS = ("nDCG@10", "AP", "RR", "P@10", "R@100")
"""What is computed where nothing was asked for: the top, the whole list, the first hit, precision and recall."""
FORMATS = ("table", "trec", "tsv", "csv", "json", "jsonl", "md", "latex", "parquet")


@options.command(
    "eval",
    [
        Example("rankgauge eval judgments.csv keywords.csv embeddings.csv", "two systems side by side"),
        Example("rankgauge eval judgments.csv keywords.csv -m nDCG@5 -m AP -q", "the value of each query"),
        Example(
            "rankgauge eval judgments.csv keywords.csv -m nDCG@5 --rule gain=exp2 --rule ties=mean",
            "other rules than the default",
        ),
        Example("rankgauge eval judgments.csv keywords.csv new=embeddings.csv -o csv --output scores.csv", "a file"),
        Example(
            "rankgauge eval judgments.csv keywords.csv -m ItemCoverage@5 -m Unexpectedness@5 "
            "--side-information items=40 --side-information baseline=embeddings.csv",
            "beyond accuracy; rankgauge metrics tells what is needed",
        ),
        Example("cat keywords.csv | rankgauge eval judgments.csv - -m RR -o jsonl", "from a pipe into a pipe"),
    ],
)
@click.argument("judgments", type=options.FILE)
@click.argument("rankings", nargs=-1, required=True, metavar="RANKING...", type=options.FILE)
@options.metrics_option
@click.option("-q", "--per-query", is_flag=True, help="Write the value of each query, too.")
@rules_options
@output_options(FORMATS)
@data_options
@options.digits_option
@options.progress_option
@options.quiet_option
def command(
    judgments: str,
    rankings: tuple[str, ...],
    metrics: tuple[str, ...],
    per_query: bool,
    rules: Rules,
    output: Output,
    data: Data,
    digits: int,
) -> None:
    """Evaluate RANKINGs against JUDGMENTS.

    Files may be TREC, CSV, TSV, JSONL, Parquet or Arrow, packed or not; - is standard input. A ranking is named by
    its file, or by you: NAME=FILE. Without -m: nDCG@10, AP, RR, P@10 and R@100.

    csv and tsv have a row for each system, query (all: their mean) and metric, with the definition used. In csv,
    texts that begin with = + - @ tab or return get an apostrophe in front, so that no spreadsheet runs them.
    """
    from rankgauge.evaluation.evaluate import evaluate
    from rankgauge.evaluation.score_formats import as_bytes
    from rankgauge.metric_core.notation import parse

    named = options.the_rankings(rankings)
    options.check_one_stdin(judgments, *named.values())
    output.check()
    scores = evaluate(
        judgments,
        named,
        [parse(metric) for metric in metrics or METRICS],
        convention=rules.settled(),
        **data.with_side_information(),
        progress=options.shows_progress(named.values()),
    )
    options.tell_findings(scores.findings)
    lang = options.language()
    output.put(as_bytes(scores, output.to, per_query=per_query, lang=lang, width=output.room, digits=digits))
