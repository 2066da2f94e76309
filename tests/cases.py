"""Hand-worked values: each expectation is the arithmetic of the definition, to be checked by eye."""

from dataclasses import dataclass, field
from math import log, log2
from typing import Any

import rankgauge as rg


@dataclass(frozen=True)
class Case:
    """A metric, a list and the value as arithmetic."""

    metric: str
    grades: list[Any]
    expected: float
    given: dict[str, Any] = field(default_factory=dict)


EXPONENTIAL_JK = rg.Convention(gain="exp2", discount="log2(i)")

CASES = [
    # Cumulated gain
    Case("CG@2", [3, 2, 0, 1], 3 + 2),
    Case("CG@4", [3, 2, 0, 1], 3 + 2 + 0 + 1),
    Case("CG(gain='exp2')", [3, 2, None, 1], 7 + 3 + 1),
    Case("DCG@4", [3, 2, 3, 0], 3 / log2(2) + 2 / log2(3) + 3 / log2(4)),
    Case("DCG(gain='exp2')", [1, 0, 2], 1 / log2(2) + 3 / log2(4)),
    Case("DCG(discount='log2(i)')", [1, 1, 1, 1], 1 + 1 / log2(2) + 1 / log2(3) + 1 / log2(4)),
    Case("DCG(discount='jk(3)')", [1, 1, 1, 1], 1 + 1 + 1 + 1 / (log(4) / log(3))),
    Case("DCG(discount='1/i')", [2, 0, 3], 2 / 1 + 3 / 3),
    Case("DCG(discount='none')@2", [2, 1, 3], 2 + 1),
    Case("DCG(gain={1: 3, 2: 9})", [2, 0, 1], 9 / log2(2) + 3 / log2(4)),
    Case("IDCG@2", [0, 1, 3], 3 / log2(2) + 1 / log2(3)),
    Case("IDCG@3", [0, 1], 3 / log2(2) + 2 / log2(3) + 1 / log2(4), {"ideal": [1, 2, 3]}),
    Case("nDCG@3", [0, 2, 1], (2 / log2(3) + 1 / log2(4)) / (2 / log2(2) + 1 / log2(3))),
    Case("nDCG@1", [1, 2], 1 / 2),
    Case("nDCG(ideal_cut='none')@1", [2, 1], 2 / (2 + 1 / log2(3))),
    Case("nDCG(ideal='returned')@2", [1, 1], 1.0, {"relevant": 9}),
    Case("nDCG(ideal_cut='returned')@9", [1], 1.0, {"relevant": 9}),
    Case("nDCG", [3, 2, 0], (7 + 3 / log2(2)) / (7 + 7 / log2(2) + 3 / log2(3)),
         {"ideal": [3, 3, 2], "convention": EXPONENTIAL_JK}),
    # Counting in the top k
    Case("P@3", [1, 1, 0, 1, 0], 2 / 3),
    Case("P@5", [1, 1], 2 / 5),
    Case("P(over='min(k,n)')@5", [1, 0], 1 / 2),
    Case("P(over='returned')@2", [1, 0, 1, 1], 1 / 4),
    Case("P(over='min(k,R)')@5", [1, 0, 1], 2 / 3, {"relevant": 3}),
    Case("P", [1, 0, None, 1], 2 / 4),
    Case("R@3", [1, 0, 1, 1], 2 / 5, {"relevant": 5}),
    Case("R(over='min(k,R)')@3", [1, 0, 1, 1], 2 / 3, {"relevant": 5}),
    Case("F@3", [1, 0, 1, 1], 2 * (2 / 3) * (2 / 5) / (2 / 3 + 2 / 5), {"relevant": 5}),
    Case("F(beta=2)@3", [1, 0, 1, 1], 5 * (2 / 3) * (2 / 5) / (4 * (2 / 3) + 2 / 5), {"relevant": 5}),
    Case("F(beta=0)@3", [1, 0, 1, 1], 2 / 3, {"relevant": 5}),
    Case("HR@2", [0, 0, 1], 0.0),
    Case("HR@3", [0, 0, 1], 1.0),
    Case("Rprec", [1, 0, 1, 1], 2 / 3),
    Case("Rprec", [1], 1 / 4, {"relevant": 4}),
    Case("Rprec(multiple=2)", [1, 0, 1, 0, 1], 3 / 6),
    Case("Rprec(multiple=0.5)", [1, 0, 1, 1], 1 / 2),
    Case("SetAP", [1, 0, 1, 0], (2 / 4) * (2 / 4), {"relevant": 4}),
    Case("Fallout@3", [1, 0, 0, 1, 0, 0], 2 / 4),
    Case("Fallout@2", [None, 1, None], 1 / 2),
    # Averages of precisions
    Case("AP", [1, 1, 0, 1, 0, 0, 1], (1 / 1 + 2 / 2 + 3 / 4 + 4 / 7) / 4),
    Case("AP", [1, 0, 1, 0, 1], (1 / 1 + 2 / 3 + 3 / 5) / 5, {"relevant": 5}),
    Case("AP@3", [0, 1, 0, 1], (1 / 2) / 2),
    Case("AP(over='min(R,k)')@1", [1, 1], 1 / 1),
    Case("AP(over='hits')@3", [0, 1, 0, 1], (1 / 2) / 1),
    Case("AP(over='k')@4", [0, 1, 0, 1], (1 / 2 + 2 / 4) / 4),
    Case("AP(rel=2)", [1, 2, 3], (1 / 2 + 2 / 3) / 2),
    Case("GMAP", [0, 1], log(1 / 2)),
    Case("GMAP", [0, 0, 0], log(0.00001)),
    Case("IPrec(recall=0.5)", [0, 1, 1, 0], 2 / 3),
    Case("IPrec(recall=0)", [0, 1, 0, 1], 1 / 2),
    Case("IPrec(recall=1)", [1, 1], 0.0, {"relevant": 3}),
    Case("IAP", [1, 0, 1], (6 * 1 + 5 * (2 / 3)) / 11),
    Case("IAP", [1], (4 * 1) / 11, {"relevant": 3}),
    Case("IAP(recall_point='trec_eval-9')", [1], (4 * 1) / 11, {"relevant": 3}),
    Case("IAP(recall_point='round')", [1], (5 * 1) / 11, {"relevant": 3}),
    Case("YAAP", [1, 0, 1], log((1 + 5 / 3) / (1 + 2 - 5 / 3))),
    Case("YAAP", [0, 0], log(1 / (1 + 3)), {"relevant": 3}),
    Case("Q", [0, 2, 1], ((1 + 2) / (2 + 3) + (2 + 3) / (3 + 3)) / 2),
    Case("Q(beta=0)", [0, 2, 1], (1 / 2 + 2 / 3) / 2),
    Case("Q(beta=2)@2", [1, 2], ((1 + 2 * 1) / (1 + 2 * 2) + (2 + 2 * 3) / (2 + 2 * 3)) / 2),
    # The first relevant item
    Case("RR", [0, 0, 1, 1], 1 / 3),
    Case("RR@2", [0, 0, 1], 0.0),
    Case("RR(rel=2)", [1, 2], 1 / 2),
    Case("FirstRank", [0, None, 1], 3.0),
    # Gains behind the ideal order, and nDCG at several ranks
    Case("binG", [1, 0, 0, 1], (1 / log2(2) + 1 / log2(2 + 2)) / 2),
    Case("G", [0, 2, 1], (2 / log2(2 + 2 + 1 - 2) + 1 / log2(2 + 2 + 1 + 1 - 3)) / (2 + 1)),
    Case("G", [1, 0, 2], (1 / log2(2 + 2 - 1) + 2 / log2(2 + 4 - 3)) / 3),
    Case("nDCGrel", [0, 1], (1 / log2(3)) / (1 / log2(2)) / 1),
    Case("nDCGrel", [1, 0], (1 / 1 + 1 / (1 + 1 / log2(3))) / 2, {"relevant": 2}),
    Case("RnDCG", [1, 2], (1 / 2 + (1 + 2 / log2(3)) / (2 + 1 / log2(3))) / 2),
    Case("RnDCG", [0, 0, 1], (0 / 1 + (1 / log2(4)) / 1) / 2),
    # Readers
    Case("ERR(max_grade=2)", [1, 2], 1 / 4 + (1 / 2) * (3 / 4) * (3 / 4)),
    Case("ERR@1", [4, 4], 15 / 16),
    Case("nERR(max_grade=2)", [1, 2], (1 / 4 + (3 / 4) * (3 / 4) / 2) / (3 / 4 + (1 / 4) * (1 / 4) / 2)),
    Case("RBP(p=0.5)", [1, 0, 1], 0.5 * (1 + 0.25)),
    Case("RBP@2", [1, 1, 1], 0.2 * (1 + 0.8)),
    Case("RBP(p=0.5, graded=True, max_grade=2)", [1, 2], 0.5 * (1 / 2 + (2 / 2) * 0.5)),
    Case("RBPresidual(p=0.5)", [1, None, 1], 1 - 0.5 * (1 + 0.25)),
    Case("RBPresidual(p=0.5)@1", [1, 1], 0.5),
    # Incomplete judgments
    Case("bpref", [1, 0, None, 1], (1 + (1 - 1 / 1)) / 2),
    Case("bpref", [0, 1, 0, 1, 1], ((1 - 1 / 2) + (1 - 2 / 2) + (1 - 2 / 2)) / 3),
    Case("bpref", [1, None], 1 / 2, {"relevant": 2}),
    Case("GMbpref", [1, 0, 1], log(1 / 2)),
    Case("infAP", [1, None, 1], (1 + (1 + 1 * 1.00001 / 1.00002) / 3) / 2),
    Case("infAP", [0, 1, -1, 1],
         ((1 + 1 * 0.00001 / 1.00002) / 2 + (1 + 3 * 1.00001 / 2.00002) / 4) / 2),
    Case("Judged@4", [1, None, 0, None], 2 / 4),
    Case("Judged@4", [1, None], 1 / 2),
    Case("Unjudged@4", [1, None, 0, -1], 2 / 4),
    Case("Unjudged@4", [None], 1 / 4),
    # Pairs
    Case("AUC", [1, 0, 1, 0], (2 + 1) / (2 * 2)),
    Case("CappedRecall@3", [1, 0, 1, 1], 2 / 3, {"relevant": 5}),
    Case("CappedRecall@3", [1, 0, 1, 0], 2 / 2, {"ideal": [1, 1, 0]}),
    Case("MPR", [0, 1, 0, 0, 1], (1 / 4 + 4 / 4) / 2),
    Case("MPR", [0, 1, 0], (1 / 2 + 1) / 2, {"relevant": 2}),
    Case("AUC", [1, 0], 1 / 2, {"scores": [0.5, 0.5]}),
    Case("GAUC(weight='positives')", [1, 0, 1, 0], (2 + 1) / (2 * 2)),
    Case("AUC", [1, 0], (1 * (1 + 1) + 0.5) / (2 * 2), {"ideal": [1, 1, 0, 0]}),
    Case("AUC(tied='lost')", [1, 0, 1], (0 + 0) / (2 * 1), {"scores": [0.5, 0.5, 0.2]}),
    Case("AUC(tied='won')", [0, 1, 1], (1 + 0) / (2 * 1), {"scores": [0.5, 0.5, 0.2]}),
    Case("AUC(tied='order')", [0, 1, 1], (0 + 0) / (2 * 1), {"scores": [0.5, 0.5, 0.2]}),
    Case("AUC(tied='lost')", [1, 0], (1 * (1 + 1) + 0) / (2 * 2), {"ideal": [1, 1, 0, 0]}),
    # The first relevant item has none above, the second one, the third two; m = 1/2 of N = 4 is M = 2.
    Case("PAUC(max_fpr=0.5, scale='share')", [1, 0, 1, 0, 1, 0, 0], (2 + 1 + 0) / (3 * 2)),
    Case("PAUC(max_fpr=0.5, scale='none')", [1, 0, 1, 0, 1, 0, 0], (2 + 1 + 0) / (3 * 4)),
    Case("PAUC(max_fpr=0.5)", [1, 0, 1, 0, 1, 0, 0], (1 + (3 / 12 - 1 / 8) / (1 / 2 - 1 / 8)) / 2),
    Case("PAUC(max_fpr=0.375, scale='share')", [1, 0, 1, 0, 1, 0, 0], (1.5 + 0.5) / (3 * 1.5)),
    Case("PAUC(negatives=3, scale='share')", [1, 0, 1, 0], (3 + 2) / (2 * 3)),
    Case("PAUC(negatives=1, scale='share')", [1, 0, 1, 0], (1 + 0) / (2 * 1)),
    Case("PAUC(negatives=1, scale='share')", [1, 0, 0], (1 / 2 * 1 / 2) / 1, {"scores": [1, 1, 1]}),  # a triangle
    Case("PAUC", [1, 0, 1, 0], (2 + 1) / (2 * 2)),
    Case("LAUC@2", [1, 0, 1, 0], (1 + 1 + 0.5) / (2 * 2)),
    Case("LAUC@1", [0, 1, 0], (0 + 0.5) / (1 * 2)),
    Case("LAUC(items=10)@3", [1, 0, 0, 1], (1 * 8 + 6 * 0.5) / (2 * 8)),
    Case("LAUC(others='left out')@3", [1, 0, 1, 0], (1 + 0) / (2 * 1)),
    # Lengths of lists
    Case("UserCoverage", [None], 1),
    Case("UserCoverage(least=3)", [1, 0], 0),
    Case("UserCoverage(least=2)@1", [1, 0], 0),
    Case("ListFill@3", [1, None, 0, 1], 3 / 3),
    Case("ListFill@3", [1, None], 2 / 3),
    Case("ListFill", [0], 1 / 1),
    # Counts
    Case("NumRet", [1, 0, None], 3),
    Case("NumRel", [1, 0], 4, {"relevant": 4}),
    Case("NumRelRet@3", [1, 0, 2, 1], 2),
    Case("NumNonrelRet", [1, 0, None, 0], 2),
    Case("Utility", [1, 0, None], 1 - 2),
    Case("Utility(hit=2, miss=-1, rest=0.5, collection=10)", [1, 0], 2 - 1 - 2 + 0.5 * (10 - 2 - 2), {"relevant": 3}),
]  # fmt: skip
