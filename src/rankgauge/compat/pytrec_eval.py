"""The interface of pytrec_eval, to be imported in its place: names, keys and digits agree."""

from __future__ import annotations

import re
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Literal

import numpy as np

from rankgauge.errors import InputError, ParameterError, RankgaugeError, UnknownNameError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.matching.apply_rules import apply_rules
from rankgauge.matching.freed_memory import keep_freed_memory
from rankgauge.matching.from_dicts import match_dicts
from rankgauge.segments import Floats
from rankgauge.trec_eval.command import all_nicknames
from rankgauge.trec_eval.formulas import formula
from rankgauge.trec_eval.measures import MEASURES, Measure, MeasureLine
from rankgauge.trec_eval.options import Options
from rankgauge.trec_eval.topics import convention_of

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "install",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]
__version__ = "0.5.11"
"""The version of pytrec-eval-terrier whose interface this is."""

_VERSION: Literal[9] = 9
_MEASURES = {measure.name: measure for measure in MEASURES if _VERSION in measure.versions and measure.name != "yaap"}
_NEWER = {measure.name for measure in MEASURES} - {*_MEASURES}
supported_measures = {*_MEASURES}
supported_nicknames = {nickname: {*names} - _NEWER for nickname, names in all_nicknames().items()}
_CONSTANT = {"runid": 0.0, "relstring": 0.0, "num_q": 1.0}
"""Measures that are no numbers of a query, and what takes their place."""
_NUMBERS = r"\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*"
_PAIRS = r"-?\d+=-?\d+(?:\.\d+)?(?:,-?\d+=-?\d+(?:\.\d+)?)*"


class RelevanceEvaluator:
    """Judgments and measures, called with one run after another.

    Parameters
    ----------
    query_relevance
        ``{query: {item: grade}}``; ids are text, grades are whole numbers.
    measures
        Names such as ``"map"``, ``"P"``, ``"P_5"`` or ``"ndcg_cut.5,10"``, and nicknames such as ``"official"``.
    relevance_level
        The lowest grade of a relevant item.
    judged_docs_only_flag
        Remove items without a judgment from the run.

    Examples
    --------
    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "ndcg_cut_5"})
    >>> evaluator.evaluate({"q1": {"d1": 0.2, "d2": 0.9}})
    {'q1': {'map': 0.5, 'ndcg_cut_5': 0.6309297535714575}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        if not isinstance(relevance_level, int | np.integer) or relevance_level < 1:
            raise TypeError(f"relevance_level must be a whole number of at least 1, not {shown(relevance_level)}")
        options = Options(version=_VERSION, level=int(relevance_level), judged_only=bool(judged_docs_only_flag))
        self._convention = convention_of(options)
        lines = _lines(measures)
        self._names = [_key(line) for line in lines]
        self._formulas = {_key(line): formula(line, options) for line in lines if line.measure.name not in _CONSTANT}
        self._judgments = _checked_judgments(query_relevance)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Return ``{query: {measure: value}}`` for the queries of the run that have judgments."""
        if not isinstance(scores, Mapping):
            raise TypeError(f"the run must be {{query: {{item: score}}}}, not {shown(scores)}")
        _check_texts(scores, "query", "of the run")
        judged = {query: self._judgments[query] for query in scores if query in self._judgments}
        for query in judged:
            items = scores[query]
            if not isinstance(items, Mapping):
                raise TypeError(f"query {shown(query)} of the run must be {{item: score}}, not {shown(items)}")
            if not isinstance(next(iter(items), ""), str):  # one item tells: the time is that of copying the scores
                _check_texts(items, "item", f"of query {shown(query)}")
        keep_freed_memory()
        findings, queries = Findings(), [*judged]
        values: dict[str, dict[str, float]] = {}
        for numbers, matched in match_dicts(judged, scores, queries, self._convention, findings, with_notes=False):
            findings.raise_errors(lenient=False)
            rankings = apply_rules(matched, self._convention)
            columns = {name: compute(rankings, self._convention) for name, compute in self._formulas.items()}
            rows = zip(*(self._column(name, columns, len(numbers)) for name in self._names), strict=True)
            block = [queries[number] for number in numbers.tolist()]
            if not self._names:
                rows = (() for _ in block)  # type: ignore[assignment]
            values.update(
                (query, dict(zip(self._names, row, strict=True))) for query, row in zip(block, rows, strict=True)
            )
        return values

    def _column(self, name: str, columns: Mapping[str, Sequence[str] | Floats], count: int) -> list[float]:
        return [_CONSTANT[name]] * count if name in _CONSTANT else np.asarray(columns[name]).tolist()


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return the lines of a TREC run, such as an open file ``f_run``, as ``{query: {item: score}}``.

    >>> dict(parse_run(["q1 Q0 d1 1 2.5 system"]))
    {'q1': {'d1': 2.5}}
    """
    run: dict[str, dict[str, float]] = defaultdict(dict)
    for number, line in enumerate(f_run, 1):
        query, _, item, _, score, _ = _fields(line, number, 6, "query Q0 item rank score name")
        _refuse_second(run[query], item, number)
        try:
            run[query][item] = float(score)
        except ValueError:
            raise InputError(f"line {number}: score {shown(score)} is not a number") from None
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return the lines of TREC judgments, such as an open file ``f_qrel``, as ``{query: {item: grade}}``.

    >>> dict(parse_qrel(["q1 0 d1 2"]))
    {'q1': {'d1': 2}}
    """
    judgments: dict[str, dict[str, int]] = defaultdict(dict)
    for number, line in enumerate(f_qrel, 1):
        query, _, item, grade = _fields(line, number, 4, "query 0 item grade")
        _refuse_second(judgments[query], item, number)
        try:
            judgments[query][item] = int(grade)
        except ValueError:
            raise InputError(f"line {number}: grade {shown(grade)} is not a whole number") from None
    return judgments


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """Aggregate values of a measure: sum of counts (``num_``), geometric mean of logarithms (``gm_``), or mean.

    >>> compute_aggregated_measure("map", [0.5, 1.0]), compute_aggregated_measure("num_ret", [10.0, 20.0])
    (0.75, 30.0)
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    if not len(values):
        raise InputError(f"{measure}: there are no values, so there is no mean")
    mean = np.sum(values) / len(values) if measure.startswith("gm_") else np.mean(values)
    return float(np.exp(mean) if measure.startswith("gm_") else mean)


def install() -> ModuleType:
    """Let ``import pytrec_eval`` import this module from now on, also in packages that import it themselves.

    Call it before these packages are imported: BEIR, MTEB, PyTerrier, ir_measures and others.
    """
    module = sys.modules[__name__]
    imported = sys.modules.setdefault("pytrec_eval", module)
    if imported is not module:
        raise RankgaugeError(
            "pytrec_eval is imported already, and what imported it keeps it; call install() before importing packages "
            "that use it"
        )
    return module


def _lines(measures: Iterable[str]) -> list[MeasureLine]:
    """Return the requested measures with their parameters, in the order of trec_eval."""
    if isinstance(measures, str):
        raise ParameterError.of("measures", measures, "a list or a set of names, such as {'map', 'P_5'}")
    parameters: dict[str, list[str]] = {}
    for requested in measures:
        for name in supported_nicknames.get(requested, [requested]):
            base, numbers = _split(name)
            parameters.setdefault(base, []).extend(numbers)
    return [
        line
        for name, measure in _MEASURES.items()
        if name in parameters
        for line in _lines_of(measure, parameters[name])
    ]


def _split(name: str) -> tuple[str, list[str]]:
    """Return a measure and its parameters: ``P_5,10`` is P with 5 and 10."""
    if name in _MEASURES:
        return name, []
    for base, measure in _MEASURES.items():
        form = _PAIRS if measure.kind == "pairs" else _NUMBERS
        if match := re.fullmatch(rf"{re.escape(base)}[._]({form})", str(name)):
            return base, match[1].split(",")
    known = [*supported_measures, *supported_nicknames]
    raise ParameterError(f"unsupported measure {shown(name)}: {UnknownNameError.closest('measure', str(name), known)}")


def _lines_of(measure: Measure, parameters: list[str]) -> list[MeasureLine]:
    """Return the lines of a measure; a cutoff counts once."""
    if not parameters:
        return measure.lines()
    if measure.kind == "none":
        text = f"{measure.name} has no parameters: {','.join(parameters)} changes nothing, as in pytrec_eval"
        warnings.warn(text, stacklevel=4)
        return measure.lines()
    if measure.kind == "cutoffs":
        cutoffs = sorted({int(float(number)) for number in parameters})
        if cutoffs[0] < 1:
            raise ParameterError(f"{measure.name}_{cutoffs[0]}: a cutoff is at least 1")
        parameters = [*map(str, cutoffs)]
    if measure.kind == "points":
        parameters = [*dict.fromkeys(parameters)]
    return measure.lines(",".join(parameters))


def _key(line: MeasureLine) -> str:
    """Return the key of a value: the printed name, without parameters that are not a cutoff or a point."""
    return line.name if line.measure.kind in {"cutoffs", "points"} else line.measure.name


def _checked_judgments(query_relevance: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """Return a copy of the judgments without queries that have none."""
    if not isinstance(query_relevance, Mapping):
        raise TypeError(f"the judgments must be {{query: {{item: grade}}}}, not {shown(query_relevance)}")
    _check_texts(query_relevance, "query", "of the judgments")
    judgments = {}
    for query, grades in query_relevance.items():
        if not isinstance(grades, Mapping):
            raise TypeError(f"query {shown(query)} of the judgments must be {{item: grade}}, not {shown(grades)}")
        _check_texts(grades, "item", "of the judgments")
        for kind in {*map(type, grades.values())}:
            if not issubclass(kind, int | np.integer | np.bool_):
                grade = next(grade for grade in grades.values() if type(grade) is kind)
                remedy = "use rg.evaluate for grades with fractions"
                raise TypeError(f"query {shown(query)}: a grade is a whole number, not {shown(grade)}; {remedy}")
        if grades:
            judgments[query] = dict(grades)
    return judgments


def _check_texts(ids: Iterable[str], kind: str, where: str) -> None:
    """Raise an error if an id is not text; joining them is the quickest check."""
    try:
        "".join(ids)
    except TypeError:
        wrong = next(name for name in ids if not isinstance(name, str))
        raise TypeError(f"{kind} {shown(wrong)} {where} is not text; pass str({shown(wrong)})") from None


def _fields(line: str, number: int, count: int, form: str) -> list[str]:
    fields = line.split()
    if len(fields) != count:
        raise InputError(f"line {number}: expected {count} fields ({form}), found {len(fields)}")
    return fields


def _refuse_second(items: Mapping[str, float], item: str, number: int) -> None:
    if item in items:
        raise InputError(f"line {number}: item {shown(item)} is there for the second time; remove one line")
