"""Evaluation on Spark: rows are brought together in Spark SQL, ordinary matching and kernels run where they lie.

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

from rankgauge.conventions import Convention
from rankgauge.conventions.convention import check_convention
from rankgauge.engines.distributed import DistributedScores
from rankgauge.engines.rows import COUNTS, check_metrics, value_name, weight_name, weighted_places
from rankgauge.engines.sql import SPARK, end_to_end
from rankgauge.engines.tables import Kind, Table, sides
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.metrics.metric import Metric
from rankgauge.metrics.several import common_depth, parse_all

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NUMBER = ("float", "double", "decimal", "boolean")
_JUDGMENTS, _RANKING = "rankgauge_given_judgments", "rankgauge_given_ranking"


def evaluate(
    judgments: DataFrame,
    ranking: DataFrame,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    convention: Convention | None = None,
    columns: Mapping[str, str] | None = None,
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
        Names of columns that are not recognised: ``{"query": "session", "score": "p"}``.
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
    both = sides(_table("judgments", judgments, _JUDGMENTS), _table("ranking", ranking, _RANKING), columns, findings)
    # The hint moves the rows of a query to one place, where they are sorted by it and nothing else.
    text = f"SELECT /*+ REPARTITION(query) */ * FROM (\n{end_to_end(*both, rules, SPARK)}\n)\nSORT BY query"
    rows = ranking.sparkSession.sql(_with_frames(text), judgments=judgments, ranking=ranking)
    kind = "bigint" if both[0].whole_ids["query"] else "string"
    values = [*map(value_name, range(len(asked))), *map(weight_name, weighted_places(asked))]
    schema = ", ".join(
        [f"query {kind}", *(f"{name} double" for name in values), *(f"{name} bigint" for name in COUNTS)]
    )
    work = partial(_answers, metrics=asked, rules=rules, depth=common_depth(asked, rules), lenient=lenient)
    return DistributedScores(rows, work, schema, asked, rules, findings, lenient, text)


def _answers(
    batches: Iterable[Any], metrics: Sequence[Metric], rules: Convention, depth: int | None, lenient: bool
) -> Iterator[Any]:
    """What a worker does with its part; a task has one core, which Polars must know before it is loaded."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    from rankgauge.engines.parts import answers_of_rows  # noqa: PLC0415 (loads Polars)

    return answers_of_rows(batches, metrics, rules, depth, lenient=lenient)


def _with_frames(text: str) -> str:
    """The text as Spark's formatter reads it: braces in names are doubled, the frames stand in braces."""
    plain = text.replace("{", "{{").replace("}", "}}")
    return plain.replace(SPARK.quote(_JUDGMENTS), "{judgments}").replace(SPARK.quote(_RANKING), "{ranking}")


def _table(role: Role, frame: DataFrame, name: str) -> Table:
    def kind(type_name: str) -> Kind:
        base = re.split(r"[( ]", type_name, maxsplit=1)[0]
        if base in _WHOLE:
            return "whole"
        return "text" if base in {"string", "varchar", "char"} else "number" if base in _NUMBER else "other"

    return Table(role, SPARK.quote(name), {column: kind(type_name) for column, type_name in frame.dtypes})
