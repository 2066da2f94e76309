"""Check the built site: its links, and in Chromium its searches, widths and colours, without a network."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from website import links

PAGES = (
    "index", "tutorial", "gallery", "glossary", "why-numbers-differ", "metrics/index", "metrics/ndcg", "presets/index",
    "presets/lightgbm", "codes/rg301", "api/index", "api/evaluate", "commands/eval",
)  # fmt: skip
WIDTHS = (360, 768, 1440)
FIRST = {
    "MRR": "metrics/rr",
    "Recall@10": "metrics/r",
    "recall": "metrics/r",
    "召回率": "metrics/r",
    "hit rate": "metrics/hr",
    "命中率": "metrics/hr",
    "Precision@5": "metrics/p",
    "MAP": "metrics/ap",
    "mean reciprocal rank": "metrics/rr",
    "precision at k": "metrics/p",
    "recall at 10": "metrics/r",
    "hit ratio": "metrics/hr",
    "平均精度": "metrics/ap",
}
"""Names of metrics, whose page must be the first result."""
SEARCHES = {
    "en": {
        "nDCG": "metrics/ndcg",
        "ties": "ties",
        "RG301": "codes/rg301",
        "evaluate": "api/evaluate",
        "lightgbm": "presets/lightgbm",
        **FIRST,
    },
    "zh": {
        "nDCG": "metrics/ndcg",
        "并列": "ties",
        "平均准确率": "glossary",
        "归一化折损累计增益": "glossary",
        "RG301": "codes/rg301",
        **FIRST,
    },
}
"""What is searched for, and a page that must be among the results."""
TESTS = Path(__file__).parents[2] / "tests"


def main() -> None:
    """Report everything that is wrong with a site; pictures of its pages are written on request."""
    parser = argparse.ArgumentParser(prog="python -m website.check")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=Path, help="where to write pictures of some pages")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    faults = links.faults(folder) + in_browser(folder, arguments.pictures)
    for fault in faults:
        print(fault)
    print(f"{len([*folder.rglob('*.html')])} pages, {len(faults)} faults")
    sys.exit(bool(faults))


def in_browser(folder: Path, pictures: Path | None) -> list[str]:
    """Open pages in Chromium, without a network, and return what is wrong with them."""
    sys.path.insert(0, str(TESTS))
    from browser import started  # noqa: PLC0415 (the browser of the tests)

    faults = []
    with tempfile.TemporaryDirectory() as name, started(Path(name)) as browser:
        for lang, searches in SEARCHES.items():
            for page in PAGES:
                faults += page_faults(browser, folder, f"{lang}/{page}", pictures)
            faults += search_faults(browser, folder / lang, searches)
    return faults


def page_faults(browser, folder: Path, page: str, pictures: Path | None) -> list[str]:  # noqa: ANN001 (of the tests)
    """Return what is wrong with a page at three widths, dark and light."""
    faults = []
    for dark in (False, True):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        browser.driver.get((folder / f"{page}.html").as_uri())
        for width in WIDTHS:
            browser.size(width, 900)
            shown = f"{page} at {width}, {'dark' if dark else 'light'}"
            if browser.overflow() > 0:
                faults.append(f"{shown}: {browser.overflow()} pixels wider than the screen")
            if pictures is not None:
                pictures.mkdir(parents=True, exist_ok=True)
                name = f"{page.replace('/', '-')}-{width}-{'dark' if dark else 'light'}.png"
                browser.driver.save_screenshot(str(pictures / name))
        background = browser.run("return getComputedStyle(document.body).backgroundColor")
        if (max(map(int, background.strip("rgba()").split(",")[:3])) < 100) != dark:  # noqa: PLR2004
            faults.append(f"{page}: background {background} is not {'dark' if dark else 'light'}")
    elsewhere = [name for name in browser.loaded_from_elsewhere() if not name.startswith(("file:", "data:"))]
    faults += [f"{page} loads {name}" for name in elsewhere]
    return faults + [f"{page}: {text}" for text in browser.complaints()]


def search_faults(browser, folder: Path, searches: dict[str, str]) -> list[str]:  # noqa: ANN001 (of the tests)
    """Search from files on the disk, and return the searches that miss a page."""
    faults = []
    for words, page in searches.items():
        browser.driver.get((folder / "search.html").as_uri() + f"?q={quote(words)}")
        finished = r"return /\d/.test(document.querySelector('#search-results .search-summary')?.innerText)"
        browser.until(finished, seconds=30)
        results = browser.run("return [...document.querySelectorAll('#search-results li a')].map((link) => link.href)")
        without = "#search-results li:not(:has(.snippet))"
        bare = browser.run("return document.querySelectorAll(arguments[0]).length", without)
        if bare:
            faults.append(f"{folder.name}: {words} has {bare} results without a snippet")
        if not any(f"/{folder.name}/{page}.html" in link for link in results):
            faults.append(f"{folder.name}: {words} finds {len(results)} pages, but not {page}: {results[:5]}")
        else:
            place = next(place for place, link in enumerate(results, 1) if f"/{folder.name}/{page}.html" in link)
            if words in FIRST and place > 1:
                faults.append(f"{folder.name}: {words} finds {page} at place {place}, after {results[: place - 1][:3]}")
            print(f"{folder.name}: {words!r} finds {page} at place {place} of {len(results)}")
    return faults


if __name__ == "__main__":
    main()
