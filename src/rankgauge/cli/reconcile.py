"""``rankgauge reconcile``: why two people have two numbers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.groups import OfList, Reading, Rules, list_options, output_options, reading_options, rules_options
from rankgauge.cli.options import Example
from rankgauge.cli.output import Output

if TYPE_CHECKING:
    from rankgauge.reconciliation.reconciliation import Reconciliation

METRIC = "nDCG@10"
UNEXPLAINED = 1


@options.command(
    "reconcile",
    [
        Example("rankgauge reconcile judgments.csv keywords.csv -m nDCG@5", "what every tool says of your data"),
        Example("rankgauge reconcile judgments.csv keywords.csv -m AP@5 --value 0.5644", "who gets this number?"),
        Example(
            "rankgauge reconcile judgments.csv keywords.csv -m nDCG@5 --between sklearn lightgbm", "from one to another"
        ),
        Example("rankgauge reconcile 5,3,2,1,2 --ideal 5,4,3,2,2,1,0 -m nDCG@5 --value 0.827", "a list of grades"),
    ],
)
@click.argument("sources", nargs=-1, required=True, metavar="GRADES | JUDGMENTS RANKING", type=options.FILE)
@click.option(
    "-m",
    "--metric",
    default=METRIC,
    show_default=True,
    metavar="METRIC",
    shell_complete=options.metric_names,
    help="One metric, such as nDCG@10 or AP.",
)
@click.option(
    "--value",
    "values",
    multiple=True,
    metavar="NUMBER",
    help="A number to explain, with the digits it was printed with. Repeatable.",
)
@click.option(
    "--between",
    nargs=2,
    metavar="NAME NAME",
    shell_complete=options.preset_names,
    help="Go from one tool to another, one rule at a time.",
)
@list_options
@click.option(
    "--digits",
    type=click.IntRange(0, 12),
    help="Digits of the values; as many as tell them apart where it is not given.",
)
@rules_options
@output_options(("table", "md", "json"))
@reading_options
@options.quiet_option
def command(
    sources: tuple[str, ...],
    metric: str,
    values: tuple[str, ...],
    between: tuple[str, str] | None,
    of_list: OfList,
    digits: int | None,
    rules: Rules,
    output: Output,
    reading: Reading,
) -> int:
    """Why your number is not theirs.

    Give JUDGMENTS and a RANKING, or a list of GRADES: a table of what each tool says of them, and the rules that part
    the tools. --value says which rules give a number, --between goes from one tool to another rule by rule. The exit
    code is 1 where nothing gives the number of --value.
    """
    from rankgauge.reconciliation.reconcile import reconcile

    if values and between:
        raise click.UsageError("give --value or --between, not both")
    output.check()
    own = rules.settled() if rules.given else None
    if len(sources) == 1:
        found = reconcile(
            options.the_grades(sources[0], "GRADES"),
            metric=metric,
            convention=own,
            digits=digits,
            **of_list.arguments(),
        )
    elif len(sources) == 2:  # noqa: PLR2004 (judgments and a ranking)
        of_list.check_absent()
        options.check_one_stdin(*sources)
        found = reconcile(*sources, metric, convention=own, digits=digits, **reading.arguments())
    else:
        raise click.UsageError("give a list of grades (5,3,2), or judgments and one ranking")
    options.tell_findings(found.findings)
    parts: list[Any] = [found.explain(value) for value in values]
    if between:
        parts = [found.between(*between)]
    if output.to == "json":
        content = json.dumps(_data(found, parts, bool(values)), ensure_ascii=False, indent=2, default=str) + "\n"
    else:
        content = "\n".join(output.page(part.document(options.language())) for part in parts or [found])
    output.put(content)
    return UNEXPLAINED if values and not all(part.found for part in parts) else 0


def _data(found: Reconciliation, parts: list[Any], explained: bool) -> dict[str, Any]:
    """The result for programs: the table, the numbers explained, or the way between two tools."""
    if not parts:
        return found.to_dict()
    head = {"schema": found.to_dict()["schema"], "metric": str(found.metric), "queries": found.queries}
    return head | ({"values": [part.to_dict() for part in parts]} if explained else parts[0].to_dict())
