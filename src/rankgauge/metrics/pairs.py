"""Metrics of pairs: AUC."""

from __future__ import annotations

from rankgauge.match.judged import Judged
from rankgauge.match.ties import averaged
from rankgauge.metrics.declare import metric
from rankgauge.metrics.parameters import rule
from rankgauge.metrics.precision import OF_ALL, nonrelevant_known
from rankgauge.metrics.sums import Sum, total

__all__ = ["AUC"]


@metric(
    zh="AUC：任取一对相关与不相关物品，相关者排在前面的概率，并列计一半。",
    aliases=("ROCAUC",),
    cite="fawcett2006",
    breaks=OF_ALL
    | {
        "strict_swap": "grades above the level count the same",
        "replace": "an unjudged item that is replaced is no longer known",
        "tail": "another non-relevant item is another pair",
        "unreturned_nonrelevant": "another non-relevant item is another pair",
        "drop": "a non-relevant item below relevant ones is a pair won",
    },
)
def AUC(j: Judged, *, rel: float = rule()) -> Sum:
    r"""Area under the ROC curve: the chance that a relevant item stands above a non-relevant one.

    .. math:: AUC = \frac{1}{R \, N} \sum_{r} \#\{ n : n \text{ below } r \}

    Edge cases: tied scores count half under every rule that fixes an order; items that were judged but not
    returned stand below the list, tied with each other; unjudged items that were returned count as
    non-relevant; 0/0 when nothing, or everything, is relevant.

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
