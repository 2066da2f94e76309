"""The prepared evaluator: the values and findings of ``evaluate``, whole rankings and single queries."""

import random

import numpy as np
import polars as pl
import pytest

import rankgauge as rg

JUDGMENTS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1, "e": 0}, "q3": {"f": 1}}
RANKING = {"q1": {"b": 0.9, "a": 0.5, "x": 0.5, "c": 0.1}, "q2": ["x", "d"]}
METRICS = ["nDCG@10", "AP", "RR", "P@2", "bpref"]


def findings_of(scores: rg.Scores) -> list[tuple[str, int, tuple[str, ...]]]:
    return [(finding.code, finding.count, finding.examples) for finding in scores.findings]


@pytest.fixture(autouse=True)
def _at_one_time(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")


@pytest.mark.parametrize("convention", [None, "trec_eval-9", "sklearn", rg.Convention(unjudged="removed")])
def test_every_call_gives_the_scores_and_findings_of_evaluate(convention):
    evaluator = rg.Evaluator(JUDGMENTS, METRICS, convention=convention)
    for ranking in (RANKING, {"q3": ["f"]}, RANKING):
        prepared = evaluator(ranking)
        fresh = rg.evaluate(JUDGMENTS, ranking, METRICS, convention=convention)
        assert prepared.to_dict() == fresh.to_dict()
        assert findings_of(prepared) == findings_of(fresh)


def test_a_call_takes_several_rankings_and_weights():
    evaluator = rg.Evaluator(JUDGMENTS, "RR", convention=rg.Convention(averaging="weighted"))
    weights = {"q1": 1, "q2": 3, "q3": 0}
    several = evaluator({"old": RANKING, "new": {"q1": ["a"]}}, weights=weights)
    assert several.systems == ("old", "new")
    assert several.mean("RR", system="old") == pytest.approx((1 / 3 * 1 + 1 / 2 * 3) / 4)


def test_named_rankings_are_scored_together_and_can_be_removed():
    evaluator = rg.Evaluator(JUDGMENTS, "RR")
    evaluator.add(RANKING, "old")
    evaluator.add({"q1": ["a"]}, "new")
    assert evaluator.scores().systems == ("old", "new")
    assert evaluator(RANKING).systems == ("",)
    assert evaluator.scores().systems == ("old", "new")
    evaluator.forget()
    evaluator.add(RANKING)
    assert evaluator.scores().to_dict() == rg.evaluate(JUDGMENTS, RANKING, "RR").to_dict()


@pytest.mark.parametrize(
    "convention", [None, "trec_eval-9", rg.Convention(negative="zero"), "ranx", rg.Convention(ties="mean")]
)
def test_one_query_gives_the_values_of_the_whole_ranking_for_every_metric_of_grades(convention):
    rng = random.Random(3)
    judgments = {f"q{n}": {f"d{item}": rng.choice([-1, 0, 0, 1, 2]) for item in range(12)} for n in range(4)}
    ranking = {
        query: {f"d{item}": rng.choice([rng.random(), 0.5]) for item in rng.sample(range(30), 15)}
        for query in judgments
    }
    chosen = [
        metric @ 5 if "k" in metric.definition.parameters else metric
        for metric in rg.metrics().values()
        if not metric.definition.of_items and not metric.definition.needs and metric.definition.summary.has_query_values
    ]
    checked = 0
    for metric in chosen:
        try:
            whole = rg.evaluate(judgments, ranking, metric, convention=convention)
        except rg.RankgaugeError:  # a metric that refuses a rule, or needs a parameter
            continue
        evaluator = rg.Evaluator(judgments, metric, convention=convention)
        for query, value in whole.per_query(metric).items():
            single = evaluator.query_values(query, ranking[query])
            assert single == pytest.approx({str(metric): value}, abs=0, rel=0, nan_ok=True)
            checked += 1
    assert checked > 100


def test_one_query_takes_lists_iterators_tables_and_ids_of_another_type():
    frame = pl.DataFrame({"query": [1, 1], "item": [7, 8], "grade": [1, 0]})
    assert rg.Evaluator(frame, "RR").query_values("1", ["8", "7"]) == {"RR": 0.5}
    assert rg.Evaluator({"q": {"a": 1}}, "RR").query_values("q", iter(["b", "a"])) == {"RR": 0.5}
    assert rg.Evaluator({"q": {"a": 1}}, "RR").query_values("q", []) == {"RR": 0.0}
    skipping = rg.Evaluator({"q": {"a": 0}}, "AP", convention=rg.Convention(undefined="skip"))
    assert np.isnan(skipping.query_values("q", ["a"])["AP"])


def test_errors_of_one_query_name_the_place():
    evaluator = rg.Evaluator(JUDGMENTS, ["RR", "nDCG@5"])
    with pytest.raises(rg.InputError, match="query 'q9' is not in the judgments"):
        evaluator.query_values("q9", ["a"])
    with pytest.raises(rg.InputError, match=r"query 'q1', item 'a'.*RG202"):
        evaluator.query_values("q1", {"a": float("nan")})
    with pytest.raises(rg.InputError, match="judgments are an array"):
        rg.Evaluator(np.array([[1, 0]]), "RR").query_values(0, ["a"])
    items = rg.Evaluator(JUDGMENTS, "ItemCoverage@5", side_information=rg.SideInformation(items=["a", "b"]))
    with pytest.raises(rg.ParameterError, match="pass a whole ranking"):
        items.query_values("q1", ["a"])
    with pytest.raises(rg.UnknownNameError, match=r"argument of Evaluator\(\) 'convntion'"):
        rg.Evaluator(JUDGMENTS, "RR", convntion=None)


def test_text_is_parsed_again_after_a_metric_was_redefined():
    """A remembered notation must not outlive the metric it named."""
    for factor in (1.0, 2.0):

        @rg.metric()
        def Redefined(j, *, k: rg.Cutoff = None):
            """Number of judged items in the top k, times a factor."""
            return rg.total(j, k, each=factor * j.at(j.known))  # noqa: B023 (evaluated in this iteration)

        try:
            assert rg.parse("Redefined@3").of([1, 0, 1, 1]) == 3 * factor
        finally:
            rg.unregister("Redefined")
    with pytest.raises(rg.UnknownNameError):
        rg.parse("Redefined@3")
