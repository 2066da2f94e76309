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
from rankgauge.beyond.warmth import warmth
from rankgauge.compare.entry import compare
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
    from rankgauge.compare.comparison import Comparison
    from rankgauge.compare.difference import diff
    from rankgauge.results.evaluate import evaluate, explain
    from rankgauge.results.group_gaps import group_gaps
    from rankgauge.results.scores import Scores

__version__ = "0.1.0"

__all__ = [
    "Background",
    "Bounds",
    "Comparison",
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
    "compare",
    "diff",
    "evaluate",
    "explain",
    "group_gaps",
    "metric",
    "metrics",
    "parse",
    "preset",
    "rule",
    "total",
    "unregister",
    "warmth",
]
__all__ += _families.__all__
__all__ += _beyond.__all__

_LATER = {
    "Comparison": "compare.comparison",
    "Scores": "results.scores",
    "diff": "compare.difference",
    "evaluate": "results.evaluate",
    "explain": "results.evaluate",
    "group_gaps": "results.group_gaps",
}
"""What is loaded when it is first used: a notebook that explains one list need not wait for it."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'rankgauge' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"rankgauge.{_LATER[name]}"), name)
    return found
