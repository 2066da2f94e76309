"""Tuning: the choice, its cross-validated value, intervals, plateau, costs, bad input and output."""

import json
import os
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
import tuning_simulation as simulation
from command_line import here
from rankgauge.tuning.cross_validation import _folds

QUERIES = [f"q{number:02}" for number in range(30)]


def rankings_of(queries=QUERIES, seed=0):
    chance = np.random.default_rng(seed)
    return {
        name: {
            query: {f"d{item}": float(score) for item, score in enumerate(chance.normal(size=12))} for query in queries
        }
        for name in ("bm25", "dense")
    }


def judgments_of(queries=QUERIES, seed=1):
    chance = np.random.default_rng(seed)
    return {query: {f"d{item}": int(chance.random() < 0.3) for item in range(12)} for query in queries}


JUDGMENTS, RANKINGS = judgments_of(), rankings_of()
GRID = {"k": [1, 10, 60], "weights": [[0.5, 0.5], [0.2, 0.8]]}


def procedure(values, baseline=0, allowed=None, clusters=None, folds=5, repeats=20, resamples=200, seed=0):
    values = np.asarray(values, dtype=float)
    return simulation.run_procedure(
        values,
        baseline,
        np.arange(values.shape[1]) if allowed is None else np.array(allowed),
        clusters=np.arange(len(values)) if clusters is None else np.array(clusters),
        folds=folds,
        repeats=repeats,
        resamples=resamples,
        alpha=0.05,
        seed=seed,
    )


def scores_of(values):
    """Return Scores of settings a, b, c, ... with these values."""
    table = np.asarray(values, dtype=float)
    names = [chr(ord("a") + number) for number in range(table.shape[1])]
    rankings, judgments = {}, {}
    for name, column in zip(names, table.T, strict=True):
        rankings[name] = {f"q{q:03}": ["x"] * int(value) + ["r"] for q, value in enumerate(column)}
    judgments = {f"q{q:03}": {"r": 1} for q in range(len(table))}
    unique = {
        n: {q: [*(f"x{i}" for i in range(len(r) - 1)), "r"] for q, r in run.items()} for n, run in rankings.items()
    }
    return judgments, unique


def test_every_setting_of_a_grid_is_fused_and_evaluated():
    tuned = rg.tune(JUDGMENTS, RANKINGS, "nDCG@5", grid=GRID)

    for setting in tuned.settings:
        fused = rg.fuse(RANKINGS, **setting.parameters)
        assert tuned.means[setting.name] == pytest.approx(
            rg.evaluate(JUDGMENTS, fused, "nDCG@5").mean("nDCG@5"), abs=1e-12
        )
    best = max(tuned.means.values())
    assert tuned.naive == pytest.approx(best)
    (chosen,) = [setting.name for setting in tuned.settings if setting.parameters == tuned.chosen]
    assert tuned.means[chosen] == pytest.approx(best)
    assert tuned.baseline == {"k": 1, "weights": [0.5, 0.5]}


def test_each_ranking_is_a_setting_without_a_grid():
    tuned = rg.tune(JUDGMENTS, RANKINGS, "AP", baseline="dense")
    means = {name: rg.evaluate(JUDGMENTS, ranking, "AP").mean("AP") for name, ranking in RANKINGS.items()}

    assert tuned.means == pytest.approx(means)
    assert tuned.chosen == max(means, key=means.get)
    assert tuned.baseline == "dense"
    assert {*tuned.stability} == {*RANKINGS}
    assert sum(tuned.stability.values()) == pytest.approx(1)
    assert tuned.optimism == pytest.approx(tuned.naive - tuned.honest.value)


def test_scores_can_be_tuned():
    scores = rg.evaluate(JUDGMENTS, RANKINGS, ["AP", "RR"])
    by_scores, by_rankings = rg.tune(scores, metric="AP"), rg.tune(JUDGMENTS, RANKINGS, "AP")

    assert by_scores.to_dict() == by_rankings.to_dict()
    assert rg.tune(scores).metric == rg.AP
    with pytest.raises(rg.ParameterError):
        rg.tune(scores, RANKINGS)


def slow_cross_validation(values, fold, baseline):
    """Choose on the other folds and judge each fold, query by query."""
    total, gain = 0.0, 0.0
    for number in sorted({*fold}):
        train = [row for row, own in zip(values, fold, strict=True) if own != number]
        means = [sum(column) / len(train) for column in zip(*train, strict=True)]
        chosen = next(place for place, mean in enumerate(means) if mean >= max(means) - 1e-9)
        for row, own in zip(values, fold, strict=True):
            if own == number:
                total += row[chosen]
                gain += row[chosen] - row[baseline]
    return total / len(values), gain / len(values)


def partitions(rows, folds):
    """Every way to divide rows into folds of one size, as the fold of each row."""
    size = rows // folds

    def divided(left, number):
        if not left:
            yield {}
        for others in combinations(left[1:], size - 1) if left else ():
            own = {left[0], *others}
            for rest in divided([row for row in left if row not in own], number + 1):
                yield dict.fromkeys(own, number) | rest

    return [[fold[row] for row in range(rows)] for fold in divided([*range(rows)], 0)]


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 6), st.sampled_from([2, 3, 6]))
def test_cross_validation_is_that_of_a_loop_over_some_folds_of_one_size(seed, count, folds):
    values = np.random.default_rng(seed).integers(0, 4, (6, count)) / 4
    result = procedure(values, folds=folds, repeats=1, resamples=2, seed=seed)
    possible = [slow_cross_validation(values.tolist(), fold, 0) for fold in partitions(6, folds)]

    assert any((result.honest.value, result.gain.value) == pytest.approx(loop) for loop in possible)
    means = values.mean(axis=0)
    assert result.chosen == next(place for place in range(count) if means[place] >= means.max() - 1e-9)


def test_copies_of_a_resampled_query_stay_in_one_fold():
    chance = np.random.default_rng(0)
    drawn = chance.multinomial(20, np.full(20, 1 / 20), size=50).astype(float)
    partition = _folds(drawn, 5, chance)

    assert (partition.sum(axis=1) == 1).all()  # each query, with all its copies, in exactly one fold
    different = (drawn > 0).sum(axis=1)
    sizes = (partition * (drawn > 0)[:, None, :]).sum(axis=2)
    assert (sizes.max(axis=1) - sizes.min(axis=1) <= 1).all()
    assert (sizes.sum(axis=1) == different).all()


def test_ties_go_to_the_setting_declared_first():
    chance = np.random.default_rng(0)
    column = chance.random(40)
    values = np.stack([column, column.copy(), column + 1e-13, column[::-1][::-1]], axis=1)

    assert procedure(values).chosen == 0
    assert procedure(values, allowed=[3, 2]).chosen == 3
    assert procedure(values).stability.tolist() == [1, 0, 0, 0]


def test_without_differences_nothing_is_gained_although_it_seems_so():
    chance = np.random.default_rng(3)
    naive, honest = [], []
    for _ in range(60):
        values = chance.normal(0, 0.2, (60, 20))
        result = procedure(values, repeats=5, resamples=2)
        naive.append(values[:, result.chosen].mean() - values[:, 0].mean())
        honest.append(result.gain.value)

    assert min(naive) >= 0
    assert np.mean(naive) > 0.03
    assert abs(np.mean(honest)) < 3 * np.std(honest) / np.sqrt(len(honest))


def test_clear_winners_are_gains():
    chance = np.random.default_rng(0)
    values = chance.normal(0.5, 0.05, (50, 4)) + np.array([0, 0, 0.2, 0])
    result = procedure(values)

    assert result.chosen == 2
    assert result.gain.low > 0.15
    assert result.gain.value == pytest.approx(values[:, 2].mean() - values[:, 0].mean())
    assert result.stability[2] == 1


def test_intervals_of_the_value_and_the_gain_end_at_the_bounds_of_the_metric():
    """Of 6 queries "b" finds 5 and "a" none, so that Student's interval with the bootstrap's error exceeds 1."""
    judgments = {f"q{place}": {"d": 1} for place in range(6)}
    rankings = {"a": {query: ["x"] for query in judgments}, "b": {query: ["d"] for query in judgments}}
    rankings["b"]["q5"] = ["x"]
    result = rg.tune(judgments, rankings, "HR@1", folds=2)

    assert (result.honest.high, result.gain.high) == (1.0, 1.0)
    assert 0 < result.gain.low < result.gain.value < 1


def test_the_gain_does_not_depend_on_units_of_the_metric():
    values = np.random.default_rng(0).random((40, 5))
    first, second = procedure(values), procedure(values * 4 + 100)

    assert [*second.gain] == pytest.approx([4 * end for end in first.gain])
    assert [*second.honest] == pytest.approx([4 * end + 100 for end in first.honest])


def test_queries_of_a_cluster_stay_together():
    chance = np.random.default_rng(0)
    values = np.repeat(chance.normal(0, 1, (12, 6)), 5, axis=0)  # five paraphrases of each query
    clusters = np.repeat(np.arange(12), 5)
    together, apart = procedure(values, clusters=clusters), procedure(values)

    # Paraphrases in other folds give the answer away: the value looks as good as the naive one.
    assert apart.honest.value > together.honest.value + 0.1
    assert together.honest.high - together.honest.low > apart.honest.high - apart.honest.low


@pytest.mark.parametrize(
    "clusters",
    [
        {query: query[:2] for query in QUERIES},
        "before last _",
        pl.DataFrame({"query": QUERIES, "cluster": [q[:2] for q in QUERIES]}),
    ],
)
def test_clusters_are_a_dict_a_rule_or_a_table(clusters):
    queries = {query: query if not isinstance(clusters, str) else f"{query[:2]}_{query}" for query in QUERIES}
    judgments = {queries[query]: judged for query, judged in JUDGMENTS.items()}
    rankings = {name: {queries[query]: items for query, items in run.items()} for name, run in RANKINGS.items()}
    tuned = rg.tune(judgments, rankings, "AP", clusters=clusters, folds=3)

    assert tuned.options.units == 3
    assert "3 clusters of queries" in str(tuned)


def test_metrics_for_which_lower_is_better():
    values = {name: rg.evaluate(JUDGMENTS, run, "Fallout@3").mean("Fallout@3") for name, run in RANKINGS.items()}
    best = min(values, key=values.get)
    tuned = rg.tune(JUDGMENTS, RANKINGS, "Fallout@3", baseline=max(values, key=values.get))

    assert tuned.chosen == best
    assert tuned.naive == pytest.approx(values[best])
    assert tuned.naive_gain == pytest.approx(max(values.values()) - values[best])
    assert tuned.honest.low <= tuned.honest.value <= tuned.honest.high
    assert tuned.optimism == pytest.approx(tuned.honest.value - tuned.naive)


def test_the_same_seed_gives_the_same_result():
    first, second, other = (rg.tune(JUDGMENTS, RANKINGS, "AP", seed=seed).to_dict() for seed in (1, 1, 2))

    assert first == second
    assert first["gain"] != other["gain"]


def test_the_plateau_contains_every_setting_that_could_be_best():
    chance = np.random.default_rng(0)
    values = chance.normal(0.5, 0.1, (60, 6)) + chance.normal(0, 0.3, (60, 1)) - [0, 0, 0, 0.3, 0.3, 0.3]
    result = rg.stats.hsu_best(values)

    assert result.could_be_best.tolist() == [True, True, True, False, False, False]
    assert (result.behind[3:] < 0).all()
    assert (result.p[3:] < 0.05).all()
    assert rg.stats.hsu_best(-values, higher_is_better=False).p.tolist() == result.p.tolist()
    assert rg.stats.hsu_best([[0.5, 0.5], [0.25, 0.25]]).could_be_best.all()
    assert rg.stats.hsu_best([[0.5, 0.4], [0.25, 0.15]]).could_be_best.tolist() == [True, False]


def test_the_interval_of_repeated_folds_is_that_of_nadeau_and_bengio():
    values = np.array([0.1, 0.2, 0.15, 0.25, 0.3])
    low, high = rg.stats.repeated_folds_interval(values, 0.2)
    half = 2.7764451051977987 * np.sqrt(values.var(ddof=1) * (1 / 5 + 0.25))

    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half))


@pytest.mark.parametrize("kind", simulation.KINDS)
def test_intervals_and_the_plateau_contain_the_truth(kind):
    """A short run of the simulation whose full tables are in docs/tune.md."""
    _, _, row = simulation.simulate((kind, 12, 40, 40, 1))
    held, own, _, _, _, naive, _, best, *_ = row

    assert held >= 0.9
    assert own >= 0.9
    assert best >= 0.9
    assert naive > 0


DATA = os.environ.get("RANKGAUGE_DATA")


@pytest.mark.skipif(not DATA or not Path(DATA, "cast21").is_dir(), reason="needs RANKGAUGE_DATA")
def test_tuning_on_cast21_claims_more_than_it_holds():
    tuned = simulation.cast21_values()
    table = simulation.cast21_table(tuned.values, tuned.baseline_place, 500)

    assert len(tuned.settings) == 63
    assert tuned.naive == pytest.approx(0.5242, abs=5e-5)
    for count, (claimed, real, honest) in {
        15: (0.027, 0.003, 0.002),
        26: (0.022, 0.006, 0.005),
        100: (0.015, 0.008, 0.008),
    }.items():
        mean, error = table[count]
        for place, expected in enumerate((claimed, real, honest)):
            assert mean[place] == pytest.approx(expected, abs=0.001 + 3 * error[place]), (count, place)
    assert tuned.verdict().startswith("Keep the default")


def test_verdicts():
    chance = np.random.default_rng(0)
    equal = rg.tune(*scores_of(chance.integers(0, 6, (40, 8))), "RR")
    better = rg.tune(*scores_of(np.stack([chance.integers(2, 6, 40), chance.integers(0, 2, 40)], axis=1)), "RR")
    kept = rg.tune(*scores_of(np.stack([chance.integers(0, 2, 40), chance.integers(2, 6, 40)], axis=1)), "RR")

    assert equal.verdict().startswith("Keep the default (a): ")
    assert "which may be nothing" in equal.verdict()
    assert better.verdict().startswith("Use b: ")
    assert kept.verdict() == "Keep the default (a): no setting is better on these queries."
    for tuned in (equal, better, kept):
        assert tuned.verdict("zh") != tuned.verdict()
        assert tuned.verdict("zh") in tuned.document("zh").to_text(1000)


COSTS = {"a": {"ms": 5, "usd": 1}, "b": {"ms": 10, "usd": 2}, "c": {"ms": 20, "usd": 1}}


def test_costs_limits_and_the_front():
    judgments, runs = scores_of([[3, 1, 0], [3, 1, 1], [2, 0, 0], [3, 2, 0]] * 6)
    tuned = rg.tune(judgments, runs, "RR", costs=COSTS)
    limited = rg.tune(judgments, runs, "RR", costs=COSTS, limits="ms < 20")

    assert tuned.chosen == "c"
    assert {*tuned.front} == {"a", "b", "c"}
    assert all(0 <= share <= 1 for share in tuned.front.values())
    assert limited.chosen == "b"
    assert limited.plateau == ["b"]
    assert "2 of 3 settings are within the limits" in str(limited)
    assert rg.tune(judgments, runs, "RR", costs={"a": 3, "b": 2, "c": 1}).cheapest == "c"
    outside = rg.tune(judgments, runs, "RR", costs=COSTS, limits=["ms > 5", "usd <= 1"])
    assert outside.chosen == "c"
    assert "outside the limits" in outside.verdict()


def slow_front(means, costs):
    def beats(j, i):
        no_worse = means[j] >= means[i] and all(column[j] <= column[i] for column in costs)
        return no_worse and (means[j] > means[i] or any(column[j] < column[i] for column in costs))

    return [not any(beats(j, i) for j in range(len(means)) if j != i) for i in range(len(means))]


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=8))
def test_the_front_agrees_with_its_definition(rows):
    means, *costs = (list(column) for column in zip(*rows, strict=True))
    judgments = {query: {str(grade): grade for grade in range(5)} for query in "pq"}
    rankings = {str(place): {"p": [str(mean)], "q": [str(mean)]} for place, mean in enumerate(means)}
    given = {str(place): {"ms": ms, "usd": usd} for place, (_, ms, usd) in enumerate(rows)}
    tuned = rg.tune(judgments, rankings, "CG", costs=given, folds=2, repeats=1, resamples=2)

    on_front = slow_front(means, costs)
    assert tuned.front == {str(place): 1.0 for place in range(len(rows)) if on_front[place]}
    assert tuned.front_shares == [float(on) for on in on_front]


def test_costs_are_dicts_or_tables(tmp_path):
    rankings = {"e5_10": RANKINGS["bm25"], "e5_100": RANKINGS["dense"]}
    parameters = {"e5_10": {"model": "e5", "k": 10}, "e5_100": {"model": "e5", "k": 100}}
    (tmp_path / "named.csv").write_text("run,ms\ne5_100.run,7\ne5_10.run,3\n")
    (tmp_path / "parameters.csv").write_text("model,k,ms\ne5,100,7\ne5,10,3\n")
    frame = pl.DataFrame({"setting": ["e5_10", "e5_100"], "ms": [3.0, 7.0]})
    for source in (
        {"e5_10": {"ms": 3}, "e5_100": {"ms": 7}},
        tmp_path / "named.csv",
        tmp_path / "parameters.csv",
        frame,
        frame.to_pandas(),
    ):
        tuned = rg.tune(JUDGMENTS, rankings, "AP", settings=parameters, costs=source, repeats=1, resamples=2)
        assert {name: column.tolist() for name, column in tuned.costs.items()} == {"ms": [3.0, 7.0]}
    (tmp_path / "grid.csv").write_text(
        "k,weights,ms\n" + "".join(f"{k},{w},{k}\n" for k in (1, 2) for w in ("0.5:0.5", "1:2"))
    )
    grid = {"k": [1, 2], "weights": [[0.5, 0.5], [1, 2]]}
    tuned = rg.tune(JUDGMENTS, RANKINGS, "AP", grid=grid, costs=tmp_path / "grid.csv", repeats=1, resamples=2)
    assert tuned.costs["ms"].tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: rg.tune(JUDGMENTS, RANKINGS, "AP", grid={"k": [60]}), "RG811"),
        (lambda: rg.tune(JUDGMENTS, {"bm25": RANKINGS["bm25"]}, "AP"), "RG811"),
        (lambda: rg.tune(judgments_of(QUERIES[:4]), rankings_of(QUERIES[:4]), "AP"), "RG812"),
        (lambda: rg.tune(JUDGMENTS, RANKINGS, "AP", clusters={query: query[:2] for query in QUERIES}), "RG812"),
        (lambda: rg.tune(JUDGMENTS, RANKINGS, "AP", clusters={"q00": "a"}), "RG813"),
        (lambda: rg.tune(JUDGMENTS, RANKINGS, "AP", costs={"bm25": 3}), "RG814"),
        (lambda: rg.tune(JUDGMENTS, RANKINGS, "AP", costs={"bm25": 3, "dense": "much"}), "RG814"),
        (lambda: rg.tune(JUDGMENTS, RANKINGS, "AP", costs=pl.DataFrame({"x": [1.0], "y": [2.0]})), "RG814"),
        (lambda: rg.tune(JUDGMENTS, RANKINGS, "AP", costs={"bm25": 3, "dense": 4}, limits="cost < 1"), "RG815"),
        (lambda: rg.tune(JUDGMENTS, {"bm25": RANKINGS["bm25"]}, "AP", grid=GRID), "RG806"),
        (lambda: rg.tune(JUDGMENTS, RANKINGS, "AP", grid={"weights": [[1, 1], [1, -1]]}), "RG805"),
        (
            lambda: rg.tune(JUDGMENTS, {**RANKINGS, "other": {"z": ["a"]}}, "AP", grid=GRID | {"weights": [[1, 1, 1]]}),
            "RG801",
        ),
    ],
)
def test_unusable_input_has_a_code(call, code):
    with pytest.raises(rg.InputError) as error:
        call()

    assert error.value.codes == (code,)
    assert error.value.render("zh") != error.value.render("en")


def test_constant_scores_under_a_norm_are_a_finding():
    flat = {query: dict.fromkeys(items, 1.0) for query, items in RANKINGS["bm25"].items()}
    tuned = rg.tune(
        JUDGMENTS, {"flat": flat, "dense": RANKINGS["dense"]}, "AP", method="sum", grid={"weights": [[1, 1], [1, 2]]}
    )

    assert "RG803" in {finding.code for finding in tuned.findings}


def test_queries_without_a_value_under_every_setting_are_left_out():
    rules = rg.Convention(missing="skip")
    partial = {query: items for query, items in RANKINGS["dense"].items() if query != "q00"}
    tuned = rg.tune(JUDGMENTS, {"bm25": RANKINGS["bm25"], "dense": partial}, "AP", convention=rules)

    assert len(tuned.queries) == 29
    assert "RG817" in {finding.code for finding in tuned.findings}


@pytest.mark.parametrize(
    "arguments",
    [
        {"folds": 1}, {"folds": 2.5}, {"repeats": 0}, {"resamples": 0}, {"seed": -1}, {"alpha": 1}, {"baseline": "other"},
        {"method": "rrf"}, {"grid": {}}, {"grid": {"k": 3}}, {"grid": {"kk": [1, 2]}}, {"grid": GRID, "baseline": "bm25"},
        {"grid": GRID, "baseline": {"kk": 1}}, {"grid": {"k": [1, -2]}}, {"limits": "ms < 2"}, {"limits": "ms"},
        {"costs": {"bm25": 1, "dense": 2}, "limits": "cost is 3"}, {"costs": {"bm25": 1, "dense": 2}, "limits": "ms < 3"},
        {"clusters": 3}, {"clusters": "before _"}, {"metric": "GMAP"}, {"metric": "nDCGG@3"}, {"settings": {"bm25": 3}},
    ],
)  # fmt: skip
def test_arguments_are_checked(arguments):
    with pytest.raises(rg.ParameterError):
        rg.tune(JUDGMENTS, RANKINGS, **{"metric": "AP", **arguments})


def test_grids_are_declared_in_order():
    grid = {"k": [1, 60], "weights": [[1, 1]], "depth": [5, 10]}
    tuned = rg.tune(JUDGMENTS, RANKINGS, "AP", grid=grid, repeats=1, resamples=2)

    assert [*tuned.means] == ["k=1 depth=5", "k=1 depth=10", "k=60 depth=5", "k=60 depth=10"]
    tuned = rg.tune(JUDGMENTS, RANKINGS, "AP", grid={"k": [1, 60]}, baseline={"k": 5}, repeats=1, resamples=2)
    assert (tuned.baseline, [*tuned.means]) == ({"k": 5}, ["k=5", "k=1", "k=60"])


def test_file_names_give_parameters(tmp_path):
    (tmp_path / "j.csv").write_text("query,item,grade\np,a,1\nq,a,1\np,b,0\n")
    for name in ("bge_m3_k100.run", "e5_k10.run"):
        (tmp_path / name).write_text("p Q0 a 1 2.0 t\nq Q0 a 1 2.0 t\n")

    def tune(pattern):
        files = (tmp_path / name for name in ("j.csv", "bge_m3_k100.run", "e5_k10.run"))
        return here("tune", *files, "-m", "RR", "--settings", pattern, "--folds", "2", "-t", "json", "--resamples", "2")

    parameters = [
        {name: row[name] for name in ("model", "k")} for row in json.loads(tune("{model}_k{k}.run").out)["settings"]
    ]
    assert parameters == [{"model": "bge_m3", "k": 100}, {"model": "e5", "k": 10}]
    assert "'bge_m3_k100.run' does not fit other_{k}.run [RG816]" in tune("other_{k}.run").err
    assert "must be a pattern such as" in tune("no placeholder").err


@pytest.mark.parametrize(
    ("limits", "chosen"), [("p95 ms < 200", "a"), (["p95 ms<=200", "p95 ms > 1e2"], "b"), ("p95 ms >= 300", "c")]
)
def test_limits_follow_the_syntax_of_check(limits, chosen):
    judgments, runs = scores_of([[1, 1, 0], [2, 1, 0], [0, 1, 2]] * 4)
    costs = {"a": {"p95 ms": 100}, "b": {"p95 ms": 200}, "c": {"p95 ms": 300}}
    tuned = rg.tune(judgments, runs, "RR", costs=costs, limits=limits, baseline=chosen, repeats=1, resamples=2)

    assert (tuned.chosen, tuned.allowed.tolist()) == (chosen, ["abc".index(chosen)])
    assert "1 of 3 settings" in str(tuned)


def test_results_in_other_forms():
    names = rg.tune(JUDGMENTS, RANKINGS, "nDCG@5", grid=GRID, repeats=1, resamples=2).means
    tuned = rg.tune(JUDGMENTS, RANKINGS, "nDCG@5", grid=GRID, costs={name: n for n, name in enumerate(names)})
    data = json.loads(tuned.to_json())

    assert data["honest"] == {"value": tuned.honest.value, "low": tuned.honest.low, "high": tuned.honest.high}
    assert data["chosen"] == tuned.chosen
    assert len(data["settings"]) == len(tuned.to_pandas()) == len(tuned.to_csv().splitlines()) - 1 == 6
    assert [*tuned.to_pandas().columns][:5] == ["setting", "k", "weights", "mean", "gain"]
    assert "Definition used" in str(tuned)
    assert "所用定义" in tuned.document("zh").to_text()
    assert tuned.to_svg().startswith("<svg")
    assert "个设置的" in tuned.to_svg("k", "zh")
    assert repr(tuned).startswith("<Tuning of 6 settings by nDCG@5: ")
    with pytest.raises(rg.ParameterError):
        tuned.to_svg("other")


def test_names_are_neutral_in_pictures_and_tables():
    runs = {"<b>&": RANKINGS["bm25"], "=1+1": RANKINGS["dense"]}
    tuned = rg.tune(JUDGMENTS, runs, "AP", costs={"<b>&": 1, "=1+1": 2})

    assert "<b>&" not in tuned.to_svg()
    assert "'=1+1" in tuned.to_csv()
    assert "<b>&" not in tuned.document().to_html()


def write_files(folder):
    for name, ranking in RANKINGS.items():
        for depth in (3, 12):
            with (folder / f"{name}_{depth}.run").open("w") as file:
                for query, items in ranking.items():
                    best = sorted(items, key=items.get, reverse=True)[:depth]
                    file.writelines(f"{query} Q0 {item} 0 {items[item]!r} x\n" for item in best)
    with (folder / "qrels.txt").open("w") as file:
        file.writelines(f"{q} 0 {d} {g}\n" for q, judged in JUDGMENTS.items() for d, g in judged.items())
    (folder / "costs.csv").write_text(
        "model,depth,p95_ms\n" + "".join(f"{m},{d},{d}\n" for m in RANKINGS for d in (3, 12))
    )
    return [str(folder / f"{name}_{depth}.run") for name in RANKINGS for depth in (3, 12)]


def test_the_command_takes_grids_and_stored_sweeps(tmp_path):
    files, qrels = write_files(tmp_path), str(tmp_path / "qrels.txt")
    grid = here(
        "tune", qrels, files[1], files[3], "-m", "nDCG@5", "--grid", "k=1,60", "--grid", "weights=1:1,1:2", "-t", "json"
    )
    expected = rg.tune(
        qrels, {"bm25_12": files[1], "dense_12": files[3]}, "nDCG@5", grid={"k": [1, 60], "weights": [[1, 1], [1, 2]]}
    )

    assert grid.code == 0
    assert json.loads(grid.out) == json.loads(expected.to_json())
    sweep = [
        "tune",
        qrels,
        *files,
        "--settings",
        "{model}_{depth}.run",
        "--costs",
        tmp_path / "costs.csv",
        "--limit",
        "p95_ms < 10",
    ]
    stored = here(*sweep, "-t", "json", "--baseline", "bm25_3")
    assert stored.code == 0
    assert {row["depth"] for row in json.loads(stored.out)["settings"]} == {3, 12}
    assert json.loads(stored.out)["chosen"].endswith("_3")
    for form, start in {
        "csv": "setting,model,depth",
        "svg": "<svg",
        "text": "4 settings tuned",
        "md": "# 4 settings",
    }.items():
        result = here(*sweep, "-t", form)
        assert (result.code, result.out.startswith(start)) == (0, True), result
    assert here(*sweep, "-t", "svg", "--over", "depth").code == 0
    assert "在 4 个设置中选择" in here(*sweep, "--lang", "zh").out
    assert here("tune", qrels, *files, "--folds", "31").code == 3
    assert here("tune", qrels, *files, "--grid", "k=x").code == 2
    assert here("tune", qrels, *files, "-m", "AP", "-m", "RR").code == 2


def test_progress_is_reported_for_each_setting():
    steps = []
    rg.tune(JUDGMENTS, RANKINGS, "AP", grid={"k": [1, 2, 3]}, progress=lambda name, count: steps.append((name, count)))

    assert steps == [("tune", 1), ("tune", 2), ("tune", 3)]


def test_a_report_has_a_card_of_the_tuning(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    tuned = rg.tune(JUDGMENTS, RANKINGS, "AP", costs={"bm25": 1, "dense": 2})
    page = rg.report(JUDGMENTS, RANKINGS, "AP", tuning=tuned, date=None)
    own = rg.report(JUDGMENTS, RANKINGS, "AP", tuning={"costs": {"bm25": 1, "dense": 2}}, date=None)

    assert page.to_json() == own.to_json()
    assert json.loads(page.to_json())["tuning"]["verdict"] == tuned.verdict()
    assert "which may be nothing" in page.to_markdown()
    assert 'id="tuning"' in page.to_html()
    assert "可能为零" in page.to_markdown("zh")
    assert 'id="tuning"' not in rg.report(JUDGMENTS, RANKINGS, "AP", date=None).to_html()
    with pytest.raises(rg.ParameterError):
        rg.report(JUDGMENTS, RANKINGS, "AP", tuning=3)
    files = write_files(tmp_path)
    (tmp_path / "ms.csv").write_text("run,ms\n" + "".join(f"{Path(file).name},{n}\n" for n, file in enumerate(files)))
    written = here(
        "report", tmp_path / "qrels.txt", *files, "-m", "AP", "--costs", tmp_path / "ms.csv", "-o", tmp_path / "r.json"
    )
    assert written.code == 0, written.err
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["tuning"]["settings"][1]["ms"] == 1
