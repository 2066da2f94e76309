"""``rankgauge demo``: two small systems, a table, one query explained, and the definition used."""

from __future__ import annotations

from pathlib import Path

from rankgauge.cli.command import Option, define_command
from rankgauge.cli.console import terminal_width, write
from rankgauge.cli.localization import language
from rankgauge.cli.options import FOLDER
from rankgauge.cli.summaries import COMMANDS
from rankgauge.example import JUDGMENTS, METRICS, SYSTEMS, files, results_file
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase

QUERY = "space opera"
TITLE = Phrase("Two systems on {count} film searches", "两个系统在 {count} 个电影查询上的表现")
SYSTEM = Phrase("system", "系统")
EXPLAINED = Phrase(
    'How nDCG@5 of "{system}" is computed for the query "{query}"', "“{system}”在查询“{query}”上的 nDCG@5 如何计算"
)
IN_PYTHON = Phrase("The same in Python:  {code}", "在 Python 中：  {code}")
NEXT = Phrase("next", "下一步")
COMMAND = Phrase("command", "命令")
STEPS = {
    "rankgauge demo --write example": Phrase("write the files of this example", "写出此示例的文件"),
    "rankgauge report example/judgments.csv example/keywords.csv example/embeddings.csv": Phrase(
        "make a page of them", "由此生成报告页面"
    ),
    "rankgauge conventions show": Phrase("list the rules", "列出全部规则"),
}
"""What to try after the example."""
CODE = "import rankgauge as rg;  (rg.nDCG @ 5).explain([1, 3, 0, None, 3], ideal=[3, 3, 2, 1, 0])"


def demonstration(lang: Lang) -> Document:
    """Return the demonstration: a table of two systems, and one value explained."""
    from rankgauge.evaluation.evaluate import evaluate, explain

    scores = evaluate(JUDGMENTS, SYSTEMS, METRICS)
    rows = [[name, *(f"{scores.mean(metric, name):.4f}" for metric in METRICS)] for name in SYSTEMS]
    system = next(iter(SYSTEMS))
    return Document(
        [
            Heading(TITLE.render(lang, count=len(JUDGMENTS))),
            Table([SYSTEM.render(lang), *METRICS], rows, align="l" + "r" * len(METRICS)),
            Heading(EXPLAINED.render(lang, system=system, query=QUERY)),
            *explain(JUDGMENTS, SYSTEMS[system], "nDCG@5", QUERY).document(lang).blocks,
            Paragraph(IN_PYTHON.render(lang, code=CODE)),
            Table(
                [NEXT.render(lang), COMMAND.render(lang)],
                [[step.render(lang), command] for command, step in STEPS.items()],
            ),
        ]
    )


@define_command(
    COMMANDS["demo"],
    "",
    "",
    Option(
        "--write folder FOLDER",
        "Write judgments.csv, keywords.csv, embeddings.csv, judge.csv and results.csv to a folder instead.",
        "改为把 judgments.csv、keywords.csv、embeddings.csv、judge.csv 与 results.csv 写入一个目录。",
        type=FOLDER,
    ),
    Option("--force", "Replace these files if they exist.", "这些文件已存在时将其替换。", is_flag=True),
    examples="""
    # see what rankgauge does | 看看 rankgauge 能做什么
    rankgauge demo
    # files to try the other commands on | 写出可供其他命令试用的文件
    rankgauge demo --write example
    """,
)
def command(folder: Path | None, force: bool) -> None:
    """Show the example, or write its files."""
    if folder is None:
        write(demonstration(language()).to_text(terminal_width()))
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {**files(judge=True), "results.csv": results_file()}.items():
        with atomic_write(folder / name, force=force) as file:
            file.write(text.encode())
        write(str(folder / name))
