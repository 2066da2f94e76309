"""Files that other packages wrote (``parity/samples.py``): read by Python and command line with the right numbers."""

import json
from pathlib import Path

import pytest

import rankgauge as rg
from command_line import here
from optional import needs

FOLDER = Path(__file__).parent / "data" / "formats"
GOLD = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"a": 1, "d": 1}}
LISTS = {"q1": ["x", "a", "y", "b"], "q2": ["c", "z"], "q3": ["y", "x", "d"]}
METRICS = ("nDCG@10", "AP", "RR")
EXPECTED = rg.evaluate(GOLD, LISTS, METRICS)
BOTH = {
    "ragas/texts.jsonl": "ragas",
    "ragas/texts.csv": "ragas",
    "ragas/ids.jsonl": "ragas",
    "ragas/ids.parquet": "ragas",
    "deepeval/goldens.json": "deepeval",
    "deepeval/goldens.jsonl": "deepeval",
    "deepeval/goldens.csv": "deepeval",
    "deepeval/test_cases.json": "deepeval",
    "llama_index/results.jsonl": "lists",
    "azure/data.jsonl": "azure",
    "azure/output.json": "azure",
    "datasets/rows.jsonl": "lists",
    "datasets/rows.csv": "lists",
    "datasets/rows.parquet": "lists",
    "datasets/saved": "lists",
}
"""The shape of files with both sides."""
JUDGMENTS = {
    "llama_index/dataset.json": "llama_index",
    "ranx/qrels.json": "by_query",
    "ranx/qrels.trec": "",
    "ranx/qrels.json.gz": "",
    "ranx/qrels.parquet": "",
    "ir_datasets/qrels.trec": "",
    "ir_datasets/qrels.tsv": "",
    "ir_datasets/qrels.jsonl": "",
    "trulens/ground_truth.jsonl": "trulens",
}
RANKINGS = {
    "llama_index/nodes.json": "by_query",
    "langchain/documents.json": "by_query",
    "langchain/dumps.json": "by_query",
    "langchain/runs.jsonl": "langsmith",
    "haystack/documents.json": "by_query",
    "haystack/documents_nested.json": "by_query",
    "ranx/run.json": "by_query",
    "ranx/run.trec": "",
    "ranx/run.json.gz": "",
    "ranx/run.parquet": "",
    "beir/run.trec": "",
    "mteb/Local_predictions.json": "mteb_predictions",
    "mlflow/traces.jsonl": "mlflow_traces",
    "opentelemetry/console.txt": "spans",
    "opentelemetry/lines.jsonl": "spans",
    "opentelemetry/otlp.json": "spans",
    "openinference/spans.jsonl": "spans",
}
VALUES = ("ir_measures/values.txt", "ir_measures/with_means.txt", "ir_measures/pytrec_eval.json")
QUESTIONS = ("langchain/runs", "mlflow", "opentelemetry", "openinference")
"""Rankings whose queries are texts."""


def digits(scores):
    return {metric: [*scores.per_query(metric).values()] for metric in METRICS}


def by_command(*files):
    result = here("eval", *map(str, files), "-m", ",".join(METRICS), "-t", "jsonl", "-q")
    assert result.code == 0, result.err
    rows = [json.loads(line) for line in result.out.splitlines()]
    return {metric: [row["value"] for row in rows if row["metric"] == metric][: len(GOLD)] for metric in METRICS}


def named(name, by_query):
    """The other side, with the names of queries and items in a sample."""
    questions = name.startswith(QUESTIONS)
    return {f"What is {query}?" if questions else query: items for query, items in by_query.items()}


def texts(by_query):
    return {query: [f"The text of {item}." for item in items] for query, items in by_query.items()}


@pytest.mark.parametrize("name", BOTH)
def test_both_sides_of_a_sample_have_the_right_numbers(name):
    data = rg.read(FOLDER / name)

    assert data.shape == BOTH[name]
    assert digits(rg.evaluate(data, metrics=METRICS)) == digits(EXPECTED)
    assert digits(rg.evaluate(FOLDER / name, metrics=METRICS)) == digits(EXPECTED)
    assert by_command(FOLDER / name) == digits(EXPECTED)


@pytest.mark.parametrize("name", JUDGMENTS)
def test_judgments_of_a_sample_have_the_right_numbers(name, tmp_path):
    data, lists = rg.read(FOLDER / name), texts(LISTS) if name.startswith("trulens") else LISTS
    path = tmp_path / "lists.json"
    path.write_text(json.dumps(lists))

    assert (data.shape, bool(data.rankings)) == (JUDGMENTS[name], False)
    assert digits(rg.evaluate(data.judgments, lists, METRICS)) == digits(EXPECTED)
    assert by_command(FOLDER / name, path) == digits(EXPECTED)


@pytest.mark.parametrize("name", RANKINGS)
def test_rankings_of_a_sample_have_the_right_numbers(name, tmp_path):
    gold, path = named(name, GOLD), tmp_path / "gold.json"
    path.write_text(json.dumps(gold))
    data = rg.read(FOLDER / name, role="ranking")

    assert (data.shape, len(data.rankings)) == (RANKINGS[name], 1)
    assert digits(rg.evaluate(gold, data, METRICS)) == digits(EXPECTED)
    assert by_command(path, FOLDER / name) == digits(EXPECTED)


@pytest.mark.parametrize("name", VALUES)
def test_values_of_a_sample_have_the_right_numbers(name):
    """Values of ir_measures and of pytrec_eval were refused, or taken for a ranking of metrics."""
    scores = rg.read_scores(FOLDER / name)

    for metric in METRICS:
        assert scores.per_query(metric) == pytest.approx(EXPECTED.per_query(metric), abs=1e-12)
    assert here("compare", FOLDER / name, FOLDER / name, "-m", "AP").code == 0


def test_results_of_one_task_are_the_value_of_one_query():
    mteb, beir = rg.read_scores(FOLDER / "mteb/result.json"), rg.read_scores(FOLDER / "beir")

    assert mteb.mean("nDCG@10") == pytest.approx(EXPECTED.mean("nDCG@10"), abs=1e-5)
    assert mteb.mean("RR@10") == pytest.approx(EXPECTED.mean("RR"), abs=1e-6)
    assert beir.per_query("nDCG@10") == {"results": 0.65}
    assert beir.means() == {"nDCG@10": 0.65, "AP@10": 0.6, "R@10": 0.83, "P@10": 0.16, "RR@10": 0.61}


def test_neighbours_of_ann_benchmarks():
    needs("h5py")
    exact = {0: [0, 1], 1: [2, 4], 2: [0, 3]}
    returned = {0: [4, 0, 5, 1], 1: [2, 6], 2: [5, 4, 3]}

    scores = rg.evaluate(FOLDER / "h5py/exact.hdf5", FOLDER / "h5py/result.hdf5", METRICS)
    assert digits(scores) == digits(rg.evaluate(exact, returned, METRICS))


def test_every_sample_is_read_by_a_test():
    tested = {*BOTH, *JUDGMENTS, *RANKINGS, *VALUES, *VERDICTS, "mlflow/assessments.jsonl"}
    others = {"beir/results.json", "mteb/result.json", "h5py/exact.hdf5", "h5py/result.hdf5"}
    inputs = {f"{folder}/{name}.txt" for folder in ("ir_measures", "ir_datasets") for name in ("qrels", "run")}
    files = {path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/*")}
    versions = json.loads((FOLDER / "versions.json").read_text())

    assert files == tested | others | inputs
    assert {name.partition("/")[0] for name in files} == {*versions}


VERDICTS = {
    "umbrela/verdicts.jsonl": [
        *[
            ("What is q1?", text, "judge-1", grade)
            for text, grade in zip(texts({"": "xayb"})[""], (0, None, 0, 1), strict=True)
        ],
        *[
            ("What is q2?", text, "judge-1", grade)
            for text, grade in zip(texts({"": "cz"})[""], (1, None), strict=True)
        ],
        *[
            ("What is q3?", text, "judge-1", grade)
            for text, grade in zip(texts({"": "yxd"})[""], (0, None, 1), strict=True)
        ],
    ],
    "ragelo/verdicts_results.jsonl": [
        *[("q1", item, "reasoner", grade) for item, grade in (("x", 0), ("x", 1), ("a", 1), ("y", 0), ("b", 1))],
        ("q2", "c", "reasoner", 1),
        *[("q3", item, "reasoner", grade) for item, grade in (("y", 0), ("x", 0), ("x", 1), ("d", 1))],
    ],
    "mlflow/traces.jsonl": [
        (f"What is {query}?", item, rater, grade)
        for query, items in LISTS.items()
        for item, rater, grade in zip(
            (items[0], items[0], items[1], items[1]), ("judge-1", "ann") * 2, (1, 1, 0, None), strict=True
        )
    ],
}
"""Query, item, rater and grade of the labels in files of judges; RAGElo's ``x`` has a probability for each grade."""


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts_of_a_sample_are_labels(name):
    labels = rg.judges.Labels.of(FOLDER / name, rg.ReadOptions(), "labels")

    assert labels.frame.select("query", "item", "rater", "grade").rows() == VERDICTS[name]


def test_assessments_of_chunks_without_their_trace_keep_the_index_of_the_chunk():
    labels = rg.judges.Labels.of(FOLDER / "mlflow/assessments.jsonl", rg.ReadOptions(), "labels")

    assert labels.frame.select("item", "rater", "grade").rows()[:4] == [
        ("relevance[0]", "judge-1", 1),
        ("relevance[0]", "ann", 1),
        ("relevance[1]", "judge-1", 0),
        ("relevance[1]", "ann", None),
    ]


def test_an_assessment_that_was_overridden_is_left_out(tmp_path):
    lines = (FOLDER / "mlflow/assessments.jsonl").read_text().splitlines()
    (tmp_path / "a.jsonl").write_text("\n".join([lines[0].replace('"valid": true', '"valid": false'), *lines[1:]]))

    assert len(rg.judges.Labels.of(tmp_path / "a.jsonl", rg.ReadOptions(), "labels").frame) == len(lines) - 1
