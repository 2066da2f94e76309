"""Conventions: the rules that can change a number."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgauge.conventions.convention import DEFAULT, DEFAULT_NAME, RULES, Convention, ConventionLike, check_convention
from rankgauge.conventions.rule import Rule

if TYPE_CHECKING:
    from rankgauge.conventions.presets import PRESETS, Preset, preset

__all__ = [
    "DEFAULT",
    "DEFAULT_NAME",
    "PRESETS",
    "RULES",
    "Convention",
    "ConventionLike",
    "Preset",
    "Rule",
    "check_convention",
    "preset",
]


def __getattr__(name: str) -> Any:
    """Load presets on first use."""
    if name not in {"PRESETS", "Preset", "preset"}:
        raise AttributeError(f"module 'rankgauge.conventions' has no attribute {name!r}")
    return getattr(import_module("rankgauge.conventions.presets"), name)
