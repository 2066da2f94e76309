"""The trec_eval command: from arguments to output lines, by judgment format, including those of ``-h`` and ``-v``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

import numpy as np

from rankgauge.errors import ParameterError, UnknownNameError, shown
from rankgauge.rendering.text import neutral
from rankgauge.segments import Floats
from rankgauge.trec_eval.formulas import meaning
from rankgauge.trec_eval.measures import Column, Evaluation, Measure, MeasureLine
from rankgauge.trec_eval.options import CALCULATION, INPUT, SYNOPSIS, USAGE, ExitError, Options, parse_options

RELEASES = {9: "9.0.8", 10: "10.0"}
"""Releases whose output is reproduced."""
FLAGS = """\
  -q, --query_eval_wanted             a line for each topic, before the summary
  -n, --nosummary                     no summary
  -m, --measure NAME[.PARAMETERS]     a measure or a nickname (default: official); may be repeated.
                                      Nicknames: {nicknames}
  -c, --complete_rel_info_wanted      count judged topics that are missing from the run as empty
  -l, --level_for_rel N               smallest grade of a relevant item (1)
  -M, --Max_retrieved_per_topic N     keep the first N items of each topic
  -J, --Judged_docs_only              remove unjudged items before evaluating
  -N, --Number_docs_in_coll N         number of items in the collection, for utility
  -R, --Rel_info_format FORMAT        format of the judgments: {formats}
  -T, --Results_format trec_results   format of the run
  -Z, --Zscore FILE                   z-scores, with means and standard deviations from FILE
  -D, --Debug_level N[.TOPIC]         evaluate only this topic; no debugging output is written
  -o                                  accepted and ignored
      --compat 9|10                   version of trec_eval to reproduce (10)
  -v, --version                       versions
  -h, --help                          this text, and a description of each measure given with -m

The run may be - for standard input; both files may be compressed (gz, bz2, xz, zst).
Exit status: 1 invalid arguments, 2 unreadable file or invalid parameter, 4 duplicate items, a first topic with
negative grades only or, in version 10 without -c, a missing topic, 7 no topic in common."""


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Return the lines that trec_eval prints for these arguments; raise ``ExitError`` if it would fail.

    Everything is computed before the first line, so that a failing command prints nothing.
    """
    options = parse_options(arguments)
    return _help_lines(options) if options.wants_help else _evaluation_lines(options)


def _evaluation_lines(options: Options) -> Iterator[str]:
    module = format_of(options.judgments_format)
    if options.results_format not in RESULTS_FORMATS:
        raise ExitError(INPUT, f"-T {shown(options.results_format)}: the only run format is {RESULTS_FORMATS[0]}")
    try:
        lines = requested_lines(options)
        norms = None if options.zscores is None else read_norms(options.zscores)
        evaluation = module.evaluate(options, lines)
    except ParameterError as error:
        raise ExitError(INPUT, str(error)) from None
    if norms is not None:
        evaluation = to_zscores(evaluation, norms)
    return output_lines(evaluation, lines, options)


def _help_lines(options: Options) -> Iterator[str]:
    """Yield the text of ``-h``, with a description of each requested measure."""
    yield f"usage: {SYNOPSIS}\n\nEvaluate a run as trec_eval {RELEASES[options.version]} does.\n\n"
    yield FLAGS.format(formats=", ".join(FORMATS), nicknames=", ".join(all_nicknames())) + "\n"
    measures = format_of(options.judgments_format).MEASURES
    if not options.measures:
        yield f"\nMeasures: {' '.join(measure.name for measure in measures if options.version in measure.versions)}\n"
        return
    requested = requested_measures(options)
    for measure in measures:
        if measure.name in requested:
            yield f"\n{_description(measure)}\n"


def _description(measure: Measure) -> str:
    """Return the name, meaning and parameters of a measure in a few lines."""
    details = [line for text in (meaning(measure), measure.explanation) if text for line in text.split("\n")]
    if measure.default:
        details.append(f"Default: -m {measure.name}.{','.join(f'{number:g}' for number in measure.default)}")
    if measure.versions != (9, 10):
        details.append(f"Only in version {' and '.join(map(str, measure.versions))}.")
    return "\n".join([measure.name, *(f"    {line}" for line in details)])


def versions() -> str:
    """Return the releases that are reproduced."""
    return f"rankgauge trec_eval, as trec_eval {' or '.join(RELEASES.values())} (--compat 9 or 10)"


FLOOR = 1e-5
"""Value of a topic with value 0 in a geometric mean."""
MISSING = -1_000_000.0
"""Printed if the file of means and standard deviations has no entry."""
Norms = Mapping[tuple[str, str], tuple[float, float]]
"""Mean and standard deviation by topic and measure."""


def output_lines(evaluation: Evaluation, lines: Sequence[MeasureLine], options: Options) -> Iterator[str]:
    """Yield all output lines: the topics in order, then ``all``."""
    if options.per_query:
        printed = [line for line in lines if line.measure.per_query]
        columns = [_texts(line.measure, evaluation.columns[line.name], options) for line in printed]
        labels = [_label(line, options) for line in printed]
        for place, topic in enumerate(evaluation.topics):
            middle = f"{neutral(topic)}\t"
            for label, column in zip(labels, columns, strict=True):
                yield f"{label}{middle}{column[place]}\n"
    if options.summary:
        for line in lines:
            if line.name in evaluation.overall or line.measure.summary != "none":
                yield f"{_label(line, options)}all\t{_text(line.measure, _summary(line, evaluation), options)}\n"


def _summary(line: MeasureLine, evaluation: Evaluation) -> float | str:
    """Combine the values of all topics."""
    if line.name in evaluation.overall:
        return evaluation.overall[line.name]
    values: Floats = np.asarray(evaluation.columns[line.name], dtype=np.float64)
    total = float(np.cumsum(values)[-1])  # sequential addition, as in trec_eval
    if line.measure.summary == "sum":
        return total
    if line.measure.summary == "exp":
        left_out = evaluation.averaged_over - len(values)
        return float(np.exp((total + left_out * np.log(FLOOR)) / evaluation.averaged_over))
    return total / evaluation.averaged_over


def _label(line: MeasureLine, options: Options) -> str:
    """Return the padded name, prefixed with Z if values are z-scores."""
    prefix = "Z" if options.zscores is not None and line.measure.shown != "text" else ""
    return f"{prefix}{line.name:<22}\t"


def _texts(measure: Measure, column: Column, options: Options) -> list[str]:
    if isinstance(column, list):
        return [f"'{text}'" for text in column]
    return [_text(measure, value, options) for value in column.tolist()]


def _text(measure: Measure, value: float | str, options: Options) -> str:
    if isinstance(value, str):
        return neutral(value)
    is_count = measure.shown == "count" and options.zscores is None
    return str(int(value)) if is_count else f"{value:6.4f}"


def read_norms(path: str) -> Norms:
    """Read lines of topic, measure, mean and standard deviation."""
    norms = {}
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ExitError(INPUT, f"{path}: cannot be read: {error}") from None
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        try:
            topic, name, mean, deviation = fields
            norms[topic, name] = (float(mean), float(deviation))
        except ValueError:
            raise ExitError(
                INPUT, f"{path}:{number}: expected topic, measure, mean and standard deviation, found {shown(line)}"
            ) from None
    return norms


def to_zscores(evaluation: Evaluation, norms: Norms) -> Evaluation:
    """Return the evaluation with all numbers replaced by z-scores."""

    def zscores(name: str, column: Column) -> Column:
        if isinstance(column, list):
            return column
        known = np.array([(topic, name) in norms for topic in evaluation.topics])
        mean, deviation = np.array([norms.get((topic, name), (0.0, 0.0)) for topic in evaluation.topics]).T
        scaled = np.divide(column - mean, deviation, out=np.full(len(column), MISSING), where=deviation != 0)
        return np.where(known, np.where((deviation == 0) & (column == mean), 0.0, scaled), MISSING)

    return replace(evaluation, columns={name: zscores(name, column) for name, column in evaluation.columns.items()})


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
