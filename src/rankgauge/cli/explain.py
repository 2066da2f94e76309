"""``rankgauge explain``: how one number comes about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from rankgauge.cli import options
from rankgauge.cli.groups import Data, OfList, Rules, data_options, list_options, output_options, rules_options
from rankgauge.cli.options import Example
from rankgauge.cli.output import Output

if TYPE_CHECKING:
    from rankgauge.conventions import Convention
    from rankgauge.metric_core.explanation import Explanation
    from rankgauge.metric_core.metric import Metric

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
@list_options
@click.option("--items", metavar="NAMES", help="Of a list: the names of the items.")
@click.option("--relevant", type=click.IntRange(0), help="Of a list: how many items are relevant in all.")
@click.option("--rows", type=click.IntRange(1), default=50, show_default=True, help="Show as many ranks at most.")
@rules_options
@output_options(("table", "md", "latex", "html", "json"))
@data_options
def command(
    sources: tuple[str, ...],
    metrics: tuple[str, ...],
    query: str | None,
    of_list: OfList,
    items: str | None,
    relevant: int | None,
    rows: int,
    rules: Rules,
    output: Output,
    data: Data,
) -> None:
    """Explain a number step by step.

    Give a list of GRADES, or JUDGMENTS, a RANKING and a query. Without -m: nDCG@10.
    """
    from rankgauge.metric_core.notation import parse

    output.check()
    asked, force_rules = [parse(one) for one in metrics or (METRIC,)], rules.settled()
    if len(sources) == 1:
        for name, value in (("--query", query), ("--side-information", data.side_information or None)):
            if value is not None:
                raise click.UsageError(f"{name} belongs to JUDGMENTS and RANKING; a list of grades has none")
        given = of_list.arguments() | {
            "items": None if items is None else [name.strip() for name in items.split(",")],
            "relevant": relevant,
        }
        grades = options.the_grades(sources[0], "GRADES")
        explained = [metric.explain(grades, convention=force_rules, **given) for metric in asked]
    elif len(sources) == 2:  # noqa: PLR2004 (judgments and a ranking)
        of_list.check_absent(items=items, relevant=relevant)
        explained = _of_files(sources[0], sources[1], asked, query, force_rules, data)
    else:
        raise click.UsageError("give a list of grades (3,2,0), or judgments and one ranking")
    if output.to == "json":
        dicts = [one.to_dict() for one in explained]
        content = json.dumps(dicts[0] if len(dicts) == 1 else dicts, ensure_ascii=False, indent=2) + "\n"
    else:
        content = "\n".join(output.page(one.document(options.language(), rows)) for one in explained)
    output.put(content)


def _of_files(
    judgments: str, ranking: str, metrics: list[Metric], query: str | None, convention: Convention, data: Data
) -> list[Explanation]:
    from rankgauge.evaluation.evaluate import explain, only_query

    options.check_one_stdin(judgments, ranking)
    if "-" in {judgments, ranking} and len(metrics) > 1:
        raise click.UsageError("standard input can be read once: explain one metric at a time")
    if query is None:
        if judgments == "-":
            raise click.UsageError("say which --query to explain")
        query = only_query(judgments, **data.arguments())
    given = data.with_side_information()
    return [explain(judgments, ranking, metric, query, convention=convention, **given) for metric in metrics]
