"""Values as JSON can hold them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def finite_or_none(value: Any) -> Any:
    """Replace NaN and infinity by None, also inside mappings, lists and tuples (which become lists).

    >>> finite_or_none({"mean": float("nan"), "ends": (0.5, float("inf"))})
    {'mean': None, 'ends': [0.5, None]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite_or_none(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite_or_none(inner) for inner in value]
    return value


def to_json(data: Any) -> str:
    """Return compact JSON; NaN and infinity are refused."""
    import json  # noqa: PLC0415 (not needed to import rankgauge)

    return json.dumps(data, separators=(",", ":"), allow_nan=False)
