"""The run, the topics to evaluate and the rules to evaluate them with, as the options say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import polars as pl

from rankgauge.conventions import Convention, preset
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.matching.matched import Matched
from rankgauge.matching.ranking import Ranking
from rankgauge.rendering.language import plural
from rankgauge.trec_eval.c_input import FIELDS, CLines
from rankgauge.trec_eval.measure import Version
from rankgauge.trec_eval.options import CALCULATION, INPUT, NO_OVERLAP, ExitError, Options


@contextmanager
def exit_on_input_error(status: int) -> Iterator[None]:
    """Turn an ``InputError`` into an exit with this status."""
    try:
        yield
    except InputError as error:
        raise ExitError(status, str(error)) from None


class CRun(Ranking):
    """A run as the C program reads it: a file, matched while it is read, or a frame."""

    def __init__(self, source: str | pl.DataFrame, version: Version = 10) -> None:
        super().__init__(source, ReadOptions())
        self._lines = CLines("ranking", version)
        self._rest = self._checked()

    @property
    def run_id(self) -> str:
        """Its name, which is that of the last line read."""
        return self._lines.run_id

    def blocks(
        self, findings: Findings, on_read: Callable[[int], None] | None = None, *, by_span: bool = False
    ) -> Iterator[pl.DataFrame]:
        """Read the file block by block; exit at a line that is not valid."""
        del findings, on_read, by_span  # the C program reports errors only
        self._rest = self._checked()
        for block in self._rest:  # noqa: UP028 (it must stay open when this generator is closed)
            yield block

    def check_rest(self) -> None:
        """Exit if a line that was not read yet is invalid: the C program reads the run before it evaluates."""
        for _ in self._rest:
            pass

    def _checked(self) -> Iterator[pl.DataFrame]:
        if self.source.file is None:
            return
        findings = Findings()
        with exit_on_input_error(INPUT):
            yield from self._lines.blocks(self.source.file, "ranking", findings)
            for finding in findings:
                if finding.code == "RG109":
                    lines = plural(finding.count, "# line", "# lines")
                    raise InputError(f"{self.source.name}: no run name (column {FIELDS}) in {lines}")


def convention_of(options: Options) -> Convention:
    """Return the convention that the options describe."""
    return preset(f"trec_eval-{options.version}").replace(
        rel=options.level, unjudged="removed" if options.judged_only else "nonrelevant"
    )


def cut(matched: Matched, depth: int | None) -> Matched:
    """Keep the first ``depth`` items of each topic (``-M``)."""
    if depth is None:
        return matched
    kept = matched.above + matched.before < depth
    return replace(matched.of_rows(kept), returned=np.minimum(matched.returned, depth))


def check_selected(options: Options, *, is_judged: bool) -> None:
    """Exit if the only topic to evaluate (``-D``) has no judgments."""
    if options.only is not None and not is_judged:
        raise ExitError(NO_OVERLAP, f"topic {shown(options.only)} is not in the judgments")


def check_missing(missing: Sequence[str], judged: int, options: Options) -> None:
    """Exit if the run lacks all judged topics, or if it lacks any in version 10 without ``-c``."""
    count = len(missing)
    if count == judged:
        stops_first = options.version == 10 and not options.complete  # noqa: PLR2004 (the version)
        status = CALCULATION if stops_first else NO_OVERLAP
        raise ExitError(status, "the run and the judgments have no topic in common")
    if count and options.version == 10 and not options.complete:  # noqa: PLR2004 (the version)
        raise ExitError(
            CALCULATION,
            f"{plural(count, '# judged topic is', '# judged topics are')} not in the run, first {shown(missing[0])}; "
            f"pass -c to evaluate {plural(count, 'it', 'them')} as empty, or --compat 9 to leave "
            f"{plural(count, 'it', 'them')} out",
        )
