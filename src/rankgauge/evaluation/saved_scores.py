"""Scores saved as JSON, whose values of queries may be in a Parquet file beside it."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge.errors import InputError
from rankgauge.evaluation.score_formats import scores_data
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.matching.fingerprints import text_column
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import PlainData, finite_or_none

if TYPE_CHECKING:
    from rankgauge.evaluation.scores import Scores

FILE_KEY = "per_query_file"
"""The key of the name of the Parquet file, in the folder of the JSON."""
SYSTEM, QUERY = "system of the values", "query of the values"
"""Columns of that file beside those of the metrics."""


def data_beside_parquet(scores: Scores, path: Path, *, force: bool) -> PlainData:
    """Write the values of queries as Parquet beside this path, and return the other data, which name that file."""
    import polars as pl  # noqa: PLC0415 (slow to load)

    file, buffer = path.with_suffix(".parquet"), io.BytesIO()
    frames = []
    for system in scores.systems:
        columns = {str(metric): scores.values(metric, system) for metric in scores.query_metrics}
        frame = pl.DataFrame({QUERY: text_column(scores.queries), **columns})
        frames.append(frame.insert_column(0, pl.lit(system).alias(SYSTEM)))
    pl.concat(frames).write_parquet(buffer)
    with atomic_write(file, force=force) as parquet:
        parquet.write(buffer.getvalue())
    return {**scores_data(scores, queries=False), FILE_KEY: file.name}


def save_scores(scores: Scores, path: str | PathLike[str], *, queries: bool, parquet: bool, force: bool) -> None:
    """Write scores as JSON, with the values of queries in it, in a Parquet file beside it, or without them."""
    if parquet and queries:
        data = data_beside_parquet(scores, Path(path), force=force)
    else:
        data = scores_data(scores, queries=queries)
    with atomic_write(path, force=force) as file:
        file.write(f"{json.dumps(data, ensure_ascii=False, indent=1, default=str)}\n".encode())


def with_query_values(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return saved data with the values of queries, which are read from their Parquet file if they are there.

    Parameters
    ----------
    data, name
        The contents of the JSON file, and its path.
    """
    if not isinstance(data.get(FILE_KEY), str):
        return data
    import polars as pl  # noqa: PLC0415 (slow to load)

    file = Path(name).parent / Path(data[FILE_KEY]).name
    try:
        frame = pl.read_parquet(file)
        names = [frame.drop_in_place(column).to_list() for column in (SYSTEM, QUERY)]
    except (OSError, pl.exceptions.PolarsError) as error:
        message = Phrase(
            "{name}: the values of its queries in {file} cannot be read ({error}); keep both files together",
            "{name}：无法读取 {file} 中各查询的值（{error}）；请把两个文件放在一起",
        )
        raise InputError(message.fill(name=name, file=file, error=str(error).split("\n", 1)[0]), ["RG111"]) from None
    by_system: dict[str, dict[str, dict[str, float | None]]] = {}
    for system, query, values in zip(*names, frame.iter_rows(named=True), strict=True):
        numbers = {metric: None if value is None else finite_or_none(value) for metric, value in values.items()}
        by_system.setdefault(system, {})[query] = numbers
    if "systems" in data:
        systems = {own: {**values, "per_query": by_system.get(own, {})} for own, values in data["systems"].items()}
        return {**data, "systems": systems}
    return {**data, "per_query": next(iter(by_system.values()), {})}
