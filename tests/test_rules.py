"""Rules that few tools use: what each does, by every input form."""

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from registries import takes_ties
from worlds import evaluate_world, graded_metrics, pace, worlds


def test_a_gain_of_one_from_the_relevance_level_on():
    from_two = rg.Convention(gain="binary-rel", rel=2)
    assert rg.CG.of([1, 2, 5, None], convention=from_two) == 0 + 1 + 1
    assert rg.CG.of([0.5, 0, 1], convention=rg.Convention(gain="binary-rel", rel=">0")) == 2
    assert rg.CG.of([0, 0.5, 1, 3], convention=rg.Convention(gain="binary-rel")) == 2
    assert rg.nDCG.of([2, 3, 1], convention=from_two) == 1
    assert rg.CG(gain="binary-rel").of([1, 3], convention=rg.Convention(rel=3)) == 1
    assert rg.parse("nDCG(gain='binary-rel')@3") == rg.nDCG(gain="binary-rel") @ 3


def test_the_top_of_the_scale_can_be_the_largest_grade_of_the_query():
    largest = rg.Convention(max_grade="largest")
    assert rg.ERR.of([1, 2], convention=largest) == rg.ERR(max_grade=2).of([1, 2])
    assert rg.ERR.of([1, 2], ideal=[1, 2, 3], convention=largest) == rg.ERR(max_grade=3).of([1, 2])
    assert rg.ERR.of([0, 0], convention=largest) == 0
    graded = rg.RBP(p=0.5, graded=True)
    judgments, ranking = {"q": {"a": 3, "b": 1}, "p": {"a": 1}, "r": {"a": -1}}, {"q": "ba", "p": "a", "r": "a"}
    per_query = rg.evaluate(judgments, {q: [*items] for q, items in ranking.items()}, graded, convention=largest)
    assert per_query.per_query(graded) == {"q": 0.5 * (1 / 3 + 0.5), "p": 0.5, "r": 0}
    with pytest.raises(rg.ParameterError, match="a number above 0 or 'largest'"):
        rg.Convention(max_grade=0)


def test_a_list_shorter_than_k_can_count_zero():
    zero = rg.Convention(short_list="zero")
    assert (rg.nDCG @ 3).of([1, 0, 0], convention=zero) == 1
    assert (rg.nDCG @ 4).of([1, 0, 0], convention=zero) == 0
    assert rg.nDCG.of([1], convention=zero) == 1  # without a cutoff no list is too short
    assert (rg.P @ 2).of([1], convention=zero.replace(undefined=1)) == 0
    assert (rg.P @ 2).of([1, None], convention=zero) == 1 / 2
    assert (rg.P @ 2).of([1, None], convention=zero.replace(unjudged="removed")) == 0
    only_ndcg = rg.Convention(per_metric={"nDCG": {"short_list": "zero"}})
    assert (rg.P @ 2).of([1], convention=only_ndcg) == 1 / 2
    assert (rg.nDCG @ 2).of([1], convention=only_ndcg) == 0
    assert "short lists=zero" in (rg.P @ 2).line(zero)


def test_values_of_queries_can_be_rounded():
    two = rg.Convention(rounding=2)
    assert rg.AP.of([0, 0, 1], convention=two) == 0.33
    assert rg.P.of([1] + 7 * [0], convention=two) == 0.13  # 0.125: halves up
    assert rg.GMAP.of([0, 1], convention=rg.Convention(rounding=1)) == pytest.approx(-0.7)
    scores = rg.evaluate({"q": {"a": 1}, "p": {"a": 1}}, {"q": ["x", "y", "a"], "p": ["a"]}, "RR", convention=two)
    assert scores.per_query("RR") == {"q": 0.33, "p": 1}
    assert scores.mean("RR") == (0.33 + 1) / 2
    assert "rounding=2" in rg.P.line(two)
    assert two.meaning("rounding", "zh") == "保留 2 位小数"
    for wrong in (-1, 2.5, 16, True, "two"):
        with pytest.raises(rg.ParameterError, match="rounding"):
            rg.Convention(rounding=wrong)


def test_a_constant_can_be_added_to_the_denominator():
    """ragas adds 1e-10 to the number of hits, so that a perfect list prints 0.9999999999."""
    plus = rg.Convention(ap_over="hits", denominator_plus=1e-10)
    assert rg.AP.of([1, 1], convention=plus) == 2 / (2 + 1e-10)
    assert rg.AP.of([0, 0], convention=plus.replace(undefined="error")) == 0, "no 0/0 is left"
    assert rg.DCG.of([1], convention=plus) == 1, "it has no denominator"
    half = rg.Convention(denominator_plus=0.5)
    explained = rg.R.explain([1, 0, 1], convention=half)
    assert (explained.value, explained.below, explained.below_name) == (2 / 2.5, 2.5, "R + 0.5")
    assert "denominator plus=0.5" in rg.R.line(half)
    assert "denominator plus" not in rg.R.short_line()
    assert "分母附加值=0.5" in rg.nDCG.line(half, "zh")
    with pytest.raises(rg.ParameterError, match="a number of at least 0"):
        rg.Convention(denominator_plus=-1)
    data = {"q": {"a": 1, "b": 1}}, {"q": ["a", "b"]}
    assert rg.evaluate(*data, "R", convention=half).mean("R") == 2 / 2.5
    found = rg.attribute(*data, {"q": ["a"]}, "R", convention=half).query("q")
    assert (found.first, found.second) == (2 / 2.5, 1 / 2.5)


def test_without_a_cutoff_the_ideal_can_end_at_the_number_of_returned_items():
    rules = rg.Convention(ideal_cut="k or n")
    assert rg.nDCG.of([1], relevant=3, convention=rules) == 1
    assert (rg.nDCG @ 3).of([1], relevant=3, convention=rules) == (rg.nDCG @ 3).of([1], relevant=3)


def test_an_explanation_names_the_rules_after_the_formula():
    rules = rg.Convention(short_list="zero", rounding=1)
    explained = (rg.AP @ 3).explain([0, 0, 1], convention=rules)
    assert (explained.value, explained.unadjusted) == (0.3, 1 / 3)
    assert explained.adjustments == (("rounding", 0.3),)
    assert "Rounded: 0.300000" in explained.to_text()
    assert explained.to_dict()["adjustments"] == [{"rule": "rounding", "value": 0.3}]
    short = (rg.AP @ 4).explain([0, 0, 1], convention=rules)
    assert short.value == 0
    assert "Fewer than k items were returned, so the value is 0.000000." in short.to_text()
    assert "返回的物品不足 k 个" in short.to_text("zh")
    assert "adjustments" not in (rg.AP @ 1).explain([1]).to_dict()


def test_a_difference_is_attributed_to_rules_after_the_formula_as_well():
    judgments = {"q": {"a": 1, "b": 1}}
    first, second = {"q": ["x", "y", "a"]}, {"q": ["a", "x"]}
    found = rg.attribute(judgments, first, second, "AP@3", convention=rg.Convention(short_list="zero", rounding=1))
    query = found.query("q")
    assert (query.first, query.second) == (0.2, 0)
    pieces = {piece.kind: piece.change for piece in query.pieces}
    assert sum(item.change for item in query.items) + sum(pieces.values()) == pytest.approx(-0.2)
    assert "rules" in pieces
    assert "rounding" in found.to_text()


def test_fractions_of_grades_can_be_cut():
    cut = rg.Convention(fractions="cut")
    assert rg.CG.of([1.7, 0.9, 2], convention=cut) == 1 + 0 + 2
    assert rg.NumRel.of([1.7, 0.9], ideal=[1.7, 0.9, 2.5], convention=cut) == 2
    assert rg.Judged.of([-0.5, -1.5], convention=cut) == 1 / 2, "-0.5 becomes 0, which is judged"
    assert (rg.CG.of([1.7], convention=cut.replace(unjudged=0.5)), rg.CG.of([None], convention=cut)) == (1, 0)
    judgments, ranking = {"q": {"a": 1.7, "b": 2}}, {"q": ["a", "b"]}
    skipped = rg.evaluate(judgments, ranking, "RR", convention=cut.replace(rel=1.5, no_relevant="skip"))
    assert skipped.without_relevant == ()
    none = rg.evaluate({"q": {"a": 1.7}}, ranking, "RR", convention=cut.replace(rel=1.5, no_relevant="skip"))
    assert none.without_relevant == ("q",)
    assert "fractional grades=cut" in rg.P.line(cut)


def test_rules_of_a_single_metric_change_its_list_only():
    """Rules about ties, unjudged items and grades are for one metric alone, by every input form."""
    rules = rg.Convention(
        ties="input",
        per_metric={
            "nDCG": {"ties": "mean"},
            "P": {"unjudged": 1},
            "R": {"fractions": "cut"},
            "RR": {"negative": "keep"},
        },
    )
    grades, scores = [0, 1.5, None, -1], [0.5, 0.5, 0.4, 0.3]
    expected = {
        "nDCG": rg.nDCG.of(grades, scores=scores, ties="mean"),
        "DCG": rg.DCG.of(grades, scores=scores, ties="input"),
        "P@3": 2 / 3,
        "R(rel=1.2)": 0,
        "RR(rel=-1)": 1,
    }
    assert {name: rg.parse(name).of(grades, scores=scores, convention=rules) for name in expected} == expected
    judgments = {"q": {"a": 0, "b": 1.5, "d": -1}}
    ranking = {"q": dict(zip("abcd", scores, strict=True))}
    by_dict = rg.evaluate(judgments, ranking, [*expected], convention=rules)
    assert {name: by_dict.mean(name) for name in expected} == expected
    labels = np.array([[0, 1.5, np.nan, -1]])
    by_array = rg.evaluate(labels, np.array([scores]), [*expected], convention=rules)
    assert {name: by_array.mean(name) for name in expected} == expected
    assert "ties=mean" in rg.nDCG.line(rules)
    assert "ties=input" in rg.P.line(rules)
    low, high = rg.nDCG.bounds(grades, scores=scores, convention=rules)
    assert low < expected["nDCG"] < high
    assert rg.nDCG.of(grades, scores=scores, ties="best", convention=rules) == high


def test_hit_if_score_above_zero_for_a_single_metric():
    """hit_if set on a metric or for a metric was ignored, because matching did not keep the sign."""
    judgments, ranking = {"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0, "b": -1.0}}
    alone = rg.AP(hit_if="score>0")
    assert alone.of([1, 1], scores=[2, -1]) == 1 / 2
    assert rg.evaluate(judgments, ranking, [alone, "P@2"]).mean(alone) == 1 / 2
    assert rg.evaluate(judgments, ranking, [alone, "P@2"]).mean("P@2") == 1
    rules = rg.Convention(per_metric={"AP": {"hit_if": "score>0"}})
    assert rg.evaluate(judgments, ranking, ["AP", "RR"], convention=rules).mean("AP") == 1 / 2
    assert rg.evaluate(np.array([[1, 1]]), np.array([[2.0, -1.0]]), "AP", convention=rules).mean("AP") == 1 / 2


def test_metrics_of_items_refuse_rules_of_single_metrics():
    with pytest.raises(rg.ParameterError, match="evaluates the items themselves"):
        rg.evaluate(
            {"q": {"a": 1}}, {"q": ["a"]}, "ItemCoverage@1",
            side_information=rg.SideInformation(items=["a", "b"]),
            convention=rg.Convention(per_metric={"ItemCoverage": {"unjudged": "removed"}}),
        )  # fmt: skip


@pytest.mark.parametrize("others", ["first", "close-up"])
def test_a_single_metric_can_have_its_own_rule_for_repeated_items(others):
    rules = rg.Convention(duplicates=others, per_metric={"P": {"duplicates": "again"}})
    judgments, ranking = {"q": {"a": 1, "b": 0}}, [("q", "a", 3.0), ("q", "a", 2.0), ("q", "b", 1.0)]
    scores = rg.evaluate(judgments, ranking, ["P@2", "NumRelRet"], convention=rules)
    assert (scores.mean("P@2"), scores.mean("NumRelRet")) == (1, 1)
    assert (rg.P @ 2).of([1, 1, 0], items=["a", "a", "b"], convention=rules) == 1
    con = duckdb.connect()
    con.execute("CREATE TABLE judgments AS FROM (VALUES ('q', 'a', 1), ('q', 'b', 0)) t(query, item, grade)")
    con.execute(
        "CREATE TABLE ranking AS FROM (VALUES ('q', 'a', 3), ('q', 'a', 2), ('q', 'b', 1)) t(query, item, score)"
    )
    sql = rg.duckdb.matching_sql(con, "judgments", "ranking", ["P@2", "NumRelRet"], convention=rules)
    matched = rg.duckdb.evaluate_matched(con.sql(sql).to_arrow_table(), ["P@2", "NumRelRet"], convention=rules)
    assert (matched.mean("P@2"), matched.mean("NumRelRet")) == (1, 1)


def test_a_grade_for_unjudged_items_can_stay_out_of_the_ideal():
    inside, outside = rg.Convention(unjudged=3), rg.Convention(unjudged=3, unjudged_in_ideal="no")
    grades = [None, 1, 0]
    assert rg.DCG.of(grades, convention=inside) == rg.DCG.of(grades, convention=outside)
    assert rg.IDCG.of(grades, convention=inside) == pytest.approx(3 + 1 / np.log2(3))
    assert rg.IDCG.of(grades, convention=outside) == 1
    assert rg.nDCG.of(grades, convention=outside) == pytest.approx(3 + 1 / np.log2(3))
    assert rg.R.of(grades, relevant=4, convention=outside) == 2 / 4, (
        "R counts the judged items, at least those returned"
    )
    assert "unjudged in ideal=no" in rg.nDCG.line(outside)
    assert "unjudged in ideal" not in rg.nDCG.line(rg.Convention(unjudged_in_ideal="no")), "no item has such a grade"
    by_dict = rg.evaluate({"q": {"b": 1, "c": 0}}, {"q": ["x", "b", "c"]}, "nDCG", convention=outside)
    assert by_dict.mean("nDCG") == rg.nDCG.of(grades, convention=outside)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("NumRel", 2),
        ("R@2", 2 / 2),
        ("AP", (1 / 1 + 2 / 2 + 3 / 3) / 2),
        ("bpref", 3 / 2),
        ("Fidelity", 3 / 2),
        ("MPR", (0 / 2 + 1 / 2 + 2 / 2 + 1) / 2),  # the unreturned b counts as last
        ("AllHit@2", 0),  # neither a nor b
        ("ERR(max_grade='largest')", 1 / 2 + 1 / 2 / 4 + 1 / 3 / 8),
        ("Utility(miss=-1)", 3 - 1),
        ("nDCG(ideal='returned', discount='none')", 3 / 1),
        ("Compat(p=0.5)", ((8 * np.log(2) - 4 - 1) / 3 * 3 / 4) / (1 + 2 * (2 * np.log(2) - 1))),
    ],
)
def test_assumed_grades_outside_the_ideal_do_not_count_in_R(metric, expected):
    rules = rg.Convention(unjudged=1, unjudged_in_ideal="no")
    scores = rg.evaluate({"q": {"a": 1, "b": 1}}, {"q": ["x", "y", "a"]}, metric, convention=rules)
    assert scores.mean(metric) == pytest.approx(expected, rel=1e-12)


def test_YAAP_refuses_precisions_beyond_R():
    with pytest.raises(rg.ParameterError, match="unjudged_in_ideal='yes'"):
        rg.YAAP.of([None, None, 1], ideal=[1, 1], convention=rg.Convention(unjudged=1, unjudged_in_ideal="no"))


def test_a_mean_over_no_queries_can_be_a_number():
    judgments, ranking = {"q": {"a": 0}}, {"q": ["a"]}
    rules = rg.Convention(no_relevant="skip")
    for metric in ("RR", "NumRel", "GMAP"):
        assert np.isnan(rg.evaluate(judgments, ranking, metric, convention=rules).mean(metric))
        assert rg.evaluate(judgments, ranking, metric, convention=rules.replace(no_queries=0)).mean(metric) == 0
    streaming = rg.StreamingScores("RR", convention=rules.replace(no_queries=0.5))
    streaming.update(judgments=np.array([[0]]), scores=np.array([[1.0]]))
    assert streaming.compute().mean("RR") == 0.5
    assert "no queries=0" in rg.RR.line(rules.replace(no_queries=0))
    assert "no queries" not in rg.GAUC.line()


AFTER_CUT = rg.Convention(unjudged="removed-after-cut")


def test_unjudged_items_can_be_removed_after_the_cut():
    grades = [None, 1, 0, None, 1]
    assert (rg.P @ 3).of(grades, convention=AFTER_CUT.replace(p_over="min(k,n)")) == 1 / 2
    assert (rg.P @ 3).of(grades, convention=AFTER_CUT) == 1 / 3
    assert (rg.P @ 3).of(grades, convention=rg.Convention(unjudged="removed")) == 2 / 3, "items below the cut move up"
    assert (rg.RR @ 3).of(grades, convention=AFTER_CUT) == 1
    assert (rg.RR @ 1).of(grades, convention=AFTER_CUT) == 0
    assert rg.AP.of(grades, convention=AFTER_CUT) == rg.AP.of([1, 0, 1]), "without a cutoff, all are removed"
    assert (rg.R @ 3).of(grades, relevant=4, convention=AFTER_CUT) == 1 / 4
    assert (rg.P @ 3).curve(grades, convention=AFTER_CUT).values == (0, 1 / 2, 1 / 3, 1 / 4, 2 / 5)
    explained = (rg.P @ 3).explain(grades, items=[*"vwxyz"], convention=AFTER_CUT)
    assert [(row.item, row.rank) for row in explained.steps.rows] == [("w", 1), ("x", 2)]
    judgments, ranking = {"q": {"w": 1, "x": 0, "z": 1}}, {"q": [*"vwxyz"]}
    scores = rg.evaluate(judgments, ranking, ["P@3", "RR@3"], convention=AFTER_CUT)
    assert (scores.mean("P@3"), scores.mean("RR@3")) == (1 / 3, 1)
    assert rg.explain(judgments, ranking, "RR@3", "q", convention=AFTER_CUT).value == 1
    parts = rg.attribute(judgments, ranking, {"q": [*"wvxyz"]}, "RR@3", convention=AFTER_CUT).query("q")
    assert (parts.first, parts.second) == (1, 1)


def test_removing_unjudged_items_after_the_cut_is_refused_where_the_cut_is_open():
    mean = AFTER_CUT.replace(ties="mean")
    assert (rg.P @ 2).of([1, 0, None], scores=[2, 2, 1], convention=mean) == 1 / 2
    with pytest.raises(rg.ParameterError, match="items tied at rank 1"):
        (rg.P @ 1).of([1, 0], scores=[2, 2], convention=mean)
    side = rg.SideInformation(items=["a", "b"])
    with pytest.raises(rg.ParameterError, match="evaluates the items themselves"):
        rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "ItemCoverage@1", side_information=side, convention=AFTER_CUT)
    twice = [("q", "a", 3.0), ("q", "a", 2.0)]
    with pytest.raises(rg.ParameterError, match="copies that keep their place"):
        rg.evaluate({"q": {"a": 1}}, twice, "P@1", convention=AFTER_CUT.replace(duplicates="first"))
    with pytest.raises(rg.ParameterError, match="leaves another list for every cutoff"):
        rg.report({"q": {"a": 1}}, {"s": {"q": ["a"]}}, "P@1", convention=AFTER_CUT)


def test_a_top_k_can_take_in_all_items_tied_with_the_last_one():
    """As the precision of TruLens: relevant items among those with at least the score of the k-th."""
    all_tied = rg.Convention(tied_at_k="all")
    grades, scores = [1, 0, None, 1, 1], [5, 4, 4, 4, 3]
    assert (rg.P @ 2).of(grades, scores=scores, convention=all_tied) == 2 / 4
    assert (rg.P @ 2).of(grades, scores=scores, convention=all_tied.replace(p_over="min(k,n)")) == 2 / 4
    assert (rg.P @ 1).of(grades, scores=scores, convention=all_tied) == 1
    assert (rg.P @ 5).of(grades, scores=scores, convention=all_tied) == 3 / 5
    assert (rg.P @ 9).of(grades, scores=scores, convention=all_tied) == 3 / 9
    assert (rg.HR @ 1).of([0, 1], scores=[1, 1], convention=all_tied) == 1
    unjudged = {"grades": [1, None, None], "scores": [2, 1, 1]}
    assert (rg.P @ 1).of(**unjudged, convention=all_tied) == 1
    assert (rg.P @ 2).of(**unjudged, convention=all_tied) == 1 / 3, "unjudged items are tied, too"
    assert (rg.P @ 2).of(**unjudged, convention=all_tied.replace(unjudged="removed")) == 1 / 2
    assert (rg.R @ 1).of([1, 1], scores=[1, 1], convention=rg.Convention(per_metric={"R": {"tied_at_k": "all"}})) == 1
    assert "ties at k=all" in (rg.P @ 2).line(all_tied)
    assert "ties at k" not in rg.AUC.line(all_tied)


WITH_CUTOFF = {name: metric for name, metric in graded_metrics().items() if "k" in metric.definition.parameters}


@pytest.mark.parametrize("name", WITH_CUTOFF)
@pace(12)
@given(
    world=worlds(scored=True),
    k=st.integers(1, 4),
    ties=st.sampled_from(["input", "worst", "mean", "together", "mean-rank"]),
)
def test_every_metric_with_an_enlarged_cutoff_is_the_metric_at_that_cutoff(name, world, k, ties):
    metric, rules = WITH_CUTOFF[name], rg.Convention(ties=ties)
    if not takes_ties(metric @ k, rules):
        return
    scores = sorted(world.scores, reverse=True)
    last = k if k >= len(scores) else max(place for place, score in enumerate(scores, 1) if score == scores[k - 1])
    enlarged = evaluate_world(metric @ k, world, rules.replace(tied_at_k="all"))
    np.testing.assert_array_equal(enlarged, evaluate_world(metric @ last, world, rules), err_msg=str(world))


def test_an_enlarged_cutoff_is_explained_and_attributed():
    rules = rg.Convention(tied_at_k="all", ties="input")
    explained = (rg.P @ 1).explain([1, 0], scores=[1, 1], convention=rules)
    assert (explained.value, explained.cutoff, len(explained.steps.rows)) == (1 / 2, 2, 2)
    assert "The item at rank k is tied, so k is 2." in explained.to_text()
    assert explained.to_dict()["cutoff"] == 2
    cut = rules.replace(unjudged="removed-after-cut")
    after_cut = (rg.P @ 1).explain([1, None, 0], scores=[1, 1, 1], convention=cut)
    assert (after_cut.value, len(after_cut.steps.rows)) == (1 / 3, 2)
    judgments, tied, untied = {"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "b": 2.0}}, {"q": {"a": 2.0, "b": 1.0}}
    for ties in ("input", "mean"):
        parts = rg.attribute(judgments, tied, untied, "P@1", convention=rules.replace(ties=ties)).query("q")
        assert (parts.first, parts.second) == (1 / 2, 1)


def test_an_enlarged_cutoff_by_every_input_form():
    rules = rg.Convention(tied_at_k="all", ties="input")
    judgments, scores = {"q": {"a": 1}}, [3.0, 2.0, 2.0, 1.0]
    ranking = {"q": dict(zip("axyz", scores, strict=True))}
    values = [rg.evaluate(judgments, ranking, "P@2", convention=rules).mean("P@2")]
    labels = np.array([[1, np.nan, np.nan, np.nan]])
    values.append(rg.evaluate(labels, np.array([scores]), "P@2", convention=rules).mean("P@2"))
    values.append(rg.evaluate(np.array([[1, 0, 0, 0]]), np.array([scores]), "P@2", convention=rules).mean("P@2"))
    con = duckdb.connect()
    rows = "('q', 'a', 3), ('q', 'x', 2), ('q', 'y', 2), ('q', 'z', 1)"
    con.execute("CREATE TABLE judgments AS FROM (VALUES ('q', 'a', 1)) t(query, item, grade)")
    con.execute(f"CREATE TABLE ranking AS FROM (VALUES {rows}) t(query, item, score)")
    by_id = rules.replace(ties="id")
    values.append(rg.duckdb.evaluate(con, "judgments", "ranking", "P@2", convention=by_id).mean("P@2"))
    sql = rg.duckdb.matching_sql(con, "judgments", "ranking", "P@2", convention=by_id)
    values.append(rg.duckdb.evaluate_matched(con.sql(sql).to_arrow_table(), "P@2", convention=by_id).mean("P@2"))
    assert values == [1 / 3] * 5
    side = rg.SideInformation(items=["a", "b"])
    with pytest.raises(rg.ParameterError, match="evaluates the items themselves"):
        rg.evaluate(judgments, ranking, "ItemCoverage@1", side_information=side, convention=rules)
