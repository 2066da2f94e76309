"""One list of grades, as the page asks for it: the steps, what every rule would make of it, what tools say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rankgauge.conventions import Convention
from rankgauge.conventions.texts import convention_of
from rankgauge.errors import ParameterError, RankgaugeError
from rankgauge.evaluation.evaluate import evaluate, explain
from rankgauge.inputs.grade_checks import parse_grades
from rankgauge.metric_core.explanation import Explanation
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.reconciliation.reconcile import reconcile
from rankgauge.reconciliation.reconciliation import Reconciliation
from rankgauge.rendering.element import Element
from rankgauge.rendering.plain import finite_or_none
from rankgauge.serve.bilingual import bilingual
from rankgauge.serve.choices import choices, described, own_rules
from rankgauge.serve.steps import steps
from rankgauge.serve.words import PAGE, STEPS

MOST = 1000
"""So many grades a list can have here."""
CUTOFFS = 20
"""So many cutoffs are shown."""
LIST = "the list"
PARTED = re.compile(r"[\s,，、;；]+")
SAME = 1e-12


@dataclass(frozen=True)
class Asked:
    """A list, a metric and the rules, as the page has them."""

    grades: list[float | None]
    missed: list[float]
    scores: list[float] | None
    metric: Metric
    convention: str
    rules: Mapping[str, str]

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Asked:
        """From what the page sent; every field is a text that somebody typed."""
        texts = {name: said.get(name, "") for name in ("grades", "missed", "scores", "metric", "convention")}
        rules = said.get("rules", {})
        if not all(isinstance(text, str) for text in texts.values()) or not isinstance(rules, dict):
            raise ParameterError.of("the request", said, "an object of texts")
        grades, missed, scores = (_numbers(texts[name]) for name in ("grades", "missed", "scores"))
        if not grades:
            raise ParameterError("type the grades of some items, such as 3 2 3 0 1")
        if None in missed or None in scores:
            raise ParameterError("items that were not returned, and scores, need a number each")
        if scores and len(scores) != len(grades):
            raise ParameterError(f"there are {len(scores)} scores for {len(grades)} items; give one for each, or none")
        metric = parse(texts["metric"])
        if metric.definition.of_items:
            raise ParameterError(f"{metric} is not made of grades alone; evaluate files with it")
        return cls(
            grades,
            [one for one in missed if one is not None],
            [one for one in scores if one is not None] or None,
            metric,
            texts["convention"] or "default",
            {str(name): str(value) for name, value in rules.items()},
        )

    @cached_property
    def base(self) -> Convention:
        """The rules of the tool that was chosen."""
        return convention_of(self.convention)

    @cached_property
    def force(self) -> Convention:
        """The same with the rules that were changed."""
        return convention_of(self.convention, [f"{name}={value}" for name, value in self.rules.items()])

    @cached_property
    def data(self) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
        """The list as judgments and a ranking; names in the order of the list, also where ties are broken by them."""
        names = [f"{len(self.grades) - place:06}" for place in range(len(self.grades))]
        judged = {name: grade for name, grade in zip(names, self.grades, strict=True) if grade is not None}
        missed = {f"missed {place}": grade for place, grade in enumerate(self.missed)}
        points = self.scores or [*range(len(names), 0, -1)]
        return {LIST: judged | missed}, {LIST: dict(zip(names, points, strict=True))}

    def value(self, convention: Convention) -> float:
        """The value under some rules."""
        return float(evaluate(*self.data, self.metric, convention=convention)[self.metric][0])

    def explanation(self) -> Explanation:
        """The steps to the value under the rules in force."""
        return explain(*self.data, self.metric, LIST, convention=self.force)

    def reconciliation(self) -> Reconciliation:
        """What the tools say."""
        pool = [grade for grade in self.grades if grade is not None] + self.missed
        return reconcile(
            self.grades,
            metric=self.metric,
            ideal=pool if self.missed else None,
            scores=self.scores,
            convention=self.force if self.rules else None,
        )


def explained(asked: Asked) -> dict[str, Any]:
    """The value, its steps, and what every rule would make of it."""
    told = asked.explanation()
    return {
        "metric": told.metric,
        "value": finite_or_none(told.value),
        "before": finite_or_none(asked.value(asked.base)) if asked.rules else None,
        "line": [asked.metric.line(asked.force, "en"), asked.metric.line(asked.force, "zh")],
        "steps": [one.tree() for one in [*steps(told), *_every_cutoff(asked)]],
        "rules": [*_rules(asked, told.value)],
    }


def _every_cutoff(asked: Asked) -> list[Element]:
    """The value at every cutoff, where the metric has one."""
    if "k" not in asked.metric.definition.parameters:
        return []
    cut = [asked.metric @ k for k in range(1, min(len(asked.grades), CUTOFFS) + 1)]
    scores = evaluate(*asked.data, cut, convention=asked.force)
    cells = [
        Element(
            "span",
            Element("span", f"k = {metric.k}", class_="soft"),
            Element("b", f"{scores[metric][0]:.4f}".replace("nan", "–")),
            class_="cell current" if metric == asked.metric else "cell",
        )
        for metric in cut
    ]
    strip = Element("div", *cells, class_="strip")
    return [
        Element("div", Element("h3", STEPS["every k"]), Element("p", STEPS["every k says"]), strip, class_="every-k")
    ]


def tools(asked: Asked) -> list[Any]:
    """What each tool says of the list, as elements."""
    found = asked.reconciliation()
    _, count, values, *rest = bilingual(found.document("en"), found.document("zh"))
    more = Element("details", Element("summary", PAGE["meanings"]), *rest)
    return [one.tree() for one in [count, values, *([more] if rest else [])]]


def printed(asked: Asked, number: str) -> list[Any]:
    """Which rules give a number, as elements."""
    found = asked.reconciliation().explain(number.strip())
    return [one.tree() for one in bilingual(found.document("en"), found.document("zh"))]


def _rules(asked: Asked, value: float) -> Iterator[dict[str, Any]]:
    """Each rule that can move the metric, with the value that each of its choices gives."""
    force, own = asked.metric.effective_convention(asked.force), own_rules(asked.metric)
    for name in asked.metric.definition.applicable_rules:
        if name not in own:
            rule = described(name, force, _options(asked, name, force))
            moves = any(not _same(one["value"], finite_or_none(value)) for one in rule["options"])
            yield rule | {"moves": moves}


def _same(one: float | None, other: float | None) -> bool:
    return one is other if one is None or other is None else abs(one - other) <= SAME


def _options(asked: Asked, name: str, force: Convention) -> Iterator[dict[str, Any]]:
    for option, rules in choices(name, force, _numbers_for(asked, name)):
        try:
            yield option | {"value": finite_or_none(asked.value(asked.force.replace(**{name: getattr(rules, name)})))}
        except RankgaugeError as reason:
            yield option | {"value": None, "refused": str(reason)}


def _numbers_for(asked: Asked, name: str) -> list[float]:
    """Numbers worth trying for a rule that takes numbers."""
    grades = sorted({grade for grade in [*asked.grades, *asked.missed] if grade is not None and grade > 0})
    worth: dict[str, list[float]] = {
        "rel": grades[:8],
        "max_grade": grades[-1:],
        "undefined": [0, 1],
        "unjudged": grades[:1],
    }
    return worth.get(name, [])


def _numbers(text: str) -> list[float | None]:
    found = parse_grades(PARTED.sub(" ", text).strip())
    if len(found) > MOST:
        raise ParameterError(f"{len(found)} numbers are more than the {MOST} that fit here; evaluate a file instead")
    return found
