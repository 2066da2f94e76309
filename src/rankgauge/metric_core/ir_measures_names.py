"""Names and parameters of ir_measures in the terms of this library."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from rankgauge.conventions.gains import OTHER
from rankgauge.errors import NotationError, ParameterError

WHOLE_LIST = {"SetP": "P", "SetRelP": "P", "SetR": "R", "SetF": "F"}
"""Metrics of the whole list, and the metrics here that they are without a cutoff."""
RENAMED = {"cutoff": "k", "max_rel": "max_grade", "min_rel": "min_grade"}
DCG = {"log2": "linear", "exp-log2": "exp2"}
"""The gain of each formulation of DCG; the discount is log2(rank + 1) in both."""


def translate(name: str, parameters: Mapping[str, object], declared: Collection[str]) -> dict[str, Any]:
    """Return the parameters of a metric, given by this name, in the terms of this library.

    >>> translate("nDCG", {"dcg": "exp-log2", "cutoff": 10}, {"k", "gain", "discount"})
    {'gain': 'exp2', 'discount': 'log2(i+1)', 'k': 10}
    """
    if name in WHOLE_LIST and ("k" in parameters or "cutoff" in parameters):
        raise NotationError(f"{name} evaluates the whole list and takes no cutoff; write {WHOLE_LIST[name]}@10")
    translated: dict[str, object] = {"over": "min(k,R)"} if name == "SetRelP" else {}
    for key, value in parameters.items():
        if key in declared and not (name == "SetF" and key == "beta"):
            translated[key] = value
        elif key == "dcg":
            if value not in DCG:
                raise ParameterError.of("dcg", value, f"one of {', '.join(DCG)}", name)
            discounted = {"gain": DCG[value], "discount": "log2(i+1)"}
            translated |= {rule: wanted for rule, wanted in discounted.items() if rule in declared}
        elif key == "gains":
            translated["gain"] = {**value, OTHER: "linear"} if isinstance(value, Mapping) else value
        elif name == "SetP" and key == "relative":
            translated |= {"over": "min(k,R)"} if value else {}
        elif name == "SetF" and key == "beta":  # ir_measures hands it to trec_eval, which takes beta squared
            translated["beta"] = math.sqrt(value) if isinstance(value, int | float) and value >= 0 else value
        else:
            translated[RENAMED.get(key, key)] = value
    return translated
