"""ir_measures with its own providers, on pytrec_eval and on the drop-in for it."""

from __future__ import annotations

from data import world

PACKAGE = "ir_measures"
MEASURES = [
    "AP",
    "AP@5",
    "AP(rel=2)",
    "AP(judged_only=True)",
    "P@5",
    "P(rel=2)@3",
    "R@5",
    "RR",
    "nDCG",
    "nDCG@5",
    "nDCG(gains={1:3,2:10})@5",
    "nDCG(judged_only=True)@5",
    "Rprec",
    "Bpref",
    "infAP",
    "Success@5",
    "IPrec@0.1",
    "IPrec@0.55",
    "SetP",
    "SetP(relative=True)",
    "SetR",
    "SetF",
    "SetF(beta=2.0)",
    "SetF(beta=0.3)",
    "SetAP",
    "NumQ",
    "NumRel",
    "NumRet",
    "NumRet(rel=2)",
]


def theirs() -> dict[str, float]:
    """Return all values, several measures in a call."""
    import ir_measures

    measures = [*map(ir_measures.parse_measure, MEASURES)]
    found = {}
    for seed in range(100):
        judgments, run = world(seed)
        for value in ir_measures.pytrec_eval.iter_calc(measures, judgments, run):
            found[f"{seed} {value.query_id} {value.measure}"] = float(value.value)
    return found


def ours() -> dict[str, float]:
    """Return the same with ``import pytrec_eval`` replaced."""
    import rankgauge.compat.pytrec_eval

    rankgauge.compat.pytrec_eval.install()
    return theirs()
