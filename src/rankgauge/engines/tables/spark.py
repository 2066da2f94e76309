"""Evaluation on Spark: packets of rows are brought together, ordinary matching and kernels run where they lie.

>>> import rankgauge as rg
>>> scores = rg.spark.evaluate(judgments, ranking, ["nDCG@10", "RR"])  # doctest: +SKIP
>>> scores.per_query.write.parquet("values")  # doctest: +SKIP
>>> scores.mean("RR"), scores.interval("RR")  # doctest: +SKIP

The workers need rankgauge and pyarrow. A ranking is never collected, and no Python runs for a single query.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.engines.tables.batches import COUNTS, check_metrics, value_name, weight_name, weighted_places
from rankgauge.engines.tables.columns import Kind, Table, sides
from rankgauge.engines.tables.distributed import DistributedScores
from rankgauge.engines.tables.sql import SPARK, Side, binned
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.sided_columns import Columns
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_list import common_depth, parse_all

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NUMBER = ("float", "double", "decimal", "boolean")
_GIVEN = "rankgauge_given"
_PACKETS = "bin int, is_judgment boolean, packet binary"
BINS, BINS_OF_A_PART = 512, 8
"""How many bins there are, at least and for each part of a shuffle: a worker holds a bin, not a part."""


def evaluate(
    judgments: DataFrame,
    ranking: DataFrame,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    convention: ConventionLike = None,
    columns: Columns | None = None,
    lenient: bool = False,
) -> DistributedScores:
    """The values of a ranking for every judged query, as a DataFrame that is computed when it is used.

    Parameters
    ----------
    judgments, ranking
        DataFrames of one session.
    metrics
        One or several metrics, as values or as text.
    convention
        The rules in force. ``ties="input"`` needs ``columns={"order": ...}``, for a DataFrame has no order of its own.
        ``averaging="weighted"`` is not for DataFrames.
    columns
        Names of columns that are not recognised: ``{"query": "session", "score": "p"}``; those of one side alone under
        its name: ``{"ranking": {"query": "session"}}``.
    lenient
        Leave out what is wrong and count it. Of an item judged twice the lowest grade is kept: no row is the first.
    """
    rules, asked, findings = check_convention(convention), parse_all(metrics), Findings()
    check_metrics(asked, rules)
    if rules.averaging == "weighted":
        raise ParameterError("averaging='weighted' is not for DataFrames; join weights to per_query and average there")
    for role, frame in (("judgments", judgments), ("ranking", ranking)):
        if not hasattr(frame, "mapInArrow"):
            raise InputError(f"{role}: {shown(frame)} is no DataFrame of Spark")
    both = sides(_table("judgments", judgments), _table("ranking", ranking), columns, findings)
    sent = {True: _binned(both[0], judgments, rules), False: _binned(both[1], ranking, rules)}
    columns_of = {is_judgment: _arrow_columns(frame) for is_judgment, frame in sent.items()}
    packed = [
        frame.mapInArrow(partial(_packed, columns=columns_of[is_judgment], is_judgment=is_judgment), _PACKETS)
        for is_judgment, frame in sent.items()
    ]
    packets = packed[0].unionAll(packed[1]).repartition("bin").sortWithinPartitions("bin")
    kind = "bigint" if both[0].whole_ids["query"] else "string"
    values = [*map(value_name, range(len(asked))), *map(weight_name, weighted_places(asked))]
    schema = ", ".join(
        [f"query {kind}", *(f"{name} double" for name in values), *(f"{name} bigint" for name in COUNTS)]
    )
    work = partial(
        _answered, columns=columns_of, metrics=asked, rules=rules, depth=common_depth(asked, rules), lenient=lenient
    )
    return DistributedScores(packets, work, schema, asked, rules, findings, lenient)


def _binned(side: Side, frame: DataFrame, rules: Convention) -> DataFrame:
    """The rows of a side, each with the bin of its query."""
    parts = frame.sparkSession.conf.get("spark.sql.shuffle.partitions") or ""
    bins = max(BINS, BINS_OF_A_PART * int(parts)) if parts.isdigit() else BINS
    text = binned(side, rules, bins).replace("{", "{{").replace("}", "}}")  # as Spark's formatter reads it
    return frame.sparkSession.sql(text.replace(SPARK.quote(_GIVEN), "{given}"), given=frame)


def _arrow_columns(frame: DataFrame) -> Any:
    """The columns as workers receive them, without the bin."""
    from pyspark.sql.pandas.types import to_arrow_schema  # noqa: PLC0415 (Spark is loaded when it is used)

    return to_arrow_schema(frame.drop("bin").schema)


# What workers do. A task has one core, which Polars must know before it is loaded.


def _packed(batches: Iterable[Any], columns: Any, is_judgment: bool) -> Iterator[Any]:
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    from rankgauge.engines.tables.packets import pack  # noqa: PLC0415 (loads Polars)

    return pack(batches, columns, is_judgment=is_judgment)


def _answered(
    batches: Iterable[Any],
    columns: Mapping[bool, Any],
    metrics: Sequence[Metric],
    rules: Convention,
    depth: int | None,
    lenient: bool,
) -> Iterator[Any]:
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    from rankgauge.engines.tables.query_parts import answers, blocks_of_packets  # noqa: PLC0415 (loads Polars)

    return answers(blocks_of_packets(batches, columns), metrics, rules, depth, lenient=lenient)


def _table(role: Role, frame: DataFrame) -> Table:
    def kind(type_name: str) -> Kind:
        base = re.split(r"[( ]", type_name, maxsplit=1)[0]
        if base in _WHOLE:
            return "whole"
        return "text" if base in {"string", "varchar", "char"} else "number" if base in _NUMBER else "other"

    return Table(role, SPARK.quote(_GIVEN), {column: kind(type_name) for column, type_name in frame.dtypes})
