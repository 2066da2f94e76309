"""Spark gives exactly the values of rg.evaluate, even if a worker dies; all tests share one session."""

import os
import re
import signal
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from clusters import SHORT_LIVED, frame, session
from crowds import crowd, digits
from optional import needs
from rankgauge.engines.streaming.averages import Moments
from worlds import pace

needs("pyspark")
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("spark")]


def test_a_table_of_several_systems_is_refused_with_the_remedy(spark):
    judgments = spark.createDataFrame([("q", "x", 1)], "query string, item string, grade int")
    rows = [("q", "x", 1.0, "a"), ("q", "y", 1.0, "b")]
    ranking = spark.createDataFrame(rows, "query string, item string, score double, system string")
    with pytest.raises(rg.InputError, match="WHERE system = 'a'"):
        rg.spark.evaluate(judgments, ranking, "RR")
    assert rg.spark.evaluate(judgments, ranking.where("system = 'a'"), "RR").mean("RR") == 1


def test_findings_are_counted_and_invalid_rows_refused(spark):
    judgments = spark.createDataFrame(
        [(1, 7, 1), (1, 8, 0), (2, 7, 2), (2, 7, 1)], "user_id int, item_id long, rating int"
    )
    ranking = spark.createDataFrame(
        [
            ("1", "7", 1.0),
            ("1", "8", float("nan")),
            ("1", "9", 2.0),
            ("1", "9", 3.0),
            (None, "7", 1.0),
            ("3", "7", 1.0),
        ],
        "`user``id` string, item string, `a {b}` double",
    )
    columns = {"query": "user`id", "score": "a {b}"}
    given = {"columns": columns, "convention": rg.Convention(missing="skip")}
    judgments = judgments.withColumnRenamed("user_id", "user`id")

    with pytest.raises(rg.InputError, match=r"RG30[12]|RG208|RG202"):
        rg.spark.evaluate(judgments, ranking, "RR", **given).mean("RR")
    scores = rg.spark.evaluate(judgments, ranking, ["RR", "NumRet"], lenient=True, **given)
    assert [tuple(row) for row in scores.per_query.where("metric = 'RR'").collect()] == [("1", "RR", 0.5)]
    assert scores.mean("NumRet") == 2
    assert {f.code: f.count for f in scores.findings}.items() >= {
        "RG202": 1, "RG208": 1, "RG301": 1, "RG302": 1, "RG402": 1, "RG403": 1, "RG406": 2,
    }.items()  # fmt: skip
    assert "1" in scores.document("zh").to_text()


@pytest.mark.parametrize("averaging", ["geometric", "median"])
def test_other_averages(spark, averaging):
    judgments, ranking = crowd(60, seed=2)
    metrics = ["AP", "GMAP", "NumRelRet"]
    convention = rg.Convention(averaging=averaging, counts="mean")
    frames = frame(spark, judgments, "grade"), frame(spark, ranking, "score")
    result = rg.spark.evaluate(*frames, metrics, convention=convention)
    expected = rg.evaluate(judgments, ranking, metrics, convention=convention)

    for metric in metrics:
        assert result.mean(metric) == pytest.approx(expected.mean(metric), rel=1e-12)


def test_collected_scores_have_the_fingerprints_of_dicts(spark):
    judgments, ranking = crowd(60, seed=4)
    frames = frame(spark, judgments, "grade"), frame(spark, ranking, "score")

    collected, expected = (
        scores.provenance
        for scores in (rg.spark.evaluate(*frames, "RR").collect(), rg.evaluate(judgments, ranking, "RR"))
    )

    assert collected["judgments"] == expected["judgments"]
    assert collected["queries"] == expected["queries"]


def test_rows_are_shuffled_once_and_values_written_by_workers(spark, tmp_path):
    judgments, ranking = crowd(60, seed=3)
    frames = frame(spark, judgments, "grade"), frame(spark, ranking, "score")
    scores = rg.spark.evaluate(*frames, ["AP", "RR"])
    plan = scores._values._jdf.queryExecution().toString()
    physical = plan[plan.index("== Physical Plan ==") :]

    assert physical.count("Exchange hashpartitioning(bin") == 1
    assert "Join" not in physical
    scores.to_parquet(str(tmp_path / "values"))
    expected = rg.evaluate(judgments, ranking, ["AP", "RR"])
    written = spark.read.parquet(str(tmp_path / "values")).toPandas()
    assert len(written) == 2 * len(judgments)
    assert dict(written[written.metric == "AP"][["query", "value"]].values) == expected.per_query("AP")
    low, high = scores.interval("AP")
    assert (low, high) == pytest.approx(expected.interval("AP"), rel=1e-12)


def test_the_query_translated_from_duckdb_runs(spark):
    import duckdb

    pytest.importorskip("sqlglot")
    judgments, ranking = crowd(40, seed=4)
    con = duckdb.connect()
    for name, table, number in (("judgments", judgments, "grade"), ("ranking", ranking, "score")):
        con.execute(f"CREATE TABLE {name} (query TEXT, item TEXT, {number} DOUBLE)")
        frame(spark, table, number).createOrReplaceTempView(name)
    text = rg.duckdb.matching_sql(con, "judgments", "ranking", "AP", dialect="spark")
    found = spark.sql(text)
    if not hasattr(found, "toArrow"):
        pytest.skip("Spark 3.5 has no toArrow")
    result = rg.duckdb.evaluate_matched(found.toArrow(), "AP")

    assert result.per_query("AP") == rg.evaluate(judgments, ranking, "AP").per_query("AP")


def test_unsupported_data_are_refused(spark):
    judgments = spark.createDataFrame([("q", "a", 1)], "query string, item string, grade int")
    ranking = spark.createDataFrame([("q", "a", 1.0, 5)], "query string, item string, score double, at int")

    with pytest.raises(rg.ParameterError, match="order"):
        rg.spark.evaluate(judgments, ranking, "RR", convention=rg.Convention(ties="input"))
    with pytest.raises(rg.ParameterError, match="weighted"):
        rg.spark.evaluate(judgments, ranking, "RR", convention=rg.Convention(averaging="weighted"))
    with pytest.raises(rg.InputError, match="not a Spark DataFrame"):
        rg.spark.evaluate({"q": {"a": 1}}, ranking, "RR")
    with pytest.raises(rg.InputError, match="RG401"):
        rg.spark.evaluate(judgments.replace("q", "other"), ranking, "RR").mean("RR")
    with pytest.raises(rg.UndefinedError, match="query 'q'"):
        rg.spark.evaluate(judgments, ranking, "AP(rel=2)", convention=rg.Convention(undefined="error")).mean(
            "AP(rel=2)"
        )
    by_order = rg.spark.evaluate(judgments, ranking, "RR", convention=rg.Convention(ties="input"), input_order="at")
    assert by_order.mean("RR") == 1


@contextmanager
def cluster(folder):
    """A master and two workers on loopback, each worker in a process group with its executor."""
    import pyspark

    launcher = Path(pyspark.__file__).parent / "bin" / "spark-class"
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_JAVA_OPTS": SHORT_LIVED}
    started = []

    def start(name, *arguments):
        log = (folder / f"{name}.log").open("wb")
        command = [str(launcher), f"org.apache.spark.deploy.{arguments[0]}", "--webui-port", "0", *arguments[1:]]
        started.append(
            subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=folder, start_new_session=True)
        )
        return started[-1]

    try:
        start("master", "master.Master", "--host", "127.0.0.1", "--port", "0")
        address = wait_for(lambda: re.search(r"spark://127\.0\.0\.1:\d+", (folder / "master.log").read_text()))[0]
        workers = [
            start(
                f"worker{n}",
                "worker.Worker",
                "--cores",
                "1",
                "--memory",
                "700m",
                "--work-dir",
                f"{folder}/w{n}",
                address,
            )
            for n in range(2)
        ]
        wait_for(lambda: (folder / "master.log").read_text().count("Registering worker") == 2)
        yield address, workers
    finally:
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := condition():
            return result
        time.sleep(0.1)
    raise TimeoutError


def test_a_worker_that_dies_changes_nothing(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    from pyspark.sql import SparkSession

    if (earlier := SparkSession.getActiveSession()) is not None:
        earlier.stop()

    def slowly(batches):  # nested, so that it is sent to the workers, which do not have this file
        for batch in batches:
            time.sleep(0.5)
            yield batch

    judgments, ranking = crowd(200, seed=5)
    metrics = [*map(rg.parse, ["nDCG@10", "AP", "RR", "ERR", "bpref"])]
    expected = digits(rg.evaluate(judgments, ranking, metrics), metrics)
    with cluster(tmp_path) as (address, workers), ThreadPoolExecutor(1) as pool:
        spark = session(address)
        try:
            status = spark.sparkContext._jsc.sc().getExecutorMemoryStatus
            wait_for(lambda: status().size() == 3)  # the driver and two executors
            rows = frame(spark, ranking, "score").repartition(6)
            slow = rows.mapInArrow(slowly, rows.schema)
            job = pool.submit(rg.spark.evaluate(frame(spark, judgments, "grade"), slow, metrics).collect)
            tracker = spark.sparkContext.statusTracker()

            def some_rows_have_moved():
                stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
                return job.done() or any(
                    s and s.numTasks >= 6 and 3 <= s.numCompletedTasks < s.numTasks for s in stages
                )

            wait_for(some_rows_have_moved)
            assert not job.done()
            os.killpg(workers[0].pid, signal.SIGKILL)
            result = job.result(timeout=120)
            assert workers[0].wait() == -signal.SIGKILL
            assert wait_for(lambda: status().size() == 2)
        finally:
            spark.stop()
    assert digits(result, metrics) == expected


@pace(30)
@given(st.lists(st.lists(st.floats(-1e6, 1e6), max_size=9), min_size=1, max_size=6))
def test_moments_of_partitions_add_up(parts):
    values = np.array([value for part in parts for value in part])
    merged = sum((Moments.of(np.array(part, dtype=float)) for part in parts), Moments())

    assert merged.count == len(values)
    if len(values) > 1:
        assert merged.mean == pytest.approx(values.mean(), rel=1e-9, abs=1e-6)
        assert merged.deviation == pytest.approx(values.std(ddof=1), rel=1e-6, abs=1e-4)
