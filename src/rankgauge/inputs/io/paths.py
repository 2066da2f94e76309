"""Paths that users pass: what they name, and what to do about one that cannot be opened."""

from __future__ import annotations

import errno
import os
import re
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeGuard

from rankgauge.errors import InputError, shown
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.text import neutral

if TYPE_CHECKING:
    from pathlib import Path

LISTED = 5_000
"""Names of a folder that are compared with a misspelt one."""
NAME_LENGTH = 200
"""Characters of a name or a path that a message shows."""
REASONS = {
    errno.ENOENT: Phrase("No such file or directory", "文件不存在"),
    errno.EACCES: Phrase("Permission denied; check the permissions of the file", "没有权限；请检查文件的权限"),
    errno.EISDIR: Phrase("Is a directory; pass a file", "这是目录；请给出文件"),
    errno.ENOTDIR: Phrase(
        "Not a directory; a part of the path is a file, check it", "路径中有一部分是文件；请检查路径"
    ),
    errno.ENAMETOOLONG: Phrase("File name too long; check the path", "文件名过长；请检查路径"),
}
CONTENT = Phrase(
    "it has several lines; pass a path, or content as io.StringIO(text)",
    "其中有多行；请给出路径，或用 io.StringIO(text) 给出内容",
)
EMPTY = Phrase("the path is empty; check the variable that it comes from", "路径为空；请检查给出路径的变量")
NULL = Phrase("it has a null character; pass a path", "其中有空字符；请给出路径")
URL = Phrase("addresses are not opened; download the file and pass its path", "不读取网址；请先下载文件，再给出路径")
DID_YOU_MEAN = Phrase("did you mean {path}?", "是否指 {path}？")
SIMILAR = 0.65
"""Similarity from which a file is suggested: "rnu" is one of "run", "ranking" none of "rankgauge"."""
NOT_IN_FOLDER = Phrase(
    "there is no {name} in the folder {folder}; check the name and the folder",
    "目录 {folder} 中没有 {name}；请检查名称和目录",
)


def is_regular_file(source: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether a source is the path of a regular file, not of a folder or pipe; text that cannot be a path is not."""
    return isinstance(source, str | os.PathLike) and os.path.isfile(source)  # noqa: PTH113 (Path raises errors)


def is_folder(source: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether a source is the path of a folder; an empty text is not."""
    return isinstance(source, str | os.PathLike) and os.path.isdir(source)  # noqa: PTH112 (Path raises errors)


def file_name(path: str) -> str:
    """Return the last part of a path."""
    return os.path.basename(path.rstrip(os.sep))  # noqa: PTH119 (pathlib loads urllib)


def split_system(source: Any) -> tuple[Any, str]:
    """Return the file in a path such as ``runs.csv/BM25``, and the system after it; any other source as it is."""
    if not isinstance(source, str | os.PathLike) or os.path.lexists(source):
        return source, ""
    from pathlib import Path  # noqa: PLC0415 (loads urllib)

    path = Path(source)
    file = next((parent for parent in path.parents if os.path.lexists(parent)), path)
    return (source, "") if file == path or is_folder(file) else (str(file), path.relative_to(file).as_posix())


def open_error(path: str, reason: OSError | ValueError) -> InputError:
    """Return the error of a path that cannot be opened, with a remedy; no name can control the terminal."""
    name = neutral(path) or "''" if len(path) <= NAME_LENGTH else f"{neutral(path[:NAME_LENGTH])}…"
    cause = _cause(path, reason)
    if cause is REASONS[errno.ENOENT]:
        cause = Phrase("; ", "；").join([cause, _remedy(path)])
    return InputError((f"{name}: cannot be read: {cause.en}", f"{name}：无法读取：{cause.zh}"))


def _cause(path: str, reason: OSError | ValueError) -> Phrase:
    if not path:
        return EMPTY
    if "\n" in path:
        return CONTENT
    if re.match(r"[a-z][a-z0-9+.-]+://", path, re.IGNORECASE):
        return URL
    if isinstance(reason, OSError):
        text = reason.strerror or str(reason)
        return REASONS.get(reason.errno or 0, Phrase(text, text))
    return NULL if "\0" in path else Phrase(str(reason), str(reason))


def _remedy(missing_path: str) -> Phrase:
    """Return the closest path that exists, or else where the first part of the path that does not exist is missing."""
    from difflib import get_close_matches  # noqa: PLC0415 (only for a missing file)
    from pathlib import Path  # noqa: PLC0415 (loads urllib)

    path = Path(missing_path)
    folder = next((parent for parent in path.parents if os.path.lexists(parent)), Path())
    missing, *rest = path.relative_to(folder).parts
    stem, names = _stem(missing), _names(folder)
    stems = get_close_matches(stem, {_stem(name) for name in names}, cutoff=SIMILAR)
    similar = [name for name in names if _stem(name) in stems]
    for name in get_close_matches(missing, similar, cutoff=0.0):  # by the whole name, endings included
        candidate = folder.joinpath(name, *rest)
        if os.path.lexists(candidate) and not (path.suffix and candidate.is_dir()):  # a file is not meant as a folder
            return DID_YOU_MEAN.fill(path=shown(str(candidate), NAME_LENGTH))
    return NOT_IN_FOLDER.fill(name=shown(missing, NAME_LENGTH), folder=neutral(str(folder.absolute())))


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in islice(entries, LISTED))
    except OSError:
        return []


def _stem(name: str) -> str:
    return name.partition(".")[0].lower() or name.lower()
