"""How a value is computed, explained for beginners: one idea per step, each with its numbers."""

from __future__ import annotations

from rankgauge.conventions.rule import written
from rankgauge.metric_core.explanation import Explanation, Steps, amount, column_texts, part_line, result_line
from rankgauge.metric_core.words import FACTORS, WORDS
from rankgauge.rendering.element import Cell, Element
from rankgauge.rendering.formula import to_mathml
from rankgauge.rendering.html import table
from rankgauge.rendering.html_page import scrolling
from rankgauge.rendering.language import Phrase
from rankgauge.serve.bars import bars
from rankgauge.serve.messages import STEPS

SHOWN = 50
"""Maximum number of ranks shown."""
GRADES = 4
"""Higher grades have the same colour."""
GRADE_FACTORS = {"gain", "relevant", "stop", "judged"}
"""Factors that depend on the grade alone, not on the rank."""
RULE_OF = {"gain": "gain", "discount": "discount", "relevant": "rel"}
SUMS = {"nDCG": "DCG", "DCG": "DCG", "IDCG": "IDCG", "CG": "CG"}
"""Names of the sums that have one."""


def steps(explanation: Explanation) -> list[Element]:
    """Return the steps from grades to the value."""
    ideas = [
        *(_factor(explanation, place) for place in range(len(explanation.steps.factors))),
        _adding_up(explanation),
        *([_ideal(explanation, explanation.ideal)] if explanation.ideal is not None else []),
        *(
            [_dividing(explanation)]
            if explanation.below is not None or explanation.last_name or explanation.parts
            else []
        ),
    ]
    picture = bars(explanation)
    return [
        Element(
            "div",
            Element("p", explanation.definition.meaning),
            Element("div", to_mathml(explanation.definition.formula), class_="formula")
            if explanation.definition.formula
            else None,
            class_="meaning",
        ),
        *([picture] if picture is not None else []),
        *(
            Element(
                "div",
                Element("h3", Element("span", str(number), class_="number"), title, class_="thought-title"),
                *parts,
                class_="thought",
            )
            for number, (title, parts) in enumerate(ideas, 1)
        ),
    ]


Idea = tuple[Phrase, list[Element]]


def _factor(explanation: Explanation, place: int) -> Idea:
    """Return the meaning of a factor, and its value for each item."""
    name = explanation.steps.factors[place]
    title = STEPS.get(f"{name} title", _factor_name(name))
    parts = [Element("p", STEPS[name])] if name in STEPS else []
    rule = RULE_OF.get(name)
    if rule is not None and rule in explanation.definition.applicable_rules:
        parts.append(_rule(explanation, rule))
    cells = [
        Element(
            "span",
            Element("span", f"{row.rank}.", class_="soft"),
            grade(row.grade) if name in GRADE_FACTORS else None,
            "→ ",
            Element("b", amount(row.factors[place])) if row.factors is not None else "–",
            class_="cell",
        )
        for row in explanation.steps.rows[:SHOWN]
    ]
    return title, [*parts, Element("div", *cells, class_="strip")]


def _rule(explanation: Explanation, rule: str) -> Element:
    rules = explanation.convention
    return Element(
        "p",
        Element("code", f"{rule} = {written(getattr(rules, rule))}"),
        Phrase(f": {rules.meaning(rule, 'en')}.", f"：{rules.meaning(rule, 'zh')}。"),
        class_="small",
    )


def _adding_up(explanation: Explanation) -> Idea:
    name = SUMS.get(explanation.definition.name)
    several = len(explanation.steps.factors) > 1
    title = STEPS["multiply and add" if several else "add"]
    terms = [amount(row.contribution) for row in explanation.steps.rows if row.contribution]
    if explanation.steps.rest:
        terms.append(amount(explanation.steps.rest))
    shown = terms if len(terms) <= 2 * GRADES else [*terms[: 2 * GRADES], "…"]
    line = f"{' + '.join(shown) or '0'} = {amount(explanation.steps.total)}"
    return (
        Phrase(f"{title.en}: {name}", f"{title.zh}：{name}") if name else title,
        [
            Element("p", STEPS["row product" if several else "row sum"]),
            rows_table(explanation.steps),
            Element("p", f"{name} = {line}" if name else line, class_="sum"),
        ],
    )


def _ideal(explanation: Explanation, ideal: Steps) -> Idea:
    return (
        STEPS["ideal title"].fill(name=explanation.below_name),
        [
            Element("p", STEPS["ideal"]),
            *(
                _rule(explanation, rule)
                for rule in ("ideal", "ideal_cut")
                if rule in explanation.definition.applicable_rules
            ),
            rows_table(ideal),
            Element("p", f"{explanation.below_name} = {amount(ideal.total)}", class_="sum"),
        ],
    )


def _dividing(explanation: Explanation) -> Idea:
    key = "divide ideal" if explanation.ideal is not None else "divide"
    parts = [Element("p", Phrase(part_line(part, "en"), part_line(part, "zh"))) for part in explanation.parts]
    line = Phrase(result_line(explanation, "en"), result_line(explanation, "zh"))
    return STEPS["divide title"], [Element("p", STEPS[key]), *parts, Element("p", line, class_="sum")]


def rows_table(part: Steps) -> Element:
    """Return every rank with its factors, its contribution and the running sum."""
    columns: list[Cell] = [
        WORDS["rank"],
        WORDS["grade"],
        *map(_factor_name, part.factors),
        WORDS["contribution"],
        WORDS["running"],
    ]
    shown = part.rows[:SHOWN]
    factors = [
        column_texts([None if row.factors is None else row.factors[place] for row in shown])
        for place in range(len(part.factors))
    ]
    sums = [column_texts([row.contribution for row in shown]), column_texts([row.running for row in shown])]
    rows: list[list[Cell]] = [
        [str(row.rank), grade(row.grade), *texts] for row, *texts in zip(shown, *factors, *sums, strict=True)
    ]
    if len(part.rows) > SHOWN:
        more = WORDS["more rows"].fill(count=len(part.rows) - SHOWN)
        rows.append([more, *[""] * (len(columns) - 2), amount(part.rows[-1].running)])
    if part.rest is not None:
        name = WORDS.get(part.rest_name, Phrase(part.rest_name, part.rest_name))
        rows.append([name, *[""] * (len(columns) - 3), amount(part.rest), amount(part.total)])
    caption = WORDS["ideal" if part.of == "ideal" else "list"]
    return scrolling(table(caption, columns, rows, "r" * len(columns)), caption)


def grade(text: str) -> Element:
    """Return a grade in its colour, or several grades of tied items."""
    try:
        value = float(text)
    except ValueError:
        return Element("span", text, class_="grade g-none")
    level = "below" if value < 0 else f"g{min(GRADES, round(value))}"
    return Element("span", text, class_=f"grade {level}")


def _factor_name(factor: str) -> Phrase:
    return FACTORS.get(factor, Phrase(factor.replace("_", " "), factor.replace("_", " ")))
