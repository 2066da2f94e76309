"""Commands, options and groups of options whose help is declared in English and Chinese."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple
from unicodedata import east_asian_width

import click

from rankgauge.cli.click_texts import translate
from rankgauge.cli.localization import LANGUAGES, language
from rankgauge.rendering.language import Phrase

TOKEN = re.compile(r"[!-~]+[，。、；：）”]*|\s+|\S[，。、；：）”]*")
"""What a line is not broken inside of: a word, blanks, or a wide character with its punctuation."""

METAVARS = {
    "integer": Phrase("N", "整数"),
    "integer range": Phrase("N", "整数"),
    "float": Phrase("NUMBER", "数"),
    "text": Phrase("TEXT", "文字"),
}
"""Placeholders of values by the name of click's type."""
NAME, FILE, FOLDER = Phrase("NAME", "名称"), Phrase("FILE", "文件"), Phrase("FOLDER", "目录")


class Example(NamedTuple):
    """A call that works in a folder written by ``rankgauge demo --write``, and its purpose in both languages."""

    call: str
    en: str
    zh: str


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
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


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
        indent = " " * self.current_indent
        width = self.width - self.current_indent
        self.write("\n\n".join("\n".join(indent + line for line in wrap(part, width)) for part in paragraphs) + "\n")

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
        self.help_phrase = help

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the parts of the usage line."""
        return [*map(translate, super().collect_usage_pieces(ctx))]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the description of the command."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(inspect.cleandoc(self.help_phrase.render(language())))

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002
        """Return the first sentence of the description, never cut."""
        return re.split(r"(?<=\.)\s|(?<=。)", inspect.cleandoc(self.help_phrase.render(language())), maxsplit=1)[0]


class Option(click.Option):
    """An option whose help and metavar are phrases."""

    def __init__(self, declarations: str, en: str, zh: str, *, metavar: Phrase | None = None, **settings: Any) -> None:
        """Declare an option by its names, separated by blanks; a default is shown in the help."""
        default = settings.get("default", "")
        show_default = default != "" and not isinstance(default, bool)
        super().__init__(declarations.split(), help=en, show_default=show_default, **settings)
        self.help_phrase = Phrase(en, zh)
        self.metavar_phrase = metavar or METAVARS.get(self.type.name)

    def make_metavar(self, *arguments: Any, **keywords: Any) -> str:
        """Return the placeholder of the value; the parameters differ between versions of click."""
        if self.metavar_phrase is None:
            return super().make_metavar(*arguments, **keywords)
        return self.metavar_phrase.render(language())

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help in the output language."""
        localized = copy(self)
        localized.help = self.help_phrase.render(language())
        return super(Option, localized).get_help_record(ctx)


class Argument(click.Argument):
    """A positional argument whose metavar is a phrase."""

    def __init__(self, name: str, en: str, zh: str, **settings: Any) -> None:
        super().__init__([name], metavar=en, **settings)
        self.metavar_phrase = Phrase(en, zh)

    def make_metavar(self, *_: Any, **__: Any) -> str:
        """Return the placeholder of the argument."""
        return self.metavar_phrase.render(language())


@dataclass(frozen=True)
class OptionGroup:
    """Options that a command receives as one record, under one parameter name."""

    name: str
    record: Callable[..., Any]
    options: tuple[Option, ...]


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

    def __init__(
        self,
        name: str,
        callback: Callable[..., Any],
        *,
        help: Phrase,  # noqa: A002 (click's name)
        parameters: Sequence[click.Parameter | OptionGroup],
        examples: Sequence[Example],
    ) -> None:
        params = [
            param for entry in parameters for param in (entry.options if isinstance(entry, OptionGroup) else (entry,))
        ]
        super().__init__(name, callback=callback, help=help, params=[*params, LANG, DEBUG])
        self.groups = [entry for entry in parameters if isinstance(entry, OptionGroup)]
        self.examples = tuple(examples)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with the record of each group in place of its options."""
        for group in self.groups:
            values = {option.name: ctx.params.pop(option.name) for option in group.options if option.name}
            ctx.params[group.name] = group.record(**values)
        return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the examples."""
        with formatter.section("示例" if language() == "zh" else "Examples"):
            lines = [f"  # {getattr(example, language())}\n  {example.call}\n" for example in self.examples]
            formatter.write("\n".join(lines))


def define_command(
    name: str, en: str, zh: str, *parameters: click.Parameter | OptionGroup, examples: Sequence[Example]
) -> Callable[[Callable[..., Any]], Command]:
    """Declare a command: its help in both languages, its parameters in the order of the help, and its examples.

    >>> size = OptionGroup("size", dict, (Option("--width", "Width.", "宽。"),))
    >>> @define_command("draw", "Draw.", "绘制。", size, examples=[])
    ... def draw(size):
    ...     return size
    >>> draw.main(["--width", "3"], standalone_mode=False)
    {'width': '3'}
    """
    return lambda function: Command(name, function, help=Phrase(en, zh), parameters=parameters, examples=examples)
