"""Laws and hand-worked values of rules that mutants showed to be untested; see ``make mutants``."""

import math
from functools import partial
from itertools import product

import numpy as np
import pytest

import rankgauge as rg
from rankgauge import Convention, metrics
from rankgauge.conventions import rule
from rankgauge.conventions.convention import RULES, difference_page
from rankgauge.conventions.discounts import discount_function
from rankgauge.conventions.gains import GainTable, gain_function
from rankgauge.conventions.relevance import similarity_level
from rankgauge.conventions.texts import convention_of
from rankgauge.matching import apply_rules
from rankgauge.matching.matched import Matched


@pytest.mark.parametrize(
    ("check", "accepted", "refused"),
    [
        (rule.whole_number, [0, 1, (1 << 64) - 1, np.int64(3)], [-1, 1 << 64, True, 1.5, "1"]),
        (partial(rule.integer_from, 2), [2, (1 << 63) - 1], [1, 1 << 63, True, 2.5]),
        (rule.whole_number_or(1, 4, "auto"), [1, 4, "auto"], [0, 5, True, "other"]),
        (rule.above_zero, [1e-300, 2], [0, -1, True, math.inf, math.nan]),
        (rule.above_zero_or("max"), [1e-300, "max"], [0, "min"]),
        (rule.at_least_zero, [0, 0.5], [-1e-300, False, math.nan]),
        (rule.number_or("none"), [-1, 0, 2.5, "none"], [True, math.inf, "one"]),
        (rule.one_of("a", "b"), ["a", "b"], ["c", 1, None]),
        (rule.level_or_above, [0, -1.5], ["0.5", True, math.nan]),
    ],
)
def test_ends_of_the_ranges_of_rules(check, accepted, refused):
    assert [check("x", value) for value in accepted] == accepted
    for value in refused:
        with pytest.raises(rg.RankgaugeError):
            check("x", value)


def test_numbers_are_integers_where_floats_are_exact():
    numbers = [rule.plain_number(value) for value in (2.0, np.float64(2.5), 2.0**53 - 1, 2.0**53, -(2.0**53))]
    assert [type(number) for number in numbers] == [int, float, int, float, float]


def test_a_level_above_a_bound_excludes_the_bound_and_no_other_number():
    level = rule.Above.of(">0.5")
    assert 0.5 < level <= np.nextafter(0.5, 1)
    assert (str(level), repr(level)) == (">0.5", "'>0.5'")


@pytest.mark.parametrize("name", ["log2(i+1)", "log2(i)", "1/i", "none", "jk(10)"])
def test_discounts_of_many_repeated_ranks_equal_those_of_single_ones(name):
    function = discount_function(name)
    ranks = np.tile(np.arange(1.0, 21.0), 300)
    assert function(ranks).tolist() == [function(np.array([rank]))[0] for rank in range(1, 21)] * 300


def test_discounts_by_hand():
    ranks = np.array([1.0, 2.0, 3.0, 10.0, 100.0])
    assert discount_function("log2(i)")(ranks).tolist() == pytest.approx(
        [1, 1, 1 / math.log2(3), 1 / math.log2(10), 1 / math.log2(100)]
    )
    assert discount_function("jk(10)")(ranks).tolist() == pytest.approx([1, 1, 1, 1, 1 / 2])


def test_gains_by_hand():
    grades = np.array([-1.0, 0.0, 1.0, 2.0, 3.0])
    assert gain_function("exp2-rel", 2)(grades).tolist() == [0, 0, 0, 1, 3]
    assert gain_function("binary-rel", 2)(grades).tolist() == [0, 0, 0, 1, 1]
    assert gain_function("binary", 2)(grades).tolist() == [0, 0, 1, 1, 1]
    assert gain_function(GainTable.of({1: 5, 2: 7, 3: 9}))(grades).tolist() == [0, 0, 5, 7, 9]
    assert gain_function(GainTable.of({2: 7, "other": "linear"}))(grades).tolist() == [-1, 0, 1, 7, 3]
    assert gain_function(GainTable.of({2: 7, "other": 4}))(grades).tolist() == [4, 4, 4, 7, 4]
    with pytest.raises(rg.RankgaugeError, match=r"grade 0\.5 is not in the gain table"):
        gain_function(GainTable.of({1: 5}))(np.array([0.5, 1.0]))
    with pytest.raises(rg.RankgaugeError, match="grade 2 is not in the gain table"):
        gain_function(GainTable.of({1: 5}))(np.array([2.0, 1.0]))


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
def test_rows_that_no_rule_changes_are_the_same_by_the_general_way(queries, shuffled):
    rng = np.random.default_rng(2)
    query, place = np.repeat(np.arange(queries), 4), np.tile(np.arange(4), queries)
    if shuffled:
        place = np.concatenate([rng.permutation(4) for _ in range(queries)])
    grade = rng.integers(0, 3, len(query)) * 1.0
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


@pytest.mark.parametrize("text", ["{1}", "{1: 2, other}", "{a: 1}", "{1: x}", "{1: 2, :3}", "{1: }"])
def test_tables_of_gains_that_cannot_be_read_are_shown(text):
    with pytest.raises(rg.ParameterError, match="written as"):
        convention_of(rules=[f"gain={text}"])


def test_tables_of_gains_as_text():
    assert convention_of(rules=["gain={ 1:3 , 2.5: -1e1,}"]).gain == ((1.0, 3.0), (2.5, -10.0))
    assert convention_of(rules=["gain={1: 3, other: 2}"]).gain == ((1.0, 3.0), ("other", 2.0))
    assert convention_of(rules=["rel=1.50", "seed=12345678901234567890"]).rel == 1.5


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
def test_rules_give_the_same_whether_they_change_the_rows_or_not(rows, rules):
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
        ("worst", [0], [1]),
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


@pytest.mark.parametrize("ties", ["mean", "best", "worst", "together", "input", "input-reversed"])
def test_arrays_with_ties_equal_dicts(ties):
    labels = np.array([[1, 0, 2, 0], [0, 1, 0, 1], [0, 0, 1, 0]])
    scores = np.array([[1, 1, 1, 0], [2, 2, 1, 1], [4, 3, 2, 1]]) * 1.0
    chosen = ["AP", "nDCG@2", "P@2", "RR", "P@1"] + (["AUC"] if ties == "input" else [])
    convention = Convention(ties=ties, tied_at_k="all" if ties == "input" else "cut")
    judgments, ranking = ({q: dict(enumerate(row.tolist())) for q, row in enumerate(m)} for m in (labels, scores))
    arrays, dicts = (
        rg.evaluate(*data, chosen, convention=convention) for data in ((labels, scores), (judgments, ranking))
    )
    for metric in chosen:
        assert arrays.values(metric).tolist() == pytest.approx(dicts.values(metric).tolist(), rel=1e-14)


@pytest.mark.parametrize(("duplicates", "value"), [("first", 3 / 4), ("again", 4 / 4), ("close-up", 3 / 4)])
def test_copies_of_unjudged_items_with_an_assumed_grade(duplicates, value):
    """a, x, x and b: the later copy of x counts only if copies count again."""
    rules = Convention(unjudged=1, duplicates=duplicates)
    scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "x", "x", "b"]}, ["P@4"], convention=rules)
    assert scores.mean("P@4") == value


@pytest.mark.parametrize(("unjudged", "value"), [("nonrelevant", 1 / 3), ("removed", 1 / 2)])
def test_a_cutoff_grows_to_the_end_of_the_tie_without_removed_items(unjudged, value):
    """At rank 1 a, b and the unjudged x are tied, and c follows."""
    rules = Convention(tied_at_k="all", unjudged=unjudged)
    data = {"q": {"a": 1, "b": 0, "c": 1}}, {"q": {"a": 1.0, "b": 1.0, "x": 1.0, "c": 0.5}}
    assert rg.evaluate(*data, ["P@1"], convention=rules).mean("P@1") == pytest.approx(value, rel=1e-14)


def test_a_gain_that_is_not_finite_names_the_grade():
    with pytest.raises(rg.ParameterError, match=r"is not finite at 2$"):
        gain_function(lambda grade: np.where(grade == 2, np.inf, grade))(np.array([1.0, 2.0, 3.0]))


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


def test_documents_without_reasons_have_the_other_columns():
    complete, short = (Convention().document(reasons=reasons).blocks[-1].columns for reasons in (True, False))
    assert complete == ["rule", "value", "meaning", "reason for the default"]
    assert short == complete[:3]


def test_cut_fractions_leave_whole_grades():
    rules = Convention(fractions="cut")
    assert metrics()["DCG"].of([1.7, 0.9, 2.0, -0.5], convention=rules) == metrics()["DCG"].of([1, 0, 2, 0])


def test_text_that_only_begins_or_ends_like_a_table_is_a_name():
    for text in ("{1: 2", "1: 2}"):
        with pytest.raises(rg.UnknownNameError):
            convention_of(rules=[f"gain={text}"])


@pytest.mark.parametrize("ties", ["best", "worst"])
def test_an_item_that_counts_as_unjudged_is_worth_as_much_as_tied_items_without_a_row(ties):
    judged = apply_rules.apply_rules(matched_rows([-1], [0], [3], [0], returned=3), Convention(ties=ties))
    assert judged.rank.tolist() == [1]


@pytest.mark.parametrize("base", ["0.5", "1"])
def test_a_base_of_a_logarithm_is_above_1(base):
    with pytest.raises(rg.ParameterError, match="greater than 1"):
        Convention(discount=f"jk({base})")


def test_a_page_of_differences_names_its_columns():
    first, second = Convention(), Convention(gain="exp2")
    [table] = difference_page([("own", first), ("other", second)], "en").blocks
    assert table.columns == ["rule", "own", "other"]


@pytest.mark.parametrize(("duplicates", "values"), [("first", (5, 5, 6 / 2)), ("close-up", (5, 6 / 2, 6 / 2))])
def test_top_items_of_lists_with_copies(duplicates, values):
    """a, a and b: the later copy of a keeps its place, or the list is closed up."""
    information = rg.SideInformation(popularity={"a": 5, "b": 1})
    chosen = ["ARP@1", "ARP@2", "ARP@3"]
    scores = rg.evaluate(
        {"u": {"a": 1}},
        {"u": ["a", "a", "b"]},
        chosen,
        convention=Convention(duplicates=duplicates),
        side_information=information,
    )
    assert [scores.mean(metric) for metric in chosen] == list(values)


def test_levels_of_similarity():
    assert similarity_level("similar>=0.25") == 0.25
    assert similarity_level("similar>0.25") == np.nextafter(0.25, 1)


def test_rules_that_every_table_shows():
    """The others are shown where they are not at their default, or where the data trigger them."""
    assert Convention().notable(RULES) == [
        "gain",
        "discount",
        "ideal",
        "ideal_cut",
        "p_over",
        "r_over",
        "ap_over",
        "rel",
        "max_grade",
        "recall_point",
        "ties",
        "seed",
        "undefined",
        "unjudged",
        "negative",
    ]


def test_depths_of_users_have_ends():
    assert [Convention(user_depth=depth).user_depth for depth in (1, 1_000_000)] == [1, 1_000_000]
    for depth in (0, 1_000_001):
        with pytest.raises(rg.ParameterError, match="user_depth"):
            Convention(user_depth=depth)


@pytest.mark.parametrize(("ties", "value"), [("id", 1), ("together", 1 / 2)])
def test_items_tied_together_stand_at_the_end_of_the_tie_without_removed_items(ties, value):
    data = {"q": {"a": 1, "b": 1, "c": 0}}, {"q": {"a": 1.0, "b": 1.0, "x": 1.0, "c": 0.5}}
    assert rg.evaluate(*data, ["RR"], convention=Convention(ties=ties, unjudged="removed")).mean("RR") == value


def test_the_pool_is_without_grades_that_count_as_unjudged():
    rows = matched_rows([2, 0], [0, 1], [1, 1], [0, 0], pool=[-1, 0, 2, -2])
    assert apply_rules.apply_rules(rows, Convention()).pool_grade.tolist() == [2, 0]


def test_copies_that_count_again_find_an_item_once():
    """a is returned twice: two of two items are relevant, but one of two relevant items is found."""
    rules = Convention(duplicates="again")
    scores = rg.evaluate({"q": {"a": 1, "b": 1}}, {"q": ["a", "a"]}, ["P@2", "Utility(miss=-1)"], convention=rules)
    assert (scores.mean("P@2"), scores.mean("Utility(miss=-1)")) == (1, 2 - 1)
