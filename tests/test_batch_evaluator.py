"""BatchEvaluator: a recording gives the values of later batches, or is not used."""

import weakref
from contextlib import contextmanager

import numpy as np
import pytest

import rankgauge as rg
from devices import RULES, metrics_for
from optional import needs
from rankgauge.engines.arrays import batch_evaluator, judged_items
from rankgauge.engines.arrays.engine import ArrayEngine

torch = needs("torch")
METRICS = ["nDCG@3", "AP", "RR", "GAUC"]
LABELS = torch.tensor([[0, 2, 1, 0, 0], [1, 0, 0, 0, 3]])


def batch(seed, kind=torch.float32):
    made = torch.Generator().manual_seed(seed)
    scores = torch.rand(2, 100, generator=made).argsort(1)[:, :5].to(kind)
    return {"judgments": LABELS, "scores": scores}


@pytest.fixture
def by_steps(monkeypatch):
    """The batches that were evaluated without a recording."""
    calls, evaluate = [], ArrayEngine.evaluate
    assert rg.torch.evaluate  # loaded with the real engine

    def counted(engine, **options):
        calls.append(options)
        return evaluate(engine, **options)

    monkeypatch.setattr(ArrayEngine, "evaluate", counted)
    return calls


def check(evaluator, batch):
    result, wanted = evaluator(**batch), rg.torch.evaluate(**batch, metrics=METRICS)
    assert result.queries == wanted.queries
    for metric in METRICS:
        np.testing.assert_array_equal(result[metric], wanted[metric])
        assert result.mean(metric) == wanted.mean(metric)


def test_only_the_first_batch_is_evaluated_step_by_step(by_steps):
    evaluator = rg.torch.BatchEvaluator(METRICS)
    for seed in range(5):
        check(evaluator, batch(seed))
    assert len(by_steps) == 1
    check(evaluator, batch(9, torch.float64))
    assert len(by_steps) == 2


def few(columns, seed):
    """Judged items in these columns, -1 for none, with scores that do not tie."""
    grades = torch.tensor([[0.0, 2.0, 1.0], [1.0, 0.0, 3.0]])
    return batch(seed) | {"judgments": rg.torch.JudgedItems(torch.tensor(columns), grades)}


@pytest.mark.parametrize("columns", [[[0, 2, 4], [3, 1, 0]], [[0, -1, 4], [3, 1, -1]]], ids=["full", "padded"])
def test_judged_items_are_recorded(by_steps, columns):
    evaluator = rg.torch.BatchEvaluator(METRICS)
    for seed in range(5):
        check(evaluator, few(columns, seed))
    padded = columns[0][1] < 0  # then once each for judged items that are, or are not, in the order of their scores
    assert len(by_steps) == 1 or (padded and len(by_steps) == 2)


@pytest.mark.parametrize("columns", [[[0, -1, -1], [3, 1, 4]], [[2, -1, -1], [-1, -1, -1]]])
def test_rows_may_have_different_numbers_of_judged_items(columns):
    evaluator = rg.torch.BatchEvaluator(["RR", "AP"])
    for seed in range(3):
        data = few(columns, seed)
        assert evaluator(**data).means() == rg.torch.evaluate(**data, metrics=["RR", "AP"]).means()


def test_blocks_of_rows_give_the_values_of_the_whole_batch(by_steps, monkeypatch):
    monkeypatch.setattr(batch_evaluator, "BLOCK_ITEMS", 6)  # two rows of three judged items
    evaluator = rg.torch.BatchEvaluator(METRICS)
    generator = torch.Generator().manual_seed(3)
    for _ in range(4):
        scores = torch.rand(7, 100, generator=generator).argsort(1)[:, :5].float()
        items = torch.rand(7, 5, generator=generator).argsort(1)[:, :3]
        grades = torch.randint(0, 3, items.shape, generator=generator)
        check(evaluator, {"judgments": rg.torch.JudgedItems(items, grades), "scores": scores})
    assert len(by_steps) - 4 <= 3  # the reference values, and a batch for each combination of branches
    assert len(evaluator._recordings) == 1


@pytest.mark.parametrize(
    ("items", "grades"), [((1, 2), (1, 2)), ((3, 2), (3, 2)), ((2, 2), (2, 1)), ((2,), (2,))], ids=str
)
@pytest.mark.parametrize("call", [rg.torch.evaluate, rg.torch.BatchEvaluator("RR")], ids=["evaluate", "BatchEvaluator"])
def test_judged_items_of_another_shape_are_refused(call, items, grades):
    judgments = rg.torch.JudgedItems(torch.zeros(items, dtype=torch.int64), torch.ones(grades))
    with pytest.raises(rg.InputError, match=r"as many rows as the scores \(2\)"):
        call(judgments=judgments, scores=torch.rand(2, 5), **({"metrics": "RR"} if call is rg.torch.evaluate else {}))


@contextmanager
def device_only(monkeypatch):
    """Refuse what a CUDA graph cannot hold: a copy from or to the host, and results whose size depends on the data."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Refuse(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            name = str(function)
            masked = name.startswith(("aten.index.", "aten.index_put")) and any(
                index is not None and index.dtype == torch.bool for index in args[1]
            )
            if masked or name.startswith(("aten._local_scalar_dense", "aten.nonzero", "aten.masked_select")):
                raise AssertionError(f"{name} waits for the device")
            if name.startswith("aten.lift_fresh"):
                raise AssertionError("a number is copied from the host")
            return function(*args, **(kwargs or {}))

    def refuse(*_):
        raise AssertionError("a copy from the host")

    with monkeypatch.context() as patch, Refuse():
        patch.setattr(batch_evaluator.Torch, "from_host", refuse)
        yield


@pytest.mark.parametrize("metric", ["nDCG@3", "R@2", "RR", "AP", "ERR", "RBP"])
@pytest.mark.parametrize(
    "columns", [None, [[0, 2, 4], [3, 1, 0]], [[0, -1, 4], [3, 1, -1]]], ids=["all", "few", "padded"]
)
def test_a_recording_needs_nothing_from_the_host(metric, columns, monkeypatch):
    evaluator = rg.torch.BatchEvaluator(metric)
    evaluator(**(batch(1) if columns is None else few(columns, 1)))
    [recordings] = evaluator._recordings.values()
    with device_only(monkeypatch):
        recordings._recorded[0]()


def test_other_judged_items_and_their_errors_are_recognised():
    evaluator = rg.torch.BatchEvaluator(METRICS)
    first, other = [[0, -1, 4], [3, 1, -1]], [[0, 1, 4], [3, -1, 2]]
    for columns in (first, other, first, other):
        check(evaluator, few(columns, 3))
    with pytest.raises(rg.InputError, match="items: 5 is not a column"):
        evaluator(**few([[0, -1, 5], [3, 1, -1]], 1))
    missing = few(first, 1)
    missing["scores"][1, 2] = float("nan")
    with pytest.raises(rg.InputError, match=r"scores\[1\] holds nan"):
        evaluator(**missing)
    tied = few(first, 2)
    tied["scores"][0] = 1.0
    check(evaluator, tied)
    check(evaluator, tied)


def test_a_batch_that_takes_another_branch_is_recognised(by_steps):
    evaluator = rg.torch.BatchEvaluator(METRICS)
    tied = torch.tensor([[1.0, 1.0, 0.5, 0.2, 0.1], [5.0, 4.0, 3.0, 2.0, 1.0]])
    nothing_relevant = LABELS * torch.tensor([[0], [1]])
    others = (
        batch(1) | {"scores": tied},
        batch(1) | {"judgments": nothing_relevant},
        {"judgments": nothing_relevant, "scores": tied},
    )
    for each in (batch(1), *others, batch(2), *others):
        check(evaluator, each)
    before = len(by_steps)
    for each in (batch(3), batch(3) | {"judgments": nothing_relevant}):
        check(evaluator, each)
    assert len(by_steps) == before


def test_the_number_of_recordings_is_limited(by_steps, monkeypatch):
    monkeypatch.setattr(batch_evaluator, "MAX_GRAPHS", 0)
    evaluator = rg.torch.BatchEvaluator(METRICS)
    for seed in range(3):
        check(evaluator, batch(seed))
    assert len(by_steps) == 3


def test_an_invalid_batch_does_not_affect_the_next():
    evaluator = rg.torch.BatchEvaluator(METRICS)
    broken = batch(1)["scores"].clone()
    broken[1, 2] = float("nan")
    for before in (None, batch(1)):
        if before:
            evaluator(**before)
        with pytest.raises(rg.InputError, match=r"scores\[1, 2\] is nan"):
            evaluator(judgments=LABELS, scores=broken)
    check(evaluator, batch(1))


def test_batches_that_cannot_be_evaluated_are_refused():
    evaluator = rg.torch.BatchEvaluator("RR")
    for judgments, scores in (([[1, 0]], torch.ones(1, 2)), (torch.ones(1, 2), np.ones((1, 2)))):
        with pytest.raises(rg.InputError, match=r"expected an array of torch, found <class '(list|numpy.ndarray)'>"):
            evaluator(judgments=judgments, scores=scores)
    with pytest.raises(rg.InputError, match="one score per judgment"):
        evaluator(judgments=torch.ones(1, 3), scores=torch.ones(1, 2))
    with pytest.raises(rg.InputError, match="one row per query"):
        evaluator(judgments=torch.ones(2), scores=torch.ones(2))
    with pytest.raises(rg.ParameterError, match="Coverage"):
        rg.torch.BatchEvaluator("Coverage")


def test_a_batch_may_require_gradients():
    evaluator = rg.torch.BatchEvaluator("RR")
    wanted = rg.torch.evaluate(**batch(1), metrics="RR").mean("RR")
    scores = batch(1)["scores"].requires_grad_()
    for _ in range(2):
        assert evaluator(judgments=LABELS, scores=scores * 2).mean("RR") == wanted
    assert not scores.grad_fn


@pytest.mark.parametrize("name", ["default", "best", "removed", "mean"])
def test_batches_of_different_kinds_in_sequence(name):
    rng = np.random.default_rng(5)
    for metric in metrics_for(RULES[name])[::3]:
        evaluator = rg.torch.BatchEvaluator(metric, convention=RULES[name])
        for _ in range(5):
            labels = rng.choice([0, 0, 1, 2, -1, np.nan], (3, 4)) if rng.random() < 0.6 else rng.integers(0, 3, (3, 4))
            scores = np.round(rng.normal(size=(3, 4)), rng.integers(0, 5))
            batch = {"judgments": torch.tensor(1.0 * labels), "scores": torch.tensor(scores)}
            wanted = rg.torch.evaluate(**batch, metrics=metric, convention=RULES[name])
            np.testing.assert_array_equal(evaluator(**batch)[metric], wanted[metric])


def test_a_batch_with_other_branches_stays_within_index_range():
    """CUDA ends the context of the process at an invalid index, before the branches of the batch are compared."""
    evaluator = rg.torch.BatchEvaluator("AP", convention=rg.Convention(ties="mean"))
    judgments = rg.torch.JudgedItems(torch.tensor([[0, 2, 4], [3, 1, 0]]), torch.ones(2, 3))
    for tied in (0, 3):
        scores = batch(1)["scores"]
        scores[:, :tied] = 50.0
        evaluator(judgments=judgments, scores=scores)
    [recordings] = evaluator._recordings.values()
    assert len(recordings._recorded) == 2
    for scores in (batch(2)["scores"], torch.ones(2, 5)):
        counts = judged_items.count_ranks(scores, judgments, evaluator._computation.rules)
        recordings._inputs[2:] = counts[:4]
        answers = [float(run()[-1]) for run in recordings._recorded]
        assert sum(answers) == (scores[0, 0] != 1)


def test_an_evaluator_ends_with_its_last_reference():
    """Recorded graphs that wait for the garbage collector hold GPU memory, and would end while another is recorded."""
    evaluator = rg.torch.BatchEvaluator("RR")
    for seed in (1, 2):
        evaluator(**batch(seed))
    reference = weakref.ref(evaluator._recordings.popitem()[1])
    del evaluator
    assert reference() is None


def test_evaluate_waits_for_the_device_only_before_it_counts_and_for_the_values(monkeypatch):
    answers, to_host = [], batch_evaluator.Torch.to_host

    def counted(library, array):
        answers.append(to_host(library, array))
        return answers[-1]

    monkeypatch.setattr(batch_evaluator.Torch, "to_host", counted)
    rg.torch.evaluate(**few([[0, 2, 4], [3, 1, 0]], 1), metrics=METRICS[:3])
    assert [answer.size for answer in answers[:-1]] == [1, 1, 1]  # items and grades of the judgments
    assert answers[-1].size > 3 * len(LABELS)  # all values, and the answers to what was not asked before


def test_an_error_found_late_has_the_usual_message():
    items = torch.tensor([[0, 2], [3, 1]])
    huge = rg.torch.JudgedItems(items, torch.full((2, 2), 2000.0))
    with pytest.raises(rg.InputError, match="the sum of the gains overflows"):
        rg.torch.evaluate(judgments=huge, scores=torch.rand(2, 5), metrics=rg.DCG(gain="exp2"))
    missing = torch.tensor([[0.1, 0.2, 0.3], [0.1, float("nan"), 0.2]])
    with pytest.raises(rg.InputError, match=r"scores\[1\] holds nan"):
        rg.torch.evaluate(judgments=rg.torch.JudgedItems(items % 3, torch.ones(2, 2)), scores=missing, metrics="RR")


def test_a_rule_that_refuses_0_0_accepts_batches_without_any():
    judgments = rg.torch.JudgedItems(torch.tensor([[0, 2], [3, 1]]), torch.ones(2, 2))
    scores = torch.tensor([[5.0, 4, 3, 2, 1], [1, 2, 3, 4, 5]])
    strict = rg.Convention(undefined="error")
    assert rg.torch.evaluate(judgments=judgments, scores=scores, metrics="R@1", convention=strict).mean("R@1") == 0.25
    none = judgments._replace(grades=torch.zeros(2, 2))
    with pytest.raises(rg.UndefinedError):
        rg.torch.evaluate(judgments=none, scores=scores, metrics="R@1", convention=strict)
