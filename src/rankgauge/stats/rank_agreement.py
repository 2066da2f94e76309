"""Agreement of two orders: Kendall's tau-b, tau-AP and rank-biased overlap."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge.errors import ParameterError
from rankgauge.segments import Bools, Floats, Ints, Segments
from rankgauge.stats.samples import check_lengths, check_numbers, check_share
from rankgauge.value_checks import is_listing

Order = Mapping[Any, float] | Sequence[Any]
"""Items with scores (higher first, equal scores tied), or items, best first."""
SQUARE = 4_000
"""With at most this many items all pairs are compared; beyond that SciPy's sort is faster."""
BLOCK = 256
LATER = np.triu(np.ones((BLOCK, BLOCK), dtype=bool), 1)
CELLS = 2_000_000
"""Maximum number of ranks of tied items handled at a time."""


def kendall_tau(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> float:
    """Kendall's tau-b of two sequences of numbers; NaN if all numbers of one are tied, or there are fewer than two.

    Parameters
    ----------
    first, second
        Numbers of the two orders, one for each element.

    Examples
    --------
    >>> kendall_tau([1, 2, 3, 4], [1, 3, 2, 4])  # 5 of 6 pairs agree, 1 does not
    0.6666666666666666
    """
    x, y = (check_numbers(values, "kendall_tau") for values in (first, second))
    check_lengths(x, y, "kendall_tau")
    n = len(x)
    if n < 2:  # noqa: PLR2004 (no pair)
        return float("nan")
    if n > SQUARE:
        from scipy.stats import kendalltau  # noqa: PLC0415

        return float(kendalltau(x, y).statistic)
    return tau_of_ranks(*(np.unique(row, return_inverse=True)[1] for row in (x, y)))


def tau_of_ranks(x: Ints, y: Ints) -> float:
    """Tau-b of at most ``SQUARE`` ranks, comparing all pairs block by block."""
    n = len(x)
    pairs = n * (n - 1) // 2
    tied_x, tied_y = _tied_pairs(x), _tied_pairs(y)
    if pairs in {tied_x, tied_y}:
        return float("nan")
    # A pair tied in x is neither; ordering by y within such a tie keeps it from counting as discordant.
    key = x * (int(y.max()) + 1) + y
    order = np.argsort(key, kind="stable")
    tied_both = _tied_pairs(np.cumsum(np.diff(key[order], prepend=key[order[0]]) > 0)) if tied_x and tied_y else 0
    rows: Any = y[order].astype(np.uint16 if int(y.max()) < 1 << 16 else np.int64)
    discordant = 0
    for start in range(0, n, BLOCK):
        block, rest = rows[start : start + BLOCK], rows[start + BLOCK :]
        discordant += int(np.count_nonzero((block[:, None] > block) & LATER[: len(block), : len(block)]))
        discordant += int(np.count_nonzero(block[:, None] > rest))
    concordant = pairs - tied_x - tied_y + tied_both - discordant
    return float((concordant - discordant) / np.sqrt(float(pairs - tied_x) * float(pairs - tied_y)))


def _tied_pairs(ranks: Ints) -> int:
    sizes = np.bincount(ranks)
    return int((sizes * (sizes - 1) // 2).sum())


def tau_ap(estimate: Sequence[float] | Floats, reference: Sequence[float] | Floats) -> float:
    """Tau-AP of the order ``estimate`` against a reference: tau with more weight on the top (Yilmaz et al. 2008).

    Higher numbers come first. With ties the value is the exact mean over all orders of the tied elements.

    >>> round(tau_ap([4, 3, 2, 1], [4, 3, 1, 2]), 4), round(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]), 4)
    (0.7778, 0.3333)
    """
    estimated, truth = (check_numbers(values, "tau_ap") for values in (estimate, reference))
    check_lengths(estimated, truth, "tau_ap")
    n = len(estimated)
    if n < 2:  # noqa: PLR2004 (no pair)
        return float("nan")
    # correct[a, b]: the reference puts a before b, one half if it ties them
    correct: Floats = (truth[:, None] > truth[None, :]) + 0.5 * (truth[:, None] == truth[None, :])
    above: Bools = estimated[:, None] > estimated[None, :]
    tied: Bools = (estimated[:, None] == estimated[None, :]) & ~np.eye(n, dtype=bool)
    total = 0.0
    for item in range(n):
        before, size = int(above[:, item].sum()), int(tied[:, item].sum()) + 1
        from_above, from_tied = float(correct[above[:, item], item].sum()), float(correct[tied[:, item], item].sum())
        for place in range(size):  # number of tied elements placed before this one
            if before + place:
                share = place / (size - 1) if size > 1 else 0.0
                total += (from_above + share * from_tied) / (before + place) / size
    return 2 * total / (n - 1) - 1


def rbo(first: Order, second: Order, p: float = 0.9) -> float:
    """Extrapolated rank-biased overlap of ``first`` and ``second`` (RBO_ext, Webber et al. 2010); 1 for equal lists.

    Lists are items, best first, or ``{item: score}`` with equal scores tied; with ties the value is the exact mean over
    all orders of the tied items (RBO^a, Corsi and Urbano 2024). The higher the persistence ``p``, between 0 and 1, the
    more weight is on low ranks.

    >>> round(rbo(["a", "b", "c"], ["a", "c", "b"]), 4)
    0.955
    >>> rbo({"a": 2.0, "b": 1.0, "c": 1.0}, {"a": 2.0, "b": 1.0, "c": 1.0}) < 1  # b and c may come in either order
    True
    """
    check_persistence(p)
    (items, top_one, bottom_one), (others, top_two, bottom_two) = _spans(first), _spans(second)
    places = {item: place for place, item in enumerate(others)}
    common = [(place, places[item]) for place, item in enumerate(items) if item in places]
    first_place, second_place = np.array(common, dtype=np.int64).reshape(-1, 2).T
    spans = (top_one[first_place], bottom_one[first_place], top_two[second_place], bottom_two[second_place])
    return float(rbo_of_spans(np.zeros_like(first_place), spans, np.array([[len(items), len(others)]]), p)[0])


def check_persistence(p: float) -> None:
    """Raise an error if the persistence is not between 0 and 1."""
    check_share("p", p, "rbo")


def _spans(order: Order) -> tuple[list[object], Ints, Ints]:
    """Return the items, and the first and last rank that each may take."""
    if isinstance(order, Mapping):
        scores = check_numbers([*order.values()], "rbo")
        ordered = np.sort(-scores)
        return [*order], np.searchsorted(ordered, -scores) + 1, np.searchsorted(ordered, -scores, side="right")
    if not isinstance(order, str) and not is_listing(order):
        raise ParameterError.of(
            "a list", order, ("items, best first, or {item: score}", "从好到差的物品，或 {物品: 分数}"), "rbo"
        )
    items = [*order]
    if not all(isinstance(item, Hashable) for item in items):
        raise ParameterError("rbo: items must be ids, such as text or numbers")
    if len({*items}) < len(items):
        raise ParameterError("rbo: an item occurs in a list more than once")
    return items, np.arange(1, len(items) + 1), np.arange(1, len(items) + 1)


def rbo_of_spans(query: Ints, spans: tuple[Ints, Ints, Ints, Ints], sizes: Ints, p: float) -> Floats:
    """RBO of many pairs of lists.

    ``query`` is the query of each common item, ``spans`` its first and last rank in the first list, then in the second;
    ``sizes`` are the lengths of both lists of each query.
    """
    top_one, bottom_one, top_two, bottom_two = spans
    depth = int(sizes.max(initial=0))
    queries = len(sizes)
    untied = (top_one == bottom_one) & (top_two == bottom_two)
    places = query[untied] * (depth + 1) + np.maximum(top_one, top_two)[untied]
    entering = np.bincount(places, minlength=queries * (depth + 1)).astype(np.float64)
    tied = np.flatnonzero(~untied)
    starts, ends = np.maximum(top_one, top_two), np.maximum(bottom_one, bottom_two)
    per_block = max(1, CELLS // max(1, int((ends - starts).max(initial=0)) + 1))
    for block in np.split(tied, np.arange(per_block, len(tied), per_block)):
        # A tied item enters the overlap at each of its ranks with some probability.
        runs = Segments.of_sizes(ends[block] - starts[block] + 1)
        row = runs.spread(block)
        at = (runs.place() - 1).astype(np.int64) + starts[row]
        inside = [
            _share(depth_, top_one[row], bottom_one[row]) * _share(depth_, top_two[row], bottom_two[row])
            for depth_ in (at - 1, at)
        ]
        entering += np.bincount(query[row] * (depth + 1) + at, inside[1] - inside[0], len(entering))
    overlap = np.cumsum(entering.reshape(queries, depth + 1), axis=1)
    short, long = sizes.min(axis=1), sizes.max(axis=1)
    ranks = np.arange(1, depth + 1)
    weights = p**ranks / ranks
    within = ranks <= long[:, None]
    rows = np.arange(queries)
    at_short, at_long = overlap[rows, short], overlap[rows, long]
    agreed = (overlap[:, 1:] * weights * within).sum(axis=1)
    over_short = np.divide(at_short, short, out=np.zeros(queries), where=short > 0)
    over_long = np.divide(at_long - at_short, long, out=np.zeros(queries), where=long > 0)
    beyond = ((ranks > short[:, None]) * within * (ranks - short[:, None]) * weights).sum(axis=1) * over_short
    result = (1 - p) / p * (agreed + beyond) + (over_long + over_short) * p**long
    return np.where(long == 0, np.nan, result)


def _share(depth: Ints, top: Ints, bottom: Ints) -> Floats:
    """Probability that an item which may take the ranks top to bottom is within a depth."""
    return np.clip((depth - top + 1) / (bottom - top + 1), 0.0, 1.0)
