"""Settings of a comparison: what each is, its bounds, and how a command asks for it."""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from typing import Any, TypedDict, get_args

from rankgauge.errors import UnknownNameError
from rankgauge.rendering.language import Phrase
from rankgauge.stats.corrections import Correction
from rankgauge.stats.power import check_power
from rankgauge.stats.samples import check_number, check_samples, check_whole

CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
"""Corrections of the p-values of several pairs."""


def _setting(default: object, en: str, zh: str, **option: object) -> Any:
    """Declare a setting: its default, the help of its option, and what else the option needs (``type``, ``least``)."""
    return field(default=default, metadata={"help": Phrase(en, zh), "option": option})


@dataclass(frozen=True)
class Settings:
    """How systems are compared; each setting is an argument of ``compare`` and ``report``, and an option of both."""

    alpha: float = _setting(0.05, "Significance level.", "显著性水平。", type=float)
    """Significance level; intervals have the level 1 - alpha."""
    correction: Correction = _setting(  # noqa: RUF009 (a field)
        "holm", "Correction of p-values for multiple comparisons.", "多重比较的 p 值校正方法。", choices=CORRECTIONS
    )
    """Correction of the p-values of several pairs."""
    permutations: int = _setting(
        100_000, "Number of permutations in the randomisation test.", "随机化检验的置换次数。", least=1
    )
    """Random sign flips of the randomisation test, unless all signs (up to 2^20) are enumerated. With more than 10,000
    queries there are fewer, but at least 10,000."""
    resamples: int = _setting(10_000, "Number of bootstrap samples.", "自助抽样的次数。", least=1)
    """Bootstrap samples. With more than 2,000 queries there are fewer, but at least 1,000."""
    seed: int = _setting(0, "Seed of the random numbers.", "随机数种子。", least=0)
    """Seed of all random numbers: the same seed gives the same digits, on any number of threads."""
    tie: float = _setting(1e-9, "Largest difference that counts as a tie.", "视为持平的最大差异。", type=float)
    """Absolute differences up to this are ties."""
    power: float = _setting(
        0.8, "Power with which the detectable difference is detected.", "检出可检出差异的功效。", type=float
    )
    """Power with which the detectable difference is detected."""
    digits: int = _setting(4, "Digits in tables and sentences.", "表格与文字中的小数位数。", least=0, most=17)
    """Digits of means and differences in tables and sentences; plain data have all."""

    def __post_init__(self) -> None:
        check_power(self.alpha, self.power, "compare")
        check_samples("permutations", self.permutations, "compare")
        check_samples("resamples", self.resamples, "compare")
        check_whole("seed", self.seed, 0, "compare")
        check_number("tie", self.tie, 0, "compare")
        check_whole("digits", self.digits, 0, "compare")
        if self.correction not in CORRECTIONS:
            raise UnknownNameError.closest("correction", str(self.correction), CORRECTIONS)


class SettingKeywords(TypedDict, total=False):
    """The settings as keywords."""

    alpha: float
    correction: Correction
    permutations: int
    resamples: int
    seed: int
    tie: float
    power: float
    digits: int


SETTINGS: tuple[Field[Any], ...] = fields(Settings)
"""The settings in the order of their declaration."""
DEFAULT = Settings()
