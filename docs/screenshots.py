"""Take the screenshots of the readmes with the browser of the tests: python docs/screenshots.py."""

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
"""Language and open query of each picture."""
WIDTH = 1120
LOCAL = {"playground-en": "en", "playground-zh": "zh"}
LOCAL_HEIGHT = 1230


def main() -> None:
    """Save the pictures to docs/images."""
    (HERE / "images").mkdir(exist_ok=True)
    reports()
    local_page()


def reports() -> None:
    """Take a query of a report."""
    from browser import started  # noqa: PLC0415 (in the folder of the tests)

    with tempfile.TemporaryDirectory() as name, started(Path(name)) as browser:
        for picture, (lang, query) in SHOTS.items():
            page = Path(name, f"{picture}.html")
            rg.report(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP", "RR"], lang=lang).save(page)
            browser.open(page, f"#q={quote(query)}", width=WIDTH)
            browser.size(WIDTH, browser.run("return document.documentElement.scrollHeight"))
            browser.driver.save_screenshot(str(HERE / "images" / f"{picture}.png"))
            print(f"docs/images/{picture}.png")


def local_page() -> None:
    """Take the playground of the local page with the films of the readme."""
    from browser import started  # noqa: PLC0415 (in the folder of the tests)
    from serving import serving  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as name, started(Path(name, "browser"), offline=False) as browser:
        for picture, lang in LOCAL.items():
            with serving(Path(name, "server"), "--lang", lang) as server:
                browser.driver.get(server.address)
                browser.until("return location.search === '' && document.getElementById('grades')")
                browser.open(server.base, width=WIDTH, height=LOCAL_HEIGHT)
                browser.run("document.querySelectorAll('#examples button')[1].click()")
                browser.until("return document.getElementById('number-now').innerText === '0.829613'")
                browser.until("return document.documentElement.dataset.loading === undefined")
                browser.run("document.activeElement.blur()")
                browser.driver.save_screenshot(str(HERE / "images" / f"{picture}.png"))
                print(f"docs/images/{picture}.png")


if __name__ == "__main__":
    main()
