"""``rankgauge doctor``: what is in files, how they fit together, and what is wrong with them."""

from __future__ import annotations

import json
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.groups import Reading, output_options, reading_options
from rankgauge.cli.options import Example
from rankgauge.cli.output import Output


@options.command(
    "doctor",
    [
        Example("rankgauge doctor judgments.csv keywords.csv embeddings.csv", "each file, and how they fit"),
        Example("rankgauge doctor keywords.csv -o json", "one file, as data"),
    ],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=options.FILE)
@click.option("--role", type=click.Choice(["judgments", "ranking"]), help="What the files are; guessed file by file.")
@reading_options
@output_options(("table", "md", "html", "json"))
def command(files: tuple[str, ...], role: Any, reading: Reading, output: Output) -> int:
    """Look at files and tell what is wrong.

    Says what is in FILEs of judgments and rankings, what is suspicious, and what to do about it. Where there is one
    file of judgments, the rankings are held against it. The exit code is 1 where something was found that eval
    would refuse.
    """
    from rankgauge.evaluation.doctor import Checkup
    from rankgauge.evaluation.profile import fit, profile

    options.check_one_stdin(*files)
    output.check()
    given = reading.arguments()
    del given["lenient"]  # nothing stops a look; the option is there because eval has it
    profiles = [profile(path, role=role, **given) for path in files]
    judgments = [one for one in profiles if one.look.role == "judgments"]
    rankings = {one.look.name: one for one in profiles if one.look.role == "ranking" and one.look.name != "<stdin>"}
    fits = []
    if len(judgments) == 1 and judgments[0].look.name != "<stdin>":
        fits = [*fit(judgments[0].look.name, {name: name for name in rankings}, **given)]
    seen = Checkup(profiles, fits)
    if output.to == "json":
        content = json.dumps(seen.to_dict(), ensure_ascii=False, indent=2) + "\n"
    else:
        content = output.page(seen.document(options.language()))
    output.put(content)
    return 1 if seen.findings.errors else 0
