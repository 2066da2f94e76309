"""The playground: the steps for a list of grades, the effect of every rule, and the values that tools give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rankgauge.conventions import RULES, Convention
from rankgauge.conventions.rule import plain_number, written
from rankgauge.conventions.texts import convention_of
from rankgauge.errors import ParameterError, RankgaugeError
from rankgauge.evaluation.evaluate import evaluate, explain
from rankgauge.inputs.grade_checks import parse_grades
from rankgauge.metric_core.explanation import Explanation
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.reconciliation.reconcile import reconcile
from rankgauge.reconciliation.reconciliation import Reconciliation
from rankgauge.reconciliation.rule_setting import relevant_rules
from rankgauge.rendering.element import Element
from rankgauge.rendering.html import page_blocks
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import finite_or_none
from rankgauge.reports.cards import minus
from rankgauge.serve.messages import ERRORS, PAGE, STEPS
from rankgauge.serve.steps import steps

MOST = 1000
"""Maximum length of a list."""
CUTOFFS = 20
"""Maximum number of cutoffs shown."""
LIST = "the list"
FIELDS = ("grades", "missed", "scores", "metric", "convention", "printed")
TOLERANCE = 1e-12


@dataclass(frozen=True)
class PlaygroundRequest:
    """A list, a metric and rules, as entered on the page."""

    grades: list[float | None]
    missed: list[float]
    scores: list[float] | None
    metric: Metric
    convention: str
    rules: Mapping[str, str]
    printed: str = ""
    """A number from elsewhere, whose rules are sought."""

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> PlaygroundRequest:
        """Parse the fields of the page, all of which are texts."""
        texts = {name: fields.get(name, "") for name in FIELDS}
        rules = fields.get("rules", {})
        if not all(isinstance(text, str) for text in texts.values()) or not isinstance(rules, dict):
            raise ParameterError.of("the request", fields, ("an object of strings", "由字符串组成的对象"))
        grades, missed, scores = (_numbers(texts[name]) for name in ("grades", "missed", "scores"))
        if not grades:
            raise ParameterError(ERRORS["no grades"])
        if None in missed or None in scores:
            raise ParameterError(ERRORS["not numbers"])
        if scores and len(scores) != len(grades):
            raise ParameterError(ERRORS["number of scores"].fill(grades=len(grades), scores=len(scores)))
        metric = parse(texts["metric"])
        if metric.definition.of_items:
            raise ParameterError(ERRORS["needs more"].fill(metric=metric))
        return cls(
            grades,
            [grade for grade in missed if grade is not None],
            [score for score in scores if score is not None] or None,
            metric,
            texts["convention"] or "default",
            {str(name): str(value) for name, value in rules.items()},
            texts["printed"].strip(),
        )

    @cached_property
    def base(self) -> Convention:
        """The rules of the chosen tool."""
        return convention_of(self.convention)

    @cached_property
    def effective(self) -> Convention:
        """The rules of the chosen tool with the changes applied."""
        return convention_of(self.convention, [f"{name}={value}" for name, value in self.rules.items()])

    @cached_property
    def data(self) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
        """The list as judgments and a ranking; item names that break ties keep the order of the list."""
        names = [f"{len(self.grades) - place:06}" for place in range(len(self.grades))]
        judged = {name: grade for name, grade in zip(names, self.grades, strict=True) if grade is not None}
        missed = {f"missed {place}": grade for place, grade in enumerate(self.missed)}
        scores = self.scores or [*range(len(names), 0, -1)]
        return {LIST: judged | missed}, {LIST: dict(zip(names, scores, strict=True))}

    def value(self, convention: Convention) -> float:
        """Return the value under the given rules."""
        return float(evaluate(*self.data, self.metric, convention=convention)[self.metric][0])

    def explanation(self) -> Explanation:
        """Return the steps to the value; the items have no names."""
        result = explain(*self.data, self.metric, LIST, convention=self.effective)
        rows = tuple(replace(row, item=None) for row in result.steps.rows)
        return replace(result, steps=replace(result.steps, rows=rows))

    def reconciliation(self) -> Reconciliation:
        """Return the values that tools give."""
        pool = [grade for grade in self.grades if grade is not None] + self.missed
        return reconcile(
            self.grades,
            metric=self.metric,
            ideal=pool if self.missed else None,
            scores=self.scores,
            convention=self.effective if self.rules else None,
        )


def explanation(request: PlaygroundRequest) -> dict[str, Any]:
    """Return the value, its steps, and the value that each option of each rule gives."""
    result = request.explanation()
    return {
        "metric": result.metric,
        "value": finite_or_none(result.value),
        "before": finite_or_none(request.value(request.base)) if request.rules else None,
        "copy": [result.document(lang).to_markdown() for lang in ("en", "zh")],
        "line": [request.metric.short_line(request.effective, lang) for lang in ("en", "zh")],
        "steps": _trees([*steps(result), *_every_cutoff(request)]),
        "rules": [*_rules(request, result.value)],
    }


def _every_cutoff(request: PlaygroundRequest) -> list[Element]:
    """Return the value at every cutoff, if the metric has one."""
    if "k" not in request.metric.definition.parameters:
        return []
    cut = [request.metric @ k for k in range(1, min(len(request.grades), CUTOFFS) + 1)]
    scores = evaluate(*request.data, cut, convention=request.effective)
    cells = [
        Element(
            "span",
            Element("span", f"k = {metric.k}", class_="soft"),
            Element("b", f"{scores[metric][0]:.4f}".replace("nan", "–")),
            class_="cell current" if metric == request.metric else "cell",
        )
        for metric in cut
    ]
    strip = Element("div", *cells, class_="strip")
    return [
        Element("div", Element("h3", STEPS["every k"]), Element("p", STEPS["every k hint"]), strip, class_="every-k")
    ]


def tools(request: PlaygroundRequest) -> list[Any]:
    """Return the value that each tool gives for the list, as elements."""
    result = request.reconciliation()
    _, count, values, *rest = page_blocks(result.document("en").blocks, result.document("zh").blocks)
    details = [Element("details", Element("summary", PAGE["meanings"]), *rest)] if rest else []
    return _trees([count, values, *details])


def printed(request: PlaygroundRequest) -> list[object]:
    """Return which rules give the number from elsewhere, as elements."""
    result = request.reconciliation().explain(request.printed)
    return _trees(page_blocks(result.document("en").blocks, result.document("zh").blocks))


def _trees(elements: Iterable[Element]) -> list[object]:
    """Return the elements as plain data, with the typographic minus that the script of the page writes, too."""
    return [_with_minus(element).tree() for element in elements]


def _with_minus(element: Element) -> Element:
    children = [
        _with_minus(child)
        if isinstance(child, Element)
        else Phrase(*map(minus, child))
        if isinstance(child, Phrase)
        else minus(child)
        for child in element.children
    ]
    return element.replace(*children)


def _rules(request: PlaygroundRequest, value: float) -> Iterator[dict[str, Any]]:
    """Yield each rule that can affect the metric, with the value that each of its options gives."""
    effective, metric_rules = request.metric.effective_convention(request.effective), own_rules(request.metric)
    for name in request.metric.definition.query_rules:
        if name not in metric_rules:
            rule = rule_data(name, effective, _options(request, name, effective))
            moves = any(not _same(option["value"], finite_or_none(value)) for option in rule["options"])
            yield rule | {"moves": moves}


def _same(first: float | None, second: float | None) -> bool:
    return first is second if first is None or second is None else abs(first - second) <= TOLERANCE


def _options(request: PlaygroundRequest, name: str, effective: Convention) -> Iterator[dict[str, Any]]:
    for option, rules in choices(name, effective, _numbers_for(request, name)):
        changed = request.effective.replace(**{name: getattr(rules, name)})
        try:
            yield option | {"value": finite_or_none(request.value(changed))}
        except RankgaugeError as reason:
            yield option | {"value": None, "refused": [*reason.texts]}


def _numbers_for(request: PlaygroundRequest, name: str) -> list[float]:
    """Return options for a rule that takes numbers."""
    grades = sorted({grade for grade in [*request.grades, *request.missed] if grade is not None and grade > 0})
    options: dict[str, list[float]] = {
        "rel": grades[:8],
        "max_grade": grades[-1:],
        "undefined": [0, 1],
        "unjudged": grades[:1],
    }
    return options.get(name, [])


def _numbers(text: str) -> list[float | None]:
    numbers = parse_grades(text)
    if len(numbers) > MOST:
        raise ParameterError(ERRORS["too long"].fill(n=len(numbers), most=MOST))
    return numbers


ANSWERS = {"explain": explanation, "tools": tools, "printed": printed}
"""What the page can request."""


NEEDS_MORE = {"given", "{}", "weighted", "rolled-up"}
"""Values that need input which the page has no field for."""
SCALE = (1.0, 2.0, 3.0, 4.0, 5.0)
"""Common grades."""
NUMBERS: Mapping[str, Sequence[float]] = {"rel": SCALE, "max_grade": SCALE, "undefined": (0.0, 1.0), "unjudged": (1.0,)}
"""Options for rules that take numbers, when the grades are not known."""


def rules_for_files(metrics: Sequence[str], convention: str, rules: Iterable[str]) -> list[dict[str, Any]]:
    """Return each rule that can affect one of the metrics, with its options."""
    effective = convention_of(convention, rules)
    parsed = [parse(text) for text in metrics]
    moving = {name for metric in parsed for name in relevant_rules(metric.definition) if name not in own_rules(metric)}
    return [
        rule_data(name, effective, (option for option, _ in choices(name, effective, NUMBERS.get(name, ()))))
        for name in RULES
        if name in moving
    ]


def own_rules(metric: Metric) -> set[str | None]:
    """Return the rules that a metric sets itself, so that a convention cannot."""
    return {metric.definition.parameters[name].rule for name in metric.parameters}


def rule_data(name: str, convention: Convention, options: Iterable[Mapping[str, object]]) -> dict[str, Any]:
    """Return a rule with its question, its reason and its options."""
    rule = RULES[name]
    return {
        "name": name,
        "title": [*rule.title],
        "question": [*rule.question],
        "why": [*rule.why],
        "chosen": written(getattr(convention, name)),
        "options": [*options],
    }


def choices(name: str, convention: Convention, numbers: Iterable[float]) -> Iterator[tuple[dict[str, Any], Convention]]:
    """Yield each option of a rule with its meaning, and the convention that has it."""
    seen = set()
    for value in [*RULES[name].values, *map(plain_number, numbers), getattr(convention, name)]:
        text = written(value)
        if value in NEEDS_MORE or text in seen:
            continue
        seen.add(text)
        try:
            rules = convention.replace(**{name: value})
        except ParameterError:  # a kind of value, such as a function, rather than a value
            continue
        yield {"text": text, "meaning": [rules.meaning(name, "en"), rules.meaning(name, "zh")]}, rules
