"""DistributedScores: values of queries that stay in a cluster, with means and intervals computed there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa

from rankgauge import errors
from rankgauge.conventions import Convention
from rankgauge.engines.metric_columns import weighted_metrics
from rankgauge.engines.query_counts import EXTREMES, add_finding, extremes_of, value_name
from rankgauge.engines.streaming.averages import Averages, Moments, values_to_average
from rankgauge.engines.tables.query_values import CODES, STATES, check_all_queries, scores_of_table
from rankgauge.errors import InputError, RankgaugeError
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike
from rankgauge.metric_core.summary import leaves_out_undefined, weighted_value

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_WORKER_ERROR = re.compile(r"rankgauge\.errors\.(\w+): (.*?)(?=\n\s*\n|\n\tat |\nJVM|\Z)", re.DOTALL)
_CODE = re.compile(r"\[(RG\d{3})\]")
"""A code in the text of an error."""
Result = TypeVar("Result")
Work = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


class DistributedScores(Averages):
    """A value for each query and metric, computed lazily in the cluster.

    Every access runs the job again unless ``persist()`` was called; one pass computes the means and intervals of all
    metrics.
    """

    _repr_html_ = None  # type: ignore[assignment] # a notebook must not start a job to show a lazy result

    def __init__(
        self,
        rows: DataFrame,
        evaluate: Work,
        schema: str,
        metrics: Sequence[Metric],
        convention: Convention,
        findings: Findings,
        lenient: bool,
    ) -> None:
        super().__init__(metrics, convention, ())
        self._rows = rows
        self._evaluate = evaluate
        self._values = rows.mapInArrow(evaluate, schema)
        self._persisted = False
        self._source_findings = findings
        self._lenient = lenient

    def persist(self) -> DistributedScores:
        """Cache the values of the queries in the cluster, in memory and on disk."""
        self._values = self._values.persist()
        self._persisted = True
        return self

    def unpersist(self) -> None:
        """Release the values that ``persist`` cached."""
        self._values.unpersist()
        self._persisted = False

    @property
    def _evaluated(self) -> DataFrame:
        judged = self._values.where("judged = 1")
        return judged.where("answered = 1") if self.convention.missing == "skip" else judged

    @property
    def per_query(self) -> DataFrame:
        """A row per query and metric: query, metric, value; NaN if 0/0 has no value under the convention."""
        from pyspark.sql import functions as F  # noqa: N812, PLC0415 (its usual name)

        pairs = [
            F.struct(F.lit(str(metric)).alias("metric"), F.col(value_name(place)).alias("value"))
            for place, metric in enumerate(self.metrics)
        ]
        return self._evaluated.select("query", F.explode(F.array(*pairs)).alias("pair")).select("query", "pair.*")

    def to_parquet(self, path: str, mode: str = "error") -> None:
        """Write the values of all queries, one file per partition; ``mode`` is Spark's."""
        _run(lambda: self.per_query.write.mode(mode).parquet(path))

    def collect(self) -> Scores:
        """Fetch all values as ``Scores``, sorted by query."""
        return scores_of_table(_run(self._to_arrow), self.metrics, self.convention, self.findings)

    def _to_arrow(self) -> pa.Table:
        if hasattr(self._values, "toArrow"):
            return self._values.toArrow()
        return pa.Table.from_pandas(self._values.toPandas())  # Spark 3

    @cached_property
    def _summary(self) -> tuple[dict[int | str, Moments], dict[int | str, str], dict[str, float]]:
        """The moments of each metric by place and the counts of codes and states; a query for each; the extremes."""
        schema = "place int, counted bigint, total double, squares double, example string"
        summarise = partial(summarise_batches, metrics=self.metrics, rules=self.convention)
        if self._persisted:
            parts = self._values.mapInArrow(summarise, schema)
        else:  # in one worker, so that values do not travel from Python to Java and back
            parts = self._rows.mapInArrow(partial(summarise, evaluate=self._evaluate), schema)
        keys: list[int | str] = [*range(len(self.metrics)), *CODES, *STATES, *EXTREMES]
        totals, examples = dict.fromkeys(keys, Moments()), dict[int | str, str]()
        extremes: dict[str, list[float]] = {name: [] for name in EXTREMES}
        for row in sorted(_run(parts.collect), key=lambda row: (row["place"], row["total"], row["counted"])):
            key = keys[row["place"]]
            if isinstance(key, str) and key in extremes:
                extremes[key].append(row["total"])
                continue
            totals[key] += Moments(row["counted"], row["total"], row["squares"])
            if row["counted"]:
                examples[key] = min(row["example"], examples.get(key, row["example"]))
        return totals, examples, extremes_of({name: np.array(parts) for name, parts in extremes.items()})

    @cached_property
    def findings(self) -> Findings:
        """The findings of all partitions."""
        findings, (totals, examples, extremes) = Findings(), self._summary
        findings.merge(self._source_findings)
        for code in CODES:
            if totals[code].count:
                add_finding(findings, code, examples[code], totals[code].count)
        sums = {name: totals[name].count for name in STATES} | extremes
        check_all_queries(findings, sums, self.metrics, self.convention, lenient=self._lenient)
        return findings

    def moments(self, metric: MetricLike) -> Moments:
        """Count, sum and squared deviations of the averaged values; logarithms if the mean is geometric."""
        place = self._place(metric)
        _ = self.findings  # raises an error for invalid data
        return self._summary[0][place]

    def _median(self, metric: Metric) -> float:
        column, rows = value_name(self.metrics.index(metric)), self._evaluated
        if leaves_out_undefined(metric, self.convention):
            rows = rows.where(f"NOT isnan({column})")
        return float(_run(rows.selectExpr(f"median({column})").collect)[0][0])

    def _weighted(self, metric: Metric) -> float:
        value = value_name(self.metrics.index(metric))
        weight = value_name(len(self.metrics) + weighted_metrics(self.metrics, self.convention).index(metric))
        rows = self._evaluated.where(f"NOT isnan({value})")
        total, weights = _run(rows.selectExpr(f"sum({value} * {weight})", f"sum({weight})").collect)[0]
        return weighted_value(
            metric, np.array([total / weights if weights else 0.0]), np.array([weights]), self.convention
        ).value

    def _queries(self) -> int:
        return self._summary[0]["judged"].count


def summarise_batches(
    batches: Iterable[pa.RecordBatch], metrics: Sequence[Metric], rules: Convention, evaluate: Work = iter
) -> Iterator[pa.RecordBatch]:
    """The moments of each metric and the counts of each code over the queries of one partition."""
    names = (*CODES, *STATES)
    totals, examples = [Moments()] * (len(metrics) + len(names)), [""] * (len(metrics) + len(names))
    parts: list[dict[str, float]] = []
    for batch in evaluate(batches):
        evaluated = _numbers(batch, "judged") == 1
        if rules.missing == "skip":
            evaluated &= _numbers(batch, "answered") == 1
        for place, metric in enumerate(metrics):
            values = _numbers(batch, value_name(place))[evaluated]
            totals[place] += Moments.of(values_to_average(values, metric, rules))
        for place, name in enumerate(names, len(metrics)):
            column = _numbers(batch, name)
            if column.any():
                totals[place] += Moments(int(column.sum()))
                examples[place] = examples[place] or str(batch.column("query")[int(np.argmax(column > 0))].as_py())
        parts.append(extremes_of({name: _numbers(batch, name) for name in EXTREMES}))
    extremes = extremes_of({name: np.array([part[name] for part in parts]) for name in EXTREMES})
    totals += [Moments(0, extreme) for extreme in extremes.values()]
    yield pa.RecordBatch.from_pydict(
        {
            "place": pa.array(range(len(totals)), pa.int32()),
            "counted": [each.count for each in totals],
            "total": [each.total for each in totals],
            "squares": [each.squares for each in totals],
            "example": [*examples, *[""] * len(extremes)],
        }
    )


def _numbers(batch: pa.RecordBatch, name: str) -> Any:
    return batch.column(name).to_numpy(zero_copy_only=False)


def _run(action: Callable[[], Result]) -> Result:
    """Run a job; raise a rankgauge error of a worker here, without the Python and Java traces."""
    try:
        return action()
    except RankgaugeError:
        raise
    except Exception as error:
        message = _WORKER_ERROR.search(str(error))
        kind = getattr(errors, message[1], None) if message else None
        if message and isinstance(kind, type) and issubclass(kind, RankgaugeError):
            text = message[2].strip()
            raise (InputError(text, _CODE.findall(text)) if kind is InputError else kind(text)) from error
        raise
