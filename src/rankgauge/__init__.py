"""rankgauge: every ranking metric, explained step by step, with the rules that made the number.

>>> import rankgauge as rg
>>> round((rg.nDCG @ 5).of([3, 2, 3, 0, 1]), 6)
0.972364
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgauge import metrics as _families
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

if TYPE_CHECKING:
    from rankgauge.compare.attribution import Attribution, attribute
    from rankgauge.compare.comparison import Comparison
    from rankgauge.compare.difference import diff
    from rankgauge.compare.gate import GateResult, check
    from rankgauge.compare.slices import Slices, slices
    from rankgauge.compare.unjudged import UnjudgedBounds, unjudged_bounds
    from rankgauge.conventions.presets import preset
    from rankgauge.reconcile.explanations import Explanations
    from rankgauge.reconcile.reconciliation import Reconciliation
    from rankgauge.results.evaluate import evaluate, explain
    from rankgauge.results.scores import Scores

__version__ = "0.1.0"

__all__ = [
    "Attribution",
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
    "Sum",
    "UndefinedError",
    "UnjudgedBounds",
    "UnknownNameError",
    "attribute",
    "check",
    "compare",
    "diff",
    "evaluate",
    "explain",
    "metric",
    "metrics",
    "parse",
    "preset",
    "reconcile",
    "rule",
    "slices",
    "total",
    "unjudged_bounds",
    "unregister",
]
__all__ += _families.__all__

_LATER = {
    "Comparison": "compare.comparison",
    "Scores": "results.scores",
    "diff": "compare.difference",
    "Attribution": "compare.attribution",
    "GateResult": "compare.gate",
    "Slices": "compare.slices",
    "UnjudgedBounds": "compare.unjudged",
    "attribute": "compare.attribution",
    "check": "compare.gate",
    "evaluate": "results.evaluate",
    "explain": "results.evaluate",
    "Explanations": "reconcile.explanations",
    "Reconciliation": "reconcile.reconciliation",
    "preset": "conventions.presets",
    "slices": "compare.slices",
    "unjudged_bounds": "compare.unjudged",
}
"""What is loaded when it is first used: a notebook that explains one list need not wait for it."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'rankgauge' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"rankgauge.{_LATER[name]}"), name)
    return found
