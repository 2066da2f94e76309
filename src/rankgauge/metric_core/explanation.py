"""Explanation: how a value is computed, row by row, read from the sum that the kernel returned."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.matching.from_list import RankedList
from rankgauge.metric_core.definition import Definition
from rankgauge.metric_core.step_rows import DASH, StepRow, StepRows
from rankgauge.metric_core.sums import Sum
from rankgauge.metric_core.words import WORDS, factor_name, word
from rankgauge.rendering.document import (
    Block,
    Calculation,
    Document,
    Formula,
    Heading,
    Paragraph,
    ShownAsDocument,
    Table,
)
from rankgauge.rendering.formula_words import translated
from rankgauge.rendering.language import Lang, check_lang
from rankgauge.rendering.number_texts import LONGEST, decimal
from rankgauge.rendering.plain import FrameResult, JsonResult, PlainData, columns_of, finite_or_none

if TYPE_CHECKING:
    from rankgauge.conventions.budget import Budget
    from rankgauge.inputs.grading import Grading
    from rankgauge.metric_core.metric import Metric

DIGITS = 6
SCHEMA = 1
MOST_ROWS = 10_000
"""Rows of a table in plain data; an ideal order can have as many as its cutoff."""


@dataclass(frozen=True)
class Steps:
    """The rows of one sum."""

    of: str
    """The returned ``list``, or the ``ideal`` order."""
    factors: tuple[str, ...]
    rows: Sequence[StepRow]
    rest_name: str
    rest: float | None
    total: float


@dataclass(frozen=True)
class Part:
    """One of the values that the metric combines."""

    name: str
    total: float
    below_name: str
    below: float | None
    value: float


class Adjustment(NamedTuple):
    """A rule after the formula that changed the value."""

    rule: str
    value: float
    """The value after it."""


@dataclass(frozen=True, repr=False)
class Explanation(ShownAsDocument, FrameResult, JsonResult):
    """How the value of one list is computed.

    The contributions of ``steps.rows`` add up to ``total`` (with ``steps.rest``), and their ``share`` to the value
    before the final function, if there is one.
    """

    metric: str
    value: float
    unadjusted: float
    """The value of the formula, before the rules of ``adjustments``."""
    steps: Steps
    below_name: str
    below: float | None
    ideal: Steps | None
    quotient: float
    last_name: str
    parts: tuple[Part, ...]
    convention: Convention
    definition: Definition
    parameters: Mapping[str, object]
    """The parameters of the metric that are no rules, also at their default."""
    grades: Grading | None = None
    """How the grades were derived, if a rule derived them."""
    cutoff: int | None = None
    """The rank to which ties enlarged the cutoff k; None if they did not."""
    adjustments: tuple[Adjustment, ...] = ()
    """The rules after the formula that changed the value."""
    repeated: int = 0
    """Number of later copies of items in the list."""
    tied: int = 0
    """Number of items that have the same score as another."""
    tied_by: str = "ties"
    """The rule that decides how these count: ``ties``, or ``tied_pairs`` where their order does not matter."""
    budget: Budget | None = None
    """The budget at which the list was cut, before the metric without a cutoff was computed."""

    def document(self, lang: str = "en", limit: int | None = 50, *, digits: int = DIGITS) -> Document:
        """Return the explanation as a document, with at most ``limit`` rows per table."""
        return Document(_blocks(self, check_lang(lang), limit, digits))

    def to_text(self, lang: str = "en", width: int | None = None, limit: int | None = 50) -> str:
        """Format for the terminal."""
        return self.document(lang, limit).to_text(width)

    def to_markdown(self, lang: str = "en", level: int = 2, limit: int | None = 50) -> str:
        """Format as Markdown."""
        return self.document(lang, limit).to_markdown(level)

    def to_latex(self, lang: str = "en", limit: int | None = 50) -> str:
        """Format as LaTeX."""
        return self.document(lang, limit).to_latex()

    def to_html(self, lang: str = "en", limit: int | None = 50) -> str:
        """Format as an HTML fragment."""
        return self.document(lang, limit).to_html()

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row per step of the list, as columns."""
        rows: Any = _steps_dict(self.steps)["rows"]
        return columns_of(rows)

    def to_dict(self) -> PlainData:
        """Return the numbers as plain data in full precision; NaN becomes None.

        Of lists and ideal orders with more than 10,000 rows the rest is counted (``more_rows``); ``to_frame`` has all.
        """
        adjustments = [{"rule": each.rule, "value": finite_or_none(each.value)} for each in self.adjustments]
        return {
            "schema": SCHEMA,
            "metric": self.metric,
            "value": finite_or_none(self.value),
            "quotient": finite_or_none(self.quotient),
            "last": self.last_name or None,
            "total": self.steps.total,
            "normaliser": None if self.below is None else {"name": self.below_name, "value": self.below},
            "steps": _steps_dict(self.steps, MOST_ROWS),
            "ideal": None if self.ideal is None else _steps_dict(self.ideal, MOST_ROWS),
            "parts": [
                {
                    "name": p.name,
                    "total": p.total,
                    "over": p.below_name,
                    "normaliser": p.below,
                    "value": finite_or_none(p.value),
                }
                for p in self.parts
            ],
            **({} if self.grades is None else {"grades": repr(self.grades)}),
            **({"repeated": self.repeated} if self.repeated else {}),
            **({"tied": self.tied} if self.tied else {}),
            **({} if self.cutoff is None else {"cutoff": self.cutoff}),
            **({"adjustments": adjustments} if adjustments else {}),
            "convention": self.convention.to_dict(),
            **({"parameters": {**self.parameters}} if self.parameters else {}),
        }

    def __repr__(self) -> str:
        return f"<Explanation of {self.metric} = {decimal(self.value, DIGITS)}>"


def explain(
    metric: Metric,
    computed: Sum,
    value: float,
    after: Iterable[tuple[str, float]],
    ranked: RankedList,
    convention: Convention,
) -> Explanation:
    """Explain the first query of a computed sum; ``after`` has the value after each further rule."""
    unadjusted, adjustments = value, []
    for rule, adjusted in after:
        if adjusted != value and not (math.isnan(adjusted) and math.isnan(value)):
            adjustments.append(Adjustment(rule, adjusted))
        value = adjusted
    part = _part(str(metric), computed)
    by_pairs = "tied_pairs" in metric.definition.rules and convention.tied_pairs != "order"
    best = computed.normaliser.steps if computed.normaliser else None
    return Explanation(
        metric=str(metric),
        value=value,
        unadjusted=unadjusted,
        steps=_steps(computed, None if computed.judged.is_ideal else ranked, 1.0 if part.below is None else part.below),
        below_name=part.below_name,
        below=part.below,
        ideal=_steps(best, None, 1.0) if best and best.judged.is_ideal else None,
        quotient=part.value,
        last_name=computed.last.name if computed.last else "",
        parts=tuple(_part(name, part) for name, part in computed.parts.items()),
        convention=convention,
        definition=metric.definition,
        parameters=metric.definition.own_parameters(metric.parameters),
        adjustments=tuple(adjustments),
        cutoff=int(computed.enlarged[0]) if isinstance(computed.enlarged, np.ndarray) else None,
        repeated=0 if ranked.copy is None else int(ranked.copy.sum()),
        tied=ranked.tied,
        tied_by="tied_pairs" if by_pairs and ranked.judged.tie_first is not None else "ties",
    )


def _part(name: str, computed: Sum) -> Part:
    normaliser = computed.normaliser
    below_name, below = (normaliser.name, float(normaliser.values[0])) if normaliser else ("", None)
    return Part(name, float(computed.totals[0]), below_name, below, float(computed.quotients()[0]))


def _steps(computed: Sum, ranked: RankedList | None, below: float) -> Steps:
    """Return the rows of the first query, including unjudged items if there is a ranked list."""
    name, rest = (computed.rest.name, float(computed.rest.values[0])) if computed.rest else ("", None)
    of = "ideal" if computed.judged.is_ideal else "list"
    rows = StepRows.of(computed, ranked, below)
    return Steps(of, tuple(computed.factors), rows, name, rest, float(computed.totals[0]))


def _steps_dict(steps: Steps, limit: int | None = None) -> PlainData:
    return {
        "of": steps.of,
        "rows": [
            {
                "rank": row.rank,
                "item": row.item,
                "grade": row.grade,
                **dict(zip(steps.factors, row.factors or [None] * len(steps.factors), strict=True)),
                "contribution": row.contribution,
                "running": row.running,
                "share": row.share,
                **({"copy": True} if row.copy else {}),
            }
            for row in steps.rows[:limit]
        ],
        **({} if limit is None or len(steps.rows) <= limit else {"more_rows": len(steps.rows) - limit}),
        "rest": None if steps.rest is None else {"name": steps.rest_name, "value": steps.rest},
        "total": steps.total,
    }


# For display


def _blocks(e: Explanation, lang: Lang, limit: int | None, digits: int) -> list[Block]:
    value, meaning = decimal(e.value, digits), e.definition.meaning.render(lang)
    undefined = one_class(e) or math.isnan(e.value)
    title = WORDS["undefined title"].render(lang, metric=e.metric) if undefined else f"{e.metric} = {value}"
    blocks: list[Block] = [Heading(title), Paragraph(meaning)]
    if e.definition.formula:
        blocks.append(Formula(translated(e.definition.formula, lang)))
    if symbols := e.definition.symbols(e.convention):
        blocks.append(Formula(translated(symbols, lang), WORDS["with"].render(lang)))
    blocks += [_table(steps, lang, limit, digits) for steps in (e.steps, e.ideal) if steps is not None]
    if e.repeated:
        blocks.append(Paragraph(_repeated_line(e, lang)))
    if e.tied:
        rule, meaning = f"{e.tied_by}={getattr(e.convention, e.tied_by)}", e.convention.meaning(e.tied_by, lang)
        blocks.append(Paragraph(WORDS["tied"].render(lang, count=e.tied, rule=rule, meaning=meaning)))
    blocks += [Calculation(part_line(part, lang, digits)) for part in e.parts]
    result = result_line(e, lang, digits)
    blocks.append(Paragraph(result) if math.isnan(e.quotient) else Calculation(result))
    blocks += map(Paragraph, adjustment_lines(e, lang, digits))
    if one_class(e):
        grades = _grades(e)
        key = "threshold" if len(grades) > 1 else "one grade"
        blocks.append(Paragraph(WORDS[key].render(lang, grade=max(grades, key=float, default=""))))
    elif key := _doubt(e):
        blocks.append(Paragraph(WORDS[key].render(lang, grade=max(map(float, _grades(e))))))
    if e.grades is not None:
        blocks.append(Paragraph(WORDS["grades"].render(lang, rule=e.grades.render(lang))))
    used = [rule for rule in e.definition.used_rules(e.convention) if rule in e.definition.query_rules]
    end = [] if e.budget is None else ["budget_end"]
    used = [rule for rule in used if rule != "budget_end" or end]
    rules = e.definition.line(e.parameters, e.convention.short_line(used, lang, end))
    blocks.append(Paragraph(WORDS["rules"].render(lang, rules=rules)))
    return blocks


def one_class(e: Explanation) -> bool:
    """Return whether a metric of pairs is 0/0 because every item is relevant."""
    relevant = [row.factors[0] for row in e.steps.rows if row.factors and e.steps.factors[0] == "relevant"]
    return e.below_name in {"R × N", "pairs"} and e.below == 0 and bool(relevant) and _are_ones(relevant)


def _doubt(e: Explanation) -> str:
    """Return what makes the grades of a list without ids doubtful; empty if nothing does."""
    if any(row.item is not None for row in e.steps.rows):
        return ""
    grades = [*map(float, _grades(e))]
    if len(grades) > 1 and all(0 < grade < 1 for grade in grades) and len(grades) == len(e.steps.rows):
        return "scores"
    relevant = [row.factors[0] for row in e.steps.rows if row.factors and e.steps.factors[0] == "relevant"]
    return "all relevant" if len(grades) > 1 and len(relevant) == len(e.steps.rows) and _are_ones(relevant) else ""


def _are_ones(relevant: Sequence[float]) -> bool:
    """Whether all items are relevant; chances below 1 are those of tied items."""
    return {*relevant} == {1}


def _grades(e: Explanation) -> set[str]:
    """Return the distinct grades of the judged items in the list."""
    return {row.grade for row in e.steps.rows if row.grade.replace(".", "").isdigit()}


def _repeated_line(e: Explanation, lang: Lang) -> str:
    """Return what the rule for repeated items did."""
    rule = "close-up" if e.convention.duplicates == "error" else e.convention.duplicates  # removed in lenient reading
    meaning = e.convention.replace(duplicates=rule).meaning("duplicates", lang)
    return WORDS["repeated"].render(lang, count=e.repeated, rule=f"duplicates={rule}", meaning=meaning)


def _table(steps: Steps, lang: Lang, limit: int | None, digits: int) -> Table:
    shown = steps.rows if limit is None else steps.rows[:limit]
    columns = [(WORDS["rank"], "r", [str(row.rank) for row in shown])]
    if any(row.item is not None for row in shown):
        named = [WORDS["copy"].render(lang, item=row.item) if row.copy else row.item or "" for row in shown]
        columns.append((WORDS["item"], "l", named))
    columns.append((WORDS["grade"], "r", [row.grade for row in shown]))
    for place, name in enumerate(steps.factors):
        cells = [None if row.factors is None else row.factors[place] for row in shown]
        columns.append((factor_name(name), "r", column_texts(cells, digits)))
    columns.append((WORDS["contribution"], "r", column_texts([row.contribution for row in shown], digits)))
    columns.append((WORDS["running"], "r", column_texts([row.running for row in shown], digits)))
    titles, align, texts = zip(*columns, strict=True)
    rows = [list(cells) for cells in zip(*texts, strict=True)]
    blank = [""] * (len(columns) - 3)
    if len(shown) < len(steps.rows):
        left = len(steps.rows) - len(shown)
        rows.append(["…", WORDS["more rows"].render(lang, count=left), *blank, amount(steps.rows[-1].running, digits)])
    if steps.rest is not None:
        rows.append(["+", word(steps.rest_name).render(lang), *blank, amount(steps.total, digits)])
    return Table([title.render(lang) for title in titles], rows, "".join(align), WORDS[steps.of].render(lang))


def column_texts(values: Sequence[float | None], digits: int = DIGITS) -> list[str]:
    """Format a column: without decimals if all values are integers."""
    integral = all(value is None or (value == int(value) and abs(value) < LONGEST) for value in values)
    return [DASH if value is None else decimal(value, 0 if integral else digits) for value in values]


def amount(value: float, digits: int = DIGITS) -> str:
    """Format a component: integers without decimals."""
    return decimal(value, 0 if value == int(value) and abs(value) < LONGEST else digits)


def _quotient(above: float, below: float, name: str, lang: Lang, digits: int) -> str:
    return f"{amount(above, digits)} / {amount(below, digits)} ({word(name).render(lang)})"


def part_line(part: Part, lang: Lang, digits: int = DIGITS) -> str:
    """Return the computation of a part in one line."""
    value = decimal(part.value, digits)
    name = word(part.name).render(lang)
    if part.below is None:
        return f"{name} = {value}"
    return f"{name} = {_quotient(part.total, part.below, part.below_name, lang, digits)} = {value}"


def result_line(e: Explanation, lang: Lang, digits: int = DIGITS) -> str:
    """Return the computation of the value in one line."""
    unadjusted = decimal(e.unadjusted, digits)
    if e.below is None:
        line = f"{e.metric} = {decimal(e.steps.total, digits)}"
    else:
        line = f"{e.metric} = {_quotient(e.steps.total, e.below, e.below_name, lang, digits)}"
        if math.isnan(e.quotient):
            key = "no value" if math.isnan(e.unadjusted) else "undefined"
            return WORDS[key].render(lang, line=line, value=unadjusted)
        line = f"{line} = {decimal(e.quotient, digits)}"
    return f"{line} → {e.last_name} = {unadjusted}" if e.last_name else line


def adjustment_lines(e: Explanation, lang: Lang, digits: int = DIGITS) -> list[str]:
    """Return one line for each rule that changed the cutoff, or the value after the formula."""
    moved_by = "tied_at_k" if e.convention.k_counts == "places" else "k_counts"
    lines = [] if e.cutoff is None else [WORDS[moved_by].render(lang, k=e.cutoff)]
    for rule, value in ((adjustment.rule, adjustment.value) for adjustment in e.adjustments):
        key = "no_relevant zero" if rule == "no_relevant" and value == 0 else rule
        words = WORDS.get(key, WORDS["another rule"])
        lines.append(words.render(lang, value=decimal(value, digits), rule=e.convention.line([rule], lang)))
    return lines
