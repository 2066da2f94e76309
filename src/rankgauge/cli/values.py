"""Parsers and shell completions of the values of options and arguments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from rankgauge.cli.console import write_message
from rankgauge.cli.localization import bad_parameter, language
from rankgauge.errors import InputError, RankgaugeError
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.side_information.side_information import SideInformation

TABLES = ("items", "training", "popularity", "features", "categories", "item_groups", "subtopics", "baseline")
"""The tables of ``--side-information``."""
REPEATED = Phrase(
    "{files} is given more than once and counts once; write NAME=FILE for a second copy under a name of its own",
    "{files} 给出了不止一次，只计一次；若确需第二份，请写成 名称=文件",
)


def parse_pairs(texts: Iterable[str], option: str, example: str, may_be_empty: Sequence[str] = ()) -> dict[str, str]:
    """Return texts written as ``name=value`` as a mapping; an error shows the example.

    Some names ``may_be_empty``, that is, have no value after the sign.

    >>> parse_pairs(["judgments=trec", " ranking=csv"], "--format", "ranking=csv")
    {'judgments': 'trec', 'ranking': 'csv'}
    """
    pairs: dict[str, str] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not name or not (value or (sign and name in may_be_empty)):
            en = "{text!r} is not written as NAME=VALUE, such as {example}"
            raise bad_parameter(option, en, "{text!r} 的写法应为 名称=值，如 {example}", text=text, example=example)
        if name in pairs:
            raise bad_parameter(option, "{name} is given twice", "{name} 给出了两次", name=name)
        pairs[name] = value
    return pairs


if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # generic since click 8.2


class SideFormat(_Choice):
    """One format for all files, or one for each side: ``judgments=trec,ranking=csv``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the format, or a mapping from side to format."""
        if "=" not in str(value):
            return super().convert(value, param, ctx)
        pairs = parse_pairs(value.split(","), "--format", "ranking=csv")
        return {side: super(SideFormat, self).convert(name, param, ctx) for side, name in pairs.items()}


def parse_columns(text: str | None) -> dict[str, Any] | None:
    """Return ``--columns`` as a mapping; ``ranking.query=session`` names a column of one side, ``grade=`` no column.

    >>> parse_columns("score=p,ranking.query=session,judgments.grade=")
    {'score': 'p', 'ranking': {'query': 'session'}, 'judgments': {'grade': ''}}
    """
    if text is None:
        return None
    from rankgauge.inputs.columns import SIDES

    columns: dict[str, Any] = {}
    for name, column in parse_pairs(
        text.split(","), "--columns", "query=session", ("grade", "judgments.grade")
    ).items():
        side, dot, inner = name.partition(".")
        if dot:
            columns.setdefault(side, {})[inner] = column
        elif name in SIDES:
            en = "{name} is not a column; name one of its columns: {name}.query={column}"
            zh = "{name} 不是列；请写出它的某一列：{name}.query={column}"
            raise bad_parameter("--columns", en, zh, name=name, column=column)
        else:
            columns[name] = column
    return columns


def parse_rankings(texts: Sequence[str]) -> dict[str, str]:
    """Return the paths of the rankings by name: the given one (``name=path``), or the file's, made unique."""
    from rankgauge.inputs.formats.registry import names_of_files, unique_name

    unnamed = [text for text in texts if _is_unnamed(text)]
    names = dict(zip(unnamed, names_of_files([Path(text) for text in unnamed]), strict=True))
    paths: dict[str, str] = {}
    for text in texts:
        if text in names:
            paths[unique_name("stdin" if text == "-" else names[text], paths)] = text
            continue
        name, _, path = text.partition("=")
        if name in paths:
            raise bad_parameter("RANKING", "two rankings are named {name!r}", "两个排序结果都名为 {name!r}", name=name)
        paths[name] = path
    return paths


def _is_metric(text: str) -> bool:
    """Return whether a text names a metric as they are written: with a cutoff, or in capital letters."""
    if "@" not in text and not text.isupper():
        return False
    from rankgauge.metric_core.notation import parse

    with suppress(RankgaugeError):
        return bool(parse(text))
    return False


def drop_repeated(_context: click.Context, _argument: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rankings without a file that is there already; a warning names it.

    A pattern such as ``*.run`` also matches files that are given by themselves, and a system that takes part twice
    adds comparisons to the correction. ``name=path`` is kept: whoever writes a name means it.
    """
    kept, repeated, seen = [], [], set[Path]()
    for text in texts:
        if not os.path.lexists(text) and _is_metric(text):
            raise bad_parameter(
                "RANKING",
                "there is no file {text!r}, but a metric of that name; write several metrics as -m nDCG@10,{text}",
                "没有文件 {text!r}，但有同名的指标；多个指标请写作 -m nDCG@10,{text}",
                text=text,
            )
        unnamed = _is_unnamed(text)
        path = Path(text if unnamed else text.partition("=")[2]).resolve()
        if unnamed and path in seen and os.path.lexists(text):
            repeated.append(text)
        else:
            kept.append(text)
        seen.add(path)
    if repeated:
        write_message(REPEATED.render(language(), files=", ".join(dict.fromkeys(repeated))), "warning")
    return (*kept,)


def _is_unnamed(text: str) -> bool:
    """Return whether a text is a path, not ``name=path``."""
    name, _, path = text.partition("=")
    return not name or not path or os.path.lexists(text)


def parse_grades(text: str, name: str) -> list[float | None]:
    """Return numbers as ``grade_checks.parse_grades``; an error shows the text."""
    from rankgauge.inputs import grade_checks

    try:
        return grade_checks.parse_grades(text)
    except InputError as error:
        en, zh = (
            "{text!r} is not a list of numbers such as 3,2,0: {reason}",
            "{text!r} 不是数的列表，如 3,2,0：{reason}",
        )
        if name == "GRADES":
            en += " (if it is a file, pass judgments and a ranking)"
            zh += "（如果是文件，请给出标注与排序结果）"
        raise bad_parameter(name, en, zh, text=text, reason=Phrase(*error.texts)) from None


def parse_side_information(texts: Sequence[str]) -> SideInformation | None:
    """Return the tables written as ``table=file``; None without any."""
    if not texts:
        return None
    from rankgauge.errors import UnknownNameError
    from rankgauge.side_information.side_information import SideInformation

    option = "--side-information"
    tables: dict[str, Any] = {}
    for table, source in parse_pairs(texts, option, "training=log.csv").items():
        if table not in TABLES:
            raise UnknownNameError.closest((f"table of {option}", f" {option} 表"), table, TABLES)
        if source == "-":
            en, zh = "{table}: pass a file, not standard input", "{table}：请给出文件，不能用标准输入"
            raise bad_parameter(option, en, zh, table=table)
        is_number = table == "items" and source.isascii() and source.isdigit() and not os.path.lexists(source)
        tables[table] = int(source) if is_number else source
    return SideInformation(**tables)


def metric_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a metric."""
    from rankgauge.metric_core.registry import metrics
    from rankgauge.rendering.text import neutral

    return [
        CompletionItem(name, help=neutral(metric.definition.meaning.en))
        for name, metric in metrics().items()
        if name.lower().startswith(incomplete.lower())
    ]


def preset_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a convention."""
    from rankgauge.conventions.presets import PRESETS

    return [name for name in ("default", *PRESETS) if name.startswith(incomplete)]


def code_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a code of a finding."""
    from rankgauge.inputs.codes import CODES

    typed = incomplete.upper()
    return [CompletionItem(code, help=kind.title.en) for code, kind in CODES.items() if code.startswith(typed)]


def rule_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a rule, or after an equals sign its value."""
    from rankgauge.conventions import RULES

    name, equals, value = incomplete.partition("=")
    if not equals:
        return [f"{rule}=" for rule in RULES if rule.startswith(name)]
    return [f"{name}={known}" for known in RULES[name].values if known.startswith(value)] if name in RULES else []


def table_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a table of side information, or after an equals sign its file."""
    name, equals, path = incomplete.partition("=")
    if equals:
        return [CompletionItem(path, type="file")]
    return [CompletionItem(f"{table}=") for table in TABLES if table.startswith(name)]
