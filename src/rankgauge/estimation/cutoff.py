"""Which cutoff k: from how far people look, or from how well systems can be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.rule import number_or
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.segments import Floats
from rankgauge.stats.paired_tests import paired_t

Basis = Literal["depths", "clicks", "systems"]
CUTOFFS = (1, 2, 3, 5, 10, 15, 20, 30, 50, 100)
SHOWN = 30
"""Rows of the curve that a document shows around the choice."""

WORDS = {
    "title": Phrase("k = {k}", "k = {k}"),
    "depths": Phrase(
        "The smallest k whose top k positions are {cover:.0%} of all positions that people looked at ({count} people).",
        "使前 k 位占全部被浏览位置 {cover:.0%} 的最小 k（{count} 人）。",
    ),
    "clicks": Phrase(
        "The smallest k whose top k positions have {cover:.0%} of all clicks ({count} clicks).",
        "使前 k 位占全部点击 {cover:.0%} 的最小 k（{count} 次点击）。",
    ),
    "systems": Phrase(
        "The smallest k at which {metric} tells apart, up to {within:.0%} of the pairs, as many as at the best k "
        "({count} pairs of systems, paired t-test, p < {alpha:g}, no correction for many tests).",
        "使 {metric} 能区分的系统对数与最佳 k 相差不超过 {within:.0%} 的最小 k"
        "（{count} 对系统，配对 t 检验，p < {alpha:g}，未作多重检验校正）。",
    ),
    "never": Phrase("No k reaches it; the largest is given.", "没有 k 能达到，因此取最大者。"),
    "share depths": Phrase("views covered", "覆盖的浏览"),
    "share clicks": Phrase("clicks covered", "覆盖的点击"),
    "share systems": Phrase("pairs told apart", "能区分的系统对"),
    "part depths": Phrase("people who look at rank k", "看到第 k 位的人"),
    "part clicks": Phrase("clicks at rank k", "第 k 位的点击"),
    "part systems": Phrase("mean {metric}@k", "{metric}@k 均值"),
}


class Point(NamedTuple):
    """One cutoff of the curve."""

    k: int
    share: float
    """Of the views or clicks in the top k, or of the pairs of systems that are told apart at k."""
    part: float
    """What rank k itself adds: the share of people who look at it, or of the clicks; for systems the mean value."""


@dataclass(frozen=True, repr=False)
class CutoffChoice:
    """A cutoff, the curve that it was read off, and why."""

    k: int
    basis: Basis
    curve: tuple[Point, ...]
    reached: bool
    """Whether the aim is reached at any cutoff of the curve."""
    count: int
    aim: Mapping[str, Any]

    def document(self, lang: str = "en") -> Document:
        """The choice to read, with the curve around it."""
        spoken = check_lang(lang)
        why = WORDS[self.basis].render(spoken, count=f"{self.count:,}", **self.aim)
        columns = [
            "k",
            WORDS[f"share {self.basis}"].render(spoken),
            WORDS[f"part {self.basis}"].render(spoken, metric=self.aim.get("metric", "")),
        ]
        last = next(place for place, point in enumerate(self.curve) if point.k == self.k) + SHOWN // 2
        shown = self.curve[max(last - SHOWN, 0) : last]
        rows = [[str(point.k), f"{point.share:.6f}", f"{point.part:.6f}"] for point in shown]
        missed = [] if self.reached else [Paragraph(WORDS["never"].render(spoken))]
        heading = Heading(WORDS["title"].render(spoken, k=self.k))
        return Document([heading, Paragraph(why), *missed, Table(columns, rows, align="rrr")])

    def __str__(self) -> str:
        return self.document().to_text()

    def __repr__(self) -> str:
        return f"<k = {self.k}, from {self.basis}>"

    def _repr_html_(self) -> str:
        return self.document().to_html()


def choose_k(
    judgments: Any = None,
    rankings: Mapping[str, Any] | None = None,
    metric: str | Metric = "nDCG",
    *,
    depths: Sequence[int] | Mapping[int, int] | None = None,
    clicks: Sequence[int] | Mapping[int, int] | None = None,
    cover: float = 0.9,
    cutoffs: Sequence[int] = CUTOFFS,
    alpha: float = 0.05,
    within: float = 0.05,
    convention: ConventionLike = None,
) -> CutoffChoice:
    """The cutoff that behaviour or the data suggest, with the curve behind it.

    Parameters
    ----------
    depths
        How many results each person looked at, as a list or as ``{depth: how many people}``.
    clicks
        The rank of each click, as a list or as ``{rank: how many clicks}``.
    cover
        Which share of the views or clicks the top k must have.
    judgments, rankings, metric, convention
        Instead of behaviour: judgments and two or more named rankings, as ``evaluate`` takes them. The cutoff is then
        the smallest at which nearly as many pairs of systems differ significantly as at the best one.
    cutoffs
        Which cutoffs to try.
    alpha, within
        From which p-value on a difference is significant; how many pairs, as a share, may be lost.

    Examples
    --------
    >>> import rankgauge as rg
    >>> found = rg.choose_k(depths={1: 4, 2: 1, 10: 1})  # 16 views: 6 at rank 1, 2 at rank 2, 1 at each of 3 to 10
    >>> found.k, found.curve[1]  # (6 + 2) / 16; two of six people look at rank 2
    (9, Point(k=2, share=0.5, part=0.3333333333333333))
    """
    given = [
        name for name, data in (("depths", depths), ("clicks", clicks), ("rankings", rankings)) if data is not None
    ]
    if len(given) != 1 or (rankings is not None) != (judgments is not None):
        raise ParameterError("choose_k takes depths=, or clicks=, or judgments and rankings: exactly one of them")
    if not 0 < number_or()("cover", cover) <= 1:
        raise ParameterError.of("cover", cover, "a share above 0 and at most 1")
    if depths is not None:
        return _by_behaviour("depths", depths, cover)
    if clicks is not None:
        return _by_behaviour("clicks", clicks, cover)
    for name, number in (("alpha", alpha), ("within", within)):
        if not 0 <= number_or()(name, number) < 1:
            raise ParameterError.of(name, number, "a share from 0 to below 1")
    return _by_systems(judgments, rankings or {}, parse(metric), cutoffs, alpha, within, convention)


def _by_behaviour(basis: Basis, ranks: Any, cover: float) -> CutoffChoice:
    counts = _counts(basis, ranks)
    # Of depths, everybody who looked further has seen this rank too.
    at_rank = np.cumsum(counts[::-1])[::-1] if basis == "depths" else counts
    people = counts.sum()
    shares = np.cumsum(at_rank) / at_rank.sum()
    curve = tuple(
        Point(k, float(share), float(part))
        for k, (share, part) in enumerate(zip(shares, at_rank / people, strict=True), 1)
    )
    chosen = int(np.argmax(shares >= cover)) + 1 if cover < 1 else len(curve)
    return CutoffChoice(chosen, basis, curve, True, int(people), {"cover": cover})


def _counts(name: str, ranks: Any) -> Floats:
    """How often each rank occurs, from 1 on."""
    if isinstance(ranks, str) or not isinstance(ranks, Iterable):
        raise ParameterError.of(name, ranks, "a list of whole numbers, or a mapping from them to how often they occur")
    pairs = [*ranks.items()] if isinstance(ranks, Mapping) else [(rank, 1) for rank in ranks]
    for rank, count in pairs:
        if isinstance(rank, bool) or not isinstance(rank, int | np.integer) or rank < 1:
            raise ParameterError.of(f"each of {name}", rank, "a whole number from 1 on")
        if number_or()(f"the number of {name} at {rank}", count) < 0:
            raise ParameterError.of(f"the number of {name} at {rank}", count, "at least 0")
    if not sum(count for _, count in pairs):
        raise InputError(f"{name}: there are none")
    return np.bincount([int(rank) for rank, _ in pairs], [float(count) for _, count in pairs])[1:]


def _by_systems(
    judgments: Any,
    rankings: Mapping[str, Any],
    metric: Metric,
    cutoffs: Sequence[int],
    alpha: float,
    within: float,
    convention: ConventionLike,
) -> CutoffChoice:
    at = {k: metric @ k for k in sorted({*cutoffs})}
    if not at:
        raise ParameterError.of("cutoffs", cutoffs, "one cutoff or more")
    scores = evaluate(judgments, rankings, [*at.values()], convention=convention)
    pairs = [*combinations(scores.systems, 2)]
    if not pairs:
        raise ParameterError("rankings: two systems or more are needed to be told apart; give {'name': ranking, ...}")
    curve = []
    for k, asked in at.items():
        apart = sum(_p_value(scores, asked, *pair) < alpha for pair in pairs)
        mean = float(np.mean([scores.mean(asked, system) for system in scores.systems]))
        curve.append(Point(k, apart / len(pairs), mean))
    best = max(point.share for point in curve)
    chosen = next(point for point in curve if point.share >= best - within)
    aim = {"metric": str(metric), "alpha": alpha, "within": within}
    return CutoffChoice(chosen.k, "systems", tuple(curve), best > 0, len(pairs), aim)


def _p_value(scores: Scores, metric: Metric, one: str, other: str) -> float:
    """Of the paired t-test over the queries that both have; 1 for one query, 0 where several differ by the same."""
    values = np.array([scores.system(other)[metric], scores.system(one)[metric]])
    first, second = values[:, ~np.isnan(values).any(axis=0)]
    if len(first) < 2:  # noqa: PLR2004 (one value has no spread)
        return 1.0
    p = paired_t(first, second).p
    return 0.0 if np.isnan(p) else p
