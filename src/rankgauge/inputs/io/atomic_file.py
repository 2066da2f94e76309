"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from rankgauge.errors import InputError, ParameterError

_UNFINISHED: set[str] = set()


@contextmanager
def atomic_write(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[IO[bytes]]:
    """A file to write into that takes its place when the block ends well, and leaves nothing behind otherwise.

    The bytes go to a temporary file in the same folder. A device or a named pipe is written to directly.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_write(f"{folder}/scores.txt") as file:
    ...         _ = file.write(b"nDCG 0.5")
    ...     Path(folder, "scores.txt").read_bytes()
    b'nDCG 0.5'
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    known = target.stat() if target.exists() else None
    if known is not None and not stat.S_ISREG(known.st_mode):
        if target.is_dir():
            raise ParameterError(f"{path}: is a folder; name a file in it")
        with target.open("wb") as device:
            yield device
        return
    if known is not None and not force:
        raise ParameterError(f"{path}: exists already; say --force (force=True) to replace it, or name another file")
    try:
        number, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.", suffix=".part")
    except OSError as reason:
        raise InputError(f"{path}: cannot be written: {reason.strerror}") from None
    _UNFINISHED.add(name)
    try:
        with os.fdopen(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(stat.S_IMODE(known.st_mode) if known else 0o666 & ~_umask())
        Path(name).replace(target)
    finally:
        _UNFINISHED.discard(name)
        with suppress(FileNotFoundError):
            Path(name).unlink()


def remove_unfinished() -> None:
    """Remove what is half written, for a process that must end at once."""
    for name in tuple(_UNFINISHED):
        with suppress(OSError):
            Path(name).unlink()


def _umask() -> int:
    """The permissions that new files lack; asking is only possible by setting."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
