"""Agreement of two orders, and what changed between two rankings: against brute force, SciPy and worked examples."""

from importlib import import_module
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rankgauge as rg

ROWS = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(0, 5), min_size=n, max_size=n) for _ in range(2)))
)


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_tau_equals_scipy(rows):
    one, other = rows
    if len({*one}) == 1 or len({*other}) == 1:
        assert np.isnan(rg.stats.kendall_tau(one, other))
    else:
        assert rg.stats.kendall_tau(one, other) == pytest.approx(stats.kendalltau(one, other).statistic)


def test_tau_of_long_rows_equals_scipy():
    random = np.random.default_rng(0)
    for n in (300, 1_000, 4_500):
        one, other = random.integers(0, 400, n), random.integers(0, 400, n)
        assert rg.stats.kendall_tau(one, other) == pytest.approx(stats.kendalltau(one, other).statistic)


def test_tau_needs_pairs():
    assert np.isnan(rg.stats.kendall_tau([1], [1]))
    with pytest.raises(rg.ParameterError, match="not 2 and 1"):
        rg.stats.kendall_tau([1, 2], [1])


def slow_tau_ap(estimate, reference):
    """The definition of Yilmaz, Aslam and Robertson, for orders without ties; lists of items, best first."""
    n = len(estimate)
    right = sum(
        sum(reference.index(above) < reference.index(item) for above in estimate[:place]) / place
        for place, item in enumerate(estimate)
        if place
    )
    return 2 * right / (n - 1) - 1


def orders(scores):
    """All orders that scores with ties allow, best first."""
    levels = sorted({*scores.values()}, reverse=True)
    blocks = [[item for item, score in scores.items() if score == level] for level in levels]
    return [[item for block in order for item in block] for order in product(*(permutations(b) for b in blocks))]


SCORES = st.lists(st.integers(0, 3), min_size=5, max_size=5).map(lambda values: dict(zip("abcde", values, strict=True)))


@settings(max_examples=15, deadline=None)
@given(SCORES, SCORES)
def test_tau_ap_is_the_mean_over_all_orders_of_ties(estimate, reference):
    values = [slow_tau_ap(a, b) for a in orders(estimate) for b in orders(reference)]

    found = rg.stats.tau_ap([estimate[item] for item in "abcde"], [reference[item] for item in "abcde"])
    assert found == pytest.approx(np.mean(values))


def slow_rbo(one, other, p):
    """Equation 32 of Webber, Moffat and Zobel, for lists without ties."""
    short, long = sorted((len(one), len(other)))
    overlap = [len({*one[:depth]} & {*other[:depth]}) for depth in range(long + 1)]
    agreed = sum(overlap[d] / d * p**d for d in range(1, long + 1))
    beyond = sum(overlap[short] * (d - short) / (short * d) * p**d for d in range(short + 1, long + 1))
    rest = ((overlap[long] - overlap[short]) / long + overlap[short] / short) * p**long
    return (1 - p) / p * (agreed + beyond) + rest


def test_rbo_by_hand():
    # Overlap 0, 1, 2 of depths 1 to 3: (1-p)/p (p^2/2 + 2 p^3/3) + 2/3 p^3 with p = 1/2.
    assert rg.stats.rbo("abc", "bad", 0.5) == pytest.approx(1 * (0 + 2 / 2 / 4 + 2 / 3 / 8) + 2 / 3 / 8)
    assert rg.stats.rbo("abc", "abc") == pytest.approx(1)
    assert rg.stats.rbo("abc", "xyz") == 0
    assert np.isnan(rg.stats.rbo([], []))
    assert rg.stats.rbo([], "ab") == 0


@settings(max_examples=40, deadline=None)
@given(
    st.permutations("abcdefg"),
    st.permutations("cdefghi"),
    st.integers(1, 7),
    st.integers(1, 7),
    st.sampled_from([0.5, 0.9]),
)
def test_rbo_is_the_published_equation(one, other, first, second, p):
    assert rg.stats.rbo(one[:first], other[:second], p) == pytest.approx(slow_rbo(one[:first], other[:second], p))


@settings(max_examples=15, deadline=None)
@given(SCORES, SCORES, st.integers(2, 5))
def test_rbo_with_ties_is_the_mean_over_all_orders(one, other, kept):
    other = {item + ("" if item < "c" else "'"): score for item, score in [*other.items()][:kept]}
    values = [slow_rbo(a, b, 0.8) for a in orders(one) for b in orders(other)]

    assert rg.stats.rbo(one, other, 0.8) == pytest.approx(np.mean(values))


@pytest.mark.parametrize("p", [0, 1, 1.5, -1])
def test_rbo_refuses_a_persistence_without_weights(p):
    with pytest.raises(rg.ParameterError, match="between 0 and 1"):
        rg.stats.rbo("ab", "ba", p)


def test_rbo_refuses_repeated_items():
    with pytest.raises(rg.ParameterError, match="more than once"):
        rg.stats.rbo("aa", "ab")


# diff


def random_ranking(random, queries, items, levels):
    return {
        f"q{query}": {
            f"d{item}": float(random.integers(levels))
            for item in random.choice(30, size=int(random.integers(1, items)), replace=False)
        }
        for query in range(queries)
    }


def slow_difference(one, other, k, p):
    tops = [sorted(side, key=lambda item: (side[item], item), reverse=True)[:k] for side in (one, other)]
    both = [item for item in one if item in other]
    return (
        len({*tops[0]} & {*tops[1]}) / max(map(len, tops)),
        rg.stats.rbo(one, other, p),
        rg.stats.kendall_tau([one[item] for item in both], [other[item] for item in both])
        if len(both) > 1
        else float("nan"),
        tuple(item for item in tops[1] if item not in tops[0]),
        tuple(item for item in tops[0] if item not in tops[1]),
        tops[0] == tops[1],
    )


@pytest.mark.parametrize("levels", [3, 1_000])
def test_diff_agrees_with_a_slow_loop(levels):
    random = np.random.default_rng(levels)
    first, second = (random_ranking(random, 30, 20, levels) for _ in range(2))
    found = rg.diff(first, second, k=5, p=0.8)

    assert len(found.queries) == 30
    for one in found.queries:
        expected = slow_difference(first[one.query], second[one.query], 5, 0.8)
        assert (one.overlap, one.rbo, one.tau_b) == pytest.approx(expected[:3], nan_ok=True)
        assert (one.entering, one.leaving, one.same) == expected[3:]


def test_diff_is_equal_in_parts_and_for_every_source(monkeypatch, tmp_path):
    random = np.random.default_rng(5)
    first, second = (random_ranking(random, 12, 9, 4) for _ in range(2))
    whole = rg.diff(first, second, k=3).to_dict()
    rows = [[(q, d, s) for q, items in side.items() for d, s in items.items()] for side in (first, second)]
    frames = [pd.DataFrame(side, columns=["query", "item", "score"]).sample(frac=1, random_state=1) for side in rows]
    for name, frame in zip("ab", frames, strict=True):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)

    monkeypatch.setattr(import_module("rankgauge.analysis.diff"), "CELLS", 20)
    assert rg.diff(first, second, k=3).to_dict() == whole
    for sides in (rows, frames, [tmp_path / "a.csv", tmp_path / "b.csv"]):
        other = rg.diff(*sides, k=3).to_dict()
        key = lambda one: one["query"]  # noqa: E731
        assert sorted(other["queries"], key=key) == sorted(whole["queries"], key=key)


def test_diff_of_a_ranking_with_itself():
    same = rg.diff({"q": ["a", "b"], "r": ["c"]}, {"q": ["a", "b"], "r": ["c"]})

    assert (same.overlap, same.rbo, same.tau_b, same.changed) == (1, pytest.approx(1), 1, 0)
    assert "the same top 10, in the same order, for all 2 queries" in str(same)


def test_diff_counts_items_of_one_ranking_and_refuses_disjoint_rankings():
    found = rg.diff({1: ["a"], 2: ["a"]}, {"2": ["b"], "3": ["b"]})

    assert (found.only_first, found.only_second) == (("1",), ("3",))
    assert "1 query is only in the first ranking, 1 only in the second" in str(found)
    assert np.isnan(found.tau_b)
    assert found.to_dict()["tau_b"] is None
    with pytest.raises(rg.InputError, match="no query in common"):
        rg.diff({"a": ["x"]}, {"b": ["x"]})
    with pytest.raises(rg.InputError, match="it is empty"):
        rg.diff({}, {"b": ["x"]})
    with pytest.raises(rg.ParameterError, match="whole number of at least 1"):
        rg.diff({"a": ["x"]}, {"a": ["x"]}, k=0)
    with pytest.raises(rg.InputError, match="more than once"):
        rg.diff([("q", "a", 1.0), ("q", "a", 0.5)], {"q": ["a"]})
    twice = pd.DataFrame({"query": ["q", "q"], "item": ["a", "a"], "score": [1.0, 0.5]})
    with pytest.raises(rg.InputError, match="more than once"):
        rg.diff(twice, twice)


def test_diff_shows_the_queries_that_changed_most():
    first = {query: [f"a{item}" for item in range(10)] for query in range(50)}
    second = {query: [f"b{item}" if item < query % 9 else f"a{item}" for item in range(10)] for query in range(50)}
    page = str(rg.diff(first, second))

    assert "The 20 queries with the largest changes, of 50." in page
    assert "b0, b1, b2, b3, b4 +3" in page
    assert rg.diff(first, second).document("zh", per_query=True).to_text().count("\n") > 50
