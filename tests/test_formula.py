"""Formulas: the LaTeX of every metric as one line of text and as MathML."""

import re
from xml.etree import ElementTree as ET

import pytest

import rankgauge as rg
from rankgauge.rendering import formula


def test_every_latex_command_of_formulas_can_be_written():
    for definition in (metric.definition for metric in rg.metrics().values()):
        symbols = formula.to_mathml(definition.formula).markup()

        assert "\\" not in formula.to_text(definition.formula) + symbols, definition.name
        assert not re.search(r"\b(cap|bigcup|setminus|phi|frac|left|right)\b", formula.to_text(definition.formula))


@pytest.mark.parametrize(
    "definition", [metric.definition for metric in rg.metrics().values()], ids=lambda definition: definition.name
)
def test_formulas_are_printed_on_one_line_without_latex(definition):
    text = formula.to_text(definition.formula)

    assert "\\" not in text
    assert text.count("(") == text.count(")")


@pytest.mark.parametrize("metric", [*rg.metrics()])
def test_every_formula_can_be_drawn(metric):
    mathml = formula.to_mathml(rg.metrics()[metric].definition.formula).markup()
    ET.fromstring(mathml)  # noqa: S314 (written by this library)
    assert "\\" not in mathml


def test_brackets_grow_only_where_the_formula_says_so():
    assert '<mo stretchy="false">(</mo>' in formula.to_mathml(r"\sum_{i=1}^{k} G(g_i)").markup()
    assert "stretchy" not in formula.to_mathml(r"\left( \frac{a}{b} \right)").markup()
    assert formula.to_text(r"\left( \frac{a}{b} \right)") == formula.to_text(r"( \frac{a}{b} )")
