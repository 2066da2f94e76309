"""The baseline of a check: another ranking, or the scores that an earlier run saved as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from os import PathLike
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, UnknownNameError, shown
from rankgauge.evaluation.score_data import SCHEMA
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.metric import Metric

OF_EVERY_MEAN = ("missing", "averaging", "counts", "no_relevant", "score_precision", "per_metric")
"""Rules that move a mean whatever the metric is."""
SAVED = re.compile(rb'\s*\{\s*"schema"\s*:')


def saved_scores(source: Any) -> Mapping[str, Any] | None:
    """What ``Scores.to_json`` wrote, where the source is that; None where it is a ranking."""
    if isinstance(source, Mapping):
        return source if "schema" in source and ("per_query" in source or "systems" in source) else None
    if not isinstance(source, str | PathLike) or source == "-":
        return None
    from rankgauge.inputs.io.compression import open_bytes  # noqa: PLC0415

    stream, name = open_bytes(source)
    with closing(stream):
        if not SAVED.match(stream.peek(200)):
            return None
        try:
            data = json.loads(stream.read())
        except ValueError as error:
            raise InputError(f"{name}: the saved scores cannot be read ({error}); save them anew") from None
    if not isinstance(data, dict) or not ("per_query" in data or "systems" in data):
        raise InputError(f"{name}: there are no values by query in it; save it with Scores.to_json")
    return data


def scores_of_saved(
    data: Mapping[str, Any], metrics: Sequence[Metric], queries: Sequence[Any], convention: Convention
) -> Scores:
    """Saved scores as Scores of these queries; an error where they were made in another way."""
    if data["schema"] != SCHEMA:
        raise InputError(f"baseline: its schema is {shown(data['schema'])}, not {SCHEMA}; save it anew")
    if "per_query" not in data and len(data["systems"]) == 1:
        data = {**data, **next(iter(data["systems"].values()))}
    if "per_query" not in data:
        named = ", ".join(map(str, data["systems"]))
        raise InputError(f"baseline: it holds several systems ({named}); save one: scores.system('...').to_json()")
    per_query = data["per_query"]
    known = {name: None for values in per_query.values() for name in values} | data.get("mean", {})
    for metric in metrics:
        if str(metric) not in known:
            raise UnknownNameError.closest("metric of the baseline", str(metric), known)
        _check_rules(metric, data["convention"], convention)
    lacking = [query for query in queries if str(query) not in per_query]
    if lacking or len(per_query) != len(queries):
        first = lacking[0] if lacking else next(iter(per_query.keys() - {*map(str, queries)}))
        which = "lacks" if lacking else "has, beside those of the judgments,"
        raise InputError(f"baseline: it {which} query {shown(first)}; save it anew with the judgments of today")
    columns = {
        metric: np.array([_number(per_query[str(query)].get(str(metric))) for query in queries]) for metric in metrics
    }
    wholes = {
        metric: CorpusValue.constant(_number(data.get("mean", {}).get(str(metric))))
        for metric in metrics
        if metric.definition.summary.is_resampled
    }
    absent = {*map(str, data.get("missing", ()))}
    missing = np.array([place for place, query in enumerate(queries) if str(query) in absent], dtype=np.int64)
    return Scores(queries, {"baseline": (columns, missing)}, convention, Findings(), wholes={"baseline": wholes})


def check_scores(scores: Scores, metrics: Sequence[Metric], queries: Sequence[Any], convention: Convention) -> None:
    """Raise an error where the scores are not of these metrics, queries and rules."""
    for metric in metrics:
        if metric not in scores.metrics:
            raise UnknownNameError.closest("metric of the baseline", str(metric), map(str, scores.metrics))
        _check_rules(metric, scores.convention.to_dict(), convention)
    if [*map(str, scores.queries)] != [*map(str, queries)]:
        raise InputError("baseline: its queries are not those of the judgments; evaluate it with the same judgments")


def _check_rules(metric: Metric, theirs: Mapping[str, Any], convention: Convention) -> None:
    ours = json.loads(json.dumps(convention.to_dict()))
    theirs = json.loads(json.dumps(theirs))
    names = [*metric.definition.applicable_rules, *OF_EVERY_MEAN, *(["seed"] if convention.ties == "random" else [])]
    for name in names:
        if theirs.get(name) != ours[name]:
            raise InputError(
                f"baseline: {metric} was computed with {name}={shown(theirs.get(name))}, now it is "
                f"{name}={shown(ours[name])}; use the same rule, or save the baseline anew"
            )


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)
