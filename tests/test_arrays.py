"""Arrays of other libraries: call, precision, judged items and refusals; ``test_engines.py`` covers all metrics."""

import os
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from devices import LABELS, QUERIES, SCORES, NumPy, judged_items, library
from optional import needs
from rankgauge.engines.arrays import libraries
from rankgauge.engines.arrays.torch_library import Torch

needs("array_api_compat")


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "float16"])
def test_scores_are_compared_without_conversion(kind):
    torch = needs("torch")
    scores = torch.tensor(np.random.default_rng(5).random(LABELS.shape)).to(getattr(torch, kind))
    wanted = rg.evaluate(LABELS, scores.double().numpy(), "AP")["AP"]

    for judgments in (torch.tensor(LABELS.copy()), judged_items(Torch())):
        result = rg.torch.evaluate(judgments=judgments, scores=scores, metrics="AP")
        np.testing.assert_allclose(result["AP"], wanted, atol=1e-12)


def test_counting_follows_precision_and_order_of_ties():
    torch = needs("torch")
    close = torch.tensor([[1.0, 1.0 + 1e-12, 0.5, 0.5]], dtype=torch.float64)
    every = rg.torch.JudgedItems(torch.arange(4)[None, :], torch.tensor([[1.0, 0.0, 0.0, 1.0]]))
    labels = np.array([[1.0, 0.0, 0.0, 1.0]])
    for rules in (rg.Convention(), rg.Convention(score_precision="float32"), rg.Convention(ties="random", seed=4)):
        wanted = rg.evaluate(labels, close.numpy(), "AP", convention=rules)["AP"]

        result = rg.torch.evaluate(judgments=every, scores=close, metrics="AP", convention=rules)
        assert result["AP"].tolist() == wanted.tolist()


def test_counting_refuses_scores_without_a_rank():
    torch = needs("torch")
    one = rg.torch.JudgedItems(torch.tensor([[0], [1]]), torch.ones(2, 1))
    with pytest.raises(rg.InputError, match=r"scores\[1\] holds nan"):
        rg.torch.evaluate(judgments=one, scores=torch.tensor([[1.0, 2.0], [float("nan"), 2.0]]), metrics="AP")
    with pytest.raises(rg.InputError, match="not a column"):
        rg.torch.evaluate(judgments=one, scores=torch.ones(2, 1), metrics="AP")
    with pytest.raises(rg.ParameterError, match="unjudged=1 gives every item a grade"):
        rg.torch.evaluate(judgments=one, scores=torch.ones(2, 2), metrics="AP", convention=rg.Convention(unjudged=1))


FEW = rg.torch.JudgedItems(np.zeros((QUERIES, 1)), np.zeros((QUERIES, 1)))
FLAT = {"judgments": np.array([2, 0, 1, 3]), "scores": np.array([0.3, 0.9, 0.5, 0.1])}
INVALID = {
    "shape": {"judgments": LABELS[:, 1:]},
    "one row per query": {"judgments": LABELS[0], "scores": SCORES[0]},
    "ascending": {"judgments": LABELS[0], "scores": SCORES[0], "query_ids": np.arange(LABELS.shape[1])[::-1]},
    "query_ids: expected integers; pass the numbers of the ids": {
        "judgments": LABELS[0],
        "scores": SCORES[0],
        "query_ids": ["q"] * LABELS.shape[1],
    },
    r"query_ids must have one entry for each label \(4\), found 3": FLAT | {"query_ids": [0] * 3},
    r"query_ids must have one entry for each label \(4\), found 5": FLAT | {"query_ids": [0] * 5},
    r"query_ids have the shape \(2, 2\)": FLAT | {"query_ids": np.array([[0, 0], [0, 1]])},
    "query_ids are for flat arrays": {"query_ids": [0] * QUERIES},
    "the arguments look swapped": {"judgments": np.array([[0.3, 0.7, 0.2]]), "scores": np.array([[0.0, 1.0, 0.0]])},
    "judgments: expected an array of numpy, found <class 'list'>; convert it": {"judgments": LABELS.tolist()},
    "1 grade is negative, first -1": {
        "judgments": np.array([[1, -1, 2]]),
        "scores": SCORES[:1, :3],
        "convention": "lightgbm",
        "metrics": "nDCG@10",
    },
    "is nan": {"scores": SCORES * np.nan},
    "JudgedItems need torch": {"judgments": FEW},
    "expected an array of numpy": {"scores": SCORES.tolist()},
}


@pytest.mark.parametrize("words", INVALID)
def test_invalid_arrays_are_refused(words):
    arguments = {"judgments": LABELS, "scores": SCORES, "metrics": "AP"} | INVALID[words]
    with pytest.raises(rg.RankgaugeError, match=words):
        library("numpy")[0](**arguments)


def test_query_ids_may_be_a_list_or_of_numpy():
    torch = needs("torch")
    labels, points = torch.tensor([1, 0, 0, 1]), torch.tensor([0.1, 0.4, 0.2, 0.3])
    groups = [2, 2]
    as_array = np.repeat(np.arange(len(groups)), groups)
    for ids in (as_array, as_array.astype(np.uint8), as_array.tolist(), torch.tensor(as_array)):
        result = rg.torch.evaluate(judgments=labels, scores=points, metrics="RR", query_ids=ids)
        streaming = rg.StreamingScores("RR")
        streaming.update(judgments=labels, scores=points, query_ids=ids)
        assert result.mean("RR") == streaming.compute().mean("RR") == (1 / 2 + 1) / 2


@pytest.mark.parametrize("ids", [[0, 0, 0], [1, 0, 0], [0] * 5])
def test_too_few_or_too_many_query_ids_are_refused_everywhere(ids):
    torch, jax = needs("torch"), needs("jax")
    jax.config.update("jax_enable_x64", True)
    labels, points = np.array([2, 0, 1, 3]), np.array([0.3, 0.9, 0.5, 0.1])
    in_order = sorted(ids)
    calls = [lambda a, q: rg.StreamingScores("RR").update(judgments=a(labels), scores=a(points), query_ids=a(q))]
    with_torch = [
        *calls,
        lambda a, q: rg.torch.evaluate(judgments=a(labels), scores=a(points), metrics="RR", query_ids=a(in_order)),
    ]
    if find_spec("torchmetrics"):
        with_torch.append(lambda a, q: rg.torchmetrics.Metric("RR")(a(points), a(labels), a(q)))
    with_jax = [
        *calls,
        lambda a, q: rg.jax.evaluate(judgments=a(labels), scores=a(points), metrics="RR", query_ids=a(in_order)),
    ]
    for as_array, functions in ((np.asarray, calls), (torch.tensor, with_torch), (jax.numpy.asarray, with_jax)):
        for function in functions:
            with pytest.raises(rg.InputError, match=rf"one entry for each label \(4\), found {len(ids)}"):
                function(as_array, ids)


def test_an_item_that_is_judged_twice_is_refused():
    torch = needs("torch")
    points = torch.tensor([[0.2, 0.5, 0.1], [0.2, 0.5, 0.1]])
    twice = rg.torch.JudgedItems(torch.tensor([[0, 1, -1], [2, 0, 2]]), torch.tensor([[2, 1, 0], [2, 1, 0]]))
    padded = rg.torch.JudgedItems(torch.tensor([[0, -1, -1], [2, 0, 1]]), torch.tensor([[1, 0, 0], [1, 0, 0]]))
    evaluator = rg.torch.BatchEvaluator("RR")
    for _ in range(3):
        for evaluate in (evaluator, partial(rg.torch.evaluate, metrics="RR")):
            with pytest.raises(rg.InputError, match="items: row 1 holds item 2 twice"):
                evaluate(judgments=twice, scores=points)
            assert evaluate(judgments=padded, scores=points).mean("RR") == (1 / 2 + 1 / 3) / 2


def test_judged_items_are_complete_rows():
    torch = needs("torch")
    few = rg.torch.JudgedItems(torch.tensor([[0]]), torch.tensor([[1]]))
    with pytest.raises(rg.ParameterError, match="complete rows"):
        rg.torch.evaluate(judgments=few, scores=torch.ones(1, 2), metrics="RR", query_ids=torch.tensor([0]))
    with pytest.raises(rg.InputError, match="one row per query"):
        rg.torch.evaluate(judgments=few, scores=torch.ones(2), metrics="RR")


def test_swapped_tensors_are_refused_and_sparse_labels_are_not():
    torch = needs("torch")
    points, clicks = torch.tensor([[0.3, 0.7, 0.2, 0.9]]), torch.tensor([[0, 1, 0, 1]])
    evaluator = rg.torch.BatchEvaluator("RR")
    for scores in (clicks, clicks.float()):
        for evaluate in (evaluator, partial(rg.torch.evaluate, metrics="RR"), rg.StreamingScores("RR").update):
            with pytest.raises(rg.InputError, match="the arguments look swapped"):
                evaluate(judgments=points, scores=scores)
    few = torch.full((1, 300), torch.nan)
    few[0, 299] = 1
    ranks = torch.arange(300)[None]  # whole numbers, and no grade among the first

    assert rg.torch.evaluate(judgments=few, scores=ranks, metrics="RR").mean("RR") == 1


def test_evaluate_reads_tensors_of_the_host():
    torch = needs("torch")
    labels, points, sizes = torch.tensor([1, 0, 0, 1]), torch.tensor([0.1, 0.4, 0.2, 0.3]), torch.tensor([2, 2])
    for options in ({"groups": sizes}, {"query_ids": torch.tensor([0, 0, 1, 1])}):
        assert rg.evaluate(labels, points, "RR", **options).mean("RR") == (1 / 2 + 1) / 2
    systems = {"a": points.reshape(2, 2), "b": points.reshape(2, 2)}
    assert {row.mean for row in rg.compare(labels.reshape(2, 2), systems, "RR").leaderboard()} == {(1 / 2 + 1) / 2}
    for wrong in (points.clone().requires_grad_(), points.bfloat16(), points.to("meta")):
        with pytest.raises(rg.InputError, match=r"use rg\.torch\.evaluate, or copy it to the host: x\.detach\(\)"):
            rg.evaluate(labels, wrong, "RR", groups=[2, 2])


CALLS = {
    "rg.torch.evaluate": rg.torch.evaluate,
    "rg.jax.evaluate": rg.jax.evaluate,
    "rg.cupy.evaluate": rg.cupy.evaluate,
    "rg.torch.BatchEvaluator.__call__": rg.torch.BatchEvaluator("AP"),
    "rg.StreamingScores.update": rg.StreamingScores("AP").update,
}


@pytest.mark.parametrize("name", CALLS)
def test_arrays_are_passed_by_keyword(name):
    for arguments in ((SCORES, LABELS), (SCORES, LABELS, "AP")):
        with pytest.raises(rg.ParameterError, match=rf"{name}\(\) takes arrays by keyword.*judgments=\.\.\., scores="):
            CALLS[name](*arguments)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    ("option", "reason"),
    [("columns", "does not take columns: arrays have none"), ("groups", "pass query_ids"), ("scroes", "'scores'")],
)
def test_an_unsupported_option_is_refused_with_the_name_of_the_function(name, option, reason):
    with pytest.raises(rg.ParameterError, match=rf"{name}\(\) .*{reason}"):
        CALLS[name](judgments=LABELS, scores=SCORES, **{option: None})


@pytest.mark.parametrize(("first", "second"), [(1, 2.5), (True, False), (0.5, "row"), ("row", 3), ("row", "row")])
def test_where_promotes_as_numpy_does_and_creates_numbers_on_the_device(first, second, monkeypatch):
    torch = needs("torch")
    numbers, chosen = np.array([1, 2, 3]), np.array([True, False, True])
    wanted = np.where(chosen, *(numbers if side == "row" else side for side in (first, second)))
    for place in (NumPy("cpu"), Torch(torch.device("cpu")), Torch(torch.device("meta"))):
        array, condition = map(place.from_host, (numbers, chosen))
        result = place.where(condition, *(array if side == "row" else side for side in (first, second)))
        assert place.dtype_of(result) == wanted.dtype
        if place.device != torch.device("meta"):
            assert np.asarray(result).tolist() == wanted.tolist()
    devices = []
    monkeypatch.setattr(place.namespace, "where", lambda _, *sides: devices.extend(side.device.type for side in sides))
    place.where(condition, *(array if side == "row" else side for side in (first, second)))
    assert devices == ["meta", "meta"]


def test_functions_that_cupy_lacks_are_replaced():
    where = object.__new__(libraries.CuPy)  # without a GPU: NumPy has every function that is used of CuPy
    where.namespace, where.device = NumPy("cpu").namespace, "cpu"
    rng = np.random.default_rng(1)
    for shape in [(0,), (1,), (2,), (7,), (64,), (5, 9)]:
        for axis in range(len(shape)):
            numbers = rng.integers(0, 100, shape)
            np.testing.assert_array_equal(
                where.accumulate("maximum", numbers, axis), np.maximum.accumulate(numbers, axis=axis)
            )
    for times in ([], [3], [0, 2, 0, 0, 5, 1, 0]):
        numbers, whole = rng.random(len(times)), np.array(times, dtype=np.int64)
        np.testing.assert_array_equal(where.repeat(numbers, whole), np.repeat(numbers, whole))


def test_the_kernel_agrees_with_plain_torch():
    needs("torch")
    if sys.platform == "linux":
        needs("triton")
    else:
        pytest.skip("Triton is for Linux")
    script = Path(__file__).with_name("counting_cases.py")
    environment = {**os.environ, "TRITON_INTERPRET": "1", "CUDA_VISIBLE_DEVICES": ""}
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment, check=False)

    assert ran.returncode == 0, ran.stderr
    assert "cases on cpu" in ran.stdout


def test_tied_unjudged_items_cannot_be_derived_from_judged_items():
    torch = needs("torch")
    one = rg.torch.JudgedItems(torch.tensor([[0]]), torch.ones(1, 1))
    rules = rg.Convention(tied_at_k="all", ties="input")
    with pytest.raises(rg.ParameterError, match="tied_at_k='all' looks at every item"):
        rg.torch.evaluate(judgments=one, scores=torch.ones(1, 2), metrics="P@1", convention=rules)
