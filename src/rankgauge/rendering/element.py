"""HTML, SVG and MathML as data: a tree of elements, written as markup here or built by the script of a page.

Texts may be hostile (ids and names are). They are escaped when they are written and never become markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.text import neutral

VOID = {"input", "meta", "br", "link"}
LANG_TAGS: dict[Lang, str] = {"en": "en", "zh": "zh-CN"}


def escaped(text: str) -> str:
    """Return the text with the characters escaped that HTML would interpret.

    >>> escaped("<img onerror=x>")
    '&lt;img onerror=x&gt;'
    """
    return escape(neutral(text))


class Trusted(str):
    """A text that is written without escaping: a style, a script, compressed data."""

    __slots__ = ()


class Element:
    """A tag with its attributes and children.

    Attribute names: ``class_`` is class, ``text_anchor`` is text-anchor. ``label`` is the accessible name in both
    languages; the page applies the one it shows.

    >>> Element("b", "1 < 2", class_="x").markup()
    '<b class="x">1 &lt; 2</b>'
    >>> Element("p", Phrase("yes", "是")).markup("zh")
    '<p>是</p>'
    """

    __slots__ = ("attributes", "children", "tag")

    def __init__(
        self, tag: str, *children: Element | Phrase | str | None, label: Phrase | None = None, **attributes: Any
    ) -> None:
        self.tag = tag
        self.children = tuple(child for child in children if child is not None)
        self.attributes = _attributes(attributes)
        if label is not None:
            self.attributes |= {"aria-label": label.en, "data-en": label.en, "data-zh": label.zh}

    def replace(self, *children: Element | Phrase | str | None, **attributes: Any) -> Element:
        """Return a copy with the attributes added and, if any are given, with other children."""
        copy = Element(self.tag, *(children or self.children))
        copy.attributes = self.attributes | _attributes(attributes)
        return copy

    def markup(self, lang: Lang | None = None) -> str:
        """Return the markup in one language, or in both for a page that shows one of them."""
        return "".join(self._parts(lang, in_svg=False))

    def _parts(self, lang: Lang | None, *, in_svg: bool) -> Iterator[str]:
        in_svg = in_svg or self.tag == "svg"
        yield f"<{self.tag}"
        for name, value in self.attributes.items():
            yield f' {name}="{value if isinstance(value, Trusted) else escaped(value)}"'
        yield ">"
        if self.tag in VOID:
            return
        for child in self.children:
            if isinstance(child, Element):
                yield from child._parts(lang, in_svg=in_svg)  # noqa: SLF001
            elif isinstance(child, Trusted):
                yield child
            elif not isinstance(child, Phrase):
                yield escaped(child)
            elif lang is not None:
                yield escaped(child[lang == "zh"])
            else:
                tag = "tspan" if in_svg else "span"
                for name, text in zip(LANG_TAGS.values(), child, strict=True):
                    yield f'<{tag} class="t" lang="{name}">{escaped(text)}</{tag}>'
        yield f"</{self.tag}>"

    def tree(self) -> list[Any]:
        """Return plain data, ``[tag, attributes, *children]``; a phrase is an object with both languages."""
        children = [
            child.tree() if isinstance(child, Element) else child._asdict() if isinstance(child, Phrase) else child
            for child in self.children
        ]
        return [self.tag, self.attributes, *children]


Cell = Element | Phrase | str
"""Whatever an element or a cell of a table can hold."""


def _attributes(attributes: Mapping[str, object]) -> dict[str, str]:
    return {
        name.rstrip("_").replace("_", "-"): _attribute_text(value)
        for name, value in attributes.items()
        if value is not None and value is not False
    }


def _attribute_text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".rstrip("0").rstrip(".")
    return value if isinstance(value, str) else "" if value is True else str(value)
