"""Judgments as ``ir_datasets export --format tsv`` writes them: query, item, grade and iteration without a header."""

from __future__ import annotations

from rankgauge.inputs.formats.codec import Confidence, text_codec
from rankgauge.inputs.formats.delimited import Delimited, DelimitedParser
from rankgauge.inputs.formats.trec import has_iteration_last

TABLE = Delimited("\t", "", quotes=False, places={"query": "1", "item": "2", "grade": "3"})
CODEC = text_codec(
    lambda file: DelimitedParser(file, TABLE),
    guess_role=lambda _: "judgments",
    sniff=lambda sample: Confidence.ROW if has_iteration_last(sample) else Confidence.NONE,
)
