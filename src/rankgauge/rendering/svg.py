"""Elements: HTML and SVG as data, written as markup here or built by the page's own script.

Texts may be hostile (ids and names are); they are escaped when they are written, and never become markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rankgauge.rendering.html import escaped
from rankgauge.rendering.language import Lang, Phrase

Child = "Element | Phrase | str"
VOID = {"input", "meta", "br", "link"}
LANG_TAGS: dict[Lang, str] = {"en": "en", "zh": "zh-CN"}


class Element:
    """A tag, its attributes and what stands inside.

    Names of attributes: ``class_`` is class, ``text_anchor`` is text-anchor. ``label`` is what is read out for it: a
    phrase, of which the page takes the language that is shown.

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
        self.attributes = {
            name.rstrip("_").replace("_", "-"): _written(value)
            for name, value in attributes.items()
            if value is not None and value is not False
        }
        if label is not None:
            self.attributes |= {"aria-label": label.en, "data-en": label.en, "data-zh": label.zh}

    def markup(self, lang: Lang | None = None) -> str:
        """As text; with a language only in that one, without in both, of which the page shows one."""
        return "".join(self._parts(lang, in_svg=False))

    def _parts(self, lang: Lang | None, *, in_svg: bool) -> Iterator[str]:
        in_svg = in_svg or self.tag == "svg"
        yield f"<{self.tag}"
        for name, value in self.attributes.items():
            yield f' {name}="{escaped(value)}"'
        yield ">"
        if self.tag in VOID:
            return
        for child in self.children:
            if isinstance(child, Element):
                yield from child._parts(lang, in_svg=in_svg)  # noqa: SLF001
            elif isinstance(child, Phrase):
                yield from (
                    _both(child, "tspan" if in_svg else "span") if lang is None else [escaped(child.render(lang))]
                )
            else:
                yield escaped(child)
        yield f"</{self.tag}>"

    def tree(self) -> list[Any]:
        """As plain data: the tag, the attributes, and what stands inside; a phrase is an object of both languages."""
        inside = [
            child.tree() if isinstance(child, Element) else child._asdict() if isinstance(child, Phrase) else child
            for child in self.children
        ]
        return [self.tag, self.attributes, *inside]


def _both(phrase: Phrase, tag: str) -> Iterable[str]:
    for lang, name in LANG_TAGS.items():
        yield f'<{tag} class="t" lang="{name}">{escaped(phrase.render(lang))}</{tag}>'


def _written(value: Any) -> str:
    if value is True:
        return ""
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
