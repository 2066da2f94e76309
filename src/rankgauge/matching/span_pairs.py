"""Which returned spans find which judged ones, under a rule for spans: all queries at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.conventions.relevance import SpanRule
from rankgauge.matching.item_keys import item_keys
from rankgauge.segments import Bools, Floats, Ints, Segments


class SpanPairs(NamedTuple):
    """Judged spans and the returned ones that share characters with them, by judged span and rank."""

    gold: Ints
    """The judged item of each pair; a group has several spans."""
    member: Ints
    """The judged span of each pair."""
    row: Ints
    """The returned span of each pair."""
    rank: Ints
    """Its rank, from 0."""
    start: Ints
    end: Ints
    """What the two spans share."""
    gold_length: Ints
    chunk_length: Ints

    @classmethod
    def of(cls, golds: pl.DataFrame, chunks: pl.DataFrame) -> SpanPairs:
        """Join judged spans (gold, query, document, start, end) with returned ones (row, rank, query, ...).

        Queries are numbers.
        """
        left, right = (
            pl.DataFrame({name: np.arange(side.height), "key": item_keys(side["document"], side["query"].to_numpy())})
            for side, name in ((chunks, "chunk"), (golds, "member"))
        )
        both = left.join(right, on="key", how="inner")
        chunk, member = both["chunk"].to_numpy(), both["member"].to_numpy()
        of_chunk = {name: chunks[name].to_numpy() for name in ("query", "start", "end", "row", "rank")}
        of_gold = {name: golds[name].to_numpy() for name in ("query", "start", "end", "gold")}
        near = of_chunk["query"][chunk] == of_gold["query"][member]
        near &= of_chunk["start"][chunk] < of_gold["end"][member]
        near &= of_gold["start"][member] < of_chunk["end"][chunk]
        chunk, member = chunk[near], member[near]
        same = (chunks["document"].gather(chunk) == golds["document"].gather(member)).to_numpy()
        chunk, member = chunk[same], member[same]
        order = by_pair(member, of_chunk["rank"][chunk])
        _, start, end, row, rank = (column[chunk[order]] for column in of_chunk.values())
        _, first, last, gold = (column[member[order]] for column in of_gold.values())
        shared = np.maximum(start, first), np.minimum(end, last)
        return cls(gold, member[order], row, rank, *shared, last - first, end - start)

    def of_pairs(self, kept: Bools | Ints) -> SpanPairs:
        """Return some of the pairs."""
        return SpanPairs(*(column[kept] for column in self))

    def fulfilling(self, rule: SpanRule) -> SpanPairs:
        """Return the pairs that fulfil a rule, whether the judged item was found above or not."""
        if rule.joint:
            new = self.new_shares()
            share = (Segments.of_runs(self.member).above(new) + new) / self.gold_length
        else:
            share = (self.end - self.start) / (self.chunk_length if rule.of_chunk else self.gold_length)
        return self.of_pairs(share >= rule.level)

    def first_found(self) -> SpanPairs:
        """Return the pair of each judged item with the smallest rank."""
        order = by_pair(self.gold, self.rank)
        gold = self.gold[order]
        first = np.ones(len(gold), dtype=bool)
        first[1:] = gold[1:] != gold[:-1]
        return self.of_pairs(order[first])

    def new_shares(self) -> Ints:
        """Return how many characters of the judged span of each pair are covered at its rank and not above."""
        covered = self.end - self.start
        same = self.member[1:] == self.member[:-1]
        if not same.any():
            return covered
        covered = covered.copy()
        several = np.zeros(len(self.member), dtype=bool)
        several[1:] |= same
        several[:-1] |= same
        rows = np.flatnonzero(several)
        starts, ends, members = (column[rows].tolist() for column in (self.start, self.end, self.member))
        current, pieces, new = -1, list[tuple[int, int]](), list[int]()
        for start, end, member in zip(starts, ends, members, strict=True):
            if member != current:
                current, pieces = member, []
            new.append(add_piece(pieces, start, end))
        covered[rows] = new
        return covered


def by_pair(first: Ints, second: Ints) -> Ints:
    """Return the order of pairs of numbers below 2^31; equal ones stay in order."""
    return np.argsort((first.astype(np.int64) << 31) + second, kind="stable")


def add_piece(pieces: list[tuple[int, int]], start: int, end: int) -> int:
    """Add a stretch to disjoint ones, and return how many characters are new.

    >>> pieces = [(0, 5), (10, 20)]
    >>> add_piece(pieces, 3, 12), pieces
    (5, [(0, 20)])
    """
    new, kept, low, high = end - start, [], start, end
    for first, last in pieces:
        if last < start or first > end:
            kept.append((first, last))
        else:
            new -= min(last, end) - max(first, start)
            low, high = min(low, first), max(high, last)
    pieces[:] = sorted([*kept, (low, high)])
    return new


def further_grades(pairs: SpanPairs, grades: Floats) -> tuple[Ints, Ints, dict[int, list[float]]]:
    """Return the rows that find something, the best judged item of each, and the grades of the others.

    >>> pairs = SpanPairs(*map(np.array, ([0, 1, 2], [0, 1, 2], [5, 5, 7], [0, 0, 1], *[[0, 0, 0]] * 4)))
    >>> further_grades(pairs, np.array([1.0, 3.0, 1.0]))
    (array([5, 7]), array([1, 2]), {5: [1.0]})
    """
    order = np.lexsort((pairs.gold, -grades[pairs.gold], pairs.row))
    row, gold = pairs.row[order], pairs.gold[order]
    first = np.ones(len(row), dtype=bool)
    first[1:] = row[1:] != row[:-1]
    further: dict[int, list[float]] = {}
    for place in np.flatnonzero(~first).tolist():
        further.setdefault(int(row[place]), []).append(float(grades[gold[place]]))
    return row[first], gold[first], further
