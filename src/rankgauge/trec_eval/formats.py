"""Judgment formats (``-R``): the module that evaluates each one, and the measures requested for it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from rankgauge.errors import UnknownNameError, shown
from rankgauge.trec_eval.measures import Evaluation, Measure, MeasureLine
from rankgauge.trec_eval.options import CALCULATION, INPUT, USAGE, ExitError, Options

FORMATS = {"qrels": "qrels", "qrels_jg": "grouped_judgments", "prefs": "preferences", "qrels_prefs": "preferences"}
"""Judgment formats and the modules of this package that evaluate them."""
RESULTS_FORMATS = ("trec_results",)


class JudgmentFormat(Protocol):
    """A module that evaluates one judgment format."""

    MEASURES: Sequence[Measure]
    """All measures for this format, in output order."""
    NICKNAMES: dict[str, tuple[str, ...]]
    """Names for groups of measures."""

    @staticmethod
    def evaluate(options: Options, lines: Sequence[MeasureLine]) -> Evaluation:
        """Read the judgments and the run named by the options, and compute the lines."""


def format_of(name: str) -> JudgmentFormat:
    """Return the module that evaluates a judgment format."""
    if name not in FORMATS:
        raise ExitError(INPUT, f"-R {shown(name)}: the judgment formats are {', '.join(FORMATS)}")
    return cast("JudgmentFormat", import_module(f"rankgauge.trec_eval.{FORMATS[name]}"))


def requested_lines(options: Options) -> list[MeasureLine]:
    """Return the requested lines in the output order of trec_eval; by default those of ``official``."""
    parameters = requested_measures(options)
    return [
        line
        for measure in format_of(options.judgments_format).MEASURES
        if measure.name in parameters
        for line in measure.lines(parameters[measure.name])
    ]


def requested_measures(options: Options) -> dict[str, str | None]:
    """Return the requested measures with their parameters; if a measure is repeated, the first parameters count."""
    known = {
        measure.name: measure
        for name in FORMATS
        for measure in format_of(name).MEASURES
        if options.version in measure.versions
    }
    nicknames = all_nicknames()
    requested: dict[str, str | None] = {}
    for text in options.measures or ("official",):
        name, dot, parameters = text.partition(".")
        if dot and not parameters:
            raise ExitError(USAGE, f"-m {text}: parameters are missing after the dot")
        if name in nicknames:
            requested = dict.fromkeys((member for member in nicknames[name] if member in known), None) | requested
        elif name in known:
            requested[name] = requested.get(name) or (parameters if dot else None)
        else:
            reason = UnknownNameError.closest("measure", name, [*known, *nicknames])
            raise ExitError(USAGE, f"-m {text}: {reason} (trec_eval {options.version})")
    for name in requested:
        formats = known[name].formats
        if formats and options.judgments_format not in formats:
            needed = f"requires judgments in the format {' or '.join(formats)} (-R), not {options.judgments_format}"
            raise ExitError(CALCULATION, f"-m {name}: {needed}")
    return requested


def all_nicknames() -> dict[str, tuple[str, ...]]:
    """Return the nicknames of all formats with their measures."""
    return {nickname: names for name in FORMATS for nickname, names in format_of(name).NICKNAMES.items()}
