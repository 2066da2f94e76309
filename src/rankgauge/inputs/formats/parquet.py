"""Parquet files."""

from __future__ import annotations

import polars as pl

from rankgauge.inputs.formats.columnar import columnar_codec

CODEC = columnar_codec(
    (b"PAR1",), lambda place: pl.scan_parquet(place, glob=False), lambda table, file: table.sink_parquet(file)
)
