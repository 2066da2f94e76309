"""What the site adds to Sphinx: Chinese search, formulas as MathML, and the link to the other language."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.search import SearchLanguage, languages

from rankgauge.rendering.formula import to_mathml
from rankgauge.rendering.html import formula_block
from website import bigrams


class ChineseSearch(SearchLanguage):
    """Pairs of characters for Chinese, lower-case words for the rest."""

    lang = "zh"
    language_name = "Chinese"
    js_splitter_code = bigrams.JAVASCRIPT

    def split(self, input: str) -> list[str]:  # noqa: A002 (Sphinx's name)
        """Return the terms of a text."""
        return bigrams.split(input)

    def stem(self, word: str) -> str:
        """Return the form in which a term is indexed."""
        return word.lower()

    def word_filter(self, word: str) -> bool:
        """Return whether a term is indexed."""
        return not word.isdigit()


def inline_formula(translator: Any, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    translator.body.append(to_mathml(node.astext()).markup().replace('display="block"', 'display="inline"', 1))
    raise nodes.SkipNode


def block_formula(translator: Any, node: nodes.math_block) -> None:
    """Write a formula on a line of its own."""
    translator.body.append(formula_block(node.astext()).markup())
    raise nodes.SkipNode


def add_other_language(app: Sphinx, name: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Give templates the address of the same page in the other language."""
    other = {"en": "zh", "zh": "en"}[app.config.site_language]
    context["other_language"] = {"zh": "中文", "en": "English"}[other]
    context["other_page"] = f"{'../' * (name.count('/') + 1)}{other}/{name}.html"
    context["other_lang"] = {"zh": "zh-CN", "en": "en"}[other]


def without_field_numbers(*arguments: Any) -> None:
    """Remove what Python writes as the docstring of a field of a named tuple."""
    lines = arguments[-1]
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


ATTRIBUTES: dict[str, list[str]] = {}
"""Docstrings of attributes, of which Napoleon would read the words before a colon as a type."""


def keep_attribute(_app: Sphinx, kind: str, name: str, _value: object, _options: Any, lines: list[str]) -> None:
    """Keep the docstring of an attribute from Napoleon."""
    if kind in {"attribute", "data", "property"}:
        ATTRIBUTES[name] = [*lines]


def restore_attribute(_app: Sphinx, _kind: str, name: str, _value: object, _options: Any, lines: list[str]) -> None:
    """Restore the docstring of an attribute."""
    if name in ATTRIBUTES:
        lines[:] = ATTRIBUTES.pop(name)


def write_dashes(_app: Sphinx, doctree: nodes.document) -> None:
    """Write a dash between a parameter and its text, which Sphinx leaves to the smart quotes."""
    for text in [*doctree.findall(nodes.Text)]:
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx."""
    languages["zh"] = ChineseSearch
    app.add_config_value("site_language", "en", "html")
    app.add_html_math_renderer("mathml", (inline_formula, None), (block_formula, None))
    app.connect("html-page-context", add_other_language)
    app.connect("autodoc-process-docstring", keep_attribute, priority=1)
    app.connect("autodoc-process-docstring", restore_attribute, priority=800)
    app.connect("autodoc-process-docstring", without_field_numbers, priority=850)
    app.connect("doctree-read", write_dashes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
