"""Where each query of flat arrays starts and ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankgauge.errors import InputError, ParameterError
from rankgauge.matching.read_options import ReadOptions
from rankgauge.matching.sources import listed
from rankgauge.segments import Segments


def query_segments(labels: np.ndarray[Any, Any], options: ReadOptions) -> tuple[Segments, Sequence[Any] | None]:
    """Return the segment of each query, and the ids of the queries if they were given."""
    given = options.for_flat_arrays
    if len(given) != 1:
        raise ParameterError(
            "flat arrays need exactly one of groups=[sizes], offsets=[starts and end] or query_ids=[one per item], "
            f"not {' and '.join(given) or 'none'}"
        )
    if options.groups is not None:
        sizes = np.asarray(options.groups, dtype=np.int64)
        if (sizes < 0).any():
            raise ParameterError.of("each of groups", int(sizes[sizes < 0][0]), "the number of items of a query")
        return Segments.of_sizes(sizes), None
    if options.offsets is not None:
        edges = np.asarray(options.offsets, dtype=np.int64)
        if len(edges) == 0 or edges[0] != 0 or edges[-1] != len(labels) or (np.diff(edges) < 0).any():
            raise ParameterError(
                f"offsets must rise from 0 to {len(labels)}, the number of labels; they go from "
                f"{edges[0] if len(edges) else 'nothing'} to {edges[-1] if len(edges) else 'nothing'}"
            )
        return Segments(edges), None
    ids = listed(options.query_ids)
    if len(ids) != len(labels):
        raise InputError(f"query_ids has {len(ids)} entries for {len(labels)} labels; pass one for each label")
    counts: dict[Any, int] = {}
    for query in ids:
        counts[query] = counts.get(query, 0) + 1
    return Segments.of_sizes(np.array([*counts.values()], dtype=np.int64)), [*counts]
