"""Costs of settings: latency, memory, money; limits on them, and the front of settings that nothing beats on both."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.gate.conditions import NUMBER, THRESHOLDS
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.registry import strip_endings
from rankgauge.inputs.formats.table_files import table_of
from rankgauge.matching.source_types import ById, TableLike
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.tuning.settings import Setting, written

NAME_COLUMNS = ("setting", "system", "name", "ranking", "run", "file")
"""Columns of a table of costs that can hold the names of settings."""
LIMIT = re.compile(rf"\s*(?P<column>.+?)\s*(?P<relation><=|>=|<|>)\s*(?P<number>{NUMBER})\s*")


def costs_of(source: ById, settings: Sequence[Setting]) -> dict[str, Floats]:
    """Return the columns of costs, a number for each setting.

    ``source`` is ``{setting: number}``, ``{setting: {column: number}}``, or a table (a frame or a file) with a column
    of names, or with columns of the parameters.

    >>> costs_of({"a": 3, "b": 5}, [Setting("b"), Setting("a")])
    {'cost': array([5., 3.])}
    """
    rows: Mapping[str, Mapping[str, Any]]
    if isinstance(source, Mapping):
        rows = {str(name): dict(row) if isinstance(row, Mapping) else {"cost": row} for name, row in source.items()}
    else:
        rows = _from_table(source, settings)
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    result = {}
    for column in columns:
        numbers = [_cost(rows, setting, column) for setting in settings]
        result[column] = np.array(numbers, dtype=np.float64)
    if not result:
        raise input_error("RG814", Phrase("there is no column of costs", "没有成本列"))
    return result


def _cost(rows: Mapping[str, Mapping[str, Any]], setting: Setting, column: str) -> float:
    row = rows.get(setting.name) or rows.get(strip_endings(setting.name)) or {}
    value = row.get(column)
    try:
        number = float(value) if isinstance(value, str | Real) else math.nan
    except ValueError:
        number = math.nan
    if math.isfinite(number):
        return number
    en = (
        f"setting {shown(setting.name)}: {column} is {shown(value)}"
        if row
        else f"setting {shown(setting.name)} is missing"
    )
    zh = f"设置 {shown(setting.name)}：{column} 为 {shown(value)}" if row else f"缺少设置 {shown(setting.name)}"
    raise input_error("RG814", Phrase(en, zh))


def _from_table(source: TableLike, settings: Sequence[Setting]) -> dict[str, Mapping[str, Any]]:
    frame = table_of(source, "costs")
    parameters = [*settings[0].parameters]
    named = next((column for column in frame.columns if column.lower() in NAME_COLUMNS), None)
    by_parameters = bool(parameters) and named is None and {*parameters} <= {*frame.columns}
    if named is None and not by_parameters:
        listed = ", ".join(map(shown, frame.columns))
        en = f"no column names the settings ({listed}); call it {NAME_COLUMNS[0]}, or give columns of the parameters"
        zh = f"没有列给出设置的名称（{listed}）；请将其命名为 {NAME_COLUMNS[0]}，或给出各参数的列"
        raise input_error("RG814", Phrase(en, zh))
    keys = parameters if by_parameters else [str(named)]
    rows: dict[str, Mapping[str, Any]] = {}
    for record in frame.iter_rows(named=True):
        key = [written(record[name]) for name in keys]
        matching = [setting for setting in settings if key == _key(setting, keys if by_parameters else ())]
        name = matching[0].name if matching else strip_endings(" ".join(key))
        if name in rows:
            raise input_error("RG814", Phrase(f"setting {shown(name)} has two rows", f"设置 {shown(name)} 有两行"))
        rows[name] = {column: record[column] for column in record if column not in {*keys, *parameters}}
    return rows


def _key(setting: Setting, parameters: Sequence[str]) -> list[str]:
    """Return what a row of the table must hold for a setting: its parameters, or its name."""
    return [written(setting.parameters.get(name)) for name in parameters] or [setting.name]


def within_limits(limits: str | Iterable[str], costs: Mapping[str, Floats], count: int) -> Ints:
    """Return the settings whose costs fulfil every limit, such as ``"p95_ms < 200"``.

    >>> within_limits("ms < 20", {"ms": np.array([10.0, 30.0])}, 2).tolist()
    [0]
    """
    allowed = np.ones(count, dtype=bool)
    for limit in [limits] if isinstance(limits, str) else [*limits]:
        match = LIMIT.fullmatch(limit) if isinstance(limit, str) else None
        if match is None:
            raise ParameterError.of("limit", limit, ('written as "p95_ms < 200"', '"p95_ms < 200" 的形式'), "tune")
        if match["column"] not in costs:
            if not costs:
                en = f"tune: the limit {limit!r} needs costs=, a table with that column"
                raise ParameterError((en, f"tune：限制 {limit!r} 需要 costs=，即含有该列的表"))
            raise UnknownNameError.closest(Phrase("column of costs", "成本列"), match["column"], costs)
        allowed &= THRESHOLDS[match["relation"]](costs[match["column"]], float(match["number"]))
    if not allowed.any():
        listed = limits if isinstance(limits, str) else ", ".join(limits)
        raise input_error("RG815", Phrase(f"limits: {listed}", f"限制：{listed}"))
    return np.flatnonzero(allowed)


def front(means: Floats, costs: Mapping[str, Floats]) -> Bools:
    """Return whether each setting is on the Pareto front: none that costs no more is better, none as good costs less.

    ``means`` are samples x settings, higher is better; costs are better if lower.

    >>> front(np.array([[0.5, 0.6, 0.4]]), {"ms": np.array([1.0, 2.0, 3.0])}).tolist()
    [[True, True, False]]
    """
    table = np.stack([*costs.values()], axis=1)
    result = np.empty(means.shape, dtype=bool)
    for place, cost in enumerate(table):
        no_dearer = (table <= cost).all(axis=1)
        cheaper = no_dearer & (table < cost).any(axis=1)
        alike = no_dearer & ~cheaper
        value = means[:, place]
        beaten = (means[:, alike] > value[:, None]).any(axis=1)
        if cheaper.any():
            beaten |= means[:, cheaper].max(axis=1) >= value
        result[:, place] = ~beaten
    return result


def check_cost_names(costs: Mapping[str, Floats], settings: Sequence[Setting]) -> None:
    """Raise an error for a column of costs that is also a parameter."""
    both = next((column for column in costs if column in settings[0].parameters), None)
    if both is not None:
        en = f"costs: {both} is a parameter of the settings; rename the column"
        raise InputError((en, f"costs：{both} 是设置的参数；请重命名该列"))
