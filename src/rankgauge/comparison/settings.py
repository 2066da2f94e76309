"""Settings of a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from rankgauge.errors import UnknownNameError
from rankgauge.stats.corrections import Correction
from rankgauge.stats.power import check_power
from rankgauge.stats.samples import check_number, check_samples, check_whole

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
        check_power(self.alpha, self.power, "compare")
        check_samples("permutations", self.permutations, "compare")
        check_samples("resamples", self.resamples, "compare")
        check_whole("seed", self.seed, 0, "compare")
        check_number("tie", self.tie, 0, "compare")
        if self.correction not in CORRECTIONS:
            raise UnknownNameError.closest("correction", str(self.correction), CORRECTIONS)


DEFAULT = Settings()
