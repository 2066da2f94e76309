"""TREC files: ``query Q0 item rank score tag`` and ``query iteration item grade``, separated by spaces or tabs.

Blocks are parsed in three ways, each exact, from fast to slow. A block with one separator and nothing unusual goes
straight to polars. Otherwise whitespace and comments are normalised first. What still does not parse is read line by
line, which finds the invalid lines.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import IO

import numpy as np
import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.inputs.columns import looks_like_header
from rankgauge.inputs.formats.codec import (
    UNREADABLE,
    Confidence,
    OpenFile,
    Parser,
    Sample,
    ScatteredQueriesError,
    WriteOptions,
    integral_grades,
    text_codec,
)
from rankgauge.inputs.io.lines import BOM, NUMBER, Block, FileContext
from rankgauge.inputs.table_rows import note_rank_conflicts, whole_queries, within_queries
from rankgauge.rendering.language import Phrase, plural
from rankgauge.segments import Floats

JUDGMENT_COLUMNS, RUN_COLUMNS = 4, 5
"""Columns of a judgment, and of a ranking without the optional tag."""

METADATA_END = b"ir_metadata.end"
"""The end of the metadata of a run, whose lines may look like rows."""
MSMARCO_TABS = 2
"""Tabs of a line of an MS MARCO run."""
_COMMENTS = re.compile(rb"(?m)^[ \t\v\f]*#.*\n?")
_TO_SPACES = bytes.maketrans(b"\t\v\f", b"   ")
_TAB = 9

JSON_TEXT = re.compile(rb'[{\[]\s*"')
"""The beginning of an object or a list with a text, in which a number may stand where a row of TREC has one."""


def _sniff(sample: Sample) -> Confidence:
    """Recognise a row, whatever the file is called: MS MARCO names such files ``.tsv``."""
    if JSON_TEXT.match(sample.line):
        return Confidence.FALLBACK
    fields = sample.line.split()
    if b"\t" in sample.line and has_iteration_last(sample):
        return Confidence.FALLBACK
    if sample.line.count(b"\t") == MSMARCO_TABS and sample.role != "judgments":
        return Confidence.FALLBACK  # blanks may belong to ids
    number_column = {"judgments": JUDGMENT_COLUMNS, "ranking": RUN_COLUMNS}
    for columns in [number_column[sample.role]] if sample.role in number_column else number_column.values():
        if len(fields) >= columns and NUMBER.fullmatch(fields[columns - 1]):
            is_csv = all(field.endswith(b",") for field in fields[: columns - 1])  # `1, 0, a, 1`
            return Confidence.FALLBACK if is_csv else Confidence.ROW
    return Confidence.FALLBACK


def has_iteration_last(sample: Sample) -> bool:
    r"""Whether the third column is the grade: read as TREC judgments, a query would have one item several times.

    >>> has_iteration_last(Sample(b"q1\ta\t1\t0\nq1\tb\t1\t0\n", "qrels.tsv"))
    True
    """
    if sample.role == "ranking" or sample.line.count(b"\t") != JUDGMENT_COLUMNS - 1:
        return False
    lines = sample.head.removeprefix(BOM).replace(b"\r\n", b"\n").split(b"\n")
    rows = [line.split(b"\t") for line in filter(bytes.strip, lines[:-1] or lines)]
    if any(len(row) != JUDGMENT_COLUMNS or not row[2].strip().lstrip(b"-").isdigit() for row in rows):
        return False
    same_iteration = len({row[3].strip() for row in rows}) == 1
    return same_iteration and len({(row[0], row[2]) for row in rows}) < len({(row[0], row[1]) for row in rows})


class TrecParser(Parser):
    """Parses one TREC file."""

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        self._is_ranking = file.context.role == "ranking"
        self._columns = RUN_COLUMNS if self._is_ranking else JUDGMENT_COLUMNS
        self._ranks_checked = self._has_tags = False
        self._reads_ranks = True
        """Whether ranks are read with the rest: at first, and once scores did not descend."""

    def parse(self, block: Block) -> pl.DataFrame:
        """Return query, item and number of the lines of a block."""
        if b"#" in block.text:
            self._report_rows_in_comments(block)
        last = None
        if self._is_ranking and not block.text.endswith(b"\n"):
            block, last = self._without_tagless_end(block)
        frame = super().parse(block)
        if last is not None and self._has_tags:
            self._report_end(last)
        elif last is not None:
            frame = pl.concat([frame, super().parse(last)])
        self.context.rows_begun |= frame.height > 0
        return frame

    def _without_tagless_end(self, block: Block) -> tuple[Block, Block | None]:
        """Return a block without a last line that lacks the newline and the tag, and that line: it may be cut off."""
        start = block.text.rfind(b"\n") + 1
        last = block.text[start:]
        if len(last.split()) != RUN_COLUMNS or last.lstrip().startswith(b"#"):
            return block, None
        rest = Block(block.text[:start], block.line)
        return rest, Block(last, rest.line + rest.lines)

    def _report_end(self, last: Block) -> None:
        text = shown(last.text.strip().decode())
        message = Phrase(
            f"the file ends in a line of 5 columns, where others have 6: {text}; the score may be cut off",
            f"文件末行只有 5 列，而其他行有 6 列：{text}；得分可能不完整",
        )
        self.context.report("RG108", last.line, message)

    def _report_rows_in_comments(self, block: Block) -> None:
        """Report comments with the columns of a row, so that no topic is lost whose id begins with #."""
        number = self._columns - 1
        metadata = max(block.text.find(METADATA_END), 0)
        for comment in _COMMENTS.finditer(block.text, metadata):
            fields = comment[0].split()
            fits = len(fields) >= self._columns if self._is_ranking else len(fields) == self._columns
            if fits and NUMBER.fullmatch(fields[number]):
                line = block.line + block.text.count(b"\n", 0, comment.start())
                text = shown(comment[0].decode("utf-8", "replace").strip())
                self.context.report("RG113", line, Phrase(f"skipped: {text}", f"已跳过：{text}"))

    # With polars

    def parse_fast(self, block: Block) -> pl.DataFrame | None:
        """Parse a block with polars, as it is or normalised; return None if it could be misread."""
        frame = self._parse_regular(block)
        if frame is None:
            block = _normalise(block)
            return self._parse_regular(block) if block.text else self.context.frame()
        return frame

    def _parse_regular(self, block: Block) -> pl.DataFrame | None:
        separator = _separator(block)
        if separator is None:
            return None
        end = block.text.find(b"\n")
        columns = block.text.count(separator, 0, end if end >= 0 else len(block.text)) + 1
        if columns < self._columns:
            return None
        with_rank = self._is_ranking and self._reads_ranks
        frame = self._read(block, separator, columns, with_rank=with_rank)
        if frame is None:
            return None
        numbers = frame[self.context.number]
        values = numbers.to_numpy()
        if numbers.null_count() or not np.isfinite(values).all() or not self._every_line_fits(frame, block):
            return None
        if with_rank:
            may_lack_rank = not self._ranks_checked and columns == RUN_COLUMNS
            if may_lack_rank and not frame["rank"].str.contains(r"^[+-]?\d+$").all():
                return None  # the score in the place of the rank, and a tag in that of the score
            note_rank_conflicts(frame, self.context)
            self._reads_ranks = self._ranks_checked or self._rises(frame, values)
            self._ranks_checked = True
        elif self._is_ranking and self._rises(frame, values):
            self._reads_ranks = True
            with_ranks = self._read(block, separator, columns, with_rank=True)
            if with_ranks is not None:
                note_rank_conflicts(with_ranks, self.context)
        return frame.select("query", "item", self.context.number)

    @staticmethod
    def _rises(frame: pl.DataFrame, scores: Floats) -> bool:
        """Whether a score is higher than the one before it in the same query."""
        return bool(within_queries(frame, scores[1:] > scores[:-1]).size)

    def _read(self, block: Block, separator: bytes, columns: int, *, with_rank: bool) -> pl.DataFrame | None:
        number = self._columns - 1
        wanted = {0: "query", 2: "item", number: self.context.number} | ({3: "rank"} if with_rank else {})
        names = [wanted.get(place, f"_{place}") for place in range(columns)]
        schema = {name: pl.Float64() if name == self.context.number else pl.String() for name in names}
        try:
            return pl.read_csv(
                block.text,
                has_header=False,
                separator=separator.decode(),
                quote_char=None,
                schema=schema,
                columns=sorted(wanted),
                truncate_ragged_lines=True,
            )
        except UNREADABLE:  # an invalid number; reading line by line finds it
            return None

    def _every_line_fits(self, frame: pl.DataFrame, block: Block) -> bool:
        """Whether every line has its columns, if it has a number.

        No two separators are adjacent, so no field is empty, and a number that is not null proves that the columns
        before it exist. The number of separators then determines the columns after it.
        """
        if frame.height != block.rows:
            return False
        fields = block.separators - block.lines + block.rows
        if not self._is_ranking:
            return fields == JUDGMENT_COLUMNS * block.rows
        missing_tags = (RUN_COLUMNS + 1) * block.rows - fields
        self._has_tags |= missing_tags < block.rows
        if missing_tags > 0:
            self._report_missing_tags(missing_tags)
        return True

    def _report_missing_tags(self, count: int) -> None:
        en, zh = "a line has 5 columns; the tag is missing", "有的行只有 5 列，缺少标签"
        self.context.findings.add("RG109", (f"{self.context.name}: {en}", f"{self.context.name}：{zh}"), count)

    # Line by line

    def parse_exactly(self, block: Block) -> pl.DataFrame:
        """Parse a block line by line into a frame of the valid rows."""
        rows = [row for row in self.rows(block) if row is not None]
        frame = pl.DataFrame(rows, schema={**self.context.frame().schema, "rank": pl.String}, orient="row")
        if self._is_ranking:
            note_rank_conflicts(frame, self.context)
        return frame.drop("rank")

    def rows(self, block: Block) -> Iterator[tuple[str, str, float, str] | None]:
        """Parse the lines one by one into query, item, number and rank."""
        for line, fields in data_lines(block):
            yield self._row(line, fields)
            self.context.rows_begun = True

    def _row(self, line: int, fields: list[bytes]) -> tuple[str, str, float, str] | None:
        context, columns = self.context, self._columns
        if not context.rows_begun and not (len(fields) >= columns and NUMBER.fullmatch(fields[columns - 1])):
            texts = [field.decode() for field in fields[:columns]]
            if looks_like_header(texts):
                text = shown(" ".join(texts))
                context.report("RG107", line, Phrase(f"a header line, not data: {text}", f"这是表头，不是数据：{text}"))
                return None
        parsed = parse_fields(context, line, fields, columns, item=2, more=self._is_ranking)
        if parsed is None:
            return None
        texts, number = parsed
        if self._is_ranking and len(fields) == columns:
            if is_fraction(fields[3]):
                text = shown(" ".join(texts))
                message = Phrase(
                    f"5 columns, of which the 4th is no rank: {text}; the rank or the tag is missing",
                    f"共 5 列，而第 4 列不是名次：{text}；缺少名次或标签",
                )
                context.report("RG108", line, message, texts[0], texts[2])
                return None
            self._report_missing_tags(1)
        self._has_tags |= len(fields) > columns
        return texts[0], texts[2], number, texts[3]


def is_fraction(field: bytes) -> bool:
    """Whether a field is a number that no rank can be.

    >>> is_fraction(b"0.9"), is_fraction(b"7"), is_fraction(b"7.0"), is_fraction(b"-")
    (True, False, False, False)
    """
    return bool(NUMBER.fullmatch(field)) and not float(field).is_integer() and math.isfinite(float(field))


def data_lines(block: Block) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the number and the fields of every line that is neither blank nor a comment."""
    for line, text in enumerate(block.text.split(b"\n"), block.line):
        fields = text.split()  # bytes are split at ASCII whitespace only: NBSP and U+3000 belong to ids
        if fields and not fields[0].startswith(b"#"):
            yield line, fields


def parse_fields(
    context: FileContext, line: int, fields: list[bytes], columns: int, *, item: int, more: bool
) -> tuple[list[str], float] | None:
    """Return the columns of a line and the number in the last one; report an invalid line and return None.

    ``item`` is the index of the item id, for messages; ``more`` allows further columns.
    """
    if len(fields) < columns or (len(fields) > columns and not more):
        expected = f"{'at least ' if more else ''}{plural(columns, '# column', '# columns')}"
        text = shown(b" ".join(fields).decode())
        en = f"expected {expected}, found {len(fields)}: {text}"
        context.report("RG108", line, (en, f"应有{'至少' * more} {columns} 列，实有 {len(fields)} 列：{text}"))
        return None
    texts = [field.decode() for field in fields[:columns]]
    number = context.parse_number(texts[-1], line, texts[0], texts[item])
    return None if number is None else (texts, number)


def _separator(block: Block) -> bytes | None:
    """Return the byte that separates the columns of a block, or None if polars could misread it."""
    text = block.text
    if block.empty_fields or not text or text.startswith((b"#", BOM)) or (b"#" in text and b"\n#" in text):
        return None
    if block.controls == block.lines:
        return b" " if block.separators > block.lines else None
    # Tabs only: no space, and no control character besides newline and tab.
    if block.separators == block.controls and block.controls - block.lines == block.count(_TAB):
        return b"\t"
    return None


def _normalise(block: Block) -> Block:
    """Return the block with one space between columns, and without comments, blank lines and indentation."""
    text = block.text
    if b"#" in text:
        text = _COMMENTS.sub(b"", text)
    text = text.translate(_TO_SPACES)
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    text = text.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")
    while b"\n\n" in text:
        text = text.replace(b"\n\n", b"\n")
    return Block(text.lstrip(b"\n"), block.line)


def _write(blocks: Iterator[pl.DataFrame], file: IO[bytes], options: WriteOptions) -> None:
    """Write the lines; the items of a ranking by descending score, with their ranks."""
    checked = (_check_ids(block, options.name) for block in blocks)
    judged = (integral_grades(block).select("query", pl.lit("0"), "item", "grade") for block in checked)
    for block in judged if options.role == "judgments" else _run_lines(checked, options.tag):
        block.write_csv(file, separator=" ", include_header=False, quote_style="never")


def _run_lines(blocks: Iterator[pl.DataFrame], tag: str) -> Iterator[pl.DataFrame]:
    seen: set[str] = set()
    for block, lengths in whole_queries(blocks):
        queries = block["query"].unique().to_list()
        if len(queries) != len(lengths) or not seen.isdisjoint(queries):
            raise ScatteredQueriesError
        seen.update(queries)
        rank = pl.int_range(pl.len()).over("query") + 1
        ranked = block.sort(pl.col("query").rle_id(), "score", descending=[False, True], maintain_order=True)
        yield ranked.select("query", pl.lit("Q0"), "item", rank.alias("rank"), "score", pl.lit(tag).alias("tag"))


def _check_ids(block: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the block, or raise an error for an id that a TREC file cannot contain."""
    for column in ("query", "item"):
        invalid = block[column].str.contains(r"[ \t\r\n\x0b\x0c]") | block[column].str.starts_with("#")
        if invalid.any():
            message = Phrase(
                "{name}: the {column} {id} contains whitespace or starts with #, which TREC files do not allow; write "
                "csv, tsv or jsonl instead",
                "{name}：{column} {id} 含有空白或以 # 开头，TREC 文件不允许；请改写为 csv、tsv 或 jsonl",
            )
            raise InputError(message.fill(name=name, column=column, id=shown(block[column][invalid.arg_true()[0]])))
    return block


CODEC = text_codec(
    TrecParser,
    guess_role=lambda sample: "ranking" if len(sample.line.split()) >= RUN_COLUMNS else "judgments",
    write=_write,
    sniff=_sniff,
)
