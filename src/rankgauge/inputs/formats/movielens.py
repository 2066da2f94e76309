"""Ratings of MovieLens without a header: user, item, rating and time, separated by ``::`` or tabs."""

from __future__ import annotations

import polars as pl

from rankgauge.inputs.formats.codec import text_codec
from rankgauge.inputs.formats.delimited import Delimited, DelimitedParser
from rankgauge.inputs.io.lines import Block

TABLE = Delimited("\t", "", quotes=False, places={"query": "1", "item": "2", "grade": "3"})


class MovieLensParser(DelimitedParser):
    """Parses one file of ratings."""

    def parse(self, block: Block) -> pl.DataFrame:
        """Return user, item and rating of the lines of a block."""
        self.context.findings.rows = "users"
        return super().parse(Block(block.text.replace(b"::", b"\t"), block.line))


CODEC = text_codec(lambda file: MovieLensParser(file, TABLE))
