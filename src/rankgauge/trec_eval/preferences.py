"""Preference measures of trec_eval: the share of stated preferences that a ranking fulfils.

Measures exist in up to three scopes, which differ in how they treat items that were not returned:

==========  ===================================================================================================
(none)      all preferences; not fulfilled if neither item was returned
``_imp``    preferences with at least one item returned (one item alone implies the order)
``_ret``    preferences with both items returned
==========  ===================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import shown
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, as_single
from rankgauge.trec_eval.grouped_judgments import GroupedTopics, SubgroupsByGroup, evaluate_grouped, read_preferences
from rankgauge.trec_eval.measures import NUM_Q, RUNID, Evaluation, Measure, MeasureLine
from rankgauge.trec_eval.options import Options
from rankgauge.trec_eval.preference_pairs import JudgmentGroup, PreferenceCounts, PreferencePairs

ALL, ONE_RETURNED, BOTH_RETURNED = 0, 1, 2
"""Scopes: the number of items of a pair that must have been returned for the pair to count."""


@dataclass(frozen=True)
class GroupsAgainstRanking:
    """The judgment groups of one query, evaluated against one ranking."""

    groups: Sequence[JudgmentGroup]
    returned: int
    """Number of judged items that were returned."""

    def counts(self, least: int) -> list[PreferenceCounts]:
        """Fulfilled and possible preferences of each group."""
        return [counts[least] for counts in self._counts]

    @cached_property
    def _counts(self) -> list[list[PreferenceCounts]]:
        return [group.pairs.counts(self.returned) for group in self.groups]


def evaluate(options: Options, lines: Sequence[MeasureLine]) -> Evaluation:
    """Read both files and evaluate them."""
    read = partial(read_preferences, has_subgroups=options.judgments_format == "prefs")
    return evaluate_grouped(options, lines, read, preference_columns)


def preference_columns(task: GroupedTopics[SubgroupsByGroup], lines: Sequence[MeasureLine]) -> dict[str, Floats]:
    """Return the values of preference measures, by printed name, one per topic.

    Of the convention only the precision of scores matters: trec_eval 9 compares them in single precision.

    >>> task = GroupedTopics({"1": {"ann": {"0": [("a", 1), ("b", 0)]}}}, {"1": {"a": 0.5, "b": 0.7}}, ["1"])
    >>> preference_columns(task, Measure("prefs_simp").lines())
    {'prefs_simp': array([0.])}
    """
    names, rows = [line.name for line in lines], []
    measures = [_PREFERENCES[name] for name in names]
    for topic in task.topics:
        returned = best_first(task.rankings.get(topic, {}), task.convention)[: task.depth]
        groups = _against_ranking(task.judgments[topic], returned, topic)
        rows.append([_FORMULAS[formula](groups, _SCOPES[scope]) for formula, scope in measures])
    return dict(zip(names, np.array(rows, dtype=np.float64).reshape(len(rows), len(names)).T, strict=True))


def best_first(scores: Mapping[str, float], convention: Convention) -> list[str]:
    """Sort items by descending score and, for equal scores, by *ascending* id, which trec_eval does only here.

    >>> best_first({"b": 1.0, "a": 1.0, "c": 2.0}, Convention())
    ['c', 'a', 'b']
    """
    if convention.score_precision == "float32":
        scores = {item: float(as_single(score)) for item, score in scores.items()}
    return sorted(sorted(scores), key=scores.__getitem__, reverse=True)  # stable, also in reverse


def _against_ranking(groups: SubgroupsByGroup, ranking: Sequence[str], query: str) -> GroupsAgainstRanking:
    judged = {item for subgroups in groups.values() for lines in subgroups.values() for item, _ in lines}
    returned = [item for item in ranking if item in judged]
    places = {item: place for place, item in enumerate([*returned, *sorted(judged.difference(returned))])}
    named = ((groups[name], f"query {shown(query)}, group {shown(name)}") for name in sorted(groups))
    return GroupsAgainstRanking([JudgmentGroup.of(group, places, label) for group, label in named], len(returned))


# The measures


def _possible(groups: GroupsAgainstRanking, least: int) -> float:
    return float(sum(possible for _, possible in groups.counts(least)))


def _fulfilled(groups: GroupsAgainstRanking, least: int) -> float:
    return float(sum(fulfilled for fulfilled, _ in groups.counts(least)))


def _of_all(groups: GroupsAgainstRanking, least: int) -> float:
    """Fulfilled over possible preferences of all groups together."""
    possible = _possible(groups, least)
    return _fulfilled(groups, least) / possible if possible else 0.0


def _mean_of_groups(groups: GroupsAgainstRanking, least: int) -> float:
    """Mean over groups of fulfilled over possible preferences; 0 for a group without preferences."""
    ratios = [fulfilled / possible if possible else 0.0 for fulfilled, possible in groups.counts(least)]
    return _running_total(np.array(ratios)) / len(ratios)


def _mean_of_pairs(groups: GroupsAgainstRanking, least: int) -> float:
    """Mean over pairs of items of the share of judgments of the pair that the ranking agrees with."""
    if len(groups.groups) == 1 and groups.groups[0].states_each_pair_once:
        return _of_all(groups, least)  # one judgment of each pair
    pairs = PreferencePairs.concatenate([group.pairs for group in groups.groups])
    returned = pairs.returned_items(groups.returned).astype(np.int64)
    kept = np.flatnonzero(returned >= least)
    if not len(kept):
        return 0.0
    above, below = np.minimum(pairs.better, pairs.worse)[kept], np.maximum(pairs.better, pairs.worse)[kept]
    # The order in which trec_eval adds them: pairs with both items returned first, then by rank.
    key = ((BOTH_RETURNED - returned[kept]) * (below.max() + 1) + above) * (below.max() + 1) + below
    _, pair = np.unique(key, return_inverse=True)
    agreed = np.bincount(pair, weights=pairs.fulfilled(groups.returned)[kept])
    stated = np.bincount(pair)
    return _running_total(agreed / stated) / len(stated)


def _mean_with_as_many_nonrelevant(groups: GroupsAgainstRanking, least: int) -> float:
    """Mean over groups of fulfilled over possible, with as many non-relevant as relevant items; 0 if one is 0/0."""
    ratios = []
    for group, stated in zip(groups.groups, groups.counts(least), strict=True):
        fulfilled, possible = _with_as_many_nonrelevant(group, stated, groups.returned, least)
        if not possible:
            return 0.0
        ratios.append(fulfilled / possible)
    return _running_total(np.array(ratios)) / len(ratios)


def _with_as_many_nonrelevant(
    group: JudgmentGroup, stated: PreferenceCounts, returned: int, least: int
) -> PreferenceCounts:
    limit = returned if least == BOTH_RETURNED else np.inf
    relevant, nonrelevant = int((group.relevant < limit).sum()), int((group.nonrelevant < limit).sum())
    if relevant < nonrelevant:
        return group.with_nonrelevant(relevant).counts(returned)[least]
    added = relevant - nonrelevant  # imaginary non-relevant items below all returned items
    returned_relevant = int((group.relevant < returned).sum())
    return PreferenceCounts(stated.fulfilled + returned_relevant * added, stated.possible + len(group.relevant) * added)


def _running_total(values: Floats) -> float:
    """Sum in sequence, as trec_eval does, so that even the last digit agrees."""
    return float(np.cumsum(values)[-1])


_FORMULAS: Mapping[str, Callable[[GroupsAgainstRanking, int], float]] = {
    "prefs_num_prefs_poss": _possible,
    "prefs_num_prefs_ful": _fulfilled,
    "prefs_simp": _of_all,
    "prefs_pair": _mean_of_pairs,
    "prefs_avgjg": _mean_of_groups,
    "prefs_avgjg_Rnonrel": _mean_with_as_many_nonrelevant,
}
_MEANINGS = {
    "prefs_num_prefs_poss": Phrase(
        "Number of stated preferences, whether or not their items were returned; summed over queries.",
        "标注的偏好总数，不论物品是否被返回；多个查询求和。",
    ),
    "prefs_num_prefs_ful": Phrase(
        "Number of preferences that the ranking fulfils; summed over queries.", "排序满足的偏好数；多个查询求和。"
    ),
    "prefs_simp": Phrase(
        "Share of preferences that the ranking fulfils, over all groups together. If groups contradict each other, "
        "even the best ranking stays below 1.",
        "排序满足的偏好占全部偏好的比例，所有标注组合并计算。各组的偏好相互矛盾时，最好的排序也达不到 1。",
    ),
    "prefs_pair": Phrase(
        "For each pair of items, the share of its judgments that the ranking agrees with; then the mean over pairs. "
        "With one group it equals prefs_simp.",
        "对每一对物品，计算与排序一致的标注所占的比例，再对所有物品对求平均。只有一个标注组时等于 prefs_simp。",
    ),
    "prefs_avgjg": Phrase(
        "For each judgment group, the share of its preferences that the ranking fulfils; then the mean over groups, "
        "so that assessors with many preferences do not count more than those with few.",
        "对每个标注组，计算其偏好被满足的比例，再对各组求平均；偏好多的标注者不会比偏好少的权重更大。",
    ),
    "prefs_avgjg_Rnonrel": Phrase(
        "Like prefs_avgjg, with as many non-relevant (level 0) as relevant items in each group, R: if there are more, "
        "only the R highest-ranked are kept; if there are fewer, imaginary ones are added below all returned items. "
        "In a single list of levels trec_eval also pairs the non-relevant items with those kept. If any group is 0/0, "
        "the value is 0.",
        "同 prefs_avgjg，但每组中不相关物品（等级 0）与相关物品同为 R 个：多于 R 个时只保留排名最高的 R 个；"
        "少于 R 个时补上虚拟的不相关物品，排在所有返回物品之后。"
        "对单个等级列表，trec_eval 还会把不相关物品与保留下来的不相关物品配对。只要有一组为 0/0，其值即为 0。",
    ),
    "": Phrase("", ""),
    "_ret": Phrase(" Only preferences with both items returned count.", "只计两个物品都被返回的偏好。"),
    "_imp": Phrase(" Only preferences with at least one item returned count.", "只计至少有一个物品被返回的偏好。"),
}
_SCOPES = {"": ALL, "_ret": BOTH_RETURNED, "_imp": ONE_RETURNED}
_COUNTS = [("", "prefs_num_prefs_poss"), ("", "prefs_num_prefs_ful"), ("_ret", "prefs_num_prefs_ful")]
_RATIOS = [*product(_SCOPES, [*_FORMULAS][2:])][:-1]  # there is no prefs_avgjg_Rnonrel_imp
_PREFERENCES = {formula + scope: (formula, scope) for scope, formula in (*_COUNTS, *_RATIOS)}
"""Formula and scope of each measure, in the output order of trec_eval."""

PREFERENCE_MEANINGS = {
    name: _MEANINGS[""].join(_MEANINGS[part] for part in parts) for name, parts in _PREFERENCES.items()
}
PREFERENCE_MEASURES = tuple(
    Measure(
        name,
        meaning.en,
        shown="count" if name.startswith("prefs_num") else "value",
        summary="sum" if name.startswith("prefs_num") else "mean",
        formats=("prefs", "qrels_prefs"),
    )
    for name, meaning in PREFERENCE_MEANINGS.items()
)

MEASURES = (RUNID, NUM_Q, *PREFERENCE_MEASURES)
NICKNAMES = {
    "all_prefs": tuple(measure.name for measure in MEASURES),
    "prefs": tuple(measure.name for measure in MEASURES[:8]),
}
