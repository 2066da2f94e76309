"""A drawing of a page as an SVG file, with the part of the style of the page that applies to it."""

from __future__ import annotations

import re

from rankgauge.rendering.assets import asset
from rankgauge.rendering.element import LANG_TAGS, Element, Trusted
from rankgauge.rendering.language import Lang

FONT = 'text{font-family:system-ui,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}'
PICTURE_RULES = (
    ".picture", ".grid", ".zero", ".diagonal", ".line", ".band", ".up", ".down", ".dot", ".fill", ".reach", ".mean",
    ".d1", ".cell", ".bars",
)  # fmt: skip
"""Beginnings of the lines of the page's style that apply to pictures."""


def standalone(drawing: Element, lang: Lang) -> str:
    """Return a drawing with its own style: the light colours of the page."""
    style = asset("page.css")
    colours = dict(re.findall(r"--([\w-]+): light-dark\((#\w+), #\w+\)", style))
    of_page = ".picture { "  # the size on the page; a file has its own, and cairosvg draws nothing where height is auto
    lines = (line for line in style.splitlines() if line.startswith(PICTURE_RULES))
    rules = "\n".join(line for line in lines if not line.startswith(of_page))
    for name, value in colours.items():
        rules = rules.replace(f"var(--{name})", value)
    _, _, width, height = drawing.attributes["viewBox"].split()
    background = Element("rect", width=width, height=height, fill=colours["card"])
    style_element = Element("style", Trusted(f"{FONT}\n{rules}"))
    svg = drawing.replace(
        style_element, background, *drawing.children, width=width, height=height, lang=LANG_TAGS[lang]
    )
    return svg.markup(lang) + "\n"
