"""Metrics of covered text: hand-worked values, brute force over characters, explanation, and chunking_evaluation."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from registries import PRESETS
from span_reference import CHUNKS, GOLD, SPAN_CASES, SPAN_REFERENCES, Stretch

NAN = rg.Convention(undefined="nan")
DOCUMENTS = {"d": "a\r\nb\r\nab ab ab\r\n", "日😀": "日本😀😀日本😀 e\u0301e\u0301", "f[0:3]": "repeat repeat repeat"}


def values(metrics, gold, chunks, **rules):
    scores = rg.evaluate(
        {"q": {str(span): 1 for span in gold}}, {"q": [str(span) for span in chunks]}, metrics,
        convention=NAN.replace(**rules),
    )  # fmt: skip
    return [scores.per_query(metric)["q"] for metric in metrics]


@pytest.mark.parametrize("case", SPAN_CASES, ids=lambda case: case.metric)
def test_values_are_the_hand_worked_ones(case):
    assert values([case.metric], GOLD, CHUNKS) == [pytest.approx(case.expected, abs=1e-12)]
    name = rg.parse(case.metric).name
    explained = rg.explain({"q": [*map(str, GOLD)]}, {"q": [*map(str, CHUNKS)]}, case.metric)
    assert explained.value == pytest.approx(case.expected, abs=1e-12)
    assert "new characters" in str(explained)
    assert "新覆盖的字符数" in explained.to_text("zh")
    assert name in SPAN_REFERENCES


def variants():
    for k in (None, 1, 2, 4):
        cut = {} if k is None else {"k": k}
        for overlaps in ("once", "each"):
            yield "SpanRecall", cut | {"overlaps": overlaps}
            yield "SpanPrecision", cut | {"overlaps": overlaps}
            for which in ("all", "touching", "bordering"):
                yield "SpanIoU", cut | {"overlaps": overlaps, "chunks": which}
        yield "SpannDCG", cut


def random_spans(random, count):
    spans = []
    for _ in range(count):
        document = str(random.choice([*DOCUMENTS]))
        start = int(random.integers(0, len(DOCUMENTS[document]) - 1))
        spans.append(Stretch(document, start, int(random.integers(start + 1, len(DOCUMENTS[document]) + 1))))
    return [*dict.fromkeys(spans)]


def test_random_worlds_agree_with_brute_force_over_characters():
    """Overlapping golds, nested spans, repeated text, characters outside the BMP, and CR LF."""
    random, every = np.random.default_rng(5), [*variants()]
    metrics = [rg.parse(name)(**given) for name, given in every]
    for _ in range(150):
        gold, chunks = (
            random_spans(random, int(random.integers(1, 6))),
            random_spans(random, int(random.integers(1, 8))),
        )
        found = values(metrics, gold, chunks)
        for (name, given), value in zip(every, found, strict=True):
            theirs = {"which" if key == "chunks" else key: choice for key, choice in given.items()}
            expected = SPAN_REFERENCES[name](gold, chunks, **theirs)
            assert value == pytest.approx(expected, abs=1e-12, nan_ok=True), (name, given, gold, chunks)


def test_only_relevant_spans_are_covered_and_missing_queries_follow_their_rule():
    gold = {"q": {"d[0:10]": 2, "d[10:30]": 1, "e[0:5]": 0}, "r": {"d[0:4]": 1}}
    scores = rg.evaluate(gold, {"q": ["d[0:20]"]}, ["SpanRecall", "SpanRecall(rel=2)"])
    assert scores.per_query("SpanRecall") == {"q": 20 / 30, "r": 0.0}
    assert scores.per_query("SpanRecall(rel=2)")["q"] == 1.0
    skipped = rg.evaluate(gold, {"q": ["d[0:20]"]}, "SpanRecall", convention=rg.Convention(missing="skip"))
    assert skipped.mean() == 20 / 30


def test_values_stay_between_0_and_1_and_budgets_cut_the_text():
    assert values(["SpanRecall@45chars"], GOLD, CHUNKS) == [30 / 60]
    assert values(["SpanRecall@55chars"], GOLD, CHUNKS) == [40 / 60]
    assert values(["SpanPrecision@10chars"], GOLD, CHUNKS) == [1.0]
    assert all(0 <= value <= 1 for value in values([case.metric for case in SPAN_CASES], GOLD, CHUNKS))


@pytest.mark.parametrize(
    ("judgments", "ranking", "message"),
    [
        ({"q": {"a": 1}}, {"q": ["a"]}, "counts characters of spans"),
        ({"q": {"d[0:5]": 1}}, {"q": ["a"]}, "is not a span"),
        ({"q": [["d[0:5]", "e[0:5]"]]}, {"q": ["d[0:5]"]}, "leave out the groups"),
        ({"q": {"d[0:5]": 1}}, {"q": ["d[0:5 tokens]"]}, "RG222"),
    ],
)
def test_data_without_characters_are_refused_for_text_metrics(judgments, ranking, message):
    for call in (rg.evaluate, rg.explain):
        with pytest.raises(rg.RankgaugeError, match=message):
            call(judgments, ranking, "SpanRecall")


def test_offsets_in_tokens_are_counted_in_tokens():
    gold = [{"query": "q", "document": "d", "start_token": 0, "end_token": 10}]
    chunks = [{"query": "q", "document": "d", "start_token": s, "end_token": s + 4} for s in (0, 4, 8)]
    scores = rg.evaluate(gold, chunks, ["SpanRecall@2", "SpanRecall@5tokens", "R@2", "R@5tokens"])
    assert scores.means() == {"SpanRecall@2": 0.8, "SpanRecall@5tokens": 0.5, "R@2": 1.0, "R@5tokens": 1.0}
    with pytest.raises(rg.ParameterError, match="number of characters of each item"):
        rg.evaluate(gold, chunks, "R@5chars")


DATA = Path(__file__).parent / "data"
TOOL = json.loads((DATA / "chunking_evaluation.json").read_text(encoding="utf-8"))
RAG_CI = json.loads((DATA / "rag_ci.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("run", TOOL["runs"], ids=lambda run: f"{run['size']} characters")
def test_values_equal_those_of_chunking_evaluation_on_its_own_questions(run):
    """Values of a copy of its scoring code, on offsets of 40 of its questions and made-up retrieval of fixed chunks."""
    corpora, step = (TOOL["corpus"], "finance"), run["size"] - run["overlap"]
    every = [
        str(Stretch(corpus, start, min(start + run["size"], TOOL["length"])))
        for corpus in corpora
        for start in range(0, TOOL["length"], step)
    ]
    gold = {
        number: {str(Stretch(TOOL["corpus"], *span)): 1 for span in spans}
        for number, spans in enumerate(TOOL["questions"])
    }
    retrieved = {number: [str(Stretch(*chunk)) for chunk in chunks] for number, chunks in enumerate(run["retrieved"])}
    preset = PRESETS["chunking_evaluation"]
    for theirs, ours in preset.metrics.items():
        metric = ours.replace("{k}", "5")
        chunks = dict.fromkeys(gold, every) if theirs == "precision_omega" else retrieved
        scores = rg.evaluate(gold, chunks, metric, convention="chunking_evaluation")
        assert [*scores.per_query(metric).values()] == pytest.approx(run[theirs.partition("@")[0]], abs=1e-12)


def test_values_equal_those_of_rag_ci():
    """Its metrics were computed once, on random passages and chunks."""
    gold = {number: {str(Stretch(*span)): 1 for span in one["passages"]} for number, one in enumerate(RAG_CI["worlds"])}
    chunks = {number: [str(Stretch(*span)) for span in one["chunks"]] for number, one in enumerate(RAG_CI["worlds"])}
    names = {
        theirs.replace("{k}", str(k)): ours.replace("{k}", str(k))
        for theirs, ours in PRESETS["rag-ci-spans"].metrics.items()
        for k in (1, 3, 10)
    }
    scores = rg.evaluate(gold, chunks, [*names.values()], convention="rag-ci-spans")
    for theirs, ours in names.items():
        expected = {number: one["values"][theirs] for number, one in enumerate(RAG_CI["worlds"])}
        assert scores.per_query(ours) == pytest.approx(expected, abs=1e-12), theirs
