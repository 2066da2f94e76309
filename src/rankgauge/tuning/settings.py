"""Settings: the points of a grid, named rankings, and parameters read from file names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

from rankgauge.errors import ParameterError, UnknownNameError, shown
from rankgauge.inputs.findings import input_error
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_listing

GRID_KEYS = ("method", "k", "weights", "norm", "missing", "depth", "p")
"""Parameters of fusion that a grid can vary."""
SettingLike: TypeAlias = str | Mapping[str, Any]
"""A setting: its name, or its parameters."""
GridLike: TypeAlias = Mapping[str, Sequence[Any]]
"""The values of parameters, of which every combination is a setting."""
MOST = 100_000
"""Settings of a grid."""
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Setting:
    """One choice of parameters: its name, and its parameters if they are known."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, parameters: Mapping[str, Any], named_by: Iterable[str] | None = None) -> Setting:
        """Return the setting of some parameters, named by them or by some of them.

        >>> Setting.of({"k": 60, "weights": [0.3, 0.7], "depth": 100}, ["k", "weights"]).name
        'k=60 weights=0.3:0.7'
        """
        keys = parameters if named_by is None else [key for key in named_by if key in parameters]
        return cls(" ".join(f"{key}={written(parameters[key])}" for key in keys), dict(parameters))


def written(value: Any) -> str:
    """Return the value of a parameter as text."""
    if isinstance(value, Mapping):
        return ",".join(f"{name}:{written(part)}" for name, part in value.items())
    if is_listing(value) and not isinstance(value, str):
        return ":".join(map(written, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def grid_settings(grid: GridLike, baseline: SettingLike | None) -> tuple[list[Setting], int]:
    """Return the settings of a grid in declared order, the last parameter varying first, and the baseline's place.

    A baseline that is not in the grid becomes the first setting.

    >>> settings, place = grid_settings({"k": [10, 60], "depth": [100]}, {"k": 60})
    >>> [setting.name for setting in settings], place
    (['k=10', 'k=60'], 1)
    """
    if not isinstance(grid, Mapping) or not grid or not all(map(is_listing, grid.values())) or not all(grid.values()):
        allowed = Phrase(
            '{"k": [10, 60], ...}, a list of values for each parameter', '{"k": [10, 60], ...}：每个参数一个列表'
        )
        raise ParameterError.of("grid", grid, allowed, "tune")
    for name in grid:
        check_parameter(name)
    points = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    if len(points) > MOST:
        raise ParameterError(f"tune: the grid has {len(points):,} settings; at most {MOST:,} are tried")
    if baseline is None:
        return _distinct(points), 0
    if not isinstance(baseline, Mapping):
        allowed = Phrase("a dict of parameters of the grid", "由网格参数组成的 dict")
        raise ParameterError.of("baseline", baseline, allowed, "tune")
    for name in baseline:
        check_parameter(name)
    wanted = {name: values[0] for name, values in grid.items() if len(values) == 1} | dict(baseline)
    settings = _distinct(points)
    fits = [_same(setting.parameters, wanted) for setting in settings]
    if any(fits):
        return settings, fits.index(True)
    return _distinct([{**{name: wanted[name] for name in grid if name in wanted}, **wanted}, *points]), 0


def _distinct(points: Iterable[Mapping[str, Any]]) -> list[Setting]:
    """Return the settings of different parameters, named by those that vary."""
    listed = list({Setting.of(point).name: point for point in points}.values())
    keys = list(dict.fromkeys(key for point in listed for key in point))
    varying = [key for key in keys if len({written(point.get(key)) for point in listed}) > 1] or keys
    return [Setting.of(point, varying) for point in listed]


def _same(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Whether two settings have the same parameters; 60 and 60.0 are the same."""
    return {key: written(value) for key, value in first.items()} == {
        key: written(value) for key, value in second.items()
    }


def check_parameter(name: Any) -> None:
    """Raise an error for a name that is no parameter of fusion."""
    if name not in GRID_KEYS:
        raise UnknownNameError.closest(Phrase("parameter of fusion", "融合参数"), str(name), GRID_KEYS)


def check_several(settings: Iterable[Setting]) -> None:
    """Raise an error if there is only one setting."""
    names = [setting.name for setting in settings]
    if len(names) < 2:  # noqa: PLR2004 (a choice needs two)
        only = shown(names[0]) if names else ""
        raise input_error("RG811", Phrase(f"the only setting is {only}", f"唯一的设置是 {only}"))


def named_settings(names: Iterable[str], table: Any) -> list[Setting]:
    """Return the settings of named rankings, with their parameters from ``{name: {parameter: value}}`` if given."""
    listed = [*names]
    if table is None:
        return [Setting(name) for name in listed]
    if not isinstance(table, Mapping) or not all(isinstance(row, Mapping) for row in table.values()):
        raise ParameterError.of("settings", table, ("{name: {parameter: value}}", "{名称: {参数: 值}}"), "tune")
    by_name = {str(name): dict(row) for name, row in table.items()}
    missing = next((name for name in listed if name not in by_name), None)
    if missing is not None:
        raise UnknownNameError.closest(Phrase("setting", "设置"), missing, by_name)
    return [Setting(name, by_name[name]) for name in listed]


def parameters_of_name(pattern: str, name: str) -> dict[str, Any]:
    """Return the parameters in a file name; numbers become numbers.

    >>> parameters_of_name("{model}_{k}.run", "e5-large_100.run")
    {'model': 'e5-large', 'k': 100}
    """
    keys = PLACEHOLDER.findall(pattern)
    if not keys or not all(key.isidentifier() for key in keys) or len({*keys}) < len(keys):
        raise ParameterError.of(
            "settings", pattern, ('a pattern such as "{model}_{k}.run"', '"{model}_{k}.run" 这样的模式')
        )
    pieces = PLACEHOLDER.split(pattern)
    # Every part but the last takes as much as it can: names of models often contain the separator.
    form = "".join(f"(?P<{piece}>.+)" if number % 2 else re.escape(piece) for number, piece in enumerate(pieces))
    match = re.fullmatch(form, name)
    if match is None:
        raise input_error("RG816", Phrase(f"{shown(name)} does not fit {pattern}", f"{shown(name)} 不符合 {pattern}"))
    return {key: _number_or_text(text) for key, text in match.groupdict().items()}


def _number_or_text(text: str) -> Any:
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    return float(text) if re.fullmatch(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?", text) else text
