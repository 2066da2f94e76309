"""``rg.audit``: treat a metric as a black box, and find its definition and the laws it breaks."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from rankgauge.auditing.calls import Caller, callers, half_unit
from rankgauge.auditing.definitions import ANY_ORDER, DefinitionMatch, Definitions, agreement, reference
from rankgauge.auditing.laws import ANSWERS, CLOSE, DEFINITION, LAWS, REPEATABLE, UNCHANGED, Law, Trial
from rankgauge.auditing.outcome import NAN, Outcome
from rankgauge.auditing.program import Program
from rankgauge.auditing.result import Audit, Broken
from rankgauge.auditing.worlds import World, large_worlds, listed, small_worlds
from rankgauge.conventions import RULES, Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError, ParameterError
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Lang, Phrase

SMALL_PROGRAM = 2
"""Items of the worlds on which a program is tried, which takes much longer than a function."""
PROBES = 40
"""Worlds on which the forms of arguments are tried."""
SHORT_CUTOFFS = (2, 1)
"""Cutoffs that matter for small worlds, for functions that take one."""
NAME_WEIGHT = 0.5
"""Agreement with definitions that outweighs a parameter whose name does not suggest the form."""
OTHER_METRICS = ("P", "R", "HR", "AP", "RR", "nDCG", "DCG", "F")
"""Metrics that a function may compute in place of the one it is meant to."""
PERFECT = World((("a", 2.0), ("b", 1.0), ("c", 1.0)), listed(("a", "b", "c")))
"""A perfect list, which scores more than 1 if a metric is no share."""
LAW_SECONDS = 20.0
"""Time for all laws together; small worlds come first."""
CHANGED = Phrase("the arguments were changed", "参数被改动")
THEN = Phrase("{first}, then {second}", "先是 {first}，再次调用得 {second}")
OF_ITEMS = Phrase(
    "{metric} depends on the items themselves; audit supports metrics of grades only",
    "{metric} 取决于物品本身；audit 只支持由等级计算的指标",
)
NO_NUMBER = Phrase(
    "no form of arguments gave a number; the function answered {answers}. "
    "State how it is called: call='relevant, ranked', for example",
    "没有一种调用形式得到数；函数的回答是 {answers}。请指明调用形式，例如 call='relevant, ranked'",
)
NOTHING = Phrase("nothing", "空")
NOTHING_PRINTED = Phrase("the program printed no number: {answers}", "程序没有输出数：{answers}")
OF_CLASS = Phrase(
    "function: {name} is a class that needs arguments ({error}); pass an instance",
    "function：{name} 是需要参数的类（{error}）；请传入实例",
)
CALLABLE = Phrase(
    "callable, or an object with evaluate, compute or score", "可调用对象，或带有 evaluate、compute 或 score 方法的对象"
)


def audit(
    function: Callable[..., Any],
    metric: str | Metric,
    *,
    convention: ConventionLike = None,
    call: str | None = None,
    timeout: float = 5.0,
) -> Audit:
    """Find which definition of a metric a function computes, and which laws it breaks.

    The function is called with small inputs, the smallest first, so that counterexamples are minimal and the result is
    always the same. A ValueError, a TypeError or an exception of the function's own package counts as a refusal if it
    has a message; every other exception and NaN is a fault. Removing repeated items before scoring is allowed.

    Parameters
    ----------
    function
        A function, a callable object, or an object with a method ``evaluate``, ``compute`` or ``score``; a class is
        instantiated without arguments.
    metric
        The metric that it is meant to compute.
    convention
        The definition that it is meant to follow: a Convention or the name of a preset. Laws that this definition
        itself breaks are excused, and every other value is a fault. Without it, the laws are those of the default.
    call
        How the function is called; found by its signature and a few trials if omitted. One of ``"grades"``,
        ``"labels, scores"``, ``"[labels], [scores]"``, ``"relevant, ranked"``, ``"grades by item, ranked"``,
        ``"judgments, ranking"``, or one of these in the opposite order. A cutoff is passed under its own name.
    timeout
        Seconds for one call.

    Examples
    --------
    >>> import rankgauge as rg
    >>> def recall(relevant, ranked, k):
    ...     return sum(item in relevant for item in ranked[:k]) / len(relevant)
    >>> result = rg.audit(recall, "R@10")
    >>> result.ok, [broken.law for broken in result.broken]
    (False, ['bounds', 'repeated items', 'answers'])
    >>> print(result.broken[0].example)
    judged {a: 1}, returned [a, a], k = 2
    """
    parsed = parse(metric)
    if parsed.definition.of_items:
        raise ParameterError(OF_ITEMS.fill(metric=parsed))
    rules = None if convention is None else check_convention(convention)
    caller = _caller(_callable(function), parsed, rules, call, timeout)
    worlds = _worlds(parsed, caller)
    broken, excused = _broken_laws(caller, parsed, rules, worlds)
    if not any(outcome.kind == "value" for outcome in caller.answered.values()):
        raise _no_number([caller])
    nearest = _definition(caller, parsed, rules, worlds)
    if rules is not None:
        broken += _other_values(caller, parsed, rules, worlds)
    broken += _robustness(caller, parsed, rules)
    name = getattr(function, "__qualname__", None) or type(function).__name__
    own = tuple(excused) if rules is not None else ()
    return Audit(name, parsed, caller.form.name, len(caller.answered), nearest, tuple(broken), own, caller.printed)


def audit_program(
    words: list[str], metric: str | Metric, *, convention: ConventionLike = None, timeout: float = 5.0
) -> Audit:
    """Audit a program that reads TREC files of judgments and a ranking, and prints a number."""
    return audit(Program(words, timeout), metric, convention=convention, call="judgments, ranking", timeout=timeout)


def _callable(function: Any) -> Callable[..., Any]:
    if isinstance(function, type):
        try:
            function = function()
        except TypeError as error:
            raise ParameterError(OF_CLASS.fill(name=function.__qualname__, error=error)) from error
    if callable(function):
        return function
    for name in ("evaluate", "compute", "score"):
        if callable(method := getattr(function, name, None)):
            return method
    raise ParameterError.of("function", function, CALLABLE)


def _caller(
    function: Callable[..., Any], metric: Metric, rules: Convention | None, call: str | None, timeout: float
) -> Caller:
    """Return the way of calling a function whose answers agree best with some definition."""
    found = callers(function, call, str(metric), timeout)
    if call is not None and len(found) == 1:
        return found[0]
    cutoff = _cutoffs(metric, takes_k=found[0].takes_k is not None)[0]
    probes = [world._replace(k=cutoff) for world in _probes(metric)]
    tools = [values for _, values in Definitions(metric, probes, rules).tool_values()]
    best, most = None, (-2.0, -1)
    for caller in found:
        outcomes = [caller(world) for world in probes]
        given = np.array([each.value if each is not None and each.kind == "value" else np.nan for each in outcomes])
        known = ~np.isnan(given)
        agreed = max((float(agreement(values, given)[known].mean()) for values in tools if known.any()), default=0.0)
        fit = agreed - NAME_WEIGHT * caller.misfit, int(known.sum())
        if fit > most and known.any():
            best, most = caller, fit
    if best is None and call is None:
        raise _no_number(found)
    return best or found[0]


def _no_number(found: Sequence[Caller]) -> InputError:
    answers = [*{outcome.text: outcome for caller in found for outcome in caller.answered.values()}.values()]
    shown = [Phrase(*(outcome.render(lang) for lang in get_args(Lang))) for outcome in answers[:3]]
    text = NOTHING_PRINTED if isinstance(found[0].function, Program) else NO_NUMBER
    return InputError(text.fill(answers=Phrase("; ", "；").join(shown) if shown else NOTHING))


def _probes(metric: Metric) -> list[World]:
    """Return small worlds that every form can express some of."""
    worlds = [world for world in _small(metric) if world.ranking and world.gold]
    binary = [world for world in worlds if all(grade == 1 for _, grade in world.gold)]
    return [*worlds[:: max(1, len(worlds) // PROBES)], *binary[:: max(1, len(binary) // PROBES)]]


def _small(metric: Metric) -> list[World]:
    """Return small worlds; only with grades 0 and 1 if the metric does not distinguish higher grades."""
    first, second = (
        World((("a", 1.0), ("b", 2.0)), listed(("a", "b"))),
        World((("a", 2.0), ("b", 1.0)), listed(("a", "b"))),
    )
    values = reference([first, second], metric, Convention())
    return [*small_worlds()] if values[0] != values[1] else [world for world in small_worlds() if _is_binary(world)]


def _is_binary(world: World) -> bool:
    return all(grade <= 1 for _, grade in world.gold)


def _cutoffs(metric: Metric, *, takes_k: bool) -> list[int | None]:
    if metric.k is None or not takes_k:
        return [metric.k]
    return [*dict.fromkeys(min(k, metric.k) for k in (*SHORT_CUTOFFS, metric.k))]


def _worlds(metric: Metric, caller: Caller) -> list[World]:
    """Return the worlds to try, the smallest first."""
    program = isinstance(caller.function, Program)
    small, large = _small(metric), [*large_worlds()]
    if all(map(_is_binary, small)):
        large = [world._replace(gold=tuple((item, min(grade, 1.0)) for item, grade in world.gold)) for world in large]
    if program:  # every call starts a process
        small, large = [world for world in small if world.size <= SMALL_PROGRAM], large[:4]
    cutoffs = _cutoffs(metric, takes_k=caller.takes_k is not None)
    return [world._replace(k=k) for world in [*small, *large] for k in cutoffs]


def _broken_laws(
    caller: Caller, metric: Metric, rules: Convention | None, worlds: list[World]
) -> tuple[list[Broken], list[Law]]:
    """Return the laws that the function breaks and the definition does not, and those that both break."""
    end, definition = time.monotonic() + LAW_SECONDS, rules or Convention()
    broken, excused = [], []
    unbounded = reference([PERFECT._replace(k=metric.k)], metric, definition)[0] > 1 + CLOSE
    for law in LAWS:
        if (law.name == "order of ties" and definition.ties in ANY_ORDER) or (law.of_shares and unbounded):
            continue
        found, both = _counterexample(law, caller, metric, definition, worlds, end)
        broken += [] if found is None else [found]
        excused += [law] if both and found is None else []
    return broken, excused


def _counterexample(
    law: Law, caller: Caller, metric: Metric, definition: Convention, worlds: list[World], end: float
) -> tuple[Broken | None, bool]:
    """Return the smallest counterexample, and whether some world breaks the law under the definition as well.

    A world with one more item is preferred if the value that the law is about is right on the smallest.
    """
    both, other, size = False, None, 0
    for world in worlds:
        if world.repeats or world.ties:
            continue
        if other is not None and world.size > size + 1:
            break
        for trial in law.trials(world):
            values = _values(caller, trial)
            if values is None or trial.holds(*values):
                continue
            expected = reference(trial.worlds, metric, definition)
            if not any(map(math.isnan, expected)) and not trial.holds(*expected):
                both = True
                continue
            place = _last_wrong(values, expected)
            outcome, right = Outcome("value", values[place]), _finite(expected[place])
            broken = Broken(law.name, law.text, trial.worlds[place], outcome, right, metric, definition)
            if place == len(values) - 1:
                return broken, both
            other, size = (broken, world.size) if other is None else (other, size)
        if time.monotonic() > end:
            break
    return other, both


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


def _definition(
    caller: Caller, metric: Metric, rules: Convention | None, worlds: list[World]
) -> DefinitionMatch | None:
    """Return the definition that agrees best; of a function that rounds, the one whose values it rounds."""
    found, decimals = _nearest(caller, metric, rules, worlds, CLOSE), caller.decimals
    if found is None or found.exact:
        return found
    if decimals is not None:
        rounded = _nearest(caller, metric, rules, worlds, half_unit(decimals))
        if rounded is not None and rounded.agreed > found.agreed:
            found = replace(rounded, decimals=decimals)
    return found if found.exact else _other_metric(caller, metric, worlds) or found


def _other_metric(caller: Caller, metric: Metric, worlds: list[World]) -> DefinitionMatch | None:
    """Return the definition of another metric whose values the function gives; None if there is none."""
    tried = [pair for pair in _answers(caller, worlds) if not (pair[0].repeats or pair[0].ties)]
    close = CLOSE if caller.decimals is None else half_unit(caller.decimals)
    for name in OTHER_METRICS:
        other = parse(name) if metric.k is None else parse(name) @ metric.k
        if other.definition is metric.definition:
            continue
        matches = []
        for k in {world.k for world, _ in tried}:
            pairs = [pair for pair in tried if pair[0].k == k]
            values = np.array([value for _, value in pairs])
            matches.append(Definitions(other, [world for world, _ in pairs], None, close).of_tools(values))
            if matches[-1] is None:
                break
        else:
            shared = [each for each in matches if each is not None]
            return replace(min(shared, key=lambda match: len(match.tools)), metric=other) if shared else None
    return None


def _nearest(
    caller: Caller, metric: Metric, rules: Convention | None, worlds: list[World], close: float
) -> DefinitionMatch | None:
    """Return the definition that agrees best over all cutoffs, and what it does with repeated items."""
    matches = []
    for k in _cutoffs(metric, takes_k=caller.takes_k is not None):
        tried = [pair for pair in _answers(caller, worlds) if pair[0].k == k and not pair[0].repeats]
        if tried:
            values = np.array([value for _, value in tried])
            match = Definitions(metric, [world for world, _ in tried], rules, close).nearest(values)
            matches += [] if match is None else [match]
    if not matches:
        return None
    found = min(matches, key=lambda match: (match.exact, match.agreed / match.tried, len(match.tools)))
    if not found.exact:
        return found
    shared = [name for name in found.tools if all(name in match.tools for match in matches)]
    found = replace(found, tools=tuple(shared) or found.tools)
    repeated = [pair for pair in _answers(caller, worlds) if pair[0].repeats]
    for value in [*RULES["duplicates"].values][1:]:  # without 'error'
        expected = reference([world for world, _ in repeated], metric, found.convention.replace(duplicates=value))
        if repeated and all(abs(right - given) <= close for right, (_, given) in zip(expected, repeated, strict=True)):
            return replace(found, duplicates=value)
    return found


def _answers(caller: Caller, worlds: list[World]) -> list[tuple[World, float]]:
    """Return the worlds with judgments to which the function gave a number, and the number."""
    answered = [(world, caller(world)) for world in worlds if world.gold]
    return [(world, each.value) for world, each in answered if each is not None and each.kind == "value"]


def _other_values(caller: Caller, metric: Metric, rules: Convention, worlds: list[World]) -> Iterator[Broken]:
    """Yield the smallest world on which the function does not give the value of the stated definition."""
    close = CLOSE if caller.decimals is None else half_unit(caller.decimals)
    for world in worlds:
        outcome = caller(world)
        if world.ties and rules.ties in ANY_ORDER:
            continue
        if outcome is not None and outcome.kind == "value":
            [expected] = reference([world], metric, rules)
            if not math.isnan(expected) and abs(expected - outcome.value) > close * max(1.0, abs(expected)):
                yield Broken("definition", DEFINITION, world, outcome, expected, metric, rules)
                return


def _robustness(caller: Caller, metric: Metric, stated: Convention | None) -> Iterator[Broken]:
    """Yield faults, changed arguments and unstable answers among all calls so far, the smallest first."""
    rules = stated or Convention()

    def broken(law: str, text: Any, world: World, outcome: Outcome) -> Broken:
        [expected] = reference([world], metric, rules)
        return Broken(law, text, world, outcome, _finite(expected), metric, rules)

    faults = [(world, outcome) for world, outcome in caller.answered.items() if outcome.kind == "fault"]
    for world, outcome in sorted(faults, key=lambda pair: (pair[0].size, len(pair[0].ranking))):
        if stated is None or outcome.text != NAN or not math.isnan(reference([world], metric, rules)[0]):
            yield broken("answers", ANSWERS, world, outcome)
            break
    if caller.changed is not None:
        yield broken("unchanged", UNCHANGED, caller.changed, Outcome("fault", text=CHANGED))
    if caller.unstable is not None:
        world, first, second = caller.unstable
        yield broken("repeatable", REPEATABLE, world, Outcome("fault", text=THEN.fill(first=first, second=second)))
