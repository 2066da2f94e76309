"""Evaluating a run against judgments of several people: which topics count, and what is computed for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import polars as pl

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, shown
from rankgauge.segments import Floats
from rankgauge.trec_eval.measure import Evaluated, Measure, Setting
from rankgauge.trec_eval.options import Options
from rankgauge.trec_eval.qrels import read_results, rules_of
from rankgauge.trec_eval.quit import CALCULATION, INPUT, NO_OVERLAP, QuitError

Wanted = Sequence[tuple[Measure, Setting]]
"""The lines of output, in order."""
Rankings = Mapping[str, Mapping[str, float]]
"""The score of each returned item, by topic."""
Groups = TypeVar("Groups")
"""What the people of one topic said."""
Compute = Callable[[Mapping[str, Groups], Rankings, Sequence[str], Wanted, Convention, int | None], dict[str, Floats]]
"""From judgments, rankings, topics, lines, rules and depth to the values of each line."""


def evaluate_topics(
    options: Options, wanted: Wanted, read: Callable[[str], Mapping[str, Groups]], compute: Compute[Groups]
) -> Evaluated:
    """Read both files, and compute the wanted lines for the topics that count."""
    try:
        judgments, results = read(options.judgments), read_results(options.results)
    except InputError as error:
        raise QuitError(INPUT, str(error)) from None
    if options.only is not None:
        judgments = {topic: groups for topic, groups in judgments.items() if topic == options.only}
        if not judgments:
            raise QuitError(NO_OVERLAP, f"topic {shown(options.only)} is not in the judgments")
    lines = [(measure, setting) for measure, setting in wanted if measure.has_values]
    try:
        rankings = _by_topic(results.frame.filter(pl.col("query").is_in([*judgments])))
        topics = _topics_that_count(sorted(judgments), rankings, options)
        columns = compute(judgments, rankings, topics, lines, rules_of(options), options.depth)
    except InputError as error:
        raise QuitError(CALCULATION, str(error)) from None
    averaged_over = len(judgments) if options.complete else len(topics)
    return Evaluated(topics, {**columns}, averaged_over, {"runid": results.run_id, "num_q": averaged_over})


def _by_topic(run: pl.DataFrame) -> dict[str, dict[str, float]]:
    repeated = run.select("query", "item").is_duplicated()
    if repeated.any():
        query, item, _ = run.row(repeated.arg_true()[0])
        raise InputError(f"the run has item {shown(item)} more than once in topic {shown(query)}; keep one of them")
    return {
        part["query"][0]: dict(zip(part["item"], part["score"], strict=True))
        for part in run.partition_by("query", maintain_order=True)
    }


def _topics_that_count(judged: list[str], rankings: Rankings, options: Options) -> list[str]:
    """Version 9 leaves out topics that are missing from the run; version 10 wants none missing, or ``-c``."""
    answered = [topic for topic in judged if topic in rankings]
    if not answered:
        raise QuitError(NO_OVERLAP, "the run and the judgments have no topic in common")
    if options.version == 9 or len(answered) == len(judged):  # noqa: PLR2004 (the version)
        return answered
    if not options.complete:
        first = shown(next(topic for topic in judged if topic not in rankings))
        raise QuitError(
            CALCULATION,
            f"{len(judged) - len(answered)} judged topics are not in the run, first {first}; with -c they count as "
            "empty, with --compat 9 they are left out",
        )
    return judged
