"""The start of the command: a signal while it loads ends it as later, and garbage is collected less often.

Programs that use the library keep their own handlers and thresholds.
"""

import gc
import os
import sys

COMMAND = {"rankgauge", "rankgauge.exe"}
COLLECTED_AFTER = 200_000
"""New objects after which Python searches for cycles: those of a command are many, have none and live to its end."""


def program() -> str:
    """Return the name of the program that is being started, or of the module (``python -m``)."""
    arguments = getattr(sys, "argv", [])
    if not arguments:
        return ""
    if arguments[0] == "-m":  # the module is being located, and is named in the original arguments only
        return sys.orig_argv[-len(arguments)].removeprefix("-m")
    return arguments[0].replace("\\", "/").rpartition("/")[2]


def end_silently() -> None:
    """Let Ctrl-C and SIGTERM end this process without a traceback, with the exit codes that they have later."""
    try:
        signal = __import__("_signal")  # the module signal loads enum first, which takes longer than all this
    except ImportError:
        signal = __import__("signal")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: os._exit(128 + number))


if program() in COMMAND:
    end_silently()
    gc.set_threshold(COLLECTED_AFTER)
