"""Check the files of the built site: every link leads somewhere, and nothing is loaded from elsewhere."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Links(HTMLParser):
    """The links, the anchors and the loaded files of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the attributes that name something."""
        for name, value in attrs:
            if value is None:
                continue
            if name in {"id", "name"}:
                self.anchors.add(value)
            if (tag, name) in LOADED:
                self.loaded.append(value)
            if name == "href" and tag == "a":
                self.links.append(value)


@cache
def links_of(path: Path) -> Links:
    """Parse a page once."""
    return Links(path.read_text(encoding="utf-8"))


def faults(folder: Path) -> list[str]:
    """Return the links that lead nowhere and the files that are loaded from elsewhere."""
    found = []
    for page in sorted(folder.rglob("*.html")):
        if "reports" in page.parts:  # whole files of the library, with their own tests
            continue
        links = links_of(page)
        elsewhere = [
            link for link in links.loaded if urlsplit(link).scheme in {"http", "https"} or link.startswith("//")
        ]
        found += [f"{page.relative_to(folder)} loads {link}" for link in elsewhere]
        local = [link for link in links.links + links.loaded if not urlsplit(link).scheme]
        found += [f"{page.relative_to(folder)}: {link}" for link in local if not leads_somewhere(page, link)]
    return found


def leads_somewhere(page: Path, link: str) -> bool:
    """Return whether the file and the anchor of a link exist."""
    parts = urlsplit(link)
    path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not path.is_file():
        return False
    anchor = unquote(parts.fragment)
    return not anchor or path.suffix != ".html" or "reports" in path.parts or anchor in links_of(path).anchors
