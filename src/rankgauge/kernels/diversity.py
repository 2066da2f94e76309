"""Diversity within lists and between the lists of users, and serendipity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np

from rankgauge.metric_core.corpus_value import CorpusValue, corpus_value
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.parameters import Cutoff, choice, rule
from rankgauge.metric_core.sums import Sum, ranks_up_to, total
from rankgauge.segments import Floats
from rankgauge.side_information.ids import contains, distinct_pairs
from rankgauge.side_information.item_lists import ItemLists

IN_CACHE = 100_000
"""Numbers processed at a time, few enough to fit in the cache."""
NEAR = 0.01
"""Below this share of the squared lengths, their difference has lost digits and is not used."""


def distances_to_items_above(lists: ItemLists, n: Floats, distance: str) -> Floats:
    """Return the sum of the distances from each item of the top n to the items above it, by length of list."""
    prepared, pairwise = DISTANCES[distance]
    vectors = lists.tables.vectors
    table, distances = prepared(vectors), np.zeros(len(lists.rank))
    for length in np.unique(n[n > 1]).astype(np.int64).tolist():
        rows = lists.segments.offsets[:-1][n == length][:, None] + np.arange(length)
        above = np.tril(np.ones((length, length)), -1)
        size = max(1, IN_CACHE // (length * max(vectors.shape[1], length)))
        for start in range(0, len(rows), size):
            chunk = rows[start : start + size]
            distances[chunk] = np.einsum("uij,ij->ui", pairwise(table.take(lists.item[chunk], axis=0)), above)
    return np.maximum(distances, 0.0) / (max(lists.tables.coordinates, 1) if distance == "hamming" else 1)


def _products(vectors: Floats) -> Floats:
    """Return the inner products of all pairs of vectors of each list."""
    return np.matmul(vectors, vectors.transpose(0, 2, 1))


def _with_each(lengths: Floats) -> Floats:
    """Return the sums of the squared lengths of all pairs of vectors of each list."""
    return lengths[:, :, None] + lengths[:, None, :]


def _unit(vectors: Floats) -> Floats:
    length = np.sqrt((vectors**2).sum(axis=1))
    return vectors / np.where(length > 0, length, 1.0)[:, None]


def _cosine(unit: Floats) -> Floats:
    return 1 - _products(unit)


def _euclidean(vectors: Floats) -> Floats:
    """Compute |a|² + |b|² - 2 ab, or the difference itself where digits would cancel."""
    products = _products(vectors)
    lengths = _with_each(np.einsum("uii->ui", products))
    squared = lengths - 2 * products
    user, first, second = np.nonzero(np.tri(vectors.shape[1], k=-1, dtype=bool) & (squared < NEAR * lengths))
    difference = vectors[user, first] - vectors[user, second]
    squared[user, first, second] = np.einsum("ij,ij->i", difference, difference)
    return np.sqrt(np.maximum(squared, 0.0))


def _jaccard(present: Floats) -> Floats:
    both = _products(present)
    either = _with_each(np.einsum("uii->ui", both)) - both
    return 1 - both / np.maximum(either, 1) - (either == 0)


def _compact(vectors: Floats) -> Floats:
    """Return the same numbers in bytes, or in single precision, if they fit: they are only compared."""
    with np.errstate(over="ignore", invalid="ignore"):
        for kind in (np.uint8, np.float32):
            smaller = vectors.astype(kind)
            if (smaller == vectors).all():
                return smaller
    return vectors


def _hamming(vectors: Floats) -> Floats:
    """Return the number of coordinates that differ; those that are 0 in all lists are counted by the caller."""
    users, length, width = vectors.shape
    differing = np.zeros((users, length, length))
    for place in range(1, length):
        unequal = vectors[:, :place] != vectors[:, place : place + 1]
        differing[:, place, :place] = np.add.reduce(unequal.view(np.uint8), axis=-1, dtype=np.min_scalar_type(width))
    return differing


DISTANCES: dict[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "cosine": (_unit, _cosine),
    "jaccard": (lambda vectors: (vectors != 0).astype(np.float64), _jaccard),
    "hamming": (_compact, _hamming),
    "euclidean": (lambda vectors: vectors, _euclidean),
}
"""A preparation of all vectors, and the pairwise distances of an array of users x items x coordinates."""


__all__ = ["ILD", "CategoryCoverage", "Personalisation", "PopSerendipity", "Serendipity", "Unexpectedness", "Unseen"]

Distance = Annotated[str, choice(*DISTANCES)]
Likeness = Annotated[str, choice("cosine", "overlap")]


@metric(
    zh="列表内多样性：前 k 个物品两两之间的平均距离。"
    "特殊情形：n 为前 k 个的物品数，不足两个时为 0/0；向量取特征，没有特征时取类别的 0/1 向量；cosine 为 1 减"
    "余弦，零向量为 1；jaccard 按非零坐标计，两者皆无时为 0；hamming 为不同坐标的比例，列表中未出现的类别也算坐标。",
    aliases=("IntraListDiversity", "IntraListDistance"),
    cite="ziegler2005",
    bounds=(0.0, float("inf")),
    needs=("vectors",),
    grades=False,
)
def ILD(lists: ItemLists, *, k: Cutoff = None, distance: Distance = "cosine") -> Sum:
    r"""Intra-list distance: the mean distance between two items of the top k.

    .. math:: ILD@k = \frac{2}{n (n - 1)} \sum_{r \le k} \sum_{s < r} d(i_r, i_s)

    Edge cases: n is the number of items in the top k; with fewer than two it is 0/0. The vectors are the features or,
    without features, the categories as 0 and 1. Cosine: 1 minus the cosine, 1 for a zero vector. Jaccard: of the
    non-zero coordinates, 0 for two items without any. Hamming: the share of coordinates that differ, among
    them categories that no list has.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(features={"a": [1, 0], "b": [0, 1], "c": [0, 2]})
    >>> scores = rg.evaluate({"u": {"a": 1}}, {"u": ["a", "b", "c"]}, "ILD@3", side_information=side)
    >>> round(scores.mean("ILD@3"), 6)  # (1 + 1 + 0) / 3
    0.666667
    """
    n = lists.shown(k)
    apart = distances_to_items_above(lists, n, distance)
    return total(lists, k, distance_to_those_above=apart).over("pairs", n * (n - 1) / 2)


@metric(
    zh="类别覆盖：前 k 个物品中不同类别的个数除以 k（而不是除以全部类别数）。"
    "特殊情形：没有截断时 k 取物品数；物品有多个类别时可超过 1；没有截断的空结果为 0/0。",
    aliases=("CategoricalDiversity",),
    cite="RePlay, metric CategoricalDiversity",
    bounds=(0.0, float("inf")),
    needs=("categories",),
    grades=False,
)
def CategoryCoverage(lists: ItemLists, *, k: Cutoff = None) -> Sum:
    r"""Category coverage: the number of different categories in the top k, over k (not over all categories).

    .. math:: CategoryCoverage@k = \frac{|\bigcup_{i \in L_u^k} C_i|}{k}

    Edge cases: without a cutoff, k is the number of items; above 1 if items have several categories; 0/0 for an empty
    list without a cutoff.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(categories={"a": "x", "b": "x", "c": "y"})
    >>> scores = rg.evaluate({"u": {"a": 1}}, {"u": ["a", "b", "c"]}, "CategoryCoverage@3", side_information=side)
    >>> round(scores.mean("CategoryCoverage@3"), 6)  # |{x, y}| / 3
    0.666667
    """
    new = np.zeros(len(lists.rank))
    for users in lists.user_chunks(lists.tables.category_count):
        rows = slice(*lists.segments.offsets[[users.start, users.stop]])
        place, category = lists.tables.categories_of(lists.item[rows])
        pairs = distinct_pairs(lists.segments.query[rows][place] * lists.tables.category_count + category, place)
        first = pairs.second[np.diff(pairs.first, prepend=-1) != 0]
        new[rows] = np.bincount(first, minlength=len(new[rows]))
    return total(lists, k, new_categories=new).over(*ranks_up_to(lists, k))


@metric(
    zh="个性化程度：任意两位用户的推荐列表之间的平均不相似度。"
    "特殊情形：``overlap`` 改为除以 k，没有截断时除以最长的个数；没有结果的用户相似度为 0；少于两位用户时为 NaN。",
    aliases=("Personalization", "InterUserDiversity"),
    cite="zhou2010",
    summary="corpus",
    needs=(),
    grades=False,
)
def Personalisation(lists: ItemLists, *, k: Cutoff = None, likeness: Likeness = "cosine") -> CorpusValue:
    r"""Personalisation: 1 minus the mean similarity of the lists of two users.

    .. math:: 1 - \frac{2}{|U| (|U| - 1)} \sum_{u < v} \frac{|L_u^k \cap L_v^k|}{\sqrt{|L_u^k| \, |L_v^k|}}

    Edge cases: ``overlap`` divides by k instead, or by the longest list without a cutoff; users without a list have
    similarity 0; NaN for fewer than two users.

    >>> import rankgauge as rg
    >>> lists = {"u": ["a", "b"], "v": ["a", "c"], "w": ["d", "e"]}
    >>> scores = rg.evaluate({user: {"a": 1} for user in lists}, lists, "Personalisation@2")
    >>> round(scores.mean("Personalisation@2"), 6)  # 1 - (1/2 + 0 + 0) / 3
    0.833333
    """
    n = lists.shown(k)
    below = n if likeness == "cosine" else np.full(len(n), float(k) if k is not None else float(n.max(initial=0)))
    share = 1 / np.sqrt(np.maximum(below, 1.0))
    inside = lists.rows_inside(k)
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


@metric(
    zh="未见比例：前 k 个中用户在训练数据里没有的物品的比例。"
    "特殊情形：训练数据中没有的用户，其物品都算未见；空结果为 0/0。",
    cite="RePlay, metric Novelty",
    needs=("training",),
    grades=False,
)
def Unseen(lists: ItemLists, *, k: Cutoff = None) -> Sum:
    r"""Unseen: the share of the top k that the user did not have in training.

    .. math:: Unseen@k = \frac{|L_u^k \setminus I_u|}{|L_u^k|}

    Edge cases: all items are unseen for a user who was not in training; 0/0 for an empty list.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(training={"u": ["a"], "v": ["b"]})
    >>> rg.evaluate({"u": {"b": 1}}, {"u": ["a", "b"]}, "Unseen@2", side_information=side).mean("Unseen@2")  # 1 / 2
    0.5
    """
    had = contains(lists.tables.history, lists.segments.query, lists.item, len(lists.tables.items))
    return total(lists, k, unseen=1.0 - had).over("n", lists.shown(k))


@metric(
    zh="意外性：前 k 个中基线系统不会推荐的物品的比例。特殊情形：基线的全部推荐都计入，需要时请先截断；空结果为 0/0。",
    cite="adamopoulos2014",
    needs=("baseline",),
    grades=False,
)
def Unexpectedness(lists: ItemLists, *, k: Cutoff = None) -> Sum:
    r"""Unexpectedness: the share of the top k that the baseline would not have recommended.

    .. math:: Unexpectedness@k = \frac{|L_u^k \setminus B_u|}{|L_u^k|}

    Edge cases: the whole list of the baseline counts, so cut it at k if needed; 0/0 for an empty list.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(baseline={"u": ["a", "c"]})
    >>> scores = rg.evaluate({"u": {"b": 1}}, {"u": ["a", "b"]}, "Unexpectedness@2", side_information=side)
    >>> scores.mean("Unexpectedness@2")  # (0 + 1) / 2
    0.5
    """
    return total(lists, k, unexpected=_unexpected(lists)).over("n", lists.shown(k))


@metric(
    zh="惊喜度：前 k 个中既相关、又不会被基线系统推荐的物品的比例。特殊情形：同 Unexpectedness。",
    cite="ge2010",
    needs=("baseline",),
)
def Serendipity(lists: ItemLists, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""Serendipity: the share of the top k that is relevant and that the baseline would not have recommended.

    .. math:: Serendipity@k = \frac{|(L_u^k \setminus B_u) \cap rel_u|}{|L_u^k|}

    Edge cases: as for Unexpectedness.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(baseline={"u": ["a", "c"]})
    >>> scores = rg.evaluate({"u": {"b": 1}}, {"u": ["a", "b", "d"]}, "Serendipity@3", side_information=side)
    >>> round(scores.mean("Serendipity@3"), 6)  # (0 + 1 + 0) / 3
    0.333333
    """
    relevant = lists.relevant(rel).astype(np.float64)
    return total(lists, k, relevant=relevant, unexpected=_unexpected(lists)).over("n", lists.shown(k))


def _unexpected(lists: ItemLists) -> Floats:
    return 1.0 - contains(lists.tables.baseline, lists.segments.query, lists.item, len(lists.tables.items))


@metric(
    zh="惊喜度（相对流行度）：相关物品的名次比其流行度名次靠前多少，对列表中的物品取平均。"
    "特殊情形：q 为物品按流行度的名次，流行度相同则名次相同且不留空位；没有用户的物品 p(q) 为 0；空结果为 0/0。",
    cite="RecTools, metric Serendipity",
    needs=("popularity", "items"),
)
def PopSerendipity(lists: ItemLists, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""Serendipity relative to popularity: how much higher relevant items rank than by popularity.

    .. math:: \frac{1}{|L_u^k|} \sum_{r \le k} rel_r \, \max(p(r) - p(q_r), 0), \qquad p(r) = \frac{|I| + 1 - r}{|I|}

    Edge cases: q is the dense rank of the item by popularity; p(q) is 0 for an item without users; 0/0 for an empty
    list.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(popularity={"a": 9, "b": 3}, items=["a", "b", "c", "d"])
    >>> scores = rg.evaluate({"u": {"b": 1}}, {"u": ["b", "a"]}, "PopSerendipity@2", side_information=side)
    >>> scores.mean("PopSerendipity@2")  # 1 * (4/4 - 3/4) / 2
    0.125
    """
    popularity, (_, size) = lists.tables.popularity, lists.tables.catalogue
    level = np.unique(-popularity, return_inverse=True)[1]
    usual = np.where(popularity > 0, (size - level) / max(size, 1), 0.0)
    surprise = np.maximum((size + 1 - lists.rank) / max(size, 1) - usual[lists.item], 0.0)
    relevant = lists.relevant(rel).astype(np.float64)
    return total(lists, k, relevant=relevant, surprise=surprise).over("n", lists.shown(k))
