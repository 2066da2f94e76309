"""Evaluation of a run against judgments by several assessors: which topics count, and what is computed for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import polars as pl

from rankgauge.conventions import DEFAULT, Convention
from rankgauge.errors import InputError, shown
from rankgauge.segments import Floats
from rankgauge.trec_eval.measure import Evaluation, MeasureLine
from rankgauge.trec_eval.options import CALCULATION, INPUT, Options
from rankgauge.trec_eval.results import read_results
from rankgauge.trec_eval.topics import check_missing, check_selected, convention_of, exit_on_input_error

Groups = TypeVar("Groups")
"""Judgments of all groups of one topic."""


@dataclass(frozen=True)
class GroupedTopics(Generic[Groups]):
    """Grouped judgments and rankings of the topics to evaluate."""

    judgments: Mapping[str, Groups]
    rankings: Mapping[str, Mapping[str, float]]
    """Scores by topic and item; a topic that is not in it returned nothing."""
    topics: Sequence[str]
    convention: Convention = DEFAULT
    depth: int | None = None
    """Number of returned items to keep (``-M``); None keeps all."""


def evaluate_grouped(
    options: Options,
    lines: Sequence[MeasureLine],
    read: Callable[[str], Mapping[str, Groups]],
    compute: Callable[[GroupedTopics[Groups], Sequence[MeasureLine]], dict[str, Floats]],
) -> Evaluation:
    """Read both files, and compute the lines for the topics that count."""
    with exit_on_input_error(INPUT):
        judgments, results = read(options.judgments), read_results(options.results)
    if options.only is not None:
        judgments = {topic: groups for topic, groups in judgments.items() if topic == options.only}
        check_selected(options, found=bool(judgments))
    with exit_on_input_error(CALCULATION):
        rankings = _by_topic(results.frame.filter(pl.col("query").is_in([*judgments])))
        judged = sorted(judgments)
        check_missing([topic for topic in judged if topic not in rankings], len(judged), options)
        topics = judged if options.version == 10 else [topic for topic in judged if topic in rankings]  # noqa: PLR2004
        task = GroupedTopics(judgments, rankings, topics, convention_of(options), options.depth)
        columns = compute(task, [line for line in lines if line.measure.has_values])
    averaged_over = len(judged) if options.complete else len(topics)
    return Evaluation(topics, {**columns}, averaged_over, {"runid": results.run_id, "num_q": averaged_over})


def _by_topic(run: pl.DataFrame) -> dict[str, dict[str, float]]:
    duplicated = run.select("query", "item").is_duplicated()
    if duplicated.any():
        topic, item, _ = run.row(duplicated.arg_true()[0])
        raise InputError(f"the run has item {shown(item)} more than once in topic {shown(topic)}; keep one of them")
    return {
        part["query"][0]: dict(zip(part["item"], part["score"], strict=True))
        for part in run.partition_by("query", maintain_order=True)
    }
