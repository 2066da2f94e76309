"""From the arguments of trec_eval to its output and exit status."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankgauge.errors import ParameterError, shown
from rankgauge.trec_eval.formats import RESULTS_FORMATS, format_of, wanted
from rankgauge.trec_eval.manual import manual
from rankgauge.trec_eval.options import Options, parse_options
from rankgauge.trec_eval.output import lines
from rankgauge.trec_eval.quit import INPUT, QuitError
from rankgauge.trec_eval.zscores import as_deviations, read_norms


def run(arguments: Sequence[str]) -> Iterator[str]:
    """The lines that trec_eval prints for these arguments; a ``QuitError`` says why there are none.

    Everything is computed before the first line, so that a run that fails prints nothing.
    """
    options = parse_options(arguments)
    return manual(options) if options.wants_help else evaluated_lines(options)


def evaluated_lines(options: Options) -> Iterator[str]:
    """The lines of one evaluation."""
    module = format_of(options.judgments_format)
    if options.results_format not in RESULTS_FORMATS:
        raise QuitError(INPUT, f"-T {shown(options.results_format)}: the only format of runs is {RESULTS_FORMATS[0]}")
    try:
        printed = wanted(options)
        norms = None if options.zscores is None else read_norms(options.zscores)
        evaluated = module.evaluate(options, printed)
    except ParameterError as error:
        raise QuitError(INPUT, str(error)) from None
    if norms is not None:
        as_deviations(evaluated, norms)
    return lines(evaluated, printed, options)
