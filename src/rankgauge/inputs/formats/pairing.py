"""Rankings that refer to the rows of a file of judgments by position, and are read together with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from typing import Any

import polars as pl

from rankgauge.errors import InputError
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.codec import OpenFile
from rankgauge.inputs.formats.registry import FORMATS, format_named
from rankgauge.inputs.io.compression import Source, open_bytes, source_name
from rankgauge.inputs.io.paths import is_regular_file
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


def paired_format(source: Any, given: str | None = None) -> str:
    """Return the format of a ranking that needs its judgments, empty for any other source."""
    if not is_regular_file(source):
        return ""
    from rankgauge.inputs.formats.reader import format_of  # noqa: PLC0415 (imports the formats)

    try:
        name = given or format_of(source, "ranking")
    except InputError:  # reported when it is read
        return ""
    return name if name in PAIRED else ""


def paired_ranking(judgments: Source, ranking: Source, form: str) -> pl.DataFrame:
    """Return the rows of a ranking, with the queries and items of the judgments that it refers to."""
    from rankgauge.inputs.formats.reader import read_file  # noqa: PLC0415 (imports the formats)

    judged = read_file(judgments, "judgments", format=PAIRED[form], findings=Findings(), lenient=False)
    stream, name = open_bytes(ranking)
    with closing(stream):
        text = stream.read().decode("utf-8-sig", "replace")
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip())
    frame: pl.DataFrame = import_module(f"rankgauge.inputs.formats.{form}").pair(
        judged, source_name(judgments), lines, name
    )
    return frame
