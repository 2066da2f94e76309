"""Rules that few tools use: what each does, by every input form."""

import pytest

import rankgauge as rg


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
