"""What a function computes: a known definition, a definition with a known fault, another metric, or none of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgauge.auditing import known_faults, rule_faults
from rankgauge.auditing.calls import Caller, half_unit
from rankgauge.auditing.definitions import (
    ANY_ORDER,
    LEAST_SCALE,
    Candidate,
    DefinitionMatch,
    Reference,
    candidates,
    constant_factor,
    is_binary,
)
from rankgauge.auditing.forms import OF_HITS
from rankgauge.auditing.laws import CLOSE
from rankgauge.auditing.samples import Samples
from rankgauge.auditing.worlds import World, listed
from rankgauge.conventions import DEFAULT, RULES, Convention
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.reconciliation.rule_setting import RuleSetting, differing_rules, without_rules
from rankgauge.reconciliation.search_space import SearchSpace
from rankgauge.reconciliation.tools import YOURS
from rankgauge.rendering.language import Phrase

SEARCH_SECONDS = 4.0
"""Time for definitions that no tool has."""
ENOUGH = 20
"""Worlds on which a function has to be compared before anything is said about its definition."""
OTHER_METRICS = ("P", "R", "HR", "AP", "RR", "nDCG", "DCG", "F", "F(beta=2)", "F(beta=0.5)", "NumRelRet")
"""Metrics that a function may compute in place of the one it is meant to."""
USUAL_CUTOFFS = (1, 3, 5, 10, 20, 50, 100)
TIE_RULES = ("input", "input-reversed", "id", "id-ascending", "mean", "worst", "together", "mean-rank", "best")
COARSE = 1
"""Decimals with which values are no longer those of the metric."""
MOST = 0.5
"""Share of the inputs to which a function has to give the same number to be a constant."""
LONGEST_SHORT = 20
"""Items of the longest list of which no error is put down to its length."""
UNDEFINED = (0, 1, 0.5)
"""Values of 0/0."""


ONLY_HITS = Phrase(
    "grades above 1: {fault}; if its numbers are 0 and 1 only, state call={form!r}",
    "高于 1 的等级：{fault}；若其数值只有 0 和 1，请指明 call={form!r}",
)


@dataclass(frozen=True)
class Identification:
    """What a function computes, and the definition that it is held against."""

    nearest: DefinitionMatch | None
    expected: RuleSetting
    """The nearest definition without its faults, with the gain and the ties of the function."""
    faults: tuple[Phrase, ...] = ()
    ties_known: bool = True
    """Whether the order of tied items follows the rule of the definition."""
    undefined_known: bool = True
    """Whether lists without relevant items have the value of the definition."""
    compared: int = 0
    """Number of inputs whose value was compared with definitions."""
    tied: int = 0
    """Number of inputs with equal scores among them, whose value depends on what is done with those."""
    limits: tuple[Phrase, ...] = ()
    """What is not known to be wrong, because the numbers that the function takes may be 0 and 1 only."""
    ties_matter: bool = True
    """Whether there are such inputs at all."""


def identify(caller: Caller, metric: Metric, own: Convention | None, worlds: Sequence[World]) -> Identification:
    """Return what a function computes; of one that rounds, what it rounds."""
    found = _identified(caller, metric, own, worlds)
    if own is not None:
        return found
    expected = _without_best_of_nothing(found.expected).replace(averaging="mean")
    if found.nearest is None or not found.nearest.exact:  # a variant of the metric that a tool has was not asked for
        expected = RuleSetting(metric, expected.convention)
    return replace(found, expected=expected)


def _without_best_of_nothing(setting: RuleSetting) -> RuleSetting:
    """Return a definition whose value is 0 where nothing is relevant if it was the best one."""
    nothing = World((("a", 0.0),), listed(("a",)), setting.metric.k)
    best = Reference([nothing]).values(setting)[0] >= 1 - CLOSE
    return setting.replace(undefined=0, no_relevant="computed") if best else setting


def _identified(caller: Caller, metric: Metric, own: Convention | None, worlds: Sequence[World]) -> Identification:
    pairs, decimals = caller.values(worlds), caller.decimals
    base = RuleSetting.of(metric, own or DEFAULT).replace(duplicates="first")
    matter = any(deciding_ties(Reference([world for world in worlds if world.ties and not world.repeats]), base))
    identification = replace(_identify(Samples(pairs, CLOSE), caller, metric, own, base), ties_matter=matter)
    exact = identification.nearest is not None and identification.nearest.exact
    if decimals is None or exact or any(identification.faults):
        return identification
    for places in (decimals, *([COARSE] if caller.rounds_to(COARSE) else [])):
        rounded = _identify(Samples(pairs, half_unit(places)), caller, metric, own, base)
        if rounded.nearest is not None and (rounded.nearest.exact or rounded.faults):
            nearest = replace(rounded.nearest, decimals=places)
            faults = (*rounded.faults, *([known_faults.COARSE] if places == COARSE else []))
            return replace(rounded, nearest=nearest, faults=faults, ties_matter=matter)
    return identification


def deciding_ties(reference: Reference, setting: RuleSetting) -> list[bool]:
    """Return for each world with equal scores whether the value depends on what is done with them."""
    best, worst = (
        reference.values(setting.replace(ties=ties, tied_pairs=pairs))
        for ties, pairs in (("best", "won"), ("worst", "lost"))
    )
    return [bool(differs) for differs in np.abs(best - worst) > CLOSE]


def _identify(
    samples: Samples, caller: Caller, metric: Metric, own: Convention | None, base: RuleSetting
) -> Identification:
    counts: dict[str, Any] = {"compared": samples.compared, "tied": sum(deciding_ties(samples.tied.reference, base))}
    if not samples.formula.worlds:
        return Identification(None, base, **counts)
    known = candidates(metric, own)
    if own is None:  # a tool whose metric of this name has a cutoff computes another metric
        known = [each for each in known if each.setting.metric.k == metric.k]
    most = samples.compared >= MOST * sum(map(caller.expresses, caller.answered))
    fault = _constant(samples, base) if most else None
    if fault is not None:
        return Identification(_nearest(samples, known), base, (fault,), **counts)
    exact = [each for each in known if samples.formula.equals(each.setting)]
    if exact and len(samples.formula.worlds) >= ENOUGH:
        return replace(_refined(samples, metric, exact), **counts)
    found = (
        _other_value_of_nothing(samples, metric, base, known, own)
        or _right_up_to_a_grade(samples, caller, metric, known)
        or _known_fault(samples, caller, metric, known, [known_faults.ADDS_EVERY])
        or _other_metric(samples, metric, base)
        or _known_fault(samples, caller, metric, known, _faults(samples, metric))
        or _other_metric(samples, metric, base, faulty=True)
        or _right_for_short_lists(samples, metric, known)
        or _multiple(samples, metric, known)
        or _searched(samples, metric, known)
    )
    if found is None:
        match = _nearest(samples, known)
        expected = base if own is not None or match is None else rule_faults.repaired(match.setting)
        found = Identification(match, expected)
    return replace(found, **counts)


def _constant(samples: Samples, base: RuleSetting) -> Phrase | None:
    given = samples.formula.given
    if len(given) < ENOUGH or np.ptp(given) > CLOSE or np.ptp(samples.formula.reference.values(base)) <= CLOSE:
        return None
    return known_faults.CONSTANT.fill(value=float(given[0]))


def _nearest(samples: Samples, known: Sequence[Candidate]) -> DefinitionMatch | None:
    """Return the definition that agrees on most worlds; of equal ones that without a fault."""
    if not known:
        return None
    agreed = {each: samples.formula.agrees(each.setting) for each in known}
    best = max(known, key=lambda each: (agreed[each], -len(rule_faults.faulty_rules(each.setting))))
    same = [each for each in known if agreed[each] == agreed[best]]
    tools = dict.fromkeys(name for each in [best, *same] for name in each.tools)
    return DefinitionMatch(best.setting, tuple(tools), (), agreed[best], len(samples.formula.worlds))


def _refined(samples: Samples, metric: Metric, exact: Sequence[Candidate]) -> Identification:
    """Return the definition with the rules of the function for 0/0, ties and repeated items.

    Those distinguish definitions with the same formula; rules of the function that none of them has become changes of
    the nearest one.
    """
    scored = []
    for each in exact:
        setting, changes, ties_known, undefined_known = _with_own_rules(samples, each.setting)
        faulty = rule_faults.faulty_rules(setting, metric)
        order = (not ties_known, not undefined_known, len(faulty), len(changes))
        scored.append((order, each, setting, changes, ties_known, undefined_known))
    order, _, setting, changes, ties_known, undefined_known = min(scored, key=lambda entry: entry[0])
    alike = [each for other, each, *_ in scored if other == order]
    tools = dict.fromkeys(name for each in alike for name in each.tools)
    names = tuple(name for name in tools if name != YOURS) or tuple(tools)
    duplicates = _duplicates(samples, setting)
    tried = len(samples.formula.worlds) + len(samples.undefined.worlds) + len(samples.tied.worlds)
    agreed = tried if ties_known and undefined_known else len(samples.formula.worlds)
    match = DefinitionMatch(setting, names, tuple(changes), agreed, tried, duplicates)
    final = setting if duplicates is None else setting.replace(duplicates=duplicates)
    faults = tuple(rule_faults.texts(final, metric))
    expected = rule_faults.repaired(final, metric)
    return Identification(match, expected, faults, ties_known=ties_known, undefined_known=undefined_known)


def _with_own_rules(samples: Samples, setting: RuleSetting) -> tuple[RuleSetting, list[str], bool, bool]:
    """Return the setting with the function's rules for ties and 0/0, what was changed, and whether rules were found."""
    own = [setting.replace(undefined=value, no_relevant="computed") for value in UNDEFINED]
    given = (each for each in (setting, *own) if samples.nothing.equals(each) and samples.undefined.allows(each))
    found = next(given, None)
    refined, undefined_known = found or setting, found is not None
    ties_known = samples.tied.equals(refined)
    if not ties_known:
        pairs = [*RULES["tied_pairs"].values] if "tied_pairs" in refined.metric.definition.rules else []
        options = [refined.replace(tied_pairs=value) for value in pairs] + [
            refined.replace(ties=rule) for rule in TIE_RULES
        ]
        other = next((each for each in options if samples.tied.equals(each)), None)
        left_to_sort = setting.convention.ties in ANY_ORDER
        ties_known = other is not None or (left_to_sort and samples.tied.allows_some_order(setting))
        refined = other or refined
    return refined, differing_rules(setting, refined), ties_known, undefined_known


def _duplicates(samples: Samples, setting: RuleSetting) -> str | None:
    """Return what the function does with repeated items; None if it was not found out."""
    if not samples.repeated.worlds:
        return None
    values = [value for value in RULES["duplicates"].values if value != "error"]
    return next((value for value in values if samples.repeated.allows(setting.replace(duplicates=value))), None)


def _other_value_of_nothing(
    samples: Samples, metric: Metric, base: RuleSetting, known: Sequence[Candidate], own: Convention | None
) -> Identification | None:
    """Return the definition with another value of 0/0, where lists with relevant items can be that; None otherwise."""
    if not np.isnan(samples.formula.reference.values(base.replace(undefined="nan"))).any():
        return None
    for value in UNDEFINED:
        for each in known:
            setting = each.setting.replace(undefined=value)
            if samples.formula.equals(setting):
                found = _with_changes(_refined(samples, metric, [Candidate(setting, each.tools)]), ["undefined"])
                if own is None or own.undefined == value:
                    return found
                return replace(found, faults=(known_faults.VALUE_OF_NOTHING.fill(value=value), *found.faults))
    return None


def _with_changes(found: Identification, changes: Sequence[str]) -> Identification:
    """Return what was found with further rules in which it differs from the nearest tool."""
    if found.nearest is None:
        return found
    merged = tuple(dict.fromkeys([*changes, *found.nearest.changes]))
    return replace(found, nearest=replace(found.nearest, changes=merged))


def _right_up_to_a_grade(
    samples: Samples, caller: Caller, metric: Metric, known: Sequence[Candidate]
) -> Identification | None:
    """Return the definition whose values the function gives for the lower grades; None if there is none."""
    least = 1 if is_binary(metric) else LEAST_SCALE
    for grade in range(int(max(world.highest for world in samples.formula.worlds)) - 1, least - 1, -1):
        lower = samples.up_to(grade)
        usual = [each for each in known if "rel" not in rule_faults.faulty_rules(each.setting)]
        exact = [each for each in usual if lower.formula.equals(each.setting)]
        if exact and len(lower.formula.worlds) >= ENOUGH:
            found = _refined(lower, metric, exact)
            text = _grade_fault(samples, exact[0]) or known_faults.RIGHT_UP_TO.fill(grade=grade)
            if grade == 1 and caller.form.name in OF_HITS:
                return replace(found, limits=(ONLY_HITS.fill(fault=text, form=OF_HITS[caller.form.name].name),))
            return replace(found, nearest=_nearest(samples, exact), faults=(text, *found.faults))
    return None


def _right_for_short_lists(samples: Samples, metric: Metric, known: Sequence[Candidate]) -> Identification | None:
    """Return the definition whose values the function gives for all lists but long ones; None if there is none."""
    for each in known:
        wrong = ~samples.formula.same(samples.formula.reference.values(each.setting))
        size = min(
            (world.size for world, is_wrong in zip(samples.formula.worlds, wrong, strict=True) if is_wrong), default=0
        )
        if size > LONGEST_SHORT:
            found = _refined(samples.shorter_than(size), metric, [each])
            text = known_faults.RIGHT_BELOW.fill(count=size)
            return replace(found, nearest=_nearest(samples, [each]), faults=(text, *found.faults))
    return None


def _grade_fault(samples: Samples, definition: Candidate) -> Phrase | None:
    """Return what a function does with higher grades; None if it is not known."""
    for fault in known_faults.GRADE_FAULTS:
        [(_, values)] = fault.values(samples.formula.reference, [definition])
        if (samples.formula.same(values) | np.isnan(values)).all():
            return fault.text
    return None


def _other_metric(
    samples: Samples, metric: Metric, base: RuleSetting, *, faulty: bool = False
) -> Identification | None:
    """Return another metric whose values the function gives, perhaps with a fixed cutoff; None if there is none.

    Its definition is sound, or has a rule at fault.
    """
    if len(samples.formula.worlds) < ENOUGH:
        return None
    others = [parse(name) if metric.k is None else parse(name) @ metric.k for name in OTHER_METRICS]
    known = {
        each: other
        for other in others
        if without_rules(other) != without_rules(metric)
        for each in candidates(other)
        if bool(rule_faults.faulty_rules(each.setting)) == faulty
    }
    for each, fault in _giving(samples, [*known], metric.k):
        texts = (known_faults.OTHER_METRIC.fill(metric=known[each]), *fault, *rule_faults.texts(each.setting))
        match = DefinitionMatch(each.setting, each.tools, (), *_all(samples), metric=known[each])
        return Identification(match, base, texts)
    return None


def _giving(samples: Samples, known: Sequence[Candidate], k: int | None) -> Iterator[tuple[Candidate, list[Phrase]]]:
    """Yield the definitions that give the values of the function, and then those that do with a fixed cutoff."""
    yield from ((each, []) for each in known if samples.formula.equals(each.setting))
    if k is not None and len({world.k for world in samples.formula.worlds}) > 1:
        fault = known_faults.fixed_cutoff(k)
        for each, values in fault.values(samples.formula.reference, known):
            if samples.formula.same(values).all():
                yield each, [fault.text]


def _all(samples: Samples) -> tuple[int, int]:
    return len(samples.formula.worlds), len(samples.formula.worlds)


def _faults(samples: Samples, metric: Metric) -> Iterator[known_faults.KnownFault]:
    """Yield the faults to try, in order."""
    yield from (*known_faults.KNOWN_FAULTS, *known_faults.THRESHOLDS)
    yield from (*_fixed_cutoffs(samples), *_hidden_cutoff(samples, metric))


def _known_fault(
    samples: Samples,
    caller: Caller,
    metric: Metric,
    known: Sequence[Candidate],
    faults: Iterable[known_faults.KnownFault],
) -> Identification | None:
    """Return the definition and the fault with which it gives the values of the function; None if there is none."""
    if len(samples.formula.worlds) < ENOUGH:
        return None
    sound = sorted(known, key=lambda each: len(rule_faults.faulty_rules(each.setting)))
    sound = samples.formula.reference.distinct(sound)
    for fault in faults:
        if fault.applies(metric, scores=caller.form.scores):
            for each, values in fault.values(samples.formula.reference, sound):
                same = samples.formula.same(values) | np.isnan(values)
                if np.isfinite(values).sum() >= max(ENOUGH, len(same) / 2) and same.all():
                    agreed = samples.formula.agrees(each.setting)
                    match = DefinitionMatch(each.setting, each.tools, (), agreed, len(samples.formula.worlds))
                    return Identification(match, rule_faults.repaired(each.setting), (fault.text,))
    return None


def _fixed_cutoffs(samples: Samples) -> list[known_faults.KnownFault]:
    """Return the faults that a function which was called with different cutoffs has a fixed one."""
    cutoffs = {world.k for world in samples.formula.worlds if world.k is not None}
    return [known_faults.fixed_cutoff(k) for k in sorted({*USUAL_CUTOFFS, *cutoffs})] if len(cutoffs) > 1 else []


def _hidden_cutoff(samples: Samples, metric: Metric) -> list[known_faults.KnownFault]:
    """Return the cutoff that the answers suggest: beyond the last first hit with a value, where the next has none."""
    counted = {False: set[int](), True: set[int]()}
    for world, value in zip(samples.formula.worlds, samples.formula.given, strict=True):
        hits = (rank for rank, item in enumerate(world.items, 1) if world.grades.get(item, 0) > 0)
        if world.k == metric.k and (first := next(hits, None)) is not None:
            counted[value > 0].add(first)
    last = max(counted[True], default=0)
    within = metric.k is None or last < metric.k
    return known_faults.hidden_cutoff(last) if last and within and last + 1 in counted[False] else []


def _multiple(samples: Samples, metric: Metric, known: Sequence[Candidate]) -> Identification | None:
    """Return the definition whose values the function multiplies by a constant; None if there is none."""
    for each in known:
        factor = constant_factor(samples.formula.reference.values(each.setting), samples.formula.given)
        if factor is not None:
            agreed = samples.formula.agrees(each.setting)
            match = DefinitionMatch(each.setting, each.tools, (), agreed, len(samples.formula.worlds), factor=factor)
            is_share = bool(np.nanmax(samples.formula.reference.values(each.setting)) <= 1 + CLOSE)
            faults = (known_faults.FACTOR.fill(factor=factor),) if is_share else known_faults.logarithm(metric, factor)
            return Identification(match, rule_faults.repaired(each.setting), faults)
    return None


def _searched(samples: Samples, metric: Metric, known: Sequence[Candidate]) -> Identification | None:
    """Try settings that no tool has, nearest to a tool first, for a limited time."""
    if len(samples.formula.worlds) < ENOUGH:
        return None
    end = time.monotonic() + SEARCH_SECONDS
    data = samples.formula.reference.largest_part()
    for point in SearchSpace(metric, data, [each.setting for each in known]).points():
        setting = point.setting.replace(duplicates="first")
        if setting.metric.k == metric.k and samples.formula.equals(setting):
            nearest = min(known, key=lambda each: len(differing_rules(each.setting, setting)))
            found = _refined(samples, metric, [Candidate(setting, nearest.tools)])
            return _with_changes(found, differing_rules(nearest.setting, setting))
        if time.monotonic() > end:
            break
    return None
