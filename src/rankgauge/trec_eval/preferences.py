"""The preference measures of trec_eval: how many of the stated preferences a ranking fulfils.

Every measure comes in up to three scopes, which differ in what they make of items that were not returned:

==========  ===================================================================================================
(none)      all preferences count; one of which neither item was returned is not fulfilled
``_imp``    preferences of which at least one item was returned (one item alone implies the order)
``_ret``    preferences of which both items were returned
==========  ===================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankgauge.conventions import DEFAULT, Convention
from rankgauge.errors import shown
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats
from rankgauge.trec_eval.grouped_files import Subgroup, read_preferences, read_qrels_as_preferences
from rankgauge.trec_eval.measure import Evaluated, Measure
from rankgauge.trec_eval.measures import NUM_Q, RUNID
from rankgauge.trec_eval.options import Options
from rankgauge.trec_eval.preference_pairs import Counts, Group, Pairs
from rankgauge.trec_eval.several_people import Rankings, Wanted, evaluate_topics

ALL, ONE_RETURNED, BOTH_RETURNED = 0, 1, 2
"""The scopes: how many items of a pair must have been returned for it to count."""


@dataclass(frozen=True)
class Compared:
    """The judgment groups of one query against one ranking."""

    groups: Sequence[Group]
    returned: int
    """How many of the judged items were returned."""

    def counts(self, least: int) -> list[Counts]:
        """The fulfilled and the possible preferences of each group."""
        return [counts[least] for counts in self._counts]

    @cached_property
    def _counts(self) -> list[list[Counts]]:
        return [group.pairs.counts(self.returned) for group in self.groups]


def evaluate(options: Options, wanted: Wanted) -> Evaluated:
    """Read both files and evaluate."""
    read = read_preferences if options.judgments_format == "prefs" else read_qrels_as_preferences
    return evaluate_topics(options, wanted, read, preference_columns)


def preference_columns(
    judgments: Mapping[str, Mapping[str, Mapping[str, Subgroup]]],
    rankings: Rankings,
    queries: Sequence[str],
    settings: Wanted,
    convention: Convention = DEFAULT,
    depth: int | None = None,
) -> dict[str, Floats]:
    """The values of preference measures, by printed name, one for each query.

    Parameters
    ----------
    judgments
        Items and their levels, by query, group and subgroup.
    rankings
        The score of each returned item, by query; a query that is not there returned nothing.
    queries
        The judged queries in question.
    settings
        The lines to be printed, each with its measure.
    convention
        Decides whether scores are compared in single precision, as trec_eval 9 does; no other rule plays a part.
    depth
        How many returned items are looked at (``-M``); None for all.

    Examples
    --------
    >>> judgments = {"1": {"ann": {"0": [("a", 1), ("b", 0)]}}}
    >>> asked = [(measure, *measure.settings()) for measure in PREFERENCE_MEASURES if measure.name == "prefs_simp"]
    >>> preference_columns(judgments, {"1": {"a": 0.5, "b": 0.7}}, ["1"], asked)
    {'prefs_simp': array([0.])}
    """
    asked = [measure.name for measure, _ in settings]
    rows = []
    for query in queries:
        returned = best_first(rankings.get(query, {}), convention)[:depth]
        compared = compare_with_ranking(judgments[query], returned, query)
        rows.append([_PREFERENCES[name].value(compared) for name in asked])
    return dict(zip(asked, np.array(rows, dtype=np.float64).reshape(len(queries), len(asked)).T, strict=True))


def best_first(scores: Mapping[str, float], convention: Convention) -> list[str]:
    """The items by descending score; where scores are equal, by *ascending* id, which trec_eval does only here.

    >>> best_first({"b": 1.0, "a": 1.0, "c": 2.0}, DEFAULT)
    ['c', 'a', 'b']
    """
    if convention.score_precision == "float32":
        scores = {item: float(np.float32(score)) for item, score in scores.items()}
    return sorted(sorted(scores), key=scores.__getitem__, reverse=True)  # stable, also in reverse


def compare_with_ranking(
    groups: Mapping[str, Mapping[str, Subgroup]], ranking: Sequence[str], query: str = ""
) -> Compared:
    """Find the preferences of each judgment group in a ranking, best item first; ``query`` is for messages."""
    judged = {item for subgroups in groups.values() for lines in subgroups.values() for item, _ in lines}
    returned = [item for item in ranking if item in judged]
    places = {item: place for place, item in enumerate([*returned, *sorted(judged.difference(returned))])}
    compared = [Group.of(groups[name], places, f"query {shown(query)}, group {shown(name)}") for name in sorted(groups)]
    return Compared(compared, len(returned))


# The measures


def _possible(compared: Compared, least: int) -> float:
    return float(sum(possible for _, possible in compared.counts(least)))


def _fulfilled(compared: Compared, least: int) -> float:
    return float(sum(fulfilled for fulfilled, _ in compared.counts(least)))


def _of_all(compared: Compared, least: int) -> float:
    """Fulfilled over possible preferences, those of all groups together."""
    possible = _possible(compared, least)
    return _fulfilled(compared, least) / possible if possible else 0.0


def _mean_of_groups(compared: Compared, least: int) -> float:
    """The mean over groups of fulfilled over possible; a group without preferences is 0."""
    ratios = [fulfilled / possible if possible else 0.0 for fulfilled, possible in compared.counts(least)]
    return _running_total(np.array(ratios)) / len(ratios)


def _mean_of_pairs(compared: Compared, least: int) -> float:
    """The mean over pairs of items of the share of the opinions on the pair that the ranking agrees with."""
    if len(compared.groups) == 1 and compared.groups[0].states_each_pair_once:
        return _of_all(compared, least)  # one opinion on each pair
    pairs = Pairs(
        np.concatenate([group.pairs.better for group in compared.groups]),
        np.concatenate([group.pairs.worse for group in compared.groups]),
    )
    shown = pairs.shown(compared.returned).astype(np.int64)
    kept = np.flatnonzero(shown >= least)
    if not len(kept):
        return 0.0
    above, below = np.minimum(pairs.better, pairs.worse)[kept], np.maximum(pairs.better, pairs.worse)[kept]
    # As trec_eval adds them up: pairs with both items returned first, then down the ranking.
    key = ((BOTH_RETURNED - shown[kept]) * (below.max() + 1) + above) * (below.max() + 1) + below
    _, pair = np.unique(key, return_inverse=True)
    agreed = np.bincount(pair, weights=pairs.fulfilled(compared.returned)[kept])
    opinions = np.bincount(pair)
    return _running_total(agreed / opinions) / len(opinions)


def _mean_with_as_many_nonrelevant(compared: Compared, least: int) -> float:
    """The mean over groups of fulfilled over possible with as many non-relevant as relevant items; 0 if one is 0/0."""
    ratios = []
    for group, stated in zip(compared.groups, compared.counts(least), strict=True):
        fulfilled, possible = _with_as_many_nonrelevant(group, stated, compared.returned, least)
        if not possible:
            return 0.0
        ratios.append(fulfilled / possible)
    return _running_total(np.array(ratios)) / len(ratios)


def _with_as_many_nonrelevant(group: Group, stated: Counts, returned: int, least: int) -> Counts:
    limit = returned if least == BOTH_RETURNED else np.inf
    relevant, nonrelevant = int((group.relevant < limit).sum()), int((group.nonrelevant < limit).sum())
    if relevant < nonrelevant:
        return group.with_nonrelevant(relevant).counts(returned)[least]
    added = relevant - nonrelevant  # imagined non-relevant items, below everything that was returned
    found = int((group.relevant < returned).sum())
    return Counts(stated.fulfilled + found * added, stated.possible + len(group.relevant) * added)


def _running_total(values: Floats) -> float:
    """The sum, added up one by one as trec_eval does, so that not even the last digit differs."""
    return float(np.cumsum(values)[-1])


@dataclass(frozen=True)
class Preference:
    """How one measure is computed, and what it means."""

    compute: Callable[[Compared, int], float]
    least: int
    meaning: Phrase

    def value(self, compared: Compared) -> float:
        """The value of one query."""
        return self.compute(compared, self.least)


_NUMBER_POSSIBLE = Phrase(
    "The number of preferences that were stated, whether or not their items were returned; over queries, the sum.",
    "所有已表达的偏好数，不论物品是否被返回；多个查询取总和。",
)
_NUMBER_FULFILLED = Phrase(
    "The number of preferences that the ranking fulfils; over queries, the sum.", "排序所满足的偏好数；多个查询取总和。"
)
_SIMPLE = Phrase(
    "The share of preferences that the ranking fulfils, those of all groups together. Where groups contradict each "
    "other, even the best ranking stays below 1.",
    "排序所满足的偏好占全部偏好的比例，所有标注组合并计算。各组意见相反时，最好的排序也达不到 1。",
)
_PAIR = Phrase(
    "For each pair of items, the share of the opinions on it that the ranking agrees with; then the mean over pairs. "
    "With one group it equals prefs_simp.",
    "对每一对物品，取排序所符合的意见的比例，再对所有物品对求平均。只有一个标注组时等于 prefs_simp。",
)
_GROUPS = Phrase(
    "For each judgment group, the share of its preferences that the ranking fulfils; then the mean over groups, so "
    "that a person with many preferences counts no more than one with few.",
    "对每个标注组，取其偏好被满足的比例，再对各组求平均；偏好多的人不会比偏好少的人占更大分量。",
)
_BALANCED = Phrase(
    "As prefs_avgjg, with as many non-relevant items (level 0) in a group as relevant ones, R: of more, only the R "
    "ranked highest stay; fewer are filled up with imagined ones that stand below everything returned. With one list "
    "of levels trec_eval also pairs the non-relevant items with those that stay. A group that is 0/0 makes it 0.",
    "同 prefs_avgjg，但每组中不相关物品（等级 0）的数目取为相关物品数 R：多于 R 时只保留排得最高的 R 个；"
    "少于 R 时补上设想的不相关物品，它们排在所有返回物品之后。"
    "对单一等级列表，trec_eval 还会把不相关物品与保留下来的不相关物品配对。只要有一组为 0/0，其值就为 0。",
)
_SCOPES = {
    ALL: Phrase("", ""),
    BOTH_RETURNED: Phrase(" Only preferences of which both items were returned count.", "只计两个物品都被返回的偏好。"),
    ONE_RETURNED: Phrase(
        " Only preferences of which at least one item was returned count.", "只计至少一个物品被返回的偏好。"
    ),
}


def _in_scope(compute: Callable[[Compared, int], float], meaning: Phrase, least: int) -> Preference:
    told = _SCOPES[least]
    return Preference(compute, least, Phrase(meaning.en + told.en, meaning.zh + told.zh))


_PREFERENCES: Mapping[str, Preference] = {
    "prefs_num_prefs_poss": _in_scope(_possible, _NUMBER_POSSIBLE, ALL),
    "prefs_num_prefs_ful": _in_scope(_fulfilled, _NUMBER_FULFILLED, ALL),
    "prefs_num_prefs_ful_ret": _in_scope(_fulfilled, _NUMBER_FULFILLED, BOTH_RETURNED),
    "prefs_simp": _in_scope(_of_all, _SIMPLE, ALL),
    "prefs_pair": _in_scope(_mean_of_pairs, _PAIR, ALL),
    "prefs_avgjg": _in_scope(_mean_of_groups, _GROUPS, ALL),
    "prefs_avgjg_Rnonrel": _in_scope(_mean_with_as_many_nonrelevant, _BALANCED, ALL),
    "prefs_simp_ret": _in_scope(_of_all, _SIMPLE, BOTH_RETURNED),
    "prefs_pair_ret": _in_scope(_mean_of_pairs, _PAIR, BOTH_RETURNED),
    "prefs_avgjg_ret": _in_scope(_mean_of_groups, _GROUPS, BOTH_RETURNED),
    "prefs_avgjg_Rnonrel_ret": _in_scope(_mean_with_as_many_nonrelevant, _BALANCED, BOTH_RETURNED),
    "prefs_simp_imp": _in_scope(_of_all, _SIMPLE, ONE_RETURNED),
    "prefs_pair_imp": _in_scope(_mean_of_pairs, _PAIR, ONE_RETURNED),
    "prefs_avgjg_imp": _in_scope(_mean_of_groups, _GROUPS, ONE_RETURNED),
}

PREFERENCE_MEANINGS: Mapping[str, Phrase] = {name: one.meaning for name, one in _PREFERENCES.items()}
"""What each measure says, in both languages."""

PREFERENCE_MEASURES: tuple[Measure, ...] = tuple(
    Measure(
        name,
        one.meaning.en,
        shown="count" if one.compute in {_possible, _fulfilled} else "value",
        summary="sum" if one.compute in {_possible, _fulfilled} else "mean",
        formats=("prefs", "qrels_prefs"),
    )
    for name, one in _PREFERENCES.items()
)
"""All preference measures, in the order in which trec_eval prints them."""

MEASURES = (RUNID, NUM_Q, *PREFERENCE_MEASURES)
NICKNAMES = {
    "all_prefs": tuple(measure.name for measure in MEASURES),
    "prefs": tuple(measure.name for measure in MEASURES[:8]),
}
