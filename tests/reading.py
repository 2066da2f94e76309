"""Read files in tests in blocks of any size, which no public function takes: the rows, and what was found."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import read_blocks, read_file

OF_THE_READER = {"column", "on_read", "block_bytes", "may_be_empty", "may_be_invalid"}
"""Keywords that are no read options."""


def named(content: str | bytes, name: str) -> io.BytesIO:
    """An open file with a name."""
    file = io.BytesIO(content if isinstance(content, bytes) else content.encode())
    file.name = name  # type: ignore[attr-defined]
    return file


def _options(keywords: dict[str, Any]) -> tuple[rg.ReadOptions, dict[str, Any]]:
    """The read options among keywords, and the others."""
    options = {name: value for name, value in keywords.items() if name not in OF_THE_READER}
    return rg.ReadOptions(**options), {name: keywords[name] for name in keywords.keys() - options}


def blocks(source: Any, role: Any, findings: Findings | None = None, **keywords: Any) -> Iterator[pl.DataFrame]:
    """Read a file block by block."""
    options, more = _options(keywords)
    return read_blocks(source, role, options, findings=Findings() if findings is None else findings, **more)


def rows_and_findings(source: Any, role: Any, **keywords: Any) -> tuple[list[tuple[Any, ...]], Findings]:
    """The rows of a file, and what was found, unusual grades among it."""
    findings = Findings()
    options, more = _options(keywords)
    return read_file(source, role, options, findings=findings, **more).rows(), findings


def rows(source: Any, role: Any, **keywords: Any) -> list[tuple[Any, ...]]:
    """The rows of a file."""
    return rows_and_findings(source, role, **keywords)[0]


def columns_read(names: list[str], role: Any, **options: Any) -> list[str]:
    """The columns from which the query, the item and the number of a table are taken: each column has its place."""
    row = ",".join(map(str, range(1, len(names) + 1)))
    [(query, item, number)] = rows(named(f"{','.join(names)}\n{row}\n", "table.csv"), role, **options)
    return [names[int(place) - 1] for place in (query, item, abs(number))]


def counts(findings: Any) -> dict[str, int]:
    """How often each code was found, besides the guess of the format."""
    return {finding.code: finding.count for finding in findings if finding.code != "RG106"}


def read_in_blocks_of(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every verb read files of any size in blocks of so many bytes."""
    monkeypatch.setitem(read_blocks.__kwdefaults__, "block_bytes", size)
    monkeypatch.setattr("rankgauge.inputs.formats.reader.BLOCK_BYTES", size)
    monkeypatch.setattr("rankgauge.inputs.io.input_file.SMALL_FILE", 0)
