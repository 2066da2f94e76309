"""Every metric as a slow and obvious loop, written from its formula.

Nothing here is shared with the library: no NumPy, no kernels, no columns of many queries. A function takes

- ``ranking``: the grades in rank order, ``None`` for an unjudged item, ``POOLED`` for one that stands in the
  pool of the judgments although nobody judged it (a negative grade of TREC), ``COPY`` for a place that is taken by
  a later copy and is not in the number of returned items; a ``Marked`` grade is one that R or ``hit_if`` leave out;
- ``unreturned``: the grades of the judged items that were not returned;
- the parameters of the metric by keyword, with the defaults of the library; gains and discounts as functions.

It returns NaN for 0/0. What a convention does before a metric sees anything is in ``apply_rules`` and
``orders``; what it does to whole lists of items, and to the values, is in ``slow_rules.py``.
"""

# ruff: noqa: ARG001 (every metric is called with the same two lists, whether it needs both or not)

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product

POOLED, COPY = "pooled", "copy"
PLUS = [0.0]
"""The rule ``denominator_plus``: what ``quotient`` adds to the denominator of a metric."""
LAST: list[tuple[float, float]] = [(0.0, 0.0)]
"""Numerator and denominator of the last ``quotient``."""
Grade = float | str | None
Ranking = Sequence[Grade]
Grades = Sequence[float]
Function = Callable[[float], float]


# What an item is


class Marked(float):
    """The grade of an item that is not in R, N and the ideal (``counted``), or has no score above 0 (``positive``)."""

    counted = True
    positive = True

    @classmethod
    def of(cls, grade: float, *, counted: bool = True, positive: bool = True) -> Marked:
        marked = cls(grade)
        marked.counted, marked.positive = counted, positive
        return marked


def is_counted(grade: Grade) -> bool:
    return getattr(grade, "counted", True)


def is_hit(grade: Grade, rel: float, hit_if: str) -> bool:
    return is_relevant(grade, rel) and (hit_if == "returned" or getattr(grade, "positive", True))


def is_judged(grade: Grade) -> bool:
    return grade is not None and grade not in {POOLED, COPY}


def is_relevant(grade: Grade, rel: float) -> bool:
    return is_judged(grade) and grade >= rel


def is_nonrelevant(grade: Grade, rel: float) -> bool:
    return is_judged(grade) and grade < rel


# What is counted


def top(ranking: Ranking, k: int | None) -> Ranking:
    return ranking if k is None else ranking[:k]


def number(ranking: Ranking, k: int | None = None) -> int:
    """The number of returned items, in the top k."""
    return sum(grade != COPY for grade in top(ranking, k))


def hits(ranking: Ranking, k: int | None, rel: float, hit_if: str = "returned") -> int:
    return sum(is_hit(grade, rel, hit_if) for grade in top(ranking, k))


def counted_hits(ranking: Ranking, k: int | None, rel: float) -> int:
    """Those of R that were found."""
    return sum(is_relevant(grade, rel) and is_counted(grade) for grade in top(ranking, k))


def relevant_in_all(ranking: Ranking, unreturned: Grades, rel: float) -> int:
    return counted_hits(ranking, None, rel) + sum(grade >= rel for grade in unreturned)


def judged_nonrelevant_in_all(ranking: Ranking, unreturned: Grades, rel: float) -> int:
    returned = sum(is_nonrelevant(grade, rel) and is_counted(grade) for grade in ranking)
    return returned + sum(grade < rel for grade in unreturned)


def ratio(above: float, below: float) -> float:
    return math.nan if below == 0 else above / below


def quotient(above: float, below: float) -> float:
    """The quotient that a metric is, with the rule ``denominator_plus``."""
    LAST[0] = above, below + PLUS[0]
    return ratio(*LAST[0])


# What a grade is worth, and what a rank takes away


def linear(grade: float) -> float:
    return grade


def exp2(grade: float) -> float:
    return 2**grade - 1


def binary(grade: float) -> float:
    return 1.0 if grade > 0 else 0.0


def table(gains: Mapping[float, float]) -> Function:
    """Grades of 0 and less may be left out of a table: they are worth 0."""
    return lambda grade: gains[grade] if grade in gains or grade > 0 else 0.0


def log2_of_next(rank: float) -> float:
    return 1 / math.log2(rank + 1)


def log2_of_rank(rank: float) -> float:
    return 1.0 if rank == 1 else 1 / math.log2(rank)


def reciprocal(rank: float) -> float:
    return 1 / rank


def undiscounted(rank: float) -> float:
    return 1.0


def jk(base: float) -> Function:
    return lambda rank: 1.0 if rank < base else 1 / math.log(rank, base)


GAINS: dict[str, Function] = {"linear": linear, "exp2": exp2, "binary": binary}
DISCOUNTS: dict[str, Function] = {
    "log2(i+1)": log2_of_next,
    "log2(i)": log2_of_rank,
    "1/i": reciprocal,
    "none": undiscounted,
    "jk(2)": jk(2),
    "jk(3)": jk(3),
    "jk(2.5)": jk(2.5),
}


# Precision, recall and what is made of them


def P(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    rel: float = 1,
    over: str = "k",
    hit_if: str = "returned",
) -> float:
    return quotient(hits(ranking, k, rel, hit_if), precision_denominator(ranking, unreturned, k, rel, over))


def precision_denominator(ranking: Ranking, unreturned: Grades, k: int | None, rel: float, over: str) -> int:
    n = number(ranking)
    depth = n if k is None else k
    return {
        "k": depth,
        "min(k,n)": number(ranking, k),
        "returned": n,
        "min(k,R)": min(depth, relevant_in_all(ranking, unreturned, rel)),
    }[over]


def R(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    rel: float = 1,
    over: str = "R",
    hit_if: str = "returned",
) -> float:
    return quotient(hits(ranking, k, rel, hit_if), recall_denominator(ranking, unreturned, k, rel, over))


def recall_denominator(ranking: Ranking, unreturned: Grades, k: int | None, rel: float, over: str) -> int:
    everything = relevant_in_all(ranking, unreturned, rel)
    return min(k, everything) if over == "min(k,R)" and k is not None else everything


def CappedRecall(
    ranking: Ranking, unreturned: Grades, *, k: int | None = None, rel: float = 1, hit_if: str = "returned"
) -> float:
    possible = relevant_in_all(ranking, unreturned, rel)
    return quotient(hits(ranking, k, rel, hit_if), possible if k is None else min(k, possible))


def F(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    beta: float = 1,
    rel: float = 1,
    p_over: str = "k",
    r_over: str = "R",
    hit_if: str = "returned",
) -> float:
    # With P = h/a and R = h/b: (1 + beta^2) (h/a) (h/b) / (beta^2 h/a + h/b), whose denominator is the mean of a and b.
    a = precision_denominator(ranking, unreturned, k, rel, p_over)
    b = recall_denominator(ranking, unreturned, k, rel, r_over)
    return quotient(hits(ranking, k, rel, hit_if), (a + beta**2 * b) / (1 + beta**2))


def HR(ranking: Ranking, unreturned: Grades, *, k: int | None = None, rel: float = 1) -> float:
    return 1.0 if hits(ranking, k, rel) > 0 else 0.0


def AllHit(ranking: Ranking, unreturned: Grades, *, k: int | None = None, rel: float = 1) -> float:
    found = quotient(counted_hits(ranking, k, rel), relevant_in_all(ranking, unreturned, rel))
    return found if math.isnan(found) else float(math.floor(found))


def Rprec(ranking: Ranking, unreturned: Grades, *, multiple: float = 1, rel: float = 1) -> float:
    depth = int(multiple * relevant_in_all(ranking, unreturned, rel) + 0.9)
    return quotient(hits(ranking, depth, rel), depth)


def SetAP(ranking: Ranking, unreturned: Grades, *, rel: float = 1) -> float:
    found = hits(ranking, None, rel)
    return quotient(found * found, number(ranking) * relevant_in_all(ranking, unreturned, rel))


def Fallout(ranking: Ranking, unreturned: Grades, *, k: int | None = None, rel: float = 1) -> float:
    shown_in_vain = number(ranking, k) - hits(ranking, k, rel)
    returned = number(ranking) - hits(ranking, None, rel)
    return quotient(shown_in_vain, returned + sum(grade < rel for grade in unreturned))


# The first relevant item


def first_relevant_rank(ranking: Ranking, k: int | None, rel: float, hit_if: str = "returned") -> int | None:
    for rank, grade in enumerate(top(ranking, k), start=1):
        if is_hit(grade, rel, hit_if):
            return rank
    return None


def RR(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    rel: float = 1,
    of: str = "relevant",
    hit_if: str = "returned",
) -> float:
    if of in {"hits", "all"}:
        reciprocals = [1 / rank for rank, g in enumerate(top(ranking, k), start=1) if is_hit(g, rel, hit_if)]
        of_all = len(reciprocals) if of == "hits" else relevant_in_all(ranking, unreturned, rel)
        return quotient(sum(reciprocals), max(of_all, 1))
    if of == "best":
        judged = [grade for grade in [*ranking, *unreturned] if is_judged(grade) and is_counted(grade)]
        rel = max([rel, *judged])
    rank = first_relevant_rank(ranking, k, rel, hit_if)
    return 0.0 if rank is None else 1 / rank


def FirstRank(ranking: Ranking, unreturned: Grades, *, rel: float = 1) -> float:
    rank = first_relevant_rank(ranking, None, rel)
    return quotient(rank or 0, 0 if rank is None else 1)


# Averages of precisions


def AP(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    rel: float = 1,
    over: str = "R",
    at: str = "relevant",
    hit_if: str = "returned",
) -> float:
    total = 0.0
    for rank in range(1, (len(ranking) if k is None else k) + 1):
        if at == "every" or (rank <= len(ranking) and is_hit(ranking[rank - 1], rel, hit_if)):
            total += hits(ranking, rank, rel, hit_if) / rank
    return quotient(total, average_denominator(ranking, unreturned, k, rel, over, hit_if))


def average_denominator(
    ranking: Ranking, unreturned: Grades, k: int | None, rel: float, over: str, hit_if: str = "returned"
) -> int:
    everything = relevant_in_all(ranking, unreturned, rel)
    return {
        "R": everything,
        "min(R,k)": everything if k is None else min(everything, k),
        "hits": hits(ranking, k, rel, hit_if),
        "k": number(ranking) if k is None else k,
        "min(R,k,n)": min(everything, number(ranking, k)),
    }[over]


def GMAP(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    rel: float = 1,
    over: str = "R",
    at: str = "relevant",
    hit_if: str = "returned",
    floor: float = 1e-5,
) -> float:
    average = AP(ranking, unreturned, k=k, rel=rel, over=over, at=at, hit_if=hit_if)
    return math.nan if math.isnan(average) else math.log(max(average, floor))


def YAAP(ranking: Ranking, unreturned: Grades, *, rel: float = 1) -> float:
    total = sum(
        hits(ranking, rank, rel) / rank for rank, grade in enumerate(ranking, start=1) if is_relevant(grade, rel)
    )
    return math.log(quotient(1 + total, 1 + relevant_in_all(ranking, unreturned, rel) - total))


def IPrec(
    ranking: Ranking, unreturned: Grades, *, recall: float = 0.5, rel: float = 1, recall_point: str = "ceil"
) -> float:
    everything = relevant_in_all(ranking, unreturned, rel)
    needed = items_for_recall(recall, everything, recall_point)
    best = 0.0
    for rank in range(1, len(ranking) + 1):
        found = hits(ranking, rank, rel)
        if found >= needed:
            best = max(best, found / rank)
    return quotient(best, 1 if everything else 0)


def items_for_recall(recall: float, everything: int, recall_point: str) -> int:
    match recall_point:
        case "trec_eval-9":
            return int(recall * everything + 0.9)
        case "round":
            return int(recall * everything + 0.5)
    return math.ceil(Fraction(str(recall)) * everything)  # as written: 0.3 of 10 is 3, not a little more


def IAP(ranking: Ranking, unreturned: Grades, *, rel: float = 1, recall_point: str = "ceil") -> float:
    points = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
    everything = relevant_in_all(ranking, unreturned, rel)
    plus, PLUS[0] = PLUS[0], 0.0
    total = sum(IPrec(ranking, unreturned, recall=point, rel=rel, recall_point=recall_point) for point in points)
    PLUS[0] = plus
    return quotient(total if everything else 0, 11 if everything else 0)


def Q(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    beta: float = 1,
    rel: float = 1,
    gain: Function = linear,
    ideal: str = "judged",
    over: str = "R",
) -> float:
    def worth(grade: Grade) -> float:
        return gain(grade) if is_relevant(grade, rel) else 0.0

    best = sorted(map(worth, ideal_items(ranking, unreturned, ideal)), reverse=True)
    if ideal == "full":
        best = best[:1] * len(ranking)
    total = 0.0
    for rank, grade in enumerate(top(ranking, k), start=1):
        if is_relevant(grade, rel):
            gained, could_gain = sum(map(worth, ranking[:rank])), sum(best[:rank])
            total += (hits(ranking, rank, rel) + beta * gained) / (rank + beta * could_gain)
    return quotient(total, average_denominator(ranking, unreturned, k, rel, over))


# Cumulated gain


def CG(ranking: Ranking, unreturned: Grades, *, k: int | None = None, gain: Function = linear) -> float:
    return DCG(ranking, unreturned, k=k, gain=gain, discount=undiscounted)


def DCG(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    gain: Function = linear,
    discount: Function = log2_of_next,
) -> float:
    total = 0.0
    for rank, grade in enumerate(top(ranking, k), start=1):
        if is_judged(grade):
            total += gain(grade) * discount(rank)
    return total


def IDCG(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    gain: Function = linear,
    discount: Function = log2_of_next,
    ideal: str = "judged",
    ideal_cut: str = "k",
) -> float:
    best = sorted(ideal_items(ranking, unreturned, ideal), key=gain, reverse=True)
    depth = ideal_depth(ranking, k, ideal_cut)
    if ideal == "full":
        best = best[:1] * (len(ranking) if depth is None else depth)
    return DCG(best, [], k=depth, gain=gain, discount=discount)


def ideal_items(ranking: Ranking, unreturned: Grades, ideal: str) -> list[float]:
    returned = [grade for grade in ranking if is_judged(grade) and is_counted(grade)]
    return returned if ideal == "returned" else [*returned, *unreturned]


def ideal_depth(ranking: Ranking, k: int | None, ideal_cut: str) -> int | None:
    n = number(ranking)
    return {"k": k, "none": None, "returned": number(ranking, k), "k or n": n if k is None else k}[ideal_cut]


def nDCG(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    gain: Function = linear,
    discount: Function = log2_of_next,
    ideal: str = "judged",
    ideal_cut: str = "k",
) -> float:
    found = DCG(ranking, unreturned, k=k, gain=gain, discount=discount)
    best = IDCG(ranking, unreturned, k=k, gain=gain, discount=discount, ideal=ideal, ideal_cut=ideal_cut)
    return quotient(found, best)


def Fidelity(ranking: Ranking, unreturned: Grades, *, k: int | None = None, lowest: float = 0) -> float:
    def weight(grade: Grade) -> float:
        return 2 ** (grade + 1) - 1 if is_judged(grade) and grade > lowest else 0.0

    return quotient(sum(map(weight, top(ranking, k))), sum(map(weight, ideal_items(ranking, unreturned, "judged"))))


def xDCG(
    ranking: Ranking, unreturned: Grades, *, k: int | None = None, p: float = 0.6, max_grade: float | str = 4
) -> float:
    highest = top_of_scale(ranking, unreturned, max_grade)
    places = range(number(ranking) if k is None else k)
    percents = [100 * grade / highest if is_judged(grade) else 0.0 for grade in top(ranking, k)]
    gained = sum(percent * p**place for place, percent in enumerate(percents))
    return quotient(gained, sum(p**place for place in places))


# Gains behind the ideal order, and nDCG at several ranks


def binG(ranking: Ranking, unreturned: Grades, *, rel: float = 1) -> float:
    total = 0.0
    for rank, grade in enumerate(ranking, start=1):
        if is_relevant(grade, rel):
            total += 1 / math.log2(2 + rank - hits(ranking, rank, rel))
    return quotient(total, relevant_in_all(ranking, unreturned, rel))


def ideal_gains(ranking: Ranking, unreturned: Grades, gain: Function, ideal: str) -> list[float]:
    """The gains above 0 of the ideal order."""
    worth = [gain(grade) for grade in ideal_items(ranking, unreturned, ideal)]
    if ideal == "full":
        worth = [max(worth)] * len(ranking) if worth else []
    return sorted((one for one in worth if one > 0), reverse=True)


def G(ranking: Ranking, unreturned: Grades, *, gain: Function = linear, ideal: str = "judged") -> float:
    best = ideal_gains(ranking, unreturned, gain, ideal)
    total, gained, cost = 0.0, 0.0, 0.0
    for place, grade in enumerate(ranking):
        own = gain(grade) if is_judged(grade) else 0.0
        gained += own
        cost += max(best[place], 1) if place < len(best) else 1
        total += own / math.log2(2 + max(cost - gained, 0))
    return quotient(total, sum(best))


def ndcg_down_to(rank: int, ranking: Ranking, best: list[float], gain: Function, discount: Function) -> float:
    could_gain = sum(one * discount(place) for place, one in enumerate(best[:rank], start=1))
    return DCG(ranking, [], k=rank, gain=gain, discount=discount) / could_gain


def nDCGrel(
    ranking: Ranking,
    unreturned: Grades,
    *,
    gain: Function = linear,
    discount: Function = log2_of_next,
    ideal: str = "judged",
) -> float:
    best = ideal_gains(ranking, unreturned, gain, ideal)
    if not best:
        return quotient(0, 0)
    ranks = [rank for rank, grade in enumerate(ranking, start=1) if is_judged(grade) and gain(grade) > 0]
    returned = sum(is_judged(grade) and gain(grade) > 0 and is_counted(grade) for grade in ranking)
    ranks += [max(len(ranking), len(best))] * (len(best) - returned)  # those that were not returned
    return quotient(sum(ndcg_down_to(rank, ranking, best, gain, discount) for rank in ranks), len(best))


def RnDCG(
    ranking: Ranking,
    unreturned: Grades,
    *,
    gain: Function = linear,
    discount: Function = log2_of_next,
    ideal: str = "judged",
) -> float:
    best = ideal_gains(ranking, unreturned, gain, ideal)
    ranks = [rank for rank, one in enumerate(best, start=1) if rank == len(best) or best[rank] < one]
    if len(ranking) > len(best) + 1 and best:
        ranks.append(len(ranking))
    return quotient(sum(ndcg_down_to(rank, ranking, best, gain, discount) for rank in ranks), len(ranks))


# Readers


def top_of_scale(ranking: Ranking, unreturned: Grades, max_grade: float | str) -> float:
    if max_grade != "largest":
        return float(max_grade)
    largest = max(ideal_items(ranking, unreturned, "judged"), default=0)
    return largest if largest > 0 else 1


def ERR(
    ranking: Ranking, unreturned: Grades, *, k: int | None = None, max_grade: float | str = 4, stop: str = "exp2"
) -> float:
    total, still_reading = 0.0, 1.0
    for rank, grade in enumerate(top(ranking, k), start=1):
        chance = 0.0
        if is_judged(grade):
            chance = grade if stop == "grade" else (2**grade - 1) / 2 ** top_of_scale(ranking, unreturned, max_grade)
        total += still_reading * chance / rank
        still_reading *= 1 - chance
    return total


def nERR(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    max_grade: float | str = 4,
    ideal: str = "judged",
    ideal_cut: str = "k",
    stop: str = "exp2",
) -> float:
    best = sorted(ideal_items(ranking, unreturned, ideal), reverse=True)
    depth = ideal_depth(ranking, k, ideal_cut)
    if ideal == "full":
        best = best[:1] * (len(ranking) if depth is None else depth)
    max_grade = top_of_scale(ranking, unreturned, max_grade)
    best_value = ERR(best, [], k=depth, max_grade=max_grade, stop=stop)
    return quotient(ERR(ranking, unreturned, k=k, max_grade=max_grade, stop=stop), best_value)


def RBP(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    p: float = 0.8,
    rel: float = 1,
    graded: bool = False,
    max_grade: float | str = 4,
    user_depth: str | int = "endless",
) -> float:
    total, depth = 0.0, depth_of(ranking, unreturned, user_depth, None if graded else rel)
    for rank, grade in enumerate(top(ranking, k), start=1):
        if rank > depth:
            break
        if graded and is_judged(grade):
            total += grade / top_of_scale(ranking, unreturned, max_grade) * p ** (rank - 1)
        elif not graded and is_relevant(grade, rel):
            total += p ** (rank - 1)
    return quotient((1 - p) * total, 1 - p**depth) if user_depth != "endless" else (1 - p) * total


def RBPresidual(ranking: Ranking, unreturned: Grades, *, k: int | None = None, p: float = 0.8) -> float:
    certain = 0.0
    for rank, grade in enumerate(top(ranking, k), start=1):
        if is_judged(grade):
            certain += (1 - p) * p ** (rank - 1)
    return 1 - certain


# A user who sees rank i + 1 after rank i with some probability, and gains per item seen

FAR = 1500
"""A rank after which the sums over endless lists are added in one piece."""
Continue = Callable[[int, float, float], float]
"""The probability of continuing at a rank, with the gain there and the gains so far."""


def depth_of(ranking: Ranking, unreturned: Grades, user_depth: str | int, rel: float | None = None) -> float:
    if user_depth == "lists":
        grades = ideal_items(ranking, unreturned, "judged")
        return max(len(ranking), sum(grade > 0 if rel is None else grade >= rel for grade in grades))
    return math.inf if user_depth == "endless" else user_depth


def scaled(ranking: Ranking, unreturned: Grades, min_grade: float, max_grade: float | str) -> list[float]:
    top_grade = top_of_scale(ranking, unreturned, max_grade)
    return [
        (grade - min_grade) / (top_grade - min_grade) if is_judged(grade) and grade > min_grade else 0.0
        for grade in ranking
    ]


def gain_per_item(
    gains: list[float], depth: float, goes_on: Continue, rest: Callable[[float], float] | None = None
) -> float:
    """Gain per item seen; after rank FAR an endless user sees ``rest`` items, given the gains so far."""
    gained = seen = so_far = 0.0
    chance = 1.0
    for rank in range(1, int(min(depth, FAR)) + 1):
        gain = gains[rank - 1] if rank <= len(gains) else 0.0
        so_far += gain
        gained += chance * gain
        seen += chance
        chance *= goes_on(rank, gain, so_far)
    if depth == math.inf:
        seen += chance * rest(so_far)
    return quotient(gained, seen)


def inverse_squares(first: float) -> float:
    """1/first^2 + 1/(first + 1)^2 + ..., for a large first term."""
    middle = first - 0.5
    return 1 / middle - 1 / (12 * middle**3) + 7 / (240 * middle**5)


def goal(T: float, left: Callable[[float], float]) -> tuple[Continue, Callable[[float], float]]:
    """A user with the goal T, given what is left of 2 T after some gain, and how many items follow rank FAR."""

    def goes_on(rank: int, _: float, so_far: float) -> float:
        return ((rank + left(so_far) - 1) / (rank + left(so_far))) ** 2

    def rest(so_far: float) -> float:
        return (FAR + left(so_far)) ** 2 * inverse_squares(FAR + left(so_far))

    return goes_on, rest


def SDCG(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    min_grade: float = 0,
    max_grade: float | str = 4,
    discount: Function = log2_of_next,
) -> float:
    gains = scaled(ranking, unreturned, min_grade, max_grade)
    end = number(ranking) if k is None else k
    gained = sum(gain * discount(rank) for rank, gain in enumerate(top(gains, k), start=1))
    return quotient(gained, sum(discount(rank) for rank in range(1, end + 1)))


def BPM(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    T: float = 1,
    min_grade: float = 0,
    max_grade: float | str = 4,
) -> float:
    end = number(ranking) if k is None else k
    gains = scaled(ranking, unreturned, min_grade, max_grade)
    return gain_per_item(gains, end, lambda _, __, so_far: float(so_far < T - 1e-9))


def INSQ(
    ranking: Ranking,
    unreturned: Grades,
    *,
    T: float = 1,
    min_grade: float = 0,
    max_grade: float | str = 4,
    user_depth: str | int = "endless",
) -> float:
    gains = scaled(ranking, unreturned, min_grade, max_grade)
    return gain_per_item(gains, depth_of(ranking, unreturned, user_depth), *goal(T, lambda _: 2 * T))


def INST(
    ranking: Ranking,
    unreturned: Grades,
    *,
    T: float = 1,
    min_grade: float = 0,
    max_grade: float | str = 4,
    user_depth: str | int = "endless",
) -> float:
    gains = scaled(ranking, unreturned, min_grade, max_grade)
    return gain_per_item(gains, depth_of(ranking, unreturned, user_depth), *goal(T, lambda so_far: 2 * T - so_far))


def NERR8(
    ranking: Ranking, unreturned: Grades, *, k: int | None = None, min_grade: float = 0, max_grade: float | str = 4
) -> float:
    gains = scaled(ranking, unreturned, min_grade, max_grade)
    return gain_per_item(gains, number(ranking) if k is None else k, lambda _, gain, __: 1 - gain)


def NERR9(
    ranking: Ranking, unreturned: Grades, *, k: int | None = None, min_grade: float = 0, max_grade: float | str = 4
) -> float:
    gains = scaled(ranking, unreturned, min_grade, max_grade)
    return gain_per_item(
        gains, number(ranking) if k is None else k, lambda rank, gain, _: (1 - gain) * rank / (rank + 1)
    )


def NERR10(
    ranking: Ranking,
    unreturned: Grades,
    *,
    p: float = 0.9,
    min_grade: float = 0,
    max_grade: float | str = 4,
    user_depth: str | int = "endless",
) -> float:
    gains = scaled(ranking, unreturned, min_grade, max_grade)
    depth = depth_of(ranking, unreturned, user_depth)
    return gain_per_item(gains, depth, lambda _, gain, __: p * (1 - gain), lambda _: 1 / (1 - p))


def NERR11(
    ranking: Ranking,
    unreturned: Grades,
    *,
    T: float = 1,
    min_grade: float = 0,
    max_grade: float | str = 4,
    user_depth: str | int = "endless",
) -> float:
    gains = scaled(ranking, unreturned, min_grade, max_grade)
    goes_on, rest = goal(T, lambda _: 2 * T)
    depth = depth_of(ranking, unreturned, user_depth)
    return gain_per_item(gains, depth, lambda *seen: goes_on(*seen) * (1 - seen[1]), rest)


def Compat(
    ranking: Ranking, unreturned: Grades, *, p: float = 0.95, normalize: bool = True, user_depth: str | int = "endless"
) -> float:
    """The overlap depth by depth; what follows the longer list is added as a geometric series over d."""
    returned = [(grade, place) for place, grade in enumerate(ranking) if is_judged(grade) and is_counted(grade)]
    judged = [(grade, place) for grade, place in returned if grade > 0]
    judged += [(grade, len(ranking) + place) for place, grade in enumerate(unreturned) if grade > 0]
    best = [place for _, place in sorted(judged, key=lambda one: (-one[0], one[1]))]
    depth = depth_of(ranking, unreturned, user_depth)
    overlap = itself = weights = 0.0
    for d in range(1, int(min(depth, 30 * FAR if p > 0.9 else FAR)) + 1):
        weight = p ** (d - 1)
        overlap += weight / d * len({*best[:d]} & {*range(min(d, len(ranking)))})
        itself += weight / d * min(d, len(best))
        weights += weight
    return quotient(overlap, itself if normalize else weights if best else 0)


# Incomplete judgments


def bpref(ranking: Ranking, unreturned: Grades, *, rel: float = 1) -> float:
    relevant = relevant_in_all(ranking, unreturned, rel)
    nonrelevant = judged_nonrelevant_in_all(ranking, unreturned, rel)
    total, nonrelevant_above = 0.0, 0
    for grade in ranking:
        if is_nonrelevant(grade, rel):
            nonrelevant_above += 1
        elif is_relevant(grade, rel):
            total += 1 - min(nonrelevant_above, relevant) / (min(nonrelevant, relevant) or 1)
    return quotient(total, relevant)


def GMbpref(ranking: Ranking, unreturned: Grades, *, rel: float = 1, floor: float = 1e-5) -> float:
    value = bpref(ranking, unreturned, rel=rel)
    return math.nan if math.isnan(value) else math.log(max(value, floor))


def infAP(ranking: Ranking, unreturned: Grades, *, rel: float = 1) -> float:
    epsilon, total = 0.00001, 0.0
    for rank, grade in enumerate(ranking, start=1):
        if is_relevant(grade, rel):
            above = ranking[: rank - 1]
            relevant = sum(is_relevant(other, rel) for other in above)
            nonrelevant = sum(is_nonrelevant(other, rel) for other in above)
            pooled = sum(other is not None and other != COPY for other in above)
            total += (1 + pooled * (relevant + epsilon) / (relevant + nonrelevant + 2 * epsilon)) / rank
    return quotient(total, relevant_in_all(ranking, unreturned, rel))


def Judged(ranking: Ranking, unreturned: Grades, *, k: int | None = None) -> float:
    shown = top(ranking, k)
    return quotient(sum(map(is_judged, shown)), number(shown))


def Unjudged(ranking: Ranking, unreturned: Grades, *, k: int | None = None) -> float:
    unjudged = number(ranking, k) - sum(is_judged(grade) for grade in top(ranking, k))
    return quotient(unjudged, number(ranking) if k is None else k)


# Pairs


BOTTOM = math.inf
"""The place of everything that was not returned."""


def placed(
    ranking: Ranking, unreturned: Grades, rel: float, places: Sequence[float] | None
) -> list[tuple[float, bool]]:
    """The place of each item, equal for those that tie (1, 2, 3, ... where nothing does), and whether it is relevant."""
    own = range(1, len(ranking) + 1) if places is None else places
    items = [(place, is_relevant(grade, rel)) for place, grade in zip(own, ranking, strict=True) if grade != COPY]
    return items + [(BOTTOM, grade >= rel) for grade in unreturned]


def pairs_won(items: Sequence[tuple[float, bool]], tied: str, R: int | None = None) -> float:
    worth = {"lost": 0.0, "won": 1.0}.get(tied, 0.5)
    won = 0.0
    for place, relevant in items:
        for other, other_relevant in items:
            if relevant and not other_relevant:
                won += 1.0 if place < other else worth if place == other else 0.0
    N = sum(not relevant for _, relevant in items)
    return quotient(won, (len(items) - N if R is None else R) * N)


def AUC(
    ranking: Ranking, unreturned: Grades, *, rel: float = 1, tied: str = "half", places: Sequence[float] | None = None
) -> float:
    R = relevant_in_all(ranking, unreturned, rel)
    return pairs_won(placed(ranking, unreturned, rel, places), tied, R)


def PAUC(
    ranking: Ranking,
    unreturned: Grades,
    *,
    max_fpr: float = 1,
    negatives: int | None = None,
    scale: str = "mcclish",
    rel: float = 1,
    tied: str = "half",
    places: Sequence[float] | None = None,
) -> float:
    """By the ROC curve: its points, cut at the false positive rate, and the trapezoids under them."""
    items = placed(ranking, unreturned, rel, places)
    if negatives is not None:
        unknown = negatives - sum(not relevant for _, relevant in items)
        items += [(len(ranking) + 1, False)] * unknown  # after the list, before what was not returned
    R, N = relevant_in_all(ranking, unreturned, rel), sum(not relevant for _, relevant in items)
    if not R or not N:
        return quotient(0, 0)
    end = max_fpr if negatives is None else negatives / N
    first = {"lost": lambda relevant: relevant, "won": lambda relevant: not relevant}.get(tied, lambda _: 0)
    steps = sorted({(place, first(relevant)) for place, relevant in items})
    curve = [(0.0, 0.0)]
    for step in steps:
        inside = [relevant for place, relevant in items if (place, first(relevant)) <= step]
        curve.append(((len(inside) - sum(inside)) / N, sum(inside) / R))
    area = 0.0
    for (x, y), (next_x, next_y) in pairwise(curve):
        if next_x > x and x < end:
            stop = min(next_x, end)
            stop_y = y + (next_y - y) * (stop - x) / (next_x - x)
            area += (stop - x) * (y + stop_y) / 2
    # The area under the curve is s m with M = m N: s + 1 - m over 2 - m, or s, or s m, over the pairs of R and M or N.
    M, pairs = end * N, area * R * N
    mcclish = (pairs + R * M * (1 - end), R * M * (2 - end))
    return quotient(*{"none": (pairs, R * N), "share": (pairs, R * M), "mcclish": mcclish}[scale])


def TPR(
    ranking: Ranking,
    unreturned: Grades,
    *,
    negatives: int = 1,
    rel: float = 1,
    tied: str = "half",
    places: Sequence[float] | None = None,
) -> float:
    """Each relevant item at each place that it can have among the non-relevant items tied with it."""
    items = placed(ranking, unreturned, rel, places)
    found = 0.0
    for place, relevant in items:
        if relevant:
            above = sum(other < place and not hit for other, hit in items)
            equal = sum(other == place and not hit for other, hit in items)
            first = {"lost": [equal], "won": [0]}.get(tied, range(equal + 1))
            found += sum(above + before < negatives for before in first) / len(first)
    return quotient(found, relevant_in_all(ranking, unreturned, rel))


def LAUC(
    ranking: Ranking,
    unreturned: Grades,
    *,
    k: int | None = None,
    items: int | None = None,
    others: str = "tied",
    rel: float = 1,
) -> float:
    known = placed(ranking, unreturned, rel, None)
    if others == "left out":
        return pairs_won(placed(top(ranking, k), [], rel, None), "half")
    R = relevant_in_all(ranking, unreturned, rel)
    if sum(relevant for _, relevant in known) != R:  # by the formula: some of the items are not in R
        N = sum(not relevant for _, relevant in known)
        N = N if items is None else max(N, items - R)
        shown = number(ranking, k)
        items_in_order = [grade for grade in ranking if grade != COPY]
        ahead = [rank for rank, grade in enumerate(items_in_order[:shown], start=1) if is_relevant(grade, rel)]
        return quotient(sum((R + N + shown + 1) / 2 - place for place in ahead) + R * (N - shown) / 2, R * N)
    known = [(place if k is None or place <= k else BOTTOM, relevant) for place, relevant in known]
    known += [(BOTTOM, False)] * ((items or 0) - len(known))
    return pairs_won(known, "half")


def Accuracy(ranking: Ranking, unreturned: Grades, *, k: int | None = None, rel: float = 1) -> float:
    return LAUC(ranking, [], k=k, others="left out", rel=rel)


def MPR(ranking: Ranking, unreturned: Grades, *, rel: float = 1) -> float:
    items = [grade for grade in ranking if grade != COPY]
    last = max(len(items) - 1, 1)
    places = [place / last for place, grade in enumerate(items) if is_relevant(grade, rel)]
    places += [1.0 for grade in unreturned if grade >= rel]
    return quotient(sum(places), relevant_in_all(ranking, unreturned, rel))


def GAUC(
    ranking: Ranking,
    unreturned: Grades,
    *,
    rel: float = 1,
    weight: str = "impressions",
    tied: str = "half",
    places: Sequence[float] | None = None,
) -> float:
    """Of one user it is his AUC, whatever he weighs."""
    return AUC(ranking, unreturned, rel=rel, tied=tied, places=places)


# Lengths of lists


def UserCoverage(ranking: Ranking, unreturned: Grades, *, k: int | None = None, least: float = 1) -> float:
    return float(number(ranking, k) >= least)


def ListFill(ranking: Ranking, unreturned: Grades, *, k: int | None = None) -> float:
    return quotient(number(ranking, k), number(ranking) if k is None else k)


# Counts


def NumQ(ranking: Ranking, unreturned: Grades) -> float:
    return 1.0


def NumRet(ranking: Ranking, unreturned: Grades, *, rel: float | None = None) -> float:
    return float(number(ranking) if rel is None else hits(ranking, None, rel))


def NumRel(ranking: Ranking, unreturned: Grades, *, rel: float = 1) -> float:
    return float(relevant_in_all(ranking, unreturned, rel))


def NumRelRet(ranking: Ranking, unreturned: Grades, *, k: int | None = None, rel: float = 1) -> float:
    return float(hits(ranking, k, rel))


def NumNonrelRet(ranking: Ranking, unreturned: Grades, *, k: int | None = None, rel: float = 1) -> float:
    return float(sum(is_nonrelevant(grade, rel) for grade in top(ranking, k)))


def Utility(
    ranking: Ranking,
    unreturned: Grades,
    *,
    hit: float = 1,
    noise: float = -1,
    miss: float = 0,
    rest: float = 0,
    collection: float = 0,
    rel: float = 1,
) -> float:
    found = hits(ranking, None, rel)
    wrong = number(ranking) - found
    missed = relevant_in_all(ranking, unreturned, rel) - counted_hits(ranking, None, rel)
    return hit * found + noise * wrong + miss * missed + rest * (collection - found - wrong - missed)


REFERENCES: dict[str, Callable[..., float]] = {
    function.__name__: function
    for function in (
        *(P, R, CappedRecall, F, HR, AllHit, Rprec, SetAP, Fallout),
        *(RR, FirstRank),
        *(AP, GMAP, YAAP, IPrec, IAP, Q),
        *(CG, DCG, IDCG, nDCG, xDCG, Fidelity),
        *(binG, G, nDCGrel, RnDCG),
        *(ERR, nERR, RBP, RBPresidual),
        *(SDCG, BPM, INSQ, INST, NERR8, NERR9, NERR10, NERR11, Compat),
        *(bpref, GMbpref, infAP, Judged, Unjudged),
        *(AUC, GAUC, PAUC, TPR, LAUC, Accuracy),
        MPR,
        *(UserCoverage, ListFill),
        *(NumQ, NumRet, NumRel, NumRelRet, NumNonrelRet, Utility),
    )
}


# What a convention does before a metric sees the list


def apply_rules(
    grades: Iterable[float | None],
    unreturned: Iterable[float],
    *,
    unjudged: str | float = "nonrelevant",
    negative: str = "unjudged",
) -> tuple[list[Grade], list[float]]:
    """The ranking and the unreturned grades, after the rules for negative grades and unjudged items.

    >>> apply_rules([2, -1, None], [-1, 1])
    ([2, 'pooled', None], [1])
    >>> apply_rules([2, -1, None], [-1, 1], negative="zero", unjudged="removed")
    ([2, 0], [0, 1])
    """
    ranking = [_resolve_negative(grade, negative) for grade in grades]
    others = [_resolve_negative(grade, negative) for grade in unreturned]
    if unjudged == "removed":
        ranking = [grade for grade in ranking if is_judged(grade)]
    elif unjudged != "nonrelevant":
        ranking = [grade if is_judged(grade) else unjudged for grade in ranking]
    return ranking, [grade for grade in others if grade != POOLED]


def _resolve_negative(grade: float | None, negative: str) -> Grade:
    if grade is None or grade >= 0:
        return grade
    return {"unjudged": POOLED, "zero": 0, "keep": grade}[negative]


def orders(scores: Sequence[float]) -> Iterator[list[int]]:
    """Every order of the places 0, 1, ... by descending score: those of equal score in every order.

    >>> list(orders([0.5, 0.9, 0.5]))
    [[1, 0, 2], [1, 2, 0]]
    """
    runs = [[place for place, own in enumerate(scores) if own == score] for score in sorted({*scores}, reverse=True)]
    for arranged in product(*map(permutations, runs)):
        yield [place for run in arranged for place in run]
