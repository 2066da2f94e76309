"""Detection of sampled candidates: lists of nearly equal length, each with exactly one relevant item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.matching.matched import Matched

LARGEST_SAMPLE = 1_001
"""Usual samples have 49, 99, 100, 500, 999 or 1,000 items and the relevant one."""
SMALLEST_SAMPLE = 20
MIN_LENGTH = 0.9
"""Length of the shortest list relative to the longest; items sampled twice make a list a little shorter."""
MIN_QUERIES = 10
"""With fewer queries it may be a coincidence."""


@dataclass
class CandidateCheck:
    """Checks batches of queries for sampled candidates, and stops at the first that does not fit."""

    queries: int = 0
    size: int = 0
    _shortest: int = LARGEST_SAMPLE
    _fits: bool = True

    def add(self, matched: Matched, rel: float) -> None:
        """Check a batch of queries; uses counts only, so it costs little compared with the matching."""
        if not self._fits or not len(matched.returned):
            return
        self.size = max(self.size, int(matched.returned.max()))
        self._shortest = min(self._shortest, int(matched.returned.min()))
        self.queries += len(matched.returned)
        self._fits = SMALLEST_SAMPLE <= self.size <= LARGEST_SAMPLE and self._shortest >= MIN_LENGTH * self.size
        if self._fits:
            relevant = np.bincount(matched.query[matched.grade >= rel], minlength=len(matched.returned))
            self._fits = bool((matched.relevant(rel) == 1).all() and (relevant == 1).all())

    @property
    def seem_sampled(self) -> bool:
        """Whether all queries fit and there are enough of them."""
        return self._fits and self.queries >= MIN_QUERIES

    def description(self) -> str:
        """Return what the lists have in common."""
        size = self.size if self._shortest == self.size else f"{self._shortest} to {self.size}"
        return f"each of {self.queries:,} lists has {size} candidates, exactly one of them relevant"
