"""cwl_eval: the expected utility of each topic, of gains from 0 to 1 in input order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from cwl.ruler import cwl_ruler as ruler
from cwl.ruler.ranking import Ranking

from worlds import World

METRICS: dict[str, Callable[[], Any]] = {
    "P@5": lambda: ruler.PrecisionCWLMetric(5),
    "RR": ruler.RRCWLMetric,
    "AP": ruler.APCWLMetric,
    "RBP@0.9": lambda: ruler.RBPCWLMetric(0.9),
    "NDCG-k@5": lambda: ruler.NDCGCWLMetric(5),
    "BPM-Static-T=1.0-K=5": lambda: ruler.BPMCWLMetric(1.0, 5),
    "INST-T=1.0": lambda: ruler.INSTCWLMetric(1.0),
    "INSQ-T=1.0": lambda: ruler.INSQCWLMetric(1.0),
    "NERR-EQ8@k=5": lambda: ruler.NERReq8CWLMetric(5),
    "NERR-EQ9@k=5": lambda: ruler.NERReq9CWLMetric(5),
    "NERR-EQ10@phi=0.9": lambda: ruler.NERReq10CWLMetric(0.9),
    "NERR-EQ11@T=1.0": lambda: ruler.NERReq11CWLMetric(1.0),
}


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the expected utility of each query; the lists are in order, best first."""

    def gains(query: dict[str, Any]) -> list[float]:
        ranked = sorted(query["ranking"], key=lambda pair: -pair[1])
        return [query["judged"].get(item, np.nan) for item, _ in ranked]

    return {
        metric: [
            [
                float(METRICS[metric]().measure(Ranking(query["query"], gains(query), [1.0] * len(query["ranking"]))))
                for query in world
            ]
            for world in worlds
        ]
        for metric in metrics
    }
