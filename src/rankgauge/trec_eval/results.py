"""The run to evaluate (``-T trec_results``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, cast

import polars as pl

from rankgauge.errors import InputError
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import read_blocks
from rankgauge.inputs.io.compression import open_bytes
from rankgauge.inputs.io.lines import HEAD
from rankgauge.rendering.language import plural

FIELDS = 6
"""Columns of a run: topic, Q0, item, rank, score, run name."""


@dataclass(frozen=True)
class Results:
    """A run with its name."""

    run_id: str
    frame: pl.DataFrame


def read_results(path: str) -> Results:
    """Read a run."""
    findings = Findings()
    stream, name = open_bytes(path)
    with stream:
        run_id = _run_id(stream.peek(HEAD))
        blocks = read_blocks(cast("IO[bytes]", stream), "ranking", format="trec", findings=findings, lenient=False)
        frame = pl.concat([*blocks])
    for finding in findings:
        if finding.code == "RG109":
            lines = plural(finding.count, "# line", "# lines")
            raise InputError(f"{name}: no run name (column {FIELDS}) in {lines}")
    return Results(run_id, frame)


def _run_id(head: bytes) -> str:
    """Return the run name in the first line."""
    for line in head.split(b"\n"):
        fields = line.split()
        if len(fields) >= FIELDS and not fields[0].startswith(b"#"):
            return fields[FIELDS - 1].decode("utf-8", "replace")
    return ""
