"""Several queries in one call: whether a function gives the mean of their values, and what it does instead."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from rankgauge.auditing.calls import Caller, half_unit
from rankgauge.auditing.definitions import Reference
from rankgauge.auditing.forms import BY_NAME, Side
from rankgauge.auditing.laws import CLOSE
from rankgauge.auditing.outcome import Outcome
from rankgauge.auditing.result import Broken
from rankgauge.auditing.worlds import Queries, World, listed
from rankgauge.metric_core.notation import parse
from rankgauge.reconciliation.rule_setting import RuleSetting
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats

HITS = ((2,), (1,), (2, 3), (3,), (1, 3), (1, 2, 4), (2, 4))
"""Ranks of the relevant items of each query: lists that differ in how hard they are."""
LENGTH = 4
"""Items of each list, or one fewer."""
DEEPEST = 200
"""The largest fixed cutoff beyond which a relevant item is put."""
SEVERAL = Phrase("the value of several queries is the mean of their values", "多个查询的值是各查询取值的平均")
NOT_MEAN = Phrase("the value of several queries is not the mean of their values", "多个查询的值不是各查询取值的平均")
SUMS_DIVIDED = Phrase(
    "divides sums over queries instead of averaging their values", "用各查询的总和相除，而不是对各查询的值取平均"
)
NOT_TRIED = Phrase("several queries in one call: {answers}", "一次调用中的多个查询：{answers}")
QUERY_ORDER = Phrase(
    "the order of the queries in judgments and rankings does not matter", "标注与排序结果中查询的次序不影响结果"
)
BY_POSITION = Phrase("pairs queries by position, not by their names", "按位置而不是按名称对应标注与排序结果中的查询")
MIXED = Phrase(
    "queries are mixed: the items or scores of one change the value of another",
    "混淆了查询：一个查询的物品或分数改变了另一个查询的取值",
)
COUNTED = Phrase("a query that lacks something counts as the definition says", "有缺失的查询按定义计入")
UNRANKED = Phrase("a judged query that is not in the ranking", "有标注但不在排序结果中的查询")
UNJUDGED = Phrase("a ranked query without judgments", "没有标注的查询")
WITHOUT_RELEVANT = Phrase("a query without relevant items", "没有相关物品的查询")
DOES = {
    "computed": Phrase("counts with the value that it has alone", "按其单独的取值计入"),
    "zero": Phrase("counts as 0", "按 0 计入"),
    "skip": Phrase("is left out", "不计入"),
}
"""What becomes of such a query, by the value of its rule."""
OTHERWISE = Phrase("counts in no known way", "的计法不符合任何已知规则")
QUERY_DOES = Phrase("{query} {does}", "{query}{does}")
NO_ANSWER = Phrase("no call gave a number", "调用没有得到数")
OTHER_MEAN = Phrase("the definition has no plain mean over queries", "该定义不是各查询的简单平均")
NOT_BY_QUERY = Phrase(
    "the value is not the mean of their values, as where the column of queries is not read",
    "值不是各查询取值的平均，例如没有读取查询列时",
)


class Averaging(NamedTuple):
    """What calls with several queries showed."""

    broken: tuple[Broken, ...] = ()
    faults: tuple[Phrase, ...] = ()
    untested: tuple[Phrase, ...] = ()
    rules: Mapping[str, str] = {}
    """What becomes of queries that are not in the ranking, or have nothing relevant, as values of those rules."""


class Batch(NamedTuple):
    """Queries with the value that the function gives each alone, and what it gives them in one call."""

    worlds: tuple[World, ...]
    values: list[float]
    outcome: Outcome | None

    @property
    def answered(self) -> bool:
        """Whether the call gave a number."""
        return self.outcome is not None and self.outcome.kind == "value"

    def gives(self, value: float, close: float) -> bool:
        """Return whether the call gave this value, up to rounding of each query."""
        return self.outcome is not None and abs(self.outcome.value - value) <= close * max(1.0, abs(value))

    def gives_mean(self, close: float) -> bool:
        """Return whether the call gave the mean of the values."""
        return self.gives(statistics.fmean(self.values), close)


class Lacking(NamedTuple):
    """A query that lacks something, and the answer to it beside one that does not."""

    text: Phrase
    rule: str
    """The rule that says whether it counts; empty if there is none."""
    world: World
    values: Mapping[str, float]
    """What the answer is by each value of the rule."""
    outcome: Outcome | None
    mispaired: float
    """What the answer is if judgments and rankings are paired by position."""


WRONG_MEANS: tuple[tuple[Phrase, Callable[[list[float]], float]], ...] = (
    (Phrase("adds up queries instead of averaging", "把各查询的值相加，而没有取平均"), sum),
    (
        Phrase("leaves out queries without a hit", "漏掉了没有命中的查询"),
        lambda values: statistics.fmean([value for value in values if value] or [0.0]),
    ),
    (Phrase("only the first query counts", "只计入第一个查询"), lambda values: values[0]),
    (Phrase("only the last query counts", "只计入最后一个查询"), lambda values: values[-1]),
    (Phrase("takes the median of the queries, not the mean", "取各查询的中位数，而不是平均"), statistics.median),
)


def averaging(caller: Caller, expected: RuleSetting, *, stated: bool) -> Averaging:
    """Compare the answers to several queries with the mean of the answers to each, which need not be right."""
    if not caller.takes_queries:
        batch = _of_batches(caller)
        found = Averaging() if batch is None else averaging(batch, expected, stated=stated)
        return found if SUMS_DIVIDED in found.faults else Averaging()  # others may join rows, as one query
    rules, definition = expected.convention.for_metric(expected.metric.name), expected.metric.definition
    if rules.averaging != "mean" or definition.summary.adds_up(rules):
        return Averaging(untested=(NOT_TRIED.fill(answers=OTHER_MEAN),))
    batches = [_batch(caller, worlds) for worlds in _queries(caller)]
    if not batches or not all(batch.answered for batch in batches):
        texts = [batch.outcome.text for batch in batches if batch.outcome is not None and batch.outcome.text]
        return Averaging(untested=(NOT_TRIED.fill(answers=texts[0] if texts else NO_ANSWER),))
    close = 2 * (CLOSE if caller.decimals is None else half_unit(caller.decimals))
    if all(batch.gives_mean(close) for batch in batches):
        pair = _apart(batches[0].worlds[:2])
        if len(caller.values(pair)) < len(pair):
            return Averaging()
        ordered = _in_other_order(caller, pair, expected, close)
        return ordered if ordered.broken else _with_lacking(caller, pair, expected, close, stated=stated)
    fault = _fault(batches, expected, close)
    of_frames = caller.form.takes_queries and not caller.form.batch
    if fault is None and of_frames and not _reads_queries(caller, batches):
        return Averaging(untested=(NOT_TRIED.fill(answers=NOT_BY_QUERY),))
    worst = _smallest(caller, batches, close)
    fault = fault or (MIXED if _mixes(caller, worst, close) else None)
    outcome = worst.outcome or Outcome("value")
    right = statistics.fmean(worst.values)
    broken = Broken("several queries", SEVERAL, Queries(worst.worlds), outcome, right, expected)
    return Averaging((broken,), (fault or NOT_MEAN,))


def _of_batches(caller: Caller) -> Caller | None:
    """Return the function called with rows of several queries if it gives the same values for one; None otherwise."""
    form = BY_NAME.get(", ".join(f"[{name}]" for name in caller.form.name.split(", ")))
    if form is None:
        return None
    batch = replace(caller, form=form, _answers={})
    worlds = [world for worlds in _queries(batch) for world in worlds]
    return batch if worlds and batch.values(worlds) == caller.values(worlds) else None


def _apart(worlds: Sequence[World]) -> tuple[World, ...]:
    """Return the worlds without items in common, so that a query beside the wrong judgments has no hit."""
    named = []
    for number, world in enumerate(worlds, 1):
        gold, ranking = (
            tuple((f"{item}{number}", value) for item, value in pairs) for pairs in (world.gold, world.ranking)
        )
        named.append(World(gold, ranking, world.k))
    return tuple(named)


def _in_other_order(caller: Caller, pair: Sequence[World], expected: RuleSetting, close: float) -> Averaging:
    """Return the fault that the order of the queries, or of the rows of frames, changes the value."""
    right = statistics.fmean(value for _, value in caller.values(pair))
    reversible: tuple[Side, ...] = ("ranking", "judgments") if caller.form.names_queries else ()
    for side in reversible:
        outcome = caller.together(pair, "reversed", side)
        if outcome is not None and outcome.kind == "value" and abs(outcome.value - right) > close:
            broken = Broken("order of queries", QUERY_ORDER, Queries((*pair,)), outcome, right, expected)
            swapped = (_paired(caller, *worlds) for worlds in (pair, pair[::-1]))
            by_position = abs(outcome.value - statistics.fmean(swapped)) <= close
            return Averaging((broken,), (BY_POSITION,) if by_position else ())
    return Averaging()


def _paired(caller: Caller, first: World, second: World) -> float:
    """Return the value that the function gives the ranking of one query with the judgments of another."""
    answers = caller.values([first._replace(ranking=second.ranking)])
    return answers[0][1] if answers else math.nan


def _reads_queries(caller: Caller, batches: Sequence[Batch]) -> bool:
    """Return whether it matters to a function of frames which rows are of the same query."""
    return any(caller.together(batch.worlds, "one query") != batch.outcome for batch in batches)


def _mixes(caller: Caller, batch: Batch, close: float) -> bool:
    """Return whether the names of items, or scores, that do not matter to a query alone change the value together."""
    lifted = tuple(
        world._replace(ranking=tuple((item, score + 10 * number) for item, score in world.ranking))
        for number, world in enumerate(batch.worlds)
    )
    for worlds in (_apart(batch.worlds), lifted):
        other = _batch(caller, worlds)
        same = len(other.values) == len(batch.values) and np.allclose(other.values, batch.values, rtol=0, atol=close)
        if same and batch.outcome is not None and not (other.answered and other.gives(batch.outcome.value, close)):
            return True
    return False


def _lacking(caller: Caller, worlds: Sequence[World]) -> Iterator[Lacking]:
    """Yield queries that are not ranked, not judged, or have nothing relevant, beside one that lacks nothing."""
    first, last = worlds
    alone = caller.values([last])[0][1]
    values = {"zero": alone / 2, "skip": alone}
    if caller.form.names_queries:
        together = caller.together(worlds, "lacking", "ranking")
        yield Lacking(UNRANKED, "missing", first._replace(ranking=()), values, together, _paired(caller, first, last))
        together = caller.together(worlds, "lacking", "judgments")
        yield Lacking(UNJUDGED, "", first._replace(gold=()), values, together, _paired(caller, last, first))
    nothing = first._replace(gold=tuple((item, 0.0) for item, _ in first.gold))
    if caller.expresses(nothing):
        own = caller.values([nothing])
        computed = {"computed": (alone + own[0][1]) / 2} if own else {}
        together = caller.together((nothing, last))
        yield Lacking(WITHOUT_RELEVANT, "no_relevant", nothing, computed | values, together, math.nan)


def _with_lacking(
    caller: Caller, worlds: Sequence[World], expected: RuleSetting, close: float, *, stated: bool
) -> Averaging:
    """Return which queries count although they lack something; one without judgments never does."""
    rules, broken, faults, untested = {"missing": "error"}, [], [], []  # an error where every query is looked up
    for lacking in _lacking(caller, worlds):
        outcome = lacking.outcome
        if outcome is None or outcome.kind != "value":
            continue
        found = [rule for rule, value in lacking.values.items() if abs(outcome.value - value) <= close]
        rules[lacking.rule] = found[0] if found else ""
        by_position = not found and min(abs(outcome.value - lacking.mispaired / n) for n in (1, 2)) <= close
        does = QUERY_DOES.fill(query=lacking.text, does=DOES[found[0]] if found else OTHERWISE)
        text = BY_POSITION if by_position else does
        meant = str(expected.value(lacking.rule)) if lacking.rule else "skip"
        held = stated or not lacking.rule or by_position
        if held and meant not in found and meant in (*lacking.values, "error"):
            example = Queries((lacking.world, worlds[1]))
            broken.append(Broken("lacking queries", COUNTED, example, outcome, lacking.values.get(meant), expected))
            faults.append(text)
        elif not found:
            untested.append(text)
    known = {rule: value for rule, value in rules.items() if rule and value}
    return Averaging((*broken,), (*faults,), (*untested,), known)


def _queries(caller: Caller) -> Iterator[tuple[World, ...]]:
    """Yield queries for one call: all with a hit, then the last one without, then the first; those answered alone."""
    k = caller.metric.k
    if k is not None and caller.takes_k:
        k = min(k, LENGTH - 1)
    equal = caller.form.name in ("[labels], [scores]", "[scores], [labels]")
    hits = [_world(ranks, LENGTH - (0 if equal else number % 2), k) for number, ranks in enumerate(HITS)]
    found = [world for world in dict.fromkeys(hits) if world.has_relevant and _has_hit(world)]
    missed = _without_hits(found, k, equal=equal)
    for worlds in (found, missed, missed[::-1]):
        answered = tuple(world for world, _ in caller.values(worlds))
        if len(answered) > 1:
            yield answered


def _without_hits(found: Sequence[World], k: int | None, *, equal: bool) -> list[World]:
    """Return queries of which one has no hit: its relevant item is not returned, or below rank k."""
    if not equal:
        return [*found, _world((), LENGTH - 1, k).judging(y=1.0)]
    if k is None or k > DEEPEST:
        return []
    longer = [_world(ranks, max(k + 1, LENGTH), k) for ranks in HITS]
    last = _world((max(k + 1, LENGTH),), max(k + 1, LENGTH), k)
    return [*(world for world in longer if _has_hit(world)), last]


def _world(ranks: Sequence[int], length: int, k: int | None) -> World:
    items = [f"d{rank}" for rank in range(1, length + 1)]
    gold = tuple((item, float(rank in ranks)) for rank, item in enumerate(items, 1))
    return World(gold, listed(items), k)


def _has_hit(world: World) -> bool:
    return any(world.grades[item] > 0 for item in world.items[: world.k])


def _batch(caller: Caller, worlds: Sequence[World]) -> Batch:
    return Batch((*worlds,), [value for _, value in caller.values(worlds)], caller.together(worlds))


def _fault(batches: Sequence[Batch], expected: RuleSetting, close: float) -> Phrase | None:
    """Return what gives the answers to all batches in place of the mean; None if nothing known does."""
    for text, value in WRONG_MEANS:
        if all(batch.gives(value(batch.values), close * len(batch.values)) for batch in batches):
            return text
    weights = zip(*(_weights(batch, expected) for batch in batches), strict=True)
    for of_batches in weights:
        if all(_is_weighted(batch, each, close) for batch, each in zip(batches, of_batches, strict=True)):
            return SUMS_DIVIDED
    return None


def _is_weighted(batch: Batch, weights: Floats, close: float) -> bool:
    return bool(weights.any()) and batch.gives(float(np.average(batch.values, weights=weights)), close)


def _weights(batch: Batch, expected: RuleSetting) -> list[Floats]:
    """Return what the value of a query is divided by, for the metrics that divide: a sum over queries weighs by it."""
    perfect = [world.returning(*sorted(world.grades, key=lambda item: -world.grades[item])) for world in batch.worlds]
    dcg = RuleSetting(
        parse("DCG") if expected.metric.k is None else parse("DCG") @ expected.metric.k, expected.convention
    )
    relevant = np.array([sum(grade > 0 for _, grade in world.gold) for world in batch.worlds], dtype=float)
    within = np.array([world.k or np.inf for world in batch.worlds])
    ranks = np.array([1 / value if value > 0 else 0.0 for value in batch.values])
    lengths = np.array([len(world.ranking) for world in batch.worlds], dtype=float)
    return [Reference(perfect).values(dcg), relevant, np.minimum(relevant, within), ranks, lengths]


def _smallest(caller: Caller, batches: Sequence[Batch], close: float) -> Batch:
    """Return two queries whose answer is not the mean; all queries of a batch if no two show it."""
    for batch in batches:
        for pair in combinations(batch.worlds, 2):
            two = _batch(caller, pair)
            if two.answered and not two.gives_mean(close):
                return two
    return next(batch for batch in batches if not batch.gives_mean(close))
