"""One matrix: every metric on every engine, on the same random data.

NumPy, DuckDB and Spark give exactly the values of dicts; other array libraries agree within 1e-12. An engine refuses a
metric that it cannot compute, and the error names what the metric needs.
"""

import random
import re
from functools import cache

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import rankgauge as rg
from crowds import CONVENTIONS, crowd, digits
from devices import (
    CLOSE,
    ITEMS,
    LABELS,
    NAMES,
    QUERIES,
    RULES,
    SCORES,
    WORLDS,
    largest_difference,
    library,
    metrics_for,
    of_grades,
    places,
)
from optional import needs
from registries import NEEDS
from worlds import THOROUGH

ROWS = [f"row {row:02}" for row in range(QUERIES)]

FEW = {"jax": ("default", "worst"), "spark": ("default", "worst", "reversed", "random", "removed, mean", "assumed")}
"""JAX compiles for every new shape, and every Spark job takes a second; RANKGAUGE_THOROUGH=2 runs all conventions."""


@cache
def world():
    """A crowd, and the arrays as dicts."""
    judgments, ranking = crowd(120, seed=1)
    of_square = as_dicts(LABELS, SCORES)
    return judgments | of_square[0], ranking | of_square[1]


def as_dicts(labels, scores):
    """Arrays as dicts of named rows and columns."""
    judged, ranked = {}, {}
    for row, grades, points in zip(ROWS, labels.tolist(), scores.tolist(), strict=True):
        judged[row] = {name: grade for name, grade in zip(NAMES, grades, strict=False) if not np.isnan(grade)}
        ranked[row] = dict(zip(NAMES, points, strict=False))
    return judged, ranked


def as_table(rows_of, number):
    """The same as a table with shuffled rows; a column holds their original order."""
    rows = [
        (query, item, float(value), turn)
        for query, values in rows_of.items()
        for turn, (item, value) in enumerate(values.items())
    ]
    random.Random(7).shuffle(rows)
    return pa.table(dict(zip(("query", "item", number, "turn"), map(list, zip(*rows, strict=True)), strict=True)))


@cache
def tables():
    judgments, ranking = world()
    return as_table(judgments, "grade").drop_columns("turn"), as_table(ranking, "score")


def on_tables(rules):
    """The options of engines that hold tables."""
    return {"convention": rules, "input_order": "turn" if rules.ties.startswith("input") else None}


@cache
def expected(name):
    metrics = metrics_for(CONVENTIONS[name])
    return metrics, rg.evaluate(*world(), metrics, convention=CONVENTIONS[name])


LOCAL = {"RG409"}
"""The share of unjudged items at the top, which only an evaluation in memory looks at."""


def codes(scores):
    return {finding.code for finding in scores.findings} - LOCAL


@pytest.fixture(scope="module")
def connection():
    con = duckdb.connect()
    for name, table in zip(("judgments", "ranking"), tables(), strict=True):
        con.register(name, table)
    return con


@pytest.fixture(scope="module")
def frames(spark):
    return [spark.createDataFrame(table).persist() for table in tables()]


def conventions(engine, names=CONVENTIONS):
    return [name for name in names if THOROUGH > 1 or name in FEW.get(engine, names)]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("writable", [True, False], ids=["numpy", "numpy read-only"])
def test_numpy_agrees(name, writable):
    metrics, scores = expected(name)
    labels, points = LABELS.copy(), SCORES.copy()
    labels.flags.writeable = points.flags.writeable = writable
    result = rg.evaluate(labels, points, metrics, convention=RULES[name])

    for metric in metrics:
        of_rows = scores.per_query(metric)
        assert result[metric].tobytes() == np.array([of_rows[row] for row in ROWS]).tobytes(), str(metric)
    np.testing.assert_array_equal(labels, LABELS)
    np.testing.assert_array_equal(points, SCORES)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("which", ["whole", "whole, tied"])
def test_numpy_agrees_where_every_item_is_judged(name, which):
    metrics = metrics_for(RULES[name])
    result = rg.evaluate(*WORLDS[which], metrics, convention=RULES[name])
    scores = rg.evaluate(*as_dicts(*WORLDS[which]), metrics, convention=RULES[name])

    for metric in metrics:
        assert result[metric].tobytes() == scores[metric].tobytes(), str(metric)


PLACES = [*dict.fromkeys(["numpy", "torch", "jax", *places()])]
ON_DEVICES = [
    pytest.param(place, name, world, id=f"{place}-{name}-{world}", marks=pytest.mark.xdist_group(f"{place} arrays"))
    for place in PLACES
    for world in WORLDS
    for name in conventions(place, RULES)
    if (place, world) != ("jax", "whole, tied") or THOROUGH > 1
]


@pytest.mark.parametrize(("place", "name", "world"), ON_DEVICES)
def test_arrays_of_other_libraries_agree(place, name, world):
    needs(place.split()[0])
    every = slice(len(world) % 3, None, 3) if place == "jax" and THOROUGH <= 1 else slice(None)  # JAX compiles for long
    difference, metric = largest_difference(place, RULES[name], world=world, part=every)

    assert difference <= CLOSE, metric


@pytest.mark.parametrize("place", ["numpy", "torch", "jax"])
def test_grades_of_zero_are_not_above_zero_on_devices(place):
    """XLA takes 5e-324, the smallest grade above 0, for 0: all items were relevant, and Compat was wrong."""
    needs(place)
    evaluate, where = library(place)
    grades, scores = np.array([[0.0, 1.0, 0.0]]), np.array([[3.0, 2.0, 1.0]])
    found = evaluate(
        judgments=where.from_host(grades),
        scores=where.from_host(scores),
        metrics="P@3",
        convention=rg.Convention(rel=">0"),
    )

    assert found.mean("P@3") == 1 / 3


@pytest.mark.parametrize("name", conventions("duckdb"))
def test_duckdb_agrees(name, connection):
    metrics, scores = expected(name)
    result = rg.duckdb.evaluate(connection, "judgments", "ranking", metrics, **on_tables(CONVENTIONS[name]))

    assert digits(result, metrics) == digits(scores, metrics)
    assert codes(result) == codes(scores)
    np.testing.assert_allclose([*map(result.mean, metrics)], [*map(scores.mean, metrics)], rtol=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.xdist_group("spark")
@pytest.mark.parametrize("name", conventions("spark"))
def test_spark_agrees(name, frames):
    metrics, scores = expected(name)
    lazy = rg.spark.evaluate(*frames, metrics, **on_tables(CONVENTIONS[name])).persist()
    result = lazy.collect()

    assert digits(result, metrics) == digits(scores, metrics)
    assert codes(result) == codes(scores)
    np.testing.assert_allclose([*map(lazy.mean, metrics)], [*map(scores.mean, metrics)], rtol=1e-12)
    lazy.unpersist()


# Metrics that only NumPy computes, with side information; engines refuse them and name what they need.

OTHERS = [metric for metric in rg.metrics().values() if metric not in of_grades()]


def needed(metric):
    """The requirement that the error must name."""
    needs = metric.definition.needs
    return NEEDS[needs[-1]].what.en if needs else "the ids of the returned items"


def refused(metric, evaluate):
    with pytest.raises(rg.ParameterError, match=f"{metric} .* needs .*{re.escape(needed(metric))}"):
        evaluate(metric)


@pytest.mark.parametrize("place", PLACES)
def test_arrays_of_other_libraries_refuse_unsupported_cases(place):
    needs(place.split()[0])
    evaluate, where = library(place)
    arrays = {"judgments": where.from_host(LABELS), "scores": where.from_host(SCORES)}
    for metric in OTHERS:
        refused(metric, lambda each: evaluate(**arrays, metrics=each))


def test_duckdb_refuses_unsupported_cases(connection):
    for metric in OTHERS:
        refused(metric, lambda each: rg.duckdb.evaluate(connection, "judgments", "ranking", each))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.xdist_group("spark")
def test_spark_refuses_unsupported_cases(frames):
    for metric in OTHERS:
        refused(metric, lambda each: rg.spark.evaluate(*frames, each))


def side_information():
    rng = random.Random(3)
    columns, rows = range(ITEMS), range(QUERIES)
    return rg.SideInformation(
        items=[*columns],
        training={row: rng.sample(columns, 3) for row in rows},
        features={column: [rng.random(), 1.0] for column in columns},
        categories={column: rng.sample("abcd", 2) for column in columns},
        item_groups={column: "xy"[column % 2] for column in columns},
        subtopics={row: {column: {rng.choice("st"): 1} for column in rng.sample(columns, 5)} for row in rows},
        baseline={row: rng.sample(columns, 4) for row in rows},
    )


@pytest.mark.parametrize("writable", [True, False], ids=["numpy", "numpy read-only"])
def test_numpy_supports_all_cases(writable):
    labels, points = LABELS.copy(), SCORES.copy()
    labels.flags.writeable = points.flags.writeable = writable
    others = [metric for metric in OTHERS if "spans" not in (metric.definition.needs or ())]
    metrics = [*others, *(metric @ 3 for metric in others if "k" in metric.definition.parameters)]
    options = {"convention": rg.Convention(ties="input", undefined="nan"), "side_information": side_information()}
    judgments = {
        row: {column: label for column, label in enumerate(labels) if not np.isnan(label)}
        for row, labels in enumerate(LABELS.tolist())
    }
    ranking = {row: dict(enumerate(scores)) for row, scores in enumerate(SCORES.tolist())}
    result, scores = (
        rg.evaluate(labels, points, metrics, **options),
        rg.evaluate(judgments, ranking, metrics, **options),
    )

    assert digits(result, metrics) == digits(scores, metrics)
    # Values of all users together are sums over items, which are numbered as they come.
    np.testing.assert_allclose([*map(result.mean, metrics)], [*map(scores.mean, metrics)], rtol=1e-12)
