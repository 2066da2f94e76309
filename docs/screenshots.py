"""Take the pictures of the report in the readmes anew, with the browser of the tests: python docs/screenshots.py."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

import rankgauge as rg
from rankgauge.example import JUDGMENTS, SYSTEMS

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))
SHOTS = {"report-en": ("en", "space opera"), "report-zh": ("zh", "功夫片")}
"""For each picture the language and the query that is open."""
WIDTH = 1120


def main() -> None:
    """Write docs/images/report-en.png and report-zh.png."""
    from browser import started  # noqa: PLC0415 (beside the tests)

    (HERE / "images").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, started(Path(name)) as browser:
        for picture, (lang, query) in SHOTS.items():
            page = Path(name, f"{picture}.html")
            rg.report(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP", "RR"], lang=lang).save(page)
            browser.open(page, f"#q={quote(query)}", width=WIDTH)
            browser.size(WIDTH, browser.run("return document.documentElement.scrollHeight"))
            browser.driver.save_screenshot(str(HERE / "images" / f"{picture}.png"))
            print(f"docs/images/{picture}.png")


if __name__ == "__main__":
    main()
