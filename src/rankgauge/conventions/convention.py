"""The Convention: every rule that can change a number, in one frozen record."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Self, TypeAlias

from rankgauge.conventions.denominators import DenominatorRules
from rankgauge.conventions.discounts import DiscountRules
from rankgauge.conventions.gains import GainRules
from rankgauge.conventions.order import OrderRules
from rankgauge.conventions.per_metric import PerMetric, PerMetricRules
from rankgauge.conventions.relevance import ABOVE, GradeRules, RelevanceRules
from rankgauge.conventions.rule import Above, Rule, Stage, written
from rankgauge.conventions.summaries import SummaryRules, ValueRules
from rankgauge.conventions.variants import VariantRules
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.plain import PlainData


@dataclass(frozen=True)
class Convention(
    PerMetricRules,
    VariantRules,
    SummaryRules,
    GradeRules,
    ValueRules,
    OrderRules,
    RelevanceRules,
    DenominatorRules,
    DiscountRules,
    GainRules,
):  # the fields of the last class come first
    """Every rule that can change a number.

    Each field is a rule with named values; the default is what most careful tools agree on.
    A metric's own parameters take precedence: ``nDCG(gain="exp2")`` is exponential under any convention.

    >>> Convention(gain="exp2").gain
    'exp2'
    >>> Convention(tie="mean")
    Traceback (most recent call last):
    ...
    rankgauge.errors.UnknownNameError: unknown rule 'tie'; did you mean 'ties'?
    >>> Convention(ties="alphabetical")
    Traceback (most recent call last):
    ...
    rankgauge.errors.ParameterError: ties must be one of 'id', 'id-ascending', 'input', 'input-reversed', 'mean', 'best', 'worst', 'together', 'mean-rank', 'random', not 'alphabetical'
    """  # noqa: E501

    def __new__(cls, *_: object, **rules: object) -> Self:
        """Reject a misspelt rule with the closest name; ``__init__`` would raise a bare TypeError."""
        for name in rules:
            if name not in RULES:
                raise UnknownNameError.closest("rule", name, RULES)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name, rule in RULES.items():
            object.__setattr__(self, name, rule.check(name, getattr(self, name)))
        object.__setattr__(self, "_hash", hash(tuple(getattr(self, name) for name in RULES)))

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined]  # computed once: every call looks conventions up

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the rules, not the hash: hashes of strings differ between processes."""
        return Convention, tuple(getattr(self, name) for name in RULES)

    def replace(self, **rules: Any) -> Convention:
        """Return a copy with some rules changed.

        >>> Convention().replace(gain="exp2", rel=2).rel
        2
        """
        if not rules:
            return self
        copy = Convention.__new__(Convention, **rules)
        changed = {name: RULES[name].check(name, value) for name, value in rules.items()}  # the others are valid
        values = vars(self) | changed
        vars(copy).update(values, _hash=hash(tuple(values[name] for name in RULES)))
        return copy

    def rules_of(self, metric: str) -> dict[str, object]:
        """Return the rules that ``per_metric`` gives this metric alone."""
        return dict(dict(self.per_metric).get(metric, {}))

    def for_metric(self, name: str) -> Convention:
        """Return the convention with the metric's own rules from ``per_metric`` applied.

        >>> Convention(per_metric={"AP": {"undefined": 1}}).for_metric("AP").undefined
        1
        """
        return _for_metric(self, name) if self.per_metric else self

    def replace_for(self, metric: str, **rules: object) -> Convention:
        """Return a copy with some rules changed, also where ``per_metric`` sets them for this metric.

        >>> Convention(per_metric={"AP": {"ties": "mean"}}).replace_for("AP", ties="best").for_metric("AP").ties
        'best'
        """
        table = {name: self.rules_of(name) for name in dict(self.per_metric)}
        of_metric = table.pop(metric, {})
        kept = {rule: value for rule, value in of_metric.items() if rule not in rules}
        return self.replace(**rules, per_metric=table | ({metric: kept} if kept else {}))

    def changed(self, grades: object) -> Any:
        """Return an array of grades after the rules that change them; the array itself if none does.

        >>> import numpy as np
        >>> Convention(fractions="cut").changed(np.array([1.7, 0.5]))
        array([1., 0.])
        """
        for name, (default, change) in _CHANGES.items():
            if (value := getattr(self, name)) != default:
                grades = change(grades, value)
        return grades

    def __str__(self) -> str:
        return self.line()

    def line(self, only: Iterable[str] | None = None, lang: str = "en") -> str:
        """Return the rules in one line, or those named in ``only``.

        >>> Convention(gain="exp2").line(only=["gain", "discount"])
        'gain=exp2 · discount=log2(i+1)'
        """
        checked, names = check_lang(lang), RULES if only is None else only
        return " · ".join(f"{RULES[name].title.render(checked)}={written(getattr(self, name))}" for name in names)

    def short_line(self, only: Iterable[str], lang: str = "en", triggered: Collection[str] = ()) -> str:
        """Return these rules in one line for people: only the notable ones, and that the others are the default.

        >>> Convention(averaging="median").short_line(["ties", "averaging", "missing"])
        'ties=id · averaging=median · other rules=default'
        """
        return " · ".join((self.line(self.notable(only, triggered), lang), OTHERS.render(check_lang(lang))))

    def notable(self, names: Iterable[str], triggered: Collection[str] = ()) -> list[str]:
        """Return those of the rules that are not quiet, not at their default, or triggered by the data."""
        return [
            name
            for name in names
            if not RULES[name].quiet or name in triggered or getattr(self, name) != getattr(DEFAULT, name)
        ]

    def document(self, lang: str = "en", *, reasons: bool = True) -> Document:
        """Return a table of every rule: its value, what it means and why the default was chosen."""
        checked = check_lang(lang)
        columns = COLUMNS if reasons else COLUMNS[:-1]
        rows = [
            [name, written(getattr(self, name)), self.meaning(name, checked), _reason(self, name).render(checked)]
            for name, rule in RULES.items()
        ]
        table = Table([phrase.render(checked) for phrase in columns], [row[: len(columns)] for row in rows])
        return Document([Heading(_TITLE.render(checked)), table])

    def meaning(self, name: str, lang: Lang) -> str:
        """Describe the value of a rule."""
        rule, value = RULES[name], getattr(self, name)
        if isinstance(value, PerMetric):
            return rule.values["{metric: {rule: value}}" if value else "{}"].render(lang)
        if isinstance(value, Above):
            return ABOVE.render(lang, value=value)
        if isinstance(value, str):
            return rule.values[_PARAMETRISED.sub(r"\1x", "jk(b)" if value.startswith("jk(") else value)].render(lang)
        if rule.number is not None:
            return rule.number.render(lang, value=value)
        return rule.values["function" if callable(value) else "{grade: gain}"].render(lang)

    def to_dict(self) -> PlainData:
        """Return the rules as plain data, functions by distinct names."""
        return {name: _plain(getattr(self, name)) for name in RULES}


def _plain(value: object) -> object:
    if callable(value) or isinstance(value, Above):
        return written(value)
    return {key: _plain(inner) for key, inner in value} if isinstance(value, tuple) else value


@lru_cache(maxsize=1024)
def _for_metric(convention: Convention, name: str) -> Convention:
    of_metric = convention.rules_of(name)
    return convention.replace(**of_metric, per_metric={}) if of_metric else convention


RULES: dict[str, Rule] = {rule.name: rule.metadata["rule"] for rule in fields(Convention)}
"""Every rule by the name of its field; help, documents and checks are derived from it."""

COMMON_RULES = tuple(name for name, rule in RULES.items() if rule.is_common)
"""Rules of every metric, in the order in which they are printed; the others are read by some kernels only."""
LIST_RULES = tuple(name for name, rule in RULES.items() if rule.forms_lists)
"""Rules that form the list that a metric evaluates."""


def rules_at(*stages: Stage) -> tuple[str, ...]:
    """Return the names of the rules that act at these stages.

    >>> rules_at(Stage.READING)
    ('units', 'match', 'budget_end')
    """
    return tuple(name for name, rule in RULES.items() if rule.stage in stages)


_PARAMETRISED = re.compile(r"^((?:similar|covers)>=?)[0-9.e-]+")
"""Values of rules that contain a number."""
OTHERS = Phrase("other rules=default", "其他规则=默认")
"""Ends a line that leaves out quiet rules at their default."""
_TITLE = Phrase("Rules", "规则")
_NUMBER = Phrase("a number x", "数 x")
_DEFAULT_BECAUSE = Phrase("Default: {value}. {why}", "默认：{value}。{why}")
_SAME = Phrase("{first} and {second} have the same rules.", "{first} 与 {second} 的规则相同。")


def _reason(convention: Convention, name: str) -> Phrase:
    """Return why the default of a rule was chosen, with the default itself where the convention has another value."""
    default, why = getattr(DEFAULT, name), RULES[name].why
    return why if getattr(convention, name) == default else _DEFAULT_BECAUSE.fill(value=written(default), why=why)


COLUMNS = (
    Phrase("rule", "规则"),
    Phrase("value", "取值"),
    Phrase("meaning", "含义"),
    Phrase("reason for the default", "默认值的理由"),
)

DEFAULT, DEFAULT_NAME = Convention(), "default"
"""The convention used when none is given, and its name."""
_CHANGES = {name: (getattr(DEFAULT, name), rule.changes) for name, rule in RULES.items() if rule.changes is not None}
"""Rules that change grades: the value that changes none, and the effect of the others."""
GRADE_CHANGES = tuple(_CHANGES)
"""Rules that change grades."""
_PARAMETERS = [*inspect.signature(Convention.__init__).parameters.values()][1:]
Convention.__signature__ = inspect.Signature(_PARAMETERS)  # type: ignore[attr-defined]  # __new__ would hide it

ConventionLike: TypeAlias = Convention | str | None
"""What every function takes as a convention: a Convention, the name of a preset, or None for the default."""


def check_convention(convention: ConventionLike) -> Convention:
    """Return the convention that a caller passed: a Convention, a preset by name, or the default: None or its name."""
    if convention is None or convention == DEFAULT_NAME:
        return DEFAULT
    if isinstance(convention, str):
        from rankgauge.conventions.presets import preset  # noqa: PLC0415 (presets import this module)

        return preset(convention)
    if not isinstance(convention, Convention):
        raise ParameterError.of(
            "convention", convention, "a Convention or the name of a preset, such as rg.Convention(gain='exp2')"
        )
    return convention


def differences(first: Convention, second: Convention) -> dict[str, tuple[Any, Any]]:
    """Return the rules in which two conventions differ, with both values.

    >>> differences(Convention(gain="exp2"), Convention())
    {'gain': ('exp2', 'linear')}
    """
    pairs = {name: (getattr(first, name), getattr(second, name)) for name in RULES}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def difference_page(pair: Sequence[tuple[str, Convention]], lang: Lang) -> Document:
    """Return a table of the rules in which two named conventions differ, with the meaning of each value."""
    (first, one), (second, other) = pair
    rows = [
        [f"{rule}: {RULES[rule].question.render(lang)}", _value(one, rule, lang), _value(other, rule, lang)]
        for rule in differences(one, other)
    ]
    if not rows:
        return Document([Paragraph(_SAME.render(lang, first=first, second=second))])
    return Document([Table([COLUMNS[0].render(lang), first, second], rows)])


def rule_page(name: str, lang: Lang) -> Document:
    """Return the question that a rule answers, its values, and its default with the reason."""
    rule = RULES[name]
    rows = [[value, meaning.render(lang)] for value, meaning in rule.values.items()]
    if rule.number is not None:
        rows.append([_NUMBER.render(lang), rule.number.render(lang, value="x")])
    default = _DEFAULT_BECAUSE.render(lang, value=written(getattr(DEFAULT, name)), why=rule.why.render(lang))
    return Document(
        [
            Heading(f"{name}: {rule.title.render(lang)}"),
            Paragraph(rule.question.render(lang)),
            Table([phrase.render(lang) for phrase in COLUMNS[1:3]], rows),
            Paragraph(default),
        ]
    )


def _value(convention: Convention, rule: str, lang: Lang) -> str:
    value, meaning = written(getattr(convention, rule)), convention.meaning(rule, lang)
    return value if value == meaning else f"{value}: {meaning}"
