"""Judgments of any form with their numbers turned into grades by a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankgauge.errors import ParameterError
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import judgment_records
from rankgauge.matching.from_dicts import check_grades
from rankgauge.matching.read_options import ReadOptions, groups_of, is_file, read_table
from rankgauge.preparation.grading import Grading, Signals, apply_grading

OF_GRADES = {"RG205", "RG206", "RG207", "RG405"}
"""What is noted about grades: it holds for those that the rule makes, not for the numbers it makes them of."""


def graded(source: Any, rule: Grading, reading: ReadOptions, findings: Findings) -> tuple[Any, Grading]:
    """The judgments with grades, and the rule with everything settled that it took from the data."""
    if not isinstance(rule, Grading):
        raise ParameterError.of("grades", rule, "a rule from rankgauge.grades, such as grades.stars")
    if isinstance(source, np.ndarray):
        return _of_array(source, rule, reading)
    columns = reading.columns_of("judgments", "time")
    if is_file(source):
        apart = Findings()
        source = read_table(source, "judgments", reading, apart)
        _merge(apart, findings)
        columns = None
    elif isinstance(source, Mapping | list | tuple) or hasattr(source, "tocsr"):
        apart = Findings()
        source = dict(check_grades(judgment_records(source, apart), apart))
        apart.raise_errors(reading.lenient)
        _merge(apart, findings)
    return apply_grading(rule, source, columns)


def _of_array(labels: np.ndarray[Any, Any], rule: Grading, reading: ReadOptions) -> tuple[Any, Grading]:
    if labels.ndim != 1:
        return apply_grading(rule, labels)
    groups, _ = groups_of(labels, reading)
    user = groups.query
    if reading.query_ids is not None:
        _, user = np.unique(np.asarray(reading.query_ids), return_inverse=True)
    signals, settled = rule.apply(Signals(labels.astype(np.float64), user))
    return signals.value, settled


def _merge(found: Findings, into: Findings) -> None:
    for finding in found:
        if finding.code not in OF_GRADES:
            into.merge(Findings({finding.code: finding}))
