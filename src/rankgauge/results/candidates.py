"""Whether the lists are samples of the catalogue: always as many items, always one of them relevant, always there."""

from __future__ import annotations

import numpy as np

from rankgauge.match.matched import Matched

LARGEST_SAMPLE = 1_001
"""Samples that people draw are of 49, 99, 100, 500, 999 or 1,000 items and the relevant one."""
SMALLEST_SAMPLE = 20
FEWEST_QUERIES = 10
"""In fewer queries such a coincidence is no sign of anything."""


class Candidates:
    """Looks at one chunk of queries after the other and stops as soon as one does not fit."""

    def __init__(self) -> None:
        self.queries = 0
        self.size = 0
        self._fits = True

    def look(self, matched: Matched, rel: float) -> None:
        """Look at some more queries; counts only, so it costs nothing beside the matching."""
        if not self._fits or not len(matched.returned):
            return
        size = self.size or int(matched.returned[0])
        self._fits = SMALLEST_SAMPLE <= size <= LARGEST_SAMPLE and bool((matched.returned == size).all())
        if self._fits:
            count = len(matched.returned)
            judged = np.bincount(matched.pool_query[matched.pool_grade >= rel], minlength=count)
            found = np.bincount(matched.query[matched.grade >= rel], minlength=count)
            self._fits = bool((judged == 1).all() and (found == 1).all())
        self.size, self.queries = size, self.queries + len(matched.returned)

    @property
    def look_sampled(self) -> bool:
        """Whether all queries fit, and there are enough of them."""
        return self._fits and self.queries >= FEWEST_QUERIES

    def described(self) -> str:
        """What was seen."""
        return f"all {self.queries:,} lists have {self.size} items, and in each exactly one is relevant"
