"""Ranking: the output of one system, in whatever form, and how it is matched with judgments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import tee
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.order import BY_PLACE, DECIDED_BY_IDS
from rankgauge.conventions.relevance import span_rule
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Column
from rankgauge.inputs.findings import NAMED_RANKING, SIDE_NAMES, Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.inputs.records import RepeatedItems, ranking_records, without_missing_ids
from rankgauge.inputs.source import MATRIX, TABLES, Source
from rankgauge.inputs.units import ROLLED_UP, Units
from rankgauge.matching.common_ids import SAMPLE, UnmatchedIds, near_match
from rankgauge.matching.copies import scores_with_copies
from rankgauge.matching.empty_lists import emptied
from rankgauge.matching.freed_memory import keep_freed_memory
from rankgauge.matching.from_dicts import match_dicts, scores_of
from rankgauge.matching.gold import found_records
from rankgauge.matching.id_types import as_judged, with_like_ids, with_like_items
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Chunk
from rankgauge.matching.score_checks import (
    SOME,
    check_not_swapped,
    note_ascending_scores,
    scores_of_array,
    scores_of_frame,
    scores_of_records,
)
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    import polars as pl

UNNAMED_QUERY = Phrase(
    "the file names no query, so that it is called {name}, as the file; if it is a response of _search, save it as "
    "an object from the query to the response: {{{query}: ...}}",
    "文件中没有查询的名称，因此以文件名 {name} 作为查询；"
    "如果这是 _search 的响应，请存为从查询到响应的对象：{{{query}: ...}}",
)


class Ranking:
    """The output of one system. A file is streamed; ``loaded`` reads it into memory for callers that need it twice."""

    def __init__(self, source: Any, options: ReadOptions, name: str = "", *, may_be_empty: bool = False) -> None:
        self.source = Source.of(source, "ranking", options)
        self.options = self.source.options
        self.original = self.source  # what was passed, where the source holds what was read of it
        self.name = name
        self.may_be_empty = may_be_empty
        """Whether a ranking without a row is one of several systems, which returned nothing, and no mistake."""
        self.unjudged: list[Any] = []
        """Some queries without judgments, once it was matched."""
        place = NAMED_RANKING.fill(name=shown(name)) if name else SIDE_NAMES["ranking"]
        line = self.source.place if self.source.form == "file" else None
        self.where: Callable[[Any, Any, int], str | Phrase] = line or (lambda *_: place)
        """Finds the place of a query, or an item of it, for findings: by the line of a file, or the name."""
        self.starts = 1
        """How often ``chunks`` began with the first queries: again if the rows of one were not together."""
        self.empty: list[Any] = []
        """The queries with an empty list, as far as a table was read."""
        self._read = False
        self._rows = 0
        self._kept: list[pl.DataFrame] | None = None
        """The blocks of a small file, once all were read."""

    @classmethod
    def of(cls, source: Any, options: ReadOptions, name: str = "", *, may_be_empty: bool = False) -> Ranking:
        """Return a ranking as it is, and wrap anything else."""
        return source if isinstance(source, Ranking) else cls(source, options, name, may_be_empty=may_be_empty)

    @property
    def is_empty(self) -> bool:
        """Whether the source has no rows, as far as it was read."""
        if isinstance(self.source.value, Mapping | list | tuple):
            return not self.source.value
        return self.source.form != "array" and not self._rows

    def nothing_in_common(self, judgments: Judgments) -> tuple[str, Phrase]:
        """Return the code and the text of the finding that no judged query is in the ranking."""
        prefix, before = (f"{self.name}: ", f"{self.name}：") if self.name else ("", "")
        if self.is_empty:
            return "RG101", Phrase(f"{prefix}the ranking is empty", f"{before}排序结果为空")
        query = shown(judgments.queries[0])
        first = Phrase(
            f"{prefix}query {query} of the judgments is not in the ranking, nor is any other",
            f"{before}标注中的查询 {query} 不在排序结果中，其他查询也都不在",
        )
        if not self.unjudged:
            return "RG401", first
        reason = UnmatchedIds.of(judgments.queries, self.unjudged).describe("query")
        if [*map(str, self.unjudged)] == [self.name]:
            reason = UNNAMED_QUERY.fill(query=f'"{judgments.queries[0]}"', name=shown(self.name))
        return "RG401", Phrase("; ", "；").join([first, reason])

    def loaded(
        self, findings: Findings, on_read: Callable[[int], None] | None = None, *, by_span: bool = False
    ) -> Ranking:
        """Return the same ranking in a form that can be gone through any number of times."""
        if self.source.form not in TABLES:
            rows = self.source.value if self.source.form == "array" else self.lists(findings)
            return self._with(rows, self.options)
        frame = self.frame(findings, on_read, by_span=by_span)
        findings.raise_errors(self.options.lenient)
        rolled_up = None if self.options.units is None else Units(ROLLED_UP)
        options = replace(self.options, columns=None, format=None, units=rolled_up)
        loaded = self._with(Source(frame, "frame", "ranking", options, is_clean=True), options)
        loaded.where, loaded.empty = self.where, self.empty
        return loaded

    def lists(self, findings: Findings) -> Mapping[Any, Any]:
        """Return data in memory that are neither a frame nor an array as ``{query: {item: score} or [items]}``."""
        if self.source.findings is not None:
            findings.merge(self.source.findings)
        return ranking_records(self.source.value, findings)

    def _with(self, source: Any, options: ReadOptions) -> Ranking:
        ranking = Ranking(source, options, self.name, may_be_empty=self.may_be_empty)
        ranking.original = self.original
        return ranking

    def chunks(
        self,
        judgments: Judgments,
        convention: Convention,
        findings: Findings,
        depth: int | None = None,
        on_read: Callable[[int], None] | None = None,
        top: int = 0,
        *,
        grades: bool = True,
    ) -> Iterator[Chunk]:
        """Match the ranking, some queries at a time.

        If the rows of a query turn out not to be together, ``starts`` grows and all queries come once more.

        Parameters
        ----------
        judgments, convention, findings
            What to match with, the rules that matching reads, and where findings are collected.
        depth
            Rows that cannot reach this rank are only counted; None keeps every judged row.
        on_read
            Called with the number of bytes read so far.
        top
            Keep every item of the top ``top``, judged or not, with its id.
        grades
            False if only these items matter, not their grades: tables are not joined with the judgments.
        """
        keep_freed_memory()
        convention = self.order_rules(convention)
        findings.where["ranking"] = self.where
        by_gold = self._check_item_rules(judgments, convention)
        by_span = by_gold and span_rule(convention.match) is not None
        if by_span:
            from rankgauge.matching.span_rankings import span_chunks  # noqa: PLC0415 (loads polars)

            chunks = span_chunks(self, judgments, convention, findings, depth, top, grades=grades)
        elif self.source.form == "array" and judgments.array is not None:
            chunks = self._array_chunks(judgments, convention, findings, depth, top)
        elif not by_gold and self.source.form in TABLES:
            chunks = self._table_chunks(judgments, convention, findings, depth, on_read, top, grades=grades)
        else:
            chunks = self._dict_chunks(judgments, convention, findings, depth, top)
        unmatched, any_common, near = None, False, None
        kind = "document" if by_span else "item"
        answered = np.zeros(len(judgments.queries), dtype=bool)
        for numbers, matched in chunks:
            unmatched, any_common = unmatched or matched.unmatched, any_common or matched.unmatched is None
            near = near or matched.near
            answered[numbers] = True
            yield numbers, matched
        if self.empty and len(numbers := emptied(self.empty, judgments, ~answered, self.unjudged, findings)):
            answered[numbers] = True
            yield numbers, judgments.unanswered(numbers)
        if near is not None and grades and (unmatched is None or any_common):
            self._report("RG411", near.describe(kind), findings)
        if self.unjudged and not answered.all():
            missing = (judgments.queries[number] for number in np.flatnonzero(~answered)[:SAMPLE].tolist())
            if (query := near_match(missing, self.unjudged[:SAMPLE])) is not None:
                self._report("RG411", query.describe("query"), findings)
        if grades and unmatched is not None and not any_common:
            by_id, units = convention.match == "id", self.options.units
            self._report("RG408", unmatched.describe(kind, by_id=by_id, units=units), findings)

    def _report(self, code: str, text: Phrase, findings: Findings) -> None:
        en, zh = (f"ranking {shown(self.name)}: ", f"排序结果 {shown(self.name)}：") if self.name else ("", "")
        findings.add(code, (en + text.en, zh + text.zh))

    def order_rules(self, convention: Convention, *, by_place: bool = False) -> Convention:
        """Return the convention, with ties in input order where it orders them by ids that the items do not have."""
        without_ids = BY_PLACE if by_place else () if self.original.names_items else DECIDED_BY_IDS
        return convention.replace(ties="input") if convention.ties in without_ids else convention

    def scores_by_item(
        self,
        judgments: Judgments,
        queries: Iterable[object],
        findings: Findings,
        convention: Convention,
        top: int | None = None,
    ) -> dict[object, Mapping[object, object]]:
        """Return ``{query: {item: score}}``; the score follows the position if the source has none.

        Later copies of an item have keys of their own. Rows that cannot be in the top ``top`` may be left out.
        """
        if self._check_item_rules(judgments, convention) or self.source.form not in TABLES:
            judged, rankings = self.records(judgments, convention, findings)
            scores = {query: scores_of(query, rankings.get(query, ()), convention, findings) for query in queries}
            return scores if judged is judgments.dicts else as_judged(judgments.dicts, scores)
        import polars as pl  # noqa: PLC0415

        query_of, findings.where["ranking"] = {str(query): query for query in queries}, self.where
        rows = self.frame(findings, only=pl.col("query").cast(pl.String).is_in([*query_of]))
        if top is not None and not rows.group_by("query").agg(pl.col("item").n_unique() < pl.len())["item"].any():
            score = pl.col("score").cast(pl.Float32 if convention.score_precision == "float32" else pl.Float64)
            rows = rows.filter(score.rank("min", descending=True).over("query") <= top)
        by_query: dict[object, Mapping[object, object]] = {query: {} for query in query_of.values()}
        for name, items, scores in rows.group_by("query", maintain_order=True).agg("item", "score").iter_rows():
            by_query[query_of[str(name)]] = scores_with_copies(query_of[str(name)], items, scores, convention, findings)
        return as_judged(judgments.dicts, by_query)

    def _check_item_rules(self, judgments: Judgments, convention: Convention) -> bool:
        """Return whether judged items are found by more than their ids; refuse units without a rule, or a mapping."""
        if (convention.units == "items") != (self.options.units is None):
            raise ParameterError(
                (
                    "the convention says units='rolled-up': pass units=, such as {chunk: document} or 'before last _'",
                    "约定为 units='rolled-up'：请传入 units=，如 {文本块: 文档} 或 'before last _'",
                )
                if self.options.units is None
                else (
                    "units= maps items to units, and the convention counts items: use Convention(units='rolled-up')",
                    "units= 把物品归入单位，而约定以物品计数：请使用 Convention(units='rolled-up')",
                )
            )
        if self.source.form == "array" and (self.options.units is not None or convention.match != "id"):
            raise ParameterError("arrays have no ids to roll up and no texts to match; pass dicts, rows or a frame")
        return convention.match != "id" or judgments.has_groups

    def records(
        self, judgments: Judgments, convention: Convention, findings: Findings
    ) -> tuple[dict[Any, Any], Mapping[Any, Any]]:
        """Return the judgments and the ranking as dicts, with units and judged items in place of what matches them."""
        self._check_item_rules(judgments, convention)
        if span_rule(convention.match) is not None:
            from rankgauge.matching.span_rankings import span_records  # noqa: PLC0415 (loads polars)

            return judgments.dicts, span_records(self, judgments, convention, findings)
        if self.source.form in TABLES:
            rankings: Mapping[Any, Any] = {
                part["query"][0]: RepeatedItems(part["item"].to_list(), part["score"].to_list())
                for part in self.frame(findings).partition_by("query", maintain_order=True)
            }
            rankings = {**{query: [] for query in self.empty}, **rankings}
        else:
            rankings = without_missing_ids(self.lists(findings), findings)
            if self.options.units is not None:
                rankings = self.options.units.of_records(rankings)
        judged, rankings = with_like_items(judgments.dicts, rankings, findings)
        rankings = with_like_ids(judged, rankings, findings)
        if convention.match != "id" or judgments.has_groups:
            rankings = found_records(judged, rankings, convention)
        return judged, rankings

    def frame(
        self,
        findings: Findings,
        on_read: Callable[[int], None] | None = None,
        only: pl.Expr | None = None,
        *,
        by_span: bool = False,
    ) -> pl.DataFrame:
        """Return the rows of a file or frame, ``only`` those that fulfil a condition; some ``by_span`` have no ids."""
        from rankgauge.inputs.table_rows import joined, rows_with_items, with_span_ids  # noqa: PLC0415

        if self._kept is None and not by_span and self.source.form == "file" and self.source.value.is_small:
            self._kept = [*self.blocks(findings, on_read)]
        if self._kept is not None:
            kept = joined(self._kept)
            return kept if only is None else kept.filter(only)
        if self.source.findings is not None:
            findings.merge(self.source.findings)
        if self.source.form == "file":
            blocks = self.blocks(findings, on_read, by_span=by_span)
            return joined(blocks if only is None else (block.filter(only) for block in blocks))
        column: Column = "span" if by_span and self.options.units is None else ""
        frame: pl.DataFrame = self.source.value
        if not self.source.is_clean:
            self.empty = []
            frame = rows_with_items(self.source.rows(findings, column, keeps_empty=True), self.empty)
        if not by_span and "item" not in frame.columns:
            frame = with_span_ids(frame)
        self._rows = frame.height
        if self.options.units is not None and not self.source.is_clean:
            frame = self.options.units.of_frame(frame)
        return frame if only is None else frame.filter(only)

    def blocks(
        self, findings: Findings, on_read: Callable[[int], None] | None = None, *, by_span: bool = False
    ) -> Iterator[pl.DataFrame]:
        """Read the file block by block."""
        from rankgauge.inputs.formats.reader import read_blocks  # noqa: PLC0415 (loads polars)
        from rankgauge.inputs.table_rows import rows_with_items  # noqa: PLC0415

        file = self.source.value
        if self._read and file.is_one_shot and not file.is_loaded:
            raise InputError(
                f"ranking {shown(self.name)} is a stream that was read already; pass a file to read it again"
            )
        self._read, self._rows, self.empty = True, 0, []
        column: Column = "span" if by_span and self.options.units is None else ""
        read = partial(read_blocks, file, "ranking", self.options, findings=findings, column=column, keeps_empty=True)
        for rows in read(on_read=on_read, may_be_empty=self.may_be_empty):
            if (block := rows_with_items(rows, self.empty)).height:
                self._rows += block.height
                yield block if self.options.units is None else self.options.units.of_frame(block)

    def examine(
        self, judgments: Judgments, grades: Iterable[Any], scores: Iterable[list[Any]], findings: Findings
    ) -> None:
        """Refuse grades in the place of scores unless columns or the format were named; report scores that ascend."""
        lists, again = tee(scores)  # mostly the first list is enough
        if judgments.grading is None and not self.options.columns and self.options.format is None:
            check_not_swapped(grades, lists)
        place = Phrase(f"{self.name}: ", f"{self.name}：") if self.name else Phrase("", "")
        note_ascending_scores(again, place, findings)

    def _array_chunks(
        self, judgments: Judgments, convention: Convention, findings: Findings, depth: int | None, top: int
    ) -> Iterator[Chunk]:
        from rankgauge.matching.from_arrays import match_dense, match_flat  # noqa: PLC0415 (only for arrays)

        labels, scores = np.asarray(judgments.array), self.source.value
        for name, array in (("labels", labels), ("scores", scores)):
            if array.dtype.kind not in "iufb":
                raise InputError(f"{name} must be an array of numbers, not of {array.dtype}")
            if array.ndim not in {1, MATRIX}:
                raise InputError(f"{name} must have one or two dimensions, not {array.ndim}")
        if labels.ndim != scores.ndim or (labels.ndim == 1 and labels.shape != scores.shape):
            flat = [name for name, array in (("labels", labels), ("scores", scores)) if 1 in array.shape[1:]]
            more = f": pass {flat[0]}.ravel()" if flat else ""
            zh = f"：请传入 {flat[0]}.ravel()" if flat else ""
            message = Phrase(
                f"labels have the shape {labels.shape} and scores {scores.shape}; give a score for each label{more}",
                f"标注的形状为 {labels.shape}，分数的形状为 {scores.shape}；每个标注应有一个分数{zh}",
            )
            raise InputError(message)
        if labels.ndim == MATRIX:
            self.examine(judgments, labels.ravel()[:SOME].tolist(), scores_of_array(scores, None), findings)
            yield from match_dense(labels, scores, convention, findings, depth, top)
            return
        segments, ids = judgments.options.query_segments(labels)
        if ids is not None:
            number = {query: place for place, query in enumerate(ids)}
            order = np.argsort([number[query] for query in judgments.options.query_ids or ()], kind="stable")
            labels, scores = labels[order], scores[order]
        self.examine(judgments, labels[:SOME].tolist(), scores_of_array(scores, segments.offsets), findings)
        yield from match_flat(labels, scores, segments, convention, findings, top)

    def _dict_chunks(
        self, judgments: Judgments, convention: Convention, findings: Findings, depth: int | None, top: int
    ) -> Iterator[Chunk]:
        judged, rankings = self.records(judgments, convention, findings)
        grades = (grade for grades in judged.values() for grade in grades.values())
        self.examine(judgments, grades, scores_of_records(rankings), findings)
        self.unjudged = [query for query in rankings if query not in judged]
        if self.unjudged:
            place = findings.place("ranking", self.unjudged[0])
            query = shown(self.unjudged[0])
            example = Phrase(f"{place.en}: query {query} has no judgments", f"{place.zh}：查询 {query} 没有标注")
            findings.add("RG403", example, queries=self.unjudged)
        answered = [number for number, query in enumerate(judgments.queries) if query in rankings]
        queries = [judgments.queries[number] for number in answered]
        numbers = np.array(answered, dtype=np.int64)
        for places, matched in match_dicts(judged, rankings, queries, convention, findings, top, depth):
            yield numbers[places], matched

    def _table_chunks(
        self,
        judgments: Judgments,
        convention: Convention,
        findings: Findings,
        depth: int | None,
        on_read: Callable[[int], None] | None,
        top: int,
        *,
        grades: bool,
    ) -> Iterator[Chunk]:
        from rankgauge.matching.from_frames import match_frames, slices  # noqa: PLC0415 (loads polars)
        from rankgauge.matching.scattered_rows import note_gathering  # noqa: PLC0415

        table = judgments.table(findings)
        match = partial(
            match_frames, table, convention=convention, depth=depth, top=top, grades=grades, unjudged=self.unjudged
        )
        file = self.source.file if self._kept is None else None
        if file is not None and not file.is_small:
            from rankgauge.matching.streamed_rankings import streamed_chunks  # noqa: PLC0415 (only for larger files)

            yield from streamed_chunks(self, file, judgments, match, findings, on_read)
            return
        frame = table.with_like_types(self.frame(findings, on_read), findings)
        self.examine(judgments, table.grade[:SOME].tolist(), scores_of_frame(frame), findings)
        on_scattered = None if file is None else partial(note_gathering, file, findings)
        whole = slices(table, frame, on_scattered)  # a small file is one block, which needs no threads
        yield from match(whole, findings=findings, in_memory=file is None)
