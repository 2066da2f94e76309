"""The trec_eval command: from arguments to output lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankgauge.errors import ParameterError, shown
from rankgauge.trec_eval.exit_status import INPUT, ExitError
from rankgauge.trec_eval.formats import RESULTS_FORMATS, format_of, requested_lines
from rankgauge.trec_eval.help_text import help_text
from rankgauge.trec_eval.options import Options, parse_options
from rankgauge.trec_eval.output import output_lines
from rankgauge.trec_eval.zscores import read_norms, to_zscores


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Return the lines that trec_eval prints for these arguments; raise ``ExitError`` if it would fail.

    Everything is computed before the first line, so that a failing command prints nothing.
    """
    options = parse_options(arguments)
    return help_text(options) if options.wants_help else _evaluation_lines(options)


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
