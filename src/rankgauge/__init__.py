"""rankgauge: every ranking metric, explained step by step, with the rules that made the number.

>>> import rankgauge as rg
>>> round((rg.nDCG @ 5).of([3, 2, 3, 0, 1]), 6)
0.972364
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgauge import beyond as _beyond
from rankgauge import metrics as _families
from rankgauge.beyond import *
from rankgauge.beyond.background import Background
from rankgauge.compare.entry import compare
from rankgauge.conventions import Convention
from rankgauge.errors import InputError, NotationError, ParameterError, RankgaugeError, UndefinedError, UnknownNameError
from rankgauge.metrics import *
from rankgauge.metrics.curve import Curve
from rankgauge.metrics.declare import metric
from rankgauge.metrics.explanation import Explanation
from rankgauge.metrics.metric import Bounds, Metric
from rankgauge.metrics.notation import parse
from rankgauge.metrics.parameters import Cutoff, NonNegative, Positive, Probability, Share, rule
from rankgauge.metrics.registry import metrics, unregister
from rankgauge.metrics.sums import Sum, total
from rankgauge.reconcile.entry import reconcile
from rankgauge.report.entry import report

if TYPE_CHECKING:
    from rankgauge.adapters import keras as keras
    from rankgauge.adapters import lightgbm as lightgbm
    from rankgauge.adapters import sklearn as sklearn
    from rankgauge.adapters import torchmetrics as torchmetrics
    from rankgauge.adapters import xgboost as xgboost
    from rankgauge.beyond.warmth import warmth
    from rankgauge.compare.attribution import Attribution, attribute
    from rankgauge.compare.comparison import Comparison
    from rankgauge.compare.difference import diff
    from rankgauge.compare.gate import GateResult, check
    from rankgauge.compare.slices import Slices, slices
    from rankgauge.compare.unjudged import UnjudgedBounds, unjudged_bounds
    from rankgauge.conventions.presets import preset
    from rankgauge.engines import cupy as cupy
    from rankgauge.engines import duckdb as duckdb
    from rankgauge.engines import jax as jax
    from rankgauge.engines import spark as spark
    from rankgauge.engines import torch as torch
    from rankgauge.engines.streaming import StreamingScores
    from rankgauge.estimate import logged
    from rankgauge.estimate.cutoff import choose_k
    from rankgauge.estimate.sampled import full_catalogue
    from rankgauge.prepare import grades, holdout
    from rankgauge.reconcile.explanations import Explanations
    from rankgauge.reconcile.reconciliation import Reconciliation
    from rankgauge.results.evaluate import evaluate, explain
    from rankgauge.results.group_gaps import group_gaps
    from rankgauge.results.scores import Scores

__version__ = "0.1.0"

__all__ = [
    "Attribution",
    "Background",
    "Bounds",
    "Comparison",
    "Convention",
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
    "Slices",
    "StreamingScores",
    "Sum",
    "UndefinedError",
    "UnjudgedBounds",
    "UnknownNameError",
    "attribute",
    "check",
    "choose_k",
    "compare",
    "diff",
    "evaluate",
    "explain",
    "full_catalogue",
    "grades",
    "group_gaps",
    "holdout",
    "logged",
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
    "warmth",
]
__all__ += _families.__all__
__all__ += _beyond.__all__

_LATER = {
    "Comparison": "compare.comparison",
    "Scores": "results.scores",
    "StreamingScores": "engines.streaming",
    "diff": "compare.difference",
    "Attribution": "compare.attribution",
    "GateResult": "compare.gate",
    "Slices": "compare.slices",
    "UnjudgedBounds": "compare.unjudged",
    "attribute": "compare.attribution",
    "check": "compare.gate",
    "evaluate": "results.evaluate",
    "explain": "results.evaluate",
    "choose_k": "estimate.cutoff",
    "full_catalogue": "estimate.sampled",
    "grades": "prepare",
    "holdout": "prepare",
    "logged": "estimate",
    "Explanations": "reconcile.explanations",
    "Reconciliation": "reconcile.reconciliation",
    "preset": "conventions.presets",
    "slices": "compare.slices",
    "unjudged_bounds": "compare.unjudged",
    "group_gaps": "results.group_gaps",
    "warmth": "beyond.warmth",
}
"""What is loaded when it is first used: a notebook that explains one list need not wait for it."""

_EDGES = {
    **dict.fromkeys(("cupy", "duckdb", "jax", "spark", "torch"), "engines"),
    **dict.fromkeys(("keras", "lightgbm", "sklearn", "torchmetrics", "xgboost"), "adapters"),
}
"""Modules that need more than rankgauge does by itself; not in ``__all__``, for others have these names too."""


def __getattr__(name: str) -> Any:
    if name in _EDGES:
        return import_module(f"rankgauge.{_EDGES[name]}.{name}")
    if name not in _LATER:
        raise AttributeError(f"module 'rankgauge' has no attribute {name!r}")
    home = import_module(f"rankgauge.{_LATER[name]}")
    found = globals()[name] = getattr(home, name, None) or import_module(f"{home.__name__}.{name}")
    return found
