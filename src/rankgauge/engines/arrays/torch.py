"""``rg.torch``: evaluate torch tensors on their device."""

from rankgauge.engines.arrays.batch_evaluator import BatchEvaluator
from rankgauge.engines.arrays.call_checks import array_call
from rankgauge.engines.arrays.engine import USAGE, ArrayEngine
from rankgauge.engines.arrays.judged_items import JudgedItems
from rankgauge.engines.arrays.torch_library import Torch

__all__ = ["BatchEvaluator", "JudgedItems", "evaluate"]

evaluate = array_call("rg.torch.evaluate", USAGE)(ArrayEngine(Torch).evaluate)
