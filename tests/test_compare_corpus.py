"""Comparing systems by corpus-level metrics."""

import json

import numpy as np
import pytest

import rankgauge as rg

RANDOM = np.random.default_rng(3)
ITEMS = [f"i{n}" for n in range(25)]
USERS = [f"u{n}" for n in range(30)]
JUDGMENTS = {
    user: {item: int(RANDOM.integers(0, 3)) for item in RANDOM.choice(ITEMS, 6, replace=False)} for user in USERS
}
SPREAD = {user: RANDOM.choice(ITEMS, 8, replace=False).tolist() for user in USERS}
NARROW = {user: ITEMS[n % 2 : n % 2 + 8] for n, user in enumerate(USERS)}
ALIKE = {user: [*reversed(SPREAD[user][:3]), *SPREAD[user][3:]] for user in USERS}
KNOWN = rg.SideInformation(items=ITEMS, training={user: ITEMS[n : n + 3] for n, user in enumerate(USERS[:20])})
SYSTEMS = {"spread": SPREAD, "narrow": NARROW, "alike": ALIKE}


def compared(systems=SYSTEMS, metrics=("Entropy@3", "Gini@3", "P@3"), **options):
    return rg.compare(JUDGMENTS, systems, metrics, side_information=KNOWN, **options)


def entropy(lists):
    counts = np.unique([item for items in lists for item in items[:3]], return_counts=True)[1]
    return float(-(counts / counts.sum() * np.log2(counts / counts.sum())).sum())


def test_resamples_have_the_same_users_for_all_systems():
    """Against a slow loop that samples users and evaluates their lists."""
    both = compared(metrics="Entropy@3")
    samples = both.statistics("Entropy@3").samples
    random = np.random.Generator(np.random.Philox(key=0))
    for sample in samples[:20]:
        sampled = random.integers(0, len(USERS), len(USERS))
        expected = [entropy([lists[USERS[user]] for user in sampled]) for lists in SYSTEMS.values()]
        assert sample == pytest.approx(expected)


def test_a_pair_of_systems():
    pair = compared().pair("spread", "narrow", "Entropy@3")

    assert (pair.mean_first, pair.mean_second) == pytest.approx((entropy(SPREAD.values()), entropy(NARROW.values())))
    assert pair.difference == pair.mean_second - pair.mean_first
    assert pair.interval.low < pair.difference < pair.interval.high < 0
    assert pair.bootstrap_interval == pair.interval
    assert pair.p == pair.bootstrap == 1 / 1001
    assert pair.significant
    assert not any(hasattr(pair, name) for name in ("t", "randomisation", "wilcoxon", "sign", "d_z", "detectable"))
    assert [pair.to_dict()[name] for name in ("wins", "p_t", "p_wilcoxon", "p_sign", "d_z", "detectable")] == [None] * 6
    back = compared().pair("narrow", "spread", "Entropy@3")
    assert (back.difference, back.p, back.corrected) == (-pair.difference, pair.p, pair.corrected)
    with pytest.raises(rg.ParameterError, match="corpus-level"):
        pair.queries_for(0.1)


def test_a_leaderboard_and_its_groups():
    board = compared().leaderboard("Gini@3")

    assert [(row.system, row.rank, row.group) for row in board] == [
        ("spread", 1, "a"),
        ("alike", 1, "a"),
        ("narrow", 3, "b"),
    ]
    assert all(row.interval.low <= row.mean <= row.interval.high for row in board)
    scores = rg.evaluate(JUDGMENTS, SYSTEMS, "Gini@3", side_information=KNOWN)
    assert {row.system: row.interval for row in board} == {
        name: pytest.approx(scores.interval("Gini@3", name)) for name in SYSTEMS
    }


def test_equal_lists_do_not_differ():
    both = compared({"spread": SPREAD, "alike": ALIKE})

    assert "the same Entropy@3" in both.verdict("Entropy@3")
    assert both.pairs("Entropy@3")[0].identical


def test_correction_of_several_pairs():
    pairs = compared(baseline="spread").pairs("Entropy@3")
    assert [(pair.second, pair.family) for pair in pairs] == [("narrow", 2), ("alike", 2)]
    assert pairs[0].corrected == pytest.approx(2 * pairs[0].p)
    assert len(compared().pairs("Entropy@3", all_pairs=True)) == 3
    for correction in ("tukey", "randomised_tukey"):
        with pytest.raises(
            rg.ParameterError, match="needs a value for each query, and Entropy@3 is a corpus-level metric"
        ):
            compared(metrics="Entropy@3", correction=correction).leaderboard()


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["queries resampled", "p (bootstrap)", "corpus-level value", "1,000 bootstrap samples"]),
        ("zh", ["自助抽样", "p（自助法）", "全部查询的总体值"]),
    ],
)
def test_the_page_shows_corpus_level_comparisons(lang, words):
    text = compared().table(lang)

    assert [word for word in words if word not in text] == []
    assert "nan" not in text
    assert "W/T/L" in text or "胜/平/负" in text  # of P@3
    data = json.loads(compared().to_json())["metrics"]["Entropy@3"]
    assert (data["queries"], data["pairs"][0]["p_t"], data["systems"][0]["median"]) == (30, None, None)


def test_options_that_need_values_per_query_are_refused():
    both = compared(metrics=["Entropy@3", "Unseen@3", "P@3"])
    for call in (both.values, lambda metric: both.slices("difficulty", metric)):
        with pytest.raises(rg.ParameterError, match=r"corpus-level|arithmetic mean over queries"):
            call("Entropy@3")
    with pytest.raises(rg.ParameterError, match="not a sum over queries"):
        both.attribution("spread", "narrow", "Entropy@3")
    with pytest.raises(rg.ParameterError, match="Unseen@3 depends on the items themselves, judged or not"):
        both.attribution("spread", "narrow", "Unseen@3")
    with pytest.raises(rg.ParameterError, match="so its bounds are not known"):
        both.unjudged("Unseen@3")
    assert both.attribution("spread", "narrow", "P@3").queries  # side information does no harm
    assert both.unjudged("P@3").systems
    assert both.slices("difficulty", "Unseen@3")
    assert both.agreement("P@3", "Entropy@3").tau_b <= 1
    assert both.discriminative_power("Entropy@3").levels[0] == 1 / 1001
    with pytest.raises(rg.ParameterError, match="reconcile supports metrics of grades"):
        rg.reconcile(JUDGMENTS, SPREAD, "Entropy@3")


def test_users_without_results_of_a_system():
    some = {user: NARROW[user] for user in USERS[3:]}
    both = compared({"spread": SPREAD, "some": some}, "Entropy@3", convention=rg.Convention(missing="skip"))
    pair = both.pairs()[0]

    assert pair.mean_second == pytest.approx(entropy(some.values()))
    assert pair.queries == 30
    assert pair.interval.low < pair.difference < pair.interval.high


def test_one_user_and_no_value():
    one = rg.compare({"u": {"a": 1}}, {"x": {"u": ["a"]}, "y": {"u": ["b"]}}, ["Entropy@1", "Personalisation@1"])

    assert "one of them has no value" in one.verdict("Personalisation@1")
    assert "nan" not in one.table()
    assert one.leaderboard("Personalisation@1")[0].to_dict()["mean"] is None
    empty = rg.compare(JUDGMENTS, {"spread": SPREAD, "empty": {user: [] for user in USERS}}, "Entropy@3")
    assert "cannot be compared on Entropy@3" in empty.verdict()
    assert [row.system for row in empty.leaderboard()] == ["spread", "empty"]


def test_a_gate_with_a_saved_baseline():
    saved = rg.evaluate(JUDGMENTS, SPREAD, ["Entropy@3", "P@3"]).to_json()
    result = rg.check(JUDGMENTS, NARROW, ["Entropy@3 drops 0.5", "Entropy@3 < 1"], baseline=json.loads(saved))

    assert [check.failed for check in result.checks] == [True, False]
    assert result.checks[0].baseline == pytest.approx(entropy(SPREAD.values()))
    with pytest.raises(rg.ParameterError, match="not a mean over queries"):
        rg.check(JUDGMENTS, NARROW, "Entropy@3 drops significantly", baseline=SPREAD)


def test_p_values_and_intervals_of_a_bootstrap_are_those_of_its_samples():
    """The spread of the samples is centred on the difference itself."""
    both = compared(metrics="Entropy@3")
    first, second, _ = both.statistics().samples.T
    pair, samples = both.pair("spread", "narrow"), second - first
    far = np.abs(samples - samples.mean()) >= abs(pair.difference)
    assert pair.bootstrap == (1 + far.sum()) / 1001
    quantiles = np.quantile(samples, [0.025, 0.975]) - samples.mean() + pair.difference
    assert [*pair.interval] == pytest.approx([*quantiles])

    same = compared({"spread": SPREAD, "alike": ALIKE}, "Entropy@3").pairs()[0]
    assert (same.p, *same.interval) == pytest.approx((1, 0, 0), abs=1e-12)
    one = rg.compare({"u": {"a": 1}}, {"x": {"u": ["a"]}, "y": {"u": ["b"]}}, "Personalisation@1").pairs()[0]
    assert np.isnan([one.p, *one.interval]).all()


def test_an_unknown_metric_of_scores_is_refused():
    scores = rg.evaluate(JUDGMENTS, SPREAD, "Entropy@3")
    with pytest.raises(rg.UnknownNameError, match="Entropy@3"):
        scores.mean("Entropy@4")


def test_attribution_and_report_use_the_same_grades():
    """The items of a query, and the lists of a report, are made of the same grades as the scores."""
    stars = {user: {item: grade + 3 for item, grade in some.items()} for user, some in JUDGMENTS.items()}
    given = {"grades": rg.grades.stars, "side_information": KNOWN}
    both = rg.compare(stars, {"spread": SPREAD, "narrow": NARROW}, ["nDCG@3", "Entropy@3"], **given)
    query = both.attribution("spread", "narrow", "nDCG@3").queries[0].query
    found = both.attribution("spread", "narrow", "nDCG@3").query(query)
    values = [both.scores.per_query("nDCG@3", name)[query] for name in ("spread", "narrow")]
    assert sum(one.change for one in found.items) == pytest.approx(values[1] - values[0])

    report = rg.report(stars, {"spread": SPREAD}, "nDCG@3", **given)
    first = next(iter(report.chunks()))[0]
    assert first["sums"][0][0]["value"] == pytest.approx(both.scores.per_query("nDCG@3", "spread")[USERS[0]])


@pytest.mark.parametrize("metric", ["Gini@3", "P@3", "FirstRank"])
def test_a_verdict_gives_a_size_and_its_interval_the_same_direction(metric):
    """It was better by 0.0382 (-0.0455 to -0.0323) where lower is better, and so was what is worse."""
    judgments = {user: {f"g{n}": 1} for n, user in enumerate(USERS)}
    near = {user: [f"g{n}", f"i{n % 25}", f"g{n - 1}"] for n, user in enumerate(USERS)}
    far = {user: ["i0", "i1", *["i2", "i3"][: n % 3], f"g{n}"] for n, user in enumerate(USERS)}
    side = rg.SideInformation(items=[*ITEMS, *(f"g{n}" for n in range(30))])
    systems = {"near": near, "far": far}
    for order, direction in ((("near", "far"), "worse"), (("far", "near"), "better")):
        both = rg.compare(judgments, {name: systems[name] for name in order}, metric, side_information=side)
        pair, text = both.pair(*order), both.verdict()
        low, high = sorted(map(abs, pair.interval))
        assert pair.significant
        assert f"is {direction} than" in text
        assert f"by {abs(pair.difference):.4f} (95% interval {low:.4f} to {high:.4f}; " in text
        assert "d_z = -" not in text
        assert f"{abs(pair.difference):.4f}（95% 区间 {low:.4f} 至 {high:.4f}；" in both.verdict(lang="zh")
