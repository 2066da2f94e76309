"""Judgments by several assessors, read from files and evaluated: ``-R prefs``, ``-R qrels_prefs`` and ``-R qrels_jg``.

A judgment group holds the judgments of one assessor for one query. If the assessor compared only some items at a time,
each comparison is a subgroup.

    query group subgroup item level      prefs
    query group item level               qrels_prefs (a group is a single subgroup)
    query group item grade               qrels_jg
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import polars as pl

from rankgauge.conventions import DEFAULT, Convention
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.formats.reader import BLOCK_BYTES
from rankgauge.inputs.formats.trec import data_lines, parse_fields
from rankgauge.inputs.io.compression import RawFile, open_bytes
from rankgauge.inputs.io.lines import FileContext, clean_text, line_blocks
from rankgauge.kernels.average import AP
from rankgauge.kernels.precision import P, Rprec
from rankgauge.matching.apply_rules import apply_rules
from rankgauge.matching.from_dicts import match_dicts
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.tool_names import FAMILIES
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, Segments
from rankgauge.trec_eval.measures import NUM_Q, RUNID, Evaluation, Measure, MeasureLine
from rankgauge.trec_eval.options import CALCULATION, INPUT, Options
from rankgauge.trec_eval.topics import CRun, check_missing, check_selected, convention_of, cut, exit_on_input_error

Subgroup = list[tuple[str, float]]
"""Items with levels; an item is preferred to all items with a lower level."""

SubgroupsByGroup = dict[str, dict[str, Subgroup]]
"""Preferences of one query, by group and subgroup."""

GradesByGroup = dict[str, dict[str, float]]
"""Grades of one query, by group and item."""

ONLY_SUBGROUP = "0"

Groups = TypeVar("Groups")
"""Judgments of all groups of one topic."""


def read_preferences(source: RawFile, *, has_subgroups: bool = True) -> dict[str, SubgroupsByGroup]:
    r"""Read ``query group subgroup item level``, or ordinary qrels as preferences for items with higher grades.

    >>> import io
    >>> read_preferences(io.StringIO("1 ann morning a 2\n1 ann morning b 0\n"))
    {'1': {'ann': {'morning': [('a', 2.0), ('b', 0.0)]}}}
    >>> read_preferences(io.StringIO("1 0 a 2\n1 0 b 0\n"), has_subgroups=False)
    {'1': {'0': {'0': [('a', 2.0), ('b', 0.0)]}}}
    """
    preferences: dict[str, SubgroupsByGroup] = {}
    for _, (query, group, *subgroup, item, _), level in _rows(source, 5 if has_subgroups else 4):
        subgroups = preferences.setdefault(query, {}).setdefault(group, {})
        subgroups.setdefault(subgroup[0] if subgroup else ONLY_SUBGROUP, []).append((item, level))
    return preferences


def read_grouped_grades(source: RawFile) -> dict[str, GradesByGroup]:
    r"""Read ``query group item grade``, qrels of several assessors; grades are truncated to integers.

    >>> import io
    >>> read_grouped_grades(io.StringIO("1 ann a 2\n1 bob a 0\n"))
    {'1': {'ann': {'a': 2.0}, 'bob': {'a': 0.0}}}
    """
    by_query: dict[str, GradesByGroup] = {}
    for place, (query, group, item, _), grade in _rows(source, 4):
        grades = by_query.setdefault(query, {}).setdefault(group, {})
        if item in grades:
            raise InputError(
                f"{place}: item {shown(item)} is judged twice (query {shown(query)}, group {shown(group)}); "
                "keep one judgment for each query, group and item"
            )
        grades[item] = float(math.trunc(grade))
    return by_query


def _rows(source: RawFile, columns: int) -> Iterator[tuple[str, list[str], float]]:
    """Yield the place of each data line, its columns, and the last column as a number."""
    findings = Findings()
    stream = open_bytes(source)
    name = stream.name
    context = FileContext(name, "judgments", findings, lenient=False)
    with closing(stream):
        for raw in line_blocks(stream, BLOCK_BYTES):
            block = clean_text(raw, context)
            for line, fields in data_lines(block):
                context.rows_begun = True
                parsed = parse_fields(context, line, fields, columns, item=-2, more=False)
                findings.raise_errors(lenient=False)
                if parsed is not None:
                    yield f"{name}:{line}", *parsed
    if not context.rows_begun:
        raise input_error("RG101", f"{name}: nothing in it: no line with data")


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
        judgments, run = read(options.judgments), CRun(options.results, options.version)
        rows = pl.concat([*run.blocks(Findings())])
    if options.only is not None:
        judgments = {topic: groups for topic, groups in judgments.items() if topic == options.only}
        check_selected(options, is_judged=bool(judgments))
    with exit_on_input_error(CALCULATION):
        rankings = _by_topic(rows.filter(pl.col("query").is_in([*judgments])))
        judged = sorted(judgments)
        check_missing([topic for topic in judged if topic not in rankings], len(judged), options)
        topics = judged if options.version == 10 else [topic for topic in judged if topic in rankings]  # noqa: PLR2004
        task = GroupedTopics(judgments, rankings, topics, convention_of(options), options.depth)
        columns = compute(task, [line for line in lines if line.measure.has_values])
    averaged_over = len(judged) if options.complete else len(topics)
    return Evaluation(topics, {**columns}, averaged_over, {"runid": run.run_id, "num_q": averaged_over})


def _by_topic(run: pl.DataFrame) -> dict[str, dict[str, float]]:
    duplicated = run.select("query", "item").is_duplicated()
    if duplicated.any():
        topic, item, _ = run.row(duplicated.arg_true()[0])
        raise InputError(f"the run has item {shown(item)} more than once in topic {shown(topic)}; keep one of them")
    return {
        part["query"][0]: dict(zip(part["item"], part["score"], strict=True))
        for part in run.partition_by("query", maintain_order=True)
    }


GROUP_MEANINGS: Mapping[str, Phrase] = {
    "map_avgjg": Phrase(
        "Average precision under the judgments of each judgment group, then the mean over the groups of the query.",
        "分别按每个标注组的标注计算平均精确率，再对该查询的各组求平均。",
    ),
    "P_avgjg": Phrase(
        "Precision at a cutoff under the judgments of each judgment group, then the mean over the groups of the query.",
        "分别按每个标注组的标注计算前 k 个结果的精确率，再对该查询的各组求平均。",
    ),
    "Rprec_mult_avgjg": Phrase(
        "Precision at rank m R + 0.9, truncated to an integer, where R is the number of items that the group judged "
        "relevant and m is the parameter; then the mean over the groups of the query.",
        "第 m R + 0.9 名（取整数部分）处的精确率，其中 R 为该组判为相关的物品数，m 为参数；再对该查询的各组求平均。",
    ),
}

GROUP_MEASURES: tuple[Measure, ...] = (
    Measure("map_avgjg", GROUP_MEANINGS["map_avgjg"].en, formats=("qrels_jg",)),
    Measure("P_avgjg", GROUP_MEANINGS["P_avgjg"].en, kind="cutoffs", default=FAMILIES["P"], formats=("qrels_jg",)),
    Measure(
        "Rprec_mult_avgjg",
        GROUP_MEANINGS["Rprec_mult_avgjg"].en,
        kind="points",
        default=FAMILIES["Rprec_mult"],
        formats=("qrels_jg",),
    ),
)
"""All measures over judgment groups, in the output order of trec_eval."""

MEASURES = (RUNID, NUM_Q, *GROUP_MEASURES)
NICKNAMES = {"qrels_jg": tuple(measure.name for measure in MEASURES)}


def evaluate(options: Options, lines: Sequence[MeasureLine]) -> Evaluation:
    """Read judgments of several assessors and a run, and evaluate them: a measure by assessor, then the mean.

    Each group is matched as if it were a query of its own with the same ranking, so the values are those of the
    metrics of this library.
    """
    return evaluate_grouped(options, lines, read_grouped_grades, group_columns)


def group_columns(task: GroupedTopics[GradesByGroup], lines: Sequence[MeasureLine]) -> dict[str, Floats]:
    """Return the values of measures over judgment groups, by printed name, one per topic.

    >>> judgments = {"1": {"ann": {"a": 1, "b": 0}, "bob": {"a": 0, "b": 1}}}
    >>> task = GroupedTopics(judgments, {"1": {"a": 2, "b": 1}}, ["1"])
    >>> group_columns(task, Measure("map_avgjg").lines())  # (1 + 1/2) / 2
    {'map_avgjg': array([0.75])}
    """
    judgments, convention = task.judgments, task.convention
    by_group = {(topic, group): judgments[topic][group] for topic in task.topics for group in sorted(judgments[topic])}
    same_ranking = {(topic, group): task.rankings.get(topic, {}) for topic, group in by_group}
    metrics = {line.name: _metric(line) for line in lines}
    values = {name: np.zeros(len(by_group)) for name in metrics}
    for numbers, matched in match_dicts(by_group, same_ranking, [*by_group], convention, Findings()):
        judged = apply_rules(cut(matched, task.depth), convention)
        for name, metric in metrics.items():
            values[name][numbers] = metric.values(judged, convention)
    groups = Segments.of_sizes(np.array([len(judgments[topic]) for topic in task.topics], dtype=np.int64))
    return {name: groups.sum(column) / groups.sizes for name, column in values.items()}


def _metric(line: MeasureLine) -> Metric:
    """Return the metric that is averaged over groups."""
    match line.measure.name:
        case "map_avgjg":
            return AP
        case "P_avgjg":
            return P(k=int(line.numbers[0]))
        case _:
            return Rprec(multiple=line.numbers[0])
