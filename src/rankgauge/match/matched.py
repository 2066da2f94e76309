"""Matched: what every road from the data has in common, before any rule is applied.

For each returned item that stands in the judgments: its grade, how many items of its query have a higher
score, how many have the same, and how many of those stand before it. How these are counted depends on what
the user holds (a list, dicts, frames, arrays); what is made of them does not (``rankgauge.match.settle``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge.match.segments import Floats, Ints


@dataclass(slots=True)
class Matched:
    """Flat columns of many queries; rows and pool are ordered by query."""

    query: Ints
    """The number of the query of each row."""
    grade: Floats
    """As judged; NaN for an unjudged item, which has a row only where the convention gives it a grade."""
    above: Ints
    """How many returned items of the query have a higher score."""
    tied: Ints
    """How many have the same score, the item itself included."""
    before: Ints
    """How many of those stand before it where the order of equal scores is fixed."""
    returned: Ints
    """How many items were returned for each query."""
    pool_query: Ints
    pool_grade: Floats
    """Query and grade of every judged item, returned or not."""

    @classmethod
    def join(cls, parts: Sequence[Matched]) -> Matched:
        """Parts of which each holds the rows of other queries, numbered through; the pool is the first one's."""
        columns = {
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("query", "grade", "above", "tied", "before")
        }
        returned = np.sum([part.returned for part in parts], axis=0)
        return cls(**columns, returned=returned, pool_query=parts[0].pool_query, pool_grade=parts[0].pool_grade)
