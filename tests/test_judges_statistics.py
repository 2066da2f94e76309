"""Statistics of judges: agreement of raters, two-phase means and corrected rates, against other tools and by hand."""

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats as scipy_stats

import rankgauge as rg

STORED = json.loads((Path(__file__).parent / "data" / "judges.json").read_text(encoding="utf-8"))
NAN = float("nan")
KRIPPENDORFF = [
    [1, 1, NAN, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4], [4, 4, 4, 4], [1, 1, 2, 1],
    [2, 2, 2, 2], [NAN, 5, 5, 5], [NAN, NAN, 1, 1], [NAN, NAN, 3, NAN],
]  # fmt: skip


def matrix(rows):
    return np.array([[NAN if value is None else value for value in row] for row in rows])


@pytest.mark.parametrize("case", STORED["two_raters"])
def test_kappa_is_that_of_scikit_learn(case):
    found = [rg.stats.cohen_kappa(case["first"], case["second"], weights) for weights in (None, "linear", "quadratic")]

    assert found == pytest.approx(case["kappas"], abs=1e-12)


@pytest.mark.parametrize("case", STORED["many_raters"])
def test_alpha_is_that_of_krippendorff(case):
    ratings = matrix(case["ratings"])

    assert {level: rg.stats.krippendorff_alpha(ratings, level) for level in case["alphas"]} == pytest.approx(
        case["alphas"], abs=1e-12
    )


@pytest.mark.parametrize("case", [case for case in STORED["many_raters"] if "ac1" in case])
def test_gwet_and_conger_are_those_of_irr_cac(case):
    ratings = matrix(case["ratings"])
    graded = [("q", f"d{row}", f"r{rater}", grade) for (row, rater), grade in np.ndenumerate(ratings) if grade == grade]  # noqa: PLR0124
    table = pl.DataFrame(graded, schema=["query", "item", "rater", "grade"], orient="row")

    assert rg.stats.gwet_ac1(ratings) == pytest.approx(case["ac1"], abs=1e-9)
    assert rg.stats.gwet_ac2(ratings) == pytest.approx(case["ac2"], abs=1e-9)
    assert rg.judges.agreement(table).kappa.value == pytest.approx(case["conger"], abs=1e-9)


def test_krippendorffs_own_example():
    alphas = [rg.stats.krippendorff_alpha(KRIPPENDORFF, level) for level in ("nominal", "ordinal", "interval", "ratio")]

    assert [round(alpha, 6) for alpha in alphas] == [0.743421, 0.815388, 0.849107, 0.797403]


def test_gwets_ac1_does_not_count_a_missing_rating_as_a_category():
    assert round(rg.stats.gwet_ac1(KRIPPENDORFF), 5) == 0.77544


def test_distances_are_those_of_the_grades():
    # 0, 1 and 4: the disagreement of 1 and 4 is 3/4 of the largest one
    first, second = [0, 1, 4, 1], [0, 1, 4, 4]
    share, chance = (3 + 1 / 4) / 4, (1 + 2 / 4 * 3 / 4 + 1 / 4) / 4

    # by hand: rates 1/4 1/2 1/4 and 1/4 1/4 1/2
    weights = np.array([[1, 3 / 4, 0], [3 / 4, 1, 1 / 4], [0, 1 / 4, 1]])
    chance = np.array([1, 2, 1]) / 4 @ weights @ np.array([1, 1, 2]) / 4
    assert rg.stats.cohen_kappa(first, second, "linear") == pytest.approx((share - chance) / (1 - chance))


@pytest.mark.parametrize("call", [rg.stats.gwet_ac1, rg.stats.krippendorff_alpha, rg.stats.gwet_ac2])
def test_ratings_must_be_a_matrix_of_two_raters(call):
    for wrong in ([1, 2], [[1], [2]], [["a", "b"]], [[1, math.inf]], [[NAN, NAN]]):
        with pytest.raises(rg.ParameterError):
            call(wrong)


def test_many_different_grades_are_not_categories():
    with pytest.raises(rg.ParameterError, match="measurements"):
        rg.stats.cohen_kappa(np.arange(500), np.arange(500))


def test_alpha_of_equal_ratings_is_undefined():
    assert math.isnan(rg.stats.krippendorff_alpha([[1, 1], [1, 1]]))


def sample(case):
    return matrix([case["labels"]])[0], np.array(case["proxies"]), np.array(case["strata"])


@pytest.mark.parametrize("case", STORED["two_phases"])
def test_ppi_is_that_of_ppi_py(case):
    labels, proxies, _ = sample(case)

    assert rg.stats.ppi_mean(labels, proxies)[:3] == pytest.approx(case["ppi_py"], abs=1e-9)


@pytest.mark.parametrize("case", STORED["two_phases"])
def test_a_stratified_mean_is_that_of_glide(case):
    labels, proxies, strata = sample(case)

    found = rg.stats.ppi_mean(labels, proxies, strata=strata, ddof=1, clip=False)
    assert found[:3] == pytest.approx(case["glide"], abs=1e-9)


@pytest.mark.parametrize("case", STORED["two_phases"])
def test_a_stratified_mean_of_people_alone_is_that_of_glide(case):
    labels, _, strata = sample(case)
    found = rg.stats.two_phase_mean(labels, np.zeros(len(labels)), strata=strata, finite=False)

    assert [found.value, found.variance] == pytest.approx(case["glide_people"], abs=1e-12)


def regression_by_hand(labels, proxies, finite):
    known = ~np.isnan(labels)
    y, f, n, size = labels[known], proxies[known], int(known.sum()), len(labels)
    fit = scipy_stats.linregress(f, y)
    residuals = y - fit.intercept - fit.slope * f
    s2, shift = (residuals**2).sum() / (n - 2), proxies.mean() - f.mean()
    s2 = (n * s2 + y.var(ddof=1)) / (n + 1)
    variance = s2 * (1 / n - finite / size + shift**2 / ((f - f.mean()) ** 2).sum())
    variance += 0 if finite else fit.slope**2 * proxies.var(ddof=1) / size
    reach = scipy_stats.t.ppf(0.975, n - 2) * math.sqrt(variance)
    value = y.mean() + fit.slope * shift
    return [value, value - reach, value + reach]


@pytest.mark.parametrize("finite", [True, False])
@pytest.mark.parametrize("case", STORED["two_phases"])
def test_two_phase_regression_follows_its_formula(case, finite):
    labels, proxies, _ = sample(case)

    found = rg.stats.two_phase_mean(labels, proxies, finite=finite)
    assert found[:3] == pytest.approx(regression_by_hand(labels, proxies, finite), abs=1e-12)


def test_regression_and_ppi_have_the_same_point_for_the_same_slope():
    labels, proxies, _ = sample(STORED["two_phases"][1])
    ppi = rg.stats.ppi_mean(labels, proxies)
    known = ~np.isnan(labels)
    slope = ppi.slope * len(labels) / (~known).sum()

    assert ppi.value == pytest.approx(labels[known].mean() + slope * (proxies.mean() - proxies[known].mean()))


def test_a_perfect_proxy_of_these_queries_leaves_no_error():
    values = np.random.default_rng(0).random(50)
    found = rg.stats.two_phase_mean(np.where(np.arange(50) < 10, values, np.nan), values)

    assert found.low == found.high == pytest.approx(values.mean(), abs=1e-15)


@pytest.mark.parametrize("labels", [4, 40, 400])
def test_residuals_count_one_more_label_that_the_proxy_does_not_explain(labels):
    """The labelled queries have the mean proxy of all queries."""
    proxies, errors = np.tile([0.2, 0.8, 0.8, 0.2], labels // 2), np.tile([0.1, 0.1, -0.1, -0.1], labels // 4)
    known = 0.3 + 0.5 * proxies[:labels] + errors
    found = rg.stats.two_phase_mean(np.append(known, np.full(labels, NAN)), proxies)

    residual = (errors**2).sum() / (labels - 2)
    assert found.residual == pytest.approx(residual)
    unseen = (labels * residual + known.var(ddof=1)) / (labels + 1)
    assert found.variance == pytest.approx(unseen * (1 / labels - 1 / (2 * labels)), rel=1e-12)


def test_unequal_weights_leave_fewer_degrees_of_freedom():
    labels, proxies, _ = sample(STORED["two_phases"][1])
    n = int((~np.isnan(labels)).sum())
    chances = np.where(np.arange(len(labels)) % 2, 0.9, 0.1)
    weights = ((1 - chances) / chances**2)[~np.isnan(labels)]
    found = rg.stats.two_phase_mean(labels, proxies, inclusion=chances)

    assert found.freedom == pytest.approx(weights.sum() ** 2 / (weights**2).sum() - 2)
    assert rg.stats.two_phase_mean(labels, proxies, inclusion=np.full(len(labels), 0.4)).freedom == pytest.approx(n - 2)


def test_residuals_of_a_constant_proxy_are_the_deviations_of_the_labels():
    labels, proxies, _ = sample(STORED["two_phases"][1])
    known = labels[~np.isnan(labels)]

    found = rg.stats.two_phase_mean(labels, np.ones(len(proxies)), finite=False)
    assert found.variance == pytest.approx(known.var(ddof=1) / len(known), rel=1e-12)


def test_strata_count_their_labels_together():
    random = np.random.default_rng(5)
    proxies, strata = random.random(120), np.arange(120) % 2
    labels = np.where(np.arange(120) < 40, proxies + 0.1 * random.standard_normal(120), np.nan)
    found = rg.stats.two_phase_mean(labels, proxies, strata=strata)

    expected = 0.0
    for rows in (strata == 0, strata == 1):
        part = rg.stats.two_phase_mean(labels[rows], proxies[rows])
        variance = labels[rows & (np.arange(120) < 40)].var(ddof=1)
        together, alone = ((n * part.residual + variance) / (n + 1) for n in (40, 20))
        expected += part.variance / 4 * together / alone
    assert found.variance == pytest.approx(expected, rel=1e-12)


def test_all_labels_of_these_queries_leave_no_error():
    values = np.random.default_rng(0).random(50)
    for call in (rg.stats.two_phase_mean, rg.stats.ppi_mean):
        found = call(values, np.random.default_rng(1).random(50), finite=True)
        assert found.low == pytest.approx(found.high, abs=1e-15)
        assert found.value == pytest.approx(values.mean())


def test_a_constant_proxy_gives_the_t_interval_of_the_labels():
    labels = np.array([0.1, 0.5, 0.3, NAN, NAN])

    found = rg.stats.two_phase_mean(labels, np.ones(5), finite=False)
    assert found[1:3] == pytest.approx(rg.stats.t_interval(labels[:3]))


def test_strata_with_ten_labels_have_a_slope_of_their_own():
    random = np.random.default_rng(3)
    proxies = random.random(60)
    strata = np.arange(60) % 2
    labels = np.where(np.arange(60) < 24, np.where(strata == 0, proxies, 1 - proxies), np.nan)

    assert rg.stats.two_phase_mean(labels, proxies, strata=strata).variance == pytest.approx(0, abs=1e-25)
    few = np.where(np.arange(60) < 18, labels, np.nan)  # nine labels each: one slope for both
    assert rg.stats.two_phase_mean(few, proxies, strata=strata).variance > 1e-4


def test_equal_inclusion_probabilities_change_the_variance_only_a_little():
    labels, proxies, _ = sample(STORED["two_phases"][1])
    equal = rg.stats.two_phase_mean(labels, proxies, inclusion=np.full(len(labels), 30 / 300))
    plain = rg.stats.two_phase_mean(labels, proxies)

    assert equal.value == pytest.approx(plain.value, abs=1e-12)
    assert equal.variance == pytest.approx(plain.variance, rel=0.1)


def test_clusters_of_one_query_do_not_change_the_value():
    labels, proxies, _ = sample(STORED["two_phases"][1])
    alone = rg.stats.two_phase_mean(labels, proxies, clusters=np.arange(len(labels)), finite=False)
    plain = rg.stats.two_phase_mean(labels, proxies, finite=False)

    assert alone.value == plain.value
    assert alone.variance == pytest.approx(plain.variance, rel=0.15)


def test_copies_of_a_query_in_a_cluster_add_no_information():
    labels, proxies, _ = sample(STORED["two_phases"][0])
    clusters = np.arange(len(labels))
    once = rg.stats.two_phase_mean(labels, proxies, clusters=clusters, finite=False)
    twice = rg.stats.two_phase_mean(
        np.repeat(labels, 2), np.repeat(proxies, 2), clusters=np.repeat(clusters, 2), finite=False
    )

    assert twice.variance == pytest.approx(once.variance, rel=0.1)


@pytest.mark.parametrize(
    "given",
    [
        {"labels": [0.1, NAN, NAN]},
        {"labels": [0.1, 0.2]},
        {"labels": [0.1, 0.2, 1e200]},
        {"proxies": [0.1, NAN, 0.3]},
        {"strata": [0, 1, 1]},
        {"strata": [0, 1]},
        {"inclusion": [0.5, 0.0, 0.5]},
        {"inclusion": [0.5, 0.5, 1.5]},
    ],
)
def test_two_phase_mean_refuses_what_does_not_fit(given):
    arguments = {"labels": [0.1, 0.2, NAN], "proxies": [0.1, 0.2, 0.3], **given}

    with pytest.raises(rg.ParameterError):
        rg.stats.two_phase_mean(**arguments)


def test_rogan_gladen_by_hand():
    rate = rg.stats.rogan_gladen(500, 1000, 80, 100, 70, 100)
    variance = (0.25 / 1000 + 0.4**2 * 0.16 / 100 + 0.6**2 * 0.21 / 100) / 0.5**2

    assert rate.value == pytest.approx((0.5 + 0.7 - 1) / 0.5)
    assert rate.high - rate.value == pytest.approx(1.959964 * math.sqrt(variance), abs=1e-6)


def test_a_rate_stays_within_0_and_1():
    assert rg.stats.rogan_gladen(10, 1000, 80, 100, 70, 100).value == 0


def test_a_judge_no_better_than_chance_cannot_be_corrected():
    with pytest.raises(rg.ParameterError, match="no better than chance"):
        rg.stats.rogan_gladen(500, 1000, 50, 100, 50, 100)
