"""Whether the lists are samples of the catalogue: nearly as many items each, always one relevant, always there."""

from __future__ import annotations

import numpy as np

from rankgauge.matching.matched import Matched

LARGEST_SAMPLE = 1_001
"""Samples that people draw are of 49, 99, 100, 500, 999 or 1,000 items and the relevant one."""
SMALLEST_SAMPLE = 20
ALIKE = 0.9
"""A list is this share of the longest at least: items that are drawn twice make it a little shorter."""
FEWEST_QUERIES = 10
"""In fewer queries such a coincidence is no sign of anything."""


class Candidates:
    """Looks at one chunk of queries after the other and stops as soon as one does not fit."""

    def __init__(self) -> None:
        self.queries = 0
        self.size = 0
        self._shortest = LARGEST_SAMPLE
        self._fits = True

    def look(self, matched: Matched, rel: float) -> None:
        """Look at some more queries; counts only, so it costs nothing beside the matching."""
        if not self._fits or not len(matched.returned):
            return
        self.size = max(self.size, int(matched.returned.max()))
        self._shortest = min(self._shortest, int(matched.returned.min()))
        self.queries += len(matched.returned)
        self._fits = SMALLEST_SAMPLE <= self.size <= LARGEST_SAMPLE and self._shortest >= ALIKE * self.size
        if self._fits:
            count = len(matched.returned)
            found = np.bincount(matched.query[matched.grade >= rel], minlength=count)
            self._fits = bool((matched.relevant(rel) == 1).all() and (found == 1).all())

    @property
    def look_sampled(self) -> bool:
        """Whether all queries fit, and there are enough of them."""
        return self._fits and self.queries >= FEWEST_QUERIES

    def described(self) -> str:
        """What was seen."""
        size = self.size if self._shortest == self.size else f"{self._shortest} to {self.size}"
        return f"all {self.queries:,} lists have {size} items, and in each exactly one is relevant"
