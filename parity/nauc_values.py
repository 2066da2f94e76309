"""Compute nAUC with MTEB on small random data sets: ``python parity/nauc_values.py OUT``, in an environment with mteb."""

from __future__ import annotations

import json
import random
import sys
from importlib.metadata import version
from pathlib import Path

SIZES = (2, 3, 5, 10, 15, 20, 35, 45, 55, 100)
"""Numbers of queries; from 15 on, a share of them can be rounded up or down."""


def worlds() -> list[dict]:
    """Generate values and confidences; in every other data set many of them are equal."""
    chance, listed = random.Random(17), []
    for number in range(40):
        size, tied = SIZES[number % len(SIZES)], number >= 20
        draw = (lambda: chance.choice([0.0, 0.25, 0.5, 1.0])) if tied else (lambda: round(chance.random(), 6))
        values = [0.0, 1.0] + [draw() for _ in range(size - 2)]
        listed.append({"values": values, "confidence": [draw() for _ in range(size)]})
    return listed


def main(path: str) -> None:
    """Write the data sets with the value of each."""
    import numpy as np
    from mteb._evaluators.retrieval_metrics import nauc

    computed = [
        {**world, "nauc": float(nauc(np.array(world["confidence"]), np.array(world["values"])))} for world in worlds()
    ]
    text = json.dumps({"tool": "mteb", "version": version("mteb"), "worlds": computed}, indent=None)
    Path(path).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
