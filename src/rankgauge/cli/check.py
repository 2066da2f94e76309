"""``rankgauge check``: a gate for continuous integration."""

from __future__ import annotations

import click

from rankgauge.cli import options
from rankgauge.cli.groups import Data, Rules, data_options, output_options, rules_options
from rankgauge.cli.options import Example
from rankgauge.cli.output import Output

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
@rules_options
@output_options(FORMATS)
@data_options
@options.quiet_option
def command(
    judgments: str,
    ranking: str,
    baseline: str | None,
    conditions: tuple[str, ...],
    worst: int,
    rules: Rules,
    output: Output,
    data: Data,
) -> int:
    """Fail where RANKING has become worse than it may be.

    Exit codes: 0 no condition is met, 1 one is, 2 usage, 3 bad input, 4 nothing to evaluate. "drops 0.01" means by
    0.01 or more; "drops 2%" by 2 % of the baseline or more; "drops significantly" that the mean fell and the paired t
    test, two-sided, has p < 0.05, or another level: "significantly (0.01)". "rises" is the same the other way.
    """
    from rankgauge.cli.console import say
    from rankgauge.gate.check import check
    from rankgauge.gate.junit import junit

    options.check_one_stdin(judgments, ranking, *([] if baseline is None else [baseline]))
    output.check()
    result = check(
        judgments,
        ranking,
        conditions,
        baseline=baseline,
        convention=rules.settled(),
        worst=worst,
        **data.with_side_information(),
    )
    options.tell_findings(result.scores.findings)
    if output.to == "text" and output.path is None:
        say(result.to_text(options.language(), output.room))
    else:
        texts = {
            "text": lambda: result.to_text(options.language()) + "\n",
            "json": lambda: result.to_json(indent=1) + "\n",
            "junit": lambda: junit(result),
        }
        output.put(texts[output.to]())
    return 0 if result.passed else FAILED
