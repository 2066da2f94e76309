"""Adapters of sentence-transformers and MLflow without these packages: stand-ins have what the adapters call."""

import json
import sys
from types import ModuleType, SimpleNamespace

import pytest

import rankgauge as rg

JUDGMENTS = {"q1": {"a": 3, "b": 1}, "q2": {"c": 1}}
RANKING = {"q1": ["x", "a", "b"], "q2": ["c"]}


class Store(ModuleType):
    """What the adapter calls of mlflow."""

    def __init__(self):
        super().__init__("mlflow")
        self.metrics, self.artifacts, self.tags = {}, {}, {}

    def log_metrics(self, metrics, step=None):
        self.metrics[step] = metrics

    def set_tags(self, tags):
        self.tags |= tags

    def log_text(self, text, path):
        self.artifacts[path] = text

    def log_dict(self, data, path):
        self.artifacts[path] = json.dumps(data)


@pytest.fixture
def store(monkeypatch):
    made = Store()
    monkeypatch.setitem(sys.modules, "mlflow", made)
    return made


def test_means_are_logged_under_names_that_mlflow_accepts(store):
    scores = rg.evaluate(JUDGMENTS, RANKING, ["nDCG@10", "P(rel=2)@5", "RR"])
    logged = rg.mlflow.log_scores(scores, prefix="test", step=3)
    assert store.metrics == {3: logged}
    assert logged == {
        "test/nDCG_at_10": scores.mean("nDCG@10"),
        "test/P_rel_2_at_5": scores.mean("P(rel=2)@5"),
        "test/RR": 0.75,
    }
    assert json.loads(store.artifacts["rankgauge/definitions.json"])["metrics"]["RR"] == rg.RR.line()
    assert store.artifacts["rankgauge/scores.csv"].count("\n") == 1 + 2 * 3


def test_metrics_are_prefixed_with_the_system_and_artifacts_are_optional(store):
    scores = rg.evaluate(JUDGMENTS, {"bm25 (k1=2)": RANKING, "new": RANKING}, "RR")
    assert [*rg.mlflow.log_scores(scores, artifacts=False)] == ["bm25 _k1_2_/RR", "new/RR"]
    assert store.artifacts == {}


def test_reports_are_artifacts(store):
    report = rg.report(JUDGMENTS, {"one": RANKING}, "RR")
    assert rg.mlflow.log_report(report) == "rankgauge/report.html"
    assert store.artifacts["rankgauge/report.html"].startswith("<!DOCTYPE html>")
    with pytest.raises(rg.ParameterError, match=r"report must be the result of rg\.report"):
        rg.mlflow.log_report("report.html")


def test_results_that_cannot_be_logged_are_errors(store):
    nothing = rg.evaluate({"q": {"a": 0}}, {"q": ["a"]}, "AP", convention=rg.Convention(undefined="skip"))
    with pytest.raises(rg.InputError, match="AP: the mean is nan"):
        rg.mlflow.log_scores(nothing)
    with pytest.raises(rg.ParameterError, match=r"scores must be the result of rg\.evaluate"):
        rg.mlflow.log_scores({"RR": 0.5})
    assert store.metrics == {}


class Base:
    """What the adapter needs of the evaluator of sentence-transformers: it retrieves, and names the results."""

    def __init__(
        self,
        queries,
        corpus,
        relevant_docs,
        mrr_at_k=(10,),
        ndcg_at_k=(10,),
        accuracy_at_k=(1, 3),
        precision_recall_at_k=(1, 3),
        map_at_k=(100,),
    ):
        self.queries_ids = [query for query in queries if relevant_docs.get(query)]
        self.corpus, self.relevant_docs = corpus, relevant_docs
        self.mrr_at_k, self.ndcg_at_k, self.accuracy_at_k = mrr_at_k, ndcg_at_k, accuracy_at_k
        self.precision_recall_at_k, self.map_at_k = precision_recall_at_k, map_at_k

    def compute_all_metrics(self, model):
        hits = [
            [{"corpus_id": item, "score": model(query, item)} for item in self.corpus] for query in self.queries_ids
        ]
        return {"cosine": self.compute_metrics(hits)}

    def __call__(self, model):
        tables = self.compute_all_metrics(model)["cosine"]
        return {
            f"cosine_{name.replace('@k', f'@{k}')}": value for name, of in tables.items() for k, value in of.items()
        }


@pytest.fixture
def retrieval(monkeypatch):
    evaluation = SimpleNamespace(InformationRetrievalEvaluator=Base)
    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(evaluation=evaluation))
    monkeypatch.setitem(sys.modules, "sentence_transformers.evaluation", evaluation)
    return rg.sentence_transformers.evaluator


CORPUS = {"d": "", "a": "", "b": "", "c": ""}


def score(query, item):
    return {"q1": {"d": 0.9, "a": 0.5, "b": 0.5}, "q2": {"c": 0.1}}.get(query, {}).get(item, 0.0)


def test_metrics_of_sentence_transformers_keep_their_names_and_rules(retrieval):
    evaluator = retrieval({"q1": "", "q2": "", "unjudged": ""}, CORPUS, {"q1": {"a", "b"}, "q2": {"c"}})
    values = evaluator(score)
    assert {name.partition("@")[0].removeprefix("cosine_") for name in values} == {
        "accuracy",
        "map",
        "mrr",
        "ndcg",
        "precision",
        "recall",
    }
    assert values["cosine_mrr@10"] == (1 / 2 + 1) / 2
    assert values["cosine_map@100"] == ((1 / 2 + 2 / 3) / 2 + 1) / 2
    assert values["cosine_accuracy@1"] == 0.5
    assert values["cosine_recall@3"] == 1.0


def test_extra_metrics_read_grades_and_keep_their_scores(retrieval):
    evaluator = retrieval(
        {"q1": "", "q2": ""}, CORPUS, JUDGMENTS, ["nDCG@3", "ERR"], convention=rg.Convention(gain="exp2")
    )
    values = evaluator(score)
    expected = rg.evaluate(
        JUDGMENTS,
        {"q1": ["d", "a", "b", "c"], "q2": ["c", "a", "b", "d"]},
        ["nDCG@3", "ERR"],
        convention=rg.Convention(gain="exp2"),
    )
    assert values["cosine_nDCG@3"] == pytest.approx(expected.mean("nDCG@3"))
    assert values["cosine_ERR"] == pytest.approx(expected.mean("ERR"))
    evaluator(score)
    assert len(evaluator.scores) == 1
    assert evaluator.scores[0].per_query("nDCG@3") == expected.per_query("nDCG@3")
    with pytest.raises(rg.ParameterError, match=r"nDCG@200: only 100 items are retrieved; pass map_at_k=\[200\]"):
        retrieval({"q1": ""}, CORPUS, JUDGMENTS, "nDCG@200")
