"""Scores that RankLib writes with ``-score``: query, number of the row in the query from 0, and score."""

from __future__ import annotations

import numpy as np
import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import Codec, Confidence, Sample
from rankgauge.inputs.formats.pairing import alone, scored_rows, text_lines
from rankgauge.inputs.io.lines import NUMBER
from rankgauge.inputs.table_rows import run_lengths
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Segments

COLUMNS = 3


def _row(line: str) -> tuple[str, str, str] | None:
    """Return query, number and score of a line, None for another line."""
    fields = line.split("\t")
    if len(fields) != COLUMNS or not fields[1].isdecimal() or not NUMBER.fullmatch(fields[2].strip().encode()):
        return None
    return fields[0], fields[1], fields[2]


def _sniff(sample: Sample) -> Confidence:
    """Recognise rows numbered from 0 within their query, with scores that have a decimal point."""
    first = _row(sample.text)
    if sample.role == "judgments" or first is None or first[1] != "0" or "." not in first[2]:
        return Confidence.NONE
    second = _row(sample.next_line) if sample.next_line.strip() else (first[0], "1", "")
    number = None if second is None else "1" if second[0] == first[0] else "0"
    return Confidence.ROW if second is not None and second[1] == number else Confidence.NONE


def pair(judged: pl.DataFrame, judged_name: str, content: bytes, name: str) -> pl.DataFrame:
    """Return the ranking: each judged row with its score; query and number must be those of the row."""
    queries, places = judged["query"], Segments.of_sizes(run_lengths(judged["query"])).place().astype(np.int64) - 1
    scores: list[float] = []
    for number, line in text_lines(content):
        row, place = _row(line), len(scores)
        if row is None:
            message = Phrase(
                f"{name}:{number}: expected query, number of the row in it and score, found {shown(line)}",
                f"{name}:{number}：应为查询、行在其中的序号与分数，实为 {shown(line)}",
            )
            raise input_error("RG110", message)
        if place < len(queries) and row[:2] != (queries[place], str(places[place])):
            message = Phrase(
                f"{name}:{number}: row {row[1]} of query {shown(row[0])}, where {judged_name} has row {places[place]} "
                f"of query {shown(queries[place])}",
                f"{name}:{number}：查询 {shown(row[0])} 的第 {row[1]} 行，而 {judged_name} 此处为查询 "
                f"{shown(queries[place])} 的第 {places[place]} 行",
            )
            raise input_error("RG110", message)
        scores.append(float(row[2]))
    return scored_rows(judged, judged_name, scores, name)


CODEC = Codec(read=alone, guess_role=lambda _: "ranking", sniff=_sniff)
