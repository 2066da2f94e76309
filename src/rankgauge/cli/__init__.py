"""The command line. Data goes to stdout, messages to stderr; nothing is written that was not asked for.

Exit codes: 0 fine, 1 a check failed, 2 usage, 3 bad input, 4 nothing to evaluate, 130 interrupted, 141 closed pipe.
"""

from __future__ import annotations

import errno
import locale
import os
import signal
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from threading import Thread
from typing import Any

import click

from rankgauge import __version__
from rankgauge.cli.console import prepare_streams, tell
from rankgauge.cli.options import Spoken, debug_option, lang_option
from rankgauge.cli.remedies import typed
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.inputs.io.atomic_file import remove_unfinished
from rankgauge.rendering.language import Lang

COMMANDS = {
    "demo": "demo",
    "eval": "eval",
    "explain": "explain",
    "compare": "compare",
    "diff": "diff",
    "reconcile": "reconcile",
    "check": "check",
    "report": "report",
    "serve": "serve",
    "metrics": "metrics",
    "conventions": "conventions",
    "curve": "curve",
    "doctor": "doctor",
    "convert": "convert",
    "completion": "completion",
    "trec_eval": "trec_eval",
}  # fmt: skip
"""Each command and the module of this folder that holds it as ``command``; loaded when it is called."""

USAGE, BAD_INPUT, NOTHING, INTERRUPTED, CLOSED_PIPE = 2, 3, 4, 130, 141
NOTHING_TO_EVALUATE = {"RG101", "RG401"}


class ClosedPipeError(Exception):
    """Nobody reads on: the reader of our output has gone, which is its right."""


class Commands(Spoken, click.Group):
    """Commands that are loaded when they are called, so that start-up stays short."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a closed pipe is told apart here, for versions of click deal with it differently."""
        try:
            return super().invoke(ctx)
        except OSError as error:
            # Windows says EINVAL where the reader of a pipe has gone.
            if isinstance(error, BrokenPipeError) or (error.errno == errno.EINVAL and os.name == "nt"):
                raise ClosedPipeError from None
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All commands, in the order of the table."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"rankgauge.cli.{COMMANDS[cmd_name]}").command
        return command


@click.command("rankgauge", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rankgauge")
@lang_option
@debug_option
def commands() -> None:
    """Evaluate ranked lists, and see how every number comes about."""


def spoken(lang: str) -> Lang:
    """The language asked for, or that of the environment."""
    context = click.get_current_context(silent=True)
    if lang == "auto" and context is not None and isinstance(context.find_root().obj, dict):
        lang = context.find_root().obj.get("lang", "auto")
    if lang == "auto":
        named = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG")
        lang = "zh" if (named or locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"
    return "zh" if lang == "zh" else "en"


def main() -> None:
    """Run the command line; characters that the console lacks are replaced, never a crash."""
    prepare_streams()
    _watch_signals()
    sys.exit(run())


def run(arguments: list[str] | None = None) -> int:
    """Run a command line and return its exit code; errors become messages unless they are to be debugged."""
    settings: dict[str, Any] = {}
    try:
        result = commands.main(arguments, prog_name="rankgauge", standalone_mode=False, obj=settings)
        sys.stdout.flush()
        code = result if isinstance(result, int) else 0
    except Exception as error:  # noqa: BLE001 (whatever happened, the caller gets a message and a code)
        code = _told(error, debug=bool(settings.get("debug") or os.environ.get("RANKGAUGE_DEBUG")))
    return code


def _told(error: Exception, *, debug: bool) -> int:
    """Tell what went wrong; the exit code that says so, too."""
    if isinstance(error, ClosedPipeError | BrokenPipeError):
        with suppress(OSError):  # so that Python does not try again at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    if debug:
        traceback.print_exception(error, limit=-20)
    match error:
        case click.exceptions.Abort():
            return INTERRUPTED
        case click.ClickException():
            context = getattr(error, "ctx", None)
            if context is not None:
                tell(context.get_usage())
            tell(error.format_message(), "error")
            return error.exit_code
        case ParameterError():
            tell(str(error), "error")
            return USAGE
        case InputError():
            tell(typed(error), "error")
            return NOTHING if error.codes and {*error.codes} <= NOTHING_TO_EVALUATE else BAD_INPUT
        case RankgaugeError() | OSError() | MemoryError():
            tell(str(error) or "out of memory", "error")
            return BAD_INPUT
    tell(
        f"{type(error).__name__}: {error}; this is a mistake in rankgauge, run again with --debug to see where", "error"
    )
    return BAD_INPUT


def _watch_signals() -> None:
    """End at once on Ctrl-C and on being told to, whatever this and other threads are waiting for or computing.

    A handler in Python would run only when the main thread next does; a thread that reads the numbers of signals
    from a pipe need not wait for it.
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
