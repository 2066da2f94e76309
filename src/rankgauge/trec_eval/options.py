"""Command line of trec_eval: combinable short flags, its long names and ``--compat``, and its exit statuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from getopt import GetoptError, gnu_getopt
from typing import Any

from rankgauge.errors import shown
from rankgauge.trec_eval.measures import Version

USAGE = 1
"""Invalid arguments or an unknown measure."""
INPUT = 2
"""A file or parameter that cannot be read."""
CALCULATION = 4
"""Data that cannot be evaluated: duplicate items or, in version 10 without ``-c``, a missing topic."""
NO_OVERLAP = 7
"""The run and the judgments have no topic in common."""


class ExitError(Exception):
    """Stop with a message and an exit status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


LARGEST = 2**63 - 1
"""The largest number that trec_eval can hold."""
SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
LONG = {
    "help": ("h", "wants_help"),
    "version": ("v", "wants_version"),
    "query_eval_wanted": ("q", "per_query"),
    "measure=": ("m", "measures"),
    "complete_rel_info_wanted": ("c", "complete"),
    "level_for_rel=": ("l", "level"),
    "nosummary": ("n", "summary"),
    "Debug_level=": ("D", "only"),
    "Judged_docs_only": ("J", "judged_only"),
    "Number_docs_in_coll=": ("N", "collection"),
    "Max_retrieved_per_topic=": ("M", "depth"),
    "Rel_info_format=": ("R", "judgments_format"),
    "Results_format=": ("T", "results_format"),
    "Output_old_results_format=": ("o", ""),
    "Zscore=": ("Z", "zscores"),
    "compat=": ("compat", "version"),
}
"""Long flags, each with its short flag and the option that it sets."""
SYNOPSIS = "rankgauge trec_eval [-h] [-q] [-c] [-n] [-l level] {-m measure[.parameters]} [--compat 9|10] qrels run"


@dataclass(frozen=True)
class Options:
    """Parsed command line."""

    judgments: str = ""
    """Path of the judgments."""
    results: str = ""
    """Path of the run; ``-`` is standard input."""
    measures: tuple[str, ...] = ()
    """Arguments of ``-m``: names with parameters, or nicknames."""
    version: Version = 10
    """Version of trec_eval to reproduce."""
    per_query: bool = False
    summary: bool = True
    complete: bool = False
    """Whether judged topics that are missing from the run count."""
    level: int = 1
    """Smallest grade of a relevant item."""
    depth: int | None = None
    """Number of items to keep per topic."""
    judged_only: bool = False
    collection: int = 0
    """Number of items in the collection, for ``utility``."""
    judgments_format: str = "qrels"
    results_format: str = "trec_results"
    zscores: str | None = None
    """Path of the means and standard deviations."""
    only: str | None = None
    """The only topic to evaluate (``-D level.topic``)."""
    wants_help: bool = False
    wants_version: bool = False


def parse_options(arguments: Sequence[str]) -> Options:
    """Parse a command line.

    >>> options = parse_options(["-qcM100", "-mndcg.1=3,2=9", "-m", "P.5,7,3", "qrels", "run"])
    >>> options.per_query, options.complete, options.depth, options.measures
    (True, True, 100, ('ndcg.1=3,2=9', 'P.5,7,3'))
    """
    try:
        flags, files = gnu_getopt([*arguments], SHORT, [*LONG])
    except GetoptError as error:
        raise ExitError(USAGE, f"{error}\nusage: {SYNOPSIS}") from None
    options, fields = Options(), dict(LONG.values())
    for flag, text in flags:
        name = (LONG.get(flag[2:]) or LONG[f"{flag[2:]}="])[0] if flag.startswith("--") else flag[1:]
        if fields[name]:  # all but -o, the old layout, which trec_eval itself no longer writes
            options = replace(options, **{fields[name]: _value(name, text, options)})
    if options.wants_help or options.wants_version:
        return options
    if len(files) != 2:  # noqa: PLR2004 (judgments and run)
        raise ExitError(USAGE, f"expected two files, judgments and a run, found {len(files)}\nusage: {SYNOPSIS}")
    return replace(options, judgments=files[0], results=files[1])


def _value(flag: str, text: str, options: Options) -> Any:
    """Return the new value of the field that a flag sets."""
    match flag:
        case "m":
            return (*options.measures, text)
        case "l":
            return _level(text)
        case "M" | "N":
            return _integer(f"-{flag}", text, lowest=0)
        case "D":
            level, dot, topic = text.partition(".")
            _integer("-D", level)
            return topic if dot else options.only
        case "compat":
            if text not in {"9", "10"}:
                raise ExitError(USAGE, f"--compat {shown(text)}: the versions are 9 and 10")
            return int(text)
        case "R" | "T" | "Z":
            return text
    return flag != "n"


def _level(text: str) -> int:
    level = _integer("-l", text)
    if level < 0:
        reason = "C trec_eval then takes unjudged items for relevant in some measures only, so that recall exceeds 1"
        raise ExitError(USAGE, f"-l {level}: must be at least 0; {reason}")
    return level


def _integer(flag: str, value: str, lowest: int | None = None) -> int:
    try:
        number = int(value)
    except ValueError:
        raise ExitError(USAGE, f"{flag} {shown(value)}: expected an integer") from None
    if lowest is not None and number < lowest:
        raise ExitError(USAGE, f"{flag} {number}: must be at least {lowest}")
    return max(-LARGEST, min(number, LARGEST))  # as C does
