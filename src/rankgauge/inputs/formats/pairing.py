"""Rankings that refer to the rows of a file of judgments by position, and are read together with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from importlib import import_module

import polars as pl

from rankgauge.errors import InputError
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.codec import OpenFile
from rankgauge.inputs.formats.registry import FORMATS, format_named
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.rendering.language import Phrase

PAIRED: dict[str, str] = {row.name: row.paired_with for row in FORMATS if row.paired_with}
"""The format of the judgments that a ranking refers to, by the format of the ranking."""


def alone(file: OpenFile) -> Iterator[pl.DataFrame]:
    """Raise the error for a ranking without the judgments that it refers to."""
    name = file.context.name
    titles = " / ".join(format_named(judged).title for judged in PAIRED.values())
    message = Phrase(
        f"{name}: its lines refer to the rows of judgments by position; pass that file ({titles}) as the judgments",
        f"{name}：其各行按位置对应标注文件的行；请把该文件（{titles}）作为标注给出",
    )
    raise InputError(message, ["RG111"])


def paired_ranking(judgments: InputFile, ranking: InputFile, form: str) -> pl.DataFrame:
    """Return the rows of a ranking, with the queries and items of the judgments that it refers to."""
    from rankgauge.inputs.formats.reader import read_file  # noqa: PLC0415 (imports the formats)

    judged = read_file(judgments, "judgments", ReadOptions(format=PAIRED[form]), findings=Findings())
    with closing(ranking.take()) as stream:
        text = stream.read().decode("utf-8-sig", "replace")
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip())
    frame: pl.DataFrame = import_module(f"rankgauge.inputs.formats.{form}").pair(
        judged, judgments.name, lines, ranking.name
    )
    return frame
