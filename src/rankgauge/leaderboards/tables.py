"""Tables of results: a row per value, or a row per system with a column per data set."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.inputs.columns import COLUMN_NAMES, normalise_name
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.frame_kinds import is_pandas
from rankgauge.leaderboards.results import COLUMNS
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_number

if TYPE_CHECKING:
    import polars as pl

RowColumns = dict[str, list[Any]]
NAMES = {
    "system": {
        "system",
        "model",
        "modelname",
        "run",
        "runid",
        "method",
        "systemname",
        "algorithm",
        "系统",
        "模型",
        "方法",
        "算法",
    },
    "data_set": {
        "dataset",
        "task",
        "taskname",
        "benchmark",
        "collection",
        "testset",
        "datasetname",
        "corpus",
        "数据集",
        "任务",
    },
    "query": {name for group in COLUMN_NAMES["judgments"]["query"] for name in group} - {"user", "userid"},
    "value": {"value", "score", "mainscore", "result", "值", "得分", "分数"},
    "n": {"n", "queries", "count", "nqueries", "numqueries", "查询数"},
    "sd": {"sd", "std", "stdev", "stddev", "standarddeviation", "标准差"},
    "metric": {"metric", "measure", "指标"},
}
"""The names recognised for each column, normalised."""
ABSENT = {"", "-", "–", "—", "na", "n/a", "nan", "null", "none"}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")

_NOT_NUMBER = Phrase(
    "{place}: {value} of {system} on {data_set} is not a number",
    "{place}：{system} 在 {data_set} 上的值 {value} 不是数",
)
_COLUMNS = Phrase(
    "{place}: found the columns {columns}; expected system, data_set and value (and query, n, sd), or a system column "
    "and a column of numbers for each data set",
    "{place}：列为 {columns}；应有 system、data_set 与 value（以及 query、n、sd），或一个系统列与每个数据集的数值列",
)
_REMEDY = Phrase(
    'pass columns={"system": "...", "data_set": "...", "value": "..."}',
    '指定 columns={"system": "...", "data_set": "...", "value": "..."}',
)
_METRICS = Phrase("{place}: has the metrics {metrics}", "{place}：有多个指标 {metrics}")
CHOOSE_METRIC = Phrase("choose one: metric=...", "用 metric=... 选择一个")
_DUPLICATED = re.compile(r"(.*)_duplicated_\d+")
"""How polars names the second of two columns with one name."""
_TWO_COLUMNS = Phrase("{place}: two columns are named {name}", "{place}：有两列都名为 {name}")
_REPEATED = Phrase("{place}: {system} occurs in two rows", "{place}：{system} 出现在两行中")


def table_rows(
    frame: pl.DataFrame, place: str, columns: Mapping[str, str] | None, metric: str | None, system: str
) -> RowColumns:
    """Return the rows of a table, which may be long or wide, as columns of a long one; ``system`` if it names none."""
    import polars as pl  # noqa: PLC0415

    repeated = next((match[1] for name in frame.columns if (match := _DUPLICATED.fullmatch(name))), None)
    if repeated is not None and repeated in frame.columns:
        raise input_error("RG702", _TWO_COLUMNS.fill(place=place, name=shown(repeated)))
    recognised = _recognise(frame.columns, columns)
    if system and not recognised.get("system") and recognised.get("data_set") and recognised.get("value"):
        frame, recognised["system"] = frame.with_columns(system=pl.lit(system)), "system"
    if recognised.get("system") and recognised.get("data_set") and recognised.get("value"):
        return _long(_of_metric(frame, recognised, metric, place), recognised, place)
    one_side = bool(recognised.get("system")) != bool(recognised.get("data_set"))  # with both, the value is missing
    if one_side and not recognised.get("value") and frame.width > 1:
        return _wide(frame, recognised, place)
    raise input_error("RG111", _COLUMNS.fill(place=place, columns=", ".join(map(shown, frame.columns))), _REMEDY)


def to_polars(table: Any) -> pl.DataFrame:
    """Return a frame, or a list of records, as a polars frame of text and numbers."""
    import polars as pl  # noqa: PLC0415

    from rankgauge.inputs.frames import as_polars, is_frame  # noqa: PLC0415 (loads polars)

    if is_pandas(table):
        named = table.reset_index() if any(name is not None for name in table.index.names) else table
        if named is table and str(table.index.dtype) not in {"int64", "int32"}:
            named = table.rename_axis("system").reset_index()
        names = [*map(str, named.columns)]
        if len({*names}) < len(names):
            twice = next(name for place, name in enumerate(names) if name in names[:place])
            raise input_error("RG702", _TWO_COLUMNS.fill(place="results", name=shown(twice)))
        return pl.DataFrame({str(name): _column(named[name].tolist()) for name in named.columns}, strict=False)
    if is_frame(table):
        return as_polars(table)
    rows = [*table]
    if rows and all(isinstance(row, Mapping) for row in rows):
        names = [*dict.fromkeys(name for row in rows for name in row)]
        return pl.DataFrame({str(name): _column([row.get(name) for row in rows]) for name in names}, strict=False)
    width = {len(row) if isinstance(row, list | tuple) else 0 for row in rows}
    if len(width) != 1 or not width & {3, 4}:
        message = (
            "results: expected records, or tuples of (system, data set, value) or (system, data set, query, value)"
        )
        raise InputError(
            (message, "results：应为记录，或 (系统, 数据集, 值)、(系统, 数据集, 查询, 值) 的元组"), ["RG111"]
        )
    names = ["system", "data_set", "value"] if width == {3} else ["system", "data_set", "query", "value"]
    return pl.DataFrame({name: _column([row[place] for row in rows]) for place, name in enumerate(names)}, strict=False)


def _column(cells: list[Any]) -> list[Any]:
    """Return cells of one type: numbers stay, anything else becomes text; missing ones are None."""
    kept = [None if cell is None or cell != cell else cell for cell in cells]  # noqa: PLR0124 (NaN)
    if all(cell is None or is_number(cell) for cell in kept):
        return [None if cell is None else float(cell) for cell in kept]
    return [None if cell is None else str(cell) for cell in kept]


def names_data_sets(names: Sequence[str], columns: Mapping[str, str] | None) -> bool:
    """Whether a table has a column of data sets."""
    return "data_set" in _recognise(names, columns)


def _recognise(names: Sequence[str], columns: Mapping[str, str] | None) -> dict[str, str]:
    """Return the columns of a table by kind: the given ones, else those recognised by name."""
    named = dict(columns or {})
    for kind, name in named.items():
        if kind not in NAMES:
            raise UnknownNameError.closest(("key of columns", " columns 键"), str(kind), NAMES)
        if name not in names:
            raise UnknownNameError.closest(("column", "列"), str(name), names)
    words = {normalise_name(name): name for name in reversed(names) if name not in named.values()}
    for kind, known in NAMES.items():
        if kind not in named and (match := next((words[word] for word in words if word in known), None)):
            named[kind] = match
    return named


def _of_metric(frame: pl.DataFrame, columns: Mapping[str, str], metric: str | None, place: str) -> pl.DataFrame:
    """Return the rows of one metric of a table that has several."""
    if "metric" not in columns:
        return frame
    names = frame[columns["metric"]].cast(str).unique(maintain_order=True).to_list()
    if metric is None:
        if len(names) > 1:
            raise input_error("RG114", _METRICS.fill(place=place, metrics=", ".join(map(shown, names))), CHOOSE_METRIC)
        return frame
    wanted = [name for name in names if name is not None and same_metric(name, metric)]
    if not wanted:
        raise UnknownNameError.closest("metric", metric, [str(name) for name in names])
    return frame.filter(frame[columns["metric"]].cast(str) == wanted[0])


def same_metric(name: str, wanted: str) -> bool:
    """Whether two names are those of one metric, also in the notations of MTEB and trec_eval.

    >>> same_metric("ndcg_at_10", "nDCG@10"), same_metric("main_score", "nDCG@10")
    (True, False)
    """
    from rankgauge.evaluation.value_recognition import metric_named  # noqa: PLC0415

    if normalise_name(name) == normalise_name(wanted):
        return True
    first, second = metric_named(name), metric_named(wanted)
    return first is not None and first == second


def _long(frame: pl.DataFrame, columns: Mapping[str, str], place: str) -> RowColumns:
    rows: RowColumns = {name: [None] * len(frame) for name in COLUMNS}
    for name in ("system", "data_set", "query"):
        if name in columns:
            rows[name] = [_text(cell) for cell in frame[columns[name]].to_list()]
    for name in ("value", "n", "sd"):
        if name in columns:
            cells = zip(frame[columns[name]].to_list(), rows["system"], rows["data_set"], strict=True)
            rows[name] = [_number(cell, system, data_set, place) for cell, system, data_set in cells]
    for number, (system, data_set) in enumerate(zip(rows["system"], rows["data_set"], strict=True), 2):
        if not system or not data_set:
            empty = Phrase("the name of a system or data set is empty", "系统或数据集的名称为空")
            raise input_error("RG208", Phrase(f"{place}:{number}: {empty.en}", f"{place}:{number}：{empty.zh}"))
    return rows


def _wide(frame: pl.DataFrame, columns: Mapping[str, str], place: str) -> RowColumns:
    """Return the cells of a wide table; rows are systems unless the first column names data sets."""
    kind = "system" if "system" in columns else "data_set"
    other = "data_set" if kind == "system" else "system"
    names = [_text(cell) for cell in frame[columns[kind]].to_list()]
    repeated = next((name for place_, name in enumerate(names) if name in names[:place_]), None)
    if repeated is not None:
        raise input_error("RG702", _REPEATED.fill(place=place, system=shown(repeated)))
    rows: RowColumns = {name: [] for name in COLUMNS}
    for title in frame.columns:
        if title == columns[kind]:
            continue
        for name, cell in zip(names, frame[title].to_list(), strict=True):
            pair = {kind: name, other: title}
            rows["value"].append(_number(cell, pair["system"], pair["data_set"], place))
            rows[kind].append(name)
            rows[other].append(title)
    size = len(rows["value"])
    return rows | {name: [None] * size for name in ("query", "n", "sd")}


def _text(cell: Any) -> str | None:
    return None if cell is None else str(cell).strip()


def _number(cell: Any, system: Any, data_set: Any, place: str) -> float | None:
    if cell is None or (isinstance(cell, str) and cell.strip().lower() in ABSENT):
        return None
    if is_number(cell):
        return float(cell)
    if isinstance(cell, str) and _NUMBER.fullmatch(cell.strip()):
        return float(cell)
    names = {"system": shown(system), "data_set": shown(data_set), "value": shown(cell), "place": place}
    raise input_error("RG701", _NOT_NUMBER.fill(**names))


def check_table_columns(columns: object) -> Mapping[str, str] | None:
    """Return names of columns; raise an error for anything but a mapping to texts."""
    if columns is None or (isinstance(columns, Mapping) and all(isinstance(name, str) for name in columns.values())):
        return columns
    raise ParameterError.of("columns", columns, ("a mapping to column names", "到列名的映射"), "leaderboard")
