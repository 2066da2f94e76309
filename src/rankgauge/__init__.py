"""rankgauge: every ranking metric, explained step by step, with the rules that made the number.

>>> import rankgauge as rg
>>> round((rg.nDCG @ 5).of([3, 2, 3, 0, 1]), 6)
0.972364
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgauge import metrics as _families
from rankgauge.conventions import Convention, preset
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

if TYPE_CHECKING:
    from rankgauge.estimate import logged
    from rankgauge.estimate.cutoff import choose_k
    from rankgauge.estimate.sampled import full_catalogue
    from rankgauge.prepare import grades, holdout
    from rankgauge.results.evaluate import evaluate, explain
    from rankgauge.results.scores import Scores

__version__ = "0.1.0"

__all__ = [
    "Bounds",
    "Convention",
    "Curve",
    "Cutoff",
    "Explanation",
    "InputError",
    "Metric",
    "NonNegative",
    "NotationError",
    "ParameterError",
    "Positive",
    "Probability",
    "RankgaugeError",
    "Scores",
    "Share",
    "Sum",
    "UndefinedError",
    "UnknownNameError",
    "choose_k",
    "evaluate",
    "explain",
    "full_catalogue",
    "grades",
    "holdout",
    "logged",
    "metric",
    "metrics",
    "parse",
    "preset",
    "rule",
    "total",
    "unregister",
]
__all__ += _families.__all__

_LATER = {"Scores": "results.scores", "evaluate": "results.evaluate", "explain": "results.evaluate"}
_LATER |= {"grades": "prepare", "holdout": "prepare"}
_LATER |= {"choose_k": "estimate.cutoff", "full_catalogue": "estimate.sampled", "logged": "estimate"}
"""What is loaded when it is first used: a notebook that explains one list need not wait for it."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'rankgauge' has no attribute {name!r}")
    home = import_module(f"rankgauge.{_LATER[name]}")
    found = globals()[name] = getattr(home, name, None) or import_module(f"{home.__name__}.{name}")
    return found
