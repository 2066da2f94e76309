"""The history: a store that loses nothing, comparisons of comparable runs only, and false alarms at the stated rate."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from command_line import SOURCE, environment, here
from history_simulation import DOCS, STORED, blame, history, rate, sentences

OLD = Path(__file__).parent / "data" / "history" / "old.history.jsonl"
JUDGED = {f"q{n}": {"a": 1, "b": 0, "c": 2} for n in range(12)}
GOOD = {query: ["c", "a", "b"] for query in JUDGED}
BAD = {query: ["b", "x", "a"][: 2 + n % 2] for n, query in enumerate(JUDGED)}
WRITER = """
import os, random, signal, sys, time
from pathlib import Path
from rankgauge.history.files import append_lines

def write(name, count, size=600):
    for number in range(count):
        run = f'{name}-{number}'
        line = '{"id": "%s", "time": "2026", "metrics": {}, "pad": "%s"}\\n' % (run, "x" * size)
        append_lines(Path(sys.argv[1]), [line])
        os.write(1, (run + "\\n").encode())

if sys.argv[2] != "killed":
    write(sys.argv[2], int(sys.argv[3]))
else:
    generator = random.Random(38)
    for child in range(int(sys.argv[3])):
        if not (process := os.fork()):
            write(f"child{child}", 1000, 6000)
        time.sleep(generator.uniform(0, 0.03))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
"""


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return rg.history.open(tmp_path / "rankgauge.history.jsonl")


def writer(store, name, count):
    words = [sys.executable, "-c", WRITER, str(store.path), name, str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(SOURCE), "PATH": ""})


def test_a_logged_run_is_listed_with_its_provenance_fields_and_values(store):
    logged = store.log(JUDGED, GOOD, ["nDCG@10", "RR"], name="main", model="small", chunk=512)

    (run,) = store.runs()
    expected = rg.evaluate(JUDGED, GOOD, "RR", fingerprint=True)

    assert run == logged
    assert (run.name, run.fields, run.metrics["RR"]) == ("main", {"model": "small", "chunk": "512"}, (1.0, 12, 0.0))
    assert [run.judgments, run.queries, run.ranking] == [
        expected.provenance[name] for name in ("judgments", "queries", "ranking")
    ]
    assert store.values(run, "RR") == expected.per_query("RR")
    assert store.scores(run.id).means() == {"main": {"nDCG@10": 1.0, "RR": 1.0}}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("judgments", 5),
        ("queries", {"a": 1}),
        ("convention", ["gain"]),
        ("metrics", {"RR": 0.5}),
        ("metrics", None),
        ("name", []),
        ("time", 1),
    ],
)
def test_a_line_whose_values_have_other_types_is_refused_with_its_place(store, key, value):
    line = {"id": "1" * 12, "time": "2026-01-01T00:00:00Z", "name": "main", "metrics": {"RR": {"mean": 0.5, "n": 3}}}
    store.path.write_text(json.dumps(line) + "\n" + json.dumps({**line, "id": "2" * 12, key: value}) + "\n")

    for words in (["list"], ["trend", "-m", "RR"], ["blame", "-m", "RR"]):
        ended = here("history", *words, "--store", str(store.path))
        assert ended.code == 3
        assert f"{store.path.name}:2: not a line of the history ({key}: " in ended.err


def test_a_history_without_a_metric_has_no_trend(store):
    store.path.write_text(json.dumps({"id": "1" * 12, "time": "2026-01-01T00:00:00Z", "name": "main", "metrics": {}}))

    for words in (["trend", "-m", "RR"], ["blame", "-m", "RR"]):
        ended = here("history", *words, "--store", str(store.path))
        assert (ended.code, "no run of the history has a metric" in ended.err) == (3, True)


def test_runs_are_filtered_by_name_field_and_time(store):
    for model in ("small", "large"):
        store.log(JUDGED, GOOD, "RR", name=model, model=model)

    assert [run.name for run in store.runs("small")] == ["small"]
    assert [run.name for run in store.runs(fields={"model": "large"})] == ["large"]
    assert len(store.runs(since="2999-01-01")) == 0
    assert len(store.runs(until="2999-01-01", last=1)) == 1
    assert store.run("small").name == "small"


def test_runs_of_other_rules_or_judgments_are_not_compared_and_what_differs_is_named(store):
    store.log(JUDGED, GOOD, "nDCG@10", name="a")
    store.log(JUDGED, GOOD, "nDCG@10", name="b", convention=rg.Convention(gain="exp2"))
    store.log({**JUDGED, "q0": {"a": 2}}, GOOD, "nDCG@10", name="c")

    states = [(point.state, [entry.field for entry in point.differences]) for point in store.trend("nDCG@10").points]

    assert states == [("first", []), ("not comparable", ["gain"]), ("not comparable", ["gain", "judgments"])]
    with pytest.raises(rg.InputError, match="rule gain: 'linear' → 'exp2'"):
        store.scores("a", "b")
    with pytest.raises(rg.InputError, match="cannot be compared by nDCG@10: judgments"):
        store.scores("a", "c")


def test_a_trend_compares_with_the_latest_comparable_run(store):
    other = {**JUDGED, "q0": {"a": 2}}
    runs = [store.log(judged, GOOD, "RR", name="main") for judged in (JUDGED, other, JUDGED, other)]

    points = store.trend("RR").points

    assert [point.state for point in points] == ["first", "not comparable", "same", "same"]
    assert [point.reference and point.reference.id for point in points] == [None, None, runs[0].id, runs[1].id]


def test_a_rule_that_a_metric_does_not_use_does_not_make_runs_incomparable(store):
    store.log(JUDGED, GOOD, "RR", name="a")
    store.log(JUDGED, BAD, "RR", name="b", convention=rg.Convention(gain="exp2"))

    assert store.scores("a", "b").systems == ("a", "b")


def test_a_kept_ranking_is_scored_again_with_changed_judgments(store):
    changed = {query: {"b": 1} for query in JUDGED}
    run = store.log(JUDGED, BAD, "RR", name="main", keep_ranking=True)

    again = store.rescore(run.id, changed)

    assert again.metrics["RR"].mean == rg.evaluate(changed, BAD, "RR").mean("RR") == 1.0
    assert (again.parent, again.judgments) == (run.id, rg.evaluate(changed, BAD).provenance["judgments"])


def test_changed_judgments_offer_to_score_the_stored_ranking_again_in_place_of_its_run(store):
    changed = {query: {"b": 1} for query in JUDGED}
    first = store.log(JUDGED, BAD, "RR", name="main", keep_ranking=True, model="small")
    second = store.log(changed, GOOD, "RR", name="main", model="large")
    offer = f"rankgauge history rescore {first.id} JUDGMENTS"

    assert offer in store.rescore_offer(second).en
    assert offer in store.trend("RR").document().to_text(None)
    assert offer in store.trend("RR").document("zh").to_text(None)
    again = store.rescore(first.id, changed)

    assert (again.time, again.git, again.fields) == (first.time, first.git, first.fields)
    assert [run.id for run in store.runs()] == [first.id, again.id, second.id] or first.time == second.time
    assert store.rescore_offer(again) is None
    assert offer not in store.trend("RR").document().to_text(None)
    assert store.scores(again.id, second.id).systems == (again.id, second.id)


def test_whole_numbers_as_ids_are_scored_again_as_they_were(store):
    judged = {7: {1: 1, 2: 0}, 8: {3: 2}}
    run = store.log(judged, {7: {2: 0.5, 1: 0.5}, 8: {3: 1}}, "RR", keep_ranking=True)

    again = store.rescore(run.id, judged)

    assert (again.ranking, again.judgments, again.metrics) == (run.ranking, run.judgments, run.metrics)
    assert (again.id, len(store.runs().runs)) == (run.id, 1)  # nothing changed


def test_the_same_scoring_again_is_not_logged_twice(store, tmp_path):
    changed = {query: {"b": 1} for query in JUDGED}
    run = store.log(JUDGED, BAD, "RR", name="main", keep_ranking=True)
    first = store.rescore(run.id, changed)
    assert store.rescore(run.id, changed).id == first.id
    assert len(store.runs().runs) == 2
    judgments = tmp_path / "judgments.jsonl"
    rows = [
        {"query": query, "item": item, "grade": grade} for query in changed for item, grade in changed[query].items()
    ]
    judgments.write_text("".join(json.dumps(row) + "\n" for row in rows))
    again = here("history", "rescore", run.id, judgments, "--store", store.path)
    assert (again.code, f"nothing changed: run {first.id}" in again.err) == (0, True)
    assert "没有变化" in here("history", "rescore", run.id, judgments, "--store", store.path, "--lang", "zh").err


def test_a_trend_takes_two_lines_a_run_on_a_terminal_of_80_columns(store):
    for _ in range(8):
        store.log(JUDGED, BAD, "RR", name="nightly")
    text = store.trend("RR").document().to_text(80)
    assert "RR over 8 runs of nightly" in text
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) <= 8 * 2 + 12
    store.log(JUDGED, BAD, "RR", name="another name")
    several = store.trend("RR").document().to_text(80)
    assert "another name" in several
    assert "Left out at this width: 95% interval." in several
    assert len(several.splitlines()) <= 9 * 2 + 14


def test_runs_of_other_weights_are_not_compared(store):
    rules = rg.Convention(averaging="weighted")
    for first in (1, 2):
        weights = {query: first if query == "q0" else 1 for query in JUDGED}
        store.log(JUDGED, BAD, "RR", convention=rules, weights=weights)

    (difference,) = store.trend("RR").points[1].differences

    assert difference.field == "weights"
    assert difference.phrase().en.startswith("weights of queries: ")


def test_log_takes_read_options_as_keywords(store, tmp_path):
    (tmp_path / "j.csv").write_text("session,doc,grade\nq,a,1\n", encoding="utf-8")
    columns = {"query": "session", "item": "doc"}

    run = store.log(tmp_path / "j.csv", {"q": ["a"]}, "RR", columns=columns, model="small")

    assert (run.fields, run.read_options) == ({"model": "small"}, {"columns": columns})


@pytest.mark.parametrize("moment", ["2026-13-01", "yesterday", "2026"])
def test_an_invalid_time_is_refused(store, moment):
    with pytest.raises(rg.ParameterError, match="since must be a date such as 2026-01-31"):
        store.runs(since=moment)


def test_branches_of_a_history_are_merged_by_git(store, tmp_path):
    def git(*words):
        identity = ("-c", "user.name=n", "-c", "user.email=n@example.org")
        return subprocess.run(
            ["git", *identity, *words],  # noqa: S607 (the git of the caller)
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    git("init", "-q", "-b", "main")
    (tmp_path / ".gitattributes").write_text("*.history.jsonl merge=union\n", encoding="utf-8")
    store.log(JUDGED, GOOD, "RR", name="before")
    git("add", "-A")
    git("commit", "-q", "-m", "before")
    for branch in ("left", "right"):
        git("checkout", "-q", "-b", branch, "main")
        store.log(JUDGED, BAD, "RR", name=branch)
        git("add", "-A")
        git("commit", "-q", "-m", branch)
    git("merge", "-q", "left", "-m", "both")

    assert {run.name for run in store.runs()} == {"before", "left", "right"}
    assert all(store.values(run, "RR") for run in store.runs())


def test_blame_names_the_run_and_the_field_that_changed(store):
    for model, ranking in (("small", GOOD), ("small", GOOD), ("broken", BAD), ("broken", BAD)):
        store.log(JUDGED, ranking, "nDCG@10", name="main", model=model)

    (alarm,) = store.blame("nDCG@10").alarms

    assert alarm.run.id == store.runs()[2].id
    assert (alarm.direction, alarm.fields) == ("worse", {"model": ("small", "broken")})
    assert store.blame("nDCG@10", min_effect=0.99).alarms == ()
    assert [point.state for point in store.trend("nDCG@10").points] == ["first", "same", "worse", "same"]


def test_three_planted_regressions_are_found_where_they_are_with_their_field():
    planted = (7, 15, 24)

    found = blame(*history(np.random.default_rng(5), drops=planted)).alarms

    assert [int(alarm.run.id) for alarm in found] == [*planted]
    assert {alarm.direction for alarm in found} == {"worse"}
    assert all(set(alarm.fields) == {"model"} for alarm in found)


def test_null_histories_have_false_alarms_at_most_at_the_stated_rate():
    stored = json.loads(STORED.read_text(encoding="utf-8"))

    assert (stored["histories"], stored["runs"]) == (1000, 30)
    assert stored["false_alarms"] <= stored["alpha"]
    assert rate(20, seed=1) <= 0.2
    assert all(text in (DOCS / name).read_text(encoding="utf-8") for name, text in sentences(stored).items())


def test_an_old_file_and_a_newer_one_are_read():
    first, second = rg.history.open(OLD).runs()

    assert (first.fields, first.git, first.values) == ({}, None, None)
    assert second.others["a_key_of_the_future"] == [1]
    assert json.loads(second.line())["a_key_of_the_future"] == [1]
    assert [point.state for point in rg.history.open(OLD).trend("nDCG@10").points] == ["first", "changed"]


def test_a_line_that_is_damaged_is_named(store):
    store.path.write_text('{"id": "a", "time": 1}\n', encoding="utf-8")

    with pytest.raises(rg.InputError, match=r"history\.jsonl:1: not a line of the history"):
        store.runs()


def test_a_line_cut_short_by_a_crash_is_skipped_with_a_warning(store):
    """Reading it was an error, so that ``log`` failed after it had logged, and so did every command after it."""
    words = ("history", "log", store.path.parent / "q.txt", store.path.parent / "r.txt", "--store", store.path)
    words[2].write_text("1 0 a 1\n1 0 b 0\n", encoding="utf-8")
    words[3].write_text("1 Q0 a 1 2.0 x\n1 Q0 b 2 1.0 x\n", encoding="utf-8")
    assert here(*words, "--name", "nightly").code == 0
    with store.path.open("a", encoding="utf-8") as file:
        file.write('{"id": "abc", "fields": {"n": 1}')

    ended = here(*words, "--name", "nightly")

    assert (ended.code, "RG125" in ended.err) == (0, True)
    with pytest.warns(rg.DataWarning, match=r"cut short; .*history\.jsonl:2 .*RG125"):
        assert len(store.runs()) == 2
    ends = [line[-1] for line in store.path.read_text(encoding="utf-8").splitlines()]
    assert ends == ["}", "}", "}"]
    listed = here("history", "list", "--store", store.path)
    assert (listed.code, "RG125" in listed.err) == (0, True)
    checked = here(
        "check", *words[2:4], "--against", "history:nightly", "--store", store.path, "--fail-if", "nDCG@10 drops 0.01"
    )
    assert (checked.code, "RG125" in checked.out) == (0, True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_full_standard_output_does_not_undo_that_a_run_is_logged(store, form):
    judgments, ranking = store.path.with_name("q.txt"), store.path.with_name("r.txt")
    judgments.write_text("1 0 a 1\n", encoding="utf-8")
    ranking.write_text("1 Q0 a 1 2.0 x\n", encoding="utf-8")
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [
                sys.executable,
                "-m",
                "rankgauge",
                "history",
                "log",
                judgments,
                ranking,
                "--store",
                store.path,
                "-t",
                form,
            ],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            check=False,
        )

    assert (ended.returncode, len(store.runs())) == (0, 1)
    assert "is logged, but standard output cannot be written" in ended.stderr


def test_a_quiet_log_prints_nothing(store):
    judgments, ranking = store.path.with_name("q.txt"), store.path.with_name("r.txt")
    judgments.write_text("1 0 a 1\n", encoding="utf-8")
    ranking.write_text("1 Q0 a 1 2.0 x\n", encoding="utf-8")
    ended = here("history", "log", judgments, ranking, "--store", store.path, "--quiet")
    assert (ended.code, ended.out, ended.err, len(store.runs())) == (0, "", "", 1)


def test_lines_that_git_merged_twice_count_once_and_are_ordered_by_time(store):
    content = OLD.read_text(encoding="utf-8").splitlines(keepends=True)
    store.path.write_text("".join([content[1], content[0], content[1]]), encoding="utf-8")

    assert [run.id for run in store.runs()] == ["00000000000a", "00000000000b"]


def test_killed_writers_leave_no_half_line_and_lose_no_line(store):
    acknowledged = writer(store, "killed", 100).communicate()[0].split()

    read = {run.id for run in store.runs()}

    assert store.path.read_bytes().endswith(b"\n")
    assert set(acknowledged) <= read
    assert len(acknowledged) > 5


def test_two_processes_that_log_at_once_lose_nothing(store):
    processes = [writer(store, name, 500) for name in ("one", "two")]
    for process in processes:
        process.communicate()

    assert len(store.runs()) == 1000


def test_a_file_without_a_last_line_end_is_continued_on_a_new_line(store):
    store.path.write_text(OLD.read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8")
    store.log(rg.evaluate(JUDGED, GOOD, "RR"))

    assert len(store.runs()) == 3


def test_several_systems_are_refused(store):
    with pytest.raises(rg.ParameterError, match="log each"):
        store.log(rg.evaluate(JUDGED, {"a": GOOD, "b": BAD}, "RR"))


@pytest.mark.usefixtures("store")
def test_the_command_logs_lists_and_shows_what_changed():
    Path("judgments.json").write_text(json.dumps(JUDGED), encoding="utf-8")
    for name, ranking in {"keywords": BAD, "embeddings": GOOD}.items():
        Path(f"{name}.json").write_text(json.dumps(ranking), encoding="utf-8")
        words = ("judgments.json", f"{name}.json", "-m", "nDCG@5", "--name", "main", "--set", f"model={name}")
        assert here("history", "log", *words).code == 0

    assert "embeddings" in here("history", "list").out
    assert json.loads(here("history", "trend", "-m", "nDCG@5", "-t", "json").out)["runs"][1]["state"] == "better"
    assert "model: keywords → embeddings" in here("history", "blame", "-m", "nDCG@5").out
    assert here("history", "trend", "-m", "nDCG@5", "-t", "html").out.startswith("<!DOCTYPE html>")
    assert here("history", "trend", "-m", "nDCG@5", "-t", "svg").out.startswith("<svg")
    assert here("history", "blame", "-m", "AP").code == 2
    missing = here("history", "list", "--store", "none.jsonl", "--lang", "zh")
    assert missing.code == 4
    assert "none.jsonl：其中没有记录；" in missing.err


def test_changes_need_as_many_queries_as_compare(store):
    """Five queries cannot show a difference without assumptions: 2 / 2^5 is more than 0.05."""
    for count, state in ((5, "same"), (6, "better")):
        judged = {f"q{number}": {"a": 1} for number in range(count)}
        for rank in (2, 1):
            lists = {query: [*"xyz"[: rank + number % 2 - 1], "a"] for number, query in enumerate(judged)}
            store.log(judged, lists, "RR", name=f"of {count}")
        compared = rg.compare(
            judged, {"old": {q: [*"xyz"[: 1 + n % 2], "a"] for n, q in enumerate(judged)}, "new": lists}, "RR"
        )
        assert store.trend("RR", name=f"of {count}").points[-1].state == state
        assert bool(store.blame("RR", name=f"of {count}").alarms) == (state == "better")
        assert compared.pair("old", "new", "RR").significant == (state == "better")


@pytest.mark.usefixtures("store")
def test_results_have_frames_csv_and_documents(store):
    for ranking in (GOOD, BAD):
        store.log(JUDGED, ranking, "RR", name="=main")

    for result in (store.runs(), store.trend("RR"), store.blame("RR")):
        assert len(result.to_pandas()) == len(result.to_polars()) > 0
        assert "'=main" in result.to_csv()
        assert result.document("zh").to_text()
        assert json.loads(result.to_json())


def test_the_json_of_a_list_has_a_line_for_each_run(store):
    assert json.loads(store.runs().to_json(1)) == {"schema": 1, "total": 0, "runs": []}
    for _ in range(2):
        store.log(JUDGED, GOOD, "RR", name='"\n')

    runs = store.runs()
    assert json.loads(runs.to_json(1)) == json.loads(runs.to_json()) == json.loads(json.dumps(runs.to_dict()))
    assert len(runs.to_json(1).splitlines()) == 8
