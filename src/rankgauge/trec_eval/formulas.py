"""Formulas of the measures: the metric of the same name with the parameters of the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.gains import OTHER, GainTable, gain_function
from rankgauge.errors import ParameterError
from rankgauge.kernels.gain import DCG, IDCG, nDCG
from rankgauge.kernels.precision import P, R
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.metric_core.registry import trec_names
from rankgauge.rendering.language import plural
from rankgauge.segments import Floats
from rankgauge.trec_eval.measures import Column, Measure, MeasureLine
from rankgauge.trec_eval.options import Options

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
