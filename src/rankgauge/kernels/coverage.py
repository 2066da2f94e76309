"""Coverage and concentration: how much of the catalogue is recommended, to how many users, how evenly."""

from __future__ import annotations

import numpy as np

from rankgauge.conventions.discounts import DiscountFunction
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.corpus_value import CorpusValue, corpus_value
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.laws import EMPTY_LIST, EVERY_ITEM, broken
from rankgauge.metric_core.parameters import Cutoff, Positive, rule
from rankgauge.metric_core.sums import Sum, ranks_up_to, total
from rankgauge.segments import Floats
from rankgauge.side_information.item_lists import ItemLists

__all__ = ["Entropy", "ExposureGini", "Gini", "ItemCoverage", "ListFill", "UserCoverage"]

LENGTH = EVERY_ITEM | broken("strict_swap", "only the length of the list matters", "只看返回的个数")


@metric(
    zh="物品覆盖率：至少被推荐给一位用户的物品占全部物品的比例。"
    "特殊情形：目录以外的物品不计；设 ``count`` 时给出个数而不是比例；目录为空时为 NaN。",
    aliases=("CatalogCoverage", "CatalogueCoverage", "Coverage"),
    cite="ge2010",
    summary="corpus",
    needs=("items",),
    grades=False,
)
def ItemCoverage(lists: ItemLists, *, k: Cutoff = None, count: bool = False) -> CorpusValue:
    r"""Catalogue coverage: the share of all items that are in the top k of at least one user.

    .. math:: ItemCoverage@k = \frac{|\bigcup_u L_u^k|}{|I|}

    Edge cases: items outside the catalogue do not count; with ``count`` the value is the number of covered items, not
    the share; NaN for an empty catalogue.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(items=["a", "b", "c", "d"])
    >>> lists = {"u": ["a", "b"], "v": ["b", "c"]}
    >>> scores = rg.evaluate({"u": {"a": 1}, "v": {"a": 1}}, lists, "ItemCoverage@1", side_information=side)
    >>> scores.mean("ItemCoverage@1")  # 2 / 4
    0.5
    """
    inside, size = lists.tables.catalogue

    def covered(times: Floats) -> float:
        recommended = _exposure(lists, k, times) > 0
        seen = int((recommended if inside is None else recommended & inside).sum())
        return float(seen) if count else seen / size if size else float("nan")

    return corpus_value(lists, covered)


@metric(
    zh="用户覆盖率：前 k 个中至少得到若干个推荐的用户比例。特殊情形：没有结果的用户为 0，除非约定将其剔除。",
    aliases=("CoveredUsers",),
    cite="ge2010",
    breaks=LENGTH,
)
def UserCoverage(j: JudgedRankings, *, k: Cutoff = None, least: Positive = 1) -> Sum:
    r"""User coverage: 1 for a user with at least ``least`` items in the top k, else 0.

    .. math:: UserCoverage@k = \frac{1}{|U|} \sum_u [\, |L_u^k| \ge least \,]

    Edge cases: 0 for a user without a list, unless the convention excludes such users.

    >>> import rankgauge as rg
    >>> scores = rg.evaluate({"u": {"a": 1}, "v": {"a": 1}}, {"u": ["a", "b"], "v": ["b"]}, "UserCoverage(least=2)")
    >>> scores.mean("UserCoverage(least=2)")  # (1 + 0) / 2
    0.5
    """
    return total(j, k).plus("covered", 1.0 * (j.shown(k) >= least))


@metric(
    zh="列表填充率：前 k 个位置中有推荐的比例。特殊情形：没有截断时，非空结果为 1，空结果为 0/0。",
    aliases=("SufficientReco",),
    cite="RecTools, data-quality metric SufficientReco",
    breaks=LENGTH
    | EMPTY_LIST
    | broken("ideal_is_one", "fewer than k judged items do not fill the top k", "已标注物品不足 k 个时填不满前 k 个")
    | broken("grows_with_k", "the list may be shorter than k", "返回的物品可能不足 k 个"),
)
def ListFill(j: JudgedRankings, *, k: Cutoff = None) -> Sum:
    r"""List fill: the share of the top k ranks that hold an item.

    .. math:: ListFill@k = \frac{|L_u^k|}{k}

    Edge cases: without a cutoff it is 1 for a non-empty list and 0/0 for an empty one.

    >>> (ListFill @ 4).of([1, None])  # 2 / 4
    0.5
    """
    return total(j, k).plus("in the top k", j.shown(k)).over(*ranks_up_to(j, k))


@metric(
    zh="基尼系数：推荐次数在物品间的集中程度，0 为完全均匀，越低越均匀。"
    "特殊情形：c 为目录中全部 n 个物品的推荐次数，升序排列，从未推荐的为 0；设 ``recommended`` 时只计被推荐的"
    "物品；``corrected`` 以 n - 1 代替 n，使 1 可以达到；没有推荐时为 NaN。",
    aliases=("GiniIndex",),
    cite="castells2022",
    higher_is_better=False,
    summary="corpus",
    needs=("items",),
    grades=False,
)
def Gini(lists: ItemLists, *, k: Cutoff = None, recommended: bool = False, corrected: bool = False) -> CorpusValue:
    r"""Gini: how unevenly recommendations are distributed over items; 0 if evenly, near 1 if one item gets all.

    .. math:: Gini@k = \frac{1}{n \sum_i c_i} \sum_{j=1}^{n} (2j - n - 1) \, c_{(j)}

    Edge cases: c are the counts of all n items of the catalogue in ascending order, 0 for items that are never
    recommended, or of the recommended items only (``recommended``); ``corrected`` divides by n - 1 instead of n, so
    that 1 can be reached; NaN if nothing is recommended.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(items=["a", "b", "c"])
    >>> lists = {"u": ["a", "b"], "v": ["a"]}
    >>> scores = rg.evaluate({"u": {"a": 1}, "v": {"a": 1}}, lists, "Gini@2", side_information=side)
    >>> round(scores.mean("Gini@2"), 6)  # (-2 * 0 + 0 * 1 + 2 * 2) / (3 * 3)
    0.444444
    """
    return _gini(lists, k, None, recommended=recommended, corrected=corrected)


@metric(
    zh="曝光基尼系数：按名次折损加权的曝光在物品间的集中程度，越低越均匀。特殊情形：同 Gini。",
    cite="diaz2020",
    higher_is_better=False,
    summary="corpus",
    needs=("items",),
    grades=False,
)
def ExposureGini(
    lists: ItemLists,
    *,
    k: Cutoff = None,
    recommended: bool = False,
    corrected: bool = False,
    discount: DiscountFunction = rule(),
) -> CorpusValue:
    r"""Exposure Gini: how unevenly exposure is distributed over items, where the discount gives the exposure of a rank.

    .. math:: Gini(e), \qquad e_i = \sum_u \sum_{r \le k} D(r) \, [L_{u,r} = i]

    Edge cases: as for Gini.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(items=["a", "b"])
    >>> metric = rg.ExposureGini(discount="1/i") @ 2
    >>> scores = rg.evaluate({"u": {"a": 1}}, {"u": ["a", "b"]}, metric, side_information=side)
    >>> round(scores.mean(metric), 6)  # (-1 * 1/2 + 1 * 1) / (2 * 3/2)
    0.166667
    """
    return _gini(lists, k, lists.of_rank(discount), recommended=recommended, corrected=corrected)


@metric(
    zh="香农熵：推荐次数在物品间的分布的熵，越高越分散。特殊情形：从未推荐的物品不计；没有推荐时为 NaN。",
    aliases=("ShannonEntropy", "SEntropy", "DistributionalCoverage"),
    cite="castells2022",
    bounds=(0.0, float("inf")),
    summary="corpus",
    needs=(),
    grades=False,
)
def Entropy(lists: ItemLists, *, k: Cutoff = None, base: Positive = 2) -> CorpusValue:
    r"""Entropy of the distribution of recommendations over items; higher is more even.

    .. math:: H@k = - \sum_i p_i \log_b p_i, \qquad p_i = \frac{c_i}{\sum_j c_j}

    Edge cases: items that are never recommended add nothing; NaN if nothing is recommended.

    >>> import rankgauge as rg
    >>> scores = rg.evaluate({"u": {"a": 1}, "v": {"a": 1}}, {"u": ["a", "b"], "v": ["c", "d"]}, "Entropy@2")
    >>> scores.mean("Entropy@2")  # 4 * 1/4 * log2(4)
    2.0
    """

    def entropy(times: Floats) -> float:
        counts = _exposure(lists, k, times)
        counts = counts[counts > 0]
        if len(counts) == 0:
            return float("nan")
        share = counts / counts.sum()
        return float(-(share * np.log(share)).sum() / np.log(base)) + 0.0

    return corpus_value(lists, entropy)


def _exposure(lists: ItemLists, k: int | None, times: Floats, weight: Floats | None = None) -> Floats:
    """Return how often each item is in the top k, or its weight there."""
    inside = lists.rows_inside(k)
    each = times[lists.segments.query[inside]]
    weights = each if weight is None else each * weight[inside]
    return np.bincount(lists.item[inside], weights=weights, minlength=len(lists.tables.items))


def _gini(lists: ItemLists, k: int | None, weight: Floats | None, *, recommended: bool, corrected: bool) -> CorpusValue:
    """Return the Gini coefficient of the exposure of all items of the catalogue, or of the recommended items only."""

    def gini(times: Floats) -> float:
        counts = _exposure(lists, k, times, weight)
        if recommended:
            counts = counts[counts > 0]
        else:
            inside, size = lists.tables.catalogue
            listed = counts[: lists.tables.ranked] if inside is None else counts[inside]
            counts = np.concatenate((listed, np.zeros(size - len(listed))))
        n, total_count = len(counts), counts.sum()
        if total_count == 0:
            return float("nan")
        if corrected and n == 1:
            return 0.0
        value = float(((2 * np.arange(1, n + 1) - n - 1) * np.sort(counts)).sum() / (n * total_count))
        return value * n / (n - 1) if corrected else value

    return corpus_value(lists, gini)
