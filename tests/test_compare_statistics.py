"""Tests, intervals and corrections: against brute force, SciPy, textbooks, laws and simulated null hypotheses."""

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rankgauge as rg
from rankgauge.comparison.settings import Settings
from rankgauge.stats import corrections, intervals, paired, power, randomisation, tukey
from rankgauge.stats import rank_groups as groups

SLEEP = np.array([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
"""Student's own example (1908): the additional sleep by one drug over the other, ten patients."""
RNG = np.random.default_rng(7)
SAMPLES = [RNG.normal(0.2, 1, size=n) for n in (2, 3, 8, 21, 60)]


# Textbooks and SciPy


def test_students_own_example():
    found = paired.t_test(SLEEP)

    assert found.statistic == pytest.approx(4.0621, abs=5e-5)
    assert found.p == pytest.approx(0.00283289, abs=5e-9)
    low, high = intervals.t_interval(SLEEP)
    assert (low, high) == (pytest.approx(0.7001142, abs=5e-8), pytest.approx(2.4598858, abs=5e-8))


def test_fishers_randomisation_of_darwins_maize():
    # Fisher, The Design of Experiments, section 21: of the 32,768 sums 863 on either side are as large as 314 eighths.
    darwin = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]) / 8

    assert randomisation.randomisation(darwin)[0] == 2 * 863 / 32_768
    assert randomisation.randomisation(darwin, alternative="greater")[0] == 863 / 32_768


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("sample", SAMPLES, ids=len)
def test_the_tests_are_those_of_scipy(sample, alternative):
    t = stats.ttest_1samp(sample, 0, alternative=alternative)
    signs = stats.binomtest(int((sample > 0).sum()), len(sample), alternative=alternative)
    method = "exact" if len(sample) < 50 else "asymptotic"
    ranks = stats.wilcoxon(sample, alternative=alternative, method=method, correction=method == "asymptotic")

    assert paired.t_test(sample, alternative) == (pytest.approx(t.statistic), pytest.approx(t.pvalue))
    assert paired.sign_test(sample, alternative).p == pytest.approx(signs.pvalue)
    assert paired.wilcoxon(sample, alternative).p == pytest.approx(ranks.pvalue)


def test_wilcoxon_with_ties_and_zeros_is_that_of_scipy():
    sample = np.array([0.0, 0.1, 0.1, -0.1, 0.2, 0.2, 0.3, 0.0, 0.5, -0.2])
    expected = stats.wilcoxon(sample, method="asymptotic", correction=True)

    assert paired.wilcoxon(sample).p == pytest.approx(expected.pvalue)


def test_tukey_is_that_of_scipy_on_the_residuals():
    matrix = RNG.normal(size=(12, 4)) + np.arange(4) / 3
    n, systems = matrix.shape
    error = np.sqrt(tukey.residual_variance(matrix) / n)
    means = matrix.mean(axis=0)
    found = tukey.tukey(matrix)

    for a, b in combinations(range(systems), 2):
        expected = stats.studentized_range.sf(abs(means[a] - means[b]) / error, systems, (n - 1) * (systems - 1))
        assert found[a, b] == found[b, a] == pytest.approx(expected, abs=1e-10)


def test_tukey_of_two_systems_is_the_paired_t_test():
    matrix = RNG.normal(size=(9, 2))

    assert tukey.tukey(matrix)[0, 1] == pytest.approx(paired.t_test(matrix[:, 1] - matrix[:, 0]).p, abs=1e-12)


def test_bca_is_that_of_scipy():
    sample = RNG.exponential(size=40)
    ours = intervals.bca_interval(sample, intervals.resampled_means(sample[:, None], 20_000, seed=1)[:, 0])
    theirs = stats.bootstrap((sample,), np.mean, n_resamples=20_000, rng=np.random.default_rng(2)).confidence_interval

    assert [*ours] == pytest.approx([theirs.low, theirs.high], abs=0.02)


def test_the_power_of_the_t_test_is_that_of_the_tables():
    # Cohen's small, medium and large effects at alpha .05 and power .80: 199, 34 and 15 pairs.
    assert [power.queries_needed(effect, 1.0) for effect in (0.2, 0.5, 0.8)] == [199, 34, 15]
    assert power.power_of(0.0, 20) == pytest.approx(0.05)
    assert power.power_of(0.02, 20_000) == pytest.approx(power.power_of(0.02, 10_001 * 2), abs=1e-3)
    for n in (5, 20, 50, 1_000, 100_000):
        effect = power.detectable_effect(n)
        assert power.power_of(effect, n) == pytest.approx(0.8, abs=1e-9)
        assert effect == pytest.approx((stats.t.ppf(0.975, n - 1) + stats.t.ppf(0.8, n - 1)) / np.sqrt(n), rel=0.04)


def test_power_says_what_it_cannot_tell():
    assert power.detectable_effect(1) == np.inf
    with pytest.raises(rg.ParameterError, match="must not be 0"):
        power.queries_needed(0.0, 1.0)
    with pytest.raises(rg.ParameterError, match="needs more than"):
        power.queries_needed(1e-9, 1.0)


# Corrections


def test_corrections_by_hand():
    p = np.array([0.01, 0.02, 0.03, 0.04, 0.05])

    assert corrections.bonferroni(p) == pytest.approx([0.05, 0.1, 0.15, 0.2, 0.25])
    assert corrections.holm(p) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert corrections.benjamini_hochberg(p) == pytest.approx([0.05] * 5)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_corrections_keep_their_order(values):
    p = np.array(values)
    raw, bh, holm, bonferroni = p, corrections.benjamini_hochberg(p), corrections.holm(p), corrections.bonferroni(p)

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
def test_exact_enumeration_is_brute_force(tenths):
    differences = np.array(tenths) / 10

    assert randomisation.randomisation(differences)[0] == brute_force(differences.tolist())


def test_sampled_signs_agree_with_exact_enumeration(monkeypatch):
    differences = RNG.normal(0.4, 1, size=18)
    exact = randomisation.randomisation(differences)[0]
    monkeypatch.setattr(randomisation, "ENUMERATED", 0)
    sampled = randomisation.randomisation(differences, 100_000, seed=3)[0]

    assert sampled == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 100_000))


def test_zeros_do_not_change_the_exact_p():
    differences = np.array([0.1, 0.3, 0.2, 0.4, -0.1])

    assert randomisation.randomisation(np.append(differences, np.zeros(100)))[0] == 0.1875


def test_p_is_never_zero_and_depends_on_the_seed_alone():
    far = np.linspace(0.5, 1, 300)
    near = RNG.normal(0.1, 1, size=300)

    assert randomisation.randomisation(far, 999)[0] == 1 / 1000
    first = randomisation.randomisation(near, 20_001, seed=5)[0]
    assert randomisation.randomisation(near, 20_001, seed=5)[0] == first
    assert randomisation.randomisation(near, 20_001, seed=6)[0] != first
    with ThreadPoolExecutor(4) as threads:
        assert {*threads.map(lambda _: randomisation.randomisation(near, 20_001, seed=5)[0], range(8))} == {first}
    among = np.column_stack([far, near, RNG.normal(size=300)])
    assert randomisation.randomisation(among, 20_001, seed=5)[1] == first


def test_the_digits_of_a_seed_stay():
    """Random bits must not change between versions or machines: these digits are a promise."""
    differences = np.sin(np.arange(40.0)) + 0.1

    assert randomisation.randomisation(differences, 10_000, seed=1)[0] == 2623 / 10_001


# Laws


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=2, max_size=30))
def test_exchanging_the_systems_changes_the_sign_alone(values):
    differences = np.array(values)
    for test in (paired.t_test, paired.wilcoxon, paired.sign_test):
        there, back = test(differences).p, test(-differences).p
        assert there == pytest.approx(back, nan_ok=True)
    there, back = (randomisation.randomisation(side, 500)[0] for side in (differences, -differences))
    assert there == back
    low, high = intervals.t_interval(differences)
    assert [-high, -low] == pytest.approx([*intervals.t_interval(-differences)])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=3, max_size=30))
def test_the_interval_excludes_zero_exactly_when_the_t_test_is_significant(values):
    differences = np.array(values)
    p = paired.t_test(differences).p
    if not np.isnan(p) and abs(p - 0.05) > 1e-9:
        low, high = intervals.t_interval(differences)
        assert (low > 0 or high < 0) == (p < 0.05)


# Simulated null hypotheses: fixed seeds, so these do not fail by chance


def test_every_test_keeps_its_level():
    null = np.random.default_rng(11).normal(size=(2_000, 30))
    rates = {
        "t": np.mean([paired.t_test(row).p < 0.05 for row in null]),
        "wilcoxon": np.mean([paired.wilcoxon(row).p < 0.05 for row in null]),
        "sign": np.mean([paired.sign_test(row).p < 0.05 for row in null]),
        "randomisation": np.mean(randomisation.randomisation(null.T, 2_000) < 0.05),
    }

    assert {name: rate for name, rate in rates.items() if not 0.035 <= rate <= 0.06 and name != "sign"} == {}
    assert rates["sign"] <= 0.06  # whole numbers of wins: its level is below alpha


def test_the_randomisation_test_keeps_its_level_where_differences_are_skewed_but_symmetric_under_the_null():
    random = np.random.default_rng(12)
    null = random.exponential(size=(2_000, 25)) * random.choice([-1, 1], size=(2_000, 25))

    assert 0.035 <= np.mean(randomisation.randomisation(null.T, 2_000) < 0.05) <= 0.065


def test_intervals_cover():
    random = np.random.default_rng(13)
    samples = random.exponential(size=(400, 40)) - 1
    t = [low <= 0 <= high for low, high in map(intervals.t_interval, samples)]
    bca = []
    for row in samples:
        low, high = intervals.bca_interval(row, intervals.resampled_means(row[:, None], 1_000, seed=0)[:, 0])
        bca.append(low <= 0 <= high)

    assert 0.90 <= np.mean(t) <= 0.98
    assert 0.90 <= np.mean(bca) <= 0.98


def test_corrections_keep_the_chance_of_any_false_alarm():
    random = np.random.default_rng(14)
    alarms = {"holm": 0, "tukey": 0, "randomised_tukey": 0, "none": 0}
    places = [*combinations(range(4), 2)]
    for _ in range(100):
        matrix = random.normal(size=(20, 4)) + random.normal(size=(20, 1))
        for name in alarms:
            p = corrections.corrected(matrix, places, Settings(correction=name, permutations=200))
            alarms[name] += bool((p < 0.05).any())

    assert alarms["none"] > 12
    assert all(alarms[name] <= 10 for name in ("holm", "tukey", "randomised_tukey"))


def test_the_shifted_bootstrap_is_close_to_the_t_test():
    sample = np.random.default_rng(15).normal(0.25, 1, size=60)
    means = intervals.resampled_means(sample[:, None], 20_000, seed=0)[:, 0]

    assert intervals.shifted_p(float(sample.mean()), means) == pytest.approx(paired.t_test(sample).p, abs=0.02)


# Groups


def test_letters_are_shared_exactly_by_those_who_cannot_be_told_apart():
    for trial in range(60):
        random = np.random.default_rng(trial)
        count = int(random.integers(2, 8))
        upper = np.triu(random.random((count, count)) < 0.4, 1)
        different = upper | upper.T
        found = groups.letters(different)
        for a, b in combinations(range(count), 2):
            assert bool({*found[a]} & {*found[b]}) != different[a, b]


def test_letters_of_everybody_alike_and_everybody_apart():
    assert groups.letters(np.zeros((3, 3), dtype=bool)) == ("a", "a", "a")
    assert groups.letters(~np.eye(3, dtype=bool)) == ("a", "b", "c")
    many = groups.letters(~np.eye(60, dtype=bool))
    assert len({*many}) == 60
    assert {*map(len, many)} == {1}


def test_ranks_and_their_intervals():
    means = np.array([[0.3, 0.2, 0.1]] * 99 + [[0.1, 0.2, 0.3]])

    assert groups.ranks(means[:1], higher_is_better=False).tolist() == [[3, 2, 1]]
    assert groups.rank_intervals(means, higher_is_better=True) == [(1, 1), (2, 2), (3, 3)]


def test_randomised_tukey_is_brute_force_on_a_small_matrix():
    matrix = np.array([[0.1, 0.4, 0.2], [0.2, 0.5, 0.1], [0.3, 0.9, 0.4]])
    ranges = [
        np.ptp(np.array(mixed).mean(axis=0)) for mixed in product(*(permutations(row) for row in matrix.tolist()))
    ]
    expected = np.mean(np.array(ranges) >= abs(matrix[:, 1].mean() - matrix[:, 0].mean()) - 1e-12)

    assert tukey.randomised_tukey(matrix, 20_000)[0, 1] == pytest.approx(expected, abs=0.012)
