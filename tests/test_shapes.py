"""Shapes of records and documents: the same data in every shape give the same digits, by Python and command line."""

import io
import json
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from registries import SHAPES
from serving import reported

GOLD = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"a": 1, "d": 1}}
LISTS = {"q1": ["x", "a", "y", "b"], "q2": ["c", "z"], "q3": ["y", "x", "d"]}
METRICS = ("nDCG@10", "AP", "RR")
EXPECTED = rg.evaluate(GOLD, LISTS, METRICS)


def rows(query, gold=None, ranked=None, /, **more):
    """Rows of a tool: each query with its lists under the names of the tool."""
    return [
        {query: key}
        | ({gold: [*GOLD[key]]} if gold else {})
        | ({ranked: LISTS[key]} if ranked else {})
        | {name: value(key) if callable(value) else value for name, value in more.items()}
        for key in GOLD
    ]


def hits(key, **fields):
    """The ranking of a query as objects; a field is a name for the item, or a value."""
    return [{name: filled(value, item, rank) for name, value in fields.items()} for rank, item in enumerate(LISTS[key])]


def filled(value, item, rank):
    if isinstance(value, dict):
        return {name: filled(inner, item, rank) for name, inner in value.items()}
    return item if value is ITEM else 9.5 - rank if value is SCORE else value


def gold(key, **fields):
    return [{name: item if value is ITEM else value for name, value in fields.items()} for item in GOLD[key]]


ITEM, SCORE = object(), object()
SHAPE_NAMES = {shape.name for shape in SHAPES}
ELASTIC = {"took": 3, "timed_out": False}
BOTH = {
    "ragas texts": ("jsonl", rows("user_input", "reference_contexts", "retrieved_contexts", response="r")),
    "ragas ids": (
        "jsonl",
        rows("user_input", "reference_context_ids", "retrieved_context_ids", retrieved_contexts=["t"], reference=None),
    ),
    "ragas parquet": ("parquet", rows("user_input", "reference_contexts", "retrieved_contexts")),
    "ragas csv": (
        "csv",
        [
            {"user_input": key, "reference_contexts": str([*GOLD[key]]), "retrieved_contexts": json.dumps(LISTS[key])}
            for key in GOLD
        ],
    ),
    "deepeval": ("json", rows("input", "context", "retrieval_context", actual_output="a", expected_output="e")),
    "autorag": (
        "parquet",
        rows(
            "qid",
            None,
            "retrieved_ids",
            query="text",
            retrieval_gt=lambda key: [[item] for item in GOLD[key]],
            retrieve_scores=lambda key: [-rank / 2 for rank, _ in enumerate(LISTS[key])],
        ),
    ),
    "trulens": (
        "jsonl",
        rows("query", None, "retrieved_chunks", expected_chunks=lambda key: gold(key, text=ITEM, expect_score=1)),
    ),
    "azure": (
        "jsonl",
        rows(
            "query",
            retrieval_ground_truth=lambda key: gold(key, document_id=ITEM, query_relevance_label=1),
            retrieved_documents=lambda key: hits(key, document_id=ITEM, relevance_score=SCORE),
        ),
    ),
    "longmemeval": (
        "json",
        [
            *rows(
                "question_id",
                "answer_session_ids",
                question="text",
                retrieval_results=lambda key: {"ranked_items": hits(key, corpus_id=ITEM, text="t"), "metrics": {}},
            ),
            {"question_id": "q9_abs", "answer_session_ids": ["z"], "retrieval_results": {"ranked_items": []}},
        ],
    ),
    "mlflow": (
        "jsonl",
        rows(
            "request",
            expected_retrieved_context=lambda key: gold(key, doc_uri=ITEM),
            retrieved_context=lambda key: hits(key, doc_uri=ITEM, content="t"),
        ),
    ),
    "rank_eval": (
        "json",
        {
            "metric_score": 0.4,
            "details": {
                key: {
                    "metric_score": 0.4,
                    "unrated_docs": [],
                    "hits": [
                        {"hit": {"_index": "i", "_id": item, "_score": 9.0 - rank}, "rating": GOLD[key].get(item)}
                        for rank, item in enumerate(
                            [*LISTS[key], *(item for item in GOLD[key] if item not in LISTS[key])]
                        )
                    ],
                }
                for key in GOLD
            },
            "failures": {},
        },
    ),
    "langsmith_results": (
        "jsonl",
        [
            {
                "inputs": {"question": key, "k": 5},
                "outputs": {"documents": hits(key, page_content="t", metadata={"id": ITEM}), "answer": "a"},
                "reference_outputs": {"answer": "a", "relevant_ids": [*GOLD[key]]},
            }
            for key in GOLD
        ],
    ),
    "langsmith_results columns": (
        "parquet",
        rows(
            "inputs.question",
            **{"outputs.documents": lambda key: LISTS[key], "reference.docs": lambda key: [*GOLD[key]], "error": ""},
        ),
    ),
    "lists": ("jsonl", rows("query", "relevant_ids", "retrieved_ids")),
    "list of records": ("json", rows("query", "gold", "predictions")),
    "wrapped records": ("json", {"version": 1, "data": rows("query", "gold", "predictions")}),
}
"""Files with both sides: the format and the content."""
FULL = {key: [*LISTS[key], *(item for item in GOLD[key] if item not in LISTS[key])] for key in GOLD}
"""The lists with every judged item, for files that judge returned items only."""

JUDGMENTS = {
    "rank_eval": (
        "json",
        {
            "requests": [
                {"id": key, "request": {"query": {}}, "ratings": gold(key, _index="i", _id=ITEM, rating=1)}
                for key in GOLD
            ],
            "metric": {"dcg": {"k": 20, "normalize": True}},
        },
    ),
    "workbench": (
        "json",
        {"judgmentRatings": [{"query": key, "ratings": gold(key, docId=ITEM, rating="1.000")} for key in GOLD]},
    ),
    "workbench wrapped": (
        "json",
        ELASTIC
        | {
            "hits": {
                "hits": [
                    {
                        "_id": "1",
                        "_source": {
                            "judgmentRatings": [
                                {"query": key, "ratings": gold(key, docId=ITEM, rating="1.000")} for key in GOLD
                            ]
                        },
                    }
                ]
            }
        },
    ),
    "quepid_book": (
        "json",
        {
            "name": "book",
            "query_doc_pairs": [
                {
                    "query_text": key,
                    "doc_id": item,
                    "position": 1,
                    "judgements": [{"rating": 2.0}, {"rating": 0.0}, {"rating": None, "unrateable": True}],
                }
                for key in GOLD
                for item in GOLD[key]
            ],
        },
    ),
    "rre": (
        "json",
        {
            "index": "i",
            "id_field": "id",
            "topics": [
                {
                    "description": "d",
                    "query_groups": [
                        {
                            "name": key,
                            "queries": [{"template": "t", "placeholders": {"$query": key}}],
                            "relevant_documents": {item: {"gain": 1} for item in GOLD[key]},
                        }
                        for key in GOLD
                    ],
                }
            ],
        },
    ),
    "rre by gain": (
        "json",
        {"queries": [{"placeholders": {"$query": key}, "relevant_documents": {"1": [*GOLD[key]]}} for key in GOLD]},
    ),
    "llama_index": (
        "json",
        {
            "queries": dict.fromkeys(GOLD, "text"),
            "corpus": {"a": "a text"},
            "relevant_docs": {key: [*GOLD[key]] for key in GOLD},
            "mode": "text",
        },
    ),
    "freshstack": (
        "jsonl",
        rows(
            "query_id",
            query_title="t",
            nuggets=lambda key: [
                {"_id": "n1", "text": "t", "relevant_corpus_ids": [*GOLD[key]], "non_relevant_corpus_ids": ["x"]},
                {"_id": "n2", "text": "t", "relevant_corpus_ids": [], "non_relevant_corpus_ids": [*GOLD[key]]},
            ],
        ),
    ),
    "chunking_evaluation": (
        "csv",
        rows(
            "question",
            references=lambda key: json.dumps(gold(key, content=ITEM, start_index=0, end_index=1)),
            corpus_id="wiki",
        ),
    ),
    "vertex": (
        "jsonl",
        [{"queryEntry": {"query": key, "targets": gold(key, uri=ITEM, pageNumbers=[1], score=1)}} for key in GOLD],
    ),
    "by_query": ("json", GOLD),
}
"""Files with judgments."""

RANKINGS = {
    "search_response": ("json", {key: ELASTIC | {"hits": {"hits": hits(key, _id=ITEM, _score=SCORE)}} for key in GOLD}),
    "search_response sorted": ("json", {key: {"hits": {"hits": hits(key, _id=ITEM, _score=None)}} for key in GOLD}),
    "workbench": (
        "json",
        {
            "hits": {
                "hits": [
                    {
                        "_source": {
                            "searchText": key,
                            "searchConfigurationId": "c",
                            "documentIds": LISTS[key],
                            "metrics": [],
                        }
                    }
                    for key in GOLD
                ]
            }
        },
    ),
    "mteb_predictions": (
        "json",
        {
            "mteb_model_meta": {"model_name": "m"},
            "default": {"test": {key: {item: 1.5 - rank for rank, item in enumerate(LISTS[key])} for key in GOLD}},
        },
    ),
    "mteb_predictions by split": (
        "json",
        {"test": {key: {item: 1.5 - rank for rank, item in enumerate(LISTS[key])} for key in GOLD}},
    ),
    "ragchecker": (
        "json",
        {"results": rows("query_id", gt_answer="a", retrieved_context=lambda key: hits(key, doc_id=ITEM, text="t"))},
    ),
    "langsmith": (
        "jsonl",
        [
            {"run_id": "0", "run_type": "chain", "inputs": {}, "outputs": {}},
            *(
                {
                    "run_id": key,
                    "trace_id": key,
                    "run_type": "retriever",
                    "inputs": {"query": key},
                    "outputs": {
                        "documents": [
                            {"page_content": "t", "type": "Document", "metadata": {"id": item}} for item in LISTS[key]
                        ]
                    },
                }
                for key in GOLD
            ),
        ],
    ),
    "flashrag": (
        "jsonl",
        rows(
            "id",
            question="text",
            golden_answers=["x"],
            output=lambda key: {"retrieval_result": hits(key, id=ITEM, contents="t", score=SCORE)},
        ),
    ),
    "bedrock": (
        "jsonl",
        [
            {
                "conversationTurns": [
                    {
                        "prompt": {"content": [{"text": key}]},
                        "referenceResponses": [],
                        "output": {
                            "retrievedPassages": {
                                "retrievalResults": [{"content": {"text": item}, "metadata": {}} for item in LISTS[key]]
                            }
                        },
                    }
                ]
            }
            for key in GOLD
        ],
    ),
    "trec_rag": (
        "jsonl",
        [
            {"metadata": {"team_id": "t", "run_id": "r", "topic_id": key}, "responses": [], "references": LISTS[key]}
            for key in GOLD
        ],
    ),
    "spans gen_ai": (
        "jsonl",
        [
            {"trace_id": "t", "name": "chat", "attributes": {"gen_ai.operation.name": "chat"}},
            *(
                {
                    "trace_id": key,
                    "attributes": {
                        "gen_ai.operation.name": "retrieval",
                        "gen_ai.retrieval.query.text": key,
                        "gen_ai.retrieval.documents": json.dumps(hits(key, id=ITEM, score=SCORE)),
                    },
                }
                for key in GOLD
            ),
        ],
    ),
    "spans otlp": (
        "json",
        {
            "resourceSpans": [
                {
                    "scopeSpans": [
                        {
                            "spans": [
                                {
                                    "traceId": key,
                                    "attributes": [
                                        {
                                            "key": "gen_ai.retrieval.documents",
                                            "value": {
                                                "arrayValue": {
                                                    "values": [
                                                        {
                                                            "kvlistValue": {
                                                                "values": [
                                                                    {"key": "id", "value": {"stringValue": item}}
                                                                ]
                                                            }
                                                        }
                                                        for item in LISTS[key]
                                                    ]
                                                }
                                            },
                                        }
                                    ],
                                }
                                for key in GOLD
                            ]
                        }
                    ]
                }
            ]
        },
    ),
    "spans openinference": (
        "jsonl",
        [
            {
                "context": {"trace_id": "t", "span_id": "s"},
                "attributes": {"openinference.span.kind": "RETRIEVER", "input.value": key}
                | {f"retrieval.documents.{rank}.document.id": item for rank, item in enumerate(LISTS[key])}
                | {f"retrieval.documents.{rank}.document.content": "t" for rank, item in enumerate(LISTS[key])},
            }
            for key in GOLD
        ],
    ),
    "spans phoenix": (
        "parquet",
        [
            {
                "context.trace_id": "t",
                "attributes.openinference.span.kind": "RETRIEVER",
                "attributes.input.value": key,
                "attributes.retrieval.documents": [
                    {"document.id": item, "document.content": "t"} for item in LISTS[key]
                ],
            }
            for key in GOLD
        ],
    ),
    "ubi queries": ("jsonl", rows("query_id", None, "query_response_hit_ids", user_query="text", client_id="c")),
    "pairs": ("json", {key: [[item, 0.5 - rank] for rank, item in enumerate(LISTS[key])] for key in GOLD}),
    "by_query": ("json", {key: {item: 1.5 - rank for rank, item in enumerate(LISTS[key])} for key in GOLD}),
    "by_query hits": ("json", {key: hits(key, docid=ITEM, score=SCORE) for key in GOLD}),
}
"""Files with rankings."""


def write(folder, name, form, content):
    path = folder / f"{name.replace(' ', '_')}.{form}"
    if form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in content))
    elif form == "json":
        path.write_text(json.dumps(content, indent=1))
    elif form == "parquet":
        pl.DataFrame(content).write_parquet(path)
    else:
        pl.DataFrame(content).write_csv(path)
    return path


def digits(scores):
    return {metric: [*scores.per_query(metric).values()] for metric in METRICS}


@pytest.mark.parametrize("name", BOTH)
def test_one_file_with_both_sides_gives_the_same_digits(name, tmp_path):
    path = write(tmp_path, name, *BOTH[name])
    data = rg.read(path)
    expected = digits(rg.evaluate(GOLD, FULL, METRICS) if name == "rank_eval" else EXPECTED)

    assert data.shape == (name.split()[0] if name.split()[0] in SHAPE_NAMES else "lists")
    assert digits(rg.evaluate(data, metrics=METRICS)) == expected
    assert digits(rg.evaluate(path, metrics=METRICS)) == expected
    assert digits(rg.evaluate(data.judgments, data.rankings, METRICS)) == expected
    result = here("eval", str(path), "-m", "nDCG@10,AP,RR", "-q", "-t", "json")
    assert result.code == 0, result.err
    printed = json.loads(result.out)
    origin = [printed.pop(key) for key in ("rankgauge", "date", "inputs")]
    assert origin[2]["judgments"] == str(path)
    expected = json.loads(rg.evaluate(data.judgments, data.rankings, METRICS).to_json())
    origins = [result.pop("provenance") for result in (printed, expected)]
    assert printed == expected
    assert all(origins[0][key] == origins[1][key] for key in ("judgments", "queries", "convention"))


@pytest.mark.parametrize(
    ("side", "name"), [*(("judgments", name) for name in JUDGMENTS), *(("ranking", name) for name in RANKINGS)]
)
def test_one_side_in_every_shape_gives_the_same_digits(side, name, tmp_path):
    path = write(tmp_path, name, *(JUDGMENTS if side == "judgments" else RANKINGS)[name])
    sides = (path, LISTS) if side == "judgments" else (GOLD, path)
    data = rg.read(path)

    assert (data.judgments is not None, bool(data.rankings)) == (side == "judgments", side == "ranking")
    assert data.shape == (name.split()[0] if name.split()[0] in SHAPE_NAMES else data.shape)
    assert digits(rg.evaluate(*sides, METRICS)) == digits(EXPECTED)
    other = write(tmp_path, "other", "json", LISTS if side == "judgments" else {key: [*GOLD[key]] for key in GOLD})
    files = (str(path), str(other)) if side == "judgments" else (str(other), str(path))
    result = here("eval", *files, "-m", "nDCG@10,AP,RR", "-q", "-t", "jsonl")
    assert result.code == 0, result.err
    values = [json.loads(line) for line in result.out.splitlines()]
    assert {row["query"]: row["value"] for row in values if row["metric"] == "AP"} == EXPECTED.per_query("AP") | {
        "all": EXPECTED.mean("AP")
    }


def test_every_verb_takes_data():
    data = rg.read(rows("query", "gold", "retrieved"))
    both = {"a": data.rankings["list"], "b": LISTS}

    assert rg.explain(data, None, "RR", "q1").value == rg.explain(data, metric="RR", query="q1").value == 0.5
    assert rg.check(data, None, "RR < 0.9").checks[0].failed
    assert rg.check(data.judgments, LISTS, "RR drops 0.1", baseline=data).passed
    assert rg.compare(data.judgments, both, "RR").systems == ("a", "b")
    assert rg.report(data, None, ["RR"]).contents.scores.mean("RR") == EXPECTED.mean("RR")
    assert rg.reconcile(data, None, "RR").metric == rg.RR
    assert rg.diff(data, LISTS).queries[0].overlap == 1
    assert rg.attribute(data.judgments, data, LISTS, "RR").queries[0].contribution == 0
    assert rg.unjudged_bounds(data, None, "RR")["list"].none == EXPECTED.mean("RR")
    with pytest.raises(rg.ParameterError, match=r"'RR' is in the place of the ranking.*metrics=\.\.\."):
        rg.evaluate(data, "RR")


def test_a_file_with_both_sides_takes_none_as_the_ranking(tmp_path):
    path = write(tmp_path, "answers", *BOTH["ragas texts"])

    expected = rg.evaluate(path, metrics="RR").per_query("RR")
    assert rg.evaluate(path, None, "RR").per_query("RR") == expected
    with path.open("rb") as file:
        assert rg.evaluate(file, None, "RR").per_query("RR") == expected


def test_read_data_name_their_shape(tmp_path):
    path = write(tmp_path, "answers", *BOTH["ragas texts"])
    data = rg.read(path)

    assert (data.format, data.shape) == ("jsonl", "ragas")
    assert data.reason == "recognised by user_input, reference_contexts, retrieved_contexts"
    assert data.judgments.frame().rows()[0] == ("q1", "a", 1.0)
    assert [*data.rankings] == ["answers"]
    files = json.loads(here("doctor", str(path), "-t", "json").out)["files"]
    assert [(file["role"], file["shape"]) for file in files] == [("judgments", "ragas"), ("ranking", "ragas")]


def test_the_argument_position_determines_the_role_of_a_list(tmp_path):
    gold = write(tmp_path, "gold", "json", {query: [*items] for query, items in GOLD.items()})
    ranked = write(tmp_path, "ranked", "json", LISTS)

    assert digits(rg.evaluate(gold, ranked, METRICS)) == digits(EXPECTED)
    assert rg.read(gold, role="judgments").rankings == {}
    with pytest.raises(rg.InputError, match=r"could be judgments .* or a ranking .*\[RG114\]"):
        rg.read(gold)
    assert "--role" in here("doctor", str(gold)).err


def test_a_file_with_one_side_needs_another():
    data = rg.read([{"query": "q", "retrieved_ids": ["a"]}])

    with pytest.raises(rg.InputError, match="has no judgments"):
        rg.evaluate(data, metrics="RR")
    with pytest.raises(rg.InputError, match=r"holds a ranking, not judgments \(recognised as lists by"):
        rg.evaluate([{"query": "q", "retrieved_ids": ["a"]}], {"q": ["a"]}, "RR")


def test_two_shapes_at_once_are_refused():
    row = {"user_input": "q", "retrieved_contexts": ["a"], "query": "q", "retrieved_ids": ["a"], "predictions": ["b"]}

    assert rg.read([row]).shape == "ragas"  # the tool is more specific than any list
    row.pop("user_input")
    with pytest.raises(rg.InputError, match="'retrieved_ids' and 'predictions' could each be"):
        rg.read([row])


MALFORMED = {
    "missing field": (1, '{"query": "q2", "retrieved": ["a"]}', ":2: field 'gold' is missing"),
    "wrong type": (1, '{"query": "q2", "gold": 5, "retrieved": []}', ":2: gold: expected a list of items, found 5"),
    "not an id": (1, '{"query": "q2", "gold": [true], "retrieved": []}', r":2: gold\[0\]: True is not an id"),
    "no id": (
        1,
        '{"query": "q2", "gold": [{"x": 1}], "retrieved": []}',
        r":2: gold\[0\]: no id or text in the fields 'x'",
    ),
    "truncated": (1, '{"query": "q2", "gold": ["a"', ":2: not JSON"),
    "no query": (1, '{"query": null, "gold": ["a"], "retrieved": []}', ":2: the query id is empty"),
    "not an object": (1, "[1]", ":2: not a JSON object"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_records_are_explained(name, tmp_path):
    _, line, message = MALFORMED[name]
    path = tmp_path / "answers.jsonl"
    path.write_text('{"query": "q1", "gold": ["a"], "retrieved": ["a"]}\n' + line + "\n")

    with pytest.raises(rg.InputError, match=f"answers.jsonl{message}") as error:
        rg.evaluate(path, metrics="RR")
    assert "remedy: " in str(error.value)
    assert rg.evaluate(path, metrics="RR", lenient=True).per_query("RR")["q1"] == 1


def test_a_query_with_two_lists_is_refused():
    """RG306: two lists of one query cannot both be its ranking."""
    records = [{"query": "q", "retrieved": ["a"]}, {"query": "q", "retrieved": ["b"]}]

    with pytest.raises(rg.InputError, match=r"record 2: the query has a list at record 1 already .*\[RG306\]"):
        rg.evaluate({"q": {"a": 1}}, records, "RR")


def test_groups_of_relevant_items_are_gold_groups(tmp_path):
    """RG115: AutoRAG writes lists inside a list; any member of a group will do, as in Python, not all of them."""
    rows = [{"qid": "q", "retrieval_gt": [["a", "b"], ["c"]]}, {"qid": "r", "retrieval_gt": [["a"], ["d"]]}]
    ranked, rules = {"q": ["b", "x", "a"], "r": ["d"]}, rg.Convention(duplicates="first")
    expected = rg.evaluate(
        {row["qid"]: row["retrieval_gt"] for row in rows}, ranked, ("R", "AP"), convention=rules
    ).per_query("R")
    stream = io.BytesIO(
        write(tmp_path, "both", "jsonl", [row | {"retrieved_ids": ranked[row["qid"]]} for row in rows]).read_bytes()
    )
    sources = [rows, pl.DataFrame(rows), pl.DataFrame(rows).to_pandas()]
    sources += [write(tmp_path, "gold", form, rows) for form in ("jsonl", "json", "parquet")]

    assert expected == {"q": 1 / 2, "r": 1 / 2}
    for source in sources:
        scores = rg.evaluate(source, ranked, ("R", "AP"), convention=rules)
        assert scores.per_query("R") == expected
        assert "RG115" in {finding.code for finding in scores.findings}
        assert rg.evaluate(rg.read(source), ranked, "R", convention=rules).per_query("R") == expected
    assert rg.evaluate(rg.read(stream), metrics="R", convention=rules).per_query("R") == expected
    alone = rg.evaluate(rows[1:], ranked, "R").findings
    assert not alone or "RG115" not in {finding.code for finding in alone}
    with pytest.raises(rg.InputError, match=r"'a \| b' is returned more than once"):
        rg.evaluate(rows, ranked, "R")


def test_lists_in_text_cells():
    for cell, items in {
        "0706016001 0706016002": ["0706016001", "0706016002"],
        "a,b , c": ["a", "b", "c"],
        '["a b", "c"]': ["a b", "c"],
        "['a b', 'c']": ["a b", "c"],
        "['a' 'b']": ["a", "b"],
    }.items():
        table = pl.DataFrame({"customer_id": ["q"], "prediction": [cell]})
        ranks = {item: 1 / rg.evaluate({"q": {item: 1}}, table, "RR").mean() for item in items}
        assert ranks == {item: rank for rank, item in enumerate(items, 1)}
        assert rg.evaluate({"q": {items[0]: 1}}, table, "NumRet").mean() == len(items)


@pytest.mark.parametrize("form", ["csv", "parquet", "polars", "pandas", "arrow"])
def test_tables_with_lists(form, tmp_path):
    gold = [{"customer_id": query, "actual": " ".join(items)} for query, items in GOLD.items()]
    ranked = [{"customer_id": query, "prediction": items} for query, items in LISTS.items()]
    if form == "csv":
        ranked = [row | {"prediction": " ".join(row["prediction"])} for row in ranked]
        sides = [write(tmp_path, "gold", "csv", gold), write(tmp_path, "ranked", "csv", ranked)]
    elif form == "parquet":
        sides = [write(tmp_path, "gold", "parquet", gold), write(tmp_path, "ranked", "parquet", ranked)]
    else:
        convert = {"polars": lambda x: x, "pandas": pl.DataFrame.to_pandas, "arrow": pl.DataFrame.to_arrow}[form]
        sides = [convert(pl.DataFrame(gold)), convert(pl.DataFrame(ranked))]

    assert digits(rg.evaluate(*sides, METRICS)) == digits(EXPECTED)


def test_named_columns_may_hold_lists():
    frame = pl.DataFrame({"who": [1, 2], "what": [["a", "b"], ["c"]]})
    columns = {"ranking": {"query": "who", "item": "what"}}

    assert rg.evaluate({1: {"b"}, 2: {"c"}}, frame, "RR", columns=columns).per_query("RR") == {1: 0.5, 2: 1.0}


def test_a_stream_with_both_sides_is_read_once():
    text = "".join(json.dumps(row) + "\n" for row in BOTH["lists"][1]).encode()

    assert digits(rg.evaluate(rg.read(io.BytesIO(text)), metrics=METRICS)) == digits(EXPECTED)


def test_a_large_object_is_read_member_by_member(tmp_path, monkeypatch):
    monkeypatch.setattr("rankgauge.inputs.formats.json.GATHERED", 10)
    path = tmp_path / "run.json"
    path.write_text(
        json.dumps({query: {item: -rank + 0.5 for rank, item in enumerate(items)} for query, items in LISTS.items()})
    )

    assert digits(rg.evaluate(GOLD, path, METRICS)) == digits(EXPECTED)


def test_a_value_longer_than_the_limit_is_refused(tmp_path, monkeypatch):
    """One line of 1 GB must not exhaust the memory."""
    monkeypatch.setattr("rankgauge.inputs.formats.json_values.LONGEST_LINE", 1 << 18)
    monkeypatch.setattr("rankgauge.inputs.io.lines.LONGEST_LINE", 1 << 18)
    text = '{"query": "q", "retrieved": ["' + "x" * (1 << 23) + '"]}'
    for name in ("run.json", "run.jsonl"):
        (tmp_path / name).write_text(text)
        with pytest.raises(rg.InputError, match="longer than"):
            rg.evaluate(GOLD, tmp_path / name, "RR")


class Document:
    """A Document of LangChain, as far as it is read."""

    def __init__(self, text, **metadata):
        self.page_content, self.metadata, self.id = text, metadata, None


class Node:
    def __init__(self, identifier):
        self.node_id, self.text = identifier, "text"


class PlainNode(Node):
    metadata = {}  # noqa: RUF012


class NodeWithScore:
    """A NodeWithScore of LlamaIndex, as far as it is read."""

    def __init__(self, identifier, score):
        self.node, self.score = Node(identifier), score


class HaystackDocument:
    """A Document of Haystack, as far as it is read."""

    def __init__(self, identifier, score):
        self.id, self.score, self.content, self.meta = identifier, score, "text", {}


class TestCase:
    """A test case of deepeval."""

    __test__ = False

    def __init__(self, **fields):
        self.fields = fields

    def model_dump(self):
        return self.fields


class Samples:
    """An EvaluationDataset of ragas."""

    samples = ()

    def to_list(self):
        return rows("user_input", "reference_context_ids", "retrieved_context_ids")


class Run:
    """A Run of ranx."""

    __module__ = "ranx.data_structures.run"

    def to_dict(self):
        return {key: {item: -float(rank) for rank, item in enumerate(items)} for key, items in LISTS.items()}


class Dataset:
    """A Dataset of datasets."""

    features = ("query", "retrieved_ids")

    def to_polars(self):
        return pl.DataFrame(rows("query", None, "retrieved_ids"))


class Qrel(NamedTuple):
    """A judgment of ir_datasets."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str


OBJECTS = {
    "LangChain documents": {key: [Document("text", source=item) for item in items] for key, items in LISTS.items()},
    "LangChain texts": {key: [Document(item) for item in items] for key, items in LISTS.items()},
    "LangChain scores": {
        key: [(Document("t", id=item), 0.5 - n) for n, item in enumerate(LISTS[key])] for key in LISTS
    },
    "LlamaIndex nodes": {key: [NodeWithScore(item, 0.5 - n) for n, item in enumerate(LISTS[key])] for key in LISTS},
    "hits": {key: [{"id": item, "score": 0.5 - n} for n, item in enumerate(LISTS[key])] for key in LISTS},
    "records": rows("query", None, "retrieved_ids"),
    "rows": [{"query": key, "item": item, "rank": n} for key in LISTS for n, item in enumerate(LISTS[key])],
    "ranx": Run(),
    "datasets": Dataset(),
    "LlamaIndex nodes without scores": {key: [*map(PlainNode, items)] for key, items in LISTS.items()},
    "Haystack documents": {
        key: [HaystackDocument(item, 0.5 - n) for n, item in enumerate(LISTS[key])] for key in LISTS
    },
    "ragas": Samples(),
    "deepeval": [TestCase(**row, actual_output="a") for row in rows("input", "context", "retrieval_context")],
}


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_of_other_libraries(name):
    assert digits(rg.evaluate(GOLD, OBJECTS[name], METRICS)) == digits(EXPECTED)
    assert digits(rg.evaluate(GOLD, rg.read(OBJECTS[name], role="ranking"), METRICS)) == digits(EXPECTED)


def test_splits_of_datasets():
    """A DatasetDict was refused, or its splits taken for queries."""
    gold = type("Gold", (Dataset,), {"to_polars": lambda _: pl.DataFrame(rows("query", "relevant_ids"))})()

    assert digits(rg.evaluate({"test": gold}, LISTS, METRICS)) == digits(EXPECTED)
    assert digits(rg.evaluate({"train": gold, "test": gold}, LISTS, METRICS, split="test")) == digits(EXPECTED)
    with pytest.raises(rg.InputError, match=r"(?s)has several splits: 'train', 'test' .*remedy: choose one: split="):
        rg.evaluate({"train": gold, "test": gold}, LISTS, METRICS)
    with pytest.raises(rg.InputError, match="split 'dev' is not in it; it has 'train', 'test'"):
        rg.evaluate({"train": gold, "test": gold}, LISTS, METRICS, split="dev")


def test_judgments_of_ir_datasets():
    qrels = [Qrel(key, item, 1, "0") for key in GOLD for item in GOLD[key]]
    dataset = type("Dataset", (), {"qrels_iter": lambda _: iter(qrels)})()

    for source in (qrels, iter(qrels), dataset):
        assert digits(rg.evaluate(source, LISTS, METRICS)) == digits(EXPECTED)


def test_several_systems_in_one_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stored = [
        {"_source": {"searchText": key, "searchConfigurationId": system, "documentIds": LISTS[key][::step]}}
        for system, step in (("old", -1), ("new", 1))
        for key in GOLD
    ]
    write(tmp_path, "results", "json", {"hits": {"hits": stored}})
    write(tmp_path, "gold", "json", GOLD)
    data = rg.read("results.json")

    assert [*data.rankings] == ["old", "new"]
    assert rg.compare("gold.json", data.rankings, "AP").systems == ("old", "new")
    assert rg.evaluate("gold.json", "results.json", "AP").systems == ("old", "new")
    result = here("eval", "gold.json", "results.json", "-m", "AP", "-t", "jsonl")
    assert [json.loads(line)["system"] for line in result.out.splitlines()] == ["results/old", "results/new"]


def test_retriever_and_reranker_of_a_trace_are_two_systems(tmp_path):
    spans = [
        {"trace_id": key, "attributes": {"input.value": key, f"{name}.0.document.id": item}}
        for name, item in (("retrieval.documents", "x"), ("reranker.output_documents", "a"))
        for key in GOLD
    ]
    data = rg.read(write(tmp_path, "spans", "jsonl", spans))

    assert [*data.rankings] == ["retriever", "reranker"]
    both = rg.attribute(GOLD, *data.rankings.values(), "RR")
    assert [change.contribution for change in both.queries if change.query == "q1"] == [1 / 3]


def test_a_list_that_contradicts_its_scores_is_noted():
    """RG210: a reranked list that kept the scores of the first stage."""
    hits_by_query = {"q1": [{"id": "a", "score": 0.1}, {"id": "x", "score": 0.9}]}
    frame = pl.DataFrame([{"query": key, "hits": entries} for key, entries in hits_by_query.items()])

    scores = rg.evaluate({"q1": {"a": 1}}, frame, "RR")
    assert scores.mean("RR") == 0.5
    assert "RG210" in {finding.code for finding in scores.findings}


def test_a_file_of_a_tool_is_converted(tmp_path):
    source, target = write(tmp_path, "answers", *BOTH["ragas texts"]), tmp_path / "run.csv"

    assert "--role" in here("convert", str(source), "-o", str(target)).err
    assert here("convert", str(source), "-o", str(target), "--role", "ranking").code == 0
    assert digits(rg.evaluate(GOLD, target, METRICS)) == digits(EXPECTED)


def test_a_request_of_rank_eval_has_its_metric_and_rules(tmp_path):
    """Elasticsearch ends the ideal at the number of hits: with 2 of 3 rated items returned, nDCG is 1."""
    request = {
        "requests": [{"id": "q", "request": {}, "ratings": gold_ratings({"a": 3, "b": 1, "c": 2})}],
        "metric": {"dcg": {"k": 5, "normalize": True}},
    }
    data = rg.read(write(tmp_path, "request", "json", request))

    assert data.metrics == ("nDCG@5",)
    assert data.convention.gain == "exp2"
    ranked = {"q": ["a", "c"]}
    scores = rg.evaluate(data.judgments, ranked, data.metrics, convention=data.convention)
    assert scores.mean("nDCG@5") == 1
    assert rg.evaluate(data, ranking=ranked).mean("nDCG@5") == 1
    precision = {"precision": {"k": 3, "relevant_rating_threshold": 2, "ignore_unlabeled": True}}
    data = rg.read(write(tmp_path, "request", "json", request | {"metric": precision}))
    assert rg.evaluate(data, ranking={"q": ["a", "x", "b"]}).mean("P@3") == 0.5


def gold_ratings(grades):
    return [{"_index": "i", "_id": item, "rating": grade} for item, grade in grades.items()]


def test_a_response_of_rank_eval_notes_that_judgments_are_incomplete(tmp_path):
    """RG116: relevant items that were not returned are unknown."""
    scores = rg.evaluate(write(tmp_path, "response", *BOTH["rank_eval"]), metrics="R")

    assert "RG116" in {finding.code for finding in scores.findings}


def test_a_response_of_search_is_named_after_its_file(tmp_path):
    path = write(tmp_path, "q1", "json", {"hits": {"hits": [{"_id": item, "_score": None} for item in LISTS["q1"]]}})
    several = {"responses": [{"hits": {"hits": [{"_id": item} for item in items]}} for items in LISTS.values()]}

    scores = rg.evaluate(GOLD, path, "RR")
    assert scores.per_query("RR")["q1"] == 0.5
    assert [finding.count for finding in scores.findings if finding.code == "RG121"] == [1]
    numbered = {number: GOLD[key] for number, key in enumerate(GOLD, 1)}
    assert digits(rg.evaluate(numbered, write(tmp_path, "all", "json", several), METRICS)) == digits(EXPECTED)


def test_files_of_otto(tmp_path):
    labels = [{"session": 42, "labels": {"clicks": "a", "carts": ["b", "c"]}}]
    submission = [{"session_type": "42_clicks", "labels": "x a"}, {"session_type": "42_carts", "labels": "b x c"}]
    sides = write(tmp_path, "labels", "jsonl", labels), write(tmp_path, "submission", "csv", submission)

    assert rg.evaluate(*sides, "RR").per_query("RR") == {"42_clicks": 0.5, "42_carts": 1.0}


def test_rows_without_a_query_are_numbered():
    row = {"retrieval_ground_truth": [{"document_id": "a", "query_relevance_label": 2}], "retrieved_documents": []}
    row["retrieved_documents"] = [{"document_id": item, "relevance_score": 0.5} for item in ("x", "a")]

    assert rg.evaluate(rg.read([row, row]), metrics="R").per_query("R") == {1: 1.0, 2: 1.0}


def test_the_local_page_takes_a_file_with_both_sides(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the worker changes it
    path = write(tmp_path, "answers", *BOTH["ragas texts"])

    assert reported(tmp_path, [path])["stage"] == "done"


def test_an_ambiguous_file_on_the_local_page_gets_the_missing_role(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lists = write(tmp_path, "lists", "json", {key: [*GOLD[key]] for key in GOLD})
    for other in (write(tmp_path, "run", *RANKINGS["trec_rag"]), write(tmp_path, "gold", *JUDGMENTS["llama_index"])):
        assert reported(tmp_path, [lists, other])["stage"] == "done"
    with pytest.raises(rg.InputError, match="RG114"):
        reported(tmp_path, [lists, lists])


def test_adding_a_shape_costs_one_file_and_one_row():
    """Every row has a module with a function fit, a title and a text in both languages, and no module lacks a row."""
    helpers = {
        "entry_rows",
        "fields",
        "first_places",
        "list_cells",
        "list_columns",
        "list_rows",
        "recognition",
        "registry",
        "shape",
        "span_attributes",
    }
    modules = {path.stem for path in (Path(rg.__file__).parent / "inputs/shapes").glob("[!_]*.py")}

    assert modules - helpers == SHAPE_NAMES
    for shape in SHAPES:
        assert shape.fit(None) is None
        assert shape.fit({}) is None
        assert shape.recognised_by.en != shape.recognised_by.zh


@pytest.mark.parametrize("gold", ["gold_passages", "gold_chunks", "relevantPassages", "expected_chunk_ids"])
@pytest.mark.parametrize("returned", ["retrieved_chunk_ids", "retrieved_passages"])
def test_passages_and_chunks_are_recognised_by_name(gold, returned):
    rows = [{"question": "why?", gold: ["a"], returned: ["b", "a"]}]
    assert rg.evaluate(rg.read(pl.DataFrame(rows)), metrics="RR").mean("RR") == 0.5


def retrieved(form, query, output, error=None):
    """The record of a retriever that ended with an output, or without one."""
    if form == "mlflow":
        inputs = {"mlflow.spanType": '"RETRIEVER"', "mlflow.spanInputs": json.dumps({"query": query})}
        outputs = {} if output is ... else {"mlflow.spanOutputs": json.dumps(output)}
        span = {"attributes": inputs | outputs, "status": {"message": error}}
        return {"info": {"trace_id": "t"}, "data": {"spans": [span]}}
    if form == "langsmith":
        outputs = None if output is ... else {"documents": output}
        return {"run_type": "retriever", "inputs": {"query": query}, "outputs": outputs, "error": error}
    documents = {f"retrieval.documents.{place}.document.id": one["id"] for place, one in enumerate(output or [])}
    attributes = {"openinference.span.kind": "RETRIEVER", "input.value": query, **documents}
    return {"trace_id": query, "status_code": "ERROR", "status_message": error, "attributes": attributes}


@pytest.mark.parametrize("in_file", [False, True])
@pytest.mark.parametrize(
    ("form", "output"),
    [("mlflow", None), ("mlflow", ...), ("langsmith", None), ("langsmith", ...), ("openinference", None)],
)
def test_a_retriever_without_output_failed_which_an_empty_list_has_not(form, output, in_file, tmp_path):
    """In one form it was an empty list, in another an error of the record, in a third it was left out."""
    judgments = {"q1": {"a": 1}, "q2": {"a": 1}}

    def source(*records):
        path = tmp_path / "traces.jsonl"
        path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        return path if in_file else [*records]

    good = retrieved(form, "q2", [{"id": "a"}])
    failed = source(retrieved(form, "q1", output, "timeout"), good)
    with pytest.raises(rg.InputError, match=r"the retriever has no output: 'timeout' \(query 'q1'\)") as caught:
        rg.evaluate(judgments, failed, "RR")
    assert caught.value.codes == ("RG122",)
    assert "检索器没有输出：'timeout'" in caught.value.render("zh")
    assert rg.evaluate(judgments, failed, "RR", lenient=True).per_query("RR") == {"q1": 0, "q2": 1}
    if form != "openinference":  # whose spans have no attribute for an empty list
        scores = rg.evaluate(judgments, source(retrieved(form, "q1", []), good), "RR")
        assert scores.per_query("RR") == {"q1": 0, "q2": 1}
        assert "RG122" not in {finding.code for finding in scores.findings}


def test_an_output_that_is_no_list_is_refused():
    record = retrieved("mlflow", "q", "timeout")
    with pytest.raises(rg.InputError, match="expected a list of documents, found"):
        rg.evaluate({"q": {"a": 1}}, [record], "RR")
