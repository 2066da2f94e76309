"""The provider for ir_measures, without ir_measures: stored values of its providers, and objects like its measures."""

import ast
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import rankgauge as rg
from rankgauge.compat.ir_measures import PreparedMeasures, metric_of, register, rules_of

WORLDS = json.loads((Path(__file__).parent / "data" / "partners" / "ir_measures.json").read_text())


class Row(NamedTuple):
    query_id: str
    doc_id: str
    relevance: Any
    iteration: str


ROUNDED = {"gdeval"}


class Measure:
    """What a measure of ir_measures looks like."""

    SUPPORTED_PARAMS, AT_PARAM = {}, "cutoff"

    def __init__(self, text):
        name, inside, cutoff = re.fullmatch(r"(\w+)(?:\((.*)\))?(?:@([\d.]+))?", text).groups()
        self.text, self.NAME, self.params = text, name, {} if cutoff is None else {"cutoff": float(cutoff)}
        for pair in re.findall(r"(\w+)=(\{[^}]*\}|[^,]+)", inside or ""):
            self.params[pair[0]] = ast.literal_eval(pair[1])

    def __str__(self):
        return self.text


@pytest.mark.parametrize("world", WORLDS)
def test_values_equal_those_of_the_providers_of_ir_measures(world):
    rows = [Row(*row) for row in world["rows"]] or [
        Row(query, item, grade, "0") for query, grades in world["judgments"].items() for item, grade in grades.items()
    ]
    measures = [*map(Measure, world["names"])]
    found = {}
    for query, measure, value in PreparedMeasures(measures, rows).values(world["run"]):
        found.setdefault(str(measure), {})[query] = value
    judged = {row.query_id for row in rows}
    for measure in measures:
        tolerance = 5e-6 if rules_of(measure) in ROUNDED else 1e-12
        for query, value in world["values"].get(str(measure), {}).items():
            if query in judged:
                assert found[str(measure)].get(query, 0.0) == pytest.approx(value, abs=tolerance), (str(measure), query)


def test_rules_are_those_of_the_provider_of_a_measure():
    expected = {
        "nDCG@10": "ir_measures",
        "RR": "ir_measures",
        "RR@10": "ir_measures-msmarco",
        "RR(judged_only=True)@10": "ir_measures",
        "nDCG(dcg='exp-log2')@10": "gdeval",
        "nDCG(dcg='exp-log2',judged_only=True)@10": "ir_measures",
        "ERR@20": "gdeval",
        "Judged@10": "ir_measures-msmarco",
        "RBP(rel=1)": "ir_measures-cwl",
        "alpha_nDCG@20": "ndeval",
    }
    assert {text: rules_of(Measure(text)) for text in expected} == expected


def test_one_convention_for_all_measures_and_judgments_without_queries():
    rows = [Row("q", "a", 1, "0"), Row("q", "b", 0, "0")]
    run = {"q": {"a": 0.5, "b": 0.5}, "other": {"a": 1.0}}
    values = {
        rules: [value for _, _, value in PreparedMeasures(map(Measure, ["RR", "RR@5"]), rows, rules).values(run)]
        for rules in (None, "trec_eval-9", rg.Convention(ties="id-ascending"))
    }
    assert [*values.values()] == [[0.5, 1.0], [0.5, 0.5], [1.0, 1.0]]
    assert [*PreparedMeasures([Measure("RR")], []).values(run)] == []
    assert [*PreparedMeasures([Measure("RR")], rows).values({"other": {"a": 1.0}})] == []


def test_measures_of_a_program_are_left_to_it():
    assert metric_of(Measure("MyMeasure@5")) is None
    assert metric_of(Measure("nDCG@5")) == rg.nDCG @ 5


def test_every_function_takes_measures_of_ir_measures():
    judgments, ranking = {"q": {"a": 1}}, {"q": ["b", "a"]}
    for given in (Measure("nDCG(dcg='exp-log2')@10"), [Measure("nDCG(dcg='exp-log2')@10"), "RR"]):
        scores = rg.evaluate(judgments, ranking, given)
        assert scores.metrics[0] == rg.nDCG(gain="exp2", discount="log2(i+1)") @ 10
        assert scores.mean(Measure("nDCG(dcg='exp-log2')@10")) == pytest.approx(0.630930, abs=1e-6)
    assert rg.explain(judgments, ranking, Measure("RR"), "q").value == 0.5


def test_a_missing_ir_measures_is_one_sentence():
    try:
        import ir_measures  # noqa: F401
    except ImportError:
        with pytest.raises(rg.RankgaugeError, match=r"needs ir_measures.*pip install 'rankgauge\[ir_measures\]'"):
            register()
