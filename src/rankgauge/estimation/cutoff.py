"""The choice of a cutoff k, from how far users look or from how well it separates systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.rule import integer_from, number_or
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.curves import cutoffs_of
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.source_types import JudgmentsLike, RankingsLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, metric_or_default
from rankgauge.rendering.document import Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, columns_of
from rankgauge.segments import Floats
from rankgauge.stats.paired_tests import paired_t
from rankgauge.value_checks import is_listing

Basis = Literal["depths", "clicks", "systems"]
CUTOFFS = (1, 2, 3, 5, 10, 15, 20, 30, 50, 100)
DEEPEST = 1_000_000
"""Largest rank: there is a point of the curve for every rank up to it."""
SHOWN = 30
"""Rows of the curve that a document shows around the chosen k."""

WORDS = {
    "title": Phrase("k = {k}", "k = {k}"),
    "depths": Phrase(
        "The smallest k whose top k positions account for {cover:.0%} of all result views ({count:# user|# users}).",
        "使前 k 位占全部浏览量 {cover:.0%} 的最小 k（{count:,} 名用户）。",
    ),
    "clicks": Phrase(
        "The smallest k whose top k positions account for {cover:.0%} of all clicks ({count:# click|# clicks}).",
        "使前 k 位占全部点击 {cover:.0%} 的最小 k（{count:,} 次点击）。",
    ),
    "systems": Phrase(
        "The smallest k at which {metric} separates as many pairs of systems as at the best k, within {within:.0%} of "
        "the pairs ({count:# pair|# pairs}, paired t-test, p < {alpha:g}, no correction for multiple tests).",
        "使 {metric} 能区分的系统对数与最佳 k 相差不超过 {within:.0%} 的最小 k"
        "（{count:,} 对系统，配对 t 检验，p < {alpha:g}，未作多重检验校正）。",
    ),
    "never": Phrase("No cutoff separates any pair of systems.", "没有任何截断能区分任何一对系统。"),
    "share depths": Phrase("views covered", "浏览覆盖率"),
    "share clicks": Phrase("clicks covered", "点击覆盖率"),
    "share systems": Phrase("pairs separated", "能区分的系统对"),
    "part depths": Phrase("users who view rank k", "看到第 k 位的用户"),
    "part clicks": Phrase("clicks at rank k", "第 k 位的点击"),
    "part systems": Phrase("mean {metric}@k", "{metric}@k 均值"),
}


class CutoffPoint(NamedTuple):
    """One cutoff of the curve."""

    k: int
    share: float
    """Share of the views or clicks in the top k, or of the pairs of systems separated at k."""
    part: float
    """Share of users who view rank k, or of clicks at it; for systems, the mean value at k."""


@dataclass(frozen=True, repr=False)
class CutoffChoice(ShownAsDocument, FrameResult):
    """A cutoff with the curve from which it was chosen."""

    k: int
    basis: Basis
    curve: tuple[CutoffPoint, ...]
    reached: bool
    """False if no cutoff separates any pair of systems."""
    count: int
    aim: Mapping[str, Any]

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row for each cutoff of the curve."""
        return columns_of(point._asdict() for point in self.curve)

    def document(self, lang: str = "en") -> Document:
        """Return the choice as a document, with the curve around it."""
        language = check_lang(lang)
        reason = WORDS[self.basis].render(language, count=self.count, **self.aim)
        share, part = WORDS[f"share {self.basis}"], WORDS[f"part {self.basis}"].fill(metric=self.aim.get("metric", ""))
        last = next(place for place, point in enumerate(self.curve) if point.k == self.k) + SHOWN // 2
        shown = self.curve[max(last - SHOWN, 0) : last]
        rows = [[str(point.k), decimal(point.share, 6), decimal(point.part, 6)] for point in shown]
        missed = [] if self.reached else [Paragraph(WORDS["never"].render(language))]
        heading = Heading(WORDS["title"].render(language, k=self.k))
        table = Table(["k", share.render(language), part.render(language)], rows, align="rrr")
        return Document([heading, Paragraph(reason), *missed, table])

    def __repr__(self) -> str:
        return f"<k = {self.k}, from {self.basis}>"


def choose_k(
    judgments: JudgmentsLike | None = None,
    rankings: RankingsLike | None = None,
    metric: MetricLike | None = None,
    *,
    depths: Sequence[int] | Mapping[int, int] | None = None,
    clicks: Sequence[int] | Mapping[int, int] | None = None,
    cover: float = 0.9,
    k: str | int | Iterable[int] = CUTOFFS,
    alpha: float = 0.05,
    within: float = 0.05,
    convention: ConventionLike = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> CutoffChoice:
    """Choose a cutoff from user behaviour, or from how well it separates systems.

    Parameters
    ----------
    depths
        Number of results that each user viewed, as a list or as ``{depth: number of users}``.
    clicks
        Rank of each click, as a list or as ``{rank: number of clicks}``.
    cover
        Share of the views or clicks that the top k must cover.
    judgments, rankings, metric, convention
        Instead of behaviour: judgments and two or more named rankings, as for ``evaluate``, and a metric, nDCG by
        default. The result is the smallest cutoff at which nearly as many pairs of systems differ significantly as at
        the best cutoff.
    k
        Cutoffs to try, as for ``curve``.
    alpha, within
        Significance level; share of the pairs that may be lost compared with the best cutoff.
    read_options, **read
        How data are read, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> choice = rg.choose_k(depths={1: 4, 2: 1, 10: 1})  # 16 views: 6 at rank 1, 2 at rank 2, 1 at each of 3 to 10
    >>> choice.k, choice.curve[1]  # (6 + 2) / 16; two of six users view rank 2
    (9, CutoffPoint(k=2, share=0.5, part=0.3333333333333333))
    """
    options = ReadOptions.of(choose_k, read_options, read)
    sources = sum(data is not None for data in (depths, clicks, rankings))
    if sources != 1 or (rankings is not None) != (judgments is not None):
        raise ParameterError("choose_k takes depths=, or clicks=, or judgments and rankings: pass exactly one of them")
    if not 0 < number_or()("cover", cover) <= 1:
        raise ParameterError.of("cover", cover, ("a share above 0 and at most 1", "大于 0 且不超过 1 的比例"))
    if depths is not None:
        return _by_behaviour("depths", depths, cover)
    if judgments is None:
        return _by_behaviour("clicks", clicks, cover)
    for name, number in (("alpha", alpha), ("within", within)):
        if not 0 <= number_or()(name, number) < 1:
            raise ParameterError.of(name, number, ("a share from 0 to below 1", "不小于 0 且小于 1 的比例"))
    parsed = metric_or_default(metric) @ None
    at = {cutoff: parsed @ cutoff for cutoff in cutoffs_of(k)}
    scores = evaluate(judgments, rankings, [*at.values()], convention=convention, read_options=options)
    return _by_systems(scores, parsed, at, alpha, within)


def _by_behaviour(basis: Basis, ranks: object, cover: float) -> CutoffChoice:
    counts = _counts(basis, ranks)
    # A user who viewed k results viewed every rank up to k.
    at_rank = np.cumsum(counts[::-1])[::-1] if basis == "depths" else counts
    total = counts.sum()
    shares = np.cumsum(at_rank) / at_rank.sum()
    curve = tuple(
        CutoffPoint(k, float(share), float(part))
        for k, (share, part) in enumerate(zip(shares, at_rank / total, strict=True), 1)
    )
    chosen = int(np.argmax(shares >= cover)) + 1 if cover < 1 else len(curve)
    return CutoffChoice(chosen, basis, curve, True, int(total), {"cover": cover})


def _counts(name: str, ranks: object) -> Floats:
    """Return the number of occurrences of each rank from 1."""
    if not is_listing(ranks):
        raise ParameterError.of(
            name,
            ranks,
            ("a list of integers, or a mapping from integers to counts", "整数的列表，或从整数到个数的映射"),
        )
    pairs = [*ranks.items()] if isinstance(ranks, Mapping) else [(rank, 1) for rank in ranks]
    for rank, count in pairs:
        if integer_from(1, f"each of {name}", rank) > DEEPEST:
            raise ParameterError.of(f"each of {name}", rank, (f"at most {DEEPEST:,}", f"至多 {DEEPEST:,}"))
        if number_or()(f"the number of {name} at {rank}", count) < 0:
            raise ParameterError.of(f"the number of {name} at {rank}", count, ("at least 0", "不小于 0"))
    if not sum(count for _, count in pairs):
        raise InputError(f"{name} is empty")
    return np.bincount([int(rank) for rank, _ in pairs], [float(count) for _, count in pairs])[1:]


def _by_systems(scores: Scores, metric: Metric, at: Mapping[int, Metric], alpha: float, within: float) -> CutoffChoice:
    pairs = [*combinations(scores.systems, 2)]
    if not pairs:
        raise ParameterError("rankings: at least two systems are needed; pass {'name': ranking, ...}")
    curve = []
    for k, metric_at_k in at.items():
        separated = sum(_p_value(scores, metric_at_k, *pair) < alpha for pair in pairs)
        mean = float(np.mean([scores.mean(metric_at_k, system) for system in scores.systems]))
        curve.append(CutoffPoint(k, separated / len(pairs), mean))
    best = max(point.share for point in curve)
    chosen = next(point for point in curve if point.share >= best - within)
    aim = {"metric": str(metric), "alpha": alpha, "within": within}
    return CutoffChoice(chosen.k, "systems", tuple(curve), best > 0, len(pairs), aim)


def _p_value(scores: Scores, metric: Metric, *systems: str) -> float:
    """P-value of the paired t-test over shared queries; 1 for one query, 0 if all differences are equal."""
    values = np.array([scores.system(system)[metric] for system in systems])
    first, second = values[:, ~np.isnan(values).any(axis=0)]
    if len(first) < 2:  # noqa: PLR2004 (one value has no spread)
        return 1.0
    p = paired_t(first, second).p
    return 0.0 if np.isnan(p) else p
