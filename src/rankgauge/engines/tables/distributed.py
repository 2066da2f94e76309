"""DistributedScores: values that lie in a cluster, and what can be said of them without fetching them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankgauge import errors
from rankgauge.conventions import Convention
from rankgauge.engines.streaming.averages import Averages, values_to_average
from rankgauge.engines.streaming.moments import Moments
from rankgauge.engines.tables.batches import CODES, add_finding, settle_whole, value_name, weight_name, weighted_wholes
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.scores import Scores, leaves_out_undefined
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.metric import Metric

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

STATES = ("judged", "answered", "at_most_0")
_OURS = re.compile(r"rankgauge\.errors\.(\w+): (.*?)(?=\n\s*\n|\n\tat |\nJVM|\Z)", re.DOTALL)
Result = TypeVar("Result")


class Summary(NamedTuple):
    """What one pass over all queries tells."""

    moments: list[Moments]
    """Of each metric, of the values that count."""
    counts: dict[str, int]
    examples: dict[str, Any]
    """A query for each code that was found."""


class DistributedScores(Averages):
    """A value for each query and metric, computed where the data lie when it is asked for.

    Every question runs the job anew unless ``persist()`` was called; the means and intervals of all metrics
    come from one pass.
    """

    def __init__(
        self,
        rows: DataFrame,
        work: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
        schema: str,
        metrics: Sequence[Metric],
        convention: Convention,
        findings: Findings,
        lenient: bool,
    ) -> None:
        super().__init__(metrics, convention, ())
        self._rows = rows
        self._work = work
        self._wide = rows.mapInArrow(work, schema)
        self._persisted = False
        self._before = findings
        self._lenient = lenient

    def persist(self) -> DistributedScores:
        """Keep the values of the queries in the cluster, in memory and on disk, for all that follows."""
        self._wide = self._wide.persist()
        self._persisted = True
        return self

    def unpersist(self) -> None:
        """Let go what ``persist`` kept."""
        self._wide.unpersist()
        self._persisted = False

    @property
    def _kept(self) -> DataFrame:
        kept = self._wide.where("judged = 1")
        return kept.where("answered = 1") if self.convention.missing == "skip" else kept

    @property
    def per_query(self) -> DataFrame:
        """Long rows of query, metric and value; NaN where a metric is 0/0 and the convention has no value for it."""
        from pyspark.sql import functions as F  # noqa: N812, PLC0415 (its usual name)

        pairs = [
            F.struct(F.lit(str(metric)).alias("metric"), F.col(value_name(place)).alias("value"))
            for place, metric in enumerate(self.metrics)
        ]
        return self._kept.select("query", F.explode(F.array(*pairs)).alias("pair")).select("query", "pair.*")

    def to_parquet(self, path: str, mode: str = "error") -> None:
        """Write the values of all queries, a file for each part; ``mode`` is Spark's."""
        _run(lambda: self.per_query.write.mode(mode).parquet(path))

    def collect(self) -> Scores:
        """The same as ``Scores`` in this process, with the queries in their own order."""
        table = _run(self._to_arrow).filter(pc.field("judged") == 1).sort_by("query")
        values = {metric: table.column(value_name(place)).to_numpy() for place, metric in enumerate(self.metrics)}
        missing = np.flatnonzero(table.column("answered").to_numpy() == 0)
        wholes = {"": weighted_wholes(table, self.metrics)}
        queries = table.column("query").to_pylist()
        return Scores(queries, {"": (values, missing)}, self.convention, self.findings, wholes=wholes)

    def _to_arrow(self) -> pa.Table:
        if hasattr(self._wide, "toArrow"):
            return self._wide.toArrow()
        return pa.Table.from_pandas(self._wide.toPandas())  # Spark 3

    # In one pass

    @cached_property
    def _summary(self) -> Summary:
        schema = "place int, counted bigint, total double, squares double, example string"
        summed = partial(summaries, metrics=self.metrics, rules=self.convention)
        if self._persisted:
            parts = self._wide.mapInArrow(summed, schema)
        else:  # in one worker, so that no value returns to Java to be sent to Python again
            parts = self._rows.mapInArrow(partial(_one_after_the_other, work=self._work, summed=summed), schema)
        moments, counts = [Moments()] * len(self.metrics), dict.fromkeys((*CODES, *STATES), 0)
        examples: dict[str, Any] = {}
        names = [*counts]
        for row in sorted(_run(parts.collect), key=lambda row: (row["place"], row["total"], row["counted"])):
            if row["place"] < len(moments):
                moments[row["place"]] += Moments(row["counted"], row["total"], row["squares"])
                continue
            name = names[row["place"] - len(moments)]
            counts[name] += row["counted"]
            if row["counted"]:
                examples[name] = min(row["example"] or "", examples.get(name, row["example"] or ""))
        return Summary(moments, counts, examples)

    @cached_property
    def findings(self) -> Findings:
        """What was noticed in the data, counted over the whole cluster."""
        found, summary = Findings(), self._summary
        found.merge(self._before)
        for code in CODES:
            if summary.counts[code]:
                add_finding(found, code, summary.examples[code], summary.counts[code])
        settle_whole(found, *(summary.counts[name] for name in STATES), lenient=self._lenient)
        return found

    def moments(self, metric: str | Metric) -> Moments:
        """Count, sum and squared deviations of the values that count.

        Of logarithms, where the convention averages geometrically.
        """
        place = self._place(metric)
        _ = self.findings  # nothing is averaged that should be refused
        return self._summary.moments[place]

    def _median(self, metric: Metric) -> float:
        from pyspark.sql import functions as F  # noqa: N812, PLC0415 (its usual name)

        column = F.col(value_name(self.metrics.index(metric)))
        kept = self._kept.where(~F.isnan(column)) if leaves_out_undefined(metric, self.convention) else self._kept
        return float(_run(kept.select(F.median(column)).collect)[0][0])

    def _weighted(self, metric: Metric) -> float:
        from pyspark.sql import functions as F  # noqa: N812, PLC0415 (its usual name)

        place = self.metrics.index(metric)
        value, weight = F.col(value_name(place)), F.col(weight_name(place))
        sums = self._kept.where(~F.isnan(value)).select(F.sum(value * weight), F.sum(weight))
        total, weights = _run(sums.collect)[0]
        return total / weights if weights else float("nan")

    def _queries(self) -> int:
        return self._summary.counts["judged"]


def summaries(
    batches: Iterable[pa.RecordBatch], metrics: Sequence[Metric], rules: Convention
) -> Iterator[pa.RecordBatch]:
    """The moments of each metric and the counts of each code over the answers of one part of the queries."""
    moments = [Moments()] * len(metrics)
    names = (*CODES, *STATES)
    counts, examples = dict.fromkeys(names, 0), dict.fromkeys(names, "")
    for batch in batches:
        counted = _numbers(batch, "judged") == 1
        if rules.missing == "skip":
            counted &= _numbers(batch, "answered") == 1
        for place, metric in enumerate(metrics):
            values = _numbers(batch, value_name(place))[counted]
            moments[place] += Moments.of(values_to_average(values, metric, rules))
        for name in names:
            column = _numbers(batch, name)
            if column.any():
                counts[name] += int(column.sum())
                examples[name] = examples[name] or str(batch.column("query")[int(np.argmax(column > 0))].as_py())
    yield pa.RecordBatch.from_pydict(
        {
            "place": pa.array(range(len(moments) + len(names)), pa.int32()),
            "counted": [*(one.count for one in moments), *counts.values()],
            "total": [*(one.total for one in moments), *(0.0 for _ in names)],
            "squares": [*(one.squares for one in moments), *(0.0 for _ in names)],
            "example": [*("" for _ in moments), *examples.values()],
        }
    )


def _one_after_the_other(
    batches: Iterable[pa.RecordBatch],
    work: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    summed: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
) -> Iterator[pa.RecordBatch]:
    return summed(work(batches))


def _numbers(batch: pa.RecordBatch, name: str) -> Any:
    return batch.column(name).to_numpy(zero_copy_only=False)


def _run(action: Callable[[], Result]) -> Result:
    """Run a job; an error of ours that a worker raised is raised here, without the traces of two languages."""
    try:
        return action()
    except RankgaugeError:
        raise
    except Exception as error:
        found = _OURS.search(str(error))
        kind = getattr(errors, found[1], None) if found else None
        if found and isinstance(kind, type) and issubclass(kind, RankgaugeError):
            raise kind(found[2].strip()) from error
        raise
