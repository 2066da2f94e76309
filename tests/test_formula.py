"""Formulas: the LaTeX of every metric as one line of text and as MathML."""

import re
from xml.etree import ElementTree as ET

import pytest

import rankgauge as rg
from command_line import here
from rankgauge.metric_core.laws import CHINESE_NAMES
from rankgauge.rendering import formula
from rankgauge.rendering.formula_words import translated
from registries import LAWS


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


def test_no_formula_or_law_of_a_metric_has_english_words_only_in_chinese():
    for definition in (metric.definition for metric in rg.metrics().values()):
        words = re.findall(r"\\text\{([^}]*)\}", translated(definition.formula, "zh"))
        assert not re.search("[A-Za-z]{2,}", " ".join(words)), definition.name
    assert CHINESE_NAMES.keys() == LAWS.keys()
    assert all(re.match("[一-鿿]", name) for name in CHINESE_NAMES.values())


def test_conditions_in_a_formula_follow_the_language():
    english, chinese = ("\n".join(here("metrics", "AUC", "--lang", lang).out.splitlines()) for lang in ("en", "zh"))
    assert "Σ[r relevant] (#{ s non-relevant : s below r } + τ #{ s non-relevant : s tied with r })" in english
    assert "Σ[r 相关] (#{ s 不相关 : s 晚于 r } + τ #{ s 不相关 : s 同分于 r })" in chinese
    assert "交换必升（strict_swap）：" in chinese
    assert r"r \text{ 相关}" in here("metrics", "AUC", "--lang", "zh", "-t", "md").out
    mathml = formula.to_mathml(r"s \text{ below } r")
    assert "<mtext>晚于</mtext>" in mathml.markup("zh")
    assert '<mtext><span class="t" lang="en">below</span>' in mathml.markup()
