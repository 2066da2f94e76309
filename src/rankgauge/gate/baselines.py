"""Baselines of a check that are scores: saved as JSON, or in memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from os import PathLike
from typing import Any

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, UnknownNameError, shown
from rankgauge.evaluation.saved_scores import with_query_values
from rankgauge.evaluation.score_formats import SCHEMA
from rankgauge.evaluation.scores import Scores
from rankgauge.evaluation.value_formats import NO_VALUES
from rankgauge.history.run import LoggedRun, MetricSummary
from rankgauge.history.stored_results import stored_scores, value_frame
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.paths import split_system
from rankgauge.matching.judgments import Judgments
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Phrase

SAVED = re.compile(rb'\s*\{\s*"schema"\s*:')


def saved_scores(source: object) -> tuple[Mapping[str, object] | None, object]:
    """Return the scores saved by ``Scores.to_json``, None if the source is a ranking, and the source to read then."""
    if isinstance(source, Mapping):
        return (source if "schema" in source and ("per_query" in source or "systems" in source) else None), source
    if not isinstance(source, str | PathLike) or source == "-" or split_system(source)[1]:
        return None, source
    file = InputFile(source)
    name = file.name
    if not SAVED.match(file.stream.peek(200)):
        return None, file
    with closing(file.take()) as stream:
        try:
            data = json.loads(stream.read())
        except ValueError as error:
            raise InputError(
                (
                    f"{name}: the saved scores cannot be read ({error}); save them again",
                    f"{name}：无法读取保存的结果（{error}）；请重新保存",
                )
            ) from None
    data = with_query_values(data, name) if isinstance(data, dict) else data
    if not isinstance(data, dict) or not ("per_query" in data or "systems" in data):
        raise InputError(NO_VALUES.fill(name=name))
    return data, source


def scores_of_saved(
    data: Mapping[str, Any], metrics: Sequence[Metric], queries: Sequence[Any], convention: Convention
) -> Scores:
    """Return saved scores as Scores of these queries; raise an error if metrics, queries or rules differ."""
    if data["schema"] != SCHEMA:
        schema = shown(data["schema"])
        raise InputError(
            (
                f"baseline: its schema is {schema}, not {SCHEMA}; save it again",
                f"基线：结构版本为 {schema}，而不是 {SCHEMA}；请重新保存",
            )
        )
    if "per_query" not in data and len(data["systems"]) == 1:
        data = {**data, **next(iter(data["systems"].values()))}
    if "per_query" not in data and "mean" in data:
        raise InputError(NO_VALUES.fill(name=Phrase("baseline", "基线")))
    if "per_query" not in data:
        names = ", ".join(map(str, data["systems"]))
        raise InputError(
            (
                f"baseline: it has several systems ({names}); save one: scores.system('...').to_json()",
                f"基线：其中有多个系统（{names}）；请只保存一个：scores.system('...').to_json()",
            )
        )
    per_query = data["per_query"]
    saved = dict.fromkeys([*(name for values in per_query.values() for name in values), *data.get("mean", {})])
    _check_metrics(metrics, saved, data["convention"], convention)
    absent = [query for query in queries if str(query) not in per_query]
    if absent or len(per_query) != len(queries):
        first = absent[0] if absent else next(iter(per_query.keys() - {*map(str, queries)}))
        problem, zh = ("is not in it", "不在其中") if absent else ("has no judgments", "没有标注")
        raise InputError(
            (
                f"baseline: query {shown(first)} {problem}; save it again with the current judgments",
                f"基线：查询 {shown(first)} {zh}；请用当前的标注重新保存",
            )
        )
    unanswered, means = {*map(str, data.get("missing", ()))}, data.get("mean", {})
    values = {str(metric): [per_query[str(query)].get(str(metric)) for query in queries] for metric in metrics}
    table = value_frame(queries, values, [str(query) not in unanswered for query in queries])
    summaries = {name: MetricSummary(means.get(name), len(queries), None) for name in values}
    run = LoggedRun.of_provenance(data.get("provenance") or {}, summaries)
    return stored_scores({"baseline": (run, table)}, [*values], (queries, convention))


def check_scores(scores: Scores, metrics: Sequence[Metric], queries: Sequence[object], convention: Convention) -> None:
    """Raise an error if metrics, queries or rules of the scores differ."""
    _check_metrics(metrics, map(str, scores.metrics), scores.convention.to_dict(), convention)
    if [*map(str, scores.queries)] != [*map(str, queries)]:
        raise InputError(
            (
                "baseline: its queries are not those of the judgments; evaluate it with the same judgments",
                "基线：其查询与标注的不同；请用同一份标注评测",
            )
        )


def check_judgments(provenance: object, judgments: Judgments) -> None:
    """Raise an error if a baseline was computed with judgments of other content; one without provenance passes."""
    before = provenance.get("judgments") if isinstance(provenance, Mapping) else None
    now = judgments.fingerprint if before is not None else None
    if before is None or now is None or before == now:
        return
    message = Phrase(
        "baseline: it was computed with other judgments (fingerprint {before}, now {now}), so that the values cannot "
        "be compared; save it again with the current judgments, or pass its ranking",
        "基线：当时所用的标注内容不同（指纹为 {before}，现在为 {now}），两者的值无法比较；"
        "请用当前的标注重新保存，或给出基线的排序结果",
    )
    raise InputError(message.fill(before=shown(before), now=shown(now)))


def _check_metrics(
    metrics: Sequence[Metric], names: Iterable[str], saved: Mapping[str, Any], convention: Convention
) -> None:
    """Raise an error if a metric is missing from the baseline or was computed with other rules."""
    available = [*names]
    before, now = (json.loads(json.dumps(rules)) for rules in (saved, convention.to_dict()))
    for metric in metrics:
        if str(metric) not in available:
            raise UnknownNameError.closest("metric of the baseline", str(metric), available)
        for name in [*metric.used_rules(metric.effective_convention(convention)), "per_metric"]:
            if before.get(name) != now[name]:
                old, new = f"{name}={shown(before.get(name))}", f"{name}={shown(now[name])}"
                message = Phrase(
                    "baseline: {metric} was computed with {old}, now it is {new}; use the same rule, or save the "
                    "baseline again",
                    "基线：{metric} 当时按 {old} 计算，现在为 {new}；请采用相同的规则，或重新保存基线",
                )
                raise InputError(message.fill(metric=metric, old=old, new=new))
