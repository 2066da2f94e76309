"""The run as the C program reads it, and the topics and rules to evaluate it with, as the options say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import polars as pl

from rankgauge.conventions import Convention, preset
from rankgauge.errors import InputError, shown
from rankgauge.inputs.codes import CODES, Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import read_blocks
from rankgauge.inputs.io.compression import RawFile
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.matching.matched import Matched
from rankgauge.matching.ranking import Ranking
from rankgauge.rendering.language import plural
from rankgauge.trec_eval.measures import Version
from rankgauge.trec_eval.options import CALCULATION, INPUT, NO_OVERLAP, ExitError, Options

TREC = ReadOptions(format="trec")
FIELDS = 6
"""Columns of a run: topic, Q0, item, rank, score, run name."""
REMEDIES = {
    "RG108": "this command reads TREC files only: judgments have topic, iteration, item and grade, a run has topic, "
    "Q0, item, rank, score and tag; rankgauge eval reads other formats, such as CSV",
    "RG204": "write grades as integers",
    "RG301": "remove the duplicate; rankgauge eval has a rule for copies",
}
"""Remedies in place of those that name options of other commands."""
MARK = "\ue000"
"""Stands before a topic that begins with ``#`` while version 9 is reproduced, which has no comments."""
_INTEGER = re.compile(rb"(?m)(?<=[ \t])([+-]?\d+)[.eExX]\S*(?=[ \t\r]*$)")
_HEXADECIMAL = re.compile(
    rb"(?m)^([ \t]*(?:\S+[ \t]+){4})"  # the columns before the score
    rb"([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?)(?=[ \t\r])"
)
_HASH = re.compile(rb"(?m)^([ \t]*)#")


class CLines:
    """Rewrites lines so that other parsers read the numbers that C reads, and notes the name of the run.

    Of a grade C reads the leading integer (``1e1`` is 1); a score may be hexadecimal. Version 9 has no comments.
    """

    def __init__(self, role: Role, version: Version) -> None:
        self.run_id = ""
        """The last column of the last line so far."""
        self._rewrite = _integers if role == "judgments" else _scores
        self._has_comments = version == 10  # noqa: PLR2004 (the version)
        self._is_run = role == "ranking"

    def __call__(self, lines: bytes) -> bytes:
        """Return complete lines as other parsers should read them."""
        if self._is_run:
            self._note_run_id(lines)
        if not self._has_comments and b"#" in lines:
            lines = _HASH.sub(rb"\1" + MARK.encode() + b"#", lines)
        return self._rewrite(lines)

    def _note_run_id(self, lines: bytes) -> None:
        end = len(lines)
        while end > 0:
            start = lines.rfind(b"\n", 0, end) + 1
            fields = lines[start:end].split()
            if len(fields) >= FIELDS and not (self._has_comments and fields[0].startswith(b"#")):
                self.run_id = fields[FIELDS - 1].decode("utf-8", "replace")
                return
            end = start - 1

    def blocks(self, source: RawFile | InputFile, role: Role, findings: Findings) -> Iterator[pl.DataFrame]:
        """Read a file block by block."""
        blocks = read_blocks(source, role, TREC, findings=findings, rewrite=self)
        if self._has_comments:
            yield from blocks
        else:
            yield from (block.with_columns(pl.col("query").str.strip_prefix(MARK)) for block in blocks)


def _integers(lines: bytes) -> bytes:
    return _INTEGER.sub(rb"\1", lines) if any(mark in lines for mark in (b".", b"e", b"E", b"x", b"X")) else lines


def _scores(lines: bytes) -> bytes:
    if not any(mark[1:] in lines and mark in lines for mark in (b"0x", b"0X")):  # one byte is found much faster
        return lines
    return _HEXADECIMAL.sub(lambda match: match[1] + repr(float.fromhex(match[2].decode())).encode(), lines)


@contextmanager
def exit_on_input_error(status: int) -> Iterator[None]:
    """Turn an ``InputError`` into an exit with this status."""
    try:
        yield
    except InputError as error:
        message = str(error)
        for code, remedy in REMEDIES.items():
            message = message.replace(CODES[code].remedy.en, remedy)
        raise ExitError(status, message) from None


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
