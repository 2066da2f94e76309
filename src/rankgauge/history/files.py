"""Files of the store: lines that are added atomically, and tables that are named by their content."""

from __future__ import annotations

import io
import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io.atomic_file import atomic_write, write_errors
from rankgauge.inputs.io.locks import lock
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    import polars as pl

DEFAULT_NAME = "rankgauge.history.jsonl"
VARIABLE = "RANKGAUGE_HISTORY"
STALE_AFTER = 3600.0
"""Seconds after which an unfinished file was left by a process that ended."""
GIT_SECONDS = 5.0
TEXTS = (
    "name", "version", "judgments", "queries", "ranking", "command", "weights", "values", "kept", "parent", "rescored",
)  # fmt: skip
OBJECTS = ("fields", "convention", "inputs", "read_options", "git")
"""Keys of a line by the type of their values, if they have one."""
BROKEN = Phrase(
    "{place}: not a line of the history ({reason}); restore the file from version control, or remove the line",
    "{place}：不是历史记录的一行（{reason}）；请从版本控制恢复该文件，或删除这一行",
)


def default_path() -> Path:
    """Return the store that is used where none is named."""
    return Path(os.environ.get(VARIABLE) or DEFAULT_NAME)


def folder_of(path: Path) -> Path:
    """Return the folder of tables beside a store."""
    return path.with_suffix("") if path.suffix else path.with_name(f"{path.name}.tables")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a store; the system releases that of a process that ends, however it ends."""
    folder = folder_of(path)
    with write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / ".lock").open("ab")
    with file:
        lock(file.fileno())
        yield


def append_lines(path: Path, lines: Sequence[str]) -> None:
    """Append lines to a store, all or none: the file is replaced by one that has them, under a lock.

    A write to the end of a file can be cut short when the process is killed; replacing it cannot.
    """
    with locked(path):
        _remove_stale(path)
        before = path.read_bytes() if path.exists() else b""
        if before and not before.endswith(b"\n"):
            before += b"\n"
        with atomic_write(path, force=True) as file:
            file.write(before + "".join(lines).encode())


def _remove_stale(path: Path) -> None:
    """Remove files that killed processes left unfinished."""
    for folder, pattern in ((path.parent, f".{path.name[:100]}.*.part"), (folder_of(path), ".*.part")):
        for part in folder.glob(pattern):
            with suppress(OSError):
                if time.time() - part.stat().st_mtime > STALE_AFTER:
                    part.unlink()


def read_lines(path: Path, findings: Findings) -> list[Mapping[str, Any]]:
    """Return the lines of a store as data, each id once, by time; a line that is none is an error.

    A line that ends within its object, as a crash leaves it, is reported and skipped.
    """
    if not path.exists():
        return []
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(BROKEN.fill(place=path, reason=error)) from None
    by_id: dict[str, Mapping[str, Any]] = {}
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            _check_line(data)
            by_id.setdefault(str(data["id"]), data)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            if _is_cut_short(line.strip(), error):
                findings.add("RG125", f"{path}:{number}")
                continue
            raise InputError(BROKEN.fill(place=f"{path}:{number}", reason=error), ["RG110"]) from None
    return sorted(by_id.values(), key=lambda data: str(data["time"]))


def _is_cut_short(line: str, error: Exception) -> bool:
    """Whether a line is the beginning of an object.

    >>> line = '{"id": "a", "fields": {"n": 1}'
    >>> try:
    ...     json.loads(line)
    ... except ValueError as error:
    ...     _is_cut_short(line, error)
    True
    """
    if not line.startswith("{") or not isinstance(error, json.JSONDecodeError):
        return False
    return not line.endswith("}") or error.pos >= len(line)


def _check_line(data: Mapping[str, Any]) -> None:
    """Raise a TypeError that names a key whose value is of another type than lines have."""
    for name, kind in (("time", str), ("metrics", dict)):  # every line has them
        if not isinstance(data[name], kind):
            raise TypeError(f"{name}: {shown(data[name])}")
    for names, kind in ((TEXTS, str), (OBJECTS, dict)):
        for name in names:
            if not isinstance(data.get(name), kind | None):
                raise TypeError(f"{name}: {shown(data[name])}")
    for name, summary in data["metrics"].items():
        numbers = [summary.get(key) for key in ("mean", "n", "se")] if isinstance(summary, dict) else [summary]
        if not all(isinstance(number, int | float | None) for number in numbers) or not isinstance(summary, dict):
            raise TypeError(f"metrics: {name}: {shown(summary)}")


def write_table(folder: Path, frame: pl.DataFrame) -> str:
    """Write a table under a name that follows from its content, and return the name; one that exists is kept."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    name = f"{blake2b(buffer.getvalue(), digest_size=8).hexdigest()}.parquet"
    if not (folder / name).exists():
        with write_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        with atomic_write(folder / name, force=True) as file:
            file.write(buffer.getvalue())
    return name


def git_state(folder: Path) -> dict[str, Any] | None:
    """Return the commit of the working folder and whether files differ from it; None outside a repository."""

    def output(*words: str) -> str | None:
        try:
            call = subprocess.run(  # noqa: S603 (words of this file)
                ["git", *words],  # noqa: S607 (the git of the caller)
                cwd=folder,
                capture_output=True,
                encoding="utf-8",
                timeout=GIT_SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
            return None
        return call.stdout.strip() if call.returncode == 0 else None

    commit = output("rev-parse", "HEAD")
    if not commit:
        return None
    changed = output("status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)*.history.jsonl")
    return {"commit": commit, "dirty": bool(changed)}
