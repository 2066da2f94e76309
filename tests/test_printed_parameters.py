"""Parameters that define a number are printed wherever the number goes, also at their default."""

import csv
import io
import json

import polars as pl
import pytest

import rankgauge as rg
from registries import SCORE_FORMATS

DATA = {"q": {"a": 1, "b": 1}}, {"q": ["x", "a"]}
OWN = {"RBP": {"p": 0.8, "graded": False}, "RBP(p=0.5)": {"p": 0.5, "graded": False}, "F@3": {"beta": 1}}
"""Metrics with parameters that are no rules, with all of them."""


@pytest.fixture(scope="module")
def scores() -> rg.Scores:
    return rg.evaluate(*DATA, [*OWN, "AP"])


def test_the_line_of_a_metric_has_every_parameter():
    assert rg.RBP.line().startswith("p=0.8 · relevant from=1 · ")
    assert rg.RBP(p=0.5).short_line().startswith("p=0.5 · relevant from=1 · ")
    assert rg.AP.line().startswith("relevant from=1 · ")
    assert rg.parse("IPrec@0.1").line().startswith("recall=0.1 · ")


def test_no_two_metrics_share_a_line(scores):
    """RBP and RBP(p=0.5) were printed as one, with the same rules."""
    lines = [line for line in str(scores).splitlines() if line.startswith("RBP")]
    assert [line.split()[:2] for line in lines] == [["RBP", "p=0.8"], ["RBP(p=0.5)", "p=0.5"]]


def test_csv_and_parquet_have_the_parameters(scores):
    rows = csv.DictReader(io.StringIO(SCORE_FORMATS["csv"](scores, False).decode()))
    lines = {row["metric"]: row["convention"] for row in rows}
    assert lines["RBP"].startswith("p=0.8 · ")
    assert lines["F@3"].startswith("beta=1 · ")
    metadata = pl.read_parquet_metadata(io.BytesIO(SCORE_FORMATS["parquet"](scores, False)))
    assert json.loads(metadata["rankgauge"])["parameters"] == OWN


def test_json_has_the_parameters(scores):
    assert json.loads(scores.to_json())["parameters"] == OWN
    assert rg.explain(*DATA, "F@3", "q").to_dict()["parameters"] == {"beta": 1}
    assert rg.compare(DATA[0], {"a": DATA[1], "b": DATA[1]}, "RBP").to_dict()["parameters"] == {"RBP": OWN["RBP"]}
    assert rg.curve(*DATA, "RBP").to_dict()["parameters"] == {"RBP": OWN["RBP"]}
    assert "parameters" not in rg.evaluate(*DATA, "AP").to_dict()


def test_an_explanation_and_a_report_show_the_parameters():
    assert "Definition used: beta=1 · " in rg.explain(*DATA, "F@3", "q").to_text(width=200)
    assert "Parameters: p=0.8" in rg.report(DATA[0], {"a": DATA[1]}, "RBP").to_html()


def test_variants_that_are_off_are_not_printed():
    """``count=False`` said nothing; a parameter that is on by default is printed if it is off."""
    assert "count" not in rg.ItemCoverage.line()
    assert rg.ItemCoverage(count=True).line().startswith("count=True · ")
    assert rg.EPC(relevant=False).line().startswith("relevant=False · ")
    assert rg.EPC.line().startswith("relevant=True · ")


@pytest.mark.parametrize(
    ("side", "value", "en", "zh"),
    [
        ({"items": list("abcd")}, 2 / 4, "Catalogue: 4 items, as given by items.", "4 个物品，由 items 给出"),
        ({"items": 8}, 2 / 8, "Catalogue: 8 items, as given by items.", "8 个物品，由 items 给出"),
        (
            {"training": [("v", "a"), ("v", "c"), ("w", "c")]},
            1 / 2,
            "Catalogue: 2 items, those in training",
            "训练数据",
        ),
    ],
)
def test_the_catalogue_is_named(side, value, en, zh):
    """Values of ItemCoverage with items and with training alone differed below the same definition."""
    given = {"side_information": rg.SideInformation(**side)}
    scores = rg.evaluate({"u": {"a": 1}}, {"u": ["a", "b"]}, ["RR", "ItemCoverage@2"], **given)
    assert scores.mean("ItemCoverage@2") == value
    compared = rg.compare({"u": {"a": 1}}, {"x": {"u": ["a", "b"]}, "y": {"u": ["b"]}}, "ItemCoverage@2", **given)
    for document in (scores.document, compared.document):
        assert en in document().to_text()
        assert zh in document("zh").to_text()
    assert "Catalogue" not in rg.evaluate({"u": {"a": 1}}, {"u": ["a", "b"]}, "RR", **given).document().to_text()


def test_parts_of_an_explanation_follow_the_language():
    assert "residual = " in rg.RBP.explain([1, 0]).to_text()
    assert "剩余量 = " in rg.RBP.explain([1, 0]).to_text("zh")
