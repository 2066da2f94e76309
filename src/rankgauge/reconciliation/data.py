"""Data: judgments and a ranking, read once, to be valued under any number of settings.

Each stage keeps what it made, by the rules that it depends on: the ranking is matched once for each order of equal
scores, settled once for each way to treat negative and unjudged items, and summed once for each formula. A rule that
leaves most queries as they are (the order of equal scores, negative grades) is computed only for those it touches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from rankgauge.conventions import DEFAULT, Convention
from rankgauge.errors import InputError, RankgaugeError, UndefinedError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.matching.apply_rules import settle
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.sums import Sum
from rankgauge.reconciliation.rule_setting import Setting
from rankgauge.segments import Bools, Floats, Ints, Segments

FIXED_ORDERS = ("id", "id-ascending", "input", "input-reversed", "random")
PLAIN = {"ties": "id", "score_precision": "float64", "unjudged": "nonrelevant", "negative": "unjudged"}
"""The rules before the formula, as they are for queries that none of them touches."""
TOUCHING = ("ties", "score_precision", "negative")
"""Those that leave most queries as they are."""
AFTER = {"undefined": 0, "missing": "zero", "no_relevant": "computed", "averaging": "mean", "counts": "sum"}
"""The rules after the formula."""
FEW = 64
"""With so few queries, all are computed anew and whole."""
SUMS_KEPT = 8

Match = Callable[[Convention], Matched]
"""From the rules that matching depends on to the matched rows of all judged queries."""


class Data:
    """What is to be valued; see ``rankgauge.reconciliation.reconcile`` for how it is read."""

    def __init__(self, queries: Sequence[Any], missing: Ints, match: Match) -> None:
        self.queries = queries
        self.missing = missing
        self._match = match
        self._matched: dict[tuple[str, str, int, bool], Matched] = {}
        self._settled: dict[Any, JudgedRankings] = {}
        self._sums: dict[Any, Sum] = {}
        self._touches: dict[Any, Bools] = {}
        self._lacking: dict[float, bool] = {}

    # What there is in the data

    @cached_property
    def grades(self) -> Floats:
        """The grades that occur, ascending."""
        return np.unique(self.plain.pool_grade)

    @property
    def plain(self) -> Matched:
        """The rows in double precision, equal scores by id."""
        return self.matched(DEFAULT)

    @cached_property
    def some_unjudged(self) -> Bools:
        """The queries with a returned item that nobody judged."""
        rows = np.bincount(self.plain.query[self.plain.grade >= 0], minlength=len(self.queries))
        return self.plain.returned > rows

    @cached_property
    def some_negative(self) -> Bools:
        """The queries with a negative grade."""
        negative = self.plain.pool_query[self.plain.pool_grade < 0]
        return np.bincount(negative, minlength=len(self.queries)) > 0

    def some_tied(self, precision: str) -> Bools:
        """The queries in which a judged item has the score of another."""
        matched = self.matched(DEFAULT.replace(score_precision=precision))
        return np.bincount(matched.query[matched.tied > 1], minlength=len(self.queries)) > 0

    @cached_property
    def collapsing(self) -> Bools:
        """The queries in which scores differ in double, but not in single precision."""
        double, single = self.plain, self.matched(DEFAULT.replace(score_precision="float32"))
        if len(double.query) != len(single.query):
            return np.ones(len(self.queries), dtype=bool)
        moved = (_sorted(double) != _sorted(single)).any(axis=0)
        return np.bincount(np.sort(double.query)[moved], minlength=len(self.queries)) > 0

    def lacking_relevant(self, rel: float) -> bool:
        """Whether there is a query for which nothing is relevant."""
        if rel not in self._lacking:
            relevant = self.plain.pool_query[self.plain.pool_grade >= rel]
            self._lacking[rel] = len(np.unique(relevant)) < len(self.queries)
        return self._lacking[rel]

    @cached_property
    def sizes(self) -> tuple[Ints, Ints]:
        """Of each query: how many judged items were returned, and how many were judged."""
        rows = np.bincount(self.plain.query[self.plain.grade >= 0], minlength=len(self.queries))
        pool = np.bincount(self.plain.pool_query, minlength=len(self.queries))
        return rows, np.maximum(pool, rows)

    # The stages

    def matched(self, convention: Convention) -> Matched:
        """The rows of all queries, for this precision and this order of equal scores."""
        order = convention.ties if convention.ties in FIXED_ORDERS else "id"
        every = not isinstance(convention.unjudged, str)
        key = (convention.score_precision, order, convention.seed if order == "random" else 0, every)
        if key not in self._matched:
            grade = convention.unjudged if every else "nonrelevant"
            rules = DEFAULT.replace(score_precision=key[0], ties=order, seed=key[2], unjudged=grade, hit_if="score>0")
            self._matched[key] = self._match(rules)
        return self._matched[key]

    def _judged(self, convention: Convention, only: Bools | None, depth: int | None) -> JudgedRankings:
        before = (convention.ties, convention.seed, convention.score_precision, convention.unjudged)
        key = (before, convention.negative, None if only is None else only.tobytes(), depth)
        if key not in self._settled:
            if depth is not None:
                self._settled[key] = _down_to(self._judged(convention, only, None), depth)
            else:
                matched = self.matched(convention)
                self._settled[key] = settle(matched if only is None else matched.of_queries(only), convention)
        return self._settled[key]

    def signature(self, convention: Convention) -> tuple[Any, ...]:
        """The same for two ways of treating items before the formula exactly where they lead to the same."""
        touched = self.touched(convention)
        if not touched.any():
            return (convention.unjudged,)
        judged = self._judged(convention, touched, None)
        shared = convention.ties if convention.ties in {"mean", "together"} and judged.tie_first is not None else ""
        columns: tuple[Any, ...] = (
            touched,
            judged.rank,
            judged.grade,
            judged.returned,
            judged.known,
            judged.pool_grade,
        )
        if shared:
            columns = (*columns, judged.tie_first, judged.tie_size)
        return convention.unjudged, shared, *(np.asarray(column).tobytes() for column in columns)

    def sum(self, setting: Setting, only: Bools | None = None) -> Sum:
        """The sums of the queries (or of those named), before any rule for 0/0 and the like is applied."""
        metric, convention = setting.metric, _before_and_formula(setting.convention)
        key = (str(metric), convention, None if only is None else only.tobytes())
        if key not in self._sums:
            depth = _depth(metric, convention) if len(self.queries) > FEW else None
            judged = self._judged(convention, only, depth)
            if len(self._sums) >= SUMS_KEPT:
                self._sums.pop(next(iter(self._sums)))
            self._sums[key] = metric.compute(judged, convention)
            _ = self._sums[key].totals
        return self._sums[key]

    def values(self, setting: Setting) -> Floats:
        """One value for each query; NaN where it is left out."""
        metric, convention = setting
        if convention.negative == "error" and self.some_negative.any():
            raise InputError(f"{int(self.some_negative.sum())} queries have negative grades, an error there")
        if convention.missing == "error" and len(self.missing):
            raise InputError(
                f"{len(self.missing)} judged queries have no ranking (first {shown(self.queries[self.missing[0]])}), "
                "an error there"
            )
        whole, touched, part = self._pieces(setting)
        values = metric.values_of(whole, convention)
        if part is not None:
            values = values.copy()
            values[touched] = metric.values_of(part, convention)
        return values

    def _pieces(self, setting: Setting) -> tuple[Sum, Bools, Sum | None]:
        """The sums of all queries, under rules that leave most of them as they are; and of the others, anew."""
        touched = self.touched(setting.convention)
        if len(self.queries) <= FEW or 2 * int(touched.sum()) > len(touched):
            return self.sum(setting), touched, None
        whole = self.sum(Setting(setting.metric, _untouched(setting.convention)))
        return whole, touched, self.sum(setting, touched) if touched.any() else None

    def mean(self, setting: Setting) -> float:
        """The values of all queries as one."""
        return self.mean_of(self.values(setting), setting)

    def mean_of(self, values: Floats, setting: Setting, **over: Any) -> float:
        """These values of all queries as one, as the setting averages (or as ``over`` says)."""
        answered = {"": ({setting.metric: values}, self.missing)}
        rules = _after(*(over.get(rule, getattr(setting.convention, rule)) for rule in AFTER))
        return Scores(self.queries, answered, rules, Findings()).mean(setting.metric)

    def counted(self, setting: Setting) -> Floats:
        """The values of all queries; NaN for each that the setting leaves out of the mean."""
        values = self.values(setting)
        if setting.convention.missing == "skip" and len(self.missing):
            values = values.copy()
            values[self.missing] = np.nan
        return values

    def undefined_somewhere(self, setting: Setting) -> bool:
        """Whether the metric is 0/0 for a query."""
        whole, touched, part = self._pieces(setting)
        if whole.normaliser is None:
            return False
        zero = whole.normaliser.values == 0
        if part is None or part.normaliser is None:
            return bool(zero.any())
        return bool(zero[~touched].any() or (part.normaliser.values == 0).any())

    def touched(self, convention: Convention) -> Bools:
        """The queries that rules before the formula may treat otherwise than the plain ones, which leave most alone."""
        key = tuple(getattr(convention, rule) for rule in TOUCHING)
        if key not in self._touches:
            touched = np.zeros(len(self.queries), dtype=bool)
            if convention.ties != PLAIN["ties"]:
                touched |= self.some_tied(convention.score_precision)
            if convention.score_precision != PLAIN["score_precision"]:
                touched |= self.collapsing
            if convention.negative != PLAIN["negative"]:
                touched |= self.some_negative
            self._touches[key] = touched
        return self._touches[key]


@lru_cache(maxsize=4096)
def _before_and_formula(convention: Convention) -> Convention:
    """The convention with the rules after the formula as by default."""
    return convention.replace(**AFTER)


@lru_cache(maxsize=4096)
def _untouched(convention: Convention) -> Convention:
    """The convention as it treats the queries that none of the touching rules touches."""
    return convention.replace(**{rule: PLAIN[rule] for rule in TOUCHING}, **AFTER)


@lru_cache(maxsize=4096)
def _after(*values: Any) -> Convention:
    """The rules after the formula alone."""
    return DEFAULT.replace(**dict(zip(AFTER, values, strict=True)))


def refusal(data: Data, setting: Setting) -> str:
    """Why there is no value under this setting; empty where there is one."""
    try:
        data.mean(setting)
    except UndefinedError as error:
        return f"query {shown(data.queries[error.place])}: {error}"
    except RankgaugeError as error:
        return str(error)
    return ""


def _depth(metric: Metric, convention: Convention) -> int | None:
    """Down to which rank judged items matter."""
    return metric.k if metric.definition.top_only and convention.ideal != "returned" else None


def _down_to(judged: JudgedRankings, depth: int) -> JudgedRankings:
    """The same queries without what stands below a rank; the pool stays whole."""
    inside = judged.rank <= depth
    if inside.all():
        return judged
    sizes = np.bincount(judged.segments.query[inside], minlength=judged.segments.count)

    def kept(column: Floats | None) -> Any:
        return None if column is None else column[inside]

    return JudgedRankings(
        Segments.of_sizes(sizes),
        judged.rank[inside],
        judged.grade[inside],
        judged.returned,
        judged.pool,
        judged.pool_grade,
        kept(judged.judged),
        kept(judged.tie_first),
        kept(judged.tie_size),
        kept(judged.positive),
    )


def _sorted(matched: Matched) -> Ints:
    """What matching found of each query, in an order that does not depend on how it was found."""
    columns = np.stack((matched.above, matched.tied, matched.grade))
    return columns[:, np.lexsort((matched.grade, matched.tied, matched.above, matched.query))]
