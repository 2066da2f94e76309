"""Every measure and nickname of pytrec_eval, relevance levels, judged items only, and sets of measures with cutoffs."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from data import world

PACKAGE = "pytrec-eval-terrier"
WORLDS = 300
GARBAGE = {"runid"}
"""Measures whose value is whatever was in memory."""


def requests(measures: set[str]) -> list[set[str]]:
    """Return the measures asked for, one data set after the other."""
    some = {"P_3,7", "ndcg_cut.2,4", "set_F.0.5", "iprec_at_recall_0.25", "success_2", "11pt_avg.0.1,0.3"}
    return [measures, {"official"}, {"set"}, some | {"Rprec_mult_0.5", "recall_3.0", "utility.0,1,2,3", "map_cut_5"}]


def values(module: ModuleType) -> dict[str, float]:
    """Return all values by data set, query and measure, and the aggregated ones."""
    found = {}
    asked = requests(module.supported_measures)
    for seed in range(WORLDS):
        judgments, run = world(seed)
        level, judged_only = 1 + seed % 3, seed % 5 == 0
        evaluator = module.RelevanceEvaluator(judgments, asked[seed % len(asked)], level, judged_only)
        results = evaluator.evaluate(run)
        for query, row in results.items():
            found |= {f"{seed} {query} {name}": value for name, value in row.items() if name not in GARBAGE}
        for name in {*next(iter(results.values()), {})} - GARBAGE:
            column = [row[name] for row in results.values()]
            found[f"{seed} all {name}"] = module.compute_aggregated_measure(name, column)
    found |= {f"measure {name}": 1.0 for name in module.supported_measures}
    found |= {f"nickname {name} {measure}": 1.0 for name, of in module.supported_nicknames.items() for measure in of}
    return found


def theirs() -> dict[str, float]:
    """Return the values of pytrec_eval."""
    import pytrec_eval

    return values(pytrec_eval)


def ours() -> dict[str, float]:
    """Return those of the drop-in."""
    import rankgauge.compat.pytrec_eval

    return values(rankgauge.compat.pytrec_eval)


def stored() -> list[dict[str, Any]]:
    """Return some data sets with the values of pytrec_eval, for the tests."""
    import pytrec_eval

    kept = []
    asked = requests(pytrec_eval.supported_measures)
    for seed in range(8):
        judgments, run = world(seed)
        call = {"measures": sorted(asked[seed % 4]), "relevance_level": 1 + seed % 3, "judged_docs_only_flag": seed > 5}
        evaluator = pytrec_eval.RelevanceEvaluator(judgments, **call)
        kept.append({"judgments": judgments, "run": run, "call": call, "values": evaluator.evaluate(run)})
    nicknames = {name: sorted(measures) for name, measures in pytrec_eval.supported_nicknames.items()}
    return [{"measures": sorted(pytrec_eval.supported_measures), "nicknames": nicknames}, *kept]
