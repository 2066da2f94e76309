"""The pictures of a report as files: SVG, and PNG and PDF if something that renders SVG is installed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rankgauge.inputs.io.drawing import FORMATS, Format, can_render, save_svg
from rankgauge.rendering.language import Lang
from rankgauge.rendering.svg import standalone
from rankgauge.reports.model import Report


def picture_files(report: Report, lang: Lang) -> Iterator[tuple[str, str]]:
    """Yield the file name and the SVG of every picture, in one language."""
    for metric, pictures in report.pictures.items():
        for picture in pictures:
            yield _name(metric, picture.name), standalone(picture.drawing, lang)
        for second, of_pair in report.pair_pictures.get(metric, {}).items():
            for picture in of_pair:
                yield _name(metric, picture.name, second), standalone(picture.drawing, lang)


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
