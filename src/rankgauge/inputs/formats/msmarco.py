"""Runs of MS MARCO: query, item and rank without a header; the rank counts 1, 2, 3 for each query."""

from __future__ import annotations

from rankgauge.inputs.formats.codec import Confidence, Sample, text_codec
from rankgauge.inputs.formats.delimited import Delimited, DelimitedParser
from rankgauge.inputs.io.lines import BOM

TABLE = Delimited("\t", "", (" ",), quotes=False, places={"query": "1", "item": "2", "rank": "3"})
COLUMNS = 3


def _sniff(sample: Sample) -> Confidence:
    """Recognise ranks that count up from 1; if every query has one row only, a ranking must have been asked for."""
    if sample.role == "judgments":
        return Confidence.NONE
    lines = sample.head.removeprefix(BOM).replace(b"\r\n", b"\n").split(b"\n")
    separator, ranks = b"\t" if b"\t" in sample.line else b" ", dict[bytes, int]()
    for line in filter(bytes.strip, lines[:-1] or lines):
        fields = line.split(separator)
        if len(fields) != COLUMNS or fields[2].strip() != b"%d" % (ranks.get(fields[0], 0) + 1):
            break  # the end of the evidence; the reader reports invalid lines
        ranks[fields[0]] = int(fields[2])
    counts_up = max(ranks.values(), default=0) > 1 or (len(ranks) > 1 and sample.role == "ranking")
    return Confidence.ROW if counts_up else Confidence.NONE


CODEC = text_codec(lambda file: DelimitedParser(file, TABLE), guess_role=lambda _: "ranking", sniff=_sniff)
