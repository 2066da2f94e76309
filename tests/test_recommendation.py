"""The words of recommendation: every metric by the names its users know, tools' presets, cold and warm as slices."""

from __future__ import annotations

import os
import re
from math import log2
from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from command_line import here

TEST = {"ann": {"a": 5, "b": 3, "x": 4}, "bob": {"c": 4}}
LISTS = {"ann": ["a", "z", "b", "y"], "bob": ["z", "c"]}

# Of ann, a and b are found of three relevant items, at ranks 1 and 3; of bob, c at rank 2.
WORDS = {
    "HR@2": (1 + 1) / 2,
    "HitRate@1": (1 + 0) / 2,
    "HitRatio@1": (1 + 0) / 2,
    "Recall@3": (2 / 3 + 1) / 2,
    "Recall(over='min(k,R)')@2": (1 / 2 + 1) / 2,
    "CappedRecall@2": (1 / 2 + 1) / 2,
    "Precision@2": (1 / 2 + 1 / 2) / 2,
    "F1@3": (2 * 2 / (3 + 3) + 2 * 1 / (3 + 1)) / 2,
    "MAP@3": ((1 + 2 / 3) / 3 + 1 / 2) / 2,
    "MAP(over='min(R,k)')@2": (1 / 2 + 1 / 2) / 2,
    "MAP(over='hits')@3": ((1 + 2 / 3) / 2 + 1 / 2) / 2,
    "MAP(over='k')@4": ((1 + 2 / 3) / 4 + (1 / 2) / 4) / 2,
    "MAP(over='min(R,k,n)')@4": ((1 + 2 / 3) / 3 + 1 / 2) / 2,
    "MRR@2": (1 + 1 / 2) / 2,
    "NDCG(gain='binary')@2": (1 / (1 + 1 / log2(3)) + 1 / log2(3)) / 2,
    "NDCG@2": (5 / (5 + 4 / log2(3)) + 1 / log2(3)) / 2,
    "Hits@3": 2 + 1,
    "HitCount@3": 2 + 1,
    "RPrecision": (2 / 3 + 0) / 2,
    "MPR": ((0 + 2 / 3 + 1) / 3 + 1) / 2,
    "MeanPercentileRank": ((0 + 2 / 3 + 1) / 3 + 1) / 2,
    "UserAUC": None,
    "ROCAUC": None,
    "PartialAUC(max_fpr=0.5)": None,
    "LimitedAUC@2": None,
    "GlobalAUC": None,
}


@pytest.mark.parametrize("word", WORDS)
def test_metrics_have_the_names_used_in_recommendation(word):
    scores = rg.evaluate(TEST, LISTS, word, convention=rg.Convention(rel=3))

    if WORDS[word] is not None:
        assert scores.mean(word) == pytest.approx(WORDS[word])
    name = word.split("@")[0].split("(")[0]
    assert rg.parse(word).name in here("metrics", name).out, "the command finds it by this name"


def test_capped_recall_is_recall_over_another_denominator():
    for grades in ([1, 0, 1, 1], [0, 0, 1], [], [1]):
        for k in (1, 2, 3, None):
            assert (rg.CappedRecall @ k).of(grades, relevant=4) == (rg.R(over="min(k,R)") @ k).of(grades, relevant=4)


# LensKit


def test_lenskit_by_hand():
    """Ranks 1 and 2 are not discounted, further down it is the logarithm of the rank; the ideal is the best k ratings."""
    truth = {"u": {"a": 5.0, "b": 3.0, "c": 4.0}}
    lists = {"u": ["a", "x", "b"]}
    ideal = 5 + 4 / 1 + 3 / log2(3)
    scores = rg.evaluate(truth, lists, ["nDCG(gain='linear')@3", "nDCG@3", "RR@3", "P@5", "R@2"], convention="lenskit")

    assert scores.mean("nDCG(gain='linear')@3") == pytest.approx((5 + 3 / log2(3)) / ideal)
    assert scores.mean("nDCG@3") == pytest.approx((1 + 1 / log2(3)) / (1 + 1 + 1 / log2(3)))
    assert (scores.mean("RR@3"), scores.mean("P@5"), scores.mean("R@2")) == (1, 2 / 3, 1 / 2)


@pytest.mark.skipif(not os.environ.get("RANKGAUGE_DATA"), reason="RANKGAUGE_DATA is not set")
def test_golden_rows_of_the_java_lenskit():
    folder = Path(os.environ["RANKGAUGE_DATA"]) / "recsys" / "lenskit_eval"
    lists, truth = pl.read_csv(folder / "topn-java-recs.csv.gz"), pl.read_csv(folder / "topn-java-truth.csv")
    compared = 0
    for (algorithm,), golden in pl.read_csv(folder / "topn-java-metrics.csv").group_by("Algorithm"):
        ranking = lists.filter(pl.col("Algorithm") == algorithm).select("user", "item", "rank")
        scores = rg.evaluate(truth, ranking, ["nDCG(gain='linear')", "RR"], convention="lenskit")
        ndcg, rr = scores.per_query("nDCG(gain='linear')"), scores.per_query("RR")
        for user, their_ndcg, their_rr in golden.select("user", "Java.nDCG", "Java.RecipRank").iter_rows():
            assert (ndcg[user], rr[user]) == pytest.approx((their_ndcg, their_rr), abs=1e-15)
            compared += 1
    assert compared == 100


# Cold and warm

LOG = [("ann", "a"), ("ann", "b"), ("bob", "a"), ("eve", "a"), ("eve", "b"), ("eve", "c")]
WANTED = pl.DataFrame(
    {"user": ["ann", "bob", "eve", "new", "new"], "item": ["c", "b", "d", "a", "d"], "rating": [1, 1, 1, 1, 1]}
)
SYSTEMS = {
    "old": {"ann": ["c"], "bob": ["x", "b"], "eve": ["a", "x", "y", "d"], "new": ["a", "d"]},
    "new": {"ann": ["c"], "bob": ["b"], "eve": ["d"], "new": ["x", "a", "d"]},
}


def test_cold_and_warm_users_as_slices():
    scores = rg.evaluate(WANTED, SYSTEMS, "RR")
    kinds = {user: {"warmth": kind} for user, kind in rg.cold_start(LOG, scores.queries, warm=2).items()}
    found = rg.compare(scores).slices("warmth", attributes=kinds)

    assert {one.label: (one.queries, one.means["old"], one.means["new"]) for one in found} == {
        "cold": (("new",), 1, 1 / 2),
        "cool": (("bob",), 1 / 2, 1),
        "warm": (("ann", "eve"), (1 + 1 / 4) / 2, 1),
    }
    assert found.overall.means == {"old": 2.75 / 4, "new": 3.5 / 4}
    gaps = rg.group_gaps(scores.system("new"), "RR", {user: one["warmth"] for user, one in kinds.items()})
    assert gaps.worst == "cold"


FORMS = {
    "frame": lambda frame, _: frame,
    "pandas": lambda frame, _: frame.to_pandas(),
    "rows": lambda frame, _: frame.rows(),
    "lists": lambda frame, _: [[*row] for row in frame.rows()],
    "pairs": lambda frame, _: frame[:, :2].rows(),
    "records": lambda frame, _: frame.to_dicts(),
    "dict": lambda frame, _: {
        user: dict(rows.select("item", "grade").rows())
        for (user,), rows in frame.partition_by("user", as_dict=True, maintain_order=True).items()
    },
    "sets": lambda frame, _: {
        user: {*rows["item"]} for (user,), rows in frame.partition_by("user", as_dict=True).items()
    },
    "file": lambda frame, path: frame.write_csv(path) or path,
    "read": lambda frame, path: frame.write_csv(path) or rg.read(path),
}


@pytest.mark.parametrize("of", ["user", "item"])
@pytest.mark.parametrize("form", FORMS)
def test_cold_start_classifies_the_users_or_items_of_judgments_in_every_form(form, of, tmp_path):
    """A frame had the names of its columns classified, and a list of rows its rows."""
    test = pl.DataFrame({"user": ["ann", "new", "new"], "item": ["z", "a", "b"], "grade": [1, 1, 1]})
    kinds = {"user": {"ann": "warm", "new": "cold"}, "item": {"z": "cold", "a": "warm", "b": "warm"}}[of]
    assert rg.cold_start(LOG, FORMS[form](test, tmp_path / "test.csv"), of=of, warm=2) == kinds
    assert rg.cold_start(LOG, test[of], of=of, warm=2) == kinds  # the law: as of the ids themselves


def test_cold_and_warm_items_as_slices():
    """The judgments of items of one kind alone: how well are these found?"""
    kinds = rg.cold_start(LOG, WANTED["item"], of="item", warm=3)
    assert kinds == {"c": "cool", "b": "cool", "d": "cold", "a": "warm"}
    cold = rg.holdout.only_items(WANTED, [item for item, kind in kinds.items() if kind == "cold"])
    scores = rg.evaluate(cold, SYSTEMS, "RR")

    assert scores.per_query("RR", "old") == {"eve": 1 / 4, "new": 1 / 2}
    assert scores.per_query("RR", "new") == {"eve": 1, "new": 1 / 3}


def test_reports_and_attributions_say_users_of_a_log():
    """The caveats of a report, found while its data were read, said queries; so did its titles and attributions."""
    users = [f"u{number}" for number in range(40)]
    judged = pl.DataFrame({"user_id": users, "item_id": "a", "rating": 1})
    better = pl.DataFrame(
        [(user, item, score) for user in users for item, score in (("a", 2 if user in users[:4] else 0), ("b", 1))],
        schema=["user_id", "item_id", "score"],
        orient="row",
    )
    worse = better.with_columns(score=pl.when(pl.col("item_id") == "a").then(0).otherwise(1))
    report = rg.report(judged, {"x": worse, "y": better}, "HR@1")
    page = re.sub("<(script|style).*?</(script|style)>", "", report.to_html(), flags=re.DOTALL)
    texts = [report.document().to_text(), rg.attribute(judged, worse, better, "HR@1").to_text()]
    assert "1 user carries the difference (u0)" in texts[0]
    assert "1 个用户" in report.document("zh").to_text()
    assert "of 40 users account for" in texts[1]
    for text in [*texts, re.sub("<[^>]*>", "\n", page)]:
        assert not re.search(r"\bquer(y|ies)\b", text, re.IGNORECASE)
    for chinese in (report.document("zh"), rg.attribute(judged, worse, better, "HR@1").document("zh")):
        assert "查询" not in chinese.to_text()
