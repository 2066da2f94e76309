"""What changed between two rankings, query by query, without judgments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Unpack

import numpy as np
import polars as pl

from rankgauge.analysis.full_ranking import FullRanking
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ARRAY_OPTIONS, ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_rankings
from rankgauge.matching.source_types import RankingLike
from rankgauge.rendering.document import Document, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Phrase, check_lang, plural
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, JsonResult, PlainData, columns_of, finite_or_none
from rankgauge.segments import Ints, Segments
from rankgauge.stats.rank_agreement import SQUARE, check_persistence, kendall_tau, rbo_of_spans, tau_of_ranks

SCHEMA = 1
REFUSED = {
    "grades": Phrase("it compares rankings and takes no judgments", "比较的是排序结果，不需要标注"),
    "units": Phrase("it compares the items that were returned; roll them up before", "比较的是返回的物品；请事先归并"),
} | dict.fromkeys(
    ARRAY_OPTIONS, Phrase("it compares items by their ids, which flat arrays lack", "按 id 比较物品，而扁平数组没有 id")
)
"""Read options that do not apply."""
SHOWN = 20
"""Number of queries in the table of those that changed most."""
ITEMS = 5
"""Number of items that a cell of the table lists."""
CELLS = 4_000_000
"""Maximum number of rows of a block of queries, so that memory stays bounded."""
COLUMNS = ("query", "overlap", "rbo", "tau_b", "entering", "leaving")
MESSAGES = {
    "query": Phrase("query", "查询"),
    "overlap": Phrase("overlap@{k}", "重合@{k}"),
    "rbo": Phrase("RBO", "RBO"),
    "tau_b": Phrase("tau-b", "tau-b"),
    "entering": Phrase("entered the top {k}", "进入前 {k}"),
    "leaving": Phrase("left the top {k}", "退出前 {k}"),
    "all": Phrase("all", "总体"),
    "same": Phrase(
        "The two rankings have the same top {k}, in the same order, for {count:the only query|all # queries}.",
        "两个排序结果在全部 {count:,} 个查询上的前 {k} 个物品与顺序完全相同。",
    ),
    "changed": Phrase(
        "On average {share} of the top {k} is the same; it changed for {changed:,} of {count:# query|# queries}.",
        "前 {k} 个物品平均有 {share} 相同；{count:,} 个查询中有 {changed:,} 个发生了变化。",
    ),
    "only": Phrase(
        "{first:# query is|# queries are} only in the first ranking, {second:,} only in the second; they are left out.",
        "{first:,} 个查询只在第一个排序结果中，{second:,} 个只在第二个中；均未计入。",
    ),
    "most": Phrase(
        "The {shown:query|# queries} with the largest changes, of {count:,}.",
        "{count:,} 个查询中变化最大的 {shown:,} 个。",
    ),
    "how": Phrase(
        "overlap@{k}: share of common items in the top {k}. RBO: rank-biased overlap, p = {p:g}, extrapolated, "
        "averaged over the orders of ties. tau-b: of the items that both rankings return ('-' if there are fewer than "
        "two). Equal scores in the top {k} are ordered by descending item id.",
        "重合@{k}：前 {k} 个中共同物品的比例。RBO：秩偏重叠，p = {p:g}，外推，对并列的所有排列取平均。tau-b：两者都"
        "返回的物品（不足两个时为 '-'）。前 {k} 个中分数相同者按物品 id 降序。",
    ),
}


@dataclass(frozen=True)
class QueryDifference:
    """What changed for one query."""

    query: Any
    overlap: float
    """Share of the items in the top k that both rankings have."""
    rbo: float
    tau_b: float
    """Of the items that both rankings return; NaN for fewer than two, or if all items of one ranking are tied."""
    entering: tuple[Any, ...]
    """Items in the top k of the second ranking only, in its order."""
    leaving: tuple[Any, ...]
    """Items in the top k of the first ranking only, in its order."""
    same: bool
    """Whether the top k has the same items in the same order."""


@dataclass(frozen=True, repr=False)
class RankingDifference(ShownAsDocument, FrameResult, JsonResult):
    """What changed between two rankings, as ``diff`` returns it."""

    queries: tuple[QueryDifference, ...]
    k: int
    p: float
    only_first: tuple[Any, ...]
    only_second: tuple[Any, ...]

    def __repr__(self) -> str:
        queries = plural(len(self.queries), "# query", "# queries")
        return f"<RankingDifference of {queries}: {self.changed} changed in the top {self.k}>"

    @property
    def overlap(self) -> float:
        """Mean overlap in the top k."""
        return float(np.mean([change.overlap for change in self.queries]))

    @property
    def rbo(self) -> float:
        """Mean rank-biased overlap."""
        return float(np.mean([change.rbo for change in self.queries]))

    @property
    def tau_b(self) -> float:
        """Mean of Kendall's tau-b over the queries that have one; NaN if none has."""
        values = [change.tau_b for change in self.queries if not np.isnan(change.tau_b)]
        return float(np.mean(values)) if values else float("nan")

    @property
    def changed(self) -> int:
        """Number of queries whose top k has other items or another order."""
        return sum(not change.same for change in self.queries)

    def document(self, lang: str = "en", *, per_query: bool = False, digits: int = 4) -> Document:
        """Return the means and the queries that changed most; with ``per_query``, all queries in their order."""
        checked, count = check_lang(lang), len(self.queries)
        moved = sorted((change for change in self.queries if not change.same), key=lambda one: (one.overlap, one.rbo))
        listed = self.queries if per_query else moved[:SHOWN]
        rows = [
            [str(change.query), *_numbers(change, digits), _few(change.entering), _few(change.leaving)]
            for change in listed
        ]
        rows.append([MESSAGES["all"].render(checked), *_numbers(self, digits), "", ""])
        values = {"k": self.k, "count": count, "changed": len(moved), "share": f"{self.overlap:.1%}"}
        notes = [MESSAGES["changed" if moved else "same"].render(checked, **values)]
        if self.only_first or self.only_second:
            notes.append(MESSAGES["only"].render(checked, first=len(self.only_first), second=len(self.only_second)))
        if len(listed) < len(moved):
            notes.append(MESSAGES["most"].render(checked, shown=len(listed), count=count))
        table = Table([MESSAGES[key].render(checked, k=self.k) for key in COLUMNS], rows, align="lrrrll")
        how = MESSAGES["how"].render(checked, k=self.k, p=self.p)
        return Document([*map(Paragraph, notes), table, Paragraph(how)])

    def rows(self) -> list[dict[str, Any]]:
        """Return plain data with a row for each query; NaN becomes None."""
        return [{key: finite_or_none(getattr(change, key)) for key in COLUMNS} for change in self.queries]

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row per query, as columns."""
        return columns_of(self.rows())

    def to_dict(self) -> PlainData:
        """Return plain data; NaN becomes None."""
        return {
            "schema": SCHEMA,
            "k": self.k,
            "p": self.p,
            "overlap": self.overlap,
            "rbo": self.rbo,
            "tau_b": finite_or_none(self.tau_b),
            "changed": self.changed,
            "only_first": [*self.only_first],
            "only_second": [*self.only_second],
            "queries": self.rows(),
        }


def diff(
    first: RankingLike,
    second: RankingLike,
    *,
    k: int = 10,
    p: float = 0.9,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> RankingDifference:
    """Return what changed between two rankings of the same queries; each as for ``evaluate``, without judgments.

    Parameters
    ----------
    first, second
        The two rankings, as ``rg.evaluate`` takes them.
    k
        Number of items at the top of each list that are compared.
    p
        Persistence of rank-biased overlap, between 0 and 1.
    read_options, **read
        How data are read; see ReadOptions.

    Examples
    --------
    >>> import rankgauge as rg
    >>> changed = rg.diff({"q": ["a", "b", "c"]}, {"q": ["a", "d", "b"]}, k=2)
    >>> changed.queries[0].overlap, changed.queries[0].entering, changed.queries[0].leaving
    (0.5, ('d',), ('b',))
    """
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k < 1 << 62:
        raise ParameterError.of(
            "k", k, ("a whole number of at least 1 and below 2^62", "不小于 1 且小于 2^62 的整数"), "diff"
        )
    check_persistence(p)
    findings, options = Findings(), ReadOptions.of(diff, read_options, read, REFUSED)
    rankings = resolve_rankings("diff", [first, second], options)
    old, new = (FullRanking.read(ranking, k, findings) for ranking in rankings)
    _match_id_types(old, new)
    names = [ranking.queries.to_list() for ranking in (old, new)]
    old_numbers, new_numbers = ({query: number for number, query in enumerate(queries)} for queries in names)
    common = [(number, new_numbers[query]) for query, number in old_numbers.items() if query in new_numbers]
    if not common:
        raise InputError(
            Phrase(
                f"diff: the rankings have no query in common; the first has {shown(names[0][0])}, "
                f"the second {shown(names[1][0])}",
                f"diff：两个排序结果没有共同的查询；第一个有 {shown(names[0][0])}，第二个有 {shown(names[1][0])}",
            )
        )
    return RankingDifference(
        tuple(_differences(old, new, np.array(common), k, p)),
        k,
        p,
        tuple(query for query in names[0] if query not in new_numbers),
        tuple(query for query in names[1] if query not in old_numbers),
    )


def _match_id_types(old: FullRanking, new: FullRanking) -> None:
    """Turn the ids of both rankings into text if one has numbers and the other text."""
    for name in ("queries", "item"):
        if getattr(old, name).dtype != getattr(new, name).dtype:
            for ranking in (old, new):
                setattr(ranking, name, getattr(ranking, name).cast(pl.String))
                ranking.hash = ranking.item.hash(0).to_numpy()


def _differences(old: FullRanking, new: FullRanking, common: Ints, k: int, p: float) -> Iterator[QueryDifference]:
    """Yield the difference of each query, computed in blocks of queries."""
    longest = max(int(ranking.runs.sizes.max()) for ranking in (old, new))
    block = max(1, CELLS // longest)
    for start in range(0, len(common), block):
        yield from _block_differences(old, new, common[start : start + block], k, p)


def _block_differences(old: FullRanking, new: FullRanking, common: Ints, k: int, p: float) -> Iterator[QueryDifference]:
    frames = [_keyed_rows(ranking, common[:, side]) for side, ranking in enumerate((old, new))]
    both = frames[0].join(frames[1].drop("query"), on="key", suffix="_new", maintain_order="left")
    both = both.filter(old.item.gather(both["row"]) == new.item.gather(both["row_new"]))
    query, old_rows, new_rows = (both[name].to_numpy() for name in ("query", "row", "row_new"))
    spans = old.top[old_rows], old.bottom[old_rows], new.top[new_rows], new.bottom[new_rows]
    sizes = np.column_stack([ranking.runs.sizes[common[:, side]] for side, ranking in enumerate((old, new))])
    overlaps = rbo_of_spans(query, spans, sizes, p)
    ends = np.searchsorted(query, np.arange(len(common) + 1)).tolist()
    places = old.place[old_rows], new.place[new_rows]
    staying = (places[0] <= k) & (places[1] <= k)
    stays = np.bincount(query[staying], minlength=len(common))
    unmoved = np.bincount(query[staying & (places[0] == places[1])], minlength=len(common))
    left = _others_in_top(old, common[:, 0], old_rows[staying], k)
    entered = _others_in_top(new, common[:, 1], new_rows[staying], k)
    for number, (start, end) in enumerate(pairwise(ends)):
        tops = np.minimum(sizes[number], k)
        ranks = spans[0][start:end], spans[2][start:end]
        yield QueryDifference(
            old.queries[int(common[number, 0])],
            float(stays[number] / tops.max()),
            float(overlaps[number]),
            tau_of_ranks(*ranks) if 1 < end - start <= SQUARE else kendall_tau(*ranks),
            entered[number],
            left[number],
            bool(unmoved[number] == tops[0] == tops[1]),
        )


def _rows(ranking: FullRanking, numbers: Ints, limit: int | None = None) -> tuple[Segments, Ints]:
    """Return the rows of these queries, at most ``limit`` of each, and their partition by query."""
    runs = Segments.of_sizes(np.minimum(ranking.runs.sizes[numbers], limit or ranking.runs.rows))
    return runs, np.arange(runs.rows) + runs.spread(ranking.runs.offsets[numbers] - runs.offsets[:-1])


def _keyed_rows(ranking: FullRanking, numbers: Ints) -> pl.DataFrame:
    runs, rows = _rows(ranking, numbers)
    return pl.DataFrame({"query": runs.query, "row": rows, "key": ranking.keys(rows, runs.query)})


def _others_in_top(ranking: FullRanking, numbers: Ints, staying: Ints, k: int) -> list[tuple[object, ...]]:
    """Return for each query the items of its top k that are not among the given rows."""
    stays = np.zeros(ranking.runs.rows, dtype=bool)
    stays[staying] = True
    runs, rows = _rows(ranking, numbers, k)
    others = ~stays[rows]
    items = ranking.item.gather(rows[others]).to_list()
    edges = np.searchsorted(runs.query[others], np.arange(len(numbers) + 1)).tolist()
    return [tuple(items[start:end]) for start, end in pairwise(edges)]


def _numbers(difference: QueryDifference | RankingDifference, digits: int) -> list[str]:
    numbers = difference.overlap, difference.rbo, difference.tau_b
    return ["-" if np.isnan(number) else decimal(number, digits) for number in numbers]


def _few(items: tuple[object, ...]) -> str:
    return ", ".join(map(str, items[:ITEMS])) + (f" +{len(items) - ITEMS}" if len(items) > ITEMS else "")
