"""Scores of the rows of a LETOR file: one number per line, in the same order."""

from __future__ import annotations

import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import Codec, Confidence, Sample
from rankgauge.inputs.formats.pairing import alone, scored_rows, text_lines
from rankgauge.inputs.io.lines import NUMBER


def _sniff(sample: Sample) -> Confidence:
    """Recognise two lines of one number; a file of one line must have been asked for as a ranking."""
    lines = [sample.line.strip(), sample.next_line.encode().strip()]
    numbers = [bool(NUMBER.fullmatch(line)) for line in lines if line]
    asked = len(numbers) > 1 or sample.role == "ranking"
    return Confidence.ROW if numbers and all(numbers) and asked and sample.role != "judgments" else Confidence.NONE


def pair(judged: pl.DataFrame, judged_name: str, content: bytes, name: str) -> pl.DataFrame:
    """Return the ranking: each judged row with its score."""
    scores = []
    for number, line in text_lines(content):
        if not NUMBER.fullmatch(line.encode()):
            en = f"{name}:{number}: expected one score, found {shown(line)}"
            raise input_error("RG201", (en, f"{name}:{number}：应为一个分数，实为 {shown(line)}"))
        scores.append(float(line))
    return scored_rows(judged, judged_name, scores, name)


CODEC = Codec(read=alone, guess_role=lambda _: "ranking", sniff=_sniff)
