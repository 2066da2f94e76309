"""The formats of judgments (``-R``) and the modules that know them, loaded when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from rankgauge.errors import UnknownNameError, shown
from rankgauge.trec_eval.measure import Evaluated, Measure, Setting
from rankgauge.trec_eval.options import Options
from rankgauge.trec_eval.quit import CALCULATION, INPUT, USAGE, QuitError

FORMATS = {"qrels": "qrels", "qrels_jg": "judgment_groups", "prefs": "preferences", "qrels_prefs": "preferences"}
"""Each format and the module of this folder that reads it."""
RESULTS_FORMATS = ("trec_results",)


class Format(Protocol):
    """What a module that reads a format of judgments holds."""

    MEASURES: Sequence[Measure]
    """All measures for judgments of this format, in the order in which they are printed."""
    NICKNAMES: dict[str, tuple[str, ...]]
    """Names that stand for several of them."""

    @staticmethod
    def evaluate(options: Options, wanted: Sequence[tuple[Measure, Setting]]) -> Evaluated:
        """Read the judgments and the run that the options name, and compute the wanted lines."""


def format_of(name: str) -> Format:
    """The module that reads a format of judgments."""
    if name not in FORMATS:
        raise QuitError(INPUT, f"-R {shown(name)}: the formats of judgments are {', '.join(FORMATS)}")
    return cast("Format", import_module(f"rankgauge.trec_eval.{FORMATS[name]}"))


def wanted(options: Options) -> list[tuple[Measure, Setting]]:
    """The lines that were asked for, in the order of trec_eval; ``official`` where nothing was said."""
    module = format_of(options.judgments_format)
    parameters = asked(options)
    return [
        (measure, setting)
        for measure in module.MEASURES
        if measure.name in parameters
        for setting in measure.settings(parameters[measure.name])
    ]


def asked(options: Options) -> dict[str, str | None]:
    """The measures that were asked for, and their parameters; of several for the same measure the first counts."""
    known = {
        measure.name: measure
        for name in FORMATS
        for measure in format_of(name).MEASURES
        if options.version in measure.versions
    }
    nicknames = all_nicknames()
    found: dict[str, str | None] = {}
    for text in options.measures or ("official",):
        name, dot, parameters = text.partition(".")
        if dot and not parameters:
            raise QuitError(USAGE, f"-m {text}: parameters are missing after the dot")
        if name in nicknames:
            found = dict.fromkeys((one for one in nicknames[name] if one in known), None) | found
        elif name in known:
            found[name] = found.get(name) or (parameters if dot else None)
        else:
            reason = UnknownNameError.closest("measure", name, [*known, *nicknames])
            raise QuitError(USAGE, f"-m {text}: {reason} (trec_eval {options.version})")
    _refuse_other_formats(options, [known[name] for name in found])
    return found


def all_nicknames() -> dict[str, tuple[str, ...]]:
    """The nicknames of all formats, and what they stand for."""
    return {nickname: names for name in FORMATS for nickname, names in format_of(name).NICKNAMES.items()}


def _refuse_other_formats(options: Options, measures: Sequence[Measure]) -> None:
    for measure in measures:
        if measure.formats and options.judgments_format not in measure.formats:
            raise QuitError(
                CALCULATION,
                f"-m {measure.name}: it needs judgments of the format {' or '.join(measure.formats)} (-R), "
                f"not {options.judgments_format}",
            )
