"""Code as users write it; mypy and pyright must agree with every type (tests/test_typing.py), and it must run."""

from typing import assert_type

import rankgauge as rg
from rankgauge import Convention, ConventionLike, Metric

JUDGMENTS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1, "d": 0}}
RANKING = {"q1": ["a", "b", "c"], "q2": {"d": 0.9, "a": 0.4}}
OTHER = {"q1": ["b", "c", "a"], "q2": ["a", "d"]}


def one_list() -> None:
    """One list of grades in a notebook."""
    metric = assert_type(rg.nDCG(gain="exp2") @ 5, Metric)
    assert_type(metric.of([3, 2, 0, None]), float)
    assert_type(metric.of([1, 0], scores=[0.5, 0.5], ties="mean", convention="trec_eval-9"), float)
    assert_type(metric.bounds([1, 0], scores=[0.5, 0.5]), rg.Bounds)
    low, high = metric.bounds([1, None], over="unjudged")
    assert_type((low, high), tuple[float, float])
    assert_type(metric.explain([3, 2, 0], items=["a", "b", "c"]), rg.Explanation)
    assert_type(metric.explain([3, 2, 0]).to_text("zh"), str)
    assert_type(metric.curve([3, 2, 0]), rg.Curve)
    assert_type(metric.curve([3, 2, 0])[0], float)
    assert_type(metric.curve([3, 2, 0])[:2], tuple[float, ...])
    assert_type(rg.parse("AP@10"), Metric)
    assert_type(
        [rg.MAP, rg.MRR, rg.NDCG @ 10, rg.Precision @ 5, rg.Recall @ 5, rg.F1 @ 5, rg.HitRate @ 5], list[Metric]
    )


def conventions() -> None:
    """Rules, presets and whatever else stands for a convention."""
    rules = Convention(gain="exp2", discount="jk(2)", ties="mean", rel=">0.5", undefined="skip", unjudged=1)
    assert_type(rules.replace(rel=2), Convention)
    Convention(gain={0: 0, 1: 1, 2: 5}, discount=lambda rank: 1 / rank, per_metric={"AP": {"undefined": 1}})
    assert_type(rg.preset("lightgbm"), Convention)
    choices: list[ConventionLike] = [None, "sklearn", rules]
    for convention in choices:
        assert_type(rg.RR.of([0, 1], convention=convention), float)
    assert_type(rg.P.effective_convention(rules).line(), str)


def many_queries() -> None:
    """Judgments and rankings of many queries."""
    scores = assert_type(rg.evaluate(JUDGMENTS, RANKING, ["nDCG@5", rg.AP], convention="trec_eval-9"), rg.Scores)
    assert_type(scores.mean("AP"), float)
    assert_type(rg.explain(JUDGMENTS, RANKING, "AP", query="q1"), rg.Explanation)
    compared = rg.compare(JUDGMENTS, {"new": RANKING, "old": OTHER}, "nDCG@5", baseline="old", convention="trec_eval-9")
    assert_type(compared, rg.Comparison)
    board = rg.leaderboard({"new": {"x": 0.5}, "old": {"x": 0.4}}, aggregate="borda", missing="loses", baseline="old")
    assert_type(board, rg.Leaderboard)
    assert_type(board.rank_sets(), dict[str, tuple[int, int]])
    assert_type(rg.check(JUDGMENTS, RANKING, ["RR < 0.5"], convention="trec_eval-9"), rg.GateResult)
    side_information = rg.SideInformation(items=["a", "b", "c", "d"])
    assert_type(rg.evaluate(JUDGMENTS, OTHER, "ItemCoverage@1", side_information=side_information), rg.Scores)

    assert_type(rg.pool({"old": RANKING}, depth=5), rg.Pool)
    assert_type(rg.pool({"old": RANKING}, budget=5, purpose="correct").fingerprint, str)


def own_metric() -> None:
    """A metric that the library does not have."""

    @rg.metric(zh="前 k 个中相关物品的个数。")
    def FoundItems(j: rg.JudgedRankings, *, k: rg.Cutoff = None, rel: float = rg.rule()) -> rg.Sum:
        """The number of relevant items in the top k."""
        return rg.total(j, k, relevant=j.at(j.relevant(rel)))

    assert_type(FoundItems, Metric)
    assert_type((FoundItems(rel=2) @ 3).of([1, 2, 2, 3]), float)
    rg.unregister("FoundItems")


def mistakes() -> None:
    """What a type checker must not let pass: each line says so, and an ignore that is not needed is an error."""
    rg.nDCG.of([1], ties="bounds")  # type: ignore[arg-type]
    Convention(ties="alphabetical")  # type: ignore[arg-type]
    Convention(gian="exp2")  # type: ignore[call-arg]
    Convention(undefined="zero")  # type: ignore[arg-type]
    rg.nDCG.of([1], relevent=3)  # type: ignore[call-arg]
    rg.nDCG.of([1], convention=3)  # type: ignore[arg-type]
    rg.evalute(JUDGMENTS, RANKING, "AP")  # type: ignore[attr-defined]


EXAMPLES = (one_list, conventions, many_queries, own_metric)
