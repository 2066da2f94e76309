"""Results in every form: nested dicts of values or scores, tables, files and folders, as one table of results."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.evaluation.value_recognition import holds_values
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.formats.registry import strip_endings
from rankgauge.inputs.formats.table_files import no_data, parse_table, read_content
from rankgauge.inputs.io.paths import is_folder
from rankgauge.leaderboards.results import CELL, COLUMNS, Results, assemble
from rankgauge.leaderboards.tables import CHOOSE_METRIC, RowColumns, names_data_sets, table_rows, to_polars
from rankgauge.matching.data import names_file
from rankgauge.matching.source_types import PathType, TableLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import DEFAULT_METRIC, parse
from rankgauge.rendering.language import Phrase

ResultsLike: TypeAlias = Mapping[str, Mapping[str, Any] | Scores | PathType] | Iterable[Mapping[str, Any]] | TableLike
"""Results: ``{system: {data set: value}}``, ``{data set: Scores}``, a table as a frame, records or a file, a folder, or
several files or folders by name."""
MEAN_KEYS = {"value", "n", "sd"}
"""Keys of a cell that has a mean and, if known, the number of queries and their standard deviation."""
_EXPECTED = Phrase(
    "{place} is not a number, Scores, {{query: value}}, a file of values, or a pair of judgments and ranking",
    "{place} 不是数、Scores、{{查询: 值}}、值文件，也不是标注与排序结果的一对",
)
_SYSTEMS = Phrase(
    "data set {data_set}: the scores of {system} have the systems {known}",
    "数据集 {data_set}：{system} 的分数中有系统 {known}",
)
_METRICS = Phrase("{place}: the scores have the metrics {metrics}", "{place}：分数中有指标 {metrics}")
_CONVENTIONS = Phrase(
    "scores of {place} were computed under other rules than the first ones", "{place} 的分数所用的规则与第一个不同"
)
_ONE_SCORES = Phrase(
    "leaderboard: Scores are the results on one data set; pass {data set: Scores}, or compare them: rg.compare",
    "leaderboard：Scores 是一个数据集上的结果；请给出 {数据集: Scores}，每个数据集一个，或用 rg.compare 比较",
)


@dataclass
class Sources:
    """Collects rows of results, with the metric that they are of and what was noticed."""

    metric: str | Metric | None = None
    columns: Mapping[str, str] | None = None
    split: str | None = None
    evaluate: Callable[[Any, Any, Metric], Scores] | None = None
    name: str = ""
    """The system of results that name none."""
    findings: Findings = field(default_factory=Findings)
    rows: RowColumns = field(default_factory=lambda: {name: [] for name in COLUMNS})
    convention: Convention | None = None
    label: Metric | str | None = None
    """The metric of the values, where they name one."""

    @property
    def wanted(self) -> str | None:
        """The metric asked for, as text."""
        return None if self.metric is None else str(self.metric)

    def add(
        self,
        system: str,
        data_set: str,
        value: float,
        query: str | None = None,
        n: float | None = None,
        sd: float | None = None,
    ) -> None:
        """Add a value."""
        for name, cell in zip(COLUMNS, (system, data_set, query, value, n, sd), strict=True):
            self.rows[name].append(cell)

    def read(self, results: ResultsLike) -> None:
        """Add results in any form."""
        if isinstance(results, Scores):
            raise InputError(_ONE_SCORES, ["RG704"])
        if isinstance(results, str | os.PathLike):
            self._read_path(Path(results))
        elif isinstance(results, Mapping):
            self._read_mapping(results)
        else:
            try:
                frame = to_polars(results)
            except TypeError:
                allowed = "a mapping, a table, a file or a folder", "映射、表、文件或目录"
                raise ParameterError.of("results", results, allowed, "leaderboard") from None
            self._add_table(frame, "results")

    def _add_table(self, frame: Any, place: str) -> None:
        if frame.is_empty():
            raise no_data(place, place)
        rows = table_rows(frame, place, self.columns, self.wanted, self.name)
        for name, cells in rows.items():
            self.rows[name] += cells

    def _read_path(self, path: Path) -> None:
        from rankgauge.leaderboards.files import add_values, read_file, read_folder  # noqa: PLC0415 (they read into this)

        if is_folder(path):
            read_folder(self, path)
            return
        content, name = read_content(path, "leaderboard")
        if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")) and read_file(self, path, content, name):
            return
        frame = parse_table(content, name, "leaderboard", as_text=True)
        if not names_data_sets(frame.columns, self.columns) and holds_values(path):
            add_values(self, path, self.name, strip_endings(path.name))
        else:
            self._add_table(frame, name)

    def _read_mapping(self, results: Mapping[Any, Any]) -> None:
        if results and all(isinstance(cell, Scores) for cell in results.values()):
            for data_set, scores in results.items():
                for system in scores.systems:
                    self.add_scores(system or "system", str(data_set), scores.system(system))
            return
        for system, cells in results.items():
            if isinstance(cells, str | os.PathLike):
                self.name = str(system)
                self._read_path(Path(cells))
                self.name = ""
                continue
            if not isinstance(cells, Mapping):
                names = {"system": shown(system), "data_set": "?", "value": shown(cells)}
                raise input_error("RG701", _EXPECTED.fill(place=CELL.fill(**names)))
            for data_set, cell in cells.items():
                self.add_cell(str(system), str(data_set), cell)

    def add_cell(self, system: str, data_set: str, cell: Any) -> None:
        """Add the result of a system on a data set, in any form."""
        if cell is None:
            self.add(system, data_set, float("nan"))
        elif isinstance(cell, int | float | np.number) and not isinstance(cell, bool | np.bool_):
            self.add(system, data_set, float(cell))
        elif isinstance(cell, Scores):
            self.add_scores(system, data_set, cell)
        elif isinstance(cell, os.PathLike) or (isinstance(cell, str) and names_file(cell)):
            from rankgauge.leaderboards.files import add_values  # noqa: PLC0415 (it reads into this)

            add_values(self, Path(cell), system, data_set)
        elif isinstance(cell, Mapping):
            self._add_queries(system, data_set, cell)
        elif isinstance(cell, tuple | list) and len(cell) == 2 and self.evaluate is not None:  # noqa: PLR2004 (both sides)
            self.add_scores(system, data_set, self.evaluate(cell[0], cell[1], parse(self.metric or DEFAULT_METRIC)))
        else:
            raise self._not_a_cell(system, data_set, cell)

    def _not_a_cell(self, system: str, data_set: str, value: Any) -> InputError:
        names = {"system": shown(system), "data_set": shown(data_set), "value": shown(value)}
        return input_error("RG701", _EXPECTED.fill(place=CELL.fill(**names)))

    def _add_queries(self, system: str, data_set: str, cell: Mapping[Any, Any]) -> None:
        """Add the values of queries, or a mean with the number of queries and their standard deviation."""
        numbers: dict[str, float] = {}
        for name, value in cell.items():
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | float | np.number)):
                raise self._not_a_cell(system, data_set, value)
            numbers[str(name)] = float("nan") if value is None else float(value)
        if "value" in numbers and {*numbers} <= MEAN_KEYS:
            self.add(system, data_set, numbers["value"], n=numbers.get("n"), sd=numbers.get("sd"))
            return
        for query, value in numbers.items():
            self.add(system, data_set, value, query)

    def add_scores(self, system: str, data_set: str, scores: Scores) -> None:
        """Add the values of one system: those of queries if their mean is the result, else the result alone."""
        place = f"{system} / {data_set}"
        of_system = scores.system(system) if system in scores.systems else scores
        if len(of_system.systems) > 1:
            known = ", ".join(map(shown, of_system.systems))
            raise input_error("RG114", _SYSTEMS.fill(data_set=shown(data_set), system=shown(system), known=known))
        metric = self._metric_of(of_system, place)
        if not of_system.from_values:
            if self.convention is None:
                self.convention = of_system.convention
            elif self.convention != of_system.convention:
                self.findings.add("RG708", _CONVENTIONS.fill(place=place))
        self.findings.merge(of_system.findings)
        summary = metric.definition.summary.under(of_system.convention)
        averaged = not summary.is_resampled and summary.is_mean(of_system.convention) and of_system.weights is None
        if not averaged:
            self.add(system, data_set, of_system.mean(metric))
            return
        for query, value in of_system.per_query(metric).items():
            if value == value:  # noqa: PLR0124 (NaN is left out of the mean, too)
                self.add(system, data_set, value, str(query))

    def _metric_of(self, scores: Scores, place: str) -> Metric:
        if self.metric is not None:
            metric = parse(self.metric)
            if metric not in scores.metrics:
                raise UnknownNameError.closest(f"metric of {place}", str(metric), map(str, scores.metrics))
        elif len(scores.metrics) > 1:
            names = ", ".join(map(str, scores.metrics))
            raise input_error("RG114", _METRICS.fill(place=place, metrics=names), CHOOSE_METRIC)
        else:
            metric = scores.metrics[0]
            if self.label is not None and self.label != metric:
                names = f"{self.label}, {metric}"
                raise input_error("RG114", _METRICS.fill(place=place, metrics=names), CHOOSE_METRIC)
        self.label = metric
        return metric

    def results(self, higher_is_better: bool | None) -> Results:
        """Return the results read so far."""
        from rankgauge.evaluation.value_recognition import metric_named  # noqa: PLC0415 (only for names)

        label = self.label if self.label is not None else self.metric
        known = label if isinstance(label, Metric) or label is None else metric_named(label)
        better = (known is None or known.definition.higher_is_better) if higher_is_better is None else higher_is_better
        return assemble(self.rows, "" if label is None else str(label), better, self.findings)
