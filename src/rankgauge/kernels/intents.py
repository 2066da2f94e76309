"""Metrics of subtopics and intents: how well a list covers the meanings of a query."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.conventions.discounts import DiscountFunction
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.parameters import Cutoff, Probability, Share, rule
from rankgauge.metric_core.sums import Sum, ranks_up_to, total
from rankgauge.segments import Floats
from rankgauge.side_information.item_lists import ItemLists
from rankgauge.side_information.subtopics import SubtopicPairs, best_gains, by_row, subtopic_pairs

__all__ = ["APIA", "ERRIA", "NRBP", "PIA", "StRecall", "alphaDCG", "alphanDCG", "nERRIA", "nNRBP"]

Weight = Callable[[Floats], Floats]


@metric(
    zh="子主题召回率：前 k 个物品涵盖的子主题占全部子主题的比例。"
    "特殊情形：没有相关物品的子主题不计；没有子主题的查询为 0/0。",
    aliases=("S-Recall", "SRecall", "strec", "SubtopicRecall"),
    cite="zhai2003",
    needs=("subtopics",),
)
def StRecall(lists: ItemLists, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""Subtopic recall: the share of the query's subtopics to which an item of the top k is relevant.

    .. math:: StRecall@k = \frac{|\bigcup_{i \in L^k} T_i|}{|T|}

    Edge cases: subtopics without a relevant item do not count; 0/0 for a query without subtopics.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(subtopics={"q": {"a": ["s"], "b": ["s", "t"], "c": ["v"]}})
    >>> scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, "StRecall@2", side_information=side)
    >>> round(scores.mean("StRecall@2"), 6)  # |{s, t}| / |{s, t, v}|
    0.666667
    """
    pairs = subtopic_pairs(lists, rel)
    return total(lists, k, new_subtopics=by_row(lists, pairs, 1.0 * (pairs.seen == 0))).over("subtopics", pairs.topics)


@metric(
    zh="意图感知精确率：各子主题的 P@k 的平均。特殊情形：没有截断时 k 取返回的物品数；没有子主题的查询为 0/0。",
    aliases=("P-IA", "P_IA"),
    cite="agrawal2009",
    needs=("subtopics",),
)
def PIA(lists: ItemLists, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""Intent-aware precision: the mean precision over the subtopics.

    .. math:: P\text{-}IA@k = \frac{1}{|T|} \sum_{t \in T} \frac{1}{k} \sum_{r \le k} rel_{r,t}

    Edge cases: without a cutoff, k is the number of returned items; 0/0 for a query without subtopics.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(subtopics={"q": {"a": ["s"], "b": ["s", "t"]}})
    >>> scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, "PIA@2", side_information=side)
    >>> scores.mean("PIA@2")  # (2/2 + 1/2) / 2
    0.75
    """
    pairs = subtopic_pairs(lists, rel)
    relevant = by_row(lists, pairs, np.ones(len(pairs.row)))
    return total(lists, k, subtopics=relevant).over("k × subtopics", ranks_up_to(lists, k)[1] * pairs.topics)


@metric(
    zh="意图感知平均精确率：各子主题的 AP 的平均。特殊情形：R 为与该子主题相关的物品数；没有子主题的查询为 0/0。",
    aliases=("AP-IA", "AP_IA", "MAP-IA", "MAP_IA"),
    cite="agrawal2009",
    needs=("subtopics",),
)
def APIA(lists: ItemLists, *, k: Cutoff = None, rel: float = rule()) -> Sum:
    r"""Intent-aware average precision: the mean of average precision over the subtopics.

    .. math:: AP\text{-}IA@k = \frac{1}{|T|} \sum_{t \in T} \frac{1}{R_t} \sum_{r \le k} rel_{r,t} \, P_t@r

    Edge cases: R is the number of items relevant to the subtopic; 0/0 for a query without subtopics.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(subtopics={"q": {"a": ["s"], "b": ["s", "t"]}})
    >>> scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, "APIA", side_information=side)
    >>> scores.mean("APIA")  # ((1 + 2/2)/2 + 1/2) / 2
    0.75
    """
    pairs = subtopic_pairs(lists, rel)
    precision = (pairs.seen + 1) / lists.rank[pairs.row] / np.maximum(pairs.relevant, 1)
    return total(lists, k, precision_over_R=by_row(lists, pairs, precision)).over("subtopics", pairs.topics)


@metric(
    zh="α-DCG：按新颖度折损的累计增益，重复涵盖同一子主题的物品收益递减。"
    "特殊情形：c 为其前与该子主题相关的物品数；没有子主题的查询为 0；``over='ndeval'`` 再除以「前 k 个物品都与所有"
    "子主题相关」时的值。",
    aliases=("alpha-DCG", "alpha_DCG", "α_DCG"),
    cite="clarke2008",
    bounds=(0.0, float("inf")),
    needs=("subtopics",),
)
def alphaDCG(
    lists: ItemLists,
    *,
    k: Cutoff = None,
    alpha: Share = 0.5,
    rel: float = rule(),
    discount: DiscountFunction = rule(),
    over: str = rule("intent_over"),
) -> Sum:
    r"""alpha-DCG: cumulated gain in which further items of the same subtopic count less.

    .. math:: \alpha DCG@k = \sum_{r \le k} D(r) \sum_{t \in T} rel_{r,t} (1 - \alpha)^{c_{r-1,t}}

    Edge cases: c is the number of items above that are relevant to the subtopic; 0 for a query without subtopics. With
    ``over='ndeval'`` it is divided by the value of k items that are relevant to every subtopic.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(subtopics={"q": {"a": ["s"], "b": ["s", "t"]}})
    >>> metric = rg.alphaDCG(discount="1/i") @ 2
    >>> scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, metric, side_information=side)
    >>> scores.mean(metric)  # 1 + (1/2 + 1) / 2
    1.75
    """
    pairs = subtopic_pairs(lists, rel)
    gained = _discounted(lists, pairs, k, alpha, discount)
    return gained if over == "definition" else gained.over(*_every_subtopic(lists, pairs, k, alpha, discount))


@metric(
    zh="α-nDCG：α-DCG 除以贪心理想排序的 α-DCG。特殊情形：贪心排序未必最优，取值可能略大于 1；没有子主题的查询为 0/0。",
    aliases=("alpha-nDCG", "alpha_nDCG", "α_nDCG"),
    cite="clarke2008",
    bounds=(0.0, float("inf")),
    needs=("subtopics",),
)
def alphanDCG(
    lists: ItemLists, *, k: Cutoff = None, alpha: Share = 0.5, rel: float = rule(), discount: DiscountFunction = rule()
) -> Sum:
    r"""alpha-nDCG: alpha-DCG divided by that of the greedy ideal order, which takes the largest gain next.

    .. math:: \alpha nDCG@k = \frac{\alpha DCG@k}{\alpha DCG^{greedy}@k}

    Edge cases: the greedy order is not always the best, so values slightly above 1 are possible; 0/0 for a query
    without subtopics.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(subtopics={"q": {"a": ["s"], "b": ["s", "t"]}})
    >>> metric = rg.alphanDCG(discount="1/i") @ 2
    >>> scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, metric, side_information=side)
    >>> round(scores.mean(metric), 6)  # (1 + (1/2 + 1)/2) / ((1 + 1) + (1/2)/2)
    0.777778
    """
    pairs = subtopic_pairs(lists, rel)
    return _discounted(lists, pairs, k, alpha, discount).over("greedy ideal", _ideal(lists, pairs, k, alpha, discount))


@metric(
    zh="意图感知 ERR：各子主题的期望倒数排名的平均，读到相关物品时以概率 alpha 停止。"
    "特殊情形：alpha 为在相关物品处停止的概率；没有子主题的查询为 0/0；``over='ndeval'`` 省略因子 alpha，并除以「"
    "前 k 个物品都与所有子主题相关」时的值。",
    aliases=("ERR-IA", "ERR_IA"),
    cite="chapelle2011",
    needs=("subtopics",),
)
def ERRIA(
    lists: ItemLists, *, k: Cutoff = None, alpha: Share = 0.5, rel: float = rule(), over: str = rule("intent_over")
) -> Sum:
    r"""Intent-aware ERR: the mean over the subtopics of the expected reciprocal rank at which a user stops.

    .. math:: ERR\text{-}IA@k = \frac{1}{|T|} \sum_{r \le k} \frac{1}{r} \sum_{t \in T}
        \alpha \, rel_{r,t} (1 - \alpha)^{c_{r-1,t}}

    Edge cases: alpha is the probability to stop at a relevant item; 0/0 for a query without subtopics. With
    ``over='ndeval'`` the factor alpha is omitted, and the divisor is the value of k items that are relevant to every
    subtopic.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(subtopics={"q": {"a": ["s"], "b": ["s", "t"]}})
    >>> scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, "ERRIA@2", side_information=side)
    >>> scores.mean("ERRIA@2")  # (1/2 + (1/4 + 1/2) / 2) / 2
    0.4375
    """
    pairs = subtopic_pairs(lists, rel)
    stay = by_row(lists, pairs, (1 - alpha) ** pairs.seen)
    if over == "ndeval":
        reciprocal: Weight = np.reciprocal
        every = _every_subtopic(lists, pairs, k, alpha, reciprocal)
        return total(lists, k, new_subtopics=stay, reciprocal=1 / lists.rank).over(*every)
    return total(lists, k, chances_to_stop=alpha * stay, reciprocal=1 / lists.rank).over("subtopics", pairs.topics)


@metric(
    zh="归一化意图感知 ERR：除以贪心理想排序的值。特殊情形：同 alpha-nDCG。",
    aliases=("nERR-IA", "nERR_IA"),
    cite="chapelle2011",
    bounds=(0.0, float("inf")),
    needs=("subtopics",),
)
def nERRIA(lists: ItemLists, *, k: Cutoff = None, alpha: Share = 0.5, rel: float = rule()) -> Sum:
    r"""Normalised intent-aware ERR: ERR-IA divided by that of the greedy ideal order.

    .. math:: nERR\text{-}IA@k = \frac{ERR\text{-}IA@k}{ERR\text{-}IA^{greedy}@k}

    Edge cases: as for alpha-nDCG.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(subtopics={"q": {"a": ["s"], "b": ["s", "t"]}})
    >>> scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, "nERRIA@2", side_information=side)
    >>> round(scores.mean("nERRIA@2"), 6)  # (1/2 + (1/4 + 1/2) / 2) / (1 + 1/4 / 2)
    0.777778
    """
    pairs = subtopic_pairs(lists, rel)
    reciprocal: Weight = np.reciprocal
    stop = alpha * by_row(lists, pairs, (1 - alpha) ** pairs.seen)
    ideal = alpha * _ideal(lists, pairs, k, alpha, reciprocal)
    return total(lists, k, chances_to_stop=stop, reciprocal=1 / lists.rank).over("greedy ideal", ideal)


@metric(
    zh="NRBP：新颖度与等级偏置结合的精确率，读者以概率 beta 继续往下读。特殊情形：没有子主题的查询为 0/0。",
    cite="clarke2009",
    needs=("subtopics",),
)
def NRBP(
    lists: ItemLists, *, k: Cutoff = None, alpha: Share = 0.5, beta: Probability = 0.5, rel: float = rule()
) -> Sum:
    r"""Novelty- and rank-biased precision: a user continues with probability beta, and repeated subtopics count less.

    .. math:: NRBP = \frac{1 - (1 - \alpha) \beta}{|T|} \sum_{r} \beta^{r-1} \sum_{t \in T}
        rel_{r,t} (1 - \alpha)^{c_{r-1,t}}

    Edge cases: 0/0 for a query without subtopics.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(subtopics={"q": {"a": ["s"], "b": ["s", "t"]}})
    >>> scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, "NRBP", side_information=side)
    >>> scores.mean("NRBP")  # 3/4 * (1 + 1/2 * 3/2) / 2
    0.65625
    """
    pairs = subtopic_pairs(lists, rel)
    return _patient(lists, pairs, k, alpha, beta).over("subtopics", pairs.topics)


@metric(
    zh="归一化 NRBP：除以贪心理想排序的值。特殊情形：同 alpha-nDCG。",
    cite="clarke2009",
    bounds=(0.0, float("inf")),
    needs=("subtopics",),
)
def nNRBP(
    lists: ItemLists, *, k: Cutoff = None, alpha: Share = 0.5, beta: Probability = 0.5, rel: float = rule()
) -> Sum:
    r"""Normalised NRBP: NRBP divided by that of the greedy ideal order.

    .. math:: nNRBP = \frac{NRBP}{NRBP^{greedy}}

    Edge cases: as for alpha-nDCG.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(subtopics={"q": {"a": ["s"], "b": ["s", "t"]}})
    >>> scores = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, "nNRBP", side_information=side)
    >>> round(scores.mean("nNRBP"), 6)  # (1 + 1/2 * 3/2) / (2 + 1/2 * 1/2)
    0.777778
    """
    pairs = subtopic_pairs(lists, rel)
    ideal = _ideal(lists, pairs, k, alpha, lambda rank: beta ** (rank - 1))
    return _patient(lists, pairs, k, alpha, beta).over("greedy ideal", (1 - (1 - alpha) * beta) * ideal)


def _discounted(lists: ItemLists, pairs: SubtopicPairs, k: int | None, alpha: float, discount: DiscountFunction) -> Sum:
    return total(lists, k, gain=by_row(lists, pairs, (1 - alpha) ** pairs.seen), discount=discount(lists.rank))


def _patient(lists: ItemLists, pairs: SubtopicPairs, k: int | None, alpha: float, beta: float) -> Sum:
    gain = by_row(lists, pairs, (1 - alpha) ** pairs.seen)
    return total(lists, k, gain=gain, weight=(1 - (1 - alpha) * beta) * beta ** (lists.rank - 1))


def _ideal(lists: ItemLists, pairs: SubtopicPairs, k: int | None, alpha: float, weight: Weight) -> Floats:
    """Return the weighted gain of the greedy order of each query."""
    gains = best_gains(pairs, lists.segments.count, k, alpha)
    return np.array([(gain * weight(np.arange(1.0, len(gain) + 1))).sum() for gain in gains])


def _every_subtopic(
    lists: ItemLists, pairs: SubtopicPairs, k: int | None, alpha: float, weight: Weight
) -> tuple[str, Floats]:
    """Return the value of as many items as count, all relevant to every subtopic, with its name; 1 at cutoff 1."""
    ranks = ranks_up_to(lists, k)[1]
    weights = weight(np.arange(1.0, max(float(np.max(ranks, initial=0)), 1.0) + 1))
    gains = np.concatenate(([0.0], np.cumsum((1 - alpha) ** np.arange(len(weights)) * weights)))
    value = pairs.topics * gains[ranks.astype(np.int64)]
    return "every subtopic at every rank", np.where(pairs.topics > 0, 1.0, 0.0) if k == 1 else value
