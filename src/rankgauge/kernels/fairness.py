"""Fairness: whether groups of items get the exposure that they deserve."""

from __future__ import annotations

import numpy as np

from rankgauge.conventions.discounts import DiscountFunction
from rankgauge.metric_core.corpus_value import CorpusValue, corpus_value
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.parameters import Cutoff, rule
from rankgauge.metric_core.sums import Sum, total
from rankgauge.segments import Floats, Ints
from rankgauge.side_information.item_lists import ItemLists

__all__ = ["EEL", "REO", "RSP", "ExposureParity"]


@metric(
    zh="曝光均等：各物品组平均每个物品所得曝光的最小值与最大值之比，1 为均等。"
    "特殊情形：分组表中的全部物品都计入，无论是否被推荐；各组每个物品的曝光相同时为 1，某组没有曝光时为 0；没"
    "有推荐时为 NaN。",
    aliases=("DemographicParity",),
    cite="singh2018",
    summary="corpus",
    needs=("item_groups",),
    grades=False,
)
def ExposureParity(lists: ItemLists, *, k: Cutoff = None, discount: DiscountFunction = rule()) -> CorpusValue:
    r"""Demographic parity of exposure: the exposure per item of the worst group divided by that of the best group.

    .. math:: \frac{\min_g \bar e_g}{\max_g \bar e_g}, \qquad
        \bar e_g = \frac{1}{|g|} \sum_u \sum_{r \le k} D(r) \, [L_{u,r} \in g]

    Edge cases: all items of the table of groups count, recommended or not; 1 if all groups get the same exposure per
    item, 0 if one gets none; NaN if nothing is recommended.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(item_groups={"a": "x", "b": "y", "c": "y"})
    >>> metric = rg.ExposureParity(discount="1/i") @ 2
    >>> scores = rg.evaluate({"u": {"a": 1}}, {"u": ["a", "b"]}, metric, side_information=side)
    >>> scores.mean(metric)  # (1/2 / 2) / (1 / 1)
    0.25
    """
    sizes = lists.tables.item_group.sizes
    exposure = _exposure(lists, k, discount)

    def parity(times: Floats) -> float:
        each = (times @ exposure)[sizes > 0] / sizes[sizes > 0]
        return float(each.min() / each.max()) if each.size and each.max() > 0 else float("nan")

    return corpus_value(lists, parity)


@metric(
    zh="统计均等偏差：各物品组被推荐概率的变异系数，0 为均等。"
    "特殊情形：用户在训练数据中已有的物品不会再推荐给该用户，不计入分母；没有可推荐物品的组不计；没有推荐时为"
    " NaN。",
    cite="zhu2020",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    summary="corpus",
    needs=("item_groups", "training"),
    grades=False,
)
def RSP(lists: ItemLists, *, k: Cutoff = None) -> CorpusValue:
    r"""Lack of statistical parity: how much the recommendation probabilities of the groups of items differ.

    .. math:: RSP@k = \frac{std_g(p_g)}{mean_g(p_g)}, \qquad
        p_g = \frac{\sum_u |L_u^k \cap g|}{\sum_u |g \setminus I_u|}

    Edge cases: an item that a user had in training cannot be recommended to that user and is not counted in the
    denominator; groups from which nothing can be recommended are excluded; NaN if nothing is recommended.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(item_groups={"a": "x", "b": "y", "c": "y"}, training={"u": ["c"]})
    >>> scores = rg.evaluate({"u": {"a": 1}, "v": {"a": 1}}, {"u": ["a"], "v": ["b"]}, "RSP@1", side_information=side)
    >>> round(scores.mean("RSP@1"), 6)  # std(1/2, 1/3) / mean(1/2, 1/3)
    0.2
    """
    group, sizes, _ = lists.tables.item_group
    return spread_of_rates(lists, k, group, sizes)


@metric(
    zh="机会均等偏差：各物品组的相关物品被推荐概率的变异系数，0 为均等。"
    "特殊情形：没有相关物品的组不计；没有推荐相关物品时为 NaN。",
    cite="zhu2020",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    summary="corpus",
    needs=("item_groups", "judged items"),
)
def REO(lists: ItemLists, *, k: Cutoff = None, rel: float = rule()) -> CorpusValue:
    r"""Lack of equal opportunity: how much the recall of the relevant items of each group differs.

    .. math:: REO@k = \frac{std_g(p_g)}{mean_g(p_g)}, \qquad
        p_g = \frac{\sum_u |L_u^k \cap g \cap rel_u|}{\sum_u |g \cap rel_u|}

    Edge cases: groups without a relevant item are excluded; NaN if no relevant item is recommended.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(item_groups={"a": "x", "b": "y", "c": "y"})
    >>> scores = rg.evaluate({"u": {"a": 1, "b": 1, "c": 1}}, {"u": ["a", "b"]}, "REO@2", side_information=side)
    >>> round(scores.mean("REO@2"), 6)  # std(1/1, 1/2) / mean(1/1, 1/2)
    0.333333
    """
    group, sizes, _ = lists.tables.item_group
    return spread_of_rates(lists, k, group, sizes, rel)


@metric(
    zh="期望曝光损失：各物品组实得曝光与应得曝光（相关物品均分靠前名次）之差的平方和，0 最好。"
    "特殊情形：e 为该组在前 k 个中的折损曝光；应得曝光为「相关物品在前、表中其余物品在后」的所有排列的平均；没"
    "有截断时计到表的末尾。",
    aliases=("EE-L", "ExpectedExposureLoss"),
    cite="diaz2020",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    needs=("item_groups", "judged items"),
)
def EEL(lists: ItemLists, *, k: Cutoff = None, rel: float = rule(), discount: DiscountFunction = rule()) -> Sum:
    r"""Expected-exposure loss of groups: squared difference between the exposure that groups get and deserve.

    .. math:: EE\text{-}L@k = \sum_g (e_g - e_g^*)^2

    Edge cases: e is the discounted exposure of the group in the top k. The deserved exposure is the average over all
    orders in which the relevant items come first and the other items of the table follow; without a cutoff it
    extends to the end of the table.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(item_groups={"a": "x", "b": "y"})
    >>> metric = rg.EEL(discount="1/i") @ 2
    >>> scores = rg.evaluate({"u": {"a": 1, "b": 1}}, {"u": ["a", "b"]}, metric, side_information=side)
    >>> scores.mean(metric)  # (1 - 3/4)**2 + (1/2 - 3/4)**2
    0.125
    """
    group, sizes, _ = lists.tables.item_group
    items = int(sizes.sum())
    relevant = _relevant_by_group(lists, group, len(sizes), rel)
    ranks = np.arange(1.0, items + 1.0)
    attention = np.concatenate(([0.0], np.cumsum(discount(ranks) * (ranks <= (items if k is None else k)))))
    all_relevant = relevant.sum(axis=1)
    first = attention[all_relevant.astype(np.int64)]
    each_relevant = first / np.maximum(all_relevant, 1)
    each_other = (attention[-1] - first) / np.maximum(items - all_relevant, 1)
    deserved = relevant * each_relevant[:, None] + (sizes - relevant) * each_other[:, None]
    exposure = _exposure(lists, k, discount)
    loss = total(lists, k).plus("squared differences", ((exposure - deserved) ** 2).sum(axis=1))
    return loss.made_of(_exposures(lists, exposure, deserved))


def _exposures(lists: ItemLists, got: Floats, deserved: Floats) -> dict[str, Sum]:
    """Return the exposure that each group gets and deserves, for the explanation of a single list."""
    if lists.segments.count > 1:
        return {}
    return {
        f"{what}({name})": total(lists, 0).plus("", part[:, place])
        for place, name in enumerate(lists.tables.item_group.names)
        for what, part in (("e", got), ("e*", deserved))
    }


def _exposure(lists: ItemLists, k: int | None, discount: DiscountFunction) -> Floats:
    """Return the discounted exposure of each group in each list."""
    group, sizes, _ = lists.tables.item_group
    rows = lists.inside(k)
    weight = discount(lists.rank[rows])
    return _by_group(lists, lists.segments.query[rows], group[lists.item[rows]], len(sizes), weight)


def spread_of_rates(lists: ItemLists, k: int | None, group: Ints, sizes: Ints, rel: float | None = None) -> CorpusValue:
    """Return the coefficient of variation of the recommendation probabilities of the groups.

    ``group`` is the group of each item, -1 for none. Without ``rel``, every item counts that a user did not have in
    training, out of the ``sizes`` of the groups. With ``rel``, only relevant items count.
    """
    rows = lists.inside(k) & (group[lists.item] >= 0)
    if rel is None:
        history = lists.tables.history
        had = group[history.second] >= 0
        possible = np.asarray(sizes) - _by_group(lists, history.first[had], group[history.second[had]], len(sizes))
    else:
        rows &= lists.relevant(rel) > 0
        possible = _relevant_by_group(lists, group, len(sizes), rel)
    recommended = _by_group(lists, lists.segments.query[rows], group[lists.item[rows]], len(sizes))

    def spread(times: Floats) -> float:
        below = times @ possible
        rates = (times @ recommended)[below > 0] / below[below > 0]
        return float(rates.std() / rates.mean()) if rates.size and rates.mean() > 0 else float("nan")

    return corpus_value(lists, spread)


def _relevant_by_group(lists: ItemLists, group: Ints, groups: int, rel: float) -> Floats:
    """Return the number of relevant items of each user in each group."""
    query, item, grade = lists.tables.judged_items
    counted = (query >= 0) & (grade >= rel) & (group[item] >= 0)
    return _by_group(lists, query[counted], group[item[counted]], groups)


def _by_group(lists: ItemLists, user: Ints, group: Ints, groups: int, weight: Floats | None = None) -> Floats:
    """Return the number of rows of each user in each group, or their weight."""
    users = lists.segments.count
    counts = np.bincount(user * groups + group, weights=weight, minlength=users * groups)
    return counts.astype(np.float64).reshape(users, groups)
