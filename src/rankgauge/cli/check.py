"""``rankgauge check``: a gate for continuous integration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.background import background_option, the_background
from rankgauge.cli.options import Example

FORMATS = ("text", "json", "junit")
FAILED = 1


@options.command(
    "check",
    [
        Example(
            "rankgauge check judgments.csv embeddings.csv --baseline keywords.csv --fail-if 'nDCG@5 drops 0.01'",
            "fail when the mean fell by 0.01 or more",
        ),
        Example(
            "rankgauge check judgments.csv embeddings.csv --baseline keywords.csv --fail-if 'AP drops 2%' "
            "--fail-if 'AP drops significantly' --fail-if 'RR < 0.5'",
            "several conditions",
        ),
        Example("rankgauge check judgments.csv embeddings.csv --fail-if 'nDCG@5 < 0.4' -o junit", "as JUnit XML"),
    ],
)
@click.argument("judgments")
@click.argument("ranking", metavar="RANKING")
@click.option("--baseline", metavar="FILE", help="A ranking, or the JSON that Scores.to_json or eval -o json wrote.")
@click.option(
    "--fail-if",
    "conditions",
    multiple=True,
    required=True,
    metavar="CONDITION",
    help="When to fail: 'nDCG@10 < 0.42', 'nDCG@10 drops 0.01', 'AP drops 2%', 'AP drops significantly'. Repeatable.",
)
@click.option("--worst", type=click.IntRange(0), default=5, show_default=True, help="How many queries to name.")
@options.rules_options
@options.output_options(FORMATS)
@background_option
@options.reading_options
@click.option("--quiet", is_flag=True, help="Tell warnings on standard error, but no notes.")
def command(
    judgments: str,
    ranking: str,
    baseline: str | None,
    conditions: tuple[str, ...],
    worst: int,
    convention: str | None,
    rules: tuple[str, ...],
    background: tuple[str, ...],
    to: str,
    output: Path | None,
    force: bool,
    format_: Any,
    columns: str | None,
    lenient: bool,
    quiet: bool,
) -> int:
    """Fail where RANKING has become worse than it may be.

    Exit codes: 0 no condition is met, 1 one is, 2 usage, 3 bad input, 4 nothing to evaluate. "drops 0.01" means by
    0.01 or more; "drops 2%" by 2 % of the baseline or more; "drops significantly" that the mean fell and the paired t
    test, two-sided, has p < 0.05, or another level: "significantly (0.01)". "rises" is the same the other way.
    """
    from rankgauge.cli.console import say, width
    from rankgauge.cli.output import check_output, put
    from rankgauge.compare.gate import check
    from rankgauge.compare.junit import junit

    options.check_one_stdin(judgments, ranking, *([] if baseline is None else [baseline]))
    check_output(output, force=force)
    result = check(
        judgments,
        ranking,
        conditions,
        baseline=baseline,
        convention=options.the_convention(convention, rules),
        background=the_background(background),
        worst=worst,
        columns=options.the_columns(columns),
        format=format_,
        lenient=lenient,
    )
    options.tell_findings(result.scores.findings, quiet=quiet)
    if to == "text" and output is None:
        say(result.to_text(options.language(), width()))
    else:
        texts = {
            "text": lambda: result.to_text(options.language()) + "\n",
            "json": lambda: result.to_json(indent=1) + "\n",
            "junit": lambda: junit(result),
        }
        put(texts[to](), to, output, force=force)
    return 0 if result.passed else FAILED
