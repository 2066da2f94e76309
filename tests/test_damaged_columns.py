"""What is said of Parquet and Arrow files in which one byte is changed or the end is missing, at every place, as it is stored.

``python tests/test_damaged_columns.py`` writes the outcomes in tests/data/malformed/columns.json again, for the files in it.
"""

from __future__ import annotations

import base64
import io
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rankgauge.inputs.formats.arrow_messages as arrow
import rankgauge.inputs.formats.parquet_pages as parquet
from rankgauge.inputs.formats.codec import DamagedFileError

STORED = Path(__file__).parent / "data" / "malformed" / "columns.json"
FILES = (
    "parquet",
    "parquet, two row groups",
    "parquet, zstd",
    "arrow",
    "arrow, categories",
    "arrow, zstd",
    "arrow stream",
    "arrow stream, zstd",
)
CHANGES = ("lowest bit", "highest bit", "all bits", "truncated")
BITS = {"lowest bit": 1, "highest bit": 128, "all bits": 255}


def damaged(content: bytes, change: str) -> Iterator[bytes]:
    """The file with each of its bytes changed, or all its beginnings."""
    if change == "truncated":
        return (content[:end] for end in range(len(content) + 1))
    return (content[:at] + bytes([byte ^ BITS[change]]) + content[at + 1 :] for at, byte in enumerate(content))


def outcome(name: str, content: bytes, monkeypatch: pytest.MonkeyPatch) -> str | int:
    """What is wrong with the file, or the bytes to which its columns expand."""
    module: Any = parquet if name.startswith("parquet") else arrow
    sizes: list[int] = []
    monkeypatch.setattr(module, "check_expansion", lambda _, size, expanded: sizes.append(expanded))
    try:
        (module.check_pages if module is parquet else module.check_messages)(io.BytesIO(content))
    except DamagedFileError as error:
        return str(error)
    return sizes[0]


def outcomes(name: str, content: bytes, change: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The outcomes of a change at all places; those of neighbours that are equal are given once, with their number."""
    found = (outcome(name, file, monkeypatch) for file in damaged(content, change))
    return [f"{len([*same])}: {answer}" for answer, same in itertools.groupby(found)]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", FILES)
def test_a_byte_changed_or_missing_at_any_place_gives_the_stored_message_or_size(name, change, monkeypatch):
    stored = json.loads(STORED.read_text(encoding="utf-8"))[name]
    assert outcomes(name, base64.b64decode(stored["content"]), change, monkeypatch) == stored[change]


if __name__ == "__main__":
    files = json.loads(STORED.read_text(encoding="utf-8"))
    with pytest.MonkeyPatch.context() as patch:
        for name, file in files.items():
            file |= {change: outcomes(name, base64.b64decode(file["content"]), change, patch) for change in CHANGES}
    STORED.write_text(json.dumps(files, indent=1) + "\n", encoding="utf-8")
