"""What can be said before anybody judges: which pairs can change the verdict, and how many labels are needed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations

import numpy as np

from rankgauge.analysis.unjudged import unjudged_bounds
from rankgauge.errors import RankgaugeError
from rankgauge.judging.labels import as_judgments
from rankgauge.judging.plan import fewest
from rankgauge.judging.query_values import ValuesByQuery
from rankgauge.metric_core.metric import Metric
from rankgauge.pooling.basis import PoolBasis
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import PlainData
from rankgauge.segments import Floats, Ints

LEVEL = 0.95
FEW = 5
"""Queries from which on a spread is taken from values."""
TEXTS = {
    "deciding": Phrase(
        "{deciding:,} of these pairs can still change {what} by {metric}: they add more to one ranking than to "
        "another. The others cannot. The pool holds {covered:.0%} of their weight.",
        "其中 {deciding:,} 对仍可能改变按 {metric} 得出的{what}：它们给各排序结果带来的增量不同；其余的不会。"
        "标注池占这些权重的 {covered:.0%}。",
    ),
    "verdict": Phrase("the verdict", "结论"),
    "size": Phrase("the size of the difference", "差异的大小"),
    "open": Phrase(
        "Unjudged items could still reverse the order of {open:# pair|# pairs} of rankings, of {of:,}.",
        "排序结果共 {of:,} 对，其中 {open:,} 对的次序仍可能因未标注的物品而逆转。",
    ),
    "open pair": Phrase(
        "Unjudged items could still reverse the order of the two rankings.",
        "未标注的物品仍可能逆转这两个排序结果的次序。",
    ),
    "decided": Phrase(
        "The order of the rankings is decided: no unjudged item can reverse it.",
        "各排序结果的次序已定：未标注的物品不可能逆转它。",
    ),
    "below": Phrase(
        "The pool also holds {below:# pair|# pairs} below that depth that the judge judged: {metric} depends on them, "
        "through the ideal ranking or the number of relevant items.",
        "标注池还含有该深度以外、评判模型判断过的 {below:,} 对：{metric} 通过理想排序或相关物品数取决于它们。",
    ),
    "needed": Phrase(
        "For a half width of {half_width:g} of {what} at 95 %, people must have judged about "
        "{queries:# whole query|# whole queries}, {basis}. That many have about "
        "{pairs:# unjudged pair|# unjudged pairs}.",
        "要使{what}的 95% 区间半宽为 {half_width:g}，约需 {queries:,} 个完整查询由人标注，{basis}。"
        "这么多查询中尚未标注的约有 {pairs:,} 对。",
    ),
    "too few": Phrase(
        "A half width of {half_width:g} of {what} at 95 % cannot be reached with these {queries:# query|# queries}, "
        "{basis}.",
        "只有这 {queries:,} 个查询时，{what}的 95% 区间半宽达不到 {half_width:g}，{basis}。",
    ),
    "difference": Phrase("the difference of {metric}", " {metric} 之差"),
    "mean": Phrase("the mean of {metric}", " {metric} 均值"),
    "model": Phrase(
        "if values vary as the judge's do; a judge that agrees well saves part of them, see judges.plan",
        "假设取值的离散程度与评判模型的相同；若评判模型与人一致性好，还可更少，见 judges.plan",
    ),
    "judgments": Phrase("from the spread of the queries judged so far", "依据已标注查询的离散程度估计"),
    "worst": Phrase("in the worst case: nothing is judged yet", "按最坏情形估计：目前没有任何标注"),
    "few": Phrase(
        "in the worst case: {judged:# query is|# queries are} judged so far, too few to estimate the spread",
        "按最坏情形估计：目前只有 {judged:,} 个查询有标注，不足以估计离散程度",
    ),
}


@dataclass(frozen=True)
class Outlook:
    """What is known before anybody judges."""

    metric: str
    queries: int
    """Number of queries of the rankings."""
    candidates: int
    """Number of unjudged pairs that could be chosen."""
    deciding: int | None
    """Number of them that add more to one ranking than to another; None if there is one ranking, or for ``"find"``."""
    covered: float | None
    """Share of the weight of the deciding pairs that the pool holds."""
    open_orders: int | None
    """Number of pairs of rankings whose order unjudged items could reverse; None if nothing is judged."""
    orders: int
    half_width: float
    what: str
    """``"difference"`` of two rankings, or ``"mean"`` of one."""
    queries_needed: int | None
    """Number of whole queries that people must judge for the half width; None if these queries are too few."""
    pairs_needed: int | None
    """Number of unjudged pairs of that many queries."""
    basis: str
    """Where the spread comes from: ``"model"``, ``"judgments"`` or ``"worst"``."""
    below: int = 0
    """Number of chosen pairs below the depth, which the judge judged and on which the metric depends."""
    judged: int = 0
    """Number of queries that have judgments already."""

    def to_dict(self) -> PlainData:
        """Return plain data."""
        return asdict(self)

    def texts(self, lang: Lang) -> list[str]:
        """Return the sentences."""
        texts = [TEXTS["below"].render(lang, below=self.below, metric=self.metric)] if self.below else []
        if self.deciding is not None:
            what = TEXTS["size" if self.open_orders == 0 else "verdict"]
            values = {"deciding": self.deciding, "covered": self.covered, "metric": self.metric, "what": what}
            texts.append(TEXTS["deciding"].render(lang, **values))
        if self.open_orders is not None and self.orders:
            key = ("open pair" if self.orders == 1 else "open") if self.open_orders else "decided"
            texts.append(TEXTS[key].render(lang, open=self.open_orders, of=self.orders))
        few = self.basis == "worst" and self.judged
        basis = TEXTS["few"].fill(judged=self.judged) if few else TEXTS[self.basis]
        key = "too few" if self.queries_needed is None else "needed"
        values = {
            "half_width": self.half_width,
            "what": TEXTS[self.what].fill(metric=self.metric),
            "queries": self.queries if self.queries_needed is None else self.queries_needed,
            "pairs": self.pairs_needed,
            "basis": basis,
        }
        texts.append(TEXTS[key].render(lang, **values))
        return texts


def outlook(basis: PoolBasis, order: Ints, added: int, half_width: float) -> Outlook:
    """Return what can be said before anybody judges; ``added`` is the number of chosen pairs below the depth."""
    candidates, metric, values = basis.candidates, basis.metric, basis.values
    several, judged = len(candidates.names) > 1, candidates.judged
    deciding = covered = None
    if basis.weights is not None and several:
        apart = basis.weights.differences
        deciding = int((apart > 0).sum())
        covered = float(apart[order].sum() / apart.sum()) if deciding else 1.0
    source = "worst" if values is None else "model"
    if values is None and judged["query"].n_unique() >= FEW:
        values, source = basis.systems.values(judged, metric), "judgments"
    needed = _needed(_spread(values, metric), candidates.queries, half_width)
    return Outlook(
        str(metric),
        candidates.queries,
        basis.size,
        deciding,
        covered,
        _open_orders(basis) if several and judged.height else None,
        len([*combinations(candidates.names, 2)]),
        half_width,
        "difference" if several else "mean",
        needed,
        None if needed is None else round(needed * basis.size / max(candidates.queries, 1)),
        source,
        added,
        judged["query"].n_unique(),
    )


def _spread(values: ValuesByQuery | None, metric: Metric) -> float:
    """Return the largest variance over queries of a difference, or of the only ranking."""
    if values is None:
        low, high = metric.definition.bounds
        return ((high - low) / 2) ** 2 if np.isfinite([low, high]).all() else np.inf
    queries = [*dict.fromkeys(query for by_query in values.values() for query in by_query)]
    columns = [
        np.array([by_query.get(query, 0.0) for query in queries], dtype=np.float64) for by_query in values.values()
    ]
    series: list[Floats] = [second - first for first, second in combinations(columns, 2)] or columns
    return max(float(np.nanvar(one, ddof=1)) if len(one) > 1 else np.inf for one in series)


def _needed(variance: float, size: int, half_width: float) -> int | None:
    if not np.isfinite(variance):
        return None
    found = fewest((variance, variance), 0.0, 1, size, True, half_width, LEVEL)
    return None if np.isinf(found) else int(found)


def _open_orders(basis: PoolBasis) -> int | None:
    """Return how many orders of two rankings unjudged items could reverse; None if there are no bounds."""
    judged = basis.candidates.judged
    try:
        bounds = unjudged_bounds(
            as_judgments(judged),
            basis.candidates.rankings(),
            basis.metric,
            max_grade=max(basis.grade, float(str(judged["grade"].max()))),
            convention=basis.systems.rules,
        )
    except RankgaugeError:  # the metric has no bounds, or the judgments are of other queries
        return None
    return len(bounds.reversible_pairs)
