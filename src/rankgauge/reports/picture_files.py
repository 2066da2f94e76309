"""The pictures as files: SVG always, PNG where the machine has a program that draws SVG."""

from __future__ import annotations

import re
import shutil
import subprocess  # ours to run: a renderer found on the PATH, with paths that we made
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Lang
from rankgauge.rendering.svg import WIDTH
from rankgauge.reports.model import Report
from rankgauge.reports.page import asset

RENDERERS = ("rsvg-convert", "resvg", "inkscape")
LARGER = 2
"""How many pixels of a PNG there are for one of the drawing."""


def picture_files(report: Report, lang: Lang) -> Iterator[tuple[str, str]]:
    """The name and the SVG text of every picture, in one language."""
    for metric, drawn in report.pictures.items():
        for one in drawn:
            yield _name(metric, one.name), standalone(one.drawing, lang)
        for second, of_pair in report.pair_pictures.get(metric, {}).items():
            for one in of_pair:
                yield _name(metric, one.name, second), standalone(one.drawing, lang)


def standalone(drawing: Element, lang: Lang) -> str:
    """A drawing that brings its own style: the light colours of the page."""
    style = asset("page.css")
    colours = dict(re.findall(r"--([\w-]+): light-dark\((#\w+), #\w+\)", style))
    rules = "\n".join(line for line in style.splitlines() if line.startswith(PICTURE_RULES))
    for name, value in colours.items():
        rules = rules.replace(f"var(--{name})", value)
    family = 'text{font-family:system-ui,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}'
    _, _, width, height = drawing.attributes["viewBox"].split()
    attributes = {**drawing.attributes, "width": width, "height": height, "lang": "zh-CN" if lang == "zh" else "en"}
    page = Element("rect", width=width, height=height, fill=colours["card"])
    whole = Element("svg", Element("style", "/*style*/"), page, *drawing.children)
    whole.attributes = {name: value for name, value in attributes.items() if not name.startswith("aria-")}
    return whole.markup(lang).replace("/*style*/", f"{family}\n{rules}") + "\n"


PICTURE_RULES = (
    ".picture", ".grid", ".zero", ".diagonal", ".line", ".band", ".up", ".down", ".dot", ".fill", ".reach", ".mean",
)  # fmt: skip
"""How the lines of the page's style begin that are about pictures."""


def _name(*parts: str) -> str:
    return re.sub(r"[^\w@.=-]+", "_", "-".join(parts))[:120]


def renderer() -> str | None:
    """The program that makes PNG of SVG, where there is one."""
    return next((path for name in RENDERERS if (path := shutil.which(name))), None)


def write_pictures(report: Report, folder: Path, lang: Lang, *, force: bool = False) -> tuple[list[Path], str | None]:
    """Write every picture; what was written, and the renderer of the PNG files (None where there are none)."""
    folder.mkdir(parents=True, exist_ok=True)
    made, program = [], renderer()
    for name, text in picture_files(report, lang):
        made.append(folder / f"{name}.svg")
        with atomic_write(made[-1], force=force) as file:
            file.write(text.encode())
        if program is not None:
            made.append(folder / f"{name}.png")
            with atomic_write(made[-1], force=force) as file:
                file.write(png(program, folder / f"{name}.svg"))
    return made, program


def png(program: str, drawing: Path) -> bytes:
    """A drawing as PNG."""
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder, "picture.png")
        arguments = {
            "rsvg-convert": ["-z", str(LARGER), "-o", str(to), str(drawing)],
            "resvg": ["--zoom", str(LARGER), str(drawing), str(to)],
            "inkscape": [f"--export-filename={to}", f"--export-width={WIDTH * LARGER}", str(drawing)],
        }[Path(program).stem]
        subprocess.run([program, *arguments], check=True, capture_output=True, timeout=60)  # noqa: S603
        return to.read_bytes()
