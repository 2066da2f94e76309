"""``rankgauge conventions``: the named conventions, one in full, and what two differ in."""

from __future__ import annotations

import json

import click

from rankgauge.cli import options
from rankgauge.cli.groups import output_options
from rankgauge.cli.options import Example
from rankgauge.cli.output import Output

ACTIONS = ("show", "diff")


@options.command(
    "conventions",
    [
        Example("rankgauge conventions", "all that have a name"),
        Example("rankgauge conventions show trec_eval-9", "every rule of one, in words"),
        Example("rankgauge conventions diff trec_eval-9 trec_eval-10", "only what differs"),
        Example("rankgauge conventions show --rule gain=exp2", "the default with a rule of your own"),
    ],
)
@click.argument("action", required=False, type=click.Choice(ACTIONS))
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=options.preset_names)
@click.option("--rule", "rules", multiple=True, metavar="NAME=VALUE", help="Change a rule of what show shows.")
@output_options(("table", "md", "latex", "html", "json"))
def command(action: str | None, names: tuple[str, ...], rules: tuple[str, ...], output: Output) -> None:
    """See conventions and how they differ.

    A convention is every rule that can move a number. Without a name, show shows the default, and diff compares
    with it.
    """
    from rankgauge.conventions.differences import difference_page
    from rankgauge.conventions.presets import PRESETS, presets_page
    from rankgauge.rendering.document import Document

    most = {None: 0, "show": 1, "diff": 2}[action]
    if len(names) > most or (action == "diff" and not names):
        raise click.UsageError("say: conventions, conventions show [NAME], or conventions diff NAME [NAME]")
    if rules and action != "show":
        raise click.UsageError("--rule belongs to: conventions show [NAME]")
    lang = options.language()
    if action == "diff":
        pair = [(name, options.the_convention(name, ())) for name in (*names, "default")[:2]]
        chosen, page = dict(pair), difference_page(pair, lang)
    elif action == "show":
        chosen = {(names or ("default",))[0]: options.the_convention((names or (None,))[0], rules)}
        name, convention = next(iter(chosen.items()))
        about = PRESETS[name].document(lang).blocks if name in PRESETS else []
        page = Document([*about, *convention.document(lang).blocks])
    else:
        chosen = {name: options.the_convention(name, ()) for name in ("default", *PRESETS)}
        page = presets_page(lang)
    data = {name: convention.to_dict() for name, convention in chosen.items()}
    content = json.dumps(data, ensure_ascii=False, indent=2) + "\n" if output.to == "json" else output.page(page)
    output.put(content)
