"""Metrics of lists in which tied items share a rank, as slow loops: ``ties='together'`` and ``ties='mean-rank'``.

The loops of ``reference.py`` read the rank of an item from its place in the list, which is another for each item.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import reference
from reference import (
    IDCG,
    Function,
    Grade,
    Grades,
    Ranking,
    average_denominator,
    depth_of,
    is_counted,
    is_hit,
    is_judged,
    is_nonrelevant,
    is_relevant,
    precision_denominator,
    quotient,
    recall_denominator,
    relevant_in_all,
    top_of_scale,
)

SHARE = {"together": 1.0, "mean-rank": 0.5}
"""The share of the other items of a tie that is above each of its items."""
RANKLESS = ("IDCG", "NumQ", "NumRet", "NumRel", "SetAP", "AUC", "GAUC", "PAUC", "TPR")
"""Metrics that read no rank, or count tied pairs themselves."""


class Place(NamedTuple):
    grade: Grade
    rank: float
    score: float


class Shared(NamedTuple):
    """A list whose tied items share ranks."""

    places: Sequence[Place]
    share: float

    def top(self, k: float | None) -> list[Place]:
        return [place for place in self.places if k is None or place.rank <= k]

    def hits(self, k: float | None, rel: float, hit_if: str = "returned") -> int:
        return sum(is_hit(place.grade, rel, hit_if) for place in self.top(k))

    def hits_up_to(self, place: Place, rel: float, hit_if: str = "returned") -> float:
        """The hits above a tie, the share of the others in it, and the item itself."""
        tied = [other for other in self.places if other.score == place.score and other is not place]
        above = [other for other in self.places if other.score > place.score]
        hits = [sum(is_hit(other.grade, rel, hit_if) for other in others) for others in (above, tied)]
        return hits[0] + self.share * hits[1] + 1


def shared(ranking: Ranking, scores: Sequence[float], share: float) -> Shared:
    """The items with the ranks that their ties share."""
    ranks = []
    for score in scores:
        first, size = 1 + sum(other > score for other in scores), sum(other == score for other in scores)
        ranks.append(first + share * (size - 1))
    return Shared([Place(*place) for place in zip(ranking, ranks, scores, strict=True)], share)


Lists = tuple[Shared, Ranking, Grades]


def P(lists: Lists, *, k: int | None = None, rel: float, over: str, hit_if: str) -> float:
    ties, ranking, unreturned = lists
    return quotient(ties.hits(k, rel, hit_if), precision_denominator(ranking, unreturned, k, rel, over))


def R(lists: Lists, *, k: int | None = None, rel: float, over: str = "R", hit_if: str) -> float:
    ties, ranking, unreturned = lists
    return quotient(ties.hits(k, rel, hit_if), recall_denominator(ranking, unreturned, k, rel, over))


def CappedRecall(lists: Lists, *, k: int | None = None, rel: float, hit_if: str) -> float:
    return R(lists, k=k, rel=rel, over="min(k,R)", hit_if=hit_if)


def F(
    lists: Lists, *, k: int | None = None, beta: float = 1, rel: float, p_over: str, r_over: str, hit_if: str
) -> float:
    ties, ranking, unreturned = lists
    a = precision_denominator(ranking, unreturned, k, rel, p_over)
    b = recall_denominator(ranking, unreturned, k, rel, r_over)
    return quotient(ties.hits(k, rel, hit_if), (a + beta**2 * b) / (1 + beta**2))


def HR(lists: Lists, *, k: int | None = None, rel: float) -> float:
    return float(lists[0].hits(k, rel) > 0)


def AllHit(lists: Lists, *, k: int | None = None, rel: float) -> float:
    ties, ranking, unreturned = lists
    counted = sum(is_relevant(place.grade, rel) and is_counted(place.grade) for place in ties.top(k))
    found = quotient(counted, relevant_in_all(ranking, unreturned, rel))
    return found if math.isnan(found) else float(math.floor(found))


def Rprec(lists: Lists, *, multiple: float = 1, rel: float) -> float:
    ties, ranking, unreturned = lists
    depth = int(multiple * relevant_in_all(ranking, unreturned, rel) + 0.9)
    return quotient(ties.hits(depth, rel), depth)


def RR(lists: Lists, *, k: int | None = None, rel: float, of: str, hit_if: str) -> float:
    ties, ranking, unreturned = lists
    if of == "best":
        judged = [grade for grade in [*ranking, *unreturned] if is_judged(grade) and is_counted(grade)]
        rel = max([rel, *judged])
    reciprocals = [1 / place.rank for place in ties.top(k) if is_hit(place.grade, rel, hit_if)]
    if of in {"hits", "all"}:
        of_all = len(reciprocals) if of == "hits" else relevant_in_all(ranking, unreturned, rel)
        return quotient(sum(reciprocals), max(of_all, 1))
    return max(reciprocals, default=0.0)


def FirstRank(lists: Lists, *, rel: float) -> float:
    ranks = [place.rank for place in lists[0].places if is_relevant(place.grade, rel)]
    return quotient(min(ranks, default=0), 1 if ranks else 0)


def AP(lists: Lists, *, k: int | None = None, rel: float, over: str, at: str, hit_if: str) -> float:
    ties, ranking, unreturned = lists
    if at == "every":
        ranks = range(1, (len(ranking) if k is None else k) + 1)
        total = sum(ties.hits(rank, rel, hit_if) / rank for rank in ranks)
    else:
        found = [place for place in ties.top(k) if is_hit(place.grade, rel, hit_if)]
        total = sum(ties.hits_up_to(place, rel, hit_if) / place.rank for place in found)
    below = average_denominator(ranking, unreturned, k, rel, over, hit_if)
    return quotient(total, ties.hits(k, rel, hit_if) if over == "hits" else below)


def GMAP(lists: Lists, *, floor: float = 1e-5, **parameters: Any) -> float:
    average = AP(lists, **parameters)
    return average if math.isnan(average) else math.log(max(average, floor))


def YAAP(lists: Lists, *, rel: float) -> float:
    ties, ranking, unreturned = lists
    total = sum(ties.hits_up_to(place, rel) / place.rank for place in ties.places if is_relevant(place.grade, rel))
    return math.log(quotient(1 + total, 1 + relevant_in_all(ranking, unreturned, rel) - total))


def CG(lists: Lists, *, k: int | None = None, gain: Function) -> float:
    return DCG(lists, k=k, gain=gain, discount=reference.undiscounted)


def DCG(lists: Lists, *, k: int | None = None, gain: Function, discount: Function) -> float:
    return sum(gain(place.grade) * discount(place.rank) for place in lists[0].top(k) if is_judged(place.grade))


def nDCG(
    lists: Lists, *, k: int | None = None, gain: Function, discount: Function, ideal: str, ideal_cut: str
) -> float:
    _, ranking, unreturned = lists
    best = IDCG(ranking, unreturned, k=k, gain=gain, discount=discount, ideal=ideal, ideal_cut=ideal_cut)
    return quotient(DCG(lists, k=k, gain=gain, discount=discount), best)


def RBP(
    lists: Lists,
    *,
    k: int | None = None,
    p: float = 0.8,
    rel: float,
    graded: bool = False,
    max_grade: float | str,
    user_depth: str | int,
) -> float:
    ties, ranking, unreturned = lists
    depth, total = depth_of(ranking, unreturned, user_depth, None if graded else rel), 0.0
    for place in ties.top(depth if k is None else min(k, depth)):
        if graded and is_judged(place.grade):
            total += place.grade / top_of_scale(ranking, unreturned, max_grade) * p ** (place.rank - 1)
        elif not graded and is_relevant(place.grade, rel):
            total += p ** (place.rank - 1)
    return quotient((1 - p) * total, 1 - p**depth) if user_depth != "endless" else (1 - p) * total


def NumRelRet(lists: Lists, *, k: int | None = None, rel: float) -> float:
    return float(lists[0].hits(k, rel))


def NumNonrelRet(lists: Lists, *, k: int | None = None, rel: float) -> float:
    return float(sum(is_nonrelevant(place.grade, rel) for place in lists[0].top(k)))


def _without_ranks(name: str) -> Callable[..., float]:
    return lambda lists, **parameters: reference.REFERENCES[name](lists[1], lists[2], **parameters)


LOOPS: dict[str, Callable[..., float]] = {
    loop.__name__: loop
    for loop in (
        *(P, R, CappedRecall, F, HR, AllHit, Rprec, RR, FirstRank, AP, GMAP, YAAP),
        *(CG, DCG, nDCG, RBP, NumRelRet, NumNonrelRet),
    )
} | {name: _without_ranks(name) for name in RANKLESS}
"""The other metrics are compared between forms of input only (``test_agreement.py``)."""
