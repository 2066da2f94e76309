"""Every measure of ir_measures with its own providers and with ours, on ordinary judgments and on those of subtopics."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

from data import world

PACKAGE = "ir_measures"
WORLDS = 100
MEASURES = [
    "AP",
    "AP@5",
    "AP(rel=2)",
    "AP(judged_only=True)",
    "P@5",
    "P(rel=2)@3",
    "P(judged_only=True)@5",
    "R@5",
    "R(rel=2)@5",
    "RR",
    "RR@5",
    "RR(rel=2)@5",
    "RR(judged_only=True)",
    "nDCG",
    "nDCG@5",
    "nDCG(gains={1:3,2:10})@5",
    "nDCG(judged_only=True)@5",
    "nDCG(dcg='exp-log2')@5",
    "Rprec",
    "Rprec(rel=2)",
    "Bpref",
    "Bpref(rel=2)",
    "infAP",
    "Success@5",
    "Success(rel=2)@3",
    "IPrec@0.1",
    "IPrec(rel=2)@0.2",
    "SetP",
    "SetP(rel=2)",
    "SetP(relative=True)",
    "SetR",
    "SetF",
    "SetF(beta=2.0)",
    "SetAP",
    "Judged@5",
    "Judged@10",
    "NumQ",
    "NumRel",
    "NumRet",
    "NumRet(rel=2)",
    "ERR@5",
    "ERR@20",
    "RBP(rel=1)",
    "RBP(p=0.95,rel=2)",
    "BPM(max_rel=4)@5",
    "BPM(T=2.5,max_rel=4)@20",
    "SDCG(max_rel=4)@5",
    "INST(max_rel=4)",
    "INST(T=2.5,max_rel=4)",
    "INSQ(max_rel=4)",
    "INSQ(T=2.5,max_rel=5)",
    "NERR8(max_rel=4)@5",
    "NERR9(max_rel=4)@5",
    "NERR10(max_rel=4)",
    "NERR10(p=0.6,max_rel=4)",
    "NERR11(max_rel=4)",
    "Compat",
    "Compat(p=0.8,normalize=False)",
    "Accuracy",
    "Accuracy@5",
    "Accuracy(rel=2)@5",
]
OF_SUBTOPICS = [
    "ERR_IA@5",
    "ERR_IA@20",
    "nERR_IA@5",
    "alpha_DCG@5",
    "alpha_nDCG@5",
    "alpha_nDCG(alpha=0.3)@10",
    "NRBP",
    "nNRBP",
    "NRBP(alpha=0.2,beta=0.7)",
    "AP_IA",
    "P_IA@5",
    "StRecall@5",
    "StRecall@10",
]
ROUNDED = ("nDCG(dcg='exp-log2')", "ERR@")
"""Measures of gdeval, which prints five decimals."""


def cases() -> list[tuple[int, list[str], Any, Any]]:
    """Return data sets with the measures to compute; every other one has judgments by subtopic."""
    from ir_measures import Qrel

    listed: list[tuple[int, list[str], Any, Any]] = []
    for seed in range(WORLDS):
        judgments, run = world(seed)
        if seed % 2:
            rng = random.Random(seed)
            rows = [
                Qrel(query, item, max(grade, 0), str(subtopic))
                for query, grades in judgments.items()
                for item, grade in grades.items()
                for subtopic in rng.sample(range(1, 5), rng.randint(1, 3))
            ]
            listed.append((seed, OF_SUBTOPICS, rows, run))
        else:
            listed.append((seed, MEASURES, judgments, run))
    return listed


def values(*, rounded: bool = False) -> dict[str, float]:
    """Return the value of each query and measure, and the aggregated ones, of the default pipeline."""
    import ir_measures

    found = {}
    for seed, names, qrels, run in cases():
        for name in names:
            measure = ir_measures.parse_measure(name)
            digits = 5 if rounded and name.startswith(ROUNDED) else 17
            try:
                for value in ir_measures.iter_calc([measure], qrels, run):
                    found[f"{seed} {value.query_id} {name}"] = round(float(value.value), digits)
            except ZeroDivisionError:  # Accuracy of lists that have relevant items only
                found[f"{seed} all {name}"] = float("nan")
                continue
            if not name.startswith(ROUNDED):
                found[f"{seed} all {name}"] = float(ir_measures.calc_aggregate([measure], qrels, run)[measure])
    return found


def theirs() -> dict[str, float]:
    """Return the values of its own providers."""
    return values()


def ours() -> dict[str, float]:
    """Return those of our provider alone."""
    import ir_measures

    import rankgauge.compat.ir_measures

    provider = rankgauge.compat.ir_measures.register()
    ir_measures.DefaultPipeline.providers[:] = [provider]
    return values(rounded=True)


def stored() -> list[dict[str, Any]]:
    """Return some data sets with the values of ir_measures, for the tests."""
    computed = theirs()
    kept = []
    for seed, names, qrels, run in cases()[:8]:
        rows = qrels if isinstance(qrels, list) else []
        judgments = {} if rows else qrels
        by_measure: dict[str, dict[str, float]] = defaultdict(dict)
        for key, value in computed.items():
            number, query, name = key.split(" ", 2)
            if int(number) == seed and query in run and value == value:  # noqa: PLR0124 (NaN)
                by_measure[name][query] = value
        given = {"judgments": judgments, "rows": [[*row] for row in rows], "run": run, "names": names}
        kept.append(given | {"values": by_measure})
    return kept
