"""Attainable values: how far apart the values are that a metric takes for rankings of the same items.

Precision, hit rates and reciprocal ranks of few queries take few values, so that decimals say nothing: a number of
another ranking, or of another definition, is one of them, too.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rankgauge.errors import RankgaugeError
from rankgauge.matching.apply_rules import apply_rules
from rankgauge.matching.copies import FIRST
from rankgauge.matching.matched import Matched
from rankgauge.reconciliation.printed_number import NOISE
from rankgauge.reconciliation.reconciliation_data import ReconciliationData
from rankgauge.reconciliation.rule_setting import RuleSetting
from rankgauge.segments import Floats

SHUFFLES = 40
"""Shuffled rankings for each definition."""
SHUFFLED_QUERIES = 16
"""Number of queries that are shuffled; the means of more queries are closer in proportion."""
MOST_QUERIES = 2_000
"""With more queries, means are closer than the digits that are printed."""
MOST_DEFINITIONS = 32
"""Number of definitions whose values are counted."""
REPEATED = 4
"""Values are few if the median one is seen this often; decimals tell more values apart."""


def spacing(data: ReconciliationData, settings: Iterable[RuleSetting]) -> float:
    """Return the distance between neighbouring values of these definitions for shuffled rankings of the same items.

    0 if they take many values; infinite if no order of the items matters.
    """
    distinct = [*dict.fromkeys(settings)]
    if not distinct or len(data.queries) > MOST_QUERIES:
        return 0.0
    random = np.random.default_rng(0)
    seen: list[float] = []
    for setting in distinct[:: -(-len(distinct) // MOST_DEFINITIONS)]:
        try:
            rows = _shuffled(data.matched(setting.convention), random)
            values = setting.metric.values(apply_rules(rows, setting.convention), setting.convention)
        except RankgaugeError:  # the definition refuses the data
            continue
        means = np.ma.masked_invalid(values.reshape(SHUFFLES, -1)).mean(axis=1).compressed()
        if len(means) and np.ptp(means) > NOISE:  # else the order does not matter to it
            seen += means.tolist()
    return _spacing(np.array(seen)) * min(1.0, SHUFFLED_QUERIES / len(data.queries))


def _shuffled(matched: Matched, random: np.random.Generator) -> Matched:
    """Return some queries as often as they are shuffled, with their items, each once, at random ranks."""
    drawn = _drawn(matched)
    queries = SHUFFLES * len(drawn)
    returned = np.tile([length for length, _, _ in drawn], SHUFFLES)
    sizes, pools = (np.tile([len(part) for part in column], SHUFFLES) for column in [*zip(*drawn, strict=True)][1:])
    above = np.concatenate([random.permutation(length)[:size] for length, size in zip(returned, sizes, strict=True)])
    return Matched(
        query=np.repeat(np.arange(queries), sizes),
        grade=np.tile(np.concatenate([grades for _, grades, _ in drawn]), SHUFFLES),
        above=above,
        tied=np.ones_like(above),
        before=np.zeros_like(above),
        returned=returned,
        pool_query=np.repeat(np.arange(queries), pools),
        pool_grade=np.tile(np.concatenate([pool for _, _, pool in drawn]), SHUFFLES),
        positive=None if matched.positive is None else np.ones(len(above), dtype=bool),
    )


def _drawn(matched: Matched) -> list[tuple[int, Floats, Floats]]:
    """Return the length, the grades of the returned items and those of the pool of some queries in any order."""
    once = np.ones(len(matched.query), dtype=bool) if matched.copy is None else matched.copy == FIRST
    by_query = [
        (length, *(np.sort(grade[query == number]) for query, grade in columns))
        for columns in [((matched.query[once], matched.grade[once]), (matched.pool_query, matched.pool_grade))]
        for number, length in enumerate(matched.returned.tolist())
    ]
    by_query.sort(key=lambda each: (each[0], each[1].tobytes(), each[2].tobytes()))
    return by_query[:: -(-len(by_query) // SHUFFLED_QUERIES)]


def _spacing(seen: Floats) -> float:
    """Return the range of few values over the steps between them, if all were as frequent as the median one."""
    if not len(seen):
        return np.inf
    ordered = np.sort(seen)
    counts = np.diff(np.flatnonzero(np.diff(ordered, prepend=-np.inf) > NOISE), append=len(ordered))
    times = float(np.median(np.repeat(counts, counts)))
    return float(ordered[-1] - ordered[0]) / (len(seen) / times - 1) if times >= REPEATED else 0.0
