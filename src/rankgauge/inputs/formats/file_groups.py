"""Folders and globs: the files of one source, the split of a test collection, and the texts that come with it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path
from typing import Any

from rankgauge.errors import InputError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.io.compression import split_compression
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.paths import is_folder, is_regular_file
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.text import neutral

ENDINGS = {"tsv", "csv", "jsonl", "ndjson", "parquet", "pq", "arrow", "feather", "ipc", "txt", "trec", "run", "qrels"}
"""Endings of files that hold rows; others, such as README.md and dataset_infos.json, are skipped."""
SPLITS = {"train", "dev", "validation", "val", "valid", "test"}
DEPTH = 3
"""Levels of folders that are searched."""
_PART = re.compile(r"-\d{5}-of-\d{5}$")
_QRELS, _CORPUS, _QUERIES = (
    re.compile(pattern) for pattern in (r"^qrels?\b|qrels?$", r"^corpus\b|corpus$", r"^queries\b|queries$|topics$")
)


@dataclass(frozen=True)
class TextFiles:
    """The files with the texts of queries and items."""

    queries: tuple[Path, ...]
    items: tuple[Path, ...]


def input_file(source: Any, role: Role | None = None, split: str | None = None) -> tuple[InputFile, str | None]:
    """Return a path, an open file, or the files in a folder or glob as one file, and the split to look for.

    Of a test collection they are the judgments of one split; several splits are an error unless one is named. If the
    names of files told the split, there is none to look for in the rows.
    """
    if isinstance(source, InputFile):
        return source, split
    file = InputFile(source)
    if file.is_regular or not file.path:
        return file, split
    name = file.path
    if is_folder(name):
        files, by_name = _folder_files(name, role, split)
        group = _group(name, files)
        group.folder = name
        return group, None if by_name else split
    if not has_magic(name) or "\n" in name or os.path.lexists(name):
        return file, split
    files = [Path(path) for path in sorted(glob(name, recursive=True)) if is_regular_file(path)]  # noqa: PTH207
    if not files:
        message = Phrase(
            "{name}: no file matches this pattern; check the path", "{name}：没有文件符合该模式；请检查路径"
        )
        raise InputError(message.fill(name=neutral(name)))
    return _group(name, files), split


def text_files(source: object) -> TextFiles | None:
    """Return the files with texts in the folder of a test collection, None if there are none."""
    if not is_folder(source):
        return None
    kinds = _kinds(_listed(Path(source)), Path(source))
    texts = TextFiles(
        *(tuple(path for path, kind in kinds.items() if kind == wanted) for wanted in ("queries", "corpus"))
    )
    return texts if texts.queries or texts.items else None


def is_collection(source: object) -> bool:
    """Whether a source is the folder of a test collection, whose rows are judgments."""
    if not is_folder(source):
        return False
    return any(kind != "rows" for kind in _kinds(_listed(Path(source)), Path(source)).values())


def _group(name: str, files: Sequence[Path]) -> InputFile:
    return InputFile(str(files[0])) if len(files) == 1 else InputFile(name, tuple(map(InputFile, files)))


def _folder_files(name: str, role: Role | None, split: str | None) -> tuple[list[Path], bool]:
    """Return the files of a folder that hold its rows, and whether their names tell the split."""
    folder = Path(name)
    kinds = _kinds(_listed(folder), folder)
    if not kinds:
        endings = ", ".join(f".{ending}" for ending in sorted(ENDINGS))
        message = Phrase(
            f"{name}: the folder has no data; expected files that end in {endings}, compressed or not",
            f"{name}：该目录中没有数据；应有以 {endings} 结尾的文件，压缩与否均可",
        )
        raise InputError(message, ["RG101"])
    if role == "ranking" and any(kind != "rows" for kind in kinds.values()):
        en = f"{name}: the folder of a test collection holds judgments, not a ranking; pass the ranking as a file"
        raise InputError((en, f"{name}：测试集目录中是标注，没有排序结果；请另给排序结果文件"), ["RG111"])
    kind = "qrels" if "qrels" in kinds.values() else "rows"
    files = [path for path, path_kind in kinds.items() if path_kind == kind]
    if not files:
        en = f"{name}: the folder has a corpus or queries, but no judgments; expected qrels/test.tsv or alike"
        raise InputError((en, f"{name}：目录中有语料或查询，但没有标注；应有 qrels/test.tsv 之类的文件"), ["RG111"])
    splits = _splits(files, folder, named=kind == "qrels")
    return _chosen(name, splits, split), [*splits] != [""]


def _chosen(name: str, splits: Mapping[str, list[Path]], split: str | None) -> list[Path]:
    """Return the files of the split."""
    names = ", ".join(map(shown, sorted(splits)))
    if split is None:
        if len(splits) == 1:
            return next(iter(splits.values()))
        example = "test" if "test" in splits else min(splits)
        message = Phrase(
            f"{name}: has several splits: {names}; choose one: split={example!r} (--split {example})",
            f"{name}：有多个划分：{names}；请选择一个：split={example!r}（--split {example}）",
        )
        raise InputError(message, ["RG114"])
    fitting = [key for key in splits if key == split] or [key for key in splits if key.rpartition("/")[2] == split]
    if len(fitting) == 1:
        return splits[fitting[0]]
    if [*splits] == [""]:  # rows that may name their split themselves
        return splits[""]
    en = f"{name}: split {shown(split)} is {'ambiguous' if fitting else 'not in it'}; it has {names}"
    raise InputError((en, f"{name}：{'有多个' if fitting else '没有'}划分 {shown(split)}；实有 {names}"), ["RG114"])


def _splits(files: Sequence[Path], folder: Path, *, named: bool) -> dict[str, list[Path]]:
    """Return the files of each split; those without one under an empty name.

    Where each file is a split (``named``), or some have names of splits, the stem is the split. Files of several
    folders are splits of several subsets: ``en-qrels/test``.
    """
    stems = {path: _PART.sub("", split_compression(path.name)[0].rpartition(".")[0]) for path in files}
    is_split = named or any(stem.lower() in SPLITS for stem in stems.values())
    parents = {path.parent for path in files}
    groups: dict[str, list[Path]] = {}
    for path, stem in stems.items():
        subset = f"{path.parent.relative_to(folder).as_posix()}/" if len(parents) > 1 else ""
        groups.setdefault(f"{subset}{stem}" if is_split else "", []).append(path)
    return groups


def _listed(folder: Path) -> list[Path]:
    """Return the files with rows in a folder and the folders inside it, without hidden ones, in order."""
    paths: list[Path] = []
    for parent, folders, names in os.walk(folder, followlinks=True):  # glob fails for links that lead nowhere
        place = Path(parent)
        paths += filter(is_regular_file, (place / name for name in names))
        if len(place.relative_to(folder).parts) == DEPTH - 1:
            folders.clear()
    return sorted(path for path in paths if _ending(path) in ENDINGS and not _is_hidden(path.relative_to(folder)))


def _ending(path: Path) -> str:
    return split_compression(path.name)[0].rpartition(".")[2].lower()


def _is_hidden(path: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.parts)


def _kinds(files: Sequence[Path], folder: Path) -> dict[Path, str]:
    """Return what each file holds, by the name of its folder or its own: qrels, corpus, queries or rows."""
    is_snapshot = folder.parts[-2:-1] == ("snapshots",)  # in the cache of Hugging Face
    repository = folder.parts[-3] if is_snapshot else folder.name
    above = ["qrels"] if _QRELS.search(repository.lower()) else []
    kinds = {}
    for path in files:
        relative = path.relative_to(folder)
        words = [*above, *(part.lower() for part in relative.parts[:-1])]
        words.append(_PART.sub("", split_compression(path.name)[0].rpartition(".")[0]).lower())
        named = ((kind, pattern) for kind, pattern in (("qrels", _QRELS), ("corpus", _CORPUS), ("queries", _QUERIES)))
        kinds[path] = next((kind for kind, pattern in named if any(map(pattern.search, words))), "rows")
    return kinds
