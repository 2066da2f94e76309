"""The command line. Data go to standard output, messages to standard error; files are written only on request.

Exit codes: 0 success, 1 a check failed or a number is not explained, 2 usage error, 3 a file cannot be read or written,
or its data are invalid, 4 nothing to evaluate, 5 not decided, 6 a file to be written exists, 130 interrupted,
141 closed pipe, 143 terminated.
"""

from __future__ import annotations

import errno
import gc
import os
import re
import shlex
import signal
import sys
import traceback
import warnings
from contextlib import suppress
from contextvars import ContextVar
from importlib import import_module
from threading import Thread

import click

from rankgauge import __version__
from rankgauge.cli.command import DEBUG, LANG, Localized
from rankgauge.cli.console import discard_output, is_closed_pipe, prepare_streams, write, write_message
from rankgauge.cli.localization import language, output_language, placeholder, translate, usage_error
from rankgauge.cli.summaries import COMMANDS, HEADINGS
from rankgauge.errors import (
    DataWarning,
    ExistingFileError,
    InputError,
    MissingExtraError,
    MissingTableError,
    ParameterError,
    RankgaugeError,
)
from rankgauge.inputs.io.atomic_file import remove_unfinished
from rankgauge.inputs.io.panics import separate_stderr
from rankgauge.rendering.command_line import COMMAND
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.progress import CLOCK

USAGE, INVALID_INPUT, NOTHING, EXISTS, INTERRUPTED, CLOSED_PIPE = 2, 3, 4, 6, 130, 141
NOTHING_TO_EVALUATE = {"RG101", "RG401"}
COLUMNS = re.compile(r"""\bcolumns=\{(?:["'](judgments|ranking)["']: ?\{([^{}]*)\}|([^{}]*))\}""")
COLUMN = re.compile(r"""["'](\w+)["']: ?(["'])(.*?)\2""")
METRIC = re.compile(r"\bmetrics?=\.\.\.")
ARGUMENT = re.compile(r"(?<![-\w])(query|split|units|baseline|depth|budget)=(?=[,，、\s])|(?<![-\w])(role)=(?=\w)")
RULE = re.compile(r"(use |set |as in |or |[请或改]用 ?|请使用 ?)(?:Convention\()?([a-z_]+)='?([^\s',;，；)]+)'?\)?")
BUG = Phrase(
    "{error}; this is a bug in rankgauge, run again with --debug to see where",
    "{error}；这是 rankgauge 的缺陷，请加上 --debug 重新运行以查看出错位置",
)
_DEBUG: ContextVar[bool] = ContextVar("debug", default=False)


class ClosedPipeError(Exception):
    """The program that reads our output has ended."""


class Commands(Localized, click.Group):
    """A group whose commands are loaded when they are called, so that start-up stays short."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a closed pipe gets its own error, because versions of click handle it differently."""
        try:
            return super().invoke(ctx)
        except OSError as error:
            # Windows reports EINVAL for a closed pipe.
            if isinstance(error, BrokenPipeError) or (error.errno == errno.EINVAL and os.name == "nt"):
                raise ClosedPipeError from None
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of all commands."""
        return [*COMMANDS]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands under their headings."""
        for heading, title in HEADINGS.items():
            rows = [
                (name, summary.sentence.render(language()))
                for name, summary in COMMANDS.items()
                if summary.heading == heading
            ]
            if rows:
                with formatter.section(title.render(language())):
                    formatter.write_dl(rows)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load the command of a name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"rankgauge.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; suggest a similar name for an unknown one."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            similar = get_close_matches(args[0], COMMANDS, n=1)
            hint = Phrase("; did you mean {name!r}?", "；是否指 {name!r}？").fill(name=similar[0]) if similar else ""
            raise usage_error("unknown command {name!r}{hint}", "没有命令 {name!r}{hint}", name=args[0], hint=hint)
        return super().resolve_command(ctx, args)


@click.command(
    "rankgauge",
    cls=Commands,
    help=Phrase(
        "Evaluate ranked lists, and see how every number is computed.", "评测排序结果，并看清每个数是怎样算出的。"
    ),
    params=[LANG, DEBUG],
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="rankgauge")
@click.pass_context
def commands(ctx: click.Context) -> None:
    """Run a command; without one, show the help."""
    if ctx.invoked_subcommand is None:
        write(ctx.get_help())


def main() -> None:
    """Run the command line and exit; characters that the console lacks are replaced."""
    prepare_streams()
    if not os.environ.get("RANKGAUGE_DEBUG"):
        separate_stderr()
    _watch_signals()
    code = run()
    try:
        sys.stdout.flush()
    except OSError:  # reported already
        discard_output()
    gc.freeze()  # or Python searches all modules for cycles before it exits: 0.1 s of 0.7 s
    sys.exit(code)


def run(arguments: list[str] | None = None) -> int:
    """Run a command line and return its exit code; errors become messages, with a traceback only for ``--debug``."""
    words = sys.argv[1:] if arguments is None else arguments
    token = _DEBUG.set("--debug" in words or bool(os.environ.get("RANKGAUGE_DEBUG")))
    command = COMMAND.set(shlex.join(["rankgauge", *words]))
    with output_language(words), warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # commands write findings themselves
        try:
            if not {"serve", "--no-progress"} & {*words}:
                CLOCK.start("rankgauge")
            result = commands.main(words, prog_name="rankgauge", standalone_mode=False)
            sys.stdout.flush()
            return result if isinstance(result, int) else 0
        except Exception as error:  # noqa: BLE001 (every failure becomes a message and an exit code)
            return _report(error)
        finally:
            CLOCK.stop()
            _DEBUG.reset(token)
            COMMAND.reset(command)


IS_A_RULE = Phrase(
    "No such option {option}; {name} is a rule: --rule {name}=VALUE",
    "没有选项 {option}；{name} 是一条规则：--rule {name}=值",
)
IS_A_CONVENTION = Phrase(
    "No such option {option}; a preset is a convention: --convention NAME",
    "没有选项 {option}；预设即约定：--convention 名称",
)
IN_REPORTS = Phrase(
    "No such option {option}; slices by attributes are in reports: rankgauge report ... --attributes FILE --by NAME",
    "没有选项 {option}；按属性分组的结果在报告中：rankgauge report ... --attributes 文件 --by 名称",
)


def debugging() -> bool:
    """Return whether tracebacks were requested."""
    return _DEBUG.get()


def _usage_text(error: click.ClickException) -> str:
    """Return what click says, or for an option of other commands what to do instead."""
    if isinstance(error, click.NoSuchOption) and error.option_name == "--people" and error.ctx is not None:
        from rankgauge.inputs.read_options import NO_PEOPLE

        return NO_PEOPLE.render(language(), call=error.ctx.info_name)
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        from rankgauge.conventions import RULES

        name = error.option_name.lstrip("-").replace("-", "_")
        taken = {option for parameter in error.ctx.command.params for option in parameter.opts}
        if name in RULES and "--rule" in taken:
            return IS_A_RULE.render(language(), option=error.option_name, name=name)
        if name == "preset" and "--convention" in taken:
            return IS_A_CONVENTION.render(language(), option=error.option_name)
        if name in {"by", "attributes"} and "--rule" in taken:
            return IN_REPORTS.render(language(), option=error.option_name)
    return translate(error.format_message())


def _report(error: Exception) -> int:
    """Write what went wrong and return the exit code."""
    if isinstance(error, ClosedPipeError) or (isinstance(error, OSError) and is_closed_pipe(error)):
        discard_output()
        return CLOSED_PIPE
    if debugging():
        traceback.print_exception(error, limit=-20)
    match error:
        case click.exceptions.Abort():
            return INTERRUPTED
        case click.ClickException():
            context = getattr(error, "ctx", None)
            if context is not None:
                write_message(context.get_usage())
            write_message(_usage_text(error), "error")
            return error.exit_code
        case ParameterError() | MissingExtraError():
            write_message(command_line_message(error), "error")
            return EXISTS if isinstance(error, ExistingFileError) else USAGE
        case InputError():
            write_message(command_line_message(error), "error")
            return NOTHING if error.codes and {*error.codes} <= NOTHING_TO_EVALUATE else INVALID_INPUT
        case OSError(filename=None):  # files have names
            discard_output()
            message = Phrase("standard output: cannot be written: {reason}", "标准输出：无法写入：{reason}")
            write_message(message.render(language(), reason=error.strerror or error), "error")
            return INVALID_INPUT
        case RankgaugeError() | OSError() | MemoryError():
            text = error.render(language()) if isinstance(error, RankgaugeError) else str(error)
            write_message(text or Phrase("out of memory", "内存不足").render(language()), "error")
            return INVALID_INPUT
    write_message(BUG.render(language(), error=f"{type(error).__name__}: {error}"), "error")
    return INVALID_INPUT


def command_line_message(error: Exception) -> str:
    """Return the message of an error with options in place of Python arguments.

    >>> command_line_message(ValueError('no column for item; pass columns={"item": "..."}'))
    'no column for item; pass --columns item=...'
    >>> command_line_message(ValueError('name it: columns={"ranking": {"query": "q", "item": "..."}}'))
    'name it: --columns ranking.query=q,ranking.item=...'
    >>> command_line_message(ValueError("pass query=, one of 'a', 'b'; set missing='zero'"))
    "pass --query, one of 'a', 'b'; set --rule missing=zero"
    """
    if isinstance(error, MissingTableError):
        zh = language() == "zh"
        file, number = ("文件", "文件（或其个数）") if zh else ("FILE", "FILE (or their number)")
        tables = [f"--side-information {name}={number if name == 'items' else file}" for name in error.tables]
        return (
            f"{error.reason[1]}；请指定 {' 或 '.join(tables)}"
            if zh
            else f"{error.reason[0]}; pass {' or '.join(tables)}"
        )
    text = error.render(language()) if isinstance(error, RankgaugeError) else str(error)
    text = COLUMNS.sub(_columns_option, text).replace("format=...", "--format ...")
    text = METRIC.sub(placeholder("-m METRIC"), text)
    return ARGUMENT.sub(lambda match: f"--{match[1] or match[2]}" + " " * bool(match[2]), RULE.sub(_rule_option, text))


def _rule_option(match: re.Match[str]) -> str:
    from rankgauge.conventions import RULES

    return f"{match[1]}--rule {match[2]}={match[3]}" if match[2] in RULES else match[0]


def _columns_option(match: re.Match[str]) -> str:
    side, columns = f"{match[1]}." if match[1] else "", match[2] or match[3] or ""
    pairs = [f"{side}{name}={column}" for name, _, column in COLUMN.findall(columns.replace("None", "''"))]
    return "--columns " + ",".join(pairs + ["..."] * columns.endswith(", ..."))


def _watch_signals() -> None:
    """End at once on Ctrl-C and SIGTERM, whatever the threads are waiting for or computing.

    A handler in Python runs only when the main thread does; a thread that reads the numbers of signals from a pipe
    need not wait for it.
    """
    with suppress(ValueError):  # not the main thread
        if os.name == "nt":
            signal.signal(signal.SIGINT, lambda number, _: _end(number))
            return
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        Thread(target=lambda: _end(os.read(reader, 1)[0]), name="rankgauge-signals", daemon=True).start()


def _end(number: int) -> None:
    remove_unfinished()
    if sys.stderr.isatty():
        sys.stderr.write("\x1b[?25h\n")  # a progress bar hides the cursor
        sys.stderr.flush()
    os._exit(128 + number)
