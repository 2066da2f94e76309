"""The pictures of a report as files: SVG, and PNG and PDF if something that renders SVG is installed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rankgauge.inputs.io.drawing import FORMATS, Format, can_render, save_svg
from rankgauge.rendering.assets import asset
from rankgauge.rendering.element import LANG_TAGS, Element, Trusted
from rankgauge.rendering.language import Lang
from rankgauge.reports.model import Report

FONT = 'text{font-family:system-ui,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}'
PICTURE_RULES = (
    ".picture", ".grid", ".zero", ".diagonal", ".line", ".band", ".up", ".down", ".dot", ".fill", ".reach", ".mean",
    ".d1", ".cell", ".bars",
)  # fmt: skip
"""Beginnings of the lines of the page's style that apply to pictures."""


def picture_files(report: Report, lang: Lang) -> Iterator[tuple[str, str]]:
    """Yield the file name and the SVG of every picture, in one language."""
    for metric, pictures in report.pictures.items():
        for picture in pictures:
            yield _name(metric, picture.name), standalone(picture.drawing, lang)
        for second, of_pair in report.pair_pictures.get(metric, {}).items():
            for picture in of_pair:
                yield _name(metric, picture.name, second), standalone(picture.drawing, lang)


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


def _name(*parts: str) -> str:
    return re.sub(r"[^\w@.=-]+", "_", "-".join(parts))[:120]


def write_pictures(report: Report, folder: Path, lang: Lang, *, force: bool = False) -> tuple[list[Path], list[Format]]:
    """Write every picture; return the paths written, and the formats that nothing installed here can write."""
    folder.mkdir(parents=True, exist_ok=True)
    paths, formats = [], [ending for ending in FORMATS if can_render(ending)]
    for name, text in picture_files(report, lang):
        for ending in formats:
            paths.append(folder / f"{name}.{ending}")
            save_svg(text, paths[-1], force=force)
    return paths, [ending for ending in FORMATS if ending not in formats]
