"""Find the lines of a file with a query and an item, for findings that are noticed after reading."""

from __future__ import annotations

from contextlib import closing, suppress

import polars as pl

from rankgauge.errors import InputError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings, reader_errors
from rankgauge.inputs.formats.codec import OpenFile
from rankgauge.inputs.formats.reader import BLOCK_BYTES, choose_format
from rankgauge.inputs.formats.registry import FileFormat
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.lines import Block, FileContext, clean_text, line_blocks
from rankgauge.inputs.item_rows import row_columns
from rankgauge.inputs.read_options import ReadOptions


def find_place(
    file: InputFile, role: Role, options: ReadOptions, query: object, item: object = None, occurrence: int = 1
) -> str:
    """Return the place of the n-th occurrence of a query, or of an item of it: a file and a line."""
    for part in file.files:
        place = find_place(part, role, options, query, item, occurrence)
        if place != part.name:
            return place
    if not file.is_regular:
        return file.name  # a stream cannot be read again
    with suppress(InputError), reader_errors(file.name):
        context = FileContext(file.name, role, Findings(), lenient=True)
        side_options = options.side(role)
        chosen = choose_format(file, context, side_options)
        with closing(InputFile(file.path).take()) as stream:
            opened = OpenFile(file, stream, context, side_options.columns, BLOCK_BYTES)
            return _place(opened, chosen, str(query), None if item is None else str(item), occurrence)
    return file.name


def _place(file: OpenFile, chosen: FileFormat, query: str, item: str | None, occurrence: int) -> str:
    name = file.context.name
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
                parsed = parser.parse(Block(line + b"\n", number)).rows()
                seen += any(row[0] == query and item in {None, row[1]} for row in parsed)
                if seen == occurrence:
                    return f"{name}:{number}"
    return name
