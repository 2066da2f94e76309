"""``--background``: what is known beside judgments and rankings, from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from rankgauge.cli.options import Decorated

if TYPE_CHECKING:
    from rankgauge.beyond.background import Background

TABLES = ("items", "training", "popularity", "features", "categories", "item_groups", "subtopics", "baseline")


def background_option(function: Decorated) -> Decorated:
    """``--background``: the tables that metrics of the items themselves need."""
    return click.option(
        "--background",
        multiple=True,
        metavar="TABLE=FILE",
        shell_complete=_complete,
        help=(
            "What metrics beyond accuracy need to know: training=log.csv, items, popularity, features, categories, "
            "item_groups, subtopics or baseline. Repeatable; see: rankgauge metrics NAME."
        ),
    )(function)


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The tables, for the shell; after the equals sign, files."""
    name, equals, path = incomplete.partition("=")
    if equals:
        return [CompletionItem(path, type="file")]
    return [CompletionItem(f"{table}=") for table in TABLES if table.startswith(name)]


def the_background(texts: Sequence[str]) -> Background | None:
    """The tables that the options name; None where there are none."""
    if not texts:
        return None
    from rankgauge.beyond.background import Background
    from rankgauge.errors import UnknownNameError

    tables: dict[str, Any] = {}
    for text in texts:
        table, equals, source = text.partition("=")
        if not equals or not source:
            raise click.BadParameter(
                f"{text!r} is not written as TABLE=FILE, such as training=log.csv", param_hint="--background"
            )
        if table not in TABLES:
            raise UnknownNameError.closest("table of --background", table, TABLES)
        if table in tables:
            raise click.BadParameter(f"{table} is given twice", param_hint="--background")
        if source == "-":
            raise click.BadParameter(f"{text}: give a file, not standard input", param_hint="--background")
        is_number = table == "items" and source.isascii() and source.isdigit() and not Path(source).exists()
        tables[table] = int(source) if is_number else source
    return Background(**tables)
