"""The space of settings: every named value of every rule that can move the metric on these data.

The rules that the formula reads are tried in all combinations, with cutoffs near the one asked for. The rules before
and after the formula (ties, unjudged items, 0/0, averaging and the like) are tried one at a time, and in the
combinations that some tool has; with the other cutoffs, only as by default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from rankgauge.conventions import DEFAULT, RULES
from rankgauge.errors import RankgaugeError
from rankgauge.metric_core.description import can_be_passed
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.data import AFTER, PLAIN, Data
from rankgauge.reconciliation.equivalent_rules import plainest, same_cut, same_discount, same_gain, same_level
from rankgauge.reconciliation.rule_setting import CUTOFF, Setting, bare, rules_moving

NEVER = {"error", "nan", "given", "random", "weighted", "function", "grade"}
"""Values that give no number, or one that no search can find."""
LEVELS = 8
"""So many relevance levels are tried at most."""
OTHER_VALUES: Mapping[str, Sequence[Any]] = {"undefined": (0, 1, 0.5), "discount": ("jk(10)",), "stop": ("grade",)}
"""Values worth trying that have no name of their own, or one that means something else elsewhere."""

BY_FORMULA = {"undefined", "no_relevant"}
"""The rules after the formula of which the formula says where they matter."""
ENDLESS = 1_000_000
"""With more items returned than this, no ideal is tried that has as many best items as were returned."""

Patch = tuple[tuple[str, Any], ...]
"""Rules and the values they get."""


class Point(NamedTuple):
    """One place of the space and the mean there."""

    formula: Patch
    around: Patch
    mean: float


class Space:
    """The settings around a metric: what is tried for each rule."""

    def __init__(self, metric: Metric, data: Data, settings: Sequence[Setting]) -> None:
        """Take the settings of tools, whose values are tried, too."""
        self.data = data
        self.settings = settings
        pinned = metric.effective_convention(DEFAULT)
        own = {p.rule for name, p in metric.definition.parameters.items() if name in metric.parameters}
        self.start = Setting.of(bare(metric), pinned)
        own |= {"averaging", "counts"} if len(data.queries) == 1 else set()  # there is nothing to average
        names = [rule for rule in rules_moving(metric.definition) if rule not in own]
        self.choices = {rule: _unlike(self._choices(rule, settings)) for rule in names}
        if "gain" in self.choices and "rel" not in names:
            self.levels: Sequence[Any] = [level for level in self._levels() if level != DEFAULT.rel]
        else:
            self.levels = ()
        self.cutoffs = _unlike(
            [metric.k, *_near_cutoffs(metric.k), *(setting.metric.k for setting in settings)]
            if CUTOFF in metric.definition.parameters
            else [None]
        )

    def _choices(self, rule: str, settings: Sequence[Setting]) -> list[Any]:
        """What is tried for a rule, the default first."""
        if rule == "rel":
            return [self.start.convention.rel, *self._levels()]
        if rule == "max_grade":
            top = float(self.data.grades.max(initial=0.0))
            return [DEFAULT.max_grade, *([top] if top > 0 else [])]
        named = [name for name in RULES[rule].values if name not in NEVER and can_be_passed(rule, name)]
        used = [setting.value(rule) for setting in settings]
        tried = [self.start.value(rule), *named, *OTHER_VALUES.get(rule, ()), *used]
        return [value for value in tried if value not in ("error", "nan")]

    def _levels(self) -> list[Any]:
        """The relevance levels that part the grades that occur."""
        levels = self.data.grades[self.data.grades > 0]
        if len(levels) > LEVELS:
            levels = levels[np.unique(np.linspace(0, len(levels) - 1, LEVELS).astype(int))]
        return [same_level(self.data, level) for level in levels]

    def points(self) -> Iterator[Point]:
        """All settings that give a number, those that are the same on these data once."""
        asked, plain = self.start.metric.k, [self._arounds[0]]
        for formula in self._formulas():
            seen = set()
            for around in self._arounds if dict(formula).get(CUTOFF) == asked else plain:
                setting = self.start.replace(**dict(around), **dict(formula))
                try:
                    setting = self._where_it_matters(setting)
                    if setting in seen:
                        continue
                    seen.add(setting)
                    mean = self.data.mean(setting)
                except RankgaugeError:  # these rules do not go together
                    continue
                if not np.isnan(mean):
                    yield Point(formula, around, mean)

    def _where_it_matters(self, setting: Setting) -> Setting:
        """The setting without rules after the formula that change nothing there; which do depends on the formula."""
        rules = setting.convention
        if rules.no_relevant != "computed" and not self.data.lacking_relevant(rules.rel):
            setting = setting.replace(no_relevant="computed")
        if rules.undefined != 0 and not self.data.undefined_somewhere(setting):
            setting = setting.replace(undefined=0)
        return setting

    def setting(self, point: Point) -> Setting:
        """The setting of a point, without rules that change nothing."""
        setting = self.start.replace(**dict(point.around), **dict(point.formula))
        return plainest(self.data, setting.metric, setting.convention)

    @cached_property
    def _arounds(self) -> list[Patch]:
        """The rules before and after the formula: as by default, one changed, or as a tool has them."""
        rules = [rule for rule in (*PLAIN, *AFTER) if rule in self.choices]
        tried = [{}, *({rule: value} for rule in rules for value in self.choices[rule])]
        tried += [{rule: setting.value(rule) for rule in rules} for setting in self.settings]
        found: dict[Any, Patch] = {}
        for patch in tried:
            try:
                same = plainest(self.data, self.start.metric, self.start.convention.replace(**patch))
            except RankgaugeError:
                continue
            after = {
                rule: patch.get(rule, self.start.value(rule)) if rule in BY_FORMULA else same.value(rule)
                for rule in rules
                if rule in AFTER
            }
            key = (self.data.signature(same.convention), *after.values())
            before = {rule: same.value(rule) for rule in rules if rule in PLAIN}
            found.setdefault(key, tuple((before | after).items()))
        return [*found.values()]

    def _formulas(self) -> Iterator[Patch]:
        """The rules that the formula reads, and the cutoff."""
        rules = [rule for rule in self.choices if rule not in PLAIN and rule not in AFTER]
        choices = {rule: self.choices[rule] for rule in rules}
        if (
            "hit_if" in choices
            and plainest(self.data, self.start.metric, DEFAULT.replace(hit_if="score>0")) == self.start
        ):
            choices["hit_if"] = ["returned"]
        seen = set()
        for values in product(*choices.values()):
            patch = dict(zip(choices, values, strict=True))
            for level in ("rel" in patch and (patch["rel"],)) or (DEFAULT.rel, *self.levels):
                if patch.get("gain") == "exp2-rel":
                    whole = patch | {"rel": level}
                    whole["gain"] = same_gain(self.data, "exp2-rel", level)
                elif "gain" in patch:
                    whole = patch | {"gain": same_gain(self.data, patch["gain"], DEFAULT.rel)}
                else:
                    whole = patch
                if whole.get("gain") != "exp2-rel" and "rel" not in choices:
                    whole.pop("rel", None)
                if "discount" in whole:
                    whole["discount"] = same_discount(whole["discount"])
                for patch_of_k in self._with_cutoffs(whole):
                    if patch_of_k not in seen:
                        seen.add(patch_of_k)
                        yield patch_of_k

    def _with_cutoffs(self, patch: Mapping[str, Any]) -> Iterator[Patch]:
        """The rules of a formula with each cutoff, the end of the ideal order named once where several are the same."""
        if CUTOFF not in self.start.metric.definition.parameters:
            yield tuple(patch.items())
            return
        ideal = patch.get("ideal", self.start.convention.ideal)
        for k in self.cutoffs:
            whole = dict(patch)
            if "ideal_cut" in patch:
                whole["ideal_cut"] = same_cut(self.data, ideal, patch["ideal_cut"], k)
            endless = ideal == "full" and (k is None or whole.get("ideal_cut") == "none")
            if not endless or int(self.data.plain.returned.sum()) <= ENDLESS:
                yield (*whole.items(), (CUTOFF, k))


def _near_cutoffs(k: int | None) -> list[int | None]:
    return [] if k is None else [*([k - 1] if k > 1 else []), k + 1, None]


def _unlike(values: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if not any(value == other and isinstance(value, str) == isinstance(other, str) for other in found):
            found.append(value)
    return found
