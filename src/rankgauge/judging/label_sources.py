"""Labels from any source: tables with a column of raters, verdict files of tools, and everything that is a judgment."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.inputs.columns import find_column, missing_column_error, normalise_name
from rankgauge.inputs.findings import Findings, input_error, reader_errors, with_ids
from rankgauge.inputs.formats.reader import inspect_source
from rankgauge.inputs.formats.table_files import BLANK, parse_table, read_content
from rankgauge.inputs.frames import as_polars, id_series, is_frame
from rankgauge.inputs.io.archives import refuse_archive
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.inputs.list_names import names_of
from rankgauge.inputs.objects import are_records
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.inputs.shapes.recognition import Recognised, recognise_document, recognise_record
from rankgauge.inputs.shapes.registry import shape_named
from rankgauge.inputs.shapes.shape import ShapeError
from rankgauge.inputs.sheet_labels import HEAD, MARK, SheetLabels, is_sheet_file
from rankgauge.inputs.source import is_file
from rankgauge.judging.labels import PAIR, SCHEMA, Labels
from rankgauge.matching.data import Data
from rankgauge.matching.judgments import Judgments
from rankgauge.rendering.language import Phrase

COLUMN_NAMES = {
    "rater": names_of(
        "rater raterid ratername assessor assessorid annotator annotatorid judge judgeid judgename labeler labeller "
        "worker workerid evaluator evaluatorname reviewer"
    ),
    "probability": names_of("probability gradeprobability prob"),
    "inclusion": names_of("inclusion inclusionprobability samplingprobability"),
    "time": names_of("time timestamp datetime judgedat labeledat createdat"),
    "prompt_version": names_of("promptversion judgeversion"),
    "reason": names_of("reason"),
}
"""Names of the columns that labels may have besides query, item and grade, normalised."""
TELLING = ("rater", "probability", "inclusion", "prompt_version")
"""Columns that judgments do not have: where one is present, a table holds labels."""
CANNOT_TELL = {"", "unrateable", "unrated", "cannot tell", "can't tell", "n/a", "na", "null", "none", "nan", "u", "?"}
"""How raters say that they cannot tell."""
A_RANKING = Phrase(
    "{name} is a ranking, and labels are expected here: give the labels before the rankings",
    "{name} 是排序结果，而此处应为标签：请先给出标签，再给出排序结果",
)


def read_labels(source: object, options: ReadOptions, name: str) -> Labels:
    """Read labels; judgments without raters are labels of a single one."""
    if isinstance(source, Data):
        source, options = _held(source, options)
    findings = Findings()
    content = None
    if is_file(source) and (is_regular_file(source) or not isinstance(source, str | PathLike) or source == "-"):
        content = read_content(source, "labels" if name == str(source) else name)
        refuse_archive(*content)
        if not is_regular_file(source):
            source = _in_memory(*content)
    if (sheet := _from_sheet(source, content, name, findings)) is not None:
        return _sheet_labels(sheet, name, findings, options.lenient)
    table = _from_records(source, content, options)
    if table is None:
        table = _from_columns(source, content, options, name, findings)
    if table is None:
        table = _from_judgments(source, options, findings)
    return Labels.checked(table, name, findings, options.lenient)


def _held(data: Data, options: ReadOptions) -> tuple[object, ReadOptions]:
    """Return what data were read from, so that raters are found in it, with the read options of both calls."""
    if data.judgments is None:
        raise InputError((f"{data!r} has no judgments", f"{data!r} 中没有标注"))
    side = data.judgments.for_call(options)
    held = side.raw if side.raw is not None else side.value
    if side.file is not None and not side.file.files:
        held = side.file.source if side.file.is_regular else _in_memory(side.file.stream.read(), side.file.name)
    return held if is_file(held) or is_frame(held) or are_records(held) else side, side.options


def _in_memory(content: bytes, name: str) -> io.BytesIO:
    file = io.BytesIO(content)
    file.name = name
    return file


def _from_sheet(source: Any, content: tuple[bytes, str] | None, name: str, findings: Findings) -> SheetLabels | None:
    """Return the labels of a judging sheet, from a file, a frame or records; None for other sources."""
    if content is not None:
        return SheetLabels.parse(content[0], content[1], findings) if is_sheet_file(content[0][:HEAD]) else None
    if is_frame(source):
        frame = as_polars(source)
        return SheetLabels.of(frame.to_dicts(), name, findings) if MARK in frame.columns else None
    if are_records(source) and source and isinstance(source[0], Mapping) and MARK in source[0]:
        return SheetLabels.of(source, name, findings)
    return None


def _sheet_labels(sheet: SheetLabels, name: str, findings: Findings, lenient: bool) -> Labels:
    """Return the labels of a sheet as labels; second answers are kept beside them."""
    kinds = {"query": pl.String, "item": pl.String, "rater": pl.String, "grade": pl.Float64}
    more = {"inclusion": pl.Float64, "time": pl.String, "reason": pl.String}
    rows, again = (
        pl.DataFrame([[row.get(key) for key in kinds | more] for row in side], schema=kinds | more, orient="row")
        for side in (sheet.first, sheet.again)
    )
    labels = Labels.checked(rows, name, findings, lenient)
    return replace(labels, repeats=again.select(*kinds), pool=sheet.fingerprint)


def _from_judgments(source: object, options: ReadOptions, findings: Findings) -> pl.DataFrame:
    """Return judgments of any form as a table."""
    try:
        judgments = Judgments.of(source, options, findings)
    except InputError as error:
        if not is_regular_file(source) or inspect_source(source).content.sides != ("ranking",):
            raise
        (en, zh), ranking = error.texts, A_RANKING.fill(name=str(source))
        raise InputError((f"{ranking.en}\n{en}", f"{ranking.zh}\n{zh}"), error.codes) from None
    numbers, items, grades = judgments.columns()
    queries = id_series([*judgments.queries]).gather(np.asarray(numbers))
    ids = items if isinstance(items, pl.Series) else id_series([*items])
    return pl.DataFrame([queries.alias("query"), ids.alias("item"), pl.Series("grade", grades, dtype=pl.Float64)])


def _from_columns(
    source: Any, content: tuple[bytes, str] | None, options: ReadOptions, name: str, findings: Findings
) -> pl.DataFrame | None:
    """Return a table that has a column of labels, None for other sources."""
    given = options.columns_of("judgments", *SCHEMA) or {}
    if content is not None:
        start = content[0].lstrip(BLANK)[:1]
        if start == b"[" or not _may_have_columns(content[0], given):
            return None
        frame = parse_table(*content, name, as_text=True)
        if (table := _table_of([*frame.iter_rows(named=True)], content[1], options)) is not None:
            return table
    elif is_frame(source) or are_records(source):
        with reader_errors(f"{name}: the frame", "give a table with named columns"):
            frame = pl.DataFrame(source, infer_schema_length=None) if are_records(source) else as_polars(source)
    else:
        return None
    columns = {kind: given.get(kind) or _named(frame.columns, names) for kind, names in COLUMN_NAMES.items()}
    if not any(columns[kind] for kind in TELLING):
        return None
    others = [column for column in frame.columns if column not in columns.values()]
    for kind in (*PAIR, "grade"):
        columns[kind] = given.get(kind) or find_column(kind, others, name)
    if missing := [kind for kind in (*PAIR, "grade") if columns[kind] is None]:
        raise missing_column_error(missing, frame.columns, "judgments", name)
    frame = frame.select(pl.col(column).alias(kind) for kind, column in columns.items() if column is not None)
    return _typed(frame, name, findings)


def _may_have_columns(content: bytes, given: Mapping[str, str]) -> bool:
    """Whether the first line names a column of labels; other files are not parsed twice."""
    header = content.lstrip(BLANK).partition(b"\n")[0].decode("utf-8", "replace")
    if content[:4] in {b"PAR1", b"ARRO"} or given.keys() & {*TELLING}:
        return True
    marks = str.maketrans(dict.fromkeys("\t,;:{}\"'", " "))
    words = {normalise_name(word) for word in header.translate(marks).split()}
    return any(words & {*COLUMN_NAMES[kind]} for kind in TELLING) or {"query", "docid"} <= words


def _named(columns: Iterable[str], names: tuple[str, ...]) -> str | None:
    return next((column for name in names for column in columns if normalise_name(column) == name), None)


def _typed(frame: pl.DataFrame, name: str, findings: Findings) -> pl.DataFrame:
    """Return a table with numbers as numbers; report cells that are none, and ids that are missing."""
    for kind in ("grade", "probability", "inclusion"):
        if kind in frame.columns and not frame.schema[kind].is_numeric():
            text = pl.col(kind).cast(pl.String).str.strip_chars()
            absent = text.str.to_lowercase().is_in([*CANNOT_TELL])
            number = pl.when(absent).then(None).otherwise(text).cast(pl.Float64, strict=False)
            wrong = frame.filter(number.is_null() & ~absent & pl.col(kind).is_not_null())
            if wrong.height:
                query, item, cell = wrong.select(*PAIR, kind).row(0)
                texts = f"{name}: {kind} {shown(cell)} is not a number", f"{name}：{kind} {shown(cell)} 不是数字"
                findings.add("RG204", with_ids(*texts, query, item), wrong.height)
            frame = frame.with_columns(number.alias(kind))
    invalid = ~pl.col("grade").is_finite()
    if (odd := frame.filter(invalid & pl.col("grade").is_not_nan())).height:
        example = with_ids(f"{name}: grade is infinite", f"{name}：等级为无穷大", *odd.select(PAIR).row(0))
        findings.add("RG204", example, odd.height)
    frame = frame.with_columns(pl.when(pl.col("grade").is_finite()).then(pl.col("grade")))
    for kind in PAIR:
        if not frame.schema[kind].is_integer():
            frame = frame.with_columns(pl.col(kind).cast(pl.String))
        empty = frame[kind].is_null() if frame.schema[kind].is_integer() else frame[kind].fill_null("") == ""
        if empty.any():
            row = int(empty.arg_true()[0]) + 1
            findings.add("RG208", (f"{name}: row {row}: {kind} is empty", f"{name}：第 {row} 行的 {kind} 为空"))
            frame = frame.filter(~empty)
    return frame


def _from_records(source: Any, content: tuple[bytes, str] | None, options: ReadOptions) -> pl.DataFrame | None:
    """Return the labels of verdict files of tools, None for other sources."""
    if content is not None:
        if content[0].lstrip(BLANK)[:1] not in {b"{", b"["}:
            return None
        records, name = [*_json_values(content[0])], content[1]
    elif are_records(source):
        records, name = [*source], type(source).__name__
    elif isinstance(source, Mapping) and "query_doc_pairs" in source:
        records, name = [source], type(source).__name__
    else:
        return None
    return _table_of(records, name, options)


def _table_of(records: list[Any], name: str, options: ReadOptions) -> pl.DataFrame | None:
    """Return the labels of records of a known shape, None for others."""
    recognised = _recognised(records, name, options.format_of("judgments"))
    if recognised is None or not recognised.fit.has_labels:
        return None
    rows: list[tuple[Any, ...]] = []
    for number, record in enumerate(records, 1):
        try:
            rows += [(entry.query, *label) for entry in recognised.fit.entries(record) for label in entry.labels or ()]
        except ShapeError as error:
            place = Phrase(f"{name}: record {number}: ", f"{name}：第 {number} 条记录：")
            raise input_error("RG110", Phrase(place.en + error.reason.en, place.zh + error.reason.zh)) from None
    schema = {"query": pl.String, "item": pl.String, "rater": pl.String, "grade": pl.Float64}
    more = {"probability": pl.Float64, "time": pl.String, "prompt_version": pl.String}
    cells = [(str(query), str(item), *rest) for query, item, *rest in rows]
    return pl.DataFrame(cells, schema=schema | more, orient="row")


def _json_values(content: bytes) -> Iterator[object]:
    """Yield the elements of a JSON array, a JSON document, or the lines of a JSONL file; nothing if it is not JSON."""
    try:
        document = json.loads(content)
        yield from document if isinstance(document, list) else [document]
    except ValueError:
        try:
            yield from [json.loads(line) for line in content.splitlines() if line.strip()]
        except ValueError:  # reported by the reader of judgments
            return


def _recognised(records: list[object], name: str, given: str | None) -> Recognised | None:
    if not records or not isinstance(records[0], Mapping):
        return None
    shape = given if shape_named(given) is not None else None
    recognised = recognise_document(records[0], name, shape, (False,)) if len(records) == 1 else None
    return recognised or recognise_record(records[0], name, shape, None, (False,))
