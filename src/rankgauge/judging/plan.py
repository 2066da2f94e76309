"""`plan`: how many labels a wanted half width needs, from a pilot."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple, Unpack

import numpy as np

from rankgauge.conventions.rule import above_zero
from rankgauge.errors import ParameterError
from rankgauge.inputs.findings import Findings, ShownWithFindings
from rankgauge.judging.correct import CorrectKeywords, correct
from rankgauge.judging.corrected import Corrected
from rankgauge.judging.labels import Labels
from rankgauge.matching.source_types import JudgmentsLike, RankingLike, RankingsLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricsLike
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.rendering.plain import FrameResult, columns_of, finite_or_none
from rankgauge.stats.two_phase import MeanEstimate, people_mean, with_unseen

DEFAULT_HALF_WIDTH = 0.02
MOST = 10_000_000
"""Labels up to which a half width is looked for."""
TEXTS = {
    "title": Phrase("Labelled queries for a half width of {half_width:g}", "半宽 {half_width:g} 所需的有标签查询数"),
    "these queries": Phrase(
        "Target: these {queries:# query|# queries}. Spread from a pilot of {pilot:# labelled query|# labelled ones}.",
        "目标：这 {queries:,} 个查询。离散程度由 {pilot:,} 个有标签的查询估计。",
    ),
    "queries like these": Phrase(
        "Target: queries like these {queries:,}. Spread from a pilot of {pilot:# labelled query|# labelled queries}.",
        "目标：此类查询（现有 {queries:,} 个）。离散程度由 {pilot:,} 个有标签的查询估计。",
    ),
    "what": Phrase("estimated", "估计对象"),
    "metric": Phrase("metric", "指标"),
    "now": Phrase("half width now", "目前的半宽"),
    "corrected": Phrase("with the judge", "借助评判模型"),
    "people": Phrase("people alone", "仅人的标签"),
    "never": Phrase("not with these queries", "这些查询不够"),
    "note": Phrase(
        "A pilot of few labels knows the spread only roughly: from {pilot:,} of them the number needed may be off by a "
        "factor of {low:.2f} to {high:.2f}.",
        "标签很少时离散程度只是粗略估计：以 {pilot:,} 个标签估计，所需数目可能相差 {low:.2f} 至 {high:.2f} 倍。",
    ),
}


class LabelsNeeded(NamedTuple):
    """How many labelled queries an estimate needs."""

    what: str
    """A system, or a difference of two."""
    metric: Metric
    half_width: float
    """Half width with the labels of the pilot."""
    corrected: float
    people: float
    """Number of labelled queries with the judge, and by people alone; infinite if more queries are needed, too."""


@dataclass(frozen=True, repr=False)
class LabelPlan(ShownWithFindings, FrameResult):
    """How many labelled queries a wanted half width needs."""

    half_width: float
    rows: tuple[LabelsNeeded, ...]
    pilot: Corrected
    findings: Findings = field(default_factory=Findings)

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row for each estimate, as columns."""
        return columns_of(self.to_dict()["needed"])

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        rows = [finite_or_none(row._asdict() | {"metric": str(row.metric)}) for row in self.rows]
        return {"half_width": self.half_width, "target": self.pilot.design.target, "needed": rows}

    def document(self, lang: str = "en", digits: int = 4) -> Document:
        """Return a table of the labels needed."""
        checked, design = check_lang(lang), self.pilot.design
        pilot, never = min(self.pilot.label_counts.values()), TEXTS["never"].render(checked)
        rows = [
            [row.what, str(row.metric), f"{row.half_width:.{digits}f}"]
            + [never if np.isinf(count) else f"{count:,.0f}" for count in (row.corrected, row.people)]
            for row in self.rows
        ]
        titles = [TEXTS[key].render(checked) for key in ("what", "metric", "now", "corrected", "people")]
        data = TEXTS[design.target].render(checked, queries=len(self.pilot.queries), pilot=pilot)
        blocks: list[Block] = [Heading(TEXTS["title"].render(checked, half_width=self.half_width)), Paragraph(data)]
        low, high = _spread_error(pilot, design.level)
        note = Paragraph(TEXTS["note"].render(checked, pilot=pilot, low=low, high=high))
        return Document([*blocks, Table(titles, rows, align="llrrr"), note])

    def __repr__(self) -> str:
        return f"<LabelPlan for a half width of {self.half_width:g}>"


def plan(
    model: JudgmentsLike | Labels,
    people: JudgmentsLike | Labels,
    rankings: RankingLike | RankingsLike,
    metrics: MetricsLike | None = None,
    *,
    half_width: float = DEFAULT_HALF_WIDTH,
    **options: Unpack[CorrectKeywords],
) -> LabelPlan:
    """Return how many labelled queries a wanted half width of the interval needs, from a pilot.

    Parameters
    ----------
    model, people, rankings, metrics
        As for ``correct``; ``people`` are the labels of the pilot.
    half_width
        Half the width of the interval that is wanted.
    **options
        As for ``correct``: ``target``, ``estimator``, ``alpha``, ``convention`` and the others.

    Examples
    --------
    >>> import rankgauge as rg
    >>> ranking = {f"q{n}": ["a", "b", "c"] for n in range(200)}
    >>> judge = {f"q{n}": {"a": n % 2, "b": n % 3 == 0, "c": n % 7 == 0} for n in range(200)}
    >>> people = {f"q{n}": {"a": n % 2, "b": n % 3 == 0, "c": n % 5 == 0} for n in range(20)}
    >>> needed = rg.judges.plan(judge, people, ranking, "P@3", half_width=0.05).rows[0]
    >>> needed.corrected < needed.people
    True
    """
    wanted = float(above_zero("half_width", half_width))
    pilot = correct(model, people, rankings, metrics, **options)
    for metric in pilot.items:
        en = f"{metric}: labels of single items have chances of their own; plan labels of whole queries"
        raise ParameterError((en, f"{metric}：单个物品的标签各有入选概率；请规划整个查询的标签"))
    subjects: list[str | tuple[str, str]] = [*pilot.systems, *combinations(pilot.systems, 2)]
    rows = tuple(_needed(pilot, metric, system, wanted) for metric in pilot.metrics for system in subjects)
    return LabelPlan(wanted, rows, pilot, pilot.findings)


def _needed(pilot: Corrected, metric: Metric, system: str | tuple[str, str], wanted: float) -> LabelsNeeded:
    sample = pilot.sample(metric, system)
    found, alone = pilot.design.estimate(sample), people_mean(sample, pilot.design.level)
    size = len(sample.labels)
    floor = 0.0 if sample.finite else found.slope**2 * float(sample.proxies.var(ddof=1)) / size
    normal = np.isinf(found.freedom)
    what = system if isinstance(system, str) else f"{system[1]} − {system[0]}"
    labelled = int(np.count_nonzero(sample.labelled))
    counts = (
        _as_in_pilot(
            fewest((estimate.residual, alone.residual), least, lost, size, sample.finite, wanted, pilot.design.level),
            estimate,
            labelled,
            wanted,
        )
        for estimate, least, lost in ((found, floor, 0 if normal else 2), (alone, 0.0, 1))
    )
    return LabelsNeeded(what, metric, (found.high - found.low) / 2, *counts)


def _as_in_pilot(count: float, estimate: MeanEstimate, labelled: int, wanted: float) -> float:
    """Return a number of labels that does not contradict the interval that the labels of the pilot have.

    That of the pilot also depends on which queries were labelled, which the number for other samples leaves out.
    """
    if np.isnan(half_width := (estimate.high - estimate.low) / 2):
        return count
    return max(count, labelled + 1.0) if half_width > wanted else min(count, float(labelled))


def fewest(
    spreads: tuple[float, float], floor: float, lost: int, size: int, finite: bool, wanted: float, level: float
) -> float:
    """Return the smallest number of labels with at most the half width.

    ``spreads`` are the variances of residuals and of labels, ``lost`` the degrees of freedom used up (0: PPI++).
    """
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415

    def reach(labels: int) -> float:
        spread = with_unseen(*spreads, labels) if lost else spreads[0]
        variance = spread * (1 / labels - (1 / size if finite else 0)) + floor
        tail = (1 + level) / 2
        return float((stdtrit(labels - lost, tail) if lost else ndtri(tail)) * np.sqrt(max(variance, 0.0)))

    low, high = lost + 1, size if finite else MOST
    if reach(high) > wanted:
        return np.inf
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reach(middle) <= wanted else (middle + 1, high)
    return float(low)


def _spread_error(pilot: int, level: float) -> tuple[float, float]:
    """Return by what factors the variance may differ from that of a pilot of this size."""
    from scipy.special import chdtri  # noqa: PLC0415

    freedom, tail = max(pilot - 2, 1), (1 - level) / 2
    return freedom / float(chdtri(freedom, tail)), freedom / float(chdtri(freedom, 1 - tail))
