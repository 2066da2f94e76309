"""Parquet files."""

from __future__ import annotations

import polars as pl

from rankgauge.inputs.formats.columnar import Columnar
from rankgauge.inputs.formats.parquet_pages import check_pages

CODEC = Columnar(
    lambda place: pl.scan_parquet(place, glob=False), lambda table, file: table.sink_parquet(file), check_pages
).codec()
