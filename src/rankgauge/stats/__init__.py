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

from rankgauge.stats.abstention import abstention_nauc
from rankgauge.stats.best_settings import BestResult, hsu_best, repeated_folds_interval
from rankgauge.stats.corrections import Correction, benjamini_hochberg, bonferroni, holm
from rankgauge.stats.intervals import (
    BootstrapResult,
    Interval,
    bca_interval,
    bootstrap,
    bootstrap_t_interval,
    bounded_interval,
    t_interval,
    wilson_interval,
)
from rankgauge.stats.judge_rates import CorrectedRate, rogan_gladen
from rankgauge.stats.paired_tests import (
    Alternative,
    PairedTestResult,
    RandomisationResult,
    paired_t,
    randomisation,
    sign,
    wilcoxon,
)
from rankgauge.stats.power import detectable_effect, paired_t_power, queries_needed
from rankgauge.stats.rank_agreement import kendall_tau, rbo, tau_ap
from rankgauge.stats.rank_groups import compact_letters, rank_sets
from rankgauge.stats.rater_agreement import cohen_kappa, gwet_ac1, gwet_ac2, krippendorff_alpha
from rankgauge.stats.simultaneous_pairs import AllPairsResult, all_pairs
from rankgauge.stats.strengths import BradleyTerryResult, bradley_terry
from rankgauge.stats.tukey import TukeyResult, randomised_tukey_hsd, tukey_hsd
from rankgauge.stats.two_phase import MeanEstimate, ppi_mean, two_phase_mean

__all__ = [
    "AllPairsResult",
    "Alternative",
    "BestResult",
    "BootstrapResult",
    "BradleyTerryResult",
    "CorrectedRate",
    "Correction",
    "Interval",
    "MeanEstimate",
    "PairedTestResult",
    "RandomisationResult",
    "TukeyResult",
    "abstention_nauc",
    "all_pairs",
    "bca_interval",
    "benjamini_hochberg",
    "bonferroni",
    "bootstrap",
    "bootstrap_t_interval",
    "bounded_interval",
    "bradley_terry",
    "cohen_kappa",
    "compact_letters",
    "detectable_effect",
    "gwet_ac1",
    "gwet_ac2",
    "holm",
    "hsu_best",
    "kendall_tau",
    "krippendorff_alpha",
    "paired_t",
    "paired_t_power",
    "ppi_mean",
    "queries_needed",
    "randomisation",
    "randomised_tukey_hsd",
    "rank_sets",
    "rbo",
    "repeated_folds_interval",
    "rogan_gladen",
    "sign",
    "t_interval",
    "tau_ap",
    "tukey_hsd",
    "two_phase_mean",
    "wilcoxon",
    "wilson_interval",
]
