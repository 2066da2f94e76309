"""``rankgauge demo``: two small systems, a table, one query explained, and the definition used."""

from __future__ import annotations

from pathlib import Path

import click

from rankgauge.cli.command import FOLDER, Example, Option, define_command
from rankgauge.cli.console import terminal_width, write
from rankgauge.cli.localization import language
from rankgauge.example import JUDGMENTS, METRICS, SYSTEMS, files
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.rendering.language import Lang, Phrase

QUERY = "space opera"
TITLE = Phrase("Two systems on {count} film searches", "两个系统在 {count} 个电影查询上的表现")
SYSTEM = Phrase("system", "系统")
EXPLAINED = Phrase(
    'How nDCG@5 of "{system}" is computed for the query "{query}"', "“{system}”在查询“{query}”上的 nDCG@5 如何计算"
)
IN_PYTHON = Phrase("The same in Python:  {code}", "在 Python 中：  {code}")
CODE = "import rankgauge as rg;  (rg.nDCG @ 5).explain([1, 3, 0, None, 3], ideal=[3, 3, 2, 1, 0])"


def demonstration(lang: Lang) -> str:
    """Return the demonstration as text for this terminal."""
    from rankgauge.conventions import DEFAULT
    from rankgauge.evaluation.evaluate import evaluate, explain
    from rankgauge.rendering.document import Document, Heading, Paragraph, Table

    scores = evaluate(JUDGMENTS, SYSTEMS, METRICS)
    rows = [[name, *(f"{scores.mean(metric, name):.4f}" for metric in METRICS)] for name in SYSTEMS]
    system = next(iter(SYSTEMS))
    table = Document(
        [
            Heading(TITLE.render(lang, count=len(JUDGMENTS))),
            Table([SYSTEM.render(lang), *METRICS], rows, align="l" + "r" * len(METRICS)),
            Heading(EXPLAINED.render(lang, system=system, query=QUERY)),
        ]
    )
    steps = explain(JUDGMENTS, SYSTEMS[system], "nDCG@5", QUERY).document(lang)
    code = Document([Paragraph(IN_PYTHON.render(lang, code=CODE))])
    pages = [table, steps, DEFAULT.document(lang, reasons=False), code]
    return "\n\n".join(page.to_text(terminal_width()) for page in pages)


@define_command(
    "demo",
    "Evaluate and explain a small built-in example.",
    "评测并解释一个内置的小例子。",
    Option(
        "--write folder",
        "Write judgments.csv, keywords.csv and embeddings.csv to a folder instead.",
        "改为把 judgments.csv、keywords.csv 与 embeddings.csv 写入一个目录。",
        type=click.Path(file_okay=False, path_type=Path),
        metavar=FOLDER,
    ),
    Option("--force", "Replace these files if they exist.", "这些文件已存在时将其替换。", is_flag=True),
    examples=[
        Example("rankgauge demo", "see what rankgauge does", "看看 rankgauge 能做什么"),
        Example("rankgauge demo --write example", "files to try the other commands on", "写出可供其他命令试用的文件"),
    ],
)
def command(folder: Path | None, force: bool) -> None:
    """Show the example, or write its files."""
    if folder is None:
        write(demonstration(language()))
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        with atomic_write(folder / name, force=force) as file:
            file.write(text.encode())
        write(str(folder / name))
