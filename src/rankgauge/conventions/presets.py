"""Conventions of named tools: versioned, never edited once released."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rankgauge.conventions.convention import Convention
from rankgauge.errors import UnknownNameError

PRESETS: Mapping[str, Convention] = MappingProxyType(
    {
        "trec_eval-9": Convention(score_precision="float32", recall_point="trec_eval-9", missing="skip"),
        "trec_eval-10": Convention(recall_point="round", missing="error"),
    }
)
"""The rules of each tool, by its name and version."""


def preset(name: str) -> Convention:
    """The convention of a tool.

    >>> preset("trec_eval-9").score_precision
    'float32'
    """
    if name not in PRESETS:
        raise UnknownNameError.closest("preset", name, PRESETS)
    return PRESETS[name]
