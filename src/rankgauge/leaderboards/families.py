"""Families: data sets that belong together, such as the parts of one collection or the tasks of one type."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.inputs.columns import normalise_name
from rankgauge.inputs.formats.table_files import parse_table, read_content
from rankgauge.leaderboards.tables import NAMES, to_polars
from rankgauge.matching.source_types import TableLike

FamiliesLike: TypeAlias = Mapping[str, Any] | Iterable[Mapping[str, Any]] | TableLike
"""Families: ``{data set: family}``, ``{family: [data sets]}``, or a table of both."""
OWNER = "leaderboard"
FAMILY = {"family", "type", "tasktype", "group", "category", "domain"}
EXPECTED = (
    "{data set: family}, {family: [data sets]}, or a table with the columns data_set and family",
    "{数据集: 族}、{族: [数据集]}，或含 data_set 与 family 列的表",
)


def read_families(families: FamiliesLike | None, data_sets: Sequence[str]) -> dict[str, str]:
    """Return the family of each data set that is in one."""
    if families is None:
        return {}
    pairs = _pairs(families)
    unknown = next((name for name in pairs if name not in data_sets), None)
    if unknown is not None:
        raise UnknownNameError.closest(("data set of families", " families 数据集"), unknown, data_sets)
    return pairs


def _pairs(families: Any) -> dict[str, str]:
    if isinstance(families, Mapping):
        pairs: dict[str, str] = {}
        for name, value in families.items():
            listed = not isinstance(value, str) and isinstance(value, Sequence | set | frozenset)
            for data_set, family in ((member, name) for member in value) if listed else ((name, value),):
                if str(data_set) in pairs:
                    en = f"{OWNER}: families name data set {data_set!r} twice"
                    raise ParameterError((en, f"{OWNER}：families 中数据集 {data_set!r} 出现了两次"))
                pairs[str(data_set)] = str(family)
        return pairs
    if isinstance(families, str | os.PathLike):
        content, name = read_content(families, "families")
        frame = parse_table(content, name, "families", as_text=True)
    elif hasattr(families, "columns") or isinstance(families, list | tuple):
        frame = to_polars(families)
    else:
        raise ParameterError.of("families", families, EXPECTED, OWNER)
    words = {normalise_name(name): name for name in frame.columns}
    columns = [next((words[word] for word in words if word in known), None) for known in (NAMES["data_set"], FAMILY)]
    if None in columns:
        raise ParameterError.of("families", frame.columns, EXPECTED, OWNER)
    return {
        str(one): str(other)
        for one, other in frame.select(columns).iter_rows()
        if one is not None and other is not None
    }
