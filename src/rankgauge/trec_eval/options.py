"""Command line of trec_eval: combinable short flags, its long names, and ``--compat``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from getopt import GetoptError, gnu_getopt
from typing import Any, cast

from rankgauge.errors import shown
from rankgauge.trec_eval.exit_status import USAGE, ExitError
from rankgauge.trec_eval.measure import Version

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
    options = Options()
    for flag, value in flags:
        name = flag[1:] if not flag.startswith("--") else LONG.get(flag[2:], LONG.get(f"{flag[2:]}=", ""))
        options = _with(options, name, value)
    if options.wants_help or options.wants_version:
        return options
    if len(files) != 2:  # noqa: PLR2004 (judgments and run)
        raise ExitError(USAGE, f"expected two files, judgments and a run, found {len(files)}\nusage: {SYNOPSIS}")
    return replace(options, judgments=files[0], results=files[1])


def _with(options: Options, flag: str, value: str) -> Options:
    """Return the options with one more flag."""
    match flag:
        case "m":
            return replace(options, measures=(*options.measures, value))
        case "l":
            return replace(options, level=_integer("-l", value))
        case "M":
            return replace(options, depth=_integer("-M", value, lowest=0))
        case "N":
            return replace(options, collection=_integer("-N", value, lowest=0))
        case "D":
            level, dot, topic = value.partition(".")
            _integer("-D", level)
            return replace(options, only=topic if dot else options.only)
        case "compat":
            if value not in {"9", "10"}:
                raise ExitError(USAGE, f"--compat {shown(value)}: the versions are 9 and 10")
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


def _integer(flag: str, value: str, lowest: int | None = None) -> int:
    try:
        number = int(value)
    except ValueError:
        raise ExitError(USAGE, f"{flag} {shown(value)}: expected an integer") from None
    if lowest is not None and number < lowest:
        raise ExitError(USAGE, f"{flag} {number}: must be at least {lowest}")
    return number
