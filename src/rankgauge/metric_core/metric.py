"""A metric is a value: immutable, hashable, printable, and the same text everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple, NoReturn, TypedDict, Unpack, overload

import numpy as np

from rankgauge.conventions import DEFAULT, Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError, ParameterError, UndefinedError, UnknownNameError
from rankgauge.matching.apply_rules import Worth
from rankgauge.matching.from_list import RankedList, rank_list
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.ties import averaged, together
from rankgauge.metric_core.curve import Curve
from rankgauge.metric_core.definition import Definition, Kernel
from rankgauge.metric_core.explanation import Explanation, explain
from rankgauge.metric_core.sums import Sum
from rankgauge.segments import Bools, Floats


class Given(TypedDict, total=False):
    """What ``of``, ``explain``, ``curve`` and ``bounds`` may be told beside the grades."""

    scores: Iterable[Any] | None
    items: Iterable[Any] | None
    ideal: Iterable[Any] | None
    relevant: int | None


class Bounds(NamedTuple):
    """The lowest and the highest value that there can be."""

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

    __slots__ = ("_bound", "_text", "definition", "parameters")
    definition: Definition
    parameters: Mapping[str, Any]
    _bound: dict[Convention, dict[str, Any]]
    _text: str

    def __init__(self, definition: Definition, parameters: Mapping[str, Any] | None = None) -> None:
        given = parameters or {}
        chosen = {name: given[name] for name in definition.parameters if name in given}
        object.__setattr__(self, "definition", definition)
        object.__setattr__(self, "parameters", chosen)
        object.__setattr__(self, "_bound", {})
        object.__setattr__(self, "_text", definition.written(chosen))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self} is a value and cannot be changed; make another with {self.name}(...)")

    def __call__(self, **parameters: Any) -> Metric:
        """The same metric with some parameters set.

        >>> import rankgauge as rg
        >>> rg.F(beta=2, k=10)
        F(beta=2)@10
        >>> rg.F(beta=-1)
        Traceback (most recent call last):
        ...
        rankgauge.errors.ParameterError: F: beta must be a number of at least 0, not -1
        """
        declared, chosen = self.definition.parameters, dict(self.parameters)
        for name, value in parameters.items():
            if name not in declared:
                raise UnknownNameError.closest(f"parameter of {self.name}", name, declared)
            checked = declared[name].check(value, self.name)
            chosen.pop(name, None)
            if checked != declared[name].default:
                chosen[name] = checked
        return Metric(self.definition, chosen)

    def __matmul__(self, k: int | None) -> Metric:
        if "k" not in self.definition.parameters:
            raise ParameterError(f"{self.name} has no cutoff k, so {self.name}@{k} means nothing")
        return self(k=k)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Metric):
            return NotImplemented
        return self.definition is other.definition and self.parameters == other.parameters

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        """By name, so that workers find the metric in their own registry."""
        return _restored, (self.name, dict(self.parameters))

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    @property
    def name(self) -> str:
        """The name without parameters."""
        return self.definition.name

    @property
    def kernel(self) -> Kernel:
        """The declared function, for kernels that are made of others."""
        return self.definition.kernel

    @property
    def k(self) -> int | None:
        """The cutoff, None where there is none."""
        k: int | None = self.parameters.get("k")
        return k

    def depth(self, convention: Convention) -> int | None:
        """Down to which rank returned items matter; None where all do."""
        force = self.in_force(convention)
        whole = not self.definition.top_only or force.ideal == "returned" or force.unjudged != "nonrelevant"
        return None if whole else self.k

    def line(self, convention: ConventionLike = None, lang: str = "en") -> str:
        """The definition in force in one line: the rules that move this metric.

        >>> import rankgauge as rg
        >>> print((rg.P(rel=2) @ 5).line())
        relevant from=2 · P over=k · ties=id · 0/0=0 · unjudged items=nonrelevant · negative grades=unjudged
        """
        return self.in_force(convention).line(self.definition.rules_in_force, lang)

    def in_force(self, convention: ConventionLike = None) -> Convention:
        """The convention with the rules that the metric itself sets."""
        own = {
            rule: self.parameters[name]
            for name, parameter in self.definition.parameters.items()
            if (rule := parameter.rule) is not None and self.parameters.get(name) is not None
        }
        rules = check_convention(convention)
        force = rules.for_metric(self.name)
        if not isinstance(force.undefined, str) and self._takes_no_number(rules):
            own["undefined"] = self.definition.undefined
        return force.replace(**own)

    # Many queries

    def compute(self, judged: JudgedRankings, convention: Convention = DEFAULT) -> Sum:
        """The sum that the kernel makes of judged rankings."""
        arguments = self._arguments(convention)
        if convention.ties == "mean" and judged.tie_first is not None:
            if self.definition.holds(self.definition.ties_mean, arguments):
                judged = averaged(judged)
            elif not self.definition.settles_ties(arguments):
                raise ParameterError(
                    f"{self} has no closed form for ties='mean'; use ties='bounds' for the lowest and highest value"
                )
        elif convention.ties == "together":
            judged = together(judged)
        return self.definition.kernel(judged, **arguments)

    def values(self, judged: JudgedRankings, convention: Convention = DEFAULT) -> Floats:
        """One value for each query, 0/0 settled as the convention says; NaN where it is left out."""
        return self.settled(self.compute(judged, convention), convention)

    def settled(self, computed: Sum, convention: Convention) -> Floats:
        """The values of a computed sum, 0/0 and queries without relevant items settled as the convention says."""
        no_number, convention = self._takes_no_number(convention), convention.for_metric(self.name)
        values = computed.quotients()
        undefined, rule = computed.undefined, convention.undefined
        if undefined is not None and computed.normaliser is not None:
            if rule == "error":
                raise UndefinedError(
                    f"{self} is 0/0: {computed.normaliser.name} is 0; set undefined to a number, 'nan' or 'skip'",
                    int(np.flatnonzero(undefined)[0]),
                )
            if not isinstance(rule, str) and not no_number:
                values = np.where(undefined, float(rule), values)
            finite = np.isfinite(values[~undefined]).all()
        else:
            finite = np.isfinite(values).all()
        if not finite:
            raise InputError(f"{self}: the gains are too large to be added up; use a linear gain or smaller grades")
        if computed.last is not None:
            values = computed.last.function(values)
        if convention.no_relevant == "skip":
            rel = self._arguments(convention).get("rel", convention.rel)
            values = np.where(computed.judged.relevant_judged(rel) > 0, values, np.nan)
        return values

    def _takes_no_number(self, convention: Convention) -> bool:
        """Whether a number for 0/0 makes no sense here, and none was given for this metric alone."""
        alone = convention.per_metric.rules_of(self.name) if convention.per_metric else ()
        return self.definition.undefined is not None and "undefined" not in alone

    # One list

    @overload
    def of(  # type: ignore[overload-overlap]
        self,
        grades: Iterable[Any],
        *,
        ties: Literal["bounds"],
        convention: ConventionLike = None,
        **given: Unpack[Given],
    ) -> Bounds: ...

    @overload
    def of(
        self,
        grades: Iterable[Any],
        *,
        ties: str | None = None,
        convention: ConventionLike = None,
        **given: Unpack[Given],
    ) -> float: ...

    def of(
        self,
        grades: Iterable[Any],
        *,
        ties: str | None = None,
        convention: ConventionLike = None,
        **given: Unpack[Given],
    ) -> float | Bounds:
        """The value of one list.

        Parameters
        ----------
        grades
            A grade for each returned item, None for one that was not judged.
        ties
            A rule for equal scores instead of the convention's; ``"bounds"`` gives the lowest and the
            highest value of any order.
        scores
            The system's scores; without them the items stand in the order of the list.
        items
            The names of the items; ties are broken by them.
        ideal
            The grades of all judged items, returned or not.
        relevant
            How many items are relevant in all, returned or not.
        convention
            The rules in force: a Convention, or the name of a preset such as ``"lightgbm"``.

        Examples
        --------
        >>> import rankgauge as rg
        >>> round((rg.nDCG @ 5).of([3, 2, 3, 0, 1]), 6)
        0.972364
        >>> round(rg.AP.of([1, 0, 1, 0], relevant=5), 6)  # (1/1 + 2/3) / 5
        0.333333
        >>> (rg.P @ 1).of([1, 0], scores=[0.5, 0.5], ties="mean")
        0.5
        >>> (rg.P @ 1).of([1, 0], scores=[0.5, 0.5], ties="bounds")
        Bounds(low=0.0, high=1.0)
        """
        if ties == "bounds":
            return self.bounds(grades, convention=convention, **given)
        ranked, rules = self._rank(grades, ties, convention, given)
        return float(self.values(ranked.judged, rules)[0])

    def bounds(
        self,
        grades: Iterable[Any],
        *,
        over: Literal["ties", "unjudged"] = "ties",
        grade: float | None = None,
        convention: ConventionLike = None,
        **given: Unpack[Given],
    ) -> Bounds:
        """How far the value of one list can move; takes the arguments of ``of``.

        Over ``ties``: the lowest and the highest value that an order of the tied items can give, exactly.
        Over ``unjudged``: the value with all unjudged items not relevant and with all of them judged at
        ``grade`` (the relevance level where none is given), the lower one first. Where the normaliser counts
        what is relevant (nDCG, AP, R), some items relevant and others not can lie outside this pair.

        >>> import rankgauge as rg
        >>> (rg.P @ 2).bounds([1, None], over="unjudged")
        Bounds(low=0.5, high=1.0)
        """
        rules = check_convention(convention)
        arguments = self._arguments(rules)
        if over == "ties":
            if not self.definition.holds(self.definition.ordered, arguments):
                raise ParameterError(f"{self} has no best order of tied items, so its bounds are not known")
            both = [rules.replace(ties="worst"), rules.replace(ties="best")]
        elif over == "unjudged":
            level = arguments.get("rel", rules.rel) if grade is None else grade
            both = [rules.replace(unjudged="nonrelevant"), rules.replace(unjudged=level)]
        else:
            raise ParameterError.of("over", over, "'ties' or 'unjudged'")
        listed, worth = list(grades), self._worth(arguments)
        low, high = sorted(
            float(self.values(ranked.judged, rules)[0])
            for ranked, rules in (self._rank(listed, None, rule, given, worth) for rule in both)
        )
        return Bounds(low, high)

    def explain(
        self,
        grades: Iterable[Any],
        *,
        ties: str | None = None,
        convention: ConventionLike = None,
        **given: Unpack[Given],
    ) -> Explanation:
        """How the value of one list comes about, step by step; takes the arguments of ``of``.

        >>> import rankgauge as rg
        >>> round((rg.nDCG @ 5).explain([3, 2, 3, 0, 1]).value, 6)
        0.972364
        """
        return self.explain_ranked(*self._rank(grades, ties, convention, given))

    def explain_ranked(self, ranked: RankedList, convention: Convention) -> Explanation:
        """How the value of a list that is already ranked comes about."""
        computed = self.compute(ranked.judged, convention)
        value = float(self.settled(computed, convention)[0])
        return explain(self.definition, str(self), computed, value, ranked, self.in_force(convention))

    def curve(
        self,
        grades: Iterable[Any],
        *,
        ties: str | None = None,
        convention: ConventionLike = None,
        **given: Unpack[Given],
    ) -> Curve:
        """The value at every cutoff k from 1 to the length of the list; takes the arguments of ``of``.

        >>> import rankgauge as rg
        >>> (rg.P @ 10).curve([1, 0, 1, 1]).values
        (1.0, 0.5, 0.6666666666666666, 0.75)
        """
        without_cutoff = self @ None  # an error where there is no cutoff
        ranked, rules = self._rank(grades, ties, convention, given)
        cutoffs = range(1, int(ranked.judged.returned[0]) + 1)
        return Curve(str(without_cutoff), [float((self @ k).values(ranked.judged, rules)[0]) for k in cutoffs])

    def _rank(
        self,
        grades: Iterable[Any],
        ties: str | None,
        convention: ConventionLike,
        given: Given,
        worth: Worth | None = None,
    ) -> tuple[RankedList, Convention]:
        """One list, matched, and the rules that the call leaves in force."""
        if self.definition.of_items:
            raise ParameterError(
                f"{self} is not made of grades alone: use rg.evaluate(..., [{str(self)!r}]) or rg.explain"
            )
        for name in given.keys() - Given.__annotations__.keys():
            if name in self.definition.parameters:
                raise ParameterError(f"{name} is a parameter of the metric: write {self.name}({name}=...)")
            raise UnknownNameError.closest("argument", name, Given.__annotations__)
        ideal = given.get("ideal")
        rules = _rules(check_convention(convention), ties, ideal is not None)
        arguments = self._arguments(rules)
        if ideal is not None and arguments.get("ideal") == "returned":
            raise ParameterError(f"{self} takes its ideal from the returned items; do not pass ideal= as well")
        if ideal is None and arguments.get("ideal") == "given":
            raise ParameterError(f"{self} under ideal='given' needs the grades of the ideal: ideal=[...]")
        rel = arguments.get("rel", rules.rel)
        return rank_list(grades, **given, rel=rel, convention=rules, worth=worth), rules

    def _worth(self, arguments: Mapping[str, Any]) -> Worth:
        """What the order of tied items with an extreme value is sorted by."""
        if self.definition.best_first == "judged":
            return lambda _, known: known.astype(np.float64)
        gain, rel = arguments.get("gain"), arguments.get("rel", np.inf)

        def worth(grade: Floats, known: Bools) -> Floats:
            """What is relevant first, then by gain; an unjudged item is worth 0."""
            second = np.where(known, grade if gain is None else gain(grade), 0.0)
            first = known & (grade >= rel)
            return second + first * (1.0 + 2.0 * np.abs(second).max(initial=0.0))

        return worth

    def _arguments(self, convention: Convention) -> dict[str, Any]:
        """What the kernel receives under this convention."""
        if convention not in self._bound:
            from rankgauge.metric_core.registry import check_names  # noqa: PLC0415 (the registry is made of metrics)

            check_names(convention.per_metric)
            rules = convention.for_metric(self.name)
            self._bound[convention] = {
                name: parameter.bind(self.parameters.get(name, parameter.default), rules)
                for name, parameter in self.definition.parameters.items()
            }
        return self._bound[convention]


@lru_cache(maxsize=1024)
def _rules(convention: Convention, ties: str | None, ideal_given: bool) -> Convention:
    """The convention with what one call changes."""
    if ties is None and not ideal_given:
        return convention  # the same object, so that what is looked up by it is found at once
    changed: dict[str, Any] = {} if ties is None else {"ties": ties}
    return convention.replace(**changed, **({"ideal": "given"} if ideal_given else {}))


def _restored(name: str, parameters: Mapping[str, Any]) -> Metric:
    from rankgauge.metric_core.registry import find  # noqa: PLC0415 (the registry is made of metrics)

    return find(name)(**parameters)
