"""Rankings that refer to the rows of a file of judgments by position, and are read together with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl

from rankgauge.errors import InputError
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.formats.codec import OpenFile
from rankgauge.inputs.formats.registry import FORMATS, format_named
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.rendering.language import Phrase, plural
from rankgauge.value_checks import unmasked

PAIRED: dict[str, str] = {row.name: row.paired_with for row in FORMATS if row.paired_with}
"""The format of the judgments that a ranking refers to, by the format of the ranking."""


def alone(file: OpenFile) -> Iterator[pl.DataFrame]:
    """Raise the error for a ranking without the judgments that it refers to."""
    name = file.context.name
    titles = " / ".join(format_named(judged).title for judged in dict.fromkeys(PAIRED.values()))
    en = f"{name}: its lines refer to the rows of judgments by position; pass that file ({titles}) as the judgments"
    raise InputError((en, f"{name}：其各行按位置对应标注文件的行；请把该文件（{titles}）作为标注给出"), ["RG111"])


def are_row_numbers(items: pl.Series) -> bool:
    """Return whether items are the numbers of their rows, which serve as ids.

    >>> are_row_numbers(pl.Series(["1", "2"])), are_row_numbers(pl.Series(["2", "1"]))
    (True, False)
    """
    return items.equals(pl.int_range(1, len(items) + 1, eager=True).cast(pl.String))


def judged_rows(judgments: InputFile, form: str) -> pl.DataFrame:
    """Return the rows of judgments that rankings of a form refer to."""
    from rankgauge.inputs.formats.reader import read_file  # noqa: PLC0415 (imports the formats)

    return read_file(judgments, "judgments", ReadOptions(format=PAIRED[form]), findings=Findings())


def paired_ranking(judgments: InputFile, ranking: InputFile, form: str) -> pl.DataFrame:
    """Return the rows of a ranking, with the queries and items of the judgments that it refers to."""
    judged = judged_rows(judgments, form)
    with closing(ranking.take()) as stream:
        content = stream.read()
    frame: pl.DataFrame = import_module(f"rankgauge.inputs.formats.{form}").pair(
        judged, judgments.name, content, ranking.name
    )
    return frame


def text_lines(content: bytes) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers."""
    text = content.decode("utf-8-sig", "replace")
    return ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip())


SAME_ROWS = Phrase(
    "predict every row of {name} again, in its order, or pass the file that the scores were computed for",
    "请按 {name} 的顺序重新预测每一行，或传入计算这些分数所用的文件",
)


def scored_rows(judged: pl.DataFrame, judged_name: str, scores: Any, name: str) -> pl.DataFrame:
    """Return each judged row with its score: one number per row, in the same order."""
    numbers = np.asarray(unmasked(scores, "scores"))
    if numbers.ndim != 1 or numbers.dtype.kind not in "iufb":
        kind = f"{numbers.dtype} {numbers.shape}"
        message = Phrase(
            f"{name}: expected a flat array of numbers, one for each row of {judged_name}, found {kind}",
            f"{name}：应为一维数值数组，与 {judged_name} 的行一一对应，实为 {kind}",
        )
        raise input_error("RG110", message)
    if len(numbers) != judged.height:
        message = Phrase(
            f"{name}: has {plural(len(numbers), '# score', '# scores')}, but {judged_name} has "
            f"{plural(judged.height, '# row', '# rows')}; one score belongs to each row",
            f"{name}：有 {len(numbers):,} 个分数，而 {judged_name} 有 {judged.height:,} 行；每行应有一个分数",
        )
        raise input_error("RG110", message, SAME_ROWS.fill(name=judged_name))
    return judged.select("query", "item", pl.Series("score", numbers.astype(np.float64)))
