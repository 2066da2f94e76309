"""On Spark a query has the digits that it has anywhere else, also when a worker dies; one session for all tests."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from crowds import CONVENTIONS, crowd, digits, flat, metrics_for
from rankgauge.engines.moments import Moments
from worlds import pace

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("spark")]
SOURCE = str(Path(rg.__file__).parents[1])


def session(master):
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.executor.memory": "512m",
        "spark.executor.cores": "1",
        "spark.executorEnv.PYTHONPATH": SOURCE,
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.log.level": "OFF",
    }
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@pytest.fixture(scope="module")
def spark():
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [SOURCE, os.environ.get("PYTHONPATH")]))
    one = session("local[2]")
    yield one
    one.stop()


def frame(spark, table, number, seed=0):
    """The rows of a table in no order."""
    query, item, value = zip(*flat(table, random.Random(seed)), strict=True)
    return spark.createDataFrame(pa.table({"query": query, "item": item, number: value}))


def test_every_metric_has_the_digits_of_the_local_engine(spark):
    judgments, ranking = crowd(300, seed=1)
    frames = frame(spark, judgments, "grade"), frame(spark, ranking, "score")
    for name, convention in CONVENTIONS.items():
        metrics = metrics_for(convention)
        expected = rg.evaluate(judgments, ranking, metrics, convention=convention)
        scores = rg.spark.evaluate(*frames, metrics, convention=convention).persist()
        found = scores.collect()

        assert digits(found, metrics) == digits(expected, metrics), name
        assert {f.code for f in found.findings} - {"RG211"} == {f.code for f in expected.findings} - {"RG211"}, name
        np.testing.assert_allclose(
            [scores.mean(metric) for metric in metrics], [expected.mean(metric) for metric in metrics], rtol=1e-12
        )
        scores.unpersist()
