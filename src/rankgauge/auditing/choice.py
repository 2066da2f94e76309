"""The form in which a foreign metric is called: the one whose answers agree best with something it could compute."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from rankgauge.auditing import known_faults
from rankgauge.auditing.calls import Caller
from rankgauge.auditing.definitions import Reference, agreement, candidates
from rankgauge.auditing.foreign import Foreign
from rankgauge.auditing.forms import BY_NAME, FORMS, HITS, OF_HITS, OF_ITEMS, Form, ways
from rankgauge.auditing.identification import OTHER_METRICS
from rankgauge.auditing.process import DID_YOU_MEAN
from rankgauge.auditing.worlds import World, closed_worlds
from rankgauge.conventions import Convention
from rankgauge.errors import UnknownNameError, closest_text
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.segments import Bools, Floats

UNKNOWN_FORM = Phrase(
    "unknown form of call {call!r}{names} (all forms: help(rankgauge.audit))",
    "未知的调用形式 {call!r}{names}（全部形式见 help(rankgauge.audit)）",
)
RANKS = r"(first_|hit_)?(ranks?|positions?)"
"""Names of a parameter that holds the rank of the first hit of each query."""
OF_RANKS = Phrase(
    "a list of ranks ({name}) is no known form of call: wrap the function in one that takes the relevant items and the "
    "ranked ones, or state call='grades' if these are grades",
    "名次列表（{name}）不是已知的调用形式：请用接收相关物品与排序结果的函数包装它；若其实是等级，请指明 call='grades'",
)
USUAL_FORMS = Phrase(
    "; the usual ones are 'relevant, ranked', 'labels, scores' and 'judgments, ranking'",
    "；常用的有 'relevant, ranked'、'labels, scores' 与 'judgments, ranking'",
)
NO_NUMBER = Phrase(
    "no form of arguments gave a number; the function answered {answers}. "
    "State how it is called: call='relevant, ranked', for example",
    "没有一种调用形式得到数；函数的回答是 {answers}。请指明调用形式，例如 call='relevant, ranked'",
)
NONE_IN_FORM = Phrase(
    "no input gave a number in the form stated; the function answered {answers}",
    "按所指明的形式调用，没有一个输入得到数；函数的回答是 {answers}",
)
COLUMNS = Phrase(
    "frames are passed with these columns, each under several names: {columns}; call the function with its own columns "
    "in a function of yours",
    "数据框以下列列名传入（同一列有多种名称）：{columns}；若函数用其他列名，请用自己的函数包装后再检验",
)
NOTHING = Phrase("nothing", "空")
NOTHING_PRINTED = Phrase("the program printed no number: {answers}", "程序没有输出数：{answers}")
PROBES = 40
"""Worlds of each kind on which the forms of arguments are tried."""
FIRST = 12
"""Worlds on which a form has to give a number before it is tried on all."""
LONGEST = 4
"""The longest worlds on which a form that is stated is tried, too."""
BATCH_WEIGHT = 0.25
"""Agreement that outweighs a form of several queries, whose containers many functions take for something else."""
NAME_WEIGHT = 0.2
"""Agreement that outweighs a parameter whose name does not suggest the form."""
FAULT_WEIGHT = 0.95
"""Weight of agreement with a definition that has a fault."""
OTHER_WEIGHT = 0.95
"""Weight of agreement with another metric."""
COMPLETE = 0.94
"""Weighted agreement from which it says how a function is called."""
MOST = 0.5
"""Share of the inputs that a form should answer."""
CONSTANT_WEIGHT = 0.2
"""Weight of agreement if all lists with relevant items have one value, as where the arguments mean something else."""


def chosen_form(
    foreign: Foreign, metric: Metric, own: Convention | None, call: str | None, worlds: Sequence[World], *, binary: bool
) -> tuple[Caller | None, list[Caller]]:
    """Return the way of calling a function that its answers suggest, and all ways tried; None if none gave a number.

    A refusal is no evidence: a form counts by the share of inputs that were answered, and how well. Numbers under a
    name such as ``hits`` are 0 and 1 for a metric that is binary.
    """
    call = None if call is None else _checked(call)
    description = foreign.start()
    names = description["names"]
    if call is None and len(names) == 1 and re.fullmatch(RANKS, names[0].lower()):
        foreign.stopped = OF_RANKS.fill(name=names[0])
        return None, []
    probes = _probes(worlds)
    tried: list[Caller] = []
    answering: list[Caller] = []
    for libraries in (description["libraries"], description["other_libraries"]):
        for caller in _callers(foreign, description, call, metric, libraries, tried):
            if _has_names(caller, tried):
                continue
            tried.append(caller)
            usable = [world for world in probes if caller.expresses(world)]
            longest = sorted(usable, key=lambda world: world.size)[-LONGEST:] if call is not None else []
            caller.ask([*usable[:FIRST], *longest])  # the form stated may need longer lists
            if _answers(caller):
                caller.ask(probes)
        answering = [*filter(_answers, tried)]
        if any(len(_values(caller)) > 1 for caller in answering):  # a constant may be that of another form
            break
    least = min((caller.misfit for caller in tried), default=0)
    if not any(caller.misfit == least for caller in answering if caller.form.has_ids):
        answering += _with_integers(tried, least, probes)
    if not answering:
        return None, tried
    best = answering[0]
    if len(answering) > 1:
        expected = _hypotheses(metric, own, probes)
        least = min(caller.misfit for caller in answering)
        best = max(answering, key=lambda caller: _fit(caller, probes, expected, least))
        best = _of_items(best, answering, probes)
    return (best if call is not None else _settled(best, description["names"], binary=binary)), tried


def _settled(best: Caller, names: Sequence[str], *, binary: bool) -> Caller | None:
    """Return the form that was found; None if its arguments mean something else to the function."""
    best.foreign.forget_hangs()
    if not _answers_with_hits(best):
        return None
    return _of_hits(best, names) if binary else best


def no_number(tried: Sequence[Caller], call: str | None, *, program: bool) -> Phrase:
    """Return why no form of call gave a number."""
    answers = [*{outcome.text: outcome for caller in tried for outcome in caller.answered.values()}.values()]
    answers.sort(key=lambda outcome: not str(outcome.text).startswith("KeyError"))  # which column is missing
    shown = [Phrase(*(outcome.render(lang) for lang in get_args(Lang))) for outcome in answers[:3]]
    text = NOTHING_PRINTED if program else NO_NUMBER if call is None else NONE_IN_FORM
    return text.fill(answers=Phrase("; ", "；").join(shown) if shown else NOTHING)


def _checked(call: str) -> str:
    """Return the name of a form of call; raise an error for an unknown one."""
    name = re.sub(r"\s*,\s*", ", ", call.strip())
    if name not in BY_NAME:
        close = closest_text(name, BY_NAME, 0.5)
        names = USUAL_FORMS if close is None else DID_YOU_MEAN.fill(name=close)
        raise UnknownNameError(UNKNOWN_FORM.fill(call=name, names=names))
    return name


def _with_integers(tried: Sequence[Caller], misfit: int, probes: Sequence[World]) -> list[Caller]:
    """Return the forms with ids that the names suggest and that answer if the ids are integers."""
    callers = [
        replace(caller, integers=True, _answers={})
        for caller in tried
        if caller.form.has_ids and caller.misfit == misfit
    ]
    for caller in callers:
        caller.ask([world for world in probes if caller.expresses(world)][:FIRST])
    answering = [*filter(_answers, callers)]
    for caller in answering:
        caller.ask(probes)
    return answering


def _values(caller: Caller) -> set[float]:
    return {each.value for each in caller.answered.values() if each.kind == "value"}


def _answers(caller: Caller) -> bool:
    return bool(_values(caller))


def _answers_with_hits(caller: Caller) -> bool:
    """Return whether there is a number for a list that can have a hit."""
    answers = caller.answered.items()
    return any(each.kind == "value" and world.has_relevant and world.ranking for world, each in answers)


def _has_names(caller: Caller, tried: Sequence[Caller]) -> bool:
    """Return whether frames with other names of their columns were answered, so that these need not be tried."""
    kind, separator, _ = caller.way.partition("/")
    return bool(separator) and any(
        each.form is caller.form and each.way.startswith(kind) and _answers(each) for each in tried
    )


def _of_items(best: Caller, answering: Sequence[Caller], probes: Sequence[World]) -> Caller:
    """Return the form without grades if the function does not read them, and its parameters do not ask for grades."""
    others = [each for each in answering if each.form.name == OF_ITEMS.get(best.form.name)]
    if not others or others[0].misfit > best.misfit:
        return best
    zeros = [world for world in probes if 0 in world.grades.values() and best.expresses(world)][:FIRST]
    raised = [world._replace(gold=tuple((item, grade or 1.0) for item, grade in world.gold)) for world in zeros]
    best.ask(raised)
    same = [best(world) == best(other) for world, other in zip(zeros, raised, strict=True)]
    return others[0] if same and all(same) else best


def _of_hits(best: Caller, names: Sequence[str]) -> Caller:
    """Return the form with 0 and 1 only if the name of the parameter says that its numbers are no grades."""
    form = OF_HITS.get(best.form.name)
    place = 1 if best.form.name.startswith(("scores", "[scores]")) else 0
    if form is None or not re.search(HITS, "".join(names[place : place + 1]).lower()):
        return best
    answers = {world: outcome for world, outcome in best.answered.items() if form.arguments(world) is not None}
    return replace(best, form=form, _answers=answers)


def _callers(
    foreign: Foreign,
    description: dict[str, Any],
    call: str | None,
    metric: Metric,
    libraries: Sequence[str],
    tried: list[Caller],
) -> list[Caller]:
    """Return the ways in which a function could be called; those whose parameters fit come first."""
    names, cutoff, accumulates = (description[key] for key in ("names", "cutoff", "accumulates"))
    forms = [BY_NAME[call]] if call is not None else _fitting(names)
    before = {(caller.form.name, caller.way) for caller in tried}
    callers = []
    for form in forms:
        k = "" if cutoff is None and len(names) > form.arity else cutoff
        new = [way for way in ways(form, libraries) if (form.name, way) not in before]
        callers += [Caller(foreign, form, way, k, metric, form.misfit(names), accumulates=accumulates) for way in new]
    return callers


def _fitting(names: Sequence[str]) -> list[Form]:
    arity = 1 if len(names) == 1 else 2
    return sorted((form for form in FORMS if form.arity == arity), key=lambda form: form.misfit(names))


def _probes(worlds: Sequence[World]) -> list[World]:
    """Return worlds that every form can express some of, all with the same cutoff."""
    cutoff = max((world.k for world in worlds if world.k is not None), default=None)
    usable = [world for world in worlds if world.ranking and world.gold and not world.repeats and world.k == cutoff]
    binary = [world for world in usable if all(grade == 1 for _, grade in world.gold)]
    closed = [world for world in usable if {*world.grades} == {*world.items}]
    chosen = [world for kind in (usable, binary, closed) for world in kind[:: max(1, len(kind) // PROBES)]]
    return [*dict.fromkeys([*chosen, *(world._replace(k=cutoff) for world in closed_worlds())])]


def _hypotheses(metric: Metric, own: Convention | None, probes: Sequence[World]) -> list[tuple[float, Floats]]:
    """Return the values of all definitions, also with faults, and of other metrics, with a weight."""
    reference = Reference(probes)
    known = reference.distinct(candidates(metric, own))
    found = [(1.0, reference.values(each.setting)) for each in known]
    for fault in known_faults.KNOWN_FAULTS:
        if not fault.metrics or metric.name in fault.metrics:
            found += [(FAULT_WEIGHT, values) for _, values in fault.values(reference, known)]
    for name in OTHER_METRICS:
        other = parse(name) if metric.k is None else parse(name) @ metric.k
        found += [(OTHER_WEIGHT, reference.values(each.setting)) for each in candidates(other)[:1]]
    return found


def _with_relevant(probes: Sequence[World]) -> Bools:
    return np.array([world.has_relevant for world in probes])


def _fit(
    caller: Caller, probes: Sequence[World], expected: Sequence[tuple[float, Floats]], least_misfit: int
) -> tuple[bool, bool, bool, float]:
    """Return how well the answers fit a definition: the share of inputs answered, times the agreement.

    Agreement that is far from complete says little, because short lists have few values, and neither does any where
    both names say the opposite: names decide then, and of forms with the same names the first.
    """
    answers = [caller.answered.get(world) for world in probes]
    given = np.array([np.nan if each is None or each.kind != "value" else each.value for each in answers])
    known = ~np.isnan(given)
    untied = known & [not world.ties for world in probes]
    compared = untied if untied.any() else known
    agreed = max(weight * float(agreement(values, given)[compared].mean()) for weight, values in expected)
    if len({*given[_with_relevant(probes) & known]}) <= 1:
        agreed *= CONSTANT_WEIGHT
    unlikely = NAME_WEIGHT * caller.misfit + BATCH_WEIGHT * caller.form.batch
    answered = float(known.sum()) / sum(map(caller.expresses, probes))
    complete = agreed >= COMPLETE and caller.misfit < least_misfit + 2
    right = complete and agreed == 1.0 and answered >= MOST and caller.misfit == least_misfit
    return right, complete, answered >= MOST, (answered * agreed if complete else 0.0) - unlikely
