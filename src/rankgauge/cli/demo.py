"""The demonstration: two small systems, the table, one query explained, the definition used."""

from __future__ import annotations

from pathlib import Path

import click

from rankgauge.cli import options
from rankgauge.cli.console import say, width
from rankgauge.cli.options import Example
from rankgauge.conventions import DEFAULT
from rankgauge.evaluation.evaluate import evaluate, explain
from rankgauge.example import JUDGMENTS, METRICS, SYSTEMS, files
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase

QUERY = "space opera"
WORDS = {
    "title": Phrase("Two systems on {count} film searches", "两个系统在 {count} 个电影查询上的表现"),
    "system": Phrase("system", "系统"),
    "one": Phrase(
        'How nDCG@5 of "{system}" comes about for the query "{query}"', "“{system}”在查询“{query}”上的 nDCG@5 如何得出"
    ),
    "next": Phrase("The same in Python:  {code}", "在 Python 中：  {code}"),
}
CODE = "import rankgauge as rg;  (rg.nDCG @ 5).explain([1, 3, 0, None, 3], ideal=[3, 3, 2, 1, 0])"


def demonstration(lang: Lang) -> str:
    """The whole demonstration as text for this terminal."""
    scores = {name: evaluate(JUDGMENTS, ranking, METRICS) for name, ranking in SYSTEMS.items()}
    rows = [[name, *(f"{one.mean(metric):.4f}" for metric in METRICS)] for name, one in scores.items()]
    system = next(iter(SYSTEMS))
    table = Document(
        [
            Heading(WORDS["title"].render(lang, count=len(JUDGMENTS))),
            Table([WORDS["system"].render(lang), *METRICS], rows, align="l" + "r" * len(METRICS)),
            Heading(WORDS["one"].render(lang, system=system, query=QUERY)),
        ]
    )
    steps = explain(JUDGMENTS, SYSTEMS[system], "nDCG@5", QUERY).document(lang)
    last = Document([Paragraph(WORDS["next"].render(lang, code=CODE))])
    pages = [table, steps, DEFAULT.document(lang, reasons=False), last]
    return "\n\n".join(page.to_text(width()) for page in pages)


@options.command(
    "demo",
    [
        Example("rankgauge demo", "see what rankgauge does"),
        Example("rankgauge demo --write example", "files to try the other commands on"),
    ],
)
@click.option(
    "--write",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write judgments.csv, keywords.csv and embeddings.csv to a folder instead.",
)
@click.option("--force", is_flag=True, help="Replace these files where they exist.")
def command(folder: Path | None, force: bool) -> None:
    """See a small example evaluated and explained."""
    if folder is None:
        say(demonstration(options.language()))
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        with atomic_write(folder / name, force=force) as file:
            file.write(text.encode())
        say(str(folder / name))
