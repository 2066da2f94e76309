"""``rankgauge reconcile``: why two people have two numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.options import Example

if TYPE_CHECKING:
    from rankgauge.reconcile.reconciliation import Reconciliation

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
@click.option("--ideal", metavar="GRADES", help="Of a list: the grades of all judged items, returned or not.")
@click.option("--scores", metavar="NUMBERS", help="Of a list: the scores of the items, for ties.")
@click.option(
    "--digits",
    type=click.IntRange(0, 12),
    help="Digits of the values; as many as tell them apart where it is not given.",
)
@options.rules_options
@options.output_options(("table", "md", "json"))
@options.reading_options
@click.option("--quiet", is_flag=True, help="Tell warnings on standard error, but no notes.")
def command(
    sources: tuple[str, ...],
    metric: str,
    values: tuple[str, ...],
    between: tuple[str, str] | None,
    ideal: str | None,
    scores: str | None,
    digits: int | None,
    convention: str | None,
    rules: tuple[str, ...],
    to: str,
    output: Path | None,
    force: bool,
    format_: Any,
    columns: str | None,
    lenient: bool,
    quiet: bool,
) -> int:
    """Why your number is not theirs.

    Give JUDGMENTS and a RANKING, or a list of GRADES: a table of what each tool says of them, and the rules that part
    the tools. --value says which rules give a number, --between goes from one tool to another rule by rule. The exit
    code is 1 where nothing gives the number of --value.
    """
    from rankgauge.cli.output import check_output, page_text, put
    from rankgauge.reconcile.entry import reconcile

    if values and between:
        raise click.UsageError("give --value or --between, not both")
    check_output(output, force=force)
    own = options.the_convention(convention, rules) if convention or rules else None
    if len(sources) == 1:
        found = reconcile(
            options.the_grades(sources[0], "GRADES"),
            metric=metric,
            convention=own,
            digits=digits,
            ideal=None if ideal is None else options.the_grades(ideal, "--ideal"),
            scores=None if scores is None else options.the_grades(scores, "--scores"),
        )
    elif len(sources) == 2:  # noqa: PLR2004 (judgments and a ranking)
        if ideal is not None or scores is not None:
            raise click.UsageError(
                f"{'--scores' if ideal is None else '--ideal'} belongs to a list of grades, not to files"
            )
        options.check_one_stdin(*sources)
        found = reconcile(
            *sources,
            metric,
            convention=own,
            digits=digits,
            columns=options.the_columns(columns),
            format=format_,
            lenient=lenient,
        )
    else:
        raise click.UsageError("give a list of grades (5,3,2), or judgments and one ranking")
    options.tell_findings(found.findings, quiet=quiet)
    parts: list[Any] = [found.explain(value) for value in values]
    if between:
        parts = [found.between(*between)]
    if to == "json":
        content = json.dumps(_data(found, parts, bool(values)), ensure_ascii=False, indent=2, default=str) + "\n"
    else:
        content = "\n".join(page_text(part.document(options.language()), to, output) for part in parts or [found])
    put(content, to, output, force=force)
    return UNEXPLAINED if values and not all(part.found for part in parts) else 0


def _data(found: Reconciliation, parts: list[Any], explained: bool) -> dict[str, Any]:
    """The result for programs: the table, the numbers explained, or the way between two tools."""
    if not parts:
        return found.to_dict()
    head = {"schema": found.to_dict()["schema"], "metric": str(found.metric), "queries": found.queries}
    return head | ({"values": [part.to_dict() for part in parts]} if explained else parts[0].to_dict())
