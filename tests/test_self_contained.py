"""Files that hold judgments and a ranking are compared by one command."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

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
    assert "different judgments of query 'q two'" in result.err


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
    assert "different judgments of query 'q two'" in here("compare", before, after, "-m", "R@2").err


def test_a_check_takes_the_grades_of_both_responses_together_as_compare_does(tmp_path):
    before = rank_eval(tmp_path / "before.json", {"q one": ["x", "y"], "q two": ["x", "d6"]})
    after = rank_eval(tmp_path / "after.json", {"q one": ["d1", "x"], "q two": ["d6", "z"]})
    passed = here("check", after, "--baseline", before, "--fail-if", "R@2 drops 0.1")
    assert (passed.code, "0.500000 → 1.000000" in passed.out) == (0, True)
    failed = here("check", before, "--baseline", after, "--fail-if", "R@2 drops 0.1")
    assert (failed.code, "1.000000 → 0.500000" in failed.out) == (1, True)
    assert "rankgauge explain" not in failed.out  # the grades of one file would give other values
    report = here("report", before, after, "-m", "R@2", "-t", "md", "-o", "-")
    assert "(before.json, after.json)" in report.out


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
