"""`tune`: choose a setting, and say what the choice is worth on queries it was not chosen by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from rankgauge.conventions import Convention, ConventionLike, check_convention
from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.scores import Scores
from rankgauge.fusion.fuse import Fusion, named_rankings
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.inputs.units import Units
from rankgauge.matching.entrance import VerbInput, resolve_input
from rankgauge.matching.source_types import ById, JudgmentsLike, RankingLike, RankingsLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import metric_or_default, parse
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.progress import step_bar
from rankgauge.segments import Floats, Ints
from rankgauge.side_information.side_information import SideInformationLike
from rankgauge.stats.best_settings import hsu_best
from rankgauge.stats.samples import check_samples, check_share, check_whole
from rankgauge.tuning.costs import check_cost_names, costs_of, within_limits
from rankgauge.tuning.cross_validation import run_procedure
from rankgauge.tuning.setting_values import fused_scores, ranking_scores, value_matrix
from rankgauge.tuning.settings import GridLike, Setting, SettingLike, check_several, grid_settings, named_settings
from rankgauge.tuning.tuning import Tuning, TuningOptions

LEAST_FOLDS = 2
MESSAGES = {
    "method": Phrase(
        "tune: method is the method of fusion for a grid; pass grid=, or leave it out",
        "tune：method 是网格所用的融合方法；请给出 grid=，或去掉它",
    ),
    "units": Phrase(
        "tune: a grid fuses the items that were returned, so that units cannot be rolled up; leave units= out",
        "tune：网格融合的是返回的物品，无法归并单位；请去掉 units=",
    ),
    "few queries": Phrase(
        "{count:# query has|# queries have} a value, for {folds} folds", "有值的查询为 {count:,} 个，而折数为 {folds}"
    ),
    "few clusters": Phrase(
        "{count:# cluster|# clusters} of queries for {folds} folds", "查询分组为 {count:,} 个，而折数为 {folds}"
    ),
    "mean": Phrase(
        "tune: {metric} is not a mean over queries, so that it cannot be cross-validated",
        "tune：{metric} 不是对查询的平均，无法交叉验证",
    ),
}
BEST_CELLS = 250_000_000
"""Comparisons of pairs that are simulated for the plateau; with very many settings there are fewer samples."""


def tune(
    judgments: JudgmentsLike | Scores,
    rankings: RankingsLike | Sequence[RankingLike] | None = None,
    metric: str | Metric | None = None,
    *,
    method: str | None = None,
    grid: GridLike | None = None,
    baseline: SettingLike | None = None,
    folds: int = 5,
    repeats: int = 20,
    clusters: ById | None = None,
    costs: ById | None = None,
    limits: str | Iterable[str] = (),
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    alpha: float = 0.05,
    resamples: int = 1_000,
    seed: int = 0,
    convention: ConventionLike = None,
    side_information: SideInformationLike | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Tuning:
    """Choose the best of several settings, and estimate the value of this choice by cross-validation.

    Parameters
    ----------
    judgments
        As for ``evaluate``; or ``Scores`` of several systems, each of them a setting.
    rankings
        ``{"name": ranking, ...}``: with a grid, the rankings to fuse; otherwise each is a setting.
    metric
        The metric by which the setting is chosen; nDCG@10 by default.
    method
        The method of fusion for a grid, ``"rrf"`` by default; see ``fuse``.
    grid
        Values of the parameters of fusion: ``{"k": [10, 60], "weights": [[0.3, 0.7], [0.5, 0.5]]}``.
    baseline
        What you would use without tuning: a name, with a grid a dict of parameters; the first setting by default.
    folds, repeats
        Number of folds, and of random partitions into folds.
    clusters
        Queries that belong together (a conversation, paraphrases) and stay in one fold: ``{query: cluster}``, a table
        of queries and clusters, or a rule for ids such as ``"before last _"``.
    costs
        Costs of the settings, lower is better: ``{setting: {"p95_ms": 12}}`` or a table.
    limits
        Limits on the costs, such as ``"p95_ms < 200"``; only settings within them can be chosen.
    settings
        Parameters of named rankings, ``{name: {parameter: value}}``, for tables and curves.
    alpha
        Intervals have the level 1 - alpha; so does the plateau.
    resamples, seed
        Number of bootstrap samples, and the seed of the random numbers.
    convention, side_information, read_options, **read
        As for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> judgments = {q: {"a": 1} for q in range(20)}
    >>> bm25 = {q: ["a", "b", "c"] if q % 2 else ["b", "c", "a"] for q in range(20)}
    >>> dense = {q: ["c", "a", "b"] for q in range(20)}
    >>> tuned = rg.tune(judgments, {"bm25": bm25, "dense": dense}, "RR", grid={"k": [1, 60]})
    >>> tuned.chosen, round(tuned.naive, 3), round(tuned.honest.value, 3)
    ({'k': 1}, 0.667, 0.667)
    >>> tuned.verdict()
    'Keep the default (k=1): no setting is better on these queries.'
    """
    options = ReadOptions.of(tune, read_options, read)
    check_whole("folds", folds, LEAST_FOLDS, "tune")
    check_samples("repeats", repeats, "tune")
    check_samples("resamples", resamples, "tune")
    check_whole("seed", seed, 0, "tune")
    check_share("alpha", alpha, "tune")
    keywords: dict[str, Any] = {"convention": convention, "side_information": side_information, "read_options": options}
    if isinstance(judgments, Scores):
        others = (rankings, method, grid, convention, side_information, read_options)
        if read or any(argument is not None for argument in others):
            raise ParameterError("tune takes Scores and a metric alone, or judgments, rankings and a metric")
        scores, tried = judgments, named_settings(judgments.systems, settings)
        place, parsed = _place(tried, baseline), parse(metric if metric is not None else judgments.metrics[0])
    else:
        verb_input = resolve_input("tune", judgments, named_rankings(rankings), options, "named")
        metric, keywords["convention"] = verb_input.metric(metric, convention)
        parsed = metric_or_default(metric)
        _check_metric(parsed, check_convention(keywords["convention"]))
        scores, tried, place = _evaluate(verb_input, parsed, method, grid, baseline, settings, keywords)
    check_several(tried)
    _check_metric(parsed, scores.convention)
    columns = {} if costs is None else costs_of(costs, tried)
    check_cost_names(columns, tried)
    allowed = within_limits(limits, columns, len(tried))
    chosen_by = TuningOptions(folds, repeats, resamples, alpha, seed, method or "rrf" if grid is not None else "")
    return _cross_validate(scores, parsed, tried, place, clusters, columns, allowed, chosen_by)


def _cross_validate(
    scores: Scores,
    metric: Metric,
    tried: Sequence[Setting],
    place: int,
    clusters: ById | None,
    costs: Mapping[str, Floats],
    allowed: Ints,
    options: TuningOptions,
) -> Tuning:
    """Choose among the allowed settings, and estimate the value of the choice; ``place`` is that of the baseline."""
    values, queries, left_out = value_matrix(scores, metric)
    if left_out:
        scores.findings.add("RG817", Phrase(f"{metric}", f"{metric}"), left_out)
    groups = _clusters(clusters, queries)
    options = options._replace(units=len(np.unique(groups)))
    if options.units < options.folds:
        few = MESSAGES["few queries" if clusters is None else "few clusters"]
        raise input_error("RG812", few.fill(count=options.units, folds=options.folds))
    signed = values if metric.definition.higher_is_better else -values
    procedure = run_procedure(
        signed,
        place,
        allowed,
        clusters=groups,
        folds=options.folds,
        repeats=options.repeats,
        resamples=options.resamples,
        alpha=options.alpha,
        seed=options.seed,
    )
    simulated = max(200, min(2_000, BEST_CELLS // len(allowed) ** 2))
    means = _cluster_means(signed[:, allowed], groups)
    best = hsu_best(means, alpha=options.alpha, resamples=simulated, seed=options.seed)
    return Tuning(metric, tuple(tried), place, values, tuple(queries), costs, allowed, procedure, best, options, scores)


def _check_metric(metric: Metric, rules: Convention) -> None:
    """Refuse a metric that is no mean."""
    if not metric.definition.summary.is_mean(rules):
        raise ParameterError(MESSAGES["mean"].fill(metric=metric))


def _evaluate(
    verb_input: VerbInput,
    metric: Metric,
    method: str | None,
    grid: GridLike | None,
    baseline: SettingLike | None,
    table: Mapping[str, Mapping[str, Any]] | None,
    keywords: dict[str, Any],
) -> tuple[Scores, list[Setting], int]:
    """Return the scores of all settings, the settings, and the place of the baseline."""
    options = keywords["read_options"]
    if grid is None:
        if method is not None:
            raise ParameterError(MESSAGES["method"])
        tried = named_settings(verb_input.rankings, table)
        check_several(tried)
        place = _place(tried, baseline)
        evaluator = Evaluator(verb_input.judgments, [metric], **keywords)
        with step_bar("tune", len(tried), options.progress) as on_setting:
            return ranking_scores(evaluator, verb_input.rankings, on_setting), tried, place
    if options.units is not None:
        raise ParameterError(MESSAGES["units"])
    tried, place = grid_settings(grid, baseline)
    check_several(tried)
    fusion = Fusion.of(verb_input.rankings, options, keywords["convention"])
    evaluator = Evaluator(verb_input.judgments, [metric], **keywords)
    with step_bar("tune", len(tried), options.progress) as on_setting:
        return fused_scores(evaluator, fusion, method or "rrf", tried, on_setting), tried, place


def _place(settings: Sequence[Setting], baseline: SettingLike | None) -> int:
    """Return the place of the baseline, given by its name or its parameters; the first by default."""
    names = [setting.name for setting in settings]
    if baseline is None:
        return 0
    if isinstance(baseline, Mapping):
        fits = [all(setting.parameters.get(key) == value for key, value in baseline.items()) for setting in settings]
        if sum(fits) == 1:
            return fits.index(True)
        en, zh = (
            f"{sum(fits)} settings have the parameters {shown(dict(baseline))}; one must",
            f"{sum(fits)} 个设置具有参数 {shown(dict(baseline))}；应恰有一个",
        )
        raise ParameterError((f"tune: baseline: {en}", f"tune：baseline：{zh}"))
    if str(baseline) not in names:
        raise UnknownNameError.closest(Phrase("setting", "设置"), str(baseline), names)
    return names.index(str(baseline))


def _clusters(source: ById | None, queries: Sequence[Any]) -> Ints:
    """Return the number of the cluster of each query; each query is its own without clusters."""
    if source is None:
        return np.arange(len(queries))
    try:
        names = Units(source).of_items(queries)
    except InputError as error:
        if "RG101" in error.codes:
            raise
        known = {str(query) for query in source} if isinstance(source, Mapping) else set()
        first = next((query for query in queries if str(query) not in known), queries[0])
        raise input_error("RG813", Phrase(f"query {shown(first)}", f"查询 {shown(first)}")) from None
    except ParameterError:
        allowed = Phrase(
            "{query: cluster}, a table of queries and clusters, or a text such as 'before last _'",
            "{查询: 分组}、查询与分组的表，或 'before last _' 这样的文本",
        )
        raise ParameterError.of("clusters", source, allowed, "tune") from None
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(str(name), len(numbers)) for name in names])


def _cluster_means(values: Floats, groups: Ints) -> Floats:
    """Return values whose rows are independent: each cluster by its share of the sum over queries."""
    if len(np.unique(groups)) == len(groups):
        return values
    sums = np.zeros((int(groups.max()) + 1, values.shape[1]))
    np.add.at(sums, groups, values)
    return sums * (len(sums) / len(groups))
