"""Write one small data set with the packages that people use; run by samples.py in the environment of each package.

Every writer has the data below, and writes files with the functions of its package.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

GOLD = {"q1": ["a", "b"], "q2": ["c"], "q3": ["a", "d"]}
LISTS = {"q1": ["x", "a", "y", "b"], "q2": ["c", "z"], "q3": ["y", "x", "d"]}
TEXTS = {item: f"The text of {item}." for item in "abcdxyz"}
QUESTIONS = {query: f"What is {query}?" for query in GOLD}


def scores(query: str) -> dict[str, float]:
    """Return the items of a ranking with falling scores."""
    return {item: 0.9 - rank / 8 for rank, item in enumerate(LISTS[query])}


def texts(items: Sequence[str]) -> list[str]:
    """Return the texts of items."""
    return [TEXTS[item] for item in items]


def ragas(folder: Path) -> None:
    """Samples with texts, and with ids."""
    from ragas import EvaluationDataset, SingleTurnSample

    by_text = [
        SingleTurnSample(
            user_input=QUESTIONS[query],
            retrieved_contexts=texts(LISTS[query]),
            reference_contexts=texts(GOLD[query]),
            response="An answer.",
            reference="The answer.",
        )
        for query in GOLD
    ]
    by_id = [
        SingleTurnSample(
            user_input=QUESTIONS[query],
            retrieved_contexts=texts(LISTS[query]),
            retrieved_context_ids=LISTS[query],
            reference_context_ids=GOLD[query],
        )
        for query in GOLD
    ]
    EvaluationDataset(by_text).to_jsonl(str(folder / "texts.jsonl"))
    EvaluationDataset(by_text).to_csv(str(folder / "texts.csv"))
    EvaluationDataset(by_id).to_jsonl(str(folder / "ids.jsonl"))
    EvaluationDataset(by_id).to_hf_dataset().to_parquet(str(folder / "ids.parquet"))


def deepeval(folder: Path) -> None:
    """A dataset of test cases."""
    from deepeval.dataset import EvaluationDataset, Golden
    from deepeval.test_case import LLMTestCase

    dataset = EvaluationDataset(
        goldens=[
            Golden(
                input=QUESTIONS[query],
                expected_output="The answer.",
                context=texts(GOLD[query]),
                retrieval_context=texts(LISTS[query]),
                actual_output="An answer.",
            )
            for query in GOLD
        ]
    )
    for kind in ("json", "jsonl", "csv"):
        dataset.save_as(kind, str(folder), file_name="goldens")
    cases = EvaluationDataset()
    for query, gold in GOLD.items():
        cases.add_test_case(
            LLMTestCase(
                input=QUESTIONS[query],
                actual_output="An answer.",
                expected_output="The answer.",
                context=texts(gold),
                retrieval_context=texts(LISTS[query]),
            )
        )
    cases.save_as("json", str(folder), file_name="test_cases", include_test_cases=True)


def llama_index(folder: Path) -> None:
    """A dataset for retrieval, nodes, and the results of an evaluator."""
    from llama_index.core.evaluation.retrieval.base import RetrievalEvalResult
    from llama_index.core.evaluation.retrieval.metrics import MRR
    from llama_index.core.llama_dataset.legacy.embedding import EmbeddingQAFinetuneDataset
    from llama_index.core.schema import NodeWithScore, TextNode

    EmbeddingQAFinetuneDataset(queries=QUESTIONS, corpus=TEXTS, relevant_docs=GOLD).save_json(
        str(folder / "dataset.json")
    )
    nodes = {
        query: [
            NodeWithScore(node=TextNode(id_=item, text=TEXTS[item]), score=score).to_dict()
            for item, score in scores(query).items()
        ]
        for query in GOLD
    }
    (folder / "nodes.json").write_text(json.dumps(nodes))
    results = [
        RetrievalEvalResult(
            query=QUESTIONS[query],
            expected_ids=GOLD[query],
            expected_texts=None,
            retrieved_ids=LISTS[query],
            retrieved_texts=texts(LISTS[query]),
            mode="text",
            metric_dict={"mrr": MRR().compute(None, GOLD[query], LISTS[query])},
        )
        for query in GOLD
    ]
    write_lines(folder / "results.jsonl", [result.model_dump_json() for result in results])


def langchain(folder: Path) -> None:
    """Documents by query, and the runs of a retriever."""
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.load import dumps
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tracers.run_collector import RunCollectorCallbackHandler

    def found(query: str) -> list[Document]:
        return [Document(page_content=TEXTS[item], metadata={"source": item}) for item in LISTS[query]]

    class Retriever(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
            return found(next(key for key in QUESTIONS if QUESTIONS[key] == query))

    (folder / "dumps.json").write_text(dumps({query: found(query) for query in LISTS}))
    as_dicts = {query: [document.model_dump() for document in found(query)] for query in LISTS}
    (folder / "documents.json").write_text(json.dumps(as_dicts))
    collector = RunCollectorCallbackHandler()
    for question in QUESTIONS.values():
        Retriever().invoke(question, config={"callbacks": [collector]})
    write_lines(folder / "runs.jsonl", [run.json() for run in collector.traced_runs])


def haystack(folder: Path) -> None:
    """Documents by query."""
    from haystack import Document

    found = {
        query: [Document(id=item, content=TEXTS[item], score=score) for item, score in scores(query).items()]
        for query in LISTS
    }
    flat = {query: [document.to_dict() for document in documents] for query, documents in found.items()}
    nested = {query: [document.to_dict(flatten=False) for document in documents] for query, documents in found.items()}
    (folder / "documents.json").write_text(json.dumps(flat))
    (folder / "documents_nested.json").write_text(json.dumps(nested))


def ranx(folder: Path) -> None:
    """Qrels and runs in all formats."""
    from ranx import Qrels, Run

    qrels = Qrels({query: dict.fromkeys(items, 1) for query, items in GOLD.items()})
    run = Run({query: scores(query) for query in LISTS})
    for ending in ("json", "json.gz", "trec", "parquet"):
        qrels.save(str(folder / f"qrels.{ending}"))
        run.save(str(folder / f"run.{ending}"))


def ir_measures(folder: Path) -> None:
    """Values by query, as the command writes them, and as pytrec_eval returns them."""
    import pytrec_eval

    write_trec(folder)
    command = [sys.executable, "-m", "ir_measures", folder / "qrels.txt", folder / "run.txt", "nDCG@10 AP RR"]
    for kind, options in (("with_means", ["-q"]), ("values", ["-q", "-n"])):
        done = subprocess.run([*command, *options, "-p", "16"], capture_output=True, text=True, check=True)
        (folder / f"{kind}.txt").write_text(done.stdout)
    qrels = {query: dict.fromkeys(items, 1) for query, items in GOLD.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut_10", "recip_rank"})
    values = evaluator.evaluate({query: scores(query) for query in LISTS})
    (folder / "pytrec_eval.json").write_text(json.dumps(values))


def ir_datasets(folder: Path) -> None:
    """Judgments as the command ``ir_datasets export`` writes them."""
    from contextlib import redirect_stdout

    import ir_datasets as package
    from ir_datasets.commands.export import main
    from ir_datasets.formats import TrecQrels

    write_trec(folder)

    class Local:
        def path(self, *, force: bool = True) -> str:
            return str(folder / "qrels.txt")

        def stream(self) -> Any:
            return (folder / "qrels.txt").open("rb")

    package.registry.register("local", package.Dataset(TrecQrels(Local(), {0: "Not relevant", 1: "Relevant"})))
    for kind in ("trec", "tsv", "jsonl"):
        with (folder / f"qrels.{kind}").open("w") as file, redirect_stdout(file):
            main(["local", "qrels", "--format", kind])


def beir(folder: Path) -> None:
    """A run and results."""
    from beir.util import save_results, save_runfile

    save_runfile(str(folder / "run.trec"), {query: scores(query) for query in LISTS})
    values = ({"NDCG@10": 0.65}, {"MAP@10": 0.6}, {"Recall@10": 0.83}, {"P@10": 0.16})
    save_results(str(folder / "results.json"), *values, {"MRR@10": 0.61})


def datasets(folder: Path) -> None:
    """A dataset with both sides in every form."""
    from datasets import Dataset

    rows = [{"query": query, "relevant_ids": GOLD[query], "retrieved_ids": LISTS[query]} for query in GOLD]
    dataset = Dataset.from_list(rows)
    dataset.to_parquet(str(folder / "rows.parquet"))
    dataset.to_json(str(folder / "rows.jsonl"))
    dataset.to_csv(str(folder / "rows.csv"))
    dataset.save_to_disk(str(folder / "saved"))


def mteb(folder: Path) -> None:
    """The predictions and the results of a task of its own, evaluated with a model of word counts."""
    import datasets as hf
    import mteb as package
    import numpy as np
    from mteb.abstasks.retrieval import AbsTaskRetrieval
    from mteb.models.model_meta import ModelMeta

    corpus, queries = [*TEXTS], [*QUESTIONS]
    vectors = {TEXTS[item]: np.eye(len(corpus))[place] for place, item in enumerate(corpus)}
    for query in queries:
        vectors[QUESTIONS[query]] = sum(score * vectors[TEXTS[item]] for item, score in scores(query).items())
    described = {
        "name": "Local",
        "description": "d",
        "reference": None,
        "dataset": {"path": "local/local", "revision": "1"},
        "type": "Retrieval",
        "category": "t2t",
        "modalities": ["text"],
        "eval_splits": ["test"],
        "eval_langs": ["eng-Latn"],
        "main_score": "ndcg_at_10",
        "date": None,
        "domains": None,
        "task_subtypes": None,
        "license": None,
        "annotations_creators": None,
        "dialect": None,
        "sample_creation": None,
        "bibtex_citation": "",
    }

    class Local(AbsTaskRetrieval):
        metadata = package.TaskMetadata(**described)

        def load_data(self, *_: Any, **__: Any) -> None:
            split = {
                "corpus": hf.Dataset.from_list([{"id": item, "title": "", "text": TEXTS[item]} for item in corpus]),
                "queries": hf.Dataset.from_list([{"id": query, "text": QUESTIONS[query]} for query in queries]),
                "relevant_docs": {query: dict.fromkeys(items, 1) for query, items in GOLD.items()},
                "top_ranked": {query: LISTS[query] for query in queries},
            }
            self.dataset = {"default": {"test": split}}
            self.data_loaded = True

    class Words:
        mteb_model_meta = ModelMeta.create_empty({"name": "local/words", "revision": "1"})

        def encode(self, inputs: Any, **_: Any) -> Any:
            return np.array([vectors[text.strip()] for batch in inputs for text in batch["text"]])

        def similarity(self, left: Any, right: Any) -> Any:
            return np.asarray(left) @ np.asarray(right).T

        def similarity_pairwise(self, left: Any, right: Any) -> Any:
            return (np.asarray(left) * np.asarray(right)).sum(axis=1)

    result = package.evaluate(Words(), Local(), cache=None, prediction_folder=folder, co2_tracker=False)
    result.task_results[0].to_disk(folder / "result.json")


def mlflow(folder: Path) -> None:
    """Traces of a retriever, without what says where they were written."""
    import mlflow as package
    from mlflow.entities import Document

    package.set_tracking_uri(f"sqlite:///{folder / 'mlflow.db'}")

    @package.trace(span_type="RETRIEVER")
    def retrieve(query: str) -> list[Document]:
        key = next(key for key in QUESTIONS if QUESTIONS[key] == query)
        return [Document(page_content=TEXTS[item], metadata={"doc_uri": item}) for item in LISTS[key]]

    for question in QUESTIONS.values():
        retrieve(question)
    package.flush_trace_async_logging()
    assess(package)
    traces = [trace.to_dict() for trace in package.search_traces(return_type="list", order_by=["timestamp_ms ASC"])]
    for trace in traces:
        trace["info"]["tags"].pop("mlflow.artifactLocation", None)
        for name in [
            name for name in trace["info"]["trace_metadata"] if name.startswith(("mlflow.source", "mlflow.user"))
        ]:
            del trace["info"]["trace_metadata"][name]
    write_lines(folder / "traces.jsonl", map(json.dumps, traces))
    write_lines(
        folder / "assessments.jsonl",
        [json.dumps(assessment) for trace in traces for assessment in trace["info"]["assessments"]],
    )
    (folder / "mlflow.db").unlink(missing_ok=True)


def assess(package: Any) -> None:
    """Let a judge and a person grade the first two documents of each trace; the person cannot tell the second."""
    from mlflow.entities import AssessmentSource

    judge = AssessmentSource(source_type="LLM_JUDGE", source_id="judge-1")
    person = AssessmentSource(source_type="HUMAN", source_id="ann")
    for trace in package.search_traces(return_type="list", order_by=["timestamp_ms ASC"]):
        for number, (said, labelled) in enumerate([("yes", True), ("no", "unknown")]):
            for source, value in [(judge, said), (person, labelled)]:
                package.log_feedback(
                    trace_id=trace.info.trace_id,
                    name="relevance",
                    value=value,
                    source=source,
                    metadata={"chunk_index": str(number)},
                )


def umbrela(folder: Path) -> None:
    """Verdicts on every pair; the answer about the second passage of a query cannot be parsed.

    The package itself imports an index of passages, so its module with the writer is loaded alone.
    """
    import importlib.util

    place = importlib.util.find_spec("umbrela")
    path = Path(place.origin).with_name("utils") / "common_utils.py"  # type: ignore[union-attr, arg-type]
    spec = importlib.util.spec_from_file_location("common_utils", path)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    verdicts = []
    for query, items in LISTS.items():
        pairs = [(QUESTIONS[query], TEXTS[item]) for item in items]
        answers = [f'##final score: {{"O": {int(item in GOLD[query])}}}' for item in items]
        answers[1] = "I cannot say."
        verdicts += module.prepare_judgments(answers, pairs, ["The prompt."] * len(pairs), "judge-1")
    write_lines(folder / "verdicts.jsonl", map(json.dumps, verdicts))


def ragelo(folder: Path) -> None:
    """Results of a retrieval evaluator, some with a probability for each grade; failures are not written."""
    from ragelo import Experiment, get_retrieval_evaluator
    from ragelo.llm_providers.base_llm_provider import BaseLLMProvider
    from ragelo.types.configurations import LLMProviderConfig
    from ragelo.types.formats import LLMResponseType

    class Provider(BaseLLMProvider):
        """A judge that knows the gold items, and fails at z."""

        async def call_async(self, input: Any, response_schema: Any) -> Any:  # noqa: A002
            query, item = next(
                (q, i) for q in LISTS for i in LISTS[q] if QUESTIONS[q] in str(input) and TEXTS[i] in str(input)
            )
            if item == "z":
                raise ValueError("the answer could not be parsed")
            grade = int(item in GOLD[query])
            chances = {"0": 0.75, "1": 0.25} if item == "x" else None
            answer = response_schema(reasoning="Because.", score=grade, probabilities=chances)
            return LLMResponseType(raw_answer=answer.model_dump_json(), parsed_answer=answer)

    experiment = Experiment(experiment_name="verdicts", save_path=str(folder / "verdicts.json"), save_on_disk=True)
    for query, items in LISTS.items():
        experiment.add_query(QUESTIONS[query], query_id=query)
        for item in items:
            experiment.add_retrieved_doc(TEXTS[item], query_id=query, doc_id=item)
    get_retrieval_evaluator("reasoner", llm_provider=Provider(LLMProviderConfig())).evaluate_experiment(experiment)
    (folder / "verdicts.json").unlink(missing_ok=True)


def opentelemetry(folder: Path) -> None:
    """Spans of the conventions for generative AI, from the console exporter and as OTLP JSON."""
    from google.protobuf.json_format import MessageToDict
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans

    provider, memory = tracing()
    tracer = provider.get_tracer("sample")
    for query, question in QUESTIONS.items():
        with tracer.start_as_current_span("retrieval docs") as span:
            span.set_attribute("gen_ai.operation.name", "retrieval")
            span.set_attribute("gen_ai.retrieval.query.text", question)
            documents = [{"id": item, "score": score} for item, score in scores(query).items()]
            span.set_attribute("gen_ai.retrieval.documents", json.dumps(documents))
    spans = memory.get_finished_spans()
    (folder / "console.txt").write_text("".join(span.to_json() + "\n" for span in spans))
    write_lines(folder / "lines.jsonl", [span.to_json(indent=None) for span in spans])
    (folder / "otlp.json").write_text(json.dumps(MessageToDict(encode_spans(spans))))


def tracing() -> tuple[Any, Any]:
    """Return a provider of tracers, and the memory that its spans go to."""
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    provider, memory = TracerProvider(), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(memory))
    return provider, memory


def openinference(folder: Path) -> None:
    """Spans of a LangChain retriever, written by the instrumentation of OpenInference."""
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnableLambda  # noqa: F401 (initialises the callbacks)
    from openinference.instrumentation.langchain import LangChainInstrumentor

    class Retriever(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            key = next(key for key in QUESTIONS if QUESTIONS[key] == query)
            return [Document(id=item, page_content=TEXTS[item], metadata={"source": item}) for item in LISTS[key]]

    provider, memory = tracing()
    LangChainInstrumentor().instrument(tracer_provider=provider)
    for question in QUESTIONS.values():
        Retriever().invoke(question)
    write_lines(folder / "spans.jsonl", [span.to_json(indent=None) for span in memory.get_finished_spans()])


def h5py(folder: Path) -> None:
    """The layout of ann-benchmarks: exact neighbours, and those of a result."""
    import h5py as package
    import numpy as np

    ids = {item: place for place, item in enumerate(TEXTS)}
    exact = np.array([[0, 1], [2, 4], [0, 3]], dtype="i4")
    returned = np.full((len(LISTS), 4), -1, dtype="i4")
    for row, items in enumerate(LISTS.values()):
        returned[row, : len(items)] = [ids[item] for item in items]
    with package.File(folder / "exact.hdf5", "w") as file:
        file.attrs.update(distance="angular", dimension=2, point_type="float")
        file["train"], file["test"] = np.zeros((7, 2), "f4"), np.zeros((3, 2), "f4")
        file["neighbors"], file["distances"] = exact, np.zeros(exact.shape, "f4")
    with package.File(folder / "result.hdf5", "w") as file:
        file.attrs.update(algo="sample", dataset="exact", count=4)
        file["neighbors"], file["distances"] = returned, np.zeros(returned.shape, "f4")
        file["times"] = np.zeros(len(returned))


def trulens(folder: Path) -> None:
    """Ground truth as its database keeps it."""
    from trulens.core.schema.groundtruth import GroundTruth

    rows = [
        GroundTruth(
            dataset_id="d",
            query=QUESTIONS[query],
            query_id=query,
            expected_response="The answer.",
            expected_chunks=[{"text": TEXTS[item], "expect_score": 1} for item in GOLD[query]],
        )
        for query in GOLD
    ]
    write_lines(folder / "ground_truth.jsonl", [row.model_dump_json() for row in rows])


def azure(folder: Path) -> None:
    """The output of an evaluation of document retrieval."""
    from azure.ai.evaluation import DocumentRetrievalEvaluator, evaluate

    rows = [
        {
            "retrieval_ground_truth": [{"document_id": item, "query_relevance_label": 1} for item in GOLD[query]],
            "retrieved_documents": [
                {"document_id": item, "relevance_score": score} for item, score in scores(query).items()
            ],
        }
        for query in GOLD
    ]
    write_lines(folder / "data.jsonl", map(json.dumps, rows))
    evaluator = DocumentRetrievalEvaluator(ground_truth_label_min=0, ground_truth_label_max=1)
    evaluate(
        data=str(folder / "data.jsonl"), evaluators={"retrieval": evaluator}, output_path=str(folder / "output.json")
    )


def write_trec(folder: Path) -> None:
    """Write the data as TREC files."""
    qrels = [f"{query} 0 {item} 1" for query, items in GOLD.items() for item in items]
    write_lines(folder / "qrels.txt", qrels)
    run = [
        f"{query} Q0 {item} {rank} {score} sample"
        for query in LISTS
        for rank, (item, score) in enumerate(scores(query).items(), 1)
    ]
    write_lines(folder / "run.txt", run)


def write_lines(path: Path, lines: Any) -> None:
    """Write lines of text."""
    path.write_text("".join(f"{line}\n" for line in lines))


WRITERS: Mapping[str, Callable[[Path], None]] = {
    function.__name__: function
    for function in [
        *(ragas, deepeval, llama_index, langchain, haystack, ranx, ir_measures, ir_datasets, beir, datasets, mteb),
        *(mlflow, opentelemetry, openinference, h5py, trulens, azure, umbrela, ragelo),
    ]
}

if __name__ == "__main__":
    WRITERS[sys.argv[1]](Path(sys.argv[2]))
