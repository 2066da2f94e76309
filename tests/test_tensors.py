"""Arrays of other libraries: precision, judged items that are counted, refusals; all metrics stand in ``test_engines.py``."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from devices import LABELS, QUERIES, SCORES, judged_items
from optional import needs
from rankgauge.engines.arrays import libraries, tensors

needs("array_api_compat")


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "float16"])
def test_scores_are_compared_as_they_are(kind):
    torch = needs("torch")
    scores = torch.tensor(np.random.default_rng(5).random(LABELS.shape)).to(getattr(torch, kind))
    wanted = rg.evaluate(LABELS, scores.double().numpy(), "AP")["AP"]

    np.testing.assert_allclose(rg.torch.evaluate(scores, torch.tensor(LABELS.copy()), "AP")["AP"], wanted, atol=1e-12)
    np.testing.assert_allclose(
        rg.torch.evaluate(scores, judged_items(libraries.Torch()), "AP")["AP"], wanted, atol=1e-12
    )


def test_counting_follows_precision_and_order_of_ties():
    torch = needs("torch")
    close = torch.tensor([[1.0, 1.0 + 1e-12, 0.5, 0.5]], dtype=torch.float64)
    every = rg.torch.JudgedItems(torch.arange(4)[None, :], torch.tensor([[1.0, 0.0, 0.0, 1.0]]))
    labels = np.array([[1.0, 0.0, 0.0, 1.0]])
    for rules in (rg.Convention(), rg.Convention(score_precision="float32"), rg.Convention(ties="random", seed=4)):
        wanted = rg.evaluate(labels, close.numpy(), "AP", convention=rules)["AP"]

        assert rg.torch.evaluate(close, every, "AP", convention=rules)["AP"].tolist() == wanted.tolist()


def test_counting_refuses_what_has_no_rank():
    torch = needs("torch")
    one = rg.torch.JudgedItems(torch.tensor([[0], [1]]), torch.ones(2, 1))
    with pytest.raises(rg.InputError, match=r"scores\[1\] holds nan"):
        rg.torch.evaluate(torch.tensor([[1.0, 2.0], [float("nan"), 2.0]]), one, "AP")
    with pytest.raises(rg.InputError, match="no column"):
        rg.torch.evaluate(torch.ones(2, 1), one, "AP")
    with pytest.raises(rg.ParameterError, match="unjudged=1 gives every item a grade"):
        rg.torch.evaluate(torch.ones(2, 2), one, "AP", convention=rg.Convention(unjudged=1))


def test_what_cannot_be_meant():
    where = libraries.NumPy()
    with pytest.raises(rg.InputError, match="shape"):
        tensors.evaluate(where, SCORES, LABELS[:, 1:], "AP")
    with pytest.raises(rg.InputError, match="a row is a query"):
        tensors.evaluate(where, SCORES[0], LABELS[0], "AP")
    with pytest.raises(rg.InputError, match="ascend"):
        tensors.evaluate(where, SCORES[0], LABELS[0], "AP", query_ids=np.arange(LABELS.shape[1])[::-1])
    with pytest.raises(rg.InputError, match="query_ids: give whole numbers in an array"):
        tensors.evaluate(where, SCORES[0], LABELS[0], "AP", query_ids=["q"] * LABELS.shape[1])
    with pytest.raises(rg.InputError, match="is nan"):
        tensors.evaluate(where, SCORES * np.nan, LABELS, "AP")
    with pytest.raises(rg.ParameterError, match="torch only"):
        tensors.evaluate(where, SCORES, tensors.JudgedItems(np.zeros((QUERIES, 1)), np.zeros((QUERIES, 1))), "AP")


def test_what_cupy_lacks():
    where = object.__new__(libraries.CuPy)  # without a GPU: NumPy has all that is used of CuPy
    where.namespace, where.device = libraries.NumPy().namespace, "cpu"
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


def test_the_kernel_counts_as_plain_torch_does():
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
