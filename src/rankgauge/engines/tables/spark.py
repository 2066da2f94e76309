"""``rg.spark``: evaluate Spark DataFrames; rows move in packets, and matching and kernels run in the workers.

>>> import rankgauge as rg
>>> scores = rg.spark.evaluate(judgments, ranking, ["nDCG@10", "RR"])  # doctest: +SKIP
>>> scores.per_query.write.parquet("values")  # doctest: +SKIP
>>> scores.mean("RR"), scores.interval("RR")  # doctest: +SKIP

The workers need rankgauge and pyarrow. A ranking is never collected, and no Python code runs per query.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.engines.metric_columns import column_count
from rankgauge.engines.tables.source_table import REFUSED, SourceTable, recognise_sides
from rankgauge.engines.tables.sql import SPARK, Side, binned_query
from rankgauge.errors import InputError, ParameterError, extra, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.metric_core.notation import MetricsLike
from rankgauge.rendering.language import Phrase

with extra("spark"):
    from rankgauge.engines.query_counts import EXTREMES, value_name
    from rankgauge.engines.tables.distributed_scores import DistributedScores
    from rankgauge.engines.tables.query_values import CODES, FINGERPRINT, STATES, parse_for_tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["DistributedScores", "evaluate"]

_SOURCE = "rankgauge_source"
_PACKETS = "bin int, is_judgment boolean, packet binary"
MIN_BINS, BINS_PER_PARTITION = 512, 8
"""Number of bins: at least, and per shuffle partition. A worker holds one bin in memory, not a partition."""


def evaluate(
    judgments: DataFrame,
    ranking: DataFrame,
    metrics: MetricsLike | None = None,
    *,
    convention: ConventionLike = None,
    input_order: str | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> DistributedScores:
    """Evaluate a ranking; the values are computed lazily, as a DataFrame.

    Parameters
    ----------
    judgments, ranking
        DataFrames of one session.
    metrics
        One or several metrics, as values or as text.
    convention
        A Convention, or the name of a preset; ``averaging="weighted"`` is refused.
    input_order
        The column of the ranking that orders equal scores under ``ties="input"``; the rows of a table have no order.
    read_options, **read
        ``columns`` and ``lenient``; see ``ReadOptions``. With ``lenient=True``, the lowest of several grades of an item
        is used, because no row is the first.
    """
    options = ReadOptions.of(evaluate, read_options, read, REFUSED, "rg.spark.evaluate")
    parsed, rules, depth = parse_for_tables(metrics, convention)
    findings, lenient = Findings(), options.lenient
    if rules.averaging == "weighted":
        raise ParameterError(
            Phrase(
                "rg.spark.evaluate does not support averaging='weighted'; join the weights to per_query and average "
                "there",
                "rg.spark.evaluate 不支持 averaging='weighted'；请把权重连接到 per_query 后自行求平均",
            )
        )
    tables = _table("judgments", judgments), _table("ranking", ranking)
    sides = recognise_sides(*tables, options, input_order, findings)
    frames = {True: _with_bins(sides[0], judgments, rules), False: _with_bins(sides[1], ranking, rules)}
    schemas = {is_judgment: _arrow_schema(frame) for is_judgment, frame in frames.items()}
    packed = [
        frame.mapInArrow(partial(_pack, columns=schemas[is_judgment], is_judgment=is_judgment), _PACKETS)
        for is_judgment, frame in frames.items()
    ]
    packets = packed[0].unionAll(packed[1]).repartition("bin").sortWithinPartitions("bin")
    id_type = "bigint" if sides[0].whole_ids["query"] else "string"
    values = (*map(value_name, range(column_count(parsed, rules))), *EXTREMES)
    numbers = [f"{name} double" for name in values] + [f"{name} bigint" for name in (*CODES, *STATES, *FINGERPRINT)]
    schema = ", ".join([f"query {id_type}", *numbers])
    work = partial(
        _evaluate,
        columns=schemas,
        metrics=parsed,
        rules=rules,
        depth=depth,
        lenient=lenient,
        check_sides=not options.columns,
    )
    return DistributedScores(packets, work, schema, parsed, rules, findings, lenient)


def _with_bins(side: Side, frame: DataFrame, rules: Convention) -> DataFrame:
    """The rows of a side, each with the bin of its query."""
    partitions = frame.sparkSession.conf.get("spark.sql.shuffle.partitions") or ""
    bins = max(MIN_BINS, BINS_PER_PARTITION * int(partitions)) if partitions.isdigit() else MIN_BINS
    text = binned_query(side, rules, bins).replace("{", "{{").replace("}", "}}")  # escaped for Spark's formatter
    return frame.sparkSession.sql(text.replace(SPARK.quote(_SOURCE), "{source}"), source=frame)


def _arrow_schema(frame: DataFrame) -> object:
    """The columns that workers receive, without the bin."""
    with extra("spark"):
        from pyspark.sql.pandas.types import to_arrow_schema  # noqa: PLC0415 (Spark is imported on use)

    return to_arrow_schema(frame.drop("bin").schema)


# The functions that workers run. A task has one core, and polars reads its number of threads when it is imported.


def _pack(batches: Iterable[object], columns: object, is_judgment: bool) -> Iterator[object]:
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    from rankgauge.engines.tables.row_blocks import pack  # noqa: PLC0415 (loads polars)

    return pack(batches, columns, is_judgment=is_judgment)


def _evaluate(batches: Iterable[Any], columns: Mapping[bool, Any], **options: Any) -> Iterator[Any]:
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    from rankgauge.engines.tables.row_blocks import blocks_of_packets, evaluate_blocks  # noqa: PLC0415 (loads polars)

    return evaluate_blocks(blocks_of_packets(batches, columns), **options)


def _table(role: Role, frame: DataFrame) -> SourceTable:
    if not hasattr(frame, "mapInArrow"):
        raise InputError(
            Phrase(f"{role}: {shown(frame)} is not a Spark DataFrame", f"{role}：{shown(frame)} 不是 Spark DataFrame")
        )

    def values(column: str) -> list[object]:
        rows = frame.select(SPARK.quote(column)).dropna().distinct().limit(2).collect()
        return [value for (value,) in rows]

    return SourceTable(role, SPARK.quote(_SOURCE), dict(frame.dtypes), values)
