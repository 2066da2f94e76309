"""What a metric is: its kernel and all that is derived from the kernel's declaration."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rankgauge.conventions.rule import Above, written
from rankgauge.errors import ParameterError
from rankgauge.metric_core.parameters import FLAG, Domain, FromConvention, Parameter
from rankgauge.metric_core.references import REFERENCES
from rankgauge.metric_core.summary import Summary
from rankgauge.rendering.language import Phrase

Kernel = Callable[..., Any]
"""Makes a Sum of judged rankings; where there is only a value of all queries, a function of them."""
RULES_OF_ALL = ("ties", "undefined", "unjudged", "negative", "no_relevant")
"""The rules that move every metric which has a value for each query."""
OF_SINGLE_QUERIES = ("undefined", "no_relevant")
"""Those that speak of the value of one query, which a metric of all queries together does not have."""
Condition = bool | Callable[[Mapping[str, Any]], bool]
"""Whether something holds: always, never, or for these parameters."""


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
    ordered: Condition
    best_first: str
    breaks: Mapping[str, str]
    summary: Summary
    undefined: str | None
    top_only: bool
    needs: tuple[str, ...] | None
    """What a metric of the items themselves must be told of them; None for a metric of grades."""

    @property
    def meaning(self) -> Phrase:
        """What the metric says, in one sentence."""
        return Phrase(self._doc.split("\n\n")[0].replace("\n", " "), self.zh)

    @property
    def formula(self) -> str:
        """The definition in LaTeX."""
        found = re.search(r"\.\. math::\s*(.+?)(?:\n\n|$)", self._doc, re.DOTALL)
        return " ".join(found[1].split()) if found else ""

    @property
    def edge_cases(self) -> str:
        """What happens where the formula says nothing."""
        found = re.search(r"Edge cases: (.+?)(?:\n\n|$)", self._doc, re.DOTALL)
        return " ".join(found[1].split()) if found else ""

    @property
    def example(self) -> str:
        """A call whose arithmetic is written out, with its answer."""
        found = re.search(r"^>>> .+", self._doc, re.DOTALL | re.MULTILINE)
        return found[0] if found else ""

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The keyword parameters of the kernel, from its signature; read late, since hints take their time."""
        hints = typing.get_type_hints(self.kernel, include_extras=True)
        return {
            name: Parameter(name, None, None, default.rule or name)
            if isinstance(default, FromConvention)
            else Parameter(name, default, _domain(hints.get(name)), None)
            for name, default in defaults_of(self.kernel).items()
        }

    @property
    def of_items(self) -> bool:
        """Whether the kernel sees which items stand at the top, not only their grades."""
        return self.needs is not None

    @property
    def reference(self) -> str:
        """Where the metric comes from."""
        return REFERENCES.get(self.cite, self.cite)

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The rules of the convention that the kernel reads."""
        return tuple(p.rule for p in self.parameters.values() if p.rule is not None)

    @cached_property
    def applicable_rules(self) -> tuple[str, ...]:
        """The rules that can move this metric: those that the kernel reads and those of every metric."""
        idle = set() if self.summary.has_query_values else {*OF_SINGLE_QUERIES}
        if self.needs == ("scores",):  # equal scores are equal there, in whatever order their items stand
            idle.add("ties")
        return (*self.rules, *(rule for rule in RULES_OF_ALL if rule not in idle))

    def holds(self, condition: Condition, arguments: Mapping[str, Any]) -> bool:
        """Whether a declared condition holds for these arguments of the kernel."""
        return condition(arguments) if callable(condition) else condition

    def handles_ties(self, arguments: Mapping[str, Any]) -> bool:
        """Whether pairs of equal score have a worth of their own, whatever order the items stand in."""
        tied = [arguments[name] for name, parameter in self.parameters.items() if parameter.rule == "tied_pairs"]
        return bool(tied) and tied != ["order"]

    def written(self, parameters: Mapping[str, Any]) -> str:
        """The metric with these parameters as text."""
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


def defaults_of(kernel: Kernel) -> dict[str, Any]:
    """The defaults of all parameters of a kernel but the first; an error where one has none or goes by its place."""
    parameters = dict(list(inspect.signature(kernel).parameters.items())[1:])
    for name, parameter in parameters.items():
        if parameter.kind is not parameter.KEYWORD_ONLY or parameter.default is parameter.empty:
            raise ParameterError(
                f"the parameter {name} of metric {kernel.__name__} must be keyword-only and have a default"
            )
    return {name: parameter.default for name, parameter in parameters.items()}


def _domain(hint: Any) -> Domain | None:
    found = [extra for extra in getattr(hint, "__metadata__", ()) if isinstance(extra, Domain)]
    return found[0] if found else FLAG if hint is bool else None
