"""``rg.audit``: treat a metric as a black box, and find its definition and the laws it breaks."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from rankgauge.auditing.averaging import averaging
from rankgauge.auditing.calls import Caller, half_unit
from rankgauge.auditing.choice import COLUMNS, chosen_form, no_number
from rankgauge.auditing.definitions import ANY_ORDER, Reference, is_binary, reference, unlike_default
from rankgauge.auditing.foreign import Foreign, check_function
from rankgauge.auditing.forms import PANDAS, column_names
from rankgauge.auditing.identification import Identification, identify
from rankgauge.auditing.law_faults import faults_of
from rankgauge.auditing.laws import CLOSE, DEFINITION, LAWS, Law, Trial
from rankgauge.auditing.outcome import Outcome
from rankgauge.auditing.program import Program, check_placeholders
from rankgauge.auditing.result import Audit, Broken, Calls
from rankgauge.auditing.robustness import robustness
from rankgauge.auditing.untested import NOT_MISSED, untested
from rankgauge.auditing.worlds import (
    World,
    closed_worlds,
    deep_worlds,
    graded_worlds,
    large_worlds,
    listed,
    long_worlds,
    plain_first,
    rescored_worlds,
    scored_worlds,
    small_worlds,
)
from rankgauge.conventions import DEFAULT, Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError, ParameterError
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import metric_or_default
from rankgauge.reconciliation.rule_setting import RuleSetting
from rankgauge.rendering.language import Phrase

SMALL_PROGRAM = 2
"""Items of the worlds on which a program is tried, which takes much longer than a function."""
SHORT_CUTOFFS = (2, 1)
"""Cutoffs that matter for small worlds, for functions that take one."""
PERFECT = World((("a", 2.0), ("b", 1.0), ("c", 1.0)), listed(("a", "b", "c")))
"""A perfect list, which scores more than 1 if a metric is no share."""
LAW_SECONDS = 6.0
"""Time for all laws together; small worlds come first."""
TOGETHER = 16
"""Worlds whose trials are called together."""
SLOW_CALLS = {0.001: 4, 0.005: 16}
"""Of functions whose calls take more processor time than these seconds, only every n-th world is tried."""
FEWEST = 120
"""Worlds that are tried even of a slow function, if there are as many."""
OF_ITEMS = Phrase(
    "{metric} depends on the items themselves; audit supports metrics of grades only",
    "{metric} 取决于物品本身；audit 只支持由等级计算的指标",
)
NOT_FOUND = Phrase("program not found: {program!r}", "找不到程序：{program!r}")


def audit(
    function: Callable[..., Any] | str,
    metric: str | Metric,
    *,
    convention: ConventionLike = None,
    call: str | None = None,
    timeout: float = 5.0,
    total_timeout: float = 120.0,
) -> Audit:
    """Find which definition of a metric a function computes, and which laws it breaks.

    The function is called with small inputs, the smallest first, so that counterexamples are minimal and the result is
    always the same. It runs in another process, a fork of this one: what it prints stays there, and a crash or a call
    without an end is a result. A ValueError, a TypeError or an exception of the function's own package counts as a
    refusal if it has a message; every other exception and NaN is a fault. Removing repeated items before scoring is
    allowed.

    Parameters
    ----------
    function
        A function, a callable object, an object with the methods ``update``, which is called with one query after
        another, and ``compute``, or one with a method ``evaluate``, ``compute`` or ``score``; a class is
        instantiated without arguments. A text ``package.module:function`` or ``file.py:function`` is imported in
        the other process.
    metric
        The metric that it is meant to compute.
    convention
        The definition that it is meant to follow: a Convention or the name of a preset. Laws that this definition
        itself breaks are excused, and every other value is a fault. Without it, the laws are those of the definition
        that is nearest to the function.
    call
        How the function is called; found by a few trials if omitted. One of ``"grades"``, ``"labels, scores"``,
        ``"[labels], [scores]"``, ``"relevant, ranked"``, ``"[relevant], [ranked]"``,
        ``"relevant by query, ranked by query"``, ``"grades by item, ranked"``, ``"grades by item, scores by item"``,
        ``"judgments, ranking"``, ``"judgments, ranked by query"``, ``"judgments frame, ranking frame"``,
        ``"relevant frame, ranking frame"`` (judgments hold relevant rows only), ``"frame"``, or one of these in the
        opposite order; ``"hits"``, ``"hits, scores"`` or ``"[hits], [scores]"`` for numbers that are 0 and 1 only. A
        cutoff is passed under its own name.
    timeout
        Seconds for one call; the first may take 60, since it may import a library.
    total_timeout
        Seconds for all calls together.

    Examples
    --------
    >>> import rankgauge as rg
    >>> def recall(relevant, ranked, k):
    ...     return sum(item in relevant for item in ranked[:k]) / len(relevant)
    >>> result = rg.audit(recall, "R@10")
    >>> result.verdict, [broken.law for broken in result.broken]
    ('accused', ['bounds', 'repeated items', 'answers'])
    >>> print(result.broken[0].example)
    judged {a: 1}, returned [a, a], k = 2
    >>> print(result.diagnosis[0].en)
    counts a repeated item twice
    """
    parsed = metric_or_default(metric)
    if parsed.definition.of_items:
        raise ParameterError(OF_ITEMS.fill(metric=parsed))
    check_function(function)
    rules = None if convention is None else check_convention(convention).for_metric(parsed.name)
    foreign = Foreign(function, timeout, total_timeout)
    try:
        return _audit(foreign, parsed, rules, call, program=isinstance(function, Program))
    finally:
        foreign.close()


def audit_program(
    words: list[str],
    metric: str | Metric,
    *,
    convention: ConventionLike = None,
    timeout: float = 5.0,
    total_timeout: float = 120.0,
) -> Audit:
    """Audit a program that reads TREC files of judgments and a ranking, and prints a number."""
    if not words or shutil.which(words[0]) is None:
        raise InputError(NOT_FOUND.fill(program=words[0] if words else ""))
    check_placeholders(words)
    return audit(
        Program(words, timeout),
        metric,
        convention=convention,
        call="judgments, ranking",
        timeout=timeout,
        total_timeout=total_timeout,
    )


def _audit(foreign: Foreign, metric: Metric, rules: Convention | None, call: str | None, *, program: bool) -> Audit:
    binary = is_binary(metric)
    probes = _worlds(metric, takes_k=False, program=program, binary=binary)
    caller, tried = chosen_form(foreign, metric, rules, call, probes, binary=binary)
    of_frames = bool(tried) and PANDAS in tried[0].form.containers  # whose columns may have other names
    stated = call is not None and not of_frames
    if caller is None:
        caller = _at_fault(tried if foreign.hangs else tried[:stated])
    if caller is None:
        reasons = [] if foreign.stopped is None else [foreign.stopped]
        reasons += [no_number(tried, call, program=program)] if tried else []
        reasons += [COLUMNS.fill(columns=column_names())] if call is not None and of_frames else []
        calls = Calls.of([answer for each in tried for answer in each.answered.items()], 0, 0)
        return Audit(foreign.name, metric, call or "", calls, None, (), (), (), tuple(reasons), printed=foreign.printed)
    worlds = _thinned(_worlds(metric, takes_k=caller.takes_k, program=program, binary=binary), caller)
    caller.repeatable &= not program
    kinds = (deep_worlds, long_worlds, *([rescored_worlds] if caller.form.scores else []))
    further = (world for kind in kinds for world in kind(metric.k, few=program))
    compared = [*worlds, *filter(caller.expresses, further)]
    graded = [world for world in _graded(metric, rules, caller, few=program) if world not in {*worlds}]
    identification = identify(caller, metric, rules, [*compared, *graded])
    compared += [] if identification.limits else graded
    if rules is not None:
        identification = replace(identification, expected=RuleSetting(metric, rules))
    broken, excused = _broken_laws(caller, identification.expected, rules, worlds)
    if rules is not None:
        broken += _other_values(caller, _held_against(metric, rules, identification), compared)
    elif identification.faults and not broken:
        broken += _other_values(caller, identification.expected, compared)
    averaged = averaging(caller, identification.expected, stated=rules is not None)
    skips = rules is None and averaged.rules.get("no_relevant") == "skip"
    broken += robustness(caller, identification, rules, {*graded}, skips=skips)
    broken += averaged.broken
    nearest = identification.nearest
    if nearest is not None and averaged.rules:
        nearest = nearest.with_rules(averaged.rules)
    limits = untested(caller, identification, graded, decided=rules is not None or bool(broken))
    limits += () if broken else averaged.untested
    faults = (*(identification.faults if rules is None or broken else ()), *averaged.faults)
    faults = faults_of([each.law for each in broken], faults, exact=nearest is not None and nearest.exact)
    calls = Calls.of([*caller.answered.items()], identification.compared, identification.tied)
    excused_laws = tuple(excused) if rules is not None else ()
    differing = unlike_default(metric, nearest, worlds) if rules is None else ()
    if rules is None and nearest is not None and nearest.exact:
        differing += tuple(rule for rule, value in averaged.rules.items() if value == "skip")
    return Audit(
        foreign.name, metric, caller.form.name, calls, nearest, tuple(broken), excused_laws, faults,
        limits, printed=foreign.printed, integers=caller.integers, partial=NOT_MISSED in limits, differing=differing,
    )  # fmt: skip


def _at_fault(tried: Sequence[Caller]) -> Caller | None:
    """Return the first way of calling in which a function fails; it is the function's fault in the form stated."""
    return next((each for each in tried if any(given.kind == "fault" for given in each.answered.values())), None)


def _graded(metric: Metric, rules: Convention | None, caller: Caller, *, few: bool) -> list[World]:
    """Return the worlds with higher grades that the form can express, without those on which the definition is 0/0."""
    worlds = [*filter(caller.expresses, graded_worlds(metric.k, few=few))]
    setting = RuleSetting.of(metric, rules or DEFAULT).replace(undefined="nan", no_relevant="computed")
    values = Reference(worlds).values(setting)
    return [world for world, value in zip(worlds, values, strict=True) if not math.isnan(value)]


def _worlds(metric: Metric, *, takes_k: bool, program: bool, binary: bool) -> list[World]:
    """Return the worlds to try, the smallest first; only with grades 0 and 1 for a binary metric."""
    small, large = [*small_worlds(), *scored_worlds()], [*large_worlds(), *closed_worlds()]
    if binary:
        small = [world for world in small if world.highest <= 1]
        large = [world._replace(gold=tuple((item, min(grade, 1.0)) for item, grade in world.gold)) for world in large]
    if program:  # every call starts a process
        small, large = [world for world in small if world.size <= SMALL_PROGRAM], large[:4]
    cutoffs = [metric.k]
    if metric.k is not None and takes_k:
        cutoffs = [*dict.fromkeys(min(k, metric.k) for k in (*SHORT_CUTOFFS, metric.k))]
    return [world._replace(k=k) for world in [*small, *large] for k in cutoffs]


def _thinned(worlds: list[World], caller: Caller) -> list[World]:
    """Return the worlds that the form can express; of a slow function fewer."""
    usable = [world for world in worlds if caller.expresses(world)]
    mean = caller.seconds / max(len(caller.answered), 1)
    slow = max((step for seconds, step in SLOW_CALLS.items() if mean > seconds), default=1)
    step = max(1, min(slow, len(usable) // FEWEST))
    caller.repeatable = slow == 1
    return usable[: FEWEST // 4] + usable[FEWEST // 4 :: step]


def _broken_laws(
    caller: Caller, expected: RuleSetting, stated: Convention | None, worlds: list[World]
) -> tuple[list[Broken], list[Law]]:
    """Return the laws that the function breaks and the definition does not, and those that both break."""
    end = time.monotonic() + LAW_SECONDS
    broken, excused = [], []
    unbounded = _values_of([PERFECT._replace(k=expected.metric.k)], expected)[0] > 1 + CLOSE
    for law in LAWS:
        any_order = stated is None or stated.ties in ANY_ORDER
        if (law.name == "order of ties" and any_order) or (law.of_shares and unbounded):
            continue
        if law.of_scores and not caller.form.scores:
            continue
        counterexample, both = _counterexample(law, caller, expected, worlds, end)
        broken += [] if counterexample is None else [counterexample]
        excused += [law] if both and counterexample is None else []
    return broken, excused


def _values_of(worlds: Sequence[World], setting: RuleSetting) -> list[float]:
    return reference(worlds, setting.metric, setting.convention)


def _counterexample(
    law: Law, caller: Caller, expected: RuleSetting, worlds: list[World], end: float
) -> tuple[Broken | None, bool]:
    """Return the smallest counterexample, and whether some world breaks the law under the definition as well.

    A world with one more item is preferred if the value that the law is about is right on the smallest.
    """
    both, other, size = False, None, 0
    for trials in _batches(_violations(law, caller, worlds, end)):
        right = iter(Reference([world for trial, _ in trials for world in trial.worlds]).values(expected).tolist())
        for trial, values in trials:
            expectation = [next(right) for _ in trial.worlds]
            if other is not None and trial.worlds[0].size > size + 1:
                return other, both
            if not any(map(math.isnan, expectation)) and not trial.holds(*expectation):
                both = True
                continue
            place = _last_wrong(values, expectation)
            broken = _broken_trial(law, trial, place, values, expectation, expected)
            if place == len(values) - 1:
                return broken, both
            other, size = (broken, trial.worlds[0].size) if other is None else (other, size)
    return other, both


def _violations(law: Law, caller: Caller, worlds: list[World], end: float) -> Iterator[tuple[Trial, list[float]]]:
    """Yield the trials on which a law does not hold, the smallest first."""
    plain = [world for world in worlds if not world.repeats and not world.ties and world.in_order]
    for start in range(0, len(plain), TOGETHER):
        trials = [trial for world in plain[start : start + TOGETHER] for trial in law.trials(world)]
        caller.ask(world for trial in trials for world in trial.worlds)
        for trial in trials:
            values = _values(caller, trial)
            if values is not None and not trial.holds(*values):
                yield trial, values
        if time.monotonic() > end:
            return


def _batches(trials: Iterator[tuple[Trial, list[float]]]) -> Iterator[list[tuple[Trial, list[float]]]]:
    """Yield trials in batches that grow, since definitions are quicker for many worlds at once."""
    size = 4
    while batch := [*islice(trials, size)]:
        yield batch
        size *= 4


def _broken_trial(
    law: Law, trial: Trial, place: int, values: Sequence[float], right: Sequence[float], expected: RuleSetting
) -> Broken:
    """Return a broken law with the world that is wrong, and the one that it was compared with."""
    other = place - 1 if place else len(values) - 1
    before = (trial.worlds[other], values[other]) if other != place else None
    outcome = Outcome("value", values[place])
    return Broken(law.name, law.text, trial.worlds[place], outcome, _finite(right[place]), expected, before)


def _last_wrong(values: Sequence[float], expected: Sequence[float]) -> int:
    """Return the place of the last value that is not the expected one; the last of all if every value is."""
    wrong = [not abs(value - right) <= CLOSE for value, right in zip(values, expected, strict=True)]
    return max((place for place, is_wrong in enumerate(wrong) if is_wrong), default=len(wrong) - 1)


def _finite(value: float) -> float | None:
    return None if math.isnan(value) else value


def _values(caller: Caller, trial: Trial) -> list[float] | None:
    """Return the values of a trial; None if a world cannot be expressed, is refused or is a fault of its own."""
    values = []
    for world in trial.worlds:
        outcome = caller(world)
        if outcome is None or outcome.kind != "value":
            return None
        values.append(outcome.value)
    return values


def _held_against(metric: Metric, rules: Convention, found: Identification) -> RuleSetting:
    """Return the stated definition; an order of ties that it leaves open does not allow that ties count as wins."""
    effective = metric.effective_convention(rules)
    wins = found.nearest is not None and found.nearest.setting.convention.ties == "best"
    if wins and effective.ties in ANY_ORDER:
        rules = rules.replace_for(metric.name, ties="mean")
    return RuleSetting(metric, rules)


def _other_values(caller: Caller, expected: RuleSetting, worlds: list[World]) -> Iterator[Broken]:
    """Yield the smallest world on which the function does not give the value of the definition."""
    close = CLOSE if caller.decimals is None else half_unit(caller.decimals)
    for world, value in caller.values(sorted(worlds, key=plain_first)):
        [right] = _values_of([world], expected)
        if not abs(right - value) > close * max(1.0, abs(right)) or (world.ties and _is_open(world, expected)):
            continue
        yield Broken("definition", DEFINITION, world, Outcome("value", value), right, expected)
        return


def _is_open(world: World, expected: RuleSetting) -> bool:
    """Return whether the definition leaves the order of tied items to a sort, and their order changes the value."""
    if expected.convention.for_metric(expected.metric.name).ties not in ANY_ORDER:
        return False
    values = [_values_of([world], expected.replace(ties=order))[0] for order in ("input", "input-reversed", "mean")]
    if math.isnan(values[-1]):  # no closed form of the mean over all orders
        values = [_values_of([world], expected.replace(ties=order))[0] for order in ("best", "worst")]
    return max(values) - min(values) > CLOSE
