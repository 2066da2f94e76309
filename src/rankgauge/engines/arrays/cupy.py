"""``rg.cupy``: evaluate CuPy arrays on their GPU."""

from rankgauge.engines.arrays.call_checks import array_call
from rankgauge.engines.arrays.engine import USAGE, ArrayEngine
from rankgauge.engines.arrays.libraries import CuPy

__all__ = ["evaluate"]

evaluate = array_call("rg.cupy.evaluate", USAGE)(ArrayEngine(CuPy).evaluate)
