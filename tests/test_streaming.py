"""Batches in constant memory give the values of all queries at once, and refuse metrics that need more."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.engines.streaming.averages import Moments
from registries import takes_ties
from worlds import plain_metrics

RNG = np.random.default_rng(11)
SCORES = np.round(RNG.random((50, 12)), 1)
LABELS = RNG.integers(0, 4, SCORES.shape).astype(float)
LABELS[RNG.random(LABELS.shape) < 0.3] = np.nan
LABELS[[4, 9]] = 0
METRICS = [metric for metric in plain_metrics().values() if not metric.definition.summary.weighs_queries]
PARTS = [slice(0, 1), slice(1, 20), slice(20, 20), slice(20, 50)]


def as_batch(judgments, scores, query_ids=None):
    return {"judgments": judgments, "scores": scores, "query_ids": query_ids}


def streamed(metrics, batches, convention=None, **options):
    state = rg.StreamingScores(metrics, convention=convention)
    for batch in batches:
        state.update(**as_batch(*batch), **options)
    return state


def assert_same(result, wanted, metrics):
    for metric in metrics:
        np.testing.assert_allclose(result.mean(metric), wanted.mean(metric), rtol=1e-12, err_msg=str(metric))
        if metric.definition.summary.is_mean(result.convention):
            np.testing.assert_allclose(
                result.interval(metric), wanted.interval(metric), rtol=1e-10, err_msg=str(metric)
            )


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"ties": "worst", "undefined": "skip"},
        {"ties": "together", "no_relevant": "skip"},
        {"averaging": "geometric"},
        {"averaging": "geometric", "counts": "mean"},
        {"per_metric": {"AP": {"undefined": "skip"}}},
    ],
)
def test_batches_equal_all_queries_at_once(rules):
    convention = rg.Convention(**rules)
    metrics = [metric for metric in METRICS if takes_ties(metric, convention)]
    wanted = rg.evaluate(LABELS, SCORES, metrics, convention=convention)
    result = streamed(metrics, [(LABELS[part], SCORES[part]) for part in PARTS], convention).compute()

    assert_same(result, wanted, metrics)


def test_flat_batches_and_padded_rows_give_the_same():
    there = RNG.random(SCORES.shape) < 0.7
    there[7] = False
    row = np.nonzero(there)[0]
    wanted = rg.evaluate(LABELS[there], SCORES[there], METRICS, query_ids=row)
    padded = rg.StreamingScores(METRICS)
    for part in PARTS:
        padded.update(judgments=LABELS[part], scores=SCORES[part], mask=there[part])
    flat = rg.StreamingScores(METRICS)
    for part in (row < 20, row >= 20):
        flat.update(judgments=LABELS[there][part], scores=SCORES[there][part], query_ids=row[part])

    assert padded.compute().count("RR") == 49
    assert_same(padded.compute(), wanted, METRICS)
    assert_same(flat.compute(), wanted, METRICS)


def test_states_can_be_merged_reset_and_continued():
    metrics = ["AP", "nDCG@5"]
    first = streamed(metrics, [(LABELS[:30], SCORES[:30])])
    second = streamed(metrics, [(LABELS[30:], SCORES[30:])])
    half = first.compute()
    first.merge(second)
    first.merge(rg.StreamingScores(metrics))

    assert half.count("AP") == 30, "what was computed before stays as it was"
    assert first.compute().count("AP") == 50
    assert_same(first.compute(), rg.evaluate(LABELS, SCORES, metrics), [rg.AP])
    first.reset()
    assert first.compute().count("AP") == 0
    assert np.isnan(first.compute().mean("AP"))
    with pytest.raises(rg.ParameterError, match="same metrics under the same convention"):
        first.merge(rg.StreamingScores(metrics, convention="lightgbm"))


def test_averages_are_printed_as_a_table():
    result = streamed(["RR", "P@1"], [(np.nan_to_num(LABELS), SCORES)]).compute()

    assert "50 queries" in str(result)
    assert "50 个查询" in result.document("zh").to_text()
    assert result.means() == {"RR": result.mean("RR"), "P@1": result.mean("P@1")}
    with pytest.raises(rg.UnknownNameError, match="did you mean 'RR'"):
        result.mean("RR@3")


def test_a_query_that_two_batches_share_is_refused():
    state = rg.StreamingScores("AP")
    state.update(judgments=np.array([1, 0]), scores=np.array([0.5, 0.4]), query_ids=np.array(["q1", "q2"]))
    with pytest.raises(rg.InputError, match="'q2' ends one batch and begins the next"):
        state.update(judgments=np.array([1]), scores=np.array([0.5]), query_ids=np.array(["q2"]))
    state.update(judgments=np.array([]), scores=np.array([]), query_ids=np.array([]))
    state.update(judgments=np.array([1]), scores=np.array([0.5]), query_ids=np.array(["q3"]))

    assert state.compute().count("AP") == 3


def test_findings_are_kept():
    state = streamed("AP", [(np.array([[1, 0]]), np.array([[np.inf, 1.0]])), (LABELS, SCORES)])

    assert "RG203" in {finding.code for finding in state.findings}


@pytest.mark.parametrize(
    ("metric", "rules", "why"),
    [
        ("GAUC", {}, "a number of all queries together, not a mean over queries"),
        ("ItemCoverage@10", {}, "a number of all queries together"),
        ("Novelty@10", {}, "a metric of the items themselves"),
        ("AP", {"averaging": "median"}, "needs the value of every query"),
        ("AP", {"averaging": "weighted"}, "needs the weights of the queries"),
    ],
)
def test_metrics_that_are_not_means_over_queries_are_refused(metric, rules, why):
    with pytest.raises(rg.ParameterError, match=why):
        rg.StreamingScores(metric, convention=rg.Convention(**rules))


@pytest.mark.parametrize(
    ("batch", "options", "why"),
    [
        ((LABELS[:, 1:], SCORES), {}, "shape"),
        ((LABELS[1:], SCORES), {"mask": SCORES > 0}, "must have one shape"),
        ((LABELS[0], SCORES[0], np.arange(12)), {"mask": SCORES[0] > 0}, "only one of them"),
        ((LABELS[0], SCORES[0]), {}, "groups"),
        ((LABELS, SCORES.tolist()), {}, "arrays of NumPy, torch or JAX"),
        ((LABELS, SCORES * np.nan), {}, "is nan"),
    ],
)
def test_invalid_batches(batch, options, why):
    with pytest.raises(rg.RankgaugeError, match=why):
        rg.StreamingScores("AP").update(**as_batch(*batch), **options)


@given(st.lists(st.lists(st.floats(0, 1), max_size=6), min_size=1, max_size=5))
def test_moments_are_accumulated_as_power_sums(parts):
    together = sum((Moments.of(np.array(part)) for part in parts), Moments())
    added = Moments.of_powers(*np.sum([Moments.of(np.array(part)).powers for part in parts], axis=0))

    assert added.count == together.count
    np.testing.assert_allclose([added.total, added.squares], [together.total, together.squares], atol=1e-12)


@pytest.mark.xdist_group("training")
def test_torch_gives_the_same_values():
    torch = pytest.importorskip("torch")
    metrics = [rg.AP, rg.nDCG @ 5]
    there = np.arange(12) < RNG.integers(0, 12, (50, 1))
    scores, labels, mask = (torch.tensor(array) for array in (SCORES, LABELS, there))
    scores.requires_grad_()
    dense = streamed(metrics, [(labels[part], scores[part]) for part in PARTS])
    padded = streamed(metrics, [(labels, scores)], mask=mask)
    backwards = torch.arange(49, -1, -1).repeat_interleave(12)
    flat = streamed(metrics, [(labels.reshape(-1), scores.reshape(-1), backwards)])
    items = np.nonzero(there)[0]

    assert_same(dense.compute(), rg.evaluate(LABELS, SCORES, metrics), metrics)
    assert_same(flat.compute(), rg.evaluate(LABELS, SCORES, metrics), metrics)
    assert_same(padded.compute(), rg.evaluate(LABELS[there], SCORES[there], metrics, query_ids=items), metrics)
    with pytest.raises(rg.InputError, match="one library"):
        rg.StreamingScores("AP").update(judgments=LABELS, scores=scores)

    few = rg.torch.JudgedItems(torch.arange(3).repeat(50, 1), torch.tensor(np.nan_to_num(LABELS[:, :3])))
    known = np.where(np.arange(12) < 3, np.nan_to_num(LABELS), np.nan)
    assert_same(streamed(metrics, [(few, scores)]).compute(), rg.evaluate(known, SCORES, metrics), metrics)
    with pytest.raises(rg.ParameterError, match="complete rows"):
        rg.StreamingScores("AP").update(judgments=few, scores=scores, mask=mask)


@pytest.mark.xdist_group("training")
def test_jax_gives_the_same_values():
    """One batch only: JAX compiles every step for every shape."""
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    there = np.array([[True, True, True], [True, False, True]])
    scores, labels = np.array([[0.1, 0.3, 0.2], [0.4, 0.9, 0.5]]), np.array([[1.0, 0, 0], [0, 1, 1]])
    padded = streamed("RR", [(jax.numpy.asarray(labels), jax.numpy.asarray(scores))], mask=jax.numpy.asarray(there))

    assert padded.compute().mean("RR") == (1 / 3 + 1) / 2


def test_query_ids_of_different_lengths_are_refused():
    with pytest.raises(rg.ParameterError, match=r"query_ids must be an array with the query of each item, not \[\["):
        rg.StreamingScores("RR").update(
            judgments=np.array([1, 0]), scores=np.array([0.5, 0.1]), query_ids=[["q"], ["q", 1]]
        )


def test_query_ids_may_be_a_list_and_groups_name_them():
    labels, points = np.array([1.0, 0, 1]), np.array([0.1, 0.2, 0.3])
    streaming = rg.StreamingScores("RR")

    streaming.update(judgments=labels, scores=points, query_ids=["a", "a", "b"])

    assert streaming.compute().mean("RR") == 0.75
    with pytest.raises(rg.ParameterError, match=r"pass query_ids, such as np\.repeat\(") as refused:
        streaming.update(judgments=labels, scores=points, groups=[2, 1])
    assert "请传入 query_ids，如 np.repeat(" in refused.value.render("zh")
