"""The tables of ``--side-information``, which metrics beyond accuracy need."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge.cli.arguments import parse_pair
from rankgauge.cli.localization import bad_parameter

if TYPE_CHECKING:
    from rankgauge.side_information.side_information import SideInformation

TABLES = ("items", "training", "popularity", "features", "categories", "item_groups", "subtopics", "baseline")
OPTION = "--side-information"


def parse_side_information(texts: Sequence[str]) -> SideInformation | None:
    """Return the tables written as ``table=file``; None without any."""
    if not texts:
        return None
    from rankgauge.errors import UnknownNameError
    from rankgauge.side_information.side_information import SideInformation

    tables: dict[str, Any] = {}
    for text in texts:
        table, source = parse_pair(text, OPTION, "training=log.csv")
        if table not in TABLES:
            raise UnknownNameError.closest(f"table of {OPTION}", table, TABLES)
        if table in tables:
            raise bad_parameter(OPTION, "{table} is given twice", "{table} 给出了两次", table=table)
        if source == "-":
            raise bad_parameter(
                OPTION, "{text}: pass a file, not standard input", "{text}：请给出文件，不能用标准输入", text=text
            )
        is_number = table == "items" and source.isascii() and source.isdigit() and not Path(source).exists()
        tables[table] = int(source) if is_number else source
    return SideInformation(**tables)
