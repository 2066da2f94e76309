"""Files of values that other tools computed: lines, tables and JSON, recognised by the names of metrics in them."""

from __future__ import annotations

import io
import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from functools import cache
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from rankgauge.errors import InputError, NotationError, RankgaugeError, shown
from rankgauge.evaluation.saved_scores import FILE_KEY, with_query_values
from rankgauge.evaluation.value_lines import MEAN, MTEB, Row, form_of_lines, is_metric, line_values, means_only
from rankgauge.evaluation.verdict_files import ALCE_KEYS, alce_values, holds_verdicts, verdict_values
from rankgauge.inputs.columns import COLUMN_NAMES, normalise_name
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.registry import strip_endings
from rankgauge.inputs.io.compression import open_bytes
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.lines import HEAD, NUMBER, located
from rankgauge.inputs.io.paths import is_folder
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_number

NO_VALUES = Phrase(
    "{name}: it has no values by query; save it again with them: eval without --no-queries, or Scores.to_json()",
    "{name}：没有逐个查询的值；请连同这些值重新保存：eval 不加 --no-queries，或 Scores.to_json()",
)
_NAMES = {
    "metric": (("metric", "measure", "metricname", "指标"),),
    "value": (("value", "score", "值", "得分"),),
    "system": (("system", "run", "runid", "model", "系统", "模型"),),
    "query": COLUMN_NAMES["judgments"]["query"],
}
"""The names of columns, normalised, in groups from specific to general."""
_NO_SYSTEMS = {
    name
    for kinds in COLUMN_NAMES.values()
    for groups in (kinds[kind] for kind in kinds if kind != "query")
    for name in chain.from_iterable(groups)
}
"""Names of columns that do not stand for a system."""
MATRIX_ROWS = 20
"""Rows of a table in which values are looked for."""
_MTEB_NAMES = {"ndcg": "nDCG", "map": "AP", "mrr": "RR", "recall": "R", "precision": "P", "hit_rate": "Success"}
_BEIR = {"ndcg", "map", "recall", "precision", "mrr", "recall_cap", "hole", "accuracy"}
"""Objects of BEIR's results, each with one metric at several cutoffs."""
_BY_TASK = {"mteb", "beir"}
"""JSON documents that stand for one task or data set."""
_MEANS = {"citation_rec", "citation_prec"}
"""What ALCE writes without a question: means over all of them."""
_SAVED = re.compile(rb'^\s*\{[^{]*"schema"\s*:\s*\d')
"""How ``Scores.to_json`` starts."""
_INNER = re.compile(rb'^\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*\{([^{}\[\]]*)')
_KEY = re.compile(rb'"((?:[^"\\]|\\.)*)"\s*:\s*(?:-?[\d.]|NaN|null)')


def metric_named(text: str) -> Metric | None:
    """Return the metric of a name of trec_eval, MTEB or rankgauge, None if its mean over queries is not a mean."""
    if mteb_name := MTEB.fullmatch(text):
        text = f"{_MTEB_NAMES[mteb_name[1]]}@{mteb_name[2]}"
    try:
        metric = parse(text)
    except (NotationError, RankgaugeError):
        return None
    summary = metric.definition.summary
    return metric if summary.has_query_values and not summary.is_count and not summary.is_resampled else None


def holds_values(source: object) -> bool:
    """Whether a file or folder holds values of metrics, not judgments or a ranking."""
    if is_folder(source):
        return any(_json_form(_head(path)) in _BY_TASK for path in sorted(Path(source).rglob("*.json"))[:3])
    if not isinstance(source, str | PathLike | InputFile):
        return False
    file = source if isinstance(source, InputFile) else InputFile(source)
    if not file.is_regular:
        return False
    try:
        head = file.stream.peek(HEAD)
    except InputError:  # reported when it is read
        return False
    finally:
        if file is not source:
            file.close()
    text = _text(head.lstrip())
    first = text.partition("\n")[0]
    if first.startswith(("{", "[")):
        return _json_form(head) is not None
    return form_of_lines(text) is not None or _table_columns((*_split(first),)) is not None or _is_matrix(text)


def holds_data_sets(source: object) -> bool:
    """Whether a file or folder of values holds one value for each task or data set."""
    return is_folder(source) or _json_form(_head(source)) in _BY_TASK


def refuse_values(source: object) -> None:
    """Raise an error for a file of values where judgments or a ranking are expected, with what to do with it."""
    if holds_values(source):
        raise values_error(source)


def values_error(source: object) -> InputError:
    """Return the error for a file of values where judgments or a ranking are expected."""
    message = Phrase(
        f"{source}: holds values of metrics that were computed elsewhere, not judgments or a ranking; they can be "
        "compared and reported: rankgauge compare, check, report, or rg.read_scores",
        f"{source}：其中是别处算出的指标值，不是标注或排序结果；可以比较与生成报告：rankgauge compare、check、report，"
        "或 rg.read_scores",
    )
    return InputError(message, ["RG111"])


def _head(path: Any) -> bytes:
    with closing(open_bytes(path)) as stream:
        return stream.peek(HEAD)


def _json_form(head: bytes) -> str | None:
    """Return what a JSON document holds, as far as its beginning tells; None if it holds no values."""
    if head.lstrip().startswith(b"["):
        return _record_form(head)
    if _SAVED.match(head):
        return "scores"
    if b'"task_name"' in head and b'"scores"' in head:
        return "mteb"
    if any(key in head for key in ALCE_KEYS):
        return "alce"
    inner = _INNER.match(head)
    keys = [_text(key) for key in _KEY.findall(inner[2])] if inner else []
    if inner is None or not keys or not all(map(is_metric, keys)):
        return _record_form(head)
    return "beir" if _text(inner[1]) in _BEIR else "by_query"


def _record_form(head: bytes) -> str | None:
    """Return what the records of an array or of lines of JSON hold, by the first of them."""
    try:
        record, _ = json.JSONDecoder().raw_decode(_text(head).lstrip("\ufeff \t\r\n["))
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, Mapping):
        return None
    if holds_verdicts(record):
        return "records"
    if any(isinstance(value, list | dict) for value in record.values()):
        return None
    if _MEANS & record.keys() and not _columns((*record,))["query"]:
        return "means"
    return "records" if _table_columns((*record,)) else None


def _text(key: bytes) -> str:
    return key.decode("utf-8", "replace")


def _split(line: str) -> list[str]:
    separator = next((mark for mark in ("\t", ",", ";") if mark in line), "\t")
    return [cell.strip().strip('"') for cell in line.split(separator)]


@cache
def _columns(names: tuple[str, ...]) -> dict[str, str]:
    """Return the names of the columns by kind, empty where there is none."""
    words = {normalise_name(name): name for name in reversed(names)}
    return {
        kind: next((words[word] for group in groups for word in words if word in group), "")
        for kind, groups in _NAMES.items()
    }


@cache
def _table_columns(names: tuple[str, ...]) -> dict[str, str] | None:
    """Return the columns of a table of values by kind; None if it is another table."""
    columns, words = _columns(names), {*map(normalise_name, names)}
    if not columns["query"] or any(word in words for group in COLUMN_NAMES["judgments"]["item"][:2] for word in group):
        return None
    if (columns["metric"] or columns["system"]) and columns["value"]:
        return columns
    return columns if any(metric_named(name) is not None for name in names if name != columns["query"]) else None


def _is_matrix(text: str) -> bool:
    """Whether a table has a row for each query and a column for each system, with values of one unnamed metric."""
    names, *rows = [_split(line) for line in text.splitlines()[:MATRIX_ROWS]]
    query = _columns((*names,))["query"]
    systems = [place for place, name in enumerate(names) if name != query]
    if not query or not rows or not systems or any(normalise_name(names[place]) in _NO_SYSTEMS for place in systems):
        return False
    cells = [row[place] for row in rows if len(row) == len(names) for place in systems]
    numbers = [cell.encode() for cell in cells if cell]
    shares = all(cell in {b"0", b"1"} for cell in numbers) or any(b"." in cell for cell in numbers)
    return bool(numbers) and all(map(NUMBER.fullmatch, numbers)) and shares  # whole numbers may be ids or counts


def value_rows(source: Any, split: str | None) -> Iterator[Row]:
    """Yield the values of a file or folder; ``split`` chooses one of MTEB results."""
    if is_folder(source):
        paths = [path for path in sorted(Path(source).rglob("*.json")) if _json_form(_head(path)) in _BY_TASK]
        if not paths:
            en = f"{source}: the folder has no results of MTEB or BEIR"
            raise InputError((en, f"{source}：该目录中没有 MTEB 或 BEIR 结果"), ["RG101"])
        for path in paths:
            yield from value_rows(path, split)
        return
    if not holds_values(source):
        if isinstance(source, str | PathLike) and not os.path.lexists(source):
            open_bytes(str(source))  # raises the error of a file that does not exist
        message = Phrase(
            f"{source}: holds no values of metrics; expected the output of trec_eval -q or ir_measures -q, a table "
            "with a column for the query and one for each metric or system, Scores.to_json, {query: {metric: value}}, "
            "verdicts on nuggets or citations, or results of MTEB or BEIR",
            f"{source}：其中没有指标的值；应为 trec_eval -q 或 ir_measures -q 的输出、"
            "含查询列与各指标列或各系统列的表格、Scores.to_json、{查询: {指标: 值}}、"
            "对要点或引用的判定，或 MTEB、BEIR 的结果",
        )
        raise InputError(message, ["RG111"])
    with closing(open_bytes(source)) as stream:
        content, name = stream.read(), stream.name
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        yield from _json(content, name, split)
        return
    text = content.decode("utf-8-sig", "replace")
    form = form_of_lines(text.lstrip())
    yield from _table(content, name) if form is None else line_values(text, name, form)


def saved_means(source: Any) -> Mapping[str, float | None] | None:
    """Return the means of the one system of a file that ``Scores.save`` wrote without values of queries, else None."""
    if is_folder(source) or _json_form(_head(source)) != "scores":
        return None
    with closing(open_bytes(source)) as stream:
        content = stream.read()
    with suppress(ValueError, RecursionError):  # reported when it is read for its values
        document = json.loads(content)
        systems = [*document.get("systems", {"": document}).values()]
        if len(systems) == 1 and FILE_KEY not in document and "per_query" not in systems[0]:
            means: Mapping[str, float | None] = systems[0].get("mean", {})
            return means
    return None


def _json(content: bytes, name: str, split: str | None) -> Iterator[Row]:
    form = _json_form(content[:HEAD])
    if form == "means":
        raise means_only(name, "qid,citation_rec,citation_prec")
    if form == "records":
        yield from _records(content, name)
        return
    from rankgauge.inputs.formats.json_values import parse_document  # noqa: PLC0415 (only for such files)

    document = parse_document(content, name)
    if not isinstance(document, Mapping):
        raise input_error("RG110", Phrase(f"{name}: expected an object", f"{name}：应为对象"))
    if form == "mteb":
        yield from _mteb(document, name, split)
    elif form == "alce":
        yield from alce_values(document, name)
    elif form == "scores":
        yield from _saved(with_query_values(document, name), name)
    else:
        by_query = {strip_endings(Path(name).name): _merged(document, name)} if form == "beir" else document
        yield from _by_query(by_query, name)


def _merged(document: Mapping[str, object], name: str) -> dict[str, object]:
    """Return the metrics of BEIR's results, which are means over the queries of one data set."""
    merged: dict[str, object] = {}
    for key, values in document.items():
        if not isinstance(values, Mapping):
            en = f"{name}: {key}: expected an object, found {shown(values)}"
            raise input_error("RG110", (en, f"{name}：{key}：应为对象，实为 {shown(values)}"))
        merged |= values
    return merged


def _by_query(document: Mapping[str, object], name: str) -> Iterator[Row]:
    """Yield the values of ``{query: {metric: value}}``, as pytrec_eval returns them."""
    for query, values in document.items():
        for metric, value in values.items() if isinstance(values, Mapping) else [("", values)]:
            value = math.nan if value is None else value  # noqa: PLW2901 (reported as missing)
            if isinstance(value, bool) or not isinstance(value, int | float):
                place = f"{query}.{metric}" if metric else query
                en, zh = f"{name}: {place}: {shown(value)} is not a number", f"{name}：{place}：{shown(value)} 不是数字"
                raise input_error("RG110", Phrase(en, zh))
            if query not in MEAN:
                yield "", metric, query, float(value)


def _table(content: bytes, name: str) -> Iterator[Row]:
    """Yield the values of a table."""
    from rankgauge.inputs.formats.table_files import no_data, parse_table  # noqa: PLC0415 (loads polars)

    frame = parse_table(content, name, "values", as_text=True)
    if frame.is_empty():
        raise no_data(name, name)
    rows = enumerate(frame.iter_rows(named=True), 2)
    records: Iterator[_Record] = (({}, row, Phrase(f"{name}:{number}", f"{name}:{number}")) for number, row in rows)
    yield from _rows(records, name, of_systems=_table_columns((*frame.columns,)) is None)


def _records(content: bytes, name: str) -> Iterator[Row]:
    """Yield the values of records: those that they hold, or those of their verdicts."""
    from rankgauge.inputs.formats.json_values import JsonValues  # noqa: PLC0415 (only for such files)

    def read() -> Iterator[_Record]:
        values = JsonValues(io.BytesIO(content), name)
        for member in values.elements() if values.kind == "[" else values.lines():
            place = located(name, member.place)
            if not isinstance(member.value, Mapping):
                en, zh = f"expected an object, found {shown(member.value)}", f"应为对象，实为 {shown(member.value)}"
                raise input_error("RG110", Phrase(f"{place.en}: {en}", f"{place.zh}：{zh}"))
            yield verdict_values(member.value, place), member.value, place

    yield from _rows(read(), name)


_Record: TypeAlias = tuple[Mapping[str, float], Mapping[str, Any], Phrase]
"""The values of the verdicts of a record, the record, and its place."""


def _rows(rows: Iterable[_Record], name: str, *, of_systems: bool = False) -> Iterator[Row]:
    """Yield the values of rows: a field for each metric or system, a row for each value, or those of their verdicts."""
    count = 0
    for verdicts, row, place in rows:
        columns = _columns((*row,))
        query = row.get(columns["query"])
        if query is None:
            message = Phrase(f"{place.en}: the id of the query is missing", f"{place.zh}：缺少查询标识")
            raise input_error("RG110", message)
        if query in MEAN:
            continue
        count += 1
        for system, metric, cell in _cells(row, columns, verdicts, of_systems=of_systems):
            is_value = not metric or metric == row.get(columns["metric"]) or metric_named(metric) is not None
            if cell is None or cell == "":
                if is_value:
                    yield system, metric, str(query), math.nan  # reported as missing
                continue
            if not NUMBER.fullmatch(str(cell).strip().encode()):
                if not is_value:
                    continue  # a column of texts
                what = f"{metric} of query {shown(str(query))}", f"查询 {shown(str(query))} 的 {metric}"
                message = Phrase(
                    f"{place.en}: {what[0]} is not a number: {shown(cell)}",
                    f"{place.zh}：{what[1]} 不是数字：{shown(cell)}",
                )
                raise input_error("RG110", message)
            yield system, metric, str(query), float(cell)
    if not count:
        raise means_only(name, "rankgauge eval -q")


def _cells(
    row: Mapping[str, Any], columns: Mapping[str, str], verdicts: Mapping[str, float], *, of_systems: bool
) -> Iterator[tuple[str, str, Any]]:
    """Yield the cells of a row with their system and metric, which are empty where the row does not name them."""
    system, metric, value = (columns[kind] for kind in ("system", "metric", "value"))
    own = str(row.get(system) or "")
    if (metric or system) and value and not verdicts:
        yield own, str(row.get(metric, "")), row[value]
        return
    for name, cell in (verdicts or row).items():
        if name not in {columns["query"], system}:
            yield (name, "", cell) if of_systems else (own, name, cell)


def _saved(document: Mapping[str, Any], name: str) -> Iterator[Row]:
    """Yield the values of ``Scores.to_json``."""
    systems = document.get("systems", {"": document})
    try:
        for system, by_query in systems.items():
            for query, cells in by_query["per_query"].items():
                for metric, value in cells.items():
                    if value is not None:
                        yield system, metric, query, float(value)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InputError(NO_VALUES.fill(name=name), ["RG111"]) from None


def _mteb(document: Mapping[str, object], name: str, split: str | None) -> Iterator[Row]:
    """Yield the values of a task: the task, or a subset of it, is the query."""
    splits, task = document.get("scores"), document.get("task_name")
    if not isinstance(splits, Mapping) or not splits or not isinstance(task, str):
        message = Phrase(f"{name}: fields 'task_name' and 'scores' are missing", f"{name}：缺少 task_name 与 scores")
        raise input_error("RG110", message)
    chosen = split if split in splits else next(iter(splits)) if len(splits) == 1 and split is None else None
    if chosen is None:
        names = ", ".join(map(shown, sorted(splits)))
        en = f"{name}: has the splits {names}; choose one: split='test' (--split test)"
        raise InputError((en, f"{name}：有划分 {names}；请选择一个：split='test'（--split test）"), ["RG114"])
    subsets = splits[chosen]
    if not isinstance(subsets, list) or not all(isinstance(entry, Mapping) for entry in subsets):
        message = Phrase(f"{name}: scores.{chosen}: expected a list", f"{name}：scores.{chosen}：应为列表")
        raise input_error("RG110", message)
    for entry in subsets:
        query = task if len(subsets) == 1 else f"{task}/{entry.get('hf_subset', '')}"
        for metric, value in entry.items():
            if MTEB.fullmatch(metric) and is_number(value) and not math.isnan(value):
                yield "", metric, query, float(value)
