"""The rules that can move a number."""

from rankgauge.conventions.convention import DEFAULT, RULES, Convention
from rankgauge.conventions.presets import PRESETS, preset
from rankgauge.conventions.rule import Rule

__all__ = ["DEFAULT", "PRESETS", "RULES", "Convention", "Rule", "preset"]
