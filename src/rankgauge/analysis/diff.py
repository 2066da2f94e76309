"""What changed between two rankings, query by query, without judgments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Unpack

import numpy as np
import polars as pl

from rankgauge.analysis.full_ranking import FullRanking
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.read_options import ARRAY_OPTIONS, ReadKeywords, ReadOptions
from rankgauge.rendering.document import Document, Paragraph, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.segments import Ints, Segments
from rankgauge.stats.rank_agreement import SQUARE, check_persistence, kendall_tau, rbo_of_spans, tau_of_ranks

SCHEMA = 1
REFUSED = {"grades": "it compares rankings and takes no judgments"} | dict.fromkeys(
    ARRAY_OPTIONS, "it compares items by their ids, which flat arrays lack"
)
"""Read options that mean nothing here."""
SHOWN = 20
"""How many queries, those that changed most, a page shows."""
ITEMS = 5
"""How many items that came or went a cell names."""
CELLS = 4_000_000
WORDS = {
    "query": Phrase("query", "查询"),
    "overlap": Phrase("overlap@{k}", "重合@{k}"),
    "rbo": Phrase("RBO", "RBO"),
    "tau": Phrase("tau-b", "tau-b"),
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
        "overlap@{k}：前 {k} 个中共同物品的比例。RBO：秩偏重叠，p = {p:g}，外推，对并列的所有排列取平均。tau-b：两者都"
        "返回的物品（不足两个时为 '-'）。前 {k} 个中分数相同者按物品 id 降序。",
    ),
}


@dataclass(frozen=True)
class QueryDifference:
    """What changed for one query."""

    query: Any
    overlap: float
    """The share of the items in the top k that are in both."""
    rbo: float
    tau_b: float
    """Of the items that both rankings return; NaN for fewer than two, or where one side is all tied."""
    entering: tuple[Any, ...]
    """The items in the top k of the second ranking alone, in its order."""
    leaving: tuple[Any, ...]
    """The items in the top k of the first ranking alone, in its order."""
    same: bool
    """Whether the top k has the same items in the same order."""


@dataclass(frozen=True)
class RankingDifference:
    """What changed between two rankings; ``diff`` makes it."""

    queries: tuple[QueryDifference, ...]
    k: int
    p: float
    only_first: tuple[Any, ...]
    only_second: tuple[Any, ...]

    @property
    def overlap(self) -> float:
        """The mean overlap in the top k."""
        return float(np.mean([one.overlap for one in self.queries]))

    @property
    def rbo(self) -> float:
        """The mean rank-biased overlap."""
        return float(np.mean([one.rbo for one in self.queries]))

    @property
    def tau_b(self) -> float:
        """The mean of Kendall's tau-b over the queries that have one; NaN where none has."""
        known = [one.tau_b for one in self.queries if not np.isnan(one.tau_b)]
        return float(np.mean(known)) if known else float("nan")

    @property
    def changed(self) -> int:
        """How many queries have another top k, or another order in it."""
        return sum(not one.same for one in self.queries)

    def document(self, lang: str = "en", *, every: bool = False) -> Document:
        """The means and the queries that changed most; with ``every``, all queries in their order."""
        spoken, count = check_lang(lang), len(self.queries)
        heads = [
            WORDS[name].render(spoken, k=self.k) for name in ("query", "overlap", "rbo", "tau", "entering", "leaving")
        ]
        listed = self.queries if every else sorted((one for one in self.queries if not one.same), key=_change)[:SHOWN]
        rows = [
            [
                str(one.query),
                f"{one.overlap:.4f}",
                f"{one.rbo:.4f}",
                _tau(one.tau_b),
                *map(_few, (one.entering, one.leaving)),
            ]
            for one in listed
        ]
        rows.append([WORDS["all"].render(spoken), f"{self.overlap:.4f}", f"{self.rbo:.4f}", _tau(self.tau_b), "", ""])
        named = {"k": self.k, "count": count, "changed": self.changed, "share": f"{self.overlap:.1%}"}
        notes = [WORDS["changed" if self.changed else "same"].render(spoken, **named)]
        if self.only_first or self.only_second:
            notes.append(WORDS["only"].render(spoken, first=len(self.only_first), second=len(self.only_second)))
        if len(listed) < self.changed:
            notes.append(WORDS["most"].render(spoken, shown=len(listed), count=count))
        table = Table(heads, rows, align="lrrrll")
        how = WORDS["how"].render(spoken, k=self.k, p=self.p)
        return Document([*map(Paragraph, notes), table, Paragraph(how)])

    def rows(self) -> list[dict[str, Any]]:
        """A row for each query as plain data; None for what is not a number."""
        return [
            {
                "query": one.query,
                "overlap": one.overlap,
                "rbo": one.rbo,
                "tau_b": None if np.isnan(one.tau_b) else one.tau_b,
                "entering": [*one.entering],
                "leaving": [*one.leaving],
            }
            for one in self.queries
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "schema": SCHEMA,
            "k": self.k,
            "p": self.p,
            "overlap": self.overlap,
            "rbo": self.rbo,
            "tau_b": None if np.isnan(self.tau_b) else self.tau_b,
            "changed": self.changed,
            "only_first": [*self.only_first],
            "only_second": [*self.only_second],
            "queries": self.rows(),
        }

    def to_json(self, indent: int | None = None) -> str:
        """Everything as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent, default=str)

    def __str__(self) -> str:
        return self.document().to_text()


def diff(
    first: Any,
    second: Any,
    *,
    k: int = 10,
    p: float = 0.9,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> RankingDifference:
    """What changed between two rankings of the same queries; each as for ``evaluate``, no judgments needed.

    >>> import rankgauge as rg
    >>> changed = rg.diff({"q": ["a", "b", "c"]}, {"q": ["a", "d", "b"]}, k=2)
    >>> changed.queries[0].overlap, changed.queries[0].entering, changed.queries[0].leaving
    (0.5, ('d',), ('b',))
    """
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise ParameterError.of("k", k, "a whole number from 1", "diff")
    check_persistence(p)
    findings, options = Findings(), ReadOptions.of(diff, read_options, read, REFUSED)
    one, other = (FullRanking.read(Ranking.of(ranking, options), k, findings) for ranking in (first, second))
    _make_alike(one, other)
    names = [ranking.queries.to_list() for ranking in (one, other)]
    numbers = {query: number for number, query in enumerate(names[1])}
    common = [(number, numbers[query]) for number, query in enumerate(names[0]) if query in numbers]
    if not common:
        raise InputError(
            f"diff: the rankings have no query in common; the first has {shown(names[0][0])}, "
            f"the second {shown(names[1][0])}"
        )
    there = {*names[0]}
    return RankingDifference(
        tuple(_differences(one, other, np.array(common), k, p)),
        k,
        p,
        tuple(query for query in names[0] if query not in numbers),
        tuple(query for query in names[1] if query not in there),
    )


def _make_alike(one: FullRanking, other: FullRanking) -> None:
    """Ids of queries and items as text in both, where one has numbers and the other text."""
    for name in ("queries", "item"):
        if getattr(one, name).dtype != getattr(other, name).dtype:
            for ranking in (one, other):
                setattr(ranking, name, getattr(ranking, name).cast(pl.String))
                ranking.hash = ranking.item.hash(0).to_numpy()


def _differences(one: FullRanking, other: FullRanking, common: Ints, k: int, p: float) -> Iterator[QueryDifference]:
    """Query by query, some at a time, so that memory stays flat."""
    most = max(int(ranking.runs.sizes.max()) for ranking in (one, other))
    many = max(1, CELLS // most)
    for start in range(0, len(common), many):
        yield from _some(one, other, common[start : start + many], k, p)


def _some(one: FullRanking, other: FullRanking, common: Ints, k: int, p: float) -> Iterator[QueryDifference]:
    frames = [_rows(ranking, common[:, side]) for side, ranking in enumerate((one, other))]
    both = frames[0].join(frames[1].drop("query"), on="key", suffix="_other", maintain_order="left")
    both = both.filter(one.item.gather(both["row"]) == other.item.gather(both["row_other"]))
    query = both["query"].to_numpy()
    rows = [both[name].to_numpy() for name in ("row", "row_other")]
    columns = [one.top[rows[0]], one.bottom[rows[0]], other.top[rows[1]], other.bottom[rows[1]]]
    sizes = np.column_stack([ranking.runs.sizes[common[:, side]] for side, ranking in enumerate((one, other))])
    overlaps = rbo_of_spans(query, (columns[0], columns[1], columns[2], columns[3]), sizes, p)
    ends = np.searchsorted(query, np.arange(len(common) + 1))
    places = [one.place[rows[0]], other.place[rows[1]]]
    staying = (places[0] <= k) & (places[1] <= k)
    stays = np.bincount(query[staying], minlength=len(common))
    unmoved = np.bincount(query[staying & (places[0] == places[1])], minlength=len(common))
    gone = _not_staying(one, common[:, 0], rows[0][staying], k)
    come = _not_staying(other, common[:, 1], rows[1][staying], k)
    for number, (start, end) in enumerate(pairwise(ends.tolist())):
        tops = np.minimum(sizes[number], k)
        yield QueryDifference(
            one.queries[int(common[number, 0])],
            float(stays[number] / tops.max()),
            float(overlaps[number]),
            _tau_b(columns[0][start:end], columns[2][start:end]),
            come[number],
            gone[number],
            bool(unmoved[number] == tops[0] == tops[1]),
        )


def _tau_b(one: Ints, other: Ints) -> float:
    return tau_of_ranks(one, other) if 1 < len(one) <= SQUARE else kendall_tau(one, other)


def _rows(ranking: FullRanking, numbers: Ints) -> pl.DataFrame:
    """The rows of these queries, numbered as they are given."""
    runs = Segments.of_sizes(ranking.runs.sizes[numbers])
    row = np.arange(runs.rows) + runs.spread(ranking.runs.offsets[numbers] - runs.offsets[:-1])
    return pl.DataFrame({"query": runs.query, "row": row, "key": ranking.keys(row, runs.query)})


def _not_staying(ranking: FullRanking, numbers: Ints, staying: Ints, k: int) -> list[tuple[Any, ...]]:
    """For each query the items of its top k that are not among the given rows."""
    stay = np.zeros(ranking.runs.rows, dtype=bool)
    stay[staying] = True
    starts = ranking.runs.offsets[numbers]
    sizes = np.minimum(ranking.runs.sizes[numbers], k)
    runs = Segments.of_sizes(sizes)
    row = np.arange(runs.rows) + runs.spread(starts - runs.offsets[:-1])
    left = ~stay[row]
    items = ranking.item.gather(row[left]).to_list()
    edges = np.searchsorted(runs.query[left], np.arange(len(numbers) + 1)).tolist()
    return [tuple(items[start:end]) for start, end in pairwise(edges)]


def _change(one: QueryDifference) -> tuple[float, float]:
    return one.overlap, one.rbo


def _tau(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4f}"


def _few(items: tuple[Any, ...]) -> str:
    return ", ".join(map(str, items[:ITEMS])) + (f" +{len(items) - ITEMS}" if len(items) > ITEMS else "")
