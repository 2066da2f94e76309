"""Evaluation of a run against ordinary judgments (``-R qrels``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import inspect_source
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.inputs.io.prefetch import prefetch, with_findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.matching.apply_rules import apply_rules
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Matched
from rankgauge.segments import Ints
from rankgauge.trec_eval.formulas import formula
from rankgauge.trec_eval.measures import MEASURES, NICKNAMES, Column, Evaluation, MeasureLine, Version
from rankgauge.trec_eval.options import CALCULATION, INPUT, ExitError, Options
from rankgauge.trec_eval.topics import (
    CLines,
    CRun,
    check_missing,
    check_selected,
    convention_of,
    cut,
    exit_on_input_error,
)

__all__ = ["MEASURES", "NICKNAMES", "evaluate", "evaluate_run", "read_qrels"]


def evaluate(options: Options, lines: Sequence[MeasureLine]) -> Evaluation:
    """Read both files and evaluate them."""
    with exit_on_input_error(INPUT):
        try:
            judgments = read_qrels(options.judgments, options.version)
        except InputError:
            _check_order(options)
            raise
        run = CRun(options.results, options.version)
    try:
        return evaluate_run(judgments, run, options, lines)
    except ExitError:
        run.check_rest()
        raise


def _check_order(options: Options) -> None:
    """Raise an error if the file of judgments is a run, and the other one holds judgments."""
    files = options.judgments, options.results
    if all(map(is_regular_file, files)) and [inspect_source(file).role for file in files] == ["ranking", "judgments"]:
        first, second = files
        raise InputError(
            f"the arguments look swapped: {first} holds a run and {second} holds judgments; pass the judgments first"
        )


def read_qrels(path: str, version: Version = 10) -> pl.DataFrame:
    """Read judgments, sorted by the bytes of the topic; grades are truncated to integers, as in trec_eval."""
    frame = pl.concat([*CLines("judgments", version).blocks(path, "judgments", Findings())])
    frame = frame.with_columns(grade=np.trunc(frame["grade"].to_numpy()))
    return frame if frame["query"].is_sorted() else frame.sort("query", maintain_order=True)


def evaluate_run(judgments: pl.DataFrame, run: CRun, options: Options, lines: Sequence[MeasureLine]) -> Evaluation:
    """Evaluate a run against parsed judgments."""
    if options.only is not None:
        judgments = judgments.filter(pl.col("query") == options.only)
        check_selected(options, is_judged=judgments.height > 0)
    with exit_on_input_error(CALCULATION):
        return _evaluate(judgments, run, options, lines)


def _evaluate(frame: pl.DataFrame, run: CRun, options: Options, lines: Sequence[MeasureLine]) -> Evaluation:
    convention, findings = convention_of(options), Findings()
    formulas = {line.name: formula(line, options) for line in lines if line.measure.has_values}
    judgments = Judgments(frame, ReadOptions(), findings)
    _refuse_duplicates(findings)
    numbers: list[Ints] = [np.zeros(0, dtype=np.int64)]
    columns: list[dict[str, Column]] = []

    def compute(chunk: Ints, matched: Matched) -> None:
        judged = apply_rules(cut(matched, options.depth), convention)
        numbers.append(chunk)
        columns.append({name: values(judged, convention) for name, values in formulas.items()})

    for (chunk, matched), in_chunk in prefetch(with_findings(run.chunks(judgments, convention, findings), findings)):
        _refuse_duplicates(in_chunk)
        compute(chunk, matched)
    _refuse_duplicates(findings)
    missing = np.setdiff1d(np.arange(len(judgments.queries)), np.concatenate(numbers))
    check_missing([judgments.queries[number] for number in missing], len(judgments.queries), options)
    if len(missing) and options.version == 10:  # noqa: PLR2004 (the version)
        compute(missing, judgments.unanswered(missing))
    # If lines of a topic are scattered, topics come again, and complete only the last time.
    order, last = np.unique(np.concatenate(numbers)[::-1], return_index=True)
    places = sum(map(len, numbers)) - 1 - last
    if formulas:
        _refuse_only_negative(frame, judgments.queries[int(order[0])])
    complete_9 = options.complete and options.version == 9  # noqa: PLR2004 (the version)
    count = len(judgments.queries) if complete_9 else len(order)
    overall: dict[str, float | str] = {"runid": run.run_id, "num_q": count}
    if options.complete:
        overall["num_rel"] = float((frame["grade"] > 0).sum())
    return Evaluation(
        topics=[judgments.queries[number] for number in order],
        columns={name: _joined([part[name] for part in columns], places) for name in formulas},
        averaged_over=count,
        overall=overall,
    )


def _refuse_only_negative(frame: pl.DataFrame, topic: str) -> None:
    """Raise if all grades of the first topic are negative: C has no room to count the grades of such a topic.

    Later topics reuse the room of earlier ones and are evaluated.
    """
    if frame.filter((pl.col("query") == topic) & (pl.col("grade") >= 0)).is_empty():
        raise InputError(f"topic {shown(topic)} is evaluated first and has no grade of 0 or more, so trec_eval stops")


def _refuse_duplicates(findings: Findings) -> None:
    """Raise if an item occurs twice in a topic of the run or the judgments, even with the same grade."""
    findings.raise_errors(lenient=False)
    for finding in findings:
        if finding.code == "RG303":
            raise InputError(finding.texts.en)


def _joined(parts: Sequence[Column], places: Ints) -> Column:
    """Concatenate the values of all topics and sort them."""
    if isinstance(parts[0], list):
        texts = [text for part in parts for text in part]
        return [texts[place] for place in places]
    return np.concatenate(parts)[places]
