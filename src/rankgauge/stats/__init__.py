"""Statistics of per-query values as plain functions of arrays, public as ``rg.stats``.

Parameters mean the same in every function: ``first`` and ``second`` are the values of two systems, one per query in the
same order, and differences are second minus first; a matrix has a row per query and a column per system;
``alternative="greater"`` tests whether the second system has the higher values; ``alpha`` is a significance level and
``level`` a confidence level; ``permutations`` and ``resamples`` are the numbers of random samples, and ``seed`` fixes
them. Tests return a result with ``.statistic`` and ``.p``; corrections take p-values.

>>> import rankgauge as rg
>>> first, second = [0.31, 0.52, 0.18, 0.44, 0.60], [0.39, 0.55, 0.30, 0.43, 0.71]
>>> round(rg.stats.paired_t(first, second).p, 4)
0.0552
>>> rg.stats.randomisation(first, second).p
0.125
>>> rg.stats.holm([0.01, 0.04, 0.03]).round(6).tolist()
[0.03, 0.06, 0.06]
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _TYPE_CHECKING:
    from rankgauge.stats.abstention import abstention_nauc as abstention_nauc
    from rankgauge.stats.best_settings import BestResult as BestResult
    from rankgauge.stats.best_settings import hsu_best as hsu_best
    from rankgauge.stats.best_settings import repeated_folds_interval as repeated_folds_interval
    from rankgauge.stats.corrections import Correction as Correction
    from rankgauge.stats.corrections import benjamini_hochberg as benjamini_hochberg
    from rankgauge.stats.corrections import bonferroni as bonferroni
    from rankgauge.stats.corrections import holm as holm
    from rankgauge.stats.intervals import BootstrapResult as BootstrapResult
    from rankgauge.stats.intervals import Interval as Interval
    from rankgauge.stats.intervals import bca_interval as bca_interval
    from rankgauge.stats.intervals import bootstrap as bootstrap
    from rankgauge.stats.intervals import bootstrap_t_interval as bootstrap_t_interval
    from rankgauge.stats.intervals import bounded_interval as bounded_interval
    from rankgauge.stats.intervals import t_interval as t_interval
    from rankgauge.stats.intervals import wilson_interval as wilson_interval
    from rankgauge.stats.judge_rates import CorrectedRate as CorrectedRate
    from rankgauge.stats.judge_rates import rogan_gladen as rogan_gladen
    from rankgauge.stats.paired_tests import Alternative as Alternative
    from rankgauge.stats.paired_tests import PairedTestResult as PairedTestResult
    from rankgauge.stats.paired_tests import RandomisationResult as RandomisationResult
    from rankgauge.stats.paired_tests import paired_t as paired_t
    from rankgauge.stats.paired_tests import randomisation as randomisation
    from rankgauge.stats.paired_tests import sign as sign
    from rankgauge.stats.paired_tests import wilcoxon as wilcoxon
    from rankgauge.stats.power import detectable_effect as detectable_effect
    from rankgauge.stats.power import paired_t_power as paired_t_power
    from rankgauge.stats.power import queries_needed as queries_needed
    from rankgauge.stats.rank_agreement import kendall_tau as kendall_tau
    from rankgauge.stats.rank_agreement import rbo as rbo
    from rankgauge.stats.rank_agreement import tau_ap as tau_ap
    from rankgauge.stats.rank_groups import compact_letters as compact_letters
    from rankgauge.stats.rank_groups import rank_sets as rank_sets
    from rankgauge.stats.rater_agreement import cohen_kappa as cohen_kappa
    from rankgauge.stats.rater_agreement import gwet_ac1 as gwet_ac1
    from rankgauge.stats.rater_agreement import gwet_ac2 as gwet_ac2
    from rankgauge.stats.rater_agreement import krippendorff_alpha as krippendorff_alpha
    from rankgauge.stats.simultaneous_pairs import AllPairsResult as AllPairsResult
    from rankgauge.stats.simultaneous_pairs import all_pairs as all_pairs
    from rankgauge.stats.strengths import BradleyTerryResult as BradleyTerryResult
    from rankgauge.stats.strengths import bradley_terry as bradley_terry
    from rankgauge.stats.tukey import TukeyResult as TukeyResult
    from rankgauge.stats.tukey import randomised_tukey_hsd as randomised_tukey_hsd
    from rankgauge.stats.tukey import tukey_hsd as tukey_hsd
    from rankgauge.stats.two_phase import MeanEstimate as MeanEstimate
    from rankgauge.stats.two_phase import ppi_mean as ppi_mean
    from rankgauge.stats.two_phase import two_phase_mean as two_phase_mean

_DEFINITIONS = {
    "abstention": "abstention_nauc",
    "best_settings": "BestResult hsu_best repeated_folds_interval",
    "corrections": "Correction benjamini_hochberg bonferroni holm",
    "intervals": "BootstrapResult Interval bca_interval bootstrap bootstrap_t_interval bounded_interval t_interval "
    "wilson_interval",
    "judge_rates": "CorrectedRate rogan_gladen",
    "paired_tests": "Alternative PairedTestResult RandomisationResult paired_t randomisation sign wilcoxon",
    "power": "detectable_effect paired_t_power queries_needed",
    "rank_agreement": "kendall_tau rbo tau_ap",
    "rank_groups": "compact_letters rank_sets",
    "rater_agreement": "cohen_kappa gwet_ac1 gwet_ac2 krippendorff_alpha",
    "simultaneous_pairs": "AllPairsResult all_pairs",
    "strengths": "BradleyTerryResult bradley_terry",
    "tukey": "TukeyResult randomised_tukey_hsd tukey_hsd",
    "two_phase": "MeanEstimate ppi_mean two_phase_mean",
}
"""Modules and the public names they define; loaded on first use, because most evaluations need few of them."""

if not _TYPE_CHECKING:
    _MODULES = {name: f"{__name__}.{module}" for module, names in _DEFINITIONS.items() for name in names.split()}
    __all__ = sorted(_MODULES)  # noqa: PLE0605

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(_import_module(_MODULES[name]), name)
        return value

    def __dir__() -> list[str]:
        return __all__
