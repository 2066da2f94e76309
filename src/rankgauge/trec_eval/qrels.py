"""Evaluating a run against ordinary judgments (``-R qrels``), through the engine of this project."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import IO, cast

import numpy as np
import polars as pl

from rankgauge.conventions import preset
from rankgauge.conventions.convention import Convention
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import read_blocks, read_judgments
from rankgauge.inputs.io.compression import open_bytes
from rankgauge.inputs.io.lines import HEAD
from rankgauge.matching.apply_rules import settle
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.match import match
from rankgauge.matching.matched import Matched
from rankgauge.matching.read_options import ReadOptions
from rankgauge.segments import Ints
from rankgauge.trec_eval.formulas import formula
from rankgauge.trec_eval.measure import Column, Evaluated, Measure, Setting
from rankgauge.trec_eval.measures import MEASURES, NICKNAMES
from rankgauge.trec_eval.options import Options
from rankgauge.trec_eval.quit import CALCULATION, INPUT, NO_OVERLAP, QuitError

Wanted = Sequence[tuple[Measure, Setting]]
"""The lines of output, in order."""
FIELDS = 6
"""Columns of a line of a run: topic, Q0, item, rank, score, name of the run."""

__all__ = ["MEASURES", "NICKNAMES", "Results", "evaluate", "evaluate_read", "read_qrels", "read_results"]


@dataclass(frozen=True)
class Results:
    """A run as it was read."""

    run_id: str
    frame: pl.DataFrame


def evaluate(options: Options, wanted: Wanted) -> Evaluated:
    """Read both files and evaluate."""
    try:
        judgments, results = read_qrels(options.judgments), read_results(options.results)
    except InputError as error:
        raise QuitError(INPUT, str(error)) from None
    return evaluate_read(judgments, results, options, wanted)


def read_qrels(path: str) -> pl.DataFrame:
    """The judgments, by topic in the order of bytes; a grade with a fraction loses it, as in trec_eval."""
    findings = Findings()
    frame = read_judgments(path, format="trec", findings=findings, lenient=False)
    frame = frame.with_columns(grade=np.trunc(frame["grade"].to_numpy()))
    return frame if frame["query"].is_sorted() else frame.sort("query", maintain_order=True)


def read_results(path: str) -> Results:
    """A run and its name."""
    findings = Findings()
    stream, name = open_bytes(path)
    with stream:
        run_id = _run_id(stream.peek(HEAD))
        blocks = read_blocks(cast("IO[bytes]", stream), "ranking", format="trec", findings=findings, lenient=False)
        frame = pl.concat([*blocks])
    for finding in findings:
        if finding.code == "RG109":
            raise InputError(f"{name}: {finding.count:,} lines without the name of the run in column {FIELDS}")
    return Results(run_id, frame)


def _run_id(head: bytes) -> str:
    """The name of the run in its first line."""
    for line in head.split(b"\n"):
        fields = line.split()
        if len(fields) >= FIELDS and not fields[0].startswith(b"#"):
            return fields[FIELDS - 1].decode("utf-8", "replace")
    return ""


def evaluate_read(frame: pl.DataFrame, results: Results, options: Options, wanted: Wanted) -> Evaluated:
    """Evaluate judgments and a run that were read."""
    if options.only is not None:
        frame = frame.filter(pl.col("query") == options.only)
        if frame.height == 0:
            raise QuitError(NO_OVERLAP, f"topic {shown(options.only)} is not in the judgments")
    try:
        return _Evaluation(frame, results, options, wanted).evaluated()
    except InputError as error:
        raise QuitError(CALCULATION, str(error)) from None


def rules_of(options: Options) -> Convention:
    """The convention that the options stand for."""
    return preset(f"trec_eval-{options.version}").replace(
        rel=options.level, unjudged="removed" if options.judged_only else "nonrelevant"
    )


def cut(matched: Matched, depth: int | None) -> Matched:
    """What is left when only the first items of each topic are kept (``-M``)."""
    if depth is None:
        return matched
    kept = matched.above + matched.before < depth
    return replace(matched.of_rows(kept), returned=np.minimum(matched.returned, depth))


class _Evaluation:
    """One run against one file of judgments, some topics at a time."""

    def __init__(self, frame: pl.DataFrame, results: Results, options: Options, wanted: Wanted) -> None:
        self.frame, self.results, self.options = frame, results, options
        self.rules, self.findings = rules_of(options), Findings()
        self.formulas = {
            setting.name: formula(measure, setting, options) for measure, setting in wanted if measure.has_values
        }
        self.numbers: list[Ints] = []
        self.columns: list[dict[str, Column]] = []

    def evaluated(self) -> Evaluated:
        """Match, compute, and put the topics in their order."""
        judgments = Judgments(self.frame, ReadOptions(), self.findings)
        self._refuse_repetition()
        for numbers, matched in match(judgments, self.results.frame, self.rules, self.findings, None):
            self._refuse_repetition()
            self._compute(numbers, matched)
        self._refuse_repetition()
        self._settle_missing(judgments)
        order = np.concatenate(self.numbers)
        places = np.argsort(order)
        complete_9 = self.options.complete and self.options.version == 9  # noqa: PLR2004 (the version)
        count = len(judgments.queries) if complete_9 else len(order)
        overall: dict[str, float | str] = {"runid": self.results.run_id, "num_q": count}
        if self.options.complete:
            overall["num_rel"] = float((self.frame["grade"] > 0).sum())
        return Evaluated(
            queries=[judgments.queries[number] for number in order[places]],
            columns={name: _joined([some[name] for some in self.columns], places) for name in self.formulas},
            averaged_over=count,
            overall=overall,
        )

    def _compute(self, numbers: Ints, matched: Matched) -> None:
        judged = settle(cut(matched, self.options.depth), self.rules)
        self.numbers.append(numbers)
        self.columns.append({name: values(judged, self.rules) for name, values in self.formulas.items()})

    def _settle_missing(self, judgments: Judgments) -> None:
        """What becomes of judged topics that are not in the run."""
        if not self.numbers:
            raise QuitError(NO_OVERLAP, "the run and the judgments have no topic in common")
        missing = np.setdiff1d(np.arange(len(judgments.queries)), np.concatenate(self.numbers))
        if self.options.version == 9 or not len(missing):  # noqa: PLR2004 (the version)
            return
        if not self.options.complete:
            first = shown(judgments.queries[missing[0]])
            raise QuitError(
                CALCULATION,
                f"judged topics that are not in the run: {len(missing)}, first {first}; with -c they count as empty, "
                "with --compat 9 they are left out",
            )
        self._compute(missing, judgments.unanswered(missing))

    def _refuse_repetition(self) -> None:
        """Stop where an item stands twice in a topic, in the run or in the judgments, with the same grade or not."""
        self.findings.raise_errors(lenient=False)
        for finding in self.findings:
            if finding.code == "RG303":
                raise InputError(str(finding))


def _joined(parts: Iterable[Column], places: Ints) -> Column:
    """The values of all topics in their order."""
    parts = [*parts]
    if isinstance(parts[0], list):
        texts = [text for part in parts for text in part]
        return [texts[place] for place in places]
    return np.concatenate(parts)[places]
