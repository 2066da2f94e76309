"""``rankgauge curve``: metrics over their cutoff, as numbers and as a picture."""

from __future__ import annotations

from rankgauge.cli.command import Argument, Option, OptionGroup, define_command
from rankgauge.cli.console import terminal_width
from rankgauge.cli.item_options import FILE
from rankgauge.cli.localization import language
from rankgauge.cli.options import EVALUATION, METRICS, RANKINGS, K, Systems, digits_option
from rankgauge.cli.output import DOCUMENTS, PICTURES, Output, output_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.rendering.document import Document, Paragraph

MAX_WIDTH = 100
SYSTEMS_OR_GRADES = OptionGroup(
    "systems", Systems, EVALUATION.options, (Argument("judgments", "GRADES | JUDGMENTS", type=FILE), RANKINGS, METRICS)
)


@define_command(
    COMMANDS["curve"],
    """Pass judgments and rankings, or a list of grades. Without -m: nDCG.""",
    """给出标注与排序结果，或一串等级。不写 -m 时为 nDCG。""",
    *SYSTEMS_OR_GRADES.listed,
    Option(
        K,
        "Cutoffs: 1:20, 10:100:10 or 1,5,10.  [default: 1:20, up to the length of the longest list]",
        "截断：1:20、10:100:10 或 1,5,10。  [默认：1:20，到最长列表的长度为止]",
        listed=True,
    ),
    Option(
        "--plot", "Draw the curves in the terminal instead of a table.", "在终端上画出曲线，而不是表格。", is_flag=True
    ),
    output_options((*DOCUMENTS, "tsv", "csv", "json", *PICTURES)),
    SYSTEMS_OR_GRADES,
    digits_option(4),
    examples="""
    # numbers | 数值表
    rankgauge curve judgments.csv keywords.csv embeddings.csv -m nDCG -k 1:5
    # a plot in the terminal | 终端中的曲线图
    rankgauge curve judgments.csv keywords.csv embeddings.csv -k 1:5 --plot
    # one list of grades, best rank first | 一串等级，按名次排列
    rankgauge curve 3,2,3,0,1 -m nDCG,P -k 1:5
    # a plot in a file, also .png and .pdf | 写入文件的曲线图，也可用 .png 与 .pdf
    rankgauge curve judgments.csv keywords.csv -m P -m R -k 1:5 -o curve.svg
    """,
)
def command(k: str | None, plot: bool, output: Output, systems: Systems, digits: int) -> None:
    """Write metrics over their cutoff."""
    from rankgauge.evaluation.curves import COLUMNS, curve
    from rankgauge.evaluation.score_formats import table_text
    from rankgauge.rendering.chart import to_svg, to_text

    has_files = systems.rankings or is_regular_file(systems.judgments)
    called = systems.call if has_files else systems.call_with_grades
    result = called(curve, k=k)
    systems.write_findings(result.findings)
    if plot and output.to == "text":
        picture = to_text(result.chart(language()), min(terminal_width() or MAX_WIDTH, MAX_WIDTH))
        rules = Document([*map(Paragraph, result.rules(language()))])
        output.write(f"{picture}\n\n{output.render(rules)}")
        return
    output.show(
        lambda: result.document(language(), digits=digits),
        csv=lambda: table_text(COLUMNS, result.rows(), ","),
        tsv=lambda: table_text(COLUMNS, result.rows(), "\t"),
        json=lambda: systems.provenance() | result.to_dict(),
        svg=lambda: to_svg(result.chart(language())),
    )
