"""Values per query from elsewhere: compared, checked and reported without judgments and rankings."""

import json
import re
from pathlib import Path

import pytest

import rankgauge as rg
from command_line import here
from serving import reported

GOLD = {f"q{n}": {"a": 1} for n in range(8)}
OLD = rg.evaluate(GOLD, {q: ["a"] if n % 2 else ["x", "a"] for n, q in enumerate(GOLD)}, ["RR", "P@1"])
NEW = rg.evaluate(GOLD, {q: ["a"] if n % 4 else ["x", "y", "z", "a"] for n, q in enumerate(GOLD)}, ["RR", "P@1"])
BOTH = {"old": OLD, "new": NEW}
EXPECTED = {name: {metric: scores.per_query(metric) for metric in ("RR", "P@1")} for name, scores in BOTH.items()}


def wide(scores, separator=","):
    rows = [("qid", "P_1", "recip_rank", "note")]
    rows += [(q, scores.per_query("P@1")[q], scores.per_query("RR")[q], "text") for q in GOLD]
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def long(scores):
    return "query,metric,value\n" + "".join(
        f"{q},{metric},{scores.per_query(metric)[q]}\n" for q in [*GOLD] for metric in ("RR", "P@1")
    )


def mteb(scores, task):
    entry = {"hf_subset": "default", "main_score": 0.5, "mrr_at_10": scores.per_query("RR")[task], "languages": ["en"]}
    entry |= {"precision_at_1": scores.per_query("P@1")[task], "nauc_mrr_at_10_max": float("nan")}
    return json.dumps({"task_name": task, "mteb_version": "2", "scores": {"test": [entry]}})


FORMS = {
    "trec_eval": lambda scores: scores.to_trec().replace("P_1 ", "runid \tall\tme\nP_1 ", 1),
    "csv": wide,
    "tsv": lambda scores: wide(scores, "\t"),
    "long": long,
    "json": rg.Scores.to_json,
    "jsonl": lambda scores: "".join(
        json.dumps({"qid": q, "P_1": scores.per_query("P@1")[q], "map": None, "recip_rank": scores.per_query("RR")[q]})
        + "\n"
        for q in GOLD
    ),
    "array": lambda scores: json.dumps(
        [{"query": q, "metric": m, "value": scores.per_query(m)[q]} for m in ("RR", "P@1") for q in GOLD], indent=1
    ),
    "blanks": lambda scores: "".join(f"me {m} {q} {scores.per_query(m)[q]}\n" for m in ("RR", "P@1") for q in GOLD),
}


def files(folder, form):
    paths = {}
    for name, scores in BOTH.items():
        paths[name] = folder / name
        folder.mkdir(exist_ok=True)
        if form == "mteb":
            for task in GOLD:
                path = folder / name / "revision" / f"{task}.json"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(mteb(scores, task))
        else:
            paths[name].write_text(FORMS[form](scores))
    return paths


@pytest.mark.parametrize("form", [*FORMS, "mteb"])
def test_every_format_gives_the_same_values(form, tmp_path):
    paths = files(tmp_path, form)
    scores = rg.read_scores(paths)
    names = {"RR": "RR@10" if form == "mteb" else "RR", "P@1": "P@1"}

    for system, by_metric in EXPECTED.items():
        for metric, values in by_metric.items():
            assert scores.per_query(names[metric], system) == pytest.approx(values, abs=1e-12)
    assert rg.compare(scores).pairs(names["RR"])[0].difference == pytest.approx(NEW.mean("RR") - OLD.mean("RR"))
    result = here("compare", *paths.values(), "-m", names["RR"], "-t", "json")
    assert result.code == 0, result.err
    assert json.loads(result.out)["convention"] is None


def test_the_rows_of_results_of_mteb_and_beir_are_called_data_sets(tmp_path):
    mteb_paths = files(tmp_path, "mteb")
    beir = {name: tmp_path / f"beir-{name}" for name in BOTH}
    for place, folder in enumerate(beir.values()):
        folder.mkdir()
        for name in ("nfcorpus", "scifact", "arguana"):
            (folder / f"{name}.json").write_text(json.dumps({"ndcg": {"NDCG@10": 0.5 + 0.1 * place}}))
    for paths, count in ((mteb_paths, 8), (beir, 3)):
        scores = rg.read_scores(paths)
        for result in (
            scores,
            rg.compare(scores),
            rg.report(scores),
            rg.check(scores.system("old"), fail_if=f"{scores.metrics[0]} < 0"),
        ):
            english, chinese = (result.document(lang).to_text() for lang in ("en", "zh"))
            assert f"{count} data sets" in english
            assert f"{count} 个数据集" in chinese
            assert not re.search("quer(y|ies)", english)
            assert "查询" not in chinese
    assert "8 queries" in rg.read_scores(files(tmp_path / "mteb", "csv")).document().to_text()


MATRIX = "topic,bm25,my model\n1,0.25,0.5\n2,1,0.75\n3,0,0.5\n"


@pytest.mark.parametrize("content", [MATRIX, MATRIX.replace(",", "\t"), MATRIX.replace("topic", '"query_id"')])
def test_a_table_of_topics_and_systems_has_the_metric_that_is_named(tmp_path, content):
    path = tmp_path / "values.csv"
    path.write_text(content)
    scores = rg.read_scores(path, "nDCG@10")

    assert scores.per_query("nDCG@10", "bm25") == {"1": 0.25, "2": 1.0, "3": 0.0}
    assert scores.mean("nDCG@10", "my model") == 1.75 / 3
    named = {name: rg.read_scores({"x": path, "y": path}, "AP").mean("AP", name) for name in ("x/bm25", "y/bm25")}
    assert named == {"x/bm25": 1.25 / 3, "y/bm25": 1.25 / 3}
    pair = json.loads(here("compare", path, "-m", "nDCG@10", "-t", "json").out)["metrics"]["nDCG@10"]["pairs"][0]
    assert (pair["first"], pair["second"], pair["queries"]) == ("bm25", "my model", 3)
    assert here("report", path, "-m", "AP", "-o", tmp_path / "page.html").code == 0
    assert rg.leaderboard(path, metric="nDCG@10").values() == pytest.approx({"my model": 1.75 / 3, "bm25": 1.25 / 3})
    assert rg.leaderboard(path).results.metric == ""


@pytest.mark.parametrize("metrics", [[], ["-m", "AP,RR"]])
def test_a_table_of_topics_and_systems_without_a_metric_says_how_to_name_one(tmp_path, metrics):
    path = tmp_path / "values.csv"
    path.write_text(MATRIX)
    for command in ("compare", "report"):
        result = here(command, path, *metrics)
        assert "values.csv: the values name no metric [RG114]" in result.err
        assert "remedy: name one: -m METRIC" in result.err
    with pytest.raises(rg.InputError, match="name one: metrics="):
        rg.read_scores(path)


def test_values_of_systems_in_rows_have_the_metric_that_is_named(tmp_path):
    path = tmp_path / "values.csv"
    path.write_text("query,system,value\nq1,a,0.5\nq1,b,0.25\nq2,a,1\nq2,b,\n")
    scores = rg.read_scores(path, "AP")

    assert scores.per_query("AP", "a") == {"q1": 0.5, "q2": 1.0}
    assert [finding.code for finding in scores.findings] == ["RG119"]


@pytest.mark.parametrize(
    "content",
    [
        "query,d1,d2\nq1,17,4\nq2,3,2\n",
        "query,item,bm25\nq1,a,0.5\n",
        "query,score\nq1,0.5\n",
        "query,grade,x\nq1,0.5,1\n",
        "name,bm25\nq1,0.5\n",
        "query,bm25\nq1,text\n",
    ],
)
def test_other_tables_are_no_values_of_systems(tmp_path, content):
    path = tmp_path / "values.csv"
    path.write_text(content)
    with pytest.raises(rg.InputError, match="holds no values of metrics"):
        rg.read_scores(path, "AP")


def test_parts_that_need_rankings_are_omitted_with_a_note(tmp_path):
    paths = files(tmp_path, "trec_eval")
    scores, unknown = rg.read_scores(paths), "the definition, ties and unjudged items are unknown"

    for document in (scores.document(), rg.compare(scores).document(), rg.report(scores).document()):
        text = document.to_text()
        assert unknown in text
        assert "ties:" not in text
    assert "definition used" not in scores.document().to_text()
    assert unknown in rg.report(scores).to_html()
    assert rg.report(scores.system("old")).to_markdown().count("0.7500")
    assert json.loads(scores.to_json())["convention"] is None
    assert unknown in here("eval", *paths.values()).out


def test_check_and_report_of_files_of_values(tmp_path):
    old, new = files(tmp_path, "csv").values()

    assert here("check", old, "--baseline", new, "--fail-if", "P@1 drops 0.1").code == 1
    assert here("check", new, "--baseline", old, "--fail-if", "P@1 drops 0.1").code == 0
    assert here("check", new, "--fail-if", "RR < 0.1").code == 0
    assert rg.check(rg.read_scores(old), fail_if="P@1 drops 0.1", baseline=new).failures
    assert here("report", old, new, "-o", tmp_path / "page.html").code == 0
    assert "<table" in (tmp_path / "page.html").read_text()


def test_measures_that_are_not_means_are_left_out(tmp_path):
    path = tmp_path / "values.txt"
    path.write_text("num_ret\tq1\t3\nmap\tq1\t0.5\nmy_own\tq1\t2\nmap\tall\t0.5\n")
    scores = rg.read_scores(path)

    assert scores.means() == {"AP": 0.5}
    (finding,) = scores.findings
    assert (finding.code, finding.count) == ("RG118", 2)


def test_trec_eval_has_several_names_of_one_measure(tmp_path):
    path = tmp_path / "values.txt"
    path.write_text("Rprec\tq1\t0.5\nRprec_mult_1.00\tq1\t0.5\nRprec\tq2\t1\nRprec_mult_1.00\tq2\t1\n")

    assert [*rg.read_scores(path).means().values()] == [0.75]


def test_a_query_without_a_value_counts_for_no_system():
    scores = rg.Scores.of_values({"a": {"RR": {"q1": 1, "q2": 0.5}}, "b": {"RR": {"q1": 0.5, "q3": 1}}})

    assert rg.compare(scores).values("RR").queries == ("q1",)
    with pytest.raises(rg.UnknownNameError, match="metric of b"):
        rg.Scores.of_values({"a": {"RR": {"q": 1}, "AP": {"q": 1}}, "b": {"RR": {"q": 1}}}, metrics=[rg.AP])
    with pytest.raises(rg.InputError, match=r"no metric has values of every system \(a: RR; b: AP\)"):
        rg.Scores.of_values({"a": {"RR": {"q": 1}}, "b": {"AP": {"q": 1}}})


MALFORMED = {
    "means only": ("map\tall\t0.5\n", "has means, but no values by query, .*: trec_eval -q"),
    "no number": ("map\tq1\t0.5\nmap\tq2\tx\n", "values:2: expected measure, query and value separated by tabs"),
    "short": ("map\tq1\t0.5\nmap\tq2\n", "values:2: expected measure, query and value"),
    "infinite": ("map\tq1\tinf\n", "values: map of query 'q1' is infinite"),
    "twice": ("map\tq1\t0.5\nmap\tq1\t0.6\n", "values: map of query 'q1' occurs twice"),
    "csv": ("query,RR\nq1,0.5\nq2,x\n", "values:3: RR of query 'q2' is not a number: 'x'"),
    "csv short": ("query,RR,AP\nq1,0.5\n", "values:2: expected 3 columns, found 2"),
    "json": ('{"schema": 1, "per', "values:1: not JSON: .* column 15; the file seems to be cut off"),
    "json without queries": ('{"schema": 1, "mean": {}}', "values: it has no values by query"),
    "mteb": ('{"task_name": "t", "scores": {}}', "fields 'task_name' and 'scores' are missing"),
    "mteb splits": (
        '{"task_name": "t", "scores": {"dev": [], "test": []}}',
        "has the splits 'dev', 'test'; choose one",
    ),
    "mteb list": ('{"task_name": "t", "scores": {"test": 3}}', r"scores\.test: expected a list"),
    "jsonl": ('{"qid": "q1", "RR": 0.5}\n{"qid": "q2", "RR": "x"}\n', "values:2: RR of query 'q2' is not a number"),
    "jsonl without query": ('{"qid": "q1", "RR": 0.5}\n{"RR": 1}\n', "values:2: the id of the query is missing"),
    "jsonl damaged": ('{"qid": "q1", "RR": 0.5}\n{"qid": \n', "values:3: not JSON"),
    "array": ('[{"qid": "q1", "RR": 0.5}, 3]', "values:1: element 2: expected an object, found 3"),
    "nuggets": (
        '{"qid": "q1", "nuggets": [{"importance": "vital", "assignment": "supported"}]}',
        "values:1: 'supported' is no verdict; expected one of support, partial_support, not_support",
    ),
    "citations": (
        '{"topic_id": "t", "sentences": [{"citations": [{"support": 3}]}]}',
        "values:1: 3 is no verdict; expected one of 2, 1, 0",
    ),
    "alce means": ('{"length": 61.5, "citation_rec": 71.2, "citation_prec": 70.9}', "has means, .*: qid,citation_rec"),
    "alce": (
        '{"asqa": {"m": {"1": {"sentences": [{"sentence_recall_score": 1}]}}}}',
        r"values: asqa\.m\.1: expected sentences with sentence_recall_score",
    ),
    "another file": ("q1 0 a 1\n", "holds no values of metrics; expected the output of trec_eval -q"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_values_are_explained(name, tmp_path):
    content, message = MALFORMED[name]
    path = tmp_path / "values"
    path.write_text(content)

    with pytest.raises(rg.InputError, match=message):
        rg.read_scores(path)


def test_the_local_page_reports_files_of_values(tmp_path, monkeypatch):
    """They were taken for judgments without a ranking."""
    monkeypatch.chdir(tmp_path)  # the worker changes it
    paths = files(tmp_path, "trec_eval")

    assert reported(tmp_path, paths.values(), ["AP"])["stage"] == "done"
    assert "unknown" in (tmp_path / "r.html").read_text()


def test_doctor_recognises_files_of_values(tmp_path):
    (tmp_path / "values.json").write_text('{"q1": {"map": 0.5, "ndcg_cut_10": 0.25}}')
    result = here("doctor", tmp_path / "values.json")

    assert result.code != 0
    assert "holds values of metrics, not judgments or a ranking" in result.err
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\n")
    result = here("eval", tmp_path / "qrels.txt", tmp_path / "values.json", "-m", "AP")
    assert (
        "holds values of metrics, not judgments or a ranking" in result.err
    )  # it was a ranking of 'map' and 'ndcg_cut_10'


DATA = Path(__file__).parent / "data" / "verdicts"
"""Verdicts on nuggets, and what nuggetizer 0.0.5 computes from them."""
NUGGET_SCORES = ("strict_vital_score", "strict_all_score", "vital_score", "all_score")


@pytest.mark.parametrize("run", ["first", "second"])
def test_nuggets_have_the_values_of_autonuggetizer(run):
    own = rg.read_scores(DATA / f"{run}_assignments.jsonl")
    theirs = rg.read_scores(DATA / f"{run}_scores.jsonl")
    last = json.loads((DATA / f"{run}_scores.jsonl").read_text().splitlines()[-1])

    assert tuple(map(str, own.metrics)) == NUGGET_SCORES
    assert own.systems == (run,)
    for metric in NUGGET_SCORES:
        assert own.per_query(metric) == pytest.approx(theirs.per_query(metric), abs=1e-15)
        assert theirs.mean(metric) == pytest.approx(last[metric], abs=1e-15)  # its line of means is no query


def test_answers_with_a_text_of_the_query_are_known_by_its_id(tmp_path):
    """Two topics may have the same text, and AutoNuggetizer writes its scores by id."""
    answers = map(json.loads, (DATA / "first_assignments.jsonl").read_text().splitlines())
    path = tmp_path / "first.jsonl"
    rows = ({"qid": answer["qid"], "query": "a text", "nuggets": answer["nuggets"]} for answer in answers)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    assert rg.read_scores(path).queries == rg.read_scores(DATA / "first_scores.jsonl").queries


def test_verdicts_of_two_systems_are_compared_reported_and_checked(tmp_path):
    first, second = DATA / "first_assignments.jsonl", DATA / "second_scores.jsonl"
    result = here("compare", first, second, "-m", "vital_score,all_score", "-t", "json")
    (pair,) = json.loads(result.out)["metrics"]["vital_score"]["pairs"]
    values = rg.read_scores({"first": first, "second": second})

    assert result.code == 0, result.err
    assert pair["difference"] == pytest.approx(
        values.mean("vital_score", "second") - values.mean("vital_score", "first"), abs=1e-15
    )
    assert values.systems == ("first", "second")
    assert here("report", first, second, "-o", tmp_path / "page.html").code == 0
    assert here("check", first, "--baseline", second, "--fail-if", "all_score drops 0.1").code == 1
    assert here("check", second, "--baseline", first, "--fail-if", "all_score drops 0.1").code == 0


def test_metrics_of_verdicts_are_never_computed():
    for metric in ("vital_score", "citation_rec"):
        with pytest.raises(rg.ParameterError, match="is a value of verdicts on answers, which is read from"):
            rg.evaluate(GOLD, {q: ["a"] for q in GOLD}, metric)


def judged(*sentences):
    """Return sentences with the support of their citations by letter."""
    grades = {"F": 2, "P": 1, "N": 0, "?": -1}
    return [{"text": "a", "citations": [{"support": grades[letter]} for letter in own]} for own in sentences]


SUPPORT = {
    "the example of arXiv:2504.15205": (["P", "F", ""], (0.75, 0.5, 0.75, 0.5, 1 / 2, 1 / 3)),
    "several citations": (["FN", "NF"], (0.5, 0.5, 0.5, 0.5, 0.5, 0.5)),
    "not judged": (["F", "?"], (1, 1, 1, 1, 1, 1)),
    "first not judged": (["F", "?P", ""], (1, 0.5, 0.75, 0.5, 1, 0.5)),
    "no citation": (["", ""], (0, 0, 0, 0, 0, 0)),
}
"""The citations of each sentence, and precision and recall: by the first citation, by all, and by full support."""


def test_support_of_citations(tmp_path):
    rows = [
        {"topic_id": name, "run_id": "r1", "sentences": judged(*sentences)} for name, (sentences, _) in SUPPORT.items()
    ]
    path = tmp_path / "support.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scores = rg.read_scores(path)

    for name, (_, expected) in SUPPORT.items():
        assert [scores.per_query(metric)[name] for metric in scores.metrics] == pytest.approx(expected), name
    assert [*map(str, scores.metrics)][:2] == ["weighted_precision_first_citation", "weighted_recall_first_citation"]


def alce_answer(*sentences):
    """Return an answer of ALCE's human evaluation: whether each sentence is supported, and the grades of citations."""
    return {
        "output": "text",
        "sentences": [
            {"sentence_recall_score": whole, "citations": [{"citation_precision_score": grade} for grade in grades]}
            for whole, grades in sentences
        ],
    }


def test_citations_of_alce(tmp_path):
    answers = {
        "one": {"q1": alce_answer((1, [2, 0]), (0, [2])), "q2": alce_answer((1, [1])), "overall_results": {"x": 1}},
        "two": {"q1": alce_answer((0, [])), "q2": alce_answer((1, [2, 2, 0, 0]))},
    }
    answers["two"]["q3"] = {
        "sentences": [{}],
        "automatic_recall_scores": [1],
        "automatic_citation_precision_scores": [[1, 0]],
    }
    path = tmp_path / "human_eval_citations_completed.json"
    path.write_text(json.dumps({"asqa": answers}))
    scores = rg.read_scores(path)

    # the second sentence is not supported, so that its citation is unnecessary
    assert scores.per_query("citation_rec", "one") == pytest.approx(
        {"q1": 0.5, "q2": 1, "q3": float("nan")}, nan_ok=True
    )
    assert scores.per_query("citation_prec", "one") == pytest.approx(
        {"q1": 1 / 3, "q2": 1, "q3": float("nan")}, nan_ok=True
    )
    assert scores.per_query("citation_prec", "two") == pytest.approx({"q1": 0, "q2": 0.5, "q3": 0.5})
    path.write_text(json.dumps({"asqa": answers, "eli5": {"one": answers["one"], "two": answers["two"]}}))
    assert rg.read_scores(path).per_query("citation_rec", "two")["eli5/q2"] == 1


def test_records_with_lists_are_not_values(tmp_path):
    path = tmp_path / "ranking.jsonl"
    for record in (
        {"query": "q1", "retrieved_ids": ["a"], "recall": 0.5},
        {"query": "q1", "item": "a", "score": 1},
        {"qid": "q1", "docid": "d", "nuggets": [{"importance": "vital", "assignment": "support"}]},
    ):
        path.write_text(json.dumps(record) + "\n")
        with pytest.raises(rg.InputError, match="holds no values of metrics"):
            rg.read_scores(path)


@pytest.mark.parametrize("order", ["run measure topic", "run topic measure", "topic run measure"])
def test_leaderboards_are_read_in_every_order_that_auto_judge_writes(tmp_path, order):
    rows = [
        {"run": run, "topic": topic, "measure": measure, "value": value}
        for run, values in (("r1", (0.25, 1.0)), ("r2", (0.5, 0.0)))
        for topic, value in (*zip(("t1", "t2"), values, strict=True), ("all", 0.5))
        for measure in ("QUALITY", "nDCG@10")
    ]
    path = tmp_path / "board.txt"
    path.write_text("".join("\t".join(str(row[name]) for name in (*order.split(), "value")) + "\n" for row in rows))
    scores = rg.read_scores(path)

    assert scores.per_query("nDCG@10", "r1") == {"t1": 0.25, "t2": 1.0}
    assert scores.per_query("nDCG@10", "r2") == {"t1": 0.5, "t2": 0.0}
    assert [finding.code for finding in scores.findings] == ["RG118"]


@pytest.mark.parametrize("line", ["q1\t0\tP\t0.5", "q1\t1\tP\t1", "q1 0 P 1"])
def test_judgments_of_an_item_with_the_name_of_a_metric_are_judgments(tmp_path, line):
    path = tmp_path / "qrels.txt"
    path.write_text(f"{line}\n")

    assert rg.read(path).judgments is not None


OWN = {"x": {"q1": ["a"], "q2": ["d", "c"]}, "y": {"q1": ["b", "a"], "q2": ["c"]}}
OWN_JUDGMENTS = {"q1": {"a": 1}, "q2": {"c": 1}}


def own_values(path, convention=None, systems=OWN, form="csv"):
    scores = rg.compare(OWN_JUDGMENTS, systems, ["RR", "P@1"], convention=convention).scores
    if form == "json":
        scores.save(path)
    else:
        path.write_text(scores.to_csv(), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["csv", "json"])
def test_values_that_rankgauge_wrote_keep_their_definition(form, tmp_path):
    """They were said to be computed elsewhere."""
    path = own_values(tmp_path / f"own.{form}", form=form)
    scores = rg.read_scores(path)
    assert scores.means()["y"] == {"RR": 0.75, "P@1": 0.5}
    for text in (
        scores.document("en").to_text(),
        rg.compare(scores).document("en").to_text(),
        here("compare", path, "-m", "RR").out,
    ):
        lines = " ".join(text.split())
        assert "RR as computed by rankgauge before: relevant from=1" in lines
        assert "computed elsewhere" not in lines
    assert "relevant from=1" in scores.to_csv()
    assert "RR 由 rankgauge 先前算出" in scores.document("zh").to_text()


def test_values_of_different_definitions_are_not_compared(tmp_path):
    first, second = own_values(tmp_path / "a.csv"), own_values(tmp_path / "b.csv", rg.Convention(ties="mean"))
    with pytest.raises(rg.InputError, match=r"RR were computed under different definitions, ties=id and ties=mean"):
        rg.read_scores({"a": first, "b": second})
    other = tmp_path / "other.csv"
    other.write_text("query,RR,P@1\nq1,1,1\nq2,0.5,0\n", encoding="utf-8")
    assert "computed elsewhere" in rg.read_scores({"a": first, "b": other}).document("en").to_text()


def test_one_system_of_a_file_of_values_is_picked_by_its_name(tmp_path):
    path, condition = own_values(tmp_path / "own.csv"), ("--fail-if", "RR < 0.1")
    assert rg.read_scores(f"{path}/y").per_query("RR") == {"q1": 0.5, "q2": 1.0}
    assert here("check", f"{path}/y", *condition).code == 0
    assert here("check", f"{path}/y", "--baseline", f"{path}/x", "--fail-if", "RR drops 0.1").code == 0
    assert here("compare", f"{path}/x", f"{path}/y", "-m", "RR").code == 0
    for arguments in (["check", path, *condition], ["check", f"{path}/x", "--baseline", path, *condition]):
        refused = here(*arguments)
        assert refused.code == 2
        assert f"expected one ranking, found several ('x', 'y'); pass one of them: {path}/x" in refused.err
    with pytest.raises(rg.RankgaugeError, match="unknown system 'z'"):
        rg.read_scores(f"{path}/z")
    with pytest.raises(rg.ParameterError, match="expected one ranking, found several"):
        rg.check(rg.read_scores(path), fail_if="RR < 0.1")
