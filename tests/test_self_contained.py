"""Files that hold judgments and a ranking are compared by one command."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from command_line import environment, here

DOCS = Path(__file__).parents[1] / "docs"

GOLD = {"q one": ["d1"], "q two": ["d6"], "q three": ["d8"]}


def write(path, retrieved, gold=GOLD):
    rows = [
        {"user_input": query, "retrieved_context_ids": retrieved[query], "reference_context_ids": items}
        for query, items in gold.items()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path):
    old = write(tmp_path / "old.jsonl", {"q one": ["d1", "d2"], "q two": ["d5", "d6"], "q three": ["d7", "d8"]})
    new = write(tmp_path / "new.jsonl", {"q one": ["d1"], "q two": ["d6"], "q three": ["d7", "d8"]})
    return old, new


def test_two_self_contained_files_are_compared(files):
    result = here("compare", *files, "-m", "RR", "-t", "json")
    assert result.code == 0
    systems = json.loads(result.out)["metrics"]["RR"]["systems"]
    assert {row["system"]: round(row["mean"], 4) for row in systems} == {"new": 0.8333, "old": 0.6667}
    named = here("compare", *files, "-m", "RR", "--baseline", "new", "-t", "json")
    assert json.loads(named.out)["baseline"] == "new"


def test_other_judgments_are_refused_with_the_query(files, tmp_path):
    other = write(tmp_path / "other.jsonl", {query: ["d1"] for query in GOLD}, GOLD | {"q two": ["d9"]})
    result = here("compare", files[0], other, "-m", "RR")
    assert result.code == 3
    assert (
        "different judgments of query 'q two': item 'd6' has grade 1 in the first and no grade in the second"
        in result.err
    )


def test_every_command_takes_several_such_files_as_systems(files):
    """``eval`` dropped the first, and ``explain`` and ``check`` took the gold of one and the ranking of the other."""
    old, new = files
    means = here("eval", old, new, "-m", "RR", "-t", "csv").out
    assert ("old,all,RR,0.66" in means, "new,all,RR,0.83" in means) == (True, True)
    data = json.loads(here("eval", old, new, "-m", "RR", "-t", "json").out)
    assert data["inputs"]["rankings"] == {"old": str(old), "new": str(new)}
    assert "old" in here("curve", old, f"b={new}", "-m", "R", "-k", "1,2").out
    assert here("tune", old, new, "-m", "RR", "--settings", "{name}.jsonl", "--folds", "2", "-t", "json").code == 0
    for command in ("explain", "reconcile"):
        result = here(command, old, new, "-m", "RR", *["--query", "q one"][: 2 * (command == "explain")])
        assert (result.code, f"each hold judgments and a ranking; the ranking is that of {new}" in result.err) == (
            0,
            True,
        )
    refused = here("check", old, new, "--fail-if", "RR < 0.1")
    assert (refused.code, "expected one ranking, found several" in refused.err) == (2, True)
    for baseline in (new, "new"):
        assert here("check", old, new, "--baseline", baseline, "--fail-if", "RR drops 0.1").code == 1


@pytest.mark.parametrize("command", ["eval", "explain", "curve", "reconcile"])
def test_other_judgments_are_refused_by_every_command(command, files, tmp_path):
    other = write(tmp_path / "other.jsonl", {query: ["d1"] for query in GOLD}, GOLD | {"q two": ["d9"]})
    result = here(command, files[0], other, "-m", "RR")
    assert (result.code, "different judgments of query 'q two'" in result.err) == (3, True)
    chinese = here(command, files[0], other, "-m", "RR", "--lang", "zh")
    assert "对查询 'q two' 的标注不同" in chinese.err


def test_judgments_given_beside_those_of_the_rankings_are_noted_with_the_way_to_merge_them(files, tmp_path):
    labels = tmp_path / "labels.csv"
    labels.write_text("query,item,grade,rater\nq one,d2,1,Ann\nq two,d5,0,Ann\nq three,d7,1,Ann\n", encoding="utf-8")
    result = here("compare", labels, *files, "-m", "R@2")
    text = f"x2; {files[0]}, {files[1]}; to use both, merge them: rankgauge judges export {files[0]} {labels} --to csv"
    assert (result.code, text in result.err) == (0, True), result.err
    assert "若要同时使用，请先合并：rankgauge judges export" in here("eval", labels, *files, "--lang", "zh").err
    merged = tmp_path / "merged.csv"
    merged.write_text(here("judges", "export", files[0], labels, "--to", "csv").out, encoding="utf-8")
    labels.write_text("query,item,grade\nq one,d2,1\nq one,d1,1\n", encoding="utf-8")
    again = here("judges", "export", files[0], labels, "--to", "csv")
    assert (again.code, "RG601" in again.err, "RG303" in again.err) == (0, False, True), again.err
    assert rg.evaluate(merged, files[0], "R@2").per_query() == {"q one": 1, "q two": 1, "q three": 1}
    codes = {finding.code for finding in rg.evaluate(labels, {"q one": ["d2"]}, "RR").findings}
    assert "RG127" not in codes
    for arguments in ([files[0]], [files[0], files[0]], [*files]):
        assert "RG127" not in here("eval", *arguments, "-m", "RR").err


def test_a_file_that_is_given_twice_is_one_system(files):
    table = here("eval", files[0], files[0], "-m", "RR", "-t", "csv").out
    assert ("\nold,all" in table, len(table.splitlines())) == (True, 2)


def test_lists_of_files_work_in_python(files):
    assert rg.evaluate([*files], metrics="RR").systems == ("old", "new")
    assert rg.evaluate({"a": files[0], "b": files[1]}, metrics="RR").systems == ("a", "b")
    with pytest.raises(rg.ParameterError, match="expected one ranking, found several"):
        rg.explain([*files], metric="RR", query="q one")


def rank_eval(path, hits):
    details = {
        query: {
            "metric_score": 0.5,
            "unrated_docs": [],
            "hits": [
                {"hit": {"_index": "i", "_id": item, "_score": 9.0 - place}, "rating": int(item == GOLD[query][0])}
                for place, item in enumerate(items)
            ],
        }
        for query, items in hits.items()
    }
    path.write_text(json.dumps({"metric_score": 0.5, "details": details, "failures": {}}), encoding="utf-8")
    return path


def test_two_responses_of_rank_eval_are_compared(tmp_path):
    before = rank_eval(tmp_path / "before.json", {"q one": ["x", "d1"], "q two": ["x", "d6"]})
    after = rank_eval(tmp_path / "after.json", {"q one": ["d1", "x"], "q two": ["x", "d6"]})
    result = here("compare", before, after, "-m", "RR", "-t", "json")
    assert result.code == 0, result.err
    (pair,) = json.loads(result.out)["metrics"]["RR"]["pairs"]
    assert (pair["first"], pair["second"], pair["difference"]) == ("before", "after", 0.25)


def test_grades_of_returned_items_are_taken_together(tmp_path):
    """Ratings of responses differ whenever other items are returned, so that no change could be compared."""
    before = rank_eval(tmp_path / "before.json", {"q one": ["x", "y"], "q two": ["x", "d6"]})
    after = rank_eval(tmp_path / "after.json", {"q one": ["d1", "x"], "q two": ["d6", "z"]})
    result = here("compare", before, after, "-m", "R@2", "-t", "json")
    assert result.code == 0, result.err
    (pair,) = json.loads(result.out)["metrics"]["R@2"]["pairs"]
    assert (pair["mean_first"], pair["mean_second"]) == (0.5, 1.0)  # d1 is relevant although only after returns it
    assert "RG116" in result.err

    other = json.loads(after.read_text())
    other["details"]["q two"]["hits"][0]["rating"] = 2
    after.write_text(json.dumps(other))
    text = "different judgments of query 'q two': item 'd6' has grade 1 in the first and grade 2 in the second"
    assert text in here("compare", before, after, "-m", "R@2").err
    chinese = here("--lang", "zh", "compare", before, after, "-m", "R@2").err
    assert "物品 'd6' 在前者中等级为 1，在后者中等级为 2" in chinese


def test_a_check_takes_the_grades_of_both_responses_together_as_compare_does(tmp_path):
    before = rank_eval(tmp_path / "before.json", {"q one": ["x", "y"], "q two": ["x", "d6"]})
    after = rank_eval(tmp_path / "after.json", {"q one": ["d1", "x"], "q two": ["d6", "z"]})
    passed = here("check", after, "--baseline", before, "--fail-if", "R@2 drops 0.1")
    assert (passed.code, "0.500000 → 1.000000" in passed.out) == (0, True)
    failed = here("check", before, "--baseline", after, "--fail-if", "R@2 drops 0.1")
    assert (failed.code, "1.000000 → 0.500000" in failed.out) == (1, True)
    assert f"rankgauge explain {after} {before} -m R@2 --query 'q one'" in failed.out
    report = here("report", before, after, "-m", "R@2", "-t", "md", "-o", "-")
    assert "(before.json, after.json)" in report.out


@pytest.mark.parametrize("order", ["two rankings", "a baseline"])
@pytest.mark.parametrize("form", ["ragas", "rank_eval"])
def test_the_commands_of_a_check_explain_the_value_of_the_check(form, order, tmp_path):
    """They were refused (ragas), or missing (``_rank_eval``: the grades of one file would give another value)."""
    write_form, ending = (rank_eval, "json") if form == "rank_eval" else (write, "jsonl")
    before = write_form(tmp_path / f"before.{ending}", {"q one": ["d1"], "q two": ["d6"], "q three": ["d8"]})
    after = write_form(tmp_path / f"after.{ending}", {"q one": ["x", "d1"], "q two": ["y"], "q three": ["d8"]})
    files = [after, "--baseline", before] if order == "a baseline" else [before, after, "--baseline", "before"]
    result = here("check", *files, "--fail-if", "RR drops 0.1", "-t", "json")
    worst = json.loads(result.out)["checks"][0]["worst"]
    assert [(query["query"], query["after"]) for query in worst[:2]] == [("q two", 0.0), ("q one", 0.5)]
    for query in worst[:2]:
        _, *words = shlex.split(query["explain"])
        explained = here(*words, "-t", "json")
        assert (explained.code, json.loads(explained.out)["value"]) == (0, query["after"])


def test_two_responses_are_read_with_the_options_of_the_call(tmp_path):
    before = rank_eval(tmp_path / "before.json", {"q one": ["d1", "x"], "q two": ["x", "d6"]})
    after = rank_eval(tmp_path / "after.json", {"q one": ["d1", "x"]})
    document = json.loads(after.read_text()) | {"failures": {"q two": {"error": {"reason": "boom"}}}}
    after.write_text(json.dumps(document))
    for command in (["compare", before, after], ["check", after, "--baseline", before, "--fail-if", "RR drops 0.01"]):
        strict = here(*command)
        assert (strict.code, "RG122" in strict.err) == (3, True)
        assert here(*command, "--lenient").code == (command[0] == "check")
    with pytest.warns(rg.DataWarning):
        scores = rg.compare([before, after], None, "RR", lenient=True, units="before first #").scores
    assert scores.per_query("RR", "after")["q two"] == 0
    assert scores.convention.units == "rolled-up"


TITLED = [{"_id": "d1", "_score": 2.0, "_source": {"title": "Red <b>shoes</b>"}}, {"_id": "d2", "_score": 1.0}]


@pytest.mark.parametrize(
    "document",
    [
        {"q": {"hits": {"hits": TITLED}}},
        {"responses": [{"hits": {"hits": TITLED}}], "queries": ["q"]},
        {"details": {"q": {"hits": [{"hit": hit, "rating": 1} for hit in TITLED]}}},
        {"q": {"hits": {"hits": [{"_id": "d1", "_score": 1.0, "fields": {"name": ["Red <b>shoes</b>"]}}]}}},
    ],
)
def test_titles_of_hits_are_shown_in_the_report(document, tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    report = rg.report({"q": {"d1": 1}}, {"run": path}, "RR")
    assert report.texts == {"d1": "Red <b>shoes</b>"}
    assert rg.report({"q": {"d1": 1}}, {"run": path}, "RR", texts={"d1": "own"}).texts == {"d1": "own"}


SHOWN = [{"_id": item, "_score": score} for item, score in (("a", 1.0), ("z", 1.0), ("m", 0.5), ("b", 0.5))]
PRICED = [{"_id": item, "_score": score} for item, score in (("a", 0.1), ("z", 1.0), ("m", 0.5), ("b", 2.0))]


@pytest.mark.parametrize("source", ["memory", "file"])
@pytest.mark.parametrize("hits", [SHOWN, PRICED])
@pytest.mark.parametrize(
    "document",
    [
        lambda hits: {"q": {"took": 3, "hits": {"hits": hits}}},
        lambda hits: {"q": {"hits": {"hits": hits}}},
        lambda hits: {"responses": [{"hits": {"hits": hits}}], "queries": ["q"]},
        lambda hits: {"metric_score": 1.0, "details": {"q": {"hits": [{"hit": hit, "rating": 1} for hit in hits]}}},
        lambda hits: {"q": hits},
    ],
)
def test_hits_of_responses_keep_the_order_shown(document, hits, source, tmp_path):
    """Equal scores were ordered by id, and hits of a sorted search by their scores: neither is what was shown."""
    ranking = document(hits)
    if source == "file":
        (tmp_path / "run.json").write_text(json.dumps(ranking))
        ranking = tmp_path / "run.json"
    for convention in (None, "trec_eval-9", "elasticsearch"):  # trec_eval compares scores in single precision
        for rank, item in enumerate("azmb", 1):
            scores = rg.evaluate({"q": {item: 1}}, ranking, "RR", convention=convention)
            assert scores.mean() == 1 / rank
        codes = {finding.code for finding in scores.findings}
        assert "RG121" in codes
        assert not codes & {"RG210", "RG212"}


def test_hits_with_falling_scores_need_no_note():
    hits = [{"_id": "a", "_score": 2.0}, {"_id": "b", "_score": 1.0}]
    findings = rg.evaluate({"q": {"b": 1}}, {"q": {"took": 1, "hits": {"hits": hits}}}, "RR").findings
    assert "RG121" not in {finding.code for finding in findings}


def test_responses_of_msearch_have_the_names_given_beside_them():
    responses = [{"hits": {"hits": [{"_id": "b", "_score": 2.0}, {"_id": "a", "_score": 1.0}]}}]
    judgments = {"red shoes": {"a": 1}}
    assert rg.evaluate(judgments, {"responses": responses, "queries": ["red shoes"]}, "RR").mean() == 0.5
    with pytest.raises(rg.InputError, match=r"numbered \(1\).*'red shoes'.*_msearch.*\"queries\""):
        rg.evaluate(judgments, {"responses": responses}, "RR")
    with pytest.raises(rg.InputError, match="not as many names"):
        rg.evaluate(judgments, {"responses": responses, "queries": ["red shoes", "hats"]}, "RR")


def test_empty_grades_name_the_lenient_remedy_and_are_then_unjudged(tmp_path):
    judgments, ranking = tmp_path / "judgments.csv", tmp_path / "ranking.csv"
    judgments.write_text("query,item,grade\nq,a,1\nq,b,\n", encoding="utf-8")
    ranking.write_text("query,item,score\nq,a,1\nq,b,2\n", encoding="utf-8")
    refused = here("eval", judgments, ranking, "-m", "RR")
    assert refused.code == 3
    assert "--lenient" in refused.err
    lenient = here("eval", judgments, ranking, "-m", "RR", "--lenient")
    assert lenient.code == 0
    assert "warning RG204" in lenient.err
    assert "error RG204" not in lenient.err


@pytest.mark.parametrize("verb", [rg.evaluate, rg.compare, rg.explain])
def test_units_imply_their_rules_in_python_as_in_commands(verb):
    gold, ranking = {"q": {"d1": 1, "d2": 1}}, {"q": ["d9#0", "d1#2", "d1#3", "d2#0"]}
    rolled = {"units": "before last #", "convention": rg.Convention(units="rolled-up", duplicates="close-up")}
    rankings = {"a": ranking, "b": {"q": ["d2#1"]}} if verb is rg.compare else ranking
    assert str(verb(gold, rankings, "R@3", units="before last #")) == str(verb(gold, rankings, "R@3", **rolled))
    first = rg.evaluate(gold, ranking, "R@3", units="before last #", convention=rg.Convention(duplicates="first"))
    assert first.convention.duplicates == "first"


@pytest.mark.parametrize("page", ["elasticsearch.md", "elasticsearch.zh-CN.md"])
def test_the_way_from_a_list_of_queries_to_a_check_works_as_written(page, tmp_path):
    """The commands of the page run in a shell; a stand-in for curl returns a response of _msearch."""
    if shutil.which("jq") is None or os.name == "nt":
        pytest.skip("jq is not installed")
    block = re.search(r"```sh\n(jq .*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)[1]
    hits = [
        [
            {"_id": item, "_score": 1 / place, "_source": {"title": f"Title of {item}"}}
            for place, item in enumerate(items, 1)
        ]
        for items in ("bac", "de")
    ]
    response = {"took": 1, "responses": [{"took": 1, "hits": {"hits": rows}} for rows in hits]}
    files = {
        "queries.txt": "red shoes\nhats\n",
        "ratings.csv": "query,docid,rating\nred shoes,a,3\nred shoes,b,\nhats,e,2\nhats,d,0\n",
        "old.json": json.dumps(
            {"red shoes": {"took": 1, "hits": {"hits": hits[0][1:]}}, "hats": response["responses"][1]}
        ),
        "response.json": json.dumps(response),
        "bin/curl": "#!/bin/sh\ncat > sent.ndjson\ncat response.json\n",
        "bin/rankgauge": f'#!/bin/sh\nexec {sys.executable} -m rankgauge "$@"\n',
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
    result = subprocess.run(
        [shutil.which("sh"), "-c", block], cwd=tmp_path, env=environment(PATH=f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"),
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert [json.loads(line) for line in (tmp_path / "sent.ndjson").read_text().splitlines()][1::2] == [
        {"query": {"match": {"title": query}}, "size": 100} for query in ("red shoes", "hats")
    ]
    assert json.loads((tmp_path / "new.json").read_text())["queries"] == ["red shoes", "hats"]
    assert result.returncode == 1, result.stderr  # the mean dropped
    assert "nDCG@10: 0.815465 → 0.630930" in result.stdout
    assert "rankgauge explain ratings.csv new.json -m nDCG@10 --query 'red shoes' --lenient" in result.stdout
    assert (tmp_path / "report.html").stat().st_size > 10_000


def test_a_response_without_a_query_says_how_to_name_it(tmp_path):
    (tmp_path / "answer.json").write_text(json.dumps({"took": 1, "hits": {"hits": [{"_id": "a", "_score": 1.0}]}}))
    (tmp_path / "ratings.csv").write_text("query,item,grade\nred shoes,a,1\nhats,b,\n", encoding="utf-8")
    result = here("eval", tmp_path / "ratings.csv", tmp_path / "answer.json", "--lenient")
    assert result.code == 4
    assert 'save it as an object from the query to the response: {"red shoes": ...}' in result.err
    assert "RG204" not in result.err  # such rows were left out as asked


def test_self_contained_files_are_compared_in_python(files):
    listed = rg.compare([*files], metrics="RR")
    assert {name: round(listed.scores.system(name).mean(), 4) for name in listed.systems} == {
        "old": 0.6667,
        "new": 0.8333,
    }
    assert rg.compare({"a": files[0], "b": files[1]}, None, "RR").systems == ("a", "b")
    assert rg.report([*files], metrics="RR", date=None).to_json()


def test_a_file_without_one_side_is_named_in_python(files, tmp_path):
    (tmp_path / "ranking.txt").write_text("q Q0 a 1 1.0 x\n")
    with pytest.raises(
        rg.InputError, match=r"ranking\.txt: holds a ranking only .* pass both, or a file that holds both"
    ):
        rg.compare([files[0], tmp_path / "ranking.txt"], metrics="RR")
    with pytest.raises(rg.InputError, match=r"missing\.jsonl"):
        rg.compare([files[0], tmp_path / "missing.jsonl"], metrics="RR")


def test_a_pool_leaves_out_what_its_rankings_judge(files, tmp_path):
    old, new = files
    expected = [("q one", "d2"), ("q two", "d5"), ("q three", "d7")]
    assert rg.pool([old, new], depth=2).pairs() == expected
    with old.open() as opened:
        assert rg.pool([opened, {"q one": ["d1", "d2"]}], depth=2).pairs() == expected
    assert rg.pool(rg.read(old), depth=1).pairs() == [("q two", "d5"), ("q three", "d7")]
    assert len(rg.pool([old, new], depth=2, judgments={"q one": {"x": 1}}).pairs()) == 6
    hits = {"q one": ["x", "d1"], "q two": ["x", "d6"]}
    assert not rg.pool([rank_eval(tmp_path / "rated.json", hits)], depth=2).pairs()


def test_a_pool_refuses_rankings_that_judge_differently(files, tmp_path):
    other = write(tmp_path / "other.jsonl", {query: ["d1"] for query in GOLD}, GOLD | {"q two": ["d9"]})
    result = here("pool", files[0], other, "--depth", "1")
    assert (result.code, "query 'q two'" in result.err, "--judgments" in result.err) == (3, True, True)
    assert here("pool", files[0], other, "--depth", "1", "--judgments", other).code == 0


def test_a_check_in_python_reads_both_sides_as_the_command_does(files, tmp_path):
    before = rank_eval(tmp_path / "before.json", {"q one": ["x", "y"], "q two": ["x", "d6"]})
    after = rank_eval(tmp_path / "after.json", {"q one": ["d1", "x"], "q two": ["d6", "z"]})
    result = rg.check(after, None, "R@2 drops 0.1", baseline=before)
    assert (result.checks[0].baseline, result.checks[0].value) == (0.5, 1)

    old, new = map(str, files)
    (command, *_) = (
        failed.explain_command(check.condition.metric, failed_query.query)
        for failed in [rg.check(new, None, "RR < 1", baseline=old)]
        for check in failed.failures
        for failed_query in check.worst
    )
    program, *words = shlex.split(command)
    assert (program, words[:2], words.count(new)) == ("rankgauge", ["explain", new], 1)
    assert here(*words).code == 0


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_labels_of_people_are_not_taken_by_a_check(files, lang):
    result = here("check", *files, "--people", "x", "--fail-if", "RR < 0.5", "--lang", lang)
    assert (result.code, "judges correct" in result.err) == (2, True)
    with pytest.raises(rg.UnknownNameError, match="check does not take people"):
        rg.check(files[0], None, "RR < 0.5", people={})


@pytest.mark.parametrize("form", ["records", "tuple", "polars", "pandas", "read", "jsonl"])
def test_records_of_both_sides_need_no_rg_read(form, tmp_path):
    rows = [
        {"user_input": f"q{n}", "reference_context_ids": ["a", "b"], "retrieved_context_ids": ["a", "c"][: n % 2 + 1]}
        for n in range(4)
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    data = {
        "records": rows,
        "tuple": tuple(rows),
        "polars": pl.DataFrame(rows),
        "pandas": pd.DataFrame(rows),
        "read": rg.read(rows),
        "jsonl": path,
    }[form]

    assert rg.evaluate(data, metrics=["P", "R"], convention="ragas-id").means() == {"P": 0.75, "R": 0.5}
    with pytest.raises(rg.InputError):
        rg.evaluate(rows[0]["reference_context_ids"], metrics="P")


@pytest.mark.parametrize(
    "names",
    [("查询词", "文档", "起点", "终点"), ("查询", "文档", "起始", "结束"), ("查询", "文档", "起始位置", "结束位置")],
)
@pytest.mark.parametrize("form", ["csv", "records", "polars"])
def test_chinese_columns_of_spans(names, form, tmp_path):
    gold = pl.DataFrame([("q", "甲", 0, 10)], schema=[*names], orient="row")
    chunks = pl.DataFrame([("q", "甲", 5, 40, 0.5)], schema=[*names, "得分"], orient="row")

    def given(frame, name):
        frame.write_csv(tmp_path / name)
        return {"csv": tmp_path / name, "records": frame.to_dicts(), "polars": frame}[form]

    assert rg.evaluate(given(gold, "g.csv"), given(chunks, "c.csv"), "SpanRecall").mean() == 0.5


ROWS = [
    {"query": "q1", "item": "a", "grade": 1, "score": 0.5},
    {"query": "q1", "item": "b", "grade": 0, "score": 0.9},
    {"query": "q2", "item": "c", "grade": 2, "score": 0.7},
]
VALUES = {"q1": 0.5, "q2": 1.0}
RENAMED = [
    ({"grade": "label", "score": "rank"}, {}),
    ({"grade": "rating", "score": "prediction"}, {}),
    ({"query": "查询", "item": "物品", "grade": "相关性", "score": "得分"}, {}),
    ({"grade": "rating"}, {"grade": "rating", "score": "score"}),
    ({"grade": "y", "score": "p"}, {"grade": "y", "score": "p"}),
]
TABLES = {
    "frame": lambda table, _: table,
    "pandas": lambda table, _: table.to_pandas(),
    "lazy": lambda table, _: table.lazy(),
    "records": lambda table, _: table.to_dicts(),
    "csv": lambda table, path: table.write_csv(path),
    "tsv": lambda table, path: table.write_csv(path, separator="\t"),
    "jsonl": lambda table, path: table.write_ndjson(path),
    "json": lambda table, path: table.write_json(path),
    "parquet": lambda table, path: table.write_parquet(path),
    "arrow": lambda table, path: table.write_ipc(path),
}


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize(("names", "columns"), [({}, {}), *RENAMED])
def test_a_table_with_a_grade_and_a_score_in_each_row_holds_both(names, columns, form, tmp_path):
    """It was said to hold judgments only, or a ranking only."""
    table = pl.DataFrame(ROWS).rename(names)
    if "rank" in names.values():
        table = table.with_columns(pl.Series("rank", [2, 1, 1]))
    path = tmp_path / f"table.{form}"
    source = TABLES[form](table, path)
    source = path if source is None else source
    read = {"columns": columns} if columns else {}
    data = rg.read(source, **read)
    assert (data.judgments is not None, len(data.rankings)) == (True, 1)
    for given in (data, source):
        scores = rg.evaluate(given, metrics="RR", **(read if given is source else {}))
        assert scores.per_query("RR") == VALUES
        assert "RG116" in {finding.code for finding in scores.findings}
    assert rg.evaluate({"q1": {"a": 1}, "q2": {"c": 1}}, source, "RR", **read).per_query("RR") == VALUES


def test_two_tables_with_grades_and_scores_are_compared(tmp_path):
    for name, score in (("old", 0.5), ("new", 0.95)):
        pl.DataFrame([ROWS[0] | {"score": score}, *ROWS[1:]]).write_csv(tmp_path / f"{name}.csv")
    result = here("compare", tmp_path / "old.csv", tmp_path / "new.csv", "-m", "RR", "-t", "json")
    systems = json.loads(result.out)["metrics"]["RR"]["systems"]
    assert {row["system"]: row["mean"] for row in systems} == {"new": 1.0, "old": 0.75}
    refused = here("convert", tmp_path / "old.csv", "-o", tmp_path / "old.txt", "--to", "trec")
    assert (refused.code, "holds judgments and a ranking; pass --role" in refused.err) == (2, True)


def test_a_table_that_may_hold_both_is_refused_with_the_columns_to_name(tmp_path):
    """A rating beside a score could be a second score."""
    path = tmp_path / "table.csv"
    pl.DataFrame(ROWS).rename({"grade": "rating"}).write_csv(path)
    refused = here("eval", path)
    assert refused.code == 3
    assert "if each row has both, name the columns: --columns grade=...,score=..." in refused.err
    assert here("eval", path, "--columns", "grade=rating,score=score", "-m", "RR").code == 0
