"""Write files atomically: a file appears complete or not at all."""

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
    """Open a file that replaces ``path`` when the block succeeds and is removed when it fails.

    The bytes go to a temporary file in the same folder. Devices and named pipes are written directly.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_write(f"{folder}/scores.txt") as file:
    ...         _ = file.write(b"nDCG 0.5")
    ...     Path(folder, "scores.txt").read_bytes()
    b'nDCG 0.5'
    """
    target = Path(os.path.realpath(path))  # keep a symbolic link
    existing = target.stat() if target.exists() else None
    if existing is not None and not stat.S_ISREG(existing.st_mode):
        if target.is_dir():
            raise ParameterError(f"{path}: is a folder; give a file name")
        with target.open("wb") as device:
            yield device
        return
    if existing is not None and not force:
        raise ParameterError(f"{path}: already exists; pass --force (force=True) to replace it, or choose another name")
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
        Path(name).chmod(stat.S_IMODE(existing.st_mode) if existing else 0o666 & ~_umask())
        Path(name).replace(target)
    finally:
        _UNFINISHED.discard(name)
        with suppress(FileNotFoundError):
            Path(name).unlink()


def remove_unfinished() -> None:
    """Remove unfinished temporary files, for a process that must exit immediately."""
    for name in tuple(_UNFINISHED):
        with suppress(OSError):
            Path(name).unlink()


def _umask() -> int:
    """Return the umask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
