"""Ctrl-C while the command loads ends it without a traceback; programs that use the library keep theirs."""

import signal
import sys

COMMAND = {"rankgauge", "rankgauge.exe"}


def program() -> str:
    """Return the name of the program that is being started, or of the module (``python -m``)."""
    arguments = getattr(sys, "argv", [])
    if not arguments:
        return ""
    if arguments[0] == "-m":  # the module is being located, and is named in the original arguments only
        return sys.orig_argv[-len(arguments)].removeprefix("-m")
    return arguments[0].replace("\\", "/").rpartition("/")[2]


if program() in COMMAND:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
