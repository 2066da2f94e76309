"""Results of systems on data sets: one table of means, with the values of queries where there are some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints

if TYPE_CHECKING:
    import polars as pl

COLUMNS = ("system", "data_set", "query", "value", "n", "sd")
"""The columns of a long table; ``query`` is None for a mean, ``n`` and ``sd`` are optional."""
UNIT = 1.5
"""Data sets whose values lie between -UNIT and UNIT are on one scale; percentages are not."""


@dataclass(frozen=True)
class Results:
    """Values of systems on data sets."""

    systems: tuple[str, ...]
    data_sets: tuple[str, ...]
    means: Floats
    """Mean of each system (row) on each data set (column); NaN where it is missing."""
    per_query: Mapping[int, Floats] = field(default_factory=dict)
    """Values by data set, where every mean of it is one of queries: a row per query, a column per system."""
    counts: Floats | None = None
    """Number of queries of each mean, and the standard deviation over them, where they were given."""
    deviations: Floats | None = None
    metric: str = ""
    higher_is_better: bool = True
    findings: Findings = field(default_factory=Findings)

    @property
    def complete(self) -> bool:
        """Whether every system has a value on every data set."""
        return not bool(np.isnan(self.means).any())

    @property
    def has_queries(self) -> bool:
        """Whether there are values of queries behind every mean."""
        return len(self.per_query) == len(self.data_sets)

    @property
    def has_deviations(self) -> bool:
        """Whether the number of queries and their standard deviation are known of every mean."""
        if self.counts is None or self.deviations is None:
            return False
        known = (self.counts > 0) & (self.deviations >= 0)
        return bool((known | np.isnan(self.means)).all())

    def of_systems(self, places: Ints) -> Results:
        """Return the results of some systems, on the queries that all of them have."""
        kept = {place: values[:, places] for place, values in self.per_query.items()}
        return replace(
            self,
            systems=tuple(self.systems[place] for place in places),
            means=self.means[places],
            per_query=kept,
            counts=None if self.counts is None else self.counts[places],
            deviations=None if self.deviations is None else self.deviations[places],
        ).on_common_queries()

    def on_common_queries(self) -> Results:
        """Return the results with means over the queries that all systems of a data set have; report the others."""
        means, kept = self.means.copy(), {}
        for place, values in self.per_query.items():
            present: Bools = np.logical_not(np.isnan(values).all(axis=0))
            common: Bools = np.logical_not(np.isnan(values[:, present]).any(axis=1))
            if not common.all():
                counts = {"data_set": shown(self.data_sets[place]), "count": int((~common).sum()), "all": len(common)}
                self.findings.add("RG706", _LEFT_OUT.fill(**counts), int((~common).sum()))
            if not common.any() and present.any():
                raise input_error("RG706", _NO_COMMON.fill(data_set=shown(self.data_sets[place])))
            kept[place] = values[common]
            means[present, place] = values[np.ix_(common, present)].mean(axis=0)
        return replace(self, means=means, per_query=kept)


_LEFT_OUT = Phrase(
    "data set {data_set}: {count:# query|# queries} of {all} without a value of every system",
    "数据集 {data_set}：{all} 个查询中有 {count} 个并非每个系统都有值",
)
_NO_COMMON = Phrase(
    "data set {data_set}: no query has a value of every system", "数据集 {data_set}：没有一个查询在每个系统中都有值"
)
_TWICE = Phrase(
    "{system} occurs {count} times on data set {data_set}{query}",
    "{system} 在数据集 {data_set}{query} 上出现了 {count} 次",
)
_OF_QUERY = Phrase(", query {query}", "、查询 {query}")
_MIXED = Phrase(
    "{system} has a mean and values of queries on data set {data_set}",
    "{system} 在数据集 {data_set} 上既有均值又有各查询的值",
)
CELL = Phrase("{system} on data set {data_set}: {value}", "{system} 在数据集 {data_set} 上：{value}")
_SCALES = Phrase(
    "values of {small} lie in {range}, those of {large} reach {value}",
    "{small} 的值在 {range} 之内，而 {large} 的值达到 {value}",
)
_ONE_SYSTEM = Phrase("only {system}", "只有 {system}")
_ONE_DATA_SET = Phrase("only {data_set}", "只有 {data_set}")
_ONE_QUERY = Phrase("data set {data_set}", "数据集 {data_set}")
_EMPTY = Phrase("the results hold no values", "结果中没有任何值")


def assemble(rows: Mapping[str, Sequence[Any]], metric: str, higher_is_better: bool, findings: Findings) -> Results:
    """Return the results in the rows of a long table, given as columns; report what is wrong with them."""
    import polars as pl  # noqa: PLC0415 (slow to import)

    types = {"system": pl.String, "data_set": pl.String, "query": pl.String}
    frame = pl.DataFrame(
        {name: pl.Series(rows[name], dtype=types.get(name, pl.Float64), strict=False) for name in COLUMNS}
    )
    _check_values(frame)
    frame = frame.filter(pl.col("value").is_not_null() & pl.col("value").is_not_nan())
    if frame.is_empty():
        raise InputError(_EMPTY, ["RG101"])
    _check_repeated(frame)
    systems = frame["system"].unique(maintain_order=True).to_list()
    data_sets = frame["data_set"].unique(maintain_order=True).to_list()
    places = [
        frame[name].replace_strict({text: place for place, text in enumerate(names)}, return_dtype=pl.Int64).to_numpy()
        for name, names in (("system", systems), ("data_set", data_sets))
    ]
    shape = len(systems), len(data_sets)
    tables = {name: np.full(shape, np.nan) for name in ("value", "n", "sd")}
    is_mean = frame["query"].is_null().to_numpy()
    for name, table in tables.items():
        table[places[0][is_mean], places[1][is_mean]] = frame[name].cast(pl.Float64).to_numpy()[is_mean]
    per_query = _query_values(frame, places, ~is_mean, shape)
    for place, values in per_query.items():
        present = ~np.isnan(values).all(axis=0)
        tables["value"][present, place] = np.nanmean(values[:, present], axis=0)
        tables["n"][present, place] = (~np.isnan(values[:, present])).sum(axis=0)
    behind = {place: values for place, values in per_query.items() if not bool(is_mean[places[1] == place].any())}
    results = Results(
        tuple(systems), tuple(data_sets), tables["value"], behind, tables["n"], tables["sd"], metric, higher_is_better,
        findings,
    )  # fmt: skip
    _report(results)
    return results


def _query_values(frame: pl.DataFrame, places: list[Ints], chosen: Any, shape: tuple[int, int]) -> dict[int, Floats]:
    """Return the values of queries of each data set: a row per query in order of appearance, a column per system."""
    system, data_set, value = places[0][chosen], places[1][chosen], frame["value"].to_numpy()[chosen]
    query = frame["query"].to_numpy()[chosen]
    result: dict[int, Floats] = {}
    for place in np.unique(data_set):
        mine = data_set == place
        number: dict[Any, int] = {}
        rows = [number.setdefault(name, len(number)) for name in query[mine]]
        values = np.full((len(number), shape[0]), np.nan)
        values[rows, system[mine]] = value[mine]
        result[int(place)] = values
    return result


def _check_values(frame: pl.DataFrame) -> None:
    import polars as pl  # noqa: PLC0415

    wrong = frame.filter(pl.col("value").is_infinite())
    if len(wrong):
        row = wrong.row(0, named=True)
        cell = {"system": shown(row["system"]), "data_set": shown(row["data_set"]), "value": row["value"]}
        raise input_error("RG701", CELL.fill(**cell))


def _check_repeated(frame: pl.DataFrame) -> None:
    """Raise an error for a system with two values on one data set, or on one query of it."""
    import polars as pl  # noqa: PLC0415

    counts = frame.group_by("system", "data_set", "query", maintain_order=True).len().filter(pl.col("len") > 1)
    if len(counts):
        row = counts.row(0, named=True)
        query = "" if row["query"] is None else _OF_QUERY.fill(query=shown(row["query"]))
        cell = {"system": shown(row["system"]), "data_set": shown(row["data_set"]), "count": row["len"]}
        raise input_error("RG702", _TWICE.fill(query=query, **cell))
    kinds = frame.group_by("system", "data_set", maintain_order=True).agg(
        pl.col("query").is_null().n_unique().alias("k")
    )
    both = kinds.filter(pl.col("k") > 1)
    if len(both):
        row = both.row(0, named=True)
        raise input_error("RG702", _MIXED.fill(system=shown(row["system"]), data_set=shown(row["data_set"])))


def _report(results: Results) -> None:
    """Note what limits the conclusions that the results allow."""
    findings = results.findings
    if len(results.systems) == 1:
        findings.add("RG703", _ONE_SYSTEM.fill(system=shown(results.systems[0])))
    if len(results.data_sets) == 1:
        findings.add("RG704", _ONE_DATA_SET.fill(data_set=shown(results.data_sets[0])))
    for place, values in results.per_query.items():
        if len(values) == 1:
            findings.add("RG705", _ONE_QUERY.fill(data_set=shown(results.data_sets[place])))
    largest = np.nanmax(np.abs(results.means), axis=0)
    small, large = np.flatnonzero(largest <= UNIT), np.flatnonzero(largest > UNIT)
    if len(small) and len(large):
        low, high = np.nanmin(results.means[:, small]), np.nanmax(results.means[:, small])
        scales = {
            "small": _few([results.data_sets[place] for place in small]),
            "large": _few([results.data_sets[place] for place in large]),
            "range": f"{low:.4g} … {high:.4g}",
            "value": f"{np.nanmax(np.abs(results.means[:, large])):.6g}",
        }
        findings.add("RG707", _SCALES.fill(**scales), len(large))


def _few(names: Sequence[str]) -> Phrase:
    """Return the first name and how many others there are."""
    more = len(names) - 1
    return Phrase(
        shown(names[0]) + (f" and {more} more" if more else ""),
        shown(names[0]) + (f" 等 {more + 1} 个" if more else ""),
    )
