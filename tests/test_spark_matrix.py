"""Spark as a column of the matrices of findings and of misleading input: the same decisions as DuckDB and frames."""

import duckdb
import polars as pl
import pytest

import rankgauge as rg
from optional import needs
from test_findings_matrix import METRICS, WORLDS, codes_of, columns, finding_forms
from test_form_meanings import GRADES, SCORES, table

needs("pyspark")
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("spark")]


@pytest.mark.parametrize("world", [world for world in WORLDS if not finding_forms.reason(world, "spark")])
def test_findings_are_equal_in_spark(world, spark):
    judgments, ranking = WORLDS[world]
    frames = pl.DataFrame(columns(judgments, "grade")), pl.DataFrame(columns(ranking, "score")).drop("rank")

    metric = METRICS.get(world, "RR")
    assert world[:5] in codes_of(lambda: in_spark(spark, *frames, metric, lenient=True))


def in_frames(_, judgments, ranking, **options):
    return rg.evaluate(judgments, ranking, "RR", **options)


def in_duckdb(_, judgments, ranking, **options):
    con = duckdb.connect()
    con.register("judgments", judgments.to_arrow())
    con.register("ranking", ranking.to_arrow())
    return rg.duckdb.evaluate(con, "judgments", "ranking", "RR", **options)


def in_spark(spark, judgments, ranking, metric="RR", **options):
    sides = [spark.createDataFrame(side.to_arrow()) for side in (judgments, ranking)]
    return rg.spark.evaluate(*sides, metric, **options)


PLACES = {"frames": in_frames, "duckdb": in_duckdb, "spark": in_spark}


def rows(name, *numbers, items="abc"):
    listed = items[: len(numbers)]
    return pl.DataFrame({"query": ["q"] * len(numbers), "item": [*listed], name: numbers})


ONE = rows("grade", 1, 0)
SITUATIONS = {
    "as it should be": (ONE, rows("score", 0.2, 0.5), 0.5, set()),
    "ranks in a column of that name": (ONE, rows("rank", 2, 1), 0.5, set()),
    "a rank and no score, ordered": (ONE, rows("rank", 1, 2), 1.0, set()),
    "a query without relevant items": (rows("grade", 0, 0), rows("score", 0.2, 0.5), 0.0, {"RG404"}),
    "true and false as grades": (rows("grade", True, False), rows("score", 0.2, 0.5), 0.5, set()),
    "ids in another case": (
        rows("grade", 1, 1, items="aX"),
        rows("score", 0.2, 0.1, items="ax"),
        1.0,
        {"RG405", "RG411"},
    ),
}
"""Judgments, a ranking, RR worked out by hand, and the findings."""
LARGE = pl.Series([2.0**53])
SCORED, GRADED = pl.DataFrame(table(SCORES, "score")), pl.DataFrame(table(GRADES, "score"))
REFUSED = {
    "swapped arguments": (SCORED, GRADED, "arguments look swapped"),
    "swapped arguments with names": (SCORED, GRADED.rename({"score": "grade"}), "arguments look swapped|RG111"),
    "an item without a score": (ONE, rows("score", 0.1, 0.9, None), "RG201"),
    "ids that are inexact numbers": (ONE.with_columns(item=LARGE.new_from_index(0, 2)), ONE, "RG215|cast it to text"),
    "grades of text": (rows("grade", "good", "bad"), rows("score", 0.2, 0.5), "RG111|RG204|does not hold numbers"),
}
"""Judgments and a ranking, and what the error names."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_each_situation_has_one_value_and_one_finding(situation, place, spark):
    judgments, ranking, value, codes = SITUATIONS[situation]

    scores = PLACES[place](spark, judgments, ranking)

    assert scores.mean("RR") == value
    assert {finding.code for finding in scores.findings} == codes


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("situation", REFUSED)
def test_each_misleading_situation_is_refused(situation, place, spark):
    """Swapped tables had RR 0 in DuckDB and Spark."""
    judgments, ranking, reason = REFUSED[situation]

    with pytest.raises(rg.InputError, match=reason):
        PLACES[place](spark, judgments, ranking).mean("RR")


def test_swapped_tables_are_read_as_they_are_if_their_columns_are_named(spark):
    named = {"query": "query", "item": "item"}

    for evaluate in PLACES.values():
        assert evaluate(spark, SCORED, GRADED, columns=named).mean("RR") == 0


def test_an_error_of_a_worker_keeps_its_codes(spark):
    with pytest.raises(rg.InputError) as refused:
        in_spark(spark, ONE, rows("score", 0.1, 0.9, None)).mean("RR")
    assert refused.value.codes == ("RG201",)
