"""Leakage from test data into training data."""

from __future__ import annotations

import polars as pl

from rankgauge.conventions.rule import plain_number
from rankgauge.errors import shown
from rankgauge.inputs.findings import Findings

_PAIR = ["query", "item"]


def with_same_id_types(first: pl.DataFrame, second: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Convert ids to text in both frames where their types differ."""
    for name in _PAIR:
        if first.schema[name] != second.schema[name]:
            first, second = (side.with_columns(pl.col(name).cast(pl.String)) for side in (first, second))
    return first, second


def find_leaks(train: pl.DataFrame, test: pl.DataFrame) -> Findings:
    """Report test pairs in training, training after the test, and test users without training.

    Both frames have columns query and item, and optionally time.
    """
    findings = Findings()
    train, test = with_same_id_types(train, test)
    seen = test.join(train.select(_PAIR).unique(), on=_PAIR, how="semi").sort(_PAIR)
    if seen.height:
        query, item = seen.select(_PAIR).row(0)
        findings.add("RG501", f"user {shown(query)}, item {shown(item)} is in both", seen.height)
    unknown = test.join(train, on="query", how="anti")["query"].unique().sort()
    if len(unknown):
        findings.add("RG503", f"user {shown(unknown[0])} is in the test data only", len(unknown))
    if "time" in train.columns and "time" in test.columns and test.height:
        _find_later_training(train, test, findings)
    return findings


def _find_later_training(train: pl.DataFrame, test: pl.DataFrame, findings: Findings) -> None:
    """Report training rows after the first test of their user, or after the first test of all."""
    first_of_user = test.group_by("query").agg(pl.col("time").min().alias("first"))
    own = train.join(first_of_user, on="query").filter(pl.col("time") > pl.col("first")).sort("query", "time", "item")
    if own.height:
        query, item, time, first = own.select("query", "item", "time", "first").row(0)
        findings.add(
            "RG502",
            f"user {shown(query)}: item {shown(item)} at {plain_number(time)} is in training, "
            f"but the first test is at {plain_number(first)}",
            own.height,
        )
    first_test = float(test["time"].cast(pl.Float64).to_numpy().min())
    later = train.filter(pl.col("time") > first_test)
    if later.height:
        findings.add("RG504", f"training continues after the first test at {plain_number(first_test)}", later.height)
