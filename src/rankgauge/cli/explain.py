"""``rankgauge explain``: how one number comes about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.background import background_option, the_background
from rankgauge.cli.options import Example

if TYPE_CHECKING:
    from rankgauge.beyond.background import Background
    from rankgauge.conventions import Convention
    from rankgauge.metrics.explanation import Explanation
    from rankgauge.metrics.metric import Metric

METRIC = "nDCG@10"


@options.command(
    "explain",
    [
        Example("rankgauge explain 3,2,3,0,1 -m nDCG@5", "a list of grades, best rank first"),
        Example("rankgauge explain 1,-,0,1 -m AP --ideal 1,1,1", "- is not judged; an ideal from outside"),
        Example("rankgauge explain 1,0,2 -m nDCG@2 --scores 0.5,0.5,0.1 --rule ties=mean", "equal scores"),
        Example("rankgauge explain judgments.csv keywords.csv -m nDCG@5 --query heist", "one query of your files"),
        Example("rankgauge explain judgments.csv keywords.csv --query 功夫片 --lang zh -o md", "as Markdown"),
    ],
)
@click.argument("sources", nargs=-1, required=True, metavar="GRADES | JUDGMENTS RANKING", type=options.FILE)
@options.metrics_option
@click.option("--query", help="The query to explain; not needed where there is only one.")
@click.option("--ideal", metavar="GRADES", help="Of a list: the grades of all judged items, returned or not.")
@click.option("--scores", metavar="NUMBERS", help="Of a list: the scores of the items, for ties.")
@click.option("--items", metavar="NAMES", help="Of a list: the names of the items.")
@click.option("--relevant", type=click.IntRange(0), help="Of a list: how many items are relevant in all.")
@click.option("--rows", type=click.IntRange(1), default=50, show_default=True, help="Show as many ranks at most.")
@options.rules_options
@options.output_options(("table", "md", "latex", "html", "json"))
@background_option
@options.reading_options
def command(
    sources: tuple[str, ...],
    metrics: tuple[str, ...],
    query: str | None,
    ideal: str | None,
    scores: str | None,
    items: str | None,
    relevant: int | None,
    rows: int,
    convention: str | None,
    rules: tuple[str, ...],
    background: tuple[str, ...],
    to: str,
    output: Path | None,
    force: bool,
    format_: Any,
    columns: str | None,
    lenient: bool,
) -> None:
    """Explain a number step by step.

    Give a list of GRADES, or JUDGMENTS, a RANKING and a query. Without -m: nDCG@10.
    """
    from rankgauge.cli.output import check_output, page_text, put
    from rankgauge.metrics.notation import parse

    check_output(output, force=force)
    asked, force_rules = [parse(one) for one in metrics or (METRIC,)], options.the_convention(convention, rules)
    given = {"--ideal": ideal, "--scores": scores, "--items": items, "--relevant": relevant}
    if len(sources) == 1:
        for name, value in (("--query", query), ("--background", background or None)):
            if value is not None:
                raise click.UsageError(f"{name} belongs to JUDGMENTS and RANKING; a list of grades has none")
        given_list = {
            "ideal": None if ideal is None else options.the_grades(ideal, "--ideal"),
            "scores": None if scores is None else options.the_grades(scores, "--scores"),
            "items": None if items is None else [name.strip() for name in items.split(",")],
            "relevant": relevant,
        }
        grades = options.the_grades(sources[0], "GRADES")
        explained = [metric.explain(grades, convention=force_rules, **given_list) for metric in asked]  # type: ignore[arg-type]
    elif len(sources) == 2:  # noqa: PLR2004 (judgments and a ranking)
        if wrong := [name for name, value in given.items() if value is not None]:
            raise click.UsageError(f"{wrong[0]} belongs to a list of grades, not to files")
        reading = {"columns": options.the_columns(columns), "format": format_, "lenient": lenient}
        explained = _of_files(sources[0], sources[1], asked, query, force_rules, the_background(background), reading)
    else:
        raise click.UsageError("give a list of grades (3,2,0), or judgments and one ranking")
    if to == "json":
        data = [one.to_dict() for one in explained]
        content = json.dumps(data[0] if len(data) == 1 else data, ensure_ascii=False, indent=2) + "\n"
    else:
        content = "\n".join(page_text(one.document(options.language(), rows), to, output) for one in explained)
    put(content, to, output, force=force)


def _of_files(
    judgments: str,
    ranking: str,
    metrics: list[Metric],
    query: str | None,
    convention: Convention,
    background: Background | None,
    reading: dict[str, Any],
) -> list[Explanation]:
    from rankgauge.results.evaluate import explain, only_query

    options.check_one_stdin(judgments, ranking)
    if "-" in {judgments, ranking} and len(metrics) > 1:
        raise click.UsageError("standard input can be read once: explain one metric at a time")
    if query is None:
        if judgments == "-":
            raise click.UsageError("say which --query to explain")
        query = only_query(judgments, **reading)
    return [
        explain(judgments, ranking, metric, query, convention=convention, background=background, **reading)
        for metric in metrics
    ]
