"""Files and folders of results: saved scores, results of MTEB and BEIR, reports of ranx, and nested JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.evaluation.value_formats import value_rows
from rankgauge.evaluation.value_recognition import holds_values, metric_named
from rankgauge.inputs.findings import CHOOSE_SPLIT, input_error
from rankgauge.inputs.formats.json_values import parse_document
from rankgauge.inputs.formats.registry import strip_endings
from rankgauge.inputs.formats.table_files import read_content
from rankgauge.leaderboards.tables import CHOOSE_METRIC, same_metric, to_polars
from rankgauge.metric_core.notation import DEFAULT_METRIC, parse
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.leaderboards.sources import Sources

META = "model_meta.json"
OF_MODELS = 3
"""Parts of a path in a folder of several models: the model, the revision and the task."""
_EMPTY = Phrase(
    "{path}: the folder has no results; expected DATA_SET.json with named systems, or SYSTEM/DATA_SET.json",
    "{path}：目录中没有结果；应为含系统名的 数据集.json，或 系统/数据集.json",
)
_NO_SYSTEM = Phrase(
    "{path}: it names no system; put it into a folder named after the system: SYSTEM/{name}",
    "{path}：没有系统名；请放入以系统命名的目录：系统/{name}",
)
_NO_METRIC = Phrase("{path}: has no values of {metric}, but of {known}", "{path}：没有 {metric} 的值，只有 {known}")
_NO_JSON = Phrase("{path}: cannot be parsed: {error}", "{path}：无法解析：{error}")
_SPLITS = Phrase("{path}: has the splits {names}", "{path}：有划分 {names}")


def read_folder(sources: Sources, folder: Path) -> None:
    """Add every file of results in a folder."""
    count = 0
    revisions = _revisions(folder, sources.name)
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")):
        if path.name == META:
            continue
        parts = path.relative_to(folder).parts
        content, name = read_content(path, "leaderboard") if path.suffix == ".json" else (b"", "")
        document = parse_document(content, name) if content else None
        if isinstance(document, Mapping) and _is_mteb(document):
            _add_mteb(sources, document, _mteb_system(path, folder, revisions, sources.name), str(path))
        elif isinstance(document, Mapping) and _is_ranx(document):
            _add_ranx(sources, document, strip_endings(path.name), str(path))
        elif holds_values(path):
            add_values(sources, path, parts[0] if len(parts) > 1 else sources.name, strip_endings(path.name))
        else:
            continue
        count += 1
    if not count:
        raise InputError(_EMPTY.fill(path=folder), ["RG101"])


def read_file(sources: Sources, path: Path, content: bytes, name: str) -> bool:
    """Add a JSON file; return False if it is a table of records, a line each."""
    try:
        document = parse_document(content, name)
    except InputError:
        if content.lstrip().startswith(b"{") and b"\n{" in content.strip():
            return False
        raise
    stem = strip_endings(path.name)
    if isinstance(document, list):
        sources._add_table(to_polars(document), name)  # noqa: SLF001
    elif _is_mteb(document):
        _add_mteb(sources, document, _mteb_system(path, path.parent.parent, {}, sources.name), name)
    elif _is_ranx(document):
        _add_ranx(sources, document, stem, name)
    elif holds_values(path):
        add_values(sources, path, sources.name, stem)
    else:
        sources._read_mapping(document)  # noqa: SLF001
    return True


def add_values(sources: Sources, path: Path, system: str, data_set: str) -> None:
    """Add the values of a file: those of queries, or the means of BEIR's results."""
    rows = [*value_rows(path, sources.split)]
    chosen = _chosen_metric(sources, [*dict.fromkeys(row[1] for row in rows)], path)
    for label, name, query, value in rows:
        if name != chosen:
            continue
        if not (label or system):
            raise input_error("RG111", _NO_SYSTEM.fill(path=path, name=path.name))
        is_mean = query == strip_endings(path.name)
        sources.add(label or system, data_set, value, None if is_mean else query)


def _chosen_metric(sources: Sources, names: list[str], place: object) -> str:
    """Return which of several metrics to take: the one asked for, the only one, or the default."""
    if names == [""]:  # values of a metric that the file does not name
        sources.label = sources.metric and parse(sources.metric)
        return ""
    wanted = sources.wanted or (names[0] if len(names) == 1 else DEFAULT_METRIC)
    chosen = next((name for name in names if same_metric(name, wanted)), None)
    if chosen is None:
        known = ", ".join(map(shown, names[:20]))
        message = _NO_METRIC.fill(path=place, metric=sources.wanted or "-", known=known)
        raise input_error("RG114", message, CHOOSE_METRIC)
    sources.label = metric_named(chosen) or chosen
    return chosen


def _is_ranx(document: Mapping[str, Any]) -> bool:
    return isinstance(document.get("model_names"), list) and isinstance(document.get("metrics"), list)


def _add_ranx(sources: Sources, document: Mapping[str, Any], data_set: str, place: str) -> None:
    """Add the means in a report of ranx, one data set each."""
    chosen = _chosen_metric(sources, [str(name) for name in document["metrics"]], place)
    for system in document["model_names"]:
        try:
            value = document[system]["scores"][chosen]
            sources.add(str(system), data_set, float(value))
        except (KeyError, TypeError, ValueError):
            error = Phrase(f"scores of {system}", f"{system} 的分数")
            raise input_error("RG110", _NO_JSON.fill(path=place, error=error)) from None


def _is_mteb(document: Any) -> bool:
    return isinstance(document, Mapping) and isinstance(document.get("task_name"), str) and "scores" in document


def _mteb_parts(path: Path, folder: Path, model: str) -> tuple[str, ...]:
    """Return the parts of a path, MODEL/REVISION/TASK.json; the folder of one model has the name of the model."""
    parts = path.relative_to(folder).parts
    return (model, *parts) if model and len(parts) < OF_MODELS else parts


def _revisions(folder: Path, model: str) -> dict[str, int]:
    """Return how many revisions each model has in a folder of MTEB results."""
    revisions: dict[str, set[str]] = {}
    for path in folder.rglob("*.json"):
        parts = _mteb_parts(path, folder, model)
        if len(parts) >= OF_MODELS and path.name != META:
            revisions.setdefault(parts[0], set()).add(parts[1])
    return {name: len(names) for name, names in revisions.items()}


def _mteb_system(path: Path, folder: Path, revisions: Mapping[str, int], model: str) -> str:
    """Return the model of a file of MTEB results: its name, with the revision where there are several."""
    parts = _mteb_parts(path, folder, model)
    meta = path.parent / META
    name = parts[0] if len(parts) > 1 else folder.name
    if meta.is_file():
        content = parse_document(meta.read_bytes(), str(meta))
        name = str(content.get("name") or name) if isinstance(content, Mapping) else name
    return f"{name}@{parts[1]}" if revisions.get(parts[0], 1) > 1 else name


def _add_mteb(sources: Sources, document: Mapping[str, Any], system: str, place: str) -> None:
    """Add the main score of a task, or the metric asked for: the mean over its subsets."""
    splits = document["scores"]
    if not isinstance(splits, Mapping) or not splits:
        raise input_error("RG110", _NO_JSON.fill(path=place, error="scores"))
    if sources.split is None and len(splits) > 1 and "test" not in splits:
        names = ", ".join(map(shown, splits))
        raise input_error("RG114", _SPLITS.fill(path=place, names=names), CHOOSE_SPLIT)
    split = sources.split or ("test" if "test" in splits else next(iter(splits)))
    if split not in splits:
        names = ", ".join(map(shown, splits))
        raise input_error("RG114", _SPLITS.fill(path=place, names=names), CHOOSE_SPLIT)
    values = []
    for entry in splits[split] if isinstance(splits[split], list) else []:
        keys = ["main_score"] if sources.wanted is None else [key for key in entry if same_metric(key, sources.wanted)]
        if not keys or isinstance(entry.get(keys[0]), str | bool | None):
            known = ", ".join(map(shown, entry))
            raise input_error("RG114", _NO_METRIC.fill(path=place, metric=sources.wanted or "main_score", known=known))
        values.append(float(entry[keys[0]]))
    if values:
        sources.add(system, document["task_name"], float(np.mean(values)))
    if sources.label is None and sources.wanted is None:
        sources.label = "main_score"
