"""Values of functions with a known fault, computed from those of definitions or from the lists themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rankgauge.auditing import fault_worlds
from rankgauge.auditing.definitions import Reference
from rankgauge.auditing.laws import CLOSE
from rankgauge.auditing.worlds import World
from rankgauge.metric_core.notation import parse
from rankgauge.reconciliation.rule_setting import RuleSetting
from rankgauge.segments import Floats


def unjudged_gains(reference: Reference, setting: RuleSetting) -> Floats:
    """Return nDCG in whose list, but not in the ideal order, an unjudged item has grade 1."""
    return over_dcg(
        reference.changed(fault_worlds.unjudged_is_relevant), reference.changed(fault_worlds.perfect), setting
    )


def unjudged_hits(reference: Reference, setting: RuleSetting) -> Floats:
    """Return a share of the relevant items in which unjudged ones are hits, but are not among those to be found."""
    lists = reference.changed(fault_worlds.unjudged_is_relevant)
    return lists.values(setting) * ratio(relevant(lists), relevant(reference))


def both_skip_first(reference: Reference, setting: RuleSetting) -> Floats:
    """Return nDCG whose list and ideal order both lack the gain of the first rank."""
    return over_dcg(
        reference.changed(fault_worlds.first_skipped), reference.changed(fault_worlds.perfect_without_first), setting
    )


def mean_of_precision_and_recall(reference: Reference, setting: RuleSetting) -> Floats:
    """Return the arithmetic mean of precision and recall."""
    precision, recall = (reference.values(of_metric(name, setting)) for name in ("P", "R"))
    return (precision + recall) / 2


def sum_of_reciprocal_ranks(reference: Reference, setting: RuleSetting) -> Floats:
    """Return the sum of the reciprocal ranks of all relevant items."""
    dcg = of_metric("DCG", setting)
    return reference.values(dcg.replace(gain="binary", discount=reciprocal, unjudged=0))


def reciprocal(rank: Floats) -> Floats:
    """Return the discount 1/rank."""
    return 1.0 / rank


def precision_at_every_rank(reference: Reference, setting: RuleSetting) -> Floats:
    """Return the sum of the precisions at every rank, divided by the number of ranks."""
    added = reference.values(setting.replace(ap_at="every", ap_over="R"))
    return ratio(added * relevant(reference), returned(reference))


def relevant(reference: Reference) -> Floats:
    """Return the number of relevant items."""
    return np.array([sum(grade > 0 for _, grade in world.gold) for world in reference.worlds], dtype=float)


def returned(reference: Reference) -> Floats:
    """Return the number of items within k."""
    return np.array([len(world.items[: world.k]) for world in reference.worlds], dtype=float)


def interpolated(levels: Callable[[int], Sequence[float]]) -> Callable[[Reference, RuleSetting], Floats]:
    """Return the mean over recall levels, which depend on R, of the highest precision at this recall or beyond."""

    def values(reference: Reference, setting: RuleSetting) -> Floats:  # noqa: ARG001 (the same for all definitions)
        return np.array([_of_world(world) for world in reference.worlds])

    def _of_world(world: World) -> float:
        relevant = sum(grade > 0 for _, grade in world.gold)
        hits = np.cumsum([world.grades.get(item, 0) > 0 for item in dict.fromkeys(world.items[: world.k])])
        precisions = hits / np.arange(1, len(hits) + 1)
        best = [precisions[hits >= level * relevant - CLOSE].max(initial=0.0) for level in levels(relevant)]
        return float(np.mean(best)) if relevant else 0.0

    return values


def under_trapezoids(reference: Reference, setting: RuleSetting) -> Floats:  # noqa: ARG001 (the same for all)
    """Return the area under the line through the points of recall and precision at each rank, from precision 1."""

    def of_world(world: World) -> float:
        relevant = sum(grade > 0 for _, grade in world.gold)
        hits = np.cumsum([world.grades.get(item, 0) > 0 for item in dict.fromkeys(world.items[: world.k])])
        precisions = np.append(1.0, hits / np.arange(1, len(hits) + 1))
        steps = np.diff(hits, prepend=0) / max(relevant, 1)
        return float((steps * (precisions[1:] + precisions[:-1]) / 2).sum())

    return np.array([*map(of_world, reference.worlds)])


def first_hit_of_dcg(reference: Reference, setting: RuleSetting) -> Floats:
    """Return the discount of DCG at the rank of the first hit."""
    ranks = reference.values(setting)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(ranks > 0, 1 / np.log2(1 / ranks + 1), ranks)


def over_the_more(reference: Reference, setting: RuleSetting) -> Floats:
    """Return the precision with the number of relevant items as denominator where that is more than k."""
    within = np.array([world.k or len(world.ranking) for world in reference.worlds], dtype=float)
    return reference.values(setting) * ratio(within, np.maximum(within, relevant(reference)))


def over_the_union(reference: Reference, setting: RuleSetting) -> Floats:
    """Return the intersection over the union of the returned and the relevant items."""
    both = reference.values(of_metric("F", setting).replace(p_over="min(k,n)"))
    return ratio(both, 2 - both)


def scale_of_returned(reference: Reference, setting: RuleSetting) -> Floats:
    """Return the values with the highest grade of the items within k as the top of the scale."""
    worlds = [*map(fault_worlds.own_top, reference.worlds)]  # missed items may have higher grades
    tops, own = np.array([world.highest for world in worlds]), np.zeros(len(worlds))
    for top in {*tops.tolist()} - {0.0}:
        places = np.flatnonzero(tops == top)
        own[places] = Reference([worlds[place] for place in places]).values(setting.replace(max_grade=top))
    return own


def unsorted_ideal(reference: Reference, setting: RuleSetting) -> Floats:
    """Return nDCG whose ideal order is that of the judgments."""
    return over_dcg(reference, reference.changed(fault_worlds.in_order_of_gold), setting)


def over_dcg(lists: Reference, ideals: Reference, setting: RuleSetting, **rules: Any) -> Floats:
    """Return DCG divided by the DCG of other lists in place of the ideal order, which may have other rules."""
    dcg = of_metric("DCG", setting)
    return ratio(lists.values(dcg), ideals.values(dcg.replace(**rules)))


def ideal_with(**rules: Any) -> Callable[[Reference, RuleSetting], Floats]:
    """Return nDCG whose ideal order has other rules than its list."""
    return lambda reference, setting: over_dcg(reference, reference.changed(fault_worlds.perfect), setting, **rules)


def of_metric(name: str, setting: RuleSetting) -> RuleSetting:
    """Return the setting with another metric at the same cutoff."""
    other = RuleSetting(parse(name), setting.convention)
    return other if setting.metric.k is None else other.replace(k=setting.metric.k)


def ratio(above: Floats, below: Floats) -> Floats:
    """Return the ratio; 0 for 0/0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below == 0, 0.0, above / below)


def shifted_discount(setting: RuleSetting) -> RuleSetting:
    """Return the setting with the discount log2(i+2)."""
    return setting.replace(discount=late)


def root_discount(setting: RuleSetting) -> RuleSetting:
    """Return the setting with the discount 1/sqrt(rank)."""
    return setting.replace(discount=root)


def root(rank: Floats) -> Floats:
    """Return the discount 1/sqrt(rank)."""
    return 1.0 / np.sqrt(rank)


def late(rank: Floats) -> Floats:
    """Return the discount 1/log2(rank + 2)."""
    return 1.0 / np.log2(rank + 2.0)
