"""Tests, intervals and corrections: against brute force, SciPy, textbooks, laws and simulated null hypotheses."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rankgauge as rg
from rankgauge.stats import paired_tests

SLEEP = np.array([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
"""Student's own example (1908): the additional sleep by one drug over the other, ten patients."""
RNG = np.random.default_rng(7)
SAMPLES = [RNG.normal(0.2, 1, size=n) for n in (2, 3, 8, 21, 60)]


def of_differences(test):
    """The test of values whose differences are these."""
    return lambda differences, *args, **options: test(np.zeros(len(differences)), differences, *args, **options)


paired_t, wilcoxon, sign, randomisation = map(
    of_differences, (rg.stats.paired_t, rg.stats.wilcoxon, rg.stats.sign, rg.stats.randomisation)
)


def compared(matrix, *, higher_is_better=True, **options):
    """The comparison of the columns of a matrix, named A, B and so on."""
    values = {chr(ord("A") + place): dict(enumerate(column)) for place, column in enumerate(matrix.T.tolist())}
    default = rg.Comparison.of({"A": {1: 0.0}, "B": {1: 1.0}}).pair("A", "B").settings
    return rg.Comparison.of(values, higher_is_better=higher_is_better, **vars(replace(default, **options)))


# Textbooks and SciPy


def test_students_example_of_1908():
    result = paired_t(SLEEP)

    assert result.statistic == pytest.approx(4.0621, abs=5e-5)
    assert result.p == pytest.approx(0.00283289, abs=5e-9)
    low, high = rg.stats.t_interval(SLEEP)
    assert (low, high) == (pytest.approx(0.7001142, abs=5e-8), pytest.approx(2.4598858, abs=5e-8))


def test_fishers_randomisation_of_darwins_maize():
    # Fisher, The Design of Experiments, section 21: of the 32,768 sums 863 on either side are as large as 314 eighths.
    darwin = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]) / 8

    assert randomisation(darwin).p == 2 * 863 / 32_768
    assert randomisation(darwin, alternative="greater").p == 863 / 32_768


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("sample", SAMPLES, ids=len)
def test_paired_tests_equal_scipy(sample, alternative):
    t = stats.ttest_1samp(sample, 0, alternative=alternative)
    signs = stats.binomtest(int((sample > 0).sum()), len(sample), alternative=alternative)
    method = "exact" if len(sample) < 50 else "asymptotic"
    ranks = stats.wilcoxon(sample, alternative=alternative, method=method, correction=method == "asymptotic")

    assert paired_t(sample, alternative) == (pytest.approx(t.statistic), pytest.approx(t.pvalue))
    assert sign(sample, alternative).p == pytest.approx(signs.pvalue)
    assert wilcoxon(sample, alternative).p == pytest.approx(ranks.pvalue)


def test_wilcoxon_with_ties_and_zeros_equals_scipy():
    sample = np.array([0.0, 0.1, 0.1, -0.1, 0.2, 0.2, 0.3, 0.0, 0.5, -0.2])
    expected = stats.wilcoxon(sample, method="asymptotic", correction=True)

    assert wilcoxon(sample).p == pytest.approx(expected.pvalue)


def test_tukey_equals_scipy_on_the_residuals():
    matrix = RNG.normal(size=(12, 4)) + np.arange(4) / 3
    n, systems = matrix.shape
    means = matrix.mean(axis=0)
    residuals = matrix - matrix.mean(axis=1, keepdims=True) - means + matrix.mean()
    error = np.sqrt((residuals**2).sum() / ((n - 1) * (systems - 1)) / n)
    p = rg.stats.tukey_hsd(matrix).p

    for a, b in combinations(range(systems), 2):
        expected = stats.studentized_range.sf(abs(means[a] - means[b]) / error, systems, (n - 1) * (systems - 1))
        assert p[a, b] == p[b, a] == pytest.approx(expected, abs=1e-10)


def test_tukey_of_two_systems_is_the_paired_t_test():
    matrix = RNG.normal(size=(9, 2))

    assert rg.stats.tukey_hsd(matrix).p[0, 1] == pytest.approx(
        rg.stats.paired_t(matrix[:, 0], matrix[:, 1]).p, abs=1e-12
    )


def test_bca_equals_scipy():
    sample = RNG.exponential(size=40)
    ours = rg.stats.bca_interval(sample, resamples=20_000, seed=1)
    theirs = stats.bootstrap((sample,), np.mean, n_resamples=20_000, rng=np.random.default_rng(2)).confidence_interval

    assert [*ours] == pytest.approx([theirs.low, theirs.high], abs=0.02)


def test_the_power_of_the_t_test_equals_published_tables():
    # Cohen's small, medium and large effects at alpha .05 and power .80: 199, 34 and 15 pairs.
    assert [rg.stats.queries_needed(effect, 1.0) for effect in (0.2, 0.5, 0.8)] == [199, 34, 15]
    assert rg.stats.paired_t_power(0.0, 20) == pytest.approx(0.05)
    assert rg.stats.paired_t_power(0.02, 20_000) == pytest.approx(rg.stats.paired_t_power(0.02, 10_001 * 2), abs=1e-3)
    for n in (5, 20, 50, 1_000, 100_000):
        effect = rg.stats.detectable_effect(n)
        assert rg.stats.paired_t_power(effect, n) == pytest.approx(0.8, abs=1e-9)
        assert effect == pytest.approx((stats.t.ppf(0.975, n - 1) + stats.t.ppf(0.8, n - 1)) / np.sqrt(n), rel=0.04)


@pytest.mark.parametrize(
    ("effect", "queries", "alpha", "power"),
    [
        (20, 2, 0.05, 0.9735240461843),
        (100, 2, 0.001, 0.1757982568464),
        (600, 2, 0.001, 0.8174236709913),
        (16, 4, 0.0001, 0.7287669859958),
        (3, 10, 1e-06, 0.27062613986),
        (15, 5, 1e-06, 0.23512108367),
    ],
)
def test_the_power_at_strict_levels_equals_an_integral(effect, queries, alpha, power):
    """SciPy's noncentral t gave NaN here, and the normal limit, used for large effects, 0 or 1."""
    assert rg.stats.paired_t_power(effect, queries, alpha) == pytest.approx(power, abs=1e-10)


def test_the_power_is_continuous_where_its_quadrature_changes():
    for effect, alpha in product((0.1, 0.5, 0.9), (0.05, 1e-6)):
        power = [rg.stats.paired_t_power(effect, queries, alpha) for queries in (29, 30, 31, 32, 33, 34)]
        steps = np.diff(power)
        assert (steps > 0).all()
        assert np.abs(np.diff(steps)).max() <= steps.max() / 4, "no jump"


BAD_CALLS = {
    "bca_interval: resamples must be a whole number from 1, not 0": lambda: rg.stats.bca_interval([1, 2], resamples=0),
    "bca_interval: seed must be a whole number from 0, not 'x'": lambda: rg.stats.bca_interval([1, 2], seed="x"),
    "bootstrap: seed must be a whole number from 0, not -1": lambda: rg.stats.bootstrap([1, 2], [2, 4], seed=-1),
    "randomisation: permutations must be a whole number from 1": lambda: rg.stats.randomisation(
        [1], [2], permutations=-5
    ),
    "randomised_tukey_hsd: permutations must be": lambda: rg.stats.randomised_tukey_hsd([[1, 2]], permutations=2.5),
    "level must be a number between 0 and 1, not 'x'": lambda: rg.stats.t_interval([1, 2], level="x"),
    "level must be at least 1e-12 away from 0 and 1": lambda: rg.stats.bca_interval([1, 2], 1 - 1e-16),
    "tukey_hsd: values must be numbers": lambda: rg.stats.tukey_hsd([[1, "a"]]),
    "t_interval: values must be numbers": lambda: rg.stats.t_interval(["1", "2"]),
    "paired_t: values must be numbers": lambda: rg.stats.paired_t([1j, 2], [1, 2]),
    "t_interval: the value at position 1 is inf": lambda: rg.stats.t_interval([1, np.inf]),
    "sign: the value at position 0 is 1e\\+308; values go up to 1e\\+150": lambda: rg.stats.sign([1e308], [2]),
    "kendall_tau: the value at position 0 is NaN": lambda: rg.stats.kendall_tau([np.nan, 1], [1, 2]),
    "rbo: items must be ids": lambda: rg.stats.rbo([[], "a"], ["a"]),
    "rbo: a list must be items, best first": lambda: rg.stats.rbo(7, ["a"]),
    "compact_letters: expected a square matrix": lambda: rg.stats.compact_letters([1]),
    "queries_needed: alpha must be a number between 0 and 1": lambda: rg.stats.queries_needed(0.1, 1, alpha=2),
    "detectable_effect: alpha must be at least 1e-12": lambda: rg.stats.detectable_effect(10, 1e-320),
    "queries_needed: power must be more than alpha": lambda: rg.stats.queries_needed(0.1, 1, 0.5, 0.2),
    "sign: tie must be a number from 0 up to .*, not -1": lambda: rg.stats.sign([1], [2], tie=-1),
}


@pytest.mark.parametrize("message", BAD_CALLS)
def test_arguments_of_statistics_are_checked(message):
    with pytest.raises(rg.ParameterError, match=message):
        BAD_CALLS[message]()


def test_without_an_effect_the_power_is_the_level():
    assert [rg.stats.paired_t_power(0.0, n, 0.1) for n in (2, 30, 40, 100_000)] == pytest.approx([0.1] * 4, abs=1e-5)


def test_the_defaults_of_power_are_a_level_of_5_and_a_power_of_80_percent():
    assert rg.stats.paired_t_power(0.5, 34) == rg.stats.paired_t_power(0.5, 34, 0.05)
    assert rg.stats.detectable_effect(34) == rg.stats.detectable_effect(34, 0.05, 0.8)
    assert rg.stats.queries_needed(0.5, 1.0) == rg.stats.queries_needed(0.5, 1.0, 0.05, 0.8)


def test_power_of_too_few_queries_and_of_too_small_effects():
    assert rg.stats.detectable_effect(1) == np.inf
    assert rg.stats.paired_t_power(9.0, 1) == 0
    with pytest.raises(rg.ParameterError, match="must not be 0"):
        rg.stats.queries_needed(0.0, 1.0)
    with pytest.raises(rg.ParameterError, match="needs too many queries"):
        rg.stats.queries_needed(1e-9, 1.0)


# Input checks


@pytest.mark.parametrize("test", ["paired_t", "wilcoxon", "sign", "randomisation", "bootstrap"])
@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ([1, 2], [1], "same length, not 2 and 1"),
        ([], [], "there are no values"),
        ([1, float("nan")], [1, 2], "the value at position 1 is NaN"),
        ([[1, 2]], [[1, 2]], "expected one dimension, found 2"),
        (["a"], [1], "must be numbers"),
    ],
)
def test_paired_tests_refuse_unusable_values(test, first, second, words):
    with pytest.raises(rg.ParameterError, match=f"{test}: .*{words}"):
        getattr(rg.stats, test)(first, second)


def test_the_other_statistics_refuse_unusable_values():
    with pytest.raises(rg.ParameterError, match="alternative must be"):
        rg.stats.paired_t([1, 2], [1, 2], "larger")
    with pytest.raises(rg.ParameterError, match="level must be a number between 0 and 1"):
        rg.stats.t_interval([1, 2], level=95)
    with pytest.raises(rg.ParameterError, match="holm: p-values lie between 0 and 1"):
        rg.stats.holm([0.5, 1.5])
    with pytest.raises(rg.ParameterError, match="expected a matrix of queries x systems"):
        rg.stats.tukey_hsd([0.1, 0.2])
    with pytest.raises(rg.ParameterError, match="row 1 contain NaN"):
        rg.stats.randomised_tukey_hsd([[0.1, 0.2], [float("nan"), 0.2]])


def test_every_public_statistic_has_an_example():
    assert [name for name in rg.stats.__all__ if not hasattr(rg.stats, name)] == []
    functions = [getattr(rg.stats, name) for name in rg.stats.__all__ if name.islower()]
    assert [function.__name__ for function in functions if ">>>" not in function.__doc__] == []


# Corrections


def test_corrections_by_hand():
    p = np.array([0.01, 0.02, 0.03, 0.04, 0.05])

    assert rg.stats.bonferroni(p) == pytest.approx([0.05, 0.1, 0.15, 0.2, 0.25])
    assert rg.stats.holm(p) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert rg.stats.benjamini_hochberg(p) == pytest.approx([0.05] * 5)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_corrections_keep_their_order(values):
    p = np.array(values)
    raw, bh, holm, bonferroni = p, rg.stats.benjamini_hochberg(p), rg.stats.holm(p), rg.stats.bonferroni(p)

    assert (raw <= bh + 1e-15).all()
    assert (bh <= holm + 1e-15).all()
    assert (holm <= bonferroni + 1e-15).all()
    order = np.argsort(p, kind="stable")
    for corrected in (bh, holm, bonferroni):
        assert (np.diff(corrected[order]) >= 0).all()
    assert bh == pytest.approx(stats.false_discovery_control(p))


# Randomisation


def brute_force(differences):
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    return sum(value >= abs(sum(differences)) - 1e-9 for value in sums) / len(sums)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=9))
def test_exact_enumeration_equals_brute_force(tenths):
    differences = np.array(tenths) / 10

    assert randomisation(differences).p == brute_force(differences.tolist())


def test_sampled_signs_agree_with_exact_enumeration(monkeypatch):
    differences = RNG.normal(0.4, 1, size=18)
    exact = randomisation(differences).p
    monkeypatch.setattr(paired_tests, "ENUMERATED", 0)
    sampled = randomisation(differences, permutations=100_000, seed=3).p

    assert sampled == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 100_000))


def test_zeros_do_not_change_the_exact_p():
    differences = np.array([0.1, 0.3, 0.2, 0.4, -0.1])

    assert randomisation(np.append(differences, np.zeros(100))).p == 0.1875


def test_p_is_never_zero_and_depends_on_the_seed_alone():
    far = np.linspace(0.5, 1, 300)
    near = RNG.normal(0.1, 1, size=300)

    assert randomisation(far, permutations=999).p == 1 / 1000
    first = randomisation(near, permutations=20_001, seed=5).p
    assert randomisation(near, permutations=20_001, seed=5).p == first
    assert randomisation(near, permutations=20_001, seed=6).p != first
    with ThreadPoolExecutor(4) as threads:
        assert {*threads.map(lambda _: randomisation(near, permutations=20_001, seed=5).p, range(8))} == {first}


def test_a_pair_has_the_same_p_alone_and_among_others():
    """66 pairs are tested in three blocks."""
    values = compared(RNG.normal(size=(300, 12)), permutations=2_000, resamples=2)
    pairs = values.pairs(all_pairs=True)

    assert len(pairs) == 66 > 2 * paired_tests.COLUMNS
    for pair in pairs[::13]:
        alone = rg.stats.randomisation(pair.values_first, pair.values_second, permutations=2_000)
        assert pair.randomisation == alone.p


@pytest.mark.parametrize("queries", [1, 2, 7, 50, 300])
def test_many_t_tests_give_the_digits_of_single_ones(queries, monkeypatch):
    monkeypatch.setattr(paired_tests, "CELLS", 4 * queries)
    matrix = RNG.random((queries, 6)).round(2)
    matrix[:, 1], matrix[:, 2] = matrix[:, 0], matrix[:, 0] + 0.25
    places = [*combinations(range(6), 2)]

    expected = [rg.stats.paired_t(matrix[:, a], matrix[:, b]).p for a, b in places]
    assert paired_tests.paired_t_p(matrix, places).tolist() == pytest.approx(expected, rel=0, abs=0, nan_ok=True)


def test_the_digits_of_a_seed_never_change():
    """Random bits must not change between versions or machines: these digits are a promise."""
    differences = np.sin(np.arange(40.0)) + 0.1

    assert randomisation(differences, permutations=10_000, seed=1).p == 2623 / 10_001


# Laws


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=2, max_size=30))
def test_exchanging_the_systems_changes_the_sign_alone(values):
    differences = np.array(values)
    for test in (paired_t, wilcoxon, sign):
        there, back = test(differences).p, test(-differences).p
        assert there == pytest.approx(back, nan_ok=True)
    there, back = (randomisation(side, permutations=500).p for side in (differences, -differences))
    assert there == back
    low, high = rg.stats.t_interval(differences)
    assert [-high, -low] == pytest.approx([*rg.stats.t_interval(-differences)])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=3, max_size=30))
def test_the_interval_excludes_zero_exactly_when_the_t_test_is_significant(values):
    differences = np.array(values)
    p = paired_t(differences).p
    if not np.isnan(p) and abs(p - 0.05) > 1e-9:
        low, high = rg.stats.t_interval(differences)
        assert (low > 0 or high < 0) == (p < 0.05)


# Simulated null hypotheses: fixed seeds, so these do not fail by chance


def test_every_test_keeps_its_level():
    null = np.random.default_rng(11).normal(size=(2_000, 30))
    rates = {
        "t": np.mean([paired_t(row).p < 0.05 for row in null]),
        "wilcoxon": np.mean([wilcoxon(row).p < 0.05 for row in null]),
        "sign": np.mean([sign(row).p < 0.05 for row in null]),
        "randomisation": np.mean(paired_tests.randomisation_p(null.T, 2_000) < 0.05),
    }

    assert {name: rate for name, rate in rates.items() if not 0.035 <= rate <= 0.06 and name != "sign"} == {}
    assert rates["sign"] <= 0.06  # whole numbers of wins: its level is below alpha


def test_the_randomisation_test_keeps_its_level_where_differences_are_skewed_but_symmetric_under_the_null():
    random = np.random.default_rng(12)
    null = random.exponential(size=(2_000, 25)) * random.choice([-1, 1], size=(2_000, 25))

    assert 0.035 <= np.mean(paired_tests.randomisation_p(null.T, 2_000) < 0.05) <= 0.065


def test_intervals_cover_the_mean_at_their_level():
    random = np.random.default_rng(13)
    samples = random.exponential(size=(400, 40)) - 1
    t = [low <= 0 <= high for low, high in map(rg.stats.t_interval, samples)]
    bca = []
    for row in samples:
        low, high = rg.stats.bca_interval(row, resamples=1_000)
        bca.append(low <= 0 <= high)

    assert 0.90 <= np.mean(t) <= 0.98
    assert 0.90 <= np.mean(bca) <= 0.98


def test_corrections_keep_the_family_wise_error_rate():
    random = np.random.default_rng(14)
    alarms = {"holm": 0, "tukey": 0, "randomised_tukey": 0, "none": 0}
    places = [*combinations(range(4), 2)]
    for _ in range(100):
        matrix = random.normal(size=(20, 4)) + random.normal(size=(20, 1))
        for name in alarms:
            p = compared(matrix, correction=name, permutations=200).statistics().corrected_p_values(places)
            alarms[name] += bool((p < 0.05).any())

    assert alarms["none"] > 12
    assert all(alarms[name] <= 10 for name in ("holm", "tukey", "randomised_tukey"))


def test_the_shifted_bootstrap_is_close_to_the_t_test():
    sample = np.random.default_rng(15).normal(0.25, 1, size=60)
    result = rg.stats.bootstrap(np.zeros(60), sample, resamples=20_000)

    assert result.p == pytest.approx(paired_t(sample).p, abs=0.02)
    assert result.interval == rg.stats.bca_interval(sample, resamples=20_000)
    assert result.statistic == sample.mean()


# Groups


def test_letters_are_shared_exactly_by_systems_that_do_not_differ():
    for trial in range(60):
        random = np.random.default_rng(trial)
        count = int(random.integers(2, 8))
        upper = np.triu(random.random((count, count)) < 0.4, 1)
        different = upper | upper.T
        letters = rg.stats.compact_letters(different)
        for a, b in combinations(range(count), 2):
            assert bool({*letters[a]} & {*letters[b]}) != different[a, b]


def test_letters_if_no_systems_or_all_systems_differ():
    assert rg.stats.compact_letters(np.zeros((3, 3), dtype=bool)) == ("a", "a", "a")
    assert rg.stats.compact_letters(~np.eye(3, dtype=bool)) == ("a", "b", "c")
    many = rg.stats.compact_letters(~np.eye(60, dtype=bool))
    assert len({*many}) == 60
    assert {*map(len, many)} == {1}


def test_more_groups_than_letters_are_numbered():
    matrix = np.arange(60.0) + RNG.normal(0, 0.01, size=(8, 60))
    table = compared(matrix, correction="none", permutations=2, resamples=2).table()

    rows = [line.split() for line in table.splitlines() if re.match(r" *\d+  ", line)]
    assert [(row[0], row[-1]) for row in rows] == [(str(place), str(place)) for place in range(1, 61)]


def test_ranks_and_their_intervals():
    """A query of a hundred that has the opposite order does not change an interval."""
    matrix = np.array([[0.3, 0.2, 0.1]] * 99 + [[0.1, 0.2, 0.3]])

    for higher_is_better, order in ((True, "ABC"), (False, "CBA")):
        board = compared(matrix, higher_is_better=higher_is_better).leaderboard()
        assert [(row.system, row.rank, row.ranks) for row in board] == [
            (system, rank, (rank, rank)) for rank, system in enumerate(order, 1)
        ]


def test_randomised_tukey_equals_brute_force_on_a_small_matrix():
    matrix = np.array([[0.1, 0.4, 0.2], [0.2, 0.5, 0.1], [0.3, 0.9, 0.4]])
    ranges = [
        np.ptp(np.array(mixed).mean(axis=0)) for mixed in product(*(permutations(row) for row in matrix.tolist()))
    ]
    expected = np.mean(np.array(ranges) >= abs(matrix[:, 1].mean() - matrix[:, 0].mean()) - 1e-12)

    assert rg.stats.randomised_tukey_hsd(matrix, permutations=20_000).p[0, 1] == pytest.approx(expected, abs=0.012)
