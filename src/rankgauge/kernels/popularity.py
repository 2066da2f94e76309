"""Popularity and novelty: how well known the recommended items are, and how the less popular ones fare."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgauge.conventions.discounts import DiscountFunction
from rankgauge.kernels.exposure_gaps import spread_of_rates
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.parameters import Cutoff, Positive, Share, one_of, rule
from rankgauge.metric_core.sums import Sum, total
from rankgauge.segments import Floats
from rankgauge.side_information.item_lists import ItemLists

__all__ = ["ACLT", "APLT", "ARP", "EFD", "EPC", "MIUF", "PopREO", "PopRSP"]

Unit = Annotated[str, one_of("count", "users", "interactions", "most")]


@metric(
    zh="平均推荐流行度：前 k 个物品在训练数据中的平均用户数，越低越冷门。",
    aliases=("AveragePopularity", "AvgRecPopularity"),
    cite="abdollahpouri2019",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    needs=("popularity",),
)
def ARP(lists: ItemLists, *, k: Cutoff = None, unit: Unit = "count") -> Sum:
    r"""Average recommendation popularity: how many users the items in the top k had in training, on average.

    .. math:: ARP@k = \frac{1}{|L_u^k|} \sum_{i \in L_u^k} \phi(i)

    Edge cases: an item that was not in training counts 0; ``unit`` makes the number of users a share of all users,
    of all interactions, or of the users of the most popular item; 0/0 for an empty list.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(training=[("u", "a"), ("v", "a"), ("v", "b")])
    >>> rg.evaluate({"u": {"c": 1}}, {"u": ["a", "b"]}, "ARP@2", side_information=known).mean("ARP@2")  # (2 + 1) / 2
    1.5
    """
    tables = lists.tables
    match unit:
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
    zh="长尾占比：前 k 个中不属于热门头部的物品的比例。",
    aliases=("TailShare",),
    cite="abdollahpouri2019",
    needs=("popularity",),
)
def APLT(lists: ItemLists, *, k: Cutoff = None, head: Share = 0.8) -> Sum:
    r"""Average percentage of long-tail items: the share of the top k that is not in the short head.

    .. math:: APLT@k = \frac{|\{ i \in L_u^k : i \notin \Phi \}|}{|L_u^k|}

    Edge cases: the short head are the most popular items until they have the share ``head`` of all interactions; of
    equally popular items the id decides; what was not in training is in the tail; 0/0 for an empty list.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(popularity={"a": 8, "b": 1, "c": 1})
    >>> rg.evaluate({"u": {"c": 1}}, {"u": ["a", "b"]}, "APLT@2", side_information=known).mean("APLT@2")  # (0 + 1) / 2
    0.5
    """
    return ACLT.kernel(lists, k=k, head=head).over("n", lists.shown(k))


@metric(
    zh="长尾数量：前 k 个中不属于热门头部的物品的个数。",
    cite="abdollahpouri2019",
    bounds=(0.0, float("inf")),
    needs=("popularity",),
)
def ACLT(lists: ItemLists, *, k: Cutoff = None, head: Share = 0.8) -> Sum:
    r"""Average count of long-tail items: how many of the top k are not in the short head.

    .. math:: ACLT@k = |\{ i \in L_u^k : i \notin \Phi \}|

    Edge cases: the short head is that of APLT.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(popularity={"a": 8, "b": 1, "c": 1})
    >>> rg.evaluate({"u": {"c": 1}}, {"u": ["c", "b"]}, "ACLT@2", side_information=known).mean("ACLT@2")  # 1 + 1
    2.0
    """
    return total(lists, k, tail=(~lists.tables.in_head(head)[lists.item]).astype(np.float64))


@metric(
    zh="新颖度（自信息）：前 k 个物品的平均 −log(拥有该物品的用户比例)，越高越冷门。",
    aliases=("Novelty", "SelfInformation", "MeanInvUserFreq", "Surprisal"),
    cite="zhou2010",
    bounds=(0.0, float("inf")),
    needs=("training",),
)
def MIUF(lists: ItemLists, *, k: Cutoff = None, base: Positive = 2, normalised: bool = False) -> Sum:
    r"""Novelty: the mean self-information of the top k, the rarer the items among users, the higher.

    .. math:: MIUF@k = \frac{1}{|L_u^k|} \sum_{i \in L_u^k} - \log_b \frac{\phi(i)}{|U|}

    Edge cases: an item that nobody had counts as if one user had it; ``normalised`` divides by the largest value,
    log |U|, so that 1 is the most; 0/0 for an empty list, or with one user.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(training=[("u", "a"), ("v", "a"), ("v", "b"), ("w", "c"), ("x", "c")])
    >>> scores = rg.evaluate({"u": {"c": 1}}, {"u": ["b", "c"]}, "MIUF@2", side_information=known)
    >>> scores.mean("MIUF@2")  # (log2(4/1) + log2(4/2)) / 2
    1.5
    """
    users = lists.tables.training_users
    rarity = np.log(users / np.maximum(lists.tables.trained, 1.0)) / np.log(base)
    most = np.log(users) / np.log(base) if normalised else 1.0
    return total(lists, k, novelty=rarity[lists.item]).over("n log |U|" if normalised else "n", lists.shown(k) * most)


@metric(
    zh="期望流行度补：按名次折损与相关性加权的 1 − 拥有该物品的用户比例。",
    aliases=("ExpectedPopularityComplement",),
    cite="vargas2011",
    needs=("training",),
)
def EPC(
    lists: ItemLists,
    *,
    k: Cutoff = None,
    relevant: bool = True,
    rel: float = rule(),
    discount: DiscountFunction = rule(),
) -> Sum:
    r"""Expected popularity complement: the share of users who did not have an item, over what is read and relevant.

    .. math:: EPC@k = \frac{\sum_{r \le k} D(r) \, rel_r \, (1 - \phi(i_r) / |U|)}{\sum_{r \le k} D(r)}

    Edge cases: ``relevant=False`` counts every item; 0/0 for an empty list.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(training=[("u", "a"), ("v", "a"), ("v", "b"), ("w", "c"), ("x", "c")])
    >>> scores = rg.evaluate({"u": {"b": 1}}, {"u": ["b", "c"]}, "EPC(discount='none')@2", side_information=known)
    >>> scores.mean("EPC(discount='none')@2")  # (1 * (1 - 1/4) + 0 * (1 - 2/4)) / 2
    0.375
    """
    unseen = 1 - lists.tables.trained / max(lists.tables.training_users, 1)
    return _expected(lists, k, unseen[lists.item], relevant, rel, discount)


@metric(
    zh="期望自由发现：按名次折损与相关性加权的物品自信息 −log2(交互占比)。",
    aliases=("ExpectedFreeDiscovery",),
    cite="vargas2011",
    bounds=(0.0, float("inf")),
    needs=("popularity",),
)
def EFD(
    lists: ItemLists,
    *,
    k: Cutoff = None,
    relevant: bool = True,
    rel: float = rule(),
    discount: DiscountFunction = rule(),
) -> Sum:
    r"""Expected free discovery: the self-information of an item among all interactions, over what is read and relevant.

    .. math:: EFD@k = \frac{- \sum_{r \le k} D(r) \, rel_r \log_2 (\phi(i_r) / \sum_j \phi(j))}{\sum_{r \le k} D(r)}

    Edge cases: an item that nobody had counts as if one user had it; ``relevant=False`` counts every item; 0/0 for an
    empty list.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(popularity={"a": 6, "b": 1, "c": 1})
    >>> scores = rg.evaluate({"u": {"b": 1}}, {"u": ["b", "a"]}, "EFD(discount='none')@2", side_information=known)
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
    zh="流行度统计均等偏差：热门与长尾物品被推荐概率的变异系数，0 为均等。",
    cite="zhu2020",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    summary="corpus",
    needs=("training",),
)
def PopRSP(lists: ItemLists, *, k: Cutoff = None, head: Share = 0.8) -> CorpusValue:
    r"""Popularity bias as lack of statistical parity: how differently likely short head and long tail are recommended.

    .. math:: RSP@k = \frac{std(p_{head}, p_{tail})}{mean(p_{head}, p_{tail})}, \qquad
        p_g = \frac{\sum_u |L_u^k \cap g|}{\sum_u |g \setminus I_u|}

    Edge cases: an item that a user had in training could not be recommended to him and is not counted below; groups
    in which nothing could be recommended are left out; NaN when nothing is recommended.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(training=[("v", "a"), ("w", "a"), ("w", "b")])
    >>> scores = rg.evaluate({"u": {"c": 1}}, {"u": ["a"]}, "PopRSP(head=0.5)@1", side_information=known)
    >>> scores.mean("PopRSP(head=0.5)@1")  # std(1/1, 0/1) / mean(1/1, 0/1)
    1.0
    """
    tables = lists.tables
    group = np.where(tables.in_head(head), 0, 1)
    in_training = np.zeros(len(tables.items), dtype=bool)
    in_training[tables.log.second] = True
    return spread_of_rates(lists, k, np.where(in_training, group, -1), np.bincount(group[in_training], minlength=2))


@metric(
    zh="流行度机会均等偏差：相关的热门与长尾物品被推荐概率的变异系数，0 为均等。",
    cite="zhu2020",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    summary="corpus",
    needs=("popularity", "judged items"),
)
def PopREO(lists: ItemLists, *, k: Cutoff = None, head: Share = 0.8, rel: float = rule()) -> CorpusValue:
    r"""Popularity bias as lack of equal opportunity: how differently likely relevant items of head and tail are found.

    .. math:: REO@k = \frac{std(p_{head}, p_{tail})}{mean(p_{head}, p_{tail})}, \qquad
        p_g = \frac{\sum_u |L_u^k \cap g \cap rel_u|}{\sum_u |g \cap rel_u|}

    Edge cases: groups without a relevant item are left out; NaN when nothing relevant is recommended.

    >>> import rankgauge as rg
    >>> known = rg.SideInformation(popularity={"a": 8, "b": 1, "c": 1})
    >>> scores = rg.evaluate({"u": {"a": 1, "b": 1, "c": 1}}, {"u": ["a", "b"]}, "PopREO@2", side_information=known)
    >>> round(scores.mean("PopREO@2"), 6)  # std(1/1, 1/2) / mean(1/1, 1/2) = 0.25 / 0.75
    0.333333
    """
    group = np.where(lists.tables.in_head(head), 0, 1)
    return spread_of_rates(lists, k, group, np.bincount(group, minlength=2), rel)
