"""``rg.jax``: evaluate JAX arrays on their device, with double precision enabled (``jax_enable_x64``)."""

from rankgauge.engines.arrays.call_checks import array_call
from rankgauge.engines.arrays.engine import USAGE, ArrayEngine
from rankgauge.engines.arrays.libraries import Jax

__all__ = ["evaluate"]

evaluate = array_call("rg.jax.evaluate", USAGE)(ArrayEngine(Jax).evaluate)
