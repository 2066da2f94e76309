"""Spark: RankingMetrics, called in the JVM, since creating a table from Python takes a second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calls import call
from pyspark.sql import SparkSession

from worlds import World, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``ndcgAt(5)``."""
    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    java = session.sparkContext._jvm  # noqa: SLF001 (the gateway has no public name)
    context = session.sparkContext._jsc  # noqa: SLF001
    found: dict[str, list[float]] = {metric: [] for metric in metrics}
    for world in worlds:
        rows = java.java.util.ArrayList()
        for query in world:
            rows.add(java.scala.Tuple2(listed(java, ordered(query)), listed(java, relevant_items(query))))
        made = java.org.apache.spark.mllib.evaluation.RankingMetrics.of(context.parallelize(rows, 1))
        for metric in metrics:
            name, arguments, _ = call(metric)
            found[metric].append(getattr(made, name)(*arguments))
    session.stop()
    return found


def listed(java: Any, items: list[str]) -> Any:
    """Return a Java list."""
    made = java.java.util.ArrayList()
    for item in items:
        made.add(item)
    return made
