"""Headline, tables, groups and report of a comparison say the same, and intervals stay inside the bounds."""

import re

import numpy as np
import pytest

import rankgauge as rg
from statistics_simulation import coverage


def many_systems(count=20, queries=30, **options):
    chance = np.random.default_rng(3)
    judgments = {f"q{q}": {f"d{n}": int(n < 4) for n in range(10)} for q in range(queries)}
    rankings = {
        f"run{place:02}": {
            query: {item: grade * (1.6 - 1.6 * place / count) + chance.normal() for item, grade in grades.items()}
            for query, grades in judgments.items()
        }
        for place in range(count)
    }
    return rg.compare(judgments, rankings, "AP", permutations=500, resamples=200, **options)


@pytest.mark.parametrize("baseline", [None, "run00", "run05"])
@pytest.mark.parametrize("all_pairs", [False, True])
def test_headline_counts_groups_and_pairs_agree(baseline, all_pairs):
    compared = many_systems(baseline=baseline)
    pairs = compared.pairs(all_pairs=all_pairs)
    text = compared.table(all_pairs=all_pairs)
    headline, counts = text.splitlines()[2], text.splitlines()[4]
    family = "corrected for 19 comparisons with the baseline: Holm" if baseline else "corrected for all 190 pairs: Holm"
    assert f"({family})" in headline
    with_baseline = [pair for pair in compared.pairs() if compared.baseline in {pair.first, pair.second}]
    different = sum(pair.significant for pair in with_baseline)
    if not all_pairs:
        assert f"and {19 - different} do" in counts
        assert f"({family})" in counts
    groups = {row.system: {*row.group} for row in compared.leaderboard()}
    if compared.covers_all_pairs(all_pairs):
        assert all(bool(groups[pair.first] & groups[pair.second]) != pair.significant for pair in pairs)
    assert ("  group" in text) == compared.covers_all_pairs(all_pairs)
    assert ("share a group" in text) == compared.covers_all_pairs(all_pairs)


@pytest.mark.parametrize("baseline", [None, "run00"])
def test_a_report_uses_one_family_and_names_it(baseline):
    compared = many_systems(4, baseline=baseline)
    judgments, rankings, _ = compared.compared_input
    page = rg.report(judgments, rankings, "AP", baseline=baseline, permutations=500, resamples=200).to_html()
    family = "corrected for 3 comparisons with the baseline" if baseline else "corrected for all 6 pairs"
    other = "corrected for all 6 pairs" if baseline else "with the baseline: Holm"
    assert page.count(family) >= 3
    assert other not in page
    assert ("share a group" in page) == (baseline is None)


def test_too_few_queries_are_never_significant_however_small_p_is():
    judgments = {f"q{n}": {"a": 1} for n in range(3)}
    good, bad = {q: ["a"] for q in judgments}, {q: ["x", "y", "z", "a"][n:] for n, q in enumerate(judgments)}
    compared = rg.compare(judgments, {"bad": bad, "good": good}, "RR")
    (pair,) = compared.pairs()
    assert pair.corrected < 0.05
    assert not pair.significant
    assert "No difference counts as significant: with 3 queries" in compared.table()
    page = rg.report(judgments, {"bad": bad, "good": good}, "RR").to_html()
    assert "No difference counts as significant: with 3 queries" in page
    assert "A difference is significant if" not in page


def test_few_queries_leave_every_rank_open():
    """The groups said that no system differs, and the rank interval of the last one was 3."""
    judgments = {f"q{number}": {"a": 1, "b": 0, "c": 0} for number in range(5)}
    lists = {"first": "abc", "second": "bac", "third": "bca"}
    rankings = {name: {query: [*items] for query in judgments} for name, items in lists.items()}

    rows = rg.compare(judgments, rankings, "RR").statistics("RR").leaderboard

    assert {row.ranks for row in rows} == {(1, 3)}
    assert {row.group for row in rows} == {"a"}


def test_letters_of_groups_are_not_marks_of_systems():
    compared = many_systems(4)
    judgments, rankings, _ = compared.compared_input
    page = rg.report(judgments, rankings, "AP", permutations=500, resamples=200).to_html()
    marks = re.findall(r"<sup>([^<]*)</sup>", page)
    assert marks
    assert not any(re.search("[a-z]", mark) for mark in marks)


def test_a_query_without_relevant_items_is_counted_once():
    judgments = {"q1": {"a": 1}, "q2": {"a": 0}, "q3": {"b": 0}}
    rankings = {name: {query: ["a", "b"] for query in judgments} for name in ("x", "y", "z")}
    (found,) = [finding for finding in rg.evaluate(judgments, rankings, "AP").findings if finding.code == "RG404"]
    assert found.count == 2


# Intervals of bounded metrics


def test_intervals_of_bounded_metrics_stay_inside_the_bounds():
    judgments = {f"q{n}": {"a": 1} for n in range(8)}
    ranking = {q: ["a"] if n else ["x", "a"] for n, q in enumerate(judgments)}
    scores = rg.evaluate(judgments, ranking, ["RR", "HR@5", "nDCG@10"])
    for metric in scores.metrics:
        low, high = scores.interval(metric)
        assert 0 <= low <= scores.mean(metric) <= high <= 1
    assert scores.interval("HR@5").low < 0.8  # eight hits of eight do not prove that all are


def test_an_interval_of_coverage_does_not_exceed_one():
    users = {f"u{n}": {f"i{n % 5}": 1} for n in range(20)}
    ranking = {user: [f"i{(n + m) % 5}" for m in range(2)] for n, user in enumerate(users)}
    known = rg.SideInformation(items=[f"i{n}" for n in range(5)])
    scores = rg.evaluate(users, ranking, "ItemCoverage@2", side_information=known)
    assert scores.mean() == 1
    assert scores.interval().high == 1


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-2.0, 3.0)])
def test_the_bounded_interval_moves_with_the_scale(bounds):
    low, high = bounds
    unit = rg.stats.bounded_interval(0.8, 0.3, 12)
    scaled = rg.stats.bounded_interval(low + 0.8 * (high - low), 0.3 * (high - low), 12, bounds=bounds)
    assert [*scaled] == pytest.approx([low + end * (high - low) for end in unit])
    mirrored = rg.stats.bounded_interval(0.2, 0.3, 12)
    assert [*mirrored] == pytest.approx([1 - end for end in unit[::-1]])


def test_values_beyond_the_bounds_have_students_interval():
    values = np.array([1.4, 0.9, 1.2, 0.7])
    expected = rg.stats.t_interval(values)
    assert rg.stats.bounded_interval(values.mean(), values.std(ddof=1), 4) == pytest.approx(expected)
    assert rg.stats.bounded_interval(2.0, 3.0, 5, bounds=(0.0, np.inf)).low == 0.0


def test_the_bounded_interval_covers_more_often_where_values_pile_up_at_a_bound():
    rates = coverage("many_hits", 10, 300, 50, seed=1)
    assert rates["bounded"] > 0.9
    assert rates["t"] < 0.75


# Unjudged items


def test_unjudged_shares_are_beside_the_numbers():
    judgments = {f"q{n}": {f"d{m}": m % 2 for m in range(10) if (n + m) % 4} for n in range(20)}
    full = {query: list(grades) for query, grades in judgments.items()}
    wide = {query: [f"d{m}" for m in range(10)] for query in judgments}
    scores = rg.evaluate(judgments, {"full": full, "wide": wide}, "P@10")
    assert scores.unjudged_top == {"full": 0.0, "wide": 0.25}
    assert "Unjudged in the top 10: full 0%, wide 25%." in str(scores)
    assert "Unjudged in the top 10: 25%." in str(rg.evaluate(judgments, wide, "P@10"))
    assert "前 10 个中未标注的比例：full 0%、wide 25%。" in rg.compare(scores).table("zh")
    assert "Unjudged" not in str(scores.system("full"))
    relevant_only = {query: {item: 1 for item, grade in grades.items() if grade} for query, grades in judgments.items()}
    assert "Unjudged" not in str(rg.evaluate(relevant_only, wide, "P@10"))
