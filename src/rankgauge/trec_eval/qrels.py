"""Evaluation of a run against ordinary judgments (``-R qrels``), by the metric of the same name as each measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.conventions.gains import OTHER, GainTable, gain_function
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import inspect_source
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.inputs.io.prefetch import prefetch, with_findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.kernels.gain import DCG, IDCG, nDCG
from rankgauge.kernels.precision import P, R
from rankgauge.matching.apply_rules import apply_rules
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.metric_core.registry import trec_names
from rankgauge.rendering.language import plural
from rankgauge.segments import Floats, Ints
from rankgauge.trec_eval.measures import MEASURES, NICKNAMES, Column, Evaluation, Measure, MeasureLine, Version
from rankgauge.trec_eval.options import CALCULATION, INPUT, ExitError, Options
from rankgauge.trec_eval.topics import (
    CLines,
    CRun,
    check_missing,
    check_selected,
    convention_of,
    cut,
    exit_on_input_error,
)

__all__ = ["MEASURES", "NICKNAMES", "evaluate", "evaluate_run", "read_qrels"]


def evaluate(options: Options, lines: Sequence[MeasureLine]) -> Evaluation:
    """Read both files and evaluate them."""
    with exit_on_input_error(INPUT):
        try:
            judgments = read_qrels(options.judgments, options.version)
        except InputError:
            _check_order(options)
            raise
        run = CRun(options.results, options.version)
    try:
        return evaluate_run(judgments, run, options, lines)
    except ExitError:
        run.check_rest()
        raise


def _check_order(options: Options) -> None:
    """Raise an error if the file of judgments is a run, and the other one holds judgments."""
    files = options.judgments, options.results
    if all(map(is_regular_file, files)) and [inspect_source(file).role for file in files] == ["ranking", "judgments"]:
        first, second = files
        raise InputError(
            f"the arguments look swapped: {first} holds a run and {second} holds judgments; pass the judgments first"
        )


def read_qrels(path: str, version: Version = 10) -> pl.DataFrame:
    """Read judgments, sorted by the bytes of the topic; grades are truncated to integers, as in trec_eval."""
    frame = pl.concat([*CLines("judgments", version).blocks(path, "judgments", Findings())])
    frame = frame.with_columns(grade=np.trunc(frame["grade"].to_numpy()))
    return frame if frame["query"].is_sorted() else frame.sort("query", maintain_order=True)


def evaluate_run(judgments: pl.DataFrame, run: CRun, options: Options, lines: Sequence[MeasureLine]) -> Evaluation:
    """Evaluate a run against parsed judgments."""
    if options.only is not None:
        judgments = judgments.filter(pl.col("query") == options.only)
        check_selected(options, is_judged=judgments.height > 0)
    with exit_on_input_error(CALCULATION):
        return _evaluate(judgments, run, options, lines)


def _evaluate(frame: pl.DataFrame, run: CRun, options: Options, lines: Sequence[MeasureLine]) -> Evaluation:
    convention, findings = convention_of(options), Findings()
    formulas = {line.name: formula(line, options) for line in lines if line.measure.has_values}
    judgments = Judgments(frame, ReadOptions(), findings)
    _refuse_duplicates(findings)
    numbers: list[Ints] = [np.zeros(0, dtype=np.int64)]
    columns: list[dict[str, Column]] = []

    def compute(chunk: Ints, matched: Matched) -> None:
        judged = apply_rules(cut(matched, options.depth), convention)
        numbers.append(chunk)
        columns.append({name: values(judged, convention) for name, values in formulas.items()})

    for (chunk, matched), in_chunk in prefetch(with_findings(run.chunks(judgments, convention, findings), findings)):
        _refuse_duplicates(in_chunk)
        compute(chunk, matched)
    _refuse_duplicates(findings)
    missing = np.setdiff1d(np.arange(len(judgments.queries)), np.concatenate(numbers))
    check_missing([judgments.queries[number] for number in missing], len(judgments.queries), options)
    if len(missing) and options.version == 10:  # noqa: PLR2004 (the version)
        compute(missing, judgments.unanswered(missing))
    # If lines of a topic are scattered, topics come again, and complete only the last time.
    order, last = np.unique(np.concatenate(numbers)[::-1], return_index=True)
    places = sum(map(len, numbers)) - 1 - last
    if formulas:
        _refuse_only_negative(frame, judgments.queries[int(order[0])])
    complete_9 = options.complete and options.version == 9  # noqa: PLR2004 (the version)
    count = len(judgments.queries) if complete_9 else len(order)
    overall: dict[str, float | str] = {"runid": run.run_id, "num_q": count}
    if options.complete:
        overall["num_rel"] = float((frame["grade"] > 0).sum())
    return Evaluation(
        topics=[judgments.queries[number] for number in order],
        columns={name: _joined([part[name] for part in columns], places) for name in formulas},
        averaged_over=count,
        overall=overall,
    )


def _refuse_only_negative(frame: pl.DataFrame, topic: str) -> None:
    """Raise if all grades of the first topic are negative: C has no room to count the grades of such a topic.

    Later topics reuse the room of earlier ones and are evaluated.
    """
    if frame.filter((pl.col("query") == topic) & (pl.col("grade") >= 0)).is_empty():
        raise InputError(f"topic {shown(topic)} is evaluated first and has no grade of 0 or more, so trec_eval stops")


def _refuse_duplicates(findings: Findings) -> None:
    """Raise if an item occurs twice in a topic of the run or the judgments, even with the same grade."""
    findings.raise_errors(lenient=False)
    for finding in findings:
        if finding.code == "RG303":
            raise InputError(finding.texts.en)


def _joined(parts: Sequence[Column], places: Ints) -> Column:
    """Concatenate the values of all topics and sort them."""
    if isinstance(parts[0], list):
        texts = [text for part in parts for text in part]
        return [texts[place] for place in places]
    return np.concatenate(parts)[places]


Formula = Callable[[JudgedRankings, Convention], Column]
"""Maps ranks and grades of topics to a number or text per topic."""
PERSISTENCE = 0.9
"""Default persistence of rbp."""


def formula(line: MeasureLine, options: Options) -> Formula:
    """Return the formula of an output line."""
    special = SPECIAL.get(line.measure.name)
    return special(line, options) if special is not None else _metric(line).values


def _metric(line: MeasureLine) -> Metric:
    metric = parse(trec_names()[line.measure.name].format(*line.numbers))
    return metric(gain=gains(line.pairs)) if line.pairs else metric


def meaning(measure: Measure) -> str:
    """Return the description of the metric behind a measure; empty if no metric is behind it."""
    notation = trec_names().get(measure.name)
    return "" if notation is None else parse(notation.format(*measure.default[:1])).definition.meaning.en


def gains(pairs: Mapping[str, float]) -> Callable[[Floats], Floats]:
    """Return a gain function: the grade itself, except for the levels in ``pairs``."""
    levels: dict[object, object] = {}
    for level, gain in pairs.items():
        try:
            levels[int(level)] = gain
        except ValueError:
            raise ParameterError(f"{level}={gain:g}: the level {level!r} is not an integer") from None
    return gain_function(GainTable.of({**levels, OTHER: "linear"}) if levels else "linear")


def _ndcg(line: MeasureLine, _: Options) -> Formula:
    """Leave items with negative gains out of the ideal order, so that they never lower the ideal DCG."""
    if not line.pairs:
        return nDCG.values
    dcg, ideal_dcg = DCG(gain=gains(line.pairs)), _ideal_dcg(line, _)

    def compute(judged: JudgedRankings, convention: Convention) -> Floats:
        gained, ideal = dcg.values(judged, convention), np.asarray(ideal_dcg(judged, convention))
        return np.divide(gained, ideal, out=np.zeros(len(ideal)), where=ideal > 0)

    return compute


def _ideal_dcg(line: MeasureLine, _: Options) -> Formula:
    gain = gains(line.pairs)
    return IDCG(gain=lambda grade: np.maximum(gain(grade), 0.0)).values


def _f(line: MeasureLine, _: Options) -> Formula:
    (weight,) = _exactly(1, line)
    if weight < 0:
        raise ParameterError(f"{line.name}: the parameter of set_F must be at least 0")

    def compute(judged: JudgedRankings, convention: Convention) -> Floats:
        """Return the last digit of C, too, which the square of the square root of the weight would miss."""
        precision, recall = P.values(judged, convention), R.values(judged, convention)
        below = recall + weight * precision
        return np.divide((weight + 1) * precision * recall, below, out=np.zeros(len(below)), where=below > 0)

    return compute


def _utility(line: MeasureLine, options: Options) -> Formula:
    hit, noise, miss, rest = _exactly(4, line)
    return parse("Utility")(hit=hit, noise=noise, miss=miss, rest=rest, collection=options.collection).values


def _eleven_points(line: MeasureLine, _: Options) -> Formula:
    if not line.given:
        return parse("IAP").values
    points = [parse("IPrec")(recall=point) for point in line.numbers]
    return lambda judged, rules: np.mean([point.values(judged, rules) for point in points], axis=0)


def _rbp(line: MeasureLine, _: Options) -> Formula:
    p, gain = _persistence(line)
    weighted = DCG(gain=gain, discount=lambda rank: (1 - p) * p ** (rank - 1))
    largest_given = max((value for name, value in line.pairs.items() if name != "p"), default=0.0)

    def compute(judged: JudgedRankings, convention: Convention) -> Floats:
        top = np.full(judged.pool.count, max(1.0, largest_given))
        np.maximum.at(top, judged.pool.query, gain(judged.pool_grade))
        return weighted.values(judged, convention) / top

    return compute


def _rbp_residual(line: MeasureLine, _: Options) -> Formula:
    p = _persistence(line)[0]

    def compute(judged: JudgedRankings, _: Convention) -> Floats:
        """Add up the weights of the unjudged items, as C does, to agree with it in the last digit."""
        returned = judged.returned
        ends = np.cumsum(returned)
        unjudged = np.ones(ends[-1] if len(ends) else 0, dtype=bool)
        known = judged.known
        unjudged[((ends - returned)[judged.item_query()] + judged.rank.astype(np.int64) - 1)[known]] = False
        power = np.cumprod(np.append(1.0, np.full(returned.max(initial=0), p)))
        topic = np.repeat(np.arange(len(returned)), returned)[unjudged]
        place = np.flatnonzero(unjudged) - (ends - returned)[topic]
        added = np.bincount(topic, weights=power[place], minlength=len(returned))
        return np.where(np.bincount(topic, minlength=len(returned)) > 0, power[returned] + (1 - p) * added, 0.0)

    return compute


def _persistence(line: MeasureLine) -> tuple[float, Callable[[Floats], Floats]]:
    """Return the persistence p and the gain function."""
    p = line.pairs.get("p", PERSISTENCE)
    if not 0 < p < 1:
        raise ParameterError(f"{line.name}: p must be between 0 and 1")
    return p, gains({level: gain for level, gain in line.pairs.items() if level != "p"})


def _relstring(line: MeasureLine, _: Options) -> Formula:
    (length,) = _exactly(1, line)

    def compute(judged: JudgedRankings, _: Convention) -> list[str]:
        shown = np.minimum(judged.returned, max(int(length), 0))
        texts = [["-"] * int(count) for count in shown]
        top = np.flatnonzero(judged.within(1.0 * shown))
        known = judged.known
        for row in top.tolist():
            grade = int(judged.grade[row])
            sign = "." if not known[row] else str(grade) if grade <= 9 else ">"  # noqa: PLR2004 (one digit)
            texts[judged.segments.query[row]][int(judged.rank[row]) - 1] = sign
        return ["".join(text) for text in texts]

    return compute


def _exactly(count: int, line: MeasureLine) -> tuple[float, ...]:
    if len(line.numbers) != count:
        expected = plural(count, "# parameter", "# parameters")
        raise ParameterError(f"{line.name}: expected {expected}, found {len(line.numbers)}")
    return line.numbers


SPECIAL: dict[str, Callable[[MeasureLine, Options], Formula]] = {
    "relstring": _relstring,
    "utility": _utility,
    "11pt_avg": _eleven_points,
    "ideal_dcg": _ideal_dcg,
    "ndcg": _ndcg,
    "set_F": _f,
    "rbp": _rbp,
    "rbp_resid": _rbp_residual,
}
"""Measures that differ from the metric of the same name."""
