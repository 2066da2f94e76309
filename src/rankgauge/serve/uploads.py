"""Files that a browser sends, in one request: a line of JSON that names them, then their bytes, one after the other.

Nothing is held in memory, nothing is written before the sizes are known to be allowed, and the names that files have on
the disk are ours.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.formats.file_names import strip_endings, unique_name

ROLES = ("auto", "judgments", "ranking", "texts")
"""What a file may be said to be."""
MANY = 64
"""So many files can be sent at once."""
HEAD = 1 << 16
"""So long can the line be that names them."""
LONGEST = 100
"""So long is a name on the disk at most, in characters."""
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names that are no files on some systems."""


class TooLargeError(InputError):
    """More bytes than this server takes."""


@dataclass(frozen=True)
class File:
    """A file as the browser names it."""

    name: str
    role: str
    size: int
    stored: str = ""
    """Its name on the disk."""


def safe_name(name: str, taken: Sequence[str]) -> str:
    """A name for a file on the disk: no path, no hidden file, no device, and unlike the others.

    >>> safe_name("../../etc/passwd", []), safe_name("运行 1.csv", []), safe_name("a.csv", ["A.csv"])
    ('passwd', '运行_1.csv', '2-a.csv')
    """
    last = re.split(r"[/\\]", name)[-1]
    plain = re.sub(r"[^\w.@=+-]+", "_", last).lstrip(".-")[-LONGEST:]
    while len(plain.encode()) > 2 * LONGEST:
        plain = plain[1:]
    known = {one.lower() for one in taken}
    if not plain or DEVICES.fullmatch(plain) or plain.lower() in known:
        plain = f"{len(taken) + 1}-{plain}"
    return plain


def read_head(line: bytes, limit: int) -> tuple[dict[str, Any], list[File]]:
    """What the first line says: the settings, and the files that follow."""
    try:
        head = json.loads(line)
    except ValueError:
        raise InputError("the first line of the request is not JSON") from None
    if not isinstance(head, dict) or not isinstance(head.get("files"), list) or len(head["files"]) > MANY:
        raise InputError(f"the first line of the request must be an object with up to {MANY} files")
    files: list[File] = []
    for one in head.pop("files"):
        name, role, size = (one.get(key) if isinstance(one, dict) else None for key in ("name", "role", "size"))
        if not isinstance(name, str) or role not in ROLES or type(size) is not int or size < 0:
            raise ParameterError.of("a file", one, "an object with a name, a role and a size")
        files.append(File(name, role, size, safe_name(name, [known.stored for known in files])))
    if sum(one.size for one in files) > limit:
        raise TooLargeError(_too_large(limit))
    return head, files


async def receive(
    stream: AsyncIterator[bytes], folder: Path, limit: int, check: Callable[[dict[str, Any]], dict[str, Any]]
) -> tuple[dict[str, Any], list[File]]:
    """Write the files of a request into a folder, as the bytes come; the settings once checked, and the files."""
    pieces = Pieces(stream)
    head, files = read_head(await pieces.line(), limit)
    head = check(head)  # before anything is written
    for one in files:
        with (folder / one.stored).open("xb") as target:
            left = one.size
            while left:
                piece = await pieces.take(left)
                if not piece:
                    raise InputError(f"the request ended before all of {shown(one.name)} was there")
                target.write(piece)
                left -= len(piece)
    if await pieces.take(1):
        raise TooLargeError("the request is longer than the sizes of its files")
    return head, files


class Pieces:
    """The bytes of a stream, taken as they are needed."""

    def __init__(self, stream: AsyncIterator[bytes]) -> None:
        self._stream = stream
        self._held = b""

    async def line(self) -> bytes:
        """Up to the end of the line, which must come soon."""
        while b"\n" not in self._held:
            if len(self._held) > HEAD:
                raise TooLargeError(f"the first line of the request is longer than {HEAD} bytes")
            more = await self._more()
            if not more:
                break
            self._held += more
        line, _, self._held = self._held.partition(b"\n")
        return line

    async def take(self, most: int) -> bytes:
        """What is there, but not more than this; nothing at the end."""
        while not self._held:
            self._held = await self._more()
            if not self._held:
                return b""
        taken, self._held = self._held[:most], self._held[most:]
        return taken

    async def _more(self) -> bytes:
        return await anext(self._stream, b"")


def system_names(files: Sequence[File]) -> list[str]:
    """What the systems are called: as their files, made different.

    >>> system_names([File("a/run.txt.gz", "ranking", 0), File("run.csv", "ranking", 0)])
    ['run', 'run-2']
    """
    names: list[str] = []
    for one in files:
        names.append(unique_name(strip_endings(re.split(r"[/\\]", one.name)[-1]) or "ranking", names))
    return names


def _too_large(limit: int) -> str:
    return f"more than {limit / (1 << 20):,.4g} MiB together; start rankgauge serve with a larger --limit"
