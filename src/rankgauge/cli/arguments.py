"""Positional arguments that commands share, and the parsers of values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from rankgauge.cli.command import Argument
from rankgauge.cli.localization import bad_parameter, usage_error

FILE = click.Path(allow_dash=True)
"""A file, which the shell completes; the reader reports what is wrong with it."""
JUDGMENTS = Argument("judgments", "JUDGMENTS", "标注", type=FILE)
RANKING = Argument("ranking", "RANKING", "排序结果", type=FILE)
RANKINGS = Argument("rankings", "RANKING...", "排序结果...", nargs=-1, required=True, type=FILE)
GRADES_OR_FILES = Argument(
    "sources", "GRADES | JUDGMENTS RANKING", "等级列表 | 标注 排序结果", nargs=-1, required=True, type=FILE
)


def parse_pair(text: str, option: str, example: str) -> tuple[str, str]:
    """Split ``name=value``; an error shows the example.

    >>> parse_pair("items=40", "--side-information", "training=log.csv")
    ('items', '40')
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        raise bad_parameter(
            option,
            "{text!r} is not written as NAME=VALUE, such as {example}",
            "{text!r} 的写法应为 名称=值，如 {example}",
            text=text,
            example=example,
        )
    return name, value


def parse_pairs(text: str, option: str, example: str) -> dict[str, str]:
    """Split ``a=b,c=d`` into a mapping.

    >>> parse_pairs("judgments=trec, ranking=csv", "--format", "ranking=csv")
    {'judgments': 'trec', 'ranking': 'csv'}
    """
    pairs: dict[str, str] = {}
    for piece in text.split(","):
        name, value = parse_pair(piece, option, example)
        if name in pairs:
            raise bad_parameter(option, "{name} is given twice", "{name} 给出了两次", name=name)
        pairs[name] = value
    return pairs


def parse_columns(text: str | None) -> dict[str, Any] | None:
    """Return ``--columns`` as a mapping; ``ranking.query=session`` names a column of one side.

    >>> parse_columns("score=p,ranking.query=session")
    {'score': 'p', 'ranking': {'query': 'session'}}
    """
    if text is None:
        return None
    columns: dict[str, Any] = {}
    for name, column in parse_pairs(text, "--columns", "query=session").items():
        side, dot, inner = name.partition(".")
        if dot:
            columns.setdefault(side, {})[inner] = column
        else:
            columns[name] = column
    return columns


def parse_rankings(texts: Sequence[str]) -> dict[str, str]:
    """Return the paths of the rankings by name: the given one (``name=path``), or the file's, made unique."""
    from rankgauge.inputs.formats.file_names import unique_name

    paths: dict[str, str] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or not name or not path or Path(text).exists():
            name, path = _file_name(text), text
        elif name in paths:
            raise bad_parameter("RANKING", "two rankings are named {name!r}", "两个排序结果都名为 {name!r}", name=name)
        paths[unique_name(name, paths)] = path
    return paths


def _file_name(path: str) -> str:
    from rankgauge.inputs.formats.file_names import strip_endings

    return "stdin" if path == "-" else strip_endings(Path(path).name)


def parse_grades(text: str, name: str) -> list[float | None]:
    """Return numbers separated by commas or blanks; a dash means an item without a judgment."""
    from rankgauge.inputs import grade_checks

    try:
        return grade_checks.parse_grades(text)
    except ValueError:
        en, zh = "{text!r} is not a list of numbers such as 3,2,0", "{text!r} 不是数的列表，如 3,2,0"
        if name == "GRADES":
            en += " (if it is a file, pass judgments and a ranking)"
            zh += "（如果是文件，请给出标注与排序结果）"
        raise bad_parameter(name, en, zh, text=text) from None


def check_one_stdin(*paths: str) -> None:
    """Refuse to read standard input twice."""
    if paths.count("-") > 1:
        raise usage_error("only one file can be read from standard input (-)", "只能有一个文件从标准输入（-）读取")
