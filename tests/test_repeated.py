"""What was recorded of one batch gives the values of the next, or steps aside."""

import numpy as np
import pytest

import rankgauge as rg
from devices import RULES, metrics_for
from optional import needs
from rankgauge.engines.arrays import graph_replay as recording

torch = needs("torch")
ASKED = ["nDCG@3", "AP", "RR", "GAUC"]
LABELS = torch.tensor([[0, 2, 1, 0, 0], [1, 0, 0, 0, 3]])


def batch(seed, kind=torch.float32):
    made = torch.Generator().manual_seed(seed)
    return torch.rand(2, 100, generator=made).argsort(1)[:, :5].to(kind), LABELS


@pytest.fixture
def by_steps(monkeypatch):
    """The calls that were evaluated step by step."""
    calls, evaluate = [], recording.evaluate

    def counted(*arguments, **options):
        calls.append(arguments)
        return evaluate(*arguments, **options)

    monkeypatch.setattr(recording, "evaluate", counted)
    return calls


def same(found, scores, labels):
    wanted = rg.torch.evaluate(scores, labels, ASKED)
    assert found.queries == wanted.queries
    for metric in ASKED:
        np.testing.assert_array_equal(found[metric], wanted[metric])
        assert found.mean(metric) == wanted.mean(metric)


def test_only_the_first_batch_is_evaluated_step_by_step(by_steps):
    repeated = rg.torch.Repeated(ASKED)
    for seed in range(5):
        same(repeated(*batch(seed)), *batch(seed))
    assert len(by_steps) == 1
    same(repeated(*batch(9, torch.float64)), *batch(9, torch.float64))
    assert len(by_steps) == 2


def test_a_batch_that_goes_another_way_is_not_mistaken(by_steps):
    repeated = rg.torch.Repeated(ASKED)
    tied = torch.tensor([[1.0, 1.0, 0.5, 0.2, 0.1], [5.0, 4.0, 3.0, 2.0, 1.0]])
    nothing_relevant = LABELS * torch.tensor([[0], [1]])
    others = (tied, LABELS), (batch(1)[0], nothing_relevant), (tied, nothing_relevant)
    for scores, labels in (batch(1), *others, batch(2), *others):
        same(repeated(scores, labels), scores, labels)
    taken = len(by_steps)
    for scores, labels in (batch(3), (batch(3)[0], nothing_relevant)):
        same(repeated(scores, labels), scores, labels)
    assert len(by_steps) == taken


def test_no_more_ways_are_tried_than_a_few(by_steps, monkeypatch):
    monkeypatch.setattr(recording, "WAYS", 0)
    repeated = rg.torch.Repeated(ASKED)
    for seed in range(3):
        same(repeated(*batch(seed)), *batch(seed))
    assert len(by_steps) == 3


def test_what_is_wrong_is_said_and_forgotten():
    repeated = rg.torch.Repeated(ASKED)
    scores, labels = batch(1)
    broken = scores.clone()
    broken[1, 2] = float("nan")
    for before in (None, (scores, labels)):
        if before:
            repeated(*before)
        with pytest.raises(rg.InputError, match=r"scores\[1, 2\] is nan"):
            repeated(broken, labels)
    same(repeated(scores, labels), scores, labels)


def test_refusals():
    repeated = rg.torch.Repeated("RR")
    with pytest.raises(rg.ParameterError, match="JudgedItems"):
        repeated(torch.ones(1, 2), rg.torch.JudgedItems(torch.tensor([[0]]), torch.ones(1, 1)))
    for scores, labels in ((torch.ones(1, 2), torch.ones(1, 3)), (torch.ones(2), torch.ones(2))):
        with pytest.raises(rg.InputError, match="a row is a query"):
            repeated(scores, labels)
    with pytest.raises(rg.ParameterError, match="Coverage"):
        rg.torch.Repeated("Coverage")


def test_the_batch_may_be_part_of_training():
    repeated = rg.torch.Repeated("RR")
    scores = batch(1)[0].requires_grad_()
    for _ in range(2):
        assert repeated(scores * 2, LABELS).mean("RR") == rg.torch.evaluate(scores.detach(), LABELS, "RR").mean("RR")
    assert not scores.grad_fn


@pytest.mark.parametrize("name", ["default", "best", "removed", "mean"])
def test_batches_of_every_kind_one_after_the_other(name):
    rng = np.random.default_rng(5)
    for metric in metrics_for(RULES[name])[::3]:
        repeated = rg.torch.Repeated(metric, convention=RULES[name])
        for _ in range(5):
            labels = rng.choice([0, 0, 1, 2, -1, np.nan], (3, 4)) if rng.random() < 0.6 else rng.integers(0, 3, (3, 4))
            batch = torch.tensor(np.round(rng.normal(size=(3, 4)), rng.integers(0, 5))), torch.tensor(1.0 * labels)
            wanted = rg.torch.evaluate(*batch, metric, convention=RULES[name])
            np.testing.assert_array_equal(repeated(*batch)[metric], wanted[metric])
