"""Find the lines of a file with a query and an item, for findings that are noticed after reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from typing import Any

import polars as pl

from rankgauge.errors import InputError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings, reader_errors
from rankgauge.inputs.formats.codec import OpenFile, row_columns
from rankgauge.inputs.formats.file_groups import FileGroup
from rankgauge.inputs.formats.reader import BLOCK_BYTES, choose_format
from rankgauge.inputs.io.compression import Source, open_bytes, source_name
from rankgauge.inputs.io.lines import HEAD, Block, FileContext, clean_text, line_blocks
from rankgauge.inputs.io.paths import is_regular_file


def file_places(
    source: Source, role: Role, given_format: str | None, columns: Mapping[str, str] | None
) -> Callable[[Any, Any, int], str]:
    """Return a function from a query, an item (None for any) and a number n to the place of their n-th occurrence."""

    def place(query: Any, item: Any, occurrence: int) -> str:
        if isinstance(source, FileGroup):
            found = (file_places(file, role, given_format, columns)(query, item, occurrence) for file in source.files)
            return next((place for place in found if place not in map(source_name, source.files)), source.name)
        name = source_name(source)
        if not is_regular_file(source):
            return name  # a stream cannot be read again
        with suppress(InputError):
            context = FileContext(name, role, Findings(), lenient=True)
            with closing(open_bytes(source)[0]) as stream, reader_errors(name):
                file = OpenFile(source, stream, context, columns, BLOCK_BYTES)
                return _place(file, given_format, str(query), None if item is None else str(item), occurrence)
        return name

    return place


def _place(file: OpenFile, given: str | None, query: str, item: str | None, occurrence: int) -> str:
    name = file.context.name
    chosen = choose_format(file.stream.peek(HEAD), file.context, given, file.columns)
    if chosen.codec.scan is not None:
        table = chosen.codec.scan(file.source)
        columns = row_columns(table.collect_schema().names(), file.context, file.columns, name)
        wanted = {columns.query: query} | ({} if item is None else {columns.item: item})
        matches = pl.all_horizontal(pl.col(column).cast(pl.String) == text for column, text in wanted.items())
        rows = table.with_row_index("row").filter(matches).head(occurrence).collect()["row"]
        return f"{name}: row {rows[-1] + 1}" if len(rows) == occurrence else name
    parser, seen = chosen.codec.parser(file), 0
    needles = [text.encode() for text in (query, item) if text is not None]
    for raw in line_blocks(file.stream, file.block_bytes, quoted=parser.quoted):
        block = clean_text(raw, file.context)
        if not file.context.rows_begun:
            parser.parse(block)  # finds the columns
        if any(needle not in block.text for needle in needles):
            continue
        for number, line in enumerate(block.text.split(b"\n"), block.line):
            if all(needle in line for needle in needles):
                found = parser.parse(Block(line + b"\n", number)).rows()
                seen += any(row[0] == query and item in {None, row[1]} for row in found)
                if seen == occurrence:
                    return f"{name}:{number}"
    return name
