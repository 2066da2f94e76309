"""Definition: a metric as declared, with what follows from the kernel's signature and docstring."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.conventions import RULES, Convention
from rankgauge.conventions.convention import COMMON_RULES, rules_at
from rankgauge.conventions.gains import reads_rel
from rankgauge.conventions.rule import Above, Stage, written
from rankgauge.errors import ParameterError
from rankgauge.matching.apply_rules import Worth
from rankgauge.metric_core.parameters import FLAG, JUDGED_ONLY, Domain, FromConvention, Parameter
from rankgauge.metric_core.references import REFERENCES
from rankgauge.metric_core.summary import Summary
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats

if TYPE_CHECKING:
    from rankgauge.metric_core.metric import Metric

Kernel = Callable[..., Any]
"""A function from judged rankings to a Sum, or to a CorpusValue for a corpus-level metric."""
CONDITIONAL_RULES = {name: rule.used for name, rule in RULES.items() if rule.used is not None}
"""Rules that have an effect under some values of others only."""
CUTOFF_RULES = tuple(name for name in rules_at(Stage.ORDER) if RULES[name].needs_k)
"""Rules that move the cutoff by ties or copies, which metrics of the items themselves do not have."""
JUDGED_ITEMS = {None, ("subtopics",)}
"""The needs of metrics that can be computed over the judged items alone."""
UNPRINTED = {"k", JUDGED_ONLY.name}
"""Parameters that the name shows with every value, or a rule: the cutoff, and the removal of unjudged items."""
EDGE_CASES_ZH = "特殊情形："
"""Separates the meaning from the edge cases in the Chinese text of a metric."""
Condition = bool | Callable[[Mapping[str, Any]], bool]
"""Whether a property holds: always, never, or depending on the parameters."""


@dataclass(frozen=True, eq=False)
class Definition:
    """One metric as declared.

    ``meaning``, ``formula``, ``edge_cases`` and ``example`` are read from the kernel's docstring.
    """

    name: str
    kernel: Kernel
    zh: str
    aliases: tuple[str, ...]
    trec: Mapping[str, str]
    cite: str
    bounds: tuple[float, float]
    higher_is_better: bool
    ties_mean: Condition
    shared_ranks: Condition
    mean_rank: Condition
    ordered: Condition
    best_first: str
    breaks: Mapping[str, Phrase]
    summary: Summary
    undefined: str | None
    top_only: bool
    needs: tuple[str, ...] | None
    """The side information that a metric of items needs; None for a metric of grades alone."""
    grades: Condition = True
    """Whether the kernel reads the grades of the items."""
    at: str = "k"
    """The parameter that ``@`` sets."""

    @property
    def is_quality(self) -> bool:
        """Whether a value says how good a list is; False if it says how much of the list is judged."""
        return self.best_first != "judged"

    @property
    def meaning(self) -> Phrase:
        """The meaning in one sentence."""
        return Phrase(self._doc.split("\n\n")[0].replace("\n", " "), self.zh.partition(EDGE_CASES_ZH)[0])

    @property
    def formula(self) -> str:
        """The definition in LaTeX."""
        return self._paragraph(r"\.\. math::\s*")

    def symbols(self, convention: Convention) -> str:
        """Return what the symbols of rules in the formula stand for, in LaTeX; empty if it has none."""
        rules = ((RULES[name], getattr(convention, name)) for name in self.rules)
        stands = [
            rf"\text{{{rule.title.en} }} {rule.symbol} = {rule.formula(value)}"
            for rule, value in rules
            if rule.symbol and re.search(rf"(?<![A-Za-z]){re.escape(rule.symbol.rstrip('gi)'))}", self.formula)
        ]
        return r",\; ".join(stands)

    @property
    def edge_cases(self) -> Phrase:
        """What happens where the formula does not apply; empty if nothing is declared."""
        english = self._paragraph("Edge cases: ")
        return Phrase(english, self.zh.partition(EDGE_CASES_ZH)[2] or english)

    @property
    def example(self) -> str:
        """A call with its arithmetic and its result."""
        example = re.search(r"^>>> .+", self._doc, re.DOTALL | re.MULTILINE)
        return example[0] if example else ""

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The keyword parameters of the kernel, from its signature; resolved late because type hints are slow."""
        hints = typing.get_type_hints(self.kernel, include_extras=True)
        declared = {
            name: Parameter(name, None, None, default.rule or name)
            if isinstance(default, FromConvention)
            else Parameter(name, default, _domain(hints.get(name)), None)
            for name, default in defaults_of(self.kernel).items()
        }
        return declared | ({JUDGED_ONLY.name: JUDGED_ONLY} if self.needs in JUDGED_ITEMS else {})

    @cached_property
    def of_items(self) -> bool:
        """Whether the kernel uses the items of the lists, not only their grades."""
        return self.needs is not None

    @property
    def of_spans(self) -> bool:
        """Whether the items are spans of documents, of which the kernel reads what they cover."""
        return self.needs == ("spans",)

    @property
    def reference(self) -> str:
        """The publication that the metric comes from."""
        return REFERENCES.get(self.cite, self.cite)

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The rules that the kernel reads."""
        return tuple(p.rule for p in self.parameters.values() if p.rule is not None)

    @cached_property
    def query_rules(self) -> tuple[str, ...]:
        """The rules that can change the value of one query: those that the kernel reads and those of every metric."""
        idle = {*self.rules, *rules_at(Stage.SUMMARY)}
        if not self.summary.has_query_values:
            idle.update(rules_at(Stage.FORMULA, Stage.AFTER))
            if self.needs != ("scores",):  # neither an ideal nor R
                idle.add("unjudged_in_ideal")
        if self.needs == ("scores",):  # equal scores count as equal, whatever the order of their items
            idle |= {"ties", "seed"}
        if "k" not in self.parameters:
            idle |= {name for name, rule in RULES.items() if rule.needs_k}
        if self.of_items:
            idle.update(CUTOFF_RULES)
        if self.of_spans:
            idle.add("match")
        others = [rule for rule in COMMON_RULES if rule not in idle]
        if "rel" not in self.rules and self.summary.has_query_values:  # other rules read it
            others.append("rel")
        return (*self.rules, *others)

    @cached_property
    def applicable_rules(self) -> tuple[str, ...]:
        """The rules that can change the value over all queries."""
        return (*self.query_rules, *self.summary.rules)

    def used_rules(self, convention: Convention) -> tuple[str, ...]:
        """Return the applicable rules that this convention uses: the seed, for example, only to shuffle ties."""
        unused = {name for name, rule in CONDITIONAL_RULES.items() if not rule(convention)}
        if not self.reads_rel(convention):
            unused.add("rel")
        if self.summary.adds_up(convention):
            unused.add("averaging")
        return tuple(rule for rule in self.applicable_rules if rule not in unused)

    def reads_rel(self, convention: Convention) -> bool:
        """Whether the kernel or one of the rules reads the relevance level."""
        by_gain = "gain" in self.rules and reads_rel(convention.gain)
        return "rel" in self.rules or by_gain or convention.no_relevant != "computed"

    def holds(self, condition: Condition, arguments: Mapping[str, object]) -> bool:
        """Return whether a declared condition holds for these arguments of the kernel."""
        return condition(arguments) if callable(condition) else condition

    def check_shared_ranks(self, metric: object, ties: str, arguments: Mapping[str, object]) -> None:
        """Refuse ranks that tied items share for a metric that needs a rank of its own for each item."""
        conditions = [self.shared_ranks, *([self.mean_rank] if ties == "mean-rank" else [])]
        if not all(self.holds(condition, arguments) for condition in conditions):
            en = f"{metric} needs a rank of its own for each item, and ties={ties!r} gives tied items the same"
            zh = f"{metric} 要求每个物品有自己的名次，而 ties={ties!r} 让并列物品名次相同"
            remedy = "use ties='mean', or a metric of ranks such as RR, HR, R or DCG"
            raise ParameterError((f"{en}; {remedy}", f"{zh}；请改用 ties='mean'，或 RR、HR、R、DCG 等只看名次的指标"))

    def handles_ties(self, arguments: Mapping[str, object]) -> bool:
        """Return whether the kernel counts tied pairs itself, whatever the order of their items."""
        tied = [arguments[name] for name, parameter in self.parameters.items() if parameter.rule == "tied_pairs"]
        return bool(tied) and tied != ["order"]

    def worth(self, arguments: Mapping[str, Any]) -> Worth:
        """Return the key that orders tied items from best to worst."""
        if self.best_first == "judged":
            return lambda _, known: known.astype(np.float64)
        gain, rel = arguments.get("gain"), np.inf if arguments.get("rel") is None else arguments["rel"]
        if self.best_first == "unjudged":
            return lambda grade, known: known * np.where(grade >= rel, 1.0, -1.0)

        def worth(grade: Floats, known: Bools) -> Floats:
            """Relevant items first, then by gain; an unjudged item has gain 0."""
            second = np.where(known, grade if gain is None else gain(grade), 0.0)
            first = known & (grade >= rel)
            return np.where(first, second + (1.0 + 2.0 * np.abs(second).max(initial=0.0)), second)

        return worth

    def own_parameters(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters that are no rules, with their defaults: p of RBP; without the cutoff and unset ones."""
        names = [name for name, parameter in self.parameters.items() if parameter.rule is None]
        values = {name: parameters.get(name, self.parameters[name].default) for name in names}
        return {name: value for name, value in values.items() if value is not None and name not in UNPRINTED}

    def line(self, parameters: Mapping[str, Any], rules: str) -> str:
        """Return the parameters that are no rules, without variants that are off, and these rules in one line."""
        off = {name for name, parameter in self.parameters.items() if parameter.default is False}
        own = self.own_parameters(parameters).items()
        parameter_texts = (f"{name}={written(value)}" for name, value in own if value or name not in off)
        return " · ".join(filter(None, (*parameter_texts, rules)))

    def written(self, parameters: Mapping[str, object]) -> str:
        """Format the metric with these parameters."""
        inside = ", ".join(
            f"{key}={value!r}" if isinstance(value, str | Above) else f"{key}={written(value)}"
            for key, value in parameters.items()
            if key != "k"
        )
        cutoff = f"@{parameters['k']}" if "k" in parameters else ""
        return f"{self.name}({inside}){cutoff}" if inside else f"{self.name}{cutoff}"

    @property
    def _doc(self) -> str:
        return inspect.getdoc(self.kernel) or ""

    def _paragraph(self, start: str) -> str:
        paragraph = re.search(rf"{start}(.+?)(?:\n\n|$)", self._doc, re.DOTALL)
        return " ".join(paragraph[1].split()) if paragraph else ""


def parameters_data(metrics: Iterable[Metric]) -> dict[str, Any]:
    """Return ``parameters`` of JSON: those of each metric that are no rules; nothing if no metric has any."""
    by_metric = {str(metric): metric.definition.own_parameters(metric.parameters) for metric in metrics}
    printed = {name: parameters for name, parameters in by_metric.items() if parameters}
    return {"parameters": printed} if printed else {}


def defaults_of(kernel: Kernel) -> dict[str, object]:
    """Return the defaults of a kernel's keyword parameters; every parameter but the first must be one."""
    parameters = dict(list(inspect.signature(kernel).parameters.items())[1:])
    for name, parameter in parameters.items():
        if parameter.kind is not parameter.KEYWORD_ONLY or parameter.default is parameter.empty:
            raise ParameterError(
                f"the parameter {name} of metric {kernel.__name__} must be keyword-only and have a default"
            )
    return {name: parameter.default for name, parameter in parameters.items()}


def _domain(hint: object) -> Domain | None:
    domains = [extra for extra in getattr(hint, "__metadata__", ()) if isinstance(extra, Domain)]
    return domains[0] if domains else FLAG if hint is bool else None
