"""Spark sessions and frames for tests."""

import os
import random
import sys
from pathlib import Path

import pyarrow as pa

import rankgauge as rg
from crowds import flat

SOURCE = str(Path(rg.__file__).parents[1])
SHORT_LIVED = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
"""Fast start-up for a JVM that runs for seconds."""


def session(master):
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([SOURCE, *filter(None, [os.environ.get("PYTHONPATH")])]))
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.executor.memory": "512m",
        "spark.executor.cores": "1",
        "spark.executorEnv.PYTHONPATH": SOURCE,
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.driver.extraJavaOptions": SHORT_LIVED,
        "spark.executor.extraJavaOptions": SHORT_LIVED,
        "spark.log.level": "OFF",
        "spark.shuffle.io.maxRetries": "1",
        "spark.shuffle.io.retryWait": "200ms",
    }
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def frame(spark, table, number, seed=0):
    """The rows of a table, shuffled."""
    query, item, value = zip(*flat(table, random.Random(seed)), strict=True)
    rows = pa.table({"query": query, "item": item, number: value})
    return spark.createDataFrame(rows if int(spark.version.partition(".")[0]) >= 4 else rows.to_pandas())
