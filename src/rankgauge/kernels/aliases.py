"""Accuracy metrics under the other names they are known by."""

from rankgauge.kernels.average import AP
from rankgauge.kernels.first_hit import RR
from rankgauge.kernels.gain import nDCG
from rankgauge.kernels.precision import HR, F, P, R, Rprec

__all__ = [
    "F1",
    "MAP",
    "MRR",
    "NDCG",
    "AveragePrecision",
    "Hit",
    "HitRate",
    "Precision",
    "RPrecision",
    "Recall",
    "ReciprocalRank",
    "Success",
]

AveragePrecision = MAP = AP
ReciprocalRank = MRR = RR
NDCG = nDCG
Precision = P
Recall = R
F1 = F
Hit = HitRate = Success = HR
RPrecision = Rprec
