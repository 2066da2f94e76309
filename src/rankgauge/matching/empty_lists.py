"""Empty lists in tables of a ranking: rows without an item, whose queries were searched and returned nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.inputs.findings import Findings
from rankgauge.matching.judgments import Judgments
from rankgauge.segments import Bools, Ints


def emptied(empty: list[Any], judgments: Judgments, unanswered: Bools, unjudged: list[Any], findings: Findings) -> Ints:
    """Return which of the unanswered queries have an empty list; such queries without judgments are reported."""
    from rankgauge.matching.from_frames import report_unjudged  # noqa: PLC0415 (loads polars)

    number_of = {str(query): number for number, query in enumerate(judgments.queries)}
    if others := [query for query in empty if str(query) not in number_of]:
        report_unjudged(others, unjudged, findings)
    numbers = {number_of[str(query)] for query in empty if str(query) in number_of}
    return np.array(sorted(number for number in numbers if unanswered[number]), dtype=np.int64)
