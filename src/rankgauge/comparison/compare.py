"""`compare`, the call: light to import, because a folder of the same name must not take its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge.comparison.comparison import Comparison
    from rankgauge.conventions import ConventionLike
    from rankgauge.metric_core.metric import Metric
    from rankgauge.stats.corrections import Correction


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
    **reading: Any,
) -> Comparison:
    """Whether systems differ, by how much, and how sure that is.

    Parameters
    ----------
    judgments
        As for ``evaluate``; or ``Scores`` of several systems, and nothing else.
    rankings
        ``{"name": ranking, ...}``, each as for ``evaluate``.
    metrics
        One or several metrics, as values or as text.
    baseline
        The system that the others are compared with; the first where none is named.
    convention
        The rules in force.
    alpha
        The rate of false alarms that is accepted; intervals have the level 1 - alpha.
    correction
        For several pairs: ``"holm"``, ``"bh"``, ``"bonferroni"``, ``"tukey"``, ``"randomised_tukey"`` or ``"none"``.
    permutations, resamples, seed
        Of the randomisation test and the bootstrap.
    tie
        Up to this absolute difference a query counts as a tie.
    reading
        Whatever else ``evaluate`` takes: ``columns``, ``format``, ``lenient``, ...

    Examples
    --------
    >>> import rankgauge as rg
    >>> judgments = {q: {"a": 1} for q in range(8)}
    >>> good, bad = {q: ["a"] for q in range(8)}, {q: ["b"] * (q % 3) + ["c", "a"] for q in range(8)}
    >>> both = rg.compare(judgments, {"good": good, "bad": {q: [*dict.fromkeys(r)] for q, r in bad.items()}}, "RR")
    >>> both.systems, both.baseline
    (('good', 'bad'), 'good')
    """
    from rankgauge.comparison.comparison import Comparison  # noqa: PLC0415
    from rankgauge.comparison.settings import Settings  # noqa: PLC0415
    from rankgauge.comparison.values import Sources  # noqa: PLC0415
    from rankgauge.errors import ParameterError  # noqa: PLC0415
    from rankgauge.evaluation.evaluate import evaluate  # noqa: PLC0415
    from rankgauge.evaluation.scores import Scores  # noqa: PLC0415

    settings = Settings(alpha, correction, permutations, resamples, seed, tie)
    if isinstance(judgments, Scores):
        if rankings is not None or metrics is not None or convention is not None or reading:
            raise ParameterError("compare takes Scores alone, or judgments, rankings and metrics")
        return Comparison(judgments, baseline=baseline, settings=settings)
    if not isinstance(rankings, Mapping):
        raise ParameterError.of("rankings", rankings, "{'name': ranking, ...}", "compare")
    if metrics is None:
        raise ParameterError("compare: metrics must be one metric or more, as values or as text")
    Comparison.check_systems(tuple(rankings))
    scores = evaluate(judgments, rankings, metrics, convention=convention, **reading)
    compared = Comparison(scores, baseline=baseline, settings=settings)
    compared.sources = Sources.of(judgments, rankings, reading)
    return compared
