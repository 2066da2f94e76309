"""Equivalent rules: values of rules that make no difference on the data are replaced by the default.

Two tools that differ only in the order of equal scores agree if no scores are equal; their settings are then written
alike, so that two settings differ only in rules that matter.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from rankgauge.conventions import DEFAULT, RULES, Convention
from rankgauge.conventions.convention import rules_at
from rankgauge.conventions.gains import NAMED_GAINS, gain_function
from rankgauge.conventions.gains import reads_rel as gain_reads_rel
from rankgauge.conventions.rule import Stage
from rankgauge.errors import RankgaugeError
from rankgauge.metric_core.definition import CONDITIONAL_RULES
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.reconciliation_data import RULES_BEFORE, ReconciliationData
from rankgauge.reconciliation.rule_setting import RuleSetting


def simplified(data: ReconciliationData, metric: Metric, convention: Convention) -> RuleSetting:
    """Return the setting of a metric with every rule that makes no difference on the data at its default."""
    setting = RuleSetting.of(metric, convention)
    before = {rule: getattr(setting.convention, rule) for rule in RULES}
    rules: Any = SimpleNamespace(**before)  # a copy of a convention is slow
    for rule, equivalent in EQUIVALENTS.items():
        if rule in metric.definition.rules or RULES[rule].is_common:
            setattr(rules, rule, equivalent(data, rules, metric.k))
    for rule, is_used in CONDITIONAL_RULES.items():
        if not is_used(rules):
            setattr(rules, rule, getattr(DEFAULT, rule))
    if not metric.definition.reads_rel(rules):
        rules.rel = DEFAULT.rel
    elif not gain_reads_rel(rules.gain) or "gain" not in metric.definition.rules:
        rules.rel = equivalent_level(data, rules.rel)
    changed = {rule: value for rule, value in vars(rules).items() if value != before[rule]}
    setting = setting.replace(**changed)
    if rules.undefined != 0 and not _has_undefined(data, setting):
        setting = setting.replace(undefined=0)
    return _without_idle_rules(data, setting)


def _without_idle_rules(data: ReconciliationData, setting: RuleSetting) -> RuleSetting:
    """Reset rules of all metrics that have no function below, if no query has another value without them."""
    for rule in OTHER_RULES:
        if rule in setting.metric.definition.applicable_rules and setting.value(rule) != getattr(DEFAULT, rule):
            reset = setting.replace(**{rule: getattr(DEFAULT, rule)})
            try:
                if np.array_equal(data.values(setting), data.values(reset), equal_nan=True):
                    setting = reset
            except RankgaugeError:  # these rules give no value
                continue
    return setting


def equivalent_level(data: ReconciliationData, rel: float) -> object:
    """Return the smallest grade in the data that counts as relevant: 0.5 becomes 1 if grades are integers."""
    place = int(np.searchsorted(data.grades, rel))
    return DEFAULT.replace(rel=data.grades[place]).rel if place < len(data.grades) else rel


def equivalent_gain(data: ReconciliationData, gain: object, rel: float) -> object:
    """Return the first named gain with the same value for every grade in the data."""
    if (gain, rel) not in data.gain_names:
        data.gain_names[gain, rel] = _equivalent_gain(data, gain, rel)
    return data.gain_names[gain, rel]


def _equivalent_gain(data: ReconciliationData, gain: object, rel: float) -> object:
    grades = np.append(data.grades, 0.0)
    try:
        values = gain_function(gain, rel)(grades)
    except RankgaugeError:
        return gain
    names = [name for name in NAMED_GAINS if not gain_reads_rel(name)]
    return next((name for name in names if np.array_equal(gain_function(name)(grades), values)), gain)


def equivalent_discount(discount: object) -> object:
    """Return one name for each discount."""
    return "log2(i)" if discount == "jk(2)" else discount


def equivalent_ideal_cut(data: ReconciliationData, ideal: str, ideal_cut: str, k: int | None) -> str:
    """Return "k" if it makes no difference on the data, else the given cut of the ideal order."""
    returned, judged = data.sizes
    if data.has_copies.any():  # the number of returned items depends on what copies count
        return ideal_cut
    if ideal_cut == "k or n":
        return "k" if k is not None else equivalent_ideal_cut(data, ideal, "returned", k)
    if ideal == "full":  # the ideal order is as long as its cut
        same = (ideal_cut == "none" and k is None) or (ideal_cut == "returned" and returned.min() >= (k or np.inf))
    elif ideal_cut == "none":
        same = k is None or judged.max() <= k
    else:
        same = bool((returned >= (judged if k is None else np.minimum(judged, k))).all())
    return "k" if same else ideal_cut


def _equivalent_tied_pairs(data: ReconciliationData, rules: Convention) -> str:
    """Return the rule for tied pairs, which matters only if scores are equal or judged items were not returned."""
    judged, returned = len(data.plain.pool_grade), int(data.sizes[0].sum())
    untied = not data.has_ties(rules.score_precision).any()
    return "half" if untied and judged == returned and not len(data.missing) else rules.tied_pairs


def _has_undefined(data: ReconciliationData, setting: RuleSetting) -> bool:
    try:
        return data.has_undefined(setting)
    except RankgaugeError:  # reported when values are computed
        return True


EQUIVALENTS: dict[str, Callable[[ReconciliationData, Convention, int | None], Any]] = {
    "score_precision": lambda data, rules, _: rules.score_precision if data.precision_sensitive.any() else "float64",
    "ties": lambda data, rules, _: data.equivalent_order(rules.ties, rules.score_precision),
    "tied_at_k": lambda _, rules, k: "cut" if k is None else rules.tied_at_k,
    "negative": lambda data, rules, _: rules.negative if data.has_negative.any() else "unjudged",
    "fractions": lambda data, rules, _: rules.fractions if (data.grades != np.trunc(data.grades)).any() else "keep",
    "unjudged": lambda data, rules, _: rules.unjudged if data.has_unjudged.any() else "nonrelevant",
    "duplicates": lambda data, rules, _: rules.duplicates if data.has_copies.any() else "error",
    "k_counts": lambda data, rules, k: rules.k_counts if k is not None and data.has_copies.any() else "places",
    "missing": lambda data, rules, _: rules.missing if len(data.missing) else "zero",
    "short_list": lambda data, rules, k: rules.short_list if data.shortest < (k or 0) else "computed",
    "no_relevant": lambda data, rules, _: rules.no_relevant if data.lacks_relevant(rules) else "computed",
    "no_queries": lambda data, rules, _: rules.no_queries if data.lacks_relevant(rules) or len(data.missing) else "nan",
    "ideal": lambda _, rules, __: "judged" if rules.ideal == "given" else rules.ideal,
    "discount": lambda _, rules, __: equivalent_discount(rules.discount),
    "hit_if": lambda data, rules, _: "returned" if bool(np.all(data.plain.positive)) else rules.hit_if,
    "gain": lambda data, rules, _: equivalent_gain(data, rules.gain, rules.rel),
    "tied_pairs": lambda data, rules, _: _equivalent_tied_pairs(data, rules),
    "ideal_cut": lambda data, rules, k: equivalent_ideal_cut(data, rules.ideal, rules.ideal_cut, k),
}
"""Functions that return an equivalent value of each rule; in this order, since some depend on others."""
OTHER_RULES = tuple(rule for rule in (*RULES_BEFORE, *rules_at(Stage.AFTER)) if rule not in {*EQUIVALENTS, "undefined"})
"""Rules of all metrics without such a function."""
