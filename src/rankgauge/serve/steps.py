"""How a number comes about, for somebody who sees it for the first time: one thought a step, each with its numbers."""

from __future__ import annotations

from rankgauge.conventions.rule import written
from rankgauge.metric_core.explanation import Explanation, Steps, amount, column_texts, part_line, result_line
from rankgauge.metric_core.words import FACTORS, WORDS
from rankgauge.rendering.element import Element
from rankgauge.rendering.formula import to_mathml
from rankgauge.rendering.language import Phrase
from rankgauge.reports.cards import Cell, table
from rankgauge.serve.bars import bars
from rankgauge.serve.words import STEPS

SHOWN = 50
"""So many ranks are shown."""
GRADES = 4
"""Grades above have the colour of this one."""
OF_GRADES = {"gain", "relevant", "stop", "judged"}
"""What is made of the grade alone; other numbers are made of the rank as well."""
RULE_OF = {"gain": "gain", "discount": "discount", "relevant": "rel"}
SUMS = {"nDCG": "DCG", "DCG": "DCG", "IDCG": "IDCG", "CG": "CG"}
"""What the sum is called, where it has a name."""


def steps(told: Explanation) -> list[Element]:
    """The steps from grades to the value."""
    thoughts = [
        *(_factor(told, place) for place in range(len(told.steps.factors))),
        _adding_up(told),
        *([_ideal(told, told.ideal)] if told.ideal is not None else []),
        *([_dividing(told)] if told.below is not None or told.last_name or told.parts else []),
    ]
    picture = bars(told)
    return [
        Element(
            "div",
            Element("p", told.definition.meaning),
            Element("div", to_mathml(told.definition.formula), class_="formula") if told.definition.formula else None,
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
            for number, (title, parts) in enumerate(thoughts, 1)
        ),
    ]


Thought = tuple[Phrase, list[Element]]


def _factor(told: Explanation, place: int) -> Thought:
    """What one column says, and its number for each item."""
    name = told.steps.factors[place]
    title = STEPS.get(f"{name} title", _named(name))
    parts = [Element("p", STEPS[name])] if name in STEPS else []
    rule = RULE_OF.get(name)
    if rule is not None and rule in told.definition.applicable_rules:
        parts.append(_rule(told, rule))
    cells = [
        Element(
            "span",
            Element("span", f"{row.rank}.", class_="soft"),
            grade(row.grade) if name in OF_GRADES else None,
            "→ ",
            Element("b", amount(row.factors[place])) if row.factors is not None else "–",
            class_="cell",
        )
        for row in told.steps.rows[:SHOWN]
    ]
    return title, [*parts, Element("div", *cells, class_="strip")]


def _rule(told: Explanation, rule: str) -> Element:
    force = told.convention
    return Element(
        "p",
        Element("code", f"{rule} = {written(getattr(force, rule))}"),
        Phrase(f": {force.meaning(rule, 'en')}.", f"：{force.meaning(rule, 'zh')}。"),
        class_="small",
    )


def _adding_up(told: Explanation) -> Thought:
    name = SUMS.get(told.definition.name)
    several = len(told.steps.factors) > 1
    title = STEPS["multiply and add" if several else "add"]
    added = [amount(row.contribution) for row in told.steps.rows if row.contribution]
    if told.steps.rest:
        added.append(amount(told.steps.rest))
    few = added if len(added) <= 2 * GRADES else [*added[: 2 * GRADES], "…"]
    line = f"{' + '.join(few) or '0'} = {amount(told.steps.total)}"
    return (
        Phrase(f"{title.en}: {name}", f"{title.zh}：{name}") if name else title,
        [
            Element("p", STEPS["row product" if several else "row sum"]),
            rows_table(told.steps),
            Element("p", f"{name} = {line}" if name else line, class_="sum"),
        ],
    )


def _ideal(told: Explanation, ideal: Steps) -> Thought:
    return (
        STEPS["ideal title"].fill(name=told.below_name),
        [
            Element("p", STEPS["ideal"]),
            *(_rule(told, rule) for rule in ("ideal", "ideal_cut") if rule in told.definition.applicable_rules),
            rows_table(ideal),
            Element("p", f"{told.below_name} = {amount(ideal.total)}", class_="sum"),
        ],
    )


def _dividing(told: Explanation) -> Thought:
    key = "divide ideal" if told.ideal is not None else "divide"
    parts = [Element("p", Phrase(part_line(part, "en"), part_line(part, "zh"))) for part in told.parts]
    line = Phrase(result_line(told, "en"), result_line(told, "zh"))
    return STEPS["divide title"], [Element("p", STEPS[key]), *parts, Element("p", line, class_="sum")]


def rows_table(of: Steps) -> Element:
    """Every rank with its factors, what it adds and what it comes to."""
    heads: list[Cell] = [
        WORDS["rank"],
        WORDS["grade"],
        *map(_named, of.factors),
        WORDS["contribution"],
        WORDS["running"],
    ]
    shown = of.rows[:SHOWN]
    factors = [
        column_texts([None if row.factors is None else row.factors[place] for row in shown])
        for place in range(len(of.factors))
    ]
    sums = [column_texts([row.contribution for row in shown]), column_texts([row.running for row in shown])]
    rows: list[list[Cell]] = [
        [str(row.rank), grade(row.grade), *texts] for row, *texts in zip(shown, *factors, *sums, strict=True)
    ]
    if len(of.rows) > SHOWN:
        more = WORDS["more rows"].fill(count=len(of.rows) - SHOWN)
        rows.append([more, *[""] * (len(heads) - 2), amount(of.rows[-1].running)])
    if of.rest is not None:
        name = WORDS.get(of.rest_name, Phrase(of.rest_name, of.rest_name))
        rows.append([name, *[""] * (len(heads) - 3), amount(of.rest), amount(of.total)])
    return table(WORDS["ideal" if of.of == "ideal" else "list"], heads, rows, "r" * len(heads))


def grade(text: str) -> Element:
    """A grade in its colour; several where tied items share a position."""
    try:
        value = float(text)
    except ValueError:
        return Element("span", text, class_="grade g-none")
    level = "below" if value < 0 else f"g{min(GRADES, round(value))}"
    return Element("span", text, class_=f"grade {level}")


def _named(factor: str) -> Phrase:
    return FACTORS.get(factor, Phrase(factor.replace("_", " "), factor.replace("_", " ")))
