"""Labels from files: tables with raters, and verdict files of umbrela, RAGElo, MLflow and Quepid."""

import json

import polars as pl
import pytest

import rankgauge as rg

PEOPLE = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 0, "b": 1, "d": 2}}


def read(source, **options):
    return rg.judges.Labels.of(source, rg.ReadOptions(**options), "labels")


def jsonl(path, records):
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path


def rows(labels):
    return labels.frame.select("query", "item", "rater", "grade").rows()


UMBRELA = [
    {"model": "gpt", "query": "查询 1", "passage": "text a", "prompt": "...", "prediction": "3", "judgment": 3, "result_status": 1},
    {"model": "gpt", "query": "查询 1", "passage": "text b", "prompt": "...", "prediction": "??", "judgment": 0, "result_status": 0},
    {"model": "gpt", "query": "q2", "passage": "text b", "prompt": "...", "prediction": "0", "judgment": 0, "result_status": 1},
]  # fmt: skip


def test_an_unparsable_verdict_of_umbrela_is_unjudged(tmp_path):
    path = jsonl(tmp_path / "umbrela.jsonl", UMBRELA)
    labels = read(path)

    assert rows(labels) == [
        ("查询 1", "text a", "gpt", 3.0),
        ("查询 1", "text b", "gpt", None),
        ("q2", "text b", "gpt", 0.0),
    ]
    assert [finding.code for finding in labels.findings] == ["RG608"]
    assert rg.evaluate(path, {"查询 1": ["text b", "text a"], "q2": ["text b"]}, "RR").per_query("RR") == {
        "查询 1": 0.5,
        "q2": 0.0,
    }
    assert rg.read(path).shape == "umbrela"


def test_verdicts_of_ragelo(tmp_path):
    records = [
        {
            "qid": "q1",
            "did": "a",
            "evaluator_name": "judge",
            "answer": {"score": 2, "reasoning": "..."},
            "exception": None,
        },
        {"qid": "q1", "did": "b", "evaluator_name": "judge", "answer": None, "exception": "timeout"},
    ]
    labels = read(jsonl(tmp_path / "results.jsonl", records))

    assert rows(labels) == [("q1", "a", "judge", 2.0), ("q1", "b", "judge", None)]
    assert rg.read(records).shape == "ragelo"


def test_probabilities_of_ragelo():
    records = [
        {"qid": f"q{n}", "did": "a", "answer": {"score": 2, "probabilities": {"0": 0.25, "1": 0.25, "2": 0.5}}}
        for n in range(30)
    ]
    labels = read(records)
    people = {f"q{n}": {"a": n % 3} for n in range(20)}
    result = rg.judges.correct(records, people, {f"q{n}": ["a"] for n in range(30)}, "P@1", sample="random")

    assert labels.has_probabilities
    assert result.model_only().value == pytest.approx(0.75)


def test_assessments_of_mlflow(tmp_path):
    records = [
        {
            "trace_id": "t1",
            "name": "relevance",
            "source": {"source_type": kind, "source_id": who},
            "feedback": {"value": value},
        }
        for kind, who, value in (
            ("HUMAN", "ann", "yes"),
            ("LLM_JUDGE", "gpt", False),
            ("LLM_JUDGE", "other", "unknown"),
        )
    ]
    labels = read(jsonl(tmp_path / "assessments.jsonl", records))

    assert rows(labels) == [
        ("t1", "relevance", "ann", 1.0),
        ("t1", "relevance", "gpt", 0.0),
        ("t1", "relevance", "other", None),
    ]


def test_assessments_inside_a_trace_of_mlflow(tmp_path):
    documents = [{"page_content": "x", "metadata": {"doc_uri": uri}} for uri in ("a", "b")]
    span = {
        "attributes": {
            "mlflow.spanType": '"RETRIEVER"',
            "mlflow.spanInputs": json.dumps({"query": "q1"}),
            "mlflow.spanOutputs": json.dumps(documents),
        }
    }
    assessments = [
        {
            "name": "relevance",
            "source": {"source_type": "HUMAN", "source_id": "ann"},
            "feedback": {"value": value},
            "metadata": {"chunk_index": index},
        }
        for index, value in enumerate(("no", "yes"))
    ]
    trace = {"info": {"trace_id": "t", "assessments": assessments}, "data": {"spans": [span]}}
    path = jsonl(tmp_path / "traces.jsonl", [trace, {**trace, "info": {"trace_id": "u"}, "data": {"spans": []}}])

    assert rows(read(path)) == [("q1", "a", "ann", 0.0), ("q1", "b", "ann", 1.0)]
    assert [*rg.read(path).rankings] == ["retriever"]


def test_a_word_that_is_not_a_grade_is_reported(tmp_path):
    record = {"trace_id": "t", "name": "n", "source": {"source_type": "HUMAN"}, "feedback": {"value": "perhaps"}}
    with pytest.raises(rg.InputError, match="no grade") as caught:
        read(jsonl(tmp_path / "a.jsonl", [record]))
    assert caught.value.codes == ("RG110",)


QUEPID = "query,docid,ann@example.com,bo\nq1,a,3,2\nq1,b,unrateable,0\nq2,a,,1\n"


def test_a_quepid_book_as_csv_has_a_column_for_each_rater(tmp_path):
    path = tmp_path / "book.csv"
    path.write_text(QUEPID, encoding="utf-8")
    labels = read(path)

    assert rows(labels) == [
        ("q1", "a", "ann@example.com", 3.0),
        ("q1", "a", "bo", 2.0),
        ("q1", "b", "ann@example.com", None),
        ("q1", "b", "bo", 0.0),
        ("q2", "a", "bo", 1.0),
    ]
    assert rg.evaluate(path, {"q1": ["a", "b"], "q2": ["a"]}, "CG").per_query("CG") == {"q1": 2.5, "q2": 1.0}


def test_a_quepid_book_as_json_keeps_its_raters():
    pairs = [
        {
            "query_text": "q",
            "doc_id": "a",
            "judgements": [{"rating": 2, "user_name": "ann"}, {"rating": None, "unrateable": True, "user_name": "bo"}],
        }
    ]
    assert rows(read({"query_doc_pairs": pairs})) == [("q", "a", "ann", 2.0), ("q", "a", "bo", None)]


def test_columns_of_labels_are_recognised(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(
        "Query_ID,doc_id,Assessor,rating,inclusion_probability,prompt-version,timestamp\n"
        "007,a,ann,1,0.5,v1,2026-01-02T03:04:05\n007,b,ann,,0.5,v1,2026-01-02\n",
        encoding="utf-8",
    )
    frame = read(path).frame

    assert frame.row(0) == ("007", "a", "ann", 1.0, None, 0.5, "2026-01-02T03:04:05", "v1", None)
    assert frame["grade"].to_list() == [1.0, None]


def test_columns_can_be_named():
    table = pl.DataFrame({"s": ["q"], "thing": ["a"], "who": ["ann"], "stars": [3]})
    labels = read(table, columns={"query": "s", "item": "thing", "rater": "who", "grade": "stars"})

    assert rows(labels) == [("q", "a", "ann", 3.0)]


def test_a_grade_that_is_not_a_number_is_reported():
    table = pl.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "rater": ["x", "x"], "grade": ["1", "good"]})
    with pytest.raises(rg.InputError, match="'good' is not a number") as caught:
        read(table)
    assert caught.value.codes == ("RG204",)


def test_judgments_of_any_form_are_labels_of_one_rater(tmp_path):
    qrels = tmp_path / "people.qrels"
    qrels.write_text(
        "".join(f"{q} 0 {i} {g}\n" for q, items in PEOPLE.items() for i, g in items.items()), encoding="utf-8"
    )
    triples = [(q, i, float(g)) for q, items in PEOPLE.items() for i, g in items.items()]

    data = rg.read(qrels)
    for source in (
        PEOPLE,
        qrels,
        data,
        data.judgments,
        [*triples],
        pl.DataFrame(triples, schema=["query", "item", "grade"], orient="row"),
    ):
        assert read(source).frame.select("query", "item", "grade").rows() == triples


def test_data_of_read_keep_their_raters(tmp_path):
    table = pl.DataFrame({"query": ["q1"] * 4, "doc": list("aabb"), "rater": ["ann", "bo"] * 2, "grade": [2, 1, 0, 0]})
    table.write_csv(tmp_path / "labels.csv")
    expected = rows(read(table))

    with (tmp_path / "labels.csv").open("rb") as file:
        for source in (tmp_path / "labels.csv", file, table, table.to_pandas(), table.to_dicts()):
            assert rows(read(rg.read(source))) == expected
    renamed = rg.read(table.rename({"rater": "who"}), columns={"rater": "who"})
    assert rows(read(renamed)) == expected


def test_hostile_names_of_raters_do_no_harm():
    names = ["query", "item", "<script>alert(1)</script>", "=cmd()"]
    table = pl.DataFrame(
        [("q", item, rater, n % 2) for item in "ab" for n, rater in enumerate(names)],
        schema=["query", "item", "rater", "grade"],
        orient="row",
    )
    found = rg.judges.agreement(table)

    assert found.raters == tuple(names)
    assert "<script>" not in found.document().to_html()
