"""Files of group sizes (``.group`` of XGBoost, ``.query`` of LightGBM): the number of rows of each query, in order."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from rankgauge.errors import shown
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.io.compression import RawFile, open_bytes, split_compression
from rankgauge.rendering.language import Phrase

ENDINGS = (".group", ".query")


def file_beside(source: RawFile) -> Path | None:
    """Return the file of group sizes that belongs to a file of rows: ``train.txt.group`` or ``train.group``."""
    if not isinstance(source, str | os.PathLike):
        return None
    path = Path(split_compression(os.fspath(source))[0])
    candidates = [path.with_name(stem + ending) for stem in (path.name, path.stem) for ending in ENDINGS]
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def read_group_sizes(source: RawFile) -> list[int]:
    """Return the sizes in a file."""
    with closing(open_bytes(source)) as stream:
        name, lines = stream.name, stream.read().decode("utf-8", "replace").splitlines()
    sizes = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and not (text.isascii() and text.isdigit()):
            en = f"{name}:{number}: expected the number of rows of a query, found {shown(text)}"
            raise input_error("RG110", (en, f"{name}:{number}：应为一个查询的行数，实为 {shown(text)}"))
        sizes += [int(text)] if text else []
    if not sizes:
        raise input_error("RG101", Phrase(f"{name}: the file has no data", f"{name}：文件中没有数据"))
    return sizes
