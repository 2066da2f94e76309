"""Assertions for test suites; ``rankgauge.pytest_plugin`` adds baselines that are saved beside the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.evaluation.scores import Scores
from rankgauge.gate.check import check
from rankgauge.gate.conditions import Condition
from rankgauge.matching.source_types import JudgmentsLike, RankingLike
from rankgauge.metric_core.notation import MetricLike


def assert_no_regression(
    judgments: JudgmentsLike,
    ranking: RankingLike,
    baseline: RankingLike | Scores | None,
    *conditions: str | Condition,
    convention: ConventionLike = None,
    worst: int = 5,
    **reading: Any,
) -> None:
    """Raise an AssertionError that names the worst queries if one of the conditions is met.

    Takes the arguments of ``rankgauge.check``. The baseline is another ranking, ``Scores``, a file written by
    ``Scores.to_json``, or None if no condition compares.

    Parameters
    ----------
    judgments
        Judgments, as ``rg.evaluate`` takes them.
    ranking
        A ranking, as ``rg.evaluate`` takes it.
    baseline
        What to compare with; None if no condition compares.
    *conditions
        What fails the test, such as ``"RR drops 0.01"``.
    convention
        The rules: a Convention, or the name of a preset such as ``lightgbm``; None for the default.
    worst
        Number of queries to name.
    **reading
        How data are read; see ReadOptions.

    Examples
    --------
    >>> assert_no_regression({"q": {"a": 1}}, {"q": ["a"]}, {"q": ["x", "a"]}, "RR drops 0.01", "RR < 0.9")
    >>> assert_no_regression({"q": {"a": 1}}, {"q": ["x", "a"]}, {"q": ["a"]}, "RR drops 0.01")
    Traceback (most recent call last):
    ...
    AssertionError: Failed: 1 of 1 check...
    """
    __tracebackhide__ = True
    result = check(judgments, ranking, conditions, baseline=baseline, convention=convention, worst=worst, **reading)
    if not result.passed:
        raise AssertionError(result.to_text())


def assert_at_least(
    judgments: JudgmentsLike, ranking: RankingLike, least: Mapping[MetricLike, float], **options: Any
) -> None:
    """Raise an AssertionError that names the worst queries if the mean of a metric is below its value.

    Takes the keywords of ``rankgauge.check``.

    Parameters
    ----------
    judgments, ranking
        Judgments and a ranking, as ``rg.evaluate`` takes them.
    least
        The lowest allowed mean of each metric: ``{"nDCG@5": 0.9}``.
    **options
        Further arguments of ``rg.evaluate``.

    Examples
    --------
    >>> assert_at_least({"q": {"a": 1}}, {"q": ["x", "a"]}, {"RR": 0.5, "nDCG@10": 0.6})
    >>> assert_at_least({"q": {"a": 1}}, {"q": ["x", "a"]}, {"RR": 0.6})
    Traceback (most recent call last):
    ...
    AssertionError: Failed: 1 of 1 check...
    """
    __tracebackhide__ = True
    conditions = [f"{metric} < {value!r}" for metric, value in least.items()]
    assert_no_regression(judgments, ranking, None, *conditions, **options)


def assert_equals_definition(
    function: Callable[..., Any], metric: MetricLike, *, convention: ConventionLike = None, **options: Any
) -> None:
    """Raise an AssertionError with the smallest counterexamples if a function does not compute this definition.

    Takes the keywords of ``rankgauge.audit``; without a convention the definition is the default.

    Parameters
    ----------
    function
        The function, in one of the forms that ``rg.audit`` takes.
    metric
        A metric, as a value or as text.
    convention
        The rules of the definition; None for the default.
    **options
        Further arguments of ``rg.audit``.

    Examples
    --------
    >>> def hit_rate(relevant, ranked, k):
    ...     return float(any(item in relevant for item in ranked[:k]))
    >>> assert_equals_definition(hit_rate, "HR@10")
    >>> assert_equals_definition(hit_rate, "R@10")
    Traceback (most recent call last):
    ...
    AssertionError: hit_rate breaks 2 laws of R@10...
    """
    from rankgauge.auditing.audit import audit  # noqa: PLC0415 (other assertions do not need it)

    __tracebackhide__ = True
    result = audit(function, metric, convention=check_convention(convention), **options)
    if not result.ok:
        raise AssertionError(result.document().to_text())
