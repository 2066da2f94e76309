"""Files of values that other tools computed, recognised by the names of metrics in them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

from rankgauge.errors import InputError, NotationError, RankgaugeError
from rankgauge.evaluation.value_lines import MTEB, form_of_lines, is_metric
from rankgauge.evaluation.verdict_files import ALCE_KEYS, holds_verdicts
from rankgauge.inputs.columns import COLUMN_NAMES, normalise_name
from rankgauge.inputs.io.compression import open_bytes
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.lines import HEAD, NUMBER
from rankgauge.inputs.io.paths import is_folder, split_system
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Phrase

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
BY_TASK = {"mteb", "beir"}
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
        return any(json_form(head_of(path)) in BY_TASK for path in sorted(Path(source).rglob("*.json"))[:3])
    if not isinstance(source, str | PathLike | InputFile):
        return False
    file = source if isinstance(source, InputFile) else InputFile(split_system(source)[0])
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
        return json_form(head) is not None
    return form_of_lines(text) is not None or table_columns((*_split(first),)) is not None or _is_matrix(text)


def holds_data_sets(source: object) -> bool:
    """Whether a file or folder of values holds one value for each task or data set."""
    return is_folder(source) or json_form(head_of(source)) in BY_TASK


def refuse_values(source: object) -> None:
    """Raise an error for a file of values where judgments or a ranking are expected, with what to do with it."""
    if holds_values(source):
        raise values_error(source)


def values_error(source: object) -> InputError:
    """Return the error for a file of values where judgments or a ranking are expected."""
    message = Phrase(
        f"{source}: holds values of metrics, not judgments or a ranking; they can be compared and reported: "
        "rankgauge compare, check, report, or rg.read_scores",
        f"{source}：其中是指标值，不是标注或排序结果；可以比较与生成报告：rankgauge compare、check、report，"
        "或 rg.read_scores",
    )
    return InputError(message, ["RG111"])


def head_of(path: Any) -> bytes:
    """Return the beginning of a file, decompressed."""
    with closing(open_bytes(path)) as stream:
        return stream.peek(HEAD)


def json_form(head: bytes) -> str | None:
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
    if _MEANS & record.keys() and not columns_by_kind((*record,))["query"]:
        return "means"
    return "records" if table_columns((*record,)) else None


def _text(key: bytes) -> str:
    return key.decode("utf-8", "replace")


def _split(line: str) -> list[str]:
    separator = next((mark for mark in ("\t", ",", ";") if mark in line), "\t")
    return [cell.strip().strip('"') for cell in line.split(separator)]


@cache
def columns_by_kind(names: tuple[str, ...]) -> dict[str, str]:
    """Return the names of the columns by kind, empty where there is none."""
    words = {normalise_name(name): name for name in reversed(names)}
    return {
        kind: next((words[word] for group in groups for word in words if word in group), "")
        for kind, groups in _NAMES.items()
    }


@cache
def table_columns(names: tuple[str, ...]) -> dict[str, str] | None:
    """Return the columns of a table of values by kind; None if it is another table."""
    columns, words = columns_by_kind(names), {*map(normalise_name, names)}
    if not columns["query"] or any(word in words for group in COLUMN_NAMES["judgments"]["item"][:2] for word in group):
        return None
    if (columns["metric"] or columns["system"]) and columns["value"]:
        return columns
    return columns if any(metric_named(name) is not None for name in names if name != columns["query"]) else None


def _is_matrix(text: str) -> bool:
    """Whether a table has a row for each query and a column for each system, with values of one unnamed metric."""
    names, *rows = [_split(line) for line in text.splitlines()[:MATRIX_ROWS] or [""]]
    query = columns_by_kind((*names,))["query"]
    systems = [place for place, name in enumerate(names) if name != query]
    if not query or not rows or not systems or any(normalise_name(names[place]) in _NO_SYSTEMS for place in systems):
        return False
    cells = [row[place] for row in rows if len(row) == len(names) for place in systems]
    numbers = [cell.encode() for cell in cells if cell]
    shares = all(cell in {b"0", b"1"} for cell in numbers) or any(b"." in cell for cell in numbers)
    return bool(numbers) and all(map(NUMBER.fullmatch, numbers)) and shares  # whole numbers may be ids or counts
