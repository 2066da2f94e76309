"""Build the site: ``python -m website FOLDER`` in docs/, or ``make site``."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from sphinx.ext.autodoc.mock import mock

from website import catalogue, reports, sources
from website.reference import MOCKED

HERE = Path(__file__).parent
START = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>rankgauge</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script>location.replace((navigator.language || "").startsWith("zh") ? "zh/index.html" : "en/index.html")</script>
</head><body><p><a href="en/index.html">English</a> · <a href="zh/index.html" lang="zh-CN">中文</a></p></body></html>
"""


def main() -> None:
    """Write the sources, and let Sphinx turn them into pages; a warning is an error."""
    parser = argparse.ArgumentParser(prog="python -m website")
    parser.add_argument("folder", type=Path, help="where to write the site")
    parser.add_argument("--only", choices=sources.LANGUAGES, help="one language, for a quick look")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    work = folder.with_name(f"{folder.name}-sources")
    for old in (folder, work):
        shutil.rmtree(old, ignore_errors=True)
    catalogue.write(work / "locales")
    for lang in [arguments.only] if arguments.only else sources.LANGUAGES:
        with mock([*MOCKED]):
            sources.write(lang, work / lang)
        reports.write(work / f"{lang}-extra" / "reports", lang)
        build(lang, work, folder / lang)
    (folder / "index.html").write_text(START, encoding="utf-8")
    print(f"{folder / 'index.html'}")


def build(lang: str, work: Path, folder: Path) -> None:
    """Run Sphinx for one language."""
    path = os.pathsep.join([str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    settings = {"SITE_LANGUAGE": lang, "SITE_LOCALES": str(work / "locales"), "PYTHONPATH": path}
    settings["SITE_EXTRA"] = str(work / f"{lang}-extra")
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-c", str(HERE)]
    result = subprocess.run(  # noqa: S603
        [*command, "-d", str(work / f"{lang}-doctrees"), str(work / lang), str(folder)],
        env=os.environ | settings,
        check=False,
    )
    if result.returncode:
        sys.exit(result.returncode)


if __name__ == "__main__":
    main()
