"""``--side-information``: the tables that metrics beyond accuracy need, from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from rankgauge.cli.arguments import parse_pair
from rankgauge.cli.command import Option, OptionGroup
from rankgauge.cli.localization import bad_parameter
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.side_information.information import SideInformation

TABLES = ("items", "training", "popularity", "features", "categories", "item_groups", "subtopics", "baseline")
OPTION = "--side-information"


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """Return the tables; after the equals sign, files."""
    name, equals, path = incomplete.partition("=")
    if equals:
        return [CompletionItem(path, type="file")]
    return [CompletionItem(f"{table}=") for table in TABLES if table.startswith(name)]


def parse_side_information(side_information: Sequence[str]) -> SideInformation | None:
    """Return the tables that the options name; None without any."""
    if not side_information:
        return None
    from rankgauge.errors import UnknownNameError
    from rankgauge.side_information.information import SideInformation

    tables: dict[str, Any] = {}
    for text in side_information:
        table, source = parse_pair(text, OPTION, "training=log.csv")
        if table not in TABLES:
            raise UnknownNameError.closest(f"table of {OPTION}", table, TABLES)
        if table in tables:
            raise bad_parameter(OPTION, Phrase("{table} is given twice", "{table} 给出了两次"), table=table)
        if source == "-":
            message = Phrase("{text}: pass a file, not standard input", "{text}：请给出文件，不能用标准输入")
            raise bad_parameter(OPTION, message, text=text)
        is_number = table == "items" and source.isascii() and source.isdigit() and not Path(source).exists()
        tables[table] = int(source) if is_number else source
    return SideInformation(**tables)


SIDE_INFORMATION = OptionGroup(
    "side_information",
    parse_side_information,
    (
        Option(
            OPTION,
            multiple=True,
            metavar=Phrase("TABLE=FILE", "表=文件"),
            shell_complete=_complete,
            help=Phrase(
                "Tables for metrics beyond accuracy: training=log.csv, items, popularity, features, categories, "
                "item_groups, subtopics or baseline. Repeatable; see: rankgauge metrics NAME.",
                "准确性以外的指标所需的辅助信息：training=log.csv，以及 items、popularity、features、categories、"
                "item_groups、subtopics 或 baseline。可重复；见 rankgauge metrics 名称。",
            ),
        ),
    ),
)
