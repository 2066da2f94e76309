"""DataTotals: what findings about all queries follow from, for data that are seen in parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan

import numpy as np

from rankgauge.evaluation.ranking_values import CandidateCheck
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.metric_plan import MetricPlan, note_relevance
from rankgauge.rendering.language import Phrase

OF_ALL_QUERIES = frozenset({"RG405", "RG407", "RG415"})
"""The findings that need the totals of all queries: a part of the data can differ from the whole."""


@dataclass(frozen=True)
class DataTotals:
    """The range of the grades, and the lengths of the lists; totals of parts of the data add up."""

    lowest: float = nan
    highest: float = nan
    candidates: CandidateCheck = field(default_factory=CandidateCheck)

    def __add__(self, other: DataTotals) -> DataTotals:
        """Return the totals of the queries of both."""
        lowest, highest = float(np.fmin(self.lowest, other.lowest)), float(np.fmax(self.highest, other.highest))
        return DataTotals(lowest, highest, self.candidates + other.candidates)

    def findings(self, plan: MetricPlan) -> Findings:
        """Return the findings about all queries."""
        findings = Findings()
        if self.lowest > 0:
            findings.add("RG405", Phrase("no grade is 0 or below", "没有小于等于 0 的等级"))
        if self.candidates.seem_sampled:
            findings.add("RG407", self.candidates.description(), self.candidates.queries)
        return note_relevance(findings, (self.lowest, self.highest), plan)
