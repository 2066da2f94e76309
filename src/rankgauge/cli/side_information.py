"""``--side-information``: what is known beside judgments and rankings, from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from rankgauge.cli.options import Decorated

if TYPE_CHECKING:
    from rankgauge.side_information.information import SideInformation

TABLES = ("items", "training", "popularity", "features", "categories", "item_groups", "subtopics", "baseline")


def side_information_option(function: Decorated) -> Decorated:
    """``--side-information``: the tables that metrics of the items themselves need."""
    return click.option(
        "--side-information",
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


def the_side_information(texts: Sequence[str]) -> SideInformation | None:
    """The tables that the options name; None where there are none."""
    if not texts:
        return None
    from rankgauge.errors import UnknownNameError
    from rankgauge.side_information.information import SideInformation

    tables: dict[str, Any] = {}
    for text in texts:
        table, equals, source = text.partition("=")
        if not equals or not source:
            raise click.BadParameter(
                f"{text!r} is not written as TABLE=FILE, such as training=log.csv", param_hint="--side-information"
            )
        if table not in TABLES:
            raise UnknownNameError.closest("table of --side-information", table, TABLES)
        if table in tables:
            raise click.BadParameter(f"{table} is given twice", param_hint="--side-information")
        if source == "-":
            raise click.BadParameter(f"{text}: give a file, not standard input", param_hint="--side-information")
        is_number = table == "items" and source.isascii() and source.isdigit() and not Path(source).exists()
        tables[table] = int(source) if is_number else source
    return SideInformation(**tables)
