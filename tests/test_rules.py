"""Rules that few tools use: what each does, by every input form."""

import rankgauge as rg


def test_a_gain_of_one_from_the_relevance_level_on():
    from_two = rg.Convention(gain="binary-rel", rel=2)
    assert rg.CG.of([1, 2, 5, None], convention=from_two) == 0 + 1 + 1
    assert rg.CG.of([0.5, 0, 1], convention=rg.Convention(gain="binary-rel", rel=">0")) == 2
    assert rg.CG.of([0, 0.5, 1, 3], convention=rg.Convention(gain="binary-rel")) == 2
    assert rg.nDCG.of([2, 3, 1], convention=from_two) == 1
    assert rg.CG(gain="binary-rel").of([1, 3], convention=rg.Convention(rel=3)) == 1
    assert rg.parse("nDCG(gain='binary-rel')@3") == rg.nDCG(gain="binary-rel") @ 3
