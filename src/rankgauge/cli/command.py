"""Commands, options and groups of options, with their help in English and Chinese."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from glob import glob
from itertools import chain
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple
from unicodedata import east_asian_width

import click

from rankgauge.cli.localization import LANGUAGES, bad_parameter, language, placeholder, translate
from rankgauge.cli.summaries import Purpose
from rankgauge.inputs.io.paths import is_folder, is_regular_file, split_system
from rankgauge.rendering.language import Phrase

TOKEN = re.compile(r"\[默认：\S*?[；\]]|[!-~]+[，。、；：）”]*|\s+|\S[，。、；：）”]*")
"""What a line is not broken inside of: a word, blanks, or a wide character with its punctuation."""

METAVARS = {"integer": "N", "integer range": "N", "float": "NUMBER", "text": "TEXT"}
"""Placeholders of values by the name of click's type."""
EXAMPLE = re.compile(r"# (.+) \| (.+)\n\s*(.+)")
"""An example: its purpose in English and Chinese, and the call."""


class Example(NamedTuple):
    """A call that works in a folder written by ``rankgauge demo --write``, and its purpose."""

    call: str
    purpose: Phrase


def wrap(text: str, width: int) -> list[str]:
    """Split a text into lines of at most a number of columns; Chinese characters take two.

    >>> wrap("one two 三四", 8)
    ['one two', '三四']
    """
    lines = [""]
    for token in TOKEN.findall(text):
        if columns(lines[-1] + token.rstrip()) > width and lines[-1]:
            lines[-1] = lines[-1].rstrip()
            lines.append(token.lstrip())
        else:
            lines[-1] += token
    return lines


def columns(text: str) -> int:
    """Return the number of terminal columns that a text takes."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


class HelpFormatter(click.HelpFormatter):
    """Writes help in the output language, with lines broken by the width of their characters."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line that shows how a command is called."""
        super().write_usage(prog, args, prefix or ("用法：" if language() == "zh" else "Usage: "))

    def section(self, name: str) -> Any:
        """Start a section with a heading."""
        return super().section(translate(name))

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        self.write(f"{heading}{'：' if language() == 'zh' else ':'}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs, which are separated by empty lines."""
        joint = "" if language() == "zh" else " "
        paragraphs = [joint.join(map(str.strip, part.splitlines())) for part in text.split("\n\n")]
        wrapped = ["\n".join(wrap(paragraph, self.width - self.current_indent)) for paragraph in paragraphs]
        self.write(indent("\n\n".join(wrapped), " " * self.current_indent) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write two columns: terms, and what they mean."""
        rows = [*rows]
        first = min(max(columns(term) for term, _ in rows), col_max)
        start = " " * (self.current_indent + first + col_spacing)
        for term, meaning in rows:
            lines = wrap(translate(meaning), max(self.width - len(start), 10))
            gap = " " * (first + col_spacing - columns(term)) if columns(term) <= first else f"\n{start}"
            self.write(" " * self.current_indent + term + gap + f"\n{start}".join(lines) + "\n")


class Context(click.Context):
    """A context whose help is localized."""

    formatter_class = HelpFormatter


class Localized(click.Command):
    """A command whose help is a phrase."""

    context_class = Context

    def __init__(self, name: str, *, help: Phrase, **settings: Any) -> None:  # noqa: A002 (click's name)
        super().__init__(name, help=help.en, **settings)
        self.help_phrase = Phrase(*map(inspect.cleandoc, help))

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the parts of the usage line."""
        return [*map(placeholder, super().collect_usage_pieces(ctx))]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the description of the command."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(self.help_phrase.render(language()))


class Option(click.Option):
    """An option, declared as ``--name parameter PLACEHOLDER``, of which the last two are optional, with its help.

    One that is ``listed`` has values separated by commas; given again, it has further ones.
    """

    def __init__(
        self,
        declaration: str,
        en: str,
        zh: str,
        *,
        least: int | None = None,
        most: int | None = None,
        listed: bool = False,
        **settings: Any,
    ) -> None:
        self._listed = listed
        if listed:
            settings["multiple"] = True
        if least is not None:
            settings["type"] = click.IntRange(least, most)
        words, default = declaration.split(), settings.get("default", "")
        names = [word for word in words if not word[0].isupper()]
        metavar = " ".join(words[len(names) :])
        super().__init__(names, help=en, show_default=default != "" and not isinstance(default, bool), **settings)
        self.metavar = metavar or METAVARS.get(self.type.name)
        self.help_phrase = Phrase(en, zh)

    def make_metavar(self, *arguments: Any, **keywords: Any) -> str:
        """Return the placeholder of the value; the parameters differ between versions of click."""
        return placeholder(super().make_metavar(*arguments, **keywords))

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Return the value in its type; the lists of an option that was given several times are one."""
        if self._listed and isinstance(value, list | tuple) and value:
            return self.type(",".join(value), param=self, ctx=ctx)
        processed = super().process_value(ctx, value)
        return processed or None if self._listed else processed

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help in the output language."""
        localized = copy(self)
        localized.help = self.help_phrase.render(language())
        return super(Option, localized).get_help_record(ctx)


class Argument(click.Argument):
    """A positional argument, whose placeholder is its name in capitals unless another is given."""

    def __init__(self, name: str, metavar: str = "", **settings: Any) -> None:
        super().__init__([name], metavar=metavar or name.upper(), **settings)

    def make_metavar(self, *arguments: Any, **keywords: Any) -> str:
        """Return the placeholder of the argument."""
        return placeholder(super().make_metavar(*arguments, **keywords))


@dataclass(frozen=True)
class OptionGroup:
    """Options that a command receives as one record, under one parameter name.

    The record also takes the parameters of ``listed``, which the command lists itself, where its help should show them.
    """

    name: str
    record: Callable[..., Any]
    options: tuple[Option, ...]
    listed: tuple[click.Parameter, ...] = ()


LANG = Option(
    "--lang",
    "Output language; auto follows the environment.",
    "输出语言；auto 表示随环境而定。",
    type=click.Choice(LANGUAGES),
    expose_value=False,
)
DEBUG = Option(
    "--debug",
    "Show the traceback of an error (also: RANKGAUGE_DEBUG=1).",
    "出错时显示调用栈（或设 RANKGAUGE_DEBUG=1）。",
    is_flag=True,
    expose_value=False,
)


class Command(Localized):
    """A command with examples, which receives groups of options as records."""

    def __init__(self, parameters: Sequence[click.Parameter | OptionGroup], examples: str, **settings: Any) -> None:
        listed = [[*entry.options] if isinstance(entry, OptionGroup) else [entry] for entry in parameters]
        super().__init__(params=[*chain(*listed), LANG, DEBUG], **settings)
        self.groups = [entry for entry in parameters if isinstance(entry, OptionGroup)]
        self.examples = [Example(call, Phrase(en, zh)) for en, zh, call in EXAMPLE.findall(examples)]

    def invoke(self, ctx: click.Context) -> object:
        """Run the command with the record of each group in place of its options."""
        self._keep_inputs(ctx)
        for group in self.groups:
            names = [param.name for param in (*group.options, *group.listed) if param.name]
            ctx.params[group.name] = group.record(**{name: ctx.params.pop(name) for name in names})
        return super().invoke(ctx)

    def _keep_inputs(self, ctx: click.Context) -> None:
        """Refuse an output that is a file named elsewhere in the call, alone or by its folder or a pattern."""
        output = next((param for param in self.params if "--output" in param.opts), None)
        path: Path | None = None if output is None else ctx.params.get(str(output.name))
        if path is None or not path.is_file():
            return
        for param in self.params:
            value = None if param is output or isinstance(param.type, click.Choice) else ctx.params.get(str(param.name))
            for entry in value if isinstance(value, list | tuple) else [value]:
                if any(path.samefile(name) for name in _files(entry)):
                    raise bad_parameter(
                        "--output",
                        "{path} is an input of this call; choose another name",
                        "{path} 是本次调用的输入；请换一个文件名",
                        path=path,
                    )

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the examples."""
        with formatter.section("示例" if language() == "zh" else "Examples"):
            formatter.write(
                "\n".join(f"  # {purpose.render(language())}\n  {call}\n" for call, purpose in self.examples)
            )


def _files(value: object) -> list[str | os.PathLike[str]]:
    """Return the files that a value names: itself, after ``NAME=``, before ``/SYSTEM``, in a folder or by a pattern."""
    if not isinstance(value, str | os.PathLike):
        return []
    text = os.fspath(value)
    names = [name for name in (text, text.partition("=")[2]) if name]
    found = [path for name in names for path in (split_system(name)[0], *glob(name, recursive=True))]  # noqa: PTH207
    inside = [entry.path for path in found if is_folder(path) for entry in os.scandir(path)]
    return [path for path in (*found, *inside) if is_regular_file(path)]


def define_command(
    summary: Purpose, en: str, zh: str, *parameters: click.Parameter | OptionGroup, examples: str
) -> Callable[[Callable[..., Any]], Command]:
    r"""Declare a command, named after its module: its summary, the rest of its help, parameters and examples.

    >>> size = OptionGroup("size", dict, (Option("--width", "Width.", "宽。"),))
    >>> summary = Purpose("begin", Phrase("Draw.", "绘制。"))
    >>> @define_command(summary, "", "", size, examples="# draw | 绘制\n rankgauge draw --width 3")
    ... def draw(size):
    ...     return size
    >>> draw.main(["--width", "3"], standalone_mode=False)
    {'width': '3'}
    """
    first, rest = summary.sentence, Phrase(*map(inspect.cleandoc, (en, zh)))
    return lambda function: Command(
        parameters,
        examples,
        name=function.__module__.rpartition(".")[2],
        callback=function,
        help=Phrase("\n\n", "\n\n").join([first, rest]) if en else first,
    )
