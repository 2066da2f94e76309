"""Arrays of other libraries: every metric and rule gives what it gives on NumPy, and nothing of size comes back to the host."""

import numpy as np
import pytest

pytest.importorskip("array_api_compat")

import rankgauge as rg
from rankgauge.engines import libraries, tensors
from worlds import plain_metrics

TIES = ["id", "input-reversed", "mean", "best", "worst", "together"]
METRICS = [*plain_metrics().values()]
RNG = np.random.default_rng(5)
LABELS = RNG.integers(0, 4, (40, 25)).astype(float)
LABELS[RNG.random(LABELS.shape) < 0.4] = np.nan
LABELS[3] = 0
SCORES = np.round(RNG.random(LABELS.shape), 1)


def library(name):
    if name == "numpy":
        return libraries.NumPy()
    if name == "torch":
        pytest.importorskip("torch")
        return libraries.Torch()
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    return libraries.Jax()


def expected(metric, convention):
    try:
        return rg.evaluate(LABELS, SCORES, metric, convention=convention)[metric]
    except rg.RankgaugeError:
        return None


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("name", ["numpy", "torch", "jax"])
def test_every_metric_on_every_library(name, ties):
    where, rules = library(name), rg.Convention(ties=ties)
    scores, labels = where.from_host(SCORES), where.from_host(LABELS)
    ids = where.from_host(np.repeat(np.arange(40) * 2, 25))
    flat_scores, flat_labels = where.from_host(SCORES.ravel()), where.from_host(LABELS.ravel())
    for metric in METRICS:
        if (wanted := expected(metric, rules)) is None:
            continue
        dense = tensors.evaluate(where, scores, labels, metric, convention=rules)[metric]
        flat = tensors.evaluate(where, flat_scores, flat_labels, metric, query_ids=ids, convention=rules)
        np.testing.assert_allclose(dense, wanted, atol=1e-12, err_msg=str(metric))
        np.testing.assert_allclose(flat[metric], wanted, atol=1e-12, err_msg=str(metric))
        assert flat.queries == tuple(range(0, 80, 2))


def judged_items(torch):
    most = int((~np.isnan(LABELS)).sum(1).max())
    items, grades = np.full((40, most), -1), np.zeros((40, most))
    for row, labels in enumerate(LABELS):
        found = np.flatnonzero(~np.isnan(labels))
        items[row, : len(found)], grades[row, : len(found)] = found, labels[found]
    return rg.torch.JudgedItems(torch.tensor(items), torch.tensor(grades))


@pytest.mark.parametrize("ties", TIES)
def test_counting_gives_the_ranks_of_sorting(ties):
    torch = pytest.importorskip("torch")
    rules, few = rg.Convention(ties=ties), judged_items(torch)
    for metric in METRICS:
        if (wanted := expected(metric, rules)) is not None:
            found = rg.torch.evaluate(torch.tensor(SCORES), few, metric, convention=rules)[metric]
            np.testing.assert_allclose(found, wanted, atol=1e-12, err_msg=str(metric))


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "float16"])
def test_scores_are_compared_as_they_are(kind):
    torch = pytest.importorskip("torch")
    scores = torch.tensor(RNG.random(LABELS.shape)).to(getattr(torch, kind))
    wanted = rg.evaluate(LABELS, scores.double().numpy(), "AP")["AP"]

    np.testing.assert_allclose(rg.torch.evaluate(scores, torch.tensor(LABELS), "AP")["AP"], wanted, atol=1e-12)
    np.testing.assert_allclose(rg.torch.evaluate(scores, judged_items(torch), "AP")["AP"], wanted, atol=1e-12)


def test_counting_follows_precision_and_order_of_ties():
    torch = pytest.importorskip("torch")
    close = torch.tensor([[1.0, 1.0 + 1e-12, 0.5, 0.5]], dtype=torch.float64)
    every = rg.torch.JudgedItems(torch.arange(4)[None, :], torch.tensor([[1.0, 0.0, 0.0, 1.0]]))
    labels = np.array([[1.0, 0.0, 0.0, 1.0]])
    for rules in (rg.Convention(), rg.Convention(score_precision="float32"), rg.Convention(ties="random", seed=4)):
        wanted = rg.evaluate(labels, close.numpy(), "AP", convention=rules)["AP"]

        assert rg.torch.evaluate(close, every, "AP", convention=rules)["AP"].tolist() == wanted.tolist()


def test_counting_refuses_what_has_no_rank():
    torch = pytest.importorskip("torch")
    one = rg.torch.JudgedItems(torch.tensor([[0], [1]]), torch.ones(2, 1))
    with pytest.raises(rg.InputError, match=r"scores\[1\] holds nan"):
        rg.torch.evaluate(torch.tensor([[1.0, 2.0], [float("nan"), 2.0]]), one, "AP")
    with pytest.raises(rg.InputError, match="no column"):
        rg.torch.evaluate(torch.ones(2, 1), one, "AP")


def test_what_cannot_be_meant():
    where = libraries.NumPy()
    with pytest.raises(rg.InputError, match="shape"):
        tensors.evaluate(where, SCORES, LABELS[:, 1:], "AP")
    with pytest.raises(rg.InputError, match="a row is a query"):
        tensors.evaluate(where, SCORES[0], LABELS[0], "AP")
    with pytest.raises(rg.InputError, match="ascend"):
        tensors.evaluate(where, SCORES[0], LABELS[0], "AP", query_ids=np.arange(25)[::-1])
    with pytest.raises(rg.InputError, match="is nan"):
        tensors.evaluate(where, SCORES * np.nan, LABELS, "AP")
    with pytest.raises(rg.ParameterError, match="torch only"):
        tensors.evaluate(where, SCORES, tensors.JudgedItems(np.zeros((40, 1)), np.zeros((40, 1))), "AP")
