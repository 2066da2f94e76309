"""Settings: what a comparison can be told, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankgauge.errors import ParameterError, UnknownNameError

CORRECTIONS = ("holm", "bh", "bonferroni", "tukey", "randomised_tukey", "none")
"""How the p-values of many pairs are corrected."""


@dataclass(frozen=True)
class Settings:
    """How systems are compared.

    >>> Settings(alpha=0.01).alpha
    0.01
    """

    alpha: float = 0.05
    """The rate of false alarms that is accepted; intervals have the level 1 - alpha."""
    correction: str = "holm"
    """How p-values are corrected where there are several pairs."""
    permutations: int = 100_000
    """Random sign flips of the randomisation test; up to 2^20 are enumerated instead. Fewer for more than 10,000
    queries, never fewer than 10,000."""
    resamples: int = 10_000
    """Bootstrap samples; fewer for more than 2,000 queries, never fewer than 1,000."""
    seed: int = 0
    """The seed of all random numbers: the same seed gives the same digits, on any number of threads."""
    tie: float = 1e-9
    """Up to this absolute difference a query is a tie."""
    power: float = 0.8
    """The chance with which the detectable difference would have been found."""

    def __post_init__(self) -> None:
        for name in ("alpha", "power"):
            value = getattr(self, name)
            if not _is_number(value) or not 0 < value < 1:
                raise ParameterError.of(name, value, "a number between 0 and 1", "compare")
        if self.power <= self.alpha:
            raise ParameterError.of("power", self.power, f"more than alpha ({self.alpha})", "compare")
        for name, least in (("permutations", 1), ("resamples", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ParameterError.of(name, value, f"a whole number from {least}", "compare")
        if not _is_number(self.tie) or not 0 <= self.tie < float("inf"):
            raise ParameterError.of("tie", self.tie, "a number from 0", "compare")
        if self.correction not in CORRECTIONS:
            raise UnknownNameError.closest("correction", str(self.correction), CORRECTIONS)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


DEFAULT = Settings()
