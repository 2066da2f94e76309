"""Arguments that make no sense: refused with a RankgaugeError, not with an exception of Python or NumPy."""

from fractions import Fraction

import numpy as np
import pytest

import rankgauge as rg

JUDGMENTS, RANKING, OTHER = {"q": {"a": 1, "b": 0}}, {"q": ["b", "a"]}, {"q": ["a", "b"]}
WEIGHTED = rg.Convention(averaging="weighted")
BAD = {
    "weights must be {query: weight}": lambda: rg.evaluate(JUDGMENTS, RANKING, "RR", convention=WEIGHTED, weights=[1]),
    "the weight of query 'q' must be a finite number": lambda: rg.evaluate(
        JUDGMENTS, RANKING, "RR", convention=WEIGHTED, weights={"q": "x"}
    ),
    "max_grade must be a finite number": lambda: rg.unjudged_bounds(JUDGMENTS, {"s": RANKING}, "P@2", max_grade="x"),
    "systems must be the names of the two rankings": lambda: rg.attribute(JUDGMENTS, RANKING, OTHER, "RR", systems="a"),
    "groups must be {user: group}": lambda: rg.group_gaps(rg.evaluate(JUDGMENTS, RANKING, "RR"), "RR", None),
    "the group of user 'q' is": lambda: rg.group_gaps(rg.evaluate(JUDGMENTS, RANKING, "RR"), "RR", {"q": []}),
    "ids must be a list of users or items": lambda: rg.cold_start([("u", "a")], 7),
    "is not an id; ids are text or numbers": lambda: rg.cold_start([("u", "a")], [[]]),
    "fail_if must be one condition or more": lambda: rg.check(JUDGMENTS, RANKING, None),
    "worst must be an integer of at least 0": lambda: rg.check(JUDGMENTS, RANKING, "RR < 1", worst=2.5),
    "k must be a text such as 1:20, or a list": lambda: rg.choose_k(JUDGMENTS, {"s": RANKING, "t": OTHER}, k=2.5),
    "each of k must be an integer": lambda: rg.choose_k(JUDGMENTS, {"s": RANKING, "t": OTHER}, k=["x"]),
    "depths must be a list of integers": lambda: rg.choose_k(depths=np.array(3)),
    "catalogue must be at most 100,000,000": lambda: rg.correct_sampled([1], "RR", sampled=5, catalogue=2**40),
    "ranks must be a list of integers": lambda: rg.correct_sampled([np.inf], "RR", sampled=5, catalogue=9),
    "values must be {system: {query: value}}": lambda: rg.Comparison.of({"a": [1, 2], "b": [1, 3]}),
    "metric must be the name of the metric": lambda: rg.Comparison.of({"a": {1: 1}, "b": {1: 2}}, 7),
    "exceeds 1e": lambda: rg.Comparison.of({"a": {1: 1e308, 2: 0}, "b": {1: -1e308, 2: 0}}),
    "unknown preset None": lambda: rg.preset(None),
    "resamples must be at most": lambda: rg.compare(JUDGMENTS, {"s": RANKING, "t": OTHER}, "RR", resamples=2**63),
    "k must be a whole number": lambda: rg.diff(RANKING, OTHER, k=10**400),
    "judgments: query 'q': {} is not an id": lambda: rg.evaluate({"q": [{}]}, RANKING, "RR"),
    "judgments: [] is not an id": lambda: rg.evaluate([("q", [], 1)], RANKING, "RR"),
    "ranking: query 'q': {} is not an id": lambda: rg.evaluate(JUDGMENTS, {"q": [{}, "a"]}, "RR"),
    "query_ids: [] is not an id": lambda: rg.evaluate(np.array([1, 0]), np.array([1.0, 2.0]), "RR", query_ids=[[], []]),
    "read_options must be ReadOptions": lambda: rg.evaluate(JUDGMENTS, RANKING, "RR", read_options=True),
    "columns must be a mapping": lambda: rg.evaluate(JUDGMENTS, RANKING, "RR", columns="query"),
    "labels have the shape (2,) and scores (0,)": lambda: rg.evaluate(
        np.array([1, 0]), np.array([]), "RR", query_ids=[1, 1]
    ),
    "query_ids must be an array": lambda: rg.StreamingScores("RR").update(
        judgments=np.array([1, 0]), scores=np.array([2.0, 1.0]), query_ids="ab"
    ),
    "resamples must be at most 100,000,000": lambda: rg.off_policy.value(
        [1], [0.5], [0.5], interval="bootstrap", resamples=2**63
    ),
    "'q' holds the ranking of one query": lambda: rg.unjudged_bounds(JUDGMENTS, {"q": iter(["a"])}, "RR"),
    "grades must be": lambda: rg.P.bounds(None),
}


@pytest.mark.parametrize("message", BAD)
def test_odd_arguments_are_refused(message):
    with pytest.raises(rg.RankgaugeError) as caught:
        BAD[message]()

    assert message in str(caught.value)


def test_numbers_of_other_types_are_numbers():
    assert rg.stats.t_interval([1, 2, 4], Fraction(9, 10)) == rg.stats.t_interval([1, 2, 4], 0.9)
    assert rg.stats.queries_needed(Fraction(1, 2), 1) == 34


def test_grades_beyond_64_bits_are_sorted_without_a_warning():
    assert rg.evaluate({"q": {"b": 0, "c": 2, "a": 1e300}}, {"q": ["a", "b"]}, "nDCG").mean("nDCG") == pytest.approx(1)


def test_tiny_weights_have_an_effective_sample_size():
    assert rg.off_policy.value([1, 0], [0.5, 0.5], [0.5, 0.5], clip=1e-320).effective == 2


@pytest.mark.parametrize("metric", ["G", "nDCGrel", "nDCG", "RnDCG", "Q"])
def test_gains_that_overflow_are_refused_without_a_warning(metric):
    with pytest.raises(rg.InputError, match="overflows"):
        rg.evaluate({"q": {"a": 1e9}}, {"q": ["a"]}, metric, convention=rg.Convention(gain="exp2"))


def test_a_scale_that_overflows_is_refused_without_a_warning():
    with pytest.raises(rg.InputError, match="overflows"):
        rg.evaluate({"q": {"a": 2000, "b": 1}}, {"q": ["b", "a"]}, "ERR", convention=rg.Convention(max_grade="largest"))


def test_whole_grades_beyond_64_bits_are_converted(tmp_path):
    source, target = tmp_path / "judgments.jsonl", tmp_path / "judgments.csv"
    source.write_text('{"query": "q", "item": "a", "grade": 1e300}\n')
    rg.convert(source, target)

    assert float(target.read_text().split(",")[-1]) == 1e300
