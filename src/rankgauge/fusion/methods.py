"""Methods of fusion: those of papers, and what products ship under their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from rankgauge.fusion import combinations as combine
from rankgauge.fusion.combinations import Combination
from rankgauge.fusion.norms import (
    CLOSE,
    NORMS,
    Norm,
    l2_or_unchanged,
    min_max,
    min_max_opensearch,
    three_sigma,
    unchanged,
    z_opensearch,
)
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats

RankValue: TypeAlias = Callable[["Ranks"], Floats]
MissingRule: TypeAlias = Literal["zero", "min", "skip", "share", "last"]

MISSING: Mapping[str, Phrase] = {
    "zero": Phrase("it counts there with the value 0", "在该列表中按值 0 计入"),
    "min": Phrase(
        "it counts there with the lowest value of the list (0 if the list is empty)",
        "在该列表中按列表的最低值计入（列表为空时为 0）",
    ),
    "skip": Phrase("the list does not count for it", "该列表对它不计入"),
    "share": Phrase(
        "the items that a list lacks share the points it has not given", "列表缺少的物品平分该列表尚未分出的分值"
    ),
    "last": Phrase(
        "it ranks behind the items of the list, in the order of the other lists",
        "排在该列表所有物品之后，次序依其他列表",
    ),
}
"""Rules for an item that a list lacks."""


@dataclass(frozen=True)
class Ranks:
    """The ranks in one list, and what their value depends on."""

    rank: Floats
    candidates: Floats
    """The number of items that any list has for the query."""
    k: float
    p: float
    weight: float


@dataclass(frozen=True)
class Method:
    """A method of fusion, with its defaults and what it accepts."""

    title: Phrase
    formula: str
    """In r (rank), v (value), w (weight), n (number of lists that count) and N (items of all lists)."""
    combination: Combination = combine.weighted_sum
    rank_value: RankValue | None = None
    """The value of a rank; None if scores are normalised instead."""
    norms: Mapping[str, Norm] | None = None
    """The norms that it accepts, the default first; None if it reads ranks."""
    missing: tuple[MissingRule, ...] = ("skip", "zero", "min")
    """The rules for missing items that it accepts, the default first."""
    k: float | None = None
    """The default of k; None if it has none."""
    p: tuple[float, float, float] | None = None
    """The default of p, and its least and greatest value; None if it has none."""
    weighted: bool = False
    weights: tuple[float, ...] | None = None
    """Default weights, for the number of lists that there are."""
    depth: int | None = None
    """The default number of items that are taken from each list; None for all."""
    product: str = ""

    @property
    def norm(self) -> str:
        """The name of the default norm, empty if it reads ranks."""
        return next(iter(self.norms)) if self.norms else ""

    @property
    def adds(self) -> bool:
        """Whether the fused score is a sum of weight x value."""
        return self.combination in {combine.weighted_sum, combine.plain_sum}


def _reciprocal(ranks: Ranks) -> Floats:
    return 1 / (ranks.k + ranks.rank)


def _reciprocal_from_60(ranks: Ranks) -> Floats:
    """Return 1 / 60 for the first rank: Weaviate and Azure count positions from 0 and do not let k be set."""
    return 1 / (60 + (ranks.rank - 1))


def _compressed(ranks: Ranks) -> Floats:
    """Return the value of Qdrant, whose weights divide ranks; the weight 0 gives 0."""
    if ranks.weight == 0:
        return np.where(np.isnan(ranks.rank), np.nan, 0.0)
    return 1 / (ranks.rank / ranks.weight + ranks.k - 1)


def _inverse_square(ranks: Ranks) -> Floats:
    return 1 / ranks.rank**2


def _persistent(ranks: Ranks) -> Floats:
    return (1 - ranks.p) * ranks.p ** (ranks.rank - 1)


def _points(ranks: Ranks) -> Floats:
    return ranks.candidates - ranks.rank + 1


def _scores(title: Phrase, formula: str, combination: Combination, missing: MissingRule, **more: object) -> Method:
    """Return a method that combines normalised scores."""
    rules = dict.fromkeys([missing, "zero", "min", "skip", "share"])
    return Method(title, formula, combination, norms=_MIN_MAX_FIRST, missing=tuple(rules), **more)  # type: ignore[arg-type]


_MIN_MAX_FIRST = {"min-max": NORMS["min-max"], **NORMS}
_RRF = "Σ w / (k + r)"

PAPERS: Mapping[str, Method] = {
    "rrf": Method(
        Phrase("Reciprocal rank fusion (Cormack et al. 2009)", "倒数排名融合（Cormack 等 2009）"),
        _RRF,
        rank_value=_reciprocal,
        k=60,
        weighted=True,
    ),
    "sum": _scores(
        Phrase("CombSUM (Fox and Shaw 1993), weighted sum", "CombSUM（Fox 与 Shaw 1993），加权和"),
        "Σ w v",
        combine.weighted_sum,
        "zero",
        weighted=True,
    ),
    "mnz": _scores(Phrase("CombMNZ", "CombMNZ"), "n Σ v", combine.multiplied, "skip"),
    "anz": _scores(Phrase("CombANZ", "CombANZ"), "Σ v / n", combine.mean, "skip"),
    "min": _scores(Phrase("CombMIN", "CombMIN"), "min v", combine.lowest, "skip"),
    "max": _scores(Phrase("CombMAX", "CombMAX"), "max v", combine.highest, "skip"),
    "med": _scores(Phrase("CombMED", "CombMED"), "median v", combine.median, "skip"),
    "gmnz": _scores(
        Phrase("CombGMNZ (Lee 1997)", "CombGMNZ（Lee 1997）"), "n^p Σ v", combine.powered, "skip", p=(1.0, 0.0, 10.0)
    ),
    "wmnz": _scores(
        Phrase("Weighted CombMNZ (Wu and Crestani 2002)", "加权 CombMNZ（Wu 与 Crestani 2002）"),
        "Σ v Σ w",
        combine.multiplied_by_weights,
        "skip",
        weighted=True,
    ),
    "mixed": _scores(Phrase("Mixed sum", "混合求和"), "√n Σ w v", combine.rooted, "skip", weighted=True),
    "borda": Method(
        Phrase("Borda count (Aslam and Montague 2001)", "Borda 计数（Aslam 与 Montague 2001）"),
        "Σ w (N - r + 1)",
        rank_value=_points,
        missing=("share", "zero", "skip", "min"),
        weighted=True,
    ),
    "condorcet": Method(
        Phrase("Condorcet-fuse (Montague and Aslam 2002)", "Condorcet 融合（Montague 与 Aslam 2002）"),
        "r(a) < r(b)",
        missing=("last",),
        weighted=True,
    ),
    "isr": Method(
        Phrase("Inverse square rank (Mourão et al. 2015)", "名次平方倒数（Mourão 等 2015）"),
        "n Σ 1 / r²",
        combine.multiplied,
        _inverse_square,
    ),
    "log-isr": Method(
        Phrase("Logarithmic inverse square rank (Mourão et al. 2015)", "对数名次平方倒数（Mourão 等 2015）"),
        "log(n) Σ 1 / r²",
        lambda values, weights, _: combine.logarithmic(values, weights, 0.0),
        _inverse_square,
    ),
    "logn-isr": Method(
        Phrase(
            "Smoothed logarithmic inverse square rank (Mourão et al. 2015)", "平滑对数名次平方倒数（Mourão 等 2015）"
        ),
        "log(n + p) Σ 1 / r²",
        combine.logarithmic,
        _inverse_square,
        p=(0.01, 0.0, 1.0),
    ),
    "rbc": Method(
        Phrase("Rank-biased centroid (Bailey et al. 2017)", "秩偏质心（Bailey 等 2017）"),
        "Σ w (1 - p) p^(r - 1)",
        rank_value=_persistent,
        p=(0.8, 0.0, 1.0),
        weighted=True,
    ),
    "dbsf": Method(
        Phrase("Distribution-based score fusion", "基于分布的分数融合"),
        "Σ w v",
        norms={"dbsf": NORMS["dbsf"]},
        missing=("zero", "min", "skip"),
        weighted=True,
    ),
}
"""Methods of papers."""

_FROM_60 = "Σ w / (60 + r - 1)"
_MIN_MAX = "(s - min) / (max - min)"
_BY_RANK: dict[str, Any] = {"rank_value": _reciprocal, "k": 60}
_WEAVIATE: dict[str, Any] = {"depth": 100, "weights": (0.25, 0.75)}
_ELASTICSEARCH_NORMS = {
    "none": Norm("s", unchanged),
    "min-max": Norm(_MIN_MAX, min_max(1.0, CLOSE), 1.0),
    "l2": Norm("s / √Σ s²", l2_or_unchanged),
}
_OPENSEARCH_NORMS = {"min-max": Norm(f"{_MIN_MAX}, 0 → 0.001", min_max_opensearch, 1.0), "l2": NORMS["l2"]}
_OPENSEARCH_Z = {"z": Norm("(s - mean) / sd, ≤ 0 → 0.001", z_opensearch)}


def _product(version: str, en: str, zh: str, formula: str, missing: MissingRule, **more: Any) -> Method:
    """Return a method as a product ships it: weighted, with one rule for missing items, and ten items of each list."""
    tool = version.rstrip(" .0123456789")
    method: dict[str, Any] = {"weighted": True, "missing": (missing,), "depth": 10, "product": version} | more
    return Method(Phrase(f"{tool}: {en}", f"{tool}：{zh}"), formula, **method)


def _opensearch(mean: str, formula: str, combination: Combination, norms: Mapping[str, Norm]) -> Method:
    en, zh = f"normalization processor, {mean}", f"归一化处理器，{mean}"
    return _product("OpenSearch 3", en, zh, formula, "zero", combination=combination, norms=norms)


PRODUCTS: Mapping[str, Method] = {
    "elasticsearch-rrf": _product("Elasticsearch 9.2", "retriever rrf", "rrf 检索器", _RRF, "skip", **_BY_RANK),
    "elasticsearch-linear": _product(
        "Elasticsearch 9.2", "retriever linear", "linear 检索器", "Σ w v", "zero", norms=_ELASTICSEARCH_NORMS
    ),
    "opensearch-arithmetic": _opensearch(
        "arithmetic_mean", "Σ w v / Σ w", combine.arithmetic_mean, _OPENSEARCH_NORMS | _OPENSEARCH_Z
    ),
    "opensearch-geometric": _opensearch(
        "geometric_mean", "exp(Σ w log v / Σ w), v > 0", combine.geometric_mean, _OPENSEARCH_NORMS
    ),
    "opensearch-harmonic": _opensearch(
        "harmonic_mean", "Σ w / Σ (w / v), v > 0", combine.harmonic_mean, _OPENSEARCH_NORMS
    ),
    "opensearch-rrf": _product(
        "OpenSearch 3", "score ranker processor", "score-ranker 处理器", _RRF, "skip", **_BY_RANK
    ),
    "qdrant-rrf": _product(
        "Qdrant 1.17", "fusion rrf", "rrf 融合", "Σ 1 / (r / w + k - 1)", "skip",
        combination=combine.plain_sum, rank_value=_compressed, k=2,
    ),
    "qdrant-dbsf": _product(
        "Qdrant 1.17", "fusion dbsf", "dbsf 融合", "Σ v", "zero",
        norms={"dbsf": Norm(NORMS["dbsf"].formula, three_sigma, 0.5)}, weighted=False,
    ),
    "weaviate-ranked": _product(
        "Weaviate 1.33", "rankedFusion", "rankedFusion", _FROM_60, "skip", rank_value=_reciprocal_from_60, **_WEAVIATE
    ),
    "weaviate-relative": _product(
        "Weaviate 1.33", "relativeScoreFusion", "relativeScoreFusion", "Σ w v", "zero",
        norms={"min-max": Norm(_MIN_MAX, min_max(1.0), 1.0)}, **_WEAVIATE,
    ),
    "azure-rrf": _product(
        "Azure AI Search", "hybrid search", "混合搜索", _FROM_60, "skip", rank_value=_reciprocal_from_60, depth=50
    ),
    "vespa-rrf": _product(
        "Vespa 8", "reciprocal_rank_fusion", "reciprocal_rank_fusion", "Σ 1 / (k + r)", "last",
        depth=100, weighted=False, **_BY_RANK,
    ),
    "vespa-linear": _product(
        "Vespa 8", "normalize_linear", "normalize_linear", "Σ w v", "min",
        depth=100, norms={"min-max": Norm(_MIN_MAX, min_max(0.5), 0.5)},
    ),
}  # fmt: skip
"""What products do, with their defaults and nothing beyond what they ship. Weights are in the order of the rankings."""

METHODS: Mapping[str, Method] = {**PAPERS, **PRODUCTS}
