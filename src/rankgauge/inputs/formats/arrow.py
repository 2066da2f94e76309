"""Arrow IPC files (Feather) and streams of record batches."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import polars as pl

from rankgauge.inputs.formats.arrow_messages import check_messages
from rankgauge.inputs.formats.columnar import Columnar

_STREAM = b"\xff\xff\xff\xff"


def _scan(place: Any) -> pl.LazyFrame:
    check_messages(place)
    with io.BytesIO(place.getvalue()) if isinstance(place, io.BytesIO) else Path(place).open("rb") as file:
        is_stream = file.read(len(_STREAM)) == _STREAM
    return pl.read_ipc_stream(place).lazy() if is_stream else pl.scan_ipc(place, glob=False)


CODEC = Columnar(_scan, lambda table, file: table.sink_ipc(file)).codec()
