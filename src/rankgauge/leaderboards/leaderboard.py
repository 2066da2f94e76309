"""`leaderboard`: systems over many data sets, with the ranks that they may have."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, Unpack, get_args

import numpy as np

from rankgauge.conventions import ConventionLike
from rankgauge.errors import InputError, ParameterError, UnknownNameError, check_choice, shown
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.columns import normalise_name
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.table_files import table_of
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.leaderboards.aggregates import AGGREGATES, AggregateName, MissingRule
from rankgauge.leaderboards.board import Leaderboard, Target
from rankgauge.leaderboards.results import Results
from rankgauge.leaderboards.sources import ResultsLike, Sources
from rankgauge.leaderboards.tables import NAMES, check_table_columns, to_polars
from rankgauge.leaderboards.uncertainty import Resampling
from rankgauge.matching.source_types import TableLike
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Phrase
from rankgauge.side_information.side_information import SideInformationLike
from rankgauge.stats.samples import check_samples, check_share, check_whole

FamiliesLike: TypeAlias = Mapping[str, Any] | Iterable[Mapping[str, Any]] | TableLike
"""Families: ``{data set: family}``, ``{family: [data sets]}``, or a table of both."""
FAMILY = {"family", "type", "tasktype", "group", "category", "domain"}
EXPECTED = (
    "{data set: family}, {family: [data sets]}, or a table with the columns data_set and family",
    "{数据集: 族}、{族: [数据集]}，或含 data_set 与 family 列的表",
)
OWNER = "leaderboard"
_INCOMPLETE = Phrase(
    "no system has a value on all {data_sets:# data set|# data sets}; {system} has most of them: {count}",
    "没有系统在全部 {data_sets} 个数据集上都有值；最多的是 {system}：{count} 个",
)
_LEFT_OUT = Phrase(
    "{system} lacks {count:# data set|# data sets}, such as {data_set}", "{system} 缺少 {count} 个数据集，如 {data_set}"
)
_LACKS = Phrase(
    "{system} lacks {count:# data set|# data sets}, such as {data_set}; the rule is {rule}",
    "{system} 缺少 {count} 个数据集，如 {data_set}；规则为 {rule}",
)
_NO_QUERIES = Phrase(
    'leaderboard: target="queries" needs the values of queries of every system, or n and sd of every mean',
    'leaderboard：target="queries" 需要每个系统各查询的值，或每个均值的 n 与 sd',
)
_NOT_OF_QUERIES = Phrase(
    "leaderboard: {aggregate} compares systems data set by data set, so that resampled queries do not apply; use "
    'target="data sets", or aggregate="mean", "family mean" or "z"',
    "leaderboard：{aggregate} 逐数据集比较系统，无法对查询重抽样；"
    '请用 target="data sets"，或 aggregate="mean"、"family mean"、"z"',
)
_NO_BOUNDS = Phrase(
    'leaderboard: missing="bounds" is not defined for {aggregate}; use mean, family mean, mean rank, borda or win rate',
    'leaderboard：missing="bounds" 不适用于 {aggregate}；请用 mean、family mean、mean rank、borda 或 win rate',
)
_NO_DEVIATIONS = Phrase(
    'leaderboard: n and sd are used with missing="complete" or "loses" only',
    'leaderboard：n 与 sd 只用于 missing="complete" 或 "loses"',
)


def leaderboard(
    results: ResultsLike,
    *,
    aggregate: AggregateName = "mean",
    missing: MissingRule = "complete",
    target: Target | None = None,
    families: FamiliesLike | None = None,
    baseline: str | None = None,
    metric: str | Metric | None = None,
    higher_is_better: bool | None = None,
    alpha: float = 0.05,
    permutations: int = 2_000,
    resamples: int = 2_000,
    seed: int = 0,
    convention: ConventionLike = None,
    side_information: SideInformationLike | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Leaderboard:
    """Rank systems over many data sets, and say which ranks are certain.

    Parameters
    ----------
    results
        ``{system: {data set: value}}``, where a value is a number, ``Scores``, ``{query: value}``, ``{"value": mean,
        "n": queries, "sd": deviation}``, a file of values, or a pair of judgments and ranking; ``{data set: Scores of
        several systems}``; a long table (columns system, data_set and value, and query, metric, n or sd) or a wide one
        (a column for each data set) as a frame, records or a file; a folder of saved scores, results of MTEB or BEIR,
        or reports of ranx: ``DATA_SET.json`` or ``SYSTEM/DATA_SET.json``; several files or folders, ``{name: path}``,
        which are read together: results that name no system are those of the system ``name``.
    aggregate
        How values become one number: ``"mean"``, ``"family mean"``, ``"mean rank"``, ``"borda"``, ``"win rate"``,
        ``"z"`` or ``"bradley-terry"``.
    missing
        What a missing value means: ``"complete"`` leaves the system out, with ``"loses"`` it is the worst of its data
        set (as in mteb), with ``"present"`` systems are compared on common data sets, and ``"bounds"`` considers every
        value between the worst and the best.
    target
        What intervals generalise to: ``"queries"`` (these data sets, other queries) or ``"data sets"`` (other data
        sets). By default the first if every system has values of queries and the aggregate is a mean over them.
    families
        Data sets that belong together: ``{data set: family}``, ``{family: [data sets]}``, or a table of both. They are
        averaged first and count once; ``"family mean"`` resamples data sets inside their families instead.
    baseline
        The system that the others are compared with in the table.
    metric
        The metric, where the results have several; for judgments and rankings, the one to compute.
    higher_is_better
        Whether higher values are better; by default as the metric says, else True.
    alpha
        Significance level of all pairs together; marginal intervals have the level 1 - alpha.
    permutations, resamples, seed
        Numbers of sign flips and of bootstrap samples, and their seed.
    convention, side_information, read_options, **read
        As for ``evaluate``, for judgments and rankings; ``columns`` names the columns of a table of results, and
        ``split`` a split of MTEB results.

    Examples
    --------
    >>> import rankgauge as rg
    >>> values = {"a": [71, 64, 80, 55, 62, 77], "b": [60, 58, 71, 44, 50, 70], "c": [61, 57, 70, 45, 49, 71]}
    >>> board = rg.leaderboard({system: dict(zip("uvwxyz", row)) for system, row in values.items()})
    >>> board.values()
    {'a': 68.16666666666667, 'b': 58.833333333333336, 'c': 58.833333333333336}
    >>> board.rank_sets()
    {'a': (1, 1), 'b': (2, 3), 'c': (2, 3)}
    >>> board.separable("b", "c"), board.possible_firsts()
    (False, ['a'])
    """
    resampling = _checked(aggregate, missing, target, alpha, permutations, resamples, seed)
    columns = check_table_columns(read.get("columns")) if _of_table(read.get("columns")) else None
    kept: ReadKeywords = {**read, "columns": None} if columns is not None else read
    options = ReadOptions.of(leaderboard, read_options, kept)

    def scores_of(judgments: Any, ranking: Any, one: Metric) -> Scores:
        return evaluate(
            judgments, ranking, one, convention=convention, side_information=side_information, read_options=options
        )

    sources = Sources(metric, columns, options.split, scores_of)
    sources.read(results)
    table = sources.results(higher_is_better)
    family = read_families(families, table.data_sets)
    if aggregate == "family mean" and not family:
        raise ParameterError.of(
            "families", families, ("a mapping from data sets to families", "数据集到族的映射"), OWNER
        )
    chosen, left_out = _select(table, missing)
    if baseline is not None and baseline not in chosen.systems:
        raise UnknownNameError.closest("system", str(baseline), chosen.systems)
    return Leaderboard(
        chosen, aggregate, missing, _target(target, chosen, aggregate, missing), family, baseline, resampling, left_out
    )


def _of_table(columns: object) -> bool:
    """Whether names of columns are those of a table of results, not of judgments and rankings."""
    return isinstance(columns, Mapping) and any(name in columns for name in NAMES if name != "query")


def _checked(
    aggregate: object, missing: object, target: object, alpha: float, permutations: int, resamples: int, seed: int
) -> Resampling:
    """Return the settings of the random samples; raise an error for an argument that is not allowed."""
    check_choice("aggregate", aggregate, AGGREGATES, OWNER)
    check_choice("missing", missing, get_args(MissingRule), OWNER)
    check_choice("target", target, [*get_args(Target), None], OWNER)
    if missing == "bounds" and not AGGREGATES[aggregate].bounded:  # type: ignore[index]
        raise ParameterError(_NO_BOUNDS.fill(aggregate=aggregate))
    check_samples("permutations", permutations, OWNER)
    check_samples("resamples", resamples, OWNER)
    check_whole("seed", seed, 0, OWNER)
    return Resampling(check_share("alpha", alpha, OWNER), permutations, resamples, seed)


def _select(table: Results, missing: MissingRule) -> tuple[Results, tuple[str, ...]]:
    """Return the results that the rule for missing values keeps, and the systems that it leaves out."""
    lacking = np.isnan(table.means).sum(axis=1)
    for place in np.flatnonzero(lacking):
        absent = table.data_sets[int(np.isnan(table.means[place]).argmax())]
        names = {"system": shown(table.systems[place]), "count": int(lacking[place]), "data_set": shown(absent)}
        phrase = _LEFT_OUT.fill(**names) if missing == "complete" else _LACKS.fill(rule=missing, **names)
        table.findings.add("RG709" if missing == "complete" else "RG710", phrase)
    if missing != "complete":
        return table.on_common_queries(), ()
    if not (lacking == 0).any():
        most = int(np.argmin(lacking))
        counts = {"data_sets": len(table.data_sets), "system": shown(table.systems[most])}
        raise input_error("RG711", _INCOMPLETE.fill(count=len(table.data_sets) - int(lacking[most]), **counts))
    left_out = tuple(table.systems[place] for place in np.flatnonzero(lacking))
    return table.of_systems(np.flatnonzero(lacking == 0)), left_out


def _target(target: Target | None, results: Results, aggregate: AggregateName, missing: MissingRule) -> Target:
    of_queries = AGGREGATES[aggregate].of_queries
    if target is None:
        return "queries" if of_queries and results.has_queries else "data sets"
    if target == "data sets":
        return target
    if not of_queries:
        raise ParameterError(_NOT_OF_QUERIES.fill(aggregate=aggregate))
    if not results.has_queries:
        if not results.has_deviations:
            raise InputError(_NO_QUERIES, ["RG704"] if len(results.data_sets) == 1 else [])
        if missing in {"present", "bounds"} and not results.complete:
            raise ParameterError(_NO_DEVIATIONS)
    return target


def read_families(families: FamiliesLike | None, data_sets: Sequence[str]) -> dict[str, str]:
    """Return the family of each data set that is in one."""
    if families is None:
        return {}
    pairs = _pairs(families)
    unknown = next((name for name in pairs if name not in data_sets), None)
    if unknown is not None:
        raise UnknownNameError.closest(("data set of families", " families 数据集"), unknown, data_sets)
    return pairs


def _pairs(families: Any) -> dict[str, str]:
    if isinstance(families, Mapping):
        pairs: dict[str, str] = {}
        for name, value in families.items():
            listed = not isinstance(value, str) and isinstance(value, Sequence | set | frozenset)
            for data_set, family in ((member, name) for member in value) if listed else ((name, value),):
                if str(data_set) in pairs:
                    en = f"{OWNER}: families name data set {data_set!r} twice"
                    raise ParameterError((en, f"{OWNER}：families 中数据集 {data_set!r} 出现了两次"))
                pairs[str(data_set)] = str(family)
        return pairs
    if isinstance(families, str | os.PathLike):
        frame = table_of(families, "families", as_text=True)
    elif hasattr(families, "columns") or isinstance(families, list | tuple):
        frame = to_polars(families)
    else:
        raise ParameterError.of("families", families, EXPECTED, OWNER)
    words = {normalise_name(name): name for name in frame.columns}
    columns = [next((words[word] for word in words if word in known), None) for known in (NAMES["data_set"], FAMILY)]
    if None in columns:
        raise ParameterError.of("families", frame.columns, EXPECTED, OWNER)
    return {
        str(one): str(other)
        for one, other in frame.select(columns).iter_rows()
        if one is not None and other is not None
    }
