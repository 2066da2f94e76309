"""Comparison, its verdicts and its command: every kind of result has a defined outcome and a clear sentence."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

import rankgauge as rg
from command_line import run
from rankgauge.comparison.verdict import verdict
from rankgauge.example import JUDGMENTS, SYSTEMS

BASE = np.random.default_rng(3).uniform(0.2, 0.6, size=50)


def test_no_difference_beyond_the_range_of_the_metric_counts_as_detectable():
    judgments = {"q1": {"a": 1}, "q2": {"a": 1}}
    rankings = {"A": {"q1": ["a"], "q2": ["x", "a"]}, "B": {"q1": ["x", "a"], "q2": ["x", "y", "a"]}}
    comparison = rg.compare(judgments, rankings, "RR")
    text = " ".join([comparison.verdict(), *str(comparison.document()).split()])
    assert "no difference that RR allows is detectable with 80% power" in text
    assert "The smallest difference detectable" not in text


def column(values):
    return {f"q{place}": float(value) for place, value in enumerate(values)}


def three(n=50, baseline=None):
    base, noise = BASE[:n], np.random.default_rng(5).normal(0, 0.05, size=(n, 2))
    systems = {"bm25": base, "dense": base + 0.08 + noise[:, 0], "hybrid": base + 0.085 + noise[:, 1]}
    return rg.Comparison.of({name: column(values) for name, values in systems.items()}, "nDCG@10", baseline=baseline)


# Inputs


def test_judgments_scores_and_values_give_the_same_comparison():
    direct = rg.compare(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP"], baseline="embeddings")
    scores = rg.evaluate(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP"])
    again = rg.compare(scores, baseline="embeddings")
    values = {name: scores.per_query("AP", name) for name in scores.systems}
    external = rg.Comparison.of(values, "AP", baseline="embeddings")

    assert direct.scores is not None
    assert external.scores is None
    assert direct.metrics == again.metrics == ("nDCG@5", "AP")
    assert direct.to_dict()["metrics"] == again.to_dict()["metrics"]
    bounded, unbounded = (compared.to_dict()["metrics"]["AP"] for compared in (direct, external))
    for of_values, of_scores in zip(unbounded["systems"], bounded["systems"], strict=True):
        for end in ("interval_low", "interval_high"):  # values from elsewhere have no bounds
            assert 0 <= of_scores.pop(end) <= 1
            of_values.pop(end)
    for of_values, of_scores in zip(unbounded["pairs"], bounded["pairs"], strict=True):
        assert of_scores.pop("interval_high") == min(of_values.pop("interval_high"), 1)
        assert of_scores.pop("interval_low") == max(of_values.pop("interval_low"), -1)
    assert unbounded == bounded
    assert direct.pair("embeddings", "keywords", rg.AP).difference < 0
    assert direct.pair("embeddings", "keywords", "map").metric == "AP"
    assert [*direct.values("AP").queries] == [*JUDGMENTS]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rg.compare(JUDGMENTS, {"one": SYSTEMS["keywords"]}, "AP"), "needs two systems or more, not 1"),
        (lambda: rg.compare(rg.evaluate(JUDGMENTS, SYSTEMS["keywords"], "AP")), "two systems or more"),
        (lambda: rg.compare(JUDGMENTS, SYSTEMS, []), "metrics must be one metric or more"),
        (lambda: rg.compare(JUDGMENTS, SYSTEMS["keywords"].values, "AP"), "rankings must be"),
        (lambda: rg.compare(rg.evaluate(JUDGMENTS, SYSTEMS, "AP"), SYSTEMS), "takes Scores alone"),
        (lambda: rg.compare(JUDGMENTS, SYSTEMS, "AP", baseline="embedings"), "did you mean 'embeddings'"),
        (lambda: rg.compare(JUDGMENTS, SYSTEMS, "AP", correction="holms"), "did you mean 'holm'"),
        (lambda: rg.compare(JUDGMENTS, SYSTEMS, "AP", alpha=1.5), "alpha must be a number between 0 and 1, not 1.5"),
        (lambda: rg.compare(JUDGMENTS, SYSTEMS, "AP", permutations=0), "permutations must be a whole number from 1"),
        (lambda: rg.compare(JUDGMENTS, SYSTEMS, "AP", tie=-1), "tie must be a number from 0"),
        (lambda: rg.compare(JUDGMENTS, SYSTEMS, "AP", alpha=0.9), "power must be more than alpha"),
        (lambda: three().pair("bm25", "bm25"), "cannot be compared with itself"),
        (lambda: three().pair("bm25", "dens"), "did you mean 'dense'"),
        (lambda: three().values("AP"), "unknown metric of this comparison 'AP'"),
        (lambda: rg.Comparison.of({"A": {1: "x"}, "B": {1: 0.5}}), "'x' is not a number"),
        (lambda: rg.Comparison.of({"A": {1: float("inf")}, "B": {1: 0.5}}), "infinite"),
        (lambda: rg.Comparison.of({"A": {1: 0.5}, "B": {2: 0.5}}).values(), "no query has a value of value for all 2"),
    ],
)
def test_invalid_comparisons_are_refused_with_the_reason(call, words):
    with pytest.raises(rg.RankgaugeError, match=words.replace("(", r"\(")):
        call()


# Queries without a value for every system


def test_queries_without_a_value_for_a_system_are_left_out_for_all():
    judged = {f"q{n}": {"a": 1} for n in range(8)}
    full = {query: ["a"] for query in judged}
    part = {query: ["b", "a"] for query in [*judged][:6]}
    skipping = rg.compare(judged, {"full": full, "part": part}, "RR", convention=rg.Convention(missing="skip"))

    assert skipping.values("RR").matrix.shape == (6, 2)
    assert skipping.left_out("RR") == {"part": 2}
    assert "2 queries do not have a value for every system (part lacks 2) and are left out for all." in skipping.table()
    counted = rg.compare(judged, {"full": full, "part": part}, "RR", convention=rg.Convention(missing="zero"))
    assert counted.values("RR").matrix.shape == (8, 2)
    assert counted.left_out("RR") == {}


def test_queries_for_which_a_metric_is_undefined_are_left_out():
    judged = {"q1": {"a": 1}, "q2": {"a": 0}, "q3": {"a": 1}}
    ranking = {query: ["b", "a"] for query in judged}
    better = {query: ["a"] for query in judged}
    both = rg.compare(judged, {"A": ranking, "B": better}, "AP", convention=rg.Convention(undefined="skip"))

    assert both.values("AP").queries == ("q1", "q3")


def test_a_note_says_that_the_mean_is_compared():
    geometric = rg.compare(JUDGMENTS, SYSTEMS, ["AP", "GMAP"], convention=rg.Convention(averaging="geometric"))
    plain = rg.compare(JUDGMENTS, SYSTEMS, "AP")

    assert geometric.table().count("is aggregated differently") == 2
    assert "is aggregated differently" not in plain.table()


# Verdicts


def pair(differences, *, base=None, corrected=float("nan"), family=1, **options):
    differences = np.asarray(differences, dtype=float)
    first = np.full(len(differences), 0.25) if base is None else base
    values = {"A": dict(enumerate(first)), "B": dict(enumerate(first + differences))}
    return replace(rg.Comparison.of(values, "AP", **options).pair("A", "B"), corrected=corrected, family=family)


SPREAD = np.sin(np.arange(50.0))
SETTINGS = pair([0.25]).settings
CASES = {
    "identical": pair(np.zeros(50)),
    "one query": pair([0.25]),
    "too few": pair([0.1, 0.2, 0.15, 0.1, 0.3]),
    "constant": pair(np.full(20, 0.25)),
    "only t": pair([0.5] * 5 + [0.0] * 95),
    "only randomisation": pair([0.0] * 20 + [0.1] * 5 + [0.9]),
    "only uncorrected": pair(SPREAD * 0.1 + 0.03, corrected=0.2, family=10),
    "tiny": pair(np.tile(SPREAD, 400) + 0.02),
    "clear": pair(SPREAD * 0.1 + 0.06),
    "none": pair(SPREAD * 0.1 + 0.005),
}


WORDS = {
    "identical": ("have the same AP on all 50 queries", "完全相同"),
    "one query": ("One query says nothing", "只有一个查询"),
    "too few": ("5 queries are too few", "5 个查询太少"),
    "constant": ("by exactly 0.2500 on every one of 20 queries", "都恰好比"),
    "only t": ("significant by the t test, but not by randomisation", "t 检验显著，但随机化检验不显著"),
    "only randomisation": ("by the t test, which decides, but", "以 t 检验为准"),
    "only uncorrected": ("on its own, but 0.2 among 10 comparisons", "在 10 次比较中校正后"),
    "tiny": ("significant, but a tiny effect", "但效应非常小"),
    "clear": ("a large effect", "大效应"),
    "none": ("There is no evidence that B and A differ", "没有证据表明"),
}


@pytest.mark.parametrize("kind", CASES)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_kind_of_result_has_a_sentence(kind, lang):
    text = verdict(CASES[kind], lang)

    assert [name for name, words in WORDS.items() if words[lang == "zh"] in text] == [kind]
    assert "nan" not in text
    assert "{" not in text
    assert [name for name in ("A", "B", "AP") if name not in text] == []
    assert text.isascii() == (lang == "en")


def test_sentences_are_true_to_the_numbers():
    clear = CASES["clear"]
    low, high = clear.interval
    assert str(clear) == (
        f"B is better than A on AP by {clear.difference:.4f} (95% interval {low:.4f} to {high:.4f}; 50 queries, "
        f"p = {clear.t.p:.2g}): a large effect (d_z = {clear.d_z:.2f})."
    )
    worse = pair(-SPREAD * 0.1 - 0.06)
    assert "B is worse than A on AP by 0.0" in str(worse)
    assert "B is better than A" in str(pair(-SPREAD * 0.1 - 0.06, higher_is_better=False))
    none = CASES["none"]
    assert f"the smallest difference detectable with 80% power is {none.detectable:.4f}" in str(none)
    assert "at least 6 are needed" in str(CASES["too few"])
    assert "judge it by its size" in str(CASES["tiny"])


def test_degenerate_results_have_defined_numbers():
    identical, single, constant = CASES["identical"], CASES["one query"], CASES["constant"]

    assert (identical.t.p, identical.randomisation, identical.wilcoxon.p, identical.sign.p) == (1, 1, 1, 1)
    assert identical.bootstrap == 1
    assert tuple(identical.interval) == tuple(identical.bootstrap_interval) == (0, 0)
    assert np.isnan(single.t.p)
    assert single.p == single.randomisation == 1
    assert np.isnan(single.interval.low)
    assert constant.randomisation == 2 / 2**20
    assert np.isnan([constant.t.p, constant.d_z, constant.detectable]).all()
    assert json.loads(json.dumps([case.to_dict() for case in CASES.values()]))
    assert not CASES["too few"].significant


def test_rounding_errors_do_not_count_as_variance():
    first = np.array([0.1, 0.2, 0.3, 0.7, 0.6, 0.5, 0.4])
    shifted = pair(np.full(7, 0.1), base=first)

    assert shifted.deviation == 0
    assert "by exactly 0.1000 on every one of 7 queries" in str(shifted)


def test_wins_ties_and_losses_by_threshold_and_direction():
    values = [0.1, 0.005, 0.0, -0.2, -0.3]

    assert (pair(values).wins, pair(values).ties, pair(values).losses) == (2, 1, 2)
    down = pair(values, higher_is_better=False)
    assert (down.wins, down.losses) == (2, 2)
    coarse = replace(pair(values, base=np.zeros(5)), settings=replace(SETTINGS, tie=0.01))
    assert (coarse.wins, coarse.ties, coarse.losses) == (1, 2, 2)


def test_exchanged_systems_have_mirrored_numbers():
    both = rg.Comparison.of({"A": column(BASE), "B": column(BASE[::-1])})
    there, back = both.pair("A", "B"), both.pair("B", "A")

    assert there.difference == -back.difference
    assert (there.wins, there.losses) == (back.losses, back.wins)
    assert there.t.p == pytest.approx(back.t.p)
    assert (there.randomisation, there.sign.p) == (back.randomisation, back.sign.p)
    assert there.wilcoxon.p == pytest.approx(back.wilcoxon.p)


# Several systems


def test_the_leaderboard_shows_groups_and_rank_intervals():
    board = three().leaderboard()
    by_name = {row.system: row for row in board}

    assert board[-1].system == "bm25"
    assert by_name["dense"].group == by_name["hybrid"].group == "a"
    assert by_name["bm25"].group == "b"
    assert by_name["bm25"].ranks == (3, 3)
    assert by_name["dense"].ranks == by_name["hybrid"].ranks == (1, 2)
    text = three().verdict()
    assert "has the best mean" in text
    assert "does not differ significantly from" in text


def test_pairs_with_the_baseline_and_all_pairs():
    compared = three()

    assert [(pair.first, pair.second, pair.family) for pair in compared.pairs()] == [
        ("bm25", "dense", 3),
        ("bm25", "hybrid", 3),
    ]
    named = three(baseline="bm25")
    assert [pair.family for pair in named.pairs()] == [2, 2]
    assert [pair.family for pair in named.pairs(all_pairs=True)] == [3, 3, 3]
    assert named.pair("dense", "hybrid").family == 3
    assert [pair.family for pair in compared.pairs(all_pairs=True)] == [3, 3, 3]
    assert compared.pair("dense", "hybrid").family == 3
    single = compared.pair("bm25", "dense")
    assert single.corrected == compared.pairs()[0].corrected >= single.t.p
    assert single.randomisation == compared.pairs()[0].randomisation
    alone = pair(single.differences, base=single.values_first)
    assert alone.randomisation == single.randomisation
    assert alone.bootstrap == pytest.approx(single.bootstrap)
    assert [*alone.bootstrap_interval] == pytest.approx([*single.bootstrap_interval])


@pytest.mark.parametrize("correction", ["holm", "bh", "bonferroni", "tukey", "randomised_tukey", "none"])
def test_every_correction_gives_a_page(correction):
    values = {name: dict(zip(range(10), np.random.default_rng(ord(name)).random(10), strict=True)) for name in "ABC"}
    compared = rg.Comparison.of(values, correction=correction, permutations=500, resamples=200)

    assert all(0 < pair.corrected <= 1 for pair in compared.pairs(all_pairs=True))
    assert "W/T/L" in compared.table()
    assert "胜/平/负" in compared.table("zh", all_pairs=True)


def test_systems_that_are_all_the_same():
    compared = rg.Comparison.of(dict.fromkeys("ABC", column(BASE)), **vars(replace(SETTINGS, correction="tukey")))

    assert {row.group for row in compared.leaderboard()} == {"a"}
    assert {row.rank for row in compared.leaderboard()} == {1}
    assert [pair.corrected for pair in compared.pairs()] == [1, 1]


def test_a_single_query_can_be_compared():
    compared = rg.Comparison.of({"A": {"q": 0.5}, "B": {"q": 0.75}})

    assert "One query says nothing" in compared.table()
    assert compared.leaderboard()[0].to_dict()["deviation"] is None
    assert compared.leaderboard()[0].group == compared.leaderboard()[1].group


def test_a_metric_whose_lower_values_are_better():
    compared = rg.Comparison.of(
        {"A": column(BASE), "B": column(BASE - 0.1 * SPREAD - 0.2)}, "rank", higher_is_better=False
    )

    assert compared.leaderboard()[0].system == "B"
    assert "B is better than A" in compared.verdict()
    assert "Lower is better." in compared.table()


def test_discriminative_power_and_agreement_of_metrics():
    compared = three()
    power = compared.discriminative_power()
    assert power.share == 2 / 3
    assert [*power.levels] == sorted(power.levels)
    both = rg.compare(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP"])
    assert both.agreement("nDCG@5", "AP") == (1, 1, pytest.approx(1))


def test_a_note_says_that_many_queries_make_everything_significant():
    n = 12_000
    base = np.random.default_rng(1).random(n)
    compared = rg.Comparison.of(
        {"A": dict(enumerate(base)), "B": dict(enumerate(base + 0.1 * np.sin(np.arange(n)) + 0.005))}
    )

    assert WORDS["tiny"][0] in str(compared.pairs()[0])
    assert compared.verdict().endswith(
        "With 12,000 queries almost any difference is significant; judge it by its size."
    )


def test_the_same_seed_gives_the_same_page_and_hostile_names_are_neutralised():
    values = {"A\x1b[31m|<b>": column(BASE), "B&_%": column(BASE + SPREAD * 0.05)}

    assert rg.Comparison.of(values).to_json() == rg.Comparison.of(values).to_json()
    assert "\x1b" not in str(rg.Comparison.of(values))
    assert "<b>" not in rg.Comparison.of(values)._repr_html_()
    assert r"B\&\_\%" in rg.Comparison.of(values).to_latex()
    assert repr(three()) == "<Comparison of bm25, dense, hybrid: nDCG@10>"


# The command line


@pytest.fixture
def folder(tmp_path, monkeypatch):
    assert run(["demo", "--write", str(tmp_path)]) == 0
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return tmp_path


def test_compare_on_the_command_line(folder, capsys):
    capsys.readouterr()
    assert folder.is_dir()
    assert run(["compare", "judgments.csv", "keywords.csv", "embeddings.csv", "-m", "nDCG@5"]) == 0
    page = capsys.readouterr().out

    lines = page.splitlines()
    assert lines[0] == "nDCG@5"
    assert lines[2].startswith("3 queries are too few to distinguish embeddings from keywords")
    assert [
        word
        for word in ("rank interval", "group", "d_z", "p (t)", "p (rand.)", "p corrected", "gain=linear")
        if word not in page
    ] == []


@pytest.mark.parametrize("to", ["json", "csv", "md", "latex"])
def test_compare_writes_every_format(folder, capsys, to):
    arguments = [
        "compare",
        "judgments.csv",
        "old=keywords.csv",
        "new=embeddings.csv",
        "-m",
        "AP",
        "-t",
        to,
        "--all-pairs",
    ]
    assert folder.is_dir()
    assert run([*arguments, "--output", f"out.{to}"]) == 0
    text = (folder / f"out.{to}").read_text(encoding="utf-8")
    if to == "json":
        assert json.loads(text)["metrics"]["AP"]["pairs"][0]["second"] == "new"
    elif to == "csv":
        assert next(csv.DictReader(io.StringIO(text)))["first"] == "old"
    else:
        assert ("| rank |" if to == "md" else r"\toprule") in text
    capsys.readouterr()


def test_chinese_on_the_command_line_and_a_single_ranking(folder, capsys):
    assert folder.is_dir()
    assert run(["--lang", "zh", "compare", "judgments.csv", "keywords.csv", "embeddings.csv", "-m", "AP"]) == 0
    assert "个查询太少" in capsys.readouterr().out
    assert run(["compare", "judgments.csv", "keywords.csv", "-m", "AP"]) != 0
    assert "two systems or more" in capsys.readouterr().err


def test_diff_on_the_command_line(folder, capsys):
    assert folder.is_dir()
    capsys.readouterr()
    assert run(["diff", "keywords.csv", "embeddings.csv", "-k", "3"]) == 0
    assert "On average 33.3% of the top 3 is the same; it changed for 3 of 3 queries." in capsys.readouterr().out
    assert run(["diff", "keywords.csv", "embeddings.csv", "-t", "csv"]) == 0
    assert capsys.readouterr().out.startswith("query,overlap,rbo,tau_b,entering,leaving\n")
    assert run(["diff", "keywords.csv", "embeddings.csv", "-t", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["changed"] == 3


def test_a_p_value_that_rounds_to_0_is_below_a_bound():
    values = {"old": {str(n): 0.1 for n in range(600)}, "new": {str(n): 0.5 + n % 7 / 100 for n in range(600)}}
    both = rg.Comparison.of(values, "AP")
    assert both.pair("old", "new").p == 0
    assert "600 queries, p < 1e-300): a large effect" in both.verdict()
    assert "p < 1e-300）：大效应" in both.verdict(lang="zh")
    assert " <1e-300 " in both.document().to_text()
