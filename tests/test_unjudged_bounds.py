"""What unjudged items could do: bounds that hold whatever they are worth, and warnings where the order is not safe."""

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from worlds import pace, plain_metrics

ITEMS = [f"d{number}" for number in range(5)]
CONVENTIONS = [
    rg.Convention(),
    rg.Convention(ties="mean", gain="exp2"),
    rg.Convention(p_over="min(k,R)", r_over="min(k,R)", ap_over="hits", ideal="returned", undefined=1),
    rg.Convention(gain={0: 0, 1: 2, 2: 3}, unjudged="removed", ap_over="min(R,k)", ideal_cut="returned"),
]


def asked():
    for metric in plain_metrics().values():
        yield metric
        if "k" in metric.definition.parameters:
            yield metric @ 2


@st.composite
def queries(draw):
    judged = draw(st.dictionaries(st.sampled_from(ITEMS), st.sampled_from([0, 1, 2]), min_size=1, max_size=4))
    scores = st.sampled_from([0.1, 0.2, 0.2, 0.3])
    return judged, draw(st.dictionaries(st.sampled_from(ITEMS), scores, min_size=1))


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda convention: f"{CONVENTIONS.index(convention)}")
@pace(8)
@given(query=queries())
def test_every_assumption_lies_within_the_bounds(convention, query):
    judged, returned = query
    holes = [item for item in returned if item not in judged]
    assumptions = [
        {**judged, **dict(zip(holes, grades, strict=True))} for grades in product((0, 1, 2), repeat=len(holes))
    ][:81]
    worlds, lists = dict(enumerate(assumptions)), dict.fromkeys(range(len(assumptions)), returned)
    for metric in asked():
        try:
            found = rg.unjudged_bounds(
                {"q": judged}, {"s": {"q": returned}}, metric, max_grade=2, convention=convention
            )
        except rg.ParameterError as error:
            assert "no closed form" in str(error)
            continue
        one = found["s"]
        if found.kind == "unknown":
            assert (one.lowest, one.highest) == (None, None)
            continue
        values = rg.evaluate(worlds, lists, metric, convention=convention)[metric].tolist()
        assert one.lowest - 1e-12 <= min(values), (metric, assumptions[int(np.argmin(values))])
        assert max(values) <= one.highest + 1e-12, (metric, assumptions[int(np.argmax(values))])
        if found.kind == "exact":
            assert (one.lowest, one.highest) == (one.none, one.all)
            assert values[-1] == pytest.approx(one.highest) or len(values) < 3 ** len(holes)


def test_common_metrics_have_bounds():
    judgments, ranking = {"q": {"a": 1}}, {"s": {"q": ["x", "a"]}}
    kinds = {name: rg.unjudged_bounds(judgments, ranking, metric).kind for name, metric in plain_metrics().items()}

    assert {name for name, kind in kinds.items() if kind == "outer"} >= {"nDCG", "nERR", "AP", "R", "F", "Rprec"}
    assert {"P", "RR", "DCG", "HR", "ERR", "RBP"} <= {name for name, kind in kinds.items() if kind == "exact"}
    assert {"bpref", "infAP", "AUC", "Fallout"} <= {name for name, kind in kinds.items() if kind == "unknown"}


def test_bounds_by_hand():
    """P@2 of [a, x] is 1/2, and 2/2 if x is relevant; AP is (1/1)/2, at most (1/1 + 2/2)/2, at least (1/1)/3."""
    judgments, ranking = {"q": {"a": 1, "b": 1}}, {"s": {"q": ["a", "x"]}}
    precision = rg.unjudged_bounds(judgments, ranking, "P@2")["s"]
    average = rg.unjudged_bounds(judgments, ranking, "AP")["s"]

    assert (precision.unjudged, precision.none, precision.all, precision.range) == (0.5, 0.5, 1.0, (0.5, 1.0))
    assert (average.none, average.all) == pytest.approx((1 / 2, (1 / 1 + 2 / 2) / 3))
    assert average.range == pytest.approx((1 / 3, 1.0))


def test_the_top_grade_is_an_argument_or_that_of_the_data():
    judgments, ranking = {"q": {"a": 3}, "r": {"b": 0}}, {"s": {"q": ["x"], "r": ["b"]}}

    assert rg.unjudged_bounds(judgments, ranking, "DCG").grade == 3
    assert rg.unjudged_bounds(judgments, ranking, "DCG")["s"].all == 1.5  # (3 + 0) / 2
    assert rg.unjudged_bounds(judgments, ranking, "DCG", max_grade=2)["s"].all == 1
    assert rg.unjudged_bounds({"q": {"a": 0}}, {"s": {"q": ["x"]}}, "P").grade == 1  # what is relevant, at least


def test_pairs_whose_order_could_be_reversed():
    judgments = {"q": {"a": 1, "b": 1}}
    found = rg.unjudged_bounds(judgments, {"old": {"q": ["a", "b"]}, "new": {"q": ["a", "x"]}}, "P@2")
    safe = rg.unjudged_bounds(judgments, {"old": {"q": ["a", "b"]}, "new": {"q": ["x", "y"]}}, "RR")
    equal = rg.unjudged_bounds(judgments, {"old": {"q": ["a", "x"]}, "new": {"q": ["a", "y"]}}, "P@2")

    assert found.reversible_pairs == ()  # new can reach 1, but not pass it
    assert "They cannot reverse the order" in str(found)
    assert (safe.reversible_pairs, equal.reversible_pairs) == ((), ())
    turned = rg.unjudged_bounds(judgments, {"old": {"q": ["a", "z"]}, "new": {"q": ["x", "y"]}}, "P@2")
    assert turned.reversible_pairs == (("old", "new"),)
    assert "Unjudged items could reverse the order: old has the better mean (0.500000; new: 0.000000)" in str(turned)
    assert "未标注物品可能逆转次序：old 的均值更好" in turned.document("zh").to_text()
    assert json.loads(turned.to_json())["could_turn"] == [["old", "new"]]


def test_bounds_where_lower_is_better():
    """FirstRank has no bounds; by the two assumptions new could come down from rank 2 to rank 1."""
    rankings = {"old": {"q": ["a"]}, "new": {"q": ["x", "a"]}, "far": {"q": ["b", "a"]}}
    found = rg.unjudged_bounds({"q": {"a": 1, "b": 0}}, rankings, "FirstRank")

    assert found.kind == "unknown"
    assert [(one.none, one.all) for one in found.systems] == [(1, 1), (2, 1), (2, 2)]
    assert ("far", "new") not in found.reversible_pairs
    assert "are not bounds" in str(found)


def test_a_custom_gain_has_no_known_bounds():
    judgments, ranking = {"q": {"a": 1}}, {"s": {"q": ["x", "a"]}}

    for gain in (lambda grade: -grade, {0: 1, 1: 0}):
        assert rg.unjudged_bounds(judgments, ranking, "DCG", convention=rg.Convention(gain=gain)).kind == "unknown"


def test_files_and_missing_queries(tmp_path):
    (tmp_path / "qrels").write_text("q 0 a 1\nr 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 x 1 2 s\nq Q0 a 2 1 s\n")
    found = rg.unjudged_bounds(str(tmp_path / "qrels"), {"s": str(tmp_path / "run")}, "RR")["s"]

    assert (found.mean, found.all, found.unjudged) == (0.25, 0.5, 0.5)
    with pytest.raises(rg.ParameterError, match="rankings must be"):
        rg.unjudged_bounds({"q": {"a": 1}}, {}, "RR")


def test_a_list_of_files_is_named_after_them(tmp_path):
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    for name, rank in (("old", 2), ("new", 1)):
        (tmp_path / f"{name}.txt").write_text(f"q Q0 a {rank} 1 s\n" + "q Q0 x 1 2 s\n" * (rank - 1))
    files = [tmp_path / "old.txt", str(tmp_path / "new.txt")]
    for verb in (rg.evaluate, rg.compare):
        assert [*verb(tmp_path / "qrels", files, "RR").systems] == ["old", "new"]
    with pytest.raises(rg.InputError, match=r"missing\.txt"):
        rg.compare(tmp_path / "qrels", [*files, "missing.txt"], "RR")


def test_metrics_that_weigh_queries_have_no_bounds():
    with pytest.raises(rg.ParameterError, match="GAUC is not an average of values of grades"):
        rg.unjudged_bounds({"q": {"a": 1, "b": 0}}, {"A": {"q": ["a", "b", "x"]}}, "GAUC")


def test_a_grade_that_the_rules_give_to_unjudged_items_lies_within_the_bounds():
    bounds = rg.unjudged_bounds({"q": {"a": 1}}, {"s": {"q": ["x", "a"]}}, "CG", convention=rg.Convention(unjudged=2))[
        "s"
    ]

    assert bounds.mean == bounds.highest == 3


@pytest.mark.parametrize(
    ("metric", "rules"),
    [
        ("RR", {"rr_of": "best"}),
        ("AP@10", {"ap_at": "every"}),
        ("nDCG", {"negative": "keep"}),
        ("nERR", {"max_grade": "largest"}),
        ("NumRet", {"no_relevant": "skip"}),
    ],
)
def test_no_bounds_are_claimed_where_rules_break_them(metric, rules):
    """A grade may lower the value, raise it above its range, or make a query count that was left out."""
    judgments = {"q": {"a": 0, "z": -1}, "r": {"b": 1}}
    bounds = rg.unjudged_bounds(
        judgments, {"s": {"q": ["x", "a"], "r": ["b", "x"]}}, metric, convention=rg.Convention(**rules)
    )

    assert bounds.kind == "unknown"
    assert bounds["s"].highest is None


def test_a_judged_item_belongs_to_the_ideal_even_if_unjudged_ones_do_not():
    rules = rg.Convention(unjudged_in_ideal="no")
    bounds = rg.unjudged_bounds({"q": {"a": 1}}, {"s": {"q": ["x"]}}, "nDCG@1", max_grade=2, convention=rules)["s"]

    assert (bounds.lowest, bounds.highest) == (0, 1)


def test_bounds_hold_where_the_normaliser_falls_with_the_grades():
    """NERR8 divides by how many items a user looks at, which a relevant item reduces."""
    bounds = rg.unjudged_bounds({"q": {"a": 1}}, {"s": {"q": ["x", "y"]}}, "NERR8@5")["s"]

    assert bounds.lowest <= bounds.none < bounds.all <= bounds.highest
