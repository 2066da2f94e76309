"""What the commands have in common: their help, their examples, single options, and how texts become values."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
from click.shell_completion import CompletionItem

from rankgauge.inputs.codes import CODES
from rankgauge.rendering.language import Lang

if TYPE_CHECKING:
    from rankgauge.conventions import Convention

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
FILE = click.Path(allow_dash=True)
"""A file, which the shell completes; the reader says what is wrong with it."""
LONG_READ = 16 << 20
LANGUAGES = ("auto", "en", "zh")
DIGITS = 4
HELP = "Show this message and exit."


class Example(NamedTuple):
    """A call that works in a folder written by ``rankgauge demo --write``, and what it is good for."""

    call: str
    what: str


class Spoken(click.Command):
    """A command whose help speaks the language of the user."""

    def get_help(self, ctx: click.Context) -> str:
        """The help in the language asked for before it, or in that of the environment."""
        if language() != "zh":
            return super().get_help(ctx)
        from rankgauge.cli.chinese import OPTIONS, TITLES

        shown = copy(self)
        shown.help = self._chinese() or self.help
        shown.params = [copy(param) for param in self.params]
        for param in shown.params:
            if isinstance(param, click.Option) and param.help in OPTIONS:
                param.help = OPTIONS[param.help]
        text = super(Spoken, shown).get_help(ctx).replace("Show this message and exit.", OPTIONS[HELP])
        for english, chinese in TITLES.items():
            text = re.sub(f"(?m)^{english}", chinese, text)
        return text

    def get_short_help_str(self, limit: int = 45) -> str:
        """The first sentence of the help."""
        chinese = self._chinese() if language() == "zh" else None
        return chinese.partition("。")[0] + "。" if chinese else super().get_short_help_str(limit)

    def _chinese(self) -> str | None:
        from rankgauge.cli.chinese import COMMANDS

        found = COMMANDS.get(self.name or "")
        return None if found is None else inspect.cleandoc(found)


class Command(Spoken):
    """A command whose help ends with examples, which the tests run."""

    def __init__(self, *arguments: Any, examples: Sequence[Example] = (), **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The examples, each with what it is good for."""
        if self.examples:
            with formatter.section("示例" if language() == "zh" else "Examples"):
                for number, example in enumerate(self.examples):
                    if number:
                        formatter.write_paragraph()
                    formatter.write(f"{'':>{formatter.current_indent}}# {example.what}\n")
                    formatter.write(f"{'':>{formatter.current_indent}}{example.call}\n")


def command(name: str, examples: Sequence[Example] = ()) -> Callable[[Callable[..., Any]], click.Command]:
    """A command with examples and the options of every command."""

    def made(function: Callable[..., Any]) -> click.Command:
        whole = click.command(name, cls=Command, examples=examples)(lang_option(debug_option(function)))
        whole.params = [*whole.params[2:], *whole.params[:2]]  # what every command has comes last
        return whole

    return made


def _hear(name: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Keep a setting of any level of the command line for all that follows."""

    def heard(ctx: click.Context, _: click.Parameter, value: Any) -> Any:
        settings = ctx.find_root().ensure_object(dict)
        if value not in {None, False}:
            settings[name] = value
        return value

    return heard


def lang_option(function: Decorated) -> Decorated:
    """``--lang``: the language to speak."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        expose_value=False,
        is_eager=True,
        callback=_hear("lang"),
        help="The language to speak; auto: that of the environment.",
    )(function)


def debug_option(function: Decorated) -> Decorated:
    """``--debug``: tracebacks."""
    return click.option(
        "--debug",
        is_flag=True,
        expose_value=False,
        callback=_hear("debug"),
        help="Show the traceback of an error (also: RANKGAUGE_DEBUG=1).",
    )(function)


def quiet_option(function: Decorated) -> Decorated:
    """``--quiet``: no notes."""
    return click.option(
        "--quiet",
        is_flag=True,
        expose_value=False,
        callback=_hear("quiet"),
        help="Tell warnings on standard error, but no notes.",
    )(function)


def progress_option(function: Decorated) -> Decorated:
    """``--progress``: whether long reads show how far they are."""
    return click.option(
        "--progress/--no-progress",
        default=True,
        expose_value=False,
        callback=_hear("progress"),
        help="Show on a terminal how far the reading has come.",
    )(function)


def digits_option(function: Decorated) -> Decorated:
    """``--digits``: how exactly tables are written."""
    return click.option(
        "--digits", type=click.IntRange(0, 17), default=DIGITS, show_default=True, help="Digits in tables."
    )(function)


def baseline_option(function: Decorated) -> Decorated:
    """``--baseline``: the system that others are held against."""
    return click.option(
        "--baseline", metavar="NAME", help="The system that the others are compared with; the first otherwise."
    )(function)


def _heard(name: str) -> bool:
    return bool(click.get_current_context().find_root().ensure_object(dict).get(name))


def language() -> Lang:
    """The language asked for anywhere on the command line, or that of the environment."""
    from rankgauge.cli import spoken

    return spoken("auto")


def metric_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The metrics whose name begins so, for the shell."""
    from rankgauge.metric_core.registry import metrics
    from rankgauge.rendering.text import neutral

    return [
        CompletionItem(name, help=neutral(metric.definition.meaning.en))
        for name, metric in metrics().items()
        if name.lower().startswith(incomplete.lower())
    ]


def preset_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The conventions whose name begins so, for the shell."""
    from rankgauge.conventions.presets import PRESETS

    return [name for name in ("default", *PRESETS) if name.startswith(incomplete)]


def rule_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The rules, and the values of one, for the shell."""
    from rankgauge.conventions import RULES

    name, equals, value = incomplete.partition("=")
    if not equals:
        return [f"{rule}=" for rule in RULES if rule.startswith(name)]
    return [f"{name}={known}" for known in RULES[name].values if known.startswith(value)] if name in RULES else []


def metrics_option(function: Decorated) -> Decorated:
    """``-m``: the metrics."""
    return click.option(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        metavar="METRIC",
        shell_complete=metric_names,
        help="A metric, such as nDCG@10, AP or \"nDCG(gain='exp2')@10\"; trec_eval's names work, too. Repeatable.",
    )(function)


def the_convention(name: str | None, rules: Sequence[str]) -> Convention:
    """The convention that the options say."""
    from rankgauge.conventions.texts import convention_of

    return convention_of(name, rules)


def the_columns(text: str | None) -> dict[str, Any] | None:
    """``query=session,score=p`` as a mapping; ``ranking.query=session`` speaks of one side alone.

    >>> the_columns("score=p,ranking.query=session")
    {'score': 'p', 'ranking': {'query': 'session'}}
    """
    if text is None:
        return None
    columns: dict[str, Any] = {}
    for pair in text.split(","):
        ours, equals, theirs = (part.strip() for part in pair.partition("="))
        if not equals or not ours or not theirs:
            raise click.BadParameter(
                f"{pair!r} is not written as OURS=THEIRS, such as query=session", param_hint="--columns"
            )
        side, of_one_side, name = ours.partition(".")
        if of_one_side:
            columns.setdefault(side, {})[name] = theirs
        else:
            columns[ours] = theirs
    return columns


def the_rankings(texts: Sequence[str]) -> dict[str, str]:
    """The paths of the rankings by name: the one given (``name=path``), or that of the file, made unique."""
    from rankgauge.inputs.formats.file_names import unique_name

    named: dict[str, str] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or not name or not path or Path(text).exists():
            name, path = _stem(text), text
        elif name in named:
            raise click.BadParameter(f"two rankings are named {name!r}", param_hint="RANKING")
        named[unique_name(name, named)] = path
    return named


def the_grades(text: str, name: str) -> list[float | None]:
    """Numbers parted by commas or blanks; a dash stands for an item that nobody judged."""
    from rankgauge.inputs.grade_checks import parse_grades

    try:
        return parse_grades(text)
    except ValueError:
        hint = " (is it a file? then give judgments and a ranking)" if name == "GRADES" else ""
        raise click.BadParameter(f"{text!r} is not a list of numbers such as 3,2,0{hint}", param_hint=name) from None


def check_one_stdin(*paths: str) -> None:
    """Standard input can be read once."""
    if [*paths].count("-") > 1:
        raise click.UsageError("only one file can be read from standard input (-)")


def shows_progress(paths: Iterable[str]) -> bool:
    """Whether the files are so large that a person would want to see how far the reading has come, and may."""
    return _heard("progress") and sum(Path(path).stat().st_size for path in paths if Path(path).is_file()) > LONG_READ


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    from rankgauge.inputs.formats.file_names import strip_endings

    return strip_endings(Path(path).name)


def tell_findings(findings: Any) -> None:
    """The findings as one short line each on standard error; the guess of the format is not worth one."""
    from rankgauge.cli.console import tell

    for finding in findings:
        if finding.code == "RG106" or (_heard("quiet") and finding.severity == "note"):
            continue
        count = f" x{finding.count:,}" if finding.count > 1 else ""
        first = re.sub(r"\s+", " ", finding.examples[0]) if finding.examples else ""
        what = CODES[finding.code].title.render(language())
        tell(f"{what}{count}{f'; {first}' if first else ''}", f"{finding.severity} {finding.code}")
