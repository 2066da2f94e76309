"""Settings of a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.stats.corrections import Correction

CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
"""Corrections of the p-values of several pairs."""


@dataclass(frozen=True)
class Settings:
    """How systems are compared."""

    alpha: float = 0.05
    """Significance level; intervals have the level 1 - alpha."""
    correction: Correction = "holm"
    """Correction of the p-values of several pairs."""
    permutations: int = 100_000
    """Random sign flips of the randomisation test, unless all signs (up to 2^20) are enumerated. With more than 10,000
    queries there are fewer, but at least 10,000."""
    resamples: int = 10_000
    """Bootstrap samples. With more than 2,000 queries there are fewer, but at least 1,000."""
    seed: int = 0
    """Seed of all random numbers: the same seed gives the same digits, on any number of threads."""
    tie: float = 1e-9
    """Absolute differences up to this are ties."""
    power: float = 0.8
    """Power with which the detectable difference is detected."""

    def __post_init__(self) -> None:
        for name in ("alpha", "power"):
            value = getattr(self, name)
            if not _is_number(value) or not 0 < value < 1:
                raise ParameterError.of(name, value, "a number between 0 and 1", "compare")
        if self.power <= self.alpha:
            raise ParameterError.of("power", self.power, f"more than alpha ({self.alpha})", "compare")
        for name, minimum in (("permutations", 1), ("resamples", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
                raise ParameterError.of(name, value, f"a whole number from {minimum}", "compare")
        if not _is_number(self.tie) or not 0 <= self.tie < float("inf"):
            raise ParameterError.of("tie", self.tie, "a number from 0", "compare")
        if self.correction not in CORRECTIONS:
            raise UnknownNameError.closest("correction", str(self.correction), CORRECTIONS)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


DEFAULT = Settings()
