"""A small part of the simulations of corrected metrics, and what the stored ones show."""

import json

import pytest

from judges_simulation import DOCS, RESULTS, coverage, refusals, tables

STORED = json.loads(RESULTS.read_text(encoding="utf-8"))


def of(labelled, rows=STORED["coverage"]):
    return [row for row in rows if row["labelled"] == labelled]


def imperfect(rows):
    return [row for row in rows if row["judge"] != "perfect" or row["target"] != "these queries"]


def test_intervals_cover_the_truth():
    assert STORED["samples"] == 10_000
    assert all(0.93 <= row["coverage"] <= 0.97 for row in imperfect(of(30)))
    assert all(0.94 <= row["coverage"] <= 0.96 for row in imperfect([*of(100), *of(300)]))


def test_a_perfect_judge_of_these_queries_has_no_width():
    rows = [row for row in STORED["coverage"] if row not in imperfect(STORED["coverage"])]
    assert {(row["coverage"], row["half_width"]) for row in rows} == {(1.0, 0.0)}


def test_a_useless_judge_costs_little():
    for labelled, most in ((20, 1.04), (30, 1.025)):
        widths = [row["width"] for row in of(labelled) if row["judge"] == "useless"]
        assert max(widths) <= most


def test_random_samples_are_hardly_ever_refused():
    assert STORED["refusals"]["queries refused"] < 0.001
    assert STORED["refusals"]["items refused"] < 0.001
    assert STORED["refusals"]["only 2 or more refused"] == 1


@pytest.mark.parametrize(("lang", "ending"), [("en", ".md"), ("zh", ".zh-CN.md")])
def test_the_page_has_the_stored_table(lang, ending):
    assert tables(STORED["coverage"], lang) in (DOCS / f"judges{ending}").read_text(encoding="utf-8")


def test_a_few_samples_agree_with_the_stored_ones():
    for row in imperfect(coverage(samples=300, queries=2_000, labelled=(30,))):
        assert 0.88 <= row["coverage"] <= 0.99


def test_a_few_random_samples_are_taken():
    assert refusals(samples=30, queries=200)["queries refused"] == 0
