"""The texts of click itself in Chinese."""

from __future__ import annotations

import re

from rankgauge.cli.localization import language

CHINESE = (
    (r"^Options$", "选项"),
    (r"^Commands$", "命令"),
    (r"^Positional arguments$", "参数"),
    (r"\[OPTIONS\]", "[选项]"),
    (r"COMMAND \[ARGS\]\.\.\.", "命令 [参数]..."),
    (r"Show this message and exit\.", "显示此帮助并退出。"),
    (r"Show the version and exit\.", "显示版本并退出。"),
    (r"\[default: ", "[默认："),
    (r"; required\]|\[required\]", "[必填]"),
    (r"Invalid value for (?P<name>.+?): ", r"\g<name> 的值无效："),
    (r"Invalid value: ", "值无效："),
    (r"^Missing argument (?P<name>.+?)\.", r"缺少参数 \g<name>。"),
    (r"^Missing option (?P<name>.+?)\.", r"缺少选项 \g<name>。"),
    (r"^Missing command\.", "缺少命令。"),
    (r" Choose from:", "可选："),
    (r"No such option:? '?(?P<name>-[^'\s]*?)'?\.?(?= |$)", r"没有选项 \g<name>。"),
    (r" ?Did you mean (?P<name>.+)\?", r"是否指 \g<name>？"),
    (r" ?\(Possible options: (?P<names>.+)\)", r"相近的选项：\g<names>。"),
    (r"(?P<value>'.*') is not one of (?P<names>.+)\.$", r"\g<value> 不在可选值之中：\g<names>。"),
    (r"(?P<value>'.*') is not a valid .+\.$", r"\g<value> 不是所需的数。"),
    (r"(?P<value>\S+) is not in the range (?P<range>.+)\.$", r"\g<value> 不在范围 \g<range> 内。"),
    (r"^Option (?P<name>\S+) requires an argument\.$", r"选项 \g<name> 需要一个值。"),
    (r"^Option (?P<name>\S+) requires (?P<count>\d+) arguments\.$", r"选项 \g<name> 需要 \g<count> 个值。"),
    (r"^Option (?P<name>\S+) does not take a value\.$", r"选项 \g<name> 不带值。"),
    (r"^Got unexpected extra arguments? \((?P<names>.*)\)$", r"多余的参数：\g<names>"),
    (r"(?P<kind>File|Directory|Path) (?P<name>'.*') does not exist\.$", r"\g<name> 不存在。"),
    (r"(?P<kind>File|Directory|Path) (?P<name>'.*') is a file\.$", r"\g<name> 是文件，这里需要目录。"),
    (r"(?P<kind>File|Directory|Path) (?P<name>'.*') is a directory\.$", r"\g<name> 是目录，这里需要文件。"),
    (r"(?P<kind>File|Directory|Path) (?P<name>'.*') is not (read|writ)able\.$", r"\g<name> 没有读写权限。"),
)
"""Patterns of click's texts and what replaces them; click has no catalogue of its own."""


def translate(text: str) -> str:
    """Return a text of click in the output language; other texts are returned unchanged.

    >>> from rankgauge.cli.localization import output_language
    >>> with output_language(["--lang", "zh"]):
    ...     translate("Invalid value for '--to': 'xml' is not one of 'csv', 'json'.")
    "'--to' 的值无效：'xml' 不在可选值之中：'csv', 'json'。"
    """
    if language() == "zh":
        for pattern, chinese in CHINESE:
            text = re.sub(pattern, chinese, text)
    return text
