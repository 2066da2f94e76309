"""The formats that judgments and rankings can have: one row here and one module of this folder each.

Recognition, reading, writing, conversion, command-line choices and documentation follow from the rows. To add a
format, add a row and a module of the same name with a ``CODEC``.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING

from rankgauge.errors import ParameterError, allowed_names
from rankgauge.inputs.codes import Role
from rankgauge.inputs.shapes.registry import SHAPES
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.inputs.formats.codec import Codec


@dataclass(frozen=True)
class FileFormat:
    """A file format, described without importing the module that reads it."""

    name: str
    title: str
    endings: tuple[str, ...]
    recognised_by: Phrase
    named_columns: bool = True
    """Whether columns are found by name; otherwise their places are fixed."""
    roles: tuple[Role, ...] = ("judgments", "ranking")
    writable: bool = True
    signature: re.Pattern[bytes] | None = None
    """How every file of the format starts, and no file of another; None if the codec must look closer."""
    seekable: bool = False
    """Whether the file is read at random places and compressed internally, so that a stream must be loaded first."""
    is_document: bool = False
    """Whether one value fills the file, so that it is recognised only when all of it is read."""
    paired_with: str = ""
    """The format of the judgments whose rows the file refers to by position; alone it cannot be read."""

    @cached_property
    def codec(self) -> Codec:
        """The object that recognises, reads and writes the format."""
        codec: Codec = import_module(f"rankgauge.inputs.formats.{self.name}").CODEC
        return codec


FORMATS = (
    FileFormat(
        "trec",
        "TREC",
        ("trec", "txt", "run", "res", "out", "qrels", "qrel"),
        Phrase(
            "the fourth column (judgments) or the fifth (ranking) is a number; also used if no other format fits",
            "第四列（标注）或第五列（排序）是数字；不符合其他任何格式时也按此格式读取",
        ),
        named_columns=False,
    ),
    FileFormat(
        "tsv",
        "TSV",
        ("tsv",),
        Phrase(
            "a tab-separated header that names a query and an item column; or the file name ends in `.tsv`",
            "以制表符分隔的表头，含查询列与物品列的名称；或文件名以 `.tsv` 结尾",
        ),
    ),
    FileFormat(
        "csv",
        "CSV",
        ("csv",),
        Phrase(
            "a header separated by commas or semicolons that names a query and an item column; or the file name ends "
            "in `.csv`; or the line has commas instead of spaces",
            "以逗号或分号分隔的表头，含查询列与物品列的名称；或文件名以 `.csv` 结尾；或该行用逗号而不是空格分隔",
        ),
    ),
    FileFormat(
        "jsonl",
        "JSONL",
        ("jsonl", "ndjson"),
        Phrase("the line starts with `{`: one object per line", "该行以 `{` 开头：每行一个对象"),
    ),
    FileFormat(
        "json",
        "JSON",
        ("json",),
        Phrase(
            "the file is one JSON array or object; see [formats.md](formats.md) for what objects may hold",
            "文件是一个 JSON 数组或对象；对象可以是哪些形式，见 [formats.zh-CN.md](formats.zh-CN.md)",
        ),
        writable=False,
        seekable=True,
        is_document=True,
    ),
    FileFormat(
        "parquet",
        "Parquet",
        ("parquet", "pq"),
        Phrase("the file starts with `PAR1`", "文件以 `PAR1` 开头"),
        signature=re.compile(rb"PAR1"),
        seekable=True,
    ),
    FileFormat(
        "arrow",
        "Arrow",
        ("arrow", "feather", "ipc"),
        Phrase(
            "the file starts with `ARROW1`, or is a stream of record batches",
            "文件以 `ARROW1` 开头，或是 record batch 流",
        ),
        signature=re.compile(rb"ARROW1|\xff{4}"),
        seekable=True,
    ),
    FileFormat(
        "letor",
        "LETOR",
        ("letor", "svm", "svmlight", "libsvm"),
        Phrase("the line looks like `2 qid:10 1:0.5`; judgments only", "该行形如 `2 qid:10 1:0.5`；只用于标注"),
        named_columns=False,
        signature=re.compile(rb"[+-]?[\d.eE+-]+\s+(qid:\S+(\s|$)|(\d+:\S+\s+)*\d+:[+-]?[\d.]+)"),
        roles=("judgments",),
        writable=False,
    ),
    FileFormat(
        "scores",
        "LETOR scores",
        ("scores",),
        Phrase(
            "every line is one number: the scores of the rows of a LETOR file, which is passed as the judgments",
            "每行一个数：LETOR 文件各行的分数，该文件作为标注给出",
        ),
        named_columns=False,
        roles=("ranking",),
        writable=False,
        paired_with="letor",
    ),
    FileFormat(
        "npy",
        "NumPy",
        ("npy",),
        Phrase(
            "the file starts with `\\x93NUMPY`: an array of the scores of the rows of a LETOR file, which is passed as "
            "the judgments",
            "文件以 `\\x93NUMPY` 开头：LETOR 文件各行分数的数组，该文件作为标注给出",
        ),
        named_columns=False,
        signature=re.compile(rb"\x93NUMPY"),
        roles=("ranking",),
        writable=False,
        paired_with="letor",
    ),
    FileFormat(
        "ranklib",
        "RankLib scores",
        (),
        Phrase(
            "three columns separated by tabs without a header: query, number of the row in it from 0, and score, as "
            "RankLib writes with `-score`; the LETOR file is passed as the judgments",
            "没有表头、以制表符分隔的三列：查询、行在其中的序号（从 0 起）与分数，即 RankLib 的 `-score` 输出；"
            "LETOR 文件作为标注给出",
        ),
        named_columns=False,
        roles=("ranking",),
        writable=False,
        paired_with="letor",
    ),
    FileFormat(
        "msmarco",
        "MS MARCO",
        (),
        Phrase(
            "three columns without a header: query, item and a rank that counts 1, 2, 3 for each query; rankings only",
            "没有表头的三列：查询、物品，以及在每个查询内按 1、2、3 递增的名次；只用于排序结果",
        ),
        named_columns=False,
        roles=("ranking",),
        writable=False,
    ),
    FileFormat(
        "ir_datasets",
        "ir_datasets",
        (),
        Phrase(
            "four columns separated by tabs without a header: query, item, grade and an iteration that is the same "
            "everywhere; judgments only",
            "没有表头、以制表符分隔的四列：查询、物品、等级，以及处处相同的 iteration；只用于标注",
        ),
        named_columns=False,
        roles=("judgments",),
        writable=False,
    ),
    FileFormat(
        "movielens",
        "MovieLens",
        ("dat",),
        Phrase(
            "the line looks like `1::1193::5::978300760`, or like `196 242 3 881250949` with tabs: user, item, rating "
            "and time; judgments only",
            "该行形如 `1::1193::5::978300760`，或以制表符分隔的 `196 242 3 881250949`：用户、物品、评分与时间；"
            "只用于标注",
        ),
        named_columns=False,
        signature=re.compile(rb"[^\s:]+::[^\s:]+::\d+(\.\d+)?(::\d+)?\s*$|\d+\t\d+\t\d(\.\d+)?\t\d{9,10}\s*$"),
        roles=("judgments",),
        writable=False,
    ),
    FileFormat(
        "recbole",
        "RecBole",
        ("inter",),
        Phrase(
            "a header with types, such as `user_id:token item_id:token rating:float`, separated by tabs; judgments "
            "only; without a rating every row has grade 1",
            "带类型的表头，如 `user_id:token item_id:token rating:float`，以制表符分隔；只用于标注；"
            "没有评分时每行的等级为 1",
        ),
        named_columns=False,
        signature=re.compile(rb"[^\t:]+:(token|float)(_seq)?(\t|\s*$)"),
        roles=("judgments",),
        writable=False,
    ),
    FileFormat(
        "mind",
        "MIND behaviors",
        (),
        Phrase(
            "five columns separated by tabs: impression, user, time, history and `N1-0 N2-1`; judgments only",
            "以制表符分隔的五列：展示、用户、时间、历史与 `N1-0 N2-1`；只用于标注",
        ),
        named_columns=False,
        signature=re.compile(rb"[^\t]+\t[^\t]*\t[^\t]*\t[^\t]*\t\S+-[01]( \S+-[01])*\s*$"),
        roles=("judgments",),
        writable=False,
    ),
    FileFormat(
        "mind_prediction",
        "MIND prediction",
        (),
        Phrase(
            "the line looks like `1 [2,1,3]`: an impression and the ranks of its items; `behaviors.tsv` is passed as "
            "the judgments",
            "该行形如 `1 [2,1,3]`：展示及其各物品的名次；`behaviors.tsv` 作为标注给出",
        ),
        named_columns=False,
        signature=re.compile(rb"\S+ \[\s*\d+(\s*,\s*\d+)*\s*\]\s*$"),
        roles=("ranking",),
        writable=False,
        paired_with="mind",
    ),
    FileFormat(
        "hdf5",
        "HDF5",
        ("hdf5", "h5"),
        Phrase(
            "an HDF5 file of ann-benchmarks with `neighbors`: the exact ones are judgments, those of a result "
            "(`times`) a ranking; queries are numbered from 0; needs `pip install 'rankgauge[hdf5]'`",
            "ann-benchmarks 的 HDF5 文件，含 `neighbors`：精确近邻为标注，结果文件（含 `times`）为排序结果；"
            "查询从 0 编号；需要 `pip install 'rankgauge[hdf5]'`",
        ),
        named_columns=False,
        signature=re.compile(rb"\x89HDF"),
        writable=False,
        seekable=True,
    ),
)

READABLE: tuple[str, ...] = (*(row.name for row in FORMATS), *(shape.name for shape in SHAPES))
"""What can be given as a format: the format of the file, or the shape of its records."""
WRITABLE = tuple(format.name for format in FORMATS if format.writable)  # noqa: A001


def format_titles(formats: Iterable[FileFormat] = FORMATS, conjunction: Phrase = Phrase("or", "或")) -> Phrase:
    """Return the titles of formats as an enumeration.

    >>> format_titles(FORMATS[:3])
    Phrase(en='TREC, TSV or CSV', zh='TREC、TSV 或 CSV')
    """
    *titles, last = [candidate.title for candidate in formats]
    return Phrase(f"{', '.join(titles)} {conjunction.en} {last}", f"{'、'.join(titles)} {conjunction.zh} {last}")


def format_named(name: str, parameter: str = "format", allowed: tuple[str, ...] = READABLE) -> FileFormat:
    """Return the format of a name, or raise an error that lists the allowed names."""
    for candidate in FORMATS:
        if candidate.name == name and name in allowed:
            return candidate
    raise ParameterError.of(parameter, name, allowed_names(allowed))


def format_of_ending(ending: str) -> FileFormat | None:
    """Return the format of a file ending without its dot, or None.

    >>> format_of_ending("feather").name
    'arrow'
    """
    return next((candidate for candidate in FORMATS if ending.lower() in candidate.endings), None)


def format_of_signature(line: bytes) -> FileFormat | None:
    """Return the format that the first line of a file proves, if any."""
    signed = (row for row in FORMATS if row.signature is not None and row.signature.match(line))
    return next(signed, None)


def strip_endings(name: str) -> str:
    """Return a file name without the endings of formats and compressions; other dots belong to the name.

    >>> strip_endings("bm25.k1.2.run.gz")
    'bm25.k1.2'
    """
    from rankgauge.inputs.io.compression import split_compression  # noqa: PLC0415 (loads the compressions)

    uncompressed, _ = split_compression(name)
    stem, _, ending = uncompressed.rpartition(".")
    return stem if stem and format_of_ending(ending) else uncompressed


def names_of_files(paths: Sequence[PurePath]) -> list[str]:
    """Return a name for each file: without its ending, with folders or the ending where files have the same name.

    >>> [*map(names_of_files, ([PurePath("a/run.csv"), PurePath("b/run.csv")], [PurePath("a.csv"), PurePath("a.tsv")]))]
    [['a/run', 'b/run'], ['a.csv', 'a.tsv']]
    """
    stems = [strip_endings(path.name) for path in paths]
    names = stems.copy()
    for stem in {*stems}:
        same = [place for place, other in enumerate(stems) if other == stem]
        told_apart = _told_apart({paths[place] for place in same})
        for place in same:
            names[place] = told_apart.get(paths[place], stem)
    return names


def _told_apart(paths: set[PurePath]) -> dict[PurePath, str]:
    """Return different names for files: with as few folders as possible, else with endings; empty if none differ."""
    if len(paths) == 1:
        return {}
    for name in (strip_endings, str):
        for depth in range(max(len(path.parts) for path in paths)):
            folders = {path: [part for part in path.parent.parts if part != path.anchor][-depth:] for path in paths}
            names = {path: "/".join([*(folders[path] if depth else ()), name(path.name)]) for path in paths}
            if len({*names.values()}) == len(paths):
                return names
    return {}


def unique_name(name: str, existing: Container[str]) -> str:
    """Return the name, with a number appended if it exists already.

    >>> unique_name("run", ["run", "run-2"])
    'run-3'
    """
    number, candidate = 1, name
    while candidate in existing:
        number += 1
        candidate = f"{name}-{number}"
    return candidate
