"""The trec_eval command: from arguments to output lines, including those of ``-h`` and ``-v``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankgauge.errors import ParameterError, shown
from rankgauge.trec_eval.formats import (
    FORMATS,
    RESULTS_FORMATS,
    all_nicknames,
    format_of,
    requested_lines,
    requested_measures,
)
from rankgauge.trec_eval.formulas import meaning
from rankgauge.trec_eval.measure import Measure
from rankgauge.trec_eval.options import INPUT, SYNOPSIS, ExitError, Options, parse_options
from rankgauge.trec_eval.output import output_lines, read_norms, to_zscores

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
