"""Model judgments and labels of people, public as ``rg.judges``: agreement, corrected metrics, planning and drift.

The library never calls a model; it computes from stored judgments.

>>> import rankgauge as rg
>>> people = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 0, "b": 1, "d": 2}}
>>> judge = {"q1": {"a": 2, "b": 1, "c": 1}, "q2": {"a": 0, "b": 1, "d": 1}}
>>> round(float(rg.judges.agreement(people, judge).kappa), 4)
0.5
"""

from rankgauge.judging.agreement import RaterAgreement, ThresholdAgreement, agreement
from rankgauge.judging.correct import correct
from rankgauge.judging.corrected import Corrected
from rankgauge.judging.drift import Drift, drift
from rankgauge.judging.estimates import Estimate, LeaderboardAgreement, Verdict
from rankgauge.judging.labels import Labels
from rankgauge.judging.number import Bias, Number
from rankgauge.judging.plan import LabelPlan, LabelsNeeded, plan
from rankgauge.judging.rate import RateEstimate, rate

__all__ = [
    "Bias",
    "Corrected",
    "Drift",
    "Estimate",
    "LabelPlan",
    "Labels",
    "LabelsNeeded",
    "LeaderboardAgreement",
    "Number",
    "RateEstimate",
    "RaterAgreement",
    "ThresholdAgreement",
    "Verdict",
    "agreement",
    "correct",
    "drift",
    "plan",
    "rate",
]
