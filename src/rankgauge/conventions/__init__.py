"""The rules that can move a number."""

from rankgauge.conventions.convention import DEFAULT, RULES, Convention
from rankgauge.conventions.rule import Rule

__all__ = ["DEFAULT", "RULES", "Convention", "Rule"]
