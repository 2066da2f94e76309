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
