"""`compare`: whether systems differ, by how much, and how certain that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from rankgauge.comparison.comparison import ComparedInput, Comparison
from rankgauge.comparison.settings import Settings
from rankgauge.conventions import ConventionLike
from rankgauge.errors import ParameterError
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.formats.registry import names_of_files, unique_name
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_input
from rankgauge.matching.source_types import JudgmentsLike, RankingLike, RankingsLike, WeightsLike
from rankgauge.metric_core.notation import MetricsLike
from rankgauge.side_information.side_information import SideInformationLike
from rankgauge.stats.corrections import Correction

if TYPE_CHECKING:
    from rankgauge.judging.corrected import Corrected
    from rankgauge.matching.ranking import Ranking
    from rankgauge.metric_core.metric import Metric


def compare(
    judgments: JudgmentsLike | Scores,
    rankings: RankingsLike | None = None,
    metrics: MetricsLike | None = None,
    *,
    baseline: RankingLike | None = None,
    people: JudgmentsLike | None = None,
    convention: ConventionLike = None,
    alpha: float = 0.05,
    correction: Correction = "holm",
    permutations: int = 100_000,
    resamples: int = 10_000,
    seed: int = 0,
    tie: float = 1e-9,
    power: float = 0.8,
    digits: int = 4,
    side_information: SideInformationLike | None = None,
    weights: WeightsLike | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Comparison:
    """Compare systems: leaderboard, differences and their significance.

    Parameters
    ----------
    judgments
        As for ``evaluate``; or ``Scores`` of several systems, without rankings and metrics.
        Files that each hold judgments and a ranking: a list of them, or ``{"name": file}``, without rankings.
    rankings
        ``{"name": ranking, ...}``, each as for ``evaluate``.
    metrics
        One or several metrics, as values or as text; None for nDCG@10, or for those that the data name.
    baseline
        The system that the others are compared with, the first by default: its name, or a ranking (a file, a dict, a
        frame) to compare the others with.
    people
        Labels of people for some queries, where the judgments are those of a model: values and differences are also
        corrected by them, as ``rg.judges.correct`` does.
    alpha
        Significance level; intervals have the level 1 - alpha.
    correction
        Correction: ``"holm"``, ``"bh"``, ``"bonferroni"``, ``"tukey"``, ``"randomised_tukey"`` or ``"none"``.
    permutations, resamples, seed
        Settings of the randomisation test and the bootstrap.
    tie
        Absolute differences up to this are ties.
    power
        Power with which the detectable difference is detected.
    digits
        Digits of means and differences in tables and sentences.
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
    settings = Settings(alpha, correction, permutations, resamples, seed, tie, power, digits)
    if isinstance(judgments, Scores):
        others = (rankings, metrics, people, convention, side_information, weights, read_options)
        if read or any(argument is not None for argument in others):
            raise ParameterError("compare takes Scores alone, or judgments, rankings and metrics")
        return Comparison(judgments, baseline=system_name(baseline, "compare"), settings=settings)
    rankings, name = with_baseline(rankings, baseline)
    verb_input = resolve_input("compare", judgments, rankings, options, "named")
    metrics, convention = verb_input.metrics(metrics, convention)
    evaluator = Evaluator(
        verb_input.judgments, metrics, convention=convention, side_information=side_information, read_options=options
    )
    Comparison.check_systems(tuple(verb_input.rankings))
    systems = verb_input.rankings
    if people is not None:  # read twice
        systems = {system: ranking.loaded(evaluator.findings) for system, ranking in systems.items()}
    for ranking in systems.values():
        evaluator.add(ranking)
    scores, compared = evaluator.scores(weights), ComparedInput(evaluator.judgments, systems, weights)
    corrected = corrected_by(people, evaluator, systems, evaluator.metrics, alpha, weights, options)
    return Comparison(scores, baseline=name, settings=settings, compared_input=compared, corrected=corrected)


def corrected_by(
    people: JudgmentsLike | None,
    evaluator: Evaluator,
    systems: Mapping[str, Ranking],
    metrics: Sequence[Metric],
    alpha: float,
    weights: WeightsLike | None,
    options: ReadOptions,
) -> Corrected | None:
    """Return the metrics by the judgments of a model, corrected by labels of people; None without labels."""
    if people is None:
        return None
    from rankgauge.judging.correct import correct  # noqa: PLC0415 (only for labels of people)

    rules, tables = evaluator.rules, evaluator.side_information
    more: dict[str, Any] = {"convention": rules, "side_information": tables, "weights": weights}
    return correct(evaluator.judgments, people, dict(systems), metrics, alpha=alpha, read_options=options, **more)


def system_name(baseline: object, verb: str) -> str | None:
    """Return the baseline of a verb that was given scores: the name of one of their systems."""
    if baseline is None or isinstance(baseline, str):
        return baseline
    raise ParameterError.of("baseline", baseline, ("the name of a system of the scores", "结果中某个系统的名称"), verb)


def with_baseline(rankings: Any, baseline: Any) -> tuple[Any, str | None]:
    """Return the rankings and the name of the baseline, which is added as the first if it is a ranking itself.

    >>> with_baseline({"new": "new.run"}, "new.run")
    ({'new': 'new.run'}, 'new')
    >>> with_baseline({"new": "new.run"}, {"q": ["a"]})
    ({'baseline': {'q': ['a']}, 'new': 'new.run'}, 'baseline')
    """
    if baseline is None or not isinstance(rankings, Mapping) or (isinstance(baseline, str) and baseline in rankings):
        return rankings, baseline
    is_path = isinstance(baseline, str | PathLike)
    same = (
        name
        for name, source in rankings.items()
        if source is baseline
        or (is_path and isinstance(source, str | PathLike | InputFile) and str(source) == str(baseline))
    )
    if (name := next(same, None)) is not None:
        return rankings, str(name)
    if isinstance(baseline, str) and not is_regular_file(baseline):
        return rankings, baseline  # an unknown name, which is reported
    paths = [Path(str(source)) for source in rankings.values() if isinstance(source, str | PathLike | InputFile)]
    name = names_of_files([Path(baseline), *paths])[0] if is_path else "baseline"
    name = unique_name(name, [*map(str, rankings)])
    return {name: baseline, **rankings}, name
