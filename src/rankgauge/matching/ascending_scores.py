"""Notice scores that ascend in the order in which items are given, as distances do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, pairwise
from math import lgamma, log
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import RepeatedItems
from rankgauge.rendering.language import Phrase, plural
from rankgauge.segments import Array

if TYPE_CHECKING:
    import polars as pl

SAMPLE = 2_000
"""Items that are looked at; a ranking is written one way from its beginning to its end."""
COINCIDENCE = log(1e6)
"""Lists whose orders would all ascend by chance once in a million times."""


def note_ascending_scores(scores: Iterator[list[Any]], place: Phrase, findings: Findings) -> None:
    """Report lists that all ascend, once there are so many that it cannot be chance."""
    evidence, lists = 0.0, 0
    for of_query in scores:
        numbers = np.asarray(of_query)
        if numbers.dtype.kind not in "iuf" or not (numbers[1:] > numbers[:-1]).all():
            return
        evidence += lgamma(len(numbers) + 1)  # one of n! orders
        lists += len(numbers) > 1
    if evidence > COINCIDENCE:
        example = Phrase(
            plural(lists, "the scores of the list ascend", "the scores ascend in each of the first # lists"),
            f"前 {lists:,} 个列表的分数递增" if lists > 1 else "列表的分数递增",
        )
        findings.add("RG410", (f"{place.en}{example.en}", f"{place.zh}{example.zh}"))


def scores_of_records(rankings: Mapping[Any, Any]) -> Iterator[list[Any]]:
    """Yield the scores of the first queries of dicts, as given; a list without scores is in rank order."""
    left = SAMPLE
    for ranking in rankings.values():
        scores = ranking.scores if isinstance(ranking, RepeatedItems) else ranking
        values = scores.values() if isinstance(scores, Mapping) else scores
        if ranking is scores and not isinstance(ranking, Mapping):
            return
        listed = [*islice(values, left)]
        yield listed
        left -= len(listed)
        if left <= 0:
            return


def scores_of_frame(frame: pl.DataFrame) -> Iterator[list[Any]]:
    """Yield the scores of the first queries of rows, as given."""
    head = frame.select("query", "score").head(SAMPLE)
    yield from head.group_by("query", maintain_order=True).agg("score")["score"].to_list()


def scores_of_array(scores: Array, offsets: Array | None) -> Iterator[list[Any]]:
    """Yield the scores of the first rows of a matrix, or of the first groups of a flat array."""
    left = SAMPLE
    borders = None if offsets is None else pairwise(offsets.tolist())
    for of_query in scores if borders is None else (scores[start:end] for start, end in borders):
        yield of_query[:left].tolist()
        left -= len(of_query)
        if left <= 0:
            return
