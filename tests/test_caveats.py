"""What could change a verdict stands beside it, with the number it would be otherwise."""

import json
import random

import numpy as np
import pytest
from scipy import stats

import rankgauge as rg
from rankgauge.matching.ranking import Ranking

QUERIES = [f"q{n}" for n in range(30)]
JUDGMENTS = {query: {"a": 1, "b": 0} for query in QUERIES}


def lists(*ranks):
    """The relevant item at these ranks; 0 is a query without results."""
    return {
        query: [*(f"x{n}" for n in range(rank - 1)), "a"] for query, rank in zip(QUERIES, ranks, strict=True) if rank
    }


def compared(*differences):
    values = {"A": dict.fromkeys(QUERIES, 0.0), "B": dict(zip(QUERIES, differences, strict=True))}
    return rg.Comparison.of(values)


def test_queries_without_results_and_the_number_without_them():
    chance = random.Random(3)
    before = [chance.choice((2, 3)) for _ in QUERIES]
    after = [0, 0, *(max(1, rank - chance.choice((0, 1))) for rank in before[2:])]
    rankings = {"bm25": lists(*before), "hybrid": lists(*after)}
    both = rg.compare(JUDGMENTS, rankings, "RR")
    first, second = ([1 / rank for rank in ranks[2:]] for ranks in (before, after))
    difference, p = (sum(second) - sum(first)) / 28, stats.ttest_rel(second, first).pvalue

    expected = (
        "2 queries have no results from 'hybrid' and count as 0; without them the difference is "
        f"{difference:+.4f}, p = {p:.2g}."
    )
    assert both.caveats("bm25", "hybrid") == [expected]
    text = both.document().to_text()
    assert text.index(both.verdict()) < text.index(expected) < text.index("rank interval")
    assert both.to_dict()["metrics"]["RR"]["caveats"]["en"] == [expected]
    assert "2 个查询没有来自 'hybrid' 的结果" in both.caveats("bm25", "hybrid", lang="zh")[0]
    assert "2 queries have no results from" in rg.report(JUDGMENTS, rankings, "RR").to_html()
    skipped = rg.compare(JUDGMENTS, rankings, "RR", convention=rg.Convention(missing="skip"))
    assert skipped.caveats("bm25", "hybrid") == []


def test_a_difference_due_to_a_few_queries():
    assert compared(0.3, *[0.05, 0.04] * 14, 0.01).caveats("A", "B") == []
    both = compared(0.1, *[0.085, -0.04] * 14, 0.02)
    assert both.pair("A", "B").significant
    (caveat,) = both.caveats("A", "B")
    rest = [*[0.085, -0.04] * 14, 0.02]
    p = stats.ttest_1samp(rest, 0).pvalue
    assert p > 0.05
    otherwise = f"the difference is {sum(rest) / 29:+.4f}, p = {p:.4f}"
    assert caveat == f"1 query carries the difference (q0): without it {otherwise}."


def test_ties_that_decide_the_comparison():
    tied = {query: {"a": 1.0, "b": 1.0} for query in QUERIES}
    ahead = {query: {"a": 2.0 - n % 2 * 2, "b": 1.0} for n, query in enumerate(QUERIES)}
    both = rg.compare(JUDGMENTS, {"ahead": ahead, "tied": tied}, "RR")
    assert both.caveats("ahead", "tied") == [
        "Scores are tied, and other orders of the tied items give differences from -0.2500 to +0.2500."
    ]
    same = rg.compare(JUDGMENTS, {"ahead": ahead, "tied": tied}, "RR", convention=rg.Convention(ties="mean"))
    assert same.caveats("ahead", "tied") == []


def test_unjudged_items_that_decide_the_comparison():
    chance = random.Random(1)
    judged = {query: ["b", "a"] if chance.random() < 0.5 else ["a", "b"] for query in QUERIES}
    fresh = {query: ["new", "a"] if chance.random() < 0.9 else ["a", "b"] for query in QUERIES}
    rankings = {"old": judged, "new": fresh}
    (caveat,) = rg.compare(JUDGMENTS, rankings, "nDCG@2").caveats("old", "new")
    assert caveat in rg.report(JUDGMENTS, rankings, "nDCG@2").to_markdown()
    removed = rg.compare(JUDGMENTS, rankings, "nDCG@2", convention=rg.Convention(unjudged="removed"))
    share = sum("new" in items for items in fresh.values()) / len(QUERIES) / 2
    assert caveat.startswith(f"Of the top 2, {share * 100:.3g}% of new and 0% of old are not judged")
    assert f"with unjudged items removed the difference is {removed.pair('old', 'new').difference:+.4f}, p = " in caveat


@pytest.mark.parametrize("form", [dict, np.array])
def test_unjudged_items_are_not_a_caveat_where_only_relevant_items_are_judged(form):
    """Without the unjudged items every list of a user was perfect, and the difference that of the hit ratio."""
    random = np.random.default_rng(1)
    clicks = np.where(np.arange(20) < random.integers(1, 4, (30, 1)), 1.0, np.nan)
    scores = random.random((30, 20))
    judged = {"clicks": clicks, "clicks and skips": np.where(random.random((30, 20)) < 0.1, 0.0, clicks)}
    rankings = {"one": scores, "two": scores + 0.1 * np.isfinite(clicks)}
    if form is dict:
        judged = {name: as_dicts(grades) for name, grades in judged.items()}
        rankings = {name: as_dicts(values) for name, values in rankings.items()}
    assert rg.compare(judged["clicks"], rankings, "nDCG@5").caveats("one", "two") == []
    (caveat,) = rg.compare(judged["clicks and skips"], rankings, "nDCG@5").caveats("one", "two")
    assert "with unjudged items removed the difference is" in caveat


def as_dicts(matrix):
    return {str(n): {str(m): row[m] for m in np.flatnonzero(~np.isnan(row))} for n, row in enumerate(matrix)}


def test_unjudged_items_that_could_reverse_the_order():
    """Without the unjudged items a difference stayed significant, and no caveat told that judging them decides it."""
    judgments = {query: {"a": 2, "b": 0, "c": 1} for query in QUERIES}
    rankings = {
        "old": {query: ["x", "ac"[number % 3 == 0]] for number, query in enumerate(QUERIES)},
        "new": {query: ["a", "b"] for query in QUERIES},
    }
    both = rg.compare(judgments, rankings, "DCG@2")
    low, high = both.unjudged()["old"].range
    assert both.pair("old", "new").significant
    (caveat,) = both.caveats("old", "new")
    assert (
        f"judging them could reverse the order (old from {low:.4f} to {high:.4f}, new from 2.0000 to 2.0000)" in caveat
    )
    assert f"可能逆转次序（old 为 {low:.4f} 至" in both.caveats("old", "new", lang="zh")[0]

    relevant_only = {query: {"a": 2, "c": 1} for query in QUERIES}  # such as clicks, of which every order is open
    assert rg.compare(relevant_only, rankings, "DCG@2").caveats("old", "new") == []


@pytest.mark.parametrize("metric", ["ItemCoverage@2", "RR"])
def test_no_caveats_where_none_apply(metric):
    rankings = {"A": lists(*[1] * 30), "B": lists(*[1] * 30)}
    side = rg.SideInformation(items=["a", "b", "c"])
    assert rg.compare(JUDGMENTS, rankings, metric, side_information=side).caveats("A", "B") == []


def test_caveats_name_their_pair_of_systems_in_full():
    """A caveat followed the verdict on another pair, and a name of 60 characters lost its end."""
    name = "hybrid-" + "x" * 50 + "-v2"
    rankings = {"bm25": lists(*[2, 3] * 15), name: lists(0, *[1, 2] * 14, 1), "dense": lists(*[1, 3, 2] * 10)}
    comparison = rg.compare(JUDGMENTS, rankings, "RR")
    (caveat,) = [text for text in comparison.to_dict()["metrics"]["RR"]["caveats"]["en"] if "no results" in text]

    assert caveat.startswith(f"{name} − bm25: 1 query has no results from '{name}' and counts as 0; without it ")
    assert " and dense" not in comparison.caveats("bm25", name)[0]


def test_labels_of_people_stand_below_the_verdict_of_the_judge():
    """A large effect stood 25 lines above the correction by which it is none."""
    rankings = {"old": lists(*[2, 3] * 15), "new": lists(*[1, 2] * 15)}
    people = {query: {"a": int(n % 4 > 0), "x0": int(n % 4 == 0)} for n, query in enumerate(QUERIES)}
    judge = {query: {"a": 1, "x0": 0} for query in QUERIES}
    both = rg.compare(judge, rankings, "RR@1", people=people)
    corrected = both.corrected.verdict("old", "new").corrected
    caveat, *_ = both.caveats("old", "new")
    assert caveat.startswith(
        f"This is by the judge alone; corrected by labels of people the difference is {corrected.value:+.4f} ("
    )
    assert caveat.endswith(": no longer significant.")
    assert both.caveats("old", "new", lang="zh")[0].endswith("：不再显著。")
    report = rg.report(judge, rankings, "RR@1", people=people)
    assert report.to_html().index("corrected by labels of people") < report.to_html().index("Leaderboard")
    agreeing = rg.compare(judge, rankings, "RR@1", people=judge)
    assert agreeing.caveats("old", "new")[0].endswith(": the verdict stays.")

    many = {f"s{n}": lists(*[1 + (n > 0), 2] * 15) for n in range(5)}
    text = rg.compare(judge, many, "RR@1", people=people, baseline="s1").document().to_text()
    assert "correction by labels of people changes 1 of 4." in text  # s0 is no longer better


@pytest.mark.parametrize("verb", [rg.compare, rg.report])
@pytest.mark.parametrize(("small", "times"), [(1 << 20, 1), (0, 2)])
def test_files_are_read_at_most_once_more_for_all_caveats(tmp_path, monkeypatch, verb, small, times):
    """The rows of small files are kept; each caveat of each metric read both files again, 14 times for two metrics."""
    monkeypatch.setattr("rankgauge.inputs.io.input_file.SMALL_FILE", small)
    for name, top in (("first", "x"), ("second", "a")):
        rows = [f"{query} Q0 {item} 1 0.5 run" for query in QUERIES for item in (top, "b")]
        (tmp_path / name).write_text("\n".join(rows), encoding="utf-8")
    opened = []
    blocks = Ranking.blocks
    monkeypatch.setattr(
        Ranking, "blocks", lambda self, *rest, **more: opened.append(self.name) or blocks(self, *rest, **more)
    )
    both = verb(JUDGMENTS, {name: tmp_path / name for name in ("first", "second")}, ["RR@1", "P@2", "nDCG@2"])

    both.document()
    assert opened == ["first", "second"] * times


@pytest.mark.parametrize("form", ["absent", "empty"])
def test_queries_that_both_systems_lack_are_named_once(form):
    judgments = {f"q{n}": {"a": 1, "b": 0} for n in range(6)}
    lists = {"old": ["a", "b"], "new": ["b", "a"]}
    rankings = {
        name: {q: items for q in judgments if q != "q3"} | ({} if form == "absent" else {"q3": []})
        for name, items in lists.items()
    }

    text = str(rg.compare(judgments, rankings, "RR"))
    report = rg.report(judgments, rankings, "RR")

    assert text.count("1 query has no results from 'old' and 'new' and counts as 0; without it ") == 1
    assert text.count("no results from") == report.to_markdown().count("no results from") == 1
    assert "1 个查询没有来自 'old' 和 'new' 的结果" in report.to_markdown("zh")


def test_a_report_names_the_files_of_systems_that_have_other_names(tmp_path):
    judgments = {f"q{n}": {"a": 1, "b": 0} for n in range(6)}
    for name, items in (("old", ["a", "b"]), ("new", ["b", "a"])):
        (tmp_path / f"{name}.json").write_text(json.dumps(dict.fromkeys(judgments, items)))
    files = tmp_path / "old.json", tmp_path / "new.json"

    text = rg.report(judgments, dict(zip(("旧版", "new"), files, strict=True)), "RR").to_markdown()

    assert "旧版 = old.json" in text
    assert "new = " not in text
