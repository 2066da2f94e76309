"""`read_scores`: values per query that another tool computed, as Scores for ``compare``, ``check`` and ``report``."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from rankgauge.errors import InputError, NotationError, RankgaugeError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.columns import COLUMN_NAMES, normalise_name
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.io.compression import open_bytes
from rankgauge.inputs.io.lines import HEAD, NUMBER
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Phrase

Row = tuple[str, str, str, float]
"""System (empty if the file has one), metric, query and value."""
MEAN = {"all", "amean"}
"""Queries of rows that hold a mean."""
_NAMES = {
    "metric": {"metric", "measure", "metricname"},
    "value": {"value", "score"},
    "system": {"system", "run", "runid", "model"},
    "query": {name for group in COLUMN_NAMES["judgments"]["query"] for name in group},
}
_MTEB = re.compile(r"(ndcg|map|mrr|recall|precision|hit_rate)_at_(\d+)")
_MTEB_NAMES = {"ndcg": "nDCG", "map": "AP", "mrr": "RR", "recall": "R", "precision": "P", "hit_rate": "Success"}
_OTHER_LINES = {"runid", "relstring"}
_LINE = 3


def read_scores(
    sources: Any, metrics: Sequence[str | Metric] | str | Metric | None = None, *, split: str | None = None
) -> Scores:
    """Read values per query that were computed elsewhere.

    Parameters
    ----------
    sources
        A file, or ``{"name": file, ...}``: the output of ``trec_eval -q``, a table with a column for the query and one
        for each metric (or ``query, metric, value``), ``Scores.to_json``, or results of MTEB (a file or the folder of a
        model), where each task counts as a query.
    metrics
        The metrics to read; by default all that every system has.
    split
        The split of MTEB results that have several.

    The rules by which the values were computed, ties and unjudged items are unknown and left out of every output.
    """
    named, values = sources if isinstance(sources, Mapping) else {"": sources}, _Values()
    for name, source in named.items():
        for row in _rows(source, split):
            values.add(str(name), row, os.fspath(source))
    wanted = None if metrics is None else [parse(metric) for metric in _listed(metrics)]
    return Scores.of_values(values.by_system, metrics=wanted, findings=values.findings)


def _listed(metrics: Any) -> Sequence[Any]:
    return [metrics] if isinstance(metrics, str | Metric) else [*metrics]


class _Values:
    """The values read so far, by system, metric and query, and what was left out."""

    def __init__(self) -> None:
        self.by_system: dict[str, dict[Metric, dict[str, float]]] = {}
        self.findings = Findings()
        self._metrics: dict[str, Metric | None] = {}
        self._texts: dict[tuple[str, Metric], str] = {}
        """The first name of each metric: trec_eval has several for some."""

    def add(self, name: str, row: Row, source: str) -> None:
        """Add a value; metrics that are unknown, or not averaged over queries, are left out and noted."""
        system, text, query, value = row
        if text not in self._metrics:
            self._metrics[text] = _metric(text)
            if self._metrics[text] is None:
                self.findings.add("RG118", Phrase(f"{source}: {text} is left out", f"{source}：未读取 {text}"))
        metric = self._metrics[text]
        key = system if not name else f"{name}/{system}" if system and system != name else name
        if metric is None or self._texts.setdefault((key, metric), text) != text:
            return
        column = self.by_system.setdefault(key, {}).setdefault(metric, {})
        wrong = Phrase("is infinite", "为无穷大") if math.isinf(value) else None
        if query in column:
            wrong = Phrase("occurs twice", "出现了两次")
        if wrong is not None:
            en, zh = f"{text} of query {shown(query)} {wrong.en}", f"查询 {shown(query)} 的 {text} {wrong.zh}"
            raise input_error("RG110", Phrase(f"{source}: {en}", f"{source}：{zh}"))
        column[query] = value


def _metric(text: str) -> Metric | None:
    """Return the metric of a name of trec_eval, MTEB or rankgauge, None if its mean over queries is not a mean."""
    if found := _MTEB.fullmatch(text):
        text = f"{_MTEB_NAMES[found[1]]}@{found[2]}"
    try:
        metric = parse(text)
    except (NotationError, RankgaugeError):
        return None
    summary = metric.definition.summary
    return metric if summary.has_query_values and not summary.is_count and not summary.is_resampled else None


def holds_values(source: Any) -> bool:
    """Whether a file or folder holds values of metrics, not judgments or a ranking."""
    if not isinstance(source, str | os.PathLike) or os.fspath(source) == "-":
        return False
    if Path(source).is_dir():
        return any(_is_mteb(path) for path in sorted(Path(source).rglob("*.json"))[:3])
    if not Path(source).is_file():
        return False
    try:
        with closing(open_bytes(source)[0]) as stream:
            head = stream.peek(HEAD)
    except InputError:  # reported when it is read
        return False
    first = head.lstrip().partition(b"\n")[0].decode("utf-8", "replace")
    if first.startswith("{"):
        return b'"schema"' in head[:200] or _is_mteb(Path(source))
    return _is_trec_line(first) or _table_columns(_split(first)) is not None


def _is_mteb(path: Path) -> bool:
    with closing(open_bytes(path)[0]) as stream:
        head = stream.peek(HEAD)
    return b'"task_name"' in head and b'"scores"' in head


def _is_trec_line(line: str) -> bool:
    fields = line.split("\t")
    name = fields[0].strip()
    return len(fields) == _LINE and (name in _OTHER_LINES or _known(name))


def _known(name: str) -> bool:
    try:
        parse(name)
    except (NotationError, RankgaugeError):
        return False
    return True


def _split(line: str) -> list[str]:
    separator = next((mark for mark in ("\t", ",", ";") if mark in line), "\t")
    return [cell.strip().strip('"') for cell in line.split(separator)]


def _table_columns(names: Sequence[str]) -> dict[str, str] | None:
    """Return the columns of a table of values by kind; None if it is another table."""
    words = {normalise_name(name): name for name in reversed(names)}
    found = {kind: next((words[word] for word in words if word in known), "") for kind, known in _NAMES.items()}
    if not found["query"] or any(word in words for group in COLUMN_NAMES["judgments"]["item"][:2] for word in group):
        return None
    if found["metric"] and found["value"]:
        return found
    return found if any(_metric(name) is not None for name in names if name != found["query"]) else None


def _rows(source: Any, split: str | None) -> Iterator[Row]:
    """Yield the values of a source."""
    if Path(source).is_dir():
        paths = [path for path in sorted(Path(source).rglob("*.json")) if _is_mteb(path)]
        if not paths:
            message = Phrase(f"{source}: the folder has no results of MTEB", f"{source}：该目录中没有 MTEB 结果")
            raise InputError(message, ["RG101"])
        for path in paths:
            yield from _mteb(_document(path), str(path), split)
        return
    if not holds_values(source):
        message = Phrase(
            f"{source}: holds no values of metrics; expected the output of trec_eval -q, a table with a column for the "
            "query and one for each metric, Scores.to_json or results of MTEB",
            f"{source}：其中没有指标的值；应为 trec_eval -q 的输出、含查询列与各指标列的表格、Scores.to_json "
            "或 MTEB 结果",
        )
        raise InputError(message, ["RG111"])
    stream, name = open_bytes(source)
    with closing(stream):
        content = stream.read()
    text = content.decode("utf-8-sig", "replace")
    if text.lstrip().startswith("{") and (b'"task_name"' in content or b'"schema"' in content[:200]):
        document = _document(source)
        yield from _saved(document, name) if "schema" in document else _mteb(document, name, split)
    elif _is_trec_line(text.lstrip().partition("\n")[0]):
        yield from _trec(text, name)
    else:
        yield from _table(content, name)


def _document(path: Any) -> Mapping[str, Any]:
    stream, name = open_bytes(path)
    with closing(stream):
        try:
            document = json.loads(stream.read())
        except (ValueError, RecursionError) as error:
            raise input_error("RG110", Phrase(f"{name}: not JSON: {error}", f"{name}：不是 JSON：{error}")) from None
    if not isinstance(document, Mapping):
        raise input_error("RG110", Phrase(f"{name}: expected an object", f"{name}：应为对象"))
    return document


def _trec(text: str, name: str) -> Iterator[Row]:
    """Yield the values of trec_eval's output; those of all queries are means."""
    count = 0
    for number, line in enumerate(text.splitlines(), 1):
        fields = [field.strip() for field in line.split("\t")]
        if not line.strip() or fields[0] in _OTHER_LINES:
            continue
        if len(fields) != _LINE or not NUMBER.fullmatch(fields[2].encode()):
            message = Phrase(
                f"{name}:{number}: expected measure, query and value separated by tabs, found {shown(line)}",
                f"{name}:{number}：应为以制表符分隔的指标、查询与值，实为 {shown(line)}",
            )
            raise input_error("RG110", message)
        if fields[1] not in MEAN:
            count += 1
            yield "", fields[0], fields[1], float(fields[2])
    if not count:
        raise _means_only(name, "trec_eval -q")


def _means_only(name: str, remedy: str) -> InputError:
    message = Phrase(
        f"{name}: has means, but no values by query, which a comparison needs; write them: {remedy}",
        f"{name}：只有均值，没有比较所需的各查询的值；请输出各查询的值：{remedy}",
    )
    return InputError(message, ["RG101"])


def _table(content: bytes, name: str) -> Iterator[Row]:
    """Yield the values of a table: a column for each metric, or a row for each value."""
    from rankgauge.inputs.formats.table_files import parse_table  # noqa: PLC0415 (loads polars)

    frame = parse_table(content, name, "values", as_text=True)
    columns = _table_columns(frame.columns) or {}
    is_long = bool(columns.get("metric") and columns.get("value"))
    metrics = [column for column in frame.columns if column not in {columns["query"], columns["system"]}]
    count = 0
    for number, row in enumerate(frame.iter_rows(named=True), 2):
        system, query = str(row.get(columns["system"]) or ""), str(row[columns["query"]])
        if query in MEAN:
            continue
        count += 1
        cells = {row[columns["metric"]]: row[columns["value"]]} if is_long else {key: row[key] for key in metrics}
        for metric, cell in cells.items():
            if cell in {None, ""}:
                continue
            if not NUMBER.fullmatch(str(cell).strip().encode()):
                if not is_long and _metric(metric) is None:
                    continue  # a column of texts
                message = Phrase(
                    f"{name}:{number}: {metric} of query {shown(query)} is not a number: {shown(cell)}",
                    f"{name}:{number}：查询 {shown(query)} 的 {metric} 不是数字：{shown(cell)}",
                )
                raise input_error("RG110", message)
            yield system, str(metric), query, float(cell)
    if not count:
        raise _means_only(name, "rankgauge eval -q")


def _saved(document: Mapping[str, Any], name: str) -> Iterator[Row]:
    """Yield the values of ``Scores.to_json``."""
    systems = document.get("systems", {"": document})
    try:
        for system, own in systems.items():
            for query, cells in own["per_query"].items():
                for metric, value in cells.items():
                    if value is not None:
                        yield system, metric, query, float(value)
    except (AttributeError, KeyError, TypeError, ValueError):
        message = Phrase(f"{name}: it has no values by query; save it with Scores.to_json", f"{name}：没有各查询的值")
        raise InputError(message, ["RG111"]) from None


def _mteb(document: Mapping[str, Any], name: str, split: str | None) -> Iterator[Row]:
    """Yield the values of a task: the task, or a subset of it, is the query."""
    splits, task = document.get("scores"), document.get("task_name")
    if not isinstance(splits, Mapping) or not splits or not isinstance(task, str):
        message = Phrase(f"{name}: fields 'task_name' and 'scores' are missing", f"{name}：缺少 task_name 与 scores")
        raise input_error("RG110", message)
    chosen = split if split in splits else next(iter(splits)) if len(splits) == 1 and split is None else None
    if chosen is None:
        names = ", ".join(map(shown, sorted(splits)))
        message = Phrase(
            f"{name}: has the splits {names}; choose one: split='test' (--split test)",
            f"{name}：有划分 {names}；请选择一个：split='test'（--split test）",
        )
        raise InputError(message, ["RG114"])
    subsets = splits[chosen]
    if not isinstance(subsets, list) or not all(isinstance(entry, Mapping) for entry in subsets):
        message = Phrase(f"{name}: scores.{chosen}: expected a list", f"{name}：scores.{chosen}：应为列表")
        raise input_error("RG110", message)
    for entry in subsets:
        query = task if len(subsets) == 1 else f"{task}/{entry.get('hf_subset', '')}"
        for metric, value in entry.items():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if _MTEB.fullmatch(metric) and is_number and not math.isnan(value):
                yield "", metric, query, float(value)
