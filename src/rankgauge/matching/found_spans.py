"""A ranking of spans with judged spans in place of the returned ones that find them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import filterfalse
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.conventions.relevance import SpanRule
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import SIDE_NAMES, Findings, input_error, with_ids
from rankgauge.inputs.gold_groups import members_of
from rankgauge.inputs.spans import SPAN_COLUMNS, Span, span_items
from rankgauge.inputs.table_rows import run_lengths
from rankgauge.matching.common_ids import FIRST_LISTS, NearMatch, UnmatchedIds, first_near_match
from rankgauge.matching.copies import REMOVED
from rankgauge.matching.item_keys import SPREADING, any_equal, hash_prefilter, item_keys
from rankgauge.matching.judged_table import numbers_of
from rankgauge.matching.score_order import ScoreOrder
from rankgauge.matching.span_pairs import SpanPairs, further_grades
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, Ints, Segments

if TYPE_CHECKING:
    from rankgauge.inputs.documents import Documents
    from rankgauge.matching.judgments import Judgments

AGAIN = " (again)"
"""What is added to the name of a chunk that finds nothing and has the offsets of a judged span."""


class GoldSpans(NamedTuple):
    """Judged spans as columns, and the items that they belong to."""

    spans: pl.DataFrame
    """gold, query (its number) and the columns of spans: a row for each span, several for a group."""
    query: Ints
    """Number of the query of each judged item."""
    items: Sequence[object] | pl.Series
    grade: Floats
    queries: list[str]

    @classmethod
    def of(cls, judgments: Judgments) -> GoldSpans:
        """Return the spans of judgments; an item that names none is an error."""
        query, items, grades = judgments.columns()
        spans, documents, queries = judgments.spans, judgments.options.documents, [*map(str, judgments.queries)]
        if spans["document"].null_count():
            row = int(spans["document"].is_null().arg_max() or 0)
            raise not_a_span(SIDE_NAMES["judgments"], queries[spans["query"][row]], spans["item"][row])
        if documents is not None:
            for number, *span in spans.select("query", *SPAN_COLUMNS).iter_rows():
                documents.check(Span(*span), with_ids("judgments", "标注", queries[number]))
        return cls(spans, query, items, grades, queries)

    @property
    def names(self) -> list[str]:
        """The judged items as text."""
        return [*map(str, self.items)]


def not_a_span(side: Phrase, query: object, item: object) -> InputError:
    """Return the error for an id that names no span, where a rule for spans holds."""
    place = f"query {shown(query)}", f"查询 {shown(query)}"
    name = shown(item)
    return InputError(
        Phrase(
            f"{side.en}: {place[0]}: item {name} is not a span; give the columns document, start and end, or ids such "
            "as document[0:120]",
            f"{side.zh}：{place[1]}：物品 {name} 不是片段；请给出 document、start、end 三列，"
            "或使用 document[0:120] 这样的标识",
        )
    )


def check_units(judged: pl.Series, returned: pl.Series) -> None:
    """Raise an error if the offsets of the two sides do not count the same."""
    units = sorted({*judged.unique(), *returned.unique()})
    if len(units) > 1:
        zh = f"片段的偏移量单位不一：{'、'.join(units)}"
        raise input_error("RG222", (f"the offsets of spans count {' and '.join(units)}", zh))


def check_ends(documents: Documents | None, rows: pl.DataFrame, findings: Findings) -> None:
    """Raise an error for a returned span that ends after its document, whose texts the caller may have given."""
    if documents is None:
        return
    last = rows.group_by("document", maintain_order=True).agg(pl.all().sort_by("end").last())
    for query, *span in last.select("query", *SPAN_COLUMNS).iter_rows():
        documents.check(Span(*span), with_ids(*findings.place("ranking", query), query))


class RankedRows(NamedTuple):
    """The rows of a ranking by query, in order of their scores; ties follow the rule, by the ids of the items."""

    frame: pl.DataFrame
    runs: Segments
    order: ScoreOrder
    convention: Convention

    @classmethod
    def of(cls, frame: pl.DataFrame, convention: Convention) -> RankedRows:
        """Return the rows with those of each query together."""
        lengths = run_lengths(frame["query"])
        if frame["query"][np.cumsum(lengths) - 1].n_unique() != len(lengths):
            frame = frame.sort("query", maintain_order=True)
            lengths = run_lengths(frame["query"])
        runs = Segments.of_sizes(lengths)

        def ids_of(rows: Ints) -> pl.Series:
            return frame[rows].select("item" if "item" in frame.columns else span_items()).to_series()

        return cls(frame, runs, ScoreOrder(frame, runs, convention, ids_of), convention)

    @property
    def queries(self) -> pl.Series:
        """The queries, each once."""
        return self.frame["query"][self.runs.offsets[:-1]]

    def ranks(self, rows: Ints) -> Ints:
        """Return the rank of rows, from 0."""
        above, tied = self.order.of(rows, self.runs.query[rows])
        return above + self.order.before(rows, tied, self.convention)

    def scores(self) -> pl.Series:
        """Return scores without ties: in queries with some, minus the rank."""
        scores = self.frame["score"]
        if self.order.nothing_ties:
            return scores
        rows = np.arange(self.frame.height)
        has_ties = np.zeros(self.runs.count, dtype=bool)
        has_ties[self.runs.query[self.order.of(rows, self.runs.query)[1] > 1]] = True
        return pl.Series("score", np.where(self.runs.spread(has_ties), -1.0 * self.ranks(rows), scores.to_numpy()))


class FoundSpans(NamedTuple):
    """Which rows of a ranking of spans find a judged item, and which.

    A judged span is found once, by the chunk with the smallest rank that fulfils the rule. A chunk that finds several
    takes the place of the one with the highest grade. One that finds nothing new stands for itself, or is a copy of
    what it covers unless copies are removed. Where scores are tied, the rank becomes the score.
    """

    ranked: RankedRows
    gold: GoldSpans
    code: Ints
    """The number of each query among the judged ones."""
    unjudged: list[object]
    """Queries of the ranking without judgments, whose rows are left out."""
    finders: Ints
    """The rows that take the place of a judged item."""
    best: Ints
    """The judged item of each of them."""
    further: dict[int, list[float]]
    """Grades of the further judged items of a row."""
    repeats: bool
    """Whether a row may be a copy of another."""
    unmatched: UnmatchedIds | None = None
    """Judged and returned documents of a query, if no document of any query is on both sides."""
    near: NearMatch | None = None
    """A judged and a returned document of one of the first queries that only writing keeps apart."""

    @classmethod
    def of(cls, rows: pl.DataFrame, gold: GoldSpans, rule: SpanRule, convention: Convention) -> FoundSpans:
        """Find the judged spans; ``rows`` have query, the columns of spans and score."""
        ranked, unjudged = RankedRows.of(rows, convention), list[object]()
        check_units(gold.spans["unit"], ranked.frame["unit"])
        numbers = numbers_of(pl.Series(gold.queries, dtype=pl.String))
        if (missing := (codes := numbers(ranked.queries.cast(pl.String))) < 0).any():
            unjudged = ranked.queries.filter(pl.Series(missing)).to_list()
            ranked = RankedRows.of(ranked.frame.filter(pl.Series(ranked.runs.spread(~missing))), convention)
            codes = codes[~missing]
        frame, runs = ranked.frame, ranked.runs
        key = item_keys(frame["document"], codes, runs.sizes)
        judged = np.empty(0, dtype=key.dtype)
        near = np.empty(0, dtype=np.int64)  # rows of a document with a judged span
        if gold.spans.height:
            judged = item_keys(gold.spans["document"], gold.spans["query"].to_numpy())
            near = hash_prefilter(key, judged)
        chunks = frame.select("document", "start", "end")[near].with_columns(
            query=pl.Series(codes[runs.query[near]]), row=pl.Series(near), rank=pl.Series(ranked.ranks(near))
        )
        fulfilled = SpanPairs.of(gold.spans, chunks).fulfilling(rule)
        first = fulfilled.first_found()
        finders, best, further = further_grades(first, gold.grade)
        if convention.duplicates not in REMOVED:
            repeated = fulfilled.of_pairs(~np.isin(fulfilled.row, finders))
            again, covered, _ = further_grades(repeated, gold.grade)
            found_as = np.zeros(len(gold.grade), dtype=np.int64)
            found_as[first.gold] = best[np.searchsorted(finders, first.row)]
            finders, best = np.concatenate((finders, again)), np.concatenate((best, found_as[covered]))
        repeats = convention.duplicates not in REMOVED or any_equal(_with_places(key, frame), runs.offsets)
        documents = _first_documents(gold, ranked, codes)
        unmatched = None
        if not len(finders) and not np.isin(key[near], judged).any():
            unmatched = next((UnmatchedIds.of(*sides) for sides in documents if all(sides)), None)
        pairs = first_near_match(documents)
        return cls(ranked, gold, codes, unjudged, finders, best, further, repeats, unmatched, pairs)

    def named(self) -> pl.DataFrame:
        """Return query, chunk, item and score: the item is the judged one that the chunk finds, or the chunk."""
        frame = self.ranked.frame
        chunk = frame.select("item" if "item" in frame.columns else span_items()).to_series().cast(pl.String)
        query = frame["query"].cast(pl.String)
        names = _names(query[self.finders], chunk[self.finders], self.best, self.gold)
        rows = pl.DataFrame({"query": query, "item": chunk})
        named = rows.join(names, on=["query", "item"], how="left", maintain_order="left")
        item = named.select(pl.coalesce("name", "item")).to_series()
        return self.with_further(frame.select("query", chunk=chunk, item=item, score=self.ranked.scores()))

    def with_further(self, found: pl.DataFrame) -> pl.DataFrame:
        """Return rows with the grades of the further judged items that each finds, if any finds some."""
        if not self.further:
            return found
        place = np.full(found.height, -1)
        place[[*self.further]] = np.arange(len(self.further))
        lists = pl.Series([*self.further.values()], dtype=pl.List(pl.Float64))
        return found.with_columns(further=lists.gather(pl.Series(place).replace(-1, None)))


def _first_documents(gold: GoldSpans, ranked: RankedRows, codes: Ints) -> list[tuple[list[object], list[object]]]:
    """Return the documents of each of the first queries that are judged only, and those that are returned only."""
    first = codes[:FIRST_LISTS]
    rows = int(ranked.runs.offsets[len(first)])
    number = pl.Series("query", first[ranked.runs.query[:rows]], dtype=pl.Int64)
    returned = _by_query(ranked.frame["document"].head(rows).to_frame().with_columns(number))
    judged = _by_query(
        gold.spans.filter(pl.col("query").is_in(first)).select("document", pl.col("query").cast(pl.Int64))
    )
    sides = [(judged.get(query, {}), returned[query]) for query in first.tolist()]
    return [
        ([*filterfalse(theirs.__contains__, ours)], [*filterfalse(ours.__contains__, theirs)]) for ours, theirs in sides
    ]


def _by_query(documents: pl.DataFrame) -> dict[int, dict[object, None]]:
    """Return the distinct documents of each query."""
    lists = documents.unique(maintain_order=True).group_by("query", maintain_order=True).agg("document")
    return {query: dict.fromkeys(names) for query, names in lists.iter_rows()}


def _with_places(key: Ints, frame: pl.DataFrame) -> Ints:
    """Return one number for each query and span, from one for each query and document."""
    places = frame["start"].to_numpy().astype(np.uint64)
    places <<= np.uint64(32)
    places ^= frame["end"].to_numpy().view(np.uint64)
    places *= SPREADING
    places ^= key
    return places


def _names(query: pl.Series, chunk: pl.Series, best: Ints, gold: GoldSpans) -> pl.DataFrame:
    """Return the names of chunks that find a judged item, and of those that only look like one, by query and item."""
    names = gold.names
    found = pl.DataFrame({"query": query, "item": chunk, "name": [names[number] for number in best.tolist()]})
    judged = [gold.queries[number] for number in gold.query.tolist()]
    alike = pl.DataFrame({"query": judged, "item": names, "name": [name + AGAIN for name in names]})
    both = pl.concat([found.cast(pl.String), alike.cast(pl.String)])
    return both.unique(["query", "item"], keep="first", maintain_order=True)


def span_label(chunk: object, judged: Iterable[object]) -> str:
    """Return a chunk with the part of each judged span that it covers.

    >>> span_label("a[0:20]", ["a[10:50]", "b[0:5]"])
    'a[0:20] ∩ a[10:50] = [10:20], 10/40'
    """
    span, parts = Span.of(chunk), []
    for member in (member for gold in judged for member in members_of(gold)):
        gold = Span.of(member)
        if span is not None and gold is not None and (shared := span.shared(gold)) is not None:
            parts.append(f"{gold} = [{shared.start}:{shared.end}], {shared.length}/{gold.length}")
    return " ∩ ".join([str(chunk), "; ∩ ".join(parts)] if parts else [str(chunk)])
