"""Inside DuckDB a query has the digits that it has anywhere else; names, types and faults are handled as everywhere."""

import random

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given

import rankgauge as rg
from crowds import CONVENTIONS, crowd, digits, flat, metrics_for
from test_agreement import worlds
from worlds import pace


def connect(judgments, ranking, seed=0):
    """A connection with both tables, their rows in no order."""
    con = duckdb.connect()
    rng = random.Random(seed)
    for name, table, number in (("judgments", judgments, "grade"), ("ranking", ranking, "score")):
        query, item, value = map(list, zip(*flat(table, rng), strict=True))
        rows = pa.table({"query": query, "item": item, number: value})
        con.register("given", rows)
        con.execute(f"CREATE TABLE {name} AS FROM given")
        con.unregister("given")
    return con


@pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=CONVENTIONS)
def test_every_metric_has_the_digits_of_the_local_engine(convention):
    judgments, ranking = crowd(400, seed=1)
    metrics = metrics_for(convention)
    expected = rg.evaluate(judgments, ranking, metrics, convention=convention)
    found = rg.duckdb.evaluate(connect(judgments, ranking), "judgments", "ranking", metrics, convention=convention)

    assert digits(found, metrics) == digits(expected, metrics)
    assert {f.code for f in found.findings} - {"RG211"} == {f.code for f in expected.findings} - {"RG211"}


@pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=CONVENTIONS)
@pace(8)
@given(world=worlds())
def test_small_worlds_have_the_digits_of_the_local_engine(convention, world):
    judgments, ranking = world
    metrics = metrics_for(convention)
    expected = rg.evaluate(judgments, ranking, metrics, convention=convention)
    found = rg.duckdb.evaluate(connect(judgments, ranking), "judgments", "ranking", metrics, convention=convention)

    assert digits(found, metrics) == digits(expected, metrics)
