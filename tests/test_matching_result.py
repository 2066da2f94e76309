"""The result of the matching query, in the form of any database or library, gives the values of rg.duckdb.evaluate."""

from __future__ import annotations

import json

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgauge as rg
from crowds import crowd, digits
from test_duckdb import connect

METRICS = ["nDCG@5", "RR@5"]
RULES = {
    "default": rg.Convention(),
    "shuffled": rg.Convention(ties="random", seed=3),
    "graded": rg.Convention(unjudged=0.5),
    "above zero": rg.Convention(hit_if="score>0"),
}


def matched_and_expected(convention: rg.Convention, metrics: list[str] = METRICS) -> tuple[pa.Table, rg.Scores]:
    con = connect(*crowd(30, seed=5))
    text = rg.duckdb.matching_sql(con, "judgments", "ranking", metrics, convention=convention)
    return con.sql(text).to_arrow_table(), rg.duckdb.evaluate(
        con, "judgments", "ranking", metrics, convention=convention
    )


def as_json(table: pa.Table) -> pa.Table:
    """The form of warehouses: nested columns as JSON, names in capitals, whole numbers as decimals."""
    columns = {name.upper(): table.column(name) for name in table.column_names}
    for name in ("MATCHED", "POOL"):
        columns[name] = pa.array([None if row is None else json.dumps(row) for row in columns[name].to_pylist()])
    columns["RETURNED"] = columns["RETURNED"].cast(pa.decimal128(38))
    return pa.table(columns)


FORMS = {
    "Arrow": lambda table: table,
    "polars": pl.from_arrow,
    "pandas": lambda table: table.to_pandas(),
    "small batches": lambda table: pa.Table.from_batches(table.to_batches(max_chunksize=7)),
    "JSON": as_json,
    "JSON in polars": lambda table: pl.from_arrow(as_json(table)),
    "another order": lambda table: table.take([*reversed(range(len(table)))]),
}


@pytest.mark.parametrize("convention", RULES.values(), ids=RULES)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_of_a_matching_result_gives_the_same_digits(form, convention):
    table, expected = matched_and_expected(convention)
    result = rg.duckdb.evaluate_matched(form(table), METRICS, convention=convention)
    metrics = [rg.parse(metric) for metric in METRICS]
    assert digits(result, metrics) == digits(expected, metrics)


def test_metrics_with_smaller_cutoffs_reuse_the_result():
    table, _ = matched_and_expected(rg.Convention())
    expected = rg.evaluate(*crowd(30, seed=5), "P@3")
    assert rg.duckdb.evaluate_matched(table, "P@3").per_query("P@3") == expected.per_query("P@3")


def test_a_result_for_another_scope_is_refused():
    table, _ = matched_and_expected(rg.Convention())
    with pytest.raises(rg.InputError, match="down to rank 5 only"):
        rg.duckdb.evaluate_matched(table, "nDCG@6")
    with pytest.raises(rg.InputError, match="down to rank 5 only"):
        rg.duckdb.evaluate_matched(table, "AP")
    for rules in (*RULES.values(), rg.Convention(score_precision="float32")):
        if rules != rg.Convention():
            with pytest.raises(rg.InputError, match="matched for"):
                rg.duckdb.evaluate_matched(table, METRICS, convention=rules)
    with pytest.raises(rg.ParameterError, match="ItemCoverage"):
        rg.duckdb.evaluate_matched(table, "ItemCoverage")


def test_an_invalid_result_is_refused():
    table, _ = matched_and_expected(rg.Convention())
    place = table.column_names.index("matched")
    wrong = {
        "no column 'pool'": table.drop_columns("pool"),
        "several rows": pa.concat_tables([table, table.slice(0, 1)]),
        "no field 'above'": table.set_column(place, "matched", pa.array(['[{"grade": 1}]'] * len(table))),
        "cannot be read": table.set_column(place, "matched", pa.array(["{"] * len(table))),
        "can.* be read": 7,
        "no judged queries": table.slice(0, 0),
    }
    for words, given in wrong.items():
        with pytest.raises(rg.InputError, match=words):
            rg.duckdb.evaluate_matched(given, METRICS)


def test_lists_that_are_all_empty():
    con = duckdb.connect()
    con.execute("CREATE TABLE judgments AS SELECT 1 AS query, 2 AS item, 1 AS grade")
    con.execute("CREATE TABLE ranking AS SELECT 1 AS query, 3 AS item, 1 AS score")
    table = con.sql(rg.duckdb.matching_sql(con, "judgments", "ranking", "RR")).to_arrow_table()
    for form in (table, pd.DataFrame(table.to_pylist()), as_json(table)):
        assert rg.duckdb.evaluate_matched(form, "RR").per_query("RR") == {1: 0.0}


def test_invalid_rows_are_reported():
    con = duckdb.connect()
    con.execute("CREATE TABLE judgments AS SELECT 'q' AS query, 'a' AS item, 1 AS grade")
    con.execute("CREATE TABLE ranking AS FROM (VALUES ('q', 'a', 1.0), ('q', 'a', 2.0)) t(query, item, score)")
    table = con.sql(rg.duckdb.matching_sql(con, "judgments", "ranking", "RR")).to_arrow_table()
    with pytest.raises(rg.InputError, match="RG301"):
        rg.duckdb.evaluate_matched(table, "RR")
    scores = rg.duckdb.evaluate_matched(table, "RR", lenient=True)
    assert scores.mean("RR") == 1
    assert {finding.code for finding in scores.findings} >= {"RG301"}
