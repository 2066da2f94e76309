"""Popularity and novelty of the recommended items."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgauge.conventions.discounts import DiscountFunction
from rankgauge.kernels.fairness import spread_of_rates
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.parameters import Cutoff, Positive, Share, choice, rule
from rankgauge.metric_core.sums import Sum, total
from rankgauge.segments import Floats
from rankgauge.side_information.item_lists import ItemLists

__all__ = ["ACLT", "APLT", "ARP", "EFD", "EPC", "MIUF", "PopREO", "PopRSP"]

Unit = Annotated[str, choice("count", "users", "interactions", "most")]


@metric(
    zh="平均推荐流行度：前 k 个物品在训练数据中的平均用户数，越低越冷门。"
    "特殊情形：训练数据中没有的物品计 0；``unit`` 可改为占全部用户、全部交互或最热门物品用户数的比例；空结果为"
    " 0/0。",
    aliases=("AveragePopularity", "AvgRecPopularity"),
    cite="abdollahpouri2019",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    needs=("popularity",),
    grades=False,
)
def ARP(lists: ItemLists, *, k: Cutoff = None, unit: Unit = "count") -> Sum:
    r"""Average recommendation popularity: the mean number of users that the items in the top k had in training.

    .. math:: ARP@k = \frac{1}{|L_u^k|} \sum_{i \in L_u^k} \phi(i)

    Edge cases: an item that was not in training counts 0; ``unit`` makes it a share of all users, of all interactions,
    or of the users of the most popular item; 0/0 for an empty list.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(training=[("u", "a"), ("v", "a"), ("v", "b")])
    >>> rg.evaluate({"u": {"c": 1}}, {"u": ["a", "b"]}, "ARP@2", side_information=side).mean("ARP@2")  # (2 + 1) / 2
    1.5
    """
    tables = lists.tables
    match unit:  # not a table: popularity={...} has no users
        case "users":
            below = float(tables.training_users)
        case "interactions":
            below = tables.interactions
        case "most":
            below = float(tables.popularity.max(initial=0.0))
        case _:
            below = 1.0
    return total(lists, k, popularity=tables.popularity[lists.item] / max(below, 1.0)).over("n", lists.shown(k))


@metric(
    zh="长尾占比：前 k 个中不属于热门头部的物品的比例。"
    "特殊情形：热门头部为最热门的物品，直至其交互占比达到 ``head``，含恰好达到或越过的那个物品；流行度相同时按"
    " id；训练数据中没有的物品属长尾；空结果为 0/0。",
    aliases=("TailShare",),
    cite="abdollahpouri2019",
    needs=("popularity",),
    grades=False,
)
def APLT(lists: ItemLists, *, k: Cutoff = None, head: Share = 0.8) -> Sum:
    r"""Average percentage of long-tail items: the share of the top k that is not in the short head.

    .. math:: APLT@k = \frac{|\{ i \in L_u^k : i \notin \Phi \}|}{|L_u^k|}

    Edge cases: the short head is the most popular items up to the share ``head`` of all interactions, with the item
    that reaches or crosses it; ids break ties of popularity; items that were not in training are in the tail; 0/0 for
    an empty list.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(popularity={"a": 8, "b": 1, "c": 1})
    >>> rg.evaluate({"u": {"c": 1}}, {"u": ["a", "b"]}, "APLT@2", side_information=side).mean("APLT@2")  # (0 + 1) / 2
    0.5
    """
    return ACLT.kernel(lists, k=k, head=head).over("n", lists.shown(k))


@metric(
    zh="长尾数量：前 k 个中不属于热门头部的物品的个数。特殊情形：热门头部同 APLT。",
    cite="abdollahpouri2019",
    bounds=(0.0, float("inf")),
    needs=("popularity",),
    grades=False,
)
def ACLT(lists: ItemLists, *, k: Cutoff = None, head: Share = 0.8) -> Sum:
    r"""Average count of long-tail items: the number of items in the top k that are not in the short head.

    .. math:: ACLT@k = |\{ i \in L_u^k : i \notin \Phi \}|

    Edge cases: the short head is that of APLT.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(popularity={"a": 8, "b": 1, "c": 1})
    >>> rg.evaluate({"u": {"c": 1}}, {"u": ["c", "b"]}, "ACLT@2", side_information=side).mean("ACLT@2")  # 1 + 1
    2.0
    """
    return total(lists, k, tail=(~lists.tables.in_head(head)[lists.item]).astype(np.float64))


@metric(
    zh="新颖度（自信息）：前 k 个物品的平均 −log(拥有该物品的用户比例)，越高越冷门。"
    "特殊情形：没有用户的物品按一个用户计；``normalised`` 除以最大值 log |U|，使最大为 1；空结果或只有一个用户"
    "时为 0/0。",
    aliases=("Novelty", "SelfInformation", "MeanInvUserFreq", "Surprisal"),
    cite="zhou2010",
    bounds=(0.0, float("inf")),
    needs=("training",),
    grades=False,
)
def MIUF(lists: ItemLists, *, k: Cutoff = None, base: Positive = 2, normalised: bool = False) -> Sum:
    r"""Novelty: the mean self-information of the items in the top k; higher for items with fewer users.

    .. math:: MIUF@k = \frac{1}{|L_u^k|} \sum_{i \in L_u^k} - \log_b \frac{\phi(i)}{|U|}

    Edge cases: an item without users counts as if it had one; ``normalised`` divides by the largest value, log |U|, so
    that 1 is the maximum; 0/0 for an empty list, or with one user.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(training=[("u", "a"), ("v", "a"), ("v", "b"), ("w", "c"), ("x", "c")])
    >>> scores = rg.evaluate({"u": {"c": 1}}, {"u": ["b", "c"]}, "MIUF@2", side_information=side)
    >>> scores.mean("MIUF@2")  # (log2(4/1) + log2(4/2)) / 2
    1.5
    """
    users = lists.tables.training_users
    rarity = np.log(users / np.maximum(lists.tables.trained, 1.0)) / np.log(base)
    most = np.log(users) / np.log(base) if normalised else 1.0
    return total(lists, k, novelty=rarity[lists.item]).over("n log |U|" if normalised else "n", lists.shown(k) * most)


@metric(
    zh="期望流行度补：按名次折损与相关性加权的 1 − 拥有该物品的用户比例。"
    "特殊情形：``relevant=False`` 时计入每个物品；空结果为 0/0。",
    aliases=("ExpectedPopularityComplement",),
    cite="vargas2011",
    needs=("training",),
    grades=lambda parameters: parameters["relevant"],
)
def EPC(
    lists: ItemLists,
    *,
    k: Cutoff = None,
    relevant: bool = True,
    rel: float = rule(),
    discount: DiscountFunction = rule(),
) -> Sum:
    r"""Expected popularity complement: the discounted mean share of users who did not have the relevant items.

    .. math:: EPC@k = \frac{\sum_{r \le k} D(r) \, rel_r \, (1 - \phi(i_r) / |U|)}{\sum_{r \le k} D(r)}

    Edge cases: ``relevant=False`` counts every item; 0/0 for an empty list.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(training=[("u", "a"), ("v", "a"), ("v", "b"), ("w", "c"), ("x", "c")])
    >>> scores = rg.evaluate({"u": {"b": 1}}, {"u": ["b", "c"]}, "EPC(discount='none')@2", side_information=side)
    >>> scores.mean("EPC(discount='none')@2")  # (1 * (1 - 1/4) + 0 * (1 - 2/4)) / 2
    0.375
    """
    unseen = 1 - lists.tables.trained / max(lists.tables.training_users, 1)
    return _expected(lists, k, unseen[lists.item], relevant, rel, discount)


@metric(
    zh="期望自由发现：按名次折损与相关性加权的物品自信息 −log2(交互占比)。"
    "特殊情形：没有用户的物品按一个用户计；``relevant=False`` 时计入每个物品；空结果为 0/0。",
    aliases=("ExpectedFreeDiscovery",),
    cite="vargas2011",
    bounds=(0.0, float("inf")),
    needs=("popularity",),
    grades=lambda parameters: parameters["relevant"],
)
def EFD(
    lists: ItemLists,
    *,
    k: Cutoff = None,
    relevant: bool = True,
    rel: float = rule(),
    discount: DiscountFunction = rule(),
) -> Sum:
    r"""Expected free discovery: the discounted mean self-information of the relevant items.

    .. math:: EFD@k = \frac{- \sum_{r \le k} D(r) \, rel_r \log_2 (\phi(i_r) / \sum_j \phi(j))}{\sum_{r \le k} D(r)}

    Edge cases: an item without users counts as if it had one; ``relevant=False`` counts every item; 0/0 for an empty
    list.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(popularity={"a": 6, "b": 1, "c": 1})
    >>> scores = rg.evaluate({"u": {"b": 1}}, {"u": ["b", "a"]}, "EFD(discount='none')@2", side_information=side)
    >>> scores.mean("EFD(discount='none')@2")  # (1 * log2(8/1) + 0) / 2
    1.5
    """
    share = np.maximum(lists.tables.popularity, 1.0) / max(lists.tables.interactions, 1.0)
    return _expected(lists, k, -np.log2(np.minimum(share, 1.0))[lists.item] + 0.0, relevant, rel, discount)


def _expected(
    lists: ItemLists, k: int | None, novelty: Floats, relevant: bool, rel: float, discount: DiscountFunction
) -> Sum:
    read = discount(lists.rank)
    factors = {"relevant": lists.relevant(rel).astype(np.float64)} if relevant else {}
    below = total(lists, k, discount=read).totals
    return total(lists, k, **factors, discount=read, novelty=novelty).over("sum of discounts", below)


@metric(
    zh="流行度统计均等偏差：热门与长尾物品被推荐概率的变异系数，0 为均等。"
    "特殊情形：热门头部同 APLT，其余为长尾；"
    "用户在训练数据中已有的物品不会再推荐给该用户，不计入分母；没有可推荐物品的组不计；没有推荐时为"
    " NaN。",
    cite="zhu2020",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    summary="corpus",
    needs=("training",),
    grades=False,
)
def PopRSP(lists: ItemLists, *, k: Cutoff = None, head: Share = 0.8) -> CorpusValue:
    r"""Popularity bias (statistical parity): how much recommendation probabilities of head and tail differ.

    .. math:: RSP@k = \frac{std(p_{head}, p_{tail})}{mean(p_{head}, p_{tail})}, \qquad
        p_g = \frac{\sum_u |L_u^k \cap g|}{\sum_u |g \setminus I_u|}

    Edge cases: the head is that of APLT, and the tail all other items; an item that a user had in training cannot be
    recommended to that user and is not counted in the denominator; groups from which nothing can be recommended are
    excluded; NaN if nothing is recommended.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(training=[("v", "a"), ("w", "a"), ("w", "b")])
    >>> scores = rg.evaluate({"u": {"c": 1}}, {"u": ["a"]}, "PopRSP(head=0.5)@1", side_information=side)
    >>> scores.mean("PopRSP(head=0.5)@1")  # std(1/1, 0/1) / mean(1/1, 0/1)
    1.0
    """
    tables = lists.tables
    group = np.where(tables.in_head(head), 0, 1)
    in_training = tables.trained > 0
    return spread_of_rates(lists, k, np.where(in_training, group, -1), np.bincount(group[in_training], minlength=2))


@metric(
    zh="流行度机会均等偏差：相关的热门与长尾物品被推荐概率的变异系数，0 为均等。"
    "特殊情形：热门头部同 APLT，其余为长尾；没有相关物品的组不计；没有推荐相关物品时为 NaN。",
    cite="zhu2020",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    summary="corpus",
    needs=("popularity", "judged items"),
)
def PopREO(lists: ItemLists, *, k: Cutoff = None, head: Share = 0.8, rel: float = rule()) -> CorpusValue:
    r"""Popularity bias (equal opportunity): how much the recall of relevant head and tail items differs.

    .. math:: REO@k = \frac{std(p_{head}, p_{tail})}{mean(p_{head}, p_{tail})}, \qquad
        p_g = \frac{\sum_u |L_u^k \cap g \cap rel_u|}{\sum_u |g \cap rel_u|}

    Edge cases: the head is that of APLT, and the tail all other items; groups without a relevant item are
    excluded; NaN if no relevant item is recommended.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(popularity={"a": 8, "b": 1, "c": 1})
    >>> scores = rg.evaluate({"u": {"a": 1, "b": 1, "c": 1}}, {"u": ["a", "b"]}, "PopREO@2", side_information=side)
    >>> round(scores.mean("PopREO@2"), 6)  # std(1/1, 1/2) / mean(1/1, 1/2) = 0.25 / 0.75
    0.333333
    """
    group = np.where(lists.tables.in_head(head), 0, 1)
    return spread_of_rates(lists, k, group, np.bincount(group, minlength=2), rel)
