"""Pooled AUC: one ROC curve over the items of all users, ordered by score."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgauge.kernels.pairs import WON
from rankgauge.kernels.precision import unreturned_nonrelevant
from rankgauge.metric_core.corpus_value import CorpusValue, corpus_value
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.parameters import choice, rule
from rankgauge.segments import Floats
from rankgauge.side_information.item_lists import ItemLists

__all__ = ["PooledAUC"]

Unreturned = Annotated[str, choice("last", "left out")]


@metric(
    zh="合并 AUC：把所有用户的物品放在一起，任取一对相关与不相关物品，相关者分数更高的概率，并列计一半。"
    "特殊情形：不同用户的分数直接比较，须在同一尺度上，如点击概率；没有分数时比较名次；并列的物品对计一半，除"
    "非设置 ``tied``，因为不同用户的物品没有先后；有标注而未返回的物品排在最后并列，或设 ``left out`` 不计；返"
    "回的未标注物品视为不相关；只有一类物品的用户也计入；全部相关或全部不相关时为 NaN。",
    aliases=("GlobalAUC", "OverallAUC"),
    cite="fawcett2006",
    summary="corpus",
    needs=("scores",),
)
def PooledAUC(
    lists: ItemLists, *, unreturned: Unreturned = "last", rel: float = rule(), tied: str = rule("tied_pairs")
) -> CorpusValue:
    r"""Pooled AUC: the probability that a relevant item of any user outscores a non-relevant item of any user.

    .. math:: \frac{1}{\sum_u R_u \sum_u N_u} \sum_{u, v}
        \big( \#\{ (r, n) : s_{u,r} > s_{v,n} \} + \tau \, \#\{ (r, n) : s_{u,r} = s_{v,n} \} \big)

    Edge cases: scores of different users are compared, so they must be on one scale, such as click probabilities; items
    without scores are compared by rank; tied pairs count half unless ``tied`` is set, because items of different
    users have no order; judged items that were not returned come last, tied, or are ``left out``; returned unjudged
    items count as non-relevant; users with items of one kind only count as well; NaN if nothing, or everything, is
    relevant.

    >>> import rankgauge as rg
    >>> clicks = {"u": {"a": 1, "b": 0}, "v": {"a": 1, "b": 0}}
    >>> chances = {"u": {"a": 0.9, "b": 0.6}, "v": {"a": 0.5, "b": 0.1}}
    >>> scores = rg.evaluate(clicks, chances, ["AUC", "PooledAUC"])
    >>> scores.mean("AUC"), scores.mean("PooledAUC")  # (1 + 1) / 2 and (2 + 1) / (2 * 2)
    (1.0, 0.75)
    """
    score = np.empty(0) if lists.score is None else lists.score
    order = np.argsort(-score, kind="stable")
    ordered = score[order]
    run = np.cumsum(np.concatenate(([False], ordered[1:] != ordered[:-1]))[: len(ordered)])
    hit, user = lists.relevant(rel)[order], lists.segments.query[order]
    found = lists.returned_once(lists.relevant(rel))
    missed = lists.relevant_judged(rel) - found
    dismissed = unreturned_nonrelevant(lists, rel)
    if unreturned == "left out":
        missed, dismissed = np.zeros_like(missed), np.zeros_like(dismissed)
    R = found + missed

    def area(times: Floats) -> float:
        each = times[user]
        relevant = np.append(np.bincount(run, weights=each * hit), times @ missed)
        others = np.append(np.bincount(run, weights=each * (1 - hit)), times @ dismissed)
        below = others.sum() - np.cumsum(others)
        pairs = times @ R * others.sum()
        return float((relevant * (below + WON[tied] * others)).sum() / pairs) if pairs else float("nan")

    return corpus_value(lists, area)
