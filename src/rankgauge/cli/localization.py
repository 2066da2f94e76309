"""The output language: usage errors, placeholders and the texts of click in it."""

from __future__ import annotations

import locale
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise

import click

from rankgauge.rendering.language import Lang, Phrase

LANGUAGES = ("auto", "en", "zh")
_LANGUAGE: ContextVar[Lang | None] = ContextVar("language", default=None)

PLACEHOLDERS = {
    "ARGS": "参数",
    "CODE": "代码",
    "COLUMN": "列名",
    "COMMAND": "命令",
    "CONDITION": "条件",
    "FILE": "文件",
    "FIRST": "第一个",
    "FOLDER": "目录",
    "FORM": "形式",
    "FUNCTION": "函数",
    "GRADES": "等级列表",
    "IN": "源文件",
    "JUDGMENTS": "标注",
    "METRIC": "指标",
    "N": "整数",
    "NAME": "名称",
    "NAMES": "名称列表",
    "NUMBER": "数",
    "NUMBERS": "分数列表",
    "OPTIONS": "选项",
    "RANKING": "排序结果",
    "SECOND": "第二个",
    "SHEET": "标注页",
    "TABLE": "表",
    "TEXT": "文字",
    "VALUE": "值",
}
"""Chinese for the words that stand for values in the help."""

CLICK_TEXTS = (
    (r"^Options$", "选项"),
    (r"^Commands$", "命令"),
    (r"Show this message and exit\.", "显示此帮助并退出。"),
    (r"Show the version and exit\.", "显示版本并退出。"),
    (r"\[default: today\]", "[默认：当天]"),
    (r"\[default: ", "[默认："),
    (r"; (?=[\d.]*(?:<=|<)?x(?:<|>))|(?<=\d); (?=\d[\d.]*<)", "；"),
    (r"; required\]|\[required\]", "[必填]"),
    (r"Invalid value for (.+?): ", r"\1 的值无效："),
    (r"Invalid value: ", "值无效："),
    (r"^Missing argument ('[^']*')\.", r"缺少参数 \1。"),
    (r"^Missing option (.+?)\.", r"缺少选项 \1。"),
    (r" Choose from:", "可选："),
    (r"No such option:? '?(-[^'\s]*?)'?\.?(?= |$)", r"没有选项 \1。"),
    (r" ?\(?Did you mean one of: (.+?)\?\)?$", r"是否指其中之一：\1？"),
    (r" ?Did you mean (.+)\?", r"是否指 \1？"),
    (r" ?\(Possible options: (.+)\)", r"相近的选项：\1。"),
    (r"('.*') is not one of (.+)\.$", r"\1 不在可选值之中：\2。"),
    (r"('.*') is not a valid .+\.$", r"\1 不是所需的数。"),
    (r"(\S+) is not in the range (.+)\.$", r"\1 不在范围 \2 内。"),
    (r"^Option (\S+) requires an argument\.$", r"选项 \1 需要一个值。"),
    (r"^Option (\S+) requires (\d+) arguments\.$", r"选项 \1 需要 \2 个值。"),
    (r"^Option (\S+) does not take a value\.$", r"选项 \1 不带值。"),
    (r"^Got unexpected extra arguments? \((.*)\)$", r"多余的参数：\1"),
    (r"(?:File|Directory|Path) ('.*') is a file\.$", r"\1 是文件，这里需要目录。"),
    (r"(?:File|Directory|Path) ('.*') is not readable\.$", r"\1 没有读取权限。"),
)
"""Patterns of click's texts and what replaces them; click has no catalogue of its own."""


def language() -> Lang:
    """Return the language of the running command line, or that of the environment."""
    chosen = _LANGUAGE.get()
    if chosen is not None:
        return chosen
    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG")
    is_chinese = (name or locale.getlocale()[0] or "").lower().startswith(("zh", "chinese"))
    return "zh" if is_chinese and _can_show("中文") else "en"


def _can_show(text: str) -> bool:
    """Return whether standard output has the characters: the code page of a console on Windows may lack them."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


@contextmanager
def output_language(arguments: Sequence[str]) -> Iterator[None]:
    """Use the language that ``--lang`` names anywhere among the arguments.

    It is looked up before the arguments are parsed, so that usage errors and ``--help`` follow it, too.
    """
    values = [value for option, value in pairwise(arguments) if option == "--lang"]
    values += [value.removeprefix("--lang=") for value in arguments if value.startswith("--lang=")]
    name = values[-1] if values else "auto"
    token = _LANGUAGE.set("zh" if name == "zh" else "en" if name == "en" else None)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def translate(text: str) -> str:
    """Return a text of click in the output language; other texts are returned unchanged.

    >>> with output_language(["--lang", "zh"]):
    ...     translate("Invalid value for '--to': 'xml' is not one of 'csv', 'json'.")
    "'--to' 的值无效：'xml' 不在可选值之中：'csv', 'json'。"
    """
    if language() == "zh":
        for pattern, chinese in CLICK_TEXTS:
            text = re.sub(pattern, chinese, text)
    return text


def placeholder(text: str) -> str:
    """Return a placeholder such as ``NAME=FILE`` in the output language."""
    if language() == "en":
        return text
    return re.sub("[A-Z]+", lambda word: PLACEHOLDERS.get(word[0], word[0]), text)


def usage_error(en: str, zh: str, **values: object) -> click.UsageError:
    """Return a usage error in the output language."""
    return click.UsageError(Phrase(en, zh).render(language(), **values))


def bad_parameter(option: str, en: str, zh: str, **values: object) -> click.BadParameter:
    """Return an error about the value of one option or argument, in the output language."""
    return click.BadParameter(Phrase(en, zh).render(language(), **values), param_hint=placeholder(option))
