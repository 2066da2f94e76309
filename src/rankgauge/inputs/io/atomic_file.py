"""Write files atomically: a file appears complete or not at all."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from rankgauge.errors import ExistingFileError, InputError, ParameterError
from rankgauge.rendering.language import Phrase

_UNFINISHED: set[Path] = set()


@contextmanager
def atomic_write(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[IO[bytes]]:
    """Open a file that replaces ``path`` when the block succeeds and is removed when it fails.

    The bytes go to a temporary file in the same folder; where the system can (Linux), it has no name until it is
    complete, so that a process that is killed leaves nothing. Devices and named pipes are written directly.

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
            raise ParameterError((f"{path}: is a folder; give a file name", f"{path}：是目录；请给出文件名"))
        with write_errors(path), target.open("wb") as device:
            yield device
        return
    if existing is not None and not force:
        message = Phrase(
            "{path}: already exists; pass --force (force=True) to replace it, or choose another name",
            "{path}：文件已存在；用 --force（force=True）替换，或换一个文件名",
        )
        raise ExistingFileError(message.fill(path=path))
    part = target.with_name(f".{target.name[:100]}.{os.urandom(8).hex()}.part")
    _UNFINISHED.add(part)  # before the file exists: a signal may arrive at any time
    try:
        with write_errors(path):
            with _temporary(part, 0o600 if existing else 0o666) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if not part.exists():
                    _give_name(file, part)
            if existing is not None:
                part.chmod(stat.S_IMODE(existing.st_mode))
            part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink()
        _UNFINISHED.discard(part)


def _temporary(part: Path, mode: int) -> IO[bytes]:
    """Open a new file for writing: without a name where the system can, else under a temporary one."""
    with suppress(OSError, AttributeError):
        number = os.open(part.parent, os.O_TMPFILE | os.O_RDWR, mode)  # type: ignore[attr-defined,unused-ignore]
        if Path(f"/proc/self/fd/{number}").exists():
            return os.fdopen(number, "w+b")
        os.close(number)
    part.touch(mode, exist_ok=False)
    return part.open("wb")


def _give_name(file: IO[bytes], part: Path) -> None:
    """Give a file without a name one; where that fails, copy it."""
    number = file.fileno()
    try:
        os.link(f"/proc/self/fd/{number}", part, src_dir_fd=number)  # with a folder, Python follows the link
    except OSError:
        file.seek(0)
        with part.open("xb") as copy:
            shutil.copyfileobj(file, copy)


@contextmanager
def write_errors(name: str | os.PathLike[str]) -> Iterator[None]:
    """Turn an error of the system into one that names the file; a closed pipe is none."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as reason:
        number = re.search(r"\(os error (\d+)\)", str(reason))  # polars gives the number in its text only
        if number is not None and int(number[1]) == errno.EPIPE:
            raise BrokenPipeError from None
        text = reason.strerror or (str(reason).removesuffix(number[0]).strip() if number else str(reason))
        message = Phrase("{name}: cannot be written: {text}", "{name}：无法写入：{text}")
        raise InputError(message.fill(name=name, text=text)) from None


def remove_unfinished() -> None:
    """Remove unfinished temporary files, for a process that must exit immediately."""
    for part in tuple(_UNFINISHED):
        with suppress(OSError):
            part.unlink()
