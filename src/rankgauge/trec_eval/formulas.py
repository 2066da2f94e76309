"""How the values of each measure come about: by the metric that carries its name, with its parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.kernels.gain import DCG, IDCG, nDCG
from rankgauge.kernels.user_models import RBPresidual
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.metric_core.registry import trec_names
from rankgauge.segments import Floats
from rankgauge.trec_eval.measure import Column, Measure, Setting
from rankgauge.trec_eval.options import Options

Formula = Callable[[JudgedRankings, Convention], Column]
"""From the ranks and grades of some topics to a value, or a text, for each."""
PERSISTENCE = 0.9
"""The chance to go on of rbp where none is given."""


def formula(measure: Measure, setting: Setting, options: Options) -> Formula:
    """How one line of output is computed."""
    own = OWN.get(measure.name)
    if own is not None:
        return own(setting, options)
    metric = parse(trec_names()[measure.name].format(*setting.numbers))
    if measure.kind == "pairs" and setting.pairs:
        metric = metric(gain=gains(setting.pairs))
    return metric.values


def meaning(measure: Measure) -> str:
    """What the metric behind a measure says of itself; empty for a measure that is no metric."""
    notation = trec_names().get(measure.name)
    if notation is None:
        return ""
    return parse(notation.format(*measure.default[:1])).definition.meaning.en


def gains(pairs: Mapping[str, float]) -> Callable[[Floats], Floats]:
    """The grade as gain, except where the command line says otherwise."""
    said = {}
    for level, gain in pairs.items():
        try:
            said[int(level)] = gain
        except ValueError:
            raise ParameterError(f"{level}={gain:g}: the level {level!r} is not a whole number") from None

    def gain_of(grade: Floats) -> Floats:
        worth = grade.astype(np.float64)
        for level, gain in said.items():
            worth[grade == level] = gain
        return worth

    return gain_of


def _ndcg(setting: Setting, _: Options) -> Formula:
    """Normalise by an ideal order that ends where nothing more is to be gained, also when some gains are negative."""
    if not setting.pairs:
        return nDCG.values
    gain = gains(setting.pairs)
    found, best = DCG(gain=gain), _ideal_dcg(setting, _)

    def compute(judged: JudgedRankings, convention: Convention) -> Floats:
        above, below = found.values(judged, convention), np.asarray(best(judged, convention))
        return np.divide(above, below, out=np.zeros(len(below)), where=below > 0)

    return compute


def _ideal_dcg(setting: Setting, _: Options) -> Formula:
    gain = gains(setting.pairs)
    return IDCG(gain=lambda grade: np.maximum(gain(grade), 0.0)).values


def _rndcg(setting: Setting, options: Options) -> Formula:
    """Nothing where nothing reaches the level: the one place in which trec_eval's nDCG heeds ``-l``."""
    metric = _with_gains("Rndcg", setting)

    def compute(judged: JudgedRankings, convention: Convention) -> Floats:
        return metric.values(judged, convention) * (judged.relevant_judged(options.level) > 0)

    return compute


def _with_gains(name: str, setting: Setting) -> Metric:
    metric = parse(trec_names()[name])
    return metric(gain=gains(setting.pairs)) if setting.pairs else metric


def _f(setting: Setting, _: Options) -> Formula:
    (weight,) = _exactly(1, setting)
    if weight < 0:
        raise ParameterError(f"{setting.name}: the parameter of set_F must be at least 0")
    return parse("F")(beta=math.sqrt(weight)).values


def _utility(setting: Setting, options: Options) -> Formula:
    hit, noise, miss, rest = _exactly(4, setting)
    return parse("Utility")(hit=hit, noise=noise, miss=miss, rest=rest, collection=options.collection).values


def _eleven_points(setting: Setting, _: Options) -> Formula:
    if not setting.given:
        return parse("IAP").values
    points = [parse("IPrec")(recall=point) for point in setting.numbers]

    def compute(judged: JudgedRankings, convention: Convention) -> Floats:
        return np.mean([point.values(judged, convention) for point in points], axis=0)

    return compute


def _rbp(setting: Setting, _: Options) -> Formula:
    p, gain = _persistence(setting)
    weighted = DCG(gain=gain, discount=lambda rank: (1 - p) * p ** (rank - 1))
    largest_said = max((worth for name, worth in setting.pairs.items() if name != "p"), default=0.0)

    def compute(judged: JudgedRankings, convention: Convention) -> Floats:
        top = np.full(judged.pool.count, max(1.0, largest_said))
        np.maximum.at(top, judged.pool.query, gain(judged.pool_grade))
        return weighted.values(judged, convention) / top

    return compute


def _rbp_residual(setting: Setting, _: Options) -> Formula:
    residual = RBPresidual(p=_persistence(setting)[0])

    def compute(judged: JudgedRankings, convention: Convention) -> Floats:
        all_judged = judged.returned_sum(1.0 * judged.known) == judged.returned
        return np.where(all_judged, 0.0, residual.values(judged, convention))

    return compute


def _persistence(setting: Setting) -> tuple[float, Callable[[Floats], Floats]]:
    """The chance to go on, and the gains."""
    p = setting.pairs.get("p", PERSISTENCE)
    if not 0 < p < 1:
        raise ParameterError(f"{setting.name}: p must lie between 0 and 1")
    return p, gains({level: gain for level, gain in setting.pairs.items() if level != "p"})


def _relstring(setting: Setting, _: Options) -> Formula:
    (length,) = _exactly(1, setting)

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


def _exactly(count: int, setting: Setting) -> tuple[float, ...]:
    if len(setting.numbers) != count:
        raise ParameterError(f"{setting.name}: {count} parameter{'s' * (count > 1)} needed, not {len(setting.numbers)}")
    return setting.numbers


OWN: dict[str, Callable[[Setting, Options], Formula]] = {
    "relstring": _relstring,
    "utility": _utility,
    "11pt_avg": _eleven_points,
    "ideal_dcg": _ideal_dcg,
    "ndcg": _ndcg,
    "Rndcg": _rndcg,
    "set_F": _f,
    "rbp": _rbp,
    "rbp_resid": _rbp_residual,
}
"""The measures that are more, or less, than the metric of their name."""
