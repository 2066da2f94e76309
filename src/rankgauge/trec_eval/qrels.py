"""Evaluation of a run against ordinary judgments (``-R qrels``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl

from rankgauge.errors import InputError
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import read_judgments
from rankgauge.matching.apply_rules import settle
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Matched
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.read_options import ReadOptions
from rankgauge.segments import Ints
from rankgauge.trec_eval.exit_status import CALCULATION, INPUT
from rankgauge.trec_eval.formulas import formula
from rankgauge.trec_eval.measure import Column, Evaluation, MeasureLine
from rankgauge.trec_eval.measures import MEASURES, NICKNAMES
from rankgauge.trec_eval.options import Options
from rankgauge.trec_eval.results import Results, read_results
from rankgauge.trec_eval.topics import check_missing, check_selected, convention_of, cut, exit_on_input_error

__all__ = ["MEASURES", "NICKNAMES", "evaluate", "evaluate_frames", "read_qrels"]


def evaluate(options: Options, lines: Sequence[MeasureLine]) -> Evaluation:
    """Read both files and evaluate them."""
    with exit_on_input_error(INPUT):
        judgments, results = read_qrels(options.judgments), read_results(options.results)
    return evaluate_frames(judgments, results, options, lines)


def read_qrels(path: str) -> pl.DataFrame:
    """Read judgments, sorted by the bytes of the topic; grades are truncated to integers, as in trec_eval."""
    frame = read_judgments(path, format="trec", findings=Findings(), lenient=False)
    frame = frame.with_columns(grade=np.trunc(frame["grade"].to_numpy()))
    return frame if frame["query"].is_sorted() else frame.sort("query", maintain_order=True)


def evaluate_frames(
    judgments: pl.DataFrame, results: Results, options: Options, lines: Sequence[MeasureLine]
) -> Evaluation:
    """Evaluate parsed judgments and a parsed run."""
    if options.only is not None:
        judgments = judgments.filter(pl.col("query") == options.only)
        check_selected(options, found=judgments.height > 0)
    with exit_on_input_error(CALCULATION):
        return _Evaluator(judgments, results, options, lines).evaluate()


class _Evaluator:
    """Evaluates one run against one file of judgments, some topics at a time."""

    def __init__(self, frame: pl.DataFrame, results: Results, options: Options, lines: Sequence[MeasureLine]) -> None:
        self.frame, self.results, self.options = frame, results, options
        self.convention, self.findings = convention_of(options), Findings()
        self.formulas = {line.name: formula(line, options) for line in lines if line.measure.has_values}
        self.numbers: list[Ints] = []
        self.columns: list[dict[str, Column]] = []

    def evaluate(self) -> Evaluation:
        """Match, compute, and sort the topics."""
        judgments = Judgments(self.frame, ReadOptions(), self.findings)
        self._refuse_duplicates()
        for numbers, matched in Ranking(self.results.frame, ReadOptions()).chunks(
            judgments, self.convention, self.findings
        ):
            self._refuse_duplicates()
            self._compute(numbers, matched)
        self._refuse_duplicates()
        self._add_missing(judgments)
        order = np.concatenate(self.numbers)
        places = np.argsort(order)
        complete_9 = self.options.complete and self.options.version == 9  # noqa: PLR2004 (the version)
        count = len(judgments.queries) if complete_9 else len(order)
        overall: dict[str, float | str] = {"runid": self.results.run_id, "num_q": count}
        if self.options.complete:
            overall["num_rel"] = float((self.frame["grade"] > 0).sum())
        return Evaluation(
            topics=[judgments.queries[number] for number in order[places]],
            columns={name: _joined([columns[name] for columns in self.columns], places) for name in self.formulas},
            averaged_over=count,
            overall=overall,
        )

    def _compute(self, numbers: Ints, matched: Matched) -> None:
        judged = settle(cut(matched, self.options.depth), self.convention)
        self.numbers.append(numbers)
        self.columns.append({name: values(judged, self.convention) for name, values in self.formulas.items()})

    def _add_missing(self, judgments: Judgments) -> None:
        """Evaluate judged topics that are not in the run as empty, in version 10 with ``-c``."""
        present = np.concatenate([np.zeros(0, dtype=np.int64), *self.numbers])
        missing = np.setdiff1d(np.arange(len(judgments.queries)), present)
        check_missing([judgments.queries[number] for number in missing], len(judgments.queries), self.options)
        if len(missing) and self.options.version == 10:  # noqa: PLR2004 (the version)
            self._compute(missing, judgments.unanswered(missing))

    def _refuse_duplicates(self) -> None:
        """Raise if an item occurs twice in a topic of the run or the judgments, even with the same grade."""
        self.findings.raise_errors(lenient=False)
        for finding in self.findings:
            if finding.code == "RG303":
                raise InputError(str(finding))


def _joined(parts: Iterable[Column], places: Ints) -> Column:
    """Concatenate the values of all topics and sort them."""
    parts = [*parts]
    if isinstance(parts[0], list):
        texts = [text for part in parts for text in part]
        return [texts[place] for place in places]
    return np.concatenate(parts)[places]
