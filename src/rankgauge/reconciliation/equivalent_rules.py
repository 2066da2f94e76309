"""Rules that change nothing on the data at hand, told apart from those that do.

Two tools that differ only in the order of equal scores do the same where no scores are equal; their settings are
written alike, so that what is left between two settings is what matters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rankgauge.conventions import DEFAULT, Convention
from rankgauge.conventions.gains import NAMED_GAINS, gain_function
from rankgauge.errors import RankgaugeError
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.data import FIXED_ORDERS, Data
from rankgauge.reconciliation.rule_setting import Setting, reads_rel


def plainest(data: Data, metric: Metric, convention: Convention) -> Setting:
    """What the metric means under the convention, with every rule that changes nothing here as by default."""
    setting = Setting.of(metric, convention)
    for rule, same in SAME.items():
        if rule in metric.definition.rules or rule not in OF_FORMULAS:
            setting = setting.replace(**{rule: same(data, setting)})
    rules = setting.convention
    if not reads_rel(metric.definition, rules):
        setting = setting.replace(rel=DEFAULT.rel)
    elif rules.gain != "exp2-rel" or "gain" not in metric.definition.rules:
        setting = setting.replace(rel=same_level(data, rules.rel))
    return setting if rules.undefined == 0 or _undefined(data, setting) else setting.replace(undefined=0)


def same_level(data: Data, rel: float) -> Any:
    """The grade from which on items are relevant, as one that occurs: above 0.5 is 1 where grades are whole."""
    place = int(np.searchsorted(data.grades, rel))
    return DEFAULT.replace(rel=data.grades[place]).rel if place < len(data.grades) else rel


def same_gain(data: Data, gain: Any, rel: float) -> Any:
    """The first gain that has a name and gives every grade that occurs the same worth."""
    grades = np.append(data.grades, 0.0)
    try:
        worth = gain_function(gain, rel)(grades)
    except RankgaugeError:
        return gain
    names = [name for name in NAMED_GAINS if name != "exp2-rel"]
    return next((name for name in names if np.array_equal(gain_function(name)(grades), worth)), gain)


def same_discount(discount: Any) -> Any:
    """Two names of one discount as one."""
    return "log2(i)" if discount == "jk(2)" else discount


def same_cut(data: Data, ideal: str, ideal_cut: str, k: int | None) -> str:
    """The first end of the ideal order that is the same on these data."""
    returned, judged = data.sizes
    if ideal == "full":  # as long as its cut
        whole = (ideal_cut == "none" and k is None) or (ideal_cut == "returned" and returned.min() >= (k or np.inf))
    elif ideal_cut == "none":
        whole = k is None or judged.max() <= k
    else:
        whole = bool((returned >= (judged if k is None else np.minimum(judged, k))).all())
    return "k" if whole else ideal_cut


def _same_precision(data: Data, precision: str) -> str:
    return precision if data.collapsing.any() else "float64"


def _same_order(data: Data, ties: str, precision: str) -> str:
    """The first order of equal scores that is the same on these data."""
    if not data.some_tied(precision).any():
        return "id"
    if ties not in FIXED_ORDERS or ties == "random":
        return ties
    before = {
        order: data.matched(DEFAULT.replace(score_precision=precision, ties=order)).before
        for order in FIXED_ORDERS
        if order != "random"
    }
    return next(order for order, places in before.items() if np.array_equal(places, before[ties]))


def _same_pairs(data: Data, rules: Convention) -> str:
    """The rule for tied pairs, which moves nothing where no scores are equal and every judged item was returned."""
    judged, returned = len(data.plain.pool_grade), int((~np.isnan(data.plain.grade)).sum())
    untied = not data.some_tied(rules.score_precision).any()
    return "half" if untied and judged == returned and not len(data.missing) else rules.tied_pairs


def _undefined(data: Data, setting: Setting) -> bool:
    try:
        return data.undefined_somewhere(setting)
    except RankgaugeError:  # the values will say why
        return True


SAME: dict[str, Callable[[Data, Setting], Any]] = {
    "score_precision": lambda data, one: _same_precision(data, one.convention.score_precision),
    "ties": lambda data, one: _same_order(data, one.convention.ties, one.convention.score_precision),
    "negative": lambda data, one: one.convention.negative if data.some_negative.any() else "unjudged",
    "unjudged": lambda data, one: one.convention.unjudged if data.some_unjudged.any() else "nonrelevant",
    "missing": lambda data, one: one.convention.missing if len(data.missing) else "zero",
    "no_relevant": lambda data, one: (
        one.convention.no_relevant if data.lacking_relevant(one.convention.rel) else "computed"
    ),
    "ideal": lambda _, one: "judged" if one.convention.ideal == "given" else one.convention.ideal,
    "discount": lambda _, one: same_discount(one.convention.discount),
    "hit_if": lambda data, one: "returned" if bool(np.all(data.plain.positive)) else one.convention.hit_if,
    "gain": lambda data, one: same_gain(data, one.convention.gain, one.convention.rel),
    "tied_pairs": lambda data, one: _same_pairs(data, one.convention),
    "ideal_cut": lambda data, one: same_cut(data, one.convention.ideal, one.convention.ideal_cut, one.metric.k),
}
"""What each rule may as well be on these data; in this order, for some depend on others."""
OF_FORMULAS = {"ideal", "discount", "hit_if", "gain", "tied_pairs", "ideal_cut"}
"""Those that only some metrics read."""
