"""Metric: an immutable, hashable value with a text form, and the computation of its values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf
from typing import Any, Literal, NamedTuple, Never, NoReturn, TypedDict, Unpack

import numpy as np

from rankgauge.conventions import DEFAULT, Convention, ConventionLike, check_convention
from rankgauge.conventions.budget import Budget
from rankgauge.conventions.order import Ties
from rankgauge.errors import InputError, ParameterError, UndefinedError, UnknownNameError
from rankgauge.matching.apply_rules import Worth
from rankgauge.matching.from_list import RankedList, rank_list
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.metric_core.curve import Curve
from rankgauge.metric_core.definition import CUTOFF_RULES, Definition, Kernel
from rankgauge.metric_core.explanation import Explanation, explain
from rankgauge.metric_core.metric_rules import AFTER_CUT, MetricRules, check_after_cut, no_lengths, resolve, tied_rows
from rankgauge.metric_core.parameters import JUDGED_ONLY
from rankgauge.metric_core.summary import OVERFLOW
from rankgauge.metric_core.sums import Sum, adjusted_values
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, all_right


class ListArguments(TypedDict, total=False):
    """What describes one list in addition to its grades."""

    scores: Iterable[Any] | None
    items: Iterable[Any] | None
    ideal: Iterable[Any] | None
    relevant: int | None


class CallArguments(ListArguments, total=False):
    """What ``of``, ``explain`` and ``curve`` take in addition to the grades."""

    ties: Ties | None
    convention: ConventionLike


class Bounds(NamedTuple):
    """The lowest and the highest possible value."""

    low: float
    high: float


class Metric:
    """A metric with its parameters, such as ``nDCG(gain="exp2") @ 10``.

    >>> import rankgauge as rg
    >>> rg.nDCG(gain="exp2") @ 10
    nDCG(gain='exp2')@10
    >>> rg.parse("nDCG(gain='exp2')@10") == rg.nDCG(gain="exp2") @ 10
    True
    """

    __slots__ = ("_text", "budget", "definition", "has_own_pass", "judged_only", "k", "kernel", "name", "parameters")
    definition: Definition
    parameters: Mapping[str, Any]
    name: str
    """The name without parameters."""
    kernel: Kernel
    """The declared function, for kernels that build on others."""
    k: int | None
    """The cutoff, or None."""
    budget: Budget | None
    """The length of text at which the list is cut, or None."""
    has_own_pass: bool
    """Whether it sees other rows than the ranking matched with the judgments: cut at a budget, or with their spans."""
    judged_only: bool
    """Whether unjudged items are removed for this metric, whatever the convention says."""
    _text: str

    def __init__(self, definition: Definition, parameters: Mapping[str, Any] | None = None) -> None:
        values = parameters or {}
        # Without parameters the type hints of the kernel are not needed; those of all take a sixth of the import.
        chosen = {name: values[name] for name in definition.parameters if name in values} if values else {}
        fixed = {"definition": definition, "parameters": chosen, "name": definition.name, "kernel": definition.kernel}
        k, budget = (None, k) if isinstance(k := chosen.get("k"), Budget) else (k, None)
        fixed |= {"k": k, "budget": budget, "judged_only": bool(chosen.get(JUDGED_ONLY.name))}
        fixed["has_own_pass"] = budget is not None or definition.of_spans
        for name, value in fixed.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_text", definition.written(chosen))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self} is immutable; create another metric with {self.name}(...)")

    def __call__(self, *grades: Never, **parameters: Any) -> Metric:
        """Return the metric with some parameters set.

        >>> import rankgauge as rg
        >>> rg.F(beta=2, k=10)
        F(beta=2)@10
        >>> rg.F(beta=-1)
        Traceback (most recent call last):
        ...
        rankgauge.errors.ParameterError: F: beta must be a number of at least 0, not -1
        """
        if grades:
            message = Phrase(
                "{metric} takes parameters by name; the value of a list of grades is {metric}.of(grades)",
                "{metric} 的参数须写明名称；一个等级列表的值用 {metric}.of(等级) 计算",
            )
            raise ParameterError(message.fill(metric=self.name))
        declared, chosen = self.definition.parameters, dict(self.parameters)
        for name, value in parameters.items():
            if name not in declared:
                raise UnknownNameError.closest((f"parameter of {self.name}", f" {self.name} 参数"), name, declared)
            checked = declared[name].check(value, self.name)
            chosen.pop(name, None)
            if checked != declared[name].default:
                chosen[name] = checked
        return Metric(self.definition, chosen)

    def __matmul__(self, value: float | str | None) -> Metric:
        """Set the cutoff k, or what else the metric declares: ``IPrec @ 0.1`` is at recall 0.1."""
        if self.definition.at not in self.definition.parameters:
            message = Phrase(
                "{name} has no cutoff k, so {name}@{value} is not a metric",
                "{name} 没有截断 k，因此 {name}@{value} 不是指标",
            )
            raise ParameterError(message.fill(name=self.name, value=value))
        return self(**{self.definition.at: (Budget.of(value) or value) if isinstance(value, str) else value})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Metric):
            return NotImplemented
        return self.definition is other.definition and self.parameters == other.parameters

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name, so that a worker process uses its own registry."""
        return _restore, (self.name, dict(self.parameters))

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    @property
    def without_budget(self) -> Metric:
        """The metric of a list that is cut at the budget already."""
        return self if self.budget is None else self @ None

    def resolve(self, rules: MetricRules | ConventionLike = None) -> MetricRules:
        """Return the rules of this metric under a convention; rules that are resolved already are returned as is."""
        return rules if isinstance(rules, MetricRules) else resolve(self, check_convention(rules))

    def effective_convention(self, convention: ConventionLike = None) -> Convention:
        """Return the convention with the rules that the metric itself sets.

        >>> import rankgauge as rg
        >>> rg.P(rel=2).effective_convention("trec_eval-9").rel
        2
        """
        return self.resolve(convention).effective

    def line(self, convention: ConventionLike = None, lang: str = "en") -> str:
        """Return the definition used, in one line: parameters, and every rule that can change this metric or its mean.

        >>> import rankgauge as rg
        >>> rg.P(rel=2).line().split(" · ")[:4]
        ['relevant from=2', 'P over=k', 'hit if=returned', 'denominator plus=0']
        """
        effective = self.effective_convention(convention)
        return self.definition.line(self.parameters, effective.line(self.used_rules(effective), lang))

    def short_line(self, convention: ConventionLike = None, lang: str = "en", triggered: Collection[str] = ()) -> str:
        """Return the definition used for people: without quiet rules at their default that the data do not trigger.

        >>> import rankgauge as rg
        >>> rg.ItemCoverage.short_line()
        'ties=id · unjudged items=nonrelevant · negative grades=unjudged · other rules=default'
        """
        effective, end = self.effective_convention(convention), [] if self.budget is None else ["budget_end"]
        rules = effective.short_line(self.used_rules(effective), lang, [*triggered, *end])
        return self.definition.line(self.parameters, rules)

    def used_rules(self, effective: Convention) -> tuple[str, ...]:
        """Return the rules that this convention uses for the metric: the end of a budget if it has one."""
        used = self.definition.used_rules(effective)
        return tuple(rule for rule in used if rule != "budget_end" or self.budget is not None)

    def list_convention(self, convention: ConventionLike = None) -> Convention:
        """Return the convention by which the list is formed that this metric evaluates."""
        return self.resolve(convention).of_list

    def depth(self, convention: ConventionLike = None) -> int | None:
        """Return the last rank whose item can change the value, or None if all ranks can."""
        rules = self.resolve(convention).effective
        all_ranks = not self.definition.top_only or rules.ideal == "returned" or rules.unjudged != "nonrelevant"
        all_ranks |= any(getattr(rules, rule) != getattr(DEFAULT, rule) for rule in CUTOFF_RULES)
        return None if all_ranks else self.k

    def compute(self, judged: JudgedRankings, rules: MetricRules | ConventionLike = None) -> Sum:
        """Return the sum that the kernel builds from judged rankings."""
        _, of_list, effective, arguments = self.resolve(rules)
        if self.budget is not None:
            raise no_lengths(self, self.budget)
        if self.judged_only:
            judged = judged.only_judged()
        k, cutoff = self.k, judged.enlarged(self.k)
        if of_list.unjudged == AFTER_CUT:
            check_after_cut(self, judged, cutoff, of_list)
            judged = judged.only_judged(cutoff)
        if cutoff is not k:
            arguments = {**arguments, "k": cutoff}
        if judged.tie_first is not None:
            judged = tied_rows(self, judged, of_list.ties, arguments)
        with np.errstate(over="ignore", invalid="ignore"):  # `values_of` reports what is not finite
            computed: Sum = self.definition.kernel(judged, **arguments)
            if isinstance(computed, Sum):  # a corpus-level metric has no values of queries
                _ = [part.totals for part in (computed, *computed.parts.values())]
                computed.returned = judged.shown(None) if cutoff is k else judged.returned
                computed.enlarged = None if cutoff is k else cutoff
                if effective.denominator_plus:
                    computed.adding_below(effective.denominator_plus)
        return computed

    def values(self, judged: JudgedRankings, rules: MetricRules | ConventionLike = None) -> Floats:
        """Return one value per query, with the rule for 0/0 applied; NaN for a query that is excluded."""
        resolved = self.resolve(rules)
        return self.values_of(self.compute(judged, resolved), resolved)

    def values_of(self, computed: Sum, rules: MetricRules | ConventionLike = None) -> Floats:
        """Return the values of a computed sum, with the rules for 0/0 and those after the formula applied."""
        effective = self.resolve(rules).effective
        values = self.quotients(computed, effective)
        for _, adjusted in adjusted_values(values, computed, self.k, effective):
            values = adjusted
        return values

    def assigned(self, computed: Sum, rules: MetricRules | ConventionLike = None) -> Bools | None:
        """Return which queries are 0/0 and get a number by the rule for that; None if there are none."""
        return None if isinstance(self.resolve(rules).effective.undefined, str) else computed.undefined

    def quotients(self, computed: Sum, effective: Convention) -> Floats:
        """Return the values of the formula, with the rule for 0/0 applied."""
        values, undefined, rule = computed.quotients(), computed.undefined, effective.undefined
        if undefined is not None and computed.normaliser is not None:
            if rule == "error" and undefined.any():
                raise UndefinedError(
                    f"{self} is 0/0: {computed.normaliser.name} is 0; set undefined to a number, 'nan' or 'skip'",
                    int(np.flatnonzero(undefined)[0]),
                )
            if not isinstance(rule, str):
                values = np.where(undefined, float(rule), values)
        finite = np.isfinite(values) if undefined is None else np.isfinite(values) | undefined
        if not all_right(finite):
            raise InputError(OVERFLOW.fill(metric=self))
        return values if computed.last is None else computed.last.function(values)

    def of(self, grades: Iterable[float | None], **given: Unpack[CallArguments]) -> float:
        """Return the value of one list.

        Parameters
        ----------
        grades
            The grade of each returned item, or None for an unjudged item.
        ties
            Rule for equal scores, instead of the convention's. ``bounds`` gives the lowest and highest value over
            all orders of the tied items.
        scores
            The system's scores; without them the list is taken to be in order.
        items
            Item ids, which break ties.
        ideal
            The grades of all judged items, returned or not.
        relevant
            Number of relevant items, returned or not.
        convention
            A Convention, or the name of a preset such as ``"lightgbm"``.

        Examples
        --------
        >>> import rankgauge as rg
        >>> round((rg.nDCG @ 5).of([3, 2, 3, 0, 1]), 6)
        0.972364
        >>> round(rg.AP.of([1, 0, 1, 0], relevant=5), 6)  # (1/1 + 2/3) / 5
        0.333333
        >>> (rg.P @ 1).of([1, 0], scores=[0.5, 0.5], ties="mean")
        0.5
        """
        ranked, rules = self._rank(grades, given.pop("ties", None), given.pop("convention", None), given)
        return float(self.values(ranked.judged, rules)[0])

    def bounds(
        self,
        grades: Iterable[float | None],
        *,
        over: Literal["ties", "unjudged"] = "ties",
        grade: float | None = None,
        convention: ConventionLike = None,
        **given: Unpack[ListArguments],
    ) -> Bounds:
        """Return the lowest and the highest value of one list; takes the arguments of ``of``.

        Over ``ties``: the exact extremes over all orders of the tied items.
        Over ``unjudged``: the value with all unjudged items not relevant and with all of them judged at
        ``grade`` (by default the relevance threshold), the lower one first. If the normaliser depends on the
        number of relevant items (nDCG, AP, R), a mixture of the two can lie outside these values.

        >>> import rankgauge as rg
        >>> (rg.P @ 1).bounds([1, 0], scores=[0.5, 0.5])
        Bounds(low=0.0, high=1.0)
        >>> (rg.P @ 2).bounds([1, None], over="unjudged")
        Bounds(low=0.5, high=1.0)
        """
        rules, _, effective, arguments = self.resolve(convention)
        if over == "ties":
            if not self.definition.holds(self.definition.ordered, arguments):
                raise ParameterError(f"{self} has no best order of tied items, so its bounds are unknown")
            extremes = [rules.replace_for(self.name, ties=ties) for ties in ("worst", "best")]
        elif over == "unjudged":
            level = effective.rel if grade is None else grade
            extremes = [rules.replace_for(self.name, unjudged=assumed) for assumed in ("nonrelevant", level)]
        else:
            raise ParameterError.of("over", over, ("'ties' or 'unjudged'", "'ties' 或 'unjudged'"))
        worth = self.definition.worth(arguments)
        if isinstance(grades, Iterator):  # both extremes read it
            grades = [*grades]
        lists = [self._rank(grades, None, extreme, given, worth) for extreme in extremes]
        return Bounds(*sorted(float(self.values(ranked.judged, resolved)[0]) for ranked, resolved in lists))

    def explain(self, grades: Iterable[float | None], **given: Unpack[CallArguments]) -> Explanation:
        """Explain the value of one list step by step; takes the arguments of ``of``.

        >>> import rankgauge as rg
        >>> round((rg.nDCG @ 5).explain([3, 2, 3, 0, 1]).value, 6)
        0.972364
        """
        return self.explain_ranked(*self._rank(grades, given.pop("ties", None), given.pop("convention", None), given))

    def explain_ranked(self, ranked: RankedList, rules: MetricRules | ConventionLike = None) -> Explanation:
        """Explain the value of a list that is already ranked."""
        resolved = self.resolve(rules)
        ranked = self.evaluated_list(ranked, resolved)
        computed = self.compute(ranked.judged, resolved)
        values = self.quotients(computed, resolved.effective)
        after = [(rule, float(v[0])) for rule, v in adjusted_values(values, computed, self.k, resolved.effective)]
        return explain(self, computed, float(values[0]), after, ranked, resolved.effective)

    def evaluated_list(self, ranked: RankedList, rules: MetricRules | ConventionLike = None) -> RankedList:
        """Return the list that this metric evaluates: the ranked list, or what a rule leaves of its top k."""
        if self.resolve(rules).of_list.unjudged != AFTER_CUT:
            return ranked
        return ranked.only_judged(ranked.judged.enlarged(self.k))

    def curve(self, grades: Iterable[float | None], **given: Unpack[CallArguments]) -> Curve:
        """Return the value at every cutoff k from 1 to the length of the list; takes the arguments of ``of``.

        >>> import rankgauge as rg
        >>> (rg.P @ 10).curve([1, 0, 1, 1]).values
        (1.0, 0.5, 0.6666666666666666, 0.75)
        """
        if "k" not in self.definition.parameters:
            raise ParameterError(f"{self.name} has no cutoff k, so it has no curve")
        without_cutoff = self @ None
        ranked, rules = self._rank(grades, given.pop("ties", None), given.pop("convention", None), given)
        cutoffs = range(1, int(ranked.judged.returned[0]) + 1)
        values = [float((self @ k).values(ranked.judged, rules.convention)[0]) for k in cutoffs]
        return Curve(str(without_cutoff), values)

    def _rank(
        self,
        grades: Iterable[object],
        ties: str | None,
        convention: ConventionLike,
        given: ListArguments,
        worth: Worth | None = None,
    ) -> tuple[RankedList, MetricRules]:
        """Return the ranked list and the rules of the call."""
        if self.definition.of_items:
            raise ParameterError(f"{self} needs more than grades: use rg.evaluate(..., [{str(self)!r}]) or rg.explain")
        for name in given.keys() - ListArguments.__annotations__.keys():
            if name in self.definition.parameters:
                raise ParameterError(f"{name} is a parameter of the metric: write {self.name}({name}=...)")
            raise UnknownNameError.closest("argument", name, ListArguments.__annotations__)
        rules = resolve(self, check_convention(convention), ties, (ideal := given.get("ideal")) is not None)
        if ideal is not None and rules.arguments.get("ideal") == "returned":
            raise ParameterError(f"{self} takes its ideal from the returned items; do not pass ideal= as well")
        if ideal is None and rules.arguments.get("ideal") == "given":
            raise ParameterError(f"{self} under ideal='given' needs the grades of the ideal: ideal=[...]")
        effective, rows = rules.effective, None
        if "ideal" in rules.arguments:
            rows = self.k or inf if effective.ideal_cut == "k" else inf
        ranked = rank_list(grades, **given, rel=effective.rel, convention=rules.of_list, worth=worth, ideal_rows=rows)
        return ranked, rules


def _restore(name: str, parameters: Mapping[str, object]) -> Metric:
    from rankgauge.metric_core.registry import find  # noqa: PLC0415 (the registry imports this module)

    return find(name)(**parameters)
