"""Statistics of leaderboards against slow loops, other tools and simulations."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from leaderboard_simulation import DOCS, RESULTS, coverage, documented

ORACLES = json.loads((Path(__file__).parent / "data" / "leaderboards.json").read_text(encoding="utf-8"))["worlds"]
RATES = json.loads(RESULTS.read_text(encoding="utf-8"))


def slow_t(values):
    """Student's t of a mean."""
    spread = np.std(values, ddof=1)
    return np.mean(values) / (spread / math.sqrt(len(values)))


def slow_all_pairs(matrix, alpha=0.05):
    """The critical value and the separable pairs, with a loop over all signs and all pairs."""
    rows, systems = matrix.shape
    pairs = [*itertools.combinations(range(systems), 2)]
    gaps = {pair: matrix[:, pair[1]] - matrix[:, pair[0]] for pair in pairs}
    largest = sorted(
        max(abs(slow_t(np.array(signs) * (gap - gap.mean()))) for gap in gaps.values())
        for signs in itertools.product((1, -1), repeat=rows)
    )
    critical = largest[math.ceil((1 - alpha) * len(largest)) - 1]
    return critical, {pair: abs(slow_t(gap)) > critical for pair, gap in gaps.items()}


@pytest.mark.parametrize("seed", range(4))
def test_all_pairs_agree_with_a_loop_over_all_signs(seed):
    random = np.random.default_rng(seed)
    matrix = random.normal((0, 0, 1.5, 3), size=(8, 4))

    critical, separable = slow_all_pairs(matrix)
    result = rg.stats.all_pairs(matrix)

    assert result.critical == pytest.approx(critical)
    for (first, second), differs in separable.items():
        assert bool(result.higher[first, second] or result.higher[second, first]) == differs
    assert result.statistic[0, 3] == pytest.approx((matrix[:, 3] - matrix[:, 0]).mean())
    assert result.error[0, 3] == pytest.approx(np.std(matrix[:, 3] - matrix[:, 0], ddof=1) / math.sqrt(8))


def slow_stratified_t(gap, strata, signs):
    """T of a sum over strata with equal weights, each with its own spread."""
    total, variance = 0.0, 0.0
    for stratum in np.unique(strata):
        own = gap[strata == stratum]
        flipped = signs[strata == stratum] * (own - own.mean())
        total += flipped.sum()
        variance += len(own) * np.var(flipped, ddof=1)
    return abs(total) / math.sqrt(variance)


def test_strata_agree_with_a_loop_over_all_signs():
    random = np.random.default_rng(5)
    matrix, strata = random.normal(size=(9, 3)), np.array([0, 0, 0, 1, 1, 1, 1, 2, 2])
    pairs = [*itertools.combinations(range(3), 2)]
    largest = sorted(
        max(slow_stratified_t(matrix[:, j] - matrix[:, i], strata, np.array(signs)) for i, j in pairs)
        for signs in itertools.product((1, -1), repeat=9)
    )

    assert rg.stats.all_pairs(matrix, strata=strata).critical == pytest.approx(largest[math.ceil(0.95 * 512) - 1])


def test_missing_values_leave_the_other_pairs_on_their_common_rows():
    from rankgauge.stats.simultaneous_pairs import compare_all

    random = np.random.default_rng(2)
    matrix = random.normal((0, 0, 2), size=(20, 3))
    gaps = matrix.copy()
    gaps[:4, 0] = np.nan
    gaps[:15, 1] = np.nan
    result = compare_all(gaps, gaps, np.ones(20), np.zeros(20, dtype=int), 0.05, 2000, 0)

    gap = matrix[4:, 2] - matrix[4:, 0]
    assert result.statistic[0, 2] == pytest.approx(gap.mean())
    assert result.error[0, 2] == pytest.approx(np.std(gap, ddof=1) / 4)
    assert result.higher[0, 2]
    assert np.isnan(result.error[0, 1])  # five rows in common are too few
    assert not result.higher[:, 1].any()


def brute_rank_sets(higher):
    """Best and worst rank of each system over all orders that respect what is significant."""
    systems = len(higher)
    found = [set() for _ in range(systems)]
    for order in itertools.permutations(range(systems)):
        place = {system: rank for rank, system in enumerate(order, 1)}
        if all(place[j] < place[i] for i, j in zip(*np.nonzero(higher), strict=True)):
            for system, rank in place.items():
                found[system].add(rank)
    return [(min(ranks), max(ranks)) for ranks in found]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_rank_sets_are_those_of_all_orders_that_respect_the_differences(seed):
    random = np.random.default_rng(seed)
    systems = int(random.integers(2, 6))
    matrix = random.normal(size=(int(random.integers(6, 11)), systems)) + random.integers(0, 4, systems)

    higher = rg.stats.all_pairs(matrix).higher

    assert not (higher & higher.T).any()
    assert ((higher.astype(int) @ higher.astype(int) > 0) <= higher).all(), "transitive"
    assert rg.stats.rank_sets(higher) == brute_rank_sets(higher)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.integers(2, 14))
def test_identical_systems_are_never_separable(seed, rows):
    random = np.random.default_rng(seed)
    column = random.normal(size=rows)
    copies = np.stack([column, column, column + 1e-15, random.normal(size=rows) + 9], axis=1)

    higher = rg.stats.all_pairs(copies).higher

    assert not higher[:3, :3].any()
    board = rg.leaderboard(
        {name: dict(enumerate(values.tolist())) for name, values in zip("abcd", copies.T, strict=True)}
    )
    assert not board.separable("a", "b")


def test_few_rows_separate_nothing():
    assert not rg.stats.all_pairs([[0, 9], [0, 9.1], [0, 9.2]]).higher.any()
    assert rg.stats.all_pairs([[0.0, 1.0]] * 5).critical == np.inf
    assert rg.stats.all_pairs([[0.0, 1.0]] * 6).higher.tolist() == [[False, True], [False, False]]


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_scale_shift_and_order_of_systems_change_nothing(seed):
    random = np.random.default_rng(seed)
    matrix = random.normal((0, 1, 2, 2), size=(10, 4))
    result = rg.stats.all_pairs(matrix)
    moved = rg.stats.all_pairs(100 * matrix + random.normal(size=(10, 1)))
    turned = rg.stats.all_pairs(matrix[:, ::-1])

    assert moved.critical == pytest.approx(result.critical)
    assert (moved.higher == result.higher).all()
    assert (turned.higher[::-1, ::-1] == result.higher).all()


@pytest.mark.parametrize("place", range(len(ORACLES)))
def test_bradley_terry_agrees_with_evalica_and_choix(place):
    world = ORACLES[place]
    values = rg.leaderboard(world["results"], aggregate="bradley-terry", missing="present").values()

    assert values == pytest.approx(world["evalica"], rel=1e-6)
    assert values == pytest.approx(world["choix"], rel=1e-6)


@pytest.mark.parametrize("place", range(len(ORACLES)))
def test_borda_agrees_with_mteb(place):
    world = ORACLES[place]
    board = rg.leaderboard(world["results"], aggregate="borda", missing="loses")

    assert {row["system"]: row["rank"] for row in board.to_dict()["systems"]} == world["mteb"]


@pytest.mark.parametrize("place", [2, 5])
def test_bounds_hold_for_every_filling(place):
    results = ORACLES[place]["results"]
    board = rg.leaderboard(results, missing="bounds")
    random = np.random.default_rng(0)
    columns = [*next(iter(results.values()))]
    seen = {name: [row[name] for row in results.values() if row[name] is not None] for name in columns}
    ends = board.value_bounds()
    for _ in range(30):
        filled = {
            system: {
                name: random.choice(
                    [min(seen[name]), max(seen[name]), random.uniform(min(seen[name]), max(seen[name]))]
                )
                if value is None
                else value
                for name, value in row.items()
            }
            for system, row in results.items()
        }
        for system, value in rg.leaderboard(filled).values().items():
            assert ends[system].low - 1e-12 <= value <= ends[system].high + 1e-12


def test_the_interval_of_queries_is_narrower_than_that_of_data_sets():
    random = np.random.default_rng(0)
    hard = random.random(8)
    results = {
        system: {
            f"d{place}": dict(enumerate((level + lift + 0.1 * random.normal(size=60)).tolist()))
            for place, level in enumerate(hard)
        }
        for system, lift in (("a", 0.0), ("b", 0.02), ("c", 0.3))
    }
    queries, data_sets = rg.leaderboard(results), rg.leaderboard(results, target="data sets")

    assert (queries.target, data_sets.target) == ("queries", "data sets")
    widths = [board.intervals()["a"].high - board.intervals()["a"].low for board in (queries, data_sets)]
    assert widths[0] < widths[1] / 3
    # The raw variance between data sets alone: resampling both levels would count that of the queries twice.
    means = np.array([np.mean([*column.values()]) for column in results["a"].values()])
    assert widths[1] == pytest.approx(2 * 1.96 * means.std() / math.sqrt(8), rel=0.15)
    within = [np.var([*column.values()], ddof=1) / 60 for column in results["a"].values()]
    assert widths[0] == pytest.approx(2 * 1.96 * math.sqrt(np.mean(within) / 8), rel=0.15)


def test_means_with_n_and_sd_have_intervals_of_queries():
    cells = {
        system: {f"d{place}": {"value": 0.5 + lift, "n": 100, "sd": 0.2} for place in range(4)}
        for system, lift in (("a", 0.0), ("b", 0.001), ("c", 0.2))
    }
    board = rg.leaderboard(cells, target="queries")

    error = 0.2 / math.sqrt(100 * 4)
    assert board.intervals()["a"].high - 0.5 == pytest.approx(1.96 * error, rel=0.1)
    assert board.rank_sets() == {"c": (1, 1), "b": (2, 3), "a": (2, 3)}
    assert board.uncertainty.pairs.error[0, 1] == pytest.approx(math.sqrt(2) * error)
    assert "independent" in board.document().to_text()


@pytest.mark.parametrize(
    ("world", "systems", "data_sets"), [("normal", 10, 10), ("nearly", 10, 10), ("ladder", 12, 15)]
)
def test_rank_sets_hold_in_simulations(world, systems, data_sets):
    count = 200

    assert coverage(world, systems, data_sets, count, seed=3, flips=400) >= 0.94 - 3 * math.sqrt(0.05 * 0.95 / count)


@pytest.mark.parametrize(("lang", "page"), [("en", "leaderboards.md"), ("zh", "leaderboards.zh-CN.md")])
def test_the_documentation_has_the_simulated_rates(lang, page):
    text = (DOCS / page).read_text(encoding="utf-8")

    assert text == documented(text, RATES, lang)
    assert "<!-- simulated rank sets -->" in text
    assert min(rate for row in RATES.values() for rate in row.values()) >= 0.94
