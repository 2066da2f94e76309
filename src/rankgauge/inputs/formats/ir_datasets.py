"""Judgments as ``ir_datasets export --format tsv`` writes them: query, item, grade and iteration without a header."""

from __future__ import annotations

from rankgauge.inputs.formats.codec import Confidence, Sample, text_codec
from rankgauge.inputs.formats.delimited import Delimited, DelimitedParser
from rankgauge.inputs.io.lines import BOM

TABLE = Delimited("\t", "", quotes=False, places={"query": "1", "item": "2", "grade": "3"})
COLUMNS = 4


def has_iteration_last(sample: Sample) -> bool:
    r"""Whether the third column is the grade: read as TREC judgments, a query would have one item several times.

    >>> has_iteration_last(Sample(b"q1\ta\t1\t0\nq1\tb\t1\t0\n", "qrels.tsv"))
    True
    """
    if sample.role == "ranking" or sample.line.count(b"\t") != COLUMNS - 1:
        return False
    lines = sample.head.removeprefix(BOM).replace(b"\r\n", b"\n").split(b"\n")
    rows = [line.split(b"\t") for line in filter(bytes.strip, lines[:-1] or lines)]
    if any(len(row) != COLUMNS or not row[2].strip().lstrip(b"-").isdigit() for row in rows):
        return False
    same_iteration = len({row[3].strip() for row in rows}) == 1
    return same_iteration and len({(row[0], row[2]) for row in rows}) < len({(row[0], row[1]) for row in rows})


CODEC = text_codec(
    lambda file: DelimitedParser(file, TABLE),
    guess_role=lambda _: "judgments",
    sniff=lambda sample: Confidence.ROW if has_iteration_last(sample) else Confidence.NONE,
)
