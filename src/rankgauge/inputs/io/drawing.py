"""Pictures that notebooks show and that are saved as SVG, PNG or PDF."""

from __future__ import annotations

import re
import shutil
import sys
from os import PathLike
from pathlib import Path
from typing import Any, Literal, get_args

from rankgauge.errors import MissingExtraError, ParameterError
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.rendering.language import Phrase

Format = Literal["svg", "png", "pdf"]
FORMATS: tuple[Format, ...] = get_args(Format)
RENDERERS = ("rsvg-convert", "resvg", "inkscape")
"""Programs that render SVG, in the order in which they are tried; then the package cairosvg."""
ZOOM = 2
"""Pixels of a PNG per pixel of the drawing."""
CHINESE_TEXT = re.compile("<text (?=(?:(?!</text>).)*[\u2e80-\u9fff\uff00-\uffef])", re.DOTALL)
INSTALL = Phrase(
    "install rsvg-convert (librsvg) or inkscape, or pip install 'rankgauge[pictures]'",
    "请安装 rsvg-convert（librsvg）或 inkscape，或 pip install 'rankgauge[pictures]'",
)
NO_RENDERER = Phrase(
    "{path}: nothing was found that turns SVG into {format}; {install}, or save the picture as .svg",
    "{path}：没有找到能把 SVG 转换为 {format} 的程序；{install}，或另存为 .svg",
)


class Drawing:
    """Base class of pictures: notebooks show them, and ``save`` writes a file."""

    def to_svg(self, lang: str = "en") -> str:
        """Return the drawing as an SVG file with its own style."""
        raise NotImplementedError

    def save(self, path: str | PathLike[str], *, lang: str = "en", force: bool = False) -> None:
        """Write the picture in the format of the ending: ``.svg``, ``.png`` or ``.pdf``.

        PNG and PDF need a program that renders SVG (rsvg-convert, inkscape, resvg) or the package cairosvg.
        """
        save_svg(self.to_svg(lang), path, force=force)

    def _repr_svg_(self) -> str:
        return self.to_svg()


class Figure(Drawing):
    """A picture that was drawn already."""

    def __init__(self, name: str, svg: str) -> None:
        self.name = name
        self._svg = svg

    def to_svg(self, lang: str = "en") -> str:  # noqa: ARG002 (drawn in one language)
        """Return the picture as an SVG file."""
        return self._svg

    def __repr__(self) -> str:
        return f"<Figure {self.name}>"


def save_svg(svg: str, path: str | PathLike[str], *, force: bool = False) -> None:
    """Write a drawing in the format that the ending of the path names."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in {"svg", "png", "pdf"}:
        allowed = Phrase("one of .svg, .png, .pdf", ".svg、.png、.pdf 之一")
        raise ParameterError.of(Phrase("the ending of the file", "文件的扩展名"), Path(path).suffix, allowed)
    data = svg.encode() if ending == "svg" else rendered(svg, "png" if ending == "png" else "pdf", str(path))
    with atomic_write(path, force=force) as file:
        file.write(data)


def renderer(to: Format = "png") -> str | None:
    """Return the path of a program that renders SVG in this format, or None; resvg has no PDF."""
    names = (name for name in RENDERERS if to == "png" or name != "resvg")
    return next((path for name in names if (path := shutil.which(name))), None)


def rendered(svg: str, to: Format, path: str = "") -> bytes:
    """Return a drawing as PNG or PDF, by a program or by cairosvg."""
    program = renderer(to)
    if program is not None:
        return _by_program(program, svg, to)
    cairosvg = _cairosvg()
    if cairosvg is None:
        raise MissingExtraError(NO_RENDERER.fill(path=path or to, format=to.upper(), install=INSTALL))
    svg = _with_chinese_font(svg)
    if to == "pdf":
        return bytes(cairosvg.svg2pdf(svg.encode()))
    return bytes(cairosvg.svg2png(svg.encode(), scale=ZOOM))


def can_render(to: Format) -> bool:
    """Return whether a drawing can be written in this format."""
    return to == "svg" or renderer(to) is not None or _cairosvg() is not None


def _cairosvg() -> Any:
    """Return the package cairosvg, or None."""
    try:
        import cairosvg  # type: ignore[import-not-found, import-untyped, unused-ignore] # noqa: PLC0415 (optional)
    except (ImportError, OSError):  # OSError: the package without its library
        return None
    return cairosvg


def _with_chinese_font(svg: str) -> str:
    """Return a drawing whose Chinese texts ask for a Chinese font: cairosvg takes the first font of a list only."""
    if not CHINESE_TEXT.search(svg):
        return svg
    return CHINESE_TEXT.sub(f"<text style=\"font-family:'{_chinese_font()}'\" ", svg)


def _chinese_font() -> str:
    """Return the family of a font with Chinese characters: that of fontconfig, else the one of the system."""
    program = shutil.which("fc-match")
    if program is None:
        return {"darwin": "PingFang SC", "win32": "Microsoft YaHei"}.get(sys.platform, "Noto Sans CJK SC")
    import subprocess  # noqa: PLC0415 (see below)

    arguments = [program, "-f", "%{family[0]}", ":lang=zh-cn"]
    return subprocess.run(arguments, check=True, capture_output=True, text=True, timeout=60).stdout  # noqa: S603


def _by_program(program: str, svg: str, to: Format) -> bytes:
    """Return a drawing as a program renders it."""
    import subprocess  # noqa: PLC0415 (runs a renderer from the PATH on files written here; most commands draw nothing)
    import tempfile  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        drawing, target = Path(folder, "picture.svg"), Path(folder, f"picture.{to}")
        drawing.write_text(svg, encoding="utf-8")
        arguments = {
            "rsvg-convert": ["-f", to, "-z", str(ZOOM if to == "png" else 1), "-o", str(target), str(drawing)],
            "resvg": ["--zoom", str(ZOOM), str(drawing), str(target)],
            "inkscape": [f"--export-filename={target}", f"--export-dpi={96 * ZOOM}", str(drawing)],
        }[Path(program).stem]
        subprocess.run([program, *arguments], check=True, capture_output=True, timeout=60)  # noqa: S603
        return target.read_bytes()
