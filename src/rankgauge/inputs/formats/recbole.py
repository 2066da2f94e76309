"""Interactions of RecBole (``.inter``): a table whose header gives a type after each name, ``rating:float``."""

from __future__ import annotations

import re

import polars as pl

from rankgauge.inputs.columns import find_column
from rankgauge.inputs.formats.codec import text_codec
from rankgauge.inputs.formats.delimited import Delimited, DelimitedParser
from rankgauge.inputs.io.lines import Block

TABLE = Delimited("\t", "inter", quotes=False)
_TYPE = re.compile(rb":(token|float)(_seq)?(?=\t|\s*$)")


class RecboleParser(DelimitedParser):
    """Parses one file of interactions; without ratings, each has grade 1."""

    _grade: bytes | None = None
    """What is added to each line: nothing, or a tab and the grade."""

    def parse(self, block: Block) -> pl.DataFrame:
        """Return user, item and grade of the lines of a block."""
        text = block.text
        if self._grade is None and text.strip():
            before = len(text) - len(text.lstrip())
            header, end, rows = text[before:].partition(b"\n")
            header = _TYPE.sub(b"", header)
            names = header.decode().split("\t")
            self._grade = b"" if find_column("grade", names, f"{self.context.name}:{block.line}") else b"\t1"
            text = text[:before] + header + (b"\tgrade" if self._grade else b"") + end + self._graded(rows)
        elif text.strip():
            text = self._graded(text)
        return super().parse(Block(text, block.line))

    def _graded(self, text: bytes) -> bytes:
        return re.sub(rb"(?m)(?<=\S)$", self._grade, text) if self._grade else text


CODEC = text_codec(lambda file: RecboleParser(file, TABLE))
