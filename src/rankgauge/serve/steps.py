"""How a value is computed, explained for beginners: one idea per step, each with its numbers, and a bar chart."""

from __future__ import annotations

from rankgauge.conventions.rule import written
from rankgauge.metric_core.explanation import (
    Explanation,
    Steps,
    adjustment_lines,
    amount,
    column_texts,
    part_line,
    result_line,
)
from rankgauge.metric_core.words import WORDS, factor_name, word
from rankgauge.rendering import svg
from rankgauge.rendering.document import Table
from rankgauge.rendering.element import Element
from rankgauge.rendering.html import Style, formula_block, scrolling_table
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.serve.messages import STEPS

SHOWN = 50
"""Maximum number of ranks shown."""
GRADES = 10
"""Higher grades have the same colour."""
MOST_TERMS = 8
"""Maximum number of terms of a sum that are written out."""
GRADE_FACTORS = {"gain", "relevant", "stop", "judged"}
"""Factors that depend on the grade alone, not on the rank."""
RULE_OF = {"gain": "gain", "discount": "discount", "relevant": "rel"}
SUMS = {"nDCG": "DCG", "DCG": "DCG", "IDCG": "IDCG", "CG": "CG"}
"""Names of the sums that have one."""
MOST_BARS = 20
"""Maximum number of ranks in the bar chart."""
WIDTH, TALL, BASE = 350.0, 150.0, 184.0
"""Width of a bar chart, height of its highest bar, and coordinate of its axis."""
Idea = tuple[Phrase, list[Element]]


def steps(explanation: Explanation) -> list[Element]:
    """Return the steps from grades to the value."""
    ideas = [_factor(explanation, place) for place in range(len(explanation.steps.factors))]
    ideas.append(_adding_up(explanation))
    if explanation.ideal is not None:
        ideas.append(_ideal(explanation, explanation.ideal))
    changed = explanation.last_name or explanation.parts or adjustment_lines(explanation, "en")
    if explanation.below is not None or changed:
        ideas.append(_dividing(explanation))
    definition = explanation.definition
    formula = formula_block(definition.formula) if definition.formula else None
    elements = [Element("div", Element("p", definition.meaning), formula, class_="meaning"), *_bars(explanation)]
    for number, (title, parts) in enumerate(ideas, 1):
        heading = Element("h3", Element("span", str(number), class_="number"), title, class_="thought-title")
        elements.append(Element("div", heading, *parts, class_="thought"))
    return elements


def _factor(explanation: Explanation, place: int) -> Idea:
    """Return the meaning of a factor, and its value for each item."""
    name = explanation.steps.factors[place]
    parts = [Element("p", STEPS[name])] if name in STEPS else []
    if name in RULE_OF:
        parts += _rules(explanation, RULE_OF[name])
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
    return STEPS.get(f"{name} title", factor_name(name)), [*parts, Element("div", *cells, class_="strip")]


def _rules(explanation: Explanation, *names: str) -> list[Element]:
    """Return those of the rules that apply, with their meaning."""
    rules, elements = explanation.convention, []
    for name in names:
        if name in explanation.definition.applicable_rules:
            value = Element("code", f"{name} = {written(getattr(rules, name))}")
            meaning = Phrase(f": {rules.meaning(name, 'en')}.", f"：{rules.meaning(name, 'zh')}。")
            elements.append(Element("p", value, meaning, class_="small"))
    return elements


def _adding_up(explanation: Explanation) -> Idea:
    name = SUMS.get(explanation.definition.name)
    several = len(explanation.steps.factors) > 1
    title = STEPS["multiply and add" if several else "add"]
    terms = [amount(row.contribution) for row in explanation.steps.rows if row.contribution]
    if explanation.steps.rest:
        terms.append(amount(explanation.steps.rest))
    if len(terms) > MOST_TERMS:
        terms[MOST_TERMS:] = ["…"]
    line = f"{' + '.join(terms) or '0'} = {amount(explanation.steps.total)}"
    return (
        Phrase(f"{title.en}: {name}", f"{title.zh}：{name}") if name else title,
        [
            Element("p", STEPS["row product" if several else "row sum"]),
            _rows_table(explanation.steps),
            Element("p", f"{name} = {line}" if name else line, class_="sum"),
        ],
    )


def _ideal(explanation: Explanation, ideal: Steps) -> Idea:
    return (
        STEPS["ideal title"].fill(name=explanation.below_name),
        [
            Element("p", STEPS["ideal"]),
            *_rules(explanation, "ideal", "ideal_cut"),
            _rows_table(ideal),
            Element("p", f"{explanation.below_name} = {amount(ideal.total)}", class_="sum"),
        ],
    )


def _dividing(explanation: Explanation) -> Idea:
    key = "divide ideal" if explanation.ideal is not None else "divide"
    parts = [Element("p", Phrase(part_line(part, "en"), part_line(part, "zh"))) for part in explanation.parts]
    english, chinese = ([result_line(explanation, lang), *adjustment_lines(explanation, lang)] for lang in ("en", "zh"))
    lines = [Element("p", Phrase(*line), class_="sum") for line in zip(english, chinese, strict=True)]
    return STEPS["divide title"], [Element("p", STEPS[key]), *parts, *lines]


def _rows_table(part: Steps) -> Element:
    """Return every rank with its factors, its contribution and the running sum."""
    shown = part.rows[:SHOWN]
    numbers = [(*(row.factors or [None] * len(part.factors)), row.contribution, row.running) for row in shown]
    columns = [[row[place] for row in numbers] for place in range(len(part.factors) + 2)]
    rows = [[str(row.rank), row.grade, *texts] for row, *texts in zip(shown, *map(column_texts, columns), strict=True)]
    titles = [WORDS["rank"], WORDS["grade"], *map(factor_name, part.factors), WORDS["contribution"], WORDS["running"]]
    last = []
    if len(part.rows) > SHOWN:
        last.append((WORDS["more rows"].fill(count=len(part.rows) - SHOWN), "", amount(part.rows[-1].running)))
    if part.rest is not None:
        last.append((word(part.rest_name), amount(part.rest), amount(part.total)))

    def table(lang: Lang) -> Table:
        ends = [[name.render(lang), *[""] * (len(titles) - 3), *numbers] for name, *numbers in last]
        columns = [title.render(lang) for title in titles]
        keys = ["rank", "grade", *columns[2:]]
        return Table(columns, [*rows, *ends], "r" * len(columns), WORDS[part.of].render(lang), keys)

    styles: dict[str, Style] = {"grade": lambda row, text: grade(text) if row < len(rows) else text}
    return scrolling_table(table("en"), table("zh"), styles)


def grade(text: str) -> Element:
    """Return a grade in its colour, or several grades of tied items."""
    try:
        value = float(text)
    except ValueError:
        return Element("span", text, class_="grade g-none")
    level = "below" if value < 0 else f"g{min(GRADES, round(value))}"
    return Element("span", text, class_=f"grade {level}")


def _bars(explanation: Explanation) -> list[Element]:
    """Return a bar for each rank of the list and of the ideal order, unless all are empty."""
    panels = [steps for steps in (explanation.steps, explanation.ideal) if steps is not None]
    highest = max((max(_gains(steps), default=0.0) for steps in panels), default=0.0)
    if highest <= 0:
        return []
    caption = STEPS["bars with discount" if "discount" in explanation.steps.factors else "bars"]
    drawings = [_panel(steps, highest) for steps in panels]
    return [Element("figure", Element("div", *drawings, class_="panels"), Element("figcaption", caption))]


def _gains(steps: Steps) -> list[float]:
    """Return what each item would contribute at rank 1: its gain if it has one."""
    place = steps.factors.index("gain") if "gain" in steps.factors else None
    return [
        row.contribution if row.factors is None or place is None else max(row.factors[place], row.contribution)
        for row in steps.rows[:MOST_BARS]
    ]


def _panel(steps: Steps, highest: float) -> Element:
    rows, title = steps.rows[:MOST_BARS], WORDS["ideal"] if steps.of == "ideal" else STEPS["returned list"]
    step = WIDTH / max(len(rows), 3)
    thick, roomy = min(step * 0.72, 46.0), len(rows) <= MOST_BARS // 2
    marks = [svg.label(0, 12, title, "strong"), svg.line(0, BASE, WIDTH, BASE, class_="zero")]
    for place, (row, gain) in enumerate(zip(rows, _gains(steps), strict=True)):
        middle = step * (place + 0.5)
        full, left_over = (max(value, 0.0) / highest * TALL for value in (gain, row.contribution))
        for class_, tall in (("full", full), ("left-over", left_over)):
            x, y = middle - thick / 2, BASE - tall
            marks.append(Element("rect", x=x, y=y, width=thick, height=tall, rx=3.0, class_=class_))
        if roomy or place % 2 == 0:
            marks.append(svg.label(middle, BASE + 16, str(row.rank), "tick", "middle"))
        if roomy:
            value = svg.number(round(row.contribution, 2))
            marks.append(svg.label(middle, BASE - full - 5, value, "tick", "middle"))
    marks.append(svg.label(WIDTH / 2, BASE + 34, WORDS["rank"], "axis", "middle"))
    return svg.picture(WIDTH, BASE + 40, *marks, class_="picture bars-of-steps", label=title)
