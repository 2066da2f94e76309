"""Values of metrics in files of other tools and of rankgauge: tables, JSON and lines, as rows."""

from __future__ import annotations

import io
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from itertools import count
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, RankgaugeError, shown
from rankgauge.evaluation.saved_scores import FILE_KEY, with_query_values
from rankgauge.evaluation.score_formats import COLUMNS
from rankgauge.evaluation.value_lines import MEAN, MTEB, Row, form_of_lines, line_values, means_only
from rankgauge.evaluation.value_recognition import (
    BY_TASK,
    columns_by_kind,
    head_of,
    holds_values,
    json_form,
    metric_named,
    table_columns,
)
from rankgauge.evaluation.verdict_files import alce_values, verdict_values
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.registry import strip_endings
from rankgauge.inputs.io.compression import open_bytes
from rankgauge.inputs.io.lines import HEAD, NUMBER, located
from rankgauge.inputs.io.paths import is_folder
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_number

NO_VALUES = Phrase(
    "{name}: it has no values by query; save it again with them: eval without --no-queries, or Scores.to_json()",
    "{name}：没有逐个查询的值；请连同这些值重新保存：eval 不加 --no-queries，或 Scores.to_json()",
)
Definitions: TypeAlias = dict[str, set[str]]
"""The definitions that a file of rankgauge states for each metric, as they are printed."""


def value_rows(source: Any, split: str | None, definitions: Definitions | None = None) -> Iterator[Row]:
    """Yield the values of a file or folder; ``split`` chooses one of MTEB results.

    The definitions that the file states are added to those given.
    """
    definitions = {} if definitions is None else definitions
    if is_folder(source):
        paths = [path for path in sorted(Path(source).rglob("*.json")) if json_form(head_of(path)) in BY_TASK]
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
        yield from _json(content, name, split, definitions)
        return
    text = content.decode("utf-8-sig", "replace")
    form = form_of_lines(text.lstrip())
    yield from _table(content, name, definitions) if form is None else line_values(text, name, form)


def saved_means(source: Any) -> Mapping[str, float | None] | None:
    """Return the means of the one system of a file that ``Scores.save`` wrote without values of queries, else None."""
    if is_folder(source) or json_form(head_of(source)) != "scores":
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


def _json(content: bytes, name: str, split: str | None, definitions: Definitions) -> Iterator[Row]:
    form = json_form(content[:HEAD])
    if form == "means":
        raise means_only(name, "qid,citation_rec,citation_prec")
    if form == "records":
        yield from _records(content, name, definitions)
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
        for row in _saved(with_query_values(document, name), name):
            if row[1] not in definitions:
                definitions[row[1]] = _saved_definition(row[1], document.get("convention"))
            yield row
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


def _table(content: bytes, name: str, definitions: Definitions) -> Iterator[Row]:
    """Yield the values of a table."""
    from rankgauge.inputs.formats.table_files import no_data, parse_table  # noqa: PLC0415 (loads polars)

    frame = parse_table(content, name, "values", as_text=True)
    if frame.is_empty():
        raise no_data(name, name)
    places = (Phrase(f"{name}:{number}", f"{name}:{number}") for number in count(2))
    no_verdicts: Mapping[str, float] = {}
    records = (
        (no_verdicts, _stated(row, definitions), place)
        for row, place in zip(frame.iter_rows(named=True), places, strict=False)
    )
    yield from _rows(records, name, of_systems=table_columns((*frame.columns,)) is None)


def _records(content: bytes, name: str, definitions: Definitions) -> Iterator[Row]:
    """Yield the values of records: those that they hold, or those of their verdicts."""
    from rankgauge.inputs.formats.json_values import JsonValues  # noqa: PLC0415 (only for such files)

    def read() -> Iterator[_Record]:
        values = JsonValues(io.BytesIO(content), name)
        for member in values.elements() if values.kind == "[" else values.lines():
            place = located(name, member.place)
            if not isinstance(member.value, Mapping):
                en, zh = f"expected an object, found {shown(member.value)}", f"应为对象，实为 {shown(member.value)}"
                raise input_error("RG110", Phrase(f"{place.en}: {en}", f"{place.zh}：{zh}"))
            yield verdict_values(member.value, place), _stated(member.value, definitions), place

    yield from _rows(read(), name)


_Record: TypeAlias = tuple[Mapping[str, float], Mapping[str, Any], Phrase]
"""The values of the verdicts of a record, the record, and its place."""


def _stated(row: Mapping[str, Any], definitions: Definitions) -> Mapping[str, Any]:
    """Return a row, of which the definition is added to those given if it is one of rankgauge."""
    if row.keys() >= {*COLUMNS} and row["convention"]:
        definitions.setdefault(str(row["metric"]), set()).add(str(row["convention"]))
    return row


def _rows(rows: Iterable[_Record], name: str, *, of_systems: bool = False) -> Iterator[Row]:
    """Yield the values of rows: a field for each metric or system, a row for each value, or those of their verdicts."""
    queries = 0
    for verdicts, row, place in rows:
        columns = columns_by_kind((*row,))
        query = row.get(columns["query"])
        if query is None:
            message = Phrase(f"{place.en}: the id of the query is missing", f"{place.zh}：缺少查询标识")
            raise input_error("RG110", message)
        if query in MEAN:
            continue
        queries += 1
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
    if not queries:
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


def _saved_definition(metric: str, rules: object) -> set[str]:
    """Return the definition of a metric under saved rules; none if a rule is a function, which has no text."""
    with suppress(RankgaugeError, TypeError):
        return {parse(metric).line(Convention(**rules))} if isinstance(rules, Mapping) else set()
    return set()


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
