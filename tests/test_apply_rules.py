"""Rules applied to matched rows: pools, the order of rows, tied items, and the quick way against the general one."""

import math
from itertools import product

import numpy as np
import pytest

from rankgauge import Convention
from rankgauge.matching import apply_rules
from rankgauge.matching.matched import Matched

GRADES = {
    "whole": lambda rng, n: rng.integers(0, 4, n) * 1.0,
    "negative": lambda rng, n: rng.integers(-2, 3, n) * 1.0,
    "fractions": lambda rng, n: rng.random(n),
    "far apart": lambda rng, n: rng.integers(0, 1 << 40, n) * 1.0,
    "62 bits": lambda rng, n: rng.integers(0, 4, n) * 2.0**60,
    "beyond 64 bits": lambda rng, n: rng.integers(0, 4, n) * 1e30,
}


@pytest.mark.parametrize("queries", [1, 4])
@pytest.mark.parametrize("grades", GRADES)
def test_pool_has_the_grades_of_each_query_in_descending_order(grades, queries):
    rng = np.random.default_rng(0)
    query = np.sort(rng.integers(0, queries, 30))
    grade = GRADES[grades](rng, 30)
    segments, pool = apply_rules._pool(query, grade, queries)
    assert [part.tolist() for part in np.split(pool, segments.offsets[1:-1])] == [
        sorted(grade[query == number].tolist(), reverse=True) for number in range(queries)
    ]


@pytest.mark.parametrize("ranks", [4, 1000])
@pytest.mark.parametrize("ordered", [True, False])
def test_rows_are_ordered_by_query_rank_and_grade(ranks, ordered):
    rng = np.random.default_rng(1)
    query, rank, grade = rng.integers(0, 3, 40), rng.integers(1, ranks, 40) * 1.0, rng.integers(0, 3, 40) * 1.0
    if ordered:
        query, rank, grade = (column[np.lexsort((-grade, rank, query))] for column in (query, rank, grade))
    keys = list(zip(query, rank, -grade, strict=True))
    order = apply_rules._row_order(query, rank, grade, np.full(40, True))
    assert sorted(keys) == [keys[row] for row in np.arange(40)[order]]
    present = rng.random(40) < 0.5
    order = apply_rules._row_order(query, rank, grade, present)
    assert sorted(key for key, kept in zip(keys, present, strict=True) if kept) == [keys[row] for row in order]
    order = apply_rules._by_query_and_rank(query, rank)
    assert sorted(key[:2] for key in keys) == [keys[row][:2] for row in np.arange(40)[order]]


@pytest.mark.parametrize("queries", [1, 3])
@pytest.mark.parametrize("shuffled", [False, True])
def test_the_fast_path_equals_the_general_path(queries, shuffled):
    rng = np.random.default_rng(2)
    query, place = np.repeat(np.arange(queries), 4), np.tile(np.arange(4), queries)
    if shuffled:
        place = np.concatenate([rng.permutation(4) for _ in range(queries)])
    grade = rng.integers(0, 3, len(query)) * 1.0
    kept = rng.permutation(len(query)) if shuffled else slice(None)
    query, place, grade = query[kept], place[kept], grade[kept]
    matched = Matched(
        query, grade, place * 2, np.ones_like(query), np.zeros_like(query), np.full(queries, 9), query, grade
    )
    quick, general = (
        apply_rules.apply_rules(matched, Convention()),
        apply_rules.apply_rules_to_rows(matched, Convention()),
    )
    for judged in (quick, general[0]):
        assert judged.rank.tolist() == [1, 3, 5, 7] * queries
        assert judged.grade.tolist() == grade[np.lexsort((place, query))].tolist()
        assert judged.segments.sizes.tolist() == [4] * queries
        assert judged.pool_grade.tolist() == [-g for _, g in sorted(zip(query, -grade, strict=True))]


def test_rows_of_all_small_orders_are_ordered_by_query_and_rank():
    for rows in product(product(range(2), range(1, 4)), repeat=3):
        query, rank = (np.array(column) for column in zip(*rows, strict=True))
        order = apply_rules._by_query_and_rank(query, 1.0 * rank)
        assert [rows[row] for row in np.arange(3)[order]] == sorted(rows)
        order = apply_rules._row_order(query, 1.0 * rank, np.zeros(3), np.full(3, True))
        assert [rows[row] for row in np.arange(3)[order]] == sorted(rows)


def matched_rows(grade, above, tied, before, *, returned=6, pool=None):
    """One query with these rows."""
    rows = [np.array(column) for column in (above, tied, before)]
    zeros, grades = np.zeros(len(grade), dtype=np.int64), np.array(grade, dtype=float)
    pool_grade = grades[~np.isnan(grades)] if pool is None else np.array(pool, dtype=float)
    pool_query = np.zeros(len(pool_grade), dtype=np.int64)
    return Matched(zeros, grades, *rows, np.array([returned]), pool_query, pool_grade)


@pytest.mark.parametrize(
    "rows",
    [
        matched_rows([0, 2, 1, 3], [0, 0, 2, 2], [2, 2, 2, 2], [0, 1, 0, 1]),
        matched_rows([0, 2, 1], [0, 1, 3], [1, 2, 1], [0, 0, 0]),
        matched_rows([0, 2, -1], [2, 1, 0], [1, 1, 1], [0, 0, 0]),
        matched_rows([0, 2, 1], [2, 1, 0], [1, 1, 1], [0, 0, 0], pool=[-1, 0, 2, 1, -1]),
        matched_rows([0, 0, 1], [2, 1, 0], [1, 1, 1], [0, 0, 0], pool=[0, 0, 0.5, 1]),
        matched_rows([0, -1, 1], [2, 1, 0], [1, 1, 1], [0, 0, 0], pool=[0, 1]),
    ],
)
@pytest.mark.parametrize("rules", [{}, {"ties": "mean"}, {"ties": "best"}, {"negative": "zero"}, {"negative": "keep"}])
def test_the_fast_path_equals_the_general_path_under_every_rule(rows, rules):
    quick = apply_rules.apply_rules(rows, Convention(**rules))
    general, _ = apply_rules.apply_rules_to_rows(rows, Convention(**rules))
    for column in ("rank", "grade", "returned", "pool_grade", "tie_first", "tie_size", "judged"):
        first, second = (getattr(judged, column) for judged in (quick, general))
        assert (first is None) == (second is None)
        assert first is None or first.tolist() == second.tolist()


@pytest.mark.parametrize(
    ("ties", "grade", "ranks"),
    [
        ("best", [0], [1]),  # before the two tied items without a row, which are worth as little
        ("worst", [0], [3]),  # after them: a judgment is worth a little more than none
        ("best", [1], [1]),
        ("worst", [1], [3]),  # after them
        ("best", [-1], [3]),
        ("worst", [-1], [1]),
        ("best", [1, 2], [1, 2]),  # equal worth: the better grade first
        ("worst", [1, 2], [2, 3]),
    ],
)
def test_tied_items_are_ordered_by_worth_then_grade(ties, grade, ranks):
    size = len(grade)
    rows = matched_rows(grade, [0] * size, [3] * size, [0] * size, returned=3)
    convention = Convention(ties=ties, negative="keep")
    judged, taken = apply_rules.apply_rules_to_rows(rows, convention, lambda grades, known: np.clip(grades, -1, 1))
    assert judged.rank.tolist() == ranks
    grades = [grade[row] for row in taken]
    assert grades == sorted(grade, reverse=ties == "best")


@pytest.mark.parametrize(
    ("ties", "grade", "ranks"),
    [
        ("best", [math.nan, 0], [1]),  # a judged item before an unjudged one
        ("worst", [math.nan, 0], [2]),
        ("best", [-1, 0.5], [1, 2]),  # an item that counts as unjudged is worth nothing
        ("worst", [-1, 0.5], [1, 2]),
    ],
)
def test_tied_items_without_a_judgment_are_worth_nothing(ties, grade, ranks):
    judged = apply_rules.apply_rules(matched_rows(grade, [0, 0], [2, 2], [0, 0], returned=2), Convention(ties=ties))
    assert judged.rank.tolist() == ranks
    assert judged.grade.tolist() == sorted([max(g, 0) for g in grade if g == g], reverse=ties == "best")  # noqa: PLR0124


@pytest.mark.parametrize("ties", ["best", "worst"])
def test_an_item_that_counts_as_unjudged_is_worth_as_much_as_tied_items_without_a_row(ties):
    judged = apply_rules.apply_rules(matched_rows([-1], [0], [3], [0], returned=3), Convention(ties=ties))
    assert judged.rank.tolist() == [1]


def test_the_pool_excludes_grades_that_count_as_unjudged():
    rows = matched_rows([2, 0], [0, 1], [1, 1], [0, 0], pool=[-1, 0, 2, -2])
    assert apply_rules.apply_rules(rows, Convention()).pool_grade.tolist() == [2, 0]


def random_rows(rng):
    """Three queries in which every returned item has a row: ties, unjudged items, negative grades and copies."""
    columns = {name: [] for name in ("query", "grade", "above", "tied", "before", "copy")}
    sizes = rng.integers(1, 7, 3)
    for query, size in enumerate(sizes):
        scores = -np.sort(-rng.integers(0, 3, size))
        above = (scores[None, :] > scores[:, None]).sum(axis=1)
        copy = rng.permutation((np.arange(size) >= 4) * 1)
        columns["query"] += [query] * size
        columns["grade"] += rng.choice([-1, 0, 0.5, 1, 2, np.nan], size).tolist()
        columns["above"] += above.tolist()
        columns["tied"] += (scores[None, :] == scores[:, None]).sum(axis=1).tolist()
        columns["before"] += (np.arange(size) - above).tolist()
        columns["copy"] += copy.tolist()
    kept = rng.permutation(len(columns["query"]))
    rows = {name: np.array(column)[kept] for name, column in columns.items()}
    pool = ~np.isnan(rows["grade"]) & (rows["copy"] == 0)
    copy = rows.pop("copy")
    return Matched(
        **rows,
        returned=sizes,
        pool_query=rows["query"][pool],
        pool_grade=rows["grade"][pool],
        copy=copy if copy.any() else None,
    )


@pytest.mark.parametrize("negative", ["unjudged", "zero", "keep"])
@pytest.mark.parametrize("unjudged", ["nonrelevant", "removed", 0, 1])
@pytest.mark.parametrize("duplicates", ["first", "close-up", "again"])
@pytest.mark.parametrize("ties", ["id", "best", "worst"])
def test_the_top_rows_have_the_ranks_and_grades_that_metrics_see(ties, duplicates, unjudged, negative):
    rng = np.random.default_rng(5)
    rules = Convention(ties=ties, duplicates=duplicates, unjudged=unjudged, negative=negative)
    for _ in range(12):
        matched = random_rows(rng)
        judged, taken = apply_rules.apply_rules_to_rows(matched, rules)
        known = {row: place for place, row in enumerate(taken.tolist()) if judged.known[place]}
        for depth in (2, math.inf):
            rows, rank, grade = apply_rules.top_rows(matched, rules, depth)
            rows = np.arange(len(matched.query))[rows]
            places = {row: place for place, row in enumerate(rows.tolist())}
            assert {*known} & {*places} == {row for row in known if judged.rank[known[row]] <= depth}
            for row in {*known} & {*places}:
                assert (rank[places[row]], grade[places[row]]) == (judged.rank[known[row]], judged.grade[known[row]])
            keys = [*zip(matched.query[rows].tolist(), rank.tolist(), strict=True)]
            assert keys == sorted({*keys})
            assert all(place <= depth for _, place in keys)
            assert not np.isnan(grade).any() or unjudged == "nonrelevant"
