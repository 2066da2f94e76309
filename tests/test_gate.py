"""The gate: conditions, results, saved baselines, exit codes and outputs."""

import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rankgauge as rg
from command_line import here
from optional import posix_only
from rankgauge import testing
from worlds import pace

JUDGMENTS = {f"q{place}": {"a": 1} for place in range(6)}


def reciprocal(*ranks):
    """A ranking with the relevant item at these ranks of q0, q1, ..."""
    return {query: [*"vwxyz"[: rank - 1], "a"] for query, rank in zip(JUDGMENTS, ranks, strict=True)}


OLD = reciprocal(1, 1, 1, 2, 2, 2)  # RR 0.75
NEW = reciprocal(1, 1, 1, 2, 2, 4)  # RR 0.75 - 0.25 / 6


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nDCG@10 drops 0.01", (rg.nDCG @ 10, "drops", 0.01, False, None)),
        ("  ndcg_cut_10   drops by 0.01 ", (rg.nDCG @ 10, "drops", 0.01, False, None)),
        ("AP drops 2%", (rg.AP, "drops", 0.02, True, None)),
        ("AP drops 2.5 %", (rg.AP, "drops", 0.025, True, None)),
        ("nDCG@10<0.42", (rg.nDCG @ 10, "<", 0.42, False, None)),
        ("RR >= 1e-3", (rg.RR, ">=", 0.001, False, None)),
        ("Fallout@5 rises 0.1", (rg.Fallout @ 5, "rises", 0.1, False, None)),
        ("AP drops significantly", (rg.AP, "drops", None, False, 0.05)),
        ("AP rises significantly (0.01)", (rg.AP, "rises", None, False, 0.01)),
        (
            "nDCG(gain='exp2', ideal='returned')@3 drops 0",
            (rg.nDCG(gain="exp2", ideal="returned") @ 3, "drops", 0, False, None),
        ),
        ("P(over='min(k,n)')@5 < 1", (rg.P(over="min(k,n)") @ 5, "<", 1, False, None)),
    ],
)
def test_conditions_are_parsed_and_printed(text, expected):
    [check] = rg.check(JUDGMENTS, NEW, text, baseline=OLD).checks
    condition = check.condition
    assert (condition.metric, condition.relation, condition.amount, condition.relative, condition.alpha) == expected
    assert rg.check(JUDGMENTS, NEW, str(condition), baseline=OLD).checks[0].condition == condition


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty; write, for example"),
        ("nDCG@10", "it does not say when to fail"),
        ("nDCG@10 drops", "the number after drops is missing"),
        ("nDCG@10 <", "the number after < is missing"),
        ("nDCG@10 < 3%", "not a percentage; 2% goes with drops"),
        ("nDCG@10 < x", "after < expected a number, not 'x'"),
        ("nDCG@10 drops -1", "must be at least 0, not -1"),
        ("nDCG@10 drops a lot", "expected a number, a percentage such as 2% or significantly, not 'a lot'"),
        ("nDCG@10 drop 0.01", "'drop' is not recognized"),
        ("nDCG@10 falls 0.01", "'falls' is not recognized"),
        ("AP drops significantly (2)", "must be between 0 and 1, not 2"),
        ("GMAP drops significantly", "GMAP is not a mean over queries"),
        ("drops 0.01", "the metric before drops is missing"),
        ("nDGC@10 drops 0.01", "unknown metric 'nDGC'; did you mean 'nDCG'"),
        ("nDCG@0 drops 0.01", "k must be"),
        ("AP drops 1e999", "must be at least 0, not inf"),
        ([7], "a condition must be a string"),
    ],
)
def test_an_invalid_condition_is_refused_with_the_reason(text, message):
    with pytest.raises(rg.ParameterError, match=message.replace("(", r"\(")):
        rg.check(JUDGMENTS, NEW, text, baseline=OLD)


@pytest.mark.parametrize(
    ("condition", "failed"),
    [
        ("RR drops 0.04", True),  # 0.25 / 6 = 0.041667
        ("RR drops 0.0417", False),
        ("RR drops 0", True),
        ("RR drops 5%", True),  # 0.041667 / 0.75 = 5.56 %
        ("RR drops 6%", False),
        ("RR drops significantly", False),
        ("RR rises 0", False),
        ("RR < 0.71", True),  # 0.708333
        ("RR < 0.70", False),
        ("RR > 0.70", True),
        ("RR <= 0.5", False),
        ("RR >= 0.5", True),
    ],
)
def test_failing_conditions(condition, failed):
    [check] = rg.check(JUDGMENTS, NEW, condition, baseline=OLD).checks

    assert check.failed is failed
    assert check.value == pytest.approx(0.75 - 0.25 / 6)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("RR drops 30", "can never fail: the range of RR is 0 … 1; did you mean 'RR drops 30%'?"),
        ("RR rises 30", "did you mean 'RR rises 30%'?"),
        ("RR < 42", "always fails: the range of RR is 0 … 1; did you mean 'RR < 0.42'?"),
        ("RR > 42", "can never fail: the range of RR is 0 … 1; did you mean 'RR > 0.42'?"),
        ("RR > -1", "'RR > -1' always fails: the range of RR is 0 … 1"),
        ("RR drops 130%", "'RR drops 130%' can never fail: the range of RR is 0 … 1"),
        ("DCG@3 < -1", "can never fail: the range of DCG@3 is 0 … ∞"),
    ],
)
def test_an_amount_outside_the_range_of_the_metric_is_refused(condition, message):
    """A gate of "drops 30", which meant 30 %, passed whatever happened."""
    with pytest.raises(rg.ParameterError, match=re.escape(message)):
        rg.check(JUDGMENTS, NEW, condition, baseline=OLD)


def test_a_smallest_effect_outside_the_range_of_the_metric_is_refused():
    with pytest.raises(rg.ParameterError, match="min_effect=5' can never fail"):
        rg.check(JUDGMENTS, NEW, "RR drops significantly", baseline=OLD, min_effect=5)


@pytest.mark.parametrize("condition", ["DCG@3 drops 30", "RR rises 130%", "RR < 1", "RR > 0", "RR drops 1"])
def test_amounts_that_can_be_reached_are_accepted(condition):
    assert len(rg.check(JUDGMENTS, NEW, condition, baseline=OLD).checks) == 1


def test_amounts_beyond_the_range_are_accepted_where_a_mean_is_beyond_it():
    """Copies that count again can give a recall above 1."""
    twice = {query: ["a", "a"] for query in JUDGMENTS}
    again = rg.Convention(duplicates="again")

    [check] = rg.check(JUDGMENTS, twice, "R@2 < 1.5", convention=again).checks
    assert check.value == 2
    assert not check.failed


@pace(40)
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=6, max_size=6), st.floats(0, 1))
def test_a_gate_fails_when_its_condition_holds(ranks, amount):
    old, new = (reciprocal(*(pair[side] for pair in ranks)) for side in (0, 1))
    values = [(1 / before, 1 / after) for before, after in ranks]
    loss = sum(before - after for before, after in values) / 6
    conditions = [f"RR drops {amount}", f"RR drops {amount}%", "RR drops significantly", f"RR < {amount}"]
    by_number, by_percent, significantly, below = rg.check(JUDGMENTS, new, conditions, baseline=old).checks

    if abs(loss - amount) > 1e-9:
        assert by_number.failed == (loss > 0 and loss >= amount)
    assert below.failed == (by_number.value < amount)
    if abs(loss - by_percent.baseline * amount / 100) > 1e-9:
        assert by_percent.failed == (loss > 0 and loss >= by_percent.baseline * amount / 100)
    if len({round(before - after, 12) for before, after in values}) > 1:
        p = stats.ttest_rel(*zip(*values, strict=True)).pvalue
        assert significantly.p == pytest.approx(p)
        assert significantly.failed == (loss > 1e-12 and p < 0.05)
    changes = [worst.change for worst in by_number.worst]
    assert changes == sorted(changes)
    assert all(change < 0 for change in changes)


def test_an_equal_drop_of_every_query_is_significant_and_one_query_never_is():
    worse = rg.check(JUDGMENTS, reciprocal(*[2] * 6), "RR drops significantly", baseline=reciprocal(*[1] * 6))
    one = rg.check({"q": {"a": 1}}, {"q": ["x", "a"]}, "RR drops significantly", baseline={"q": ["a"]})

    assert (worse.passed, worse.checks[0].p) == (False, 0.0)
    assert one.passed
    assert one.to_dict()["checks"][0]["p"] is None


def test_the_worst_queries_are_named():
    drop = rg.check(JUDGMENTS, reciprocal(4, 1, 2, 2, 1, 2), "RR drops 0.01", baseline=OLD, worst=2)
    low = rg.check(JUDGMENTS, NEW, "RR < 0.9", worst=1)
    high = rg.check(JUDGMENTS, NEW, "FirstRank > 1", worst=1)

    assert drop.failures[0].worst == (("q0", 1.0, 0.25), ("q2", 1.0, 0.5))
    assert low.failures[0].worst == (("q5", None, 0.25),)
    assert high.failures[0].worst == (("q5", None, 4.0),)
    assert "q0     1.000000  0.250000  -0.750000" in str(drop)
    assert "未通过：1/1 项检查" in drop.document("zh").to_text()


def test_a_saved_baseline_equals_its_ranking(tmp_path):
    saved = tmp_path / "baseline.json"
    saved.write_text(rg.evaluate(JUDGMENTS, OLD, ["RR", "AP", "FirstRank"]).to_json(indent=2), encoding="utf-8")
    conditions = ["RR drops 0.01", "AP drops significantly", "FirstRank rises 0.1"]
    by_ranking = rg.check(JUDGMENTS, NEW, conditions, baseline=OLD)
    ways = [str(saved), saved, json.loads(saved.read_text()), rg.evaluate(JUDGMENTS, OLD, ["RR", "AP", "FirstRank"])]

    for way in ways:
        result = rg.check(JUDGMENTS, NEW, conditions, baseline=way)
        assert result.checks == by_ranking.checks
        assert result.to_dict()["baseline_provenance"]["judgments"] == ways[2]["provenance"]["judgments"]


def test_an_absolute_threshold_needs_no_value_of_the_baseline(tmp_path):
    judgments, ranking = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["x", "b"]}
    saved = tmp_path / "baseline.json"
    saved.write_text(rg.evaluate(judgments, ranking, "RR").to_json(), encoding="utf-8")
    result = rg.check(judgments, ranking, ["P@10 < 0.9", "RR drops 0.1"], baseline=saved)
    assert [check.failed for check in result.checks] == [True, False]
    with pytest.raises(rg.UnknownNameError, match="unknown metric of the baseline 'P@10'"):
        rg.check(judgments, ranking, "P@10 drops 0.1", baseline=saved)


@pytest.mark.parametrize("ranking", [OLD, {"old": OLD}], ids=["unnamed", "named"])
def test_a_saved_baseline_without_values_of_queries_is_refused_as_such(tmp_path, ranking):
    rg.evaluate(JUDGMENTS, ranking, "RR").save(tmp_path / "saved.json", queries=False)

    with pytest.raises(rg.InputError, match=r"it has no values by query; .* without --no-queries"):
        rg.check(JUDGMENTS, NEW, "RR drops 0.1", baseline=tmp_path / "saved.json")


def test_a_saved_baseline_of_other_judgments_is_refused_even_if_they_have_the_same_queries(tmp_path):
    """It was compared silently, so that new judgments looked like a change of the ranking."""
    scores = rg.evaluate(JUDGMENTS, OLD, "RR")
    saved = tmp_path / "baseline.json"
    saved.write_text(scores.to_json(), encoding="utf-8")
    regraded = {query: {item: grade + 1 for item, grade in grades.items()} for query, grades in JUDGMENTS.items()}
    reordered = {query: dict(reversed([*grades.items()])) for query, grades in reversed([*JUDGMENTS.items()])}
    unnamed = {name: value for name, value in json.loads(saved.read_text()).items() if name != "provenance"}

    for baseline in (saved, scores):
        with pytest.raises(rg.InputError, match="computed with other judgments"):
            rg.check(regraded, NEW, "RR drops 0.01", baseline=baseline)
    assert rg.check(reordered, NEW, "RR drops 0.01", baseline=saved).checks
    assert rg.check(regraded, NEW, "RR drops 0.01", baseline=unnamed).checks  # saved by an earlier version


def test_a_saved_baseline_with_other_metrics_queries_or_rules_is_refused(tmp_path):
    saved = rg.evaluate(JUDGMENTS, OLD, "RR").to_dict()

    with pytest.raises(rg.UnknownNameError, match="unknown metric of the baseline 'AP'; known: RR"):
        rg.check(JUDGMENTS, NEW, "AP drops 0.01", baseline=saved)
    with pytest.raises(rg.InputError, match="RR was computed with rel=1, now it is rel=2"):
        rg.check(JUDGMENTS, NEW, "RR drops 0.01", baseline=saved, convention=rg.Convention(rel=2))
    with pytest.raises(rg.InputError, match="computed with missing='zero', now it is missing='skip'"):
        rg.check(JUDGMENTS, NEW, "RR drops 0.01", baseline=saved, convention=rg.Convention(missing="skip"))
    assert rg.check(JUDGMENTS, NEW, "RR drops 0.01", baseline=saved, convention=rg.Convention(gain="exp2")).failures
    with pytest.raises(rg.InputError, match="query 'more' is not in it"):
        rg.check({**JUDGMENTS, "more": {"a": 1}}, NEW, "RR drops 0.01", baseline=saved)
    with pytest.raises(rg.InputError, match="query 'q0' has no judgments"):
        rg.check(
            {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "q4": {"a": 1}, "q5": {"a": 1}},
            NEW,
            "RR drops 0.01",
            baseline=saved,
        )
    several = rg.evaluate(JUDGMENTS, {"a": OLD, "b": NEW}, "RR").to_dict()
    with pytest.raises(rg.InputError, match=r"several systems \(a, b\)"):
        rg.check(JUDGMENTS, NEW, "RR drops 0.01", baseline=several)
    with pytest.raises(rg.InputError, match="its schema is 99"):
        rg.check(JUDGMENTS, NEW, "RR drops 0.01", baseline={**saved, "schema": 99})
    broken = tmp_path / "broken.json"
    broken.write_text('{"schema": 1, "per_query"', encoding="utf-8")
    with pytest.raises(rg.InputError, match="cannot be read"):
        rg.check(JUDGMENTS, NEW, "RR drops 0.01", baseline=broken)
    other = rg.evaluate({"z": {"a": 1}}, {"z": ["a"]}, "RR")
    with pytest.raises(rg.InputError, match="not those of the judgments"):
        rg.check(JUDGMENTS, NEW, "RR drops 0.01", baseline=other)


def test_invalid_checks_are_refused_with_the_reason():
    with pytest.raises(rg.ParameterError, match="there is no condition"):
        rg.check(JUDGMENTS, NEW, [])
    with pytest.raises(rg.ParameterError, match=r"'RR drops 0\.01' needs a baseline"):
        rg.check(JUDGMENTS, NEW, "RR drops 0.01")
    with pytest.raises(rg.InputError, match="nothing to check"):
        rg.check({"q": {"a": 0}}, {"q": ["a"]}, "AP < 1", convention=rg.Convention(undefined="skip"))
    with pytest.raises(rg.ParameterError, match="of the arithmetic mean, not 'median'"):
        rg.check(JUDGMENTS, NEW, "RR drops significantly", baseline=OLD, convention=rg.Convention(averaging="median"))


def test_assert_no_regression():
    testing.assert_no_regression(JUDGMENTS, NEW, OLD, "RR drops 0.05", "RR < 0.5")
    testing.assert_no_regression(JUDGMENTS, NEW, None, "RR < 0.5")
    with pytest.raises(AssertionError, match=r"Failed: 1 of 2 checks[\s\S]*q5     0.500000  0.250000  -0.250000"):
        testing.assert_no_regression(JUDGMENTS, NEW, OLD, "RR drops 0.04", "RR < 0.5")


def test_a_result_is_true_if_it_passed():
    passed, failed = (rg.check(JUDGMENTS, NEW, condition) for condition in ("RR < 0.1", "RR < 0.9"))

    assert passed
    assert not failed
    assert repr(failed) == "<GateResult failed: RR < 0.9>"


def test_assert_at_least():
    testing.assert_at_least(JUDGMENTS, NEW, {"RR": 0.5, "P@1": 0.1})
    with pytest.raises(AssertionError, match=r"Failed: 1 of 2 checks[\s\S]*RR < 0.9"):
        testing.assert_at_least(JUDGMENTS, NEW, {"RR": 0.9, rg.P @ 1: 0.1}, worst=2)


SUITE = """
import pytest
from rankgauge.example import JUDGMENTS, SYSTEMS

@pytest.mark.parametrize("k", [5])
def test_search(ranking_gate, k):
    ranking_gate(JUDGMENTS, SYSTEMS["NAME"], f"nDCG@{k} drops 0.01", "RR < 0.1")
    ranking_gate(JUDGMENTS, SYSTEMS["NAME"], "AP drops 0.01", convention="trec_eval-9")
"""


def run_suite(folder, system, *arguments):
    (folder / "test_it.py").write_text(SUITE.replace("NAME", system))
    here = str(Path(rg.__file__).parents[1])
    command = [sys.executable, "-m", "pytest", "-p", "rankgauge.pytest_plugin", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTHONPATH": here, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONUTF8": "1"}
    return subprocess.run(command, capture_output=True, check=False, cwd=folder, env=environment, encoding="utf-8")


def test_the_pytest_plugin_compares_with_saved_baselines(tmp_path):
    without = run_suite(tmp_path, "embeddings")
    assert without.returncode == 1
    assert "run pytest --save-ranking-baselines once" in without.stdout
    saved = run_suite(tmp_path, "embeddings", "--save-ranking-baselines")
    assert saved.returncode == 0
    names = [path.name for path in sorted((tmp_path / "ranking-baselines").iterdir())]
    assert names == ["test_it-test_search[5]-2.json", "test_it-test_search[5].json"]
    same = run_suite(tmp_path, "embeddings")
    assert same.returncode == 0
    assert "test_search[5]: nDCG@5: 0.944519 → 0.944519" in same.stdout
    worse = run_suite(tmp_path, "keywords")
    assert worse.returncode == 1
    assert "nDCG@5 drops 0.01: queries to look at" in worse.stdout


@posix_only
def test_the_workflow_for_github_runs(folder):
    """The commands of the example, with the package that is installed here."""
    workflow = (Path(__file__).parents[1] / "examples/github-actions/ranking-quality.yml").read_text(encoding="utf-8")
    for old, new in (("new run.csv", "new.csv"), ("qrels.csv", "judgments.csv")):
        (folder / new).write_bytes((folder / old).read_bytes())
    evaluated = rg.evaluate(folder / "judgments.csv", folder / "old run.csv", "nDCG@10")
    (folder / "baseline.json").write_text(evaluated.to_json())
    steps = re.findall(r"- name: (\w+)\n(?: +if: .+\n)? +run: (?:\|\n((?: {10}.+\n)+)|(.+)\n)", workflow)
    assert [name for name, *_ in steps] == ["Install", "Check", "Show"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(rg.__file__).parents[1]),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "PYTHONUTF8": "1",
    }
    alias = f'rankgauge() {{ "{sys.executable}" -m rankgauge "$@"; }}\n'

    def codes():
        scripts = {name: ["bash", "-ec", alias + (block or line)] for name, block, line in steps[1:]}
        runs = {
            name: subprocess.run(script, check=False, cwd=folder, env=environment) for name, script in scripts.items()
        }
        return {name: run.returncode for name, run in runs.items()}

    assert codes() == {"Check": 1, "Show": 0}
    assert (folder / "summary.md").read_text(encoding="utf-8").startswith("# Failed: 1 of 2 checks")
    (folder / "quality.md").unlink()
    (folder / "new.csv").unlink()
    assert codes() == {"Check": 3, "Show": 0}  # there is no summary to show


def test_junit_survives_hostile_ids():
    judgments = {"<q>\x1b[31m\x00&\ufffe": {"a": 1}}
    old, new = (dict.fromkeys(judgments, items) for items in (["a"], ["x", "a"]))
    text = rg.check(judgments, new, ["RR drops 0.1", "RR < 0.1"], baseline=old).to_junit()
    root = ET.fromstring(text)  # noqa: S314 (our own)

    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    assert "\\x1b[31m\\x00&\\ufffe" in root.find(".//failure").text
    assert [case.get("name") for case in root.iter("testcase")] == ["RR drops 0.1", "RR < 0.1"]


def run(*arguments, cwd):
    with chdir(cwd):
        result = here("check", *arguments)
    return subprocess.CompletedProcess(arguments, result.code, result.out, result.err)


@pytest.fixture
def folder(tmp_path):
    """Files of the two rankings, with a query whose name needs quoting in a shell."""
    rows = [f"{query},a,1" for query in ("it's $HOME", *JUDGMENTS)]
    (tmp_path / "qrels.csv").write_text("\n".join(["query,item,grade", *rows]))
    for name, ranking, first in (("old", OLD, "a"), ("new", NEW, "x")):
        lists = {**ranking, "it's $HOME": [first]}
        rows = [f"{query},{item},{-place}" for query, items in lists.items() for place, item in enumerate(items)]
        (tmp_path / f"{name} run.csv").write_text("\n".join(["query,item,score", *rows]))
    (tmp_path / "other.csv").write_text("query,item,score\nzzz,a,1\n")
    (tmp_path / "bad.csv").write_text("query,item,score\nq0,a,high\n")
    return tmp_path


def test_exit_codes(folder):
    files = ("qrels.csv", "new run.csv")
    against = ("--baseline", "old run.csv")
    fine = run(*files, *against, "--fail-if", "RR drops 0.5", cwd=folder)
    worse = run(*files, *against, "--fail-if", "RR drops 0.01", "--fail-if", "RR < 0.1", cwd=folder)

    assert (fine.returncode, fine.stdout.splitlines()[0]) == (0, "Passed: none of 1 check failed, 1 inconclusive")
    assert (worse.returncode, worse.stdout.splitlines()[0]) == (1, "Failed: 1 of 2 checks")
    command = next(line for line in worse.stdout.splitlines() if line.startswith("rankgauge explain"))
    assert shlex.split(command) == [
        *("rankgauge", "explain", "qrels.csv", "new run.csv", "-m", "RR", "--query", "it's $HOME")
    ]
    wrong = run(*files, *against, "--fail-if", "RR drops", cwd=folder)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "the number after drops is missing" in wrong.stderr
    assert run(*files, "--fail-if", "RR drops 0.01", cwd=folder).returncode == 2
    assert run("qrels.csv", "bad.csv", "--fail-if", "RR < 0.1", cwd=folder).returncode == 3
    assert run("qrels.csv", "nope.csv", "--fail-if", "RR < 0.1", cwd=folder).returncode == 3
    assert run("qrels.csv", "other.csv", "--fail-if", "RR < 0.1", cwd=folder).returncode == 4


def test_outputs(folder):
    files = ("qrels.csv", "new run.csv")
    (folder / "saved.json").write_text(rg.evaluate(str(folder / files[0]), str(folder / "old run.csv"), "RR").to_json())
    arguments = ("--baseline", "saved.json", "--fail-if", "RR drops 0.01", "--rule", "ties=mean")
    refused = run(*files, *arguments, cwd=folder)
    assert (refused.returncode, "computed with ties='id', now it is ties='mean'" in refused.stderr) == (3, True)

    data = json.loads(run(*files, *arguments[:-2], "-t", "json", cwd=folder).stdout)
    assert (data["passed"], data["checks"][0]["worst"][0]["query"]) == (False, "it's $HOME")
    written = run(*files, *arguments[:-2], "-t", "junit", "--output", "report.xml", cwd=folder)
    assert (written.returncode, written.stdout) == (1, "")
    assert "<failure" in (folder / "report.xml").read_text(encoding="utf-8")
    chinese = run(*files, *arguments[:-2], "--lang", "zh", cwd=folder)
    assert "用以下命令查看原因：" in chinese.stdout


def test_the_suggested_command_has_the_read_options():
    result = rg.check(JUDGMENTS, NEW, "RR < 1", convention=rg.Convention(ties="mean", gain="exp2"))
    from dataclasses import replace

    there = replace(
        result, files=("j", "r"), read_options=rg.ReadOptions(columns={"query": "s"}, format="csv", lenient=True)
    )
    assert result.explain_command(rg.RR, "q") is None
    assert there.explain_command(rg.RR, "q") == (
        "rankgauge explain j r -m RR --query q --rule=ties=mean --columns=query=s --format=csv --lenient"
    )
    read_options = rg.ReadOptions(columns={"score": "p", "ranking": {"query": "s"}}, format={"ranking": "csv"})
    assert replace(there, read_options=read_options).explain_command(rg.RR, "q") == (
        "rankgauge explain j r -m RR --query q --rule=ties=mean --columns=score=p,ranking.query=s --format=ranking=csv"
    )


@pytest.mark.parametrize(
    ("read", "ending"),
    [
        ({"units": "before last _"}, " '--units=before last _'"),
        ({"units": {"a_1": "a"}}, None),
        ({"grades": rg.grades.stars}, None),
    ],
)
def test_the_suggested_command_has_the_units_or_is_omitted(read, ending):
    from dataclasses import replace

    result = rg.check(JUDGMENTS, NEW, "RR < 1")
    there = replace(result, files=("j", "r"), read_options=rg.ReadOptions(**read))
    command = there.explain_command(rg.RR, "q")
    assert command == (ending and f"rankgauge explain j r -m RR --query q{ending}")


def test_the_interval_of_a_change_stays_within_the_largest_one():
    judgments = {"a": {"x": 1}, "b": {"y": 1}}
    before, now = {"a": ["z", "x"], "b": ["y"]}, {"a": ["x"], "b": ["z", "y"]}
    low, high = rg.check(judgments, now, baseline=before, fail_if="RR drops 0.4").checks[0].interval

    assert (low, high) == (-1, 1)


def test_a_baseline_that_is_unknown_or_missing_among_two_rankings_is_named():
    judged, rankings = {"q": {"a": 1}}, {"old": {"q": ["a"]}, "new": {"q": ["b", "a"]}}
    with pytest.raises(rg.UnknownNameError, match="unknown ranking 'older'; did you mean 'old'"):
        rg.check(judged, rankings, "RR drops 0.01", baseline="older")
    with pytest.raises(rg.ParameterError, match="baseline= with the name of one of the rankings 'old', 'new'"):
        rg.check(judged, rankings, "RR drops 0.01")
    with pytest.raises(rg.ParameterError, match="baseline= with a ranking or saved scores"):
        rg.check(judged, rankings["new"], "RR drops 0.01")
    assert not rg.check(judged, rankings, "RR drops 0.01", baseline="old").passed


WITHOUT_RESULTS = {**{query: ["a", *"uvwxyz"] for query in [*JUDGMENTS][:4]}, "q4": []}
"""A ranking without results for one judged query, with an empty list for another, and many unjudged items."""
GRADED = {query: {"a": 1, "zz": 0} for query in JUDGMENTS}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_text_and_markdown_name_queries_and_what_is_wrong_with_the_data(lang):
    document = rg.check(GRADED, WITHOUT_RESULTS, "RR drops 0.01", baseline=OLD).document(lang)
    missing, unjudged = {
        "en": ("2 judged queries have no results", "Unjudged in the top 10: 86%."),
        "zh": ("2 个有标注的查询没有返回结果", "前 10 个中未标注的比例：86%。"),
    }[lang]
    for text in (document.to_text(), document.to_markdown()):
        assert {"en": "6 queries", "zh": "6 个查询"}[lang] in text
        assert missing in text
        assert unjudged in text
        assert text.count("86%") == 1


def test_the_data_of_the_baseline_count_as_well():
    text = rg.check(GRADED, OLD, "RR drops 0.01", baseline=WITHOUT_RESULTS).to_text("zh")
    assert "基线：2 个有标注的查询没有返回结果" in text
    assert "基线 86%" in text


def test_queries_that_are_left_out_are_counted():
    skipping = rg.Convention(missing="skip")
    result = rg.check(GRADED, WITHOUT_RESULTS, ["RR drops 0.01", "RR < 0.1"], baseline=OLD, convention=skipping)
    assert [(check.queries, check.all_queries) for check in result.checks] == [(5, 6), (5, 6)]
    assert [check.counted(lang) for check in result.checks[:1] for lang in ("en", "zh")] == [
        "5 of 6 queries",
        "6 个查询中的 5 个",
    ]
    data = result.to_dict()
    assert [(check["queries"], check["all_queries"]) for check in data["checks"]] == [(5, 6), (5, 6)]
    assert "RG409" in {finding["code"] for finding in data["findings"]}
    suite = ET.fromstring(result.to_junit())[0]  # noqa: S314 (our own output)
    assert all(case[0].get("message", case[0].text).endswith("; 5 of 6 queries") for case in suite.iter("testcase"))
    assert "1 judged query has no results" in suite.findtext("system-out")


def test_a_corpus_level_value_is_over_all_queries():
    [check] = rg.check(GRADED, NEW, "ItemCoverage@1 < 0.001", side_information=rg.SideInformation(items=9)).checks
    assert (check.queries, check.all_queries) == (6, 6)


def test_markdown_shows_commands_as_code(example_folder):
    (example_folder / "my_k_1.csv").write_bytes((example_folder / "keywords.csv").read_bytes())
    condition = ("--fail-if", "nDCG@5 drops 0.01", "--baseline", "embeddings.csv", "-t", "md")
    text = here("check", "judgments.csv", "my_k_1.csv", *condition).out
    assert "```sh\nrankgauge explain judgments.csv my_k_1.csv -m nDCG@5 --query 'space opera'\n```" in text


@pytest.mark.parametrize("column", ["相关度", "clicked"])
def test_names_of_grade_columns(column, tmp_path):
    (tmp_path / "judgments.csv").write_text(f"query,item,{column}\nq,a,1\nq,b,0\n", encoding="utf-8")
    assert rg.evaluate(tmp_path / "judgments.csv", {"q": ["b", "a"]}, "RR").mean() == 0.5


def test_a_warning_that_the_result_shows_is_not_on_standard_error_as_well(tmp_path):
    """Each warning stood twice on a terminal and in the log of a job."""
    (tmp_path / "judgments.csv").write_text("query,item,grade\nq,a,1\nq,b,\n")
    (tmp_path / "run.csv").write_text("query,item,score\nq,a,1\n")
    with chdir(tmp_path):
        call = ["check", "judgments.csv", "run.csv", "--lenient", "--fail-if", "RR < 0.1"]
        shown, saved = here(*call), here(*call, "-o", "result.json")
    assert ("RG204" in shown.out, "RG204" in shown.err) == (True, False)
    assert "RG204" in saved.err


def test_absolute_conditions_are_checked_by_saved_means(tmp_path):
    """A file of means was refused, although a threshold needs nothing else."""
    saved = tmp_path / "saved.json"
    rg.evaluate(JUDGMENTS, NEW, ["RR", "NumRel"]).save(saved, queries=False)  # 6 relevant items in all
    mean = rg.evaluate(JUDGMENTS, NEW, "RR").mean("RR")

    failed = here("check", saved, "--fail-if", "RR < 0.9", "--fail-if", "NumRel < 6", "-t", "json")
    checks = json.loads(failed.out)["checks"]
    assert (failed.code, [check["failed"] for check in checks]) == (1, [True, False])
    assert (checks[0]["value"], checks[0]["queries"], checks[0]["worst"]) == (mean, 0, [])
    assert "means only, without values of queries" in here("check", saved, "--fail-if", "RR < 0.1").out
    assert "只有均值，没有逐个查询的值" in here("check", saved, "--fail-if", "RR < 0.1", "--lang", "zh").out


@pytest.mark.parametrize(
    "more", [["--fail-if", "RR drops 0.1", "--baseline", "saved.json"], ["--fail-if", "RR < 0.1", "--conclusive"]]
)
def test_conditions_that_need_values_of_queries_are_refused_for_means(tmp_path, more):
    rg.evaluate(JUDGMENTS, NEW, "RR").save(tmp_path / "saved.json", queries=False)
    with chdir(tmp_path):
        refused = here("check", "saved.json", *more)
    assert (refused.code, "save it again with them: eval without --no-queries" in refused.err) == (3, True)
