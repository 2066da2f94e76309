"""rankgauge: ranking metrics with a step-by-step explanation and the definition used.

>>> import rankgauge as rg
>>> round((rg.nDCG @ 5).of([3, 2, 3, 0, 1]), 6)
0.972364
"""

import sys as _sys
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from rankgauge import kernels as _kernels
from rankgauge.conventions import Convention, ConventionLike
from rankgauge.errors import InputError, NotationError, ParameterError, RankgaugeError, UndefinedError, UnknownNameError
from rankgauge.kernels import *
from rankgauge.metric_core.curve import Curve
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.explanation import Explanation
from rankgauge.metric_core.metric import Bounds, Metric
from rankgauge.metric_core.notation import parse
from rankgauge.metric_core.parameters import Cutoff, NonNegative, Positive, Probability, Share, rule
from rankgauge.metric_core.registry import metrics, unregister
from rankgauge.metric_core.sums import Sum, total
from rankgauge.side_information.information import SideInformation

if _TYPE_CHECKING:
    from rankgauge import stats as stats
    from rankgauge.adapters import keras as keras
    from rankgauge.adapters import lightgbm as lightgbm
    from rankgauge.adapters import sklearn as sklearn
    from rankgauge.adapters import torchmetrics as torchmetrics
    from rankgauge.adapters import xgboost as xgboost
    from rankgauge.analysis.attribution import Attribution, attribute
    from rankgauge.analysis.diff import diff
    from rankgauge.analysis.slices import Slices, slices
    from rankgauge.analysis.unjudged import UnjudgedBounds, unjudged_bounds
    from rankgauge.comparison.compare import compare
    from rankgauge.comparison.comparison import Comparison
    from rankgauge.conventions.presets import preset
    from rankgauge.engines.arrays import cupy as cupy
    from rankgauge.engines.arrays import jax as jax
    from rankgauge.engines.arrays import torch as torch
    from rankgauge.engines.streaming.scores import StreamingScores
    from rankgauge.engines.tables import duckdb as duckdb
    from rankgauge.engines.tables import spark as spark
    from rankgauge.estimation import off_policy as off_policy
    from rankgauge.estimation.cutoff import choose_k
    from rankgauge.estimation.sampled_correction import correct_sampled
    from rankgauge.evaluation.evaluate import evaluate, explain
    from rankgauge.evaluation.group_gaps import group_gaps
    from rankgauge.evaluation.scores import Scores
    from rankgauge.gate.check import GateResult, check
    from rankgauge.preparation import grades as grades
    from rankgauge.preparation import holdout as holdout
    from rankgauge.reconciliation.explanations import Explanations
    from rankgauge.reconciliation.reconcile import reconcile
    from rankgauge.reconciliation.reconciliation import Reconciliation
    from rankgauge.reports.report import report
    from rankgauge.side_information.cold_start import cold_start

__version__ = "0.1.0"

_LAZY = {
    "Attribution": "analysis.attribution",
    "Comparison": "comparison.comparison",
    "Explanations": "reconciliation.explanations",
    "GateResult": "gate.check",
    "Reconciliation": "reconciliation.reconciliation",
    "Scores": "evaluation.scores",
    "Slices": "analysis.slices",
    "StreamingScores": "engines.streaming.scores",
    "UnjudgedBounds": "analysis.unjudged",
    "attribute": "analysis.attribution",
    "check": "gate.check",
    "choose_k": "estimation.cutoff",
    "cold_start": "side_information.cold_start",
    "compare": "comparison.compare",
    "correct_sampled": "estimation.sampled_correction",
    "diff": "analysis.diff",
    "evaluate": "evaluation.evaluate",
    "explain": "evaluation.evaluate",
    "group_gaps": "evaluation.group_gaps",
    "preset": "conventions.presets",
    "reconcile": "reconciliation.reconcile",
    "report": "reports.report",
    "slices": "analysis.slices",
    "unjudged_bounds": "analysis.unjudged",
}
"""Public names and the modules that define them; loaded on first use, so that `import rankgauge` stays fast."""

_NAMESPACES = {
    "stats": "stats",
    "grades": "preparation.grades",
    "holdout": "preparation.holdout",
    "off_policy": "estimation.off_policy",
    "cupy": "engines.arrays.cupy",
    "jax": "engines.arrays.jax",
    "torch": "engines.arrays.torch",
    "duckdb": "engines.tables.duckdb",
    "spark": "engines.tables.spark",
    "keras": "adapters.keras",
    "lightgbm": "adapters.lightgbm",
    "sklearn": "adapters.sklearn",
    "torchmetrics": "adapters.torchmetrics",
    "xgboost": "adapters.xgboost",
}
"""Public modules by the short name users write: `rg.torch`, `rg.stats`. Not in `__all__`: a star import of `torch`
would hide the library itself."""

__all__ = [
    "Attribution",
    "Bounds",
    "Comparison",
    "Convention",
    "ConventionLike",
    "Curve",
    "Cutoff",
    "Explanation",
    "Explanations",
    "GateResult",
    "InputError",
    "Metric",
    "NonNegative",
    "NotationError",
    "ParameterError",
    "Positive",
    "Probability",
    "RankgaugeError",
    "Reconciliation",
    "Scores",
    "Share",
    "SideInformation",
    "Slices",
    "StreamingScores",
    "Sum",
    "UndefinedError",
    "UnjudgedBounds",
    "UnknownNameError",
    "attribute",
    "check",
    "choose_k",
    "cold_start",
    "compare",
    "correct_sampled",
    "diff",
    "evaluate",
    "explain",
    "group_gaps",
    "metric",
    "metrics",
    "parse",
    "preset",
    "reconcile",
    "report",
    "rule",
    "slices",
    "total",
    "unjudged_bounds",
    "unregister",
]
__all__ += _kernels.__all__


def __getattr__(name: str) -> object:
    if name in _NAMESPACES:
        return _import_module(f"rankgauge.{_NAMESPACES[name]}")
    if name not in _LAZY:
        raise AttributeError(f"module 'rankgauge' has no attribute {name!r}")
    value = getattr(_import_module(f"rankgauge.{_LAZY[name]}"), name)
    setattr(_sys.modules[__name__], name, value)
    return value


def __dir__() -> list[str]:
    dunders = [name for name in globals() if name.startswith("__")]
    return sorted({*__all__, *_NAMESPACES, *dunders})
