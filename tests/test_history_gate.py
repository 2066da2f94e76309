"""Runs of the history in checks and comparisons, and checks without a conclusive answer."""

import json

import pytest

import rankgauge as rg
from command_line import here

JUDGED = {f"q{n}": {"a": 1} for n in range(12)}
GOOD = {query: ["a"] for query in JUDGED}
BAD = {query: ["b", "a"] if n % 3 else ["a"] for n, query in enumerate(JUDGED)}


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return rg.history.open()


def test_a_check_by_a_metric_that_no_run_has_names_those_it_has(tmp_path):
    store = rg.history.open(tmp_path / "runs.history.jsonl")
    judgments, ranking = {"q": {"a": 1}}, {"q": ["a"]}
    run = store.log(judgments, ranking, "nDCG@10", name="nightly")
    with pytest.raises(rg.ParameterError, match=rf"run {run.id} has only nDCG@10, not AP"):
        rg.check(judgments, ranking, "AP drops 0.01", baseline="history:nightly", store=store.path)


def test_a_check_takes_the_latest_comparable_run_of_a_name(store):
    run = store.log(JUDGED, GOOD, "RR", name="main")
    store.log({"q0": {"a": 1}}, {"q0": ["b", "a"]}, "RR", name="main")

    result = rg.check(JUDGED, BAD, "RR drops 0.1", baseline="history:main")

    assert [(check.failed, check.baseline) for check in result.checks] == [(True, 1.0)]
    assert f"The baseline is run {run.id} of" in str(result)
    assert json.loads(result.to_json())["baseline_provenance"]["run"]["id"] == run.id


def test_a_check_with_weights_takes_a_run_of_the_same_weights(store):
    weights = {query: number + 1 for number, query in enumerate(JUDGED)}
    rules = rg.Convention(averaging="weighted")
    run = store.log(JUDGED, GOOD, "RR", name="main", convention=rules, weights=weights)

    result = rg.check(JUDGED, BAD, "RR drops 0.1", baseline="history:main", convention=rules, weights=weights)

    assert result.baseline.provenance["run"]["id"] == run.id
    assert [check.baseline for check in result.checks] == [1.0]
    other = dict.fromkeys(JUDGED, 1)
    with pytest.raises(rg.InputError, match="weights of queries: "):
        rg.check(JUDGED, BAD, "RR drops 0.1", baseline="history:main", convention=rules, weights=other)


def test_a_name_comes_before_an_id_and_stored_scores_can_be_logged_again(store):
    first = store.log(JUDGED, GOOD, "RR", name="main")
    second = store.log(store.scores(first.id), name=first.id[:6])

    assert [store.run(first.id[:6]).id, store.run(first.id[:7]).id] == [second.id, first.id]
    assert [second.judgments, second.queries, second.ranking] == [first.judgments, first.queries, first.ranking]
    assert second.values == first.values


def test_ids_that_no_encoding_holds_are_found_again(store):
    judged = {"q\ud800": {"a": 1}, **JUDGED}
    store.log(judged, GOOD, "RR", name="main")

    assert rg.check(judged, GOOD, "RR drops 0.1", baseline="history:main").passed


def test_a_history_without_a_comparable_run_is_refused_with_what_differs(store):
    store.log(JUDGED, GOOD, "RR", name="main", convention=rg.Convention(rel=2))

    with pytest.raises(rg.InputError, match="rule rel"):
        rg.check(JUDGED, BAD, "RR drops 0.1", baseline="history:main")


def test_commands_compare_runs_of_the_history(store):
    here("demo", "--write", ".")
    for name in ("keywords", "embeddings"):
        here("history", "log", "judgments.csv", f"{name}.csv", "-m", "nDCG@5", "--name", name)
    first, second = (run.id for run in store.runs())

    compared = json.loads(here("compare", f"history:{first}", f"history:{second}", "-m", "nDCG@5", "-t", "json").out)
    failed = here(
        "check", "judgments.csv", "keywords.csv", "--against", "history:embeddings", "--fail-if", "nDCG@5 drops 0.1"
    )

    assert compared["baseline"] == "keywords"
    assert failed.code == 1
    assert here("compare", f"history:{first}", "keywords.csv").code == 2
    store.path.rename("other.jsonl")
    (store.path.parent / "rankgauge.history").rename("other")
    words = (
        "check",
        "judgments.csv",
        "keywords.csv",
        "--against",
        "history:embeddings",
        "--fail-if",
        "nDCG@5 drops 0.1",
    )
    assert [here(*words, *more).code for more in ((), ("--store", "other.jsonl"))] == [4, 1]
    assert here("compare", f"history:{first}", f"history:{second}", "--store", "other.jsonl").code == 0


def test_a_check_whose_interval_spans_the_threshold_is_inconclusive_and_fails_only_on_request():
    plain = rg.check(JUDGED, BAD, "RR drops 0.4", baseline=GOOD)
    asked = rg.check(JUDGED, BAD, "RR drops 0.4", baseline=GOOD, conclusive=True)
    certain = rg.check(JUDGED, BAD, "RR drops 0.9", baseline=GOOD, conclusive=True)

    assert [result.checks[0].outcome for result in (plain, asked, certain)] == [
        "inconclusive",
        "inconclusive",
        "passed",
    ]
    assert [bool(result) for result in (plain, asked, certain)] == [True, False, True]
    assert [result.passed and result.inconclusive for result in (plain, asked, certain)] == [True, True, False]
    assert [result.to_text().splitlines()[0] for result in (plain, asked, certain)] == [
        "Passed: none of 1 check failed, 1 inconclusive",
        "Inconclusive: 1 of 1 check",
        "Passed: 1 of 1 check",
    ]
    assert "<skipped" in plain.to_junit()
    assert "<failure" in asked.to_junit()
    assert plain.to_dict()["checks"][0]["interval"] == [*plain.checks[0].interval]


@pytest.mark.parametrize(
    "condition", ["RR < 0.3", "RR > 0.9", "RR drops 0.4", "RR drops 40%", "RR drops significantly", "RR rises 0.05"]
)
def test_no_check_of_one_query_or_of_equal_values_claims_more_than_it_knows(condition):
    one, same = {"q": {"a": 1}}, {"q": ["b", "a"]}
    several = {f"q{n}": {"a": 1} for n in range(9)}
    alike = {query: ["b", "a"] for query in several}

    assert rg.check(one, same, condition, baseline=same).checks[0].outcome == "inconclusive"
    assert rg.check(several, alike, condition, baseline=alike).checks[0].outcome == "passed"


def test_the_command_exits_with_5_for_an_undecided_check(store):
    del store
    here("demo", "--write", ".")
    words = ("check", "judgments.csv", "embeddings.csv", "--fail-if", "nDCG@5 < 0.9")

    assert (here(*words).code, here(*words, "--conclusive").code) == (0, 5)


def test_a_significant_drop_below_the_minimum_effect_does_not_fail():
    both = [rg.check(JUDGED, BAD, "RR drops significantly", baseline=GOOD, min_effect=size).passed for size in (0, 0.5)]

    assert both == [False, True]


@pytest.fixture
def logged(store):
    for number, ranking in enumerate((GOOD, BAD)):
        store.log(JUDGED, ranking, ["RR", "AP"], name="main", chunk=number)
    store.log(JUDGED, GOOD, "RR", name="other")
    return store


def test_a_report_has_a_card_of_the_history(logged):
    page = rg.report(JUDGED, {"new": GOOD}, ["RR", "P@1"], history={"store": logged, "name": "main"}, date=None)
    card = json.loads(page.to_json())["history"]

    assert [*card] == ["RR"]  # P@1 was not logged
    assert [run["state"] for run in card["RR"]["trend"]["runs"]] == ["first", "worse"]
    assert card["RR"]["blame"]["alarms"][0]["fields"] == {"chunk": ["0", "1"]}
    assert 'id="history"' in page.to_html()
    assert "chunk: 0 → 1" in page.to_html()
    assert "Results over time" in page.to_markdown()
    assert "结果的历史" in page.to_markdown("zh")
    assert "chunk" in page.to_latex()
    assert "history" not in json.loads(rg.report(JUDGED, {"new": GOOD}, "RR", date=None).to_json())


def test_a_report_takes_a_store_its_path_or_options_of_trend(logged):
    of_values = rg.report(rg.evaluate(JUDGED, GOOD, "RR"), history=logged.path, date=None)
    pages = [rg.report(JUDGED, {"new": GOOD}, "RR", history=given, date=None) for given in (logged, str(logged.path))]

    assert pages[0].to_html() == pages[1].to_html()
    assert len(json.loads(of_values.to_json())["history"]["RR"]["trend"]["runs"]) == 3
    with pytest.raises(rg.ParameterError, match="a store"):
        rg.report(JUDGED, {"new": GOOD}, "RR", history=3)
    with pytest.raises(rg.UnknownNameError, match="metric of the history"):
        rg.report(JUDGED, {"new": GOOD}, "P@1", history=logged)
    with pytest.raises(rg.InputError, match="no runs are logged"):
        rg.report(JUDGED, {"new": GOOD}, "RR", history="none.jsonl")


def test_the_command_of_a_report_takes_a_history(store):
    here("demo", "--write", ".")
    files = ("judgments.csv", "keywords.csv", "-m", "nDCG@5")
    here("history", "log", *files, "--name", "main")
    here("history", "log", *files, "--name", "branch")

    def runs(*words):
        written = here("report", *files, *words, "-t", "json", "-o", "-")
        return json.loads(written.out)["history"]["nDCG@5"]["trend"]["runs"]

    assert len(runs("--history", store.path)) == 2
    assert [run["name"] for run in runs("--history", store.path, "--history-name", "main")] == ["main"]
    assert here("report", *files, "--history-name", "main").code == 2
    assert here("report", *files, "--history", "none.jsonl").code == 4


IGNORED = [
    "rescore abcd judgments.csv --rule gain=exp2",
    "rescore abcd judgments.csv --convention beir",
    "trend --rule gain=exp2",
    "trend --until 2026-01-01",
    "blame --set model=small",
    "list --plot",
    "log judgments.csv keywords.csv --since 2026-01-01",
]


@pytest.mark.parametrize("call", IGNORED)
def test_an_action_refuses_options_that_it_would_ignore(call, store):
    option = next(word for word in call.split() if word.startswith("--"))

    refused = here("history", *call.split())
    assert (refused.code, f"takes no {option}" in refused.err) == (2, True)
    assert f"不接受 {option}" in here("--lang", "zh", "history", *call.split()).err
    assert not store.path.exists()
