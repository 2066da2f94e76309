"""A small part of the simulations of corrected metrics, and what the stored ones show."""

import json

import pytest

from judges_simulation import DOCS, PARTS, RESULTS, coverage, refusals, tables

STORED = json.loads(RESULTS.read_text(encoding="utf-8"))


def of(labelled, rows=STORED["coverage"]):
    return [row for row in rows if row["labelled"] == labelled]


def imperfect(rows):
    return [row for row in rows if row["judge"] != "perfect" or row["target"] != "these queries"]


@pytest.mark.parametrize("world", ["coverage", "hard"])
def test_intervals_cover_the_truth(world):
    rows = STORED[world]
    assert STORED["samples"] == 10_000
    assert all(0.93 <= row["coverage"] <= 0.97 for row in imperfect(of(30, rows)))
    assert all(0.94 <= row["coverage"] <= 0.96 for row in imperfect([*of(100, rows), *of(300, rows)]))


@pytest.mark.parametrize("world", ["coverage", "hard"])
def test_a_perfect_judge_of_these_queries_has_no_width(world):
    rows = [row for row in STORED[world] if row not in imperfect(STORED[world])]
    assert {(row["coverage"], row["half_width"]) for row in rows} == {(1.0, 0.0)}


@pytest.mark.parametrize("world", ["coverage", "hard"])
def test_a_useless_judge_costs_little(world):
    for labelled, most in ((20, 1.04), (30, 1.025)):
        widths = [row["width"] for row in of(labelled, STORED[world]) if row["judge"] == "useless"]
        assert max(widths) <= most


def test_random_samples_are_hardly_ever_refused():
    assert STORED["refusals"]["queries refused"] < 0.001
    assert STORED["refusals"]["items refused"] < 0.001
    assert STORED["refusals"]["only 2 or more refused"] == 1


@pytest.mark.parametrize(("lang", "ending"), [("en", ".md"), ("zh", ".zh-CN.md")])
def test_the_page_has_the_stored_tables(lang, ending):
    page = (DOCS / f"judges{ending}").read_text(encoding="utf-8")
    assert all(tables(STORED[part], lang) in page for part in PARTS)


def test_a_few_samples_agree_with_the_stored_ones():
    for row in imperfect(coverage(samples=300, queries=2_000, labelled=(30,))):
        assert 0.88 <= row["coverage"] <= 0.99


def test_a_few_random_samples_are_taken():
    assert refusals(samples=30, queries=200)["queries refused"] == 0
