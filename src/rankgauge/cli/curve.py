"""``rankgauge curve``: metrics over their cutoff, as numbers and as a picture."""

from __future__ import annotations

from rankgauge.cli.arguments import JUDGMENTS, RANKINGS, parse_rankings
from rankgauge.cli.command import Example, Option, define_command
from rankgauge.cli.console import terminal_width, write_findings
from rankgauge.cli.localization import language
from rankgauge.cli.options import DIGITS, EVALUATION, METRICS, EvaluationOptions
from rankgauge.cli.output import DOCUMENTS, Output, output_options

MAX_WIDTH = 100


@define_command(
    "curve",
    "Show metrics over their cutoff k. Without -m: nDCG.",
    "显示指标随截断 k 的变化。不写 -m 时为 nDCG。",
    JUDGMENTS,
    RANKINGS,
    METRICS,
    Option("--k cutoffs", "Cutoffs: 1:20, 10:100:10 or 1,5,10.", "截断：1:20、10:100:10 或 1,5,10。", default="1:20"),
    Option(
        "--plot", "Draw the curves in the terminal instead of a table.", "在终端上画出曲线，而不是表格。", is_flag=True
    ),
    output_options((*DOCUMENTS, "tsv", "csv", "json", "svg")),
    EVALUATION,
    DIGITS,
    examples=[
        Example("rankgauge curve judgments.csv keywords.csv embeddings.csv -m nDCG --k 1:5", "numbers", "数值表"),
        Example(
            "rankgauge curve judgments.csv keywords.csv embeddings.csv --k 1:5 --plot",
            "a plot in the terminal",
            "终端中的曲线图",
        ),
        Example(
            "rankgauge curve judgments.csv keywords.csv -m P -m R --k 1:5 -o curve.svg",
            "a plot in a file",
            "写入文件的曲线图",
        ),
    ],
)
def command(
    judgments: str,
    rankings: tuple[str, ...],
    metrics: tuple[str, ...],
    cutoffs: str,
    plot: bool,
    output: Output,
    evaluation: EvaluationOptions,
    digits: int,
) -> None:
    """Write metrics over their cutoff."""
    from rankgauge.evaluation.curves import COLUMNS, curves, cutoffs_of
    from rankgauge.evaluation.score_formats import table_text
    from rankgauge.rendering.chart import to_svg, to_text
    from rankgauge.rendering.document import Document, Paragraph

    paths = parse_rankings(rankings)
    result = curves(
        judgments, paths, metrics or ("nDCG",), cutoffs_of(cutoffs), **evaluation.keywords(judgments, *paths.values())
    )
    write_findings(result.findings, quiet=evaluation.quiet)
    if output.to in {"csv", "tsv"}:
        output.write(table_text(COLUMNS, result.rows(), "," if output.to == "csv" else "\t"))
    elif output.to == "json":
        output.write_json(result.to_dict())
    elif output.to == "svg":
        output.write(to_svg(result.chart(language())) + "\n")
    elif plot and output.to == "table":
        picture = to_text(result.chart(language()), min(terminal_width() or MAX_WIDTH, MAX_WIDTH))
        rules_text = output.render(Document([*map(Paragraph, result.rules(language()))]))
        output.write(f"{picture}\n\n{rules_text}")
    else:
        output.write(output.render(result.document(language(), digits)))
