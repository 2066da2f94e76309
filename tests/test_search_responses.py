"""What a search engine says about its own searches: failures, incomplete results, and searches that return nothing."""

import json

import pytest

import rankgauge as rg
from command_line import here

FAILED = {"error": {"type": "index_not_found_exception", "reason": "no such index [x]"}, "status": 404}
JUDGMENTS = {query: {"a": 1} for query in "abc"}


def hits(*items, **fields):
    return {"hits": {"hits": [{"_id": item, "_score": 5.0 - place} for place, item in enumerate(items)]}, **fields}


def found(scores):
    return {finding.code: finding for finding in scores.findings}


FORMS = {
    "msearch": {"responses": [hits("a"), FAILED, hits("a")], "queries": [*"abc"]},
    "by query": {"a": hits("a"), "b": FAILED, "c": hits("a")},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("in_file", [False, True])
def test_a_failed_search_is_named_and_lenient_reading_keeps_those_after_it(form, in_file, tmp_path):
    source = FORMS[form]
    if in_file:
        source = tmp_path / "run.json"
        source.write_text(json.dumps(FORMS[form]), encoding="utf-8")
    with pytest.raises(rg.InputError, match=r"the search failed: 'no such index \[x\]' \(query 'b'\)") as caught:
        rg.evaluate(JUDGMENTS, source, "RR")
    assert caught.value.codes == ("RG122",)
    scores = rg.evaluate(JUDGMENTS, source, "RR", lenient=True)
    assert scores.per_query("RR") == {"a": 1, "b": 0, "c": 1}
    assert found(scores)["RG122"].count == 1
    assert "查询 'b'" in found(scores)["RG122"].example("zh")


def test_an_invalid_hit_does_not_hide_the_searches_after_it():
    source = {"responses": [{"hits": {"hits": [{"_score": 1.0}]}}, hits("a"), hits("a")], "queries": [*"abc"]}
    scores = rg.evaluate(JUDGMENTS, source, "RR", lenient=True)
    assert scores.per_query("RR") == {"a": 0, "b": 1, "c": 1}
    assert "'a'" in found(scores)["RG110"].example("en")


def test_responses_that_all_failed_are_named():
    with pytest.raises(rg.InputError, match="the search failed") as caught:
        rg.evaluate(JUDGMENTS, {"responses": [FAILED, {"error": "x"}, FAILED], "queries": [*"abc"]}, "RR")
    assert caught.value.codes == ("RG122",)


def test_failures_of_rank_eval_are_named(tmp_path):
    rated = {"hit": {"_index": "i", "_id": "a", "_score": 1.0}, "rating": 1}
    document = {"metric_score": 1, "details": {"a": {"metric_score": 1, "unrated_docs": [], "hits": [rated]}}}

    def scores(**read):
        path = tmp_path / "response.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return rg.evaluate(path, metrics="RR", **read)

    assert scores().mean() == 1
    document["failures"] = {"b": {"error": {"type": "parsing_exception", "reason": "unknown query [mtach]"}}}
    with pytest.raises(rg.InputError, match=r"the search failed: 'unknown query \[mtach\]' \(query 'b'\)"):
        scores()
    assert scores(lenient=True).mean() == 1
    assert found(scores(lenient=True))["RG122"].count == 1


@pytest.mark.parametrize(
    ("sign", "text"),
    [
        ({"timed_out": True}, "the search timed out (query 'b')"),
        ({"_shards": {"total": 5, "failed": 2}}, "the search failed on 2 of 5 shards (query 'b')"),
    ],
)
def test_incomplete_searches_are_warned_of(sign, text):
    complete = {"timed_out": False, "_shards": {"total": 5, "failed": 0}}
    source = {"a": hits("a", **complete), "b": hits("a", **complete) | sign, "c": hits("a")}
    with pytest.warns(rg.DataWarning, match="RG123"):
        scores = rg.evaluate(JUDGMENTS, source, "RR")
    assert scores.mean() == 1
    finding = found(scores)["RG123"]
    assert (finding.severity, finding.count) == ("warning", 1)
    assert text in finding.example("en")


def test_repeated_names_of_responses_are_refused():
    source = {"responses": [hits("b", "c"), hits("a")], "queries": ["q", "q"]}
    with pytest.raises(rg.InputError, match=r"responses\[1\].*already \(query 'q'\)") as caught:
        rg.evaluate({"q": {"a": 1, "b": 0}}, source, "RR")
    assert caught.value.codes == ("RG306",)
    assert rg.evaluate({"q": {"a": 0, "b": 1}}, source, "RR", lenient=True).mean() == 1


def test_a_search_without_hits_returned_nothing(tmp_path):
    judgments, ranking = tmp_path / "judgments.json", tmp_path / "run.json"
    judgments.write_text(json.dumps(JUDGMENTS), encoding="utf-8")
    ranking.write_text(json.dumps({"a": hits("a"), "b": hits(), "c": hits("a")}), encoding="utf-8")
    result = here("eval", judgments, ranking, "-m", "RR")
    assert result.code == 0
    assert "the search returned nothing (query 'b')" in result.err
    assert "missing from the ranking" not in result.out + result.err


@pytest.mark.parametrize("form", ["memory", "json", "rows"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_definition_says_that_hits_keep_the_order_shown(form, lang, tmp_path):
    """Equal scores kept the order shown, and the definition said ties=id alone."""
    hits = [{"_id": item, "_score": 1.0} for item in ("a", "b")]
    responses = {"my query": {"hits": {"hits": hits}}, "other": {"hits": {"hits": []}}}
    (tmp_path / "r.json").write_text(json.dumps(responses))
    rows = [("my query", "a", 1.0), ("my query", "b", 1.0)]
    ranking = {"memory": responses, "json": tmp_path / "r.json", "rows": rows}[form]
    judgments = {"my query": {"a": 1, "b": 0}, "other": {"a": 1}}

    scores = rg.evaluate(judgments, ranking, "RR")
    compared = rg.compare(judgments, {"x": ranking, "y": {"my query": ["a"], "other": ["a"]}}, "RR")

    text = {"en": "in the order shown, also where scores are equal", "zh": "按返回的次序，分数相同时亦然"}[lang]
    for shown in (
        scores.document(lang).to_text(),
        compared.document(lang).to_text(),
        compared.paper_table(lang).to_text(),
    ):
        assert (text in "".join(shown.split("\n")) or text in " ".join(shown.split())) == (form != "rows")
    assert scores.mean("RR") == (0.5 if form != "rows" else 0.25)
    assert "'other'" in scores.document(lang).to_text()


@pytest.mark.parametrize("name", ["run.json", "run.ndjson", "run.txt"])
@pytest.mark.parametrize("error", [FAILED["error"], "IndexMissingException[[x] missing]"])
def test_a_file_that_is_an_error_response_is_named_as_one(name, error, tmp_path):
    """It was said to have no column for query, item and score."""
    path, reason = tmp_path / name, error["reason"] if isinstance(error, dict) else error
    path.write_text(json.dumps({"error": error, "status": 404}), encoding="utf-8")
    ranking = {"a": ["a"]}
    for call in (
        lambda: rg.evaluate(JUDGMENTS, path),
        lambda: rg.evaluate(path, ranking),
        lambda: rg.evaluate(path),
        lambda: rg.read(path),
        lambda: rg.evaluate(JUDGMENTS, {"error": error, "status": 404}),
    ):
        with pytest.raises(rg.InputError) as caught:
            call()
        assert caught.value.codes == ("RG122",)
        assert f"the search failed: {reason!r}" in str(caught.value)
    with pytest.raises(rg.InputError, match="an error response of the search engine"):
        rg.read(path)


LINES = [{"query_id": "a", **hits("a")}, {"query_id": "b", **FAILED}, {"query_id": "c", **hits("b", "a")}]


@pytest.mark.parametrize("order", [LINES, LINES[1:] + LINES[:1]])
@pytest.mark.parametrize("form", ["lines", "array", "records"])
def test_responses_may_stand_in_lines_and_an_error_among_them_is_named(order, form, tmp_path):
    path = tmp_path / "run.json"
    path.write_text("\n".join(map(json.dumps, order)) if form == "lines" else json.dumps(order), encoding="utf-8")
    source = order if form == "records" else path
    with pytest.raises(rg.InputError, match=r"the search failed: 'no such index \[x\]' \(query 'b'\)") as caught:
        rg.evaluate(JUDGMENTS, source, "RR")
    assert caught.value.codes == ("RG122",)
    place = {"lines": f"run.json:{order.index(LINES[1]) + 1}:", "array": "run.json:1:", "records": "ranking"}[form]
    assert place in str(caught.value)
    assert rg.evaluate(JUDGMENTS, source, "RR", lenient=True).per_query("RR") == {"a": 1, "b": 0, "c": 0.5}


@pytest.mark.parametrize("form", ["lines", "responses", "by query"])
def test_responses_in_lines_are_numbered_as_those_of_msearch(form, tmp_path):
    path, searches = tmp_path / "run.ndjson", [hits("a"), hits("b", "a")]
    documents = {
        "lines": searches,
        "responses": [{"responses": searches}],
        "by query": [{str(number): found} for number, found in enumerate(searches, 1)],
    }
    path.write_text("\n".join(map(json.dumps, documents[form])), encoding="utf-8")
    judgments = {"1": {"a": 1}, "2": {"a": 1}}
    assert rg.evaluate(judgments, path, "RR").per_query("RR") == {"1": 1, "2": 0.5}


def test_searches_by_query_that_all_failed_are_named(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"a": FAILED, "b": FAILED}), encoding="utf-8")
    with pytest.raises(rg.InputError, match="2 problems of 1 kind") as caught:
        rg.evaluate(JUDGMENTS, path, "RR")
    assert caught.value.codes == ("RG122",)


RATINGS = [{"_index": "i", "_id": item, "rating": rating} for item, rating in (("a", 3), ("b", 0), ("a", 1))]
RATED = {
    "request": {"requests": [{"id": "q", "request": {}, "ratings": RATINGS}], "metric": {"dcg": {"k": 10}}},
    "response": {
        "details": {"q": {"hits": [{"hit": {"_id": rated["_id"]}, "rating": rated["rating"]} for rated in RATINGS]}}
    },
}


@pytest.mark.parametrize("kind", RATED)
@pytest.mark.parametrize("in_file", [False, True])
def test_conflicting_ratings_are_shown_with_the_document_and_the_query(kind, in_file, tmp_path):
    source = tmp_path / "rated.json"
    source.write_text(json.dumps(RATED[kind]), encoding="utf-8")
    with pytest.raises(rg.InputError, match="RG302") as caught:
        rg.evaluate(source if in_file else RATED[kind], {"q": ["a"]}, "RR")
    assert "item 'a' is judged more than once, with the grades 3 and 1 (query 'q')" in str(caught.value)
    assert "物品 'a' 被标注多次，等级为 3、1（查询 'q'）" in caught.value.render("zh")
