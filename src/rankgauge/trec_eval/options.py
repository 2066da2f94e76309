"""The command line of trec_eval: short flags that may be combined, its long names, and ``--compat``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from getopt import GetoptError, gnu_getopt
from typing import Any, cast

from rankgauge.errors import shown
from rankgauge.trec_eval.measure import Version
from rankgauge.trec_eval.quit import USAGE, QuitError

SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
LONG = {
    "help": "h",
    "version": "v",
    "query_eval_wanted": "q",
    "measure=": "m",
    "complete_rel_info_wanted": "c",
    "level_for_rel=": "l",
    "nosummary": "n",
    "Debug_level=": "D",
    "Judged_docs_only": "J",
    "Number_docs_in_coll=": "N",
    "Max_retrieved_per_topic=": "M",
    "Rel_info_format=": "R",
    "Results_format=": "T",
    "Output_old_results_format=": "o",
    "Zscore=": "Z",
    "compat=": "compat",
}
SYNOPSIS = "rankgauge trec_eval [-h] [-q] [-c] [-n] [-l level] {-m measure[.parameters]} [--compat 9|10] qrels run"


@dataclass(frozen=True)
class Options:
    """What was asked for."""

    judgments: str = ""
    """The path of the judgments."""
    results: str = ""
    """The path of the run; ``-`` is standard input."""
    measures: tuple[str, ...] = ()
    """As written after ``-m``: names with parameters, or nicknames."""
    version: Version = 10
    """The trec_eval that is followed."""
    per_query: bool = False
    summary: bool = True
    complete: bool = False
    """Whether topics that are missing from the run count."""
    level: int = 1
    """From which grade on an item is relevant."""
    depth: int | None = None
    """How many items of each topic are kept."""
    judged_only: bool = False
    collection: int = 0
    """How many items there are in all, for ``utility``."""
    judgments_format: str = "qrels"
    results_format: str = "trec_results"
    zscores: str | None = None
    """The path of means and deviations."""
    only: str | None = None
    """The only topic to be evaluated (``-D level.topic``)."""
    wants_help: bool = False
    wants_version: bool = False


def parse_options(arguments: Sequence[str]) -> Options:
    """What a command line asks for.

    >>> options = parse_options(["-qcM100", "-mndcg.1=3,2=9", "-m", "P.5,7,3", "qrels", "run"])
    >>> options.per_query, options.complete, options.depth, options.measures
    (True, True, 100, ('ndcg.1=3,2=9', 'P.5,7,3'))
    """
    try:
        flags, files = gnu_getopt([*arguments], SHORT, [*LONG])
    except GetoptError as error:
        raise QuitError(USAGE, f"{error}\nusage: {SYNOPSIS}") from None
    options = Options()
    for flag, value in flags:
        name = flag[1:] if not flag.startswith("--") else LONG.get(flag[2:], LONG.get(f"{flag[2:]}=", ""))
        options = _with(options, name, value)
    if options.wants_help or options.wants_version:
        return options
    if len(files) != 2:  # noqa: PLR2004 (judgments and run)
        raise QuitError(USAGE, f"two files are needed, judgments and a run, not {len(files)}\nusage: {SYNOPSIS}")
    return replace(options, judgments=files[0], results=files[1])


def _with(options: Options, flag: str, value: str) -> Options:
    """The options with one flag more."""
    match flag:
        case "m":
            return replace(options, measures=(*options.measures, value))
        case "l":
            return replace(options, level=_whole("-l", value))
        case "M":
            return replace(options, depth=_whole("-M", value, lowest=0))
        case "N":
            return replace(options, collection=_whole("-N", value, lowest=0))
        case "D":
            level, dot, topic = value.partition(".")
            _whole("-D", level)
            return replace(options, only=topic if dot else options.only)
        case "compat":
            if value not in {"9", "10"}:
                raise QuitError(USAGE, f"--compat {shown(value)}: the versions are 9 and 10")
            return replace(options, version=cast("Version", int(value)))
    changes: dict[str, dict[str, Any]] = {
        "q": {"per_query": True},
        "n": {"summary": False},
        "c": {"complete": True},
        "J": {"judged_only": True},
        "R": {"judgments_format": value},
        "T": {"results_format": value},
        "Z": {"zscores": value},
        "h": {"wants_help": True},
        "v": {"wants_version": True},
        "o": {},  # the old layout, which trec_eval itself no longer writes
    }
    return replace(options, **changes[flag])


def _whole(flag: str, value: str, lowest: int | None = None) -> int:
    try:
        number = int(value)
    except ValueError:
        raise QuitError(USAGE, f"{flag} {shown(value)}: a whole number is needed") from None
    if lowest is not None and number < lowest:
        raise QuitError(USAGE, f"{flag} {number}: at least {lowest} is needed")
    return number
