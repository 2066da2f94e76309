"""Uploads: one request with a line of JSON that names the files, followed by their bytes.

Nothing is kept in memory, nothing is written before the sizes are checked, and file names on disk are chosen here.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.formats.registry import names_of_files, unique_name

ROLES = ("auto", "judgments", "ranking", "texts")
"""Roles that can be selected for a file."""
MAX_FILES = 64
HEAD = 1 << 16
"""Maximum length of the first line, in bytes."""
LONGEST = 100
"""Maximum length of a file name on disk, in characters."""
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names that are devices on some systems."""
LONGEST_SHOWN = 200
"""Maximum length of a file name on the page, in characters."""
STALLED_SECONDS = 60
"""An upload of which no byte arrives for this long is given up."""


class TooLargeError(InputError):
    """More bytes than this server accepts."""


@dataclass(frozen=True)
class File:
    """An uploaded file with its name in the browser."""

    name: str
    role: str
    size: int
    stored: str = ""
    """Its name on disk."""


def shown_name(name: str) -> str:
    r"""Return the name of a file as text that can be written anywhere, shortened at the start.

    >>> shown_name("run\ud800.txt")
    'run?.txt'
    """
    return name[-LONGEST_SHOWN:].encode("utf-8", "replace").decode()


def safe_name(name: str, taken: Sequence[str]) -> str:
    """Return a name for a file on disk: no path, not hidden, not a device, and unique.

    >>> safe_name("../../etc/passwd", []), safe_name("运行 1.csv", []), safe_name("a.csv", ["A.csv"])
    ('passwd', '运行_1.csv', '2-a.csv')
    """
    last = re.split(r"[/\\]", name)[-1]
    safe = re.sub(r"[^\w.@=+-]+", "_", last).lstrip(".-")[-LONGEST:]
    while len(safe.encode()) > 2 * LONGEST:
        safe = safe[1:]
    lower = {other.lower() for other in taken}
    if not safe or DEVICES.fullmatch(safe) or safe.lower() in lower:
        safe = f"{len(taken) + 1}-{safe}"
    return safe


def read_head(line: bytes, limit: int) -> tuple[dict[str, object], list[File]]:
    """Parse the first line: the settings, and the files that follow."""
    try:
        head = json.loads(line)
    except ValueError:
        raise InputError("the first line of the request is not JSON") from None
    if not isinstance(head, dict) or not isinstance(head.get("files"), list) or len(head["files"]) > MAX_FILES:
        raise InputError(f"the first line of the request must be an object with a list of files, at most {MAX_FILES}")
    files: list[File] = []
    for entry in head.pop("files"):
        name, role, size = (entry.get(key) if isinstance(entry, dict) else None for key in ("name", "role", "size"))
        if not isinstance(name, str) or role not in ROLES or type(size) is not int or size < 0:
            raise ParameterError.of(
                "a file", entry, ("an object with a name, a role and a size", "含 name、role 与 size 的对象")
            )
        name = shown_name(name)
        files.append(File(name, role, size, safe_name(name, [file.stored for file in files])))
    if sum(file.size for file in files) > limit:
        size = f"{limit / (1 << 20):,.4g} MiB"
        raise TooLargeError(f"the files have more than {size} in total; start rankgauge serve with a larger --limit")
    return head, files


async def receive(
    stream: AsyncIterator[bytes], folder: Path, limit: int, on_head: Callable[[dict[str, Any], list[File]], None]
) -> None:
    """Write the files of a request into a folder as they arrive; ``on_head`` may refuse them before."""
    pieces = Pieces(stream)
    head, files = read_head(await pieces.line(), limit)
    on_head(head, files)
    for file in files:
        with (folder / file.stored).open("xb") as target:
            left = file.size
            while left:
                piece = await pieces.take(left)
                if not piece:
                    raise InputError(f"the request ended before {shown(file.name)} was complete")
                target.write(piece)
                left -= len(piece)
    if await pieces.take(1):
        raise TooLargeError("the request is longer than the sizes of its files")


class Pieces:
    """A stream of bytes, read on demand."""

    def __init__(self, stream: AsyncIterator[bytes]) -> None:
        self._stream = stream
        self._buffer = b""

    async def line(self) -> bytes:
        """Return the first line, which has a maximum length."""
        while b"\n" not in self._buffer:
            if len(self._buffer) > HEAD:
                raise TooLargeError(f"the first line of the request is longer than {HEAD} bytes")
            if not (more := await self._next()):
                break
            self._buffer += more
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    async def take(self, most: int) -> bytes:
        """Return the available bytes, at most this many; empty at the end."""
        if not self._buffer:
            self._buffer = await self._next()
        taken, self._buffer = self._buffer[:most], self._buffer[most:]
        return taken

    async def _next(self) -> bytes:
        try:
            async with asyncio.timeout(STALLED_SECONDS):
                return await anext(self._stream, b"")
        except TimeoutError:
            raise InputError(f"the upload stalled: no data for {STALLED_SECONDS} seconds") from None


def system_names(files: Sequence[File]) -> list[str]:
    """Return unique names of systems from their files.

    >>> system_names([File("a/run.txt.gz", "ranking", 0), File("run.csv", "ranking", 0)])
    ['a/run', 'run']
    """
    names: list[str] = []
    for name in names_of_files([PurePosixPath(file.name.replace("\\", "/")) for file in files]):
        names.append(unique_name(name or "ranking", names))
    return names
