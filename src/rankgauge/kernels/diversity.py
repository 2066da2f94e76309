"""Diversity: how different the items of a list are, and the lists of different users."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgauge.kernels.distances import DISTANCES, distances_to_those_above
from rankgauge.metric_core.corpus_value import CorpusValue, corpus_value
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.parameters import Cutoff, one_of, rule
from rankgauge.metric_core.sums import Sum, total
from rankgauge.segments import Floats
from rankgauge.side_information.id_pairs import contains, distinct_pairs
from rankgauge.side_information.item_lists import ItemLists

__all__ = ["ILD", "CategoryCoverage", "Personalisation", "PopSerendipity", "Serendipity", "Unexpectedness", "Unseen"]

Distance = Annotated[str, one_of(*DISTANCES)]
Likeness = Annotated[str, one_of("cosine", "overlap")]


@metric(
    zh="列表内多样性：前 k 个物品两两之间的平均距离。",
    aliases=("IntraListDiversity", "IntraListDistance"),
    cite="ziegler2005",
    bounds=(0.0, float("inf")),
    needs=("vectors",),
)
def ILD(lists: ItemLists, *, k: Cutoff = None, distance: Distance = "cosine") -> Sum:
    r"""Intra-list distance: the mean distance of two items of the top k.

    .. math:: ILD@k = \frac{2}{n (n - 1)} \sum_{r \le k} \sum_{s < r} d(i_r, i_s)

    Edge cases: n is the number of items in the top k; with fewer than two it is 0/0. The vectors are the features or,
    where there are none, a 1 for each category. Cosine: 1 minus the cosine, 1 for a vector of zeros. Jaccard: of what
    is not 0, and 0 for two items without anything. Hamming: the share of coordinates that differ.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(features={"a": [1, 0], "b": [0, 1], "c": [0, 2]})
    >>> scores = rg.evaluate({"u": {"a": 1}}, {"u": ["a", "b", "c"]}, "ILD@3", side_information=known)
    >>> round(scores.mean("ILD@3"), 6)  # (1 + 1 + 0) / 3
    0.666667
    """
    n = lists.shown(k)
    apart = distances_to_those_above(lists, n, lists.tables.vectors, distance)
    return total(lists, k, distance_to_those_above=apart).over("pairs", n * (n - 1) / 2)


@metric(
    zh="类别覆盖：前 k 个物品中不同类别的个数除以 k。",
    aliases=("CategoricalDiversity",),
    cite="RePlay, metric CategoricalDiversity",
    bounds=(0.0, float("inf")),
    needs=("categories",),
)
def CategoryCoverage(lists: ItemLists, *, k: Cutoff = None) -> Sum:
    r"""Category coverage: the number of different categories in the top k, over k.

    .. math:: CategoryCoverage@k = \frac{|\bigcup_{i \in L_u^k} C_i|}{k}

    Edge cases: without a cutoff, k is the number of items; more than 1 where items have several categories; 0/0 for
    an empty list without a cutoff.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(categories={"a": "x", "b": "x", "c": "y"})
    >>> scores = rg.evaluate(
    ...     {"u": {"a": 1}}, {"u": ["a", "b", "c", "a2"][:3]}, "CategoryCoverage@3", side_information=known
    ... )
    >>> round(scores.mean("CategoryCoverage@3"), 6)  # |{x, y}| / 3
    0.666667
    """
    new = np.zeros(len(lists.rank))
    for users in lists.some_users(lists.tables.category_count):
        rows = slice(*lists.segments.offsets[[users.start, users.stop]])
        place, category = lists.tables.categories_of(lists.item[rows])
        found = distinct_pairs(lists.segments.query[rows][place] * lists.tables.category_count + category, place)
        first = found.second[np.diff(found.first, prepend=-1) != 0]
        new[rows] = np.bincount(first, minlength=len(new[rows]))
    below = lists.shown(None) if k is None else np.full(lists.segments.count, float(k))
    return total(lists, k, new_categories=new).over("n" if k is None else "k", below)


@metric(
    zh="个性化程度：任意两位用户的推荐列表之间的平均不相似度。",
    aliases=("Personalization", "InterUserDiversity"),
    cite="zhou2010",
    summary="corpus",
    needs=(),
)
def Personalisation(lists: ItemLists, *, k: Cutoff = None, likeness: Likeness = "cosine") -> CorpusValue:
    r"""Personalisation: 1 minus the mean likeness of the lists of two users.

    .. math:: 1 - \frac{2}{|U| (|U| - 1)} \sum_{u < v} \frac{|L_u^k \cap L_v^k|}{\sqrt{|L_u^k| \, |L_v^k|}}

    Edge cases: ``overlap`` divides by k instead, or by the longest list without a cutoff; users without a list are
    like nobody; NaN for fewer than two users.

    >>> import rankgauge as rg
    >>> lists = {"u": ["a", "b"], "v": ["a", "c"], "w": ["d", "e"]}
    >>> scores = rg.evaluate({user: {"a": 1} for user in lists}, lists, "Personalisation@2")
    >>> round(scores.mean("Personalisation@2"), 6)  # 1 - (1/2 + 0 + 0) / 3
    0.833333
    """
    n = lists.shown(k)
    below = n if likeness == "cosine" else np.full(len(n), float(k) if k is not None else float(n.max(initial=0)))
    share = 1 / np.sqrt(np.maximum(below, 1.0))
    inside = lists.inside(k)
    query, item = lists.segments.query[inside], lists.item[inside]

    def personal(times: Floats) -> float:
        users = times.sum()
        if users < 2:  # noqa: PLR2004 (a pair)
            return float("nan")
        weight = (times * share)[query]
        squared = (np.bincount(item, weights=weight) ** 2).sum()
        alike = (squared - (times * share**2 * n).sum()) / 2
        return float(1 - alike / (users * (users - 1) / 2))

    return corpus_value(lists, personal)


@metric(zh="未见比例：前 k 个中用户在训练数据里没有的物品的比例。", cite="RePlay, metric Novelty", needs=("training",))
def Unseen(lists: ItemLists, *, k: Cutoff = None) -> Sum:
    r"""Unseen: the share of the top k that the user did not have in training.

    .. math:: Unseen@k = \frac{|L_u^k \setminus I_u|}{|L_u^k|}

    Edge cases: for a user who was not in training everything is unseen; 0/0 for an empty list.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(training={"u": ["a"], "v": ["b"]})
    >>> rg.evaluate({"u": {"b": 1}}, {"u": ["a", "b"]}, "Unseen@2", side_information=known).mean("Unseen@2")  # 1 / 2
    0.5
    """
    had = contains(lists.tables.history, lists.segments.query, lists.item, len(lists.tables.items))
    return total(lists, k, unseen=1.0 - had).over("n", lists.shown(k))


@metric(zh="意外性：前 k 个中基线系统不会推荐的物品的比例。", cite="adamopoulos2014", needs=("baseline",))
def Unexpectedness(lists: ItemLists, *, k: Cutoff = None) -> Sum:
    r"""Unexpectedness: the share of the top k that a plain system would not have recommended.

    .. math:: Unexpectedness@k = \frac{|L_u^k \setminus B_u|}{|L_u^k|}

    Edge cases: the whole list of the baseline counts, so cut it at k where that is meant; 0/0 for an empty list.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(baseline={"u": ["a", "c"]})
    >>> scores = rg.evaluate({"u": {"b": 1}}, {"u": ["a", "b"]}, "Unexpectedness@2", side_information=known)
    >>> scores.mean("Unexpectedness@2")  # (0 + 1) / 2
    0.5
    """
    return total(lists, k, unexpected=_unexpected(lists)).over("n", lists.shown(k))


@metric(zh="惊喜度：前 k 个中既相关、又不会被基线系统推荐的物品的比例。", cite="ge2010", needs=("baseline",))
def Serendipity(lists: ItemLists, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""Serendipity: the share of the top k that is relevant and that a plain system would not have recommended.

    .. math:: Serendipity@k = \frac{|(L_u^k \setminus B_u) \cap rel_u|}{|L_u^k|}

    Edge cases: those of Unexpectedness.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(baseline={"u": ["a", "c"]})
    >>> scores = rg.evaluate({"u": {"b": 1}}, {"u": ["a", "b", "d"]}, "Serendipity@3", side_information=known)
    >>> round(scores.mean("Serendipity@3"), 6)  # (0 + 1 + 0) / 3
    0.333333
    """
    relevant = lists.relevant(rel).astype(np.float64)
    return total(lists, k, relevant=relevant, unexpected=_unexpected(lists)).over("n", lists.shown(k))


def _unexpected(lists: ItemLists) -> Floats:
    return 1.0 - contains(lists.tables.baseline, lists.segments.query, lists.item, len(lists.tables.items))


@metric(
    zh="惊喜度（相对流行度）：相关物品的名次比其流行度名次靠前多少，对列表中的物品取平均。",
    cite="RecTools, metric Serendipity",
    needs=("popularity", "items"),
)
def PopSerendipity(lists: ItemLists, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""Serendipity against popularity: how much higher relevant items stand than their popularity would put them.

    .. math:: \frac{1}{|L_u^k|} \sum_{r \le k} rel_r \, \max(p(r) - p(q_r), 0), \qquad p(r) = \frac{|I| + 1 - r}{|I|}

    Edge cases: q is the rank of the item by popularity, equally popular items on the same rank and no rank left out;
    p(q) is 0 for an item that nobody had; 0/0 for an empty list.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(popularity={"a": 9, "b": 3}, items=["a", "b", "c", "d"])
    >>> scores = rg.evaluate({"u": {"b": 1}}, {"u": ["b", "a"]}, "PopSerendipity@2", side_information=known)
    >>> scores.mean("PopSerendipity@2")  # 1 * (4/4 - 3/4) / 2
    0.125
    """
    popularity, (_, size) = lists.tables.popularity, lists.tables.catalogue
    level = np.unique(-popularity, return_inverse=True)[1]
    usual = np.where(popularity > 0, (size - level) / max(size, 1), 0.0)
    surprise = np.maximum((size + 1 - lists.rank) / max(size, 1) - usual[lists.item], 0.0)
    relevant = lists.relevant(rel).astype(np.float64)
    return total(lists, k, relevant=relevant, surprise=surprise).over("n", lists.shown(k))
