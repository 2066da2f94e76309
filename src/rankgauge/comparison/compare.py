"""`compare`: whether systems differ, by how much, and how certain that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Unpack

from rankgauge.comparison.comparison import ComparedInput, Comparison
from rankgauge.comparison.settings import Settings
from rankgauge.conventions import ConventionLike
from rankgauge.errors import ParameterError
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.scores import Scores
from rankgauge.matching.data import takes_data
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.sources import check_named, check_options, check_order
from rankgauge.metric_core.metric import Metric
from rankgauge.side_information.side_information import SideInformation
from rankgauge.stats.corrections import Correction


@takes_data
def compare(
    judgments: Any,
    rankings: Mapping[str, Any] | None = None,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    baseline: str | None = None,
    convention: ConventionLike = None,
    alpha: float = 0.05,
    correction: Correction = "holm",
    permutations: int = 100_000,
    resamples: int = 10_000,
    seed: int = 0,
    tie: float = 1e-9,
    side_information: SideInformation | None = None,
    weights: Mapping[Any, float] | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Comparison:
    """Compare systems: leaderboard, differences and their significance.

    Parameters
    ----------
    judgments
        As for ``evaluate``; or ``Scores`` of several systems, without rankings and metrics.
    rankings
        ``{"name": ranking, ...}``, each as for ``evaluate``.
    metrics
        One or more metrics, as objects or in their notation.
    baseline
        The system that the others are compared with; the first by default.
    alpha
        Significance level; intervals have the level 1 - alpha.
    correction
        Correction: ``"holm"``, ``"bh"``, ``"bonferroni"``, ``"tukey"``, ``"randomised_tukey"`` or ``"none"``.
    permutations, resamples, seed
        Settings of the randomisation test and the bootstrap.
    tie
        Absolute differences up to this are ties.
    convention, side_information, weights, read_options, **read
        As for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> judgments = {q: {"a": 1} for q in range(8)}
    >>> good, bad = {q: ["a"] for q in range(8)}, {q: ["b"] * (q % 3) + ["c", "a"] for q in range(8)}
    >>> both = rg.compare(judgments, {"good": good, "bad": {q: [*dict.fromkeys(r)] for q, r in bad.items()}}, "RR")
    >>> both.systems, both.baseline
    (('good', 'bad'), 'good')
    """
    options = ReadOptions.of(compare, read_options, read)
    settings = Settings(alpha, correction, permutations, resamples, seed, tie)
    if isinstance(judgments, Scores):
        others = (rankings, metrics, convention, side_information, weights, read_options)
        if read or any(argument is not None for argument in others):
            raise ParameterError("compare takes Scores alone, or judgments, rankings and metrics")
        return Comparison(judgments, baseline=baseline, settings=settings)
    rankings = check_named(rankings, "compare")
    if metrics is None:
        raise ParameterError("compare: metrics must be one or more metrics, as objects or in their notation")
    Comparison.check_systems(tuple(rankings))
    check_options(options, judgments, *rankings.values())
    check_order(judgments, next(iter(rankings.values())), options)
    evaluator = Evaluator(
        judgments, metrics, convention=convention, side_information=side_information, read_options=options
    )
    named = ((str(name), ranking) for name, ranking in rankings.items())
    systems = {name: Ranking.of(ranking, options, name, may_be_empty=True) for name, ranking in named}
    for ranking in systems.values():
        evaluator.add(ranking)
    compared = ComparedInput(evaluator.judgments, systems, weights)
    return Comparison(evaluator.scores(weights), baseline=baseline, settings=settings, compared_input=compared)
