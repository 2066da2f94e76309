"""Metrics of pairs: AUC, and its mean over users weighted by them."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgauge.match.judged import Judged
from rankgauge.match.ties import averaged
from rankgauge.metrics.declare import metric
from rankgauge.metrics.parameters import one_of, rule
from rankgauge.metrics.precision import OF_ALL, nonrelevant_known
from rankgauge.metrics.sums import Sum, total

__all__ = ["AUC", "GAUC"]

Weight = Annotated[str, one_of("positives", "impressions", "equal")]
OF_PAIRS = OF_ALL | {
    "strict_swap": "grades above the level count the same",
    "replace": "an unjudged item that is replaced is no longer known",
    "tail": "another non-relevant item is another pair",
    "unreturned_nonrelevant": "another non-relevant item is another pair",
    "drop": "a non-relevant item below relevant ones is a pair won",
}


@metric(
    zh="AUC：任取一对相关与不相关物品，相关者排在前面的概率，并列计一半。",
    aliases=("ROCAUC",),
    cite="fawcett2006",
    breaks=OF_PAIRS,
)
def AUC(j: Judged, *, rel: float = rule()) -> Sum:
    r"""Area under the ROC curve: the chance that a relevant item stands above a non-relevant one.

    .. math:: AUC = \frac{1}{R \, N} \sum_{r} \#\{ n : n \text{ below } r \}

    Edge cases: tied scores count half under every rule that fixes an order, and are lost with ``ties='worst'``;
    items that were judged but not returned stand below the list, tied with each other; unjudged items that were
    returned count as non-relevant; 0/0 when nothing, or everything, is relevant.

    >>> AUC.of([1, 0, 1, 0])  # (2 + 1) / (2 * 2)
    0.75
    >>> AUC.of([1, 0], scores=[0.5, 0.5])  # one pair, tied
    0.5
    """
    j = averaged(j)
    hit = j.relevant(rel)
    R, N = j.relevant_judged(rel), nonrelevant_known(j, rel)
    nonrelevant_above = j.rank - 1 - j.above(hit, given=hit)
    unreturned_relevant = R - j.returned_sum(hit)
    unreturned_nonrelevant = j.nonrelevant_judged(rel) - j.returned_sum(j.nonrelevant(rel))
    return (
        total(j, relevant=j.at(hit), below=j.segments.spread(N) - nonrelevant_above)
        .plus("not returned", unreturned_relevant * unreturned_nonrelevant / 2)
        .over("R × N", R * N)
    )


@metric(
    zh="GAUC：各用户 AUC 的加权平均，按正样本数、曝光数加权或等权；只有一类样本的用户不计入。",
    aliases=("GroupAUC", "UserAUC"),
    cite="zhou2018",
    breaks=OF_PAIRS,
    summary="weighted",
    undefined="skip",
)
def GAUC(j: Judged, *, weight: Weight = "impressions", rel: float = rule()) -> Sum:
    r"""Group AUC: the AUC of each user, averaged with the weight of the user.

    .. math:: GAUC = \frac{\sum_u w_u \, AUC_u}{\sum_u w_u}

    Edge cases: a user weighs as many impressions as he has (all items known to be relevant or not), as many
    ``positives``, or as much as any other (``equal``); users with items of one kind only are left out, under every rule
    for 0/0 that is a number; ties are those of AUC.

    >>> import rankgauge as rg
    >>> judgments = {"u": {"a": 1, "b": 0}, "v": {"a": 1, "b": 0, "c": 0}}
    >>> lists = {"u": ["a", "b"], "v": ["b", "a", "c"]}
    >>> rg.evaluate(judgments, lists, "GAUC").mean("GAUC")  # (2 * 1 + 3 * 1/2) / (2 + 3)
    0.7
    """
    R, N = j.relevant_judged(rel), nonrelevant_known(j, rel)
    weights = {"positives": R, "impressions": R + N, "equal": np.ones(len(R))}
    return AUC.kernel(j, rel=rel).weighing(weights[weight])
