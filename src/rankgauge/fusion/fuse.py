"""`fuse`: several rankings into one, by a method of the literature or of a product."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, Unpack

import numpy as np
import polars as pl

from rankgauge.analysis.full_ranking import rows_by_score
from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.conventions.order import DECIDED_BY_GRADES, NO_ORDER
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.evaluation.evaluator import read_progress
from rankgauge.fusion.aligned_lists import AlignedLists
from rankgauge.fusion.fused_ranking import FusedRanking
from rankgauge.fusion.fusion_setting import FusionSetting
from rankgauge.fusion.query_chunks import DifferentOrderError, Stream, chunks_in_order, chunks_sorted
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.formats.registry import names_of_files
from rankgauge.inputs.io.prefetch import prefetch, with_findings
from rankgauge.inputs.read_options import ARRAY_OPTIONS, ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_systems
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.source_types import RankingLike, RankingsLike
from rankgauge.rendering.language import Phrase

Result = TypeVar("Result")
REFUSED = {
    "grades": Phrase("it fuses rankings and takes no judgments", "融合的是排序结果，不需要标注"),
    "units": Phrase(
        "it fuses the items that were returned; roll them up afterwards", "融合的是返回的物品；请在之后归并"
    ),
} | dict.fromkeys(
    ARRAY_OPTIONS, Phrase("it fuses items by their ids, which flat arrays lack", "按 id 融合物品，而扁平数组没有 id")
)
"""Read options that do not apply."""


def fuse(
    rankings: RankingsLike | Sequence[RankingLike],
    method: str = "rrf",
    *,
    k: float | None = None,
    weights: Mapping[str, float] | Sequence[float] | None = None,
    norm: str | None = None,
    missing: str | None = None,
    depth: int | None = None,
    p: float | None = None,
    convention: ConventionLike = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> FusedRanking:
    """Fuse two or more rankings of the same queries into one, which every verb takes.

    Parameters
    ----------
    rankings
        ``{"name": ranking, ...}`` or a list of rankings, each as for ``evaluate``.
    method
        ``"rrf"`` (reciprocal rank fusion); ``"sum"``, ``"mnz"``, ``"anz"``, ``"min"``, ``"max"``, ``"med"``,
        ``"gmnz"``, ``"wmnz"`` and ``"mixed"`` of normalised scores; ``"borda"``, ``"condorcet"``, ``"isr"``,
        ``"log-isr"``, ``"logn-isr"``, ``"rbc"``, ``"dbsf"``; or what a product does, such as ``"elasticsearch-rrf"``,
        ``"opensearch-arithmetic"``, ``"qdrant-dbsf"``, ``"weaviate-relative"``, ``"azure-rrf"`` or ``"vespa-rrf"``.
    k
        Constant of reciprocal rank fusion: 60, and 2 in Qdrant.
    weights
        A weight for each ranking, in their order or by name; all 1 by default.
    norm
        How scores are normalised for each query: ``"min-max"`` (default), ``"max"``, ``"sum"``, ``"z"``, ``"l2"``,
        ``"dbsf"``, ``"rank"``, ``"borda"``, ``"min-max-inverted"`` (distances) or ``"none"``.
    missing
        What happens to an item that a list lacks: ``"zero"``, ``"min"``, ``"skip"``, ``"share"`` or ``"last"``; the
        default depends on the method.
    depth
        Number of items that are taken from each list; all, or the default window of a product.
    p
        Parameter of ``"rbc"`` (persistence), ``"gmnz"`` (exponent) and ``"logn-isr"`` (smoothing).
    convention
        The rules for ties, repeated items and the precision of scores.
    read_options, **read
        How data are read; see ReadOptions.

    Examples
    --------
    >>> import rankgauge as rg
    >>> fused = rg.fuse({"bm25": {"q": ["a", "b"]}, "dense": {"q": ["b", "c"]}})
    >>> fused.items("q")
    ['b', 'a', 'c']
    >>> round(fused.score("q", "b"), 6)  # 1/62 + 1/61
    0.032522
    >>> rg.evaluate({"q": {"b": 1}}, fused, "RR").mean("RR")
    1.0
    """
    options = ReadOptions.of(fuse, read_options, read, REFUSED)
    fusion = Fusion.of(
        rankings, options, convention, method=method, k=k, weights=weights, norm=norm, missing=missing, depth=depth, p=p
    )
    frames = fusion.in_any_order(lambda chunks: [*fusion.frames(chunks)])
    return FusedRanking(pl.concat(frames), fusion)


@dataclass(eq=False)
class Fusion:
    """Rankings that are fused, and how."""

    rankings: Mapping[str, Ranking]
    setting: FusionSetting
    convention: Convention
    findings: Findings = field(default_factory=Findings)

    @classmethod
    def of(cls, rankings: Any, options: ReadOptions, convention: ConventionLike, **parameters: Any) -> Fusion:
        """Check the arguments of ``fuse``."""
        wrapped, rules = resolve_systems("fuse", named_rankings(rankings), options), check_convention(convention)
        if rules.ties in DECIDED_BY_GRADES:
            raise ParameterError(NO_ORDER.fill(verb="fuse", ties=rules.ties))
        setting = FusionSetting.of([*wrapped], **parameters)
        if len(wrapped) < 2:  # noqa: PLR2004 (one ranking cannot be fused)
            name = shown(next(iter(wrapped)))
            raise input_error("RG806", Phrase(f"only the ranking {name} was given", f"只给出了排序结果 {name}"))
        return cls(wrapped, setting, rules)

    @property
    def names(self) -> list[str]:
        """The names of the rankings."""
        return [*self.rankings]

    def in_any_order(self, work: Callable[[Iterator[AlignedLists]], Result]) -> Result:
        """Return the result of ``work`` on the lists; if the orders of queries differ, do it again, sorted."""
        try:
            return work(self.aligned(chunks_in_order([*map(self._blocks, self.rankings.values())])))
        except DifferentOrderError:
            self.findings.drain()
            return work(self.aligned(self._chunks_sorted()))

    def frames(self, chunks: Iterator[AlignedLists]) -> Iterator[pl.DataFrame]:
        """Yield the fused rows of lists."""
        for lists in chunks:
            yield lists.fused(self.setting.scores(lists), self.convention)

    def aligned(self, chunks: Iterator[list[pl.DataFrame]]) -> Iterator[AlignedLists]:
        """Yield the lists side by side, some queries at a time, and report what is found."""
        self._shared = np.zeros(len(self.names), dtype=np.int64)
        self._lacking, self._first = self._shared.copy(), [""] * len(self.names)
        for frames in chunks:
            columns = next((frame for frame in frames if frame.height), None)
            if columns is None:
                continue
            filled = [frame if frame.height else columns.clear() for frame in frames]
            lists = AlignedLists.of(filled, self.convention, self.setting.depth, self.findings, self.names)
            self.setting.check_scores(lists, self.names, self.findings)
            self._count_queries(lists)
            yield lists
        self._report_queries()

    def _count_queries(self, lists: AlignedLists) -> None:
        there = lists.returned > 0
        self._shared += (there & (there.sum(axis=1, keepdims=True) > 1)).sum(axis=0)
        self._lacking += (~there).sum(axis=0)
        for number in np.flatnonzero((~there).any(axis=0)).tolist():
            query = lists.queries[int((~there[:, number]).argmax())]
            self._first[number] = self._first[number] or shown(query)

    def _report_queries(self) -> None:
        """Report queries that a ranking lacks; raise an error for a ranking of other queries."""
        for name, shared in zip(self.names, self._shared.tolist(), strict=True):
            if not shared:
                en = f"ranking {shown(name)} shares no query with another"
                zh = f"排序结果 {shown(name)} 与其他排序结果没有共同的查询"
                raise input_error("RG801", Phrase(en, zh))
        for name, count, query in zip(self.names, self._lacking.tolist(), self._first, strict=True):
            if count:
                en = f"ranking {shown(name)}: no results for query {query}"
                self.findings.add("RG802", Phrase(en, f"排序结果 {shown(name)}：查询 {query} 没有结果"), count)

    def _chunks_sorted(self) -> Iterator[list[pl.DataFrame]]:
        """Yield the rows of each ranking in the order of the query ids, after sorting them on disk."""
        for name, ranking in self.rankings.items():
            if ranking.source.file is not None and ranking.source.file.is_one_shot:
                en = f"ranking {shown(name)}: its queries come in another order, and a stream cannot be read twice"
                zh = f"排序结果 {shown(name)}：查询的次序不同，而流不能读取两次"
                raise InputError((f"{en}; pass a file", f"{zh}；请给出文件"))
        self.findings.add("RG807", Phrase(", ".join(map(shown, self.names)), "、".join(map(shown, self.names))))
        chunks = chunks_sorted([partial(self._blocks, ranking) for ranking in self.rankings.values()])
        return ([frame.sort("query", maintain_order=True) for frame in chunk] for chunk in chunks)

    def _blocks(self, ranking: Ranking) -> Stream:
        """Yield the rows of a ranking of any form; the next block of a file is read in a thread."""
        if ranking.source.file is None:
            yield rows_by_score(ranking, self.findings)
            return
        noticed = Findings()
        with read_progress(ranking) as progress:
            for block, block_findings in prefetch(with_findings(ranking.blocks(noticed, progress.on_read), noticed)):
                self.findings.merge(block_findings)
                self.findings.raise_errors(ranking.options.lenient)
                yield block
        self.findings.merge(noticed)

    def lists_of(self, query: object) -> AlignedLists:
        """Return the lists of one query, which are read again."""
        wanted = pl.col("query").cast(pl.String) == str(query)
        frames = [
            pl.concat([block.filter(wanted) for block in self._blocks(ranking)]) for ranking in self.rankings.values()
        ]
        if not any(frame.height for frame in frames):
            raise InputError(
                (f"explain: no ranking has the query {shown(query)}", f"explain：没有排序结果含有查询 {shown(query)}")
            )
        return AlignedLists.of(frames, self.convention, self.setting.depth, Findings(), self.names)


def named_rankings(rankings: Any) -> Any:
    """Return the rankings of a list by name, those of a mapping as they are; files are named as in commands."""
    if not isinstance(rankings, list | tuple):
        return rankings
    names = names_of_files([Path(source if isinstance(source, str | PathLike) else "") for source in rankings])
    unique = len({*names}) == len(names)
    return {
        (name if name and unique else str(number)): source
        for number, (name, source) in enumerate(zip(names, rankings, strict=True), 1)
    }
