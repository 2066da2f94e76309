"""Judgments and a ranking, read once and evaluated under many rule settings.

Each stage caches its results by the rules that it depends on: the ranking is matched once for each order of equal
scores, rules are applied once for each treatment of negative and unjudged items, and sums are computed once for each
formula. Rules that affect few queries (the order of equal scores, negative grades) are recomputed only for those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np

from rankgauge.conventions import DEFAULT, Convention
from rankgauge.conventions.convention import COMMON_RULES, GRADE_CHANGES, rules_at
from rankgauge.conventions.order import SHARED_RANK
from rankgauge.conventions.rule import Stage
from rankgauge.errors import InputError, RankgaugeError, UndefinedError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.matching.apply_rules import apply_rules
from rankgauge.matching.copies import FIRST
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.definition import CUTOFF_RULES
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.summary import POOLED, query_weights, weighted_value
from rankgauge.metric_core.sums import Sum
from rankgauge.reconciliation.rule_setting import RuleSetting
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints, Segments

FIXED_ORDERS = ("id", "id-ascending", "input", "input-reversed", "random")
RULES_AFTER = {rule: getattr(DEFAULT, rule) for rule in rules_at(Stage.AFTER, Stage.SUMMARY)}
"""Rules applied after the formula, with their defaults."""
RULES_BEFORE = {rule: getattr(DEFAULT, rule) for rule in COMMON_RULES if rule not in RULES_AFTER}
"""Rules of every metric applied before, with the values used for queries that they do not affect."""
FEW_QUERIES = 64
"""Up to this number of queries, all of them are recomputed for every setting."""
CACHED_SUMS = 8
CACHED_STAGES = 512
"""More than the settings around one formula, which are evaluated again for each formula."""

DataForm = Literal["trec", "letor", "arrays", "other"]
"""How the data came in, as far as it tells which tools they are meant for."""
MatchFunction = Callable[[Convention], Matched]
"""Returns the matched rows of all judged queries under the rules that matching depends on."""
NO_REFUSAL = Phrase("", "")
REFUSALS = {
    "match": Phrase(
        "it finds items by their text or their unit, and reconcile compares ids",
        "它按文本或单位匹配物品，而 reconcile 按 id 比较",
    ),
    "negative": Phrase(
        "{count:# query has|# queries have} negative grades, which is an error under these rules",
        "{count:,} 个查询有负的等级，按这些规则会报错",
    ),
    "copies": Phrase(
        "{count:# query returns|# queries return} an item more than once, which is an error under these rules",
        "{count:,} 个查询重复返回了同一物品，按这些规则会报错",
    ),
    "missing": Phrase(
        "{count:# judged query has|# judged queries have} no ranking (first {first}), which is an error under these "
        "rules",
        "{count:,} 个有标注的查询没有排序结果（首个为 {first}），按这些规则会报错",
    ),
}
"""Why a definition gives no value for the data."""


class ReconciliationData:
    """Judgments and a ranking, evaluated under any number of rule settings."""

    def __init__(self, queries: Sequence[Any], missing: Ints, match: MatchFunction, form: DataForm = "other") -> None:
        self.queries = queries
        self.missing = missing
        self.form = form
        self.is_list_alone = False
        """Whether the data are a list of grades without an ideal, so that all judged items are returned."""
        self.gain_names: dict[Any, Any] = {}
        """Gains with the same values on these data, as ``equivalent_gain`` found them."""
        self._matched = lru_cache(CACHED_STAGES)(match)
        self._judged = lru_cache(CACHED_STAGES)(self._apply_rules)
        self._sums = lru_cache(CACHED_SUMS)(self._compute)
        self._affected = lru_cache(CACHED_STAGES)(self._affected_by)
        self._lacks_relevant = lru_cache(CACHED_STAGES)(self._has_query_without_relevant)
        self.has_ties = lru_cache(CACHED_STAGES)(self._has_ties)
        """Whether each query has a judged item with the score of another item, at this precision of scores."""
        self.equivalent_order = lru_cache(CACHED_STAGES)(self._equivalent_order)
        """The first order of equal scores that has the same result as this one, at this precision of scores."""

    def with_pool(self, grades: Floats) -> ReconciliationData:
        """Return the data of one query with these grades as those of all judged items."""

        def matched(convention: Convention) -> Matched:
            return replace(self.matched(convention), pool_query=np.zeros(len(grades), np.int64), pool_grade=grades)

        return ReconciliationData(self.queries, self.missing, matched)

    def returned_only(self) -> ReconciliationData:
        """Return the data without the judgments of items that were not returned."""

        def matched(convention: Convention) -> Matched:
            rows = self.matched(convention)
            return replace(rows, pool_query=rows.query, pool_grade=rows.grade)

        return ReconciliationData(self.queries, self.missing, matched)

    # Properties of the data

    @cached_property
    def grades(self) -> Floats:
        """Distinct grades in ascending order."""
        return np.unique(self.plain.pool_grade)

    @property
    def is_graded(self) -> bool:
        """Whether there are several grades above 0."""
        return int((self.grades > 0).sum()) > 1

    @property
    def plain(self) -> Matched:
        """Matched rows with scores in double precision and ties by id."""
        return self.matched(DEFAULT)

    @cached_property
    def has_unjudged(self) -> Bools:
        """Whether each query has an unjudged returned item."""
        return self.plain.returned > self.sizes[0]

    @cached_property
    def has_negative(self) -> Bools:
        """Whether each query has a negative grade."""
        negative = self.plain.pool_query[self.plain.pool_grade < 0]
        return np.bincount(negative, minlength=len(self.queries)) > 0

    @cached_property
    def has_copies(self) -> Bools:
        """Whether each query returns an item more than once."""
        later = self.plain.query[:0] if self.plain.copy is None else self.plain.query[self.plain.copy > FIRST]
        return np.bincount(later, minlength=len(self.queries)) > 0

    def _has_ties(self, precision: str) -> Bools:
        matched = self.matched(DEFAULT.replace(score_precision=precision))
        return np.bincount(matched.query[matched.tied > 1], minlength=len(self.queries)) > 0

    def _equivalent_order(self, ties: str, precision: str) -> str:
        if not self.has_ties(precision).any():
            return "id"
        if ties not in FIXED_ORDERS or ties == "random":
            return ties
        before = {
            order: self.matched(DEFAULT.replace(score_precision=precision, ties=order)).before
            for order in FIXED_ORDERS
            if order != "random"
        }
        return next(order for order, places in before.items() if np.array_equal(places, before[ties]))

    @cached_property
    def precision_sensitive(self) -> Bools:
        """Whether each query has scores that differ in double but not in single precision."""
        double, single = self.plain, self.matched(DEFAULT.replace(score_precision="float32"))
        if len(double.query) != len(single.query):
            return np.ones(len(self.queries), dtype=bool)
        moved = (_sorted(double) != _sorted(single)).any(axis=0)
        return np.bincount(np.sort(double.query)[moved], minlength=len(self.queries)) > 0

    @cached_property
    def shortest(self) -> int:
        """Number of different items of the shortest list."""
        later = (
            0
            if self.plain.copy is None
            else np.bincount(self.plain.query, weights=self.plain.copy > FIRST, minlength=len(self.queries))
        )
        return int((self.plain.returned - later).min())

    def lacks_relevant(self, rules: Convention) -> bool:
        """Whether any query has no relevant item."""
        return self._lacks_relevant(_rules(**{rule: getattr(rules, rule) for rule in ("rel", *GRADE_CHANGES)}))

    def _has_query_without_relevant(self, rules: Convention) -> bool:
        return bool((self.plain.relevant(rules) == 0).any())

    @cached_property
    def sizes(self) -> tuple[Ints, Ints]:
        """Number of returned judged items, each counted once, and of judged items of each query."""
        once = True if self.plain.copy is None else self.plain.copy == FIRST
        rows = np.bincount(self.plain.query[(self.plain.grade >= 0) & once], minlength=len(self.queries))
        pool = np.bincount(self.plain.pool_query, minlength=len(self.queries))
        return rows, np.maximum(pool, rows)

    # Stages

    def matched(self, convention: Convention) -> Matched:
        """Return the rows of all queries for this precision and order of equal scores."""
        order = convention.ties if convention.ties in FIXED_ORDERS else "id"
        grade = "nonrelevant" if isinstance(convention.unjudged, str) else convention.unjudged
        grade = 0 if grade == "nonrelevant" and convention.tied_at_k == "all" else grade  # a row for every item
        seed = convention.seed if order == "random" else 0
        rules = {rule: getattr(convention, rule) for rule in rules_at(Stage.MATCHING)}
        rules |= {"ties": order, "seed": seed, "unjudged": grade}
        return self._matched(_rules(**rules, hit_if="score>0", duplicates="first"))  # whatever copies count

    def judged(self, convention: Convention, depth: int | None = None, *, affected: bool = False) -> JudgedRankings:
        """Return all queries (or those affected by sparse rules) with the rules before the formula, down to a rank."""
        before = {rule: getattr(convention, rule) for rule in RULES_BEFORE}
        return self._judged(_rules(**before), depth, affected)

    def _apply_rules(self, convention: Convention, depth: int | None, affected: bool) -> JudgedRankings:
        if depth is not None:
            return _down_to(self.judged(convention, affected=affected), depth)
        matched = self.matched(convention)
        return apply_rules(matched.of_queries(self.affected(convention)) if affected else matched, convention)

    def signature(self, convention: Convention) -> tuple[object, ...]:
        """Return a key that is equal for two conventions whose rules before the formula have the same effect."""
        affected, dense = self.affected(convention), tuple(getattr(convention, rule) for rule in DENSE_RULES)
        if not affected.any():
            return dense
        judged = self.judged(convention, affected=True)
        shared = convention.ties if convention.ties in {"mean", *SHARED_RANK} and judged.tie_first is not None else ""
        ties = (judged.tie_first, judged.tie_size) if shared else ()
        columns = (affected, judged.rank, judged.grade, judged.returned, judged.known, judged.pool_grade, *ties)
        return *dense, shared, *(np.asarray(column).tobytes() for column in columns)

    def sum(self, setting: RuleSetting, *, affected: bool = False) -> Sum:
        """Return the sums of all queries (or those affected by sparse rules), before the rules after the formula."""
        return self._sums(setting.metric, _without_rules_after(setting.convention), affected)

    def _compute(self, metric: Metric, convention: Convention, affected: bool) -> Sum:
        depth = _depth(metric, convention) if len(self.queries) > FEW_QUERIES else None
        sums = metric.compute(self.judged(convention, depth, affected=affected), convention)
        _ = sums.totals  # computed now, while the rows are in the cache
        return sums

    def values(self, setting: RuleSetting) -> Floats:
        """Return one value per query; NaN for queries that are left out."""
        metric, convention = setting
        if any(getattr(convention, rule) != getattr(DEFAULT, rule) for rule in rules_at(Stage.READING)):
            raise InputError(REFUSALS["match"])
        if convention.negative == "error" and self.has_negative.any():
            count = int(self.has_negative.sum())
            raise InputError(REFUSALS["negative"].fill(count=count))
        if convention.duplicates == "error" and self.has_copies.any():
            count = int(self.has_copies.sum())
            raise InputError(REFUSALS["copies"].fill(count=count))
        if convention.missing == "error" and len(self.missing):
            first = shown(self.queries[self.missing[0]])
            raise InputError(REFUSALS["missing"].fill(count=len(self.missing), first=first))
        base, affected, part = self._pieces(setting)
        values = metric.values_of(base, convention)
        if part is not None:
            values = values.copy()
            values[affected] = metric.values_of(part, convention)
        return values

    def _pieces(self, setting: RuleSetting) -> tuple[Sum, Bools, Sum | None]:
        """Return sums of all queries ignoring sparse rules, the affected queries, and the sums of those."""
        affected = self.affected(setting.convention)
        if len(self.queries) <= FEW_QUERIES or 2 * int(affected.sum()) > len(affected):
            return self.sum(setting), affected, None
        base = self.sum(RuleSetting(setting.metric, _without_sparse_rules(setting.convention)))
        return base, affected, self.sum(setting, affected=True) if affected.any() else None

    def mean(self, setting: RuleSetting) -> float:
        """Return the mean (or other average) over queries."""
        answered = {"": ({setting.metric: self.values(setting)}, self.missing)}
        rules = _rules(**{rule: getattr(setting.convention, rule) for rule in RULES_AFTER})
        corpus = {"": self._pooled(setting)}
        return Scores(self.queries, answered, rules, Findings(), corpus_values=corpus).mean(setting.metric)

    def _pooled(self, setting: RuleSetting) -> dict[Metric, CorpusValue]:
        """Return the value over all queries if they are pooled."""
        metric, convention = setting
        if metric.definition.summary.under(convention) is not POOLED:
            return {}
        base, affected, part = self._pieces(setting)
        weights = query_weights(metric, base)
        if part is not None:
            weights = weights.copy()
            weights[affected] = query_weights(metric, part)
        return {metric: weighted_value(metric, self.averaged_values(setting), weights, convention)}

    def averaged_values(self, setting: RuleSetting) -> Floats:
        """Return one value per query; NaN for queries that are left out of the mean."""
        values = self.values(setting)
        if setting.convention.missing == "skip" and len(self.missing):
            values = values.copy()
            values[self.missing] = np.nan
        return values

    def has_undefined(self, setting: RuleSetting) -> bool:
        """Whether the metric is 0/0 for any query."""
        base, affected, part = self._pieces(setting)
        if base.normaliser is None:
            return False
        zero = base.normaliser.values == 0
        if part is None or part.normaliser is None:
            return bool(zero.any())
        return bool(zero[~affected].any() or (part.normaliser.values == 0).any())

    def affected(self, convention: Convention) -> Bools:
        """Whether each query may be affected by a sparse rule that is not at its default."""
        return self._affected(*(getattr(convention, rule) for rule in SPARSE_RULES))

    def _affected_by(self, *values: Any) -> Bools:
        rules = dict(zip(SPARSE_RULES, values, strict=True))
        affected = np.zeros(len(self.queries), dtype=bool)
        for rule, queries in SPARSE_RULES.items():
            if rules[rule] != RULES_BEFORE[rule]:
                affected |= queries(self, rules["score_precision"])
        return affected


SPARSE_RULES: dict[str, Callable[[ReconciliationData, str], Bools]] = {
    "ties": lambda data, precision: data.has_ties(precision),
    "score_precision": lambda data, _: data.precision_sensitive,
    "negative": lambda data, _: data.has_negative,
}
"""Rules that affect only some queries, and which those are at a precision of scores; the others may affect any."""
DENSE_RULES = tuple(rule for rule in RULES_BEFORE if rule not in SPARSE_RULES)


@lru_cache(maxsize=4096)
def _without_rules_after(convention: Convention) -> Convention:
    """Return the convention with the rules after the formula at their defaults."""
    return convention.replace(**RULES_AFTER)


@lru_cache(maxsize=4096)
def _without_sparse_rules(convention: Convention) -> Convention:
    """Return the convention with sparse rules and rules after the formula at their defaults."""
    return convention.replace(**{rule: RULES_BEFORE[rule] for rule in SPARSE_RULES}, **RULES_AFTER)


@lru_cache(maxsize=4096)
def _rules(**rules: object) -> Convention:
    """Return a convention with these rules, and the defaults of all others."""
    return DEFAULT.replace(**rules)


def refusal(data: ReconciliationData, setting: RuleSetting) -> Phrase:
    """Return why there is no value under this setting; empty if there is one."""
    try:
        data.mean(setting)
    except UndefinedError as error:
        query = shown(data.queries[error.place])
        return Phrase(f"query {query}: {error}", f"查询 {query}：{error.render('zh')}")
    except RankgaugeError as error:
        return Phrase(*error.texts)
    return NO_REFUSAL


def _depth(metric: Metric, convention: Convention) -> int | None:
    """Return the rank below which judged items do not matter."""
    moved = any(getattr(convention, rule) != getattr(DEFAULT, rule) for rule in CUTOFF_RULES)
    moved |= metric.judged_only or convention.ideal == "returned"
    return metric.k if metric.definition.top_only and not moved else None


def _down_to(judged: JudgedRankings, depth: int) -> JudgedRankings:
    """Drop items below a rank; the pool is unchanged."""
    inside = judged.rank <= depth
    if inside.all():
        return judged
    segments = Segments.of_rows(judged.segments.query[inside], judged.segments.count)
    optional = (judged.judged, judged.tie_first, judged.tie_size)
    kept = (None if column is None else column[inside] for column in optional)
    rank, grade, rare = judged.rank[inside], judged.grade[inside], judged.rare.of_rows(inside)
    return JudgedRankings(segments, rank, grade, judged.returned, judged.pool, judged.pool_grade, *kept, rare=rare)


def _sorted(matched: Matched) -> Ints:
    """Return the matched columns, sorted so that two matchings can be compared."""
    columns = np.stack((matched.above, matched.tied, matched.grade))
    return columns[:, np.lexsort((matched.grade, matched.tied, matched.above, matched.query))]
